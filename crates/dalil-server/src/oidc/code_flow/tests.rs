use serde_json::json;

use super::super::tests::{config, issuer, now};
use super::*;
use crate::config::OidcConfig;

fn provider(issuer: &str) -> OidcProvider {
    let signin = OidcSignInConfig {
        client_id: "viewer".to_owned(),
        client_secret_file: None,
        scope: "openid profile".to_owned(),
    };
    let config = OidcConfig { issuer: issuer.to_owned(), signin: Some(signin), ..config() };
    OidcProvider::new(config).unwrap()
}

fn pending() -> PendingSignIn {
    PendingSignIn {
        state: "st".to_owned(),
        nonce: "no".to_owned(),
        // RFC 7636, appendix B.
        verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk".to_owned(),
    }
}

#[test]
fn a_sign_in_is_tied_to_its_browser_by_what_nobody_guesses() {
    assert_eq!(pending().challenge(), "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
    assert!(pending().is_answered_by("st"));
    assert!(!pending().is_answered_by("sT") && !pending().is_answered_by(""));
    let (one, other) = (PendingSignIn::draw().unwrap(), PendingSignIn::draw().unwrap());
    let drawn = [&one.state, &one.nonce, &one.verifier, &other.state, &other.nonce];
    assert!(drawn.iter().all(|text| text.len() == 43), "RFC 7636 asks for 43 characters or more");
    let apart = drawn.iter().collect::<std::collections::BTreeSet<_>>();
    assert_eq!(apart.len(), drawn.len());
}

#[tokio::test]
async fn a_sign_in_begins_at_the_page_that_the_provider_names() {
    let places = |url: &str, page: &str| {
        let document = json!({"issuer": url, "jwks_uri": format!("{url}/jwks"),
            "authorization_endpoint": page, "end_session_endpoint": format!("{url}/end?a=b")});
        vec![(200, document.to_string()), (200, super::super::tests::JWKS.to_owned())]
    };
    let to = async |page: &dyn Fn(&str) -> String| {
        let (url, served) = issuer(|url| places(url, &page(url)));
        let provider = provider(&url);
        assert_eq!(provider.signout_address(), None, "before it was asked where that is");
        let to = provider.signin_address(now(), "https://dalil.example/back", &pending()).await;
        served.join().unwrap();
        assert_eq!(provider.signout_address(), Some(format!("{url}/end?a=b&client_id=viewer")));
        assert!(provider.is_issuer(&url) && !provider.is_issuer("https://other.example"));
        to.map(|to| to.replace(&url, "URL"))
    };
    assert_eq!(
        to(&|url| format!("{url}/auth")).await,
        Ok("URL/auth?response_type=code&client_id=viewer\
            &redirect_uri=https%3A%2F%2Fdalil.example%2Fback&scope=openid+profile&state=st&nonce=no\
            &code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256"
            .to_owned())
    );
    let elsewhere = to(&|_| "https://other.example/auth".to_owned()).await;
    let expected = "its `authorization_endpoint` is on another host, `https://other.example/auth`";
    assert_eq!(elsewhere, Err(SignInFailure::Away(expected.to_owned())));
    assert_eq!(provider("https://id.example:8443/realm/a").host(), "id.example:8443");
}

/// Whom an ID token names, with one claim changed.
fn person(name: &str, value: Value) -> Result<ProviderPerson, SignInFailure> {
    let second = now().millis() / 1000;
    let mut claims = json!({"iss": "https://id.example", "aud": "viewer", "sub": "noura",
        "tenant": "acme", "exp": second + 10, "iat": second, "nonce": "no"});
    claims[name] = value;
    provider("https://id.example").person("https://id.example", &claims, now(), "no")
}

#[test]
fn an_id_token_is_for_this_client_and_this_sign_in() {
    let second = now().millis() / 1000;
    let noura = ProviderPerson { tenant: "acme".to_owned(), name: "noura".to_owned() };
    for (name, value) in [
        ("aud", json!("viewer")),
        ("aud", json!(["viewer"])),
        ("azp", json!("viewer")),
        ("exp", json!(second - 59)),
        ("iat", json!(second + 60)),
    ] {
        assert_eq!(person(name, value.clone()), Ok(noura.clone()), "{name} {value}");
    }
    for (name, value) in [
        ("iss", json!("https://id.example.evil")),
        ("aud", json!("other")),
        ("aud", Value::Null),
        ("azp", json!("other")),
        ("azp", json!(["viewer"])),
        ("exp", json!(second - 60)),
        ("exp", json!("never")),
        ("iat", json!(second + 61)),
        ("iat", Value::Null),
        ("nonce", json!("of another sign-in")),
        ("nonce", Value::Null),
    ] {
        let expected = SignInFailure::Untrusted(format!("its `{name}` is not as expected"));
        assert_eq!(person(name, value.clone()), Err(expected), "{name} {value}");
    }
    // For several parties, the token must say that it was given to this one.
    let others = SignInFailure::Untrusted("its `azp` is not as expected".to_owned());
    assert_eq!(person("aud", json!(["viewer", "other"])), Err(others));
    for (name, value) in [("sub", json!("")), ("sub", json!(7)), ("tenant", Value::Null)] {
        let expected = SignInFailure::Nameless(format!("it has no `{name}`"));
        assert_eq!(person(name, value), Err(expected));
    }
}

#[test]
fn what_a_provider_says_about_a_code_is_told_apart() {
    let said = |status: u16, body: &str| {
        let (url, served) = issuer(|_| vec![(status, body.to_owned())]);
        let said = exchange(&format!("{url}/token"), Some("Basic eDp5"), "code=c");
        served.join().unwrap();
        match said {
            Ok(token) => token,
            Err(failure) => format!("{failure:?}").replace(&url, "URL"),
        }
    };
    assert_eq!(said(200, r#"{"id_token":"t","access_token":"a"}"#), "t");
    assert_eq!(
        said(400, r#"{"error":"invalid_grant"}"#),
        r#"Refused("it answered the code with `invalid_grant`")"#
    );
    assert_eq!(said(200, "{}"), r#"Away("`URL/token`: a reply without an `id_token`")"#);
    assert_eq!(said(404, "<p>"), r#"Away("`URL/token`: http status: 404")"#);
    assert_eq!(said(500, r#"{"error":"x"}"#), r#"Away("`URL/token`: http status: 500")"#);
}

#[test]
fn a_secret_is_encoded_before_it_is_joined() {
    // `a%3Ab:c%25+d` in base64.
    assert_eq!(basic("a:b", "c% d"), "Basic YSUzQWI6YyUyNStk");
}
