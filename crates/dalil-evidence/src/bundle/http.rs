//! Kept HTTP responses as text.

use dalil_proof::json::Json;
use serde::Serialize;

/// The metadata of a response.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HttpMeta {
    /// The status, as the artifact gives it.
    pub status_code: Option<Json<'static>>,
    /// Where it came from.
    pub url: Option<String>,
    /// How long the lines above the body are, in bytes.
    pub header_size: usize,
    /// How long the body is, in bytes.
    pub body_original_size: usize,
    /// Whether the item holds less than the body.
    pub body_truncated: bool,
}

/// A response as text, and its metadata.
pub(super) fn text(artifact: &Json<'_>) -> Result<(String, HttpMeta), String> {
    let Json::Object(_) = artifact else {
        return Err(format!("expected an HTTP response, found {}", artifact.kind().english()));
    };
    let status = field(artifact, "status_code", HttpFieldType::Any)?;
    let reason = field(artifact, "reason", HttpFieldType::Text)?.map_or(String::new(), line);
    let url = field(artifact, "url", HttpFieldType::Text)?;
    let body = match field(artifact, "body", HttpFieldType::Text)? {
        Some(Json::Text(body)) => body.as_ref(),
        _ => "",
    };
    let code = status.map_or("UNKNOWN".to_owned(), line);
    let shown = url.map_or("unknown".to_owned(), line);
    let mut head = format!("HTTP {code} {reason}\nURL: {shown}");
    for name in ["content-type", "content-length", "date"] {
        if let Some(value) = header(artifact, name)? {
            head.push_str(&format!("\n{name}: {value}"));
        }
    }
    let meta = HttpMeta {
        status_code: status.map(|status| status.clone().into_owned()),
        url: url.map(line),
        header_size: head.len(),
        body_original_size: body.len(),
        body_truncated: false,
    };
    Ok((format!("{head}\n\n--- Response Body ---\n{body}"), meta))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum HttpFieldType {
    Text,
    Any,
}

/// A field that is absent, null, or a scalar of the right sort.
fn field<'a>(
    artifact: &'a Json<'a>,
    name: &str,
    wanted: HttpFieldType,
) -> Result<Option<&'a Json<'a>>, String> {
    match artifact.get(name) {
        None | Some(Json::Null) => Ok(None),
        Some(value @ Json::Text(_)) => Ok(Some(value)),
        Some(value @ Json::Number(_)) if wanted == HttpFieldType::Any => Ok(Some(value)),
        Some(other) => Err(format!("expected text in `{name}`, found {}", other.kind().english())),
    }
}

/// The value of a header, whose name is compared without case.
fn header(artifact: &Json<'_>, name: &str) -> Result<Option<String>, String> {
    let headers = match artifact.get("headers") {
        None | Some(Json::Null) => return Ok(None),
        Some(Json::Object(headers)) => headers,
        Some(other) => {
            return Err(format!(
                "expected an object in `headers`, found {}",
                other.kind().english()
            ));
        }
    };
    // Keys are unique but for case; of `Date` and `date` the first counts.
    let found = headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
    match found.map(|(_, value)| value) {
        None | Some(Json::Null) => Ok(None),
        Some(value @ (Json::Text(_) | Json::Number(_))) => Ok(Some(line(value))),
        Some(other) => {
            Err(format!("expected text in `headers.{name}`, found {}", other.kind().english()))
        }
    }
}

/// A scalar on one line, so that a header cannot begin another.
fn line(value: &Json<'_>) -> String {
    match value {
        Json::Text(text) => text.chars().map(|ch| if ch.is_control() { ' ' } else { ch }).collect(),
        other => serde_json::to_string(other).unwrap_or_else(|error| error.to_string()),
    }
}
