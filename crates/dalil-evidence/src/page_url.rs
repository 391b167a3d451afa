//! Addresses of pages and of services: shown, put into links, and joined with paths.

use dalil_phrasebook::{Phrase, expected, found};
use dalil_proof::fault::{Fault, quoted};

#[cfg(test)]
mod tests;

/// Refuses an address that does not fit into a code, or that contains more than the place of a
/// page.
///
/// # Errors
/// Anything that [`check_plain`] refuses, and more than [`MAX_PAGE_URL_BYTES`].
pub fn check(url: &str, path: &str) -> Result<(), Fault> {
    if is_plain(url) && url.len() <= MAX_PAGE_URL_BYTES {
        return Ok(());
    }
    Err(refused(url, path, expected::plain_url_of_at_most(MAX_PAGE_URL_BYTES)))
}

/// Refuses an address that contains more than a place. A query or a fragment would swallow a path
/// that is put behind it, and a user would show a password.
///
/// # Errors
/// Anything but `http` or `https`, a host, and printable ASCII.
pub fn check_plain(url: &str, path: &str) -> Result<(), Fault> {
    if is_plain(url) { Ok(()) } else { Err(refused(url, path, expected::plain_url())) }
}

fn is_plain(url: &str) -> bool {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    rest.is_some_and(|rest| {
        let is_allowed = |byte: u8| byte.is_ascii_graphic() && !SEPARATORS.contains(&byte);
        // The host: a name, a number, or an address of IPv6 in brackets.
        let has_host = rest.starts_with(|ch: char| ch.is_ascii_alphanumeric() || ch == '[');
        has_host && rest.bytes().all(is_allowed)
    })
}

fn refused(url: &str, path: &str, expected: Phrase) -> Fault {
    // A text with one of these may hold a password or a key, which a message must not repeat.
    let found = match url.bytes().any(|byte| SEPARATORS.contains(&byte)) {
        true => found::something_else(),
        false => quoted(url),
    };
    Fault::new("url", path, expected, found)
}

/// With a digest it fits into a code that a camera reads from paper.
pub const MAX_PAGE_URL_BYTES: usize = 256;
/// The characters that begin a query or a fragment, and the one that follows a user.
const SEPARATORS: &[u8] = b"?#@";
