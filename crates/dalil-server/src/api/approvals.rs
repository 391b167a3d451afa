//! Approvals: one-time permissions by members, each with their own credential.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use dalil_proof::decode;
use dalil_service::approval::{
    self, ApprovalRequest, ApprovalRequestSummary, ApprovalSummary, asked,
};
use dalil_service::export::ExportSubject;
use serde::Deserialize;

use super::schema;
use crate::access_denial::AccessDenial;
use crate::app::App;
use crate::caller::Caller;
use crate::extract::{ApiQuery, JsonBody};
use crate::guard;
use crate::guard::refuse;
use crate::page::{CursorPage, ListOrder, PageQuery};
use crate::permission::Permission;
use crate::problem::ApiProblem;
use crate::reply;

/// The approvals by members, with their states
#[utoipa::path(get, path = "/api/v1/approvals", operation_id = "list_approvals", tag = "approvals", params(PageQuery),
    responses((status = 200, description = "A page of approvals.", body = schema::approval::ApprovalPageBody)))]
pub(crate) async fn list(
    State(app): State<App>,
    caller: Caller,
    ApiQuery(wanted): ApiQuery<PageQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let part = wanted.place()?;
    let items = approval::approvals(&caller.tenant, part, app.now()?).await?;
    let CursorPage { items, next_cursor } = CursorPage::of(items, part, |one| one.index);
    let items = guard::without_hidden_packs(&app, &caller, items, |one| &one.object).await?;
    reply::json(&headers, &CursorPage { items, next_cursor })
}

/// Approves an action of another member; the approver is the caller
///
/// `{"action": "export_pack" | "export_ledger", "object", "format", "language"?, "reason"}`,
/// `{"action": "export_trail", "from"?, "withhold"?, "reason"}` or
/// `{"action": "erase", "scope", "legal_basis", "records"?}`; the `matter` of a request is such a
/// body. An approval is valid for 48 hours, for one use, and for nothing else.
#[utoipa::path(post, path = "/api/v1/approvals", operation_id = "give_approval", tag = "approvals", request_body = schema::approval::ApprovalOrderBody,
    responses((status = 201, description = "The approval.", body = schema::approval::ApprovalSummaryBody)))]
pub(crate) async fn give(
    State(app): State<App>,
    caller: Caller,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiProblem> {
    let asked = decode::request(&body, asked)?;
    let given = give_as(&app, caller, asked, "POST /api/v1/approvals").await?;
    reply::status(StatusCode::CREATED, &given)
}

/// Approves a request in the name of a caller.
pub(crate) async fn give_as(
    app: &App,
    caller: Caller,
    asked: ApprovalRequest,
    route: &str,
) -> Result<ApprovalSummary, ApiProblem> {
    seen(app, &caller, &asked, route).await?;
    let (request_context, tenant) = (app.request_context(&caller)?, caller.tenant.clone());
    // Its name is kept with the approval: when the key is revoked, the approval no longer counts.
    let credential = caller.credential;
    let done = async move || approval::give(&tenant, &asked, &credential, &request_context).await;
    app.verbs.run(done).await
}

/// Which approval requests to list.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ApprovalRequestsQuery {
    /// Only requests about this pack, session, trail or scope; all of them on one page.
    object: Option<String>,
    /// The maximum number of items.
    #[param(minimum = 1, maximum = 1000, default = 50)]
    limit: Option<u32>,
    /// The `next_cursor` of the previous page, in the same order.
    cursor: Option<String>,
    /// Whether the oldest or the newest come first.
    #[param(inline)]
    order: Option<ListOrder>,
}

/// The approval requests, with the approvers so far and the missing ones
#[utoipa::path(get, path = "/api/v1/approvals/requests", operation_id = "list_approval_requests", tag = "approvals", params(ApprovalRequestsQuery),
    responses((status = 200, description = "A page of requests.", body = schema::approval::ApprovalRequestPageBody)))]
pub(crate) async fn requests(
    State(app): State<App>,
    caller: Caller,
    ApiQuery(which): ApiQuery<ApprovalRequestsQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let ApprovalRequestsQuery { object, limit, cursor, order } = which;
    let part = PageQuery { limit, cursor, order }.place()?;
    let (tenant, now) = (&caller.tenant, app.now()?);
    let page = match object {
        Some(object) => {
            guard::view_if_pack(&app, &caller, &object).await?;
            let mut items = approval::about(tenant, &object, now).await?;
            if part.newest {
                items.reverse();
            }
            CursorPage { items, next_cursor: None }
        }
        None => CursorPage::of(approval::requests(tenant, part, now).await?, part, |one| one.index),
    };
    let CursorPage { items, next_cursor } = page;
    let items = guard::without_hidden_packs(&app, &caller, items, |one| &one.object).await?;
    reply::json(&headers, &CursorPage { items, next_cursor })
}

/// Asks others to approve an action of the caller
///
/// The body is that of an approval. While it is open, asking again changes nothing.
#[utoipa::path(post, path = "/api/v1/approvals/requests", operation_id = "ask_for_approval", tag = "approvals", request_body = schema::approval::ApprovalOrderBody,
    responses((status = 201, description = "The request, and who must approve it.", body = schema::approval::ApprovalRequestSummaryBody)))]
pub(crate) async fn ask(
    State(app): State<App>,
    caller: Caller,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiProblem> {
    let asked = decode::request(&body, asked)?;
    let made = ask_as(&app, caller, asked, "POST /api/v1/approvals/requests").await?;
    reply::status(StatusCode::CREATED, &made)
}

/// Asks others to approve an action of the caller.
pub(crate) async fn ask_as(
    app: &App,
    caller: Caller,
    asked: ApprovalRequest,
    route: &str,
) -> Result<ApprovalRequestSummary, ApiProblem> {
    seen(app, &caller, &asked, route).await?;
    let (request_context, tenant) = (app.request_context(&caller)?, caller.tenant);
    let done = async move || approval::ask(&tenant, &asked, &request_context).await;
    app.verbs.run(done).await
}

/// Checks what a request needs of its caller, to ask or to approve, beside the route's permission.
async fn seen(
    app: &App,
    caller: &Caller,
    asked: &ApprovalRequest,
    route: &str,
) -> Result<(), ApiProblem> {
    match asked {
        ApprovalRequest::Export { subject: ExportSubject::Pack(id), .. } => {
            guard::view_pack(app, caller, id).await
        }
        ApprovalRequest::Export { subject: ExportSubject::Ledger(_), .. }
        | ApprovalRequest::Trail { .. } => Ok(()),
        // The routes need `export` and `review`; an erasure is an admin's to ask for and approve.
        ApprovalRequest::Erase { .. } => {
            match app.authority.may(caller, Permission::Administer).await {
                Ok(()) => Ok(()),
                Err(AccessDenial::Failed(problem)) => Err(problem),
                Err(AccessDenial::Refused(fault)) => {
                    Err(refuse(app, caller, (Permission::Administer, route), fault).await)
                }
            }
        }
    }
}
