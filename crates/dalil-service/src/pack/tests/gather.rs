//! Packs made of the store's records of a decision.

use dalil::check::CheckOutcome;
use dalil_evidence::chunk_set::ChunkSet;
use dalil_evidence::ledger;
use dalil_evidence::ledger::request::LedgerRequest;
use dalil_evidence::verify;
use dalil_proof::canon;
use dalil_proof::digest::Digest;
use dalil_proof::erasure::LegalBasis;
use dalil_proof::hold::{Hold, RecordScope};
use dalil_proof::json::Json;
use dalil_proof::record::RecordKind;
use dalil_proof::report::CheckStatus;
use dalil_store::{AppendEntry, Tenant};
use expect_test::expect;
use serde_json::{Value, json};

use super::{bytes, check, json_of, request};
use crate::approval::ApprovalBasis;
use crate::artifact::artifact;
use crate::decision::{self, record, tool};
use crate::fixture::{at, context_at, keyed, one, said, size, trust, two, why};
use crate::pack::{AssembleRequest, assemble, seal, show, versions};
use crate::scratch::TestCorpusFolder;
use crate::{document, erase, hold, session};

fn order() -> AssembleRequest {
    let pack_id = Some("pack_00000000000000b1".parse().unwrap());
    AssembleRequest { decision_id: "dec-1".to_owned(), memo: None, pack_id }
}

/// The decision with the prompts that its agent used, changed like this.
async fn decided(tenant: &Tenant, change: &dyn Fn(&mut Value)) -> String {
    let mut decision = request()["decision"].take();
    decision["prompts"] = json!([{"template_name": "leave", "template_version": "2"}]);
    change(&mut decision);
    said(&record(tenant, &bytes(&decision), &context_at(1)).await.unwrap())
}

async fn part(tenant: &Tenant, names: &[&str]) -> String {
    let pack = json_of(&show(tenant, "pack_00000000000000b1").await.unwrap().pack);
    let parts = names.iter().map(|name| said(pack.get(name).unwrap_or(&Json::Null)));
    parts.collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn a_decision_says_what_it_requires_and_why() {
    let (_home, acme) = one("requires").await;
    let known = |decision: &mut Value| {
        for class in ["approval_class", "reversibility_class", "sensitivity_class"] {
            decision.as_object_mut().unwrap().remove(class);
        }
        decision["action_type"] = json!("nda_send");
        decision["confidence"] = json!(0.5);
    };
    check(
        &decided(&acme, &known).await,
        &expect![[r#"
        {"approval_class":"A3","approvers":2,"decision_hash":"sha256:be13de6e399e8e8dd099420ec6f515f9b15843ebf4f134daa0c182f57b545aed","decision_id":"dec-1","high_stakes":true,"id":"rec_…","index":2,"leaf":"sha256:…","outcome":"escalate","reasons":["approval class A3 makes a pack mandatory","reversibility class R3 makes a pack mandatory","sensitivity class S3 makes a pack mandatory","confidence 0.5 is below 0.7 on a high-stakes decision"],"required_approvers":2,"requirement":"mandatory","reversibility_class":"R3","routes":[{"approvers":2,"outcome":"escalate","reason":"this type of action is never carried out without executive approval","rule":"never_auto_execute"},{"approvers":2,"outcome":"escalate","reason":"reversibility class R3 requires human approval","rule":"r3_blocks_auto"},{"approvers":1,"outcome":"escalate","reason":"sensitivity class S3 requires a check of the lawful basis","rule":"s3_requires_pdpl_check"},{"approvers":1,"outcome":"escalate","reason":"a high-stakes decision requires a confidence of 0.7 or human review","rule":"low_confidence_high_stakes"},{"approvers":2,"outcome":"escalate","reason":"approval class A3 requires approval","rule":"approval_class_routing"}],"rule":"never_auto_execute","sensitivity_class":"S3"}
    "#]],
    );
    let unknown = |decision: &mut Value| {
        known(decision);
        decision["decision_id"] = json!("dec-2");
        decision["action_type"] = json!("dance");
    };
    let unknown = decided(&acme, &unknown).await;
    assert!(
        unknown.contains(r#""approval_class":"A2""#)
            && unknown.contains(r#""reversibility_class":"R2""#)
            && unknown.contains(r#""sensitivity_class":"S2""#),
        "{unknown}"
    );
}

#[tokio::test]
async fn a_pack_is_made_of_what_the_store_has() {
    let (_home, acme) = one("gather").await;
    decided(&acme, &|_| ()).await;
    let intended = |id: &str| {
        format!(
            r#"{{"phase":"intended","tool_call_id":"{id}","decision_id":"dec-1","tool_name":"hr.write","intended_action":"write leave"}}"#
        )
    };
    tool(&acme, intended("call-1").as_bytes(), &context_at(2)).await.unwrap();
    let failed = br#"{"phase":"reported","tool_call_id":"call-1","actual_action":"write leave","outcome":"failed"}"#;
    tool(&acme, failed, &context_at(3)).await.unwrap();
    tool(&acme, intended("call-2").as_bytes(), &context_at(4)).await.unwrap();
    let sealed = assemble(&acme, &order(), &keyed(5, "k")).await.unwrap();
    let report = verify::file(&canon::bytes(&sealed).unwrap(), &trust(&acme).await, at(9));
    assert_eq!(report.verdict(), CheckStatus::Pass, "{report}");
    let names = ["status", "tool_calls", "findings", "prompts", "memo"];
    check(
        &part(&acme, &names).await,
        &expect![[r#"
            "unresolved"
            [{"actual_action":"write leave","contradiction_flag":false,"inputs":{},"intended_action":"write leave","invoked_at":"2026-03-14T14:53:22.000Z","outcome":"failed","outputs":{},"tool_call_id":"call-1","tool_name":"hr.write","verification_status":"pending"},{"actual_action":"nothing was reported","contradiction_flag":true,"contradictions":["$"],"inputs":{},"intended_action":"write leave","invoked_at":"2026-03-14T14:53:24.000Z","outputs":{},"tool_call_id":"call-2","tool_name":"hr.write","verification_status":"pending"}]
            [{"message":"what the call changed is not said","path":"tool_calls[0].side_effects","rule":"no_side_effects","state":"note"},{"message":"how the call ended is not said","path":"tool_calls[1].outcome","rule":"no_outcome","state":"note"},{"message":"what the call changed is not said","path":"tool_calls[1].side_effects","rule":"no_side_effects","state":"note"}]
            [{"template_name":"leave","template_version":"2"}]
            {"body_ar":"أولًا: القرار. موضوع القرار dec-1: إجراء يتطلب الاعتماد، وتصنيفه A2 وR1 وS1. وتبلغ درجة الثقة المعلنة ٩٠٪.\n\nثانيًا: الأسانيد. المصدر رقم ١ [cite:b8b859ac] ودرجة الثقة به ٩٠٪.\n\nثالثًا: الإجراءات المنفذة. في السجل من استخدام الأدوات استدعاءان؛ ما تعذر تنفيذه: استدعاء واحد، وما لم ترد نتيجته: استدعاء واحد.\n\nرابعًا: الادعاءات المدققة. لم يُربط القرار بسجل أدلة.\n\nخامسًا: المطلوب من جهة الاعتماد. يلزم اعتماده خلال ٤٨ ساعة من رئيس الإدارة المعنية، ومن الشؤون القانونية أو المالية. وقد أُعدت هذه المذكرة آليًا من سجلات القرار دون اقتباس منها، والنصوص الحرفية محفوظة في المصادر المشار إليها.","body_en":"Decision. Decision dec-1 concerns an action that needs approval. It is classed A2 R1 S1. The agent states a confidence of 90%.\n\nBasis. Source 1 [cite:b8b859ac] has a confidence of 90%.\n\nActions taken. 2 tool calls are on record: 1 failed, 1 never reported back.\n\nClaims checked. The decision names no ledger.\n\nFor the approver. Review is due within 48 hours, by a department head, and legal or finance. This memo was drafted from the records of the decision and quotes none of them; the exact words are in the sources that it cites.","executive_summary_ar":"نرفع لاعتمادكم القرار الآتي، وموضوعه: إجراء يتطلب الاعتماد. ويستند إلى مصدر واحد [cite:b8b859ac]. وقد صُنّف القرار A2 وR1 وS1، وتلزم له حزمة أدلة. وتبلغ درجة الثقة المعلنة ٩٠٪. وفي السجل من استخدام الأدوات استدعاءان؛ ما تعذر تنفيذه: استدعاء واحد، وما لم ترد نتيجته: استدعاء واحد. ويلزم اعتماده خلال ٤٨ ساعة من رئيس الإدارة المعنية، ومن الشؤون القانونية أو المالية.","executive_summary_en":"This decision concerns an action that needs approval and is submitted for approval. It rests on 1 source [cite:b8b859ac]. It is classed A2 R1 S1: an evidence pack is mandatory. The agent states a confidence of 90%. 2 tool calls are on record: 1 failed, 1 never reported back. Review is due within 48 hours, by a department head, and legal or finance.","title_ar":"مذكرة بشأن القرار dec-1: إجراء يتطلب الاعتماد","title_en":"Decision dec-1: an action that needs approval"}
        "#]],
    );
    let size_before = size(&acme).await;
    assert_eq!(assemble(&acme, &order(), &keyed(6, "k")).await.unwrap(), sealed);
    assert_eq!(size(&acme).await, size_before);
    // A call that reports later is in the version that follows.
    let done = br#"{"phase":"reported","tool_call_id":"call-2","actual_action":"write leave","outcome":"succeeded"}"#;
    tool(&acme, done, &context_at(7)).await.unwrap();
    let next = AssembleRequest { pack_id: None, ..order() };
    assemble(&acme, &next, &context_at(8)).await.unwrap();
    let versions = versions(&acme, "dec-1").await.unwrap();
    assert_eq!(versions.iter().map(|one| one.version).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(versions[1].supersedes.as_deref(), Some("pack_00000000000000b1"));
}

#[tokio::test]
async fn a_memo_that_is_given_is_held_to_the_rules() {
    let (_home, acme) = one("memo").await;
    decided(&acme, &|_| ()).await;
    let mut memo = request()["memo"].take();
    memo["body_en"] = json!("Call +966 50 123 4567 [cite:b8b859ac].");
    memo["executive_summary_en"] = json!("word ".repeat(121));
    let bad = AssembleRequest { memo: Some(bytes(&memo)), ..order() };
    check(
        &why(assemble(&acme, &bad, &context_at(2)).await),
        &expect![[r#"
        `memo.body_en`: expected no personal data or secrets, found `phone` at byte 5
        hint: point to the source and give its digest instead
        `memo.executive_summary_en`: expected at most 120 words, found 121 words
        `memo.executive_summary_en`: expected a citation of a source, such as `[cite:b8b859ac]`, found none
    "#]],
    );
    let good = AssembleRequest { memo: Some(bytes(&request()["memo"])), ..order() };
    assemble(&acme, &good, &context_at(2)).await.unwrap();
    assert_eq!(part(&acme, &["memo"]).await, said(&request()["memo"]));
}

#[tokio::test]
async fn an_excerpt_must_be_in_the_text_that_the_lake_has() {
    let (_home, acme) = one("verbatim").await;
    let text = b"All permanent employees shall receive 15 days of paid annual leave.\n";
    let files: [(&str, &[u8]); 1] = [("docs/leave.md", text)];
    let scratch = TestCorpusFolder::with("keep-verbatim", &files);
    document::add(&acme, &scratch.corpus("docs"), &context_at(0)).await.unwrap();
    let digest = json!(Digest::of(text).to_string());
    decided(&acme, &|decision| decision["evidence"][0]["content_hash"] = digest.clone()).await;
    assemble(&acme, &order(), &context_at(2)).await.unwrap();
    let other = |decision: &mut Value| {
        decision["decision_id"] = json!("dec-2");
        decision["evidence"][0]["content_hash"] = digest.clone();
        decision["evidence"][0]["excerpt"] = json!("All employees shall receive 16 days.");
    };
    decided(&acme, &other).await;
    let other = AssembleRequest { decision_id: "dec-2".to_owned(), memo: None, pack_id: None };
    check(
        &why(assemble(&acme, &other, &context_at(2)).await),
        &expect![[r#"
            `decision.evidence[0].excerpt`: expected words that are in the text of the document, found words that are not
        "#]],
    );
}

/// The text of a document is what its reader sees: neither its bytes nor its comments.
#[tokio::test]
async fn an_excerpt_is_not_in_a_comment_of_its_document() {
    let (_home, acme) = one("verbatim-comment").await;
    let text = b"Employees receive 10 days. <!-- Employees receive 90 days. -->\n\n\
        <!-- Employees receive 60 days. -->\n\nSee <a title='Employees receive 70 days.'>it</a>.\n";
    let scratch = TestCorpusFolder::with("keep-comment", &[("docs/leave.md", text)]);
    document::add(&acme, &scratch.corpus("docs"), &context_at(0)).await.unwrap();
    let mut told = String::new();
    for days in [10, 60, 70, 90] {
        let name = format!("dec-{days}");
        let change = |decision: &mut Value| {
            decision["decision_id"] = json!(name);
            decision["evidence"][0]["content_hash"] = json!(Digest::of(text).to_string());
            decision["evidence"][0]["excerpt"] = json!(format!("Employees receive {days} days."));
        };
        decided(&acme, &change).await;
        let order = AssembleRequest { decision_id: name, memo: None, pack_id: None };
        told += &format!("{}\n", why(assemble(&acme, &order, &context_at(2)).await));
    }
    check(
        told.trim_end(),
        &expect![[r#"
            nothing is wrong
            `decision.evidence[0].excerpt`: expected words that are in the text of the document, found words that are not
            `decision.evidence[0].excerpt`: expected words that are in the text of the document, found words that are not
            `decision.evidence[0].excerpt`: expected words that are in the text of the document, found words that are not
        "#]],
    );
}

/// An object without a name may be Markdown or a chunk set, and is read as strictly as those.
#[tokio::test]
async fn an_excerpt_is_not_in_a_comment_of_an_object_without_a_name() {
    let (_home, acme) = one("verbatim-object").await;
    let text = "Employees receive 10 days. <!-- Employees receive 60 days. -->\n";
    let set = json!({"chunks": [{"id": "c-1", "text": text}]}).to_string();
    let set = ChunkSet::parse(set.as_bytes()).unwrap().canonical_bytes().unwrap();
    let mut told = String::new();
    for (nth, bytes) in [text.as_bytes().to_vec(), set].into_iter().enumerate() {
        let digest = acme.lake().unwrap().put(bytes.clone()).await.unwrap();
        let rows = vec![artifact(&digest, bytes.len(), "text/plain", "document")];
        let draft = context_at(0).draft(RecordKind::DocumentAdded, "object", Vec::new(), rows);
        acme.append(AppendEntry { drafts: vec![draft], key: None }).await.unwrap();
        for days in [10, 60] {
            let name = format!("dec-{nth}-{days}");
            let change = |decision: &mut Value| {
                decision["decision_id"] = json!(name);
                decision["evidence"][0]["content_hash"] = json!(digest.to_string());
                decision["evidence"][0]["excerpt"] =
                    json!(format!("Employees receive {days} days."));
            };
            decided(&acme, &change).await;
            let order = AssembleRequest { decision_id: name, memo: None, pack_id: None };
            told += &format!("{}\n", why(assemble(&acme, &order, &context_at(2)).await));
        }
    }
    check(
        told.trim_end(),
        &expect![[r#"
            nothing is wrong
            `decision.evidence[0].excerpt`: expected words that are in the text of the document, found words that are not
            nothing is wrong
            `decision.evidence[0].excerpt`: expected words that are in the text of the document, found words that are not
        "#]],
    );
}

#[tokio::test]
async fn the_newest_ledger_of_the_session_is_the_packs() {
    let (_home, acme) = one("ledger-of").await;
    let request = LedgerRequest::read(
        br#"{"session":{"id":"ses-1"},"created_at":"2026-03-14T14:00:00Z","answer":"15 days.",
        "claims":[{"claim_id":"c-1","claim_text":"15 days","claim_type":"numeric","importance":"critical"}]}"#,
    )
    .unwrap();
    let ledger = ledger::check(&request).unwrap();
    let checked = CheckOutcome { request, ledger, replies: Vec::new() };
    session::close(&acme, &checked, None, &context_at(0)).await.unwrap();
    decided(&acme, &|decision| decision["session_id"] = json!("ses-1")).await;
    assemble(&acme, &order(), &context_at(2)).await.unwrap();
    assert_eq!(part(&acme, &["ledger"]).await, said(&checked.ledger));
    let memo = part(&acme, &["memo"]).await;
    assert!(
        memo.contains(
            "The evidence ledger counts 1 claim: 0 supported, 0 weak, 0 contradicted, 1 not found."
        ),
        "{memo}"
    );
    assert!(memo.contains("ويضم سجل الأدلة ادعاءً واحدًا:"), "{memo}");
}

/// Closes the ledger of a session with one claim; gives it.
async fn closed(tenant: &Tenant, session: &str, claim: &str) -> ledger::Ledger {
    let request = json!({"session": {"id": session}, "created_at": "2026-03-14T14:00:00Z", "answer": claim,
        "claims": [{"claim_id": "c-1", "claim_text": claim, "claim_type": "numeric", "importance": "critical"}]});
    let request = LedgerRequest::read(&bytes(&request)).unwrap();
    let ledger = ledger::check(&request).unwrap();
    let checked = CheckOutcome { request, ledger, replies: Vec::new() };
    session::close(tenant, &checked, None, &context_at(0)).await.unwrap();
    checked.ledger
}

/// The sealer cannot hide the ledger that the decision rests on: not by leaving it out, nor behind
/// one of another session.
#[tokio::test]
async fn the_ledger_of_the_decision_is_neither_left_out_nor_exchanged() {
    let (_home, acme) = one("ledger-hidden").await;
    let bad = closed(&acme, "ses-bad", "60 days").await;
    let good = closed(&acme, "ses-good", "15 days").await;
    let mut request = request();
    request["decision"]["session_id"] = json!("ses-bad");
    record(&acme, &bytes(&request["decision"]), &context_at(1)).await.unwrap();
    request["ledger"] = serde_json::from_str(&said(&good)).unwrap();
    let digest = |ledger: &ledger::Ledger| canon::digest(ledger).unwrap();
    let expected = format!(
        "`ledger`: expected the newest ledger of the session, `{}`, found `{}`\n\
         hint: leave the ledger out: the one that was recorded is in the pack",
        digest(&bad),
        digest(&good)
    );
    assert_eq!(why(seal(&acme, &bytes(&request), &context_at(2)).await), expected);
    request["ledger"] = Value::Null;
    seal(&acme, &bytes(&request), &context_at(2)).await.unwrap();
    assert_eq!(part(&acme, &["ledger"]).await, said(&bad));
}

#[tokio::test]
async fn a_decision_that_is_not_there_has_no_pack() {
    let (_home, acme, zenith) = two("missing").await;
    decided(&acme, &|_| ()).await;
    check(
        &why(assemble(&zenith, &order(), &context_at(2)).await),
        &expect![[r#"
        `decision_id`: expected a decision of this tenant, found `dec-1`
    "#]],
    );
    let (_home, acme) = one("no-session").await;
    decided(&acme, &|decision| decision["session_id"] = json!("sess-1")).await;
    check(
        &why(assemble(&acme, &order(), &context_at(2)).await),
        &expect![[r#"
        `session`: expected a session of this tenant, found `sess-1`
    "#]],
    );
    assert_eq!(decision::calls(&acme, "dec-1").await.unwrap(), []);
}

#[tokio::test]
async fn a_pack_is_of_the_decision_that_was_recorded() {
    let (_home, acme) = one("as-recorded").await;
    check(
        &why(seal(&acme, &bytes(&request()), &context_at(1)).await),
        &expect![[r#"
            `decision`: expected a decision that was recorded, found `dec-1`
            hint: `dalil decision record` records it; a pack is made of what was recorded
        "#]],
    );
    record(&acme, &bytes(&request()["decision"]), &context_at(1)).await.unwrap();
    let mut lower = request();
    lower["decision"]["approval_class"] = json!("A0");
    check(
        &why(seal(&acme, &bytes(&lower), &context_at(2)).await),
        &expect![[r#"
            `decision`: expected the decision that was recorded, sha256:4f97371c4541a973ba5cdba75ae7832261a0cee7cc06e2ac0b498cb283fde950, found sha256:c12a6532d8e538922a0b0dc8141aed90f4023388dfd4275b67eaef286011cca2
            hint: another decision is recorded under another name
        "#]],
    );
    seal(&acme, &bytes(&request()), &context_at(2)).await.unwrap();
}

#[tokio::test]
async fn a_pack_is_not_dated_before_the_key_that_seals_it() {
    let (_home, acme) = one("before-its-key").await;
    record(&acme, &bytes(&request()["decision"]), &context_at(1)).await.unwrap();
    let dated = |at: &str| {
        let mut request = request();
        request["created_at"] = json!(at);
        bytes(&request)
    };
    // The key is as old as the tenant; another, which seals no pack, is younger.
    let when = dalil_store::RecordTime { at: at(1), source: dalil_store::TimeSource::Stated };
    acme.add_key("dalil.example/second", when, dalil_proof::record::Actor::System).await.unwrap();
    check(
        &why(seal(&acme, &dated("2025-12-31T23:59:59.999Z"), &context_at(2)).await),
        &expect![[r#"
            `created_at`: expected a time at or after 2026-01-01T00:00:00.000Z, when the key that seals was added, found `2025-12-31T23:59:59.999Z`
        "#]],
    );
    let sealed = seal(&acme, &dated("2026-03-14T12:00:00.000Z"), &context_at(2)).await.unwrap();
    let trust = crate::keys::trust(&acme, None).await.unwrap();
    let trust = dalil_proof::trust::Trust::parse(&canon::bytes(&trust).unwrap()).unwrap();
    let report = verify::file(&canon::bytes(&sealed).unwrap(), &trust, at(9));
    assert_eq!(report.verdict(), CheckStatus::Pass, "{report:?}");
}

#[tokio::test]
async fn the_name_of_an_erased_decision_stays_taken() {
    let (_home, acme) = one("erased-name").await;
    record(&acme, &bytes(&request()["decision"]), &context_at(1)).await.unwrap();
    let scope = RecordScope::Subject("dec-1".to_owned());
    let (legal_basis, approved) = (LegalBasis::DataSubjectRequest, ApprovalBasis::by("dpo"));
    let order =
        erase::ErasureOrder { scope, legal_basis, approved, records: Vec::new(), rehearse: false };
    erase::erase(&acme, &order, &context_at(2)).await.unwrap();
    let mut lower = request();
    lower["decision"]["approval_class"] = json!("A0");
    check(
        &why(record(&acme, &bytes(&lower["decision"]), &context_at(3)).await),
        &expect![[r#"
        `decision_id`: expected a name that is new, found `dec-1`, which record 2 has
        hint: repeat a request under its idempotency key to get the first answer
    "#]],
    );
}

/// The check of an answer of the session `ses-1` against a document that no source names.
fn ledger_on(document: &[u8]) -> CheckOutcome {
    let sha256 = Digest::of(document).to_string();
    let request = json!({
        "session": {"id": "ses-1"}, "created_at": "2026-03-14T14:00:00Z", "answer": "15 days.",
        "claims": [{"claim_id": "c-1", "claim_text": "15 days", "claim_type": "numeric",
            "importance": "critical"}],
        "documents": [{"id": "doc_1", "filename": "travel.md", "sha256": sha256, "chunks": 1}]});
    let request = LedgerRequest::read(&bytes(&request)).unwrap();
    let ledger = ledger::check(&request).unwrap();
    CheckOutcome { request, ledger, replies: Vec::new() }
}

#[tokio::test]
async fn a_hold_on_a_pack_holds_what_the_pack_rests_on() {
    let (_home, acme) = one("hold-pack").await;
    let (leave, travel) = (
        b"All permanent employees shall receive 15 days of paid annual leave.\n".as_slice(),
        b"Travel is booked by the office.\n".as_slice(),
    );
    let files = [("docs/leave.md", leave), ("docs/travel.md", travel)];
    let scratch = TestCorpusFolder::with("keep-hold-pack", &files);
    document::add(&acme, &scratch.corpus("docs"), &context_at(0)).await.unwrap();
    session::close(&acme, &ledger_on(travel), None, &context_at(0)).await.unwrap();
    decided(&acme, &|decision| {
        decision["evidence"][0]["content_hash"] = json!(Digest::of(leave).to_string());
        decision["session_id"] = json!("ses-1");
    })
    .await;
    let call = br#"{"phase":"intended","tool_call_id":"call-1","decision_id":"dec-1","tool_name":"hr.write","intended_action":"write leave"}"#;
    tool(&acme, call, &context_at(2)).await.unwrap();
    assemble(&acme, &order(), &context_at(3)).await.unwrap();
    let second = Some("pack_00000000000000b2".parse().unwrap());
    assemble(&acme, &AssembleRequest { pack_id: second, ..order() }, &context_at(3)).await.unwrap();
    let held = |subject: &str| Hold {
        hold_id: "case-7".to_owned(),
        reason: "lawsuit".to_owned(),
        scope: RecordScope::Subject(subject.to_owned()),
    };
    check(
        &why(hold::place(&acme, &held("typo_pack"), &context_at(4)).await),
        &expect![[r#"
        `scope`: expected a subject that a record of this tenant is about, found `typo_pack`
        hint: `dalil trail show` names the subjects of records
    "#]],
    );
    let placed = hold::place(&acme, &held("pack_00000000000000b2"), &context_at(4)).await.unwrap();
    check(
        &said(&placed.covers),
        &expect![[r#"
            {"records":8,"rests_on":["call-1","dec-1","doc_1c8aa4c9fbbf132a","doc_2fbf52811fbb4f8b","pack_00000000000000b1","ses-1"]}
        "#]],
    );
    let listed = hold::list(&acme).await.unwrap();
    assert_eq!(listed.holds[0].covers, placed.covers);
    let erase = async |subject: &str| {
        let scope = RecordScope::Subject(subject.to_owned());
        let (legal_basis, approved) = (LegalBasis::DataSubjectRequest, ApprovalBasis::by("dpo"));
        let records = Vec::new();
        let order = erase::ErasureOrder { scope, legal_basis, approved, records, rehearse: false };
        erase::erase(&acme, &order, &context_at(5)).await
    };
    let mut refused = String::new();
    for subject in &placed.covers.rests_on {
        refused += &format!("{subject}: {}\n", why(erase(subject).await));
    }
    check(
        &refused,
        &expect![[r#"
            call-1: `record 7`: expected no hold, found the hold `case-7`: `lawsuit`
            dec-1: `record 6`: expected no hold, found the hold `case-7`: `lawsuit`
            doc_1c8aa4c9fbbf132a: `record 2`: expected no hold, found the hold `case-7`: `lawsuit`
            doc_2fbf52811fbb4f8b: `record 3`: expected no hold, found the hold `case-7`: `lawsuit`
            pack_00000000000000b1: `record 8`: expected no hold, found the hold `case-7`: `lawsuit`
            ses-1: `record 4`: expected no hold, found the hold `case-7`: `lawsuit`
            `record 5`: expected no hold, found the hold `case-7`: `lawsuit`

        "#]],
    );
    hold::lift(&acme, "case-7", "settled", &context_at(6)).await.unwrap();
    erase("call-1").await.unwrap();
}
