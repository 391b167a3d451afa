//! Sessions: a question and its answer, and the ledgers that were closed over it.

use std::collections::BTreeSet;

use dalil::check::CheckOutcome;
use dalil::corpus::Corpus;
use dalil_evidence::ledger::request::AnswerSession;
use dalil_evidence::ledger::{Ledger, LedgerEntry};
use dalil_phrasebook::{found, hint, precondition};
use dalil_proof::canon;
use dalil_proof::digest::Digest;
use dalil_proof::fault::{Fault, quote, quoted};
use dalil_proof::json::Json;
use dalil_proof::record::RecordKind;
use dalil_proof::score::Score;
use dalil_proof::time::Time;
use dalil_store::catalog::{ClaimRow, ErasureRow, LedgerRow, SessionRow, VerdictRow};
use dalil_store::trail::{StoredFieldState, StoredPayload};
use dalil_store::{EvidenceRow, IdempotencyKey, IndexedRow, NewRecord, Tenant};
use serde::Serialize;

use crate::artifact::artifact;
use crate::document::{self, AddedDocument, PreparedDocuments};
use crate::list_range::ListRange;
use crate::operation::{
    OperationFailure, RecordAck, RequestContext, answered, append_if_unchanged, bytes, held, none,
    object, one, retry_on_conflict_of_subject, text, word,
};

#[cfg(test)]
mod tests;

/// A ledger that was closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClosedLedger {
    /// The session.
    pub session_id: String,
    /// The ledger.
    pub ledger_id: String,
    /// The digest of its canonical bytes.
    pub sha256: Digest,
    /// The ledger before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supersedes: Option<String>,
    /// The documents that were consulted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub documents: Vec<AddedDocument>,
    /// The record of the ledger.
    #[serde(flatten)]
    pub ack: RecordAck,
}

/// Closes a ledger: the documents of its corpus, its session and itself, in one entry.
///
/// # Errors
/// A session whose answer is another; a ledger that does not name the one before
/// it; a file that changed since it was read.
pub async fn close(
    tenant: &Tenant,
    checked: &CheckOutcome,
    corpus: Option<&Corpus>,
    context: &RequestContext,
) -> Result<ClosedLedger, OperationFailure> {
    let sha256 = Digest::of(&canon::bytes(&checked.ledger)?);
    let key = context.idempotency_key("ledger close", sha256.to_string().as_bytes())?;
    let sources = LedgerSources::Files(corpus);
    let closed = close_as(tenant, checked, &sources, (context, key)).await?;
    closed.ok_or_else(|| none(precondition::documents_that_were_not_erased(), "documents", "none"))
}

/// The sources that an answer was checked against.
pub(super) enum LedgerSources<'c> {
    /// Files, which are kept with the ledger.
    Files(Option<&'c Corpus>),
    /// Records of the store, from when on an erasure of one of them counts.
    Records {
        /// The size of the trail before any of them was read.
        since: u64,
        /// Their places.
        read: BTreeSet<u64>,
    },
}

impl LedgerSources<'_> {
    /// Whether something that was read has been erased since.
    pub(super) async fn is_erased(&self, tenant: &Tenant) -> Result<bool, OperationFailure> {
        let Self::Records { since, read } = self else { return Ok(false) };
        let erased = tenant.select(&ErasureRow::query().starting_at(*since)).await?;
        Ok(erased.iter().any(|found| read.contains(&found.row.erased)))
    }
}

/// Closes a ledger under the idempotency key of its request. A ledger that was closed under that
/// key before is kept, whichever it is. `None` when one of its sources was erased meanwhile.
pub(super) async fn close_as(
    tenant: &Tenant,
    checked: &CheckOutcome,
    sources: &LedgerSources<'_>,
    (context, key): (&RequestContext, Option<IdempotencyKey>),
) -> Result<Option<ClosedLedger>, OperationFailure> {
    let CheckOutcome { request, ledger, replies: _ } = checked;
    let content = canon::bytes(ledger)?;
    let closed = retry_on_conflict_of_subject(tenant, &request.session.id, async |snapshot| {
        // In each round: an erasure may have removed an object that the round before put.
        let PreparedDocuments { added, mut drafts } = match sources {
            LedgerSources::Files(Some(corpus)) => {
                document::prepare(tenant, corpus, context).await?
            }
            LedgerSources::Files(None) | LedgerSources::Records { .. } => PreparedDocuments::none(),
        };
        if let Some(acks) = answered(tenant, key.as_ref()).await? {
            return Ok(Some((added, acks)));
        }
        if sources.is_erased(tenant).await? {
            return Ok(None);
        }
        let answer = request.answer.as_deref();
        drafts.extend(opened(tenant, &request.session, answer, context).await?);
        // Within the condition on the session, so no other ledger can come in between.
        succeeds(tenant, ledger).await?;
        drafts.push(drafted(tenant, checked, content.clone(), context).await?);
        // An erasure after the look above makes another round, which looks again.
        let snapshot = snapshot.and_kinds(&[RecordKind::PayloadErased]);
        Ok(Some((added, append_if_unchanged(tenant, drafts, key.clone(), snapshot).await?)))
    });
    let Some((mut documents, acks)) = closed.await? else { return Ok(None) };
    document::place(&mut documents, &acks);
    told(tenant, documents, acks).await.map(Some)
}

/// The ledger that was closed under the name of a request, if one was.
pub(super) async fn closed_as(
    tenant: &Tenant,
    key: Option<&IdempotencyKey>,
) -> Result<Option<ClosedLedger>, OperationFailure> {
    match answered(tenant, key).await? {
        Some(acks) => told(tenant, Vec::new(), acks).await.map(Some),
        None => Ok(None),
    }
}

/// A ledger from its record, the last of its entry.
async fn told(
    tenant: &Tenant,
    documents: Vec<AddedDocument>,
    acks: Vec<RecordAck>,
) -> Result<ClosedLedger, OperationFailure> {
    let lost = || dalil_store::Error::damaged("close a ledger", "the store").saw("a place", "none");
    let ack = acks.last().cloned().ok_or_else(lost)?;
    // The row may have been erased since; then the next one is of another record.
    let own = LedgerRow::query().starting_at(ack.index).at_most(1);
    let found = tenant.select(&own).await?.into_iter().find(|found| found.index == ack.index);
    let erased =
        || none(precondition::a_ledger_that_was_not_erased(), "index", &ack.index.to_string());
    let LedgerRow { session_id, id, sha256, supersedes, .. } = found.ok_or_else(erased)?.row;
    Ok(ClosedLedger { session_id, ledger_id: id, sha256, supersedes, documents, ack })
}

/// A session that was opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OpenedSession {
    /// The session.
    pub session_id: String,
    /// Whether it was not there before.
    pub is_new: bool,
    /// Its record.
    pub index: u64,
}

/// Opens a session: a question and an answer that is to be checked.
///
/// # Errors
/// A session of that name whose answer is another.
pub async fn open(
    tenant: &Tenant,
    session: &AnswerSession,
    answer: &str,
    context: &RequestContext,
) -> Result<OpenedSession, OperationFailure> {
    let request = canon::bytes(&(session, Digest::of(answer.as_bytes())))?;
    let key = context.idempotency_key("session open", &request)?;
    let session_id = session.id.clone();
    retry_on_conflict_of_subject(tenant, &session.id, async |snapshot| {
        if let Some(ack) = answered(tenant, key.as_ref()).await?.and_then(|mut acks| acks.pop()) {
            return Ok(OpenedSession {
                session_id: session_id.clone(),
                is_new: true,
                index: ack.index,
            });
        }
        let Some(draft) = opened(tenant, session, Some(answer), context).await? else {
            let known = tenant.select(&SessionRow::query().id(&session.id)).await?;
            let gone = || none(precondition::a_session_of_this_tenant(), "session_id", &session.id);
            let index = known.first().ok_or_else(gone)?.index;
            return Ok(OpenedSession { session_id: session_id.clone(), is_new: false, index });
        };
        let index =
            one(append_if_unchanged(tenant, vec![draft], key.clone(), snapshot).await?)?.index;
        Ok(OpenedSession { session_id: session_id.clone(), is_new: true, index })
    })
    .await
}

/// Puts a ledger and the replies that it rests on into the lake, and makes its record.
async fn drafted(
    tenant: &Tenant,
    CheckOutcome { request: _, ledger, replies }: &CheckOutcome,
    content: Vec<u8>,
    context: &RequestContext,
) -> Result<NewRecord, OperationFailure> {
    let size = content.len();
    let digest = tenant.lake()?.put(content).await?;
    let mut rows = rows(tenant, ledger, &digest).await?;
    rows.push(artifact(&digest, size, "application/json", LEDGER_FIELD));
    let mut kept = BTreeSet::new();
    for reply in replies {
        let digest = tenant.lake()?.put(reply.clone()).await?;
        if kept.insert(digest) {
            rows.push(artifact(&digest, reply.len(), "application/json", REPLY_ROLE));
        }
    }
    let fields = vec![object(LEDGER_FIELD, digest)];
    Ok(context.draft(RecordKind::LedgerClosed, &ledger.content.session_id, fields, rows))
}

/// The record of a session, if it is new.
pub(super) async fn opened(
    tenant: &Tenant,
    session: &AnswerSession,
    answer: Option<&str>,
    context: &RequestContext,
) -> Result<Option<NewRecord>, OperationFailure> {
    let digest = answer.map(|answer| Digest::of(answer.as_bytes()));
    let known = tenant.select(&SessionRow::query().id(&session.id)).await?;
    if let Some(known) = known.first() {
        // Another answer under the name would change what earlier ledgers are about.
        if known.row.answer_sha256 == digest {
            same_question(session, known.row.query.as_deref())?;
            return Ok(None);
        }
        let expected = precondition::the_answer_of_session(quote(&session.id));
        let fault = Fault::new("other_answer", "session", expected, found::another());
        return Err(fault.hint(hint::another_answer_is_another_session()).into());
    }
    let row = SessionRow {
        id: session.id.clone(),
        query: session.query.clone(),
        mode: session.mode.clone(),
        answer_sha256: digest,
        created_at: context.at,
    };
    let mut rows = vec![row.into()];
    let mut fields = vec![bytes("session", canon::bytes(session)?)];
    if let Some(answer) = answer {
        let digest = tenant.lake()?.put(answer.as_bytes().to_vec()).await?;
        fields.push(object(ANSWER_FIELD, digest));
        rows.push(artifact(&digest, answer.len(), "text/markdown", ANSWER_FIELD));
    }
    Ok(Some(context.draft(RecordKind::SessionOpened, &session.id, fields, rows)))
}

/// Refuses another question than that of the session: it would be answered by the old one, and kept
/// nowhere.
fn same_question(session: &AnswerSession, kept: Option<&str>) -> Result<(), Fault> {
    match (session.query.as_deref(), kept) {
        (Some(asked), Some(kept)) if asked != kept => {
            let expected = precondition::the_question_of_session(quote(&session.id));
            let fault = Fault::new("other_question", "session", expected, found::another());
            Err(fault.hint(hint::another_question_is_another_session()))
        }
        _ => Ok(()),
    }
}

/// Refuses a ledger that does not name the newest one of its session.
async fn succeeds(tenant: &Tenant, ledger: &Ledger) -> Result<(), OperationFailure> {
    let newest = newest(tenant, &ledger.content.session_id).await?;
    let named = &ledger.content.previous_ledger_id;
    if newest == *named {
        return Ok(());
    }
    let shown = |id: &Option<String>| id.as_ref().map_or(found::none(), |id| quoted(id));
    let expected = precondition::the_newest_ledger_of_the_session(shown(&newest));
    let fault = Fault::new("supersedes", "previous_ledger_id", expected, shown(named));
    Err(fault.hint(hint::check_again_a_new_check_names_the_ledger_before_it()).into())
}

/// The newest ledger of a session.
///
/// # Errors
/// The store cannot be read.
pub async fn newest(tenant: &Tenant, session_id: &str) -> Result<Option<String>, OperationFailure> {
    let ledgers = tenant.select(&LedgerRow::query().session_id(session_id)).await?;
    Ok(ledgers.into_iter().next_back().map(|found| found.row.id))
}

/// The digest of the newest ledger of a session, which is in the lake; nothing before it was checked.
///
/// # Errors
/// The store cannot be read.
pub async fn newest_digest(
    tenant: &Tenant,
    session_id: &str,
) -> Result<Option<Digest>, OperationFailure> {
    let ledgers = tenant.select(&LedgerRow::query().session_id(session_id)).await?;
    Ok(ledgers.last().map(|found| found.row.sha256))
}

/// The rows of a ledger: new claims, the ledger, a verdict for each claim.
async fn rows(
    tenant: &Tenant,
    ledger: &Ledger,
    digest: &Digest,
) -> Result<Vec<EvidenceRow>, OperationFailure> {
    let content = &ledger.content;
    let session = content.session_id.as_str();
    let known = tenant.select(&ClaimRow::query().session_id(session)).await?;
    let mut rows = Vec::new();
    for entry in &content.entries {
        let claim = claim_row(session, entry, content.created_at)?;
        // Number and text: another version of the program may split the answer differently.
        let same = |found: &IndexedRow<ClaimRow>| {
            (&found.row.id, &found.row.claim_text) == (&claim.id, &claim.claim_text)
        };
        if !known.iter().any(same) {
            rows.push(claim.into());
        }
    }
    let row = LedgerRow {
        id: ledger.id.to_string(),
        session_id: session.to_owned(),
        sha256: *digest,
        supersedes: content.previous_ledger_id.clone(),
        coverage: content.summary.evidence_coverage.map(Score::value),
        unsupported_rate: content.summary.unsupported_rate.value(),
        judge: content.judge.as_ref().map(text).transpose()?,
        created_at: content.created_at,
    };
    rows.push(row.into());
    for LedgerEntry { id, finding } in &content.entries {
        let row = VerdictRow {
            id: id.to_string(),
            session_id: session.to_owned(),
            ledger_id: ledger.id.to_string(),
            claim_id: finding.claim_id.clone(),
            verdict: word(&finding.verdict)?,
            confidence_score: finding.confidence_score.value(),
            chunk_ids: text(&finding.evidence_chunk_ids)?,
            evidence_snippet: finding.evidence_snippet.clone(),
            notes: finding.notes.clone(),
            created_at: content.created_at,
        };
        rows.push(row.into());
    }
    Ok(rows)
}

fn claim_row(session: &str, entry: &LedgerEntry, at: Time) -> Result<ClaimRow, OperationFailure> {
    let finding = &entry.finding;
    Ok(ClaimRow {
        id: finding.claim_id.clone(),
        session_id: session.to_owned(),
        claim_text: finding.claim_text.clone(),
        claim_type: word(&finding.claim_type)?,
        importance: word(&finding.claim_importance)?,
        requires_citation: finding.requires_citation.unwrap_or(true),
        start_offset: finding.start_offset,
        end_offset: finding.end_offset,
        created_at: at,
    })
}

/// A session and its ledgers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SessionDetails {
    /// The session.
    pub session_id: String,
    /// The question.
    pub query: Option<String>,
    /// How it was asked, if that was stated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    /// The digest of the answer.
    pub answer_sha256: Option<String>,
    /// Its ledgers, the oldest first.
    pub ledgers: Vec<LedgerListEntry>,
    /// The newest ledger, whole.
    pub ledger: Json<'static>,
}

/// A session, as a list shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SessionSummary {
    /// The session.
    pub session_id: String,
    /// The question.
    pub query: Option<String>,
    /// How it was asked.
    pub mode: Option<String>,
    /// The digest of the answer.
    pub answer_sha256: Option<String>,
    /// When it was opened.
    pub created_at: String,
    /// Its record.
    pub index: u64,
}

/// Sessions from a record on, at most `limit`, in the order in which they were opened.
///
/// # Errors
/// The store cannot be read.
pub async fn list(
    tenant: &Tenant,
    part: ListRange,
) -> Result<Vec<SessionSummary>, OperationFailure> {
    let found = tenant.select(&part.of(SessionRow::query())).await?;
    Ok(found.into_iter().map(asked).collect())
}

fn asked(IndexedRow { index, row }: IndexedRow<SessionRow>) -> SessionSummary {
    SessionSummary {
        session_id: row.id,
        query: row.query,
        mode: row.mode,
        answer_sha256: row.answer_sha256.map(|digest| digest.to_string()),
        created_at: row.created_at.to_string(),
        index,
    }
}

/// The question and the answer of a session.
///
/// # Errors
/// There is no such session, or it has no answer that can be read.
pub async fn answer(
    tenant: &Tenant,
    session_id: &str,
) -> Result<(SessionSummary, String), OperationFailure> {
    let sessions = tenant.select(&SessionRow::query().id(session_id)).await?;
    let none =
        || none(precondition::a_session_of_this_tenant_with_an_answer(), "session_id", session_id);
    let session = sessions.into_iter().next().ok_or_else(none)?;
    let stored = tenant.record(session.index).await?;
    let digest = match stored.as_ref().and_then(|stored| held(stored, ANSWER_FIELD)) {
        Some(StoredFieldState::Present(_, StoredPayload::Lake(digest))) => *digest,
        _ => return Err(none()),
    };
    let bytes = tenant.lake()?.get(&digest).await?;
    Ok((asked(session), String::from_utf8_lossy(&bytes).into_owned()))
}

/// The question of a session, and the digest of its newest ledger, which is in the lake.
///
/// # Errors
/// There is no such session, or it was not checked yet.
pub async fn latest(
    tenant: &Tenant,
    session_id: &str,
) -> Result<(SessionSummary, Digest), OperationFailure> {
    let sessions = tenant.select(&SessionRow::query().id(session_id)).await?;
    let session = sessions.into_iter().next();
    let session = session
        .ok_or_else(|| none(precondition::a_session_of_this_tenant(), "session_id", session_id))?;
    let digest = newest_digest(tenant, session_id).await?.ok_or_else(|| {
        none(precondition::a_session_that_was_checked(), "session_id", session_id)
    })?;
    Ok((asked(session), digest))
}

/// A ledger, as a list shows it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LedgerListEntry {
    /// The ledger.
    pub ledger_id: String,
    /// The digest of its canonical bytes.
    pub sha256: String,
    /// The ledger before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supersedes: Option<String>,
    /// The share of claims with evidence; nothing when there are no claims.
    pub coverage: Option<f64>,
    /// The share of claims without.
    pub unsupported_rate: f64,
    /// When it was closed.
    pub created_at: String,
    /// Its record.
    pub index: u64,
}

/// A session as the store has it, with its newest ledger.
///
/// # Errors
/// There is no such session, or a ledger of it was changed.
pub async fn show(tenant: &Tenant, session_id: &str) -> Result<SessionDetails, OperationFailure> {
    let sessions = tenant.select(&SessionRow::query().id(session_id)).await?;
    let session = sessions.into_iter().next();
    let session = session
        .ok_or_else(|| none(precondition::a_session_of_this_tenant(), "session", session_id))?;
    let found = tenant.select(&LedgerRow::query().session_id(session_id)).await?;
    let ledger = match found.last() {
        Some(newest) => {
            let bytes = tenant.lake()?.get(&newest.row.sha256).await?;
            Json::parse(&bytes)?.into_owned()
        }
        None => Json::Null,
    };
    Ok(SessionDetails {
        session_id: session_id.to_owned(),
        query: session.row.query,
        mode: session.row.mode,
        answer_sha256: session.row.answer_sha256.map(|digest| digest.to_string()),
        ledgers: found.into_iter().map(listed).collect(),
        ledger,
    })
}

/// A session, its newest ledger, and its answer when that is kept.
///
/// # Errors
/// There is no such session or ledger, or it was changed.
pub(super) async fn closed(
    tenant: &Tenant,
    session_id: &str,
) -> Result<(AnswerSession, Ledger, String), OperationFailure> {
    let shown = show(tenant, session_id).await?;
    if shown.ledger == Json::Null {
        return Err(none(precondition::a_session_with_a_ledger(), "session", session_id));
    }
    let ledger = Ledger::parse(&canon::bytes(&shown.ledger)?)?;
    let answer = match shown.answer_sha256.as_deref().and_then(|digest| digest.parse().ok()) {
        Some(digest) => String::from_utf8_lossy(&tenant.lake()?.get(&digest).await?).into_owned(),
        None => String::new(),
    };
    let session = AnswerSession { id: session_id.to_owned(), query: shown.query, mode: None };
    Ok((session, ledger, answer))
}

fn listed(IndexedRow { index, row }: IndexedRow<LedgerRow>) -> LedgerListEntry {
    LedgerListEntry {
        ledger_id: row.id,
        sha256: row.sha256.to_string(),
        supersedes: row.supersedes,
        coverage: row.coverage,
        unsupported_rate: row.unsupported_rate,
        created_at: row.created_at.to_string(),
        index,
    }
}

/// The names of what these records commit to.
const LEDGER_FIELD: &str = "ledger";
const ANSWER_FIELD: &str = "answer";
const REPLY_ROLE: &str = "reply";
