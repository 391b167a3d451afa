//! The call to a time-stamping authority (RFC 3161, section 3.4). Its reply is opaque bytes here.

use std::time::Duration;

use dalil_proof::fault::quote;

/// Sends a `TimeStampReq` to an authority, and gives the bytes of its reply.
///
/// # Errors
/// No answer in time, or a reply of the wrong size or kind.
pub fn ask(url: &str, query: &[u8]) -> Result<Vec<u8>, String> {
    let config = ureq::Agent::config_builder()
        .timeout_global(Some(MAX_CALL_TIME))
        // A redirect could lead into this network.
        .max_redirects(0)
        // A status is named with its number, whatever body it has.
        .http_status_as_error(false)
        .build();
    let request = config.new_agent().post(url).content_type("application/timestamp-query");
    let mut response = request.send(query).map_err(|error| error.to_string())?;
    let status = response.status();
    if !status.is_success() {
        return Err(format!("status {}", status.as_u16()));
    }
    let kind = response.headers().get("content-type").and_then(|kind| kind.to_str().ok());
    // Letters of either case, and parameters after it (RFC 9110, section 8.3.1).
    let is_reply = |kind: &str| {
        kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case(REPLY_TYPE))
    };
    if !kind.is_some_and(is_reply) {
        return Err(format!("a reply of the type {}", quote(kind.unwrap_or(""))));
    }
    // The authority is not trusted with memory.
    let body = response.body_mut().with_config().limit(MAX_REPLY_BYTES);
    body.read_to_vec().map_err(|error| error.to_string())
}

/// How long a call takes at most. An authority answers within a second; a slow one is asked again
/// later.
pub const MAX_CALL_TIME: Duration = Duration::from_secs(15);
const REPLY_TYPE: &str = "application/timestamp-reply";
/// Twice the largest token.
const MAX_REPLY_BYTES: u64 = 1 << 16;
