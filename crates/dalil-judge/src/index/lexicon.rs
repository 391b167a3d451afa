//! The lexicon: synonyms within a language, and translations.
//!
//! `lexicon/words.txt` is written by hand: the words of policies, contracts and
//! laws, and the names of countries. It adds terms to the search for a claim and
//! costs the index nothing. It is no dictionary: a word that is not in it still
//! meets other words by its vector.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::term::{self, TermHash};

#[cfg(test)]
mod tests;

/// Which terms stand for a term.
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    same: BTreeMap<TermHash, Vec<TermHash>>,
    across: BTreeMap<TermHash, Vec<TermHash>>,
}

/// The lexicon that the program has.
pub(super) static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::of(LEXICON_TEXT));

impl Lexicon {
    /// The other terms of the same language.
    pub(super) fn same(&self, term: TermHash) -> &[TermHash] {
        self.same.get(&term).map_or(&[], Vec::as_slice)
    }

    /// The terms of the other language.
    pub(super) fn across(&self, term: TermHash) -> &[TermHash] {
        self.across.get(&term).map_or(&[], Vec::as_slice)
    }

    /// Reads lines of `English words | Arabic words`.
    fn of(text: &str) -> Self {
        let mut lexicon = Self::default();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let Some((english, arabic)) = line.split_once('|') else { continue };
            // Folded as claims and documents are, so that the lists need no inflected forms.
            let (english, arabic) = (term::terms(english), term::terms(arabic));
            for term in &english {
                add(&mut lexicon.same, *term, &english);
                add(&mut lexicon.across, *term, &arabic);
            }
            for term in &arabic {
                add(&mut lexicon.same, *term, &arabic);
                add(&mut lexicon.across, *term, &english);
            }
        }
        lexicon
    }
}

fn add(map: &mut BTreeMap<TermHash, Vec<TermHash>>, term: TermHash, others: &[TermHash]) {
    let known = map.entry(term).or_default();
    known.extend(others.iter().filter(|other| **other != term));
    known.sort_unstable();
    known.dedup();
}

const LEXICON_TEXT: &str = include_str!("lexicon/words.txt");
