//! Secrets that are given to a name: in an assignment, an element, a URL or a sentence.

use std::ops::Range;

use crate::mask::builtin::BuiltinMaskRule;
use crate::mask::edge::char_at;
use crate::mask::secret::given::name::{SecretNameKind, is_secret_name, name_end, named};

mod block;
pub(in crate::mask) mod column;
mod name;

/// A secret assigned to a name for one, whose `=` or `:` is here: from the name to the end of the
/// value.
pub(in crate::mask) fn assignment(
    text: &str,
    at: usize,
) -> Option<(BuiltinMaskRule, Range<usize>)> {
    let name = named(name_end(text, at)?)?;
    let after = text.get(at..)?;
    if after.starts_with("==") {
        return None;
    }
    if let Some(end) = block::end(text, at) {
        return Some((BuiltinMaskRule::SecretMarker, name.start..end));
    }
    let after = after.trim_start_matches([':', '=', '>', ' ', '\t']);
    let scheme = AUTH_SCHEMES.iter().find(|scheme| {
        after.get(..scheme.len()).is_some_and(|word| word.eq_ignore_ascii_case(scheme))
    });
    let after = after.get(scheme.map_or(0, |scheme| scheme.len())..)?;
    let from = text.len() - after.len();
    let (value, needed) = value(after, char_at(text, at)?);
    let open = after.len() - after.trim_start_matches('\\').len();
    let quoted = after.get(open..)?.starts_with(['"', '\'', '`']);
    let quote = if quoted { open + 1 } else { 0 };
    let is_secret = match name.kind {
        SecretNameKind::Any => true,
        SecretNameKind::Mixed => is_mixed(value),
        SecretNameKind::Pin => {
            (4..=MAX_PIN_DIGITS).contains(&value.len())
                && value.bytes().all(|byte| byte.is_ascii_digit())
        }
    };
    let fits = value.chars().count() >= needed && is_secret;
    fits.then(|| (BuiltinMaskRule::SecretMarker, name.start..from + quote + value.len()))
}

/// A user and password before a host, as in `redis://user:password@host`, whose
/// first colon is here.
pub(in crate::mask) fn credentials(
    text: &str,
    at: usize,
) -> Option<(BuiltinMaskRule, Range<usize>)> {
    let rest = text.get(at..)?.strip_prefix("://")?;
    let ends = |ch: char| ch.is_whitespace() || "/?#\"'`<>".contains(ch);
    let authority = rest.get(..rest.find(ends).unwrap_or(rest.len()))?;
    let (user, _) = authority.rsplit_once('@')?;
    let (_, password) = user.split_once(':')?;
    let given = !password.is_empty() && !is_placeholder(password);
    given.then(|| (BuiltinMaskRule::SecretMarker, at + 3..at + 3 + user.len()))
}

/// The text of an element with a name for a secret, whose first `>` is here:
/// `<password>…</password>`.
pub(in crate::mask) fn element(text: &str, at: usize) -> Option<(BuiltinMaskRule, Range<usize>)> {
    let from = text.ceil_char_boundary(at.saturating_sub(MAX_TAG_BYTES));
    let head = text.get(from..at)?;
    let tag = head.get(head.rfind('<')? + 1..)?;
    let name = tag.split_whitespace().next()?;
    if tag.contains('>') || tag.starts_with(['/', '!', '?']) || tag.ends_with('/') {
        return None;
    }
    named(name)?;
    let inner = text.get(at + 1..)?;
    let (open, value) = match inner.strip_prefix(CDATA_OPEN) {
        Some(inner) => {
            let near = inner.get(..inner.floor_char_boundary(MAX_CDATA_BYTES))?;
            (CDATA_OPEN.len(), near.split_once("]]>")?.0)
        }
        None => {
            let (value, rest) = inner.split_once('<')?;
            rest.strip_prefix('/')?.starts_with(name).then_some((0, value))?
        }
    };
    let start = at + 1 + open + (value.len() - value.trim_start().len());
    let value = value.trim();
    let given = !value.is_empty() && !is_placeholder(value);
    given.then(|| (BuiltinMaskRule::SecretMarker, start..start + value.len()))
}

/// A password in a sentence, as in `the password for the portal is …`; the `w` of the word is here.
pub(in crate::mask) fn told(text: &str, at: usize) -> Option<(BuiltinMaskRule, Range<usize>)> {
    let start = at.checked_sub(4)?;
    let word = text.get(start..start + 8)?;
    let is_password = word.eq_ignore_ascii_case("password");
    is_password.then(|| below(text, start).or_else(|| told_after(text, start + 8)))?
}

/// A password that a statement of SQL sets, as in `IDENTIFIED BY '…'`, whose `B` is here, and in
/// `WITH PASSWORD '…'`, of which the `W` of the second word is.
pub(in crate::mask) fn set_by_statement(
    text: &str,
    at: usize,
) -> Option<(BuiltinMaskRule, Range<usize>)> {
    let end = SQL_PASSWORD_PHRASES.iter().find_map(|(phrase, place)| {
        let start = at.checked_sub(*place)?;
        let said = text.get(start..start + phrase.len())?;
        said.eq_ignore_ascii_case(phrase).then_some(start + phrase.len())
    })?;
    let inner = text.get(end..)?.trim_start().strip_prefix('\'')?;
    let value = quoted(inner, '\'');
    let start = text.len() - inner.len();
    let given = !value.is_empty() && !is_placeholder(value);
    given.then(|| (BuiltinMaskRule::SecretMarker, start..start + value.len()))
}

/// The one word of the line below a line that is nothing but `Password`, as forms have it.
fn below(text: &str, start: usize) -> Option<(BuiltinMaskRule, Range<usize>)> {
    let is_first = text.get(..start)?.trim_end_matches([' ', '\t']).is_empty()
        || text.get(..start)?.trim_end_matches([' ', '\t']).ends_with('\n');
    let rest = text.get(start + 8..)?.trim_start_matches([' ', '\t', '\r']);
    let next = rest.strip_prefix('\n').filter(|_| is_first)?;
    let from = text.len() - next.trim_start_matches([' ', '\t']).len();
    block::word(text, from).map(|end| (BuiltinMaskRule::SecretMarker, from..end))
}

/// The same in Arabic; the first letter of the name is here, or its `ق`.
pub(in crate::mask) fn told_in_arabic(
    text: &str,
    at: usize,
) -> Option<(BuiltinMaskRule, Range<usize>)> {
    let rest = text.get(at..)?;
    // Most words begin otherwise, and need no look at the phrases.
    if !rest.starts_with(PASSWORD_LETTERS_AR) {
        return None;
    }
    let name = PASSWORD_PHRASES_AR.iter().find(|name| rest.starts_with(**name))?;
    told_after(text, at + name.len())
}

/// The value that follows a few words and `is` or a colon.
fn told_after(text: &str, from: usize) -> Option<(BuiltinMaskRule, Range<usize>)> {
    let mut rest = text.get(from..)?;
    for _ in 0..MAX_WORDS_BEFORE_SECRET {
        if !rest.starts_with([' ', '\u{a0}', '\n']) {
            return None;
        }
        rest = rest.trim_start();
        let near = rest.get(..rest.floor_char_boundary(MAX_TOKEN_BYTES))?;
        let word = near.split(char::is_whitespace).next()?;
        rest = rest.get(word.len()..)?;
        let links = COPULA_WORDS.iter().any(|link| word.eq_ignore_ascii_case(link));
        let value = (links || word.ends_with([':', '='])).then(|| told_value(text, rest));
        if let Some(Some(value)) = value {
            return Some(value);
        }
        if word.ends_with(['.', ':', '!', '?', ';', '؟', '؛']) {
            return None;
        }
    }
    None
}

/// The first word of the rest, when it does not read as a word.
fn told_value(text: &str, rest: &str) -> Option<(BuiltinMaskRule, Range<usize>)> {
    let rest = rest.trim_start_matches([' ', '\u{a0}', ':', '\n']);
    let near = rest.get(..rest.floor_char_boundary(MAX_TOKEN_BYTES))?;
    let word = near.split(char::is_whitespace).next()?;
    let open = word.trim_start_matches(QUOTE_CHARS);
    let value = open.trim_end_matches(['.', ',', ';', ')', '،', '؛']).trim_end_matches(QUOTE_CHARS);
    let start = text.len() - rest.len() + (word.len() - open.len());
    let quoted = open.len() < word.len();
    let fits = value.chars().count() >= MIN_PASSWORD_CHARS
        && (quoted || is_marked(value))
        && !is_placeholder(value);
    fits.then(|| (BuiltinMaskRule::SecretMarker, start..start + value.len()))
}

/// Whether a value has what words do not have.
fn is_marked(value: &str) -> bool {
    value.chars().any(|ch| ch.is_numeric() || "!@#$%^&*+=?~".contains(ch))
}

/// Whether a value has both letters and what words do not have.
fn is_mixed(value: &str) -> bool {
    value.chars().any(char::is_alphabetic) && is_marked(value)
}

/// The value that an assignment gives, and how many characters make it a secret.
fn value(after: &str, separator: char) -> (&str, usize) {
    // In JSON inside a text, each quotation mark has a backslash before it.
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
    // A sentence may follow a colon: `Token: the unit of …`.
    let marked = value.chars().any(|ch| !ch.is_alphabetic());
    let needed = match separator {
        '=' => 1,
        _ if marked => 4,
        _ => 8,
    };
    (value, needed)
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

/// Words between `authorization:` and its value.
const AUTH_SCHEMES: [&str; 3] = ["bearer ", "basic ", "token "];

/// How a phrase below begins.
const PASSWORD_LETTERS_AR: [char; 3] = ['ك', 'ق', 'م'];
/// Arabic phrases for a password, from a letter where the scan stops.
const PASSWORD_PHRASES_AR: [&str; 6] =
    ["كلمة المرور", "كلمة السر", "كلمة مرور", "كلمة سر", "قم السري", "مز السري"];

/// SQL before a password, and the place in it where the scan stops.
const SQL_PASSWORD_PHRASES: [(&str, usize); 3] =
    [("identified by", 11), ("with password", 9), ("encrypted password", 14)];

/// The words between a name and its value.
const COPULA_WORDS: [&str; 4] = ["is", "was", "هي", "هو"];

const QUOTE_CHARS: [char; 9] = ['"', '\'', '`', '“', '”', '‘', '’', '«', '»'];

const CDATA_OPEN: &str = "<![CDATA[";
/// The limits of a search from a place: each keeps the work linear in the text.
const MAX_CDATA_BYTES: usize = 1024;
const MAX_TAG_BYTES: usize = 96;
const MAX_WORDS_BEFORE_SECRET: usize = 7;
const MAX_TOKEN_BYTES: usize = 128;
/// A shorter value is a number or a word such as `yes`.
const MIN_PASSWORD_CHARS: usize = 4;
/// Cards and doors have no longer ones.
const MAX_PIN_DIGITS: usize = 8;
