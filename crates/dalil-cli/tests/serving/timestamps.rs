//! A server that has checkpoints stamped, by a real authority where `DALIL_TEST_TSA` names one
//! (`suite/servers/tsa` starts it).

use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use serde_json::json;

use crate::server::{Server, dalil, folder, key, shared, write};

#[test]
fn every_tenant_is_stamped_once_for_what_is_new_and_a_failing_authority_stops_nobody() {
    let Some((url, certificates)) = authority() else { return };
    let dir = folder("timestamps");
    let amal = key(&dir, "acme", "person:amal", &["view", "record"]);
    let zenith = key(&dir, "zenith", "person:amal", &["view"]);
    let named = |name: &str, path: &str, kind: &str| {
        json!({"name": name, "url": format!("{url}/{path}"),
            "certificate_file": format!("{certificates}/{kind}.pem")})
    };
    let authorities = [
        named("away.example", "away", "rsa"),
        named("rsa.example", "rsa/sha256", "rsa"),
        named("p384.example", "p384/sha384", "p384"),
    ];
    let config = json!({"timestamps": {"authorities": authorities, "seconds": 1}});
    let mut server = Server::start(dir, &config.to_string());
    wait(|| (stamps(&server, &amal), stamps(&server, &zenith)) == (2, 2));
    // Nothing new, so nothing more to stamp: a stamp is a record, and does not call for another.
    sleep(Duration::from_secs(3));
    assert_eq!((stamps(&server, &amal), stamps(&server, &zenith)), (2, 2));
    let body = json!({"answer": "Leave is 15 days."}).to_string();
    server.ask("POST", "/api/v1/sessions", &amal, Some(body.as_bytes())).is(201);
    wait(|| stamps(&server, &amal) == 4);
    assert_eq!(stamps(&server, &zenith), 2);
    // The receipt of the session has the stamps of both.
    let receipt = server.ask("GET", "/api/v1/trail/records/0/receipt", &amal, None).text();
    let has = |name: &str| receipt.contains(&format!("\u{2014} {name} "));
    assert_eq!((has("rsa.example"), has("p384.example"), has("away.example")), (true, true, false));
    let log = server.log();
    assert!(log.contains("away.example: cannot ask for a time stamp"), "{log}");
    assert_eq!(server.stop(), Some(0));
    let report = dalil(server.dir(), &["fsck"]);
    assert_eq!(report["verdict"], "pass", "{report}");
}

/// A record that is dated ahead of the authority's clock keeps its own tenant waiting and no other.
#[test]
fn what_an_authority_refuses_one_tenant_stops_no_other() {
    let Some((url, certificates)) = authority() else { return };
    let dir = folder("timestamps-apart");
    let amal = key(&dir, "acme", "person:amal", &["view"]);
    let zenith = key(&dir, "zenith", "person:amal", &["view"]);
    let ahead = Command::new("date").args(["-u", "-d", "+55 seconds", "+%FT%TZ"]).output().unwrap();
    let ahead = String::from_utf8(ahead.stdout).unwrap();
    let status =
        r#"{"obligation_id":"ob-1","old_status":"ACTIVE","new_status":"TERMINATED","reason":"r"}"#;
    write(&dir.join("change.json"), status);
    dalil(&dir, &["record", "append", "change.json", "--tenant", "acme", "--at", ahead.trim()]);
    let named = json!({"name": "rsa.example", "url": format!("{url}/rsa/sha256"),
        "certificate_file": format!("{certificates}/rsa.pem")});
    let config = json!({"timestamps": {"authorities": [named], "seconds": 1}});
    let mut server = Server::start(dir, &config.to_string());
    wait(|| server.log().contains("acme by rsa.example: `clock`: expected a time stamp"));
    wait(|| stamps(&server, &zenith) == 1);
    assert_eq!(stamps(&server, &amal), 0);
    assert_eq!(server.stop(), Some(0));
}

/// Several servers share such a database; here one tenant is damaged, and no lease can be released.
#[test]
fn a_lease_that_stays_is_no_failed_stamp_and_a_damaged_tenant_is_told_and_counted() {
    let Some((url, certificates)) = authority() else { return };
    let Some(dir) = shared("timestamps_leased") else { return };
    let amal = key(&dir, "acme", "person:amal", &["view"]);
    let named = json!({"name": "rsa.example", "url": format!("{url}/rsa/sha256"),
        "certificate_file": format!("{certificates}/rsa.pem")});
    let config = json!({"timestamps": {"authorities": [named], "seconds": 1}});
    let database = std::fs::read_to_string(dir.join("store")).unwrap();
    let mut psql = Command::new("psql");
    psql.args([&database, "--quiet", "--set", "ON_ERROR_STOP=1", "--command", DAMAGE]);
    let damaged = psql.output().unwrap();
    assert!(damaged.status.success(), "{damaged:?}");
    let server = Server::start(dir, &config.to_string());
    wait(|| stamps(&server, &amal) == 1);
    let has = |event: &str, about: &str| {
        server.log().contains(&format!("\"event\":\"{event}\",\"message\":\"{about}"))
    };
    wait(|| has("lease", "acme by rsa.example: ") && has("timestamp", "broken: "));
    assert!(!has("timestamp", "acme"), "{}", server.log());
    let figures = server.ask("GET", "/metrics", "", None).text();
    let failures = figures.lines().find_map(|line| line.strip_prefix("dalil_failures_total "));
    assert!(failures.unwrap().parse::<u64>().unwrap() >= 2, "{figures}");
}

/// A tenant without an origin, and leases of time stamps that cannot be released.
const DAMAGE: &str = "\
    ALTER TABLE tenants DROP CONSTRAINT IF EXISTS tenants_typed; \
    INSERT INTO tenants (tenant, idx, ord) VALUES ('broken', 0, 0); \
    CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
        IF OLD.work = 'timestamp' THEN RAISE EXCEPTION 'kept'; END IF; RETURN OLD; END $$; \
    CREATE TRIGGER keep BEFORE DELETE ON leases FOR EACH ROW EXECUTE FUNCTION keep()";

/// How many time stamps the trail of the tenant of a key has records of.
fn stamps(server: &Server, key: &str) -> usize {
    let shown = server.ask("GET", "/api/v1/trail/records?limit=100", key, None);
    shown.text().matches("checkpoint.timestamped").count()
}

fn authority() -> Option<(String, String)> {
    let given = |name| std::env::var_os(name)?.into_string().ok();
    Some((given("DALIL_TEST_TSA")?, given("DALIL_TEST_TSA_FOLDER")?))
}

#[track_caller]
fn wait(done: impl Fn() -> bool) {
    for _ in 0..300 {
        if done() {
            return;
        }
        sleep(Duration::from_millis(100));
    }
    panic!("not within 30 seconds");
}
