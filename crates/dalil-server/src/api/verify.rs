//! Verification: a file in, a report out.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use dalil::verify::VerifierTrust;
use dalil_phrasebook::{Language, bound, found};
use dalil_proof::canon;
use dalil_proof::fault::Fault;
use dalil_service::keys;

use super::schema;
use crate::app::App;
use crate::caller::Caller;
use crate::extract::UploadBody;
use crate::problem::{ApiProblem, ProblemKind};
use crate::reply;
use crate::request_owner::RequestOwner;
use crate::verification::VerificationRequest;

/// Verifies a pack, a PDF, an archive, a receipt, a checkpoint or a trail export
///
/// What is costly to verify, an archive or a PDF, waits for its turn and has the memory of a reader;
/// documents are read and claims judged again where signatures and receipts hold.
///
/// Against the keys of the caller's tenant, as this server knows them; a file of another trail is
/// incomplete at best, since they say nothing about it. Who does not trust this server runs
/// `dalil verify` with a trust file of their own.
#[utoipa::path(post, path = "/api/v1/verify", operation_id = "verify_file", tag = "verify",
    request_body(content = schema::scalar::FileBytes, content_type = "application/octet-stream"),
    responses((status = 200, description = "Every finding, and the verdict.", body = schema::verification::VerificationReportBody)))]
pub(crate) async fn verify(
    State(app): State<App>,
    caller: Caller,
    UploadBody(body): UploadBody,
) -> Result<Response, ApiProblem> {
    if body.is_empty() {
        let fault =
            Fault::new("empty", "body", bound::a_file_with_at_least_one_byte(), found::none());
        return Err(ApiProblem::fault(ProblemKind::Refused, fault));
    }
    let trust = canon::bytes(&keys::trust(&caller.tenant, None).await?)?;
    let owner = RequestOwner::Member(caller.credential);
    let (trust, language) = (VerifierTrust::Own(trust.into()), Language::English);
    let request = VerificationRequest { bytes: body, trust, language, owner };
    reply::status(StatusCode::OK, &app.verifications.verify(request).await?)
}
