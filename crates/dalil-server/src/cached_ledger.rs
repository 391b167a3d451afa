//! Ledgers as they are sent, which are kept to be sent again.

use std::sync::Arc;

use axum::http::HeaderMap;
use axum::response::Response;
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

impl CachedLedgerResponse {
    /// The newest ledger of a session; what was told before, if it is still that.
    pub(crate) async fn read(
        tenant: &Tenant,
        id: &str,
        known: Option<Arc<Self>>,
    ) -> Result<Arc<Self>, ApiProblem> {
        let (asked, ledger) = session::latest(tenant, id).await?;
        let about = canon::bytes(&LedgerSessionBody { id, query: asked.query, mode: asked.mode });
        let about = about.map_err(|_| ApiProblem::new(ProblemKind::Internal))?;
        // A write to the table may have been about another session. Then the lake is not read again.
        if let Some(known) = known.filter(|known| known.ledger == ledger && known.about == about) {
            return Ok(known);
        }
        // The lake has a ledger as the canonical JSON that it was closed as, and checks its digest.
        let content = tenant.lake()?.get(&ledger).await?;
        // Joined as bytes: both parts are canonical and the names are in order, so the whole is.
        let whole = [b"{\"ledger\":", &content[..], b",\"session\":", &about[..], b"}"].concat();
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
