use super::*;

#[test]
fn a_sign_in_that_was_begun_is_read_back() {
    let text = "7\nstate\nnonce\nverifier\n/packs?a=b";
    let pending = PendingSignIn {
        state: "state".to_owned(),
        nonce: "nonce".to_owned(),
        verifier: "verifier".to_owned(),
    };
    let begun = BegunSignIn { pending, back: "/packs?a=b".to_owned(), begun: 7 };
    assert_eq!(BegunSignIn::read(text), Some(begun));
    for less in ["", "7\nstate\nnonce\nverifier", "x\nstate\nnonce\nverifier\n/"] {
        assert_eq!(BegunSignIn::read(less), None);
    }
}

#[test]
fn its_cookie_is_sent_when_the_provider_leads_back() {
    assert_eq!(
        set(true, "sealed", 600).unwrap(),
        "__Host-dalil_signin=sealed; Path=/; Max-Age=600; HttpOnly; SameSite=Lax; Secure"
    );
    assert_eq!(gone(false).unwrap(), "dalil_signin=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax");
}
