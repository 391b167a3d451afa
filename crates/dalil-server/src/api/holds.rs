//! Legal holds, and erasure.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use dalil_phrasebook::precondition;
use dalil_proof::canon;
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::erasure::LegalBasis;
use dalil_proof::fault::Fault;
use dalil_proof::hold::{Hold, RecordScope};
use dalil_proof::json::{Json, MAX_INTEGER};
use dalil_service::approval::ApprovalBasis;
use dalil_service::{erase, hold};
use serde::Serialize;

use super::schema;
use crate::app::App;
use crate::caller::Caller;
use crate::extract::{ApiPath, JsonBody};
use crate::problem::{ApiProblem, ProblemKind};
use crate::reply;

/// The holds in place
#[utoipa::path(get, path = "/api/v1/holds", operation_id = "list_holds", tag = "holds",
    responses((status = 200, description = "The holds.", body = schema::hold::ActiveHoldsBody)))]
pub(crate) async fn list(caller: Caller, headers: HeaderMap) -> Result<Response, ApiProblem> {
    reply::json(&headers, &hold::list(&caller.tenant).await?)
}

/// Places a hold: nothing that it covers may be erased
///
/// `{"hold_id", "reason", "scope"}`, the scope `all`, `kind:…` or `subject:…`.
#[utoipa::path(post, path = "/api/v1/holds", operation_id = "place_hold", tag = "holds", request_body = schema::hold::HoldOrderBody,
    responses((status = 201, description = "The record, and the records that it covers.", body = schema::hold::PlacedHoldBody)))]
pub(crate) async fn place(
    State(app): State<App>,
    caller: Caller,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiProblem> {
    // A hold is parsed from the canonical bytes that the record commits to; a caller may write
    // the same JSON in another spelling.
    let canonical = canon::bytes(&Json::parse(&body)?);
    let hold = Hold::parse(&canonical.map_err(|_| ApiProblem::new(ProblemKind::Internal))?)?;
    let (request_context, tenant) = (app.request_context(&caller)?, caller.tenant);
    let ack =
        app.verbs.run(async move || hold::place(&tenant, &hold, &request_context).await).await?;
    reply::status(StatusCode::CREATED, &ack)
}

/// Lifts a hold; `{"reason"}`
#[utoipa::path(post, path = "/api/v1/holds/{hold_id}/lift", operation_id = "lift_hold", tag = "holds",
    params(("hold_id" = String, Path, description = "The hold.")), request_body = schema::hold::ReasonOrderBody,
    responses((status = 200, description = "The record.", body = schema::scalar::RecordAckBody)))]
pub(crate) async fn lift(
    State(app): State<App>,
    caller: Caller,
    ApiPath(id): ApiPath<String>,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiProblem> {
    let reason = decode::request(&body, |reader| {
        let mut fields = reader.object()?;
        let reason = fields.required("reason", decode::filled);
        fields.done()?;
        reason
    })?;
    let (request_context, tenant, own) =
        (app.request_context(&caller)?, caller.tenant.clone(), id.clone());
    let lifted =
        app.verbs.run(async move || hold::lift(&tenant, &own, &reason, &request_context).await);
    match lifted.await {
        Ok(ack) => reply::status(StatusCode::OK, &ack),
        Err(problem) => {
            let held = hold::list(&caller.tenant).await?;
            if held.holds.iter().any(|one| one.hold.hold_id == id) {
                return Err(problem);
            }
            // Asked afterwards: a second try under the same key is answered, and lifts nothing.
            let (expected, found) =
                (precondition::a_hold_that_is_in_place(), dalil_proof::fault::quoted(&id));
            let fault = Fault::new("not_found", "hold_id", expected, found);
            Err(ApiProblem::fault(ProblemKind::NotFound, fault))
        }
    }
}

/// The effect of an erasure on records and on the lake.
#[derive(Serialize)]
struct ErasureResponse {
    #[serde(flatten)]
    erased: erase::ErasureOutcome,
    objects_gone: usize,
    objects_kept: usize,
}

/// Erases payloads, and records the erasure
///
/// `{"scope", "legal_basis", "records"?: [indices], "rehearse"?}`, the legal basis
/// `retention_expired`, `data_subject_request` or `court_order`. Another admin must approve exactly
/// this erasure first, with their own credential: `POST /api/v1/approvals`. A rehearsal needs no
/// approval.
#[utoipa::path(post, path = "/api/v1/erasures", operation_id = "erase_payloads", tag = "holds", request_body = schema::hold::ErasureOrderBody,
    responses((status = 200, description = "The erased records.", body = schema::hold::ErasureResponseBody)))]
pub(crate) async fn erase(
    State(app): State<App>,
    caller: Caller,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiProblem> {
    let order = decode::request(&body, order)?;
    let (request_context, tenant) = (app.request_context(&caller)?, caller.tenant);
    let done = app.verbs.run(async move || erase::erase(&tenant, &order, &request_context).await);
    let (erased, released) = done.await?;
    if erased.record.is_some() {
        app.forget_documents();
    }
    let (objects_gone, objects_kept) = (released.gone.len(), released.kept.len());
    reply::status(StatusCode::OK, &ErasureResponse { erased, objects_gone, objects_kept })
}

fn order(reader: JsonReader<'_, '_>) -> Option<erase::ErasureOrder> {
    let mut fields = reader.object()?;
    let scope = fields.required("scope", |scope| scope.parsed("scope", RecordScope::EXPECTED));
    let basis = fields.required("legal_basis", |word| word.choice(LegalBasis::WIRE_NAMES));
    let index = |index: JsonReader<'_, '_>| index.whole(0..=MAX_INTEGER);
    let records = fields.or("records", Vec::new(), |list| list.list(index));
    let rehearse = fields.or("rehearse", false, decode::flag);
    fields.done()?;
    Some(erase::ErasureOrder {
        scope: scope?,
        legal_basis: basis?,
        approved: ApprovalBasis::Given,
        records: records?,
        rehearse: rehearse?,
    })
}
