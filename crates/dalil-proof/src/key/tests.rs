use expect_test::expect;

use super::{NotAKey, PublicKey, SecretKey, SignatureScheme};

/// Go's `golang.org/x/mod/sumdb/note` documentation and the checksum database's own key.
const PETER: &str = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
const SUMDB: &str = "sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8";

fn secret() -> SecretKey {
    SecretKey::from_seed("dalil.example/acme", &[7; 32]).unwrap()
}

#[test]
fn keys_of_other_programs_read_and_write_the_same() {
    for text in [PETER, SUMDB] {
        assert_eq!(text.parse::<PublicKey>().unwrap().to_string(), text);
    }
}

#[test]
fn a_go_signature_verifies() {
    let key: PublicKey = PETER.parse().unwrap();
    let text = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
    let line = "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=";
    let bytes = base64::Engine::decode(&super::STANDARD, line).unwrap();
    assert!(key.verify(text.as_bytes(), &bytes[4..]));
    assert!(!key.verify(text.as_bytes(), &bytes));
    assert!(!key.verify(b"other", &bytes[4..]));
}

#[test]
fn a_key_is_pinned_by_its_seed_and_name() {
    expect!["dalil.example/acme+99f0ea04+AepKbGPinFIKvvVQexMuxfmVR3auvr57kkIe6mkURtIs"]
        .assert_eq(&secret().public().to_string());
}

#[test]
fn the_secret_is_never_shown() {
    assert_eq!(format!("{:?}", secret()), format!("SecretKey({})", secret().public()));
}

#[track_caller]
fn refuses(text: &str, why: NotAKey) {
    assert_eq!(text.parse::<PublicKey>().unwrap_err(), why, "{text}");
}

#[test]
fn only_the_canonical_text_of_a_key_reads() {
    refuses("", NotAKey::Form);
    refuses("name", NotAKey::Form);
    refuses(&PETER.replace("c74f20a3", "C74F20A3"), NotAKey::Hash);
    refuses(&PETER.replace("c74f20a3", "c74f20a4"), NotAKey::Hash);
    refuses(&PETER.replace("Peter", "peter"), NotAKey::Hash);
    refuses(&PETER.replace("Peter", "Pet er"), NotAKey::Name);
    refuses(&PETER.replace("PeterNeumann", ""), NotAKey::Name);
    refuses(&format!("{PETER}="), NotAKey::Form);
    refuses(&PETER.replace("+AR", "+Ah"), NotAKey::Scheme);
    refuses(PETER.strip_suffix("10TW").unwrap(), NotAKey::Form);
}

#[test]
fn weak_and_twice_spelled_points_are_no_keys() {
    let mut identity = [0; 32];
    identity[0] = 1;
    assert_eq!(PublicKey::new("n", SignatureScheme::Plain, &identity).unwrap_err(), NotAKey::Weak);
    assert_eq!(PublicKey::new("n", SignatureScheme::Plain, &[0; 32]).unwrap_err(), NotAKey::Weak);
    // y = p + 3 is a second spelling of y = 3, which is a point of full order.
    let mut again = [0xff; 32];
    again[0] = 0xf0;
    again[31] = 0x7f;
    let mut once = [0; 32];
    once[0] = 3;
    PublicKey::new("n", SignatureScheme::Plain, &once).unwrap();
    assert_eq!(PublicKey::new("n", SignatureScheme::Plain, &again).unwrap_err(), NotAKey::Point);
    assert_eq!(PublicKey::new("n", SignatureScheme::Plain, &[2; 32]).unwrap_err(), NotAKey::Point);
}

#[test]
fn the_same_bytes_as_a_cosigner_are_another_key() {
    let cosigner = SecretKey::cosigner_from_seed("dalil.example/acme", &[7; 32]).unwrap();
    assert_ne!(cosigner.public().id(), secret().public().id());
    assert_eq!(cosigner.public().to_string().parse::<PublicKey>().unwrap(), *cosigner.public());
}

#[test]
fn a_name_has_at_most_200_bytes() {
    let named = |length: usize| SecretKey::from_seed(&"n".repeat(length), &[1; 32]).map(|_| ());
    assert_eq!(named(200), Ok(()));
    assert_eq!(named(201), Err(NotAKey::Name));
}
