//! Extractors: the query, path and body of a request, with problems for their faults.

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::request::Parts;
use dalil_phrasebook::{Phrase, bound, expected, found};
use dalil_proof::fault::{Fault, quoted};
use futures_util::StreamExt as _;
use serde::de::DeserializeOwned;

use crate::app::App;
use crate::memory_budget::BufferedBody;
use crate::problem::{ApiProblem, ProblemKind};
use crate::request_owner::RequestOwner;

/// The query of a request, which was held against the documented one.
pub(crate) struct ApiQuery<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for ApiQuery<T> {
    type Rejection = ApiProblem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiProblem> {
        let query = axum::extract::Query::<T>::from_request_parts(parts, state).await;
        // A query that the document allows and its type does not is our own fault.
        query.map(|query| Self(query.0)).map_err(|error| ApiProblem::caused(&error.body_text()))
    }
}

/// The variable parts of a path.
pub(crate) struct ApiPath<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for ApiPath<T> {
    type Rejection = ApiProblem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiProblem> {
        let path = axum::extract::Path::<T>::from_request_parts(parts, state).await;
        path.map(|path| Self(path.0)).map_err(|_| {
            let fault = Fault::new(
                "path",
                "path",
                expected::a_path_of_the_documented_form(),
                found::another(),
            );
            ApiProblem::fault(ProblemKind::Malformed, fault)
        })
    }
}

/// A JSON body as it came, for a verb to read.
pub(crate) struct JsonBody(pub(crate) Bytes);

impl FromRequest<App> for JsonBody {
    type Rejection = ApiProblem;

    async fn from_request(request: Request, app: &App) -> Result<Self, ApiProblem> {
        let (parts, body) = request.into_parts();
        check_media_type(&parts.headers, "application/json", expected::application_json())?;
        let held = app.room.hold(&RequestOwner::of(&parts.extensions));
        let body = read_body(held, &parts.headers, body, app.config.limits.body).await?;
        check_value_count(&body)?;
        Ok(Self(body))
    }
}

/// A body of any type as it came, within the limit for uploads.
pub(crate) struct UploadBody(pub(crate) Bytes);

impl FromRequest<App> for UploadBody {
    type Rejection = ApiProblem;

    async fn from_request(request: Request, app: &App) -> Result<Self, ApiProblem> {
        let (parts, body) = request.into_parts();
        let held = app.room.hold(&RequestOwner::of(&parts.extensions));
        read_body(held, &parts.headers, body, app.config.limits.upload).await.map(Self)
    }
}

/// Reads a body to its end, within its limit and the server's memory budget.
pub(crate) async fn read_body(
    held: BufferedBody,
    headers: &HeaderMap,
    body: Body,
    limit: u64,
) -> Result<Bytes, ApiProblem> {
    check_content_length(headers, limit)?;
    let (mut held, mut size) = (Ok(held), 0);
    let mut pieces = body.into_data_stream();
    while let Some(piece) = pieces.next().await {
        let cut = || Fault::new("body", "body", expected::all_of_it(), found::a_part());
        let piece = piece.map_err(|_| ApiProblem::fault(ProblemKind::Malformed, cut()))?;
        size += piece.len() as u64;
        // The length in the header is a promise, and chunked bodies make none.
        if size > limit {
            return Err(too_large(limit));
        }
        // Without memory the content is dropped, but read to its end: a client that still sends
        // reads no answer.
        held = held.and_then(|held| held.and(&piece));
    }
    held.map(BufferedBody::done)
}

/// Refuses a body with a declared length above the limit, before it is read.
pub(crate) fn check_content_length(headers: &HeaderMap, limit: u64) -> Result<(), ApiProblem> {
    let length = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    match length.and_then(|length| length.parse::<u64>().ok()) {
        Some(length) if length > limit => Err(too_large(limit)),
        Some(_) | None => Ok(()),
    }
}

/// Refuses JSON of more values than is read here: in memory each takes up to sixty times its bytes,
/// and the time of a thread that answers others.
pub(crate) fn check_value_count(json: &[u8]) -> Result<(), ApiProblem> {
    // Each value has a byte at least, and one that parts it from the next.
    if json.len() <= 2 * MAX_JSON_VALUES {
        return Ok(());
    }
    let (mut count, mut is_text, mut is_escaped) = (1_usize, false, false);
    for byte in json {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = is_text,
            b'"' => is_text = !is_text,
            b',' | b'[' | b'{' if !is_text => count += 1,
            _ => {}
        }
    }
    if count <= MAX_JSON_VALUES {
        return Ok(());
    }
    let fault = Fault::new("values", "body", bound::at_most_values(MAX_JSON_VALUES), found::more());
    Err(ApiProblem::fault(ProblemKind::TooLarge, fault))
}

/// The problem of a body that is larger than it may be.
pub(crate) fn too_large(limit: u64) -> ApiProblem {
    let fault = Fault::new("size", "body", bound::at_most_bytes(limit), found::more());
    ApiProblem::fault(ProblemKind::TooLarge, fault)
}

/// Refuses a body of another type than the one that is wanted.
pub(crate) fn check_media_type(
    headers: &HeaderMap,
    wanted: &str,
    expected: Phrase,
) -> Result<(), ApiProblem> {
    let given = media_type(headers);
    if given.as_deref() == Some(wanted) {
        return Ok(());
    }
    let found = given.map_or(found::no_content_type(), |given| quoted(&given));
    let fault = Fault::new("media_type", "header:content-type", expected, found);
    Err(ApiProblem::fault(ProblemKind::MediaType, fault))
}

/// The media type of a body, without parameters, if one is given.
pub(crate) fn media_type(headers: &HeaderMap) -> Option<String> {
    let value = String::from_utf8_lossy(headers.get(CONTENT_TYPE)?.as_bytes());
    let media_type = value.split_once(';').map_or(&*value, |(media_type, _)| media_type).trim();
    (!media_type.is_empty()).then(|| media_type.to_ascii_lowercase())
}

/// A ledger of ten thousand claims has fewer. This many take some 100 MB in memory, and are read in
/// a tenth of a second.
const MAX_JSON_VALUES: usize = 1 << 20;
