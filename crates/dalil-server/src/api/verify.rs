//! Verification: a file in, a report out.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use dalil::operations::keys;
use dalil::verify::{VerifyTools, file};
use dalil_core::canon;
use dalil_core::fault::Fault;
use dalil_core::trust::Trust;

use crate::app::App;
use crate::caller::Caller;
use crate::extract::UploadBody;
use crate::problem::{ApiProblem, ProblemKind};
use crate::reply;

/// Verifies a pack, a PDF, an archive, a receipt, a checkpoint or a trail export
///
/// Against the keys of the caller's tenant, as this server knows them. Who does not trust this
/// server runs `dalil verify` with a trust file of their own.
#[utoipa::path(post, path = "/api/v1/verify", tag = "verify",
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 200, description = "Every finding, and the verdict.", body = Object)))]
pub(crate) async fn verify(
    State(app): State<App>,
    caller: Caller,
    UploadBody(body): UploadBody,
) -> Result<Response, ApiProblem> {
    if body.is_empty() {
        let fault = Fault::new("empty", "body", "a file with at least one byte", "none");
        return Err(ApiProblem::fault(ProblemKind::Refused, fault));
    }
    let internal = || ApiProblem::new(ProblemKind::Internal);
    // Without the head as it is: a file from an earlier day would be called incomplete.
    let trust = canon::bytes(&keys::trust(&caller.tenant, None).await?).map_err(|_| internal())?;
    let trust = Trust::parse(&trust)?;
    let (now, tools) = (app.now()?, Arc::clone(&app.tools));
    // Ledgers in the file are judged again, which costs as much as a check.
    let _turn = app.checks.acquire().await.map_err(|_| internal())?;
    let report = tokio::task::spawn_blocking(move || {
        let models = Some(&tools.judges.models);
        let own = VerifyTools { reader: &tools.reader, models, threads: tools.threads };
        file(&body, &trust, now, &own)
    });
    reply::status(StatusCode::OK, &report.await.map_err(|_| internal())?)
}
