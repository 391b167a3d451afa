//! Invitations: one-time links that make a person a member and sign them in.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use dalil_evidence::access::{Member, MemberRole, MemberTitle};
use dalil_phrasebook::{found, precondition};
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::fault::Fault;
use dalil_service::invitation::{self, MadeInvitation, NewInvitation};
use serde::Serialize;

use super::schema;
use crate::app::App;
use crate::caller::Caller;
use crate::extract::{ApiPath, JsonBody};
use crate::guard::refuse;
use crate::percent::seg;
use crate::permission::Permission;
use crate::problem::ApiProblem;
use crate::reply;

/// An invitation with its link, which is not shown again.
#[derive(Serialize)]
pub(crate) struct IssuedInvitation {
    #[serde(flatten)]
    pub(crate) made: MadeInvitation,
    /// Where it is used.
    pub(crate) link: String,
}

/// The invitations of the tenant, without their secrets
///
/// The newest 200, each with its state.
#[utoipa::path(get, path = "/api/v1/invitations", operation_id = "list_invitations", tag = "tenant",
    responses((status = 200, description = "The invitations.", body = schema::invitation::InvitationListBody)))]
pub(crate) async fn list(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    reply::json(&headers, &invitation::list(&caller.tenant, app.now()?).await?)
}

/// Invites a person; the link is in this reply and nowhere else
///
/// `{"name", "role": "viewer" | "approver" | "admin", "titles"?, "expires_at"?}`. The page of the
/// link shows who invites, and to which role. Accepting makes the person a member with a key of
/// their own, and signs them in. The link works once. It expires after a week or at `expires_at`,
/// at most thirty days from now; and earlier if it is withdrawn or its author may no longer
/// administer. The name must not be that of a member: the author could use the link, and must not
/// act as somebody else. The role gets no more permissions than the credential of the caller. A
/// repeated request with the same `Idempotency-Key` is a conflict, as the link is not shown again.
#[utoipa::path(post, path = "/api/v1/invitations", operation_id = "invite", tag = "tenant", request_body = schema::invitation::NewInvitationBody,
    responses((status = 201, description = "The invitation, with its link.", body = schema::invitation::IssuedInvitationBody)))]
pub(crate) async fn make(
    State(app): State<App>,
    caller: Caller,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiProblem> {
    let made = invite(&app, &caller, decode::request(&body, order)?).await?;
    reply::status(StatusCode::CREATED, &made)
}

/// Invites a person in the name of a caller.
pub(crate) async fn invite(
    app: &App,
    caller: &Caller,
    order: NewInvitation,
) -> Result<IssuedInvitation, ApiProblem> {
    // The maker of an invitation can use it, so it grants no more than the credential that asks.
    let more = invitation::scopes(order.member.role);
    let more: Vec<&str> = more.difference(&caller.scopes).map(|scope| scope.as_str()).collect();
    if !more.is_empty() {
        let own: Vec<&str> = caller.scopes.iter().map(|scope| scope.as_str()).collect();
        let expected = precondition::at_most_the_scopes_of_this_credential(own.join("`, `"));
        let fault = Fault::new("scope", "role", expected, found::scope_too(more.join("`, `")));
        let about = (Permission::Administer, "POST /api/v1/invitations");
        return Err(refuse(app, caller, about, fault).await);
    }
    let (request_context, tenant) = (app.request_context(caller)?, caller.tenant.clone());
    let make = async move || invitation::make(&tenant, &order, &request_context).await;
    let made: MadeInvitation = app.verbs.run(make).await?;
    let place = app.config.public_url.as_deref().unwrap_or("");
    let link = format!("{place}{INVITATION_PATH}?token={}", seg(&made.token));
    Ok(IssuedInvitation { made, link })
}

pub(crate) fn order(reader: JsonReader<'_, '_>) -> Option<NewInvitation> {
    let mut fields = reader.object()?;
    let name = fields.required("name", decode::filled);
    let role = fields.required("role", |word| word.choice(MemberRole::WIRE_NAMES));
    let titles = fields
        .or("titles", Vec::new(), |list| list.list(|word| word.choice(MemberTitle::WIRE_NAMES)));
    let expires_at = fields.optional("expires_at", decode::time);
    fields.done()?;
    let member = Member { name: name?, role: role?, titles: titles?.into_iter().collect() };
    Some(NewInvitation { member, expires_at: expires_at? })
}

/// Withdraws an invitation: its link no longer works
#[utoipa::path(delete, path = "/api/v1/invitations/{invitation_id}", operation_id = "withdraw_invitation", tag = "tenant",
    params(("invitation_id" = String, Path, description = "The invitation.")),
    responses((status = 200, description = "The record of the withdrawal.", body = schema::scalar::RecordAckBody)))]
pub(crate) async fn withdraw(
    State(app): State<App>,
    caller: Caller,
    ApiPath(id): ApiPath<String>,
) -> Result<Response, ApiProblem> {
    let (request_context, tenant) = (app.request_context(&caller)?, caller.tenant);
    let withdraw = async move || invitation::withdraw(&tenant, &id, &request_context).await;
    reply::status(StatusCode::OK, &app.verbs.run(withdraw).await?)
}

/// The page that an invitation is used on.
pub(crate) const INVITATION_PATH: &str = "/invitation";
