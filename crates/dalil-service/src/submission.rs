//! An answer with the evidence to check it against, submitted in one request.
//!
//! ```text
//! answer, chunks ─▶ one entry: the chunks as a document, the session, the job ─▶ check ─▶ ledger
//! ```

use dalil::check::session_id;
use dalil::corpus::CorpusChunkSet;
use dalil_evidence::chunk_set::ChunkSet;
use dalil_evidence::ledger::request::AnswerSession;
use dalil_phrasebook::{Language, bound, expected, found, precondition};
use dalil_proof::decode::{self, JsonFields, JsonReader};
use dalil_proof::digest::Digest;
use dalil_proof::fault::{Fault, Refused};
use dalil_proof::json::Json;
use dalil_store::Tenant;

use crate::document::{self, PreparedDocuments};
use crate::index;
use crate::job::{self, Job, JobKind};
use crate::operation::{
    OperationFailure, RequestContext, answered, append_if_unchanged, none,
    retry_on_conflict_of_subject, text,
};
use crate::session;

#[cfg(test)]
mod tests;

/// An answer that is to be checked.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckSubmission {
    /// The question and its answer.
    pub session: AnswerSession,
    /// The answer.
    pub answer: String,
    /// The evidence to check it against.
    pub evidence: SubmittedEvidence,
    /// The language of notes and questions; by default that of each claim.
    pub language: Option<Language>,
}

/// The evidence to check an answer against.
#[derive(Clone, Debug, PartialEq)]
pub enum SubmittedEvidence {
    /// The chunks that the application retrieved.
    Chunks(ChunkSet),
    /// The items of a bundle of the store, by its id.
    Bundle(String),
    /// Documents of the store, by their ids.
    Documents(Vec<String>),
}

/// The data about an answer before its first word.
#[derive(Clone, Debug, PartialEq)]
pub struct SubmissionHead {
    /// What names the session; made from the digest of the answer when absent.
    session_id: Option<String>,
    /// The question.
    pub question: Option<String>,
    mode: Option<String>,
    /// The evidence to check it against.
    pub evidence: SubmittedEvidence,
    /// The language of notes and questions; by default that of each claim.
    pub language: Option<Language>,
}

impl CheckSubmission {
    /// Reads `{"answer", "question"?, "mode"?, "session_id"?, "language"?}` with one of `chunks`,
    /// `bundle_id` and `documents`.
    ///
    /// # Errors
    /// Every fault in it.
    pub fn parse(request: &[u8]) -> Result<Self, Refused> {
        decode::request(request, Self::read)
    }

    /// Joins a head and the answer that came after it: returns the whole request, and the
    /// submission parsed from it.
    ///
    /// # Errors
    /// An answer that is empty or too long, as for [`Self::parse`].
    pub fn joined(head: &[u8], answer: &str) -> Result<(Vec<u8>, Self), OperationFailure> {
        // As bytes: the head is an object that was read before, and is repeated as it came.
        let rest = head.trim_ascii_start().strip_prefix(b"{").unwrap_or_default();
        let request = [b"{\"answer\":", text(&answer)?.as_bytes(), b",", rest].concat();
        let submission = Self::parse(&request)?;
        Ok((request, submission))
    }

    fn read(reader: JsonReader<'_, '_>) -> Option<Self> {
        let mut fields = reader.object()?;
        let answer = fields.required("answer", answer);
        let head = SubmissionHead::fields(reader, fields);
        let (answer, head) = (answer?, head?);
        let SubmissionHead { session_id: id, question, mode, evidence, language } = head;
        let id = id.unwrap_or_else(|| session_id(&answer));
        Some(Self {
            session: AnswerSession { id, query: question, mode },
            answer,
            evidence,
            language,
        })
    }
}

impl SubmissionHead {
    /// Reads a submission without its answer.
    ///
    /// # Errors
    /// Every fault in it.
    pub fn parse(head: &[u8]) -> Result<Self, Refused> {
        decode::request(head, |reader| {
            let fields = reader.object()?;
            Self::fields(reader, fields)
        })
    }

    fn fields(reader: JsonReader<'_, '_>, mut fields: JsonFields<'_, '_>) -> Option<Self> {
        let question = fields.optional("question", decode::filled);
        let mode = fields.optional("mode", decode::label);
        let session_id = fields.optional("session_id", decode::label);
        let language = fields.optional("language", |word| word.choice(&Language::WIRE_NAMES));
        let chunks = fields.optional("chunks", ChunkSet::read);
        let bundle = fields.optional("bundle_id", decode::label);
        let documents = fields.optional("documents", |list| list.list(decode::label));
        let known = fields.done();
        let is_one = one_kind(reader);
        known?;
        is_one?;
        let evidence = evidence(reader, chunks?, bundle?, documents?)?;
        let (session_id, question) = (session_id?, question?);
        Some(Self { session_id, question, mode: mode?, evidence, language: language? })
    }
}

fn answer(reader: JsonReader<'_, '_>) -> Option<String> {
    let answer = decode::filled(reader)?;
    match too_long(answer.len(), reader.path()) {
        Some(fault) => reader.push(fault),
        None => Some(answer),
    }
}

/// The fault of an answer of `bytes` bytes, if that is too much.
pub(crate) fn too_long(bytes: usize, path: String) -> Option<Fault> {
    let expected = bound::at_most_bytes(MAX_ANSWER_BYTES);
    (bytes > MAX_ANSWER_BYTES).then(|| Fault::new("length", path, expected, bytes))
}

/// Refuses two kinds of evidence, or none: the meaning of a claim that is not found would be
/// ambiguous.
fn one_kind(reader: JsonReader<'_, '_>) -> Option<()> {
    // Counted in the JSON: a faulty field counts, and has a fault of its own.
    let given = EVIDENCE_FIELDS.iter().filter(|name| {
        let value = reader.json.get(name);
        value.is_some_and(|value| *value != Json::Null)
    });
    let expected = expected::one_of_chunks_bundle_id_and_documents();
    match given.count() {
        0 => reader.push(Fault::new("missing_field", reader.path(), expected, found::none())),
        1 => Some(()),
        count => reader.push(Fault::new("choice", reader.path(), expected, count)),
    }
}

/// The evidence that is given.
fn evidence(
    reader: JsonReader<'_, '_>,
    chunks: Option<ChunkSet>,
    bundle: Option<String>,
    documents: Option<Vec<String>>,
) -> Option<SubmittedEvidence> {
    match (chunks, bundle, documents) {
        (Some(chunks), _, _) => Some(SubmittedEvidence::Chunks(chunks)),
        (_, Some(bundle), _) => Some(SubmittedEvidence::Bundle(bundle)),
        (_, _, Some(documents)) if documents.is_empty() => {
            let path = reader.member("documents");
            reader.push(Fault::new("empty", path, bound::at_least_one_document(), found::none()))
        }
        (_, _, documents) => documents.map(SubmittedEvidence::Documents),
    }
}

impl SubmittedEvidence {
    /// The chunks that an answer is checked against, where it is against chunks.
    ///
    /// # Errors
    /// No such bundle.
    pub(crate) async fn chunk_set(
        &self,
        tenant: &Tenant,
    ) -> Result<Option<CorpusChunkSet>, OperationFailure> {
        let set = match self {
            Self::Chunks(set) => set.clone(),
            Self::Bundle(id) => ChunkSet::of_bundle(&index::show_bundle(tenant, id).await?)?,
            Self::Documents(_) => return Ok(None),
        };
        Ok(Some(CorpusChunkSet::new(set)?))
    }
}

/// Accepts a check: keeps the chunks and the answer, and the job that checks them, in one entry.
///
/// # Errors
/// A session of that name whose answer is another; no such bundle or document.
pub async fn submit(
    tenant: &Tenant,
    submission: &CheckSubmission,
    request: &[u8],
    context: &RequestContext,
) -> Result<Job, OperationFailure> {
    let CheckSubmission { session, answer, evidence, language } = submission;
    let key = context.idempotency_key("check submit", request)?;
    let set = evidence.chunk_set(tenant).await?;
    if let SubmittedEvidence::Documents(ids) = evidence {
        // Before the job is accepted: a missing document is answered here, not by a job that fails.
        for id in ids {
            document::show(tenant, id).await?;
        }
    }
    let ids = match (&set, evidence) {
        (Some(set), _) => vec![set.id()],
        (None, SubmittedEvidence::Documents(ids)) => ids.clone(),
        (None, _) => Vec::new(),
    };
    let order = text(&CheckJobRequest { documents: &ids, language: language.map(Language::tag) })?;
    let accepted = retry_on_conflict_of_subject(tenant, &session.id, async |snapshot| {
        if let Some(acks) = answered(tenant, key.as_ref()).await? {
            return Ok(acks);
        }
        // In each round: an erasure may have removed an object that the round before put.
        let mut prepared = PreparedDocuments::none();
        if let Some(set) = &set {
            prepared.take_chunks(tenant, set, context).await?;
        }
        let mut drafts = prepared.drafts;
        drafts.extend(session::opened(tenant, session, Some(answer), context).await?);
        drafts.push(job::accepted(
            JobKind::Check,
            &session.id,
            order.clone().into_bytes(),
            context,
        )?);
        append_if_unchanged(tenant, drafts, key.clone(), snapshot).await
    });
    let job = accepted
        .await?
        .pop()
        .ok_or_else(|| none(precondition::a_job_of_this_tenant(), "job_id", ""))?;
    job::of_record(tenant, job.index).await
}

/// The digest of the ledger that a job closed, if it has ended so.
pub fn ledger_of(job: &Job) -> Option<Digest> {
    match job.result.as_ref()?.get("sha256")? {
        Json::Text(digest) => digest.parse().ok(),
        _ => None,
    }
}

/// The request of a job: see [`crate::check::CheckRequest::parse`].
#[derive(serde::Serialize)]
struct CheckJobRequest<'o> {
    documents: &'o [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<&'static str>,
}

const EVIDENCE_FIELDS: [&str; 3] = ["chunks", "bundle_id", "documents"];
/// As much as `dalil check` takes.
const MAX_ANSWER_BYTES: usize = 4 << 20;
