//! Credentials that ask for more than they are: keys that make keys, agents with the names of
//! people, and cookies that were copied.

use serde_json::{Value, json};

use crate::server::{ALL, Answer, QUICK, Server, agent, answer, dalil, folder, key};
use crate::viewer::visit;

fn post(server: &Server, path: &str, key: &str, body: &Value) -> Answer {
    server.ask("POST", path, key, Some(body.to_string().as_bytes()))
}

#[test]
fn a_key_makes_no_key_that_can_more_or_for_longer() {
    let dir = folder("keys-within");
    let narrow = key(&dir, "acme", "person:amal", &["administer"]);
    let all = key(&dir, "acme", "person:amal", &ALL);
    let short = ["apikey", "add", "--tenant", "acme", "--for", "person:amal", "--actor", "system"];
    let until = ["--scope", "administer", "--scope", "view", "--expires", "2099-01-01T00:00:00Z"];
    let short = dalil(&dir, &[&short[..], &until[..]].concat());
    let short = short["api_key"].as_str().unwrap().to_owned();
    let server = Server::start(dir, QUICK);
    let order = |scopes: &[&str], end: Option<&str>| {
        let mut order = json!({"actor": "person:amal", "scopes": scopes});
        if let Some(end) = end {
            order["expires_at"] = json!(end);
        }
        order
    };
    let said = |key: &str, order: &Value| {
        let made = post(&server, "/api/v1/api-keys", key, order);
        let fault = made.json()["faults"][0]["message"].as_str().map(str::to_owned);
        (made.status, fault.unwrap_or_default())
    };
    assert_eq!(
        said(&narrow, &order(&ALL, None)),
        (
            403,
            "expected at most the scopes of this credential, `administer`, found `view`, \
             `record`, `review`, `export` too"
                .to_owned()
        )
    );
    assert_eq!(said(&narrow, &order(&["administer"], None)).0, 201);
    let expected = "expected a time up to `2099-01-01T00:00:00.000Z`, when this credential ends, ";
    for (end, found) in
        [(None, "no end"), (Some("2099-01-01T00:00:01Z"), "`2099-01-01T00:00:01.000Z`")]
    {
        let told = said(&short, &order(&["view"], end));
        assert_eq!(told, (403, format!("{expected}found {found}")));
    }
    assert_eq!(said(&short, &order(&["view"], Some("2099-01-01T00:00:00Z"))).0, 201);
    assert_eq!(said(&all, &order(&ALL, None)).0, 201);
}

#[test]
fn an_agent_has_no_role_of_a_person_of_its_name() {
    let dir = folder("agents");
    let agents =
        ["agent:amal", "agent:noura", "agent:clerk"].map(|who| key(&dir, "acme", who, &ALL));
    let server = Server::start(dir, QUICK);
    for (agent, name) in agents.iter().zip(["amal", "noura", "clerk"]) {
        let listed = server.ask("GET", "/api/v1/documents", agent, None).is(200);
        assert_eq!(listed, json!({"items": []}));
        let session = json!({"session_id": format!("ses-{name}"), "answer": "15 days"});
        let opened = post(&server, "/api/v1/sessions", agent, &session).is(201);
        let index = opened["index"].clone();
        let expected = json!({"index": index, "is_new": true, "session_id": session["session_id"]});
        assert_eq!(opened, expected);
        for (path, body) in [
            ("/api/v1/keys", json!({})),
            ("/api/v1/holds", json!({"scope": "all", "reason": "none"})),
            ("/api/v1/api-keys", json!({"actor": "agent:clerk", "scopes": ["view"]})),
            ("/api/v1/packs/pack_00000000000000b1/review", json!({"outcome": "approved"})),
            ("/api/v1/approvals", json!({"action": "export_trail", "reason": "none"})),
            ("/api/v1/trail/export", json!({"reason": "none"})),
        ] {
            let message = format!("expected a person, found the agent `{name}`");
            let expected = problem(403, ("forbidden", "Not allowed"), "role", &message);
            let told = post(&server, path, agent, &body);
            assert_eq!(unnamed(&told), expected, "{path}");
        }
    }
}

/// A problem with one fault in its header.
fn problem(status: u16, (kind, title): (&str, &str), rule: &str, message: &str) -> Value {
    json!({"type": format!("urn:dalil:problem:{kind}"), "title": title, "status": status,
        "detail": format!("`header:authorization`: {message}"),
        "faults": [{"rule": rule, "path": "header:authorization", "message": message}]})
}

/// A reply without the name of its request, which is drawn.
#[track_caller]
fn unnamed(told: &Answer) -> Value {
    let mut told = told.json();
    assert!(told.as_object_mut().unwrap().remove("request_id").is_some(), "{told}");
    told
}

#[test]
fn a_refusal_names_what_was_asked_for() {
    let dir = folder("refused-pack");
    let (stranger, admin) =
        (key(&dir, "acme", "person:stranger", &ALL), key(&dir, "acme", "person:amal", &ALL));
    let server = Server::start(dir, QUICK);
    let long = format!("/api/v1/packs/{}", "a".repeat(300));
    for path in ["/api/v1/packs/pack_00000000000000b1", "/api/v1/documents?limit=1", &long] {
        server.ask("GET", path, &stranger, None).is(403);
    }
    let audit = "/api/v1/audit?kind=access.refused&limit=200";
    let kept = server.ask("GET", audit, &admin, None).is(200);
    let subjects: Vec<&str> = kept["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["subject"].as_str().unwrap())
        .collect();
    assert_eq!(
        subjects,
        [
            "GET /api/v1/packs/pack_00000000000000b1",
            "GET /api/v1/documents",
            "GET /api/v1/packs/{pack_id}",
        ]
    );
}

#[test]
fn refusals_of_one_credential_are_records_up_to_a_rate() {
    let dir = folder("refusal-rate");
    let (viewer, admin) =
        (key(&dir, "acme", "person:sami", &ALL), key(&dir, "acme", "person:amal", &ALL));
    let server = Server::start(dir, QUICK);
    for _ in 0..100 {
        post(&server, "/api/v1/keys", &viewer, &json!({})).is(403);
    }
    let audit = "/api/v1/audit?kind=access.refused&limit=200";
    let kept = server.ask("GET", audit, &admin, None).is(200)["items"].as_array().unwrap().len();
    assert!((21..=60).contains(&kept), "{kept} records");
    let figures = server.ask("GET", "/metrics", "", None);
    let kind = "text/plain; version=0.0.4; charset=utf-8";
    assert_eq!(figures.header("content-type"), kind);
    let figures = figures.text();
    assert!(figures.contains(&format!("dalil_unrecorded_refusals_total {}\n", 100 - kept)));
}

#[test]
fn figures_are_for_this_machine_and_for_whoever_has_their_key() {
    let dir = folder("figures");
    crate::server::write(&dir.join("key"), "a key of figures\n");
    let server = Server::start(dir, r#"{"metrics_key_file":"key"}"#);
    let status = |key: &str, headers: &[(&str, &str)]| {
        server.ask_with(("GET", "/metrics"), key, headers, None).status
    };
    let proxied = [("x-forwarded-for", "192.0.2.1")];
    assert_eq!((status("", &[]), status("", &proxied)), (200, 401));
    assert_eq!((status("a key of figures", &proxied), status("another", &proxied)), (200, 401));
}

#[test]
fn what_is_not_there_is_no_empty_list() {
    let dir = folder("not-there");
    let key = key(&dir, "acme", "person:amal", &ALL);
    let server = Server::start(dir, QUICK);
    let kind = [("content-type", "text/markdown")];
    let add = ("POST", "/api/v1/documents?filename=leave.md");
    let kept = server.ask_with(add, &key, &kind, Some(b"# Leave\n\n15 days.\n")).is(201);
    let known = format!("/api/v1/artifacts/{}/uses", kept["sha256"].as_str().unwrap());
    let uses = server.ask("GET", &known, &key, None).is(200);
    let artifact = kept["sha256"].clone();
    assert_eq!(uses, json!({"artifact": artifact, "bundles": [], "runs": []}));
    for (path, at, expected) in [
        (
            "/api/v1/artifacts/sha256:00/uses",
            "artifact",
            "expected an artifact of this tenant, found `sha256:00`",
        ),
        (
            "/api/v1/decisions/none/tool-calls",
            "decision_id",
            "expected a decision of this tenant, found `none`",
        ),
    ] {
        let mut missing = problem(404, ("not-found", "Not found"), "not_found", expected);
        missing["detail"] = json!(format!("`{at}`: {expected}"));
        missing["faults"][0]["path"] = json!(at);
        assert_eq!(unnamed(&server.ask("GET", path, &key, None)), missing, "{path}");
    }
    let call = json!({"phase": "intended", "tool_call_id": "call-1", "decision_id": "dec-1",
        "tool_name": "pay", "intended_action": {"amount": 1}});
    let told = post(&server, "/api/v1/tool-calls", &key, &call).is(201);
    assert_eq!((&told["tool_call_id"], &told["phase"]), (&json!("call-1"), &json!("intended")));
    let mut calls = server.ask("GET", "/api/v1/decisions/dec-1/tool-calls", &key, None).is(200);
    let at = calls["tool_calls"][0].as_object_mut().unwrap().remove("invoked_at");
    assert!(at.is_some_and(|at| at.is_string()));
    assert_eq!(
        calls,
        json!({"tool_calls": [{"tool_call_id": "call-1", "tool_name": "pay",
            "intended_action": {"amount": 1}, "actual_action": "nothing was reported",
            "decision_id": "dec-1"}]})
    );
}

#[test]
fn a_cookie_that_was_copied_opens_nothing_after_signing_out() {
    let dir = folder("copied-cookie");
    let key = key(&dir, "acme", "person:amal", &ALL);
    let server = Server::start(dir, QUICK);
    let (cookie, mark) = visit(&server);
    let form = |path: &str, cookie: &str, body: &str| {
        let still = ureq::Agent::config_builder().max_redirects(0).build().new_agent();
        let kind = "application/x-www-form-urlencoded";
        let to = still.post(format!("{}{path}", server.base)).header("cookie", cookie);
        answer(to.header("content-type", kind).send(body.as_bytes()).unwrap())
    };
    let entered = form("/signin", &cookie, &format!("csrf={mark}&credential={key}&back=/sessions"));
    let cookie = entered.header("set-cookie").split(';').next().unwrap().to_owned();
    let page = || {
        let request = ureq::http::Request::builder().uri(format!("{}/sessions", server.base));
        let request = request.header("cookie", cookie.as_str()).body(()).unwrap();
        let seen = answer(agent().run(request).unwrap()).text();
        (seen.contains("name=\"credential\""), seen)
    };
    let (is_signed_out, text) = page();
    assert!(!is_signed_out, "{text}");
    let mark = text.split("name=\"csrf\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    assert_eq!(form("/signout", &cookie, &format!("csrf={mark}")).status, 303);
    assert!(page().0, "the copy asks to sign in");
}
