//! Legal holds, and erasure.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use dalil::keep::approval::Approved;
use dalil::keep::{erase, hold};
use dalil_core::erasure::LegalBasis;
use dalil_core::hold::{Hold, Scope};
use dalil_core::json::{Json as Value, MAX_INTEGER};
use dalil_core::read::{self, Reader};
use dalil_core::{canon, fault::Fault};
use serde::Serialize;

use crate::app::App;
use crate::ask::{Json, Path};
use crate::caller::Caller;
use crate::problem::{Kind, Problem};
use crate::reply;

/// The holds that are in place
#[utoipa::path(get, path = "/api/v1/holds", tag = "holds",
    responses((status = 200, description = "The holds.", body = Object)))]
pub(crate) async fn list(caller: Caller, headers: HeaderMap) -> Result<Response, Problem> {
    reply::json(&headers, &hold::list(&caller.tenant).await?)
}

/// Places a hold: nothing that it covers may be erased
///
/// `{"hold_id", "reason", "scope"}`, the scope `all`, `kind:…` or `subject:…`.
#[utoipa::path(post, path = "/api/v1/holds", tag = "holds", request_body = Object,
    responses((status = 201, description = "The record.", body = Object)))]
pub(crate) async fn place(
    State(app): State<App>,
    caller: Caller,
    Json(body): Json,
) -> Result<Response, Problem> {
    let canonical = canon::bytes(&Value::parse(&body)?);
    let hold = Hold::parse(&canonical.map_err(|_| Problem::new(Kind::Internal))?)?;
    let ack = hold::place(&caller.tenant, &hold, &app.deed(&caller)?).await?;
    reply::status(StatusCode::CREATED, &ack)
}

/// Lifts a hold; `{"reason"}`
#[utoipa::path(post, path = "/api/v1/holds/{hold_id}/lift", tag = "holds",
    params(("hold_id" = String, Path, description = "The hold.")), request_body = Object,
    responses((status = 200, description = "The record.", body = Object)))]
pub(crate) async fn lift(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Json(body): Json,
) -> Result<Response, Problem> {
    let reason = read::request(&body, |reader| {
        let mut fields = reader.object()?;
        let reason = fields.required("reason", read::filled);
        fields.done()?;
        reason
    })?;
    let held = hold::list(&caller.tenant).await?;
    if !held.holds.iter().any(|hold| hold.hold_id == id) {
        let found = dalil_core::fault::quote(&id);
        let fault = Fault::new("not_found", "hold_id", "a hold that is in place", found);
        return Err(Problem::fault(Kind::NotFound, fault));
    }
    let ack = hold::lift(&caller.tenant, &id, &reason, &app.deed(&caller)?).await?;
    reply::status(StatusCode::OK, &ack)
}

/// What an erasure did, to records and to the lake.
#[derive(Serialize)]
struct Done {
    #[serde(flatten)]
    erased: erase::Erased,
    objects_gone: usize,
    objects_kept: usize,
}

/// Erases payloads, by the rules and with a record that says so
///
/// `{"scope", "legal_basis", "records"?: [indices], "rehearse"?}`, the basis `retention_expired`,
/// `data_subject_request` or `court_order`. Another admin approves exactly this beforehand, with
/// their own credential: `POST /api/v1/approvals`. What is only rehearsed needs no approval.
#[utoipa::path(post, path = "/api/v1/erasures", tag = "holds", request_body = Object,
    responses((status = 200, description = "What went.", body = Object)))]
pub(crate) async fn erase(
    State(app): State<App>,
    caller: Caller,
    Json(body): Json,
) -> Result<Response, Problem> {
    let order = read::request(&body, order)?;
    let (deed, tenant) = (app.deed(&caller)?, caller.tenant);
    let done = app.verbs.run(async move || erase::erase(&tenant, &order, &deed).await);
    let (erased, released) = done.await?;
    let (objects_gone, objects_kept) = (released.gone.len(), released.kept.len());
    reply::status(StatusCode::OK, &Done { erased, objects_gone, objects_kept })
}

fn order(reader: Reader<'_, '_>) -> Option<erase::Order> {
    let mut fields = reader.object()?;
    let scope = fields.required("scope", |scope| scope.parsed("scope", Scope::EXPECTED));
    let basis = fields.required("legal_basis", |word| word.choice(LegalBasis::WORDS));
    let index = |index: Reader<'_, '_>| index.whole(0..=MAX_INTEGER);
    let records = fields.or("records", Vec::new(), |list| list.list(index));
    let rehearse = fields.or("rehearse", false, read::flag);
    fields.done()?;
    Some(erase::Order {
        scope: scope?,
        legal_basis: basis?,
        approved: Approved::Given,
        records: records?,
        rehearse: rehearse?,
    })
}
