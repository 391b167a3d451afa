//! Naming: which documents an answer names, by the words of their names.

use dalil_documents::document::{BlockKind, ParsedDocument};

use super::lexicon::LEXICON;
use super::rarity::ln;
use super::term::{self, TermHash};

#[cfg(test)]
mod tests;

/// The words that a document can be named by: those of its file's name, its title, its first
/// headings and its first line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentName {
    /// Sorted, each once.
    terms: Vec<TermHash>,
}

impl DocumentName {
    /// The name of a document that is kept under `file`.
    pub fn of(file: &str, document: &ParsedDocument) -> Self {
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem).replace('_', " ");
        let mut terms = term::terms(&stem);
        terms.extend(document.title.iter().flat_map(|title| term::terms(title)));
        let headings =
            document.blocks.iter().filter(|one| matches!(one.kind, BlockKind::Heading(_)));
        for heading in headings.take(MAX_NAMING_HEADINGS) {
            terms.extend(term::terms(document.slice(heading)));
        }
        let first = document.blocks.first().map_or("", |block| document.slice(block));
        for word in first.split_whitespace().take(MAX_FIRST_BLOCK_WORDS) {
            terms.extend(term::terms(word));
        }
        terms.sort_unstable();
        terms.dedup();
        Self { terms }
    }

    /// The name that has these words; none unless they are sorted, each once.
    pub(super) fn of_terms(terms: Vec<TermHash>) -> Option<Self> {
        terms.is_sorted_by(|a, b| a < b).then_some(Self { terms })
    }

    /// Its words.
    pub(super) fn terms(&self) -> &[TermHash] {
        &self.terms
    }

    fn has_any(&self, terms: &[TermHash]) -> bool {
        terms.iter().any(|term| self.terms.binary_search(term).is_ok())
    }
}

/// How well the words in `named` name each document, from 0 to 1.
///
/// `named` holds the nearest words first, and each counts less than the one before. Of each, only
/// words count that some document has in its name, the rarer the more.
pub(super) fn preferences(names: &[&DocumentName], named: &[String]) -> Vec<f32> {
    let mut preferences = vec![0.0_f32; names.len()];
    let mut weight = 1.0;
    for words in named {
        let mut shares = vec![0.0_f32; names.len()];
        let mut all = 0.0;
        let mut terms = term::terms(words);
        terms.sort_unstable();
        terms.dedup();
        for term in terms {
            all += share(names, term, &mut shares);
        }
        // Words that are in no name do not make the next ones count less.
        if all <= 0.0 {
            continue;
        }
        for (preference, share) in preferences.iter_mut().zip(shares) {
            // At least 1, so that one common word is not a full naming.
            *preference = preference.max(weight * share / all.max(1.0));
        }
        weight *= NAME_DISTANCE_DECAY;
    }
    preferences
}

/// Adds the weight of a word to the share of each document that has it in its name; returns
/// the weight.
fn share(names: &[&DocumentName], term: TermHash, shares: &mut [f32]) -> f32 {
    let mut meant = vec![term];
    meant.extend(LEXICON.same(term));
    meant.extend(LEXICON.across(term));
    let hits: Vec<bool> = names.iter().map(|name| name.has_any(&meant)).collect();
    let count = hits.iter().filter(|hit| **hit).count();
    if count == 0 {
        return 0.0;
    }
    // One more than there are: a word of every name counts a little, and ln(all) is not 0.
    let all = (names.len() + 1) as f64;
    #[expect(clippy::cast_possible_truncation, reason = "between 0 and 1")]
    let told = (ln(all / count as f64) / ln(all)) as f32;
    for (share, _) in shares.iter_mut().zip(hits).filter(|(_, hit)| *hit) {
        *share += told;
    }
    told
}

/// How many headings name a document.
const MAX_NAMING_HEADINGS: usize = 2;
/// How many words of its first block name a document.
const MAX_FIRST_BLOCK_WORDS: usize = 25;
/// The weight of words further away, relative to nearer ones. 0.5 and 0.7 made no
/// difference on real documents; it only has to let the nearest win.
const NAME_DISTANCE_DECAY: f32 = 0.7;
