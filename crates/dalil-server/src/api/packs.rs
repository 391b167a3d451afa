//! Packs: the sealed evidence of decisions.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use dalil_proof::canon;
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::id::PackId;
use dalil_service::export::ExportSubject;
use dalil_service::index;
use dalil_service::pack::{self, AssembleRequest, PackDetails, ReviewOutcome};

use super::{exports, schema};
use crate::app::App;
use crate::caller::Caller;
use crate::extract::{ApiPath, ApiQuery, JsonBody};
use crate::guard;
use crate::page::{CursorPage, PageQuery};
use crate::problem::ApiProblem;
use crate::reply;

/// Versions of packs, in the order in which they were sealed
#[utoipa::path(get, path = "/api/v1/packs", operation_id = "list_packs", tag = "packs", params(PageQuery),
    responses((status = 200, description = "A page of versions.", body = schema::pack::PackPageBody)))]
pub(crate) async fn list(
    State(app): State<App>,
    caller: Caller,
    ApiQuery(wanted): ApiQuery<PageQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let part = wanted.place()?;
    let items = index::packs(&caller.tenant, part).await?;
    let CursorPage { items, next_cursor } = CursorPage::of(items, part, |one| one.index);
    let items = guard::without_hidden_versions(&app, &caller, items).await?;
    reply::json(&headers, &CursorPage { items, next_cursor })
}

/// Assembles the pack of a decision from the store, and seals it
///
/// `{"decision_id", "memo"?, "pack_id"?}`: the pack has the evidence and prompts of the decision,
/// its tool calls, and the newest ledger of its session. Without a memo, one is drafted.
#[utoipa::path(post, path = "/api/v1/packs", operation_id = "assemble_pack", tag = "packs", request_body = schema::pack_review::PackAssemblyBody,
    responses((status = 201, description = "The sealed file (spec/pack.md).", body = schema::pack::SealedPackBody)))]
pub(crate) async fn assemble(
    State(app): State<App>,
    caller: Caller,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiProblem> {
    let order = decode::request(&body, order)?;
    let (request_context, tenant) = (app.request_context(&caller)?, caller.tenant);
    let done = app
        .verbs
        .run(async move || pack::assemble(&tenant, &order, &request_context).await)
        .await?;
    Ok(reply::about_pack(reply::status(StatusCode::CREATED, &done)?, &done.envelope.payload))
}

fn order(reader: JsonReader<'_, '_>) -> Option<AssembleRequest> {
    let mut fields = reader.object()?;
    let decision_id = fields.required("decision_id", decode::filled);
    let memo = fields.optional("memo", decode::any);
    let pack_id = fields.optional("pack_id", |id| id.parsed("id", PackId::EXPECTED));
    fields.done()?;
    let memo = memo?.and_then(|memo| canon::bytes(&memo).ok());
    Some(AssembleRequest { decision_id: decision_id?, memo, pack_id: pack_id? })
}

/// Assembles a pack from a complete request (spec/pack.md), and seals it
#[utoipa::path(post, path = "/api/v1/packs/seal", operation_id = "seal_pack", tag = "packs", request_body = schema::pack_review::PackRequestBody,
    responses((status = 201, description = "The sealed file (spec/pack.md).", body = schema::pack::SealedPackBody)))]
pub(crate) async fn seal(
    State(app): State<App>,
    caller: Caller,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiProblem> {
    let (request_context, tenant) = (app.request_context(&caller)?, caller.tenant);
    let done =
        app.verbs.run(async move || pack::seal(&tenant, &body, &request_context).await).await?;
    Ok(reply::about_pack(reply::status(StatusCode::CREATED, &done)?, &done.envelope.payload))
}

/// A pack, with its state
#[utoipa::path(get, path = "/api/v1/packs/{pack_id}", operation_id = "show_pack", tag = "packs",
    params(("pack_id" = String, Path, description = "The pack.")),
    responses((status = 200, description = "The pack.", body = schema::pack::PackDetailsBody)))]
pub(crate) async fn show(
    State(app): State<App>,
    caller: Caller,
    ApiPath(id): ApiPath<String>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    seen(&app, &caller, &id).await?;
    let PackDetails { version, pack } = pack::show(&caller.tenant, &id).await?;
    let version = guard::without_hidden_neighbours(&app, &caller, version).await?;
    reply::json(&headers, &PackDetails { version, pack })
}

/// Whether the caller may see this very pack: `can_view_evidence_pack`.
async fn seen(app: &App, caller: &Caller, id: &str) -> Result<(), ApiProblem> {
    guard::view_pack(app, caller, id).await
}

/// Every version of a pack, or of the pack of a decision, the oldest first
#[utoipa::path(get, path = "/api/v1/packs/{pack_id}/versions", operation_id = "list_pack_versions", tag = "packs",
    params(("pack_id" = String, Path, description = "The pack, or the decision.")),
    responses((status = 200, description = "The versions.", body = schema::pack::PackPageBody)))]
pub(crate) async fn versions(
    State(app): State<App>,
    caller: Caller,
    ApiPath(id): ApiPath<String>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    // A decision is no pack, and OpenFGA is not asked about it, but about each of its packs below.
    guard::view_if_pack(&app, &caller, &id).await?;
    let items = pack::versions(&caller.tenant, &id).await?;
    let items = guard::without_hidden_versions(&app, &caller, items).await?;
    reply::json(&headers, &CursorPage { items, next_cursor: None })
}

/// The differences between two versions of a pack
#[utoipa::path(get, path = "/api/v1/packs/{pack_id}/diff/{other_id}", operation_id = "compare_packs", tag = "packs",
    params(("pack_id" = String, Path, description = "The older version."),
           ("other_id" = String, Path, description = "The newer version.")),
    responses((status = 200, description = "The difference.", body = schema::pack_review::PackDifferenceBody)))]
pub(crate) async fn diff(
    State(app): State<App>,
    caller: Caller,
    ApiPath((old, new)): ApiPath<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    seen(&app, &caller, &old).await?;
    seen(&app, &caller, &new).await?;
    reply::json(&headers, &pack::diff(&caller.tenant, &old, &new).await?)
}

/// The state of a pack's review: the approvers so far, the missing ones, and the deadline
#[utoipa::path(get, path = "/api/v1/packs/{pack_id}/standing", operation_id = "pack_standing", tag = "packs",
    params(("pack_id" = String, Path, description = "The pack.")),
    responses((status = 200, description = "Its state.", body = schema::pack_review::PackReviewStatusBody)))]
pub(crate) async fn standing(
    State(app): State<App>,
    caller: Caller,
    ApiPath(id): ApiPath<String>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    seen(&app, &caller, &id).await?;
    reply::json(&headers, &pack::standing(&caller.tenant, &id).await?)
}

/// Records the caller's review of a pack: approved, declined, escalated or rejected
///
/// `{"outcome"?, "reason"?, "acknowledged"?, "new_pack_id"?}`; the reviewer is the caller.
#[utoipa::path(post, path = "/api/v1/packs/{pack_id}/review", operation_id = "review_pack", tag = "packs",
    params(("pack_id" = String, Path, description = "The pack.")), request_body = schema::pack_review::PackReviewOrderBody,
    responses((status = 201, description = "The new version, or the state of the review.", body = schema::pack_review::ReviewOutcomeBody)))]
pub(crate) async fn review(
    State(app): State<App>,
    caller: Caller,
    ApiPath(id): ApiPath<String>,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiProblem> {
    reply::status(StatusCode::CREATED, &review_as(&app, caller, &id, &body).await?)
}

/// Records a caller's review of a pack.
pub(crate) async fn review_as(
    app: &App,
    caller: Caller,
    id: &str,
    body: &[u8],
) -> Result<ReviewOutcome, ApiProblem> {
    guard::view_pack(app, &caller, id).await?;
    let request = index::with_members(body, &[("pack_id", id), ("reviewer_id", caller.name())])?;
    let (request_context, tenant) = (app.request_context(&caller)?, caller.tenant);
    app.verbs.run(async move || pack::review(&tenant, &request, &request_context).await).await
}

/// Exports a pack: recorded first, then a link that expires
///
/// `{"format": "json" | "sealed" | "markdown" | "pdf" | …, "language"?, "reason"}`. Other members
/// must approve exactly this export first, each with their own credential:
/// `POST /api/v1/approvals`.
#[utoipa::path(post, path = "/api/v1/packs/{pack_id}/export", operation_id = "export_pack", tag = "packs",
    params(("pack_id" = String, Path, description = "The pack.")), request_body = schema::export::ExportOrderBody,
    responses((status = 200, description = "The link, and when it expires.", body = exports::DownloadLink)))]
pub(crate) async fn export(
    State(app): State<App>,
    caller: Caller,
    ApiPath(id): ApiPath<String>,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiProblem> {
    seen(&app, &caller, &id).await?;
    exports::make(&app, caller, ExportSubject::Pack(id), &body).await
}
