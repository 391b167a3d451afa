//! The viewer: the product in a browser, served from the program.
//!
//! ```text
//! browser ─▶ web_session (cookie, language, CSRF) ─▶ a screen ─▶ admission ─▶ a service verb ─▶ template
//! ```
//!
//! A screen calls the functions that the routes of the API call, as the caller whose
//! credential the person signed in with, after the same admission (`admission`), so that
//! the viewer can show or do nothing that the API would refuse. The credential is in a
//! cookie that only this server can decrypt. Pages are rendered on the server and work
//! without a script; the templates escape texts, and the content security policy allows
//! no script, style or address but our own.
//!
//! In reading order: `visitor` is the person and their language; `admission` checks access;
//! `ability` lists the actions to offer; `layout` is shared by every page; `words` has every text
//! in both languages; each other module is a screen, with a template of its name.

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::StatusCode;
use axum::http::header::ACCEPT;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use tower::ServiceExt as _;

use crate::api::invitations::INVITATION_PATH;
use crate::app::App;
use crate::routes::RouteTable;
use crate::telemetry::{self, REQUEST_ID_HEADER};

mod ability;
mod admission;
mod api_reference;
mod approval_request;
mod arrival;
mod asset;
mod chain;
mod chart;
mod documents;
pub(crate) mod ended_visits;
mod error;
mod error_page;
mod exports;
mod filing_name;
mod form;
mod highlight;
mod home;
mod invitation;
mod layout;
mod ledger;
mod obligations;
mod pack_changes;
mod pack_claims;
mod pack_preview;
mod pack_review;
mod packs;
mod page_view;
mod provider_signin;
mod provider_signin_error;
mod query;
mod reference;
pub(crate) mod seal;
mod search;
mod session_cookie;
mod sessions;
mod settings;
mod signin;
pub(crate) mod signin_link;
mod state;
mod timeline;
mod trail;
mod verify;
mod visitor;
mod web_session;
mod word_diff;

#[cfg(test)]
mod tests;

use api_reference::ApiReference;
use error::PageError;
use state::ViewerState;
use web_session::WebVisit;

/// The screens, and behind them the API.
pub(crate) fn router(app: &App, api: Router) -> Result<Router, serde_json::Error> {
    let document = serde_json::to_value(RouteTable::new().document())?;
    let reference = Arc::new(ApiReference::of(&document));
    let view = ViewerState { app: app.clone(), reference };
    let behind = (view.clone(), api);
    let screens = Router::new()
        .route("/", get(home::home))
        .route("/signin", get(signin::ask).post(signin::enter))
        .route("/signin/provider", get(provider_signin::leave_to))
        .route(arrival::CALLBACK_PATH, get(provider_signin::come_back))
        .route("/signout", post(signin::leave))
        .route(INVITATION_PATH, get(invitation::show).post(invitation::accept))
        .route("/welcome", get(invitation::welcome))
        .route("/preferences", post(signin::prefer))
        .route("/sessions", get(sessions::list).post(sessions::open))
        .route("/sessions/new", get(sessions::new))
        .route("/sessions/{id}", get(ledger::show))
        .route("/sessions/{id}/progress", get(ledger::progress))
        .route("/sessions/{id}/check", post(sessions::check))
        .route("/sessions/{id}/claims/{claim}/review", post(ledger::review))
        .route("/sessions/{id}/questions", post(ledger::reply))
        .route("/sessions/{id}/export", post(exports::ledger))
        .route("/documents", get(documents::list).post(documents::upload))
        .route("/documents/{id}", get(documents::show))
        .route("/documents/{id}/original", get(documents::original))
        .route("/documents/{id}/page/{picture}", get(documents::picture))
        .route("/documents/{id}/view", get(documents::view))
        .route("/packs", get(packs::list))
        .route("/packs/{id}", get(packs::show))
        .route("/packs/{id}/changes", get(packs::changes))
        .route("/packs/{id}/preview", get(pack_preview::show))
        .route("/packs/{id}/preview/{picture}", get(pack_preview::picture))
        .route("/packs/{id}/review", post(packs::review))
        .route("/packs/{id}/export", post(exports::pack))
        .route("/trail", get(trail::list))
        .route("/trail/checkpoint", get(trail::checkpoint))
        .route("/trail/trust", get(trail::trust))
        .route("/trail/{index}", get(trail::show))
        .route("/trail/{index}/receipt", get(trail::receipt))
        .route("/obligations", get(obligations::list))
        .route("/obligations/{id}", get(obligations::show))
        .route("/exports", get(exports::list))
        .route("/exports/approve", post(exports::approve))
        .route("/exports/fetch", post(exports::fetch))
        .route("/search", get(search::find))
        .route("/reference", get(reference::list))
        .route("/reference/{group}", get(reference::group))
        .route("/verify", get(verify::ask).post(verify::file))
        .route("/settings", get(settings::show))
        .route("/settings/members", post(settings::add_member))
        .route("/settings/members/remove", post(settings::remove_member))
        .route("/settings/invitations", post(settings::invite))
        .route("/settings/invitations/withdraw", post(settings::withdraw_invitation))
        .route("/settings/keys", post(settings::make_key))
        .route("/settings/keys/revoke", post(settings::revoke_key))
        // `form` bounds the bytes that are read.
        .layer(DefaultBodyLimit::disable())
        .route_layer(from_fn_with_state(view.clone(), web_session::visit));
    let watched = from_fn_with_state(app.clone(), telemetry::watch);
    let all = screens.route("/assets/{name}", get(asset::serve).route_layer(watched));
    Ok(all.with_state(view).fallback(move |request: Request| elsewhere(behind.clone(), request)))
}

/// A path without a screen belongs to the API; for a person, its 404 becomes a page.
async fn elsewhere((view, api): (ViewerState, Router), request: Request) -> Response {
    let accept = request.headers().get(ACCEPT).and_then(|value| value.to_str().ok());
    // Browsers ask for `text/html`; programs get the API's problem as it is.
    let is_page = accept.is_some_and(|accept| accept.contains("text/html"))
        && !request.uri().path().starts_with("/api/");
    if !is_page {
        return api.oneshot(request).await.unwrap_or_else(|never| match never {});
    }
    // Before the request is given away: the page needs its cookie and its language.
    let visit = WebVisit::of(&view, &request);
    let answer = api.oneshot(request).await.unwrap_or_else(|never| match never {});
    if answer.status() != StatusCode::NOT_FOUND {
        return answer;
    }
    // The API has watched over it, and given it a name.
    let name = answer.headers().get(REQUEST_ID_HEADER).cloned();
    let id = name.as_ref().and_then(|name| name.to_str().ok());
    let Some(id) = id else { return answer };
    let mut page = visit.answer(PageError::Page.into_response(), id);
    page.headers_mut().extend(name.clone().map(|name| (REQUEST_ID_HEADER, name)));
    page
}
