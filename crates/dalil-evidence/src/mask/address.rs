//! Addresses: email, and the IP addresses that are not dotted numbers.

use core::net::Ipv6Addr;
use std::ops::Range;

use crate::mask::builtin::BuiltinMaskRule;
use crate::mask::edge::{char_at, char_before, is_after_word, is_word};

/// The email address around an `@`.
pub(super) fn email(text: &str, at: usize) -> Option<(BuiltinMaskRule, Range<usize>)> {
    let head = text.get(..at)?;
    let local = head.get(head.trim_end_matches(in_local).len()..)?;
    let local = local.trim_start_matches(['.', '-', '%', '+']);
    // A page may break an address after its sign.
    let rest = text.get(at + 1..)?;
    let rest = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix('\n')).unwrap_or(rest);
    let from = text.len() - rest.len();
    let domain = rest.split(|ch: char| !in_domain(ch)).next()?;
    let domain = ends(domain).find(|domain| is_domain(domain))?;
    let end = from + domain.len();
    let whole = !local.is_empty() && !char_at(text, end).is_some_and(is_word);
    whole.then(|| (BuiltinMaskRule::Email, at - local.len()..end))
}

/// An email address that is spelt for people, whose `[at]` starts here:
/// `noura.ali [at] example [dot] com`.
pub(super) fn spelt_email(text: &str, at: usize) -> Option<(BuiltinMaskRule, Range<usize>)> {
    let rest = spelt(text.get(at..)?, "at")?;
    let head = text.get(..at)?.trim_end_matches(' ');
    let start = head.trim_end_matches(in_local).len();
    let mut rest = rest.trim_start_matches(' ');
    let (mut labels, mut top) = (0, "");
    let mut end = None;
    while labels < MAX_SPELT_LABELS {
        let label = rest.split(|ch: char| !ch.is_alphanumeric() && ch != '-').next()?;
        if label.is_empty() {
            break;
        }
        (labels, top) = (labels + 1, label);
        rest = rest.get(label.len()..)?;
        end = Some(text.len() - rest.len());
        let next = rest.trim_start_matches(' ');
        // After a plain point a space ends a sentence.
        let after = spelt(next, "dot").map(|rest| rest.trim_start_matches(' '));
        let Some(after) = after.or_else(|| rest.strip_prefix('.')) else { break };
        rest = after;
    }
    let is_named = top.chars().nth(1).is_some() && top.chars().all(char::is_alphabetic);
    (labels >= 2 && is_named && start < head.len() && at - head.len() <= 1)
        .then_some((BuiltinMaskRule::Email, start..end?))
}

/// The text after a word in brackets of any kind.
fn spelt<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let inner = text.strip_prefix(['[', '(', '{'])?.trim_start_matches(' ');
    let after =
        inner.get(..word.len())?.eq_ignore_ascii_case(word).then(|| inner.get(word.len()..))??;
    after.trim_start_matches(' ').strip_prefix([']', ')', '}'])
}

/// A domain and its prefixes of whole labels, longest first.
fn ends(domain: &str) -> impl Iterator<Item = &str> {
    let domain = domain.trim_end_matches(['.', '-']);
    std::iter::successors(Some(domain), |domain| domain.rsplit_once('.').map(|(head, _)| head))
        .take(MAX_DNS_LABELS)
}

fn is_domain(domain: &str) -> bool {
    let Some((head, top)) = domain.rsplit_once('.') else { return false };
    let top_level = top.starts_with("xn--") || top.chars().all(char::is_alphabetic);
    top_level
        && top.chars().nth(1).is_some()
        && head.split('.').all(|label| !label.is_empty() && !label.starts_with('-'))
}

fn in_local(ch: char) -> bool {
    ch.is_alphanumeric() || matches!(ch, '.' | '_' | '%' | '+' | '-')
}

fn in_domain(ch: char) -> bool {
    ch.is_alphanumeric() || matches!(ch, '.' | '-')
}

/// The IPv6 address around a colon; only its first colon finds it.
pub(super) fn ip_v6(text: &str, at: usize) -> Option<(BuiltinMaskRule, Range<usize>)> {
    let bytes = text.as_bytes();
    let head = bytes.get(at.saturating_sub(4)..at)?;
    let before = head.iter().rev().take_while(|byte| byte.is_ascii_hexdigit()).count();
    let start = at - before;
    let inside = is_after_word(text, start) || char_before(text, start) == Some(':');
    if inside || before == 0 && bytes.get(at + 1) != Some(&b':') {
        return None;
    }
    let rest = bytes.get(start..)?.iter().take(MAX_IPV6_BYTES + 1);
    let length =
        rest.take_while(|byte| byte.is_ascii_hexdigit() || matches!(byte, b':' | b'.')).count();
    let whole = text.get(start..start + length)?;
    let address = whole.trim_end_matches('.');
    let address = address.strip_suffix(':').filter(|_| !address.ends_with("::")).unwrap_or(address);
    let end = start + address.len();
    let alone = !char_at(text, end).is_some_and(is_word);
    // A code path such as `a::b` has no digit; `::` and `::1` identify no person.
    let names = address.bytes().any(|byte| byte.is_ascii_digit())
        && address.parse::<Ipv6Addr>().is_ok_and(|ip| !ip.is_loopback() && !ip.is_unspecified());
    (length <= MAX_IPV6_BYTES && alone && names).then_some((BuiltinMaskRule::Ip, start..end))
}

/// An address with an IPv4 tail has 45 characters at most.
const MAX_IPV6_BYTES: usize = 45;

/// A longer domain is never spelled out.
const MAX_SPELT_LABELS: usize = 6;

/// A name in DNS has 127 labels at most.
const MAX_DNS_LABELS: usize = 127;
