//! Styles, scripts and icons, which are part of the program.

use axum::extract::Path;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use dalil_proof::digest::Digest;

/// A name, a media type and the bytes.
type StaticAsset = (&'static str, &'static str, &'static [u8]);

const ASSETS: [StaticAsset; 5] = [
    ("dalil.css", "text/css; charset=utf-8", include_bytes!("../../assets/dalil.css")),
    ("dalil.js", "text/javascript; charset=utf-8", include_bytes!("../../assets/dalil.js")),
    ("htmx.js", "text/javascript; charset=utf-8", include_bytes!("../../assets/htmx.js")),
    ("icons.svg", "image/svg+xml", include_bytes!("../../assets/icons.svg")),
    ("favicon.svg", "image/svg+xml", include_bytes!("../../assets/favicon.svg")),
];

/// An asset, or nothing when the browser has it.
pub(super) async fn serve(Path(name): Path<String>, asked: HeaderMap) -> Response {
    let Some((_, media_type, bytes)) = ASSETS.iter().find(|(known, _, _)| *known == name) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let tag = format!("\"{}\"", Digest::of(bytes).hex());
    let has_it = asked.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let mut response = if has_it {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        (StatusCode::OK, *bytes).into_response()
    };
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    // Kept by the browser and asked for again each time: the names stay the same when the
    // program is updated.
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(ETAG, tag);
    }
    response
}
