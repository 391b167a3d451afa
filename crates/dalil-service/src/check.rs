//! Checks the answer of a session against documents of the store, and closes the ledger.

use std::fmt;
use std::sync::Arc;

use dalil::check::growing::JudgedClaims;
use dalil::check::{self, CheckContext, CheckFailure, CheckOutcome};
use dalil::corpus::{Corpus, CorpusCache};
use dalil::judges::Judges;
use dalil::panel::JudgeBackend;
use dalil::sandbox::SandboxReader;
use dalil_evidence::ledger::request::LedgerOptions;
use dalil_phrasebook::{Language, bound, found, precondition};
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::fault::Fault;
use dalil_store::{Error, IdempotencyKey, Tenant};
use tokio::runtime::Handle;

use crate::operation::{OperationFailure, RequestContext};
use crate::session::{self, ClosedLedger, LedgerSources};
use crate::stored_corpus;

#[cfg(test)]
mod tests;

/// What judges.
pub struct CheckTools {
    /// The judges.
    pub judges: Judges,
    /// What reads documents.
    pub reader: SandboxReader,
    /// The cache of parsed documents.
    pub cache: CorpusCache,
    /// How many threads judge.
    pub threads: usize,
}

impl CheckTools {
    /// The judge of one check.
    pub(crate) fn panel(&self) -> Result<JudgeBackend<'_>, Error> {
        let panel = self.judges.panel(self.threads);
        panel
            .map_err(|error| Error::damaged("judge", "the model").saw("the model as it was", error))
    }

    /// Clears the caches of parsed documents and of an external judge's replies about them.
    ///
    /// # Errors
    /// A part of it cannot be removed; the rest is.
    pub fn forget(&self) -> Result<(), Error> {
        let forgotten = self.cache.clear().and(self.judges.forget_replies());
        forgotten.map_err(|error| {
            Error::unavailable("forget documents", "the scratch folder")
                .saw("files that can be removed", error)
        })
    }
}

/// The settings of a check.
#[derive(Clone)]
pub struct CheckWork {
    /// What judges.
    pub tools: Arc<CheckTools>,
    /// Receives the progress of the check.
    pub progress: Arc<dyn Fn(CheckStep) + Send + Sync>,
    /// Claims of the answer that were judged while it was being written.
    pub judged: Arc<JudgedClaims>,
}

/// The answer to check, and the evidence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckRequest {
    /// The documents; every document of the tenant when there are none.
    pub documents: Vec<String>,
    /// The language of notes and questions; by default that of each claim.
    pub language: Option<Language>,
}

/// The progress of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckStep {
    /// This many documents of this many are open.
    Reading(usize, usize),
    /// This many claims of this many are judged.
    Judging(usize, usize),
}

impl CheckRequest {
    /// Reads `{"documents"?: [ids], "language"?: "en" | "ar"}`.
    ///
    /// # Errors
    /// Every fault in it.
    pub fn parse(request: &[u8]) -> Result<Self, OperationFailure> {
        Ok(decode::request(request, |reader: JsonReader<'_, '_>| {
            let mut fields = reader.object()?;
            let documents = fields.or("documents", Vec::new(), |list| list.list(decode::filled));
            let language = fields.optional("language", |word| word.choice(LANGUAGE_CODES));
            fields.done()?;
            Some(Self { documents: documents?, language: language? })
        })?)
    }
}

/// Checks a session's answer, and closes the ledger.
///
/// A check of the same name that was done before, to its end or to the ledger, is not done again.
///
/// # Errors
/// No such session or document; documents without text; an answer of too many claims.
pub async fn check(
    tenant: &Tenant,
    session_id: &str,
    order: &CheckRequest,
    work: CheckWork,
    context: &RequestContext,
) -> Result<ClosedLedger, OperationFailure> {
    // A job gives the key, and its record has the rest of the request; the session is enough here.
    let key = context.idempotency_key("check", session_id.as_bytes())?;
    if let Some(closed) = session::closed_as(tenant, key.as_ref()).await? {
        return Ok(closed);
    }
    // Each round that finds nothing to close had something erased that it had read.
    loop {
        let done =
            check_once(tenant, session_id, order, work.clone(), (context, key.clone())).await?;
        if let Some(closed) = done {
            return Ok(closed);
        }
    }
}

/// Checks a session's answer against the documents as they are now; none when one of them, or the
/// answer, was erased meanwhile, of which nothing is kept then.
async fn check_once(
    tenant: &Tenant,
    session_id: &str,
    order: &CheckRequest,
    CheckWork { tools, progress, judged: known }: CheckWork,
    (context, key): (&RequestContext, Option<IdempotencyKey>),
) -> Result<Option<ClosedLedger>, OperationFailure> {
    // Before anything is read.
    let since = tenant.head().await?.size;
    let (asked, answer) = session::answer(tenant, session_id).await?;
    let chosen = stored_corpus::choose(tenant, &order.documents).await?;
    let read = chosen.iter().map(|one| one.index).chain([asked.index]).collect();
    let sources = LedgerSources::Records { since, read };
    let setup = CheckContext {
        session: Some(session_id.to_owned()),
        question: asked.query,
        at: context.at,
        // Read before the check: closing refuses it if another ledger was closed meanwhile.
        previous: session::newest(tenant, session_id).await?,
        options: LedgerOptions { language: order.language, ..LedgerOptions::usual() },
    };
    // Parsing and judging block for long, so they have a thread; `runtime` reads the lake for it.
    let (own, runtime, kept) = (tenant.clone(), Handle::current(), Arc::clone(&tools));
    let work = tokio::task::spawn_blocking(move || {
        let reading =
            |step: dalil::corpus::CorpusProgress| progress(CheckStep::Reading(step.done, step.all));
        let tool = (&tools.reader, &tools.cache);
        let corpus = stored_corpus::open(&own, &chosen, tool, &runtime, &reading);
        let mut known = JudgedClaims::clone(&known);
        judged(&answer, &corpus, (&tools, &mut known), &setup, &|done, all| {
            progress(CheckStep::Judging(done, all));
        })
    });
    let checked = work.await.map_err(|error| {
        Error::unavailable("check an answer", "a thread").saw("a check that ends", error)
    })?;
    let closed = match checked {
        Ok(mut checked) => {
            checked.request.session.mode = asked.mode;
            session::close_as(tenant, &checked, &sources, (context, key)).await
        }
        Err(failure) => Err(failure),
    };
    // Whatever the result: its files beside the store may be of erased documents.
    if sources.is_erased(tenant).await? {
        kept.forget()?;
    }
    closed
}

fn judged(
    answer: &str,
    corpus: &Corpus,
    (tools, known): (&CheckTools, &mut JudgedClaims),
    setup: &CheckContext,
    progress: &dyn Fn(usize, usize),
) -> Result<CheckOutcome, OperationFailure> {
    with_text(corpus)?;
    let panel = tools.panel()?;
    let checked = check::check_known(answer, corpus, (&panel, Some(known)), setup, progress);
    checked.map_err(failure)
}

/// Refuses a corpus without any text: a check would call every claim not found, which looks like a
/// result.
pub(crate) fn with_text(corpus: &Corpus) -> Result<(), OperationFailure> {
    if corpus.held().iter().all(|held| held.chunks.is_empty()) {
        let expected = precondition::a_document_with_text_that_can_be_read();
        return Err(Fault::new("unread", "documents", expected, found::none()).into());
    }
    Ok(())
}

/// Why a check failed, for its requester.
pub(crate) fn failure(failure: CheckFailure) -> OperationFailure {
    match failure {
        CheckFailure::NotCanonical(error) => error.into(),
        CheckFailure::TooManyClaims { found } => {
            Fault::new("claims", "answer", bound::at_most_10_000_claims(), found).into()
        }
        CheckFailure::Judge(error) => {
            Error::unavailable("judge", "the external judge").saw("an answer", error).into()
        }
    }
}

impl fmt::Debug for CheckWork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CheckWork").field("tools", &self.tools).finish_non_exhaustive()
    }
}

impl fmt::Debug for CheckTools {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tools").field("threads", &self.threads).finish_non_exhaustive()
    }
}

const LANGUAGE_CODES: &[(&str, Language)] = &[("en", Language::English), ("ar", Language::Arabic)];
