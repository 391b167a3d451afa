//! The tenant of the caller, and its members.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use dalil_evidence::access::{Member, MemberRole, MemberTitle};
use dalil_proof::decode::{self, JsonReader};
use dalil_service::{member, tenant};

use super::schema;
use crate::app::App;
use crate::caller::Caller;
use crate::extract::{ApiPath, JsonBody};
use crate::problem::ApiProblem;
use crate::reply;

/// The tenant of the caller, and the head of its trail
#[utoipa::path(get, path = "/api/v1/tenant", operation_id = "show_tenant", tag = "tenant",
    responses((status = 200, description = "The tenant.", body = schema::member::TenantSummaryBody)))]
pub(crate) async fn show(caller: Caller, headers: HeaderMap) -> Result<Response, ApiProblem> {
    reply::json(&headers, &tenant::show(&caller.tenant).await?)
}

/// The members of the tenant, with their roles and titles
#[utoipa::path(get, path = "/api/v1/members", operation_id = "list_members", tag = "tenant",
    responses((status = 200, description = "The members.", body = schema::member::MemberListBody)))]
pub(crate) async fn members(caller: Caller, headers: HeaderMap) -> Result<Response, ApiProblem> {
    reply::json(&headers, &member::list(&caller.tenant).await?)
}

/// Adds a member
///
/// `{"name", "role": "viewer" | "approver" | "admin", "titles"?: [words]}`.
#[utoipa::path(post, path = "/api/v1/members", operation_id = "add_member", tag = "tenant", request_body = schema::member::NewMemberBody,
    responses((status = 201, description = "The record.", body = schema::scalar::RecordAckBody)))]
pub(crate) async fn add(
    State(app): State<App>,
    caller: Caller,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiProblem> {
    let new = decode::request(&body, new)?;
    let (request_context, tenant) = (app.request_context(&caller)?, caller.tenant);
    let ack =
        app.verbs.run(async move || member::add(&tenant, &new, &request_context).await).await?;
    reply::status(StatusCode::CREATED, &ack)
}

pub(crate) fn new(reader: JsonReader<'_, '_>) -> Option<Member> {
    let mut fields = reader.object()?;
    let name = fields.required("name", decode::filled);
    let role = fields.required("role", |word| word.choice(MemberRole::WIRE_NAMES));
    let titles = fields
        .or("titles", Vec::new(), |list| list.list(|word| word.choice(MemberTitle::WIRE_NAMES)));
    fields.done()?;
    Some(Member { name: name?, role: role?, titles: titles?.into_iter().collect() })
}

/// Removes a member; their approvals stay valid
#[utoipa::path(delete, path = "/api/v1/members/{name}", operation_id = "remove_member", tag = "tenant",
    params(("name" = String, Path, description = "The member.")),
    responses((status = 200, description = "The record.", body = schema::scalar::RecordAckBody)))]
pub(crate) async fn remove(
    State(app): State<App>,
    caller: Caller,
    ApiPath(name): ApiPath<String>,
) -> Result<Response, ApiProblem> {
    let (request_context, tenant) = (app.request_context(&caller)?, caller.tenant);
    let ack =
        app.verbs.run(async move || member::remove(&tenant, &name, &request_context).await).await?;
    reply::status(StatusCode::OK, &ack)
}
