//! The account of a selection: candidates offered, kept, left out, shortened and withheld.

use std::collections::BTreeMap;

use dalil_proof::fault::Fault;
use serde::Serialize;

use super::CitationSource;
use super::candidate::SourceCandidate;
use super::request::RetrievalInput;

/// Everything that did not make it into the sources. Kept and left out add up to the candidates.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SelectionAccount<'a> {
    /// How many candidates were offered.
    pub candidates: usize,
    /// How many became sources.
    pub kept: usize,
    /// Those that did not, in the order they were given.
    pub left_out: Vec<OmittedCandidate<'a>>,
    /// How many chunks were offered.
    pub chunks: usize,
    /// How many of them belong to no source.
    pub unmatched_chunks: usize,
    /// Snippets that are not the whole text.
    pub shortened: Vec<ShortenedSnippet<'a>>,
    /// Metadata that is not shown.
    pub withheld_metadata: Vec<WithheldMetadata<'a>>,
    /// The faults of the candidates and chunks that cannot be used.
    pub problems: Vec<Fault>,
    /// Fields of candidates and chunks that are the retriever's own.
    pub ignored_fields: IgnoredFields<'a>,
}

impl<'a> SelectionAccount<'a> {
    /// Adds what could not be used, and counts places among all that was given.
    pub(super) fn complete(&mut self, input: &RetrievalInput<'a>) {
        let unusable = &input.unusable_candidates;
        let places = (0..self.candidates + unusable.len())
            .filter(|place| unusable.binary_search(place).is_err());
        // `left_out` is in order of place, and so are the rest of all places.
        let mut places = places.enumerate();
        for left in &mut self.left_out {
            if let Some((_, place)) = places.find(|(usable, _)| *usable == left.index) {
                left.index = place;
            }
        }
        let invalid =
            |index: &usize| OmittedCandidate { index: *index, item_id: None, reason: INVALID };
        self.left_out.extend(unusable.iter().map(invalid));
        self.left_out.sort_by_key(|left| left.index);
        self.candidates += unusable.len();
        self.chunks += input.unusable_chunks;
        self.unmatched_chunks += input.unusable_chunks;
        self.problems.clone_from(&input.problems);
        self.ignored_fields = input.ignored_fields.clone();
    }
}

const INVALID: OmissionReason = OmissionReason::InvalidInput;

/// How many candidates and chunks have each field that this format does not know.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct IgnoredFields<'a> {
    /// Those of candidates.
    pub candidates: BTreeMap<&'a str, usize>,
    /// Those of chunks.
    pub evidence_chunks: BTreeMap<&'a str, usize>,
}

/// A candidate that is not shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OmittedCandidate<'a> {
    /// Its place among the candidates, from 0.
    pub index: usize,
    /// Its id, when it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item_id: Option<&'a str>,
    /// Why.
    pub reason: OmissionReason,
}

impl<'a> OmittedCandidate<'a> {
    pub(super) fn new(
        index: usize,
        candidate: &SourceCandidate<'a>,
        reason: OmissionReason,
    ) -> Self {
        Self { index, item_id: Some(candidate.item_id), reason }
    }
}

/// Why a candidate is not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum OmissionReason {
    /// A candidate with the same id comes before it.
    Duplicate,
    /// There are `max_sources` before it.
    Limit,
    /// It cannot be used: a problem states why.
    InvalidInput,
}

/// A snippet that was cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ShortenedSnippet<'a> {
    /// The source.
    pub source_id: &'a str,
    /// The characters of the whole text.
    pub offered_chars: usize,
    /// The characters of the snippet.
    pub kept_chars: usize,
}

/// Metadata of a source that is not shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WithheldMetadata<'a> {
    /// The source.
    pub source_id: &'a str,
    /// The names of the fields that are not shown.
    pub keys: Vec<&'a str>,
}

pub(super) fn shortened<'a>(sources: &[CitationSource<'a>]) -> Vec<ShortenedSnippet<'a>> {
    let cut = |source: &CitationSource<'a>| {
        let (kept, whole) = (source.snippet?, source.whole?);
        // A snippet is a prefix of its text, so their bytes tell; only then are characters counted.
        (kept.len() < whole.len()).then(|| ShortenedSnippet {
            source_id: source.source_id,
            offered_chars: whole.chars().count(),
            kept_chars: kept.chars().count(),
        })
    };
    sources.iter().filter_map(cut).collect()
}

pub(super) fn withheld<'a>(
    kept: &[&SourceCandidate<'a>],
    sources: &[CitationSource<'a>],
) -> Vec<WithheldMetadata<'a>> {
    let missing = |(candidate, source): (&&SourceCandidate<'a>, &CitationSource<'a>)| {
        // Shown fields are in the order of all fields, so one walk finds the rest.
        let mut shown = source.metadata.0.iter().map(|(name, _)| *name).peekable();
        let names = candidate.metadata.iter().map(|(name, _)| name.as_ref());
        let keys: Vec<&str> = names.filter(|name| shown.next_if_eq(name).is_none()).collect();
        (!keys.is_empty()).then_some(WithheldMetadata { source_id: candidate.item_id, keys })
    };
    kept.iter().zip(sources).filter_map(missing).collect()
}
