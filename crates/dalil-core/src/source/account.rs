//! The account of a selection: what was offered, kept, left out, shortened and withheld.

use serde::Serialize;

use super::{Candidate, Source};
use crate::fault::Fault;

/// Everything that did not make it into the sources. Kept and left out add up to the candidates.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Account<'a> {
    /// How many candidates were offered.
    pub candidates: usize,
    /// How many became sources.
    pub kept: usize,
    /// Those that did not, in the order they were given.
    pub left_out: Vec<LeftOut<'a>>,
    /// How many chunks were offered.
    pub chunks: usize,
    /// How many of them belong to no source.
    pub unmatched_chunks: usize,
    /// Snippets that are not the whole text.
    pub shortened: Vec<Shortened<'a>>,
    /// Metadata that is not shown.
    pub withheld_metadata: Vec<Withheld<'a>>,
    /// What is wrong with the candidates and chunks.
    pub problems: Vec<Fault>,
}

/// A candidate that is not shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LeftOut<'a> {
    /// Its place among the candidates, from 0.
    pub index: usize,
    /// Its id, when it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item_id: Option<&'a str>,
    /// Why.
    pub reason: Reason,
}

impl<'a> LeftOut<'a> {
    pub(super) fn new(index: usize, candidate: &Candidate<'a>, reason: Reason) -> Self {
        Self { index, item_id: Some(candidate.item_id), reason }
    }
}

/// Why a candidate is not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// A candidate with the same id comes before it.
    Duplicate,
    /// There are `max_sources` before it.
    Limit,
    /// The input has problems, so nothing is shown.
    InvalidInput,
}

/// A snippet that was cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Shortened<'a> {
    /// The source.
    pub source_id: &'a str,
    /// The characters of the whole text.
    pub offered_chars: usize,
    /// The characters of the snippet.
    pub kept_chars: usize,
}

/// Metadata of a source that is not shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Withheld<'a> {
    /// The source.
    pub source_id: &'a str,
    /// The names of what is not shown.
    pub keys: Vec<&'a str>,
}

/// The account of an input with problems, from which nothing is shown.
pub(super) fn nothing<'a>(candidates: usize, chunks: usize, problems: Vec<Fault>) -> Account<'a> {
    let left_out = |index| LeftOut { index, item_id: None, reason: Reason::InvalidInput };
    Account {
        candidates,
        kept: 0,
        left_out: (0..candidates).map(left_out).collect(),
        chunks,
        unmatched_chunks: chunks,
        shortened: Vec::new(),
        withheld_metadata: Vec::new(),
        problems,
    }
}

pub(super) fn shortened<'a>(sources: &[Source<'a>]) -> Vec<Shortened<'a>> {
    let cut = |source: &Source<'a>| {
        let (kept, whole) = (source.snippet?, source.whole?);
        (kept.len() < whole.len()).then(|| Shortened {
            source_id: source.source_id,
            offered_chars: whole.chars().count(),
            kept_chars: kept.chars().count(),
        })
    };
    sources.iter().filter_map(cut).collect()
}

pub(super) fn withheld<'a>(kept: &[&Candidate<'a>], sources: &[Source<'a>]) -> Vec<Withheld<'a>> {
    let missing = |(candidate, source): (&&Candidate<'a>, &Source<'a>)| {
        // What is shown is in the order of what there is, so one walk finds the rest.
        let mut shown = source.metadata.0.iter().map(|(name, _)| *name).peekable();
        let names = candidate.metadata.iter().map(|(name, _)| name.as_ref());
        let keys: Vec<&str> = names.filter(|name| shown.next_if_eq(name).is_none()).collect();
        (!keys.is_empty()).then_some(Withheld { source_id: candidate.item_id, keys })
    };
    kept.iter().zip(sources).filter_map(missing).collect()
}
