//! Masking: masks are at their stated places, do not overlap, and split no character.

use dalil_evidence::mask;

use crate::bound::fuzz;

#[test]
fn masks() {
    fuzz(&corpus(), &WORDS, |bytes| {
        let text = String::from_utf8_lossy(bytes);
        let masked = mask::apply(&text, &[], None);
        let mut end = 0;
        for mask in &masked.masks {
            assert!(end <= mask.start && mask.start < mask.end, "masks overlap");
            assert!(text.get(mask.start..mask.end).is_some(), "a mask splits a character");
            end = mask.end;
        }
    });
}

fn corpus() -> Vec<Vec<u8>> {
    let texts = [
        "Write to aisha@example.com or +966 50 123 4567; card 4111 1111 1111 1111.",
        "IBAN SA03 8000 0000 6080 1016 7519, ID 1012345672, VAT 300000000000003.",
        "اتصل على ٠٥٠١٢٣٤٥٦٧ أو راسل a@b.sa، الهوية ١٠١٢٣٤٥٦٧٢",
        "password = \"hunter2\"; key sk-abcdefghijklmnopqrstuvwxyz012345; AKIAIOSFODNN7EXAMPLE",
        "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n10.0.0.1 and 2001:db8::1",
        "SSN 123-45-6789, 784-1980-1234567-1",
    ];
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

const WORDS: [&str; 14] = [
    "@",
    "@example.com",
    "4111111111111111",
    "-----BEGIN PRIVATE KEY-----",
    "eyJhbGciOiJIUzI1NiJ9.",
    "password=",
    "+966",
    "٠٥٠",
    "SA03",
    "123-45-6789",
    "127.0.0.1",
    "::",
    "[EMAIL_REDACTED]",
    "0000000000000000",
];
