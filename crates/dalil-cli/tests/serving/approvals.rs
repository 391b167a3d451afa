//! Approvals over HTTP: asked for, given by the approver's own key, used once, in two languages.

use serde_json::{Value, json};

use crate::server::{ALL, Answer, QUICK, Server, dalil, folder, key, seal};

const PACK: &str = "pack_00000000000000b1";

fn body(value: &Value) -> Vec<u8> {
    serde_json::to_vec(value).unwrap()
}

fn pack() -> Value {
    json!({"decision": {"decision_id": "dec-1", "tenant_id": "acme", "entity_id": "case-1",
        "agent_name": "leave_agent", "approval_class": "A0", "reversibility_class": "R0",
        "sensitivity_class": "S2", "created_at": "2026-03-14T12:00:00Z",
        "evidence": [{"source": "hr.policy", "uri": "lake://hr", "excerpt": "15 days",
            "retrieved_at": "2026-03-14T12:00:00Z", "confidence": 0.9}]},
        "pack_id": PACK, "created_at": "2026-03-14T12:30:00Z"})
}

fn matter() -> Value {
    json!({"action": "export_pack", "object": PACK, "format": "json", "reason": "for the board"})
}

struct House {
    server: Server,
    admin: String,
    viewer: String,
    untitled: String,
    manager: String,
    revoked: String,
    other: String,
}

fn house(name: &str) -> House {
    let dir = folder(name);
    for tenant in ["acme", "zenith"] {
        let member = ["member", "add", "maha", "--role", "approver", "--title", "manager"];
        dalil(&dir, &[&member[..], &["--tenant", tenant, "--actor", "system"]].concat());
    }
    let [admin, viewer, untitled, manager, revoked] = ["amal", "sami", "noura", "maha", "maha"]
        .map(|who| key(&dir, "acme", &format!("person:{who}"), &ALL));
    let id = revoked.split('_').nth(2).unwrap().to_owned();
    dalil(&dir, &["apikey", "revoke", &id, "--tenant", "acme", "--actor", "system"]);
    let other = key(&dir, "zenith", "person:maha", &ALL);
    let server = Server::start(dir, QUICK);
    seal(&server, &admin, &body(&pack()));
    House { server, admin, viewer, untitled, manager, revoked, other }
}

impl House {
    fn post(&self, path: &str, key: &str, value: &Value) -> Answer {
        self.server.ask("POST", path, key, Some(&body(value)))
    }

    fn export(&self, key: &str, lang: &str) -> Answer {
        let order = body(&json!({"format": "json", "reason": "for the board"}));
        let path = format!("/api/v1/packs/{PACK}/export");
        let headers = [("accept-language", lang)];
        self.server.ask_with(("POST", &path), key, &headers, Some(&order))
    }
}

#[test]
fn an_approval_is_the_act_of_the_approver_and_counts_once() {
    let house = house("approvals");
    let (viewer, manager) = (&house.viewer, &house.manager);
    let asked = house.post("/api/v1/approvals/requests", viewer, &matter()).is(201);
    assert_eq!(
        (&asked["state"], &asked["asked_by"], &asked["required_approvers"], &asked["missing"]),
        (&json!("waiting"), &json!("sami"), &json!(1), &json!(["a manager or above"]))
    );

    // Too few: which rule, how many, how to approve, in both languages.
    let refused = house.export(viewer, "en").is(409);
    assert_eq!(
        refused["faults"][0]["message"],
        json!(
            "expected 1 approval of exactly this, of a manager or above, found 0 that count; still needed: a manager or above"
        )
    );
    let refused = house.export(viewer, "ar").is(409);
    assert_eq!(
        refused["faults"][0]["message"],
        json!("المتوقع 1 اعتماد لهذا بعينه، من مدير فأعلى، والموجود 0 معتبرة؛ والباقي: مدير فأعلى")
    );
    assert!(refused["detail"].as_str().unwrap().contains("`POST /api/v1/approvals`"));

    // Names in a request are not approvals.
    let named = json!({"format": "json", "reason": "for the board", "approved_by": ["maha"]});
    let refused = house.post(&format!("/api/v1/packs/{PACK}/export"), viewer, &named).is(422);
    assert_eq!(refused["faults"][0]["rule"], json!("unknown_field"));

    for (key, status) in
        [(viewer, 403), (&house.untitled, 422), (&house.revoked, 401), (&house.other, 404)]
    {
        let given = house.post("/api/v1/approvals", key, &matter());
        assert_eq!(given.status, status, "{}", given.text());
    }
    assert_eq!(house.export(viewer, "en").status, 409);
    let given = house.post("/api/v1/approvals", manager, &asked["matter"]).is(201);
    assert_eq!((&given["approver"], &given["state"]), (&json!("maha"), &json!("approved")));
    house.post("/api/v1/approvals", manager, &asked["matter"]).is(409);
    let about = format!("/api/v1/approvals/requests?object={PACK}");
    let stands = house.server.ask("GET", &about, viewer, None).is(200);
    assert_eq!(stands["items"][0]["approved_by"][0]["name"], json!("maha"));

    let link = house.export(viewer, "en").is(200);
    let fetched = house.server.ask("GET", link["download_url"].as_str().unwrap(), "", None);
    assert_eq!(fetched.json()["pack_id"], json!(PACK));
    assert_eq!(house.export(viewer, "en").status, 409, "used");
    let list = house.server.ask("GET", "/api/v1/approvals", viewer, None).is(200);
    assert_eq!(list["items"][0]["state"], json!("used"));
    let other = house.server.ask("GET", "/api/v1/approvals", &house.other, None).is(200);
    assert_eq!(other["items"], json!([]));
    let audit = house.server.ask("GET", "/api/v1/audit", &house.admin, None).is(200);
    let kinds: Vec<&str> =
        audit["items"].as_array().unwrap().iter().filter_map(|one| one["kind"].as_str()).collect();
    for kind in ["approval.asked", "approval.given", "approval.used", "access.refused"] {
        assert!(kinds.contains(&kind), "{kind}: {kinds:?}");
    }
}

#[test]
fn the_signed_file_of_a_pack_leaves_by_an_export_and_verifies() {
    let house = house("approvals-sealed");
    let (viewer, manager) = (&house.viewer, &house.manager);
    let gone = format!("/api/v1/packs/{PACK}/sealed");
    assert_eq!(house.server.ask("GET", &gone, viewer, None).status, 404);
    let order = json!({"format": "sealed", "reason": "the auditor verifies it"});
    let path = format!("/api/v1/packs/{PACK}/export");
    house.post(&path, viewer, &order).is(409);
    let mut matter = order.clone();
    (matter["action"], matter["object"]) = (json!("export_pack"), json!(PACK));
    house.post("/api/v1/approvals", manager, &matter).is(201);
    let link = house.post(&path, viewer, &order).is(200);
    let sealed = house.server.ask("GET", link["download_url"].as_str().unwrap(), "", None);
    let kind = [("content-type", "application/json")];
    let verify = ("POST", "/api/v1/verify");
    let told = house.server.ask_with(verify, viewer, &kind, Some(&sealed.body)).is(200);
    assert_eq!(told["verdict"], json!("pass"), "{told}");
    let made = house.server.ask("GET", "/api/v1/exports", viewer, None).is(200);
    assert_eq!(made["items"][0]["format"], json!("sealed"));
}

#[test]
fn an_erasure_and_a_trail_need_the_word_of_another() {
    let house = house("approvals-erase");
    let erasing = json!({"scope": format!("subject:{PACK}"), "legal_basis": "court_order"});
    let mut matter = erasing.clone();
    matter["action"] = json!("erase");
    house.post("/api/v1/erasures", &house.admin, &erasing).is(409);
    house.post("/api/v1/approvals", &house.manager, &matter).is(403);
    house.post("/api/v1/approvals/requests", &house.viewer, &matter).is(403);
    let asked = house.post("/api/v1/approvals/requests", &house.admin, &matter).is(201);
    assert_eq!(asked["missing"], json!(["an admin"]));
    house.post("/api/v1/approvals", &house.admin, &matter).is(422);
    house.post("/api/v1/erasures", &house.admin, &erasing).is(409);
    let trail = json!({"reason": "the regulator asked"});
    house.post("/api/v1/trail/export", &house.viewer, &trail).is(409);
    let matter = json!({"action": "export_trail", "reason": "the regulator asked"});
    house.post("/api/v1/approvals", &house.manager, &matter).is(201);
    let left = house.post("/api/v1/trail/export", &house.viewer, &trail);
    assert_eq!((left.status, left.header("content-type")), (200, "application/x-ndjson"));
    house.post("/api/v1/trail/export", &house.viewer, &trail).is(409);
}

#[test]
fn nobody_makes_the_key_of_another_person() {
    let house = house("approvals-keys");
    let order = |who: &str| json!({"actor": who, "scopes": ["view", "review"]});
    house.post("/api/v1/api-keys", &house.admin, &order("person:amal")).is(201);
    house.post("/api/v1/api-keys", &house.admin, &order("agent:clerk")).is(201);
    let refused = house.post("/api/v1/api-keys", &house.admin, &order("person:maha"));
    let told = refused.is(403);
    assert_eq!(
        (&told["faults"][0]["rule"], &told["faults"][0]["message"]),
        (&json!("own_key"), &json!("expected an agent, or `amal` itself, found `maha`"))
    );
    let audit = house.server.ask("GET", "/api/v1/audit?kind=access.refused", &house.admin, None);
    assert_eq!(audit.is(200)["items"].as_array().unwrap().len(), 1);
}

#[test]
fn lists_are_read_from_either_end() {
    let house = house("approvals-lists");
    for n in 0..5 {
        let session = json!({"session_id": format!("ses-{n}"), "answer": format!("Answer {n}.")});
        house.post("/api/v1/sessions", &house.admin, &session).is(201);
    }
    let walk = |path: &str, order: &str, id: &str| {
        let (mut seen, mut cursor) = (Vec::new(), String::new());
        loop {
            let at = format!("{path}?limit=2&order={order}{cursor}");
            let page = house.server.ask("GET", &at, &house.admin, None).is(200);
            seen.extend(page["items"].as_array().unwrap().iter().map(|one| one[id].clone()));
            match page["next_cursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => return seen,
            }
        }
    };
    for (path, id, least) in
        [("/api/v1/sessions", "session_id", 5), ("/api/v1/trail/records", "index", 12)]
    {
        let (mut oldest, newest) = (walk(path, "oldest", id), walk(path, "newest", id));
        oldest.reverse();
        assert!(newest.len() >= least, "{path}: {newest:?}");
        assert_eq!(oldest, newest, "{path}");
    }
    let page = house.server.ask("GET", "/api/v1/sessions?limit=2&order=newest", &house.admin, None);
    let cursor = page.is(200)["next_cursor"].as_str().unwrap().to_owned();
    let other = format!("/api/v1/sessions?limit=2&cursor={cursor}");
    house.server.ask("GET", &other, &house.admin, None).is(400);
    house.server.ask("GET", "/api/v1/sessions?order=best", &house.admin, None).is(400);
}
