//! Indexes: corpora as large as a laptop should take.

use dalil_proof::digest::Digest;

use super::*;

/// Words that a generated corpus is made of: some common, most rare.
fn word(number: usize) -> String {
    let spread = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 50;
    format!("{}{}", ["leave", "notice", "term", "clause", "party"][spread % 5], spread / 7)
}

#[test]
fn one_chunk_is_found_among_many() {
    let texts: Vec<String> = (0..2000)
        .map(|chunk| (0..20).map(|at| word(chunk * 31 + at)).collect::<Vec<_>>().join(" "))
        .collect();
    let segments = texts.chunks(100).enumerate().map(|(place, texts)| {
        let texts: Vec<_> = texts.iter().map(String::as_str).collect();
        IndexSegment::of(Digest::of(&place.to_le_bytes()), &texts)
    });
    let index = CorpusIndex::of(segments.collect());
    for chunk in [0, 99, 100, 1250, 1999] {
        let first = index.rank(&texts[chunk], 1)[0];
        let found = &texts[first.segment * 100 + first.chunk];
        assert_eq!(found, &texts[chunk]);
    }
}

#[test]
fn threads_change_no_byte() {
    let texts = ["Annual leave is paid.", "الإجازة السنوية مدفوعة.", "Notice: 30 days."];
    let alone = IndexSegment::of(Digest::of(b""), &texts).to_bytes();
    std::thread::scope(|scope| {
        let make = || IndexSegment::of(Digest::of(b""), &texts).to_bytes();
        let together = [scope.spawn(make), scope.spawn(make)];
        for made in together {
            assert_eq!(made.join().unwrap(), alone);
        }
    });
}
