//! Every route × every role × every credential: made from the list of routes itself.

use dalil_server::routes::{Permission, RouteTable};
use serde_json::{Value, json};

use crate::server::{ALL, QUICK, Server, dalil, folder, key};

/// A path with something in the place of every name.
fn path(route: &str) -> String {
    let parts = route.split('/').map(|part| match part.starts_with('{') {
        true if part == "{index}" => "999999",
        true => "nobody-0000000000",
        false => part,
    });
    parts.collect::<Vec<_>>().join("/")
}

/// Which roles may: the expected table, written apart from the code.
fn may(need: Permission, role: &str) -> bool {
    match need {
        Permission::Open | Permission::View | Permission::ViewPack | Permission::Export => true,
        Permission::Record | Permission::Review => role != "viewer",
        Permission::Administer => role == "admin",
    }
}

fn scope(need: Permission) -> &'static str {
    match need {
        Permission::Open => "",
        Permission::View | Permission::ViewPack => "view",
        Permission::Record => "record",
        Permission::Review => "review",
        Permission::Export => "export",
        Permission::Administer => "administer",
    }
}

#[test]
fn every_route_is_closed_to_whoever_may_not() {
    let dir = folder("matrix");
    let roles = [("admin", "amal"), ("approver", "noura"), ("viewer", "sami")];
    let keys = roles.map(|(role, who)| (role, key(&dir, "acme", &format!("person:{who}"), &ALL)));
    let narrow = ALL.map(|word| (word, key(&dir, "acme", "person:amal", &[word])));
    let stranger = key(&dir, "acme", "person:nobody", &ALL);
    let revoked = key(&dir, "acme", "person:amal", &ALL);
    let id = revoked.split('_').nth(2).unwrap().to_owned();
    dalil(&dir, &["apikey", "revoke", &id, "--tenant", "acme", "--actor", "system"]);
    let past = ["--at", "2020-01-01T00:00:00Z", "--expires", "2020-01-02T00:00:00Z"];
    let ended = ["apikey", "add", "--tenant", "acme", "--for", "person:amal", "--scope", "view"];
    let ended = dalil(&dir, &[&ended[..], &past[..]].concat());
    let ended = ended["api_key"].as_str().unwrap().to_owned();
    let elsewhere = key(&dir, "zenith", "person:amal", &ALL).replace("zenith", "acme");
    let unsigned = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbWFsIiwiZGFsaWxfdGVuYW50IjoiYWNtZSJ9.";
    let server = Server::start(dir, QUICK);
    let table = RouteTable::new();
    assert!(table.routes.len() > 60, "{}", table.routes.len());
    let mut wrong = Vec::new();
    for route in &table.routes {
        let path = path(&route.path);
        let body = (route.method != "GET").then_some(&b"{}"[..]);
        let open = route.need == Permission::Open;
        let mut check = |who: &str, credential: &str, expected: Option<u16>| {
            let found = server.ask(route.method, &path, credential, body).status;
            let is_as_expected = match expected {
                Some(status) => found == status,
                None => found != 401 && found != 403,
            };
            if !is_as_expected || found >= 500 {
                wrong.push(format!("{} {} as {who}: {found}", route.method, route.path));
            }
        };
        let closed = if open { None } else { Some(401) };
        for (who, credential) in [
            ("nobody", ""),
            ("a revoked key", revoked.as_str()),
            ("an expired key", ended.as_str()),
            ("a key of another tenant", elsewhere.as_str()),
            ("a token without a signature", unsigned),
            ("other text", "dalil_acme_0000000000000000_x"),
        ] {
            check(who, credential, closed);
        }
        let refused = if open { None } else { Some(403) };
        check("somebody who is no member", &stranger, refused);
        for (role, key) in &keys {
            let expected = if may(route.need, role) { None } else { Some(403) };
            check(role, key, expected);
        }
        for (word, key) in &narrow {
            let fits = open || scope(route.need) == *word;
            check(&format!("an admin's key for {word}"), key, if fits { None } else { Some(403) });
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

/// A client would take an ignored parameter for one that was applied.
#[test]
fn every_route_refuses_a_query_that_it_does_not_document() {
    let dir = folder("queries");
    let admin = key(&dir, "acme", "person:amal", &ALL);
    let server = Server::start(dir, QUICK);
    let document = serde_json::to_value(RouteTable::new().document()).unwrap();
    let mut wrong = Vec::new();
    for route in &RouteTable::new().routes {
        let body = (route.method != "GET").then_some(&b"{}"[..]);
        if route.need == Permission::Open {
            let answer = server.ask(route.method, &format!("{}?verbose", route.path), &admin, body);
            assert_ne!(answer.status, 400, "{}", route.path);
            continue;
        }
        let mut check = |query: &str, rule: &str, path: &str| {
            let address = format!("{}?{query}", self::path(&route.path));
            let answer = server.ask(route.method, &address, &admin, body);
            let faults =
                if answer.status == 400 { answer.json()["faults"].clone() } else { json!(null) };
            let is_said = faults.as_array().is_some_and(|faults| {
                faults.iter().any(|fault| fault["rule"] == rule && fault["path"] == path)
            });
            if !is_said {
                wrong.push(format!("{} {address}: {} {faults}", route.method, answer.status));
            }
        };
        check("undocumented=1", "unknown_parameter", "query");
        let operation = &document["paths"][&route.path][route.method.to_ascii_lowercase()];
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        for parameter in parameters.filter(|parameter| parameter["in"] == "query") {
            let (name, schema) = (parameter["name"].as_str().unwrap(), &parameter["schema"]);
            check(&format!("{name}=a&{name}=b"), "duplicate", name);
            if schema["type"] == "integer" {
                check(&format!("{name}=99999999999999999999"), "type", name);
            }
            if schema["enum"] != Value::Null {
                check(&format!("{name}=none-of-them"), "choice", name);
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn every_refusal_of_somebody_known_is_a_record() {
    let dir = folder("refusals");
    let (viewer, admin) =
        (key(&dir, "acme", "person:sami", &ALL), key(&dir, "acme", "person:amal", &ALL));
    let server = Server::start(dir, QUICK);
    server.ask("POST", "/api/v1/keys", &viewer, Some(b"{}")).is(403);
    let audit = server.ask("GET", "/api/v1/audit?kind=access.refused", &admin, None).is(200);
    let items = audit["items"].as_array().unwrap();
    let shown: Vec<_> =
        items.iter().map(|one| (one["actor"].as_str(), one["subject"].as_str())).collect();
    assert_eq!(shown, [(Some("person:sami"), Some("POST /api/v1/keys"))]);
}
