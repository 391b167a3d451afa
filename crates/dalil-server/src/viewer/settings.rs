//! Settings, for admins: who the members are, and which keys there are.

use askama::Template;
use axum::Extension;
use axum::extract::Query;
use axum::http::Method;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::call::seg;
use super::form::{Fields, Form};
use super::frame::{Page, see, shown};
use super::packs::Done;
use super::visit::Visitor;
use super::wrong::Wrong;

#[derive(Deserialize)]
struct Members {
    members: Vec<Member>,
}

#[derive(Deserialize)]
struct Member {
    name: String,
    role: String,
    #[serde(default)]
    titles: Vec<String>,
}

#[derive(Deserialize)]
struct Keys {
    api_keys: Vec<Key>,
}

#[derive(Deserialize)]
struct Key {
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
struct Shown {
    page: Page,
    members: Vec<Member>,
    keys: Vec<Key>,
    /// A key that was made just now.
    made: Option<String>,
}

pub(super) async fn show(
    Extension(visitor): Extension<Visitor>,
    Query(done): Query<Done>,
) -> Result<Response, Wrong> {
    settings(&visitor, done.done.as_deref(), None).await
}

async fn settings(
    visitor: &Visitor,
    done: Option<&str>,
    made: Option<String>,
) -> Result<Response, Wrong> {
    visitor.signed()?;
    let Members { members } = visitor.get(MEMBERS).await?;
    let Keys { api_keys: keys } = visitor.get(KEYS).await?;
    let page = Page::new(visitor, "settings", visitor.w.settings).done(done);
    Ok(shown(&Shown { page, members, keys, made }))
}

#[derive(Serialize)]
struct NewMember<'m> {
    name: &'m str,
    role: &'m str,
    titles: Vec<&'m str>,
}

pub(super) async fn add_member(
    Extension(visitor): Extension<Visitor>,
    Form(body): Form,
) -> Result<Response, Wrong> {
    visitor.signed()?;
    let fields = Fields::read(&visitor, &body)?;
    let member = NewMember {
        name: fields.one("name").unwrap_or_default(),
        role: fields.one("role").unwrap_or_default(),
        titles: fields.all("title").collect(),
    };
    drop(visitor.post::<Value>(MEMBERS, &member).await?);
    Ok(see("/settings?done=added"))
}

pub(super) async fn remove_member(
    Extension(visitor): Extension<Visitor>,
    Form(body): Form,
) -> Result<Response, Wrong> {
    visitor.signed()?;
    let fields = Fields::read(&visitor, &body)?;
    let name = fields.one("name").unwrap_or_default();
    visitor.send(Method::DELETE, &format!("{MEMBERS}/{}", seg(name)), None).await?;
    Ok(see("/settings?done=removed"))
}

#[derive(Serialize)]
struct NewKey<'k> {
    actor: &'k str,
    scopes: Vec<&'k str>,
}

#[derive(Deserialize)]
struct Made {
    api_key: String,
}

/// Makes a key, and shows it this once.
pub(super) async fn make_key(
    Extension(visitor): Extension<Visitor>,
    Form(body): Form,
) -> Result<Response, Wrong> {
    visitor.signed()?;
    let fields = Fields::read(&visitor, &body)?;
    let key = NewKey {
        actor: fields.one("actor").unwrap_or_default(),
        scopes: fields.all("scope").collect(),
    };
    let made: Made = visitor.post(KEYS, &key).await?;
    settings(&visitor, None, Some(made.api_key)).await
}

pub(super) async fn revoke_key(
    Extension(visitor): Extension<Visitor>,
    Form(body): Form,
) -> Result<Response, Wrong> {
    visitor.signed()?;
    let fields = Fields::read(&visitor, &body)?;
    let id = fields.one("key_id").unwrap_or_default();
    visitor.send(Method::DELETE, &format!("{KEYS}/{}", seg(id)), None).await?;
    Ok(see("/settings?done=revoked"))
}

const MEMBERS: &str = "/api/v1/members";
const KEYS: &str = "/api/v1/api-keys";
