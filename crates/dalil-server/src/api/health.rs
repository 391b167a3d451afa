//! Whether the server lives, whether it can work, and its figures.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::problem::{ApiProblem, ProblemKind};
use crate::reply;

/// That the server is there.
#[derive(Serialize, ToSchema)]
pub(crate) struct HealthResponse {
    /// `ok`.
    status: &'static str,
    /// The version of the program.
    version: &'static str,
}

const HEALTH_OK: HealthResponse =
    HealthResponse { status: "ok", version: env!("CARGO_PKG_VERSION") };

/// Whether the server lives
#[utoipa::path(get, path = "/healthz", tag = "server",
    responses((status = 200, description = "It lives.", body = HealthResponse)))]
pub(crate) async fn alive(headers: HeaderMap) -> Result<Response, ApiProblem> {
    reply::json(&headers, &HEALTH_OK)
}

/// Whether the server can work: its store answers
#[utoipa::path(get, path = "/readyz", tag = "server",
    responses((status = 200, description = "It can work.", body = HealthResponse)))]
pub(crate) async fn ready(
    State(app): State<App>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    // Why it failed is not said: the route is open to anybody.
    app.store
        .tenants()
        .await
        .map_err(|_| ApiProblem { retry_after: Some(1), ..ApiProblem::new(ProblemKind::Busy) })?;
    reply::json(&headers, &HEALTH_OK)
}

/// Figures in the text format of Prometheus
#[utoipa::path(get, path = "/metrics", tag = "server",
    responses((status = 200, description = "The figures.", body = String, content_type = "text/plain")))]
pub(crate) async fn metrics(State(app): State<App>, headers: HeaderMap) -> Response {
    reply::text(&headers, app.metrics.text())
}
