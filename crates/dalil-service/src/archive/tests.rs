use std::path::PathBuf;

use dalil::check::{CheckContext, CheckOutcome};
use dalil::corpus::Corpus;
use dalil::judges::{JudgeMode, JudgeModels, Judges};
use dalil::panel::JudgeBackend;
use dalil::sandbox::{SandboxLimits, SandboxReader};
use dalil::verify::{VerifyScope, VerifyTools, file};
use dalil_evidence::ledger::Ledger;
use dalil_evidence::ledger::request::LedgerOptions;
use dalil_judge::model::FastModel;
use dalil_phrasebook::Phrase;
use dalil_proof::canon;
use dalil_proof::erasure::LegalBasis;
use dalil_proof::fault::Fault;
use dalil_proof::hold::RecordScope;
use dalil_proof::key::{PublicKey, SecretKey};
use dalil_proof::receipt::Receipt;
use dalil_proof::report::CheckStatus;
use dalil_proof::tree::{self, TreeHead};
use dalil_proof::trust::Trust;
use dalil_proof::witness::{self, GrowthProof, WitnessPolicy};
use dalil_render::zip;
use dalil_store::catalog::ExportRow;
use dalil_store::{AppendEntry, Tenant};
use expect_test::{Expect, expect};
use serde_json::json;

use super::{ARCHIVE_FORMAT, PackArchive, archive};
use crate::approval::ApprovalBasis;
use crate::erase::{ErasureOrder, erase};
use crate::fixture::{at, context_at, one, seal_recorded, trust, two, why};
use crate::operation::RequestContext;
use crate::scratch::TestCorpusFolder;
use crate::scratch::deep_file;
use crate::{decision, keys, pack, session, trail};

const DOCUMENT: &[u8] = b"All permanent employees shall receive 15 days of paid annual leave.";

/// A decision with a call and a pack of two versions.
async fn amended(tenant: &Tenant) {
    let digest = tenant.lake().unwrap().put(DOCUMENT.to_vec()).await.unwrap();
    let decision = json!({
      "decision_id": "dec-1", "tenant_id": "acme", "entity_id": "case-1", "agent_name": "leave_agent",
      "approval_class": "A2", "reversibility_class": "R1", "sensitivity_class": "S1", "confidence": 0.9,
      "evidence": [{
        "source": "hr.policy", "uri": "lake://hr/leave.txt",
        "excerpt": "All permanent employees shall receive 15 days of paid annual leave.",
        "content_hash": digest.to_string(),
        "retrieved_at": "2026-01-03T10:00:00.000Z", "confidence": 0.9}],
      "created_at": "2026-01-03T12:00:00Z"});
    decision::record(tenant, decision.to_string().as_bytes(), &context_at(1)).await.unwrap();
    let call = json!({"phase": "intended", "tool_call_id": "call-1", "tool_name": "hr.lookup",
      "intended_action": "look up leave", "decision_id": "dec-1"});
    decision::tool(tenant, call.to_string().as_bytes(), &context_at(2)).await.unwrap();
    let request = json!({
      "decision": decision, "tool_calls": [], "prompts": [],
      "memo": {
        "title_ar": "إجازة", "title_en": "Leave",
        "body_ar": "خمسة عشر يومًا [cite:b8b859ac].", "body_en": "Fifteen days [cite:b8b859ac].",
        "executive_summary_ar": "موافقة [cite:b8b859ac]", "executive_summary_en": "Approve [cite:b8b859ac]"},
      "pack_id": "pack_00000000000000b1",
      "created_at": "2026-01-03T12:30:00Z"});
    pack::seal(tenant, request.to_string().as_bytes(), &context_at(3)).await.unwrap();
    let mut second = request;
    second["pack_id"] = json!("pack_00000000000000b2");
    second["supersedes"] = json!("pack_00000000000000b1");
    second["version"] = json!(2);
    pack::seal(tenant, second.to_string().as_bytes(), &context_at(4)).await.unwrap();
}

async fn check(tenant: &Tenant, archived: &PackArchive, expected: &Expect) {
    check_under(&trust(tenant).await, archived, expected);
}

fn check_under(trust: &Trust, archived: &PackArchive, expected: &Expect) {
    let reader = SandboxReader::new(PathBuf::from("/nonexistent/dalil"), SandboxLimits::usual());
    let tools =
        VerifyTools { reader: &reader, models: None, threads: 1, scope: VerifyScope::WHOLE };
    let report = file(&archived.bytes, trust, at(9), &tools);
    let bad = report.findings.iter().filter(|finding| finding.verdict != CheckStatus::Pass);
    let lines = bad.map(|one| format!("{} {}: {}\n", one.verdict, one.part, one.message.english()));
    expected.assert_eq(&lines.collect::<String>());
}

fn names(archived: &PackArchive) -> String {
    zip::read(&archived.bytes).unwrap().keys().map(|name| format!("{name}\n")).collect()
}

#[tokio::test]
async fn an_archive_has_everything_and_passes_and_is_the_same_every_time() {
    let (_home, acme) = one("archive").await;
    amended(&acme).await;
    let made = archive(&acme, "pack_00000000000000b2").await.unwrap();
    expect![[r#"
        bag-info.txt
        bagit.txt
        data/checkpoint.txt
        data/keys.json
        data/objects/85f63f86d1d8d5e2f6b3c2be3b73c0e3771de14501913df45cde1a1e76d34e86
        data/pack.json
        data/receipts/0000000000000001.txt
        data/receipts/0000000000000002.txt
        data/receipts/0000000000000003.txt
        data/receipts/0000000000000004.txt
        data/receipts/0000000000000005.txt
        data/records.jsonl
        data/report.ar.txt
        data/report.en.txt
        data/report.json
        data/versions/00000001.json
        manifest-sha256.txt
        tagmanifest-sha256.txt
    "#]]
    .assert_eq(&names(&made));
    check(&acme, &made, &expect![[r#"
        INCOMPLETE review: nobody has resolved this version in these records; what was said later cannot be told from this file
    "#]]).await;
    assert_eq!(archive(&acme, "pack_00000000000000b2").await.unwrap(), made);
    let first = archive(&acme, "pack_00000000000000b1").await.unwrap();
    check(&acme, &first, &expect![[r#"
        INCOMPLETE review: nobody has resolved this version in these records; what was said later cannot be told from this file
    "#]]).await;
    assert!(!names(&first).contains("data/versions/"));
}

#[tokio::test]
async fn a_version_that_was_erased_is_named_with_its_records_and_fails_nothing() {
    let (_home, acme) = one("archive-erased").await;
    amended(&acme).await;
    let scope = RecordScope::Subject("pack_00000000000000b1".to_owned());
    let (legal_basis, approved) = (LegalBasis::DataSubjectRequest, ApprovalBasis::by("dpo-1"));
    let order = ErasureOrder { scope, legal_basis, approved, records: Vec::new(), rehearse: false };
    erase(&acme, &order, &context_at(5)).await.unwrap();
    let made = archive(&acme, "pack_00000000000000b2").await.unwrap();
    check(
        &acme,
        &made,
        &expect![[r#"
            INCOMPLETE versions: version 1, `pack_00000000000000b1`: ERASED by record 6
            INCOMPLETE review: nobody has resolved this version in these records; what was said later cannot be told from this file
        "#]],
    )
    .await;
    let files = zip::read(&made.bytes).unwrap();
    let records = String::from_utf8(files["data/records.jsonl"].to_vec()).unwrap();
    let about: Vec<&str> =
        records.lines().filter(|line| line.contains("pack_00000000000000b1\"")).collect();
    assert_eq!(about.len(), 2, "{records}");
    assert!(about[0].contains("pack.sealed") && about[1].contains("payload.erased"), "{about:#?}");
    assert!(!names(&made).contains("data/versions/"));
}

#[tokio::test]
async fn an_archive_names_the_one_that_left_before() {
    let (_home, acme) = one("archive-previous").await;
    amended(&acme).await;
    let before = archive(&acme, "pack_00000000000000b2").await.unwrap();
    let row = ExportRow {
        export_id: "exp-1".to_owned(),
        subject: "pack_00000000000000b2".to_owned(),
        format: ARCHIVE_FORMAT.to_owned(),
        sha256: Some(before.sha256),
        approved_by: "person-9".to_owned(),
        reason: "asked for".to_owned(),
        trail_size: before.head.size,
        at: at(5),
    };
    let rows = vec![row.into()];
    let kind = dalil_proof::record::RecordKind::ExportMade;
    let draft = context_at(5).draft(kind, "pack_00000000000000b2", Vec::new(), rows);
    acme.append(AppendEntry { drafts: vec![draft], key: None }).await.unwrap();
    let made = archive(&acme, "pack_00000000000000b2").await.unwrap();
    check(&acme, &made, &expect![[r#"
        INCOMPLETE review: nobody has resolved this version in these records; what was said later cannot be told from this file
    "#]]).await;
    let files = zip::read(&made.bytes).unwrap();
    let previous = String::from_utf8(files["data/previous.json"].to_vec()).unwrap();
    assert!(previous.contains(&before.head.root.to_string()), "{previous}");
}

#[tokio::test]
async fn a_key_that_was_added_later_is_in_the_history() {
    let (_home, acme) = one("archive-keys").await;
    amended(&acme).await;
    keys::add(&acme, Some("dalil.example/acme-2"), &context_at(5)).await.unwrap();
    let made = archive(&acme, "pack_00000000000000b2").await.unwrap();
    check(&acme, &made, &expect![[r#"
        INCOMPLETE review: nobody has resolved this version in these records; what was said later cannot be told from this file
    "#]]).await;
}

#[tokio::test]
async fn a_corrected_date_of_a_key_is_in_the_archive_with_its_record() {
    let (_home, acme) = one("archive-redated").await;
    amended(&acme).await;
    let added = keys::add(&acme, Some("dalil.example/acme-2"), &context_at(90_000)).await.unwrap();
    let correction =
        keys::KeyDateCorrection { key_id: added.key_id, change: added.entry.change, at: at(5) };
    keys::redate(&acme, &[correction], "The clock was wrong.", &context_at(6)).await.unwrap();
    let made = archive(&acme, "pack_00000000000000b2").await.unwrap();
    check(&acme, &made, &expect![[r#"
        INCOMPLETE review: nobody has resolved this version in these records; what was said later cannot be told from this file
    "#]]).await;
}

/// A witness cosigns the newest checkpoint, and its line is kept in the store.
async fn cosign(tenant: &Tenant, byte: u8, second: i64) -> PublicKey {
    let key = SecretKey::cosigner_from_seed(&format!("w{byte}.example"), &[byte; 32]).unwrap();
    let note = trail::checkpoint(tenant, None).await.unwrap();
    let growth = GrowthProof { seen: TreeHead { size: 0, root: tree::empty() }, proof: &[] };
    let line = witness::cosign(&key, &note, &growth, at(second)).unwrap();
    let note = note.with(line).unwrap().to_string();
    trail::witness(tenant, note.as_bytes(), key.public(), &context_at(second)).await.unwrap();
    key.public().clone()
}

#[tokio::test]
async fn cosignatures_reach_receipts_sealed_packs_and_archives() {
    let (_home, acme) = one("archive-witness").await;
    amended(&acme).await;
    let first = cosign(&acme, 1, 5).await;
    let second = cosign(&acme, 2, 6).await;
    let mut trust = trust(&acme).await;
    trust.witnesses = WitnessPolicy::new(vec![first.clone()], 1).unwrap();
    let verdict = |receipt: &str, trust: &Trust| {
        Receipt::parse(receipt.as_bytes()).unwrap().verify(trust, at(9)).verdict()
    };
    let sealed = pack::sealed_file(&acme, "pack_00000000000000b2").await.unwrap();
    let printed = pack::first_file(&acme, "pack_00000000000000b2").await.unwrap();
    let receipt = trail::receipt(&acme, 3).await.unwrap().to_string();
    for receipt in [sealed.receipt.unwrap(), printed.receipt.unwrap(), receipt] {
        assert_eq!(verdict(&receipt, &trust), CheckStatus::Pass, "{receipt}");
    }
    let made = archive(&acme, "pack_00000000000000b2").await.unwrap();
    let unreviewed = &expect![[r#"
        INCOMPLETE review: nobody has resolved this version in these records; what was said later cannot be told from this file
    "#]];
    check_under(&trust, &made, unreviewed);
    assert_eq!(made.head.size, 6, "the head that was cosigned, not the newest");

    // Only one of the two has cosigned each head, until the first cosigns the later one too.
    trust.witnesses = WitnessPolicy::new(vec![first, second], 2).unwrap();
    assert_eq!(verdict(&receipt_of(&acme, 3).await, &trust), CheckStatus::Incomplete);
    let note = trail::checkpoint(&acme, Some(7)).await.unwrap();
    let growth = GrowthProof { seen: TreeHead { size: 0, root: tree::empty() }, proof: &[] };
    let other = SecretKey::cosigner_from_seed("w1.example", &[1; 32]).unwrap();
    let line = witness::cosign(&other, &note, &growth, at(7)).unwrap();
    let note = note.with(line).unwrap().to_string();
    trail::witness(&acme, note.as_bytes(), other.public(), &context_at(7)).await.unwrap();
    assert_eq!(verdict(&receipt_of(&acme, 3).await, &trust), CheckStatus::Pass);
    // A record that no witness has cosigned yet is under the newest head, as before.
    assert_eq!(verdict(&receipt_of(&acme, 8).await, &trust), CheckStatus::Incomplete);
}

#[tokio::test]
async fn an_archive_that_is_made_again_has_the_cosignatures_that_came_since() {
    let (_home, acme) = one("archive-witness-again").await;
    amended(&acme).await;
    let before = archive(&acme, "pack_00000000000000b2").await.unwrap();
    let witness = cosign(&acme, 1, 5).await;
    // Records about the pack, and not about its content: it was asked for, and refused.
    let fault =
        Fault::new("role", "actor", Phrase::verbatim("a member"), Phrase::verbatim("another"));
    crate::access::refused(&acme, "pack_00000000000000b2", "view", &fault, &context_at(6))
        .await
        .unwrap();
    let mut trust = trust(&acme).await;
    trust.witnesses = WitnessPolicy::new(vec![witness], 1).unwrap();
    check_under(
        &trust,
        &before,
        &expect![[r#"
        INCOMPLETE witnesses: 0 cosigned, 1 needed
        INCOMPLETE versions: version 1, witnesses: 0 cosigned, 1 needed
        INCOMPLETE review: nobody has resolved this version in these records; what was said later cannot be told from this file
    "#]],
    );
    let again = archive(&acme, "pack_00000000000000b2").await.unwrap();
    check_under(
        &trust,
        &again,
        &expect![[r#"
        INCOMPLETE review: nobody has resolved this version in these records; what was said later cannot be told from this file
    "#]],
    );
    assert_eq!((before.head.size, again.head.size), (6, 6));
    // A checkpoint that covers the refusal too, with as many cosignatures, is the better one.
    cosign(&acme, 1, 7).await;
    let last = archive(&acme, "pack_00000000000000b2").await.unwrap();
    assert_eq!(last.head.size, 8);
}

#[tokio::test]
async fn a_trail_export_that_is_asked_for_again_has_the_cosignatures_that_came_since() {
    let (_home, acme) = one("trail-witness-again").await;
    amended(&acme).await;
    let request = trail::TrailExportRequest {
        from: 0,
        withhold: Vec::new(),
        approved: ApprovalBasis::by("ada"),
        reason: "audit".to_owned(),
    };
    let context = RequestContext { key: Some("k".to_owned()), ..context_at(5) };
    let leave = async || {
        let mut lines = Vec::new();
        let mut write = |line: &[u8]| {
            lines.extend_from_slice(line);
            Ok(())
        };
        let made = trail::export(&acme, &request, &context, &mut write).await.unwrap();
        (made.record.index, String::from_utf8(lines).unwrap())
    };
    let (index, before) = leave().await;
    cosign(&acme, 1, 6).await;
    let (again, after) = leave().await;
    assert_eq!(index, again);
    let cosigned = |text: &str| text.contains("w1.example");
    assert_eq!((cosigned(&before), cosigned(&after)), (false, true));
}

async fn receipt_of(tenant: &Tenant, index: u64) -> String {
    trail::receipt(tenant, index).await.unwrap().to_string()
}

#[tokio::test]
async fn a_trail_grew_from_nothing() {
    let (_home, acme) = one("archive-nothing").await;
    let grown = trail::consistency(&acme, 0, None).await.unwrap();
    assert_eq!((grown.old.size, grown.old.root, grown.proof), (0, tree::empty(), Vec::new()));
    assert_eq!(grown.new, acme.head().await.unwrap().into());
}

#[tokio::test]
async fn there_is_no_archive_of_what_is_not_there_or_another_tenants() {
    let (_home, acme, other) = two("archive-none").await;
    amended(&acme).await;
    let none = archive(&acme, "pack_00000000000000ff").await;
    expect!["`pack_id`: expected a pack of this tenant, found `pack_00000000000000ff`"]
        .assert_eq(&why(none));
    let others = archive(&other, "pack_00000000000000b2").await;
    expect!["`pack_id`: expected a pack of this tenant, found `pack_00000000000000b2`"]
        .assert_eq(&why(others));
}

/// The request for a pack on a ledger.
fn request_on(name: &str, ledger: &serde_json::Value) -> Vec<u8> {
    let excerpt = "Employees receive 15 days of annual leave.";
    let anchor = dalil_evidence::anchor::text_digest(excerpt).hex();
    let cite = anchor.get(..8).unwrap();
    let request = json!({
      "decision": {
        "decision_id": format!("dec-{name}"), "tenant_id": "acme", "entity_id": "case-1",
        "agent_name": "leave_agent", "approval_class": "A2", "reversibility_class": "R1",
        "sensitivity_class": "S1", "confidence": 0.9,
        "evidence": [{
          "source": "hr.policy", "uri": "lake://hr/policy.md", "excerpt": excerpt,
          "content_hash": ledger["documents"][0]["sha256"],
          "retrieved_at": "2026-01-03T10:00:00.000Z", "confidence": 0.9}],
        "created_at": "2026-01-03T12:00:00Z"},
      "ledger": ledger,
      "memo": {
        "title_ar": "إجازة", "title_en": "Leave",
        "body_ar": format!("خمسة عشر يومًا [cite:{cite}]."),
        "body_en": format!("Fifteen days [cite:{cite}]."),
        "executive_summary_ar": format!("موافقة [cite:{cite}]"),
        "executive_summary_en": format!("Approve [cite:{cite}]")},
      "pack_id": format!("pack_00000000000000{name}"),
      "created_at": "2026-01-03T12:30:00Z"});
    request.to_string().into_bytes()
}

/// Seals a pack on a ledger.
async fn sealed_on(tenant: &Tenant, name: &str, ledger: &serde_json::Value) {
    seal_recorded(tenant, &request_on(name, ledger), &context_at(3)).await.unwrap();
}

/// The same by a holder of the store and its key who bypasses the rules of the store.
async fn forced_on(tenant: &Tenant, name: &str, ledger: &serde_json::Value) {
    let draft = dalil_evidence::pack::assemble(&request_on(name, ledger)).unwrap();
    let record = pack::sealed(tenant, &draft, &context_at(3)).await.unwrap();
    tenant.append(AppendEntry { drafts: vec![record], key: None }).await.unwrap();
}

/// The findings about the verdicts of a pack's ledger.
async fn verdicts(tenant: &Tenant, name: &str, models: Option<&JudgeModels>) -> String {
    verdicts_within(tenant, name, models, VerifyScope::WHOLE).await
}

async fn verdicts_within(
    tenant: &Tenant,
    name: &str,
    models: Option<&JudgeModels>,
    scope: VerifyScope,
) -> String {
    let made = archive(tenant, &format!("pack_00000000000000{name}")).await.unwrap();
    let reader = SandboxReader::new(PathBuf::from("/nonexistent/dalil"), SandboxLimits::usual());
    let tools = VerifyTools { reader: &reader, models, threads: 1, scope };
    let report = file(&made.bytes, &trust(tenant).await, at(9), &tools);
    let found = report.findings.iter().filter(|finding| finding.part == "verdicts");
    found.map(|one| format!("{}: {}\n", one.verdict, one.message.english())).collect()
}

fn ledger_of(panel: &JudgeBackend<'_>, corpus: &Corpus) -> CheckOutcome {
    ledger_of_answer(panel, corpus, "Employees receive 15 days of leave. They pay 20 dinars.")
}

fn ledger_of_answer(panel: &JudgeBackend<'_>, corpus: &Corpus, answer: &str) -> CheckOutcome {
    let setup = CheckContext {
        session: Some("ses-1".to_owned()),
        question: Some("How many days of leave?".to_owned()),
        at: at(1),
        previous: None,
        options: LedgerOptions::usual(),
    };
    dalil::check::check(answer, corpus, panel, &setup, &|_, _| ()).unwrap()
}

#[tokio::test]
async fn the_verdicts_of_a_ledger_are_judged_again() {
    let (_home, acme) = one("archive-verdicts").await;
    let document = b"# Leave\n\nEmployees receive 15 days of annual leave.\n";
    let scratch = TestCorpusFolder::with("archive-verdicts", &[("policy.md", document)]);
    let corpus = scratch.corpus("policy.md");
    let model = FastModel::shipped().unwrap();
    let checked = ledger_of(&JudgeBackend::fast(&model, 1).unwrap(), &corpus);
    session::close(&acme, &checked, Some(&corpus), &context_at(2)).await.unwrap();
    let ledger = canon::bytes(&checked.ledger).unwrap();
    let mut ledger: serde_json::Value = serde_json::from_slice(&ledger).unwrap();
    sealed_on(&acme, "c1", &ledger).await;
    let shipped = JudgeModels::when_needed(None);
    expect![[r#"
        PASS: 2 claims, judged again with the same model: the same
    "#]]
    .assert_eq(&verdicts(&acme, "c1", Some(&shipped)).await);
    expect![[r#"
        INCOMPLETE: its judge's model is not here
    "#]]
    .assert_eq(&verdicts(&acme, "c1", None).await);
    // The claims are those of the answer, however few of them a ledger has.
    let within = VerifyScope { claims: 1, ..VerifyScope::WHOLE };
    let panel = JudgeBackend::fast(&model, 1).unwrap();
    let short = ledger_of_answer(&panel, &corpus, "Employees receive 15 days of leave.").ledger;
    let short = serde_json::from_slice(&canon::bytes(&short).unwrap()).unwrap();
    forced_on(&acme, "c5", &short).await;
    expect![[r#"
        INCOMPLETE: not judged again, as 2 claims are more than 1: `dalil verify` judges them
    "#]]
    .assert_eq(&verdicts_within(&acme, "c5", Some(&shipped), within).await);
    let sure = ledger["entries"][0]["confidence_score"].as_f64().unwrap();
    ledger["entries"][0]["confidence_score"] = json!(if sure > 0.5 { 0.25 } else { 0.75 });
    let refused = seal_recorded(&acme, &request_on("c2", &ledger), &context_at(3)).await;
    expect![[r#"
        `ledger`: expected a ledger that was recorded of the session `ses-1`, found `sha256:b41bcda23ca0cbb11f06cd7d46092eed3787fc4d45d4b36973be8bd16cb753a8`, which was not
        hint: `dalil check --save` records a ledger; `dalil session show` gives it back"#]].assert_eq(&why(refused));
    forced_on(&acme, "c2", &ledger).await;
    expect![[r#"
        FAIL: claim 1: expected `supported` (0.8729) as it is judged again, found `supported` (0.25)
    "#]]
    .assert_eq(&verdicts(&acme, "c2", Some(&shipped)).await);
    ledger["judge"]["engine"] = json!("dalil-engine 0.0.1");
    forced_on(&acme, "c3", &ledger).await;
    expect![[r#"
        INCOMPLETE: judged by `dalil-engine 0.0.1`, and this is `dalil-engine 0.1.0`
    "#]]
    .assert_eq(&verdicts(&acme, "c3", Some(&shipped)).await);
    ledger["session_id"] = json!("ses-2");
    ledger["judge"]["engine"] = checked.ledger.content.judge.unwrap().engine.into();
    forced_on(&acme, "c4", &ledger).await;
    expect![[r#"
        INCOMPLETE: the answer that was checked is not attached
    "#]]
    .assert_eq(&verdicts(&acme, "c4", Some(&shipped)).await);
}

#[tokio::test]
async fn invented_evidence_is_not_what_was_recorded_and_not_what_is_judged_again() {
    let (_home, acme) = one("archive-invented").await;
    let document = b"# Leave\n\nEmployees receive 15 days of annual leave.\n";
    let scratch = TestCorpusFolder::with("archive-invented", &[("policy.md", document)]);
    let corpus = scratch.corpus("policy.md");
    let model = FastModel::shipped().unwrap();
    let checked = ledger_of(&JudgeBackend::fast(&model, 1).unwrap(), &corpus);
    session::close(&acme, &checked, Some(&corpus), &context_at(2)).await.unwrap();
    let mut invented = checked.ledger.content.clone();
    let finding = &mut invented.entries[0].finding;
    finding.evidence_snippet = "A bonus of 50,000 riyals, signed by the Board.".to_owned();
    invented.risk_flags.clear();
    invented.follow_up_questions.clear();
    // Every id follows from the new content, so that the ledger is consistent by itself.
    let json = canon::bytes(&Ledger { id: checked.ledger.id, content: invented }).unwrap();
    let json = String::from_utf8(json).unwrap();
    let invented = reidentified(&json);
    let shipped = JudgeModels::when_needed(None);
    forced_on(&acme, "e1", &invented).await;
    let made = archive(&acme, "pack_00000000000000e1").await.unwrap();
    let reader = SandboxReader::new(PathBuf::from("/nonexistent/dalil"), SandboxLimits::usual());
    let tools = VerifyTools {
        reader: &reader,
        models: Some(&shipped),
        threads: 1,
        scope: VerifyScope::WHOLE,
    };
    let report = file(&made.bytes, &trust(&acme).await, at(9), &tools);
    let found = report.findings.iter().filter(|one| ["ledger", "verdicts"].contains(&one.part));
    let found: String = found
        .map(|one| format!("{} {}: {}\n", one.verdict, one.part, one.message.english()))
        .collect();
    expect![[r#"
        PASS ledger: every sum, band and id is what follows from the claims
        FAIL ledger: expected a ledger of the session `ses-1` that was recorded, found another
        FAIL verdicts: claim 1: expected the `evidence_snippet` that it is judged again with, found another
        FAIL verdicts: expected the risks that follow as it is judged again, found others
    "#]].assert_eq(&found);
}

/// A ledger with the ids that follow from its content.
fn reidentified(json: &str) -> serde_json::Value {
    let mut ledger: serde_json::Value = serde_json::from_str(json).unwrap();
    let session = ledger["session_id"].clone();
    let at = ledger["created_at"].clone();
    let uuid = |value: &serde_json::Value| {
        json!(dalil_proof::id::Uuid::from_digest(&canon::digest(value).unwrap()).to_string())
    };
    let entries = ledger["entries"].as_array_mut().unwrap();
    for entry in entries {
        entry.as_object_mut().unwrap().remove("id");
        let named = json!([session, at, null, "entry", entry]);
        entry["id"] = uuid(&named);
    }
    ledger.as_object_mut().unwrap().remove("id");
    ledger["id"] = uuid(&ledger.clone());
    ledger
}

#[tokio::test]
async fn the_verdicts_of_the_deep_judge_are_judged_again_where_its_model_is() {
    let document = b"# Leave\n\nEmployees receive 15 days of annual leave.\n";
    let scratch = TestCorpusFolder::with("archive-deep", &[("policy.md", document)]);
    let corpus = scratch.corpus("policy.md");
    let file = deep_file(&scratch);
    for (name, mode) in [("d1", JudgeMode::Deep), ("d2", JudgeMode::Auto)] {
        let (_home, acme) = one(&format!("archive-deep-{name}")).await;
        let judges = Judges { models: JudgeModels::open(Some(&file)).unwrap(), mode };
        let checked = ledger_of(&judges.panel(2).unwrap(), &corpus);
        session::close(&acme, &checked, Some(&corpus), &context_at(2)).await.unwrap();
        let ledger = canon::bytes(&checked.ledger).unwrap();
        sealed_on(&acme, name, &serde_json::from_slice(&ledger).unwrap()).await;
        let with = JudgeModels::when_needed(Some(file.clone()));
        assert_eq!(
            verdicts(&acme, name, Some(&with)).await,
            "PASS: 2 claims, judged again with the same model: the same\n"
        );
        let without = JudgeModels::when_needed(None);
        assert_eq!(
            verdicts(&acme, name, Some(&without)).await,
            "INCOMPLETE: its judge's model is not here\n"
        );
    }
}
