//! Secrets in elements, blocks and sentences.

use expect_test::expect;

use super::{check, check_each, check_none};
use crate::mask::apply;

#[test]
fn passwords_are_masked_in_elements_and_attributes() {
    check(
        "<db:password>x7</db:password> <Password type=\"t\"> a b </Password> <secret><![CDATA[a<b]]></secret> <add key=\"DbPassword\" value=\"q1\"/>",
        &expect![[r#"
            <db:password>[SECRET_REDACTED]</db:password> <Password type="t"> [SECRET_REDACTED] </Password> <secret><![CDATA[[SECRET_REDACTED]]]></secret> <add key="DbPassword" [SECRET_REDACTED]"/>
            secret_marker x7
            secret_marker a b
            secret_marker a<b
            secret_marker value="q1"#]],
    );
    check_none(&[
        "login <password> then press <enter>",
        "<password></password>",
        "<password>${PASSWORD}</password>",
        "<password/> text </password>",
        "</password> text </password>",
    ]);
}

#[test]
fn passwords_are_masked_in_blocks() {
    check(
        "a:\n  password: |\n    one\n\n    two\n  user: x\ntoken: >-\n  abc\nend: 1",
        &expect![[r#"
            a:
              [SECRET_REDACTED]
              user: x
            [SECRET_REDACTED]
            end: 1
            secret_marker password: |⏎    one⏎⏎    two
            secret_marker token: >-⏎  abc"#]],
    );
    check(
        "- name: DB_PASSWORD\n  value: hunter2\npassword:\n  Mail-2025!\nuser: x",
        &expect![[r#"
            - name: DB_PASSWORD
              value: [SECRET_REDACTED]
            [SECRET_REDACTED]
            user: x
            secret_marker hunter2
            secret_marker password:⏎  Mail-2025!"#]],
    );
    check_none(&[
        "password: |\nuser: x",
        "password:\n  Please choose one",
        "password:\nuser1: x",
        "name: title\nvalue: hunter2",
        "compass: A1b2c3d4",
    ]);
}

#[test]
fn passwords_are_masked_in_sentences() {
    check(
        "The password for the portal is Abc@123. كلمة السر هي Xy#99، وكلمة المرور الخاصة بك: Zz-1234 password (temporary): “q w” pass: a1b2c3",
        &expect![[r#"
            The password for the portal is [SECRET_REDACTED]. كلمة السر هي [SECRET_REDACTED]، وكلمة المرور الخاصة بك: [SECRET_REDACTED] password (temporary): “q w” [SECRET_REDACTED]
            secret_marker Abc@123
            secret_marker Xy#99
            secret_marker Zz-1234
            secret_marker pass: a1b2c3"#]],
    );
    check_none(&[
        "The password is required.",
        "The password is case-sensitive",
        "password is 8 characters",
        "password. It is Abc@123",
        "كلمة المرور هي مسؤولية الموظف",
        "passwordless login is OAuth2",
        "pass: 85.5%",
    ]);
}

#[test]
fn keys_of_more_makers_are_masked() {
    check_each(
        "api_key",
        &[
            "GOCSPX-abcdefghij0123456789",
            "abc8Q~Zx9yW8vU7tS6rQ5pO4nM3lK2jI1hG0fEdC",
            "shpat_0123456789abcdef0123456789abcdef",
        ],
    );
    check_each(
        "private_key",
        &[
            "-----BEGIN PGP PRIVATE KEY BLOCK-----\nxcFG\n-----END PGP PRIVATE KEY BLOCK-----",
            "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nP2/5\n---- END SSH2 ENCRYPTED PRIVATE KEY ----",
            "-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n-----END OPENSSH PRIVATE KEY-----",
        ],
    );
    check(
        "use bearer 9f86d081884c7d659a2f, not Bearer shares of 2024; AccountKey=Zm9v==;x=1; u?a=1&sig=abc",
        &expect![[r#"
            use bearer [SECRET_REDACTED], not Bearer shares of 2024; [SECRET_REDACTED];x=1; u?a=1[SECRET_REDACTED]
            api_key 9f86d081884c7d659a2f
            secret_marker AccountKey=Zm9v==
            secret_marker &sig=abc"#]],
    );
    check_none(&[
        "-----BEGIN PGP PUBLIC KEY BLOCK-----\nx\n-----END PGP PUBLIC KEY BLOCK-----",
        "abcQ~",
    ]);
}

#[test]
fn every_arabic_word_for_a_password_is_seen() {
    for name in [
        "كلمة المرور",
        "كلمة السر",
        "كلمة مرور",
        "كلمة سر",
        "الرقم السري",
        "الرمز السري",
        "رقم السري",
    ] {
        let text = format!("{name} هو Xy#99zq");
        assert_eq!(apply(&text, &[], None).text, format!("{name} هو [SECRET_REDACTED]"));
    }
}
