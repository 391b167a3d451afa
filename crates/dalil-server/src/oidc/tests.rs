use serde_json::json;

use super::issuer_document::origin;
use super::*;

fn oidc() -> OidcProvider {
    OidcProvider::new(config()).unwrap()
}

pub(super) fn config() -> config::OidcConfig {
    config::OidcConfig {
        issuer: "https://id.example".to_owned(),
        audience: "dalil".to_owned(),
        tenant_claim: "tenant".to_owned(),
        name_claim: "sub".to_owned(),
        scopes: Some(vec!["view".to_owned()]),
        signin: None,
    }
}

pub(super) fn now() -> Time {
    "2026-03-15T09:00:00Z".parse().unwrap()
}

/// Whether a token with one claim changed has ended; none if it is refused.
fn claims(name: &str, value: Value) -> Option<bool> {
    let second = now().millis() / 1000;
    let mut claims = json!({"iss": "https://id.example", "aud": ["other", "dalil"], "sub": "noura",
        "tenant": "acme", "exp": second + 10, "nbf": second});
    claims[name] = value;
    oidc().claims("https://id.example", &claims, now()).map(|claims| claims.has_ended)
}

#[test]
fn a_token_ends_when_it_says() {
    let ends = |exp: Value| {
        let claims = json!({"iss": "https://id.example", "aud": "dalil", "sub": "noura",
            "tenant": "acme", "exp": exp});
        oidc().claims("https://id.example", &claims, now()).map(|claims| claims.ends.to_string())
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

/// An issuer on this machine that answers one request with each status and body, in order.
pub(super) fn issuer(
    bodies: impl FnOnce(&str) -> Vec<(u16, String)>,
) -> (String, std::thread::JoinHandle<()>) {
    use std::io::{BufRead as _, BufReader, Read as _, Write as _};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let bodies = bodies(&url);
    let served = std::thread::spawn(move || {
        for (status, body) in bodies {
            let (mut stream, _) = listener.accept().unwrap();
            let (mut reader, mut rest) = (BufReader::new(stream.try_clone().unwrap()), 0);
            for line in reader.by_ref().lines().map(Result::unwrap) {
                if line.is_empty() {
                    break;
                }
                rest = line.strip_prefix("content-length: ").map_or(rest, |n| n.parse().unwrap());
            }
            reader.read_exact(&mut vec![0; rest]).unwrap();
            let length = body.len();
            write!(
                stream,
                "HTTP/1.1 {status} X\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
            )
            .unwrap();
        }
    });
    (url, served)
}

pub(super) const JWKS: &str = r#"{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"k","alg":"EdDSA","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}"#;

fn document(issuer: &str, end: &str) -> (u16, String) {
    let jwks = format!("{issuer}/jwks");
    (200, json!({"issuer": format!("{issuer}{end}"), "jwks_uri": jwks}).to_string())
}

#[test]
fn an_issuer_is_spelt_as_its_document_spells_it() {
    for (configured, spelt) in [("", ""), ("", "/"), ("/", ""), ("/", "/")] {
        let (url, served) = issuer(|url| vec![document(url, spelt), (200, JWKS.to_owned())]);
        let (named, keys) = fetch(&format!("{url}{configured}")).unwrap();
        assert_eq!((named.issuer, keys.len()), (format!("{url}{spelt}"), 1));
        served.join().unwrap();
    }
}

#[test]
fn what_is_wrong_with_an_issuer_is_said() {
    let said = |bodies: &dyn Fn(&str) -> Vec<(u16, String)>| {
        let (url, served) = issuer(bodies);
        let said = fetch(&url).unwrap_err().replace(&url, "URL");
        served.join().unwrap();
        said
    };
    let jwks = |jwks: &str| {
        let jwks = jwks.to_owned();
        move |url: &str| vec![document(url, ""), (200, jwks.clone())]
    };
    for (bodies, expected) in [
        (
            Box::new(|_: &str| vec![(500_u16, String::new())])
                as Box<dyn Fn(&str) -> Vec<(u16, String)>>,
            "`URL/.well-known/openid-configuration`: http status: 500",
        ),
        (Box::new(|_: &str| vec![(200, "{}".to_owned())]), "its document has no `issuer`"),
        (
            Box::new(|_: &str| vec![document("https://other.example", "")]),
            "its document names another issuer, `https://other.example`",
        ),
        (
            Box::new(|url: &str| {
                let away = json!({"issuer": url, "jwks_uri": "https://other.example/jwks"});
                vec![(200, away.to_string())]
            }),
            "its keys are on another host, `https://other.example/jwks`",
        ),
        (Box::new(jwks("{}")), "its set of keys has no `keys`"),
        (Box::new(jwks(r#"{"keys":[]}"#)), "its set has no key that can be used"),
    ] {
        assert_eq!(said(&*bodies), expected);
    }
}

#[tokio::test]
async fn an_issuer_that_was_away_is_asked_again_and_old_keys_count_meanwhile() {
    let later = |ms: i64| Time::from_millis(now().millis() + ms).unwrap();
    // A port without a listener.
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", free.local_addr().unwrap());
    drop(free);
    let mut provider = OidcProvider::new(config::OidcConfig { issuer: url, ..config() }).unwrap();
    let cause = |result: Result<CachedJwkSet, ApiProblem>| {
        let problem = result.unwrap_err();
        (problem.kind, problem.cause.is_some())
    };
    assert_eq!(cause(provider.refreshed(now(), None).await), (ProblemKind::Busy, true));
    // A moment later the issuer is not asked and nothing is logged.
    assert_eq!(cause(provider.refreshed(later(1_000), None).await), (ProblemKind::Busy, false));
    let (url, served) = issuer(|url| vec![document(url, "/"), (200, JWKS.to_owned())]);
    provider.config.issuer.clone_from(&url);
    let known = provider.known(later(2_000)).await.ok().unwrap();
    assert_eq!((&*known.document.issuer, known.at), (&*format!("{url}/"), later(2_000)));
    served.join().unwrap();
    // The issuer is away again: its keys are old, and count for a day.
    let day = 24 * 3_600_000;
    assert_eq!(provider.known(later(day)).await.ok().unwrap().at, later(2_000));
    assert!(provider.known(later(day + 3_000)).await.is_err());
}
