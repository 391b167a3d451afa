//! Segments: the stored parts of a text, and bytes that are refused.

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;

fn segment() -> IndexSegment {
    IndexSegment::of(
        Digest::of(b"policy"),
        &["15 days of leave, paid leave", "", "إجازة سنوية", "Leave of absence"],
    )
}

#[test]
fn a_segment_counts_terms_by_chunk() {
    let segment = segment();
    let leave = term::terms("leave")[0];
    assert_eq!(segment.postings(leave).collect::<Vec<_>>(), [(0, 2.0), (3, 1.0)]);
    assert_eq!(segment.holding(leave), 2);
    assert_eq!(segment.holding(term::terms("unknown")[0]), 0);
    let terms =
        segment.of_script(TextScript::Other).and(segment.of_script(TextScript::Arabic)).terms;
    assert_eq!((segment.len(), terms, segment.digest()), (4, 9, Digest::of(b"policy")));
    assert_eq!(IndexSegment::of(Digest::of(b""), &[]).len(), 0);
}

#[test]
fn many_of_one_term_count_as_127() {
    let segment = IndexSegment::of(Digest::of(b""), &[&"leave ".repeat(1000)]);
    assert_eq!(segment.postings(term::terms("leave")[0]).collect::<Vec<_>>(), [(0, 127.0)]);
    assert_eq!(segment.length(0), 1000);
}

#[test]
fn words_around_a_chunk_count_a_part() {
    let text = |text, around, is_heading| IndexPassage { text, around, is_heading };
    let segment = IndexSegment::of_passages(
        Digest::of(b""),
        &[
            text("# Parking", vec![], true),
            text("Free for visitors", vec!["Parking"], false),
            text("Parking ends at six", vec!["Parking"], false),
        ],
    );
    let parking = term::terms("parking")[0];
    assert_eq!(segment.postings(parking).collect::<Vec<_>>(), [(0, 1.0), (1, 0.4), (2, 1.4)]);
    assert_eq!([0, 1, 2].map(|chunk| segment.is_heading(chunk)), [true, false, false]);
    assert_eq!([0, 1, 2].map(|chunk| segment.length(chunk)), [1, 2, 3]);
    assert_eq!(IndexSegment::from_bytes(&segment.to_bytes()), Ok(segment));
}

#[test]
fn bytes_read_back_are_the_segment() {
    for segment in [segment(), IndexSegment::of(Digest::of(b""), &[])] {
        assert_eq!(IndexSegment::from_bytes(&segment.to_bytes()), Ok(segment));
    }
}

#[test]
fn the_bytes_are_pinned() {
    expect!["sha256:01e86b8202f98047398c6db6f80d69f9d4d14b6f4eaa103e8e439097039ae6ba"]
        .assert_eq(&Digest::of(&segment().to_bytes()).to_string());
}

#[track_caller]
fn refuse(bytes: &[u8], expected: &Expect) {
    expected.assert_eq(&IndexSegment::from_bytes(bytes).unwrap_err().to_string());
}

#[test]
fn other_versions_and_damage_are_told_apart() {
    let bytes = segment().to_bytes();
    let mut other = bytes.clone();
    other[0] ^= 1;
    refuse(&other, &expect!["expected a segment of this version's analysis, found another's"]);
    let damage = expect!["expected a whole segment, found bytes that do not fit together"];
    refuse(b"", &damage);
    refuse(&bytes[..bytes.len() - 1], &damage);
    refuse(&bytes[..32], &damage);
    refuse(&[bytes.as_slice(), b"x"].concat(), &damage);
}

/// Bytes with one changed and a checksum that fits again.
fn forged(at: usize, value: u8) -> Vec<u8> {
    let mut bytes = segment().to_bytes();
    let end = bytes.len() - 32;
    bytes[at] = value;
    bytes.truncate(end);
    let check = Digest::of(&bytes);
    bytes.extend(check.as_bytes());
    bytes
}

#[test]
fn a_fitting_checksum_does_not_make_a_segment() {
    let damage = expect!["expected a whole segment, found bytes that do not fit together"];
    for count in [64, 68, 72] {
        refuse(&forged(count, 3), &damage);
        refuse(&forged(count + 3, 255), &damage);
    }
    let scripts = 76 + 4 * 4;
    refuse(&forged(scripts, 4), &damage);
    let starts = scripts + 4 + 8 * segment().terms.len();
    refuse(&forged(starts, 1), &damage);
    let chunks = starts + 4 * (segment().terms.len() + 1);
    refuse(&forged(chunks, 4), &damage);
    let counts = chunks + 4 * segment().chunks.len();
    refuse(&forged(counts, 0), &damage);
}

proptest! {
    #[test]
    fn hostile_bytes_are_read_or_refused(at in 32_usize..300, value: u8, claim in ".{0,20}") {
        if let Ok(segment) = IndexSegment::from_bytes(&forged(at, value)) {
            super::super::CorpusIndex::of(vec![segment]).rank(&claim, 3);
        }
    }

    #[test]
    fn any_texts_make_a_segment(texts in prop::collection::vec(any::<String>(), 0..5)) {
        let texts: Vec<_> = texts.iter().map(String::as_str).collect();
        let segment = IndexSegment::of(Digest::of(b""), &texts);
        prop_assert_eq!(IndexSegment::from_bytes(&segment.to_bytes()), Ok(segment));
    }
}
