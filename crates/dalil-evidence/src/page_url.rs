//! Addresses of pages: printed below a code, put into links, and joined with paths.

use dalil_phrasebook::{expected, found};
use dalil_proof::fault::{Fault, quoted};

#[cfg(test)]
mod tests;

/// Refuses an address that does not fit into a code, or that says more than where a page is. A query
/// or a fragment would swallow a path that is put behind it, and a user would show a password.
///
/// # Errors
/// Anything but `http` or `https` and at most [`MAX_PAGE_URL_BYTES`] of printable ASCII.
pub fn check(url: &str, path: &str) -> Result<(), Fault> {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    let is_plain = rest.is_some_and(|rest| {
        let is_plain = |byte: u8| byte.is_ascii_graphic() && !SEPARATORS.contains(&byte);
        !rest.is_empty() && rest.bytes().all(is_plain)
    });
    if is_plain && url.len() <= MAX_PAGE_URL_BYTES {
        return Ok(());
    }
    // A text with one of these may hold a password or a key, which a message must not repeat.
    let found = match url.bytes().any(|byte| SEPARATORS.contains(&byte)) {
        true => found::something_else(),
        false => quoted(url),
    };
    Err(Fault::new("url", path, expected::plain_url(MAX_PAGE_URL_BYTES), found))
}

/// With a digest it fits into a code that a camera reads from paper.
pub const MAX_PAGE_URL_BYTES: usize = 256;
/// What begins a query, a fragment, and what stands behind a user.
const SEPARATORS: &[u8] = b"?#@";
