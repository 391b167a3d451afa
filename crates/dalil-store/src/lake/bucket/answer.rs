//! Explains a server's error response to a person.

use std::error::Error as _;

use object_store::client::{HttpError, HttpErrorKind};

use crate::error::Error;

/// An error for a failed or missing answer of a server.
pub(super) fn unavailable(what: &str, place: &str, error: &object_store::Error) -> Error {
    use object_store::Error as Failed;
    let code = code(error);
    let (found, hint) = match (error, code.as_str()) {
        (_, "NoSuchBucket") => ("no such bucket".to_owned(), BUCKET_HINT),
        (Failed::PermissionDenied { .. } | Failed::Unauthenticated { .. }, _)
        | (_, "AccessDenied" | "InvalidAccessKeyId" | "SignatureDoesNotMatch") => {
            (format!("a server that refuses{}", bracketed(&code)), CREDENTIALS_HINT)
        }
        _ => match transport(error) {
            Some(HttpErrorKind::Connect) => ("no connection".to_owned(), RETRY_HINT),
            Some(HttpErrorKind::Timeout) => ("no answer in time".to_owned(), RETRY_HINT),
            Some(_) => ("a connection that broke".to_owned(), RETRY_HINT),
            None => (format!("a server that failed{}", bracketed(&code)), RETRY_HINT),
        },
    };
    Error::unavailable(what, place).saw("an answer of the server", found).hint(hint)
}

/// The S3 error code, if the answer has one.
pub(super) fn code(error: &object_store::Error) -> String {
    let mut source: Option<&(dyn std::error::Error + 'static)> = Some(error);
    // The client gives S3's XML only as text, somewhere in the chain of causes.
    while let Some(error) = source {
        if let Some(code) = tag(&error.to_string(), "Code") {
            return code.to_owned();
        }
        source = error.source();
    }
    String::new()
}

/// Formats a code in brackets, to follow its explanation.
pub(super) fn bracketed(code: &str) -> String {
    if code.is_empty() { String::new() } else { format!(" (`{code}`)") }
}

/// The text of the first element of a name, if it is a plain word.
pub(super) fn tag<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    let (word, _) = rest.split_once('<')?;
    // It comes from the server and goes into messages: a word, not markup or controls.
    let plain = word.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (plain && word.len() <= 60).then_some(word)
}

/// How the connection failed, if it did.
pub(super) fn transport(error: &object_store::Error) -> Option<HttpErrorKind> {
    let mut source = error.source();
    while let Some(error) = source {
        if let Some(http) = error.downcast_ref::<HttpError>() {
            return Some(http.kind());
        }
        source = error.source();
    }
    None
}

const RETRY_HINT: &str = "see that the server runs and can be reached; doing it again is safe";
const CREDENTIALS_HINT: &str =
    "check `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and what they may do";
const BUCKET_HINT: &str = "make the bucket, or correct its name, its endpoint and its region";
