//! The real OpenFGA engine, which `suite/servers/openfga` starts: it decides as the members do.

use std::path::PathBuf;
use std::process::Command;

use dalil_evidence::access::{AccessAction, MemberRole};
use serde_json::{Value, json};

use crate::server::{ALL, Server, agent, answer, dalil, folder, key, seal, write};
use crate::viewer::{BARE_PACK, sign_in};

/// A relation of the published model, and the action that a member must be allowed for it.
const RELATIONS: [(&str, AccessAction); 5] = [
    ("can_view", AccessAction::View),
    ("can_record", AccessAction::Review),
    ("can_review", AccessAction::Review),
    // An export needs the approval of others: the role is asked of those who approve.
    ("can_export", AccessAction::View),
    ("can_administer", AccessAction::Administer),
];

const MODEL: &str = include_str!("../../../../docs/dalil.fga");

fn given(name: &str) -> Option<String> {
    std::env::var_os(name)?.into_string().ok()
}

fn tuple(user: &str, relation: &str, object: &str) -> Value {
    json!({"user": user, "relation": relation, "object": object})
}

#[test]
fn the_published_model_says_what_roles_say() {
    let Some(fga) = given("DALIL_TEST_FGA") else { return };
    let dir = folder("fga-model");
    let (mut tuples, mut checks, mut expected) = (Vec::new(), Vec::new(), Vec::new());
    let mut ask = |user: &str, object: &str, relation: &str, allowed: bool| {
        checks.push(json!({"user": user, "object": object, "assertions": {relation: true}}));
        expected.push((format!("{user} {relation} {object}"), allowed));
    };
    for tenant in ["acme", "zenith"] {
        let of = format!("tenant:{tenant}");
        tuples.push(tuple(&of, "tenant", &format!("pack:of-{tenant}")));
        for (word, _) in MemberRole::WIRE_NAMES {
            for kind in ["user", "agent"] {
                tuples.push(tuple(&format!("{kind}:{word}-{tenant}"), word, &of));
            }
        }
    }
    tuples.push(tuple("user:auditor", "reader", "pack:of-acme"));
    tuples.push(tuple("user:viewer-acme", "blocked", "pack:of-acme"));
    for home in ["acme", "zenith"] {
        for (word, role) in MemberRole::WIRE_NAMES {
            for kind in ["user", "agent"] {
                let user = format!("{kind}:{word}-{home}");
                for tenant in ["acme", "zenith"] {
                    for (relation, action) in RELATIONS {
                        let may = home == tenant && role.may(action);
                        ask(&user, &format!("tenant:{tenant}"), relation, may);
                    }
                    // Every member sees the packs of their tenant, except for the one who was shut
                    // out.
                    let may = home == tenant && user != "user:viewer-acme";
                    ask(&user, &format!("pack:of-{tenant}"), "can_view_evidence_pack", may);
                }
            }
        }
    }
    for (relation, _) in RELATIONS {
        ask("user:nobody", "tenant:acme", relation, false);
        ask("user:auditor", "tenant:acme", relation, false);
    }
    ask("user:auditor", "pack:of-acme", "can_view_evidence_pack", true);
    ask("user:auditor", "pack:of-zenith", "can_view_evidence_pack", false);
    let tests = json!({"name": "roles", "model": MODEL, "tuples": tuples,
        "tests": [{"name": "roles", "check": checks}]});
    let file = dir.join("roles.fga.yaml");
    write(&file, &tests.to_string());
    let mut run = Command::new(fga);
    let run = run.args(["model", "test", "--verbose", "--suppress-summary", "--tests"]).arg(&file);
    let said = String::from_utf8(run.output().unwrap().stdout).unwrap();
    let (_, rest) = said.split_once("[{").unwrap_or_else(|| panic!("{said}"));
    let rest = format!("[{{{rest}");
    let mut parsed = serde_json::Deserializer::from_str(&rest).into_iter::<Value>();
    let results = parsed.next().unwrap().unwrap();
    let results = results[0]["check_results"].as_array().unwrap();
    let found: Vec<(String, bool)> = results
        .iter()
        .map(|one| {
            let asked = &one["request"];
            let text = |name: &str| asked[name].as_str().unwrap();
            let name = format!("{} {} {}", text("user"), text("relation"), text("object"));
            (name, one["got"].as_bool().unwrap_or_else(|| panic!("{one}")))
        })
        .collect();
    assert_eq!(found, expected);
    assert_eq!(found.len(), 156);
}

/// Routes, one for each thing that a route may need.
const ROUTES: [(&str, &str, AccessAction); 5] = [
    ("GET", "/api/v1/tenant", AccessAction::View),
    ("POST", "/api/v1/sessions", AccessAction::Review),
    ("POST", "/api/v1/packs/seen/review", AccessAction::Review),
    ("POST", "/api/v1/sessions/none/ledger/export", AccessAction::View),
    ("POST", "/api/v1/holds", AccessAction::Administer),
];

#[test]
fn a_server_that_asks_openfga_lets_through_who_has_the_relation() {
    let Some(url) = given("DALIL_TEST_OPENFGA") else { return };
    let dir = folder("fga");
    write(&dir.join("token"), "secret\n");
    let store = format!("test-{}", std::process::id());
    // The members of the store do not matter here: these people are none of them.
    let mut tuples = vec![tuple("user:auditor", "reader", "pack:seen")];
    let auditor = key(&dir, "acme", "person:auditor", &ALL);
    let people: Vec<(&str, Option<MemberRole>, String)> = MemberRole::WIRE_NAMES
        .iter()
        .map(|(word, role)| {
            tuples.push(tuple(&format!("user:new-{word}"), word, "tenant:acme"));
            (*word, Some(*role), key(&dir, "acme", &format!("person:new-{word}"), &ALL))
        })
        // An admin of the members is unknown to OpenFGA.
        .chain([("amal", None, key(&dir, "acme", "person:amal", &ALL))])
        .collect();
    tuples.push(tuple("user:new-viewer", "blocked", "pack:hidden"));
    write_tuples(&format!("{url}/stores/{store}"), &tuples);
    let config = |url: &str| {
        let openfga = json!({"url": url, "store_id": store, "token_file": "token"});
        json!({"limits": {"rate": 10000, "burst": 10000}, "openfga": openfga}).to_string()
    };
    let server = Server::start(dir.clone(), &config(&url));
    for (who, role, key) in &people {
        for (method, path, action) in ROUTES {
            let body = (method == "POST").then_some(&b"{}"[..]);
            let found = server.ask(method, path, key, body).status;
            let may = role.is_some_and(|role| role.may(action));
            assert_eq!(found != 403, may, "{who} {method} {path}: {found}");
            assert!(found < 500, "{who} {method} {path}: {found}");
        }
    }
    // A pack that one may see is looked for; one that one may not see is refused first.
    let viewer = &people.iter().find(|(who, _, _)| *who == "viewer").unwrap().2;
    let pack = |id: &str| server.ask("GET", &format!("/api/v1/packs/{id}"), viewer, None).status;
    assert_eq!([pack("seen"), pack("hidden"), pack("new")], [404, 403, 404]);
    // A reader of one pack reads that pack, and nothing else of the tenant.
    let reads = |path: &str| server.ask("GET", path, &auditor, None).status;
    let all = ["/api/v1/packs/seen", "/api/v1/packs/seen/standing", "/api/v1/packs/new"];
    assert_eq!(all.map(reads), [404, 404, 403]);
    assert_eq!(["/api/v1/packs", "/api/v1/tenant"].map(reads), [403, 403]);
    drop(server);

    // A decider that is away has not said yes; the client must retry.
    let dir = folder("fga-away");
    write(&dir.join("token"), "secret\n");
    let admin = key(&dir, "acme", "person:amal", &ALL);
    let server = Server::start(dir, &config("http://127.0.0.1:9"));
    for (method, path, _) in ROUTES {
        let body = (method == "POST").then_some(&b"{}"[..]);
        let answer = server.ask(method, path, &admin, body);
        assert_eq!((answer.status, answer.header("retry-after")), (503, "5"), "{path}");
    }
}

/// Writes relations into a store of OpenFGA.
fn write_tuples(store: &str, tuples: &[Value]) {
    let body = json!({"writes": {"tuple_keys": tuples}}).to_string();
    let written = agent()
        .post(format!("{store}/write"))
        .header("authorization", "Bearer secret")
        .header("content-type", "application/json")
        .send(body.as_bytes());
    answer(written.unwrap()).is(200);
}

#[test]
fn lists_of_the_viewer_leave_out_packs_that_somebody_is_kept_from() {
    let Some(url) = given("DALIL_TEST_OPENFGA") else { return };
    let dir = folder("fga-blocked");
    write(&dir.join("token"), "secret\n");
    let store = format!("blocked-{}", std::process::id());
    let mut tuples = vec![tuple("user:kept-out", "blocked", "pack:pack_00000000000000b1")];
    let keys = ["approver", "kept-out"].map(|name| {
        tuples.push(tuple(&format!("user:{name}"), "approver", "tenant:acme"));
        key(&dir, "acme", &format!("person:{name}"), &ALL)
    });
    write_tuples(&format!("{url}/stores/{store}"), &tuples);
    let openfga = json!({"url": url, "store_id": store, "token_file": "token"});
    let config = json!({"limits": {"rate": 10000, "burst": 10000}, "openfga": openfga});
    let server = Server::start(dir, &config.to_string());
    seal(&server, &keys[0], BARE_PACK);
    let pages = |key: &str, paths: [&str; 2]| {
        let cookie = sign_in(&server, key);
        let headers = [("cookie", cookie.as_str()), ("accept-language", "en")];
        paths.map(|path| {
            let page = server.ask_with(("GET", path), "", &headers, None);
            assert_eq!(page.status, 200, "{path}: {}", page.text());
            page.text()
        })
    };
    let link = "<a href=\"/packs/pack_00000000000000b1\"><span dir=\"auto\">";
    let [list, _] = pages(&keys[0], ["/packs", "/"]);
    let title = list.split(link).nth(1).and_then(|rest| rest.split("</span>").next()).unwrap();
    let word = title.split_whitespace().find(|word| word.chars().all(char::is_alphanumeric));
    let search = format!("/search?q={}", word.unwrap());
    let shows = |key: &str| {
        pages(key, ["/packs", &search]).map(|page| page.contains("pack_00000000000000b1"))
    };
    assert_eq!(shows(&keys[0]), [true, true]);
    assert_eq!(shows(&keys[1]), [false, false]);
}

/// A server that asks OpenFGA, with the keys of approvers of these names, of whom `kept-out` may not
/// see [`PACK`].
fn keeping_out<const N: usize>(dir: PathBuf, names: [&str; N]) -> Option<(Server, [String; N])> {
    let url = given("DALIL_TEST_OPENFGA")?;
    write(&dir.join("token"), "secret\n");
    let store = format!("{}-{}", names.join("-"), std::process::id());
    let mut tuples = vec![tuple("user:kept-out", "blocked", &format!("pack:{PACK}"))];
    let keys = names.map(|name| {
        tuples.push(tuple(&format!("user:{name}"), "approver", "tenant:acme"));
        key(&dir, "acme", &format!("person:{name}"), &ALL)
    });
    write_tuples(&format!("{url}/stores/{store}"), &tuples);
    let openfga = json!({"url": url, "store_id": store, "token_file": "token"});
    let config = json!({"limits": {"rate": 10000, "burst": 10000}, "openfga": openfga});
    Some((Server::start(dir, &config.to_string()), keys))
}

#[test]
fn exports_and_requests_leave_out_packs_that_somebody_is_kept_from() {
    let dir = folder("fga-exports");
    let maha = ["member", "add", "maha", "--role", "approver", "--title", "manager"];
    dalil(&dir, &[&maha[..], &["--tenant", "acme", "--actor", "system"]].concat());
    let Some((server, [sami, maha, kept_out])) = keeping_out(dir, ["sami", "maha", "kept-out"])
    else {
        return;
    };
    seal(&server, &sami, BARE_PACK);
    let order = json!({"format": "json", "reason": "for the board"});
    let mut matter = order.clone();
    (matter["action"], matter["object"]) = (json!("export_pack"), json!(PACK));
    let post = |path: &str, key: &str, body: &Value| {
        server.ask("POST", path, key, Some(body.to_string().as_bytes()))
    };
    post("/api/v1/approvals/requests", &sami, &matter).is(201);
    post("/api/v1/approvals", &maha, &matter).is(201);
    post(&format!("/api/v1/packs/{PACK}/export"), &sami, &order).is(200);
    let lists = ["packs", "exports", "approvals", "approvals/requests"];
    let shown = |key: &str| {
        lists.map(|list| {
            let page = server.ask("GET", &format!("/api/v1/{list}"), key, None).is(200);
            page["items"].as_array().unwrap().len()
        })
    };
    assert_eq!((shown(&maha), shown(&kept_out)), ([1, 1, 1, 1], [0, 0, 0, 0]));
    // By its name it is refused, as the pack itself is.
    let about = format!("/api/v1/approvals/requests?object={PACK}");
    let told = [&maha, &kept_out].map(|key| server.ask("GET", &about, key, None).status);
    assert_eq!(told, [200, 403]);
    let names = |key: &str| {
        let cookie = sign_in(&server, key);
        let headers = [("cookie", cookie.as_str()), ("accept-language", "en")];
        let page = server.ask_with(("GET", "/exports"), "", &headers, None);
        assert_eq!(page.status, 200, "{}", page.text());
        page.text().contains(PACK)
    };
    assert_eq!((names(&maha), names(&kept_out)), (true, false));
}

#[test]
fn versions_leave_out_and_do_not_name_packs_that_somebody_is_kept_from() {
    let Some((server, [sees, kept_out])) =
        keeping_out(folder("fga-versions"), ["sees", "kept-out"])
    else {
        return;
    };
    seal(&server, &sees, BARE_PACK);
    let mut edit: Value = serde_json::from_slice(BARE_PACK).unwrap();
    (edit["pack_id"], edit["supersedes"]) = (json!(NEXT), json!(PACK));
    edit["version"] = json!(2);
    server.ask("POST", "/api/v1/packs/seal", &sees, Some(edit.to_string().as_bytes())).is(201);
    // By a decision, by a version, and in the list of all.
    let by_version = format!("packs/{NEXT}/versions");
    let lists = ["packs/dec-1/versions", &by_version, "packs"];
    let named = |key: &str| {
        lists.map(|list| {
            let page = server.ask("GET", &format!("/api/v1/{list}"), key, None).is(200);
            let text = page["items"].to_string();
            [PACK, NEXT].map(|pack| text.contains(pack))
        })
    };
    assert_eq!((named(&sees), named(&kept_out)), ([[true, true]; 3], [[false, true]; 3]));
    let hidden = format!("/api/v1/packs/{PACK}/versions");
    let told = [&sees, &kept_out].map(|key| server.ask("GET", &hidden, key, None).status);
    assert_eq!(told, [200, 403]);
    // The reference inside a version stays: it names the one before in its signed content.
    let shown = server.ask("GET", &format!("/api/v1/packs/{NEXT}"), &kept_out, None).is(200);
    assert_eq!((shown.get("supersedes"), &shown["pack"]["supersedes"]), (None, &json!(PACK)));
    let page = |key: &str| {
        let cookie = sign_in(&server, key);
        let headers = [("cookie", cookie.as_str()), ("accept-language", "en")];
        let page = server.ask_with(("GET", &format!("/packs/{NEXT}")), "", &headers, None);
        assert_eq!(page.status, 200, "{}", page.text());
        [format!("href=\"/packs/{PACK}"), format!("changes?from={PACK}")]
            .map(|link| page.text().contains(&link))
    };
    assert_eq!((page(&sees), page(&kept_out)), ([true, true], [false, false]));
}

const PACK: &str = "pack_00000000000000b1";
/// The version after it.
const NEXT: &str = "pack_00000000000000b2";
