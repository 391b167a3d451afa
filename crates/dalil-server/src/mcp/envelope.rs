//! Messages: JSON-RPC 2.0, and the additions of each version of the protocol.
//!
//! Up to 2025-11-25 a client states its version once (`initialize`); since 2026-07-28 each
//! request states it in its `_meta`, and results state their completeness and lifetime.

use axum::http::HeaderMap;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use dalil_phrasebook::{Language, Phrase, mcp};
use dalil_proof::canon;
use dalil_proof::json::Json;
use serde_json::{Value, json};

/// A request, taken out of its message.
#[derive(Debug)]
pub(super) struct RpcRequest<'m> {
    /// The id, which the answer repeats.
    pub(super) id: Value,
    pub(super) method: &'m str,
    pub(super) params: Option<&'m Json<'m>>,
    pub(super) era: ProtocolEra,
}

/// How a request states its protocol version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProtocolEra {
    /// Once, by a handshake.
    Handshake,
    /// Each time.
    Envelope,
}

/// Why a message is not answered with a result.
#[derive(Debug)]
pub(super) struct RpcError {
    pub(super) code: RpcErrorCode,
    pub(super) message: Phrase,
    pub(super) data: Option<Value>,
}

/// The codes of JSON-RPC, and those of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RpcErrorCode {
    Parse,
    InvalidRequest,
    MethodNotFound,
    InvalidParams,
    Internal,
    ResourceNotFound,
    HeaderMismatch,
    UnsupportedVersion,
}

/// An answer on its way.
#[derive(Debug)]
pub(crate) struct RpcAnswer {
    body: Value,
    status: u16,
}

impl RpcAnswer {
    /// The JSON of the answer.
    pub(crate) fn body(&self) -> &Value {
        &self.body
    }

    /// Under which status of HTTP.
    pub(crate) fn status(&self) -> u16 {
        self.status
    }

    pub(super) fn result(request: &RpcRequest<'_>, mut result: Value) -> Self {
        if let (ProtocolEra::Envelope, Some(fields)) = (request.era, result.as_object_mut()) {
            fields.insert("resultType".to_owned(), json!("complete"));
            // The result is the caller's own, and the next record changes it.
            fields.insert("cacheScope".to_owned(), json!("private"));
            fields.insert("ttlMs".to_owned(), json!(0));
            let name = json!({SERVER_INFO_KEY: server_info()});
            fields.insert("_meta".to_owned(), name);
        }
        let body = json!({"jsonrpc": "2.0", "id": request.id, "result": result});
        Self { body, status: 200 }
    }

    pub(super) fn error(
        (id, era): (Value, ProtocolEra),
        error: RpcError,
        language: Language,
    ) -> Self {
        let RpcError { code, message, data } = error;
        let mut told = json!({"code": code.number(), "message": message.text(language)});
        if let (Some(data), Some(fields)) = (data, told.as_object_mut()) {
            fields.insert("data".to_owned(), data);
        }
        let body = json!({"jsonrpc": "2.0", "id": id, "error": told});
        // A handshake's clients read the error out of a reply that is otherwise well.
        let status = if era == ProtocolEra::Envelope { code.status() } else { 200 };
        Self { body, status }
    }
}

impl RpcError {
    pub(super) fn new(code: RpcErrorCode, message: Phrase) -> Self {
        Self { code, message, data: None }
    }
}

impl RpcErrorCode {
    const fn number(self) -> i32 {
        match self {
            Self::Parse => -32_700,
            Self::InvalidRequest => -32_600,
            Self::MethodNotFound => -32_601,
            Self::InvalidParams => -32_602,
            Self::Internal => -32_603,
            Self::ResourceNotFound => -32_002,
            Self::HeaderMismatch => -32_020,
            Self::UnsupportedVersion => -32_022,
        }
    }

    const fn status(self) -> u16 {
        match self {
            Self::MethodNotFound | Self::ResourceNotFound => 404,
            Self::Internal => 500,
            Self::Parse
            | Self::InvalidRequest
            | Self::InvalidParams
            | Self::HeaderMismatch
            | Self::UnsupportedVersion => 400,
        }
    }
}

/// Takes the request out of a message; none where it is a notification, which gets no answer.
///
/// # Errors
/// The error, with the request's id and version as far as they are known.
pub(super) fn request<'m>(
    message: &'m Json<'m>,
    headers: Option<&HeaderMap>,
) -> Result<Option<RpcRequest<'m>>, ((Value, ProtocolEra), RpcError)> {
    let unnamed = (Value::Null, ProtocolEra::Handshake);
    let refused =
        |named, message| Err((named, RpcError::new(RpcErrorCode::InvalidRequest, message)));
    let Json::Object(_) = message else { return refused(unnamed, mcp::one_message()) };
    let Some(Json::Text(method)) = message.get("method") else {
        return refused(unnamed, mcp::message_without_method());
    };
    let id = match message.get("id") {
        None => return Ok(None),
        Some(id @ (Json::Text(_) | Json::Number(_))) => value(id),
        Some(_) => return refused(unnamed, mcp::message_without_id()),
    };
    let params = message.get("params");
    let meta = params.and_then(|params| params.get("_meta"));
    let version = meta.and_then(|meta| meta.get(PROTOCOL_VERSION_KEY));
    let era = match version {
        Some(_) => ProtocolEra::Envelope,
        None => ProtocolEra::Handshake,
    };
    let request = RpcRequest { id, method, params, era };
    if let Some(version) = version {
        let named = || (request.id.clone(), era);
        let says_otherwise = headers.is_some_and(|headers| !agrees(&request, version, headers));
        if says_otherwise {
            let code = RpcErrorCode::HeaderMismatch;
            return Err((named(), RpcError::new(code, mcp::headers_say_otherwise())));
        }
        if *version != Json::Text(ENVELOPE_VERSION.into()) {
            let known = json!([ENVELOPE_VERSION]);
            let data = json!({"supported": known, "requested": value(version)});
            let message = mcp::another_version();
            let error = RpcError::new(RpcErrorCode::UnsupportedVersion, message);
            return Err((named(), RpcError { data: Some(data), ..error }));
        }
    }
    Ok(Some(request))
}

/// Whether the headers that proxies read agree with the message.
fn agrees(request: &RpcRequest<'_>, version: &Json<'_>, headers: &HeaderMap) -> bool {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let name = match request.method {
        "tools/call" => request.param("name"),
        "resources/read" => request.param("uri"),
        _ => None,
    };
    header("mcp-protocol-version").is_some_and(|said| *version == Json::Text(said.into()))
        && header("mcp-method") == Some(request.method)
        && name.is_none_or(|name| header("mcp-name").and_then(decoded).as_deref() == Some(name))
}

/// The value of a header, which is in Base64 where it is not plain.
fn decoded(header: &str) -> Option<String> {
    let coded = header.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?="));
    match coded {
        None => Some(header.to_owned()),
        Some(coded) => String::from_utf8(STANDARD.decode(coded).ok()?).ok(),
    }
}

impl<'m> RpcRequest<'m> {
    /// A parameter that is text.
    pub(super) fn param(&self, name: &str) -> Option<&'m str> {
        match self.params?.get(name)? {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// The result of `initialize`: the version that was asked for, where it is known.
pub(super) fn initialized(asked: Option<&str>) -> Value {
    let known = HANDSHAKE_VERSIONS.iter().find(|known| Some(**known) == asked);
    let newest = HANDSHAKE_VERSIONS.last();
    json!({
        "protocolVersion": known.or(newest),
        "capabilities": capabilities(),
        "serverInfo": server_info(),
    })
}

/// The result of `server/discover`.
pub(super) fn discovered() -> Value {
    json!({"supportedVersions": [ENVELOPE_VERSION], "capabilities": capabilities()})
}

fn capabilities() -> Value {
    json!({"tools": {}, "resources": {}})
}

fn server_info() -> Value {
    json!({"name": "dalil", "title": "Dalil", "version": env!("CARGO_PKG_VERSION")})
}

/// A value as the writer of answers has it.
pub(super) fn value(json: &Json<'_>) -> Value {
    let bytes = canon::bytes(json).ok();
    bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or(Value::Null)
}

/// The versions with a handshake, the newest last.
const HANDSHAKE_VERSIONS: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
const ENVELOPE_VERSION: &str = "2026-07-28";
const PROTOCOL_VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
const SERVER_INFO_KEY: &str = "io.modelcontextprotocol/serverInfo";
