//! Properties that all unsigned attachments share.

use dalil_evidence::page_url;
use dalil_phrasebook::{expected, found};
use dalil_proof::canon;
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::fault::{Fault, Refused};
use dalil_proof::json::Json;

/// Refuses JSON that is not canonical: an attachment must have the bytes that a verifier would
/// write.
pub(super) fn canonical(bytes: &[u8], name: &str) -> Result<(), Refused> {
    let json = Json::parse(bytes)?;
    let written = canon::bytes(&json).ok();
    if written.as_deref() == Some(bytes) {
        return Ok(());
    }
    let found = found::another_spelling_of(name);
    Err(Fault::new("canonical", "$", expected::canonical_json_rfc_8785(), found).into())
}

/// The content of a QR code: the address of the page that verifies, with the digest in the
/// fragment, which no server sees, or the digest alone.
pub(super) fn code(verify_url: Option<&str>, digest: &str) -> String {
    match verify_url {
        Some(url) => format!("{url}#{digest}"),
        None => digest.to_owned(),
    }
}

/// The address of a page that verifies.
pub(super) fn verify_url(reader: JsonReader<'_, '_>) -> Option<String> {
    let url = decode::filled(reader)?;
    match page_url::check(&url, &reader.path()) {
        Ok(()) => Some(url),
        Err(fault) => reader.push(fault),
    }
}
