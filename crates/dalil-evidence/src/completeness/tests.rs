use dalil_proof::id::RecordId;
use dalil_proof::json::Json;
use dalil_proof::keyring::{KeyChangeKind, KeyHistoryEntry, Keyring};
use dalil_proof::record::{Actor, Commitment, Lineage, Record, RecordEnvelope};
use dalil_proof::trail::{KEY_FIELD, PayloadField, RecordPayload, TrailHeader, TrailWriter};
use dalil_proof::tree::{Frontier, MerkleTree};
use dalil_proof::trust::Trust;
use dalil_proof::witness::WitnessPolicy;
use expect_test::{Expect, expect};

use super::*;

const ORIGIN: &str = "dalil.example/a";

fn key() -> SecretKey {
    SecretKey::from_seed(ORIGIN, &[7; 32]).unwrap()
}

fn at() -> Time {
    "2026-03-15T09:30:00.000Z".parse().unwrap()
}

fn history() -> Vec<KeyHistoryEntry> {
    vec![KeyHistoryEntry {
        at: at(),
        change: KeyChangeKind::Added,
        key: key().public().clone(),
        redated: None,
    }]
}

fn trust() -> Trust {
    let keyring = Keyring::new(Vec::new(), &history()).unwrap();
    let witnesses = WitnessPolicy::new(Vec::new(), 0).unwrap();
    Trust {
        origin: ORIGIN.to_owned(),
        keyring,
        witnesses,
        timestamp_authorities: Vec::new(),
        seen: Vec::new(),
        growth: Vec::new(),
    }
}

/// The key, evidence of `ob-1`, a skip of `ob-2`, a change of `ob-3`, evidence of `ob-4`.
fn records() -> Vec<(Record, RecordPayload<'static>)> {
    let key = key().public().to_string().into_bytes();
    let all = [
        (RecordKind::KeyAdded, "key-1", KEY_FIELD, key),
        (RecordKind::ObligationRecorded, "ob-1", "evidence", b"{}".to_vec()),
        (RecordKind::ObligationSkipped, "ob-2", "skip", b"{}".to_vec()),
        (RecordKind::ObligationStatusChanged, "ob-3", "evidence", b"{}".to_vec()),
        (RecordKind::ObligationRecorded, "ob-4", "evidence", b"{}".to_vec()),
    ];
    let made = (0..).zip(all).map(|(n, (kind, subject, name, bytes))| {
        let commitment = Commitment::of(name, &[3; 32], &bytes);
        let record = Record::new(&RecordEnvelope {
            kind,
            id: RecordId::from_random(u64::to_be_bytes(n)),
            at: at(),
            actor: Actor::System,
            subject: subject.to_owned(),
            lineage: Lineage::First,
            commitments: [(name.to_owned(), commitment)].into(),
        });
        let field = PayloadField::Present { salt: [3; 32], bytes: bytes.into() };
        (record.unwrap(), [(name, field)].into())
    });
    made.collect()
}

fn note(size: usize) -> UnverifiedNote {
    let tree: MerkleTree = records()[..size].iter().map(|(record, _)| record.leaf()).collect();
    Checkpoint::new(ORIGIN, tree.head()).unwrap().sign(&[&key()]).unwrap()
}

/// The whole trail, without the evidence.
fn export(withheld: bool) -> Vec<u8> {
    let records = records();
    let header =
        TrailHeader::new(&note(records.len()), &Frontier::default(), None, &history()).unwrap();
    let mut out = Vec::new();
    let mut writer = TrailWriter::begin(&header, &mut out);
    for (record, mut payload) in records {
        if withheld && record.envelope().kind != RecordKind::KeyAdded {
            payload.values_mut().for_each(|field| *field = PayloadField::Withheld);
        }
        writer.record(&record, &payload, &mut out).unwrap();
    }
    writer.end(&mut out).unwrap();
    out
}

/// The traces of these ids below a size.
fn traces(ids: &[&str], size: u64) -> BTreeMap<String, ObligationTrace> {
    let trace = |id: &&str| {
        let mut trace = ObligationTrace::default();
        for (index, (record, _)) in (0..).zip(records()) {
            if record.envelope().subject == *id {
                trace.follow(record.envelope().kind, index, None, size);
            }
        }
        ((*id).to_owned(), trace)
    };
    ids.iter().map(trace).collect()
}

const IDS: [&str; 5] = ["ob-9", "ob-1", "ob-2", "ob-3", "ob-4"];

fn statement(size: usize) -> CompletenessStatement {
    CompletenessStatement::new(&note(size), &traces(&IDS, size as u64), at()).unwrap()
}

fn signed(statement: &CompletenessStatement) -> Vec<u8> {
    canon::bytes(&statement.sign(&key()).unwrap()).unwrap()
}

/// Verifies with a list and an export, and gives everything that was found.
fn report(bytes: &[u8], ids: &[&str], export: &[u8]) -> String {
    report_by(&trust(), at(), bytes, ids, export)
}

fn report_by(trust: &Trust, now: Time, bytes: &[u8], ids: &[&str], export: &[u8]) -> String {
    let json = Json::parse(bytes).unwrap();
    let mut verifier = CompletenessVerifier::new(&json, trust, now);
    verifier.expect(ids.iter().map(|id| (*id).to_owned()).collect());
    for line in export.split_inclusive(|byte| *byte == b'\n') {
        verifier.line(line);
    }
    let report = verifier.finish();
    let of = |one: &dalil_proof::report::VerificationCheck| {
        format!("{}: {} {}\n", one.part, one.verdict, one.message.english())
    };
    let shown: String = report.findings.iter().map(of).collect();
    format!("{}\n{shown}", report.verdict())
}

/// The checks of a report that do not pass.
fn failed(report: &str) -> String {
    report
        .lines()
        .filter(|line| !line.contains(": PASS "))
        .map(|line| format!("{line}\n"))
        .collect()
}

fn check(actual: &str, expect: &Expect) {
    expect.assert_eq(actual);
}

#[test]
fn a_statement_is_verified_with_the_list_and_the_trail() {
    let bytes = signed(&statement(4));
    for withheld in [false, true] {
        check(
            &report(&bytes, &IDS, &export(withheld)),
            &expect![[r#"
            PASS
            format: PASS a statement that 1 of 5 obligations have evidence
            signature: PASS signed by `dalil.example/a+1c411b64`
            statement key: PASS `dalil.example/a` is in use
            checkpoint: PASS of `dalil.example/a` at size 4
            checkpoint signature: PASS signed by `dalil.example/a`
            key status: PASS `dalil.example/a` is in use
            expected: PASS the 5 ids of the list, by their digest `sha256:8218650362466445ae87f921562d37f9be21aa18283d913d01089b400a44295f`
            trail: PASS the export holds, and gives the root at size 4
            completeness: PASS 1 obligations have evidence and 4 have none, as the trail says
        "#]],
        );
    }
}

#[test]
fn a_statement_says_what_was_true_at_its_size() {
    let payload = String::from_utf8(canon::bytes(&statement(4)).unwrap()).unwrap();
    let after = payload.split_once("\"expected\"").unwrap().1;
    check(
        after,
        &expect![[
            r#":{"count":5,"sha256":"sha256:8218650362466445ae87f921562d37f9be21aa18283d913d01089b400a44295f"},"found":[{"index":1,"obligation_id":"ob-1"}],"made_at":"2026-03-15T09:30:00.000Z","missing":[{"obligation_id":"ob-2","why":"skipped"},{"obligation_id":"ob-3","why":"status_only"},{"obligation_id":"ob-4","why":"never_recorded"},{"obligation_id":"ob-9","why":"never_recorded"}],"root":"sha256:f8521e6d9cd9858a889f0a1ec0b2c692d2c5a13f74188748f03ebbe7e63a51a8","size":4}"#
        ]],
    );
}

#[test]
fn a_false_word_fails_although_the_key_signed_it() {
    let told = |lie: &dyn Fn(&mut CompletenessStatement)| {
        let mut statement = statement(5);
        lie(&mut statement);
        statement.missing.sort_by(|a, b| a.obligation_id.cmp(&b.obligation_id));
        failed(&report(&signed(&statement), &IDS, &export(false)))
    };
    let missing = |id: &str, why| UncoveredObligation { obligation_id: id.to_owned(), why };
    // Evidence at another record than its own.
    check(
        &told(&|statement| statement.found[0].index = 4),
        &expect![[r#"
            FAIL
            completeness: FAIL `ob-1`: the statement says `record 4`, the trail `record 1`
        "#]],
    );
    // Evidence that is there and is called skipped.
    check(
        &told(&|statement| {
            let hidden = statement.found.pop().unwrap().obligation_id;
            statement.missing.push(missing(&hidden, MissingCause::Skipped));
        }),
        &expect![[r#"
            FAIL
            completeness: FAIL `ob-4`: the statement says `skipped`, the trail `record 4`
        "#]],
    );
    // Evidence that is not there.
    check(
        &told(&|statement| {
            statement.missing.retain(|one| one.obligation_id != "ob-9");
            statement.found.push(FoundObligation { index: 2, obligation_id: "ob-9".to_owned() });
        }),
        &expect![[r#"
            FAIL
            completeness: FAIL `ob-9`: the statement says `record 2`, the trail `never_recorded`
        "#]],
    );
    // Another reason than the true one.
    check(
        &told(&|statement| {
            statement.missing.retain(|one| one.obligation_id != "ob-2");
            statement.missing.push(missing("ob-2", MissingCause::NeverRecorded));
        }),
        &expect![[r#"
            FAIL
            completeness: FAIL `ob-2`: the statement says `never_recorded`, the trail `skipped`
        "#]],
    );
}

#[test]
fn another_list_another_trail_and_another_key_do_not_pass() {
    let bytes = signed(&statement(4));
    check(
        &failed(&report(&bytes, &["ob-1"], &export(false))),
        &expect![[r#"
            FAIL
            expected: FAIL expected a statement about the ids of the list, found one about others
        "#]],
    );
    let whole = export(false);
    let cut: Vec<u8> = whole
        .split_inclusive(|byte| *byte == b'\n')
        .enumerate()
        .filter(|(n, _)| *n != 3)
        .flat_map(|(_, line)| line.to_vec())
        .collect();
    check(
        &failed(&report(&bytes, &IDS, &cut)),
        &expect![[r#"
            FAIL
            trail: FAIL order: record 2 is not there
            trail: FAIL root: expected root `sha256:1c61ea9e60b53a6221708acc263885eccd1379eeeb6064fc3cf73fc041d8b893`, found `sha256:c437230948890bddb6edd5ca68de9bbc8cdfd44e6c9a8268bf7bea8a7fc1f85b`
            trail: FAIL end: expected 5 records, found 4
            trail: FAIL end: expected the file to have digest `sha256:f4532bde680ae4e510e051694595ad96a0cc82829f15c502b45467cc79678d78`, found `sha256:40f67fd444df04ebe35301feb5977ccce59263126de94440d801d26880a139d7`
            trail: INCOMPLETE expected an export from record 0 to size 4 or beyond, found another part
            completeness: INCOMPLETE not compared, as the export does not give the root of the statement
        "#]],
    );
    let other = SecretKey::from_seed(ORIGIN, &[8; 32]).unwrap();
    let forged = canon::bytes(&statement(4).sign(&other).unwrap()).unwrap();
    check(
        &failed(&report(&forged, &IDS, &whole)),
        &expect![[r#"
            FAIL
            signature: FAIL expected a signature by a trusted key over these bytes, found none
        "#]],
    );
}

#[test]
fn a_statement_of_later_and_one_without_a_key_are_not_whole() {
    let bytes = signed(&statement(4));
    let before = "2026-03-15T09:29:59.999Z".parse().unwrap();
    check(
        &report_by(&trust(), before, &bytes, &IDS, &export(false)),
        &expect![[r#"
            INCOMPLETE
            format: PASS a statement that 1 of 5 obligations have evidence
            signature: PASS signed by `dalil.example/a+1c411b64`
            time: INCOMPLETE made at 2026-03-15T09:30:00.000Z, later than now, 2026-03-15T09:29:59.999Z
            statement key: PASS `dalil.example/a` is in use
            checkpoint: PASS of `dalil.example/a` at size 4
            checkpoint signature: PASS signed by `dalil.example/a`
            key status: INCOMPLETE `dalil.example/a` is added only after now, 2026-03-15T09:29:59.999Z, by the key history
            expected: PASS the 5 ids of the list, by their digest `sha256:8218650362466445ae87f921562d37f9be21aa18283d913d01089b400a44295f`
            trail: INCOMPLETE records: 5 of 5 are dated later than now, 2026-03-15T09:29:59.999Z
            trail: INCOMPLETE key status: `dalil.example/a` is added only after now, 2026-03-15T09:29:59.999Z, by the key history
            completeness: PASS 1 obligations have evidence and 4 have none, as the trail says
        "#]],
    );
    let nobody = Trust { keyring: Keyring::new(Vec::new(), &[]).unwrap(), ..trust() };
    check(
        &report_by(&nobody, at(), &bytes, &IDS, &export(false)),
        &expect![[r#"
            INCOMPLETE
            format: PASS a statement that 1 of 5 obligations have evidence
            signature: INCOMPLETE no trusted key to check it with
            checkpoint: PASS of `dalil.example/a` at size 4
            checkpoint signature: INCOMPLETE no key of this trail is pinned to check it with
            expected: PASS the 5 ids of the list, by their digest `sha256:8218650362466445ae87f921562d37f9be21aa18283d913d01089b400a44295f`
            trail: INCOMPLETE checkpoint signature: no key of this trail is pinned to check it with
            completeness: PASS 1 obligations have evidence and 4 have none, as the trail says
        "#]],
    );
}

#[test]
fn an_envelope_that_is_none_fails_by_its_format() {
    let unsigned = format!(
        r#"{{"payload":"e30","payloadType":"{COMPLETENESS_PAYLOAD_TYPE}","signatures":[]}}"#
    );
    check(
        &report(unsigned.as_bytes(), &IDS, &export(false)),
        &expect![[r#"
            FAIL
            format: FAIL `payload`: expected standard base64 with padding and no bits left over, found something else
            format: FAIL `signatures`: expected at least one signature, found none
        "#]],
    );
}

#[test]
fn a_statement_whose_parts_do_not_belong_together_is_refused() {
    let why = |statement: &CompletenessStatement| {
        let refused = CompletenessStatement::parse(&canon::bytes(statement).unwrap()).unwrap_err();
        format!("{refused}\n")
    };
    let (mut twice, mut head, mut list) = (statement(4), statement(4), statement(4));
    twice
        .missing
        .push(UncoveredObligation { obligation_id: "ob-1".to_owned(), why: MissingCause::Skipped });
    head.size = 3;
    list.expected.count = 4;
    let all = [why(&twice), why(&head), why(&list)].concat();
    check(
        &all,
        &expect![[r#"
        `$`: expected each id once, in `found` or in `missing`, in order, found others
        `checkpoint`: expected a checkpoint with this size and root, found another
        `expected`: expected the number and the digest of the ids that are here, found others
    "#]],
    );
    let sound = statement(4);
    assert_eq!(CompletenessStatement::parse(&canon::bytes(&sound).unwrap()), Ok(sound));
}

#[test]
fn what_was_erased_below_the_size_is_missing() {
    let outcome = |erased_by, size| {
        let mut trace = ObligationTrace::default();
        trace.follow(RecordKind::ObligationRecorded, 1, erased_by, size);
        trace.outcome()
    };
    assert_eq!(outcome(None, 2), Ok(1));
    assert_eq!(outcome(None, 1), Err(MissingCause::NeverRecorded));
    assert_eq!(outcome(Some(3), 4), Err(MissingCause::Erased));
    assert_eq!(outcome(Some(3), 3), Ok(1));
}
