//! The OpenAPI document: every body and reply has a type and an example, and conforms to them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::contract::{contract, document, recorded};
use crate::server::{ALL, Answer, QUICK, Server, folder, key};
use crate::way::ended;

/// A server, and its callers.
struct ApiTour {
    server: Server,
    admin: String,
    approver: String,
}

impl ApiTour {
    fn get(&self, path: &str) -> Answer {
        let answer = self.server.ask("GET", path, &self.admin, None);
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        answer
    }

    fn send(&self, key: &str, (method, path): (&str, &str), body: &Value) -> Value {
        let body = (!body.is_null()).then(|| serde_json::to_vec(body).unwrap());
        let answer = self.server.ask(method, path, key, body.as_deref());
        assert!((200..300).contains(&answer.status), "{path}: {}", answer.text());
        serde_json::from_slice(&answer.body).unwrap_or_default()
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        self.send(&self.admin, ("POST", path), body)
    }

    fn upload(&self, path: &str, bytes: &[u8]) -> Value {
        let kind = [("content-type", "application/octet-stream")];
        let answer = self.server.ask_with(("POST", path), &self.admin, &kind, Some(bytes));
        assert!((200..300).contains(&answer.status), "{path}: {}", answer.text());
        answer.json()
    }

    fn server(&self) {
        for path in ["/healthz", "/readyz", "/metrics", "/api/v1", "/api/v1/reference.css"] {
            self.get(path);
        }
        self.get("/api/v1/openapi.json");
        self.get("/api/v1/tenant");
    }

    fn answers(&self) {
        let policy = b"# Leave policy\n\nAll permanent employees shall receive 15 days of leave.\n";
        for _ in 0..2 {
            self.upload("/api/v1/documents?filename=leave.md", policy);
        }
        let document = self.get("/api/v1/documents").json()["items"][0]["document_id"].clone();
        let at = format!("/api/v1/documents/{}", document.as_str().unwrap());
        for path in [at.clone(), format!("{at}/text"), format!("{at}/original")] {
            self.get(&path);
        }
        let opening = json!({"session_id": "ses-1", "query": "How many days of leave?",
            "answer": "Permanent employees receive 15 days of leave."});
        for _ in 0..2 {
            self.post("/api/v1/sessions", &opening);
        }
        self.get("/api/v1/sessions/ses-1");
        let order = json!({"documents": [document], "language": "en"});
        let job = self.post("/api/v1/sessions/ses-1/check", &order)["job_id"].clone();
        let job = job.as_str().unwrap();
        ended(&self.server, &self.admin, job);
        for path in ["jobs", &format!("jobs/{job}"), "sessions", "sessions/ses-1/ledger"] {
            self.get(&format!("/api/v1/{path}"));
        }
        assert_eq!(self.get("/api/v1/sessions/ses-1").json()["ledger"]["session_id"], "ses-1");
        let ledger = self.get("/api/v1/sessions/ses-1").json()["ledger"].clone();
        let review = json!({"ledger_id": ledger["id"], "claim_id": ledger["entries"][0]["claim_id"],
            "action": "disagreed", "reason": "The policy of 2026 says 20 days."});
        self.post("/api/v1/sessions/ses-1/reviews", &review);
        self.get("/api/v1/sessions/ses-1/reviews");
        self.answer_question(&document);
        let chunk = json!({"id": "kb-42#3", "title": "Leave policy", "uri": "kb://hr/leave",
            "page": 12, "text": "All permanent employees shall receive 15 days of leave.",
            "metadata": {"score": 0.91}});
        let submission = json!({"answer": "Permanent employees receive 15 days of leave.",
            "question": "How many days of leave?", "session_id": "ses-2", "chunks": [chunk]});
        self.post("/api/v1/check", &submission);
        self.post("/api/v1/check?wait=50", &submission);
        let head = json!({"question": "How many days of leave?", "session_id": "ses-3",
            "chunks": submission["chunks"]});
        let pieces = ["Permanent employees receive 15 ", "days of leave."];
        let pieces = pieces.map(|text| json!({"text": text}).to_string()).join("\n");
        let lines = [("content-type", "application/x-ndjson")];
        let at = ("POST", "/api/v1/check/stream");
        let body = format!("{head}\n{pieces}\n");
        let told = self.server.ask_with(at, &self.admin, &lines, Some(body.as_bytes()));
        assert_eq!(told.status, 200, "{}", told.text());
        let candidate = json!({"item_id": "doc_1", "title": "Leave policy", "score": 0.9,
            "source_ref": "https://intranet.example/leave", "metadata": {"language": "en"}});
        let chunk = json!({"item_id": "doc_1", "chunk_id": "c1", "score": 0.9, "start_idx": 16,
            "text": "All permanent employees shall receive 15 days of leave."});
        let options = json!({"max_sources": 2, "anchors": true, "debug": true});
        let request =
            json!({"candidates": [candidate], "evidence_chunks": [chunk], "options": options});
        for format in ["ai-sdk", "anthropic", "openai", "event"] {
            self.post(&format!("/api/v1/sources?format={format}"), &request);
        }
        self.post("/api/v1/sources", &request);
    }

    /// Answers the question that a ledger asks about a fact that no document states.
    fn answer_question(&self, document: &Value) {
        let opening = json!({"session_id": "ses-4", "query": "What does a late payment cost?",
            "answer": "The penalty for a late payment is USD 5,000."});
        self.post("/api/v1/sessions", &opening);
        let order = json!({"documents": [document], "language": "en"});
        let job = self.post("/api/v1/sessions/ses-4/check", &order)["job_id"].clone();
        ended(&self.server, &self.admin, job.as_str().unwrap());
        let ledger = self.get("/api/v1/sessions/ses-4").json()["ledger"].clone();
        let reply = json!({"ledger_id": ledger["id"], "question": ledger["follow_up_questions"][0],
            "action": "answered", "words": "The annex of 2026, page 3."});
        self.post("/api/v1/sessions/ses-4/questions", &reply);
        self.get("/api/v1/sessions/ses-4/questions");
    }

    fn bundles(&self) {
        let text = json!({"text": "Questions: hr@example.com", "source_uri": "intranet"});
        let chunk = json!({"document_id": "leave.md", "chunk_index": 0, "text": "15 days of leave.",
            "offsets": {"start": 0, "end": 17}, "metadata": {"page_number": 1}});
        let built = self.post(
            "/api/v1/bundles",
            &json!({"created_utc": "2026-01-03T14:30:00Z",
                "job_input": {"extra_params": {"evidence": [text]}},
                "evidence_refs": {"doc_chunks": [chunk]},
                "policy": {"max_items": 10, "enable_redaction": true}}),
        );
        let bundle = built["saved"]["bundle_id"].as_str().unwrap().to_owned();
        self.get(&format!("/api/v1/bundles/{bundle}"));
        self.get("/api/v1/bundles");
        let run = json!({"run_id": "run-1", "model": "m", "status": "done", "bundles": [bundle]});
        self.post("/api/v1/runs", &run);
        self.get("/api/v1/runs/run-1");
        self.get("/api/v1/artifacts/intranet/uses");
        let digest = built["saved"]["lake_uri"].as_str().unwrap().replace('/', ":");
        self.get(&format!("/api/v1/artifacts/{digest}"));
    }

    fn obligations(&self) {
        let obligation = |id: &str| {
            json!({"obligation_id": id, "doc_id": "doc-1", "source_page": 4,
            "source_clause": "The supplier shall deliver monthly.", "extraction_model": "m-1",
            "confidence": 0.9, "responsible_party": "the supplier", "deadline": "monthly"})
        };
        self.post(
            "/api/v1/obligations",
            &json!({"obligations": [obligation("obl-1"), obligation("obl-2")],
                "documents": {"doc-1": {"filename": "contract.pdf"}},
                "verifications": {"obl-1": {"verification_model": "m-2", "result": "CONFIRMED"},
                    "obl-3": {"verification_model": "m-2", "verified": false, "confidence": "0.5"}},
                "amendment_chains": {"obl-1": [{"doc_id": "doc-2", "clause": "4", "status": "ACTIVE"}]}}),
        );
        self.post(
            "/api/v1/obligations/status",
            &json!({"obligation_id": "obl-1", "old_status": "ACTIVE", "new_status": "TERMINATED",
                "reason": "the contract ended", "changed_by_doc_id": "doc-2"}),
        );
        let expected = json!({"expected_obligation_ids": ["obl-1", "obl-2"]});
        self.post("/api/v1/obligations/missing", &expected);
        self.post("/api/v1/obligations/completeness", &expected);
        let found = self.post("/api/v1/obligations/validate", &expected);
        assert_eq!(found["missing_evidence"], json!(["obl-2"]));
        let resolved = self.post("/api/v1/obligations/resolve", &json!({}));
        assert_eq!(resolved["resolved"][0]["status"], "UNRESOLVED");
        for path in ["", "/obl-1/history", "/obl-2/history"] {
            self.get(&format!("/api/v1/obligations{path}"));
        }
    }

    fn decisions(&self) -> (String, String) {
        let evidence = json!({"source": "hr.policy", "uri": "lake://hr/leave.md", "confidence": 0.9,
            "excerpt": "15 days of leave", "retrieved_at": "2026-01-03T10:00:00Z"});
        let decision = |id: &str| {
            json!({"decision_id": id, "tenant_id": "acme",
            "entity_id": "case-1", "agent_name": "leave_agent", "action_type": "internal_note",
            "approval_class": "A0", "reversibility_class": "R1", "sensitivity_class": "S2",
            "confidence": 0.9, "created_at": "2026-01-03T12:00:00Z", "session_id": "ses-1",
            "objective": "Answer a question about leave", "rationale": "The policy says so.",
            "recommendation": {"days": 15}, "options_considered": ["ask a person", {"days": 0}],
            "prompts": [{"template_name": "leave"}], "evidence": [evidence],
            "next_actions": [{"action_type": "send_reply", "payload": {"to": "case-1"}}]})
        };
        let [one, other] = ["dec-1", "dec-2"].map(decision);
        self.post("/api/v1/decisions", &one);
        self.post("/api/v1/decisions", &other);
        let intended = json!({"phase": "intended", "tool_call_id": "call-1", "tool_name": "hr.lookup",
            "decision_id": "dec-1", "intended_action": "look up leave", "inputs": {"case": 1}});
        let reported = json!({"phase": "reported", "tool_call_id": "call-1", "outcome": "succeeded",
            "actual_action": {"looked_up": "leave"}, "side_effects": ["a line in a log"]});
        self.post("/api/v1/tool-calls", &intended);
        self.post("/api/v1/tool-calls", &reported);
        for path in ["", "/dec-1", "/dec-1/tool-calls"] {
            self.get(&format!("/api/v1/decisions{path}"));
        }
        let sealed = "pack_00000000000000b1";
        self.post(
            "/api/v1/packs/seal",
            &json!({"decision": other, "pack_id": sealed, "created_at": "2026-01-03T12:30:00Z",
                "tool_calls": [{"tool_name": "hr.lookup", "intended_action": "look up leave",
                    "actual_action": "look up leave", "outcome": "succeeded"}]}),
        );
        self.post("/api/v1/packs", &json!({"decision_id": "dec-1"}));
        let versions = self.get("/api/v1/packs/dec-1/versions").json();
        let assembled = versions["items"][0]["pack_id"].as_str().unwrap().to_owned();
        for path in ["", &format!("/{assembled}"), &format!("/{assembled}/standing")] {
            self.get(&format!("/api/v1/packs{path}"));
        }
        let reviewed = "pack_00000000000000b2";
        let order = json!({"outcome": "approved", "reason": "as the policy says",
            "new_pack_id": reviewed,
            "acknowledged": [{"rule": "contradicted_call", "path": "tool_calls[0]"}]});
        let review = format!("/api/v1/packs/{assembled}/review");
        self.send(&self.approver, ("POST", &review), &order);
        self.get(&format!("/api/v1/packs/{reviewed}"));
        self.get(&format!("/api/v1/packs/{assembled}/diff/{reviewed}"));
        let escalated = json!({"outcome": "escalated", "reason": "somebody higher must say"});
        // Too old to be reviewed, so its state is all that there is to see.
        self.get(&format!("/api/v1/packs/{sealed}/standing"));
        let late = format!("/api/v1/packs/{sealed}/review");
        let late =
            self.server.ask("POST", &late, &self.approver, Some(escalated.to_string().as_bytes()));
        assert_eq!(late.status, 422, "{}", late.text());
        (assembled, reviewed.to_owned())
    }

    fn exports(&self, pack: &str) {
        let approvals = "/api/v1/approvals";
        let asks = [
            json!({"action": "export_pack", "object": pack, "format": "json", "reason": "audit"}),
            json!({"action": "export_ledger", "object": "ses-1", "format": "markdown",
                "language": "ar", "reason": "audit"}),
            json!({"action": "export_trail", "reason": "audit"}),
        ];
        for ask in &asks {
            let asked = self.post(&format!("{approvals}/requests"), ask);
            self.send(&self.approver, ("POST", approvals), &asked["matter"]);
        }
        let erase =
            json!({"action": "erase", "scope": "kind:run.recorded", "legal_basis": "court_order"});
        self.post(&format!("{approvals}/requests"), &erase);
        self.get(approvals);
        self.get(&format!("{approvals}/requests"));
        let order = json!({"format": "json", "reason": "audit"});
        let link = self.post(&format!("/api/v1/packs/{pack}/export"), &order);
        self.get(link["download_url"].as_str().unwrap());
        let order = json!({"format": "markdown", "language": "ar", "reason": "audit"});
        self.post("/api/v1/sessions/ses-1/ledger/export", &order);
        self.post("/api/v1/trail/export", &json!({"reason": "audit"}));
        self.get("/api/v1/exports");
        self.get(approvals);
    }

    fn trail(&self) {
        for path in ["records?limit=3", "checkpoint", "consistency?old=3"] {
            self.get(&format!("/api/v1/trail/{path}"));
        }
        self.get("/api/v1/trail/records?limit=1000");
        self.get("/api/v1/audit?limit=3");
        let receipt = self.get("/api/v1/trail/records/1/receipt");
        self.upload("/api/v1/verify", &receipt.body);
        let keys = "/api/v1/keys";
        for (verb, name) in
            [("retire", json!({})), ("revoke", json!({"name": "dalil.example/second"}))]
        {
            let added = self.post(keys, &name);
            let id = added["key_id"].as_str().unwrap().replace('+', "%2B").replace('/', "%2F");
            self.post(&format!("{keys}/{id}/{verb}"), &Value::Null);
        }
        self.get(keys);
        self.get("/api/v1/keys/trust");
    }

    fn governance(&self) {
        let hold = json!({"hold_id": "hold-1", "reason": "a lawsuit", "scope": "kind:pack.sealed"});
        self.post("/api/v1/holds", &hold);
        self.get("/api/v1/holds");
        self.post("/api/v1/holds/hold-1/lift", &json!({"reason": "the lawsuit ended"}));
        let order =
            json!({"scope": "kind:run.recorded", "legal_basis": "court_order", "rehearse": true});
        self.post("/api/v1/erasures", &order);
        let member = json!({"name": "huda", "role": "approver", "titles": ["manager", "legal"]});
        self.post("/api/v1/members", &member);
        self.get("/api/v1/members");
        self.send(&self.admin, ("DELETE", "/api/v1/members/huda"), &Value::Null);
        let invitations = "/api/v1/invitations";
        let order = json!({"name": "layla", "role": "approver", "titles": ["legal"]});
        let made = self.post(invitations, &order);
        self.get(invitations);
        let id = made["invitation_id"].as_str().unwrap();
        self.send(&self.admin, ("DELETE", &format!("{invitations}/{id}")), &Value::Null);
        let keys = "/api/v1/api-keys";
        let key = self.post(
            keys,
            &json!({"actor": "agent:clerk", "scopes": ["view", "record"],
            "expires_at": "2100-01-01T00:00:00Z"}),
        );
        let id = key["key_id"].as_str().unwrap();
        self.send(&self.admin, ("DELETE", &format!("{keys}/{id}")), &Value::Null);
        self.get(keys);
    }
}

/// Every operation of the document, with its place.
fn operations(document: &Value) -> Vec<(String, &Value)> {
    let paths = document["paths"].as_object().unwrap().iter();
    let operations = paths.flat_map(|(path, item)| {
        let place = format!("/paths/{}", path.replace('/', "~1"));
        item.as_object()
            .unwrap()
            .iter()
            .map(move |(method, one)| (format!("{place}/{method}"), one))
    });
    operations.collect()
}

/// The bodies of an operation, with their places: its request, and its successful replies.
fn bodies<'d>(place: &str, operation: &'d Value) -> Vec<(String, String, &'d Value)> {
    let request = operation.get("requestBody").map(|body| (format!("{place}/requestBody"), body));
    let replies = operation["responses"].as_object().unwrap().iter();
    let replies = replies.filter(|(status, _)| status.starts_with('2'));
    let replies = replies.map(|(status, reply)| (format!("{place}/responses/{status}"), reply));
    let all = request.into_iter().chain(replies);
    let contents = all.flat_map(|(place, body)| {
        body["content"].as_object().unwrap().iter().map(move |(kind, content)| {
            let place = format!("{place}/content/{}", kind.replace('/', "~1"));
            (kind.clone(), place, content)
        })
    });
    contents.collect()
}

#[test]
fn every_operation_answers_as_the_document_says() {
    let dir = folder("document");
    let member = ["member", "add", "maha", "--role", "admin", "--title", "manager"];
    let to = ["--tenant", "acme", "--actor", "system"];
    crate::server::dalil(&dir, &[&member[..], &to[..]].concat());
    let [admin, approver] =
        ["amal", "maha"].map(|who| key(&dir, "acme", &format!("person:{who}"), &ALL));
    let tour = ApiTour { server: Server::start(dir, QUICK), admin, approver };
    let mut seen = recorded(|| {
        tour.server();
        tour.answers();
        tour.bundles();
        tour.obligations();
        let (_, reviewed) = tour.decisions();
        tour.exports(&reviewed);
        tour.trail();
        tour.governance();
    });
    let document = document();
    let ids =
        operations(&document).into_iter().map(|(_, one)| one["operationId"].as_str().unwrap());
    let called: BTreeSet<&str> = seen.keys().map(String::as_str).collect();
    assert_eq!(called, ids.collect::<BTreeSet<&str>>());
    if std::env::var_os("DALIL_BLESS").is_some() {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        let path = path.join("../dalil-server/src/api/examples.json");
        shorten(&mut seen);
        seen.retain(|_, example| *example != json!({}));
        let examples = serde_json::to_string_pretty(&seen).unwrap() + "\n";
        fs::OpenOptions::new().write(true).truncate(true).open(&path).unwrap();
        crate::server::write(&path, &examples);
    }
}

/// Leaves out of examples the parts that add nothing, and those that should not be copied.
fn shorten(examples: &mut BTreeMap<String, Value>) {
    let lines = |text: &Value, most: usize| {
        let lines = text.as_str().unwrap().split_inclusive('\n').take(most);
        json!(lines.collect::<String>())
    };
    for (operation, example) in examples {
        if let Some(key) = example.pointer_mut("/replies/201/api_key") {
            let name = key.as_str().unwrap().split('_').take(3).collect::<Vec<_>>().join("_");
            *key = json!(format!("{name}_…"));
        }
        let Some(reply) = example.pointer_mut("/replies/200") else { continue };
        match operation.as_str() {
            "metrics" => *reply = lines(reply, 3),
            "export_trail" => *reply = lines(reply, 2),
            "openapi_document" => {
                for part in ["paths", "components"] {
                    reply[part] = json!({});
                }
            }
            _ => {
                if let Some(items) = reply.get_mut("items").and_then(Value::as_array_mut) {
                    items.truncate(1);
                }
            }
        }
    }
}

#[test]
fn every_body_has_a_type() {
    let document = document();
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for (place, operation) in operations(&document) {
        for (_, place, content) in bodies(&place, operation) {
            bare(&document, &place, &content["schema"], (&mut seen, &mut found));
        }
    }
    assert_eq!(found, Vec::<String>::new());
}

/// Objects without fields and values without a type, but for those whose form is the caller's own.
fn bare(
    document: &Value,
    place: &str,
    schema: &Value,
    (seen, found): (&mut BTreeSet<String>, &mut Vec<String>),
) {
    if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
        let name = name.rsplit('/').next().unwrap();
        if !FREE_FORMS.contains(&name) && seen.insert(name.to_owned()) {
            let schema = &document["components"]["schemas"][name];
            bare(document, name, schema, (seen, found));
        }
        return;
    }
    let properties = schema.get("properties").and_then(Value::as_object);
    let values = schema.get("additionalProperties").filter(|values| values.is_object());
    let is_object = schema.get("type") == Some(&json!("object"));
    let has_type =
        ["type", "oneOf", "anyOf", "allOf", "enum"].iter().any(|word| schema.get(word).is_some());
    if !has_type || is_object && properties.is_none() && values.is_none() {
        found.push(format!("{place}: {schema}"));
    }
    let parts = ["oneOf", "anyOf", "allOf"].iter().filter_map(|word| schema.get(word)?.as_array());
    // A format's content beside the fields that it names is free.
    let values = values.filter(|_| properties.is_none());
    let parts = parts.flatten().chain(properties.into_iter().flat_map(|all| all.values()));
    for part in parts.chain(schema.get("items")).chain(values) {
        bare(document, place, part, (seen, found));
    }
}

/// The forms that the formats call free: metadata, inputs and outputs of tools, values that
/// changed.
const FREE_FORMS: [&str; 2] = ["FreeObject", "FreeValue"];

#[test]
fn every_operation_has_a_name_of_its_own() {
    let document = document();
    let operations = operations(&document);
    let ids: BTreeSet<&str> =
        operations.iter().filter_map(|(_, one)| one["operationId"].as_str()).collect();
    assert_eq!(ids.len(), operations.len());
}

#[test]
fn every_body_has_an_example_that_fits() {
    let document = document();
    let mut faults = Vec::new();
    for (place, operation) in operations(&document) {
        for (kind, place, content) in bodies(&place, operation) {
            let is_read = matches!(
                kind.as_str(),
                "application/json" | "text/plain" | "application/x-ndjson" | "text/event-stream"
            );
            match content.get("example") {
                None if is_read => faults.push(format!("{place}: no example")),
                None => (),
                Some(example) => {
                    let found = contract().faults(&format!("{place}/schema"), example);
                    faults.extend(found.into_iter().map(|fault| format!("{place}: {fault}")));
                }
            }
        }
    }
    let problem = &document["components"]["schemas"]["Problem"];
    faults.extend(contract().faults("/components/schemas/Problem", &problem["example"]));
    assert_eq!(faults, Vec::<String>::new());
}

/// The published formats, whose vectors are whole requests and replies.
#[test]
fn the_vectors_are_as_the_document_says() {
    let vectors = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../spec/vectors");
    let mut counted = BTreeMap::new();
    let mut faults = Vec::new();
    for (folder, verb, asked, replied) in [
        ("bundle", &["bundle"][..], None, "Bundle"),
        ("ledger", &["ledger"], None, "Ledger"),
        ("pack", &["pack", "assemble"], Some("PackRequest"), "PackContent"),
        ("pack", &["verify"], None, "VerificationReport"),
        ("sources", &["sources"], Some("SourcesRequest"), "SourcesEvent"),
    ] {
        for file in fs::read_dir(vectors.join(folder)).unwrap() {
            let path = file.unwrap().path();
            let Ok(vector) = serde_json::from_slice::<Value>(&fs::read(&path).unwrap()) else {
                continue;
            };
            let args: Vec<&str> =
                vector["args"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            let is_plain = !args.contains(&"--format") && args.starts_with(verb);
            let output = &vector["output"];
            if !is_plain
                || !output.is_object()
                || output.get("refused").is_some()
                || output.get("gate").is_some()
            {
                continue;
            }
            *counted.entry(replied).or_insert(0) += 1;
            let mut check = |name: &str, value: &Value| {
                let found = contract().faults(&format!("/components/schemas/{name}"), value);
                faults
                    .extend(found.iter().map(|fault| format!("{}: {name}{fault}", path.display())));
            };
            check(replied, output);
            // Items of the wrong form give no sources, and no refusal (spec/sources.md).
            let name = path.file_stem().unwrap().to_string_lossy();
            let is_sound = !name.contains("faulty-");
            if let Some(asked) = asked.filter(|_| is_sound) {
                check(asked, &vector["input"]);
            }
        }
    }
    assert_eq!(faults, Vec::<String>::new());
    let counted: Vec<(&str, usize)> = counted.into_iter().collect();
    let expected = [
        ("Bundle", 14),
        ("Ledger", 36),
        ("PackContent", 9),
        ("SourcesEvent", 25),
        ("VerificationReport", 32),
    ];
    assert_eq!(counted, expected);
}
