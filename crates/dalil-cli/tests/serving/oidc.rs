//! Tokens of a real OpenID Connect provider, which `suite/servers/oidc` starts.

use serde_json::{Value, json};

use crate::server::{Server, agent, answer, folder};

/// A token of the provider for a client and an audience.
fn token(issuer: &str, client: &str, audience: &str) -> String {
    let form = format!(
        "grant_type=client_credentials&client_id={client}&client_secret=secret-of-{client}&resource={audience}"
    );
    let reply = agent()
        .post(format!("{issuer}/token"))
        .header("content-type", "application/x-www-form-urlencoded")
        .send(form.as_bytes())
        .unwrap();
    let reply = answer(reply);
    let json: Value = reply.is(200);
    json["access_token"].as_str().unwrap().to_owned()
}

#[test]
fn a_token_of_the_provider_opens_what_its_member_may() {
    let given = std::env::var_os("DALIL_TEST_OIDC");
    let Some(issuer) = given.and_then(|given| given.into_string().ok()) else { return };
    let dir = folder("oidc");
    let config = json!({
        "limits": {"rate": 10000, "burst": 10000},
        "oidc": {"issuer": issuer, "audience": "urn:dalil:api", "name_claim": "client_id"},
    });
    let server = Server::start(dir, &config.to_string());
    let status = |method: &str, path: &str, token: &str| {
        let body = (method == "POST").then_some(&b"{}"[..]);
        server.ask(method, path, token, body).status
    };
    let amal = token(&issuer, "amal", "urn:dalil:api");
    let sami = token(&issuer, "sami", "urn:dalil:api");
    assert_eq!(status("GET", "/api/v1/tenant", &amal), 200);
    assert_eq!(status("POST", "/api/v1/keys", &amal), 201);
    assert_eq!(status("GET", "/api/v1/tenant", &sami), 200);
    assert_eq!(status("POST", "/api/v1/keys", &sami), 403);
    let stranger = token(&issuer, "stranger", "urn:dalil:api");
    assert_eq!(status("GET", "/api/v1/tenant", &stranger), 403);
    // A subject that only reads as a member's is somebody else's.
    let alike = token(&issuer, "a.mal", "urn:dalil:api");
    let refused = server.ask("GET", "/api/v1/tenant", &alike, None).is(403);
    assert_eq!(
        refused["faults"][0]["message"],
        json!("expected the exact name of a member, found `a.mal`, which reads as `amal`")
    );
    let elsewhere = token(&issuer, "amal", "urn:other:api");
    assert_eq!(status("GET", "/api/v1/tenant", &elsewhere), 401);
    // The same token with one letter of its signature changed, and with none.
    let (signed, signature) = amal.rsplit_once('.').unwrap();
    let flipped = if signature.starts_with('A') { "B" } else { "A" };
    let rest: String = signature.chars().skip(1).collect();
    let forged = format!("{signed}.{flipped}{rest}");
    assert_eq!(status("GET", "/api/v1/tenant", &forged), 401);
    let claims = signed.split_once('.').unwrap().1;
    let unsigned = format!("eyJhbGciOiJub25lIn0.{claims}.");
    assert_eq!(status("GET", "/api/v1/tenant", &unsigned), 401);
}
