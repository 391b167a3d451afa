//! Whether the server lives, whether it can work, and its figures.

use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use dalil_proof::digest::Digest;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::authentication::bearer;
use crate::peer::PeerAddress;
use crate::problem::{ApiProblem, ProblemKind};
use crate::reply;

/// The health of the server.
#[derive(Serialize, ToSchema)]
pub(crate) struct HealthResponse {
    /// `ok`.
    status: &'static str,
    /// The version of the program.
    version: &'static str,
}

const HEALTH_OK: HealthResponse =
    HealthResponse { status: "ok", version: env!("CARGO_PKG_VERSION") };

/// Whether the server is alive
#[utoipa::path(get, path = "/healthz", operation_id = "is_alive", tag = "server",
    responses((status = 200, description = "The server is alive.", body = HealthResponse)))]
pub(crate) async fn alive(headers: HeaderMap) -> Result<Response, ApiProblem> {
    reply::json(&headers, &HEALTH_OK)
}

/// Whether the server is ready: its store answers, and writes succeed
#[utoipa::path(get, path = "/readyz", operation_id = "is_ready", tag = "server",
    responses((status = 200, description = "The server is ready.", body = HealthResponse)))]
pub(crate) async fn ready(
    State(app): State<App>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    app.tenants.store.tenants().await?;
    if app.can_write().await {
        return reply::json(&headers, &HEALTH_OK);
    }
    Err(ApiProblem { retry_after: Some(1), ..ApiProblem::new(ProblemKind::Busy) })
}

/// Metrics in the text format of Prometheus
///
/// For callers on the same machine that come through no proxy; for others with the key of
/// `metrics_key_file` as a bearer token.
#[utoipa::path(get, path = "/metrics", operation_id = "metrics", tag = "server",
    responses((status = 200, description = "The metrics.", body = String, content_type = "text/plain")))]
pub(crate) async fn metrics(
    State(app): State<App>,
    peer: Option<Extension<PeerAddress>>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let is_forwarded = FORWARDING_HEADERS.iter().any(|name| headers.contains_key(*name));
    let is_here = peer.is_some_and(|Extension(PeerAddress(address))| {
        address.to_canonical().is_loopback() && !is_forwarded
    });
    let shown = bearer(&headers).map(|token| Digest::of(token.as_bytes()));
    let has_key = app.metrics_key.is_some() && shown == app.metrics_key;
    if is_here || has_key {
        // Tried here too: a monitor that reads only the figures would never see that writes succeed
        // again.
        let is_failing = !app.can_write().await;
        return Ok(reply::figures(&headers, app.metrics.text(is_failing)));
    }
    Err(ApiProblem::new(ProblemKind::Unauthenticated))
}

/// Headers that a proxy adds to a request that it forwards.
const FORWARDING_HEADERS: [&str; 3] = ["forwarded", "x-forwarded-for", "x-real-ip"];
