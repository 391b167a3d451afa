//! A check of an answer that is still being written.
//!
//! Nothing of it is stored: the complete answer is submitted like any other (see
//! [`crate::submission`]), with the opinions so far.

use std::fmt;
use std::sync::Arc;

use dalil::check::CheckContext;
use dalil::check::growing::{ClaimUpdate, GrowingAnswer, JudgedClaims};
use dalil::corpus::Corpus;
use dalil_evidence::ledger::request::LedgerOptions;
use dalil_phrasebook::precondition;
use dalil_proof::time::Time;
use dalil_store::{Error, Tenant};
use tokio::runtime::Handle;

use crate::check::{CheckTools, failure, with_text};
use crate::operation::{OperationFailure, none};
use crate::session::LedgerSources;
use crate::stored_corpus;
use crate::submission::{SubmissionHead, SubmittedEvidence, too_long};

/// An answer that is still being written, and the sources that it is checked against.
pub struct StreamedCheck {
    growing: GrowingAnswer,
    corpus: Corpus,
    /// The records that the corpus was read from.
    sources: LedgerSources<'static>,
    setup: CheckContext,
    tools: Arc<CheckTools>,
}

impl StreamedCheck {
    /// Opens the sources that an answer is checked against.
    ///
    /// # Errors
    /// No such bundle or document; nothing in it that can be read.
    pub async fn open(
        tenant: &Tenant,
        head: &SubmissionHead,
        tools: Arc<CheckTools>,
        at: Time,
    ) -> Result<Self, OperationFailure> {
        let (corpus, sources) = match head.evidence.chunk_set(tenant).await? {
            Some(set) => (Corpus::of_chunks(set), LedgerSources::Files(None)),
            None => documents(tenant, &head.evidence, &tools).await?,
        };
        let setup = CheckContext {
            session: None,
            question: head.question.clone(),
            at,
            previous: None,
            options: LedgerOptions { language: head.language, ..LedgerOptions::usual() },
        };
        let opened = Self { growing: GrowingAnswer::new(), corpus, sources, setup, tools };
        opened.unless_erased(tenant).await?;
        with_text(&opened.corpus)?;
        Ok(opened)
    }

    /// Adds a piece; returns whether there are new sentences to look at.
    ///
    /// # Errors
    /// The answer is too long.
    pub fn push(&mut self, piece: &str) -> Result<bool, OperationFailure> {
        match too_long(self.growing.text().len() + piece.len(), "answer".to_owned()) {
            Some(fault) => Err(fault.into()),
            None => Ok(self.growing.push(piece)),
        }
    }

    /// Judges the claims of the sentences that are whole; returns the updates.
    ///
    /// # Errors
    /// A document that was erased since, too many claims, or a judge that does not answer.
    pub async fn look(
        mut self,
        tenant: &Tenant,
    ) -> Result<(Self, Vec<ClaimUpdate>), OperationFailure> {
        self.unless_erased(tenant).await?;
        let work = tokio::task::spawn_blocking(move || {
            let told = {
                let panel = self.tools.panel()?;
                self.growing.look(&self.corpus, &panel, &self.setup).map_err(failure)?
            };
            Ok((self, told))
        });
        work.await.map_err(lost)?
    }

    /// The answer so far.
    pub fn text(&self) -> &str {
        self.growing.text()
    }

    /// Nothing more comes: the next look is at all of it.
    pub fn end(&mut self) {
        self.growing.end();
    }

    /// Returns the judged claims.
    pub fn into_judged(self) -> JudgedClaims {
        self.growing.into_judged()
    }

    /// Refuses to continue with erased sources.
    async fn unless_erased(&self, tenant: &Tenant) -> Result<(), OperationFailure> {
        if !self.sources.is_erased(tenant).await? {
            return Ok(());
        }
        // The parsed form of an erased document may be in the cache since.
        self.tools.forget()?;
        Err(none(precondition::documents_that_were_not_erased(), "documents", "none"))
    }
}

/// Documents of the store, and the records that they are read from.
async fn documents(
    tenant: &Tenant,
    evidence: &SubmittedEvidence,
    tools: &Arc<CheckTools>,
) -> Result<(Corpus, LedgerSources<'static>), OperationFailure> {
    let ids: &[String] = match evidence {
        SubmittedEvidence::Documents(ids) => ids,
        SubmittedEvidence::Chunks(_) | SubmittedEvidence::Bundle(_) => &[],
    };
    // Before anything is read.
    let since = tenant.head().await?.size;
    let chosen = stored_corpus::choose(tenant, ids).await?;
    let read = chosen.iter().map(|one| one.index).collect();
    let (own, tools, runtime) = (tenant.clone(), Arc::clone(tools), Handle::current());
    let work = tokio::task::spawn_blocking(move || {
        stored_corpus::open(&own, &chosen, (&tools.reader, &tools.cache), &runtime, &|_| ())
    });
    Ok((work.await.map_err(lost)?, LedgerSources::Records { since, read }))
}

fn lost(error: tokio::task::JoinError) -> Error {
    Error::unavailable("check an answer", "a thread").saw("a check that ends", error)
}

impl fmt::Debug for StreamedCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamedCheck").field("growing", &self.growing).finish_non_exhaustive()
    }
}
