//! The names of items: derived from their content, unique in a bundle.

use std::collections::BTreeMap;

use dalil_proof::digest::Digest;
use serde::Serialize;

/// The kinds of evidence, in their order in a bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceKind {
    /// Text in the request.
    InlineText,
    /// A text in the lake.
    LakeText,
    /// A kept HTTP response.
    LakeHttp,
    /// A kept result of a query.
    SqlResult,
    /// The text of a query.
    SqlQueryDef,
    /// A part of a document.
    DocChunk,
    /// A part of a transcript.
    TranscriptChunk,
}

impl EvidenceKind {
    /// The name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InlineText => "inline_text",
            Self::LakeText => "lake_text",
            Self::LakeHttp => "lake_http",
            Self::SqlResult => "sql_result",
            Self::SqlQueryDef => "sql_query_def",
            Self::DocChunk => "doc_chunk",
            Self::TranscriptChunk => "transcript_chunk",
        }
    }

    /// The prefix that the ids of one source share.
    fn stem(self, identifier: &str) -> String {
        let word = match self {
            Self::InlineText => return "inline".to_owned(),
            Self::LakeText | Self::LakeHttp => "lake",
            Self::SqlResult => "sql",
            Self::SqlQueryDef => "sqldef",
            Self::DocChunk | Self::TranscriptChunk => "doc",
        };
        // Identifiers that agree in these 48 bits share a stem and its numbers: ids stay unique.
        let hex = Digest::of(identifier.as_bytes()).hex();
        format!("{word}:{}", hex.get(..12).unwrap_or_default())
    }
}

/// The names that were given out in one bundle.
#[derive(Debug, Default)]
pub(super) struct EvidenceIdAllocator {
    /// For each stem, the chunk numbers that are taken: first and last of each run.
    taken: BTreeMap<String, BTreeMap<u64, u64>>,
}

impl EvidenceIdAllocator {
    /// Names an item; if the number is taken, it gets the next free one.
    pub(super) fn give(&mut self, kind: EvidenceKind, identifier: &str, chunk: u64) -> String {
        let stem = kind.stem(identifier);
        let runs = self.taken.entry(stem.clone()).or_default();
        let free = take(runs, chunk);
        match (kind, free) {
            (EvidenceKind::SqlQueryDef, 0) => stem,
            _ => format!("{stem}:{free}"),
        }
    }
}

/// Takes the first free number from `wanted` on, joining runs that then touch.
fn take(runs: &mut BTreeMap<u64, u64>, wanted: u64) -> u64 {
    // Runs make this logarithmic, also when a million items all want number 0.
    let before = runs.range(..=wanted).next_back().map(|(first, last)| (*first, *last));
    let (first, free) = match before {
        Some((first, last)) if last >= wanted => (first, last + 1),
        Some((first, last)) if last + 1 == wanted => (first, wanted),
        _ => (wanted, wanted),
    };
    let last = runs.remove(&(free + 1)).unwrap_or(free);
    runs.insert(first, last);
    free
}
