//! Replies: canonical JSON with an entity tag, texts, and bytes that stream.

use axum::body::{Body, Bytes};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE, ETAG, IF_NONE_MATCH, LOCATION,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use dalil_proof::canon;
use dalil_proof::digest::Digest;
use dalil_store::Tenant;
use serde::Serialize;

use crate::percent::seg;
use crate::problem::{ApiProblem, ProblemKind};
use crate::trace::TracedEvidence;

/// A value as canonical JSON, or nothing when the caller has it already.
pub(crate) fn json(asked: &HeaderMap, value: &impl Serialize) -> Result<Response, ApiProblem> {
    let body = canon::bytes(value).map_err(|_| ApiProblem::new(ProblemKind::Internal))?;
    Ok(EtagBody::json(body).reply(asked))
}

/// A reply that is whole and has its entity tag, so that it can be sent again and again.
#[derive(Debug)]
pub(crate) struct EtagBody {
    body: Bytes,
    tag: String,
}

impl EtagBody {
    /// Canonical JSON.
    pub(crate) fn json(body: Vec<u8>) -> Self {
        Self { tag: tag(&Digest::of(&body)), body: Bytes::from(body) }
    }

    /// How many bytes it has.
    pub(crate) fn len(&self) -> usize {
        self.body.len()
    }

    /// The reply, or nothing when the caller has it already.
    pub(crate) fn reply(&self, asked: &HeaderMap) -> Response {
        tagged(asked, JSON_MEDIA_TYPE, &self.tag, self.body.clone())
    }
}

/// Something that was made, and where it is.
pub(crate) fn created(location: &str, value: &impl Serialize) -> Result<Response, ApiProblem> {
    let mut response = status(StatusCode::CREATED, value)?;
    if let Ok(location) = HeaderValue::from_str(location) {
        response.headers_mut().insert(LOCATION, location);
    }
    Ok(response)
}

/// A value as canonical JSON under a status.
pub(crate) fn status(status: StatusCode, value: &impl Serialize) -> Result<Response, ApiProblem> {
    let body = canon::bytes(value).map_err(|_| ApiProblem::new(ProblemKind::Internal))?;
    let mut response = (status, body).into_response();
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(JSON_MEDIA_TYPE));
    Ok(response)
}

/// A reply about evidence, which a trace names by its digest.
pub(crate) fn about(mut response: Response, digest: &Digest) -> Response {
    response.extensions_mut().insert(TracedEvidence::of(digest));
    response
}

/// A reply about a sealed pack; a trace names its digest and the trace of its decision.
pub(crate) fn about_pack(mut response: Response, payload: &[u8]) -> Response {
    response.extensions_mut().insert(TracedEvidence::of_pack(payload));
    response
}

/// Text, or nothing when the caller has it already.
pub(crate) fn text(asked: &HeaderMap, text: String) -> Response {
    tagged(asked, TEXT_MEDIA_TYPE, &tag(&Digest::of(text.as_bytes())), Bytes::from(text))
}

/// Figures in the text format of Prometheus.
pub(crate) fn figures(asked: &HeaderMap, text: String) -> Response {
    tagged(asked, FIGURES_MEDIA_TYPE, &tag(&Digest::of(text.as_bytes())), Bytes::from(text))
}

/// A picture, or nothing when the browser has it already. The browser keeps it and asks again each
/// time, so that a user who lost access no longer sees it.
pub(crate) fn picture(asked: &HeaderMap, png: Bytes) -> Response {
    tagged(asked, PICTURE_MEDIA_TYPE, &tag(&Digest::of(&png)), png)
}

fn tagged(asked: &HeaderMap, media_type: &'static str, tag: &str, body: Bytes) -> Response {
    if has(asked, tag) {
        return not_modified(tag);
    }
    let mut response = body.into_response();
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    with_tag(response, tag)
}

/// An object of the lake, piece by piece. A damaged one ends before its last byte.
pub(crate) async fn object(
    asked: &HeaderMap,
    tenant: &Tenant,
    (digest, size): (&Digest, u64),
    (media_type, filename): (&str, &str),
) -> Result<Response, ApiProblem> {
    let tag = tag(digest);
    if has(asked, &tag) {
        return Ok(not_modified(&tag));
    }
    let reader = tenant.lake()?.get_stream(digest).await?;
    let pieces = futures_util::stream::unfold(Some(reader), async |reader| {
        let mut reader = reader?;
        match reader.next().await {
            Ok(Some(piece)) => Some((Ok(piece), Some(reader))),
            Ok(None) => None,
            // The status is sent already. The length was promised, so a body that ends early is an
            // error at the caller's too.
            Err(error) => Some((Err(error), None)),
        }
    });
    let mut response = Body::from_stream(pieces).into_response();
    let headers = response.headers_mut();
    let media_type = HeaderValue::from_str(media_type);
    headers.insert(CONTENT_TYPE, media_type.unwrap_or(HeaderValue::from_static(BINARY_MEDIA_TYPE)));
    headers.insert(CONTENT_LENGTH, HeaderValue::from(size));
    if let Ok(disposition) = HeaderValue::from_str(&attachment(filename)) {
        headers.insert(CONTENT_DISPOSITION, disposition);
    }
    Ok(with_tag(response, &tag))
}

/// A file name to save under, as in RFC 6266, percent-encoded where it is not plain.
pub(crate) fn attachment(filename: &str) -> String {
    format!("attachment; filename*=UTF-8''{}", seg(filename))
}

fn tag(digest: &Digest) -> String {
    format!("\"{}\"", digest.hex())
}

/// Whether the caller has the content with a tag.
fn has(asked: &HeaderMap, tag: &str) -> bool {
    let given = asked.get(IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    let mut given = given.into_iter().flat_map(|given| given.split(',')).map(str::trim);
    // RFC 9110, section 13.1.2: `If-None-Match` compares weakly, so `W/` does not matter.
    given.any(|one| one == "*" || one.strip_prefix("W/").unwrap_or(one) == tag)
}

fn not_modified(tag: &str) -> Response {
    with_tag(StatusCode::NOT_MODIFIED.into_response(), tag)
}

fn with_tag(mut response: Response, tag: &str) -> Response {
    let headers = response.headers_mut();
    if let Ok(tag) = HeaderValue::from_str(tag) {
        headers.insert(ETAG, tag);
    }
    // A shared cache must not answer another user.
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    response
}

pub(crate) const JSON_MEDIA_TYPE: &str = "application/json";
const TEXT_MEDIA_TYPE: &str = "text/plain; charset=utf-8";
const FIGURES_MEDIA_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";
const PICTURE_MEDIA_TYPE: &str = "image/png";
const BINARY_MEDIA_TYPE: &str = "application/octet-stream";
