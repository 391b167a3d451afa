//! Sources: documents shown beside an answer.

use axum::http::StatusCode;
use axum::response::Response;
use dalil_evidence::citation_source::event::SourcesEvent;
use dalil_evidence::citation_source::request::SourcesRequest;
use dalil_evidence::citation_source::wire;
use dalil_proof::json::Json;

use super::query::{SourcesFormat, SourcesQuery};
use super::schema;
use crate::extract::{ApiQuery, JsonBody};
use crate::problem::{ApiProblem, ProblemKind};
use crate::reply;

/// Chooses the sources to show beside an answer (spec/sources.md)
#[utoipa::path(post, path = "/api/v1/sources", operation_id = "choose_sources", tag = "sources", params(SourcesQuery), request_body = schema::source::SourcesRequestBody,
    responses((status = 200, description = "The `rag.sources` event, or the same sources in another vendor's format.", body = schema::source::SourcesReplyBody)))]
pub(crate) async fn choose(
    ApiQuery(query): ApiQuery<SourcesQuery>,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiProblem> {
    let format = query.format.unwrap_or_default();
    // A thread that answers others has no time for a hundred thousand candidates.
    let chosen = tokio::task::spawn_blocking(move || chosen(&body, format)).await;
    chosen.map_err(|_| ApiProblem::new(ProblemKind::Internal))?
}

fn chosen(body: &[u8], format: SourcesFormat) -> Result<Response, ApiProblem> {
    let json = Json::parse(body)?;
    let request = SourcesRequest::read(&json)?;
    let event = SourcesEvent::of(&request);
    match format {
        SourcesFormat::Event => reply::status(StatusCode::OK, &event),
        SourcesFormat::AiSdk => reply::status(StatusCode::OK, &wire::parts(&event)),
        SourcesFormat::Anthropic => reply::status(StatusCode::OK, &wire::anthropic(&event)),
        SourcesFormat::Openai => reply::status(StatusCode::OK, &wire::openai(&request, &event)),
    }
}
