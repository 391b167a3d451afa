use dalil_proof::key::SecretKey;
use dalil_proof::keyring::Keyring;
use dalil_proof::tree::MerkleTree;
use dalil_proof::trust::{TrailGrowth, TrustedHead};
use dalil_proof::witness::WitnessPolicy;
use expect_test::{Expect, expect};

use super::*;

fn key() -> SecretKey {
    SecretKey::from_seed("dalil.example/a", &[1; 32]).unwrap()
}

/// Verifies bytes with one trusted key and compares the whole report.
#[track_caller]
fn check(bytes: &[u8], expected: &Expect) {
    let keyring = Keyring::new(vec![key().public().clone()], &[]).unwrap();
    let witnesses = WitnessPolicy::new(Vec::new(), 0).unwrap();
    let trust = Trust {
        origin: "dalil.example/a".to_owned(),
        keyring,
        witnesses,
        timestamp_authorities: Vec::new(),
        seen: Vec::new(),
        growth: Vec::new(),
    };
    let report = file(bytes, &trust, "2026-02-01T00:00:00Z".parse().unwrap());
    let lines = report.findings.iter();
    let lines =
        lines.map(|one| format!("{} {}: {}\n", one.verdict, one.part, one.message.english()));
    expected.assert_eq(&lines.collect::<String>());
}

fn checkpoint(origin: &str, key: &SecretKey) -> String {
    let mut tree = MerkleTree::default();
    tree.push(dalil_proof::tree::leaf(b"record"));
    let note = Checkpoint::new(origin, tree.head()).unwrap().sign(&[key]).unwrap();
    note.to_string()
}

#[test]
fn a_checkpoint_is_checked_for_its_trail_and_its_signature() {
    check(
        checkpoint("dalil.example/a", &key()).as_bytes(),
        &expect![[r#"
            PASS format: a signed note in its canonical form
            PASS checkpoint: of `dalil.example/a` at size 1
            PASS checkpoint signature: signed by `dalil.example/a`
            PASS key status: `dalil.example/a` is in use
        "#]],
    );
    check(
        checkpoint("dalil.example/b", &key()).as_bytes(),
        &expect![[r#"
            PASS format: a signed note in its canonical form
            FAIL checkpoint: expected a checkpoint of `dalil.example/a`, found one of `dalil.example/b`
            PASS checkpoint signature: signed by `dalil.example/a`
            PASS key status: `dalil.example/a` is in use
        "#]],
    );
    let stranger = SecretKey::from_seed("dalil.example/a", &[2; 32]).unwrap();
    check(
        checkpoint("dalil.example/a", &stranger).as_bytes(),
        &expect![[r#"
            PASS format: a signed note in its canonical form
            PASS checkpoint: of `dalil.example/a` at size 1
            FAIL checkpoint signature: expected a signature by a known key, found none
        "#]],
    );
    check(
        checkpoint("dalil.example/a", &key()).replace("\n1\n", "\n2\n").as_bytes(),
        &expect![[r#"
            PASS format: a signed note in its canonical form
            PASS checkpoint: of `dalil.example/a` at size 2
            FAIL checkpoint signature: expected a signature by the key `dalil.example/a`, found bytes that it did not sign
        "#]],
    );
}

/// Two heads of one size are two histories, whatever their signatures; heads of other sizes need a
/// proof.
#[test]
fn a_checkpoint_is_compared_with_every_head_that_was_seen() {
    let mut tree = MerkleTree::default();
    for n in 0..5_u8 {
        tree.push(dalil_proof::tree::leaf(&[n]));
    }
    let (three, five) = (tree.head_at(3).unwrap(), tree.head_at(5).unwrap());
    let note = |head| Checkpoint::new("dalil.example/a", head).unwrap().sign(&[&key()]).unwrap();
    let at = "2026-01-05T00:00:00Z".parse().unwrap();
    let growth = TrailGrowth { old: three, new: five, proof: tree.consistency(3, 5).unwrap() };
    let found = |signed, seen, growth: &[TrailGrowth]| {
        let keyring = Keyring::new(vec![key().public().clone()], &[]).unwrap();
        let trust = Trust {
            origin: "dalil.example/a".to_owned(),
            keyring,
            witnesses: WitnessPolicy::NONE,
            seen: vec![TrustedHead { head: seen, at }],
            growth: growth.to_vec(),
            timestamp_authorities: Vec::new(),
        };
        let now = "2026-02-01T00:00:00Z".parse().unwrap();
        let report = file(note(signed).to_string().as_bytes(), &trust, now);
        let found = report.findings.iter().find(|one| one.part == "consistency").unwrap();
        format!("{}: {}\n", found.verdict, found.message.english())
    };
    let other = dalil_proof::tree::TreeHead { size: 5, root: Digest::of(b"fork") };
    let told = [
        found(five, five, &[]),
        found(five, other, &[]),
        found(five, three, &[]),
        found(three, five, &[]),
        found(five, three, std::slice::from_ref(&growth)),
        found(three, five, std::slice::from_ref(&growth)),
        found(other, three, std::slice::from_ref(&growth)),
    ];
    expect![[r#"
        PASS: the head seen at 2026-01-05T00:00:00.000Z, of size 5, is in it
        FAIL: expected root `sha256:8d0c7ac992af2f4913b47d425af0fe08dca35d157cbf27e40c203589b983d1fd` at size 5, as seen at 2026-01-05T00:00:00.000Z, found `sha256:b855b42d6c30f5b087e05266783fbd6e394f7b926013ccaa67700a8b0c5a596f`
        INCOMPLETE: the root at size 3, seen at 2026-01-05T00:00:00.000Z, cannot be computed from this file; `dalil trail prove --from 3 --to 5` gives the proof that relates them
        INCOMPLETE: size 5 was seen at 2026-01-05T00:00:00.000Z, and this ends at 3: older, or cut; `dalil trail prove --from 3 --to 5` gives the proof that relates them
        PASS: the head seen at 2026-01-05T00:00:00.000Z, of size 3, is in it
        PASS: the head seen at 2026-01-05T00:00:00.000Z, of size 5, only adds to it
        INCOMPLETE: the root at size 3, seen at 2026-01-05T00:00:00.000Z, cannot be computed from this file; `dalil trail prove --from 3 --to 5` gives the proof that relates them
    "#]].assert_eq(&told.concat());
}

#[test]
fn an_empty_trail_has_one_root() {
    let empty = |root| {
        let head = dalil_proof::tree::TreeHead { size: 0, root };
        Checkpoint::new("dalil.example/a", head).unwrap().sign(&[&key()]).unwrap().to_string()
    };
    check(
        empty(dalil_proof::tree::empty()).as_bytes(),
        &expect![[r#"
        PASS format: a signed note in its canonical form
        PASS checkpoint: of `dalil.example/a` at size 0
        PASS checkpoint signature: signed by `dalil.example/a`
        PASS key status: `dalil.example/a` is in use
    "#]],
    );
    check(
        empty(Digest::of(b"record")).as_bytes(),
        &expect![[r#"
        PASS format: a signed note in its canonical form
        FAIL checkpoint: expected the root of the empty tree at size 0, found another
        PASS checkpoint signature: signed by `dalil.example/a`
        PASS key status: `dalil.example/a` is in use
    "#]],
    );
}

#[test]
fn a_note_that_is_no_checkpoint_fails() {
    let note = dalil_proof::note::sign("hello\n", &[&key()]).unwrap();
    check(
        note.to_string().as_bytes(),
        &expect![[r#"
            PASS format: a signed note in its canonical form
            FAIL checkpoint: expected an origin, a size and a base64 root on one line each, found another text
            PASS checkpoint signature: signed by `dalil.example/a`
            PASS key status: `dalil.example/a` is in use
        "#]],
    );
}

#[test]
fn what_is_not_json_a_receipt_or_a_note_fails() {
    check(
        b"",
        &expect![[r#"
            FAIL format: expected a pack, a ledger, a PDF document, an archive, a receipt, a checkpoint or a trail export, found something else
        "#]],
    );
    check(
        b"hello",
        &expect![[r#"
            FAIL format: expected a pack, a ledger, a PDF document, an archive, a receipt, a checkpoint or a trail export, found something else
        "#]],
    );
    check(
        &[0xff; 40],
        &expect![[r#"
            FAIL format: expected a pack, a ledger, a PDF document, an archive, a receipt, a checkpoint or a trail export, found something else
        "#]],
    );
    check(
        b"[]",
        &expect![[r#"
            FAIL format: expected a pack, a ledger, a PDF document, an archive, a receipt, a checkpoint or a trail export, found something else
        "#]],
    );
}

#[test]
fn json_that_is_no_pack_fails() {
    check(
        b"{",
        &expect![[r#"
            FAIL format: `$`: expected one JSON value, found the end of the text at line 1 column 1
        "#]],
    );
    check(
        b"{}",
        &expect![[r#"
        FAIL format: `$`: expected a sealed pack, a DSSE envelope, a pack or a ledger, found another JSON value
    "#]],
    );
    check(
        br#"{"payloadType":"text/plain","payload":"","signatures":[]}"#,
        &expect![[r#"
        FAIL format: `payloadType`: expected one of `application/vnd.dalil.pack+json`, found `text/plain`
        FAIL format: `signatures`: expected at least one signature, found none
    "#]],
    );
    check(
        br#"{"envelope":{},"receipt":1,"salt":"00","more":1}"#,
        &expect![[r#"
        FAIL format: `envelope.payload`: expected a value, found nothing
        FAIL format: `envelope.payloadType`: expected a value, found nothing
        FAIL format: `envelope.signatures`: expected a value, found nothing
        FAIL format: `receipt`: expected a string, found `1`
        FAIL format: `salt`: expected 64 lower-case hex digits, found `00`
        FAIL format: `more`: expected only envelope, receipt, salt, found a field it does not know
    "#]],
    );
    check(
        br#"{"pack_id":"pack_1"}"#,
        &expect![[r#"
        PASS format: a pack
        FAIL rules: `schema_version`: expected a value, found nothing
        FAIL rules: `pack_id`: expected `pack_` and 16 lower-case hex digits, found `pack_1`
        FAIL rules: `created_at`: expected a value, found nothing
        FAIL rules: `decision_id`: expected a value, found nothing
        FAIL rules: `decision_hash`: expected a value, found nothing
        FAIL rules: `decided_at`: expected a value, found nothing
        FAIL rules: `approval_class`: expected a value, found nothing
        FAIL rules: `reversibility_class`: expected a value, found nothing
        FAIL rules: `sensitivity_class`: expected a value, found nothing
        FAIL rules: `entity_id`: expected a value, found nothing
        FAIL rules: `tenant_id`: expected a value, found nothing
        FAIL rules: `agent_name`: expected a value, found nothing
        FAIL rules: `sources`: expected a value, found nothing
        FAIL rules: `tool_calls`: expected a value, found nothing
        FAIL rules: `prompts`: expected a value, found nothing
        FAIL rules: `data_freshness_window_hours`: expected a value, found nothing
        FAIL rules: `memo`: expected a value, found nothing
        FAIL rules: `findings`: expected a value, found nothing
        FAIL rules: `status`: expected a value, found nothing
        FAIL rules: `requirement`: expected a value, found nothing
        FAIL rules: `reasons`: expected a value, found nothing
        INCOMPLETE inclusion: there is no receipt that a trail holds this pack
        INCOMPLETE signature: this file is the pack alone, without a seal: nobody has signed it
    "#]],
    );
}

#[test]
fn a_receipt_is_checked_as_a_receipt() {
    check(
        b"c2sp.org/tlog-proof@v1\n",
        &expect![[r#"
        FAIL format: expected a blank line before the checkpoint, found none
    "#]],
    );
}

#[test]
fn documents_and_archives_are_not_opened() {
    check(
        b"%PDF-1.7\n",
        &expect![[r#"
        INCOMPLETE format: a file that holds others, which are to be taken out first
    "#]],
    );
    check(
        b"PK\x03\x04",
        &expect![[r#"
        INCOMPLETE format: a file that holds others, which are to be taken out first
    "#]],
    );
}

#[test]
fn a_file_says_which_trail_it_is_under() {
    let origin = |text: &str| unverified_origin(text.as_bytes());
    assert_eq!(origin(&checkpoint("dalil.example/z", &key())).as_deref(), Some("dalil.example/z"));
    assert_eq!(origin("{}"), None);
    assert_eq!(origin("hello"), None);
}
