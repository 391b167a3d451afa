//! Numbers of the Gulf: how they are recognized, and how others are not taken for them.

use expect_test::expect;
use proptest::prelude::*;

use super::{check, check_each, check_none};
use crate::mask::{apply, checksum, find};

#[test]
fn civil_ids_are_masked_by_check_digit_or_by_their_name() {
    check_each("kuwait_id", &["288010112343", "٢٨٨٠١٠١١٢٣٤٣"]);
    check(
        "QID 28963412345; CPR 880112345; الرقم المدني 71234567; civil number 8012345",
        &expect![[r#"
            QID [QATAR_ID_REDACTED]; CPR [BAHRAIN_ID_REDACTED]; الرقم المدني [OMAN_ID_REDACTED]; civil number [OMAN_ID_REDACTED]
            qatar_id 28963412345
            bahrain_id 880112345
            oman_id 71234567
            oman_id 8012345"#]],
    );
    check_none(&[
        "288010112344",
        "civil id 288013112343",
        "row 28963412345",
        "QID 48963412345",
        "QID 28900012345",
        "CPR 881312345",
        "row 880112345",
        "row 71234567",
    ]);
}

#[test]
fn passports_are_masked_only_with_their_name() {
    check(
        "Passport no. A1234567, جواز السفر رقم N12345678; passports AB123456 and passport (UK) 123456789",
        &expect![[r#"
            Passport no. [PASSPORT_REDACTED], جواز السفر رقم [PASSPORT_REDACTED]; passports [PASSPORT_REDACTED] and passport (UK) 123456789
            passport A1234567
            passport N12345678
            passport AB123456"#]],
    );
    check_none(&[
        "flight A1234567",
        "passport A12345",
        "passport ABC123456",
        "passport control 1234567890",
    ]);
}

#[test]
fn cards_of_twelve_digits_are_masked_only_with_their_name() {
    check(
        "card number is 501864667909, بطاقة 675984103431",
        &expect![[r#"
            card number is [CC_REDACTED], بطاقة [CC_REDACTED]
            credit_card 501864667909
            credit_card 675984103431"#]],
    );
    check_none(&["row 501864667909", "card 501864667908"]);
}

#[test]
fn tax_numbers_are_masked_by_their_ends_or_their_name() {
    check(
        "VAT 310123456789013, TRN: 100123456789012, 300-123-456-700-003",
        &expect![[r#"
            VAT [VAT_REDACTED], TRN: [VAT_REDACTED], [VAT_REDACTED]
            saudi_vat 310123456789013
            uae_trn 100123456789012
            saudi_vat 300-123-456-700-003"#]],
    );
    check_none(&["row 310123456789013", "row 100123456789012", "VAT 310123456700004"]);
}

#[test]
fn ibans_of_the_gulf_are_masked_however_they_are_spaced() {
    check_each(
        "iban",
        &[
            "SA 03 8000 0000 6080 1016 7519",
            "SA 0380000000608010167519",
            "SA03-8000-0000-6080-1016-7519",
            "sa 03 80 000 000608010167519",
            "SA٠٣ ٨٠٠٠ ٠٠٠٠ ٦٠٨٠ ١٠١٦ ٧٥١٩",
            "SA03\u{200f}8000 0000 6080 1016 7519",
            "AE07 0331 2345 6789 0123 456",
        ],
    );
    // Nothing inside a wrong one is taken for a card or a telephone.
    check_none(&[
        "SA04 8000 0000 6080 1016 7519",
        "call: SA04 8000 0000 6080 1016 7519",
        "DE90 3704 0044 0532 0130 00",
        "AE 12 of 34",
    ]);
}

#[test]
fn telephones_are_masked_with_marks_brackets_and_extensions() {
    check_each(
        "phone",
        &[
            "(+966) 50 123 4567",
            "+966 (0)50 123 4567",
            "+966 (50) 123-4567",
            "050\u{200f}-123\u{200f}-4567",
            "+966\u{a0}50\u{a0}123\u{a0}4567",
            "050\u{2013}123\u{2013}4567",
            "050.123.4567",
            "+966 920012345",
            "+966 800 124 1255",
            "+971 800 4444",
            "001-518-640-0854",
            "0044 20 7946 0958",
            "0494 92 82 32",
            "01.84.17.61.18",
            "555-123-4567x89",
            "+1-903-140-4508x769",
        ],
    );
    check(
        "Unified number 920012345, الرقم الموحد ٩٢٠٠١٢٣٤٥, Phone: 60-56-85-91, call me on 9472 7916, Tel 467 3395\n416 60 039 office, (37) 788-063-Office\\,",
        &expect![[r#"
            Unified number [PHONE_REDACTED], الرقم الموحد [PHONE_REDACTED], Phone: [PHONE_REDACTED], call me on [PHONE_REDACTED], Tel [PHONE_REDACTED]
            [PHONE_REDACTED] office, [PHONE_REDACTED]-Office\,
            phone 920012345
            phone ٩٢٠٠١٢٣٤٥
            phone 60-56-85-91
            phone 9472 7916
            phone 467 3395
            phone 416 60 039
            phone (37) 788-063"#]],
    );
    check_none(&[
        "920012345",
        "order 4512345678",
        "فاتورة رقم 5551234567",
        "5551234567 SAR",
        "BRK-450-118-2231",
        "XR-050-123-4567",
        "72 128 827 mobile users",
        "phone 12.03.2024, tel 2024-2025",
        "2345678902",
        "card 4111 1111 1111 1112, call us",
    ]);
}

#[test]
fn numbers_of_clauses_are_no_addresses() {
    check_none(&[
        "clauses 4.2.1.3, 4.2.1.4 and 4.2.1.5",
        "4.2.1.3 Termination",
        "## 10.1.2.4 Payment",
        "٤.٢.١.٣ الإنهاء",
        "البنود 4.2.1.3 و4.2.1.4",
        "firmware v3.2.1.0",
    ]);
    check(
        "10.0.0.1 is down\n8.8.8.8 replied; 172.16.0.0/12 and [2001:db8::1]:443 and fe80::1%eth0",
        &expect![[r#"
            [IP_REDACTED] is down
            [IP_REDACTED] replied; [IP_REDACTED]/12 and [[IP_REDACTED]]:443 and [IP_REDACTED]%eth0
            ip 10.0.0.1
            ip 8.8.8.8
            ip 172.16.0.0
            ip 2001:db8::1
            ip fe80::1"#]],
    );
}

/// Digits whose last one is right by `check`, and wrong in every other way.
fn is_masked_only_when_right(head: &str, rule: &str, check: fn(&[u8]) -> bool) {
    for last in 0..10_u8 {
        let mut digits: Vec<u8> = head.bytes().map(|byte| byte - b'0').collect();
        digits.push(last);
        let text = format!("No. {head}{last}.");
        let rules: Vec<_> = find(&text, &[]).into_iter().map(|found| found.rule).collect();
        let expected = if check(&digits) { vec![rule] } else { vec![] };
        assert_eq!(rules, expected, "{text}");
    }
}

proptest! {
    #[test]
    fn a_wrong_check_digit_leaves_a_number_alone(
        saudi in "[12][0-9]{8}",
        emirates in "784(19|20)[0-9]{9}",
        kuwait in "2[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|1[0-9]|2[0-8])[0-9]{4}",
        card in "(4[0-9]|5[1-5])[0-9]{13}",
    ) {
        is_masked_only_when_right(&saudi, "saudi_id", checksum::luhn);
        is_masked_only_when_right(&emirates, "emirates_id", checksum::luhn);
        is_masked_only_when_right(&kuwait, "kuwait_id", checksum::kuwait);
        is_masked_only_when_right(&card, "credit_card", checksum::luhn);
    }

    #[test]
    fn an_iban_with_wrong_check_digits_is_left_alone(account in "[0-9]{20}", check in 2..99_u8) {
        let iban = format!("SA{check:02}{account}");
        let right = checksum::mod_97(iban.as_bytes());
        let spaced: Vec<_> = iban.as_bytes().chunks(4).map(String::from_utf8_lossy).collect();
        for text in [format!("IBAN {iban}."), format!("IBAN {}.", spaced.join(" "))] {
            let masked = apply(&text, &[], None).text;
            prop_assert_eq!(masked == "IBAN [IBAN_REDACTED].", right);
            prop_assert_eq!(masked == text, !right);
        }
    }
}
