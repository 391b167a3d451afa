use dalil_documents::formats;
use dalil_documents::split;

use super::is_another_row;
use crate::index::CorpusIndex;
use crate::judge::{ChunkRef, IndexedCorpus, IndexedDocument};

const BEDS: &str = "Town,Beds,Hospitals\n\"Salisbury, MD\",68,6\n\"Aberdeen, SD\",10,3\n";
const YEARS: &str = "Year,GDP,Growth\n1932,59.5,-4\n1933,57.2,-1.2\n";
const OWNERS: &str =
    "| No | Policy | Owner |\n|---|---|---|\n| 1 | Travel | Finance |\n| 2 | Leave | People |\n";

/// Whether the row with some words is about another than the claim.
#[track_caller]
fn check((name, text): (&str, &str), row: &str, claim: &str, expected: bool) {
    let document = formats::read(text.as_bytes(), name).unwrap();
    let chunks = split::chunks(&document);
    let holds = |chunk: &split::DocumentChunk| {
        document.text.get(chunk.start..chunk.end).is_some_and(|text| text.contains(row))
    };
    let place = ChunkRef { source: 0, chunk: chunks.iter().position(holds).unwrap() };
    let sources = [IndexedDocument { name, document: &document, chunks: &chunks }];
    let corpus = IndexedCorpus { sources: &sources, index: &CorpusIndex::of(Vec::new()) };
    assert_eq!(is_another_row(&corpus, place, claim), expected, "{row}: {claim}");
}

#[test]
fn a_row_that_the_claim_does_not_name_is_another() {
    let beds = ("beds.csv", BEDS);
    check(beds, "Aberdeen", "Salisbury has 68 beds in six hospitals.", true);
    check(beds, "Salisbury", "Salisbury has 70 beds in six hospitals.", false);
    check(beds, "Aberdeen", "Aberdeen has fewer beds than Salisbury.", false);
}

#[test]
fn a_year_names_a_row_and_a_small_number_does_not() {
    let years = ("gdp.csv", YEARS);
    check(years, "1932", "The lowest figure is the 57.2 of 1933.", true);
    check(years, "1933", "The lowest figure is the 57.2 of 1933.", false);
    let owners = ("owners.md", OWNERS);
    check(owners, "Travel", "People answer within 2 days for the owner.", false);
    check(owners, "Travel", "Finance owns the policy on leave, no 2 of the list.", false);
}

#[test]
fn without_a_named_row_none_is_another() {
    check(("beds.csv", BEDS), "Aberdeen", "No town has more than 60 beds.", false);
    check(("beds.csv", BEDS), "Town", "Salisbury has 68 beds.", false);
}

#[test]
fn text_outside_of_tables_is_no_row() {
    let text = ("beds.md", "Aberdeen has 10 beds.\n\nSalisbury has 68 beds.\n");
    check(text, "Aberdeen", "Salisbury has 10 beds.", false);
}

#[test]
fn an_arabic_row_is_named_with_and_without_its_article() {
    let grades = ("grades.csv", "الفئة,البدل\nالأخصائيون,450\nالفنيون,400\n");
    check(grades, "الأخصائيون", "بدل الفنيين 400 ريال، وهو للفنيون وحدهم.", true);
    check(grades, "الفنيون", "بدل الفنيون 450 ريالاً.", false);
}
