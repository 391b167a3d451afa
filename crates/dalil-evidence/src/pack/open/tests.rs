use std::collections::BTreeMap;
use std::fmt::Write as _;

use dalil_proof::checkpoint::Checkpoint;
use dalil_proof::key::SecretKey;
use dalil_proof::keyring::{KeyChangeKind, KeyHistoryEntry, Keyring};
use dalil_proof::record::{self, Actor, Lineage, Record};
use dalil_proof::tree::{MerkleTree, TreeHead};
use dalil_proof::trust::TrustedHead;
use dalil_proof::witness::WitnessPolicy;
use expect_test::{Expect, expect};

use super::*;
use crate::ledger::request::LedgerRequest;
use crate::pack::tests::{REQUEST, edited};
use crate::pack::{self, PackReview, SealedPack, assemble, seal};

/// Opens a sealed pack with a receipt, after `spoil`, and compares the whole report.
#[track_caller]
fn check(spoil: impl FnOnce(&mut SealedPack, &mut Trust), expected: &Expect) {
    let (mut sealed, mut trust) = (receipted(), trust());
    spoil(&mut sealed, &mut trust);
    expected.assert_eq(&shown(&canon::bytes(&sealed).unwrap(), &trust));
}

fn shown(bytes: &[u8], trust: &Trust) -> String {
    let report = report(bytes, trust);
    let mut text = format!("{}\n", report.verdict());
    for finding in &report.findings {
        writeln!(text, "{} {}: {}", finding.verdict, finding.part, finding.message.english())
            .unwrap();
    }
    text
}

fn report(bytes: &[u8], trust: &Trust) -> VerificationReport {
    crate::verify::file(bytes, trust, time("2026-02-01T00:00:00Z"))
}

fn time(text: &str) -> Time {
    text.parse().unwrap()
}

fn key() -> SecretKey {
    SecretKey::from_seed("dalil.example/tenant-1", &[7; 32]).unwrap()
}

fn trust() -> Trust {
    let keyring = Keyring::new(vec![key().public().clone()], &[]).unwrap();
    let witnesses = WitnessPolicy::new(Vec::new(), 0).unwrap();
    Trust {
        origin: key().public().name().to_owned(),
        keyring,
        witnesses,
        timestamp_authorities: Vec::new(),
        seen: Vec::new(),
        growth: Vec::new(),
    }
}

fn sealed() -> SealedPack {
    seal(&assemble(REQUEST.as_bytes()).unwrap(), &key()).unwrap()
}

/// A sealed pack whose record is the second of three in a trail.
fn receipted() -> SealedPack {
    let sealed = sealed();
    with_record(&sealed, |_| ())
}

fn with_record(
    sealed: &SealedPack,
    change: impl FnOnce(&mut record::RecordEnvelope),
) -> SealedPack {
    let mut envelope = record::RecordEnvelope {
        kind: RecordKind::PackSealed,
        id: "rec_0000000000000001".parse().unwrap(),
        at: time("2026-01-03T12:31:00Z"),
        actor: Actor::System,
        subject: "pack_00000000000000a1".to_owned(),
        lineage: Lineage::First,
        commitments: BTreeMap::from([(PACK_FIELD.to_owned(), sealed.commitment(&SALT))]),
    };
    change(&mut envelope);
    let record = Record::new(&envelope).unwrap();
    let mut tree = MerkleTree::default();
    tree.push(Digest::of(b"before"));
    tree.push(record.leaf());
    tree.push(Digest::of(b"after"));
    let checkpoint = Checkpoint::new("dalil.example/tenant-1", tree.head()).unwrap();
    let note = checkpoint.sign(&[&key()]).unwrap();
    let receipt = Receipt::new(&record, 1, tree.inclusion(1, 3).unwrap(), note).unwrap();
    sealed.clone().with_receipt(receipt.to_string(), &SALT)
}

/// Replaces text in the payload and signs it again, as a dishonest owner of the key could.
fn reseal(edits: &[(&str, &str)]) -> SealedPack {
    let payload = String::from_utf8(sealed().envelope.payload).unwrap();
    let payload = edited(&payload, edits).into_bytes();
    let envelope = DsseEnvelope::sign(PACK_PAYLOAD_TYPE, payload, &key());
    SealedPack { envelope, receipt: None, salt: None }
}

#[test]
fn a_sealed_pack_with_its_receipt_passes() {
    check(
        |_, _| (),
        &expect![[r#"
        PASS
        PASS format: a pack
        PASS rules: every rule of a pack holds
        PASS computed: every computed field is what follows from the rest
        PASS canonical: the bytes are canonical JSON
        PASS time: made at 2026-01-03T12:30:00.000Z
        PASS signature: signed by `dalil.example/tenant-1+c039b92c`
        PASS pack key: `dalil.example/tenant-1` is in use
        PASS record: `rec_0000000000000001`, `pack.sealed` of 2026-01-03T12:31:00.000Z
        PASS checkpoint: of `dalil.example/tenant-1` at size 3
        PASS inclusion: record 1 is under the root
        PASS checkpoint signature: signed by `dalil.example/tenant-1`
        PASS key status: `dalil.example/tenant-1` is in use
        PASS commitment: the record commits to these bytes
    "#]],
    );
}

#[test]
fn what_was_opened_is_what_was_sealed() {
    let bytes = canon::bytes(&receipted()).unwrap();
    let now = time("2026-02-01T00:00:00Z");
    let (pack, _) = UnverifiedPack::parse(&bytes).unwrap().open(&trust(), now).unwrap();
    assert_eq!(*pack, assemble(REQUEST.as_bytes()).unwrap());
}

#[test]
fn a_pack_without_a_receipt_is_incomplete() {
    check(
        |sealed, _| (sealed.receipt, sealed.salt) = (None, None),
        &expect![[r#"
        INCOMPLETE
        PASS format: a pack
        PASS rules: every rule of a pack holds
        PASS computed: every computed field is what follows from the rest
        PASS canonical: the bytes are canonical JSON
        PASS time: made at 2026-01-03T12:30:00.000Z
        INCOMPLETE inclusion: there is no receipt that a trail holds this pack
        PASS signature: signed by `dalil.example/tenant-1+c039b92c`
        PASS pack key: `dalil.example/tenant-1` is in use
    "#]],
    );
}

#[test]
fn a_bare_envelope_is_a_pack_without_a_receipt() {
    let bytes = canon::bytes(&sealed().envelope).unwrap();
    expect![[r#"
        INCOMPLETE
        PASS format: a pack
        PASS rules: every rule of a pack holds
        PASS computed: every computed field is what follows from the rest
        PASS canonical: the bytes are canonical JSON
        PASS time: made at 2026-01-03T12:30:00.000Z
        INCOMPLETE inclusion: there is no receipt that a trail holds this pack
        PASS signature: signed by `dalil.example/tenant-1+c039b92c`
        PASS pack key: `dalil.example/tenant-1` is in use
    "#]]
    .assert_eq(&shown(&bytes, &trust()));
}

#[test]
fn a_pack_that_was_never_sealed_is_incomplete_in_any_spelling() {
    let draft = assemble(REQUEST.as_bytes()).unwrap();
    let canonical = shown(&canon::bytes(&draft).unwrap(), &trust());
    let indented = shown(&serde_json::to_vec_pretty(&draft).unwrap(), &trust());
    assert_eq!(canonical, indented);
    expect![[r#"
        INCOMPLETE
        PASS format: a pack
        PASS rules: every rule of a pack holds
        PASS computed: every computed field is what follows from the rest
        PASS time: made at 2026-01-03T12:30:00.000Z
        INCOMPLETE inclusion: there is no receipt that a trail holds this pack
        INCOMPLETE signature: this file is the pack alone, without a seal: nobody has signed it
    "#]]
    .assert_eq(&canonical);
}

#[test]
fn without_a_trusted_key_nothing_passes() {
    check(
        |_, trust| trust.keyring = Keyring::default(),
        &expect![[r#"
        INCOMPLETE
        PASS format: a pack
        PASS rules: every rule of a pack holds
        PASS computed: every computed field is what follows from the rest
        PASS canonical: the bytes are canonical JSON
        PASS time: made at 2026-01-03T12:30:00.000Z
        INCOMPLETE signature: no trusted key to check it with; it names `dalil.example/tenant-1+c039b92c`
        PASS record: `rec_0000000000000001`, `pack.sealed` of 2026-01-03T12:31:00.000Z
        PASS checkpoint: of `dalil.example/tenant-1` at size 3
        PASS inclusion: record 1 is under the root
        INCOMPLETE checkpoint signature: no key of this trail is pinned to check it with
        PASS commitment: the record commits to these bytes
    "#]],
    );
}

#[test]
fn a_signature_by_a_stranger_fails() {
    check(
        |sealed, _| {
            let stranger = SecretKey::from_seed("dalil.example/tenant-1", &[8; 32]).unwrap();
            let payload = sealed.envelope.payload.clone();
            sealed.envelope = DsseEnvelope::sign(PACK_PAYLOAD_TYPE, payload, &stranger);
        },
        &expect![[r#"
            FAIL
            PASS format: a pack
            PASS rules: every rule of a pack holds
            PASS computed: every computed field is what follows from the rest
            PASS canonical: the bytes are canonical JSON
            PASS time: made at 2026-01-03T12:30:00.000Z
            FAIL signature: expected a signature by a trusted key over these bytes, found none
            PASS record: `rec_0000000000000001`, `pack.sealed` of 2026-01-03T12:31:00.000Z
            PASS checkpoint: of `dalil.example/tenant-1` at size 3
            PASS inclusion: record 1 is under the root
            PASS checkpoint signature: signed by `dalil.example/tenant-1`
            PASS key status: `dalil.example/tenant-1` is in use
            PASS commitment: the record commits to these bytes
        "#]],
    );
}

#[test]
fn a_receipt_for_other_bytes_fails() {
    check(
        |sealed, _| sealed.envelope = reseal(&[("Fit Rec", "Fit rec")]).envelope,
        &expect![[r#"
        FAIL
        PASS format: a pack
        PASS rules: every rule of a pack holds
        PASS computed: every computed field is what follows from the rest
        PASS canonical: the bytes are canonical JSON
        PASS time: made at 2026-01-03T12:30:00.000Z
        PASS signature: signed by `dalil.example/tenant-1+c039b92c`
        PASS pack key: `dalil.example/tenant-1` is in use
        PASS record: `rec_0000000000000001`, `pack.sealed` of 2026-01-03T12:31:00.000Z
        PASS checkpoint: of `dalil.example/tenant-1` at size 3
        PASS inclusion: record 1 is under the root
        PASS checkpoint signature: signed by `dalil.example/tenant-1`
        PASS key status: `dalil.example/tenant-1` is in use
        FAIL commitment: expected a commitment to these bytes, found another
    "#]],
    );
}

#[test]
fn a_receipt_for_another_thing_fails() {
    let spoil = |change: fn(&mut record::RecordEnvelope)| {
        move |sealed: &mut SealedPack, _: &mut Trust| *sealed = with_record(sealed, change)
    };
    check(
        spoil(|record| record.kind = RecordKind::PackReviewed),
        &expect![[r#"
        FAIL
        PASS format: a pack
        PASS rules: every rule of a pack holds
        PASS computed: every computed field is what follows from the rest
        PASS canonical: the bytes are canonical JSON
        PASS time: made at 2026-01-03T12:30:00.000Z
        PASS signature: signed by `dalil.example/tenant-1+c039b92c`
        PASS pack key: `dalil.example/tenant-1` is in use
        PASS record: `rec_0000000000000001`, `pack.reviewed` of 2026-01-03T12:31:00.000Z
        PASS checkpoint: of `dalil.example/tenant-1` at size 3
        PASS inclusion: record 1 is under the root
        PASS checkpoint signature: signed by `dalil.example/tenant-1`
        PASS key status: `dalil.example/tenant-1` is in use
        FAIL commitment: expected a `pack.sealed` record, found `pack.reviewed`
    "#]],
    );
    check(
        spoil(|record| record.subject = "pack_00000000000000a2".to_owned()),
        &expect![[r#"
        FAIL
        PASS format: a pack
        PASS rules: every rule of a pack holds
        PASS computed: every computed field is what follows from the rest
        PASS canonical: the bytes are canonical JSON
        PASS time: made at 2026-01-03T12:30:00.000Z
        PASS signature: signed by `dalil.example/tenant-1+c039b92c`
        PASS pack key: `dalil.example/tenant-1` is in use
        PASS record: `rec_0000000000000001`, `pack.sealed` of 2026-01-03T12:31:00.000Z
        PASS checkpoint: of `dalil.example/tenant-1` at size 3
        PASS inclusion: record 1 is under the root
        PASS checkpoint signature: signed by `dalil.example/tenant-1`
        PASS key status: `dalil.example/tenant-1` is in use
        FAIL commitment: expected a record about this pack, found one about `pack_00000000000000a2`
    "#]],
    );
    check(
        spoil(|record| record.commitments.clear()),
        &expect![[r#"
        FAIL
        PASS format: a pack
        PASS rules: every rule of a pack holds
        PASS computed: every computed field is what follows from the rest
        PASS canonical: the bytes are canonical JSON
        PASS time: made at 2026-01-03T12:30:00.000Z
        PASS signature: signed by `dalil.example/tenant-1+c039b92c`
        PASS pack key: `dalil.example/tenant-1` is in use
        PASS record: `rec_0000000000000001`, `pack.sealed` of 2026-01-03T12:31:00.000Z
        PASS checkpoint: of `dalil.example/tenant-1` at size 3
        PASS inclusion: record 1 is under the root
        PASS checkpoint signature: signed by `dalil.example/tenant-1`
        PASS key status: `dalil.example/tenant-1` is in use
        FAIL commitment: expected a commitment to a pack, found none
    "#]],
    );
}

/// A holder of a retired key of the trail would date the record back.
#[test]
fn a_record_older_than_its_pack_fails() {
    check(
        |sealed, _| {
            *sealed = with_record(sealed, |record| record.at = time("2026-01-03T12:29:59.999Z"));
        },
        &expect![[r#"
        FAIL
        PASS format: a pack
        PASS rules: every rule of a pack holds
        PASS computed: every computed field is what follows from the rest
        PASS canonical: the bytes are canonical JSON
        PASS time: made at 2026-01-03T12:30:00.000Z
        PASS signature: signed by `dalil.example/tenant-1+c039b92c`
        PASS pack key: `dalil.example/tenant-1` is in use
        PASS record: `rec_0000000000000001`, `pack.sealed` of 2026-01-03T12:29:59.999Z
        PASS checkpoint: of `dalil.example/tenant-1` at size 3
        PASS inclusion: record 1 is under the root
        PASS checkpoint signature: signed by `dalil.example/tenant-1`
        PASS key status: `dalil.example/tenant-1` is in use
        FAIL commitment: expected a record of 2026-01-03T12:30:00.000Z or later, found one of 2026-01-03T12:29:59.999Z
    "#]],
    );
}

#[test]
fn a_commitment_cannot_be_opened_without_its_salt() {
    check(
        |sealed, _| sealed.salt = None,
        &expect![[r#"
        INCOMPLETE
        PASS format: a pack
        PASS rules: every rule of a pack holds
        PASS computed: every computed field is what follows from the rest
        PASS canonical: the bytes are canonical JSON
        PASS time: made at 2026-01-03T12:30:00.000Z
        PASS signature: signed by `dalil.example/tenant-1+c039b92c`
        PASS pack key: `dalil.example/tenant-1` is in use
        PASS record: `rec_0000000000000001`, `pack.sealed` of 2026-01-03T12:31:00.000Z
        PASS checkpoint: of `dalil.example/tenant-1` at size 3
        PASS inclusion: record 1 is under the root
        PASS checkpoint signature: signed by `dalil.example/tenant-1`
        PASS key status: `dalil.example/tenant-1` is in use
        INCOMPLETE commitment: there is no salt to open it with
    "#]],
    );
}

#[test]
fn a_revoked_key_needs_a_trusted_time() {
    let revoked = |trust: &mut Trust| {
        let line = KeyHistoryEntry {
            at: time("2026-01-10T00:00:00Z"),
            change: KeyChangeKind::Revoked,
            key: key().public().clone(),
            redated: None,
        };
        trust.keyring = Keyring::new(vec![key().public().clone()], &[line]).unwrap();
    };
    check(
        |_, trust| revoked(trust),
        &expect![[r#"
        INCOMPLETE
        PASS format: a pack
        PASS rules: every rule of a pack holds
        PASS computed: every computed field is what follows from the rest
        PASS canonical: the bytes are canonical JSON
        PASS time: made at 2026-01-03T12:30:00.000Z
        PASS signature: signed by `dalil.example/tenant-1+c039b92c`
        INCOMPLETE pack key: `dalil.example/tenant-1` was revoked at 2026-01-10T00:00:00.000Z, and no trusted time shows that this is older
        PASS record: `rec_0000000000000001`, `pack.sealed` of 2026-01-03T12:31:00.000Z
        PASS checkpoint: of `dalil.example/tenant-1` at size 3
        PASS inclusion: record 1 is under the root
        PASS checkpoint signature: signed by `dalil.example/tenant-1`
        INCOMPLETE key status: `dalil.example/tenant-1` was revoked at 2026-01-10T00:00:00.000Z, and no trusted time shows that this is older
        PASS commitment: the record commits to these bytes
    "#]],
    );
    check(
        |sealed, trust| {
            revoked(trust);
            let receipt = Receipt::parse(sealed.receipt.as_ref().unwrap().as_bytes()).unwrap();
            let head = *receipt.unverified_checkpoint().unwrap().head();
            trust.seen.push(TrustedHead { head, at: time("2026-01-04T00:00:00Z") });
        },
        &expect![[r#"
            PASS
            PASS format: a pack
            PASS rules: every rule of a pack holds
            PASS computed: every computed field is what follows from the rest
            PASS canonical: the bytes are canonical JSON
            PASS time: made at 2026-01-03T12:30:00.000Z
            PASS signature: signed by `dalil.example/tenant-1+c039b92c`
            PASS pack key: `dalil.example/tenant-1` was revoked at 2026-01-10T00:00:00.000Z, but this was seen at 2026-01-04T00:00:00.000Z, before
            PASS record: `rec_0000000000000001`, `pack.sealed` of 2026-01-03T12:31:00.000Z
            PASS checkpoint: of `dalil.example/tenant-1` at size 3
            PASS inclusion: record 1 is under the root
            PASS consistency: the head seen at 2026-01-04T00:00:00.000Z, of size 3, is in it
            PASS checkpoint signature: signed by `dalil.example/tenant-1`
            PASS key status: `dalil.example/tenant-1` was revoked at 2026-01-10T00:00:00.000Z, but this was seen at 2026-01-04T00:00:00.000Z, before
            PASS commitment: the record commits to these bytes
        "#]],
    );
}

/// Whichever of the two keys is pinned first.
#[test]
fn one_good_key_among_the_signers_is_enough() {
    let second = SecretKey::from_seed("dalil.example/tenant-1-b", &[8; 32]).unwrap();
    let at = time("2026-01-10T00:00:00Z");
    let history = [KeyHistoryEntry {
        at,
        change: KeyChangeKind::Revoked,
        key: second.public().clone(),
        redated: None,
    }];
    for pinned in [[key(), second.clone()], [second.clone(), key()]] {
        let mut sealed = receipted();
        let payload = sealed.envelope.payload.clone();
        let also = DsseEnvelope::sign(PACK_PAYLOAD_TYPE, payload, &second).signatures;
        sealed.envelope.signatures.extend(also);
        let pinned = pinned.iter().map(|key| key.public().clone()).collect();
        let trust = Trust { keyring: Keyring::new(pinned, &history).unwrap(), ..trust() };
        let report = report(&canon::bytes(&sealed).unwrap(), &trust);
        assert_eq!(report.verdict(), CheckStatus::Pass, "{report}");
        let standing = report.findings.iter().find(|finding| finding.part == PART_PACK_KEY);
        let message = standing.unwrap().message.english().to_owned();
        assert_eq!(message, "`dalil.example/tenant-1` is in use");
    }
}

#[test]
fn a_receipt_that_does_not_hold_gives_no_trusted_time() {
    let mut sealed = receipted();
    let receipt = sealed.receipt.take().unwrap();
    let head = *Receipt::parse(receipt.as_bytes()).unwrap().unverified_checkpoint().unwrap().head();
    sealed.receipt = Some(receipt.replace("index 1", "index 2"));
    let mut trust = trust();
    let at = time("2026-01-10T00:00:00Z");
    let line = KeyHistoryEntry {
        at,
        change: KeyChangeKind::Revoked,
        key: key().public().clone(),
        redated: None,
    };
    trust.keyring = Keyring::new(vec![key().public().clone()], &[line]).unwrap();
    trust.seen.push(TrustedHead { head, at: time("2026-01-04T00:00:00Z") });
    let report = report(&canon::bytes(&sealed).unwrap(), &trust);
    let found = report.findings.iter().find(|finding| finding.part == "pack key").unwrap();
    assert_eq!(found.verdict, CheckStatus::Incomplete);
}

#[test]
fn a_pack_under_another_head_of_a_size_that_was_seen_fails() {
    let head = |size: u64| TrustedHead {
        head: TreeHead { size, root: Digest::of(b"another history") },
        at: time("2026-01-04T00:00:00Z"),
    };
    for (size, expected) in
        [(3, "FAIL consistency"), (2, "INCOMPLETE consistency"), (4, "INCOMPLETE consistency")]
    {
        let trust = Trust { seen: vec![head(size)], ..trust() };
        let report = shown(&canon::bytes(&receipted()).unwrap(), &trust);
        let verdict = expected.split(' ').next().unwrap();
        assert!(report.starts_with(verdict) && report.contains(expected), "{report}");
    }
}

#[test]
fn a_pack_that_was_reviewed_before_the_trail_had_a_key_fails() {
    let old = assemble(REQUEST.as_bytes()).unwrap();
    let review = PackReview {
        pack_id: "pack_00000000000000a2".parse().unwrap(),
        reviewer_id: "hr_director".to_owned(),
        reviewed_at: time("2026-01-03T13:00:00Z"),
        acknowledged: Vec::new(),
        approvals: Vec::new(),
    };
    let payload = canon::bytes(&pack::review(&old, &review).unwrap()).unwrap();
    let line = KeyHistoryEntry {
        at: time("2026-01-01T00:00:00Z"),
        change: KeyChangeKind::Added,
        key: key().public().clone(),
        redated: None,
    };
    let trust = Trust { keyring: Keyring::new(Vec::new(), &[line]).unwrap(), ..trust() };
    let told = |year: &str| {
        let payload = String::from_utf8(payload.clone()).unwrap();
        let reviewed = ("\"reviewed_at\":\"2026", format!("\"reviewed_at\":\"{year}"));
        let payload = edited(&payload, &[(reviewed.0, &reviewed.1)]).into_bytes();
        let envelope = DsseEnvelope::sign(PACK_PAYLOAD_TYPE, payload, &key());
        let sealed = SealedPack { envelope, receipt: None, salt: None };
        let report = report(&canon::bytes(&sealed).unwrap(), &trust);
        let time = report.findings.iter().find(|finding| finding.part == PART_TIME).unwrap();
        format!("{}: {}\n", time.verdict, time.message.english())
    };
    expect![[r#"
        PASS: made at 2026-01-03T13:00:00.000Z
        FAIL: reviewed at 2019-01-03T13:00:00.000Z, which is before the trail had a key, 2026-01-01T00:00:00.000Z
    "#]]
    .assert_eq(&[told("2026"), told("2019")].concat());
}

/// Invented evidence, in a ledger that adds up: its id is not that of its content.
#[test]
fn a_ledger_in_a_pack_is_verified_as_a_ledger() {
    let request = LedgerRequest::read(
        br#"{"session":{"id":"ses-1"},"created_at":"2026-01-03T12:00:00Z",
        "claims":[{"claim_id":"c-1","claim_text":"15 days","claim_type":"numeric","importance":"critical",
        "matches":[{"chunk_id":"a1b2c3d4","contradicts":false,"similarity":0.5,"snippet":"words of the policy",
        "document":{"filename":"HR.pdf","id":"doc_1","page_number":1},"support":"partial"}]}]}"#,
    );
    let ledger = canon::bytes(&crate::ledger::check(&request.unwrap()).unwrap()).unwrap();
    let ledger = String::from_utf8(ledger).unwrap();
    let told = |ledger: &str| {
        let ledger = format!("\"ledger\":{ledger},\"pack_id\"");
        let pack = assemble(edited(REQUEST, &[("\"pack_id\"", &ledger)]).as_bytes()).unwrap();
        let sealed = seal(&pack, &key()).unwrap();
        let report = report(&canon::bytes(&sealed).unwrap(), &trust());
        let ledger = report.findings.iter().find(|finding| finding.part == PART_LEDGER).unwrap();
        format!("{}: {}\n", ledger.verdict, ledger.message.english())
    };
    let mut all = told(&ledger);
    for (from, to) in [
        ("words of the policy", "a cash bonus of 50,000 riyals, signed by the Board."),
        ("\"filename\":\"HR.pdf\"", "\"filename\":\"Board-Resolution-2026.pdf\""),
        ("\"page_number\":1", "\"page_number\":99"),
        ("\"claim_text\":\"15 days\"", "\"claim_text\":\"60 days\""),
    ] {
        all += &told(&edited(&ledger, &[(from, to)]));
    }
    expect![[r#"
        PASS: every sum, band and id is what follows from the claims
        FAIL: `$`: expected sums and ids that follow from its claims, found others
        FAIL: `$`: expected sums and ids that follow from its claims, found others
        FAIL: `$`: expected sums and ids that follow from its claims, found others
        FAIL: `$`: expected sums and ids that follow from its claims, found others
    "#]]
    .assert_eq(&all);
}

#[test]
fn a_pack_from_the_future_is_incomplete() {
    let bytes = canon::bytes(&receipted()).unwrap();
    let report = crate::verify::file(&bytes, &trust(), time("2026-01-03T12:29:59Z"));
    assert_eq!(report.verdict(), CheckStatus::Incomplete);
}

#[test]
fn what_does_not_follow_is_found_though_it_is_signed() {
    let lies = [
        ("\"stale\":false", "\"stale\":true"),
        ("\"requirement\":\"mandatory\"", "\"requirement\":\"skip\""),
        ("\"reasons\":[\"approval class A2 makes a pack mandatory\"]", "\"reasons\":[]"),
        ("\"status\":\"unresolved\"", "\"status\":\"resolved\""),
        ("\"contradictions\":[\"amount\"]", "\"contradictions\":[\"to\"]"),
    ];
    let bytes = canon::bytes(&reseal(&lies)).unwrap();
    expect![[r#"
        FAIL
        PASS format: a pack
        PASS rules: every rule of a pack holds
        FAIL computed: expected `reasons` as it follows from the rest, found another
        FAIL computed: expected `requirement` as it follows from the rest, found another
        FAIL computed: expected `sources` as it follows from the rest, found another
        FAIL computed: expected `status` as it follows from the rest, found another
        FAIL computed: expected `tool_calls` as it follows from the rest, found another
        PASS canonical: the bytes are canonical JSON
        PASS time: made at 2026-01-03T12:30:00.000Z
        INCOMPLETE inclusion: there is no receipt that a trail holds this pack
        PASS signature: signed by `dalil.example/tenant-1+c039b92c`
        PASS pack key: `dalil.example/tenant-1` is in use
    "#]]
    .assert_eq(&shown(&bytes, &trust()));
}

#[test]
fn a_rule_that_is_broken_is_found_though_it_is_signed() {
    let lies = [
        ("\"contradiction_flag\":true", "\"contradiction_flag\":false"),
        ("[cite:fe915eaf]", "fe915eaf"),
        ("\"excerpt\":\"Budget for the project was approved by the board.\"", "\"excerpt\":\"\""),
        ("\"status\"", "\"standing\""),
    ];
    let bytes = canon::bytes(&reseal(&lies)).unwrap();
    expect![[r#"
        FAIL
        PASS format: a pack
        FAIL rules: `sources[2].excerpt`: expected some text, found ``
        FAIL rules: `tool_calls[1].contradiction_flag`: expected `true`: the actions differ at `amount`, found `false`
        FAIL rules: `memo.body_ar`: expected a citation of one source of this decision, found `[cite:2fdf6c31]`, one that names none
        FAIL rules: `memo.body_ar`: expected a citation `[cite:e3b0c442]` of source 3, found none
        FAIL rules: `memo.body_en`: expected a citation of one source of this decision, found `[cite:2fdf6c31]`, one that names none
        FAIL rules: `memo.body_en`: expected a citation `[cite:e3b0c442]` of source 3, found none
        FAIL rules: `status`: expected a value, found nothing
        FAIL rules: `standing`: expected only schema_version, pack_id, version, supersedes, reviewer_id, reviewed_at, created_at, decision_id, decision_hash, objective, recommendation, rationale, options_considered, decided_at, confidence, approval_class, reversibility_class, sensitivity_class, entity_id, tenant_id, agent_name, model, model_version, sources, tool_calls, prompts, data_freshness_window_hours, approvals, memo, ledger, trace_id, findings, status, requirement, reasons, found a field it does not know
        PASS canonical: the bytes are canonical JSON
        INCOMPLETE inclusion: there is no receipt that a trail holds this pack
        PASS signature: signed by `dalil.example/tenant-1+c039b92c`
        INCOMPLETE pack key: the pack is unreadable, so its time is not known
    "#]].assert_eq(&shown(&bytes, &trust()));
}

#[test]
fn bytes_in_another_spelling_are_found_though_they_are_signed() {
    let bytes = canon::bytes(&reseal(&[("\"version\":1", "\"version\": 1")])).unwrap();
    expect![[r#"
        FAIL
        PASS format: a pack
        PASS rules: every rule of a pack holds
        PASS computed: every computed field is what follows from the rest
        FAIL canonical: expected canonical JSON (RFC 8785), found another spelling
        PASS time: made at 2026-01-03T12:30:00.000Z
        INCOMPLETE inclusion: there is no receipt that a trail holds this pack
        PASS signature: signed by `dalil.example/tenant-1+c039b92c`
        PASS pack key: `dalil.example/tenant-1` is in use
    "#]]
    .assert_eq(&shown(&bytes, &trust()));
}

#[test]
fn changing_any_one_byte_is_detected() {
    let bytes = canon::bytes(&small()).unwrap();
    let trust = trust();
    assert_eq!(report(&bytes, &trust).verdict(), CheckStatus::Pass);
    for place in 0..bytes.len() {
        // The lowest bit changes a digit or a letter; the other changes its case.
        for mask in [0x01, 0x20] {
            let mut spoiled = bytes.clone();
            spoiled[place] ^= mask;
            let verdict = report(&spoiled, &trust).verdict();
            assert_ne!(verdict, CheckStatus::Pass, "byte {place} xor {mask}");
        }
    }
}

#[test]
fn cutting_a_sealed_pack_short_is_detected() {
    let bytes = canon::bytes(&small()).unwrap();
    for length in 0..bytes.len() {
        let verdict = report(&bytes[..length], &trust()).verdict();
        assert_eq!(verdict, CheckStatus::Fail, "{length} bytes");
    }
}

/// A sealed pack with as little in it as the rules allow.
fn small() -> SealedPack {
    let request = r#"{"decision":{"decision_id":"d","tenant_id":"t","entity_id":"e","agent_name":"a",
        "approval_class":"A0","reversibility_class":"R0","sensitivity_class":"S0","evidence":[],
        "created_at":"2026-01-03T12:00:00Z"},"memo":{"title_ar":"ع","title_en":"t","body_ar":"ن",
        "body_en":"b","executive_summary_ar":"م","executive_summary_en":"s"},
        "pack_id":"pack_00000000000000a1","created_at":"2026-01-03T12:30:00Z"}"#;
    let sealed = seal(&assemble(request.as_bytes()).unwrap(), &key()).unwrap();
    with_record(&sealed, |_| ())
}

const SALT: [u8; 32] = [9; 32];
