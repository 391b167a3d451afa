//! Secrets: private keys and tokens with a known shape here, and values assigned to
//! a name such as `password` in [`given`].

use std::ops::Range;

use crate::mask::builtin::BuiltinMaskRule;
use crate::mask::edge::{char_at, char_before, is_after_word, is_word};

pub(super) mod given;

/// A private key whose first dash is here, as PEM, PGP and SSH write it, with or
/// without its end.
pub(super) fn private_key(text: &str, at: usize) -> Option<(BuiltinMaskRule, Range<usize>)> {
    if char_before(text, at) == Some('-') {
        return None;
    }
    let rest = text.get(at..)?;
    let (fence, rest) = PEM_FENCES.iter().find_map(|fence| {
        Some((*fence, rest.strip_prefix(fence)?.trim_start().strip_prefix("BEGIN ")?))
    })?;
    let (label, body) = rest.split_once(fence)?;
    let label = label.trim_end().trim_end_matches(" BLOCK");
    if label.len() > MAX_PEM_LABEL_BYTES || !label.ends_with("PRIVATE KEY") {
        return None;
    }
    let body_at = text.len() - body.len();
    let (inner, tail) = body.split_once(fence).unwrap_or((body, ""));
    let footer = tail.trim_start_matches(' ').strip_prefix("END ").and_then(|footer| {
        let (_, rest) = footer.split_once(fence)?;
        (footer.len() - rest.len() <= MAX_PEM_LABEL_BYTES + 12).then_some(text.len() - rest.len())
    });
    let end = footer.unwrap_or_else(|| body_at + inner.trim_end_matches(|ch| !in_pem(ch)).len());
    Some((BuiltinMaskRule::PrivateKey, at..end))
}

fn in_pem(ch: char) -> bool {
    ch.is_ascii_alphanumeric() || matches!(ch, '+' | '/' | '=')
}

/// A JSON web token: three parts, the first beginning with `eyJ`, whose `J` is here.
pub(super) fn jwt(text: &str, at: usize) -> Option<(BuiltinMaskRule, Range<usize>)> {
    let start = at.checked_sub(2)?;
    let rest = text.get(start..)?;
    if !rest.starts_with("eyJ") || is_inside(text, start) {
        return None;
    }
    let (header, rest) = part(rest);
    let (payload, rest) = part(rest.strip_prefix('.')?);
    let (_, rest) = part(rest.strip_prefix('.')?);
    let long = header.len() >= MIN_JWT_PART_BYTES && payload.len() >= MIN_JWT_PART_BYTES;
    long.then(|| (BuiltinMaskRule::Jwt, start..text.len() - rest.len()))
}

/// `sk-…`, `xoxb-…` and the like, whose first dash is here.
pub(super) fn dashed_key(text: &str, at: usize) -> Option<(BuiltinMaskRule, Range<usize>)> {
    key(
        text,
        at,
        &["sk", "xoxa", "xoxb", "xoxe", "xoxp", "xoxr", "xoxs", "xapp", "glpat", "GOCSPX", "pypi"],
    )
}

/// `ghp_…`, `sk_live_…` and the like, whose first underscore is here.
pub(super) fn underscored_key(text: &str, at: usize) -> Option<(BuiltinMaskRule, Range<usize>)> {
    key(
        text,
        at,
        &[
            "ghp", "gho", "ghu", "ghs", "ghr", "github", "sk", "rk", "whsec", "hf", "npm", "shpat",
            "dop",
        ],
    )
}

/// A key of this program's own API, `dalil_TENANT_…`, whose first underscore is here.
pub(super) fn own_key(text: &str, at: usize) -> Option<(BuiltinMaskRule, Range<usize>)> {
    let start = at.checked_sub(OWN_KEY_PREFIX.len())?;
    if text.get(start..at)? != OWN_KEY_PREFIX || is_inside(text, start) {
        return None;
    }
    let (tail, rest) = part(text.get(at + 1..)?);
    // Names of figures such as `dalil_evicted_connections_total` are shorter and have no digits.
    let long = tail.len() >= MIN_OWN_KEY_TAIL_BYTES && tail.bytes().any(|one| one.is_ascii_digit());
    long.then(|| (BuiltinMaskRule::ApiKey, start..text.len() - rest.len()))
}

/// `AKIA…` and `ASIA…`, whose `I` is here, and `AIza…`, whose `z` is here.
pub(super) fn plain_key(text: &str, at: usize) -> Option<(BuiltinMaskRule, Range<usize>)> {
    let start = at.checked_sub(2)?;
    let rest = text.get(start..)?;
    let fits = |length: usize, fits: fn(char) -> bool| {
        let body = rest.get(4..)?.chars().take(length + 1).take_while(|ch| fits(*ch)).count();
        let end = start + 4 + length;
        (body == length && !char_at(text, end).is_some_and(is_word)).then_some(end)
    };
    let end = if rest.starts_with("AKIA") || rest.starts_with("ASIA") {
        fits(16, |ch| ch.is_ascii_uppercase() || ch.is_ascii_digit())
    } else if rest.starts_with("AIza") {
        fits(35, in_token)
    } else {
        None
    };
    end.filter(|_| !is_inside(text, start)).map(|end| (BuiltinMaskRule::ApiKey, start..end))
}

/// A key that is one of `prefixes`, the mark at `at`, and a long tail.
fn key(text: &str, at: usize, prefixes: &[&str]) -> Option<(BuiltinMaskRule, Range<usize>)> {
    let head = text.get(..at)?;
    let prefix = prefixes.iter().find(|prefix| head.ends_with(**prefix))?;
    let start = at - prefix.len();
    // Asked first, so that no token is read more than once.
    if is_inside(text, start) {
        return None;
    }
    let (tail, rest) = part(text.get(at + 1..)?);
    // A compound word such as `sk-learn` is neither long nor has digits.
    let numbered = tail.bytes().any(|byte| byte.is_ascii_digit());
    let long =
        tail.len() >= if numbered { MIN_KEY_TAIL_WITH_DIGIT_BYTES } else { MIN_KEY_TAIL_BYTES };
    long.then(|| (BuiltinMaskRule::ApiKey, start..text.len() - rest.len()))
}

/// `Bearer …`, whose `B` is here.
pub(super) fn bearer(text: &str, at: usize) -> Option<(BuiltinMaskRule, Range<usize>)> {
    let rest = text.get(at..)?;
    let token = rest.get(..7)?.eq_ignore_ascii_case("bearer ").then(|| rest.get(7..))??;
    let in_bearer = |ch: char| in_token(ch) || matches!(ch, '.' | '~' | '+' | '/' | '=');
    let token = token.get(..token.find(|ch| !in_bearer(ch)).unwrap_or(token.len()))?;
    let token = token.trim_end_matches('.');
    let fits = token.len() >= MIN_BEARER_TOKEN_BYTES
        && token.bytes().any(|byte| byte.is_ascii_digit())
        && !is_inside(text, at);
    fits.then(|| (BuiltinMaskRule::ApiKey, at + 7..at + 7 + token.len()))
}

/// A client's secret as Azure makes them, `abc8Q~…`, whose first `~` is here.
pub(super) fn azure_key(text: &str, at: usize) -> Option<(BuiltinMaskRule, Range<usize>)> {
    let start = at.checked_sub(5)?;
    let in_key = |ch: char| in_token(ch) || matches!(ch, '.' | '~');
    let [.., digit, b'Q'] = text.get(start..at)?.as_bytes() else { return None };
    let tail = text.get(at + 1..)?;
    let length = tail.chars().take(35).take_while(|ch| in_key(*ch)).count();
    let fits = digit.is_ascii_digit() && (31..=34).contains(&length) && !is_inside(text, start);
    fits.then(|| (BuiltinMaskRule::ApiKey, start..at + 1 + length))
}

/// A web hook, whose address is all that is needed to use it and whose first colon is here.
pub(super) fn web_hook(text: &str, at: usize) -> Option<(BuiltinMaskRule, Range<usize>)> {
    let rest = text.get(at..)?.strip_prefix("://")?;
    let (host, path) = rest.split_once('/')?;
    let is_hook = |(name, start): &(&str, &str)| {
        (host == *name || host.ends_with(&format!(".{name}"))) && path.starts_with(start)
    };
    WEB_HOOKS.iter().find(|hook| is_hook(hook))?;
    let ends = |ch: char| ch.is_whitespace() || "\"'`<>)]|".contains(ch);
    let path = path.get(..path.find(ends).unwrap_or(path.len()))?.trim_end_matches(['.', ',', ';']);
    let start = at + 3 + host.len() + 1;
    Some((BuiltinMaskRule::SecretMarker, start..start + path.len()))
}

/// A password given to a command, whose option's dash is here: `curl -u admin:…`, `mysql -p…`.
pub(super) fn command_option(text: &str, at: usize) -> Option<(BuiltinMaskRule, Range<usize>)> {
    // `on-premises` and the second dash of `--port` begin no option.
    if char_before(text, at).is_some_and(|ch| !ch.is_whitespace()) {
        return None;
    }
    let rest = text.get(at..)?;
    let from = text.ceil_char_boundary(at.saturating_sub(MAX_COMMAND_BYTES));
    let line = text.get(from..at)?.rsplit('\n').next()?;
    let is_called = |command: &str| {
        line.split_whitespace().any(|word| word.rsplit('/').next() == Some(command))
    };
    let (_, option, given) = COMMAND_OPTIONS
        .iter()
        .find(|(command, option, _)| rest.starts_with(option) && is_called(command))?;
    let rest = rest.get(option.len()..)?;
    let quoted = rest.trim_start_matches(['"', '\'']);
    let value = quoted.split(|ch: char| ch.is_whitespace() || "\"'".contains(ch)).next()?;
    let secret = match given {
        CommandValue::UserAndPassword => value.split_once(':')?.1,
        CommandValue::Password => value,
    };
    let end = text.len() - quoted.len() + value.len();
    let is_given = !secret.is_empty() && !secret.starts_with(['$', '<', '[', '{']);
    is_given.then(|| (BuiltinMaskRule::SecretMarker, end - secret.len()..end))
}

/// The characters of a token at the start of a text, and the rest.
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

/// Hosts of web hooks, and how their secret paths start.
const WEB_HOOKS: [(&str, &str); 4] = [
    ("hooks.slack.com", "services/"),
    ("discord.com", "api/webhooks/"),
    ("webhook.office.com", "webhookb2/"),
    ("chat.googleapis.com", "v1/spaces/"),
];

/// The value of a command's option.
enum CommandValue {
    Password,
    UserAndPassword,
}

/// Commands that take a password, and the option before it.
const COMMAND_OPTIONS: [(&str, &str, CommandValue); 8] = [
    ("curl", "-u ", CommandValue::UserAndPassword),
    ("curl", "--user ", CommandValue::UserAndPassword),
    ("wget", "--password=", CommandValue::Password),
    ("mysql", "-p", CommandValue::Password),
    ("mysqldump", "-p", CommandValue::Password),
    ("sshpass", "-p ", CommandValue::Password),
    ("sshpass", "-p", CommandValue::Password),
    ("docker", "--password ", CommandValue::Password),
];

/// The most bytes between the name of a command and its option.
const MAX_COMMAND_BYTES: usize = 160;
/// The longest label in use, `ENCRYPTED PRIVATE KEY` with an algorithm before it, has under 40.
const MAX_PEM_LABEL_BYTES: usize = 64;
/// Shorter words after `Bearer` and between points are words: `bearer documents`, `eyJ.a.b`.
const MIN_BEARER_TOKEN_BYTES: usize = 16;
const MIN_JWT_PART_BYTES: usize = 8;
/// Keys of the known prefixes have more; shorter tails are identifiers of programs: `sk_test_mode`.
const MIN_KEY_TAIL_WITH_DIGIT_BYTES: usize = 12;
const MIN_KEY_TAIL_BYTES: usize = 20;

const OWN_KEY_PREFIX: &str = "dalil";
/// Sixteen digits of an id and 43 characters of a secret, behind the name of the tenant.
const MIN_OWN_KEY_TAIL_BYTES: usize = 60;

/// The marks around the header of a private key.
const PEM_FENCES: [&str; 2] = ["-----", "----"];
