use dalil_evidence::access::{Member, MemberRole, MemberTitle};
use dalil_evidence::apikey::{ApiKeyScope, Pepper};
use dalil_evidence::ledger;
use dalil_evidence::ledger::request::LedgerRequest;
use dalil_phrasebook::Language;
use dalil_proof::decode;
use dalil_proof::erasure::LegalBasis;
use dalil_proof::hold::RecordScope;
use expect_test::{Expect, expect};

use super::matter::CHANGE_USED;
use super::*;
use crate::erase::{self, erase};
use crate::export::{ExportFormat, ExportRequest, ExportSubject, export};
use crate::fixture::{at, context_at, house, keyed, one, person, seal_recorded, size, two, why};
use crate::index::ListRange;
use crate::operation::held_bytes;
use crate::{apikey, member, session, trail};

const PACK: &str = "pack_00000000000000b1";
const HOUR: i64 = 60 * 60;
const ALL: ListRange = ListRange { from: 0, limit: u32::MAX, newest: false };

fn check(actual: &str, expect: &Expect) {
    expect.assert_eq(&format!("{actual}\n"));
}

/// A pack of a decision of this sensitivity, and those who approve.
async fn sealed(tenant: &Tenant, sensitivity: &str) {
    let request = format!(
        r#"{{"decision":{{"decision_id":"dec-1","tenant_id":"{}","entity_id":"case-1","agent_name":"leave_agent",
        "approval_class":"A0","reversibility_class":"R0","sensitivity_class":"{sensitivity}",
        "evidence":[{{"source":"hr.policy","uri":"lake://hr","excerpt":"15 days","retrieved_at":"2026-03-14T12:00:00Z","confidence":0.9}}],
        "created_at":"2026-03-14T12:00:00Z"}},
        "pack_id":"{PACK}","created_at":"2026-03-14T12:30:00Z"}}"#,
        tenant.name()
    );
    house(tenant).await;
    seal_recorded(tenant, request.as_bytes(), &context_at(1)).await.unwrap();
}

fn wanted(format: ExportFormat, language: Language, reason: &str) -> ApprovalRequest {
    let (subject, reason) = (ExportSubject::Pack(PACK.to_owned()), reason.to_owned());
    ApprovalRequest::Export { subject, format, language, reason, content: None }
}

fn usual() -> ApprovalRequest {
    wanted(ExportFormat::Json, Language::English, "the auditor asked")
}

fn order(format: ExportFormat, language: Language, reason: &str) -> ExportRequest {
    let (subject, reason) = (ExportSubject::Pack(PACK.to_owned()), reason.to_owned());
    let (approved, verify_url) = (ApprovalBasis::Given, None);
    ExportRequest { subject, format, language, approved, reason, verify_url }
}

fn leaving() -> ExportRequest {
    order(ExportFormat::Json, Language::English, "the auditor asked")
}

/// The export of the usual thing by the viewer, or why not.
async fn leaves(tenant: &Tenant, second: i64) -> String {
    let done = export(tenant, &leaving(), &person(second, "the_viewer")).await;
    done.map_or_else(|failure| why::<()>(Err(failure)), |_| "it left".to_owned())
}

async fn gives(
    tenant: &Tenant,
    asked: &ApprovalRequest,
    who: &str,
    second: i64,
) -> Result<ApprovalSummary, OperationFailure> {
    give(tenant, asked, "oidc:issuer", &person(second, who)).await
}

#[tokio::test]
async fn a_viewer_asks_an_approver_approves_and_it_leaves_once() {
    let (_home, acme) = one("given").await;
    sealed(&acme, "S2").await;
    let asked = ask(&acme, &usual(), &person(5, "the_viewer")).await.unwrap();
    assert_eq!(
        (asked.state, asked.missing.as_slice()),
        (ApprovalLifecycle::Waiting, &[dalil_phrasebook::approval::a_manager_or_above()][..])
    );
    assert_eq!(asked.expires_at, at(5 + 48 * HOUR).to_string());
    let again = ask(&acme, &usual(), &person(6, "the_viewer")).await.unwrap();
    assert_eq!(again.request_id, asked.request_id, "asked once while it is open");
    let given = gives(&acme, &usual(), "the_manager", 7).await.unwrap();
    assert_eq!(given.matter, asked.matter);
    let stands = about(&acme, PACK, at(8)).await.unwrap();
    assert_eq!((stands.len(), stands[0].state), (1, ApprovalLifecycle::Approved));
    assert_eq!(stands[0].approved_by[0].name, "the_manager");

    let before = size(&acme).await;
    let (made, _) = export(&acme, &leaving(), &person(9, "the_viewer")).await.unwrap();
    let stored = acme.record(made.ack.index).await.unwrap().unwrap();
    let said = String::from_utf8_lossy(held_bytes(&stored, "export").unwrap()).into_owned();
    assert!(said.starts_with(r#"{"approved_by":["the_manager"],"#), "{said}");
    let used = acme.record(made.ack.index + 1).await.unwrap().unwrap();
    assert_eq!(used.record.envelope().kind, RecordKind::ApprovalUsed);
    assert_eq!(used.record.envelope().subject, PACK);
    assert_eq!(
        held_bytes(&used, "approvals").unwrap(),
        format!("[\"{}\"]", given.approval_id).as_bytes()
    );
    assert_eq!(size(&acme).await, before + 2);
    let told = approvals(&acme, ALL, at(10)).await.unwrap();
    assert_eq!(
        (told[0].state, told[0].used_by),
        (ApprovalLifecycle::Used, Some(made.ack.index + 1))
    );
    let done = requests(&acme, ALL, at(10)).await.unwrap().remove(0);
    let by: Vec<(&str, &[&str])> =
        done.approved_by.iter().map(|one| (one.name.as_str(), one.titles.as_slice())).collect();
    assert_eq!(
        (done.state, by),
        (ApprovalLifecycle::Used, vec![("the_manager", &["manager"][..])])
    );
    assert_eq!(done.missing, []);
    let left = crate::index::exports(&acme, ALL).await.unwrap();
    assert_eq!(left[0].exported_by.as_deref(), Some("the_viewer"));

    check(
        &leaves(&acme, 10).await,
        &expect![[r#"
        `approvals`: expected 1 approval of exactly this, of a manager or above, found 0 that count; still needed: a manager or above
        hint: whoever may approve sends `POST /api/v1/approvals` with their own credential, or approves it in the viewer; it counts once, for 48 hours, and for the same action, object, form, language and reason
    "#]],
    );
    assert_eq!(size(&acme).await, before + 3, "the refusal is a record");
    // A used approval may be given again.
    gives(&acme, &usual(), "the_manager", 11).await.unwrap();
    assert_eq!(leaves(&acme, 12).await, "it left");
}

#[tokio::test]
async fn an_asker_does_not_approve_and_an_agent_does_not_export() {
    let (_home, acme) = one("askers").await;
    sealed(&acme, "S2").await;
    gives(&acme, &usual(), "the_manager", 5).await.unwrap();
    ask(&acme, &usual(), &person(6, "the_manager")).await.unwrap();
    assert!(leaves(&acme, 7).await.contains("found 0 that count"));
    gives(&acme, &usual(), "the_executive", 8).await.unwrap();
    let by = async |context| why(export(&acme, &leaving(), &context).await);
    check(
        &[by(context_at(9)).await, by(person(9, "leave_agent")).await].join("\n"),
        &expect![[r#"
        `actor`: expected a person, found `agent-7`
        hint: an agent records what it did; people let it leave
        `actor`: expected somebody who is not the agent, found `leave_agent`
        hint: somebody else must let out what the agent decided
    "#]],
    );
    assert_eq!(leaves(&acme, 10).await, "it left");
}

#[tokio::test]
async fn an_approval_counts_for_48_hours() {
    let (_home, acme) = one("given-time").await;
    sealed(&acme, "S2").await;
    gives(&acme, &usual(), "the_manager", 10).await.unwrap();
    assert_eq!(
        approvals(&acme, ALL, at(10 + 48 * HOUR)).await.unwrap()[0].state,
        ApprovalLifecycle::Expired
    );
    let other = wanted(ExportFormat::Json, Language::English, "another reason");
    ask(&acme, &other, &person(11, "the_viewer")).await.unwrap();
    assert_eq!(
        about(&acme, PACK, at(11 + 48 * HOUR)).await.unwrap()[0].state,
        ApprovalLifecycle::Expired
    );
    assert_eq!(leaves(&acme, 9 + 48 * HOUR).await, "it left");
    gives(&acme, &usual(), "the_manager", 50 * HOUR).await.unwrap();
    assert!(leaves(&acme, 98 * HOUR).await.contains("0 that count"));
}

#[tokio::test]
async fn an_approval_is_for_one_form_language_reason_and_object() {
    let (_home, acme, zenith) = two("given-bound").await;
    sealed(&acme, "S2").await;
    sealed(&zenith, "S2").await;
    let english = wanted(ExportFormat::Markdown, Language::English, "the auditor asked");
    gives(&acme, &english, "the_manager", 5).await.unwrap();
    let (arabic, other) = (Language::Arabic, "somebody else asked");
    for not in [
        leaving(),
        order(ExportFormat::Markdown, arabic, "the auditor asked"),
        order(ExportFormat::Markdown, Language::English, other),
        ExportRequest {
            subject: ExportSubject::Pack("pack_00000000000000b2".to_owned()),
            ..order(ExportFormat::Markdown, Language::English, "the auditor asked")
        },
    ] {
        assert!(export(&acme, &not, &person(6, "the_viewer")).await.is_err(), "{not:?}");
    }
    let same = order(ExportFormat::Markdown, Language::English, "the auditor asked");
    assert!(export(&zenith, &same, &person(6, "the_viewer")).await.is_err(), "another tenant's");
    assert_eq!(approvals(&zenith, ALL, at(6)).await.unwrap(), []);
    export(&acme, &same, &person(7, "the_viewer")).await.unwrap();
    // JSON is the same in every language.
    gives(&acme, &wanted(ExportFormat::Json, arabic, "why"), "the_manager", 8).await.unwrap();
    export(&acme, &order(ExportFormat::Json, Language::English, "why"), &person(9, "the_viewer"))
        .await
        .unwrap();
}

#[tokio::test]
async fn who_may_not_approve_is_refused_and_recorded() {
    let (_home, acme) = one("given-who").await;
    sealed(&acme, "S2").await;
    let agent = Member {
        name: "leave_agent".to_owned(),
        role: MemberRole::Approver,
        titles: [MemberTitle::Manager].into(),
    };
    member::add(&acme, &agent, &person(1, "ada")).await.unwrap();
    ask(&acme, &usual(), &person(4, "the_executive")).await.unwrap();
    let before = size(&acme).await;
    let mut told = Vec::new();
    for who in ["the_viewer", "the_legal", "nobody", "leave_agent", "the_executive"] {
        told.push(why(gives(&acme, &usual(), who, 5).await));
    }
    told.push(why(give(&acme, &usual(), "apikey:0", &context_at(5)).await));
    gives(&acme, &usual(), "the_manager", 6).await.unwrap();
    told.push(why(gives(&acme, &usual(), "The-Manager", 7).await));
    check(
        &told.join("\n"),
        &expect![[r#"
            `actor`: expected the role approver or above, found `the_viewer`, who is viewer
            `actor`: expected a manager or above, for class A1, found `the_legal`, who has legal
            `actor`: expected a member of the tenant, found `nobody`
            hint: `dalil member add` makes one
            `actor`: expected somebody who is not the agent, found `leave_agent`
            `actor`: expected somebody else than who asked for it, found `the_executive`, in record 12
            `actor`: expected a person, found `agent-7`
            hint: people approve
            `actor`: expected another approver: each counts once, found `The-Manager`, who approved it in record 19
        "#]],
    );
    assert_eq!(size(&acme).await, before + 8, "each refusal is a record");
    // The person who exports does not approve.
    assert!(
        why(export(&acme, &leaving(), &person(8, "the_manager")).await).contains("0 that count")
    );
    assert_eq!(leaves(&acme, 9).await, "it left");
}

#[tokio::test]
async fn an_approval_counts_only_while_its_approver_may_and_its_key_opens() {
    let (_home, acme) = one("given-gone").await;
    sealed(&acme, "S2").await;
    let order = apikey::NewApiKey {
        actor: Actor::Person("the_manager".to_owned()),
        scopes: [ApiKeyScope::Review].into(),
        expires_at: None,
    };
    let pepper = Pepper::new([3; 32]);
    let key = apikey::add(&acme, &order, &pepper, &context_at(2)).await.unwrap().key.key_id;
    let credential = format!("apikey:{key}");
    give(&acme, &usual(), &credential, &person(5, "the_manager")).await.unwrap();
    assert_eq!(approvals(&acme, ALL, at(6)).await.unwrap()[0].state, ApprovalLifecycle::Approved);
    apikey::revoke(&acme, &key, &context_at(6)).await.unwrap();
    assert!(leaves(&acme, 7).await.contains("0 that count"));
    assert_eq!(approvals(&acme, ALL, at(7)).await.unwrap()[0].state, ApprovalLifecycle::Void);

    gives(&acme, &usual(), "the_board", 8).await.unwrap();
    member::remove(&acme, "the_board", &person(9, "ada")).await.unwrap();
    assert!(leaves(&acme, 10).await.contains("0 that count"));

    let given = gives(&acme, &usual(), "the_executive", 11).await.unwrap();
    let erasing = erase::ErasureOrder {
        scope: RecordScope::Kind(RecordKind::ApprovalGiven),
        legal_basis: LegalBasis::DataSubjectRequest,
        approved: ApprovalBasis::by("dpo"),
        records: vec![given.index],
        rehearse: false,
    };
    let refused = why(erase(&acme, &erasing, &context_at(12)).await);
    assert!(refused.contains("a kind that may be erased, found `approval.given`"), "{refused}");
    assert_eq!(leaves(&acme, 15).await, "it left");
    let used = acme.select(&MatterRow::query().change(CHANGE_USED)).await.unwrap();
    let records = used.last().map(|used| used.index).into_iter().collect();
    let use_of_one = erase::ErasureOrder { scope: RecordScope::All, records, ..erasing };
    assert!(
        why(erase(&acme, &use_of_one, &context_at(16)).await).contains("a kind that may be erased")
    );
}

#[tokio::test]
async fn what_is_regulated_needs_two_people() {
    let (_home, acme) = one("given-two").await;
    sealed(&acme, "S3").await;
    let asked = ask(&acme, &usual(), &person(4, "the_viewer")).await.unwrap();
    assert_eq!((asked.required_approvers, asked.missing.len()), (2, 2));
    gives(&acme, &usual(), "the_board", 5).await.unwrap();
    check(
        &why(gives(&acme, &usual(), "the_board", 6).await),
        &expect![[r#"
            `actor`: expected another approver: each counts once, found `the_board`, who approved it in record 12
        "#]],
    );
    check(
        &leaves(&acme, 6).await,
        &expect![[r#"
        `approvals`: expected 2 approvals of exactly this, of two of the executives or the board, found 1 that counts; still needed: an executive or a member of the board
        hint: whoever may approve sends `POST /api/v1/approvals` with their own credential, or approves it in the viewer; it counts once, for 48 hours, and for the same action, object, form, language and reason
    "#]],
    );
    gives(&acme, &usual(), "the_executive", 7).await.unwrap();
    assert_eq!(leaves(&acme, 8).await, "it left");
}

#[tokio::test]
async fn no_more_approvals_are_used_than_are_needed() {
    let (_home, acme) = one("given-spare").await;
    sealed(&acme, "S2").await;
    gives(&acme, &usual(), "the_manager", 5).await.unwrap();
    gives(&acme, &usual(), "the_board", 5).await.unwrap();
    assert_eq!(leaves(&acme, 6).await, "it left");
    assert_eq!(leaves(&acme, 7).await, "it left");
    assert!(leaves(&acme, 8).await.contains("0 that count"));
}

#[tokio::test]
async fn of_two_exports_at_once_one_uses_the_approval() {
    let (_home, acme) = one("given-race").await;
    sealed(&acme, "S2").await;
    for round in 0..8 {
        gives(&acme, &usual(), "the_manager", 10 + round * 10).await.unwrap();
        let (one, other) =
            tokio::join!(leaves(&acme, 11 + round * 10), leaves(&acme, 12 + round * 10));
        let left = [&one, &other].into_iter().filter(|said| *said == "it left").count();
        assert_eq!(left, 1, "{one}\n{other}");
    }
}

#[tokio::test]
async fn a_retry_under_the_same_key_needs_no_second_approval() {
    let (_home, acme) = one("given-key").await;
    sealed(&acme, "S2").await;
    let named = |second| RequestContext {
        actor: Actor::Person("the_viewer".to_owned()),
        ..keyed(second, "k-1")
    };
    let given = |second| RequestContext {
        actor: Actor::Person("the_manager".to_owned()),
        ..keyed(second, "k-2")
    };
    let asked =
        ask(&acme, &usual(), &RequestContext { key: Some("k-3".to_owned()), ..named(4) }).await;
    let again =
        ask(&acme, &usual(), &RequestContext { key: Some("k-3".to_owned()), ..named(5) }).await;
    assert_eq!(asked.unwrap().request_id, again.unwrap().request_id);
    let first = give(&acme, &usual(), "oidc:x", &given(5)).await.unwrap();
    assert_eq!(
        give(&acme, &usual(), "oidc:x", &given(6)).await.unwrap().approval_id,
        first.approval_id
    );
    let (made, content) = export(&acme, &leaving(), &named(7)).await.unwrap();
    assert_eq!(export(&acme, &leaving(), &named(8)).await.unwrap(), (made, content));
}

#[tokio::test]
async fn the_key_of_one_approver_does_not_answer_another() {
    let (_home, acme) = one("given-by-two").await;
    sealed(&acme, "S3").await;
    let by = |who: &str| RequestContext { key: Some("k-1".to_owned()), ..person(5, who) };
    let first = give(&acme, &usual(), "oidc:x", &by("the_board")).await.unwrap();
    assert_eq!(first.approver, "the_board");
    check(
        &why(give(&acme, &usual(), "oidc:x", &by("the_executive")).await),
        &expect![[r#"
        cannot append a record: idempotency key `k-1`: expected the request that the key stands for, found another one
        hint: a new request needs a new key
    "#]],
    );
    assert_eq!(approvals(&acme, ALL, at(6)).await.unwrap().len(), 1);
}

#[tokio::test]
async fn another_ledger_of_the_session_is_another_matter() {
    let (_home, acme) = one("given-ledger").await;
    house(&acme).await;
    let save = async |hour: &str, second| {
        let previous = session::newest(&acme, "ses-1").await.unwrap();
        let mut request = LedgerRequest::read(format!(
            r#"{{"session":{{"id":"ses-1","query":"How many?"}},"created_at":"2026-03-14T{hour}:00:00Z","answer":"15 days.",
            "claims":[{{"claim_id":"c-1","claim_text":"15 days","claim_type":"numeric","importance":"critical","start_offset":0,"end_offset":7}}]}}"#
        ).as_bytes()).unwrap();
        request.previous_ledger_id = previous;
        let ledger = ledger::check(&request).unwrap();
        let closed = dalil::check::CheckOutcome { request, ledger, replies: Vec::new() };
        session::close(&acme, &closed, None, &context_at(second)).await.unwrap();
    };
    save("12", 2).await;
    let asked = ApprovalRequest::Export {
        subject: ExportSubject::Ledger("ses-1".to_owned()),
        format: ExportFormat::Json,
        language: Language::English,
        reason: "why".to_owned(),
        content: None,
    };
    let given = gives(&acme, &asked, "the_manager", 3).await.unwrap();
    save("13", 4).await;
    let order = ExportRequest {
        subject: ExportSubject::Ledger("ses-1".to_owned()),
        ..order(ExportFormat::Json, Language::English, "why")
    };
    export(&acme, &order, &person(5, "the_viewer")).await.unwrap();
    assert_eq!(approvals(&acme, ALL, at(5)).await.unwrap()[0].state, ApprovalLifecycle::Void);
    // The matter that was looked at names the ledger, and is refused.
    let said = canon::bytes(&given.matter).unwrap();
    let held = decode::request(&said, super::asked).unwrap();
    assert!(why(gives(&acme, &held, "the_board", 6).await).contains("`content`: expected"));
}

#[tokio::test]
async fn the_trail_leaves_and_payloads_go_on_the_word_of_another() {
    let (_home, acme) = one("given-trail").await;
    sealed(&acme, "S2").await;
    for name in ["ada", "bea"] {
        let titles = [MemberTitle::Board].into();
        let member = Member { name: name.to_owned(), role: MemberRole::Admin, titles };
        member::add(&acme, &member, &RequestContext { actor: Actor::System, ..context_at(2) })
            .await
            .unwrap();
    }
    let (reason, withhold) = ("audit".to_owned(), vec!["pack".to_owned()]);
    let whole = trail::TrailExportRequest {
        from: 0,
        withhold: withhold.clone(),
        approved: ApprovalBasis::Given,
        reason: reason.clone(),
    };
    let asked = ApprovalRequest::Trail { from: 0, withhold, reason };
    let mut lines = Vec::new();
    let mut write = |line: &[u8]| {
        lines.extend_from_slice(line);
        Ok(())
    };
    let refused = trail::export(&acme, &whole, &person(5, "ada"), &mut write).await;
    check(
        &why(refused),
        &expect![[r#"
        `approvals`: expected 1 approval of exactly this, of a manager or above, found 0 that count; still needed: a manager or above
        hint: whoever may approve sends `POST /api/v1/approvals` with their own credential, or approves it in the viewer; it counts once, for 48 hours, and for the same action, object, form, language and reason
    "#]],
    );
    let agent = trail::export(&acme, &whole, &context_at(5), &mut write).await;
    assert!(why(agent).contains("expected a person"));
    gives(&acme, &asked, "the_manager", 6).await.unwrap();
    let other = trail::TrailExportRequest { withhold: Vec::new(), ..whole.clone() };
    assert!(trail::export(&acme, &other, &person(7, "ada"), &mut write).await.is_err());
    trail::export(&acme, &whole, &person(7, "ada"), &mut write).await.unwrap();
    assert!(trail::export(&acme, &whole, &person(8, "ada"), &mut write).await.is_err(), "once");

    let order = erase::ErasureOrder {
        scope: RecordScope::Subject(PACK.to_owned()),
        legal_basis: LegalBasis::CourtOrder,
        approved: ApprovalBasis::Given,
        records: Vec::new(),
        rehearse: false,
    };
    let asked = ApprovalRequest::Erase {
        scope: order.scope.clone(),
        legal_basis: order.legal_basis,
        records: Vec::new(),
    };
    let rehearsal = erase::ErasureOrder { rehearse: true, ..order.clone() };
    let (would, _) = erase(&acme, &rehearsal, &person(9, "ada")).await.unwrap();
    assert_eq!(would.record, None);
    check(
        &why(erase(&acme, &order, &person(9, "ada")).await),
        &expect![[r#"
        `approvals`: expected 1 approval of exactly this, of an admin, found 0 that count; still needed: an admin
        hint: whoever may approve sends `POST /api/v1/approvals` with their own credential, or approves it in the viewer; it counts once, for 48 hours, and for the same action, object, form, language and reason
    "#]],
    );
    assert!(why(gives(&acme, &asked, "the_manager", 10).await).contains("the role admin or above"));
    gives(&acme, &asked, "bea", 10).await.unwrap();
    let (erased, _) = erase(&acme, &order, &person(11, "ada")).await.unwrap();
    let stored = acme.record(erased.record.unwrap().index).await.unwrap().unwrap();
    let said = String::from_utf8_lossy(held_bytes(&stored, "erasure").unwrap()).into_owned();
    assert!(said.starts_with(r#"{"approver":"bea","#), "{said}");
}

#[tokio::test]
async fn who_asked_before_does_not_approve_whatever_became_of_it() {
    let (_home, acme) = one("asked-before").await;
    sealed(&acme, "S2").await;
    let refused = async |asked: &ApprovalRequest, second| {
        why(gives(&acme, asked, "the_manager", second).await)
    };
    let other_words = wanted(ExportFormat::Json, Language::Arabic, "for the auditor");
    ask(&acme, &usual(), &person(5, "the_manager")).await.unwrap();
    let own = &expect![[r#"
        `actor`: expected somebody else than who asked for it, found `the_manager`, in record 11
    "#]];
    check(&refused(&usual(), 6).await, own);
    // The same export with another reason and in another language, while the request is open.
    ask(&acme, &other_words, &person(7, "the_viewer")).await.unwrap();
    check(&refused(&other_words, 8).await, own);
    // Another form is another action.
    let another = wanted(ExportFormat::Markdown, Language::English, "the auditor asked");
    gives(&acme, &another, "the_manager", 9).await.unwrap();
    // Long after the request has ended, it was still the manager's own.
    let late = 5 + 49 * HOUR;
    ask(&acme, &usual(), &person(late, "the_viewer")).await.unwrap();
    check(&refused(&usual(), late + 1).await, own);
    gives(&acme, &usual(), "the_board", late + 2).await.unwrap();
    assert_eq!(leaves(&acme, late + 3).await, "it left");
    // And after it was done.
    check(&refused(&usual(), late + 4).await, own);
    // An action without an open request may be approved in other words.
    gives(&acme, &other_words, "the_manager", late + 5).await.unwrap();
}

/// Does something four times at the same moment.
async fn at_once<T>(work: impl AsyncFn() -> T) -> [T; 4] {
    let (one, two, three, four) = tokio::join!(work(), work(), work(), work());
    [one, two, three, four]
}

/// How many records of a kind there are.
async fn count(tenant: &Tenant, kind: RecordKind) -> usize {
    let all = tenant.records(0..size(tenant).await).await.unwrap();
    all.iter().filter(|stored| stored.record.envelope().kind == kind).count()
}

#[tokio::test]
async fn requests_under_one_key_at_once_are_one_and_nobody_is_refused() {
    let (_home, acme) = one("one-key").await;
    sealed(&acme, "S2").await;
    for name in ["ada", "bea"] {
        let member = Member { name: name.to_owned(), role: MemberRole::Admin, titles: [].into() };
        let system = RequestContext { actor: Actor::System, ..context_at(2) };
        member::add(&acme, &member, &system).await.unwrap();
    }
    let by = |who: &str, key: &str| RequestContext {
        key: Some(key.to_owned()),
        time_source: dalil_store::TimeSource::Clock,
        ..person(9, who)
    };
    // A pack, under one approval.
    gives(&acme, &usual(), "the_manager", 5).await.unwrap();
    let (order, context) = (leaving(), by("the_viewer", "k-pack"));
    let all = at_once(async || export(&acme, &order, &context).await).await;
    let places: Vec<u64> = all.into_iter().map(|done| done.unwrap().0.ack.index).collect();
    assert!(places.iter().all(|place| *place == places[0]), "{places:?}");

    // The trail, under one approval; and again later, after others have changed the exported
    // records.
    let (reason, withhold) = ("audit".to_owned(), Vec::new());
    let asked = ApprovalRequest::Trail { from: 0, withhold: Vec::new(), reason: reason.clone() };
    gives(&acme, &asked, "the_manager", 6).await.unwrap();
    let approved = ApprovalBasis::Given;
    let whole = trail::TrailExportRequest { from: 0, withhold, approved, reason };
    let context = by("ada", "k-trail");
    let leave = async || {
        let mut lines = Vec::new();
        let mut write = |line: &[u8]| {
            lines.extend_from_slice(line);
            Ok(())
        };
        let made = trail::export(&acme, &whole, &context, &mut write).await.unwrap();
        (made.record.index, made.sha256, lines)
    };
    let all = at_once(&leave).await;
    assert!(all.iter().all(|one| *one == all[0]));
    let other =
        trail::TrailExportRequest { approved: ApprovalBasis::by("the_manager"), ..whole.clone() };
    trail::export(&acme, &other, &person(10, "ada"), &mut |_| Ok(())).await.unwrap();
    assert_eq!(leave().await, all[0]);

    // Payloads go once.
    let scope = RecordScope::Subject(PACK.to_owned());
    let legal_basis = LegalBasis::CourtOrder;
    let records = Vec::new();
    let asked = ApprovalRequest::Erase { scope: scope.clone(), legal_basis, records };
    gives(&acme, &asked, "bea", 11).await.unwrap();
    let (approved, records) = (ApprovalBasis::Given, Vec::new());
    let order = erase::ErasureOrder { scope, legal_basis, approved, records, rehearse: false };
    let context = RequestContext { at: at(12), ..by("ada", "k-erase") };
    let all = at_once(async || erase(&acme, &order, &context).await).await;
    let gone: Vec<_> = all.into_iter().map(|done| done.unwrap().0).collect();
    assert!(gone.iter().all(|one| *one == gone[0]), "{gone:?}");
    assert_eq!(count(&acme, RecordKind::AccessRefused).await, 0);
    assert_eq!(count(&acme, RecordKind::ApprovalUsed).await, 3);
}

#[tokio::test]
async fn the_one_whose_word_a_trail_leaves_on_has_the_title_for_it() {
    let (_home, acme) = one("trail-title").await;
    house(&acme).await;
    let ada = Member { name: "ada".to_owned(), role: MemberRole::Admin, titles: [].into() };
    let bea = Member { name: "bea".to_owned(), ..ada.clone() };
    member::add(&acme, &ada, &person(1, "ada")).await.unwrap();
    member::add(&acme, &bea, &person(2, "ada")).await.unwrap();
    let leave = async |approver: &str| {
        let (reason, approved) = ("audit".to_owned(), ApprovalBasis::by(approver));
        let asked = trail::TrailExportRequest { from: 0, withhold: Vec::new(), approved, reason };
        trail::export(&acme, &asked, &person(3, "ada"), &mut |_| Ok(())).await
    };
    let refused = leave("bea").await.unwrap_err().to_string();
    assert_eq!(
        refused,
        "`approver`: expected a manager or above, for class A1, found `bea`, who has no title"
    );
    assert_eq!(count(&acme, RecordKind::ExportMade).await, 0);
    leave("the_manager").await.unwrap();
    assert_eq!(count(&acme, RecordKind::ExportMade).await, 1);
}

#[tokio::test]
async fn a_second_try_at_a_member_or_a_hold_gets_the_first_answer() {
    let (_home, acme) = one("second-tries").await;
    house(&acme).await;
    let titles = [MemberTitle::Board].into();
    let ada = Member { name: "ada".to_owned(), role: MemberRole::Admin, titles };
    let noura = Member { name: "noura".to_owned(), role: MemberRole::Admin, ..ada.clone() };
    member::add(&acme, &ada, &person(1, "ada")).await.unwrap();
    let by = |who: &str, key: &str| RequestContext { key: Some(key.to_owned()), ..person(5, who) };
    let context = by("ada", "k-add");
    let all = at_once(async || member::add(&acme, &noura, &context).await).await;
    let placed: Vec<_> = all.into_iter().map(|done| done.unwrap().index).collect();
    assert!(placed.iter().all(|place| *place == placed[0]), "{placed:?}");
    // She removes herself: at the second try she may not, and is no member any more.
    let context = by("noura", "k-remove");
    let removed = member::remove(&acme, "noura", &context).await.unwrap();
    assert_eq!(member::remove(&acme, "noura", &context).await.unwrap(), removed);

    let scope = RecordScope::Subject("ada".to_owned());
    let hold =
        dalil_proof::hold::Hold { hold_id: "h-1".to_owned(), reason: "court".to_owned(), scope };
    let context = by("ada", "k-hold");
    let place = async || crate::hold::place(&acme, &hold, &context).await.unwrap();
    let all = at_once(&place).await;
    assert!(all.iter().all(|one| *one == all[0]), "{all:?}");
    let lift = async || {
        let context = by("ada", "k-lift");
        crate::hold::lift(&acme, "h-1", "over", &context).await.unwrap()
    };
    assert_eq!(lift().await, lift().await);
    assert_eq!(place().await, all[0]);
    assert_eq!(count(&acme, RecordKind::AccessRefused).await, 0);
}

#[test]
fn a_matter_is_read_with_every_fault() {
    let told = |text: &str| match decode::request(text.as_bytes(), asked) {
        Ok(asked) => format!("{asked:?}"),
        Err(refused) => refused.to_string(),
    };
    let said = [
        told(r#"{"action":"export"}"#),
        told(r#"{"action":"export_pack","format":"paper","approvers":["me"]}"#),
        told(r#"{"action":"export_trail","from":-1}"#),
        told(r#"{"action":"erase","scope":"everything","legal_basis":"because"}"#),
        told(r#"{"action":"erase","scope":"all","legal_basis":"court_order","records":[3]}"#),
    ];
    check(
        &said.join("\n"),
        &expect![[r#"
            `action`: expected one of `export_pack`, `export_ledger`, `export_trail`, `erase`, found `export`
            `object`: expected a value, found nothing
            `format`: expected one of `json`, `sealed`, `in-toto`, `markdown`, `pdf`, `archive`, `sarif`, `junit`, `ledger`, found `paper`
            `reason`: expected a value, found nothing
            `approvers`: expected only action, object, format, language, reason, content, found a field it does not know
            hint: remove the field or correct its name
            `from`: expected a whole number from 0 to 9007199254740991, found `-1`
            `reason`: expected a value, found nothing
            `scope`: expected `all`, `kind:` and a kind of record, or `subject:` and an id, found `everything`
            `legal_basis`: expected one of `retention_expired`, `data_subject_request`, `court_order`, found `because`
            Erase { scope: All, legal_basis: CourtOrder, records: [3] }
        "#]],
    );
}
