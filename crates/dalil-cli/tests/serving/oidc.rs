//! Tokens of a real OpenID Connect provider, which `suite/servers/oidc` starts, and signing in there.

use serde_json::{Value, json};

use crate::server::{ALL, Answer, Server, agent, answer, folder, key, write};
use crate::viewer::post_still;

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
    // A subject that only looks like a member's is another person's.
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

/// Asks for a page with cookies, and follows nothing.
fn get(url: &str, cookies: &str) -> Answer {
    let still = ureq::Agent::config_builder()
        .max_redirects(0)
        .max_redirects_will_error(false)
        .http_status_as_error(false)
        .build()
        .new_agent();
    answer(still.get(url).header("cookie", cookies).header("accept-language", "en").call().unwrap())
}

/// The cookies that an answer sets, as a browser sends them back.
fn cookies(answer: &Answer) -> String {
    let set = answer.headers.iter().filter(|(name, _)| name == "set-cookie");
    let pairs = set.map(|(_, value)| value.split(';').next().unwrap().to_owned());
    pairs.collect::<Vec<_>>().join("; ")
}

/// Signs in at the provider as a visitor who was sent there, and returns the address that it leads
/// back to.
fn at_the_provider(issuer: &str, to: &str, form: &str) -> String {
    let browser = ureq::Agent::config_builder().max_redirects(0).max_redirects_will_error(false);
    let browser = browser.http_status_as_error(false).build().new_agent();
    let mut jar: Vec<String> = Vec::new();
    let mut to = to.to_owned();
    let mut asked = None;
    for _ in 0..10 {
        if !to.starts_with(issuer) {
            return to;
        }
        let kept = jar.join("; ");
        let reply = match asked.take() {
            Some(()) => browser
                .post(&to)
                .header("cookie", &kept)
                .header("content-type", "application/x-www-form-urlencoded")
                .send(form.as_bytes()),
            None => browser.get(&to).header("cookie", &kept).call(),
        };
        let reply = answer(reply.unwrap());
        for pair in cookies(&reply).split("; ").filter(|pair| !pair.is_empty()) {
            let name = |pair: &str| pair.split('=').next().map(str::to_owned);
            jar.retain(|kept| name(kept) != name(pair));
            jar.push(pair.to_owned());
        }
        match reply.status {
            // The form that asks for the user's name, at the same address.
            200 => asked = Some(()),
            302 | 303 => {
                let place = reply.header("location");
                let is_path = place.starts_with('/');
                to = if is_path { format!("{issuer}{place}") } else { place.to_owned() };
            }
            _ => panic!("{reply:?}"),
        }
    }
    panic!("the provider leads nowhere");
}

/// The target of the `<meta http-equiv="refresh">` of a page.
fn goes_on(page: &Answer) -> String {
    let text = page.text();
    let to = text.split("content=\"0; url=").nth(1).unwrap_or_else(|| panic!("{text}"));
    to.split('"').next().unwrap().replace("&#38;", "&").replace("&amp;", "&")
}

#[test]
fn people_sign_in_at_the_provider_and_come_back_signed_in() {
    let given = std::env::var_os("DALIL_TEST_OIDC");
    let Some(issuer) = given.and_then(|given| given.into_string().ok()) else { return };
    let dir = folder("oidc-signin");
    let amal = key(&dir, "acme", "person:amal", &ALL);
    write(&dir.join("secret"), "secret-of-viewer\n");
    let public_url = "http://127.0.0.1:8700";
    let config = json!({
        "public_url": public_url,
        "limits": {"rate": 10000, "burst": 10000},
        "oidc": {"issuer": issuer, "audience": "urn:dalil:api",
            "signin": {"client_id": "viewer", "client_secret_file": "secret"}},
    });
    let server = Server::start(dir, &config.to_string());
    let here = |to: &str| to.replacen(public_url, &server.base, 1);
    // A visitor who asked for a page, is led to the provider, and comes back with its reply.
    let begin = || {
        let page = get(&format!("{}/signin?back=/packs", server.base), "");
        assert!(page.text().contains("href=\"/signin/provider?back=%2Fpacks\""), "{}", page.text());
        let sent = get(&format!("{}/signin/provider?back=/packs", server.base), "");
        assert_eq!(sent.status, 303, "{}", sent.text());
        let flags = "; Path=/; Max-Age=600; HttpOnly; SameSite=Lax";
        assert!(sent.header("set-cookie").ends_with(flags), "{sent:?}");
        (sent.header("location").to_owned(), cookies(&sent))
    };
    let (to, flow) = begin();
    assert!(to.starts_with(&format!("{issuer}/auth?response_type=code&client_id=viewer")), "{to}");
    let back = at_the_provider(&issuer, &to, "who=noura");
    let page = get(&here(&back), &flow);
    assert_eq!((page.status, goes_on(&page).as_str()), (200, "/packs"));
    let session = cookies(&page);
    assert!(session.contains("dalil_session=") && session.contains("dalil_signin="), "{session}");
    let packs = get(&format!("{}/packs", server.base), &session);
    assert!(packs.status == 200 && packs.text().contains("<bdi>noura</bdi>"), "{}", packs.text());
    let failed = |page: &Answer| {
        assert!(!cookies(page).contains("dalil_session="), "nobody is signed in: {page:?}");
        goes_on(page)
    };
    // The same reply again: the code was used. And without the browser's part, or with another's.
    assert_eq!(failed(&get(&here(&back), &flow)), "/signin?failed=expired&back=%2Fpacks");
    assert_eq!(failed(&get(&here(&back), "")), "/signin?failed=expired&back=%2F");
    let (to, _) = begin();
    let back = at_the_provider(&issuer, &to, "who=noura");
    let (_, another) = begin();
    assert_eq!(failed(&get(&here(&back), &another)), "/signin?failed=expired&back=%2Fpacks");
    // A reply in the name of another issuer, a user who turned back, and one who is no member.
    let (to, flow) = begin();
    let back = at_the_provider(&issuer, &to, "who=noura");
    let (head, _) = back.split_once("&iss=").unwrap();
    let mixed_up = format!("{head}&iss=https%3A%2F%2Fother.example");
    assert_eq!(failed(&get(&here(&mixed_up), &flow)), "/signin?failed=untrusted&back=%2Fpacks");
    let (to, flow) = begin();
    let denied = at_the_provider(&issuer, &to, "deny=1");
    assert_eq!(failed(&get(&here(&denied), &flow)), "/signin?failed=denied&back=%2Fpacks");
    let (to, flow) = begin();
    let back = at_the_provider(&issuer, &to, "who=stranger");
    assert_eq!(failed(&get(&here(&back), &flow)), "/signin?failed=stranger&back=%2Fpacks");
    let page = get(&format!("{}/signin?failed=stranger", server.base), "");
    assert!(page.text().contains("but you are not a member here"), "{}", page.text());
    // A user who signs out is signed out, with a copy of the cookie, too.
    let mark = packs.text().split("name=\"csrf\" value=\"").nth(1).unwrap().to_owned();
    let form = format!("csrf={}", mark.split('"').next().unwrap());
    let left = post_still(&server, "/signout", &session, form.as_bytes());
    assert_eq!((left.status, left.header("location")), (303, "/signin?left=1"));
    let copied = get(&format!("{}/packs", server.base), &session);
    assert_eq!((copied.status, copied.header("location")), (303, "/signin?back=%2Fpacks"));
    let page = get(&format!("{}/signin?left=1", server.base), "");
    assert!(page.text().contains(&format!("{issuer}/session/end?client_id=viewer")));
    // A removed member has no access at the next request, signed in at the provider or not.
    let (to, flow) = begin();
    let page = get(&here(&at_the_provider(&issuer, &to, "who=sami")), &flow);
    let session = cookies(&page);
    assert_eq!(get(&format!("{}/sessions", server.base), &session).status, 200);
    server.ask("DELETE", "/api/v1/members/sami", &amal, None).is(200);
    assert_eq!(get(&format!("{}/sessions", server.base), &session).status, 403);
}
