//! Invitations: who makes them, who comes in by them, and how often.

use serde_json::{Value, json};

use crate::server::{ALL, Answer, QUICK, Server, agent, answer, dalil, folder, key};
use crate::viewer::{post_still, visit};

fn invite(server: &Server, key: &str, body: &Value) -> Answer {
    server.ask("POST", "/api/v1/invitations", key, Some(body.to_string().as_bytes()))
}

/// A page, in Arabic.
fn page(server: &Server, path: &str, cookie: &str) -> Answer {
    let ask = agent().get(format!("{}{path}", server.base)).header("cookie", cookie);
    answer(ask.header("accept-language", "ar").call().unwrap())
}

/// Presses the button of an invitation.
fn accept(server: &Server, token: &str) -> Answer {
    let (cookie, mark) = visit(server);
    let form = format!("csrf={mark}&token={token}");
    post_still(server, "/invitation", &cookie, form.as_bytes())
}

#[test]
fn somebody_who_is_invited_comes_in_once() {
    let dir = folder("invitations");
    let admin = key(&dir, "acme", "person:amal", &ALL);
    let server = Server::start(dir, QUICK);
    let order = json!({"name": "layla", "role": "approver", "titles": ["legal"]});
    let made = invite(&server, &admin, &order).is(201);
    let token = made["token"].as_str().unwrap();
    assert_eq!(made["link"], json!(format!("/invitation?token={token}")));
    // Looking uses nothing.
    for _ in 0..2 {
        let shown = page(&server, made["link"].as_str().unwrap(), "");
        assert_eq!(shown.status, 200);
        assert!(shown.text().contains("<h1>أنت مدعو</h1>"), "{}", shown.text());
        assert!(
            shown.text().contains("<bdi>layla</bdi>") && shown.text().contains("<bdi>amal</bdi>")
        );
    }
    let (cookie, _) = visit(&server);
    let unmarked = post_still_status(&server, &cookie, &format!("token={token}"));
    assert_eq!(unmarked, 403, "a form of another site accepts nothing");
    let entered = accept(&server, token);
    assert_eq!((entered.status, entered.header("location")), (303, "/welcome"));
    let session = entered.header("set-cookie").split(';').next().unwrap().to_owned();
    let welcome = page(&server, "/welcome", &session).text();
    let own = welcome.split("<pre tabindex=\"0\" dir=\"ltr\">").nth(1).unwrap();
    let own = own.split('<').next().unwrap().to_owned();
    assert!(own.starts_with("dalil_acme_"), "{own}");
    let members = server.ask("GET", "/api/v1/members", &own, None).is(200);
    let layla = json!({"name": "layla", "role": "approver", "titles": ["legal"]});
    assert!(members["members"].as_array().unwrap().contains(&layla), "{members}");
    assert_eq!(server.ask("GET", "/api/v1/api-keys", &own, None).status, 403, "no admin");
    // The second use, and the link of one that was used.
    let again = accept(&server, token);
    assert_eq!(again.status, 410);
    assert!(again.text().contains("This invitation was used."), "{}", again.text());
    let shown = page(&server, made["link"].as_str().unwrap(), "");
    assert_eq!(shown.status, 410);
    assert!(shown.text().contains("استُعملت هذه الدعوة"), "{}", shown.text());
    assert_eq!(page(&server, "/invitation?token=acme.inv_0000000000000000.x", "").status, 404);
    // On the trail: the inviter, the use, and the result; nowhere the link.
    let kinds = server.ask("GET", "/api/v1/audit?limit=5&order=newest", &admin, None).is(200);
    let kinds: Vec<&str> =
        kinds["items"].as_array().unwrap().iter().filter_map(|one| one["kind"].as_str()).collect();
    let expected =
        ["access.refused", "apikey.added", "member.added", "invitation.used", "invitation.made"];
    assert_eq!(kinds, expected);
    let secret = token.rsplit('.').next().unwrap();
    assert!(!server.ask("GET", "/api/v1/invitations", &admin, None).text().contains(secret));
}

fn post_still_status(server: &Server, cookie: &str, form: &str) -> u16 {
    let ask = agent().post(format!("{}/invitation", server.base)).header("cookie", cookie);
    let ask = ask.header("content-type", "application/x-www-form-urlencoded");
    answer(ask.send(form.as_bytes()).unwrap()).status
}

#[test]
fn an_invitation_is_withdrawn_and_opens_no_more_than_its_maker_may() {
    let dir = folder("invitations-refused");
    let admin = key(&dir, "acme", "person:amal", &ALL);
    let narrow = key(&dir, "acme", "person:amal", &["administer"]);
    let approver = key(&dir, "acme", "person:noura", &ALL);
    let foreign = key(&dir, "zenith", "person:amal", &ALL);
    let clerk = key(&dir, "acme", "agent:clerk", &ALL);
    // The holder of the store gives a member a way in.
    let to = ["--tenant", "acme", "--actor", "system"];
    let again =
        dalil(&dir, &[&["invitation", "add", "sami", "--role", "viewer"], &to[..]].concat());
    let server = Server::start(dir, QUICK);
    let order = json!({"name": "layla", "role": "viewer"});
    for (who, status) in [(&approver, 403), (&clerk, 403)] {
        assert_eq!(invite(&server, who, &order).status, status);
    }
    let refused = invite(&server, &narrow, &order).is(403);
    assert_eq!(
        refused["faults"][0]["message"],
        json!(
            "expected at most the scopes of this credential, `administer`, found `view`, `export` too"
        )
    );
    let taken = invite(&server, &admin, &json!({"name": "noura", "role": "approver"})).is(409);
    assert_eq!(taken["faults"][0]["rule"], "taken");
    let made = invite(&server, &admin, &order).is(201);
    let path = format!("/api/v1/invitations/{}", made["invitation_id"].as_str().unwrap());
    assert_eq!(server.ask("DELETE", &path, &foreign, None).status, 404, "of another tenant");
    server.ask("DELETE", &path, &admin, None).is(200);
    assert_eq!(server.ask("DELETE", &path, &admin, None).status, 409);
    let late = accept(&server, made["token"].as_str().unwrap());
    assert_eq!(late.status, 410);
    assert!(late.text().contains("This invitation was withdrawn."), "{}", late.text());
    let entered = accept(&server, again["token"].as_str().unwrap());
    assert_eq!((entered.status, entered.header("location")), (303, "/welcome"));
}
