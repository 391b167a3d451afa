//! Settings, for admins: who the members are, and which keys there are.

use askama::Template;
use axum::Extension;
use axum::extract::Query;
use axum::http::Method;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::error::PageError;
use super::form::{FormBody, FormFields};
use super::layout::{PageLayout, see, shown};
use super::query::FormResultQuery;
use super::visitor::WebVisitor;
use crate::percent::seg;

#[derive(Deserialize)]
struct MemberListReply {
    members: Vec<MemberView>,
}

#[derive(Deserialize)]
struct MemberView {
    name: String,
    role: String,
    #[serde(default)]
    titles: Vec<String>,
}

#[derive(Deserialize)]
struct ApiKeyListReply {
    api_keys: Vec<ApiKeyView>,
}

#[derive(Deserialize)]
struct ApiKeyView {
    key_id: String,
    actor: String,
    scopes: Vec<String>,
    #[serde(default)]
    expires_at: Option<String>,
    #[serde(default)]
    revoked_at: Option<String>,
}

#[derive(Template)]
#[template(path = "settings.html")]
struct SettingsPage {
    page: PageLayout,
    members: Vec<MemberView>,
    keys: Vec<ApiKeyView>,
    /// A key that was made just now.
    made: Option<String>,
}

pub(super) async fn show(
    Extension(visitor): Extension<WebVisitor>,
    Query(done): Query<FormResultQuery>,
) -> Result<Response, PageError> {
    settings(&visitor, done.done.as_deref(), None).await
}

async fn settings(
    visitor: &WebVisitor,
    done: Option<&str>,
    made: Option<String>,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    let MemberListReply { members } = visitor.get(MEMBERS_PATH).await?;
    let ApiKeyListReply { api_keys: keys } = visitor.get(API_KEYS_PATH).await?;
    let page = PageLayout::new(visitor, "settings", visitor.w.settings).done(done);
    Ok(shown(&SettingsPage { page, members, keys, made }))
}

#[derive(Serialize)]
struct NewMember<'m> {
    name: &'m str,
    role: &'m str,
    titles: Vec<&'m str>,
}

pub(super) async fn add_member(
    Extension(visitor): Extension<WebVisitor>,
    FormBody(body): FormBody,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    let fields = FormFields::read(&visitor, &body)?;
    let member = NewMember {
        name: fields.text("name"),
        role: fields.text("role"),
        titles: fields.all("title").collect(),
    };
    drop(visitor.post::<Value>(MEMBERS_PATH, &member).await?);
    Ok(see("/settings?done=added"))
}

pub(super) async fn remove_member(
    Extension(visitor): Extension<WebVisitor>,
    FormBody(body): FormBody,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    let fields = FormFields::read(&visitor, &body)?;
    let name = fields.text("name");
    visitor.send(Method::DELETE, &format!("{MEMBERS_PATH}/{}", seg(name)), None).await?;
    Ok(see("/settings?done=removed"))
}

#[derive(Serialize)]
struct ApiKeyRequestBody<'k> {
    actor: &'k str,
    scopes: Vec<&'k str>,
}

#[derive(Deserialize)]
struct NewApiKeyReply {
    api_key: String,
}

/// Makes a key, and shows it this once.
pub(super) async fn make_key(
    Extension(visitor): Extension<WebVisitor>,
    FormBody(body): FormBody,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    let fields = FormFields::read(&visitor, &body)?;
    let key =
        ApiKeyRequestBody { actor: fields.text("actor"), scopes: fields.all("scope").collect() };
    let made: NewApiKeyReply = visitor.post(API_KEYS_PATH, &key).await?;
    // Shown at once and without a redirect: no address may hold the key.
    settings(&visitor, None, Some(made.api_key)).await
}

pub(super) async fn revoke_key(
    Extension(visitor): Extension<WebVisitor>,
    FormBody(body): FormBody,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    let fields = FormFields::read(&visitor, &body)?;
    let id = fields.text("key_id");
    visitor.send(Method::DELETE, &format!("{API_KEYS_PATH}/{}", seg(id)), None).await?;
    Ok(see("/settings?done=revoked"))
}

const MEMBERS_PATH: &str = "/api/v1/members";
const API_KEYS_PATH: &str = "/api/v1/api-keys";
