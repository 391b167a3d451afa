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
        let place = corpus.cited(&anchor(words)).map(|place| (place.source, place.chunk));
        assert_eq!(place, expected, "{words}");
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
    let cited = CitedChunkIndex(vec![(digest("1"), place(0)), (digest("2"), place(1))]);
    assert_eq!(cited.place(&"aaaaaaaa".parse().unwrap()), None);
    assert_eq!(cited.place(&digest("2").hex().parse().unwrap()), Some(place(1)));
    assert_eq!(cited.place(&"bbbbbbbb".parse().unwrap()), None);
}

#[test]
fn the_words_that_an_anchor_names_are_the_chunk_or_the_sentence() {
    let words = "Leave is 15 days. It is paid.";
    assert_eq!(named(words, &anchor(words)), Some(words));
    assert_eq!(named(words, &anchor("It is paid.")), Some("It is paid."));
    assert_eq!(named(words, &anchor("It is unpaid.")), None);
}
