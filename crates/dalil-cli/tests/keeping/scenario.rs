//! One life of a tenant, command by command, at fixed times and on fixed inputs.

use serde_json::{Value, json};

use crate::home::{Home, Output};

/// Everything that was asked and answered.
pub(crate) struct Told<'h> {
    home: &'h Home,
    pub(crate) said: Vec<(String, Output)>,
}

impl<'h> Told<'h> {
    /// Runs the whole scenario.
    #[track_caller]
    pub(crate) fn all(home: &'h Home) -> Self {
        let mut told = Self { home, said: Vec::new() };
        for tenant in ["acme", "zenith"] {
            let origin = format!("dalil.example/{tenant}");
            // Before the pack of the example was made: nothing is sealed that is older than its key.
            let begun = ["--at", "2026-03-01T00:00:00Z", "--actor", "agent:a-1"];
            let create = ["tenant", "create", tenant, "--origin", &origin];
            told.ask(0, &[&create[..], &begun[..]].concat(), b"");
        }
        told.evidence();
        told.obligations();
        told.decision();
        told.trail();
        told.holds();
        told
    }

    /// Runs a command at the fixed time, expects its exit code, and gives its reply.
    #[track_caller]
    fn run(&mut self, exit: i32, args: &[&str], input: &[u8]) -> Value {
        let more = ["--at", AT, "--actor", "agent:a-1"];
        self.ask(exit, &[args, &more].concat(), input)
    }

    #[track_caller]
    fn acme(&mut self, exit: i32, args: &[&str], input: &[u8]) -> Value {
        self.run(exit, &[args, &["--tenant", "acme"]].concat(), input)
    }

    /// The same by a person.
    #[track_caller]
    fn person(&mut self, name: &str, args: &[&str], input: &[u8]) -> Value {
        let actor = format!("person:{name}");
        let more = ["--at", AT, "--tenant", "acme", "--actor", &actor];
        self.ask(0, &[args, &more].concat(), input)
    }

    #[track_caller]
    fn ask(&mut self, exit: i32, args: &[&str], input: &[u8]) -> Value {
        let output = self.home.dalil(args, input);
        assert_eq!(output.exit, exit, "{args:?}: {output:?}");
        let reply = serde_json::from_str(&output.stdout).unwrap_or_default();
        self.said.push((args.join(" "), output));
        reply
    }

    /// Documents, a check and a bundle with its run.
    fn evidence(&mut self) {
        let rule = "All permanent employees receive 15 days of annual leave.";
        self.home.put("docs/policy.md", format!("# Leave\n\n{rule}\n").as_bytes());
        self.home.put("docs/b.md", "نص عربي\n".as_bytes());
        self.home.put("answer.md", rule.as_bytes());
        self.home.put("texts/docs/bio.md", b"A short biography.");
        let added = self.acme(0, &["document", "add", "docs"], b"");
        self.acme(0, &["document", "add", "docs"], b"");
        self.acme(0, &["document", "list"], b"");
        self.acme(0, &["document", "text", text(&added[0]["document_id"])], b"");
        let check = ["check", "answer.md", "--against", "docs", "--no-index", "--save", "--json"];
        let checked = self.acme(0, &check, b"");
        self.acme(0, &check, b"");
        self.acme(0, &["session", "show", text(&checked["saved"]["session_id"])], b"");
        let request = json!({"evidence_refs": {"lake_text": ["docs/bio.md"]}, "created_utc": AT});
        let bundle =
            ["bundle", "-", "--lake", "texts", "--against", "docs", "--no-index", "--save"];
        let bundle = [bundle.as_slice(), &["--run", "run-1", "--model", "m-1"]].concat();
        let saved = self.acme(0, &bundle, request.to_string().as_bytes());
        let id = text(&saved["saved"]["bundle_id"]);
        self.acme(0, &["run", "record", "run-2", "--model", "m-2", "--bundle", id], b"");
        self.acme(0, &["run", "show", "run-1"], b"");
        self.acme(0, &["run", "uses", "docs/bio.md"], b"");
        self.acme(0, &["run", "uses", text(&saved["saved"]["documents"][0]["sha256"])], b"");
    }

    /// Obligations with evidence and without, and their states.
    fn obligations(&mut self) {
        let package = package().to_string();
        let append = ["record", "append", "-", "--key", "p-1"];
        let first = self.acme(0, &append, package.as_bytes());
        assert_eq!(self.acme(0, &append, package.as_bytes()), first);
        self.acme(1, &append, change().to_string().as_bytes());
        self.acme(0, &["record", "append", "-"], change().to_string().as_bytes());
        let line = json!({"kind": "status", "key": "l-1", "request": change()});
        self.acme(0, &["record", "append", "-", "--lines"], line.to_string().as_bytes());
        self.acme(0, &["record", "history", "ob-1"], b"");
        self.acme(0, &["record", "history", "ob-1", "--as-of", "2026-01-01T00:00:00Z"], b"");
        let asked = json!({"expected_obligation_ids": ["ob-1", "ob-2", "ob-3"]});
        self.acme(1, &["record", "missing", "-"], asked.to_string().as_bytes());
        self.acme(1, &["record", "append", "-"], b"{}");
    }

    /// A decision, its calls, and its pack with two versions.
    fn decision(&mut self) {
        let pack = pack();
        let decision = pack["decision"].to_string();
        let id = text(&pack["decision"]["decision_id"]).to_owned();
        self.acme(0, &["decision", "record", "-"], decision.as_bytes());
        self.acme(1, &["decision", "record", "-"], decision.as_bytes());
        let call = json!({"phase": "intended", "tool_call_id": "c-1", "tool_name": "t",
            "decision_id": id, "intended_action": "look"});
        self.acme(0, &["tool", "record", "-", "--key", "k"], call.to_string().as_bytes());
        let call = json!({"phase": "reported", "tool_call_id": "c-1", "actual_action": "look",
            "outcome": "failed"});
        self.acme(0, &["tool", "record", "-"], call.to_string().as_bytes());
        self.acme(0, &["tool", "list", &id], b"");
        let first = text(&pack["pack_id"]).to_owned();
        self.acme(0, &["pack", "seal", "-"], pack.to_string().as_bytes());
        self.acme(1, &["pack", "seal", "-"], pack.to_string().as_bytes());
        for (name, title) in [("finance_director", "finance"), ("head", "department_head")] {
            let add = ["member", "add", name, "--role", "approver", "--title", title];
            self.acme(0, &add, b"");
        }
        self.acme(0, &["member", "list"], b"");
        // Those of the example, and the call above, which comes after its own.
        let seen = json!([
            {"rule": "failed_call", "path": "tool_calls[1]"},
            {"rule": "contradicted_call", "path": "tool_calls[2]"},
            {"rule": "failed_call", "path": "tool_calls[3]"},
            {"rule": "stale_source", "path": "sources[3]"}]);
        let review = json!({"pack_id": first, "reviewer_id": "finance_director",
            "new_pack_id": SECOND, "acknowledged": seen});
        self.acme(1, &["pack", "review", "-"], review.to_string().as_bytes());
        let said = ["pack", "review", "-"];
        self.person("finance_director", &said, review.to_string().as_bytes());
        let review = json!({"pack_id": first, "reviewer_id": "head", "new_pack_id": SECOND,
            "acknowledged": seen});
        self.person("head", &said, review.to_string().as_bytes());
        self.acme(0, &["pack", "diff", &first, SECOND], b"");
        let export = ["export", "pack", SECOND, "--format", "markdown", "--out", "pack.md"];
        let export = [export.as_slice(), &["--approver", "head", "--reason", "r"]].concat();
        self.person("finance_director", &export, b"");
        for pack in [first.as_str(), SECOND] {
            self.acme(0, &["pack", "show", pack], b"");
            self.acme(0, &["pack", "show", pack, "--sealed"], b"");
        }
        self.acme(0, &["pack", "versions", &first], b"");
    }

    /// Keys, proofs and an export that a stranger checks.
    fn trail(&mut self) {
        self.acme(0, &["keys", "add"], b"");
        let keys = self.acme(0, &["keys", "list"], b"");
        let old = keys.as_array().or(keys["keys"].as_array()).unwrap()[0]["key_id"].clone();
        self.acme(0, &["keys", "retire", text(&old)], b"");
        self.acme(0, &["tenant", "show"], b"");
        self.acme(0, &["tenant", "list"], b"");
        self.acme(0, &["trail", "show"], b"");
        self.acme(0, &["trail", "checkpoint"], b"");
        self.acme(0, &["trail", "prove", "3"], b"");
        self.acme(0, &["trail", "prove", "--from", "2"], b"");
        self.acme(1, &["trail", "prove", "100000"], b"");
        self.acme(0, &["keys", "trust", "--seen"], b"");
        let trust = self.said.last().unwrap().1.stdout.clone();
        self.home.put("trust.json", trust.as_bytes());
        self.acme(0, &["trail", "verify", "--trust", "trust.json"], b"");
        let export =
            ["trail", "export", "--out", "trail.jsonl", "--approver", "p", "--reason", "r"];
        self.acme(0, &export, b"");
        self.acme(0, &export, b"");
        self.ask(0, &["verify", "trail.jsonl", "--trust", "trust.json", "--at", AT], b"");
    }

    /// The records that a hold keeps, and those that go without one.
    fn holds(&mut self) {
        let erase = ["erase", "--scope", "subject:ob-1", "--approver", "p", "--legal-basis"];
        self.acme(0, &["hold", "place", "case-1", "--scope", "all", "--reason", "r"], b"");
        self.acme(0, &["hold", "list"], b"");
        self.acme(1, &[erase.as_slice(), &["court_order"]].concat(), b"");
        self.acme(0, &["hold", "lift", "case-1", "--reason", "r"], b"");
        self.acme(1, &[erase.as_slice(), &["retention_expired"]].concat(), b"");
        self.acme(0, &[erase.as_slice(), &["court_order", "--dry-run"]].concat(), b"");
        self.acme(0, &[erase.as_slice(), &["court_order"]].concat(), b"");
        self.acme(0, &["record", "history", "ob-1"], b"");
        self.acme(0, &["trail", "show", "--subject", "ob-1"], b"");
        self.acme(0, &["trail", "verify", "--trust", "trust.json"], b"");
        self.ask(0, &["fsck"], b"");
        self.ask(0, &["fsck", "--sweep"], b"");
    }
}

/// A text of a reply.
#[track_caller]
pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// An obligation with evidence, and one without.
fn package() -> Value {
    json!({
        "obligations": [
            {"obligation_id": "ob-1", "doc_id": "d", "source_clause": "The Vendor shall deliver.",
             "extraction_model": "m", "confidence": 0.9},
            {"obligation_id": "ob-2", "doc_id": "none", "source_clause": "c", "extraction_model": "m"}],
        "documents": {"d": {"filename": "agreement.pdf"}},
        "verifications": {"ob-1": {"verification_model": "v", "verified": true}},
    })
}

/// The end of the obligation.
pub(crate) fn change() -> Value {
    json!({"obligation_id": "ob-1", "old_status": "ACTIVE", "new_status": "TERMINATED", "reason": "r"})
}

/// The example's pack, for a tenant of ours.
pub(crate) fn pack() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/decision/pack.json");
    let mut pack: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    pack["decision"]["tenant_id"] = json!("acme");
    pack
}

/// The second version of the pack.
pub(crate) const SECOND: &str = "pack_00000000000000b2";

const AT: &str = "2026-03-16T00:00:00Z";
