//! The API for agents: the Model Context Protocol, over HTTP at `/mcp` and over standard input.
//!
//! ```text
//! message ─envelope─▶ method ─tool or resource─▶ a request of the API ─▶ guard ─▶ api
//!                                                reply or problem ◀──────────────┘
//! ```
//!
//! A tool is an operation of the API, and a resource something that it shows. Each call passes
//! the same guard as any other request, with the credential of the message, so agents
//! have the same rights here as there. The protocol is stateless: no message depends on another.
//!
//! Written by hand rather than with `rmcp`: docs/decisions.md says why.

use axum::extract::{Request, State};
use axum::http::header::{HOST, HeaderName, ORIGIN};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use axum::{Extension, Router};
use dalil_phrasebook::expected;
use dalil_proof::fault::{Fault, quoted};

use self::door::{McpDoor, MessageOrigin};
use crate::app::App;
use crate::extract::JsonBody;
use crate::guard::guard;
use crate::peer::PeerAddress;
use crate::permission::Permission;
use crate::problem::{ApiProblem, ProblemKind, SaidElsewhere};
use crate::{reply, telemetry};

pub(crate) mod door;
mod envelope;
mod resource;
pub mod stdio;
#[cfg(test)]
mod tests;
mod tool;

/// Adds `/mcp` to the API.
pub(crate) fn router(app: &App, api: Router) -> Router {
    let door = McpDoor::new(api.clone());
    let open = Router::new()
        .route("/mcp", post(answer))
        .layer(Extension(door))
        .layer(from_fn(|request: Request, next: Next| guard(Permission::View, request, next)))
        .layer(Extension(app.clone()))
        .layer(from_fn_with_state(app.clone(), telemetry::watch))
        .with_state(app.clone());
    api.merge(open)
}

/// Answers one message.
async fn answer(
    State(app): State<App>,
    Extension(door): Extension<McpDoor>,
    peer: Option<Extension<PeerAddress>>,
    headers: HeaderMap,
    JsonBody(message): JsonBody,
) -> Result<Response, ApiProblem> {
    refuse_other_sites(&app, &headers)?;
    let origin = MessageOrigin::http(&headers, peer.map(|Extension(peer)| peer));
    let Some(answer) = door.answer(&message, &origin).await else {
        return Ok(StatusCode::ACCEPTED.into_response());
    };
    let status = StatusCode::from_u16(answer.status()).unwrap_or(StatusCode::OK);
    let mut response = reply::status(status, answer.body())?;
    response.extensions_mut().insert(SaidElsewhere);
    Ok(response)
}

/// Refuses pages of other sites, which a browser would let speak to a server of this machine.
fn refuse_other_sites(app: &App, headers: &HeaderMap) -> Result<(), ApiProblem> {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let Some(from) = text(ORIGIN) else { return Ok(()) };
    let host = from.split_once("://").map(|(_, host)| host);
    let is_own = host.is_some() && host == text(HOST)
        || app.config.public_url.as_deref().is_some_and(|own| own == from);
    if is_own {
        return Ok(());
    }
    let expected = expected::the_address_of_this_server();
    let fault = Fault::new("origin", "header:origin", expected, quoted(from));
    Err(ApiProblem::fault(ProblemKind::Forbidden, fault))
}
