//! Citations: what became of each `[cite:…]` of an answer.

use std::collections::HashMap;

use serde::Serialize;

use super::request::{Chunk, Request};
use crate::anchor::{Anchor, Citation, Known, Unresolved, citations, text_digest};
use crate::digest::Digest;
use crate::position::Positions;

/// What a citation names, or why it names nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Resolution {
    /// The digits of the citation.
    pub chunk_hash: Anchor,
    /// Where it stands in the answer, in characters, when it stands there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<usize>,
    /// The claim that cites, when the request says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claim_id: Option<String>,
    /// Whether it names one chunk.
    pub resolved: bool,
    /// The chunk, with the first citation that names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chunk: Option<Chunk>,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Resolves the citations of the answer, then those of the claims; nothing when there is
/// neither an answer nor a chunk to name.
pub(super) fn resolve(request: &Request) -> Option<Vec<Resolution>> {
    if request.answer.is_none() && request.chunks.is_none() {
        return None;
    }
    let chunks = request.chunks.as_deref().unwrap_or_default();
    let mut by_digest: HashMap<Digest, &Chunk> = HashMap::new();
    for chunk in chunks {
        by_digest.entry(text_digest(&chunk.text)).or_insert(chunk);
    }
    let known = Known::new(chunks.iter().map(|chunk| text_digest(&chunk.text)));
    let resolution = |(chunk_hash, position, claim_id): (Anchor, _, _)| {
        let found = known.resolve(&chunk_hash);
        let resolved = found.is_ok();
        // Taken out, so that a thousand citations of a long chunk do not make a thousand of it.
        let chunk = found.as_ref().ok().and_then(|digest| by_digest.remove(digest)).cloned();
        let error = found.err().map(|error| reason(&error));
        Resolution { chunk_hash, position, claim_id, resolved, chunk, error }
    };
    let claims = request.claims.iter().flat_map(|claim| {
        let anchors = claim.citation_anchors.iter().cloned();
        anchors.map(|anchor| (anchor, None, Some(claim.claim_id.clone())))
    });
    let answer = in_answer(request.answer.as_deref().unwrap_or_default());
    Some(answer.into_iter().chain(claims).map(resolution).collect())
}

/// The citations of an answer with their places in characters.
fn in_answer(answer: &str) -> Vec<(Anchor, Option<usize>, Option<String>)> {
    let positions = Positions::of(answer);
    let place = |one: Citation| (one.anchor, Some(positions.at(one.start)), None);
    citations(answer).into_iter().map(place).collect()
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
