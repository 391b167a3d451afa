use dalil_evidence::ledger;
use dalil_evidence::ledger::request::LedgerRequest;
use dalil_proof::erasure::LegalBasis;
use dalil_proof::hold::RecordScope;
use dalil_store::EvidenceTable;
use expect_test::{Expect, expect};

use super::*;
use crate::erase;
use crate::fixture::{
    context_at, house, keyed, one, person, said, seal_recorded, size, table, two, why,
};

fn check(actual: &str, expect: &Expect) {
    expect.assert_eq(&format!("{actual}\n"));
}

/// A pack of a decision of this sensitivity, by an agent of this name.
async fn sealed(tenant: &Tenant, sensitivity: &str, agent: &str) {
    let request = format!(
        r#"{{"decision":{{"decision_id":"dec-1","tenant_id":"acme","entity_id":"case-1","agent_name":"{agent}",
        "approval_class":"A0","reversibility_class":"R0","sensitivity_class":"{sensitivity}",
        "evidence":[{{"source":"hr.policy","uri":"lake://hr","excerpt":"15 days","retrieved_at":"2026-03-14T12:00:00Z","confidence":0.9}}],
        "created_at":"2026-03-14T12:00:00Z"}},
        "pack_id":"pack_00000000000000b1","created_at":"2026-03-14T12:30:00Z"}}"#
    );
    house(tenant).await;
    seal_recorded(tenant, request.as_bytes(), &context_at(1)).await.unwrap();
}

fn asked(approved_by: &[&str]) -> ExportRequest {
    ExportRequest {
        subject: ExportSubject::Pack("pack_00000000000000b1".to_owned()),
        format: ExportFormat::Json,
        language: Language::English,
        approved: ApprovalBasis::Named(approved_by.iter().map(|name| (*name).to_owned()).collect()),
        reason: "the auditor asked".to_owned(),
        verify_url: None,
    }
}

#[tokio::test]
async fn an_export_is_recorded_with_who_why_form_and_digest() {
    let (_home, acme) = one("export").await;
    sealed(&acme, "S2", "leave_agent").await;
    let (made, json) =
        export(&acme, &asked(&["the_manager"]), &person(5, "the_viewer")).await.unwrap();
    let draft = pack::content(&acme, &pack::find(&acme, "pack_00000000000000b1").await.unwrap())
        .await
        .unwrap();
    assert_eq!(json, canon::bytes(&draft).unwrap());
    assert_eq!((made.sha256, made.size), (Digest::of(&json), json.len()));
    let stored = acme.record(made.ack.index).await.unwrap().unwrap();
    assert_eq!(stored.record.envelope().actor, Actor::Person("the_viewer".to_owned()));
    let field = crate::operation::held_bytes(&stored, "export").unwrap();
    check(
        &String::from_utf8_lossy(field),
        &expect![[r#"
            {"approved_by":["the_manager"],"format":"json","language":"en","reason":"the auditor asked","sha256":"sha256:edf35867cebe3a685e696405335c8402fac954babe598e0c80634ffa8a404634","size":3177,"subject":"pack_00000000000000b1"}
        "#]],
    );
    check(
        &table(&acme, EvidenceTable::Exports).await,
        &expect![[r#"
            [11,0,"exp_…","pack_00000000000000b1","json","sha256:edf35867cebe3a685e696405335c8402fac954babe598e0c80634ffa8a404634","the_manager","the auditor asked",11,"2026-03-14T14:53:25.000Z"]

        "#]],
    );
    for language in [Language::English, Language::Arabic] {
        let readable =
            ExportRequest { format: ExportFormat::Markdown, language, ..asked(&["the_manager"]) };
        let (_, one) = export(&acme, &readable, &person(6, "the_viewer")).await.unwrap();
        let (_, other) = export(&acme, &readable, &person(6, "the_viewer")).await.unwrap();
        assert_eq!(one, other);
        assert_eq!(one, dalil_render::pack::markdown(&draft, language).into_bytes());
    }
    let whole = ExportRequest { format: ExportFormat::Archive, ..asked(&["the_manager"]) };
    let (_, first) = export(&acme, &whole, &person(7, "the_viewer")).await.unwrap();
    let (_, second) = export(&acme, &whole, &person(8, "the_viewer")).await.unwrap();
    let previous =
        |bytes: &[u8]| dalil_render::zip::read(bytes).unwrap().contains_key("data/previous.json");
    // The second names the first, which left before it.
    assert_eq!((previous(&first), previous(&second)), (false, true));
}

#[tokio::test]
async fn an_export_without_approval_leaves_a_refusal_and_no_byte() {
    let (_home, acme) = one("unapproved").await;
    sealed(&acme, "S2", "the_board").await;
    let before = size(&acme).await;
    let no = async |approvers: &[&str], who: &str| {
        why(export(&acme, &asked(approvers), &person(5, who)).await)
    };
    check(
        &no(&[], "the_viewer").await,
        &expect![[r#"
        `approver`: expected the approval of a manager or above, found none from a manager or above
        hint: an export is an action of class A1 or above, and needs its approval
    "#]],
    );
    check(
        &no(&["nobody"], "the_viewer").await,
        &expect![[r#"
        `approver`: expected a member of the tenant, found `nobody`
        hint: `dalil member add` makes one
    "#]],
    );
    check(
        &no(&["the_viewer"], "the_manager").await,
        &expect![[r#"
        `approver`: expected the role approver or above, found `the_viewer`, who is viewer
    "#]],
    );
    check(
        &no(&["the_legal"], "the_viewer").await,
        &expect![[r#"
        `approver`: expected a manager or above, for class A1, found `the_legal`, who has legal
    "#]],
    );
    check(
        &no(&["the_manager"], "The Manager").await,
        &expect![[r#"
        `approver`: expected somebody who is neither the exporter nor the agent, found `the_manager`
    "#]],
    );
    check(
        &no(&["the_board"], "the_viewer").await,
        &expect![[r#"
        `approver`: expected somebody who is neither the exporter nor the agent, found `the_board`
    "#]],
    );
    check(
        &no(&["the_manager"], "nobody").await,
        &expect![[r#"
        `actor`: expected a member of the tenant, found `nobody`
        hint: `dalil member add` makes one
    "#]],
    );
    // Each of these refusals is a record.
    assert_eq!(
        (size(&acme).await, table(&acme, EvidenceTable::Exports).await),
        (before + 7, String::new())
    );
    let silent = ExportRequest { reason: " ".to_owned(), ..asked(&["the_manager"]) };
    check(
        &why(export(&acme, &silent, &person(5, "the_viewer")).await),
        &expect![[r#"
        `reason`: expected why it leaves, found nothing
    "#]],
    );
}

#[tokio::test]
async fn no_agent_exports_and_its_refusal_is_a_record() {
    let (_home, acme) = one("agents-export").await;
    sealed(&acme, "S2", "the_board").await;
    let before = size(&acme).await;
    check(
        &why(export(&acme, &asked(&["the_manager"]), &context_at(5)).await),
        &expect![[r#"
        `actor`: expected a person, found `agent-7`
        hint: an agent records what it did; people let it leave
    "#]],
    );
    check(
        &why(export(&acme, &asked(&["the_manager"]), &person(5, "the_board")).await),
        &expect![[r#"
        `actor`: expected somebody who is not the agent, found `the_board`
        hint: somebody else must let out what the agent decided
    "#]],
    );
    let refused = async |index: u64| {
        let stored = acme.record(index).await.unwrap().unwrap();
        let said = crate::operation::held_bytes(&stored, "refusal").unwrap();
        format!("{:?} {}", stored.record.envelope().actor, String::from_utf8_lossy(said))
    };
    check(
        &refused(before).await,
        &expect![[r#"
        Agent("agent-7") {"action":"export","message":"expected a person, found `agent-7`","rule":"role"}
    "#]],
    );
    check(
        &refused(before + 1).await,
        &expect![[r#"
        Person("the_board") {"action":"export","message":"expected somebody who is not the agent, found `the_board`","rule":"role"}
    "#]],
    );
    let exports = table(&acme, EvidenceTable::Exports).await;
    assert_eq!((size(&acme).await, exports), (before + 2, String::new()));
}

#[tokio::test]
async fn personal_data_leaves_with_two_of_the_executives_or_the_board() {
    let (_home, acme) = one("personal").await;
    sealed(&acme, "S3", "leave_agent").await;
    let tried =
        async |approvers: &[&str]| export(&acme, &asked(approvers), &person(5, "the_viewer")).await;
    check(
        &why(tried(&["the_manager"]).await),
        &expect![[r#"
        `approver`: expected two of the executives or the board, for class A3, found `the_manager`, who has manager
    "#]],
    );
    check(
        &why(tried(&["the_board", "The Board"]).await),
        &expect![[r#"
        `approver`: expected the approval of two of the executives or the board, found 1 so far, 1 more needed: an executive or a member of the board
        hint: an export is an action of class A1 or above, and needs its approval
    "#]],
    );
    tried(&["the_board", "the_executive"]).await.unwrap();
}

#[tokio::test]
async fn a_second_try_under_the_same_key_is_the_same_export() {
    let (_home, acme) = one("export-key").await;
    sealed(&acme, "S2", "leave_agent").await;
    let context = |key| RequestContext { actor: person(0, "the_viewer").actor, ..keyed(5, key) };
    let forms = [
        ExportFormat::Json,
        ExportFormat::Sealed,
        ExportFormat::Archive,
        #[cfg(feature = "pdf")]
        ExportFormat::Pdf,
    ];
    for (key, format) in ["j", "s", "a", "p"].into_iter().zip(forms) {
        let asked = ExportRequest { format, ..asked(&["the_manager"]) };
        let first = export(&acme, &asked, &context(key)).await.unwrap();
        let after = size(&acme).await;
        let later = RequestContext { at: person(9, "").at, ..context(key) };
        assert!(export(&acme, &asked, &later).await.unwrap() == first, "{format:?}");
        assert_eq!(size(&acme).await, after);
    }
    let other = RequestContext { actor: person(0, "the_legal").actor, ..keyed(5, "j") };
    check(
        &why(export(&acme, &asked(&["the_manager"]), &other).await),
        &expect![[r#"
        cannot append a record: idempotency key `j`: expected the request that the key stands for, found another one
        hint: a new request needs a new key
    "#]],
    );
}

#[tokio::test]
async fn what_left_before_an_erasure_is_not_given_again() {
    let (_home, acme) = one("export-erased").await;
    sealed(&acme, "S2", "leave_agent").await;
    let context = RequestContext { actor: person(0, "the_viewer").actor, ..keyed(5, "k") };
    export(&acme, &asked(&["the_manager"]), &context).await.unwrap();
    let order = erase::ErasureOrder {
        scope: RecordScope::Kind(RecordKind::PackSealed),
        legal_basis: LegalBasis::CourtOrder,
        approved: ApprovalBasis::by("ada"),
        records: Vec::new(),
        rehearse: false,
    };
    erase::erase(&acme, &order, &person(6, "ada")).await.unwrap();
    check(
        &why(export(&acme, &asked(&["the_manager"]), &context).await),
        &expect![[r#"
            `key`: expected an export that can be given again, found an erasure since, in record 12
            hint: export it again, under another key: what was erased is left out
        "#]],
    );
}

#[tokio::test]
async fn what_is_erased_while_it_is_exported_does_not_leave() {
    let (_home, acme) = one("export-race").await;
    house(&acme).await;
    let mut both = 0;
    for n in 0..24 {
        let id = format!("pack_00000000000000{n:02x}");
        let request = format!(
            r#"{{"decision":{{"decision_id":"dec-{n}","tenant_id":"acme","entity_id":"case-1","agent_name":"a",
            "approval_class":"A0","reversibility_class":"R0","sensitivity_class":"S1",
            "evidence":[{{"source":"hr.policy","uri":"lake://hr","excerpt":"15 days","retrieved_at":"2026-03-14T12:00:00Z","confidence":0.9}}],
            "created_at":"2026-03-14T12:00:00Z"}},"pack_id":"{id}","created_at":"2026-03-14T12:30:00Z"}}"#
        );
        seal_recorded(&acme, request.as_bytes(), &context_at(1)).await.unwrap();
        let order = erase::ErasureOrder {
            scope: RecordScope::Subject(id.clone()),
            legal_basis: LegalBasis::CourtOrder,
            approved: ApprovalBasis::by("ada"),
            records: Vec::new(),
            rehearse: false,
        };
        let leaving = ExportRequest {
            subject: ExportSubject::Pack(id.clone()),
            format: ExportFormat::Archive,
            ..asked(&["the_manager"])
        };
        let (exporter, eraser) = (person(5, "the_viewer"), person(5, "ada"));
        // Each time a little later, from before the export until after it.
        let pause = std::time::Duration::from_micros(500 * n);
        let erasing = async {
            tokio::time::sleep(pause).await;
            erase::erase(&acme, &order, &eraser).await
        };
        let (left, gone) = tokio::join!(export(&acme, &leaving, &exporter), erasing);
        let gone = gone.unwrap().0.record.unwrap().index;
        if let Ok((left, _)) = left {
            assert!(left.ack.index < gone, "it left in {} and went in {gone}", left.ack.index);
            both += 1;
        }
    }
    assert!(both < 24, "no erasure came before an export");
}

#[tokio::test]
async fn a_link_ends_with_an_erasure() {
    let (_home, acme) = one("export-link").await;
    sealed(&acme, "S2", "leave_agent").await;
    let (made, bytes) =
        export(&acme, &asked(&["the_manager"]), &person(5, "the_viewer")).await.unwrap();
    let found = crate::index::export_of(&acme, &made.export_id).await.unwrap();
    assert_eq!((found.1, found.2), (made.sha256, bytes.len() as u64));
    let order = erase::ErasureOrder {
        scope: RecordScope::Subject("dec-1".to_owned()),
        legal_basis: LegalBasis::CourtOrder,
        approved: ApprovalBasis::by("ada"),
        records: Vec::new(),
        rehearse: false,
    };
    // The evidence of the pack is erased; the record and the object of the export are still there.
    erase::erase(&acme, &order, &person(6, "ada")).await.unwrap();
    check(
        &why(crate::index::export_of(&acme, &made.export_id).await),
        &expect![[r#"
            `export_id`: expected an export that can be given again, found an erasure since, in record 12
            hint: export it again, under another key: what was erased is left out
        "#]],
    );
}

#[cfg(feature = "pdf")]
#[tokio::test]
async fn the_pages_of_a_pack_are_the_same_whatever_the_trail_has_grown_to() {
    let (_home, acme) = one("export-pages").await;
    sealed(&acme, "S2", "leave_agent").await;
    let pages = ExportRequest { format: ExportFormat::Pdf, ..asked(&["the_manager"]) };
    let (_, first) = export(&acme, &pages, &person(5, "the_viewer")).await.unwrap();
    let (_, second) = export(&acme, &pages, &person(6, "the_viewer")).await.unwrap();
    assert!(first == second, "the second export has other bytes");
}

#[tokio::test]
async fn what_is_not_there_or_has_no_such_form_is_not_exported() {
    let (_home, acme, zenith) = two("export-none").await;
    sealed(&acme, "S2", "leave_agent").await;
    check(
        &why(export(&zenith, &asked(&["the_manager"]), &context_at(5)).await),
        &expect![[r#"
        `pack_id`: expected a pack of this tenant, found `pack_00000000000000b1`
    "#]],
    );
    let none = ExportRequest {
        subject: ExportSubject::Ledger("ses-9".to_owned()),
        ..asked(&["the_manager"])
    };
    check(
        &why(export(&acme, &none, &context_at(5)).await),
        &expect![[r#"
        `session`: expected a session of this tenant, found `ses-9`
    "#]],
    );
    assert!(said(&table(&acme, EvidenceTable::Exports).await).len() < 4);
}

/// A house of members and a session with a ledger of two claims.
async fn closed(tenant: &Tenant) -> dalil::check::CheckOutcome {
    house(tenant).await;
    let request = LedgerRequest::read(
        br#"{"session":{"id":"ses-1","query":"How many?"},"created_at":"2026-03-14T14:00:00Z","answer":"15 days. [cite:b8b859ac]",
        "claims":[{"claim_id":"c-1","claim_text":"15 days","claim_type":"numeric","importance":"critical","start_offset":0,"end_offset":7,
        "matches":[{"chunk_id":"b8b859ac","document":{"id":"doc-1","filename":"policy.md","page_number":12,"date":"2020-01-01"},"similarity":0.92,
        "support":"partial","contradicts":false,"snippet":"All employees receive 15 days."}]},
        {"claim_id":"c-2","claim_text":"Paid","claim_type":"fact","importance":"critical"}]}"#,
    )
    .unwrap();
    let ledger = ledger::check(&request).unwrap();
    let closed = dalil::check::CheckOutcome { request, ledger, replies: Vec::new() };
    session::close(tenant, &closed, None, &context_at(0)).await.unwrap();
    closed
}

/// The bytes of that ledger in a form, as they leave.
async fn left(tenant: &Tenant, format: ExportFormat, language: Language) -> Vec<u8> {
    let subject = ExportSubject::Ledger("ses-1".to_owned());
    // Without an approval: a ledger leaves on a reason and a record.
    let asked = ExportRequest { subject, format, language, ..asked(&[]) };
    export(tenant, &asked, &person(5, "the_viewer")).await.unwrap().1
}

#[cfg(feature = "pdf")]
#[tokio::test]
async fn a_ledger_leaves_as_pages_in_both_languages() {
    let (_home, acme) = one("export-ledger-pages").await;
    let ledger = closed(&acme).await.ledger;
    // The question and the answer come before the claims.
    let about = PrintoutAnswer::new(Some("How many?"), "15 days. [cite:b8b859ac]");
    for language in [Language::English, Language::Arabic] {
        let pages = dalil_render::pdf::ledger(&ledger, &about, language).unwrap();
        assert!(left(&acme, ExportFormat::Pdf, language).await == pages, "{language:?}");
    }
    let at = async |url: &str| {
        let (subject, format) = (ExportSubject::Ledger("ses-1".to_owned()), ExportFormat::Pdf);
        let asked =
            ExportRequest { subject, format, verify_url: Some(url.to_owned()), ..asked(&[]) };
        export(&acme, &asked, &person(5, "the_viewer")).await
    };
    let about = about.verified_at(Some("https://dalil.example/verify")).unwrap();
    let pages = dalil_render::pdf::ledger(&ledger, &about, Language::English).unwrap();
    assert!(at("https://dalil.example/verify").await.unwrap().1 == pages, "the code leads there");
    // Pages that cannot be pressed again would fail every verification.
    let before = size(&acme).await;
    expect!["`verify_url`: expected an `http` or `https` URL with a host, of at most 256 printable ASCII characters, without user, query and fragment, found `https://دليل.example/verify`"]
        .assert_eq(&why(at("https://دليل.example/verify").await));
    assert_eq!(size(&acme).await, before);
}

#[cfg(feature = "pdf")]
#[tokio::test]
async fn the_pages_of_a_ledger_leave_with_what_people_decided() {
    let (_home, acme) = one("export-ledger-reviewed").await;
    let ledger = closed(&acme).await.ledger;
    for (claim, action) in [("c-1", "commented"), ("c-1", "resolved"), ("c-2", "resolved")] {
        let order = serde_json::json!({"ledger_id": ledger.id.to_string(), "claim_id": claim,
            "action": action, "reason": "The annex."});
        let order = order.to_string();
        claim_review::record(&acme, "ses-1", order.as_bytes(), &person(2, "the_legal"))
            .await
            .unwrap();
    }
    let reviews = claim_review::said(&acme, "ses-1").await.unwrap();
    let about = PrintoutAnswer::new(Some("How many?"), "15 days. [cite:b8b859ac]");
    let about = about.reviewed(&ledger, &reviews);
    assert_eq!(
        said(&about.reviews),
        r#"[{"action":"resolved","at":"2026-03-14T14:53:22.000Z","claim_id":"c-1","reviewer":"the_legal"},{"action":"resolved","at":"2026-03-14T14:53:22.000Z","claim_id":"c-2","reviewer":"the_legal"}]"#
    );
    let pages = dalil_render::pdf::ledger(&ledger, &about, Language::English).unwrap();
    assert!(left(&acme, ExportFormat::Pdf, Language::English).await == pages);
}

#[tokio::test]
async fn a_ledger_leaves_in_the_forms_of_ledgers() {
    let (_home, acme) = one("export-ledger").await;
    let dalil::check::CheckOutcome { request, ledger, .. } = closed(&acme).await;
    let out = async |format| left(&acme, format, Language::English).await;
    let checked =
        [AnswerLedger { name: "ses-1", text: request.answer.as_deref().unwrap(), ledger: &ledger }];
    let exported = LedgerExport::of(&ledger);
    assert_eq!(out(ExportFormat::Json).await, canon::bytes(&exported).unwrap());
    assert_eq!(out(ExportFormat::Ledger).await, canon::bytes(&ledger).unwrap());
    let text = markdown(&ledger, &request.session, Language::English);
    assert_eq!(out(ExportFormat::Markdown).await, text.into_bytes());
    assert_eq!(
        out(ExportFormat::Sarif).await,
        canon::bytes(&sarif::log(&checked, &|_| None)).unwrap()
    );
    assert_eq!(out(ExportFormat::Junit).await, junit::xml(&checked).into_bytes());
    let form = ExportRequest {
        format: ExportFormat::Sarif,
        subject: ExportSubject::Pack("p".to_owned()),
        ..asked(&[])
    };
    check(
        &why(export(&acme, &form, &context_at(5)).await),
        &expect![[r#"
            `format`: expected `json`, `sealed`, `in-toto`, `markdown`, `pdf` or `archive`, found a form of ledgers
        "#]],
    );
}

#[tokio::test]
async fn a_pack_leaves_as_a_statement_that_verifies() {
    let (_home, acme) = one("export-in-toto").await;
    sealed(&acme, "S2", "leave_agent").await;
    let asked = ExportRequest { format: ExportFormat::InToto, ..asked(&["the_manager"]) };
    let (made, statement) = export(&acme, &asked, &person(5, "the_viewer")).await.unwrap();
    assert_eq!(made.sha256, Digest::of(&statement));
    let trust = canon::bytes(&crate::keys::trust(&acme, None).await.unwrap()).unwrap();
    let trust = dalil_proof::trust::Trust::parse(&trust).unwrap();
    let now = "2026-03-16T00:00:00Z".parse().unwrap();
    let report = dalil_evidence::verify::file(&statement, &trust, now);
    let told = report.findings.iter().filter(|one| one.part.starts_with("statement"));
    let told: Vec<String> = told.map(|one| format!("{} {}", one.verdict, one.part)).collect();
    assert_eq!(told, ["PASS statement", "PASS statement signature", "PASS statement key"]);
    assert_eq!(report.verdict(), dalil_proof::report::CheckStatus::Pass, "{report:?}");
    let ledger = ExportRequest { subject: ExportSubject::Ledger("ses_1".to_owned()), ..asked };
    check(
        &why(export(&acme, &ledger, &person(6, "the_viewer")).await),
        &expect![[r#"
        `format`: expected `json`, `ledger`, `markdown`, `pdf`, `sarif` or `junit`, found a form of packs
    "#]],
    );
}
