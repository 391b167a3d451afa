//! Masking: finds values that must not be shown, and records each replacement.
//!
//! [`scan`] walks the bytes once and stops only at those that can begin, join or end something: a
//! digit, an `@`, a colon, a known prefix. [`number`], [`address`] and [`secret`] then look at that
//! place and no further than the thing itself, and [`checksum`] validates numbers with a checksum.
//! So the work is linear in the text, and a number that only looks like a card is left alone.
//!
//! A mask has the rule, the place in the original text and the replacement; never
//! the value. The holder of the [`MaskKey`] can tell by the keyed digest
//! whether two masked values are equal.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use dalil_phrasebook::{Phrase, bound, expected, found, hint};
use dalil_proof::digest::hex;
use dalil_proof::fault::{Fault, quoted};
use hmac::{Hmac, KeyInit as _, Mac as _};
use regex::Regex;
use serde::{Serialize, Serializer, ser::SerializeStruct as _};
use sha2::Sha256;

use crate::mask::builtin::BuiltinMaskRule;
use crate::mask::fold::FoldedText;

mod address;
mod builtin;
mod checksum;
mod edge;
mod fold;
mod label;
mod number;
mod scan;
mod secret;

#[cfg(test)]
mod tests;

/// Something that must not be shown, at byte offsets of the text it was found in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SensitiveSpan<'r> {
    /// The name of the rule that found it.
    pub rule: &'r str,
    /// Where it starts.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// The replacement text.
    pub replacement: &'r str,
}

impl SensitiveSpan<'_> {
    fn place(&self) -> (usize, usize) {
        (self.start, self.end)
    }
}

/// The pattern of a custom rule, and its replacement.
#[derive(Clone, Debug)]
pub struct MaskRule {
    name: String,
    pattern: Regex,
    replacement: String,
}

impl MaskRule {
    /// A rule of the caller's own.
    ///
    /// # Errors
    /// Faults at `path` or below it: a name or replacement that is empty, a
    /// pattern that is not a regular expression or is too large, and a
    /// replacement that a rule would find again.
    pub fn new(
        name: &str,
        pattern: &str,
        replacement: &str,
        path: &str,
    ) -> Result<Self, Vec<Fault>> {
        let mut faults = Vec::new();
        if name.trim().is_empty() {
            faults.push(Fault::new(
                "empty",
                format!("{path}.name"),
                expected::some_text(),
                quoted(name),
            ));
        }
        let pattern =
            regex::RegexBuilder::new(pattern).size_limit(MAX_COMPILED_PATTERN_BYTES).build();
        if let Err(error) = &pattern {
            faults.push(not_a_pattern(error, path));
        }
        let rule = pattern.ok().map(|pattern| Self {
            name: name.to_owned(),
            pattern,
            replacement: replacement.to_owned(),
        });
        // Otherwise masking a text again would change it.
        let found_again = match &rule {
            Some(rule) => !find(replacement, std::slice::from_ref(rule)).is_empty(),
            None => !find(replacement, &[]).is_empty(),
        };
        if found_again || replacement.is_empty() {
            let expected = expected::a_replacement_that_no_rule_would_mask_again();
            let path = format!("{path}.replacement");
            let fault = Fault::new("replacement", path, expected, quoted(replacement));
            faults.push(fault.hint(hint::use_a_mark_such_as_code_redacted()));
        }
        rule.filter(|_| faults.is_empty()).ok_or(faults)
    }
}

impl Serialize for MaskRule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut rule = serializer.serialize_struct("Rule", 3)?;
        rule.serialize_field("name", &self.name)?;
        rule.serialize_field("pattern", self.pattern.as_str())?;
        rule.serialize_field("replacement", &self.replacement)?;
        rule.end()
    }
}

/// A secret for the digests of values, so that its holder, and only its holder, can tell
/// whether two values are equal.
#[derive(Clone)]
pub struct MaskKey(Vec<u8>);

impl MaskKey {
    /// The required form of a key, for messages.
    pub const EXPECTED: Phrase = bound::at_least_16_bytes();

    /// Wraps the bytes of a key; `None` when they are too few to be one.
    pub fn new(bytes: &[u8]) -> Option<Self> {
        (bytes.len() >= 16).then(|| Self(bytes.to_vec()))
    }

    /// `hmac-sha256:` and 64 lower-case hex digits over the value.
    fn digest(&self, value: &str) -> Option<String> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).ok()?;
        mac.update(value.as_bytes());
        Some(format!("hmac-sha256:{}", hex(&mac.finalize().into_bytes())))
    }
}

impl fmt::Debug for MaskKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

/// Masked text, and the record of the masked values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaskedText<'t> {
    /// The text that may be shown; borrowed when nothing was found.
    pub text: Cow<'t, str>,
    /// The masks, in the order of the text.
    pub masks: Vec<Mask>,
}

impl MaskedText<'_> {
    /// A part of the masked text, as it may be shown; its masks at their places in it.
    ///
    /// A value that is masked in the whole is masked in the part, even if the part's edge cuts the
    /// value or the label beside it. A mask that reaches into the part is in it whole. `original`
    /// is the text that was masked. A range outside of it gives an empty text.
    pub fn part<'o>(&self, original: &'o str, range: Range<usize>) -> MaskedText<'o> {
        let text = original.get(range.clone()).unwrap_or_default();
        let first = self.masks.partition_point(|mask| mask.end <= range.start);
        let inside = self.masks.iter().skip(first).take_while(|mask| mask.start < range.end);
        let moved = |mask: &Mask| Mask {
            start: mask.start.max(range.start) - range.start,
            end: mask.end.min(range.end) - range.start,
            ..mask.clone()
        };
        let masks: Vec<Mask> = inside.map(moved).collect();
        if masks.is_empty() || text.is_empty() {
            return MaskedText { text: Cow::Borrowed(text), masks: Vec::new() };
        }
        let found: Vec<SensitiveSpan<'_>> = masks.iter().map(Mask::span).collect();
        MaskedText { text: Cow::Owned(replaced(text, &found)), masks }
    }
}

/// A redaction: what kind, where; never what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mask {
    /// The name of the rule.
    pub rule: String,
    /// Where the value started in the original text, in bytes.
    pub start: usize,
    /// Where the value ended in the original text, in bytes.
    pub end: usize,
    /// The replacement.
    pub replacement: String,
    /// `hmac-sha256:…` of the value, when a key was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
}

impl Mask {
    fn span(&self) -> SensitiveSpan<'_> {
        let Self { rule, start, end, replacement, .. } = self;
        SensitiveSpan { rule, start: *start, end: *end, replacement }
    }
}

/// Replaces everything that the built-in rules and the custom ones find.
pub fn apply<'t>(text: &'t str, custom: &[MaskRule], key: Option<&MaskKey>) -> MaskedText<'t> {
    let found = find(text, custom);
    if found.is_empty() {
        return MaskedText { text: Cow::Borrowed(text), masks: Vec::new() };
    }
    let masks = found.iter().map(|found| Mask {
        rule: found.rule.to_owned(),
        start: found.start,
        end: found.end,
        replacement: found.replacement.to_owned(),
        digest: text
            .get(found.start..found.end)
            .and_then(|value| key.and_then(|key| key.digest(value))),
    });
    MaskedText { text: Cow::Owned(replaced(text, &found)), masks: masks.collect() }
}

/// Everything that the built-in rules and the custom ones find: in order,
/// never overlapping, on character boundaries.
///
/// Where finds overlap, the leftmost gives the name, then the longest, then the
/// first in the order of the rules (custom ones last), and the mask covers them
/// all. Masking one value can uncover another beside it, so the masked text is
/// searched again until nothing is left to find.
pub fn find<'r>(text: &str, custom: &'r [MaskRule]) -> Vec<SensitiveSpan<'r>> {
    let mut found = once(text, custom);
    for pass in 0.. {
        if found.is_empty() {
            break;
        }
        let masked = replaced(text, &found);
        let more = once(&masked, custom);
        if more.is_empty() {
            break;
        }
        let more = more.into_iter().map(|more| SensitiveSpan {
            start: original(more.start, &found, SpanEdge::Start),
            end: original(more.end, &found, SpanEdge::End),
            ..more
        });
        let more: Vec<SensitiveSpan<'r>> = match pass {
            ..MAX_PLAIN_PASSES => more.collect(),
            // Text that is made to be uncovered bit by bit loses more each time.
            _ => more
                .map(|more| widened(text, more, 1 << (pass - MAX_PLAIN_PASSES).min(30)))
                .collect(),
        };
        let grown = merged(found.iter().copied().chain(more).collect());
        // A rule that finds the mark of another rule has nothing left to hide.
        if grown.iter().map(SensitiveSpan::place).eq(found.iter().map(SensitiveSpan::place)) {
            break;
        }
        found = grown;
    }
    found
}

/// A find that takes `by` bytes more of the text on each side, and whole characters.
fn widened<'r>(text: &str, found: SensitiveSpan<'r>, by: usize) -> SensitiveSpan<'r> {
    SensitiveSpan {
        start: text.floor_char_boundary(found.start.saturating_sub(by)),
        end: text.ceil_char_boundary(found.end.saturating_add(by).min(text.len())),
        ..found
    }
}

/// One pass over the text.
fn once<'r>(text: &str, custom: &'r [MaskRule]) -> Vec<SensitiveSpan<'r>> {
    let mut places = scan::candidates(text);
    // Wide letters and invisible characters are folded before the search.
    if let Some(folded) = FoldedText::of(text) {
        let seen = scan::candidates(&folded.text).into_iter();
        places.extend(seen.filter_map(|(rule, range)| Some((rule, folded.original(&range)?))));
    }
    let mut found: Vec<SensitiveSpan<'r>> =
        places.into_iter().map(BuiltinMaskRule::found).collect();
    for rule in custom {
        let places = rule.pattern.find_iter(text).filter(|place| !place.is_empty());
        found.extend(places.map(|place| SensitiveSpan {
            rule: &rule.name,
            start: place.start(),
            end: place.end(),
            replacement: &rule.replacement,
        }));
    }
    merged(found)
}

/// Puts finds in order and joins those that overlap.
fn merged(mut found: Vec<SensitiveSpan<'_>>) -> Vec<SensitiveSpan<'_>> {
    // The sort is stable, so equal places stay in the order of the rules.
    found.sort_by_key(|found| (found.start, usize::MAX - found.end));
    let mut merged: Vec<SensitiveSpan<'_>> = Vec::with_capacity(found.len());
    for next in found {
        match merged.last_mut() {
            Some(last) if next.start < last.end => last.end = last.end.max(next.end),
            _ => merged.push(next),
        }
    }
    merged
}

fn replaced(text: &str, found: &[SensitiveSpan<'_>]) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut from = 0;
    for found in found {
        masked.push_str(text.get(from..found.start).unwrap_or_default());
        masked.push_str(found.replacement);
        from = found.end;
    }
    masked.push_str(text.get(from..).unwrap_or_default());
    masked
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum SpanEdge {
    Start,
    End,
}

/// Maps a place in the masked text to the original one; a place inside a
/// replacement moves outward, to the edge of the value that was replaced.
fn original(place: usize, found: &[SensitiveSpan<'_>], side: SpanEdge) -> usize {
    let (mut from, mut at) = (0, 0);
    for found in found {
        let next = at + (found.start - from);
        if place < next || side == SpanEdge::End && place == next {
            return from + (place - at);
        }
        let after = next + found.replacement.len();
        if place < after || side == SpanEdge::End && place == after {
            return if side == SpanEdge::Start { found.start } else { found.end };
        }
        (from, at) = (found.end, after);
    }
    from + (place - at)
}

fn not_a_pattern(error: &regex::Error, path: &str) -> Fault {
    let found = match error {
        regex::Error::CompiledTooBig(limit) => found::one_that_needs_more_than_bytes(limit),
        error => {
            let text = error.to_string();
            // The last line has the reason; those before it draw the pattern.
            let said = text.lines().last().unwrap_or(&text);
            quoted(said.trim_start_matches("error: "))
        }
    };
    let fault =
        Fault::new("pattern", format!("{path}.pattern"), expected::a_regular_expression(), found);
    fault.hint(hint::regex_syntax())
}

/// A pattern that compiles to more than this is refused.
const MAX_COMPILED_PATTERN_BYTES: usize = 1 << 20;

/// Each pass is linear, and real text needs two. After these the masks grow by
/// doubling, so that no text needs more passes than its length has digits.
const MAX_PLAIN_PASSES: u32 = 8;
