use expect_test::{Expect, expect};

use super::*;
use crate::digest::Digest;
use crate::report::VerificationReport;
use crate::tree::TreeHead;

mod flip;
mod law;
mod sample;
mod stream;

use sample::Sample;

#[track_caller]
fn check(report: &VerificationReport, expected: &Expect) {
    expected.assert_eq(&report.to_string());
}

#[test]
fn a_whole_trail_passes_and_everything_that_was_looked_at_is_said() {
    let outcome = Sample::new().outcome();
    check(
        &outcome.report,
        &expect![[r#"
        PASS
        PASS       format: a trail export from record 0 to size 5
        PASS       checkpoint: of `dalil.example/a` at size 5
        PASS       records: 5 records in their canonical form
        PASS       order: every record is there once, in its place
        PASS       lineage: 5 subjects, unbroken
        PASS       root: the records give the root at size 5
        PASS       consistency: adds to the export of size 2 before it
        PASS       payloads: 4 PRESENT (1 in the lake), 2 ERASED, 0 WITHHELD, 0 MISSING, 0 ALTERED
        PASS       erasures: record 4 erased 1 payloads, `court_order`, approved by `p`
        PASS       key history: 1 changes, as the records tell them
        PASS       end: whole: 5 records and their digest
        PASS       checkpoint signature: signed by `dalil.example/a`
        PASS       key status: `dalil.example/a` is in use
    "#]],
    );
    let counts = PayloadCounts { present: 4, lake: 1, erased: 2, ..PayloadCounts::default() };
    assert_eq!(outcome.counts, counts);
    assert_eq!(outcome.link.map(|link| (link.first, link.head.size)), Some((0, 5)));
}

#[test]
fn a_file_without_a_header_is_no_export() {
    let sample = Sample::new();
    check(
        &sample.verify(b"").report,
        &expect![[r#"
        FAIL
        FAIL       format: expected a header, found nothing
    "#]],
    );
    check(
        &sample.verify(b"{\"trail\":{}}\n").report,
        &expect![[r#"
        FAIL
        FAIL       format: `trail.checkpoint`: expected a value, found nothing
        FAIL       format: `trail.first`: expected a value, found nothing
        FAIL       format: `trail.frontier`: expected a value, found nothing
        FAIL       format: `trail.keys`: expected a value, found nothing
        FAIL       format: `trail.origin`: expected a value, found nothing
        FAIL       format: `trail.previous`: expected a value, found nothing
        FAIL       format: `trail.size`: expected a value, found nothing
        FAIL       format: `trail.v`: expected a value, found nothing
    "#]],
    );
    check(
        &sample.verify(b"{\"trail\":{\"v\":1").report,
        &expect![[r#"
        FAIL
        FAIL       format: `$`: expected a line end, found none
    "#]],
    );
}

#[test]
fn a_writer_writes_what_the_checkpoint_has_and_nothing_else() {
    let sample = Sample::new();
    let mut out = Vec::new();
    let mut writer = TrailWriter::begin(&sample.header(0), &mut out);
    let (record, payload) = &sample.records[1];
    let start = out.len();
    let other = payload.values().map(|field| ("other", field.clone())).collect();
    let refused = [
        writer.record(record, &other, &mut out).unwrap_err().to_string(),
        writer.clone().end(&mut out).unwrap_err().to_string(),
    ];
    assert_eq!(out.len(), start);
    for _ in 0..5 {
        writer.record(record, payload, &mut out).unwrap();
    }
    let full = writer.record(record, payload, &mut out).unwrap_err().to_string();
    let digest = writer.end(&mut out).unwrap();
    assert_eq!(digest, Digest::of(&out));
    expect![[r#"
        expected fields that record 0 commits to, found `other`
        expected record 0 of 5, found the end
        expected no more records than the checkpoint's 5, found one more"#]]
    .assert_eq(&format!("{}\n{full}", refused.join("\n")));
}

#[test]
fn a_line_that_is_too_long_is_neither_written_nor_read() {
    let sample = Sample::new();
    let (record, payload) = &sample.records[1];
    let large = PayloadField::Present { salt: [0; 32], bytes: vec![0; MAX_LINE_BYTES].into() };
    let payload = payload.keys().map(|name| (*name, large.clone())).collect();
    let (mut out, mut line) = (Vec::new(), Vec::new());
    let mut writer = TrailWriter::begin(&sample.header(0), &mut out);
    let before = out.len();
    assert_eq!(writer.record(record, &payload, &mut out), Err(TrailWriteError::Size { index: 0 }));
    assert_eq!(out.len(), before);
    TrailLine { record: record.clone(), index: 0, payload }.write(&mut line);
    assert_eq!(TrailLine::parse(&line), Err(NotALine::Size));
}

#[test]
fn exports_that_do_not_name_each_other_are_no_chain() {
    let head = |size| TreeHead { size, root: Digest::of(&u64::to_be_bytes(size)) };
    let link = |first, size, previous: Option<u64>| CustodyLink {
        origin: "dalil.example/a".to_owned(),
        first,
        head: head(size),
        previous: previous.map(head),
    };
    check(
        &custody::check(&[]),
        &expect![[r#"
        INCOMPLETE
    "#]],
    );
    check(
        &custody::check(&[link(0, 3, None), link(3, 5, Some(3))]),
        &expect![[r#"
        PASS
        PASS       origin: 2 exports of `dalil.example/a`
        PASS       custody: the first export names none before it
        PASS       custody: the export of size 5 follows the one of size 3
        PASS       range: starts at record 3, with no gap
    "#]],
    );
    let broken = [link(1, 3, Some(1)), link(4, 5, Some(2)), link(0, 6, None)];
    check(
        &custody::check(&broken),
        &expect![[r#"
            FAIL
            PASS       origin: 3 exports of `dalil.example/a`
            INCOMPLETE custody: the export before, of size 1, is not here
            FAIL       custody: expected the export of size 5 to name size 3 and root `sha256:d5688a52d55a02ec4aea5ec1eadfffe1c9e0ee6a4ddbe2377f98326d42dfc975`, found 2 and `sha256:cd04a4754498e06db5a13c5f371f1f04ff6d2470f24aa9bd886540e5dce77f70`
            INCOMPLETE range: records 3 to 3 are in neither
            INCOMPLETE custody: the export of size 6 names none before it
            PASS       range: starts at record 0, with no gap
        "#]],
    );
}
