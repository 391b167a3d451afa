use std::collections::BTreeMap;

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::{Actor, Commitment, Lineage, Record, RecordEnvelope, RecordKind, lineage, spelled};
use crate::canon;
use crate::decode;
use crate::digest::Digest;
use crate::id::RecordId;

fn envelope(n: u8, lineage: Lineage) -> RecordEnvelope {
    RecordEnvelope {
        kind: RecordKind::PackSealed,
        id: RecordId::from_random([n; 8]),
        at: format!("2026-01-03T14:30:0{}Z", n % 10).parse().unwrap(),
        actor: Actor::Agent("agent-7".to_owned()),
        subject: "pack_0000000000000001".to_owned(),
        lineage,
        commitments: BTreeMap::from([(
            "pack".to_owned(),
            Commitment::of("pack", &[9; 32], b"payload"),
        )]),
    }
}

fn first() -> Record {
    Record::new(&envelope(0, Lineage::First)).unwrap()
}

fn next(n: u8, sequence: u64, previous: &Record) -> Record {
    let lineage = Lineage::Next { sequence, previous: previous.leaf() };
    Record::new(&envelope(n, lineage)).unwrap()
}

/// Pinned: if this moves, every stored trail stops verifying.
#[test]
fn a_record_and_its_leaf_are_stable() {
    expect![[r#"{"actor":{"id":"agent-7","kind":"agent"},"at":"2026-01-03T14:30:00.000Z","commitments":{"pack":"sha256:240ba104cbbacae37855fc9fca83c5bbcc597e226baf61bcfb8f35ca3d3c6c31"},"id":"rec_0000000000000000","lineage":{"sequence":0},"subject":"pack_0000000000000001","type":"pack.sealed","v":1}"#]].assert_eq(std::str::from_utf8(first().bytes()).unwrap());
    expect!["sha256:89cbb02d76a0bbcd1d3461fc8591603630a8975c8832214a0005e8c27dd84519"]
        .assert_eq(&first().leaf().to_string());
    assert_eq!(Record::parse(first().bytes()).unwrap(), first());
}

#[test]
fn a_commitment_opens_with_its_own_name_salt_and_bytes_only() {
    let commitment = Commitment::of("memo", &[1; 32], b"text");
    expect!["sha256:97de6ea2ce3daa1c08d4b14ab97c8d20a1174c3315df2b32c16b847d397bbda4"]
        .assert_eq(&commitment.digest().to_string());
    assert!(commitment.opens("memo", &[1; 32], b"text"));
    assert!(!commitment.opens("mem", &[1; 32], b"otext"));
    assert!(!commitment.opens("memo", &[2; 32], b"text"));
    assert!(!commitment.opens("memo", &[1; 32], b"text "));
}

#[track_caller]
fn refuses(spoil: impl Fn(String) -> String, expected: &Expect) {
    let json = spoil(String::from_utf8(first().bytes().to_vec()).unwrap());
    let refused = Record::parse(json.as_bytes()).unwrap_err();
    expected.assert_eq(&refused.to_string());
}

#[test]
fn every_fault_of_an_envelope_is_named() {
    refuses(
        |json| json.replace("pack.sealed", "pack.opened").replace("\"v\":1", "\"v\":2"),
        &expect![[r#"
            `v`: expected a whole number from 1 to 1, found `2`
            `type`: expected one of `access.refused`, `apikey.added`, `apikey.revoked`, `approval.asked`, `approval.given`, `approval.used`, `bundle.built`, `checkpoint.timestamped`, `checkpoint.witnessed`, `claim.reviewed`, `decision.recorded`, `document.added`, `export.made`, `hold.lifted`, `hold.placed`, `invitation.made`, `invitation.used`, `invitation.withdrawn`, `job.accepted`, `job.ended`, `key.added`, `key.redated`, `key.retired`, `key.revoked`, `ledger.closed`, `member.added`, `member.removed`, `obligation.recorded`, `obligation.skipped`, `obligation.status_changed`, `pack.reviewed`, `pack.sealed`, `payload.erased`, `question.replied`, `run.recorded`, `session.opened`, `tenant.created`, `tool.intended`, `tool.reported`, found `pack.opened`"#]],
    );
    refuses(
        |json| json.replace(r#"{"id":"agent-7"#, r#"{"name":"agent-7"#),
        &expect![[r#"
        `actor.id`: expected a value, found nothing
        `actor.name`: expected only kind, id, found a field it does not know
        hint: remove the field or correct its name"#]],
    );
    refuses(
        |json| json.replace("agent\"", "system\""),
        &expect![[r#"
        `actor.id`: expected only kind, found a field it does not know
        hint: remove the field or correct its name"#]],
    );
    refuses(
        |json| json.replace(r#""sequence":0"#, r#""sequence":1"#),
        &expect![
            "`lineage`: expected `previous` in every record but the first of its subject, found an object"
        ],
    );
    refuses(
        |json| json.replace("{\"pack\":", "{\"Pack name\":"),
        &expect![
            "`commitments`: expected names of 1 to 64 lower-case letters, digits, `_` and `.`, found an object"
        ],
    );
    refuses(
        |json| json.replace("{\"pack\":", &format!("{{\"{}\":", "n".repeat(65))),
        &expect![
            "`commitments`: expected names of 1 to 64 lower-case letters, digits, `_` and `.`, found an object"
        ],
    );
    refuses(
        |json| json.replace(r#""id":"rec_"#, r#""id":"pack_"#),
        &expect![
            "`id`: expected `rec_` and 16 lower-case hex digits, found `pack_0000000000000000`"
        ],
    );
    refuses(
        |json| json.replace("pack_0000000000000001", "a subject "),
        &expect![
            "`subject`: expected 1 to 200 characters without controls or outer spaces, found `a subject `"
        ],
    );
    refuses(
        |json| json.replace("sha256:", "sha1:"),
        &expect![
            "`commitments.pack`: expected `sha256:` and 64 lower-case hex digits, found `sha1:240ba104cbbacae37855fc9fca83c5bbcc597e226baf61bcfb8f35c…`"
        ],
    );
    refuses(
        |json| json.replace("pack_0000000000000001", &"s".repeat(4000)),
        &expect![[r#"
        `$`: expected at most 4095 bytes, found 4263 bytes
        hint: commit to large fields instead of naming them"#]],
    );
}

#[test]
fn a_record_has_at_most_4095_bytes() {
    let sized = |size: usize| {
        let mut envelope = envelope(0, Lineage::First);
        let commitment = Commitment::of("n", &[0; 32], b"");
        envelope.commitments.extend((100..146).map(|n| (format!("n{n}"), commitment)));
        let rest = size - canon::bytes(&envelope).unwrap().len() - r#","":"#.len();
        let name = "z".repeat(rest - canon::bytes(&commitment).unwrap().len());
        envelope.commitments.insert(name, commitment);
        Record::new(&envelope).map(|record| record.bytes().len())
    };
    assert_eq!(sized(4095), Ok(4095));
    assert_eq!(sized(4096).unwrap_err().refused[0].rule, "size");
}

#[test]
fn another_spelling_of_a_record_is_refused() {
    let spelling = expect![[r#"
        `$`: expected canonical JSON (RFC 8785), found another spelling
        hint: verify the stored bytes, not a re-written copy"#]];
    refuses(|json| json.replace(",\"", ", \""), &spelling);
    refuses(|json| json.replace("00.000Z", "00Z"), &spelling);
    refuses(|json| json.replace("agent-7", "\\u0061gent-7"), &spelling);
    refuses(|json| format!("{json}\n"), &spelling);
    refuses(|json| json.replace(r#""sequence":0"#, r#""sequence":0.0"#), &spelling);
}

#[track_caller]
fn check(records: &[Record], expected: &Expect) {
    let report = lineage::check(records);
    let lines: Vec<String> = report
        .findings
        .iter()
        .map(|finding| format!("{} {}\n", finding.verdict, finding.message.english()))
        .collect();
    expected.assert_eq(&lines.concat());
}

#[test]
fn an_unbroken_lineage_passes_in_any_order() {
    let one = first();
    let two = next(1, 1, &one);
    let three = next(2, 2, &two);
    check(
        &[two, three, one],
        &expect![[r#"
        PASS `pack_0000000000000001`: 3 records, unbroken
    "#]],
    );
    let one = first();
    let two = next(1, 1, &one);
    let same_time = next(1, 2, &two);
    check(
        &[one, two, same_time],
        &expect![[r#"
        PASS `pack_0000000000000001`: 3 records, unbroken
    "#]],
    );
    check(&[], &expect![""]);
}

#[test]
fn gaps_forks_wrong_links_and_time_running_back_are_each_found() {
    let one = first();
    let two = next(1, 1, &one);
    let three = next(2, 2, &two);
    check(
        &[one.clone(), three.clone()],
        &expect![[r#"
        FAIL `pack_0000000000000001`: expected sequence 1, found 2
    "#]],
    );
    check(
        &[two.clone(), three.clone()],
        &expect![[r#"
        FAIL `pack_0000000000000001`: expected sequence 0, found 1
    "#]],
    );
    check(
        &[one.clone(), two, next(3, 1, &one), three.clone()],
        &expect![[r#"
            FAIL `pack_0000000000000001`: expected one record at sequence 1, found 2
        "#]],
    );
    check(
        &[one.clone(), next(1, 1, &three)],
        &expect![[r#"
        FAIL `pack_0000000000000001`: expected sequence 1 to name `sha256:89cbb02d76a0bbcd1d3461fc8591603630a8975c8832214a0005e8c27dd84519`, found `sha256:4e8571af9260b987a086c10e463ae9e7ef08a343fd149151d0a6457e936db2a5`
    "#]],
    );
    check(
        &[next(5, 1, &one), one.clone(), next(4, 2, &next(5, 1, &one))],
        &expect![[r#"
        FAIL `pack_0000000000000001`: expected sequence 2 at 2026-01-03T14:30:05.000Z or later, found 2026-01-03T14:30:04.000Z
    "#]],
    );
}

proptest! {
    #[test]
    fn every_changed_byte_changes_the_leaf_or_is_refused(n in 0..first().bytes().len(), byte: u8) {
        let mut bytes = first().bytes().to_vec();
        prop_assume!(bytes[n] != byte);
        bytes[n] = byte;
        prop_assert!(Record::parse(&bytes).map_or(true, |record| record.leaf() != first().leaf()));
    }
}

/// Both readers agree on every envelope that the quick one reads, spoilt ones included.
#[test]
fn the_quick_reader_reads_only_what_the_full_one_reads() {
    let previous = Digest::of(b"leaf");
    let lineages = [Lineage::First, Lineage::Next { sequence: 1, previous }];
    let actors = [Actor::System, Actor::Agent("a-1".to_owned()), Actor::Person("ليلى".to_owned())];
    let full = |bytes: &[u8]| {
        let envelope = decode::request(bytes, super::envelope).ok()?;
        // Escapes are left to the full reader.
        let plain = !bytes.contains(&b'\\');
        (plain && canon::bytes(&envelope).ok()? == bytes).then_some(envelope)
    };
    for (lineage, actor) in lineages.into_iter().flat_map(|l| actors.clone().map(|a| (l, a))) {
        let names = ["a", "b.2", "index"]
            .map(|name| (name.to_owned(), Commitment::of(name, &[1; 32], b"")));
        let kind = RecordKind::PayloadErased;
        let (id, at) = (RecordId::from_random([7; 8]), "2026-01-03T14:30:00.5Z".parse().unwrap());
        let subject = "subject-1".to_owned();
        let commitments = names.into_iter().collect();
        let made = RecordEnvelope { kind, id, at, actor, subject, lineage, commitments };
        let bytes = canon::bytes(&made).unwrap();
        assert_eq!(spelled::envelope(&bytes), Some(made));
        for n in 0..bytes.len() {
            for byte in *b"\"\\{}0:,a 9\n\xd9" {
                let mut spoilt = bytes.clone();
                spoilt[n] = byte;
                assert_eq!(spelled::envelope(&spoilt), full(&spoilt), "byte {n}: {byte}");
                drop(spoilt.splice(n..n, [byte]));
                assert_eq!(spelled::envelope(&spoilt), full(&spoilt), "before {n}: {byte}");
            }
        }
    }
    let escaped = br#"{"actor":{"kind":"system"},"at":"2026-01-03T14:30:00.000Z","commitments":{},"id":"rec_0101010101010101","lineage":{"sequence":0},"subject":"a\\b","type":"key.added","v":1}"#;
    assert_eq!(spelled::envelope(escaped), None);
    assert_eq!(Record::parse(escaped).unwrap().envelope().subject, "a\\b");
}
