//! Two tenants of one store: no request of the one shows or changes anything of the other.

use serde_json::{Value, json};

use crate::home::{Home, Output};
use crate::scenario::{SECOND, Told, change, pack, text};

/// Words of `acme` that a reply to `zenith` must not contain.
const SECRETS: [&str; 5] = ["15 days", "shall deliver", "biography", "عربي", "Amendment"];

struct Apart {
    home: Home,
}

impl Apart {
    #[track_caller]
    fn zenith(&self, args: &[&str], input: &[u8]) -> Output {
        let more = ["--tenant", "zenith", "--at", "2026-03-17T00:00:00Z", "--actor", "agent:z"];
        let output = self.home.dalil(&[args, &more].concat(), input);
        for secret in SECRETS {
            let is_shown = output.stdout.contains(secret) || output.stderr.contains(secret);
            assert!(!is_shown, "{args:?}: {secret}: {output:?}");
        }
        output
    }

    /// There is no such thing.
    #[track_caller]
    fn none(&self, args: &[&str], input: &Value) {
        let output = self.zenith(args, input.to_string().as_bytes());
        assert_eq!(output.exit, 1, "{args:?}: {output:?}");
    }

    /// The list has nothing in it.
    #[track_caller]
    fn empty(&self, args: &[&str], part: &str) {
        let reply = self.zenith(args, b"").done();
        let list = if part.is_empty() { &reply } else { &reply[part] };
        assert_eq!(list, &json!([]), "{args:?}: {reply}");
    }

    fn acme(&self, args: &[&str]) -> Value {
        self.home.dalil(&[args, &["--tenant", "acme"]].concat(), b"").done()
    }
}

fn two(home: Home) {
    drop(Told::all(&home));
    let apart = Apart { home };
    let before = apart.acme(&["trail", "show", "--limit", "1000"]);
    apart.reads();
    apart.writes();
    assert_eq!(apart.acme(&["trail", "show", "--limit", "1000"]), before);
    let own = apart.zenith(&["trail", "show"], b"").done();
    let subjects: Vec<_> =
        own["records"].as_array().unwrap().iter().map(|one| &one["kind"]).collect();
    // The refused requests left nothing.
    assert_eq!(subjects[..2], [&json!("tenant.created"), &json!("key.added")]);
    assert_eq!(own["size"], 3, "{own}");
    apart.home.sound();
}

impl Apart {
    fn reads(&self) {
        let document = self.acme(&["document", "list"])[0].clone();
        let id = document["document_id"].as_str().or(document["id"].as_str()).unwrap();
        let pack = pack();
        let (first, decision) = (text(&pack["pack_id"]), text(&pack["decision"]["decision_id"]));
        let shown = self.acme(&["trail", "show", "--limit", "1000"]);
        let records = shown["records"].as_array().unwrap();
        for record in records {
            self.empty(&["trail", "show", "--subject", text(&record["subject"])], "records");
        }
        let session = records.iter().find(|record| record["kind"] == "ledger.closed").unwrap();
        self.none(&["session", "show", text(&session["subject"])], &json!({}));
        self.empty(&["document", "list"], "");
        self.none(&["document", "text", id], &json!({}));
        self.none(&["run", "show", "run-1"], &json!({}));
        self.empty(&["run", "uses", "docs/bio.md"], "runs");
        self.empty(&["run", "uses", text(&document["sha256"])], "runs");
        self.empty(&["record", "history", "ob-1"], "records");
        let asked = json!({"expected_obligation_ids": ["ob-1"]});
        self.none(&["record", "missing", "-"], &asked);
        self.empty(&["tool", "list", decision], "");
        for id in [first, SECOND, decision] {
            self.none(&["pack", "versions", id], &json!({}));
        }
        for id in [first, SECOND] {
            self.none(&["pack", "show", id], &json!({}));
            self.none(&["pack", "show", id, "--sealed"], &json!({}));
        }
        self.empty(&["hold", "list"], "holds");
        let size = shown["size"].as_u64().unwrap();
        self.none(&["trail", "prove", &(size - 1).to_string()], &json!({}));
        self.none(&["trail", "prove", "--from", &(size - 1).to_string()], &json!({}));
        self.none(&["trail", "checkpoint", "--size", &size.to_string()], &json!({}));
        // The trust file of one does not verify the other.
        self.none(&["trail", "verify", "--trust", "trust.json"], &json!({}));
        let own = self.zenith(&["tenant", "show"], b"").done();
        assert_eq!(own["origin"], "dalil.example/zenith");
        let keys = self.zenith(&["keys", "list"], b"");
        for key in records.iter().filter(|record| record["kind"] == "key.added") {
            let id = text(&key["subject"]).trim_start_matches("key_");
            assert!(keys.exit == 0 && !keys.stdout.contains(id), "{keys:?}");
        }
    }

    fn writes(&self) {
        let keys = self.acme(&["keys", "list"]);
        for change in keys.as_array().or(keys["keys"].as_array()).unwrap() {
            self.none(&["keys", "retire", text(&change["key_id"])], &json!({}));
            self.none(&["keys", "revoke", text(&change["key_id"])], &json!({}));
        }
        let pack = pack();
        let decision = text(&pack["decision"]["decision_id"]);
        self.none(&["decision", "record", "-"], &pack["decision"]);
        let call = json!({"phase": "reported", "tool_call_id": "c-1", "actual_action": "look", "outcome": "failed"});
        self.none(&["tool", "record", "-"], &call);
        self.none(&["pack", "seal", "-"], &pack);
        let review = json!({"pack_id": pack["pack_id"], "reviewer_id": "z"});
        self.none(&["pack", "review", "-"], &review);
        self.none(&["hold", "lift", "case-1", "--reason", "r"], &json!({}));
        let bundle = self.acme(&["run", "show", "run-1"])["bundles"][0]["bundle_id"].clone();
        let run = ["run", "record", "run-9", "--model", "m", "--bundle", text(&bundle)];
        self.none(&run, &json!({}));
        for scope in ["subject:ob-1".to_owned(), format!("subject:{decision}")] {
            let erase =
                ["erase", "--scope", &scope, "--approver", "p", "--legal-basis", "court_order"];
            self.none(&erase, &json!({}));
        }
        // A key that the one used is free for the other, and no answer of the one comes back.
        let placed = self
            .zenith(&["record", "append", "-", "--key", "p-1"], change().to_string().as_bytes());
        assert_eq!(placed.done()["index"], 2);
    }
}

#[test]
fn a_folder_keeps_tenants_apart() {
    two(Home::folder("apart/folder"));
}

#[test]
fn a_database_keeps_tenants_apart() {
    if let Some(home) = Home::postgres("apart/database") {
        two(home);
    }
}
