//! Packs to render: the example, a long one, and a hostile one.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use dalil_evidence::access::MemberTitle;
use dalil_evidence::anchor::{Anchor, text_digest};
use dalil_evidence::approval::{ApprovalVote, VoteOutcome};
use dalil_evidence::ledger::request::LedgerRequest;
use dalil_evidence::ledger::{self, Ledger};
use dalil_evidence::pack::{self, PackDraft, PackReview};
use dalil_proof::canon;
use dalil_proof::checkpoint::Checkpoint;
use dalil_proof::digest::Digest;
use dalil_proof::id::{PackId, RecordId};
use dalil_proof::key::SecretKey;
use dalil_proof::receipt::Receipt;
use dalil_proof::record::{Actor, Lineage, Record, RecordEnvelope, RecordKind};
use dalil_proof::tree::MerkleTree;
use serde_json::{Value, json};

use crate::pdf::{PackPrintout, PrintoutAnswer};

/// The example pack, reviewed, sealed and proved, with two approvals.
pub(super) fn short() -> PackPrintout {
    let first =
        pack::assemble(include_bytes!("../../../../../examples/decision/pack.json")).unwrap();
    let review = PackReview {
        pack_id: PackId::from_random([0xd3, 0x30, 0, 0, 0, 0, 0, 2]),
        reviewer_id: "finance_director".to_owned(),
        reviewed_at: "2026-03-15T11:00:00Z".parse().unwrap(),
        acknowledged: Vec::new(),
        approvals: vec![
            vote("نورة الحربي", MemberTitle::DepartmentHead, "2026-03-15T10:10:00Z"),
            vote("finance_director", MemberTitle::Finance, "2026-03-15T11:00:00Z"),
        ],
    };
    let reviewed = pack::review(&first, &review).unwrap();
    let history = json!({
        "approvals": [
            {"approver": "auditor", "outcome": "escalated", "at": "2026-03-15T09:45:00.000Z"},
            {"approver": "نورة الحربي", "role": "department_head", "outcome": "approved", "at": "2026-03-15T10:10:00.000Z",
             "reason": "ضمن الميزانية المعتمدة (هاتف +965 2222 0145)"},
            {"approver": "finance_director", "role": "finance, executive", "outcome": "approved", "at": "2026-03-15T11:00:00.000Z"},
        ],
        "versions": [superseded(&first), version(&reviewed)],
    });
    sheet(&reviewed, &history)
}

fn vote(approver: &str, title: MemberTitle, at: &str) -> ApprovalVote {
    let (approver, at) = (approver.to_owned(), at.parse().unwrap());
    let (outcome, titles) = (VoteOutcome::Approved, BTreeSet::from([title]));
    ApprovalVote { approver, outcome, titles, at, reason: None }
}

/// The version before a pack, as the pack has it.
fn superseded(draft: &PackDraft) -> Value {
    json!({"version": draft.version, "pack_id": draft.pack_id, "status": "superseded"})
}

fn version(draft: &PackDraft) -> Value {
    json!({
        "version": draft.version, "pack_id": draft.pack_id, "created_at": draft.created_at,
        "reviewer_id": draft.reviewer_id, "status": draft.status,
    })
}

/// The example pack with one call, which never reported back, and approvals by titles, known and not.
pub(super) fn unreported() -> PackPrintout {
    let mut request: Value =
        serde_json::from_slice(include_bytes!("../../../../../examples/decision/pack.json"))
            .unwrap();
    request["tool_calls"] = json!([
        {"tool_name": "mail.send", "intended_action": "send the offer", "actual_action": "nothing was reported"},
        {"tool_name": "mail.send", "intended_action": "send the offer", "actual_action": "nothing was reported", "outcome": "failed"},
    ]);
    let draft = pack::assemble(request.to_string().as_bytes()).unwrap();
    let approval = |role: &str| json!({"approver": "auditor", "at": "2026-03-15T09:45:00.000Z", "outcome": "approved", "role": role});
    let history = json!({
        "approvals": [approval("legal, board"), approval("Legal, مستشار")], "versions": [version(&draft)],
    });
    sheet(&draft, &history)
}

/// A pack with a ledger of `claims` claims.
pub(super) fn long(claims: usize) -> PackPrintout {
    let mut request: Value =
        serde_json::from_slice(include_bytes!("../../../../../examples/decision/pack.json"))
            .unwrap();
    let checked = canon::bytes(&big_ledger(claims)).unwrap();
    request["ledger"] = serde_json::from_slice(&checked).unwrap();
    once(&request)
}

/// A ledger of `claims` claims, English and Arabic in turn.
pub(super) fn big_ledger(claims: usize) -> Ledger {
    let claim = |n: usize| {
        let arabic = n % 2 == 1;
        let (text, snippet) = if arabic {
            (
                format!(
                    "يستحق الموظف رقم {n} إجازة سنوية مدفوعة الأجر مدتها {} يومًا في السنة الميلادية",
                    n % 30
                ),
                "يستحق جميع الموظفين الدائمين إجازة سنوية مدفوعة الأجر مدتها ١٥ يوماً عن كل سنة ميلادية، ويُحتسب الاستحقاق شهرياً.",
            )
        } else {
            (
                format!(
                    "Employee number {n} is entitled to {} days of paid annual leave in a calendar year",
                    n % 30
                ),
                "All permanent employees shall receive 15 days of paid annual leave per calendar year, accrued each month.",
            )
        };
        let matched = json!([{
            "chunk_id": format!("{n:08x}"),
            "document": {"id": "hr", "filename": if arabic { "hr-leave-policy.ar.md" } else { "hr-leave-policy.en.md" },
                "page_number": 1 + n % 90, "heading_path": ["3 Leave", "3.1 Entitlement"]},
            "similarity": 0.9, "support": if n.is_multiple_of(4) { "full" } else { "partial" }, "contradicts": n % 4 == 2, "snippet": snippet,
        }]);
        json!({
            "claim_id": format!("c{n}"), "claim_text": text, "claim_type": "policy",
            "importance": if n.is_multiple_of(5) { "critical" } else { "material" },
            "matches": if n % 4 == 3 { json!([]) } else { matched },
        })
    };
    let request = json!({
        "session": {"id": "session-long"}, "created_at": "2026-03-15T09:30:00Z",
        "claims": (1..=claims).map(claim).collect::<Vec<_>>(),
    });
    ledger::check(&LedgerRequest::read(request.to_string().as_bytes()).unwrap()).unwrap()
}

/// A ledger of four claims, one of each verdict, with its question, its answer and a page that verifies.
pub(super) fn answered() -> (Ledger, PrintoutAnswer) {
    let answer = "# Leave\n\nEmployees receive **15 days** of leave [cite:00000001]. \
        Requests go in 2 weeks ahead.\n\n- Leave carries over.\n- Shift staff receive 20 days.\n";
    let claim = |words: &str, support: Option<(&str, bool)>| {
        let start = answer.split(words).next().map(|before| before.chars().count()).unwrap();
        let matched = |(support, contradicts): (&str, bool)| {
            let mut found = json!({"chunk_id": "00000001", "document": {"id": "hr", "filename": "hr-leave-policy.en.md"},
                "similarity": 0.9, "support": support, "contradicts": contradicts, "snippet": "Shift staff receive 15 days."});
            if contradicts {
                found["reason"] = json!({"claim_words": "20 days", "evidence_words": "15 days"});
            }
            found
        };
        json!({"claim_id": words, "claim_text": words, "claim_type": "policy", "importance": "material",
            "start_offset": start, "end_offset": start + words.chars().count(),
            "matches": support.map(matched).into_iter().collect::<Vec<_>>()})
    };
    let request = json!({
        "session": {"id": "session-leave"}, "created_at": "2026-03-15T09:30:00Z", "answer": answer,
        "claims": [
            claim("Employees receive **15 days** of leave", Some(("full", false))),
            claim("Requests go in 2 weeks ahead", Some(("partial", false))),
            claim("Leave carries over", None),
            claim("Shift staff receive 20 days", Some(("none", true))),
        ],
    });
    let request = LedgerRequest::read(request.to_string().as_bytes()).unwrap();
    let about = PrintoutAnswer::new(Some("How much leave do employees have?"), answer);
    let about = about.verified_at(Some("https://dalil.example/verify")).unwrap();
    (ledger::check(&request).unwrap(), about)
}

/// A pack whose every text tries something.
pub(super) fn hostile() -> PackPrintout {
    let mut marks = "Z".to_owned();
    for n in 0..40 {
        let _ = write!(marks, "{}", char::from_u32(0x300 + n).unwrap());
    }
    let texts = [
        "#set page(width: 1pt) #read(\"/etc/passwd\") $x$ *bold* _it_ <label> @ref = heading // gone".to_owned(),
        "\u{0}\u{1}\u{7}\u{1b}[31m null, bell and escape \u{7f}\u{9f}".to_owned(),
        "\u{202e}gpj.exe\u{202c} \u{2067}isolated\u{2069} \u{200f}\u{200e} marks \u{61c}".to_owned(),
        "😀 👨‍👩‍👧‍👦 🇰🇼 中文 हिन्दी עברית \u{e000} \u{10ffff} \u{fffd} \u{feff}".to_owned(),
        format!("{marks} م\u{301}\u{302} e\u{301} \u{301}leading \u{64b}\u{651} لَا إِلَٰهَ"),
        "W".repeat(1_900),
        "ك".repeat(1_900),
        "#".repeat(1_000) + &"\\".repeat(900),
        "line one\nline two\r\nline three\u{2028}line four\tand a tab".to_owned(),
        "\"quotes\" 'single' `ticks` [cite:00000000] ]] )) }} \u{a0}\u{ad}\u{200b}\u{200c}\u{200d}".to_owned(),
        "مبلغ 1,200,000.50 USD يوم 2026-03-15 هاتف +965 2222 0145 بريد a@b.example (ملحق 2)".to_owned(),
    ];
    // As long as a name may be.
    let name = |text: &String| text.chars().take(256).collect::<String>();
    let source = |text: &String| {
        json!({"source": text.chars().take(120).collect::<String>(), "uri": text, "reference": text, "excerpt": text,
            "retrieved_at": "2020-01-01T00:00:00Z", "confidence": 0.5})
    };
    let call = |text: &String| {
        json!({"tool_name": name(text), "intended_action": text, "actual_action": {"did": text, "deep": [[[text]]]},
            "inputs": {text: [text]}, "outputs": {"long": text.repeat(4)}, "side_effects": [text, text],
            "outcome": "failed", "tool_call_id": name(text), "agent_name": name(text)})
    };
    let cites: Vec<String> = texts
        .iter()
        .take(3)
        .map(|text| format!("[cite:{}]", Anchor::shortest(&text_digest(text), [])))
        .collect();
    let memo = |words: &str| format!("{words} {} #panic(\"x\") $ * _", cites.join(" "));
    let mut claims =
        json!({"entries": [], "summary": {}, "risk_flags": [], "follow_up_questions": texts});
    claims["entries"] = texts
        .iter()
        .map(|text| {
            json!({"claim_id": text, "claim_text": text, "claim_type": text, "importance": text, "verdict": text,
                "evidence": {"snippet": text, "source": {"filename": text, "page_number": 1e15, "heading_path": [text]}}, "notes": text})
        })
        .collect();
    claims["risk_flags"] = json!([{"type": texts[0], "severity": texts[2], "description": texts[3], "affected_claims": texts}]);
    claims["documents"] =
        json!([{"filename": texts[5], "sha256": texts[5], "chunks": -1, "problems": texts}]);
    claims["judge"] = json!({"engine": texts[0], "model": texts[3], "model_sha256": texts[2]});
    once(&json!({
        "decision": {
            "decision_id": "dec_#read", "tenant_id": "tenant-1", "entity_id": texts[2], "agent_name": texts[0],
            "model": texts[3], "model_version": name(&texts[5]), "trace_id": texts[1],
            "approval_class": "A0", "reversibility_class": "R0", "sensitivity_class": "S0", "confidence": 0.1,
            "evidence": texts.iter().map(source).collect::<Vec<_>>(), "created_at": "2026-01-03T12:00:00Z"},
        "tool_calls": texts.iter().map(call).collect::<Vec<_>>(),
        "prompts": texts.iter().map(|text| json!({"template_name": name(text), "template_version": name(text)})).collect::<Vec<_>>(),
        "memo": {
            "title_ar": "عنوان \u{202e}#panic()\u{202c} 😀", "title_en": "Title \u{202e}#panic()\u{202c} 😀",
            "body_ar": memo("نص المذكرة كاملاً"), "body_en": memo("Body"),
            "executive_summary_ar": memo("ملخص المذكرة كاملاً"), "executive_summary_en": memo("Summary"), "translated_from": "ar"},
        "ledger": claims,
        "pack_id": "pack_00000000000000b1", "created_at": "2026-01-03T12:30:00Z",
    }))
}

/// The first version of a pack, sealed and proved.
fn once(request: &Value) -> PackPrintout {
    let draft = pack::assemble(request.to_string().as_bytes()).unwrap();
    let history = json!({"approvals": [], "versions": [version(&draft)]});
    sheet(&draft, &history)
}

fn sheet(draft: &PackDraft, history: &Value) -> PackPrintout {
    let history = history.to_string().replace(",\"reviewer_id\":null", "");
    let history = canon::bytes(&serde_json::from_str::<Value>(&history).unwrap()).unwrap();
    PackPrintout::read(&sealed(draft), &history).unwrap()
}

/// The sealed file of a pack, with a receipt.
pub(super) fn sealed(draft: &PackDraft) -> Vec<u8> {
    let origin = "press.dalil.example/tests";
    let key = SecretKey::from_seed(origin, &[7; 32]).unwrap();
    let salt = Digest::of(b"salt");
    let sealed = pack::seal(draft, &key).unwrap();
    let record = Record::new(&RecordEnvelope {
        kind: RecordKind::PackSealed,
        id: RecordId::from_random([1; 8]),
        at: draft.created_at,
        actor: Actor::Agent("test".to_owned()),
        subject: draft.pack_id.to_string(),
        lineage: Lineage::First,
        commitments: BTreeMap::from([(
            pack::PACK_FIELD.to_owned(),
            sealed.commitment(salt.as_bytes()),
        )]),
    })
    .unwrap();
    let mut tree = MerkleTree::default();
    tree.push(Digest::of(b"another record"));
    let place = tree.push(record.leaf());
    let head = tree.head();
    let note = Checkpoint::new(origin, head).unwrap().sign(&[&key]).unwrap();
    let path = tree.inclusion(place, head.size).unwrap();
    let receipt = Receipt::new(&record, place, path, note).unwrap().to_string();
    canon::bytes(&sealed.with_receipt(receipt, salt.as_bytes())).unwrap()
}
