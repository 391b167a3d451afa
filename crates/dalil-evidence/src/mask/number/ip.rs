//! IPv4 addresses, and the numbers of clauses and versions that look like them.

use crate::mask::label::is_one_of;
use crate::mask::number::shape::{GroupSeparator, NumberShape};

/// Four numbers up to 255 with dots, without leading zeros.
pub(super) fn ip_v4(shape: &NumberShape<'_>) -> bool {
    if shape.lengths.len() != 4 || shape.joins != [GroupSeparator::Dot; 3] {
        return false;
    }
    let apart =
        shape.whole && shape.left != GroupSeparator::Dot && shape.right != GroupSeparator::Dot;
    octets(shape)
        .is_some_and(|octets| apart && !is_in_list_of_clauses(shape) && !is_heading(shape, octets))
}

fn octets(shape: &NumberShape<'_>) -> Option<[usize; 4]> {
    let mut digits = shape.digits;
    let mut octets = [0; 4];
    for (octet, length) in octets.iter_mut().zip(&shape.lengths) {
        let (head, rest) = digits.split_at_checked(*length)?;
        digits = rest;
        *octet = head.iter().fold(0, |sum: usize, digit| {
            sum.saturating_mul(10).saturating_add(usize::from(*digit))
        });
        if *octet > 255 || head.len() > 1 && head.first() == Some(&0) {
            return None;
        }
    }
    Some(octets)
}

/// Whether a word for a clause or a version is before it, perhaps with other clauses between:
/// `clauses 4.2.1.3, 4.2.1.4 and 4.2.1.5`.
fn is_in_list_of_clauses(shape: &NumberShape<'_>) -> bool {
    let from = shape
        .text
        .ceil_char_boundary(shape.range.start.saturating_sub(MAX_CLAUSE_WORD_DISTANCE_BYTES));
    let mut head = shape.text.get(from..shape.range.start).unwrap_or_default();
    loop {
        head = head.trim_end_matches([' ', '\u{a0}', '(', '.', ',', '،', '&', '-', '–']);
        let word = head.get(head.trim_end_matches(char::is_alphabetic).len()..).unwrap_or_default();
        if head.ends_with('§') || is_one_of(word, &CLAUSE_OR_VERSION_WORDS) {
            return true;
        }
        let rest = if is_one_of(word, &LIST_CONJUNCTIONS) {
            head.len() - word.len()
        } else {
            let item = head.trim_end_matches(|ch: char| ch.is_numeric() || ch == '.');
            item.strip_suffix('و').unwrap_or(item).len()
        };
        if rest == head.len() {
            return false;
        }
        head = head.get(..rest).unwrap_or_default();
    }
}

/// Whether this is the number of a heading: alone at the start of a line, no
/// part zero or above 99, and a title after it.
fn is_heading(shape: &NumberShape<'_>, octets: [usize; 4]) -> bool {
    let head = shape.text.get(..shape.range.start).unwrap_or_default();
    let head = head.trim_end_matches([' ', '\t', '#', '*', '(']);
    let tail = shape.text.get(shape.range.end..).unwrap_or_default();
    let tail = tail.trim_start_matches([')', '.', ':', '*']);
    let title = tail.trim_start_matches([' ', '\t']);
    let titled = title.len() < tail.len()
        && title.chars().next().is_some_and(|ch| ch.is_alphabetic() && !ch.is_lowercase());
    octets.iter().all(|octet| (1..=99).contains(octet))
        && (head.is_empty() || head.ends_with('\n'))
        && titled
}

/// The words before the number of a clause or of a version.
const CLAUSE_OR_VERSION_WORDS: [&str; 39] = [
    "article",
    "articles",
    "art",
    "clause",
    "clauses",
    "cl",
    "section",
    "sections",
    "sec",
    "sect",
    "subsection",
    "subclause",
    "paragraph",
    "paragraphs",
    "para",
    "annex",
    "appendix",
    "schedule",
    "chapter",
    "item",
    "items",
    "step",
    "figure",
    "table",
    "version",
    "versions",
    "ver",
    "v",
    "release",
    "build",
    "firmware",
    "مادة",
    "مواد",
    "بند",
    "بنود",
    "فقرة",
    "ملحق",
    "إصدار",
    "نسخة",
];

const LIST_CONJUNCTIONS: [&str; 7] = ["and", "or", "to", "through", "و", "أو", "إلى"];

/// How many bytes before a number a word for a clause may start.
const MAX_CLAUSE_WORD_DISTANCE_BYTES: usize = 96;
