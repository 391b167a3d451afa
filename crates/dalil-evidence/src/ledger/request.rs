//! Reading a request for a ledger.

use std::collections::HashSet;

use dalil_phrasebook::{bound, expected, found, hint};
use dalil_proof::decode::{self, JsonFields, JsonReader};
use dalil_proof::fault::{Fault, Refused, quote};
use dalil_proof::json::{Json, MAX_INTEGER};
use dalil_proof::time::Time;
use serde::Serialize;

pub use self::context::{CharOffsets, JudgeIdentity, LedgerDocument, NotClaim};
use self::document::document;
pub use self::document::{DocumentDate, EvidenceDocument};
pub use self::matching::{ClaimMatch, ConflictReason, JudgeKind, VerdictJudge};
use self::options::options;
pub use self::options::{LedgerGate, LedgerOptions};
use crate::anchor::{Anchor, AnchorIndex, UnresolvedAnchor, text_digest};
use crate::claim::{ClaimImportance, ClaimKind};

pub(super) mod context;
pub(super) mod document;
pub(super) mod matching;
mod options;
mod stored;

/// Claims of one answer and what chunks say about them.
#[derive(Clone, Debug, PartialEq)]
pub struct LedgerRequest {
    /// The question and its answer.
    pub session: AnswerSession,
    /// When the answer is checked.
    pub created_at: Time,
    /// The ledger of the check before this one.
    pub previous_ledger_id: Option<String>,
    /// The answer, for its citations.
    pub answer: Option<String>,
    /// The chunks that citations may name, when they are known.
    pub chunks: Option<Vec<CitableChunk>>,
    /// Names of documents that were cut before the claims were looked for in them.
    pub truncated: Vec<String>,
    /// The claims, in the order of the answer.
    pub claims: Vec<Claim>,
    /// Who judged.
    pub judge: Option<JudgeIdentity>,
    /// The documents that the claims were looked for in.
    pub documents: Option<Vec<LedgerDocument>>,
    /// The parts of the answer that are not claims.
    pub not_claims: Option<Vec<NotClaim>>,
    /// Thresholds and language.
    pub options: LedgerOptions,
}

/// One question and its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AnswerSession {
    /// What names it.
    pub id: String,
    /// The question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// How it was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
}

/// One checkable statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// What names it; unique in its request.
    pub claim_id: String,
    /// The statement.
    pub claim_text: String,
    /// Its kind.
    pub claim_type: ClaimKind,
    /// How much it matters.
    pub importance: ClaimImportance,
    /// Where it begins in the answer, in characters.
    pub start_offset: Option<u64>,
    /// Where it ends.
    pub end_offset: Option<u64>,
    /// The chunks that it cites.
    pub citation_anchors: Vec<Anchor>,
    /// What chunks say about it.
    pub matches: Vec<ClaimMatch>,
    /// The judge's explanation, in place of the usual one.
    pub notes: Option<String>,
    /// The judge of a claim without matches, which was not found.
    pub judge: Option<VerdictJudge>,
    /// The citations that the judge found not to bear on the claim; by default those whose chunk no
    /// match is from.
    pub unrelated_citations: Option<Vec<Anchor>>,
    /// Whether it should cite something, where the request states it; no verdict depends on it.
    pub requires_citation: Option<bool>,
}

/// A chunk that citations may name.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CitableChunk {
    /// What names it.
    pub chunk_id: String,
    /// Its words, which its anchor is made from.
    pub text: String,
    /// The document it is from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document: Option<EvidenceDocument>,
}

impl LedgerRequest {
    /// Reads a request.
    ///
    /// # Errors
    /// Everything wrong with it.
    pub fn read(text: &[u8]) -> Result<Self, Refused> {
        decode::request(text, request)
    }
}

fn request(reader: JsonReader<'_, '_>) -> Option<LedgerRequest> {
    let mut fields = reader.object()?;
    let session = fields.required("session", session);
    let created_at = fields.required("created_at", decode::time);
    let previous = fields.optional("previous_ledger_id", decode::filled);
    let answer = fields.optional("answer", decode::owned);
    let chunks = fields.optional("chunks", |list| list.list(chunk));
    let truncated = fields.or("truncated", Vec::new(), |list| list.list(decode::filled));
    let text = answer.as_ref().and_then(Option::as_ref);
    // Offsets count characters, so the bound is the length in characters; counted once per request.
    let length = text.map(|answer| answer.chars().count() as u64);
    let claims = fields.required("claims", |list| claims(list, length));
    let judge = fields.optional("judge", context::judge);
    let documents = fields.optional("documents", |list| list.list(context::consulted));
    let not_claims = fields.optional("not_claims", |list| list.list(context::not_claim));
    let options = fields.or("options", LedgerOptions::usual(), options);
    // Unknown fields stop the reading only below, after
    // the ambiguous anchors were reported as well.
    let known = fields.done();
    let (chunks, claims) = (chunks?, claims?);
    unambiguous(reader, &claims, chunks.as_deref())?;
    known?;
    Some(LedgerRequest {
        session: session?,
        created_at: created_at?,
        previous_ledger_id: previous?,
        answer: answer?,
        chunks,
        truncated: truncated?,
        claims,
        judge: judge?,
        documents: documents?,
        not_claims: not_claims?,
        options: options?,
    })
}

fn session(reader: JsonReader<'_, '_>) -> Option<AnswerSession> {
    let mut fields = reader.object()?;
    let id = fields.required("id", decode::filled);
    let query = fields.optional("query", decode::owned);
    let mode = fields.optional("mode", decode::owned);
    fields.done()?;
    Some(AnswerSession { id: id?, query: query?, mode: mode? })
}

fn claims(reader: JsonReader<'_, '_>, length: Option<u64>) -> Option<Vec<Claim>> {
    let mut seen = HashSet::new();
    reader.list(|reader| {
        let claim = claim(reader, length);
        // Asked of the JSON, so that an id is reported again even if its claim has other faults.
        match reader.json.get("claim_id") {
            Some(Json::Text(id)) if !seen.insert(id.as_ref()) => {
                let path = format!("{}.claim_id", reader.path());
                let found = found::again(quote(id));
                reader.push(Fault::new("duplicate", path, expected::each_claim_once(), found))
            }
            _ => claim,
        }
    })
}

/// Refuses citations of claims that could mean more than one chunk.
fn unambiguous(
    reader: JsonReader<'_, '_>,
    claims: &[Claim],
    chunks: Option<&[CitableChunk]>,
) -> Option<()> {
    // A fault here, a finding in the answer: the caller
    // chose this anchor and can write more digits.
    let known =
        AnchorIndex::new(chunks.into_iter().flatten().map(|chunk| text_digest(&chunk.text)));
    let mut clean = Some(());
    for (n, claim) in claims.iter().enumerate() {
        for (k, anchor) in claim.citation_anchors.iter().enumerate() {
            if let Err(ambiguous @ UnresolvedAnchor::Ambiguous { .. }) = known.resolve(anchor) {
                let path = format!("claims[{n}].citation_anchors[{k}]");
                let fault = Fault::with_message("ambiguous_anchor", path, ambiguous.phrase());
                clean = reader.push(fault.hint(hint::write_more_digits_of_the_anchor()));
            }
        }
    }
    clean
}

/// A name that a ledger repeats wherever it speaks of the claim.
fn short(reader: JsonReader<'_, '_>) -> Option<String> {
    let text = decode::filled(reader)?;
    let fits = text.chars().count() <= MAX_NAME_CHARS;
    fits.then_some(text)
        .or_else(|| reader.refuse("length", bound::at_most_characters(MAX_NAME_CHARS)))
}

fn claim(reader: JsonReader<'_, '_>, length: Option<u64>) -> Option<Claim> {
    let mut fields = reader.object()?;
    let claim_id = fields.required("claim_id", short);
    let claim_text = fields.required("claim_text", decode::filled);
    let claim_type = fields.required("claim_type", |word| word.choice(&ClaimKind::WIRE_NAMES));
    let importance =
        fields.required("importance", |word| word.choice(&ClaimImportance::WIRE_NAMES));
    let offsets = offsets(reader, &mut fields, length);
    let matches = fields.or("matches", Vec::new(), |list| list.list(matching::one_match));
    let notes = fields.optional("notes", decode::filled);
    let cited = fields.or("citation_anchors", Vec::new(), anchors);
    let judge = fields.optional("judge", matching::verdict_judge);
    let unrelated = fields.optional("unrelated_citations", anchors);
    let requires_citation = fields.optional("requires_citation", decode::flag);
    fields.done()?;
    let (start_offset, end_offset) = offsets?;
    Some(Claim {
        claim_id: claim_id?,
        claim_text: claim_text?,
        claim_type: claim_type?,
        importance: importance?,
        start_offset,
        end_offset,
        citation_anchors: cited?,
        matches: matches?,
        notes: notes?,
        judge: judge?,
        unrelated_citations: unrelated?,
        requires_citation: requires_citation?,
    })
}

fn anchors(reader: JsonReader<'_, '_>) -> Option<Vec<Anchor>> {
    reader.list(|one| one.parsed("anchor", Anchor::EXPECTED))
}

/// The claim's place: both ends or neither, in order, and inside the answer.
fn offsets(
    reader: JsonReader<'_, '_>,
    fields: &mut JsonFields<'_, '_>,
    length: Option<u64>,
) -> Option<(Option<u64>, Option<u64>)> {
    let start = fields.optional("start_offset", |offset| offset.whole(0..=MAX_INTEGER));
    let end =
        fields.optional("end_offset", |offset| offset.whole(0..=length.unwrap_or(MAX_INTEGER)));
    let (start, end) = (start?, end?);
    match (start, end) {
        (Some(first), Some(last)) if last < first => {
            let path = format!("{}.end_offset", reader.path());
            let expected = bound::an_offset_from_where_the_claim_starts(first);
            reader.push(Fault::new("range", path, expected, found::value(last)))
        }
        _ => Some((start, end)),
    }
}

fn chunk(reader: JsonReader<'_, '_>) -> Option<CitableChunk> {
    let mut fields = reader.object()?;
    let chunk_id = fields.required("chunk_id", decode::filled);
    let text = fields.required("text", decode::filled);
    let document = fields.optional("document", document);
    fields.done()?;
    Some(CitableChunk { chunk_id: chunk_id?, text: text?, document: document? })
}

const MAX_NAME_CHARS: usize = 200;
