//! Searching: context, names, both languages.

use dalil_documents::{formats, split};
use dalil_proof::digest::Digest;

use super::super::{DocumentName, IndexPassage};
use super::*;

/// An index of files, as a corpus makes it.
fn index(files: &[(&str, &str)]) -> CorpusIndex {
    let mut names = Vec::new();
    let mut segments = Vec::new();
    for (name, text) in files {
        let document = formats::read(text.as_bytes(), name).unwrap();
        let chunks = split::chunks(&document);
        names.push(DocumentName::of(name, &document));
        segments.push(IndexSegment::of_passages(
            Digest::of(b""),
            &IndexPassage::all(&document, &chunks),
        ));
    }
    CorpusIndex::of(segments).with_names(names)
}

#[track_caller]
fn finds(index: &CorpusIndex, search: &ClaimSearch<'_>, limit: usize, expected: &[(usize, usize)]) {
    let found = index.candidates(search, limit);
    let places: Vec<_> = found.iter().map(|one| (one.segment, one.chunk)).collect();
    assert_eq!(places, expected, "{found:?}");
    assert!(found.iter().all(|one| (0.0..=1.0).contains(&one.score)));
}

fn laws() -> CorpusIndex {
    index(&[
        (
            "oman-labour-law.txt",
            "Labour law of Oman\n\nProbation may not exceed three months.\n\nAnnual leave is thirty days.",
        ),
        (
            "bahrain-labour-law.txt",
            "Labour law of Bahrain\n\nProbation may not exceed three months.\n\nAnnual leave is thirty days.",
        ),
        (
            "نظام.txt",
            "نظام العمل اليمني\n\nلا تزيد فترة التجربة على ستة أشهر.\n\nالإجازة السنوية ثلاثون يوماً.",
        ),
    ])
}

#[test]
fn the_named_document_comes_first() {
    let index = laws();
    let statement = "Probation lasts three months at most";
    let named = |words: &str| vec![words.to_owned()];
    let search = ClaimSearch { statement, ..ClaimSearch::default() };
    finds(&index, &ClaimSearch { named: &named("Oman's labour law"), ..search }, 1, &[(0, 1)]);
    finds(&index, &ClaimSearch { named: &named("Bahraini law"), ..search }, 1, &[(1, 1)]);
    finds(&index, &ClaimSearch { named: &named("قانون العمل البحريني"), ..search }, 1, &[(1, 1)]);
}

#[test]
fn both_languages_have_places() {
    let index = laws();
    let search = ClaimSearch {
        statement: "Probation may not exceed three months",
        ..ClaimSearch::default()
    };
    finds(&index, &search, 3, &[(0, 1), (1, 1), (2, 1)]);
    let search = ClaimSearch {
        statement: "لا تتجاوز فترة التجربة ثلاثة أشهر", ..search
    };
    let found = index.candidates(&search, 6);
    assert_eq!((found[0].segment, found[0].chunk), (2, 1));
    assert!(found.iter().filter(|one| one.segment < 2).count() >= 2, "{found:?}");
    let named = ["قانون العمل العماني".to_owned()];
    let found = index.candidates(&ClaimSearch { named: &named, ..search }, 6);
    assert_eq!((found[0].segment, found[0].chunk), (0, 1), "{found:?}");
}

#[test]
fn numbers_meet_in_all_spellings() {
    let index = index(&[(
        "a.txt",
        "The fee is due within twenty days.\n\nThe fee is due within thirty days.",
    )]);
    for (statement, chunk) in [("The fee falls due in 20 days", 0), ("الرسم خلال ثلاثين يوماً", 1)]
    {
        finds(&index, &ClaimSearch { statement, ..ClaimSearch::default() }, 1, &[(0, chunk)]);
    }
}

#[test]
fn context_tells_what_a_pronoun_means() {
    let index = index(&[(
        "desk.txt",
        "A parking permit is renewed each spring.\n\nA library card is renewed each spring.",
    )]);
    let statement = "It has to be renewed each spring";
    let context = |context| ClaimSearch { statement, context: Some(context), named: &[] };
    finds(&index, &context("Staff may borrow books with a library card"), 1, &[(0, 1)]);
    finds(&index, &context("Parking permits cost five dinars"), 1, &[(0, 0)]);
}

#[test]
fn a_heading_makes_its_section_findable_and_is_no_evidence() {
    let index = index(&[(
        "rules.md",
        "# Allowances\n\nForty dinars a night.\n\n# Mileage\n\nTwo dinars for each trip.",
    )]);
    let search = ClaimSearch { statement: "What are the allowances", ..ClaimSearch::default() };
    finds(&index, &search, 1, &[(0, 1)]);
    let first = index.rank("allowances", 1);
    assert_eq!(first[0].chunk, 1, "{first:?}");
}

#[test]
fn nothing_is_found_in_nothing() {
    let search = ClaimSearch { statement: "leave", ..ClaimSearch::default() };
    finds(&CorpusIndex::default(), &search, 6, &[]);
    finds(&laws(), &ClaimSearch::default(), 6, &[]);
    finds(&laws(), &search, 0, &[]);
}
