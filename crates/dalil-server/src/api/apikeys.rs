//! Keys for the API.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use dalil_evidence::apikey::ApiKeyScope;
use dalil_phrasebook::{expected, found, hint, precondition};
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::fault::{Fault, quote, quoted};
use dalil_proof::record::Actor;
use dalil_service::apikey::{self, IssuedApiKey, NewApiKey};

use super::schema;
use crate::app::App;
use crate::caller::Caller;
use crate::extract::{ApiPath, JsonBody};
use crate::permission::Permission;
use crate::problem::ApiProblem;
use crate::reply;

/// The API keys of the tenant, without their secrets
#[utoipa::path(get, path = "/api/v1/api-keys", operation_id = "list_api_keys", tag = "api keys",
    responses((status = 200, description = "The keys.", body = schema::apikey::ApiKeyListBody)))]
pub(crate) async fn list(caller: Caller, headers: HeaderMap) -> Result<Response, ApiProblem> {
    reply::json(&headers, &apikey::list(&caller.tenant).await?)
}

/// Creates a key; its text is in this reply and nowhere else
///
/// `{"actor": "person:NAME" | "agent:NAME", "scopes": [...], "expires_at"?}`. The scopes: `view`,
/// `record`, `review`, `export`, `administer`. A person's key is created by that person, or with
/// `dalil apikey add` by an operator of the store; an agent's by an admin. A key gets no more
/// permissions than the credential that creates it, and no later expiry. A repeated request with
/// the same `Idempotency-Key` is a conflict, as the text of the key is not shown again.
#[utoipa::path(post, path = "/api/v1/api-keys", operation_id = "add_api_key", tag = "api keys", request_body = schema::apikey::NewApiKeyBody,
    responses((status = 201, description = "The key, shown once.", body = schema::apikey::IssuedApiKeyBody)))]
pub(crate) async fn add(
    State(app): State<App>,
    caller: Caller,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiProblem> {
    let made = issue(&app, &caller, decode::request(&body, order)?).await?;
    reply::created(&format!("/api/v1/api-keys/{}", made.key.key_id), &made)
}

/// Makes a key in the name of a caller.
pub(crate) async fn issue(
    app: &App,
    caller: &Caller,
    order: NewApiKey,
) -> Result<IssuedApiKey, ApiProblem> {
    // The holder of a person's key acts in that name. An admin who could make one could approve
    // their own exports with it.
    if let Actor::Person(name) = &order.actor
        && name != caller.name()
    {
        let expected = precondition::an_agent_or_itself(quote(caller.name()));
        let fault = Fault::new("own_key", "actor", expected, quoted(name)).hint(hint::own_key());
        return Err(crate::guard::refuse(app, caller, (Permission::Administer, name), fault).await);
    }
    if let Err(fault) = within(caller, &order) {
        let route = "POST /api/v1/api-keys";
        return Err(crate::guard::refuse(app, caller, (Permission::Administer, route), fault).await);
    }
    let request_context = app.request_context(caller)?;
    Ok(apikey::add(&caller.tenant, &order, &app.pepper, &request_context).await?)
}

/// Refuses a key that could more, or for longer, than the credential that asks for it.
fn within(caller: &Caller, order: &NewApiKey) -> Result<(), Fault> {
    let words = |scopes: &mut dyn Iterator<Item = &ApiKeyScope>| {
        scopes.map(|scope| scope.as_str()).collect::<Vec<_>>().join("`, `")
    };
    let more = words(&mut order.scopes.difference(&caller.scopes));
    if !more.is_empty() {
        let expected =
            precondition::at_most_the_scopes_of_this_credential(words(&mut caller.scopes.iter()));
        return Err(Fault::new("scope", "scopes", expected, found::scope_too(more)));
    }
    let Some(end) = caller.ends else { return Ok(()) };
    match order.expires_at {
        Some(asked) if asked <= end => Ok(()),
        asked => {
            let found = asked.map_or(found::no_end(), found::value);
            let expected = precondition::a_time_up_to_when_this_credential_ends(end);
            Err(Fault::new("time_order", "expires_at", expected, found))
        }
    }
}

pub(crate) fn order(reader: JsonReader<'_, '_>) -> Option<NewApiKey> {
    let mut fields = reader.object()?;
    let actor = fields.required("actor", |actor| {
        let named = decode::text(actor).and_then(apikey::actor);
        named.or_else(|| actor.refuse("actor", expected::person_or_agent()))
    });
    let scopes =
        fields.required("scopes", |list| list.list(|word| word.choice(ApiKeyScope::WIRE_NAMES)));
    let expires_at = fields.optional("expires_at", decode::time);
    fields.done()?;
    Some(NewApiKey {
        actor: actor?,
        scopes: scopes?.into_iter().collect(),
        expires_at: expires_at?,
    })
}

/// Revokes a key: it is refused from now on
#[utoipa::path(delete, path = "/api/v1/api-keys/{key_id}", operation_id = "revoke_api_key", tag = "api keys",
    params(("key_id" = String, Path, description = "The key.")),
    responses((status = 200, description = "The record of the revocation.", body = schema::scalar::RecordAckBody)))]
pub(crate) async fn revoke(
    State(app): State<App>,
    caller: Caller,
    ApiPath(id): ApiPath<String>,
) -> Result<Response, ApiProblem> {
    let ack = apikey::revoke(&caller.tenant, &id, &app.request_context(&caller)?).await?;
    reply::status(StatusCode::OK, &ack)
}
