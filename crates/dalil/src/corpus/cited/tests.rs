//! Which chunk an anchor names.

use dalil_evidence::anchor::{Anchor, text_digest};
use dalil_judge::judge::ChunkRef;
use dalil_proof::digest::Digest;

use super::{CitedChunkIndex, named};
use crate::scratch::TestCorpusFolder;

fn anchor(words: &str) -> Anchor {
    Anchor::shortest(&text_digest(words), [])
}

#[test]
fn an_anchor_names_a_chunk_by_its_words_or_by_a_sentence_of_it() {
    let files: [(&str, &[u8]); 3] = [
        ("a.md", b"# Leave\n\nLeave is 15 days. It is paid.\n"),
        ("b.md", "الإجازة 15 يوماً. وهي مدفوعة.\n".as_bytes()),
        ("c.md", b"Leave is 15 days.\n"),
    ];
    let scratch = TestCorpusFolder::with("cited", &files);
    let corpus = scratch.corpus("");
    let check = |words: &str, expected: Option<(usize, usize)>| {
        let places = corpus.cited(&anchor(words));
        let places: Vec<_> = places.iter().map(|place| (place.source, place.chunk)).collect();
        assert_eq!(places, Vec::from_iter(expected), "{words}");
    };
    check("Leave is 15 days. It is paid.", Some((0, 1)));
    check("leave  IS 15 days. it\nis paid.", Some((0, 1)));
    check("It is paid.", Some((0, 1)));
    check("وهي مدفوعة.", Some((1, 0)));
    // The same words in two documents: the first of them.
    check("Leave is 15 days.", Some((0, 1)));
    check("It is", None);
    check("", None);
}

#[test]
fn an_anchor_that_names_two_texts_names_none() {
    let digest = |last: &str| Digest::from_hex(&format!("{last:a>64}")).unwrap();
    let place = |chunk| ChunkRef { source: 0, chunk };
    let parts = vec![(digest("1"), place(0)), (digest("2"), place(1))];
    let retrieved = vec![(digest("2"), vec![place(1), place(2)]), (digest("3"), vec![place(3)])];
    let check = |cited: &CitedChunkIndex, anchor: &str, expected: &[ChunkRef]| {
        assert_eq!(cited.places(&anchor.parse().unwrap()), expected, "{anchor}");
    };
    let mut cited = CitedChunkIndex { parts, retrieved: Vec::new() };
    check(&cited, "aaaaaaaa", &[]);
    check(&cited, &digest("2").hex(), &[place(1)]);
    check(&cited, "bbbbbbbb", &[]);
    cited.retrieved = retrieved;
    check(&cited, "aaaaaaaa", &[]);
    check(&cited, &digest("1").hex(), &[place(0)]);
    // All parts of a retrieved chunk, although the first of them has the same words.
    check(&cited, &digest("2").hex(), &[place(1), place(2)]);
    check(&cited, &digest("3").hex(), &[place(3)]);
}

#[test]
fn the_words_that_an_anchor_names_are_the_chunk_or_the_sentence() {
    let words = "Leave is 15 days. It is paid.";
    assert_eq!(named(words, &anchor(words)), Some(words));
    assert_eq!(named(words, &anchor("It is paid.")), Some("It is paid."));
    assert_eq!(named(words, &anchor("It is unpaid.")), None);
}
