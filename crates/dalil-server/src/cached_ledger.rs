//! Ledgers as they are sent, which are kept to be sent again.

use std::sync::Arc;

use axum::http::HeaderMap;
use axum::response::Response;
use dalil_evidence::ledger::request::AnswerSession;
use dalil_proof::canon;
use dalil_proof::digest::Digest;
use dalil_service::session;
use dalil_store::Tenant;
use serde::Serialize;

use crate::problem::{ApiProblem, ProblemKind};
use crate::reply;

/// A ledger and the session that it is about, as they are sent.
#[derive(Debug)]
pub(crate) struct CachedLedgerResponse {
    ledger: Digest,
    about: Vec<u8>,
    whole: reply::EtagBody,
}

#[derive(Serialize)]
struct LedgerSessionBody<'a> {
    id: &'a str,
    query: Option<String>,
    mode: Option<String>,
}

/// A ledger of the lake and its session, as they are sent.
///
/// # Errors
/// The lake does not have it.
pub(crate) async fn ledger_body(
    tenant: &Tenant,
    session: &AnswerSession,
    ledger: &Digest,
) -> Result<Vec<u8>, ApiProblem> {
    let AnswerSession { id, query, mode } = session.clone();
    let session = LedgerSessionBody { id: &id, query, mode };
    joined(tenant, ledger, &canon::bytes(&session)?).await
}

async fn joined(tenant: &Tenant, ledger: &Digest, about: &[u8]) -> Result<Vec<u8>, ApiProblem> {
    // The lake has a ledger as the canonical JSON that it was closed as, and checks its digest.
    let content = tenant.lake()?.get(ledger).await?;
    // Joined as bytes: both parts are canonical and the names are in order, so the whole is.
    Ok([b"{\"ledger\":", &content[..], b",\"session\":", about, b"}"].concat())
}

impl CachedLedgerResponse {
    /// The newest ledger of a session, from the cache while it is current.
    pub(crate) async fn read(
        tenant: &Tenant,
        id: &str,
        known: Option<Arc<Self>>,
    ) -> Result<Arc<Self>, ApiProblem> {
        let (asked, ledger) = session::latest(tenant, id).await?;
        let session = LedgerSessionBody { id, query: asked.query, mode: asked.mode };
        let about = canon::bytes(&session).map_err(|_| ApiProblem::new(ProblemKind::Internal))?;
        // A write to the table may have been about another session. Then the lake is not read again.
        if let Some(known) = known.filter(|known| known.ledger == ledger && known.about == about) {
            return Ok(known);
        }
        let whole = joined(tenant, &ledger, &about).await?;
        Ok(Arc::new(Self { ledger, about, whole: reply::EtagBody::json(whole) }))
    }

    /// The reply, or nothing when the caller has it already.
    pub(crate) fn reply(&self, asked: &HeaderMap) -> Response {
        self.whole.reply(asked)
    }

    /// How many bytes it takes, in about.
    pub(crate) fn bytes(told: &Arc<Self>) -> usize {
        told.whole.len() + told.about.len() + size_of::<Self>()
    }
}
