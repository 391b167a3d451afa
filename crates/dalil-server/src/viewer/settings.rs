//! Settings, for admins: who the members are, and which keys there are.

use askama::Template;
use axum::Extension;
use axum::extract::Query;
use axum::response::Response;
use dalil_evidence::access::Member;
use dalil_proof::decode;
use dalil_service::apikey::{self, StoredApiKey};
use dalil_service::member;
use serde_json::json;

use super::error::PageError;
use super::form::{FormBody, FormFields};
use super::layout::{PageLayout, see, shown};
use super::query::FormResultQuery;
use super::visitor::WebVisitor;
use crate::api;
use crate::permission::Permission;

#[derive(Template)]
#[template(path = "settings.html")]
struct SettingsPage {
    page: PageLayout,
    members: Vec<Member>,
    keys: Vec<StoredApiKey>,
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
    let members = member::list(&visitor.admit(Permission::View).await?.tenant).await?.members;
    let keys = apikey::list(&visitor.admit(Permission::Administer).await?.tenant).await?.api_keys;
    let page = PageLayout::new(visitor, "settings", visitor.w.settings).done(done);
    Ok(shown(&SettingsPage { page, members, keys, made }))
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
    let deed = app.request_context(&caller)?;
    app.verbs.run(async move || member::add(&tenant, &member, &deed).await).await?;
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
    let deed = app.request_context(&caller)?;
    app.verbs.run(async move || member::remove(&tenant, &name, &deed).await).await?;
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
    settings(&visitor, None, Some(made.api_key)).await
}

pub(super) async fn revoke_key(
    Extension(visitor): Extension<WebVisitor>,
    FormBody(body): FormBody,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    let fields = FormFields::read(&visitor, &body)?;
    let caller = visitor.admit(Permission::Administer).await?;
    let deed = visitor.view.app.request_context(&caller)?;
    apikey::revoke(&caller.tenant, fields.text("key_id"), &deed).await?;
    Ok(see("/settings?done=revoked"))
}
