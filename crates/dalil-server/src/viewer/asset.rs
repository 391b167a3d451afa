//! Styles, scripts, icons and the verifier for browsers, which are part of the program.

use axum::extract::Path;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use dalil_proof::digest::Digest;

/// A name, a media type and the bytes.
type StaticAsset = (&'static str, &'static str, &'static [u8]);

const ASSETS: [StaticAsset; 9] = [
    ("dalil.css", "text/css; charset=utf-8", include_bytes!("../../assets/dalil.css")),
    ("dalil.js", JAVASCRIPT, include_bytes!("../../assets/dalil.js")),
    ("htmx.js", JAVASCRIPT, include_bytes!("../../assets/htmx.js")),
    ("icons.svg", "image/svg+xml", include_bytes!("../../assets/icons.svg")),
    ("favicon.svg", "image/svg+xml", include_bytes!("../../assets/favicon.svg")),
    ("reference.js", JAVASCRIPT, include_bytes!("../../assets/reference.js")),
    ("verify.js", JAVASCRIPT, include_bytes!("../../assets/verify.js")),
    ("verifier.js", JAVASCRIPT, include_bytes!(concat!(env!("OUT_DIR"), "/verifier.js"))),
    (MODULE, "application/wasm", include_bytes!(concat!(env!("OUT_DIR"), "/dalil.wasm.gz"))),
];

const JAVASCRIPT: &str = "text/javascript; charset=utf-8";

/// The verifier as WebAssembly, which is kept compressed: it is two thirds smaller so.
const MODULE: &str = "dalil.wasm";

/// Whether this program has the verifier for browsers.
pub(super) fn has_verifier() -> bool {
    found(MODULE).is_some()
}

/// The asset with a name; none for a part that the program was built without.
fn found(name: &str) -> Option<&'static StaticAsset> {
    ASSETS.iter().find(|(known, _, bytes)| *known == name && !bytes.is_empty())
}

/// An asset, or nothing when the browser has it.
pub(super) async fn serve(Path(name): Path<String>, asked: HeaderMap) -> Response {
    let Some((known, media_type, bytes)) = found(&name) else {
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
    if *known == MODULE {
        // Every browser that runs WebAssembly reads gzip.
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    // Kept by the browser and asked for again each time: the names stay the same when the
    // program is updated.
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(ETAG, tag);
    }
    response
}
