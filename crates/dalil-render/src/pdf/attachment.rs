//! What every attachment that nobody signs has in common.

use dalil_phrasebook::{expected, found};
use dalil_proof::canon;
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::fault::{Fault, Refused, quoted};
use dalil_proof::json::Json;

/// Refuses any other spelling: what is attached must be what a verifier would write.
pub(super) fn canonical(bytes: &[u8], name: &str) -> Result<(), Refused> {
    let json = Json::parse(bytes)?;
    let written = canon::bytes(&json).ok();
    if written.as_deref() == Some(bytes) {
        return Ok(());
    }
    let found = found::another_spelling_of(name);
    Err(Fault::new("canonical", "$", expected::canonical_json_rfc_8785(), found).into())
}

/// What a QR code leads to: the page that verifies, with the digest where no server sees it, or
/// the digest alone.
pub(super) fn code(verify_url: Option<&str>, digest: &str) -> String {
    match verify_url {
        Some(url) => format!("{url}#{digest}"),
        None => digest.to_owned(),
    }
}

/// The address of a page that verifies.
pub(super) fn verify_url(reader: JsonReader<'_, '_>) -> Option<String> {
    let url = decode::filled(reader)?;
    match plain_url(&url, &reader.path()) {
        Ok(()) => Some(url),
        Err(fault) => reader.push(fault),
    }
}

/// Refuses an address that does not fit into a code, or that says more than where a page is.
pub(super) fn plain_url(url: &str, path: &str) -> Result<(), Fault> {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    let is_plain = rest.is_some_and(|rest| {
        let is_plain = |byte: u8| byte.is_ascii_graphic() && !b"?#@".contains(&byte);
        !rest.is_empty() && rest.bytes().all(is_plain)
    });
    if is_plain && url.len() <= MAX_URL_BYTES {
        return Ok(());
    }
    Err(Fault::new("url", path, expected::plain_url(), quoted(url)))
}

/// With a digest it fits into a code that a camera reads from paper.
const MAX_URL_BYTES: usize = 256;
