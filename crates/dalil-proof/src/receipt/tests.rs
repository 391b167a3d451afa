use std::collections::BTreeMap;

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::{NotAReceipt, Receipt, verify};
use crate::checkpoint::Checkpoint;
use crate::id::RecordId;
use crate::key::SecretKey;
use crate::keyring::{KeyChangeKind, KeyHistoryEntry, Keyring};
use crate::note::UnverifiedNote;
use crate::record::{Actor, Lineage, Record, RecordEnvelope, RecordKind};
use crate::report::{CheckStatus, VerificationReport};
use crate::time::Time;
use crate::tree::{MerkleTree, TreeHead, empty};
use crate::trust::{Trust, TrustedHead};
use crate::witness::{GrowthProof, WitnessPolicy, cosign};

const ORIGIN: &str = "dalil.example/acme";
const NOW: &str = "2026-02-01T00:00:00Z";

fn at(text: &str) -> Time {
    text.parse().unwrap()
}

fn key(n: u8) -> SecretKey {
    SecretKey::from_seed(ORIGIN, &[n; 32]).unwrap()
}

fn witness(n: u8) -> SecretKey {
    SecretKey::cosigner_from_seed(&format!("witness.example/w{n}"), &[n; 32]).unwrap()
}

fn record(n: u8) -> Record {
    Record::new(&RecordEnvelope {
        kind: RecordKind::ExportMade,
        id: RecordId::from_random([n; 8]),
        at: at("2026-01-03T14:30:00Z"),
        actor: Actor::System,
        subject: format!("export-{n}"),
        lineage: Lineage::First,
        commitments: BTreeMap::new(),
    })
    .unwrap()
}

fn tree() -> MerkleTree {
    (0..5).map(|n| record(n).leaf()).collect()
}

fn checkpoint(signers: &[&SecretKey]) -> UnverifiedNote {
    Checkpoint::new(ORIGIN, tree().head()).unwrap().sign(signers).unwrap()
}

fn cosigned(note: UnverifiedNote, n: u8, time: &str) -> UnverifiedNote {
    let first = GrowthProof { seen: TreeHead { size: 0, root: empty() }, proof: &[] };
    let line = cosign(&witness(n), &note, &first, at(time)).unwrap();
    note.with(line).unwrap()
}

fn receipt(checkpoint: UnverifiedNote) -> Receipt {
    Receipt::new(&record(2), 2, tree().inclusion(2, 5).unwrap(), checkpoint).unwrap()
}

fn trust(history: &[KeyHistoryEntry], quorum: usize) -> Trust {
    let witnesses = [1, 2].map(|n| witness(n).public().clone()).to_vec();
    Trust {
        origin: ORIGIN.to_owned(),
        keyring: Keyring::new(vec![key(7).public().clone()], history).unwrap(),
        witnesses: WitnessPolicy::new(witnesses, quorum).unwrap(),
        timestamp_authorities: Vec::new(),
        seen: Vec::new(),
        growth: Vec::new(),
    }
}

fn revoked(time: &str) -> [KeyHistoryEntry; 1] {
    [KeyHistoryEntry {
        at: at(time),
        change: KeyChangeKind::Revoked,
        key: key(7).public().clone(),
        redated: None,
    }]
}

#[track_caller]
fn check(report: &VerificationReport, expected: &Expect) {
    let mut text = format!("{}\n", report.verdict());
    for finding in &report.findings {
        text += &format!("  {} {}: {}\n", finding.verdict, finding.part, finding.message.english());
    }
    expected.assert_eq(&text);
}

#[test]
fn a_receipt_is_pinned_and_passes() {
    let receipt = receipt(cosigned(checkpoint(&[&key(7)]), 1, "2026-01-03T14:31:00Z"));
    expect![[r#"
        c2sp.org/tlog-proof@v1
        extra eyJhY3RvciI6eyJraW5kIjoic3lzdGVtIn0sImF0IjoiMjAyNi0wMS0wM1QxNDozMDowMC4wMDBaIiwiY29tbWl0bWVudHMiOnt9LCJpZCI6InJlY18wMjAyMDIwMjAyMDIwMjAyIiwibGluZWFnZSI6eyJzZXF1ZW5jZSI6MH0sInN1YmplY3QiOiJleHBvcnQtMiIsInR5cGUiOiJleHBvcnQubWFkZSIsInYiOjF9
        index 2
        ECjSdFRwOheeEkcQtPzq6FSItWMlSVtKFVrv7R4iuY4=
        sm3g8JgBOWEkbEdxhlXNP2pPcjVuKL1L7PCQEzvdHD4=
        DOVSFjt8JMD+f0fPmlULoSvHzNRttLZxMlMA74NFJOw=

        dalil.example/acme
        5
        2nfrg32mGnUa8cltzEF7EmQdW2BIhhM9RC1j9ac/6Ak=

        — dalil.example/acme mfDqBIDli1YhOCvVLblMPMcNldKCSg3eediG8BctSpKmWHd6bD4dv8nThHJfvbfI2fbBanBJz0flFgTn9wAqTEGU7wM=
        — witness.example/w1 CtfTXgAAAABpWSgkxA8pDwIhVh27NgJvXkTe2kkwTBWkCu77F0mVV3OKvvyPDouRvoVWQ1r34Xq9SyJHKdGKPbFQKVMzn+JVpRIoDw==
    "#]].assert_eq(&receipt.to_string());
    assert_eq!(Receipt::parse(receipt.to_string().as_bytes()).unwrap(), receipt);
    check(
        &receipt.verify(&trust(&[], 1), at(NOW)),
        &expect![[r#"
        PASS
          PASS format: a receipt in its canonical form
          PASS record: `rec_0202020202020202`, `export.made` of 2026-01-03T14:30:00.000Z
          PASS checkpoint: of `dalil.example/acme` at size 5
          PASS inclusion: record 2 is under the root
          PASS witnesses: 1 cosigned, 1 needed
          PASS checkpoint signature: signed by `dalil.example/acme`
          PASS key status: `dalil.example/acme` is in use
    "#]],
    );
}

#[test]
fn nothing_of_a_trail_is_older_than_its_first_key_and_no_key_signs_before_its_time() {
    let plain = receipt(checkpoint(&[&key(7)]));
    let with = |time: &str| {
        let key = key(7).public().clone();
        let line =
            KeyHistoryEntry { at: at(time), change: KeyChangeKind::Added, key, redated: None };
        let keyring = Keyring::new(Vec::new(), &[line]).unwrap();
        plain.verify(&Trust { keyring, ..trust(&[], 0) }, at(NOW))
    };
    check(
        &with("2026-01-03T14:30:00.001Z"),
        &expect![[r#"
        FAIL
          PASS format: a receipt in its canonical form
          FAIL record: `rec_0202020202020202`, `export.made` of 2026-01-03T14:30:00.000Z, which is before the trail had a key, 2026-01-03T14:30:00.001Z
          PASS checkpoint: of `dalil.example/acme` at size 5
          PASS inclusion: record 2 is under the root
          PASS checkpoint signature: signed by `dalil.example/acme`
          PASS key status: `dalil.example/acme` is in use
    "#]],
    );
    check(
        &with("2099-01-01T00:00:00Z"),
        &expect![[r#"
        FAIL
          PASS format: a receipt in its canonical form
          FAIL record: `rec_0202020202020202`, `export.made` of 2026-01-03T14:30:00.000Z, which is before the trail had a key, 2099-01-01T00:00:00.000Z
          PASS checkpoint: of `dalil.example/acme` at size 5
          PASS inclusion: record 2 is under the root
          PASS checkpoint signature: signed by `dalil.example/acme`
          INCOMPLETE key status: `dalil.example/acme` is added only after now, 2026-02-01T00:00:00.000Z, by the key history
    "#]],
    );
    assert_eq!(with("2026-01-03T14:30:00Z").verdict(), CheckStatus::Pass);
}

#[test]
fn what_cannot_be_told_is_incomplete() {
    let plain = receipt(checkpoint(&[&key(7)]));
    let mut nothing = trust(&[], 0);
    nothing.keyring = Keyring::default();
    check(
        &plain.verify(&nothing, at(NOW)),
        &expect![[r#"
        INCOMPLETE
          PASS format: a receipt in its canonical form
          PASS record: `rec_0202020202020202`, `export.made` of 2026-01-03T14:30:00.000Z
          PASS checkpoint: of `dalil.example/acme` at size 5
          PASS inclusion: record 2 is under the root
          INCOMPLETE checkpoint signature: no key of this trail is pinned to check it with
    "#]],
    );
    check(
        &plain.verify(&trust(&[], 1), at("2026-01-01T00:00:00Z")),
        &expect![[r#"
        INCOMPLETE
          PASS format: a receipt in its canonical form
          INCOMPLETE record: `rec_0202020202020202`, `export.made` of 2026-01-03T14:30:00.000Z, which is later than now, 2026-01-01T00:00:00.000Z
          PASS checkpoint: of `dalil.example/acme` at size 5
          PASS inclusion: record 2 is under the root
          INCOMPLETE witnesses: 0 cosigned, 1 needed
          PASS checkpoint signature: signed by `dalil.example/acme`
          PASS key status: `dalil.example/acme` is in use
    "#]],
    );
}

#[test]
fn what_is_wrong_fails_and_every_wrong_part_is_named() {
    let mut stranger = receipt(checkpoint(&[&key(8)]));
    stranger.index = 3;
    let mut other = trust(&[], 0);
    other.origin = "dalil.example/other".to_owned();
    check(
        &stranger.verify(&other, at(NOW)),
        &expect![[r#"
        FAIL
          PASS format: a receipt in its canonical form
          PASS record: `rec_0202020202020202`, `export.made` of 2026-01-03T14:30:00.000Z
          FAIL checkpoint: expected a checkpoint of `dalil.example/other`, found one of `dalil.example/acme`
          FAIL inclusion: expected the proof to lead to root `sha256:da77eb837da61a751af1c96dcc417b12641d5b604886133d442d63f5a73fe809`, found `sha256:76440865378c2045e726e1c1498e1b3f87048225ecf424d6e7fc8e79dafacd10`
          FAIL checkpoint signature: expected a signature by a known key, found none
    "#]],
    );
    let mut unreadable = receipt(checkpoint(&[&key(7)]));
    unreadable.record = b"{}".to_vec();
    check(
        &unreadable.verify(&trust(&[], 0), at(NOW)),
        &expect![[r#"
            FAIL
              PASS format: a receipt in its canonical form
              FAIL record: `v`: expected a value, found nothing
              FAIL record: `type`: expected a value, found nothing
              FAIL record: `id`: expected a value, found nothing
              FAIL record: `at`: expected a value, found nothing
              FAIL record: `actor`: expected a value, found nothing
              FAIL record: `subject`: expected a value, found nothing
              FAIL record: `lineage`: expected a value, found nothing
              FAIL record: `commitments`: expected a value, found nothing
              PASS checkpoint: of `dalil.example/acme` at size 5
              FAIL inclusion: expected the proof to lead to root `sha256:da77eb837da61a751af1c96dcc417b12641d5b604886133d442d63f5a73fe809`, found `sha256:71ee7645c083dba7a1767ff961f15d7a6de044e1f8cc6839111d36eb73235fc4`
              PASS checkpoint signature: signed by `dalil.example/acme`
              PASS key status: `dalil.example/acme` is in use
        "#]],
    );
    check(
        &verify(b"hello", &trust(&[], 0), at(NOW)),
        &expect![[r#"
        FAIL
          FAIL format: expected a blank line before the checkpoint, found none
    "#]],
    );
}

#[test]
fn a_revoked_key_passes_only_with_a_trusted_time_before() {
    let plain = receipt(checkpoint(&[&key(7)]));
    let early = receipt(cosigned(checkpoint(&[&key(7)]), 1, "2026-01-03T14:31:00Z"));
    let before = trust(&revoked("2026-01-03T14:32:00Z"), 0);
    check(
        &plain.verify(&before, at(NOW)),
        &expect![[r#"
        INCOMPLETE
          PASS format: a receipt in its canonical form
          PASS record: `rec_0202020202020202`, `export.made` of 2026-01-03T14:30:00.000Z
          PASS checkpoint: of `dalil.example/acme` at size 5
          PASS inclusion: record 2 is under the root
          PASS checkpoint signature: signed by `dalil.example/acme`
          INCOMPLETE key status: `dalil.example/acme` was revoked at 2026-01-03T14:32:00.000Z, and no trusted time shows that this is older
    "#]],
    );
    check(
        &early.verify(&before, at(NOW)),
        &expect![[r#"
        PASS
          PASS format: a receipt in its canonical form
          PASS record: `rec_0202020202020202`, `export.made` of 2026-01-03T14:30:00.000Z
          PASS checkpoint: of `dalil.example/acme` at size 5
          PASS inclusion: record 2 is under the root
          PASS checkpoint signature: signed by `dalil.example/acme`
          PASS key status: `dalil.example/acme` was revoked at 2026-01-03T14:32:00.000Z, but this was seen at 2026-01-03T14:31:00.999Z, before
    "#]],
    );
    // The cosignature's second may have ended after the revocation.
    let within = trust(&revoked("2026-01-03T14:31:00.500Z"), 0);
    assert_eq!(early.verify(&within, at(NOW)).verdict(), CheckStatus::Incomplete);
    let mut seen = before;
    seen.seen = vec![TrustedHead { head: tree().head(), at: at("2026-01-03T14:31:30Z") }];
    assert_eq!(plain.verify(&seen, at(NOW)).verdict(), CheckStatus::Pass);
    seen.seen =
        vec![TrustedHead { head: tree().head_at(4).unwrap(), at: at("2026-01-03T14:31:30Z") }];
    assert_eq!(plain.verify(&seen, at(NOW)).verdict(), CheckStatus::Incomplete);
}

#[test]
fn fewer_witnesses_than_the_quorum_cannot_date_a_checkpoint_back() {
    let note = cosigned(checkpoint(&[&key(7)]), 1, "2020-01-01T00:00:00Z");
    let note = cosigned(note, 2, "2026-01-03T14:33:00Z");
    let trust = trust(&revoked("2026-01-03T14:32:00Z"), 2);
    assert_eq!(receipt(note).verify(&trust, at(NOW)).verdict(), CheckStatus::Incomplete);
}

#[test]
fn the_earliest_trusted_time_counts() {
    let note = cosigned(checkpoint(&[&key(7)]), 1, "2026-01-03T14:33:00Z");
    let late = receipt(note);
    let mut trust = trust(&revoked("2026-01-03T14:32:00Z"), 1);
    assert_eq!(late.verify(&trust, at(NOW)).verdict(), CheckStatus::Incomplete);
    trust.seen = vec![TrustedHead { head: tree().head(), at: at("2026-01-03T14:31:30Z") }];
    assert_eq!(late.verify(&trust, at(NOW)).verdict(), CheckStatus::Pass);
}

#[test]
fn a_cosignature_from_the_future_does_not_count() {
    let note = cosigned(checkpoint(&[&key(7)]), 1, "2027-01-01T00:00:00Z");
    assert_eq!(receipt(note).verify(&trust(&[], 1), at(NOW)).verdict(), CheckStatus::Incomplete);
}

#[test]
fn one_good_signer_is_enough() {
    let stranger = receipt(checkpoint(&[&key(8), &key(7)]));
    assert_eq!(stranger.verify(&trust(&[], 0), at(NOW)).verdict(), CheckStatus::Pass);
}

#[track_caller]
fn refuses(spoil: impl Fn(String) -> String, why: NotAReceipt) {
    let text = spoil(receipt(checkpoint(&[&key(7)])).to_string());
    assert_eq!(Receipt::parse(text.as_bytes()).unwrap_err(), why);
}

#[test]
fn every_rule_of_the_format_is_enforced() {
    refuses(|text| text.replace("@v1", "@v2"), NotAReceipt::Version);
    refuses(|text| text.replace("extra ", "extra  "), NotAReceipt::Extra);
    refuses(|text| text.replace("extra ", "other "), NotAReceipt::Extra);
    refuses(|text| text.replace("index 2", "index 02"), NotAReceipt::Index);
    refuses(|text| text.replace("index 2", "index +2"), NotAReceipt::Index);
    refuses(|text| text.replace("index 2", "index -2"), NotAReceipt::Index);
    refuses(|text| text.replace("index 2\n", "index 2\nAAAA\n"), NotAReceipt::Path);
    let line = format!("{}=\n", "A".repeat(43));
    refuses(
        |text| text.replace("index 2\n", &format!("index 2\n{}", line.repeat(65))),
        NotAReceipt::Path,
    );
    let highest = Receipt::new(&record(0), 0, vec![empty(); 64], checkpoint(&[&key(7)])).unwrap();
    assert_eq!(Receipt::parse(highest.to_string().as_bytes()), Ok(highest));
    refuses(|text| text.replace("\n\n", "\n"), NotAReceipt::Blank);
    refuses(|text| text.replace('—', "-"), NotAReceipt::Checkpoint(crate::note::NotANote::Line));
    refuses(|text| "x".repeat(2 << 20) + &text, NotAReceipt::Size);
    assert_eq!(Receipt::parse(b"\xff").unwrap_err(), NotAReceipt::Utf8);
    let long = Receipt::new(&record(0), 0, vec![empty(); 65], checkpoint(&[&key(7)]));
    assert_eq!(long.unwrap_err(), NotAReceipt::Path);
}

/// Every bit of every byte: the record, the index, the path, the checkpoint, both signatures.
#[test]
fn every_flipped_bit_of_a_receipt_is_seen() {
    let whole = receipt(cosigned(checkpoint(&[&key(7)]), 1, "2026-01-03T14:31:00Z")).to_string();
    let whole = whole.into_bytes();
    let trust = trust(&[], 1);
    assert_eq!(verify(&whole, &trust, at(NOW)).verdict(), CheckStatus::Pass);
    for n in 0..whole.len() {
        for bit in 0..8 {
            let mut flipped = whole.clone();
            flipped[n] ^= 1 << bit;
            let verdict = verify(&flipped, &trust, at(NOW)).verdict();
            assert_ne!(verdict, CheckStatus::Pass, "byte {n} bit {bit}");
        }
    }
}

proptest! {
    #[test]
    fn every_cut_and_every_added_byte_is_seen(n in 0..900_usize, byte: u8) {
        let whole = receipt(checkpoint(&[&key(7)])).to_string().into_bytes();
        let n = n.min(whole.len() - 1);
        let trust = trust(&[], 0);
        prop_assert_ne!(verify(&whole[..n], &trust, at(NOW)).verdict(), CheckStatus::Pass);
        let mut longer = whole;
        longer.insert(n, byte);
        prop_assert_ne!(verify(&longer, &trust, at(NOW)).verdict(), CheckStatus::Pass);
    }

    #[test]
    fn parsing_is_total(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let text = [b"c2sp.org/tlog-proof@v1\nextra ".as_slice(), &bytes].concat();
        if let Ok(receipt) = Receipt::parse(&text) {
            prop_assert_eq!(receipt.to_string().into_bytes(), text);
        }
    }
}
