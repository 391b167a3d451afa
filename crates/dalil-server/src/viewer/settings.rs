//! Settings, for admins: the members and the keys.

use askama::Template;
use axum::Extension;
use axum::extract::Query;
use axum::http::HeaderMap;
use axum::http::header::HOST;
use axum::response::Response;
use dalil_evidence::access::Member;
use dalil_phrasebook::viewer::ViewerTexts;
use dalil_proof::decode;
use dalil_proof::time::Time;
use dalil_service::apikey::{self, StoredApiKey};
use dalil_service::invitation::{self, InvitationState, StoredInvitation};
use dalil_service::member;
use serde_json::json;

use super::error::PageError;
use super::form::{FormBody, FormFields};
use super::layout::{PageLayout, see, shown};
use super::query::FormResultQuery;
use super::session_cookie::is_secure;
use super::visitor::WebVisitor;
use crate::api;
use crate::permission::Permission;

#[derive(Template)]
#[template(path = "settings.html")]
struct SettingsPage {
    page: PageLayout,
    members: Vec<Member>,
    keys: Vec<StoredApiKey>,
    invitations: Vec<InvitationRow>,
    /// The secret that was made just now, and is not shown again.
    made: MadeSecret,
}

/// A secret that was made just now.
#[derive(Default)]
struct MadeSecret {
    key: Option<String>,
    /// A link, and whom it is for.
    link: Option<(String, String)>,
}

/// An invitation, as its list shows it.
struct InvitationRow {
    invitation: StoredInvitation,
    tone: &'static str,
    state: &'static str,
    /// When it was used or withdrawn.
    at: Option<Time>,
    is_open: bool,
}

impl InvitationRow {
    fn of(invitation: StoredInvitation, w: &'static ViewerTexts) -> Self {
        let (tone, state, at) = match invitation.state {
            InvitationState::Open => ("weak", w.invitation_open, None),
            InvitationState::Used { used_at } => {
                ("supported", w.invitation_was_used, Some(used_at))
            }
            InvitationState::Withdrawn { withdrawn_at } => {
                ("", w.invitation_was_withdrawn, Some(withdrawn_at))
            }
            InvitationState::Expired => ("", w.invitation_has_ended, None),
        };
        let is_open = invitation.state == InvitationState::Open;
        Self { invitation, tone, state, at, is_open }
    }
}

pub(super) async fn show(
    Extension(visitor): Extension<WebVisitor>,
    Query(done): Query<FormResultQuery>,
) -> Result<Response, PageError> {
    settings(&visitor, done.done.as_deref(), MadeSecret::default()).await
}

async fn settings(
    visitor: &WebVisitor,
    done: Option<&str>,
    made: MadeSecret,
) -> Result<Response, PageError> {
    let members = member::list(&visitor.admit(Permission::View).await?.tenant).await?.members;
    let tenant = visitor.admit(Permission::Administer).await?.tenant;
    let keys = apikey::list(&tenant).await?.api_keys;
    let invitations = invitation::list(&tenant, visitor.view.app.now()?).await?.invitations;
    let invitations = invitations.into_iter().map(|one| InvitationRow::of(one, visitor.w));
    let page = PageLayout::new(visitor, "settings", visitor.w.settings).done(done);
    let invitations = invitations.collect();
    Ok(shown(&SettingsPage { page, members, keys, invitations, made }))
}

pub(super) async fn add_member(
    Extension(visitor): Extension<WebVisitor>,
    FormBody(body): FormBody,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    let fields = FormFields::read(&visitor, &body)?;
    let caller = visitor.admit(Permission::Administer).await?;
    let titles: Vec<&str> = fields.all("title").collect();
    let order = json!({"name": fields.text("name"), "role": fields.text("role"), "titles": titles});
    let member = decode::request(order.to_string().as_bytes(), api::tenant::new)?;
    let (app, tenant) = (&visitor.view.app, caller.tenant.clone());
    let request_context = app.request_context(&caller)?;
    app.verbs.run(async move || member::add(&tenant, &member, &request_context).await).await?;
    Ok(see("/settings?done=added"))
}

pub(super) async fn remove_member(
    Extension(visitor): Extension<WebVisitor>,
    FormBody(body): FormBody,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    let fields = FormFields::read(&visitor, &body)?;
    let caller = visitor.admit(Permission::Administer).await?;
    let (app, tenant, name) =
        (&visitor.view.app, caller.tenant.clone(), fields.text("name").to_owned());
    let request_context = app.request_context(&caller)?;
    app.verbs.run(async move || member::remove(&tenant, &name, &request_context).await).await?;
    Ok(see("/settings?done=removed"))
}

/// Makes a key, and shows it this once.
pub(super) async fn make_key(
    Extension(visitor): Extension<WebVisitor>,
    FormBody(body): FormBody,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    let fields = FormFields::read(&visitor, &body)?;
    let caller = visitor.admit(Permission::Administer).await?;
    let scopes: Vec<&str> = fields.all("scope").collect();
    let order = json!({"actor": fields.text("actor"), "scopes": scopes}).to_string();
    let order = decode::request(order.as_bytes(), api::apikeys::order)?;
    let made = api::apikeys::issue(&visitor.view.app, &caller, order).await?;
    // Shown at once and without a redirect: no address may hold the key.
    settings(&visitor, None, MadeSecret { key: Some(made.api_key), link: None }).await
}

/// Invites a person, and shows the link this once.
pub(super) async fn invite(
    Extension(visitor): Extension<WebVisitor>,
    headers: HeaderMap,
    FormBody(body): FormBody,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    let fields = FormFields::read(&visitor, &body)?;
    let caller = visitor.admit(Permission::Administer).await?;
    let app = &visitor.view.app;
    let titles: Vec<&str> = fields.all("title").collect();
    let days: i64 = fields.text("days").parse().unwrap_or(USUAL_INVITATION_DAYS);
    let now = app.now()?;
    let ends = Time::from_millis(now.millis().saturating_add(days.saturating_mul(DAY_MS)));
    let order = json!({"name": fields.text("name"), "role": fields.text("role"), "titles": titles,
        "expires_at": ends.unwrap_or(now)});
    let order = decode::request(order.to_string().as_bytes(), api::invitations::order)?;
    let made = api::invitations::invite(app, &caller, order).await?;
    let (link, name) = (absolute(&visitor, &headers, made.link), made.made.invitation.name);
    settings(&visitor, None, MadeSecret { key: None, link: Some((link, name)) }).await
}

/// A link with the address that the browser has for this server, where none is configured.
fn absolute(visitor: &WebVisitor, headers: &HeaderMap, link: String) -> String {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    match host.filter(|_| link.starts_with('/')) {
        Some(host) => {
            let scheme = if is_secure(&visitor.view, headers) { "https" } else { "http" };
            format!("{scheme}://{host}{link}")
        }
        None => link,
    }
}

pub(super) async fn withdraw_invitation(
    Extension(visitor): Extension<WebVisitor>,
    FormBody(body): FormBody,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    let fields = FormFields::read(&visitor, &body)?;
    let caller = visitor.admit(Permission::Administer).await?;
    let app = &visitor.view.app;
    let (tenant, id) = (caller.tenant.clone(), fields.text("invitation_id").to_owned());
    let request_context = app.request_context(&caller)?;
    app.verbs.run(async move || invitation::withdraw(&tenant, &id, &request_context).await).await?;
    Ok(see("/settings?done=withdrawn"))
}

pub(super) async fn revoke_key(
    Extension(visitor): Extension<WebVisitor>,
    FormBody(body): FormBody,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    let fields = FormFields::read(&visitor, &body)?;
    let caller = visitor.admit(Permission::Administer).await?;
    let request_context = visitor.view.app.request_context(&caller)?;
    apikey::revoke(&caller.tenant, fields.text("key_id"), &request_context).await?;
    Ok(see("/settings?done=revoked"))
}

const DAY_MS: i64 = 24 * 60 * 60 * 1000;
const USUAL_INVITATION_DAYS: i64 = 7;
