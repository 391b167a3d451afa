//! Sources: what is shown beside an answer.

use axum::http::StatusCode;
use axum::response::Response;
use dalil_evidence::citation_source::event::SourcesEvent;
use dalil_evidence::citation_source::request::SourcesRequest;
use dalil_proof::json::Json;

use super::schema;
use crate::extract::JsonBody;
use crate::problem::ApiProblem;
use crate::reply;

/// Chooses the sources to show beside an answer (spec/sources.md)
#[utoipa::path(post, path = "/api/v1/sources", operation_id = "choose_sources", tag = "sources", request_body = schema::source::SourcesRequestBody,
    responses((status = 200, description = "The `rag.sources` event.", body = schema::source::SourcesEventBody)))]
pub(crate) async fn choose(JsonBody(body): JsonBody) -> Result<Response, ApiProblem> {
    let json = Json::parse(&body)?;
    let request = SourcesRequest::read(&json)?;
    reply::status(StatusCode::OK, &SourcesEvent::of(&request))
}
