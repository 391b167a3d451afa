//! Masked texts, and texts that only look like them.

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::{MaskKey, MaskRule, apply, find};

mod fold;
mod gulf;
mod secret;
mod spread;

#[track_caller]
fn check(text: &str, expected: &Expect) {
    let masked = apply(text, &[], None);
    let masks: Vec<String> = masked
        .masks
        .iter()
        .map(|mask| {
            format!(
                "\n{} {}",
                mask.rule,
                text.get(mask.start..mask.end).unwrap().replace('\n', "⏎")
            )
        })
        .collect();
    expected.assert_eq(&format!("{}{}", masked.text, masks.concat()));
}

/// Each text is masked whole and by the rule that is named.
#[track_caller]
fn check_each(rule: &str, values: &[&str]) {
    for value in values {
        let text = format!("\n{value}\n");
        let found: Vec<_> = find(&text, &[])
            .into_iter()
            .map(|found| (found.rule, text.get(found.start..found.end).unwrap()))
            .collect();
        assert_eq!(found, [(rule, *value)], "{text}");
    }
}

/// None of the texts holds anything.
#[track_caller]
fn check_none(texts: &[&str]) {
    for text in texts {
        assert_eq!(apply(text, &[], None).text, *text);
    }
}

#[test]
fn email_addresses_are_masked() {
    check_each(
        "email",
        &[
            "user@example.com",
            "first.last+tag@sub.example.co.uk",
            "a_b%c@x-y.museum",
            "بريد@مثال.السعودية",
            "u@xn--mgberp4a5d4ar.xn--mgba3a4f16a.sa",
        ],
    );
    check(
        "Write to a@b.co, c@d.org. Or e@f.net!",
        &expect![[r#"
            Write to [EMAIL_REDACTED], [EMAIL_REDACTED]. Or [EMAIL_REDACTED]!
            email a@b.co
            email c@d.org
            email e@f.net"#]],
    );
    check_none(&["@home", "a@b", "a@b.c", "user @ example.com", "@@@@", "a@.com", "a@b.1"]);
}

#[test]
fn telephone_numbers_are_masked_in_every_form_and_script() {
    check_each(
        "phone",
        &[
            "555-123-4567",
            "555.123.4567",
            "5551234567",
            "555 123 4567",
            "(555) 123-4567",
            "1-800-555-0199",
            "+1 (555) 123-4567",
            "+1-555-123-4567",
            "+44 20 7946 0958",
            "+966501234567",
            "+966 50 123 4567",
            "+966-11-234-5678",
            "00966501234567",
            "00971 50 123 4567",
            "+971 4 123 4567",
            "+971501234567",
            "+96522123456",
            "+973 1712 3456",
            "+968 9212 3456",
            "+974 4412 3456",
            "0501234567",
            "050 123 4567",
            "05-0123-4567",
            "011 234 5678",
            "04-1234567",
            "٠٥٠١٢٣٤٥٦٧",
            "٠٥٠ ١٢٣ ٤٥٦٧",
            "۰۵۰۱۲۳۴۵۶۷",
            "+٩٦٦٥٠١٢٣٤٥٦٧",
        ],
    );
    check(
        "هاتف الكويت 22123456، والجوال: 9912 3456",
        &expect![[r#"
            هاتف الكويت [PHONE_REDACTED]، والجوال: [PHONE_REDACTED]
            phone 22123456
            phone 9912 3456"#]],
    );
    check_none(&[
        "Call 555-1234",
        "ts 1700000000",
        "155-123-4567",
        "22123456 units",
        "0.5551234567",
        "order 12-555-123-4567-8",
        "A5551234567",
        "5551234567890",
        "+1234567",
        "2024-01-15",
        "00123456789",
    ]);
}

#[test]
fn cards_are_masked_only_when_their_check_digit_is_right() {
    check_each(
        "credit_card",
        &[
            "4111111111111111",
            "4111 1111 1111 1111",
            "4111-1111-1111-1111",
            "378282246310005",
            "3782 822463 10005",
            "6011000990139424",
            "4222222222222",
            "6304000000000000000",
            "٤١١١١١١١١١١١١١١١",
            "9682012345678909",
        ],
    );
    check_none(&[
        "1234-5678-9012-3456",
        "1234 5678 9012 3456",
        "1234567890123456",
        "4111111111111112",
        "4111 1111-1111 1111",
        "0000000000000000",
        "41111111111111111111111",
        "1700000000003",
    ]);
}

#[test]
fn ibans_are_masked_only_when_length_and_checksum_are_right() {
    check_each(
        "iban",
        &[
            "SA0380000000608010167519",
            "SA03 8000 0000 6080 1016 7519",
            "AE070331234567890123456",
            "KW81CBKU0000000000001234560101",
            "BH67BMAG00001299123456",
            "OM810180000001299123456",
            "QA58DOHB00001234567890ABCDEFG",
            "GB29 NWBK 6016 1331 9268 19",
            "DE89370400440532013000",
            "sa0380000000608010167519",
            "SA٠٣٨٠٠٠٠٠٠٠٦٠٨٠١٠١٦٧٥١٩",
        ],
    );
    check_none(&[
        "SA0480000000608010167519",
        "SA03800000006080101675190",
        "ZZ0380000000608010167519",
    ]);
}

#[test]
fn identity_numbers_of_the_gulf_are_masked_by_checksum_or_by_the_word_beside_them() {
    check_each("saudi_id", &["1000000008", "2000000006", "١٠٠٠٠٠٠٠٠٨"]);
    check_each("emirates_id", &["784-1980-1234567-8", "784198012345678"]);
    check_each("saudi_vat", &["300000000000003", "310123456700003"]);
    check(
        "CR No. 1010123456; سجل تجاري رقم ٤٠٣٠١٢٣٤٥٦",
        &expect![[r#"
            CR No. [CR_REDACTED]; سجل تجاري رقم [CR_REDACTED]
            saudi_cr 1010123456
            saudi_cr ٤٠٣٠١٢٣٤٥٦"#]],
    );
    check_none(&[
        "1000000009",
        "784-1980-1234567-9",
        "invoice 1010123456",
        "300000000000004",
        "across 1010123456",
    ]);
}

#[test]
fn social_security_numbers_and_addresses_are_masked() {
    check_each("ssn", &["123-45-6789", "123 45 6789"]);
    check_each(
        "ip",
        &["192.168.1.10", "8.8.8.8", "2001:db8::8a2e:370:7334", "fe80::1", "::ffff:10.0.0.1"],
    );
    check(
        "SSN 123456789 from 10.0.0.1:8080, 10.0.0.2-10.0.0.9.",
        &expect![[r#"
            SSN [SSN_REDACTED] from [IP_REDACTED]:8080, [IP_REDACTED]-[IP_REDACTED].
            ssn 123456789
            ip 10.0.0.1
            ip 10.0.0.2
            ip 10.0.0.9"#]],
    );
    check_none(&[
        "000-12-3456",
        "666-12-3456",
        "900-12-3456",
        "123-00-4567",
        "123-45-0000",
        "256.1.1.1",
        "1.2.3",
        "v1.2.3.4",
        "1.2.3.4.5",
        "12:30:45",
        "std::a::b",
        "::1",
        "01.02.03.04",
    ]);
}

#[test]
fn tokens_and_keys_are_masked_by_their_shape() {
    check_each(
        "api_key",
        &[
            "sk-abcdefghijklmnopqrst",
            "sk-abcdefghijk1",
            "sk-proj-Ab12Cd34Ef56Gh78",
            "AKIAIOSFODNN7EXAMPLE",
            "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
            "github_pat_11ABCDEFG0abcdefghijkl_mnop",
            "xoxb-123456789012-abcdefABCDEF",
            "sk_live_4eC39HqLyjWDarjtT1zdp7dc",
            "AIzaSyA-1234567890abcdefghijklmnopqrstu",
        ],
    );
    check_each(
        "jwt",
        &["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P"],
    );
    check_each(
        "private_key",
        &["-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\nabc=\n-----END RSA PRIVATE KEY-----"],
    );
    check(
        "key:\n-----BEGIN PRIVATE KEY-----\nMIIE\nabcd",
        &expect![[r#"
            key:
            [SECRET_REDACTED]
            private_key -----BEGIN PRIVATE KEY-----⏎MIIE⏎abcd"#]],
    );
    check_none(&[
        "sk-learn",
        "sk-abcdefghijklmnopqrs",
        "sk-abcdefghij1",
        "task-abcdefghijklmnopqrstuvwxyz1",
        "AKIA123",
        "-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----",
        "eyJ.a.b",
    ]);
}

#[test]
fn values_assigned_to_a_secret_name_are_masked_whole() {
    check_each(
        "secret_marker",
        &[
            "api-key: ABCDEFGH12",
            "apikey=ABCDEFGH12",
            "TOKEN = abcdefgh",
            "token=abcdefgh-rest",
            "Password: hunter2!",
            "pwd=1234",
            "Authorization: Bearer abc.def.ghi",
            "كلمة المرور: سر١٢٣٤",
            "password=p@ss.word",
        ],
    );
    check(
        r#"password="supersecret123""#,
        &expect![[r#"
            [SECRET_REDACTED]"
            secret_marker password="supersecret123"#]],
    );
    check(
        r#"{"client_secret": "a\"b c d", "user": "x", "AWS_SECRET_ACCESS_KEY": 'k/9'}"#,
        &expect![[r#"
            {"client_[SECRET_REDACTED]", "user": "x", "AWS_SECRET_[SECRET_REDACTED]'}
            secret_marker secret": "a\"b c d
            secret_marker ACCESS_KEY": 'k/9"#]],
    );
    check(
        "Server=db;Password=abc;d=1&token=xyz9&n=2",
        &expect![[r#"
            Server=db;[SECRET_REDACTED];d=1&[SECRET_REDACTED]&n=2
            secret_marker Password=abc
            secret_marker token=xyz9"#]],
    );
    check_none(&[
        "Token: the unit of text",
        "tokens: 4096",
        "secretary: someone",
        "password: ${PASSWORD}",
        "password: <password>",
        "token == expected",
        "password:",
    ]);
}

#[test]
fn an_escape_or_an_arabic_word_does_not_hide_what_follows_it() {
    check(
        r#"{"a": "\n0501234567\t4111111111111111\nsk-abcdefghijklmnopqrst\rSA0380000000608010167519"}"#,
        &expect![[r#"
            {"a": "\n[PHONE_REDACTED]\t[CC_REDACTED]\n[SECRET_REDACTED]\r[IBAN_REDACTED]"}
            phone 0501234567
            credit_card 4111111111111111
            api_key sk-abcdefghijklmnopqrst
            iban SA0380000000608010167519"#]],
    );
    check(
        "رقم0501234567 وجوال٠٥٠١٢٣٤٥٦٧",
        &expect![[r#"
        رقم[PHONE_REDACTED] وجوال[PHONE_REDACTED]
        phone 0501234567
        phone ٠٥٠١٢٣٤٥٦٧"#]],
    );
    check(
        "345-899-3560x4587",
        &expect![[r#"
        [PHONE_REDACTED]
        phone 345-899-3560x4587"#]],
    );
    check_none(&["x5551234567", "0501234567ريال", "5551234567xyz"]);
}

#[test]
fn overlapping_finds_become_one_mask_under_the_leftmost_name() {
    let rule = |name, pattern| MaskRule::new(name, pattern, "[X]", "rules[0]").unwrap();
    let rules = [rule("first", "xtok"), rule("second", "xtoken"), rule("third", "xtoken")];
    let masked = apply("a xtoken=abcdefgh b", &rules, None);
    assert_eq!(masked.text, "a [X] b");
    assert_eq!(masked.masks[0].rule, "second");
    assert_eq!((masked.masks[0].start, masked.masks[0].end), (2, 17));
}

#[test]
fn what_masking_uncovers_is_masked_too() {
    let rules = [MaskRule::new("code", "Q+", "[CODE]", "rules[0]").unwrap()];
    let masked = apply("QQ5551234567 and more", &rules, None);
    assert_eq!(masked.text, "[CODE][PHONE_REDACTED] and more");
    let places: Vec<_> = masked.masks.iter().map(|mask| (mask.start, mask.end)).collect();
    assert_eq!(places, [(0, 2), (2, 12)]);
}

#[test]
fn a_custom_rule_must_compile_and_leave_nothing_to_find() {
    let faults = MaskRule::new(" ", "(a", "user@example.com", "policy.rules[2]").unwrap_err();
    let lines: Vec<_> = faults.iter().map(|fault| format!("{} {fault}", fault.rule)).collect();
    expect![[r#"
        empty `policy.rules[2].name`: expected some text, found ` `
        pattern `policy.rules[2].pattern`: expected a regular expression, found `unclosed group`
        hint: the syntax is that of the regex crate: no look-around, no back-references
        replacement `policy.rules[2].replacement`: expected a replacement that no rule would mask again, found `user@example.com`
        hint: use a mark such as `[CODE_REDACTED]`"#]]
    .assert_eq(&lines.join("\n"));
    MaskRule::new("big", r"\w{1000}{1000}", "[X]", "r").unwrap_err();
    MaskRule::new("self", "X+", "[X]", "r").unwrap_err();
}

#[test]
fn equal_values_have_equal_digests_under_one_key_only() {
    let key = MaskKey::new(b"sixteen bytes or more").unwrap();
    let other = MaskKey::new(b"another key altogether").unwrap();
    let digests = |key: &MaskKey| -> Vec<_> {
        let masks = apply("a@b.co c@d.co a@b.co", &[], Some(key)).masks;
        masks.into_iter().filter_map(|mask| mask.digest).collect()
    };
    let [first, second, third] = digests(&key).try_into().unwrap();
    assert_eq!(first, third);
    assert_ne!(first, second);
    assert_ne!(first, digests(&other)[0]);
    expect!["hmac-sha256:ebec76de2039"].assert_eq(first.get(..24).unwrap());
    assert!(MaskKey::new(&[7; 15]).is_none() && MaskKey::new(&[7; 16]).is_some());
    assert_eq!(format!("{key:?}"), "Key(…)");
}

#[test]
fn hostile_text_takes_linear_time() {
    let texts = [
        "@".repeat(1 << 17),
        "a@".repeat(1 << 16),
        "token=".repeat(1 << 15),
        "1 ".repeat(1 << 16),
        "1".repeat(1 << 17),
        "-----BEGIN PRIVATE KEY-----".repeat(1 << 12),
        "-----BEGIN ".repeat(1 << 13),
        "eyJ.".repeat(1 << 15),
        "a:".repeat(1 << 16),
        "sk-".repeat(1 << 15),
        "password:\"".repeat(1 << 13),
        "a@b.".repeat(1 << 15),
        "<password>".repeat(1 << 13),
        "<password><![CDATA[".repeat(1 << 12),
        "password:\n".repeat(1 << 13),
        "password: |\n ".repeat(1 << 13),
        "password ".repeat(1 << 13),
        "كلمة السر ".repeat(1 << 12),
        "bearer ".repeat(1 << 14),
        "1\u{200f}".repeat(1 << 15),
        "SA 0".repeat(1 << 14),
        "value=".repeat(1 << 14),
        "4.2.1.3, ".repeat(1 << 11),
        "Q~".repeat(1 << 15),
        "xsk-".repeat(1 << 14),
        "a-sk-".repeat(1 << 14),
        "AIza".repeat(1 << 14),
    ];
    for text in &texts {
        // Quadratic work on these would take minutes.
        let masked = apply(text, &[], None);
        assert!(masked.text.len() <= text.len() * 3);
    }
}

/// Text made of pieces that rules care about, so that they meet.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(vec![
            "user@example.com",
            "555-123-4567",
            "4111111111111111",
            "token=",
            "password: \"",
            "+966",
            "501234567",
            "SA0380000000608010167519",
            "10.0.0.1",
            "fe80::1",
            "sk-abcdefghijklmnopqrst",
            "-----BEGIN PRIVATE KEY-----",
            "-----END PRIVATE KEY-----",
            "eyJhbGciOiJI.eyJzdWIiOiIx.abc",
            "٠٥٠١٢٣٤٥٦٧",
            "784-1980-1234567-8",
            "CR 1010123456",
            "[EMAIL_REDACTED]",
            "-",
            ".",
            " ",
            "(",
            ")",
            ":",
            "=",
            "\"",
            "'",
            "\n",
            "@",
            "_",
            "1",
            "٣",
            "é",
            "😀",
        ])
        .prop_map(str::to_owned),
        "[0-9a-zA-Z@.:= -]{0,12}",
        any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

/// Each mask ends in `]`, which makes a find of the next `b`.
#[test]
fn text_that_is_uncovered_bit_by_bit_is_masked_to_its_end() {
    let rule = MaskRule::new("chain", r"\]b", "[X]", "rules[0]").unwrap();
    let text = format!("a]{} c", "b".repeat(100_000));
    let masked = apply(&text, std::slice::from_ref(&rule), None);
    assert_eq!(masked.text, "[X]");
    assert_eq!(find(&masked.text, &[rule]), []);
}

#[test]
fn a_rule_that_finds_the_marks_of_others_comes_to_an_end() {
    let rule = MaskRule::new("mark", "REDACTED", "[X]", "rules[0]").unwrap();
    let masked = apply("to hr@example.com or REDACTED", &[rule], None);
    assert_eq!(masked.text, "to [EMAIL_REDACTED] or [X]");
}

proptest! {
    #[test]
    fn nothing_is_left_that_a_second_pass_would_find(text in hostile()) {
        let masked = apply(&text, &[], None);
        prop_assert_eq!(find(&masked.text, &[]), vec![]);
    }

    #[test]
    fn finds_are_ordered_apart_and_on_character_boundaries(text in hostile()) {
        let mut from = 0;
        for found in find(&text, &[]) {
            prop_assert!(from <= found.start && found.start < found.end);
            prop_assert!(text.is_char_boundary(found.start) && text.is_char_boundary(found.end));
            from = found.end;
        }
        prop_assert!(from <= text.len());
    }

    #[test]
    fn any_text_is_masked_without_a_panic_and_the_same_every_time(text in any::<String>()) {
        prop_assert_eq!(apply(&text, &[], None), apply(&text, &[], None));
    }
}

#[test]
fn gulf_numbers_are_masked_as_chats_write_them() {
    check_each(
        "phone",
        &["966501234567", "966 50 123 4567", "966-50-123-4567", "٩٦٦٥٠١٢٣٤٥٦٧", "971501234567"],
    );
    check(
        "Tel 17123456, WhatsApp 96599123456 or 974 5512 3456",
        &expect![[r#"
        Tel [PHONE_REDACTED], WhatsApp [PHONE_REDACTED] or [PHONE_REDACTED]
        phone 17123456
        phone 96599123456
        phone 974 5512 3456"#]],
    );
    check_none(&["966301234567", "96599123456 units", "9665012345678"]);
}

#[test]
fn the_numbers_of_contracts_are_left_alone() {
    check_none(&[
        "Article 12.3.4.5 and clause (1.1.1.1), version 1.2.3.4",
        "المادة 4.1.2.3 والبند 10.5.2.1",
        "2000000000 SAR under PO 4500012345",
        "قضية رقم ٤٤٧٠١٢٣٤٥٦",
        "rate 0.123456789",
        "at 20260103143000",
        "Call before 20260103, phone plan 2026-2027",
    ]);
    check_each("ip", &["10.5.2.1", "1.2.3.4"]);
}

#[test]
fn passwords_are_masked_in_urls_and_in_json_inside_text() {
    check(
        r#"{\"password\":\"hunter2\",\"a\":1}"#,
        &expect![[r#"
        {\"[SECRET_REDACTED]\",\"a\":1}
        secret_marker password\":\"hunter2"#]],
    );
    check(
        "redis://:hunter2@cache:6379 and postgres://app:s3cr@t@db/x, https://a.example:8080/u@v",
        &expect![[r#"
            redis://[SECRET_REDACTED]@cache:6379 and postgres://[SECRET_REDACTED]@db/x, https://a.example:8080/u@v
            secret_marker :hunter2
            secret_marker app:s3cr@t"#]],
    );
    check_none(&["https://example.org:8080/a@b", "see http://user@host/", "a://b:@c"]);
}
