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
/// Archives and PDFs are costly to verify: they wait for a turn, and are verified within the memory
/// of one reader. If signatures and receipts hold, documents are read and claims judged again.
///
/// Files are verified with the keys of the caller's tenant that this server has; a file of another
/// trail is at best incomplete. To verify without trusting this server, run `dalil verify` with
/// your own trust file.
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
