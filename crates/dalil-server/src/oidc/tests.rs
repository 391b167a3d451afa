use serde_json::json;

use super::*;

fn oidc() -> OidcProvider {
    OidcProvider::new(config::OidcConfig {
        issuer: "https://id.example".to_owned(),
        audience: "dalil".to_owned(),
        tenant_claim: "tenant".to_owned(),
        name_claim: "sub".to_owned(),
        scopes: Some(vec!["view".to_owned()]),
    })
}

fn now() -> Time {
    "2026-03-15T09:00:00Z".parse().unwrap()
}

/// What is left of claims with one of them changed.
fn claims(name: &str, value: Value) -> Option<bool> {
    let second = now().millis() / 1000;
    let mut claims = json!({"iss": "https://id.example", "aud": ["other", "dalil"], "sub": "noura",
        "tenant": "acme", "exp": second + 10, "nbf": second});
    claims[name] = value;
    oidc().claims(&claims, now()).map(|claims| claims.has_ended)
}

#[test]
fn a_token_ends_when_it_says() {
    let ends = |exp: Value| {
        let claims = json!({"iss": "https://id.example", "aud": "dalil", "sub": "noura",
            "tenant": "acme", "exp": exp});
        oidc().claims(&claims, now()).map(|claims| claims.ends.to_string())
    };
    let second = now().millis() / 1000;
    assert_eq!(ends(json!(second + 10)).as_deref(), Some("2026-03-15T09:00:10.000Z"));
    assert_eq!(ends(json!(second as f64 + 10.9)).as_deref(), Some("2026-03-15T09:00:10.000Z"));
    for no_end in [json!(1e300), json!(-1), json!("never"), Value::Null] {
        assert_eq!(ends(no_end.clone()), None, "{no_end}");
    }
}

#[test]
fn a_token_is_of_this_issuer_for_this_audience_and_of_its_time() {
    let second = now().millis() / 1000;
    assert_eq!(claims("sub", json!("noura")), Some(false));
    assert_eq!(claims("exp", json!(second - 59)), Some(false));
    assert_eq!(claims("exp", json!(second - 60)), Some(true));
    assert_eq!(claims("exp", Value::Null), None);
    assert_eq!(claims("nbf", json!(second + 61)), None);
    for no_time in [json!("2000"), json!(true), Value::Null] {
        assert_eq!(claims("nbf", no_time), None);
    }
    for only_of_id_tokens in ["nonce", "at_hash", "c_hash"] {
        assert_eq!(claims(only_of_id_tokens, json!("a")), None);
    }
    assert_eq!(claims("iss", json!("https://id.example.evil")), None);
    assert_eq!(claims("aud", json!("other")), None);
    assert_eq!(claims("aud", json!("dalil")), Some(false));
    assert_eq!(claims("tenant", json!(7)), None);
    assert_eq!(claims("sub", json!("")), None);
    assert_eq!(oidc().scopes(), BTreeSet::from([ApiKeyScope::View]));
}

#[test]
fn a_token_has_three_parts_and_no_name_twice() {
    let part = |text: &str| BASE64_URL_SAFE_NO_PAD.encode(text);
    let token = |header: &str| format!("{}.{}.{}", part(header), part("{}"), part("sig"));
    assert!(parts(&token(r#"{"alg":"RS256"}"#)).is_some());
    assert!(parts(&token(r#"{"alg":"none","alg":"RS256"}"#)).is_none());
    assert!(parts("a.b").is_none());
    assert!(parts(&format!("{}x", "a".repeat(MAX_TOKEN_BYTES))).is_none());
}

#[test]
fn keys_are_fetched_from_the_host_of_the_issuer() {
    assert_eq!(origin("https://id.example/realms/a"), Some("https://id.example"));
    assert_eq!(origin("https://id.example"), Some("https://id.example"));
    assert_ne!(origin("https://id.example.evil/jwks"), origin("https://id.example"));
    assert_ne!(origin("http://id.example/jwks"), origin("https://id.example"));
}

#[test]
fn an_algorithm_must_fit_the_key() {
    let rsa = json!({"kty": "RSA", "n": "AQAB", "e": "AQAB", "alg": "RS256", "kid": "a"});
    let key = Jwk::read(&rsa).unwrap();
    assert!(key.is(Some("a")) && key.is(None) && !key.is(Some("b")));
    for alg in ["none", "HS256", "ES256", "RS256", ""] {
        assert!(!key.verifies(alg, b"signed", b"signature"), "{alg}");
    }
    assert_eq!(Jwk::read(&json!({"kty": "oct", "k": "AQAB"})), None);
    assert_eq!(Jwk::read(&json!({"kty": "RSA", "n": "AQAB", "e": "AQAB", "use": "enc"})), None);
}
