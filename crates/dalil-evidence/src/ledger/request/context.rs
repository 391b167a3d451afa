//! The context of a request's claims: the judge, the documents, and statements that are not claims.

use dalil_phrasebook::{bound, found};
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::digest::Digest;
use dalil_proof::fault::Fault;
use dalil_proof::json::MAX_INTEGER;
use serde::Serialize;

/// Who judged: enough to judge again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct JudgeIdentity {
    /// The program and its version.
    pub engine: String,
    /// The name of the model.
    pub model: String,
    /// The digest of its weights, when they are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_sha256: Option<Digest>,
    /// The digests of an external judge's replies, in the order of the claims.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replies: Option<Vec<Digest>>,
}

/// A document that claims were looked for in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LedgerDocument {
    /// What names it.
    pub id: String,
    /// Its file name.
    pub filename: String,
    /// The digest of its bytes.
    pub sha256: Digest,
    /// How many chunks it was split into.
    pub chunks: u64,
    /// What could not be read of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<String>,
}

/// A part of the answer that states nothing to check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NotClaim {
    /// Where it is in the answer.
    #[serde(flatten)]
    pub offsets: CharOffsets,
    /// Why it is not a claim.
    pub reason: String,
}

/// A range of characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CharOffsets {
    /// The first character.
    pub start: u64,
    /// One after the last.
    pub end: u64,
}

pub(super) fn judge(reader: JsonReader<'_, '_>) -> Option<JudgeIdentity> {
    let mut fields = reader.object()?;
    let engine = fields.required("engine", decode::filled);
    let model = fields.required("model", decode::filled);
    let model_sha256 = fields.optional("model_sha256", decode::digest);
    let replies = fields.optional("replies", |list| list.list(decode::digest));
    fields.done()?;
    Some(JudgeIdentity {
        engine: engine?,
        model: model?,
        model_sha256: model_sha256?,
        replies: replies?,
    })
}

pub(super) fn consulted(reader: JsonReader<'_, '_>) -> Option<LedgerDocument> {
    let mut fields = reader.object()?;
    let id = fields.required("id", decode::filled);
    let filename = fields.required("filename", decode::filled);
    let sha256 = fields.required("sha256", decode::digest);
    let chunks = fields.required("chunks", |count| count.whole(0..=MAX_INTEGER));
    let problems = fields.or("problems", Vec::new(), |list| list.list(decode::filled));
    fields.done()?;
    Some(LedgerDocument {
        id: id?,
        filename: filename?,
        sha256: sha256?,
        chunks: chunks?,
        problems: problems?,
    })
}

pub(super) fn not_claim(reader: JsonReader<'_, '_>) -> Option<NotClaim> {
    let mut fields = reader.object()?;
    let start = fields.required("start", |offset| offset.whole(0..=MAX_INTEGER));
    let end = fields.required("end", |offset| offset.whole(0..=MAX_INTEGER));
    let reason = fields.required("reason", decode::filled);
    fields.done()?;
    let offsets = ordered(reader, start?, end?)?;
    Some(NotClaim { offsets, reason: reason? })
}

pub(super) fn offsets(reader: JsonReader<'_, '_>) -> Option<CharOffsets> {
    let mut fields = reader.object()?;
    let start = fields.required("start", |offset| offset.whole(0..=MAX_INTEGER));
    let end = fields.required("end", |offset| offset.whole(0..=MAX_INTEGER));
    fields.done()?;
    ordered(reader, start?, end?)
}

fn ordered(reader: JsonReader<'_, '_>, start: u64, end: u64) -> Option<CharOffsets> {
    if start <= end {
        return Some(CharOffsets { start, end });
    }
    let path = format!("{}.end", reader.path());
    reader.push(Fault::new("range", path, bound::an_offset_from(start), found::value(end)))
}
