//! Options of a request for sources.

use std::collections::BTreeSet;

/// The choice of what to show, and how much.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceOptions<'a> {
    /// The most sources to show.
    pub max_sources: usize,
    /// Whether a chunk's words are preferred to the document's summary.
    pub prefer_chunk_snippets: bool,
    /// The most characters of a snippet.
    pub max_snippet_chars: usize,
    /// The only metadata to show; `None` leaves the choice to the rule for safe metadata.
    pub include_metadata_keys: Option<BTreeSet<&'a str>>,
    /// Metadata never to show.
    pub exclude_metadata_keys: Option<BTreeSet<&'a str>>,
    /// Which comes first.
    pub order_by: SortOrder,
    /// Whether to account for the candidates that were left out.
    pub debug: bool,
    /// The most snippets under each source, beside the one it always has.
    pub max_snippets: Option<usize>,
    /// Whether snippets carry their citation anchor and their place.
    pub anchors: bool,
}

impl SourceOptions<'_> {
    /// The contract's choices.
    pub const CONTRACT_DEFAULTS: Self = Self {
        max_sources: 6,
        prefer_chunk_snippets: true,
        max_snippet_chars: 360,
        include_metadata_keys: None,
        exclude_metadata_keys: None,
        order_by: SortOrder::Score,
        debug: false,
        max_snippets: None,
        anchors: false,
    };
}

/// Which candidate comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SortOrder {
    /// The highest score; then the smaller rank; then the id.
    Score,
    /// The smaller rank; then the higher score; then the id.
    Rank,
    /// The one given first.
    Input,
}

/// The most characters of anything that a source shows: anything longer is content.
pub(super) const MAX_SHOWN_CHARS: u64 = 4096;
