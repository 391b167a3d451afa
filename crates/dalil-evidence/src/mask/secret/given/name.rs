//! Names whose values are secret, such as `password`.

/// Where the telling part of a name starts.
pub(super) struct SecretNameMatch {
    pub(super) start: usize,
    pub(super) kind: SecretNameKind,
}

/// The form of a value that makes it the secret of its name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SecretNameKind {
    /// Anything.
    Any,
    /// Letters, and what words do not have: the name may mean other things too, as `pass` does.
    Mixed,
    /// A few digits.
    Pin,
}

/// Whether a heading is nothing but the name of a secret, with a word before it or none.
pub(in crate::mask) fn is_secret_name(heading: &str) -> bool {
    heading.len() <= MAX_NAME_BYTES
        && heading.split_whitespace().count() <= MAX_HEADING_NAME_WORDS
        && telling(heading).is_some_and(|name| name.kind == SecretNameKind::Any)
}

/// The text up to the end of the name before a separator.
pub(super) fn name_end(text: &str, at: usize) -> Option<&str> {
    let head = text.get(..at)?;
    if head.ends_with([':', '=', '!', '<', '>']) {
        return None;
    }
    let head = head.trim_end_matches([' ', '\t']);
    // In JSON inside a text, the quotation mark has a backslash before it.
    let head = head.strip_suffix(['"', '\'', '`']).map_or(head, |name| name.trim_end_matches('\\'));
    (at - head.len() <= MAX_NAME_GAP_BYTES).then_some(head)
}

/// The telling name at the end of a text; or before a `value` that is given to
/// it, as in `name: DB_PASSWORD` and in the next line `value: …`.
pub(super) fn named(text: &str) -> Option<SecretNameMatch> {
    telling(text).or_else(|| {
        let head = text.get(..text.len().checked_sub(5)?)?;
        if !text.get(head.len()..)?.eq_ignore_ascii_case("value") {
            return None;
        }
        let named = head.trim_end_matches([' ', '\t', '\r', '\n', ',', '"', '\'', '\\']);
        let length =
            named.bytes().rev().take(MAX_NAME_BYTES).take_while(|byte| in_name(*byte)).count();
        let before = named.get(..named.len() - length)?.trim_end_matches(['"', '\'', '\\', ' ']);
        let is_given = before.ends_with([':', '=']) && head.len() - named.len() <= MAX_INDENT_BYTES;
        telling(named)
            .filter(|_| is_given)
            .map(|name| SecretNameMatch { start: head.len(), ..name })
    })
}

fn in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

fn telling(text: &str) -> Option<SecretNameMatch> {
    SECRET_NAMES
        .iter()
        .find_map(|name| {
            let start = text.len().checked_sub(name.len())?;
            let fits = text.get(start..)?.eq_ignore_ascii_case(name);
            fits.then_some(SecretNameMatch { start, kind: SecretNameKind::Any })
        })
        .or_else(|| {
            OTHER_NAMES.iter().find_map(|(name, kind)| {
                let start = text.len().checked_sub(name.len())?;
                let head = text.get(..start)?;
                let fits = text.get(start..)?.eq_ignore_ascii_case(name)
                    && !head.ends_with(char::is_alphanumeric);
                fits.then_some(SecretNameMatch { start, kind: *kind })
            })
        })
}

/// Names that mean other things too, as a word of their own.
const OTHER_NAMES: [(&str, SecretNameKind); 4] = [
    ("pass", SecretNameKind::Mixed),
    ("set-cookie", SecretNameKind::Mixed),
    ("cookie", SecretNameKind::Mixed),
    ("pin", SecretNameKind::Pin),
];

/// Names that say that a value is secret, as the end of a longer name too.
const SECRET_NAMES: [&str; 35] = [
    "password",
    "passwd",
    "pwd",
    "passphrase",
    "passcode",
    "secret",
    "token",
    "apikey",
    "api_key",
    "api-key",
    "api key",
    "access_key",
    "access-key",
    "accesskey",
    "accountkey",
    "account_key",
    "secret_key",
    "secret-key",
    "secretkey",
    "private_key",
    "private-key",
    "encryption_key",
    "signing_key",
    "master_key",
    "authorization",
    "?sig",
    "&sig",
    "كلمة المرور",
    "كلمة مرور",
    "كلمة السر",
    "كلمة سر",
    "الرقم السري",
    "الرمز السري",
    "رمز المرور",
    "رمز الدخول",
];

/// The most bytes between a value and its name, and of a name: the work stays linear in the text.
const MAX_NAME_GAP_BYTES: usize = 8;
const MAX_NAME_BYTES: usize = 128;
/// `API key`, `كلمة المرور`; `Price per token` counts tokens.
const MAX_HEADING_NAME_WORDS: usize = 2;
/// A deeper indent is the layout of a page, not of a list.
const MAX_INDENT_BYTES: usize = 64;
