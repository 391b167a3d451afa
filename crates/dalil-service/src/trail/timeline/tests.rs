use dalil_evidence::access::{Member, MemberRole};
use dalil_proof::key::SecretKey;
use dalil_proof::record::RecordKind;
use dalil_proof::tree::{self, TreeHead};
use dalil_proof::witness::{self, GrowthProof};
use dalil_store::AppendEntry;
use expect_test::expect;

use super::{show_of_actor, show_of_subject, subject_title, witnessed_heads};
use crate::artifact::artifact;
use crate::fixture::{at, context_at, house, one, person, size};
use crate::trail;

#[tokio::test]
async fn records_are_found_by_who_acted_and_of_which_kind() {
    let (_home, acme) = one("timeline").await;
    house(&acme).await;
    let member = Member { name: "sami".to_owned(), role: MemberRole::Viewer, titles: [].into() };
    crate::member::add(&acme, &member, &person(1, "the_board")).await.unwrap();
    let last = size(&acme).await - 1;
    let told = async |who: &str, kind, limit| {
        let found = show_of_actor(&acme, (who, kind), (last, limit)).await.unwrap();
        let kinds = found.records.iter().map(|one| format!("{} {}", one.index, one.kind));
        format!("{:?} {:?}", kinds.collect::<Vec<_>>(), found.next)
    };
    let all = [
        told("person:ada", None, 3).await,
        told("person:the_board", Some(RecordKind::MemberAdded), 3).await,
        told("system", None, 50).await,
        told("person:nobody", None, 50).await,
    ];
    expect![[r#"
        ["8 member.added", "7 member.added", "6 member.added"] Some(5)
        ["9 member.added"] None
        ["1 key.added", "0 tenant.created"] None
        [] None"#]]
    .assert_eq(&all.join("\n"));
}

#[tokio::test]
async fn records_of_a_subject_are_found_in_parts() {
    let (_home, acme) = one("timeline-subject").await;
    house(&acme).await;
    let first = size(&acme).await;
    // More than one read; every other record is about something else.
    let draft = |n| {
        let context = if n % 20 == 0 { person(100, "ada") } else { context_at(100) };
        let subject = if n % 2 == 0 { "/packs" } else { "/trail" };
        context.draft(RecordKind::AccessRefused, subject, Vec::new(), Vec::new())
    };
    acme.append(AppendEntry { drafts: (0..210).map(draft).collect(), key: None }).await.unwrap();
    let last = size(&acme).await - 1;
    let told = async |subject: &str, actor: &str, from: u64, limit: usize| {
        let found = show_of_subject(&acme, subject, (actor, None), (from, limit)).await.unwrap();
        let places: Vec<u64> = found.records.iter().map(|one| one.index - first).collect();
        (places, found.next.map(|next| next - first))
    };
    assert_eq!(told("/packs", "", last, 3).await, (vec![208, 206, 204], Some(202)));
    assert_eq!(told("/packs", "", first + 4, 3).await, (vec![4, 2, 0], None));
    let (all, next) = told("/packs", "", last, 500).await;
    assert_eq!((all.len(), all.last(), next), (105, Some(&0), None));
    let theirs = (0..=200).rev().step_by(20).collect();
    assert_eq!(told("/packs", "person:ada", last, 50).await, (theirs, None));
    assert_eq!(told("/nobody", "", last, 50).await, (Vec::new(), None));
}

#[tokio::test]
async fn every_record_of_a_long_history_has_its_rows() {
    let (_home, acme) = one("timeline-long").await;
    let digest = acme.lake().unwrap().put(b"A note.".to_vec()).await.unwrap();
    let draft = |_| {
        let rows = vec![artifact(&digest, 7, "text/plain", "document")];
        context_at(1).draft(RecordKind::DocumentAdded, "note", Vec::new(), rows)
    };
    // Side by side, and more than one read gives.
    for count in [900, 102] {
        let drafts = (0..count).map(draft).collect();
        acme.append(AppendEntry { drafts, key: None }).await.unwrap();
    }
    let shown = trail::show_subject(&acme, "note").await.unwrap().records;
    let payloads: Vec<String> =
        shown.iter().flat_map(|one| &one.payload).map(ToString::to_string).collect();
    assert_eq!(payloads, vec!["rows PRESENT"; 1_002]);
}

#[tokio::test]
async fn a_witnessed_head_is_found_among_its_records() {
    let (_home, acme) = one("heads").await;
    house(&acme).await;
    let note = trail::checkpoint(&acme, None).await.unwrap();
    let over = size(&acme).await;
    let key = SecretKey::cosigner_from_seed("notary.example", &[9; 32]).unwrap();
    let seen = TreeHead { size: 0, root: tree::empty() };
    let line = witness::cosign(&key, &note, &GrowthProof { seen, proof: &[] }, at(2)).unwrap();
    let note = note.with(line).unwrap().to_string();
    trail::witness(&acme, note.as_bytes(), key.public(), &context_at(3)).await.unwrap();
    let heads = witnessed_heads(&acme, 1..=over).await.unwrap();
    let told: Vec<_> =
        heads.iter().map(|one| (one.size, one.witness.as_str(), one.index)).collect();
    assert_eq!(told, [(over, "notary.example", over)]);
    assert_eq!(witnessed_heads(&acme, 1..=over - 1).await.unwrap(), []);
}

#[tokio::test]
async fn a_subject_has_the_name_that_people_gave_it() {
    let (_home, acme) = one("titles").await;
    let request = r#"{"decision_id":"dec-1","tenant_id":"acme","entity_id":"case-1",
        "agent_name":"leave_agent","action_type":"sensitive_data_export","created_at":"2026-03-14T12:00:00Z"}"#;
    crate::decision::record(&acme, request.as_bytes(), &context_at(1)).await.unwrap();
    let of = async |kind, subject| subject_title(&acme, kind, subject).await.unwrap();
    let title = of("decision.recorded", "dec-1").await;
    assert_eq!(title.as_deref(), Some("sensitive_data_export"));
    assert_eq!(of("session.opened", "ses_0000000000000000").await, None);
    assert_eq!(of("tenant.created", "acme").await, None);
}
