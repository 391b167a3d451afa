//! The door: a message in, and its answer out, by requests of the API.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::header::{ACCEPT_LANGUAGE, AUTHORIZATION, CONTENT_TYPE, HeaderName};
use axum::http::{HeaderMap, HeaderValue, Method, Request, StatusCode};
use dalil_phrasebook::{Language, Phrase, mcp};
use dalil_proof::fault::{Refused, quote};
use dalil_proof::json::Json;
use serde_json::{Value, json};
use tower::ServiceExt as _;

use super::envelope::{
    self, ProtocolEra, RpcAnswer, RpcError, RpcErrorCode, RpcRequest, discovered, initialized,
};
use super::resource;
use super::tool::{ApiTool, TOOLS};
use crate::caller::LocalCaller;
use crate::language::asked_language;
use crate::peer::PeerAddress;
use crate::problem::{ApiProblem, ProblemKind};
use crate::routes::RouteTable;

/// Tools and resources over the routes of the API.
#[derive(Clone)]
pub(crate) struct McpDoor {
    api: Router,
    /// The OpenAPI document, which has the schemas of the tools.
    document: Arc<Value>,
}

/// The sender of a message, and how it came.
pub(crate) struct MessageOrigin {
    /// Headers that requests of the API repeat: credential, language, idempotency key, trace.
    repeated: HeaderMap,
    /// The headers of the message itself, where it has some.
    headers: Option<HeaderMap>,
    peer: Option<PeerAddress>,
    local: Option<LocalCaller>,
    language: Language,
}

/// A request of the API.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ApiCall {
    method: Method,
    path: String,
    media_type: Option<&'static str>,
    body: Vec<u8>,
}

/// An answer of the API.
struct ApiAnswer {
    status: StatusCode,
    text: String,
    json: Option<Value>,
}

impl MessageOrigin {
    /// A message that came over HTTP.
    pub(super) fn http(headers: &HeaderMap, peer: Option<PeerAddress>) -> Self {
        let mut repeated = HeaderMap::new();
        let idempotency = HeaderName::from_static("idempotency-key");
        let trace = HeaderName::from_static("traceparent");
        for name in [AUTHORIZATION, ACCEPT_LANGUAGE, idempotency, trace] {
            repeated.extend(headers.get(&name).map(|value| (name.clone(), value.clone())));
        }
        let language = asked_language(headers);
        Self { repeated, headers: Some(headers.clone()), peer, local: None, language }
    }

    /// A message of an agent that runs this program.
    pub(super) fn local(caller: LocalCaller, language: Language) -> Self {
        let mut repeated = HeaderMap::new();
        repeated.insert(ACCEPT_LANGUAGE, HeaderValue::from_static(language.tag()));
        Self { repeated, headers: None, peer: None, local: Some(caller), language }
    }
}

impl ApiCall {
    pub(super) fn get(path: String) -> Self {
        Self { method: Method::GET, path, media_type: None, body: Vec::new() }
    }

    pub(super) fn post(path: String, media_type: &'static str, body: Vec<u8>) -> Self {
        Self { method: Method::POST, path, media_type: Some(media_type), body }
    }
}

impl McpDoor {
    /// A door to some routes.
    pub(crate) fn new(api: Router) -> Self {
        let document = serde_json::to_value(RouteTable::new().document());
        // The document is made of our own types; one that cannot be written has no schemas.
        Self { api, document: Arc::new(document.unwrap_or_default()) }
    }

    /// Answers a message; none for a notification.
    pub(crate) async fn answer(&self, message: &[u8], origin: &MessageOrigin) -> Option<RpcAnswer> {
        let unread = (Value::Null, ProtocolEra::Handshake);
        let message = match Json::parse(message) {
            Ok(message) => message,
            Err(refused) => {
                let data = Some(json!({"faults": faults(&refused, origin.language)}));
                let error = RpcError::new(RpcErrorCode::Parse, mcp::no_json());
                let error = RpcError { data, ..error };
                return Some(RpcAnswer::error(unread, error, origin.language));
            }
        };
        let request = match envelope::request(&message, origin.headers.as_ref()) {
            Ok(request) => request?,
            Err((named, error)) => return Some(RpcAnswer::error(named, error, origin.language)),
        };
        Some(match self.result(&request, origin).await {
            Ok(result) => RpcAnswer::result(&request, result),
            Err(error) => {
                RpcAnswer::error((request.id.clone(), request.era), error, origin.language)
            }
        })
    }

    async fn result(
        &self,
        request: &RpcRequest<'_>,
        origin: &MessageOrigin,
    ) -> Result<Value, RpcError> {
        match (request.method, request.era) {
            ("initialize", _) => Ok(initialized(request.param("protocolVersion"))),
            ("server/discover", ProtocolEra::Envelope) => Ok(discovered()),
            ("ping", ProtocolEra::Handshake) => Ok(json!({})),
            ("tools/list", _) => {
                let tools = TOOLS.iter().map(|tool| tool.listed(&self.document, origin.language));
                Ok(json!({"tools": tools.collect::<Vec<_>>()}))
            }
            ("tools/call", _) => self.tool(request, origin).await,
            ("resources/templates/list", _) => Ok(resource::templates()),
            ("resources/list", _) => self.resources(origin).await,
            ("resources/read", _) => self.resource(request, origin).await,
            (other, _) => {
                let message = mcp::no_method(quote(other));
                Err(RpcError::new(RpcErrorCode::MethodNotFound, message))
            }
        }
    }

    /// Calls a tool. A refusal by the API is a result too: the model reads it and can do better.
    async fn tool(
        &self,
        request: &RpcRequest<'_>,
        origin: &MessageOrigin,
    ) -> Result<Value, RpcError> {
        let name = request.param("name").unwrap_or_default();
        let Some(tool) = ApiTool::named(name) else {
            let message = mcp::no_tool(quote(name));
            return Err(RpcError::new(RpcErrorCode::InvalidParams, message));
        };
        let call = match tool.call(request.params.and_then(|params| params.get("arguments"))) {
            Ok(call) => call,
            Err(refused) => {
                let problem = ApiProblem::from(refused);
                let told = serde_json::to_value(problem.details(origin.language));
                return told.map(|told| refusal(&told)).map_err(|_| lost());
            }
        };
        let answer = self.ask(call, origin).await?;
        let Some(said) = answer.json else { return Err(lost()) };
        if answer.status.is_client_error() || answer.status.is_server_error() {
            return Ok(refusal(&said));
        }
        let mut content = vec![json!({"type": "text", "text": answer.text})];
        // The session of a ledger that is there, or of one that is being made.
        let session = said.pointer("/session/id").or_else(|| said.get("subject"));
        if let Some(session) = session.and_then(Value::as_str) {
            content.push(json!({"type": "resource_link", "uri": resource::ledger_uri(session),
                "name": session, "mimeType": resource::JSON_MEDIA_TYPE}));
        }
        Ok(json!({"content": content, "structuredContent": said, "isError": false}))
    }

    async fn resources(&self, origin: &MessageOrigin) -> Result<Value, RpcError> {
        let mut resources = Vec::new();
        for call in resource::list_calls() {
            let answer = self.ask(call, origin).await?.shown()?;
            let items = answer.json.as_ref().and_then(|json| json["items"].as_array());
            resources.extend(items.into_iter().flatten().filter_map(resource::listed));
        }
        Ok(json!({"resources": resources}))
    }

    async fn resource(
        &self,
        request: &RpcRequest<'_>,
        origin: &MessageOrigin,
    ) -> Result<Value, RpcError> {
        let uri = request.param("uri").unwrap_or_default();
        let Some(call) = resource::call(uri) else {
            let message = mcp::no_resource(quote(uri));
            return Err(RpcError::new(RpcErrorCode::ResourceNotFound, message));
        };
        let answer = self.ask(call, origin).await?.shown()?;
        let content =
            json!({"uri": uri, "mimeType": resource::JSON_MEDIA_TYPE, "text": answer.text});
        Ok(json!({"contents": [content]}))
    }

    /// Calls the API as the sender of the message.
    async fn ask(&self, call: ApiCall, origin: &MessageOrigin) -> Result<ApiAnswer, RpcError> {
        let ApiCall { method, path, media_type, body } = call;
        let mut request = Request::new(Body::from(body));
        *request.method_mut() = method;
        *request.uri_mut() = path.parse().map_err(|_| lost())?;
        *request.headers_mut() = origin.repeated.clone();
        if let Some(media_type) = media_type {
            request.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
        }
        let extensions = request.extensions_mut();
        if let Some(peer) = origin.peer {
            extensions.insert(peer);
        }
        if let Some(local) = &origin.local {
            extensions.insert(local.clone());
        }
        let answer = self.api.clone().oneshot(request).await;
        let answer = answer.unwrap_or_else(|never| match never {});
        let status = answer.status();
        let body = to_bytes(answer.into_body(), MAX_ANSWER_BYTES).await.map_err(|_| lost())?;
        let text = String::from_utf8_lossy(&body).into_owned();
        Ok(ApiAnswer { status, json: serde_json::from_str(&text).ok(), text })
    }
}

impl ApiAnswer {
    /// The answer if it is a success; a problem is an error that names the reason.
    fn shown(self) -> Result<Self, RpcError> {
        if self.status.is_success() {
            return Ok(self);
        }
        let Some(problem) = self.json else { return Err(lost()) };
        let code = match self.status {
            StatusCode::NOT_FOUND | StatusCode::GONE => RpcErrorCode::ResourceNotFound,
            status if status.is_client_error() => RpcErrorCode::InvalidParams,
            _ => RpcErrorCode::Internal,
        };
        let message = Phrase::verbatim(text(&problem, "detail"));
        Err(RpcError { code, message, data: Some(problem) })
    }
}

/// A result that lists the faults of a problem, each with its path.
fn refusal(problem: &Value) -> Value {
    let mut lines = vec![text(problem, "title").to_owned()];
    match problem.get("faults").and_then(Value::as_array) {
        Some(faults) => lines.extend(faults.iter().map(|fault| {
            let said = format!("{}: {}", text(fault, "path"), text(fault, "message"));
            match text(fault, "hint") {
                "" => said,
                hint => format!("{said} ({hint})"),
            }
        })),
        None => lines.push(text(problem, "detail").to_owned()),
    }
    let content = json!([{"type": "text", "text": lines.join("\n")}]);
    json!({"content": content, "structuredContent": problem, "isError": true})
}

/// A field that is text; nothing where it is absent, as a hint may be.
fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value.get(name).and_then(Value::as_str).unwrap_or("")
}

fn faults(refused: &Refused, language: Language) -> Value {
    let faults = refused.refused.clone();
    let problem = ApiProblem { faults, ..ApiProblem::new(ProblemKind::Malformed) };
    serde_json::to_value(problem.faults_in(language)).unwrap_or_default()
}

/// The API answered with something that is no JSON, or too long.
fn lost() -> RpcError {
    RpcError::new(RpcErrorCode::Internal, dalil_phrasebook::problem::internal())
}

/// A ledger of ten thousand claims has this size.
const MAX_ANSWER_BYTES: usize = 256 << 20;
