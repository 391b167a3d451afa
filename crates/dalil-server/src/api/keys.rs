//! Signing keys of the trail.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use dalil_proof::decode;
use dalil_service::keys;

use super::schema;
use crate::app::App;
use crate::caller::Caller;
use crate::extract::{ApiPath, JsonBody};
use crate::problem::ApiProblem;
use crate::reply;

/// The history of the signing keys
#[utoipa::path(get, path = "/api/v1/keys", operation_id = "list_keys", tag = "keys",
    responses((status = 200, description = "Every change.", body = schema::key::TenantKeyHistoryBody)))]
pub(crate) async fn list(caller: Caller, headers: HeaderMap) -> Result<Response, ApiProblem> {
    reply::json(&headers, &keys::list(&caller.tenant).await?)
}

/// The trust file for a verifier: the origin and the key history
#[utoipa::path(get, path = "/api/v1/keys/trust", operation_id = "trust_file", tag = "keys",
    responses((status = 200, description = "A trust file.", body = schema::key::TrustFileBody)))]
pub(crate) async fn trust(caller: Caller, headers: HeaderMap) -> Result<Response, ApiProblem> {
    // Without a head: one that is seen now has another size than any file that left before.
    reply::json(&headers, &keys::trust(&caller.tenant, None).await?)
}

/// Generates a key that signs from now on; `{"name"?}`
#[utoipa::path(post, path = "/api/v1/keys", operation_id = "add_key", tag = "keys", request_body = schema::key::NewSigningKeyBody,
    responses((status = 201, description = "The key.", body = schema::key::KeyChangeBody)))]
pub(crate) async fn add(
    State(app): State<App>,
    caller: Caller,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiProblem> {
    let name = decode::request(&body, |reader| {
        let mut fields = reader.object()?;
        let name = fields.optional("name", decode::filled);
        fields.done()?;
        name
    })?;
    let added = keys::add(&caller.tenant, name.as_deref(), &app.request_context(&caller)?).await?;
    reply::status(StatusCode::CREATED, &added)
}

/// Retires a key: its signatures stay valid
#[utoipa::path(post, path = "/api/v1/keys/{key_id}/retire", operation_id = "retire_key", tag = "keys",
    params(("key_id" = String, Path, description = "The key.")),
    responses((status = 200, description = "The record.", body = schema::scalar::RecordAckBody)))]
pub(crate) async fn retire(
    State(app): State<App>,
    caller: Caller,
    ApiPath(id): ApiPath<String>,
) -> Result<Response, ApiProblem> {
    let ack = keys::retire(&caller.tenant, &id, &app.request_context(&caller)?).await?;
    reply::status(StatusCode::OK, &ack)
}

/// Revokes a key: its signatures are valid only where a trusted party saw them before
#[utoipa::path(post, path = "/api/v1/keys/{key_id}/revoke", operation_id = "revoke_key", tag = "keys",
    params(("key_id" = String, Path, description = "The key.")),
    responses((status = 200, description = "The record.", body = schema::scalar::RecordAckBody)))]
pub(crate) async fn revoke(
    State(app): State<App>,
    caller: Caller,
    ApiPath(id): ApiPath<String>,
) -> Result<Response, ApiProblem> {
    let ack = keys::revoke(&caller.tenant, &id, &app.request_context(&caller)?).await?;
    reply::status(StatusCode::OK, &ack)
}
