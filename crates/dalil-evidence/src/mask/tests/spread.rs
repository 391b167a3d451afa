//! Numbers and secrets as pages, sheets, chats and tables write them.

use super::{check, check_none};
use crate::mask::apply;
use expect_test::expect;

#[track_caller]
fn check_masked(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(apply(text, &[], None).text, *expected, "{text:?}");
    }
}

#[test]
fn a_number_is_found_however_its_digits_are_parted_when_its_name_stands_before_it() {
    let id = "National ID [SAUDI_ID_REDACTED]";
    for number in [
        "14079\n25278",
        "14079\r\n25278",
        "14079-\n25278",
        "14079\n    25278",
        "14079<br>25278",
        "14079\n> 25278",
        "140 792 527 8",
        "1407-9252-78",
        "1,407,925,278",
        "1 4 0 7 9 2 5 2 7 8",
        "1.4.0.7.9.2.5.2.7.8",
        "1_4_0_7_9_2_5_2_7_8",
        "1407**925278",
        "١٤٠٧٩\n٢٥٢٧٨",
    ] {
        let text = format!("National ID {number}");
        assert_eq!(apply(&text, &[], None).text, id, "{number:?}");
    }
    check_masked(&[
        ("National ID 1407925278.0\n", "National ID [SAUDI_ID_REDACTED].0\n"),
        ("رقم الهوية: ١٬٤٠٧٬٩٢٥٬٢٧٨ فقط", "رقم الهوية: [SAUDI_ID_REDACTED] فقط"),
        ("Card number 411 111 111 111 111 1.", "Card number [CC_REDACTED]."),
        ("Card 4111\n1111\n1111\n1111", "Card [CC_REDACTED]"),
        ("Mobile 05012\n34567", "Mobile [PHONE_REDACTED]"),
        ("Mobile +966/55/231/9087", "Mobile [PHONE_REDACTED]"),
        ("IBAN SA038\n0000000608010167519", "IBAN [IBAN_REDACTED]"),
        ("IBAN S.A.0.3.8.0.0.0.0.0.0.0.6.0.8.0.1.0.1.6.7.5.1.9", "IBAN [IBAN_REDACTED]"),
        ("id_1407925278", "id_[SAUDI_ID_REDACTED]"),
        ("customer_id_SA0380000000608010167519", "customer_id_[IBAN_REDACTED]"),
    ]);
}

#[test]
fn a_list_of_numbers_is_no_number() {
    check_none(&[
        "Total 1,407,925,278",
        "Total 1407925278.0",
        "National ID 1407925278.05",
        "Totals\n14079\n25278",
        "National ID 14079\n25279",
        "Revenue 1 407 925 278",
        "order_1407925278",
        "Card 1\nCard 2\nCard 3",
        "Mobile users: 05,012,345,67",
        "IBAN SA03 8000 0000 6080 1016 7518 is wrong",
        "The ID has 10 digits, 1-4-0-7 and so on",
        "Confirmed by telephone on 05/03/2026 09:15",
        "National ID card of 2026-11-15 14:30",
    ]);
}

#[test]
fn letters_and_digits_of_other_shapes_and_codes_are_read_as_what_they_are() {
    for number in [
        "𝟏𝟒𝟎𝟕𝟗𝟐𝟓𝟐𝟕𝟖",
        "①④⓪⑦⑨②⑤②⑦⑧",
        "¹⁴⁰⁷⁹²⁵²⁷⁸",
        "१४०७९२५२७८",
        "1\u{34f}4\u{34f}07925278",
        "1\u{fe0f}407925278",
        "1\u{3164}407925278",
        "14\u{640}07925278",
        "1\u{20e3}407925278",
        "&#49;&#52;07925278",
        "&#x31;407925278",
        "%31%34%30%37925278",
        "\\u0031407925278",
    ] {
        let text = format!("National ID {number}");
        assert_eq!(apply(&text, &[], None).text, "National ID [SAUDI_ID_REDACTED]", "{number}");
    }
    check_masked(&[
        ("noura․ali@example․com", "[EMAIL_REDACTED]"),
        ("noura.ali@example。com", "[EMAIL_REDACTED]"),
        ("mailto:noura.ali%40example.com", "mailto:[EMAIL_REDACTED]"),
        ("noura.ali&#64;example.com", "[EMAIL_REDACTED]"),
    ]);
    check_none(&[
        "100%",
        "5%32 of",
        "&#;",
        "&#x;",
        "\\u",
        "\\u00",
        "%",
        "&#99999999999;",
        "m² and x³",
    ]);
}

#[test]
fn an_address_is_found_when_it_is_spelt_or_broken() {
    check_masked(&[
        ("Contact noura.ali [at] example [dot] com.", "Contact [EMAIL_REDACTED]."),
        ("noura(at)example.com, please", "[EMAIL_REDACTED], please"),
        ("noura.ali@\nexample.com", "[EMAIL_REDACTED]"),
    ]);
    check_none(&[
        "we met [at] noon",
        "array[at]",
        "f(at)",
        "[at] example [dot] com",
        "see (at) the end",
        "Follow us @\nthe fair",
        "The meeting is (at) noon. Please come",
        "unit price (at) 3.50",
    ]);
}

#[test]
fn a_heading_of_secrets_over_short_rows_takes_linear_time() {
    let text = format!("{}pwd\n{}", "pwd,".repeat(60_000), "a\n".repeat(120_000));
    check_none(&[&text]);
}

#[test]
fn secrets_are_found_in_tables_forms_commands_and_hooks() {
    check(
        "| user | password |\n|---|---|\n| ali | hunter2secret |\n| mona | tea cup |\n\nuser,password,role\nali,\"hunter2secret\",admin\nmona,,viewer\n\nuser;API key\na;k1",
        &expect![[r#"
            | user | password |
            |---|---|
            | ali | [SECRET_REDACTED] |
            | mona | [SECRET_REDACTED] |

            user,password,role
            ali,"[SECRET_REDACTED]",admin
            mona,,viewer

            user;API key
            a;[SECRET_REDACTED]
            secret_marker hunter2secret
            secret_marker tea cup
            secret_marker hunter2secret
            secret_marker k1"#]],
    );
    check_masked(&[
        ("Password\nhunter2secret", "Password\n[SECRET_REDACTED]"),
        ("curl -u admin:hunter2 https://x", "curl -u admin:[SECRET_REDACTED] https://x"),
        ("mysql -phunter2secret db", "mysql -p[SECRET_REDACTED] db"),
        ("/usr/bin/mysqldump -phunter2secret", "/usr/bin/mysqldump -p[SECRET_REDACTED]"),
        ("sshpass -p hunter2secret ssh a@b", "sshpass -p [SECRET_REDACTED] ssh a@b"),
        ("docker login -u a --password hunter2", "docker login -u a --password [SECRET_REDACTED]"),
        ("ALTER USER a IDENTIFIED BY 'hunter2'", "ALTER USER a IDENTIFIED BY '[SECRET_REDACTED]'"),
        (
            "create role a with password 'tea cup';",
            "create role a with password '[SECRET_REDACTED]';",
        ),
        (
            "key dalil_acme_0123456789abcdef_aB3-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.",
            "key [SECRET_REDACTED].",
        ),
        ("Set-Cookie: session=hunter2secret; Path=/", "[SECRET_REDACTED]; Path=/"),
        ("PIN: 4821", "[SECRET_REDACTED]"),
        (
            concat!("post to https://hooks.sl", "ack.com/services/T000/B000/XXXX now"),
            concat!("post to https://hooks.sl", "ack.com/[SECRET_REDACTED] now"),
        ),
    ]);
    check_none(&[
        "Forgot your password, or user name?\nWrite to us, at any time.",
        "Lost password, or a card\nWrite to us, at once",
        "password\nis the word",
        "Cookie: necessary",
        "PIN: enter it",
        "sort -u names",
        "tar -p archive",
        "We run mysql on-premises",
        "docker run -p 8080:80 web",
        "sshpass -p $PASSWORD ssh a",
        "sign in with password reset",
        "dalil_evicted_connections_total 3",
        "mysql --port=3306",
        "mysql -h db-primary",
        "| Model | Price per token |\n|---|---|\n| A | 0.002 |",
        "| System | Requires a password |\n|---|---|\n| HR | yes |",
        "A table\nof token, prices",
        "https://slack.com/services/list",
    ]);
}
