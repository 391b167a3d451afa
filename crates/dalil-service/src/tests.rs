//! Verbs over real stores in folders.

use dalil_evidence::verify;
use dalil_phrasebook::Phrase;
use dalil_proof::digest::Digest;
use dalil_proof::erasure::LegalBasis;
use dalil_proof::hold::{Hold, RecordScope};
use dalil_proof::record::{Actor, RecordKind};
use dalil_proof::report::VerificationReport;
use dalil_proof::time::Time;
use dalil_proof::trust::Trust;
use dalil_store::fsck::{FsckEvent, FsckOptions, FsckStatus};
use dalil_store::{AppendEntry, Store, StoreOptions, StorePlace, Tenant, Vault};
use expect_test::expect;

use crate::approval::ApprovalBasis;
use crate::artifact::artifact;
use crate::erase::{ErasureOrder, ErasureOutcome, ReleasedObjects, erase};
use crate::operation::{RequestContext, bytes};
use crate::scratch::TestCorpusFolder;
use crate::trail::{TrailExportRequest, export};
use crate::{hold, keys, tenant};

fn context_at(second: i64) -> RequestContext {
    let at = Time::from_millis(1_767_400_000_000 + second * 1000).unwrap();
    let time_source = dalil_store::TimeSource::Stated;
    RequestContext { at, time_source, actor: Actor::System, key: None }
}

async fn store(scratch: &TestCorpusFolder) -> Store {
    let place = StorePlace::File { dir: scratch.path("store") };
    Store::open(&place, Vault::of([7; 32]), StoreOptions::writing(context_at(0).at)).await.unwrap()
}

async fn acme(store: &Store) -> Tenant {
    tenant::create(store, "acme", "dalil.example/acme", &context_at(0)).await.unwrap();
    store.tenant("acme").await.unwrap()
}

/// Adds a document whose bytes are in the lake.
async fn document(tenant: &Tenant, subject: &str, content: &[u8], second: i64) -> Digest {
    let digest = tenant.lake().unwrap().put(content.to_vec()).await.unwrap();
    let rows = vec![artifact(&digest, content.len(), "text/plain", "document")];
    let fields = vec![bytes("name", subject.as_bytes().to_vec())];
    let drafts = vec![context_at(second).draft(RecordKind::DocumentAdded, subject, fields, rows)];
    tenant.append(AppendEntry { drafts, key: None }).await.unwrap();
    digest
}

fn order(scope: RecordScope, legal_basis: LegalBasis) -> ErasureOrder {
    let approved = ApprovalBasis::by("dpo-1");
    ErasureOrder { scope, legal_basis, approved, records: Vec::new(), rehearse: false }
}

async fn is_sound(store: &Store) -> bool {
    let mut said = Vec::new();
    let mut tell = |one| {
        if let FsckEvent::Finding(finding) = one {
            said.push(finding.to_string());
        }
    };
    let verdict = store.fsck(FsckOptions { sweep: false, secrets: true }, &mut tell).await.unwrap();
    assert!(verdict == FsckStatus::Pass, "{said:#?}");
    true
}

#[tokio::test]
async fn objects_go_when_the_last_record_that_needs_them_does() {
    let scratch = TestCorpusFolder::with("erase-objects", &[]);
    let store = store(&scratch).await;
    let tenant = acme(&store).await;
    let shared = document(&tenant, "doc-1", b"shared", 1).await;
    document(&tenant, "doc-2", b"shared", 2).await;
    let lake = tenant.lake().unwrap();
    let one = order(RecordScope::Subject("doc-1".to_owned()), LegalBasis::DataSubjectRequest);
    let (ErasureOutcome { erased, .. }, released) =
        erase(&tenant, &one, &context_at(3)).await.unwrap();
    assert_eq!((erased, released), (vec![2], ReleasedObjects { gone: vec![], kept: vec![shared] }));
    assert!(lake.has(&shared).await.unwrap() && is_sound(&store).await);
    let other = order(RecordScope::Subject("doc-2".to_owned()), LegalBasis::CourtOrder);
    let (ErasureOutcome { erased, .. }, released) =
        erase(&tenant, &other, &context_at(4)).await.unwrap();
    assert_eq!((erased, released), (vec![3], ReleasedObjects { gone: vec![shared], kept: vec![] }));
    assert!(!lake.has(&shared).await.unwrap() && is_sound(&store).await);
    drop((tenant, lake));
    store.close().await.unwrap();
}

#[tokio::test]
async fn a_second_try_gives_the_first_answer_and_finishes() {
    let scratch = TestCorpusFolder::with("erase-again", &[]);
    let store = store(&scratch).await;
    let tenant = acme(&store).await;
    let object = document(&tenant, "doc-1", b"one", 1).await;
    let keyed = |second| RequestContext { key: Some("erase-1".to_owned()), ..context_at(second) };
    let order = order(RecordScope::Subject("doc-1".to_owned()), LegalBasis::CourtOrder);
    let (first, released) = erase(&tenant, &order, &keyed(2)).await.unwrap();
    assert_eq!(released, ReleasedObjects { gone: vec![object], kept: vec![] });
    // As if the program had been killed before it came to the lake.
    tenant.lake().unwrap().put(b"one".to_vec()).await.unwrap();
    document(&tenant, "doc-2", b"two", 3).await;
    let (again, released) = erase(&tenant, &order, &keyed(4)).await.unwrap();
    assert_eq!((&again, released), (&first, ReleasedObjects { gone: vec![object], kept: vec![] }));
    assert_eq!((again.erased.as_slice(), tenant.head().await.unwrap().size), ([2].as_slice(), 5));
    let other = ErasureOrder { records: vec![2], ..order };
    let refused = erase(&tenant, &other, &keyed(5)).await.unwrap_err().to_string();
    expect![[r#"
        cannot append a record: idempotency key `erase-1`: expected the request that the key stands for, found another one
        hint: a new request needs a new key"#]].assert_eq(&refused);
    assert!(is_sound(&store).await);
    drop(tenant);
    store.close().await.unwrap();
}

#[tokio::test]
async fn a_hold_and_the_retention_time_stand_in_the_way() {
    let scratch = TestCorpusFolder::with("erase-hold", &[]);
    let store = store(&scratch).await;
    let tenant = acme(&store).await;
    document(&tenant, "doc-1", b"one", 1).await;
    let held = Hold {
        hold_id: "case-7".to_owned(),
        reason: "lawsuit".to_owned(),
        scope: RecordScope::Subject("doc-1".to_owned()),
    };
    hold::place(&tenant, &held, &context_at(2)).await.unwrap();
    let all = order(RecordScope::All, LegalBasis::RetentionExpired);
    let refused = erase(&tenant, &all, &context_at(3)).await.unwrap_err().to_string();
    expect![[r#"
        `record 2`: expected no hold, found the hold `case-7`: `lawsuit`
        `record 2`: expected the retention time to be over at 2026-01-03T00:26:43.000Z, found that it runs until 2033-01-03T00:26:41.000Z
        hint: a data subject's request or a court order can come before"#]].assert_eq(&refused);
    assert_eq!(tenant.head().await.unwrap().size, 4);
    drop(tenant);
    store.close().await.unwrap();
}

#[tokio::test]
async fn what_changed_since_the_caller_looked_refuses_an_entry() {
    let scratch = TestCorpusFolder::with("unless", &[]);
    let store = store(&scratch).await;
    let tenant = acme(&store).await;
    let place = async |id: &str, second| {
        let (hold_id, reason) = (id.to_owned(), "lawsuit".to_owned());
        hold::place(
            &tenant,
            &Hold { hold_id, reason, scope: RecordScope::All },
            &context_at(second),
        )
        .await
    };
    // Both look at the same trail; for the second to come it has changed.
    let (one, other) = tokio::join!(place("case-1", 5), place("case-1", 5));
    assert!(one.is_ok() != other.is_ok(), "{one:?} {other:?}");
    assert_eq!(hold::list(&tenant).await.unwrap().holds.len(), 1);
    drop(tenant);
    store.close().await.unwrap();
}

#[tokio::test]
async fn a_trail_whose_keys_have_dates_that_cannot_be_is_repaired_by_a_record() {
    let scratch = TestCorpusFolder::with("redated-keys", &[]);
    let store = store(&scratch).await;
    let tenant = acme(&store).await;
    // A day ahead of everything else.
    keys::add(&tenant, None, &context_at(90_000)).await.unwrap();
    let exported = async |second: i64| {
        let (approved, reason) = (ApprovalBasis::by("dpo-1"), "audit".to_owned());
        let wanted = TrailExportRequest { from: 0, withhold: Vec::new(), approved, reason };
        let mut file = Vec::new();
        let mut write = |lines: &[u8]| {
            file.extend_from_slice(lines);
            Ok(())
        };
        export(&tenant, &wanted, &context_at(second), &mut write).await.unwrap();
        let trust = keys::trust(&tenant, None).await.unwrap();
        let trust = Trust::parse(&dalil_proof::canon::bytes(&trust).unwrap()).unwrap();
        verify::file(&file, &trust, context_at(9).at)
    };
    let second = keys::list(&tenant).await.unwrap().keys[1].entry.key.to_string();
    let told = |report: VerificationReport| report.to_string().replace(&second, "KEY");
    expect![[r#"
        INCOMPLETE
        PASS       format: a trail export from record 0 to size 4
        PASS       checkpoint: of `dalil.example/acme` at size 4
        INCOMPLETE records: 1 of 4 are dated later than now, 2026-01-03T00:26:49.000Z
        PASS       order: every record is there once, in its place
        PASS       lineage: 4 subjects, unbroken
        PASS       root: the records give the root at size 4
        PASS       payloads: 7 PRESENT (0 in the lake), 0 ERASED, 0 WITHHELD, 0 MISSING, 0 ALTERED
        PASS       key history: 2 changes, as the records tell them
        PASS       end: whole: 4 records and their digest
        PASS       checkpoint signature: signed by `dalil.example/acme` and `dalil.example/acme`
        PASS       key status: `dalil.example/acme` is in use
    "#]]
    .assert_eq(&told(exported(3).await));
    let listed = keys::list(&tenant).await.unwrap().keys;
    let correction = keys::KeyDateCorrection {
        key_id: listed[1].key_id.clone(),
        change: listed[1].entry.change,
        at: context_at(2).at,
    };
    let reason = "The clock of the server was a day ahead.";
    keys::redate(&tenant, &[correction], reason, &context_at(4)).await.unwrap();
    expect![[r#"
        PASS
        PASS       format: a trail export from record 0 to size 6
        PASS       checkpoint: of `dalil.example/acme` at size 6
        PASS       records: 6 records in their canonical form
        PASS       order: every record is there once, in its place
        PASS       lineage: 5 subjects, unbroken
        PASS       root: the records give the root at size 6
        PASS       consistency: adds to the export of size 4 before it
        PASS       payloads: 11 PRESENT (0 in the lake), 0 ERASED, 0 WITHHELD, 0 MISSING, 0 ALTERED
        PASS       key history: 2 changes, as the records tell them
        PASS       key history: record 4: `added` of `KEY`, dated 2026-01-04T01:26:40.000Z, is taken as of 2026-01-03T00:26:42.000Z: `The clock of the server was a day ahead.`
        PASS       end: whole: 6 records and their digest
        PASS       checkpoint signature: signed by `dalil.example/acme` and `dalil.example/acme`
        PASS       key status: `dalil.example/acme` is in use
    "#]]
    .assert_eq(&told(exported(5).await));
    assert_eq!(keys::list(&tenant).await.unwrap().keys[1].entry.redated, Some(context_at(2).at));
    assert!(is_sound(&store).await);
    store.close().await.unwrap();
}

#[tokio::test]
async fn exports_are_a_chain_that_a_stranger_verifies() {
    let scratch = TestCorpusFolder::with("export-chain", &[]);
    let store = store(&scratch).await;
    let tenant = acme(&store).await;
    document(&tenant, "doc-1", b"one", 1).await;
    let (mut links, mut files) = (Vec::new(), Vec::new());
    for (from, second) in [(0, 2), (0, 3), (3, 4)] {
        let (approved, reason) = (ApprovalBasis::by("dpo-1"), "audit".to_owned());
        let wanted =
            TrailExportRequest { from, withhold: vec!["name".to_owned()], approved, reason };
        let mut file = Vec::new();
        let mut write = |lines: &[u8]| {
            file.extend_from_slice(lines);
            Ok(())
        };
        let made = export(&tenant, &wanted, &context_at(second), &mut write).await.unwrap();
        assert_eq!(made.sha256, Digest::of(&file));
        links.push((made.head.size, made.previous.map(|previous| previous.size)));
        files.push(file);
    }
    assert_eq!(links, [(4, None), (5, Some(4)), (6, Some(5))]);
    let trust = keys::trust(&tenant, Some(context_at(5).at)).await.unwrap();
    let trust = Trust::parse(&dalil_proof::canon::bytes(&trust).unwrap()).unwrap();
    let reports = files.iter().map(|file| verify::file(file, &trust, context_at(6).at).to_string());
    expect![[r#"
        INCOMPLETE
        PASS       format: a trail export from record 0 to size 4
        PASS       checkpoint: of `dalil.example/acme` at size 4
        PASS       records: 4 records in their canonical form
        PASS       order: every record is there once, in its place
        PASS       lineage: 4 subjects, unbroken
        PASS       root: the records give the root at size 4
        INCOMPLETE consistency: size 6 was seen at 2026-01-03T00:26:45.000Z, and this ends at 4: older, or cut; `dalil trail prove --from 4 --to 6` gives the proof that relates them
        INCOMPLETE payloads: 6 PRESENT (0 in the lake), 0 ERASED, 1 WITHHELD, 0 MISSING, 0 ALTERED
        PASS       key history: 1 changes, as the records tell them
        PASS       end: whole: 4 records and their digest
        PASS       checkpoint signature: signed by `dalil.example/acme`
        PASS       key status: `dalil.example/acme` is in use

        INCOMPLETE
        PASS       format: a trail export from record 0 to size 5
        PASS       checkpoint: of `dalil.example/acme` at size 5
        PASS       records: 5 records in their canonical form
        PASS       order: every record is there once, in its place
        PASS       lineage: 4 subjects, unbroken
        PASS       root: the records give the root at size 5
        PASS       consistency: adds to the export of size 4 before it
        INCOMPLETE consistency: size 6 was seen at 2026-01-03T00:26:45.000Z, and this ends at 5: older, or cut; `dalil trail prove --from 5 --to 6` gives the proof that relates them
        INCOMPLETE payloads: 8 PRESENT (0 in the lake), 0 ERASED, 1 WITHHELD, 0 MISSING, 0 ALTERED
        PASS       key history: 1 changes, as the records tell them
        PASS       end: whole: 5 records and their digest
        PASS       checkpoint signature: signed by `dalil.example/acme`
        PASS       key status: `dalil.example/acme` is in use

        INCOMPLETE
        PASS       format: a trail export from record 3 to size 6
        PASS       checkpoint: of `dalil.example/acme` at size 6
        PASS       records: 3 records in their canonical form
        PASS       order: every record is there once, in its place
        PASS       lineage: 1 subjects, unbroken
        PASS       root: the records give the root at size 6
        PASS       consistency: adds to the export of size 5 before it
        PASS       consistency: the head seen at 2026-01-03T00:26:45.000Z, of size 6, is in it
        PASS       payloads: 6 PRESENT (0 in the lake), 0 ERASED, 0 WITHHELD, 0 MISSING, 0 ALTERED
        INCOMPLETE key history: 1 of 1 changes came before this file, by its word only
        PASS       end: whole: 3 records and their digest
        PASS       checkpoint signature: signed by `dalil.example/acme`
        PASS       key status: `dalil.example/acme` is in use
    "#]].assert_eq(&reports.collect::<Vec<_>>().join("\n"));
    drop(tenant);
    store.close().await.unwrap();
}

#[tokio::test]
async fn records_of_some_kinds_are_listed_from_either_end_page_by_page() {
    let (_home, acme) = crate::fixture::one("kinds").await;
    crate::fixture::house(&acme).await;
    for n in 0..40 {
        // Others in between, so that the wanted records are near and far.
        let fault = dalil_proof::fault::Fault::new(
            "role",
            "actor",
            Phrase::verbatim("a member"),
            Phrase::verbatim("another"),
        );
        let subject = format!("pack-{n}");
        let context = crate::fixture::context_at(n);
        crate::access::refused(&acme, &subject, "view", &fault, &context).await.unwrap();
    }
    let noura = dalil_evidence::access::Member {
        name: "noura".to_owned(),
        role: dalil_evidence::access::MemberRole::Viewer,
        titles: [].into(),
    };
    crate::member::add(&acme, &noura, &crate::fixture::person(50, "ada")).await.unwrap();
    let kinds = [RecordKind::MemberAdded, RecordKind::TenantCreated];
    let size = acme.head().await.unwrap().size;
    let all = acme.records(0..size).await.unwrap();
    let mut expected: Vec<u64> = all
        .iter()
        .filter(|stored| kinds.contains(&stored.record.envelope().kind))
        .map(|stored| stored.index)
        .collect();
    for newest in [false, true] {
        let mut found = Vec::new();
        let mut from = if newest { u64::from(u32::MAX) } else { 0 };
        loop {
            let part = crate::index::ListRange { from, limit: 3, newest };
            let page = crate::trail::show_kinds(&acme, &kinds, part).await.unwrap();
            let Some(last) = page.last() else { break };
            from = if newest { last.index.saturating_sub(1) } else { last.index + 1 };
            let is_first = newest && last.index == 0;
            found.extend(page.iter().map(|one| one.index));
            if is_first {
                break;
            }
        }
        assert_eq!(found, expected, "newest: {newest}");
        expected.reverse();
    }
}
