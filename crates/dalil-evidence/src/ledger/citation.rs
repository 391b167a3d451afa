//! Citations: the result of resolving each `[cite:…]` of an answer.

use std::collections::{HashMap, HashSet};

use dalil_proof::digest::Digest;
use serde::Serialize;

use super::issue::{ClaimIssue, IssueKind};
use super::request::context::CharOffsets;
use super::request::{CitableChunk, Claim, LedgerRequest};
use super::verdict::{RelevantMatch, VerdictAssignment};
use crate::anchor::{Anchor, AnchorIndex, Citation, UnresolvedAnchor, citations, text_digest};
use crate::char_offset::CharOffsetIndex;

/// The chunk that a citation names, or why it names none.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CitationResolution {
    /// The digits of the citation.
    pub chunk_hash: Anchor,
    /// Its place in the answer, in characters, when it is in the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<usize>,
    /// The claim that cites, when the request states it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claim_id: Option<String>,
    /// Whether it names one chunk.
    pub resolved: bool,
    /// The chunk, with the first citation that names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chunk: Option<CitableChunk>,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// The citations of a request, and which claims they belong to.
#[derive(Debug)]
pub(super) struct CitedPassages<'r> {
    /// What became of each; nothing when there is neither an answer nor a chunk to name.
    pub(super) resolutions: Option<Vec<CitationResolution>>,
    /// Whether the chunks that citations may name are known.
    is_known: bool,
    of_claims: HashMap<&'r str, Vec<(Anchor, CitedChunk<'r>)>>,
}

/// The chunk that a citation names.
#[derive(Clone, Copy, Debug)]
enum CitedChunk<'r> {
    One(&'r CitableChunk),
    None,
    Several,
}

impl<'r> CitedPassages<'r> {
    /// Resolves the citations of the answer, then those of the claims.
    pub(super) fn of(request: &'r LedgerRequest) -> Self {
        let is_known = request.chunks.is_some();
        let mut passages = Self { resolutions: None, is_known, of_claims: HashMap::new() };
        // With neither, nothing can be cited, and the ledger has no field `citations`.
        if request.answer.is_none() && !is_known {
            return passages;
        }
        let mut by_digest: HashMap<Digest, &CitableChunk> = HashMap::new();
        for chunk in request.chunks.iter().flatten() {
            // Chunks with the same folded words have one digest. The first is used for all of them,
            // so that they are not ambiguous.
            by_digest.entry(text_digest(&chunk.text)).or_insert(chunk);
        }
        // The index sorts the digests, so the random order of the map decides nothing.
        let known = AnchorIndex::new(by_digest.keys().copied());
        let places = ClaimPlaces::of(request);
        let mut given = HashSet::new();
        let mut resolution = |(chunk_hash, position, claim_id): (Anchor, Option<usize>, _)| {
            let found = known.resolve(&chunk_hash);
            let chunk = found.as_ref().ok().and_then(|digest| by_digest.get(digest)).copied();
            let claims: Vec<&'r str> = match (claim_id, position) {
                (Some(id), _) => vec![id],
                (None, Some(position)) => places.at(position as u64),
                (None, None) => Vec::new(),
            };
            let cited = match (chunk, &found) {
                (Some(chunk), _) => CitedChunk::One(chunk),
                (None, Err(UnresolvedAnchor::Ambiguous { .. })) => CitedChunk::Several,
                (None, _) => CitedChunk::None,
            };
            for id in claims {
                passages.of_claims.entry(id).or_default().push((chunk_hash.clone(), cited));
            }
            let resolved = found.is_ok();
            // Given once, so that a thousand citations of a long chunk do not make a thousand of it.
            let first = found.as_ref().is_ok_and(|digest| given.insert(*digest));
            let chunk = chunk.filter(|_| first).cloned();
            let error = found.err().map(|error| reason(&error));
            let claim_id = claim_id.map(str::to_owned);
            CitationResolution { chunk_hash, position, claim_id, resolved, chunk, error }
        };
        let claims = request.claims.iter().flat_map(|claim| {
            let anchors = claim.citation_anchors.iter().cloned();
            anchors.map(|anchor| (anchor, None, Some(claim.claim_id.as_str())))
        });
        // Those of the answer come first: the first citation
        // of a chunk carries its text in the ledger.
        let answer = request.answer.iter().flat_map(|answer| in_answer(answer));
        let resolutions = answer.chain(claims).map(&mut resolution).collect();
        passages.resolutions = Some(resolutions);
        passages
    }

    /// The faults of the citations of a claim.
    pub(super) fn issues(
        &self,
        claim: &Claim,
        assignment: &VerdictAssignment<'_>,
    ) -> Vec<ClaimIssue> {
        // Without chunks no anchor resolves, which is no fault of the answer.
        let cited = self.of_claims.get(claim.claim_id.as_str()).filter(|_| self.is_known);
        // The list of the judge decides. Without one, a
        // chunk bears on the claim if a passage is from it.
        let bears = |anchor: &Anchor, chunk: &CitableChunk| match &claim.unrelated_citations {
            Some(unrelated) => !unrelated.contains(anchor),
            None => assignment.passages.iter().any(|one| is_from(one, chunk)),
        };
        let issue = |(anchor, cited): &(Anchor, CitedChunk<'_>)| {
            let citation = Some(anchor.clone());
            let issue = match *cited {
                CitedChunk::One(chunk) if bears(anchor, chunk) => return None,
                CitedChunk::One(chunk) => ClaimIssue {
                    document: chunk.document.clone(),
                    ..ClaimIssue::new(IssueKind::UnrelatedCitation)
                },
                CitedChunk::None => ClaimIssue::new(IssueKind::UnresolvedCitation),
                CitedChunk::Several => ClaimIssue {
                    detail: Some(AMBIGUOUS_DETAIL.to_owned()),
                    ..ClaimIssue::new(IssueKind::UnresolvedCitation)
                },
            };
            Some(ClaimIssue { citation, ..issue }.worded())
        };
        cited.into_iter().flatten().filter_map(issue).collect()
    }

    /// The citations that name no passage, each once, in order.
    pub(super) fn unresolved(&self) -> Vec<&Anchor> {
        let mut seen = HashSet::new();
        let all = self.resolutions.iter().flatten().filter(|one| !one.resolved && self.is_known);
        all.map(|one| &one.chunk_hash).filter(|anchor| seen.insert(anchor.as_str())).collect()
    }
}

/// Whether a passage is from a chunk: the chunk by its name, or words that one shares with the
/// other.
fn is_from(one: &RelevantMatch<'_>, chunk: &CitableChunk) -> bool {
    if one.found.chunk_id == chunk.chunk_id {
        return true;
    }
    // Two documents can have the same words: where the
    // chunk names its document, only that one counts.
    let document = chunk.document.as_ref();
    if document.is_some_and(|document| document.id != one.found.document.id) {
        return false;
    }
    let (words, text) = (folded(&one.found.snippet), folded(&chunk.text));
    // Every text contains the empty one, so an empty snippet would match any chunk.
    !words.is_empty() && !text.is_empty() && (text.contains(&words) || words.contains(&text))
}

fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Where the claims of an answer begin, so that a citation finds its claim.
struct ClaimPlaces<'r> {
    /// The first characters of claims, in order.
    starts: Vec<(u64, &'r str)>,
    not_claims: Vec<CharOffsets>,
}

impl<'r> ClaimPlaces<'r> {
    fn of(request: &'r LedgerRequest) -> Self {
        let claims = request.claims.iter();
        let mut starts: Vec<(u64, &str)> =
            claims.filter_map(|one| Some((one.start_offset?, one.claim_id.as_str()))).collect();
        // Stable, so claims that begin at one place stay in the order of the answer.
        starts.sort_by_key(|(start, _)| *start);
        let not_claims = request.not_claims.iter().flatten().map(|one| one.offsets).collect();
        Self { starts, not_claims }
    }

    /// The claims that a citation at this place belongs to: those that begin last before it, or
    /// first of all; none inside a part of the answer that is no claim.
    fn at(&self, position: u64) -> Vec<&'r str> {
        if self.not_claims.iter().any(|one| (one.start..one.end).contains(&position)) {
            return Vec::new();
        }
        let after = self.starts.partition_point(|(start, _)| *start <= position);
        let nearest = after.checked_sub(1).and_then(|n| self.starts.get(n));
        let Some((start, _)) = nearest.or_else(|| self.starts.first()) else { return Vec::new() };
        // Several claims can begin at one place; the citation then belongs to each of them.
        let from = self.starts.partition_point(|(one, _)| one < start);
        let same = self.starts.iter().skip(from).take_while(|(one, _)| one == start);
        same.map(|(_, id)| *id).collect()
    }
}

/// The citations of an answer with their places in characters.
fn in_answer<'r>(answer: &str) -> Vec<(Anchor, Option<usize>, Option<&'r str>)> {
    let positions = CharOffsetIndex::of(answer);
    let place = |one: Citation| (one.anchor, Some(positions.at(one.start)), None);
    citations(answer).into_iter().map(place).collect()
}

fn reason(error: &UnresolvedAnchor) -> String {
    match error {
        UnresolvedAnchor::Unknown { .. } => {
            "Citation references deleted or unavailable chunk".to_owned()
        }
        UnresolvedAnchor::Ambiguous { candidates, .. } => {
            let names: Vec<String> = candidates.iter().map(Digest::hex).collect();
            format!("Citation is ambiguous: it could be {}", names.join(" or "))
        }
    }
}

/// The detail of a citation that names more than one chunk.
const AMBIGUOUS_DETAIL: &str = "ambiguous";
