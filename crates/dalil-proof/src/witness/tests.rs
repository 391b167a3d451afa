use expect_test::{Expect, expect};

use super::{GrowthProof, NotAWitnessPolicy, WitnessPolicy, cosign};
use crate::checkpoint::Checkpoint;
use crate::key::{PublicKey, SecretKey};
use crate::note::UnverifiedNote;
use crate::time::Time;
use crate::tree::{MerkleTree, TreeHead, empty, leaf};

const ORIGIN: &str = "dalil.example/acme";

fn log_key() -> SecretKey {
    SecretKey::from_seed(ORIGIN, &[7; 32]).unwrap()
}

fn witness(n: u8) -> SecretKey {
    SecretKey::cosigner_from_seed(&format!("witness.example/w{n}"), &[n; 32]).unwrap()
}

fn tree() -> MerkleTree {
    (0..5_u8).map(|n| leaf(&[n])).collect()
}

fn note(size: u64) -> UnverifiedNote {
    Checkpoint::new(ORIGIN, tree().head_at(size).unwrap()).unwrap().sign(&[&log_key()]).unwrap()
}

fn at(text: &str) -> Time {
    text.parse().unwrap()
}

const FIRST: GrowthProof<'static> =
    GrowthProof { seen: TreeHead { size: 0, root: NOTHING }, proof: &[] };
/// The digest of nothing, which is the root of an empty tree.
const NOTHING: crate::digest::Digest = crate::digest::Digest::from_bytes([
    0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4, 0xc8, 0x99, 0x6f, 0xb9, 0x24,
    0x27, 0xae, 0x41, 0xe4, 0x64, 0x9b, 0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55,
]);

fn cosigned(note: UnverifiedNote, witness: &SecretKey, time: &str) -> UnverifiedNote {
    let line = cosign(witness, &note, &FIRST, at(time)).unwrap();
    note.with(line).unwrap()
}

fn publics(keys: &[&SecretKey]) -> Vec<PublicKey> {
    keys.iter().map(|key| key.public().clone()).collect()
}

#[test]
fn a_cosigned_checkpoint_is_pinned() {
    assert_eq!(empty(), NOTHING);
    let note = cosigned(note(3), &witness(1), "2026-01-03T14:30:00.999Z");
    expect![[r#"
        dalil.example/acme
        3
        O2zM1+PgI/85MAbwMDFe562esRGwIrQfun5bejlz9og=

        — dalil.example/acme mfDqBIh15k2+kb5xBWxg8E8Lq0GgwcVGKyClBwIZD48DAVh6LCaP12oVGiby27/c37E21W2wTk8IUyFIqPQrvfGb0Qs=
        — witness.example/w1 CtfTXgAAAABpWSfoCL2OlUaSAmNgS1tYod1hkAg+jYB8fRp0K7AVMsSiCEGXqYXYPwtmZq/t2DUqMkZZsUqIDAUsDsDSASHkSasIDQ==
    "#]].assert_eq(&note.to_string());
}

#[track_caller]
fn check(note: &UnverifiedNote, witnesses: &[&SecretKey], expected: &Expect) {
    let policy = WitnessPolicy::new(publics(witnesses), witnesses.len()).unwrap();
    let actual = match policy.cosignatures(note) {
        Ok(found) => found.iter().map(|one| format!("{} at {}\n", one.name, one.at)).collect(),
        Err(forged) => forged.to_string(),
    };
    expected.assert_eq(&actual);
}

#[test]
fn each_witness_counts_once_at_its_earliest_time() {
    let (one, two) = (witness(1), witness(2));
    let note = cosigned(note(3), &one, "2026-01-03T14:30:05Z");
    let note = cosigned(note, &two, "2026-01-03T14:30:06Z");
    let note = cosigned(note, &one, "2026-01-03T14:30:04Z");
    check(
        &note,
        &[&one, &two],
        &expect![[r#"
            witness.example/w1 at 2026-01-03T14:30:04.000Z
            witness.example/w2 at 2026-01-03T14:30:06.000Z
        "#]],
    );
    check(&note, &[&witness(3)], &expect![""]);
}

#[test]
fn a_changed_time_or_text_is_a_forged_cosignature() {
    let one = witness(1);
    let good = cosigned(note(3), &one, "2026-01-03T14:30:05Z");
    let mut line = good.signatures()[1].clone();
    line.bytes[7] ^= 1;
    let forged = expect![
        "expected a cosignature by the witness `witness.example/w1`, found bytes that it did not sign"
    ];
    check(&note(3).with(line).unwrap(), &[&one], &forged);
    check(&note(4).with(good.signatures()[1].clone()).unwrap(), &[&one], &forged);
}

#[test]
fn a_witness_cosigns_only_what_extends_what_it_saw() {
    let (tree, one) = (tree(), witness(1));
    let proof = tree.consistency(2, 4).unwrap();
    let seen = tree.head_at(2).unwrap();
    let time = at("2026-01-03T14:30:05Z");
    cosign(&one, &note(4), &GrowthProof { seen, proof: &proof }, time).unwrap();
    let forked = TreeHead { size: 2, root: leaf(b"another history") };
    let refused = cosign(&one, &note(4), &GrowthProof { seen: forked, proof: &proof }, time);
    assert!(refused.unwrap_err().to_string().starts_with("expected the proof to lead"));
    let shrunk = GrowthProof { seen: tree.head_at(5).unwrap(), proof: &[] };
    expect!["expected an earlier size of at most 4, found 5"]
        .assert_eq(&cosign(&one, &note(4), &shrunk, time).unwrap_err().to_string());
}

#[test]
fn only_a_cosigner_key_cosigns_and_only_a_checkpoint_is_cosigned() {
    let time = at("2026-01-03T14:30:05Z");
    expect!["expected a cosigner key, found a plain one"]
        .assert_eq(&cosign(&log_key(), &note(3), &FIRST, time).unwrap_err().to_string());
    let letter = crate::note::sign("hello\n", &[&log_key()]).unwrap();
    expect!["expected an origin, a size and a base64 root on one line each, found another text"]
        .assert_eq(&cosign(&witness(1), &letter, &FIRST, time).unwrap_err().to_string());
    expect!["expected a time after 1970, found an earlier one"].assert_eq(
        &cosign(&witness(1), &note(3), &FIRST, at("1969-12-31T23:59:59Z")).unwrap_err().to_string(),
    );
}

#[test]
fn a_policy_that_could_be_met_by_fewer_is_refused() {
    let again = SecretKey::cosigner_from_seed("witness.example/other", &[1; 32]).unwrap();
    let policy =
        |keys: &[&SecretKey], quorum| WitnessPolicy::new(publics(keys), quorum).unwrap_err();
    assert_eq!(policy(&[&witness(1), &again], 2), NotAWitnessPolicy::Repeated);
    assert_eq!(policy(&[&log_key()], 1), NotAWitnessPolicy::Scheme);
    assert_eq!(policy(&[&witness(1)], 2), NotAWitnessPolicy::Quorum { quorum: 2, witnesses: 1 });
}
