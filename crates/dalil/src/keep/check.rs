//! Checks the answer of a session against documents of the store, and closes the ledger.

use std::fmt;
use std::sync::Arc;

use dalil_core::fault::Fault;
use dalil_core::ledger::request::{Language, Options};
use dalil_core::read::{self, Reader as Fields};
use dalil_store::{Error, Tenant};
use tokio::runtime::Handle;

use super::session::{self, Closed};
use super::{Deed, Failure, shelf};
use crate::check::{Checked, Setup, check as judge};
use crate::corpus::{Cache, Corpus};
use crate::judges::Judges;
use crate::reader::Reader;

/// What judges.
pub struct Tools {
    /// The judges.
    pub judges: Judges,
    /// What reads documents.
    pub reader: Reader,
    /// Where what was read is kept.
    pub cache: Cache,
    /// How many threads judge.
    pub threads: usize,
}

/// What is to be checked, and against what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// The documents; every document of the tenant when there are none.
    pub documents: Vec<String>,
    /// The language of notes and questions; by default that of each claim.
    pub language: Option<Language>,
}

/// How far a check is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// So many documents of so many are open.
    Reading(usize, usize),
    /// So many claims of so many are judged.
    Judging(usize, usize),
}

impl Order {
    /// Reads `{"documents"?: [ids], "language"?: "en" | "ar"}`.
    ///
    /// # Errors
    /// Every fault in it.
    pub fn parse(request: &[u8]) -> Result<Self, Failure> {
        Ok(read::request(request, |reader: Fields<'_, '_>| {
            let mut fields = reader.object()?;
            let documents = fields.or("documents", Vec::new(), |list| list.list(read::filled));
            let language = fields.optional("language", |word| word.choice(LANGUAGES));
            fields.done()?;
            Some(Self { documents: documents?, language: language? })
        })?)
    }
}

/// Checks a session's answer, and closes the ledger; `progress` hears how far it is.
///
/// A check of the same name that was done before, to its end or to the ledger, is not done again.
///
/// # Errors
/// No such session or document; documents without text; an answer of too many claims.
pub async fn check(
    tenant: &Tenant,
    session_id: &str,
    order: &Order,
    (tools, progress): (Arc<Tools>, Arc<dyn Fn(Step) + Send + Sync>),
    deed: &Deed,
) -> Result<Closed, Failure> {
    let key = deed.named("check", session_id.as_bytes())?;
    if let Some(closed) = session::closed_as(tenant, key.as_ref()).await? {
        return Ok(closed);
    }
    let (asked, answer) = session::answer(tenant, session_id).await?;
    let chosen = shelf::choose(tenant, &order.documents).await?;
    let setup = Setup {
        session: Some(session_id.to_owned()),
        question: asked.query,
        at: deed.at,
        previous: session::newest(tenant, session_id).await?,
        options: Options { language: order.language, ..Options::usual() },
    };
    let (own, runtime) = (tenant.clone(), Handle::current());
    let work = tokio::task::spawn_blocking(move || {
        let reading = |step: crate::corpus::Progress| progress(Step::Reading(step.done, step.all));
        let tool = (&tools.reader, &tools.cache);
        let corpus = shelf::open(&own, &chosen, tool, &runtime, &reading);
        judged(&answer, &corpus, &tools, &setup, &|done, all| progress(Step::Judging(done, all)))
    });
    let mut checked = work.await.map_err(|error| {
        Error::unavailable("check an answer", "a thread").saw("a check that ends", error)
    })??;
    checked.request.session.mode = asked.mode;
    session::close_as(tenant, &checked, None, (deed, key)).await
}

fn judged(
    answer: &str,
    corpus: &Corpus,
    tools: &Tools,
    setup: &Setup,
    progress: &dyn Fn(usize, usize),
) -> Result<Checked, Failure> {
    if corpus.held().iter().all(|held| held.chunks.is_empty()) {
        let expected = "a document with text that can be read";
        return Err(Fault::new("unread", "documents", expected, "none").into());
    }
    let panel = tools
        .judges
        .panel(tools.threads)
        .map_err(|error| Error::damaged("judge", "the model").saw("the model as it was", error))?;
    judge(answer, corpus, &panel, setup, progress).map_err(|error| match error {
        crate::check::Failure::NotCanonical(error) => error.into(),
        crate::check::Failure::TooManyClaims { found } => {
            Fault::new("claims", "answer", "at most 10,000 claims", found).into()
        }
        crate::check::Failure::Judge(error) => {
            Error::unavailable("judge", "the external judge").saw("an answer", error).into()
        }
    })
}

impl fmt::Debug for Tools {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tools").field("threads", &self.threads).finish_non_exhaustive()
    }
}

const LANGUAGES: &[(&str, Language)] = &[("en", Language::English), ("ar", Language::Arabic)];
