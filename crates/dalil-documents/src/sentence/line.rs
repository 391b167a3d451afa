//! Lines that begin or end a sentence whatever their words are.

use std::ops::Range;

use super::{is_arabic, is_digit};

/// The parts of a text that no sentence crosses, in order.
pub(super) fn regions(text: &str) -> Vec<Range<usize>> {
    let mut regions = Vec::new();
    let mut from = 0;
    let mut at = 0;
    let mut before = "";
    for line in text.split_inclusive('\n') {
        if cuts(before, line) {
            regions.push(from..at);
            from = at;
        }
        at += line.len();
        before = line;
    }
    regions.push(from..text.len());
    regions
}

/// Whether nothing runs on from one line to the next.
fn cuts(before: &str, line: &str) -> bool {
    let (before, line) = (before.trim(), line.trim());
    if before.is_empty() || line.is_empty() || alone(before) || alone(line) {
        return true;
    }
    // A number may continue a wrapped sentence (`under clause / 4.2`); a bullet does not.
    match marker(line) {
        Some(ListMarker { kind: ListMarkerKind::Bullet, .. }) => true,
        Some(ListMarker { kind: ListMarkerKind::Number, .. })
            if continues_in_brackets(before, line) =>
        {
            false
        }
        Some(ListMarker { kind: ListMarkerKind::Number, len }) => {
            let next = line.get(len..).and_then(|rest| rest.trim_start().chars().next());
            let begins = |ch: char| ch.is_uppercase() || is_arabic(ch) || "*_\"“«[`".contains(ch);
            before.ends_with([';', ':', '.', '؛']) || next.is_some_and(begins) && !runs_on(before)
        }
        None => false,
    }
}

/// Whether a line is a sentence by itself: a heading or a table row.
fn alone(line: &str) -> bool {
    let heading = line.trim_start_matches('#');
    let level = line.len() - heading.len();
    matches!(level, 1..=6) && heading.starts_with(' ') || line.starts_with('|')
}

/// Whether a line ends in the middle of a reference or a list of words: `under clause`.
fn runs_on(line: &str) -> bool {
    let word = line.rsplit_once(char::is_whitespace).map_or(line, |(_, word)| word);
    if word.ends_with([',', '،', '-', '–', '(']) {
        return true;
    }
    let word = word.trim_matches(|ch: char| !ch.is_alphanumeric()).to_lowercase();
    RUN_ON_WORDS.contains(&word.as_str()) || NUMBERED_NOUNS.contains(&word.as_str())
}

/// Whether a line begins with a number in brackets that continues the sentence before it, and
/// is not the mark of an item: `fourteen / (14) days`, `within / (30) days`.
///
/// The words before it end in a number, or a unit of time follows it; a list whose items begin
/// with a number in words or a unit is rarer than a line that breaks there.
pub(crate) fn continues_in_brackets(before: &str, line: &str) -> bool {
    let Some((number, rest)) = line.strip_prefix('(').and_then(|inside| inside.split_once(')'))
    else {
        return false;
    };
    let last = before.trim_end().rsplit([' ', '\t', '\n', '-']).next().map(unvowelled);
    // After a stop or a comma, a number in brackets does not continue the line.
    let Some(last) = last.filter(|last| last.ends_with(char::is_alphabetic)) else { return false };
    let mut words = rest.split_whitespace().filter(|word| !is_among(PERIOD_ADJECTIVES, word));
    let next = words.next().map_or_else(String::new, unvowelled);
    let next = next.trim_end_matches(|ch: char| !ch.is_alphabetic());
    let last = last.to_lowercase();
    let numeral = last.strip_prefix('و').unwrap_or(&last);
    !number.is_empty()
        && number.chars().all(is_digit)
        && (is_among(NUMERAL_WORDS, numeral) || is_among(PERIOD_NOUNS, next))
}

fn is_among(words: &str, word: &str) -> bool {
    words.split(' ').any(|one| one == word)
}

/// A word without vowel marks (U+064B to U+0652), which are optional in Arabic.
fn unvowelled(word: &str) -> String {
    word.chars().filter(|ch| !('\u{64B}'..='\u{652}').contains(ch)).collect()
}

/// The marker of a list item or a numbered clause.
#[derive(Debug)]
pub struct ListMarker {
    /// Its kind.
    pub kind: ListMarkerKind,
    /// Its length in bytes, without the white space after it.
    pub len: usize,
}

/// The kind of a marker.
#[derive(Debug, PartialEq, Eq)]
pub enum ListMarkerKind {
    /// `-`, `•`.
    Bullet,
    /// `1.`, `4.2`, `(a)`, `ب)`, `iv.`
    Number,
}

/// The marker that a line begins with. White space follows it.
pub fn marker(line: &str) -> Option<ListMarker> {
    let (kind, len) = bullet(line)
        .map(|len| (ListMarkerKind::Bullet, len))
        .or_else(|| number(line).map(|len| (ListMarkerKind::Number, len)))?;
    let rest = line.get(len..)?;
    rest.starts_with(char::is_whitespace).then_some(ListMarker { kind, len })
}

fn bullet(line: &str) -> Option<usize> {
    let first = line.chars().next()?;
    "-*+•◦▪‣·–—●○■□✓✔➤►".contains(first).then_some(first.len_utf8())
}

/// `1.`, `1)`, `(1)`, `4.2`, `4.2.`, `a)`, `(a)`, `iv.`, `١.`, `أ)`.
fn number(line: &str) -> Option<usize> {
    let inside = line.strip_prefix('(').unwrap_or(line);
    let opened = line.len() - inside.len();
    let end = inside.find(|ch: char| !(ch.is_alphanumeric() || ch == '.'))?;
    let label = inside.get(..end)?;
    let rest = inside.get(end..)?;
    let closed = rest.starts_with(')');
    let bare = label.trim_end_matches('.');
    let stopped = bare.len() < label.len();
    let parts = bare.split('.').count();
    // Up to three digits: a longer number at the head of a line is a year or an amount.
    let digits = bare
        .split('.')
        .all(|part| !part.is_empty() && part.chars().count() <= 3 && part.chars().all(is_digit));
    let letter = bare.chars().count() == 1 && bare.chars().all(char::is_alphabetic);
    let roman = bare.len() <= 5 && bare.chars().all(|ch| "ivxlIVXL".contains(ch));
    // `4.2` marks a clause by itself; `4` or `a` needs a stop or a bracket.
    let named = digits && (closed || stopped || parts > 1 && opened == 0)
        || (letter || roman) && !bare.is_empty() && (closed || stopped && opened == 0);
    let balanced = opened == 0 || closed;
    (named && balanced).then_some(opened + end + usize::from(closed))
}

/// Words whose number is a name: `clause 4`.
pub const NUMBERED_NOUNS: &[&str] = &[
    "section",
    "sections",
    "clause",
    "clauses",
    "article",
    "articles",
    "art",
    "sec",
    "paragraph",
    "para",
    "page",
    "pages",
    "no",
    "nos",
    "number",
    "figure",
    "table",
    "schedule",
    "annex",
    "appendix",
    "chapter",
    "part",
    "item",
    "version",
    "المادة",
    "البند",
    "الفقرة",
    "رقم",
    "صفحة",
    "القسم",
];

/// Words that the next word of an enumeration or a phrase follows.
const RUN_ON_WORDS: &[&str] = &["and", "or", "to", "of", "the", "in", "by", "with"];
/// The words that a number ends with; `و` before one of them is left out.
const NUMERAL_WORDS: &str = "\
    one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen \
    sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety \
    hundred thousand million واحد واحدة واحدا اثنان اثنين اثنتان اثنتين ثلاث ثلاثة أربع أربعة \
    خمس خمسة ست ستة سبع سبعة ثمان ثماني ثمانية تسع تسعة عشر عشرة عشرون عشرين ثلاثون ثلاثين \
    أربعون أربعين خمسون خمسين ستون ستين سبعون سبعين ثمانون ثمانين تسعون تسعين مئة مائة مئتان \
    مئتين مائتان مائتين ألف ألفا آلاف مليون";
/// Units of time as they follow a number. The Arabic singulars that also begin the name of a thing,
/// such as `يوم العمل`, are left out.
const PERIOD_NOUNS: &str = "\
    day days week weeks month months year years hour hours minute minutes يوما أيام أسبوعا \
    أسابيع شهرا أشهر شهور سنة سنوات عاما أعوام ساعة ساعات دقيقة دقائق";
/// Words between a number and its unit.
const PERIOD_ADJECTIVES: &str = "business calendar consecutive full working";
