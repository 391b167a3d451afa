use super::*;

const PEPPER: Pepper = Pepper::new([9; 32]);

fn token() -> ApiKeyToken {
    ApiKeyToken::new("acme", [1; 8], [7; 32])
}

/// The MAC was computed with Python's `hmac`.
#[test]
fn a_key_and_its_mac_are_pinned() {
    assert_eq!(
        token().reveal(),
        "dalil_acme_0101010101010101_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc"
    );
    assert_eq!(
        token().mac(&PEPPER).hex(),
        "8cec6da92e7e8fb6dc0f03925d9b2417cbf591b4d651867b5d26d181d69595bb"
    );
}

#[test]
fn a_key_is_read_back_and_opens_what_it_was_made_for() {
    let read = ApiKeyToken::parse(token().reveal()).unwrap();
    assert_eq!((read.tenant(), read.key_id()), ("acme", "0101010101010101"));
    assert!(read.opens(&PEPPER, &token().mac(&PEPPER)));
    let others = [
        ApiKeyToken::new("acme-2", [1; 8], [7; 32]),
        ApiKeyToken::new("acme", [2; 8], [7; 32]),
        ApiKeyToken::new("acme", [1; 8], [8; 32]),
    ];
    for other in others {
        assert!(!other.opens(&PEPPER, &token().mac(&PEPPER)), "{}", other.reveal());
    }
    assert!(!read.opens(&Pepper::new([8; 32]), &token().mac(&PEPPER)));
}

#[test]
fn other_text_is_no_key() {
    let own = token();
    let own = own.reveal();
    for text in [
        "",
        "dalil",
        "dalil_acme_0101010101010101",
        "dalil_ACME_0101010101010101_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc",
        "dalil__0101010101010101_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc",
        "dalil_acme_010101010101010_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc",
        "dalil_acme_010101010101010X_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc",
        "dalil_acme_0101010101010101_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBw",
        "token_acme_0101010101010101_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc",
        &format!("{own}="),
        &format!("{own}_"),
    ] {
        assert_eq!(ApiKeyToken::parse(text), None, "{text}");
    }
}

#[test]
fn a_key_is_not_printed() {
    assert_eq!(format!("{:?} {PEPPER:?}", token()), "Token(0101010101010101) Pepper");
}
