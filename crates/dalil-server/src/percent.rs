//! Percent-encoding (RFC 3986).

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// One part of a path or of a query, percent-encoded.
pub(crate) fn seg(text: &str) -> String {
    utf8_percent_encode(text, ENCODED_IN_SEGMENT).to_string()
}

/// All but the unreserved characters (section 2.3).
const ENCODED_IN_SEGMENT: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');
