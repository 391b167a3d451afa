//! Secrets: private keys, tokens with a known shape, and values assigned to a
//! name that says what they are.

use std::ops::Range;

use crate::mask::builtin::Builtin;
use crate::mask::edge::{char_at, char_before, is_after_word, is_word};

/// A PEM private key whose first dash is here, with or without its end.
pub(super) fn private_key(text: &str, at: usize) -> Option<(Builtin, Range<usize>)> {
    if char_before(text, at) == Some('-') {
        return None;
    }
    let rest = text.get(at..)?.strip_prefix("-----BEGIN ")?;
    let (label, body) = rest.split_once("-----")?;
    if label.len() > MAX_LABEL || !label.ends_with("PRIVATE KEY") {
        return None;
    }
    let body_at = text.len() - body.len();
    let (inner, tail) = body.split_once("-----").unwrap_or((body, ""));
    let footer = tail.strip_prefix("END ").and_then(|footer| {
        let (_, rest) = footer.split_once("-----")?;
        (footer.len() - rest.len() <= MAX_LABEL + 5).then_some(text.len() - rest.len())
    });
    let end = footer.unwrap_or_else(|| body_at + inner.trim_end_matches(|ch| !in_pem(ch)).len());
    Some((Builtin::PrivateKey, at..end))
}

fn in_pem(ch: char) -> bool {
    ch.is_ascii_alphanumeric() || matches!(ch, '+' | '/' | '=')
}

/// A JSON web token: three parts, the first beginning with `eyJ`, whose `J` is here.
pub(super) fn jwt(text: &str, at: usize) -> Option<(Builtin, Range<usize>)> {
    let start = at.checked_sub(2)?;
    let rest = text.get(start..)?;
    if !rest.starts_with("eyJ") || is_inside(text, start) {
        return None;
    }
    let (header, rest) = part(rest);
    let (payload, rest) = part(rest.strip_prefix('.')?);
    let (_, rest) = part(rest.strip_prefix('.')?);
    let long = header.len() >= MIN_PART && payload.len() >= MIN_PART;
    long.then(|| (Builtin::Jwt, start..text.len() - rest.len()))
}

/// `sk-…`, `xoxb-…` and the like, whose first dash is here.
pub(super) fn dashed_key(text: &str, at: usize) -> Option<(Builtin, Range<usize>)> {
    key(text, at, &["sk", "xoxa", "xoxb", "xoxe", "xoxp", "xoxr", "xoxs", "xapp", "glpat"])
}

/// `ghp_…`, `sk_live_…` and the like, whose first underscore is here.
pub(super) fn underscored_key(text: &str, at: usize) -> Option<(Builtin, Range<usize>)> {
    key(text, at, &["ghp", "gho", "ghu", "ghs", "ghr", "github", "sk", "rk", "whsec", "hf", "npm"])
}

/// `AKIA…` and `ASIA…`, whose `I` is here, and `AIza…`, whose `z` is here.
pub(super) fn plain_key(text: &str, at: usize) -> Option<(Builtin, Range<usize>)> {
    let start = at.checked_sub(2)?;
    let rest = text.get(start..)?;
    let fits = |length: usize, fits: fn(char) -> bool| {
        let body = rest.get(4..)?;
        let body = body.get(..body.find(|ch| !fits(ch)).unwrap_or(body.len()))?;
        let end = start + 4 + length;
        (body.len() == length && !char_at(text, end).is_some_and(is_word)).then_some(end)
    };
    let end = if rest.starts_with("AKIA") || rest.starts_with("ASIA") {
        fits(16, |ch| ch.is_ascii_uppercase() || ch.is_ascii_digit())
    } else if rest.starts_with("AIza") {
        fits(35, in_token)
    } else {
        None
    };
    end.filter(|_| !is_inside(text, start)).map(|end| (Builtin::ApiKey, start..end))
}

/// A key that is one of `prefixes`, the mark at `at`, and a long tail.
fn key(text: &str, at: usize, prefixes: &[&str]) -> Option<(Builtin, Range<usize>)> {
    let head = text.get(..at)?;
    let prefix = prefixes.iter().find(|prefix| head.ends_with(**prefix))?;
    let start = at - prefix.len();
    let (tail, rest) = part(text.get(at + 1..)?);
    // A compound word such as `sk-learn` is neither long nor has digits.
    let numbered = tail.bytes().any(|byte| byte.is_ascii_digit());
    let long = tail.len() >= if numbered { MIN_NUMBERED } else { MIN_TAIL };
    let fits = long && !is_inside(text, start);
    fits.then(|| (Builtin::ApiKey, start..text.len() - rest.len()))
}

/// A secret given to a name that says so, whose `=` or `:` is here: from the
/// name to the end of the value.
pub(super) fn assignment(text: &str, at: usize) -> Option<(Builtin, Range<usize>)> {
    let name = name_end(text, at)?;
    let start = name.len() - name_length(name)?;
    let after = text.get(at..)?;
    if after.starts_with("==") {
        return None;
    }
    let after = after.trim_start_matches([':', '=', '>', ' ', '\t']);
    let scheme = SCHEMES.iter().find(|scheme| {
        after.get(..scheme.len()).is_some_and(|word| word.eq_ignore_ascii_case(scheme))
    });
    let after = after.get(scheme.map_or(0, |scheme| scheme.len())..)?;
    let from = text.len() - after.len();
    let (value, needed) = value(after, char_at(text, at)?);
    let open = after.len() - after.trim_start_matches('\\').len();
    let quoted = after.get(open..)?.starts_with(['"', '\'', '`']);
    let quote = if quoted { open + 1 } else { 0 };
    (value.chars().count() >= needed)
        .then(|| (Builtin::SecretMarker, start..from + quote + value.len()))
}

/// A user and password before a host, as in `redis://user:password@host`, whose
/// first colon is here.
pub(super) fn credentials(text: &str, at: usize) -> Option<(Builtin, Range<usize>)> {
    let rest = text.get(at..)?.strip_prefix("://")?;
    let ends = |ch: char| ch.is_whitespace() || "/?#\"'`<>".contains(ch);
    let authority = rest.get(..rest.find(ends).unwrap_or(rest.len()))?;
    let (user, _) = authority.rsplit_once('@')?;
    let (_, password) = user.split_once(':')?;
    let given = !password.is_empty() && !is_placeholder(password);
    given.then(|| (Builtin::SecretMarker, at + 3..at + 3 + user.len()))
}

/// The text up to the end of the name before a separator.
fn name_end(text: &str, at: usize) -> Option<&str> {
    let head = text.get(..at)?;
    if head.ends_with([':', '=', '!', '<', '>']) {
        return None;
    }
    let head = head.trim_end_matches([' ', '\t']);
    // In JSON that stands in a text, the quotation mark has a backslash before it.
    let head = head.strip_suffix(['"', '\'', '`']).map_or(head, |name| name.trim_end_matches('\\'));
    (at - head.len() <= MAX_GAP).then_some(head)
}

/// How long the telling word at the end of a name is.
fn name_length(name: &str) -> Option<usize> {
    NAMES.iter().map(|word| word.len()).zip(NAMES).find_map(|(length, word)| {
        let tail = name.get(name.len().checked_sub(length)?..)?;
        tail.eq_ignore_ascii_case(word).then_some(length)
    })
}

/// The value that an assignment gives, and how many characters make it a secret.
fn value(after: &str, separator: char) -> (&str, usize) {
    // In JSON that stands in a text, each quotation mark has a backslash before it.
    if let Some(inner) = after.strip_prefix("\\\"") {
        let end = inner.find(['"', '\n']).unwrap_or(inner.len());
        return (inner.get(..end).unwrap_or_default().trim_end_matches('\\'), 1);
    }
    for quote in ['"', '\'', '`'] {
        if let Some(inner) = after.strip_prefix(quote) {
            return (quoted(inner, quote), 1);
        }
    }
    if is_placeholder(after) {
        return ("", 1);
    }
    let ends = |ch: char| ch.is_whitespace() || ",;&\"'`)}]<>".contains(ch);
    let value = after.get(..after.find(ends).unwrap_or(after.len())).unwrap_or_default();
    // After a colon may stand a sentence: `Token: the unit of …`.
    let marked = value.chars().any(|ch| !ch.is_alphabetic());
    (
        value,
        if separator == '=' {
            1
        } else if marked {
            4
        } else {
            8
        },
    )
}

fn is_placeholder(value: &str) -> bool {
    value.starts_with(['[', '{', '(', '<']) || value.starts_with("${") || value.starts_with("$(")
}

/// The text inside a quotation, up to its end or the end of the line.
fn quoted(inner: &str, quote: char) -> &str {
    let mut escaped = false;
    let end = inner.char_indices().find_map(|(at, ch)| {
        let ends = ch == '\n' || ch == quote && !escaped;
        escaped = ch == '\\' && !escaped;
        ends.then_some(at)
    });
    inner.get(..end.unwrap_or(inner.len())).unwrap_or_default()
}

/// The characters of a token at the start of a text, and what follows them.
fn part(text: &str) -> (&str, &str) {
    text.split_at(text.find(|ch| !in_token(ch)).unwrap_or(text.len()))
}

fn in_token(ch: char) -> bool {
    ch.is_ascii_alphanumeric() || matches!(ch, '-' | '_')
}

/// Whether a place is inside a longer token.
fn is_inside(text: &str, at: usize) -> bool {
    is_after_word(text, at) || char_before(text, at) == Some('-')
}

/// Names that say that a value is secret, as the end of a longer name too.
const NAMES: [&str; 22] = [
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
    "secret_key",
    "secret-key",
    "private_key",
    "private-key",
    "authorization",
    "كلمة المرور",
    "كلمة السر",
    "الرقم السري",
];

/// Words between `authorization:` and its value.
const SCHEMES: [&str; 3] = ["bearer ", "basic ", "token "];

const MAX_LABEL: usize = 64;
const MAX_GAP: usize = 8;
const MIN_PART: usize = 8;
const MIN_NUMBERED: usize = 12;
const MIN_TAIL: usize = 20;
