//! Finds the documents that amend others, by their titles.

use crate::corpus::{Corpus, CorpusDocument};

#[cfg(test)]
mod tests;

/// Of each document, the ids of those that it amends: `Amendment 1 to Services Agreement 31` amends
/// the document that is called `Services Agreement 31`. One that is only proposed amends nothing.
pub(super) fn amended(corpus: &Corpus) -> Vec<Vec<String>> {
    let amends = |held: &CorpusDocument| {
        let own = held.title().filter(|own| is_amendment(own) && !is_proposed(held));
        let Some(own) = own else { return Vec::new() };
        let named = corpus.titles().iter().filter(|other| names(&own, &other.title));
        named.map(|other| other.id.clone()).collect()
    };
    corpus.held().iter().map(amends).collect()
}

/// Whether a title contains another one whole, and marks itself as its amendment.
fn names(own: &str, other: &str) -> bool {
    let is_name = other.split(' ').count() >= MIN_TITLE_WORDS && !is_amendment(other);
    // Whole: `Agreement 3` is no part of `Agreement 31`.
    let is_whole = |after: &str| !after.starts_with(char::is_alphanumeric);
    let found = own.split_once(other).filter(|(_, after)| is_whole(after));
    is_name && found.is_some_and(|(before, _)| is_amendment(before))
}

fn is_amendment(title: &str) -> bool {
    words(title).any(|word| AMENDMENT_WORDS.contains(&word))
}

/// Whether the beginning of a document states that it is not in force yet.
fn is_proposed(held: &CorpusDocument) -> bool {
    let opening: String = held.document.text.chars().take(MAX_OPENING_CHARS).collect();
    let opening = opening.to_lowercase();
    words(&opening).any(|word| PROPOSAL_WORDS.contains(&word))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|ch: char| !ch.is_alphanumeric()).filter(|word| !word.is_empty())
}

const AMENDMENT_WORDS: [&str; 9] = [
    "amendment",
    "amending",
    "addendum",
    "supplement",
    "supplemental",
    "ملحق",
    "الملحق",
    "تعديل",
    "التعديل",
];
const PROPOSAL_WORDS: [&str; 8] =
    ["draft", "proposed", "proposal", "unsigned", "مسودة", "مقترح", "المقترح", "مشروع"];
/// A title of one word is no name: `Agreement` is what most documents of a corpus are.
const MIN_TITLE_WORDS: usize = 2;
/// The text before the first clause.
const MAX_OPENING_CHARS: usize = 600;
