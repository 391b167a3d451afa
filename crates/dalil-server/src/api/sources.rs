//! Sources: what is shown beside an answer.

use axum::http::StatusCode;
use axum::response::Response;
use dalil_core::json::Json as Value;
use dalil_core::source::event::Event;
use dalil_core::source::request::Request;

use crate::ask::Json;
use crate::problem::Problem;
use crate::reply;

/// Chooses the sources to show beside an answer (spec/sources.md)
#[utoipa::path(post, path = "/api/v1/sources", tag = "sources", request_body = Object,
    responses((status = 200, description = "The `rag.sources` event.", body = Object)))]
pub(crate) async fn choose(Json(body): Json) -> Result<Response, Problem> {
    let json = Value::parse(&body)?;
    let request = Request::read(&json)?;
    reply::status(StatusCode::OK, &Event::of(&request))
}
