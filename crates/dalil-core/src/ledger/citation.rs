//! Citations: what became of each `[cite:…]` of an answer.

use std::collections::HashMap;

use serde::Serialize;

use super::request::{Chunk, Request};
use crate::anchor::{self, Anchor, Known, Unresolved, text_digest};
use crate::digest::Digest;

/// What a citation names, or why it names nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Resolution {
    /// The digits of the citation.
    pub chunk_hash: Anchor,
    /// Where it stands in the answer, in characters.
    pub position: usize,
    /// Whether it names one chunk.
    pub resolved: bool,
    /// The chunk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chunk: Option<Chunk>,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Resolves the citations of the answer, when the request has one.
pub(super) fn resolve(request: &Request) -> Option<Vec<Resolution>> {
    let answer = request.answer.as_deref()?;
    let mut chunks: HashMap<Digest, &Chunk> = HashMap::new();
    for chunk in &request.chunks {
        chunks.entry(text_digest(&chunk.text)).or_insert(chunk);
    }
    let known = Known::new(request.chunks.iter().map(|chunk| text_digest(&chunk.text)));
    let (mut bytes, mut position) = (0, 0);
    let resolution = |citation: anchor::Citation| {
        position += answer.get(bytes..citation.start).map_or(0, |text| text.chars().count());
        bytes = citation.start;
        let found = known.resolve(&citation.anchor);
        let chunk = found.as_ref().ok().and_then(|digest| chunks.get(digest)).copied();
        Resolution {
            chunk_hash: citation.anchor,
            position,
            resolved: chunk.is_some(),
            chunk: chunk.cloned(),
            error: found.err().map(|error| reason(&error)),
        }
    };
    Some(anchor::citations(answer).into_iter().map(resolution).collect())
}

fn reason(error: &Unresolved) -> String {
    match error {
        Unresolved::Unknown { .. } => "Citation references deleted or unavailable chunk".to_owned(),
        Unresolved::Ambiguous { candidates, .. } => {
            let names: Vec<String> = candidates.iter().map(Digest::hex).collect();
            format!("Citation is ambiguous: it could be {}", names.join(" or "))
        }
    }
}
