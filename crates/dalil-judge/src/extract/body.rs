//! The words of a sentence without its surroundings: markers, citations, stops and wrapping.

use std::ops::Range;

use dalil_documents::sentence::{is_direction, marker, note, trimmed};

/// The span of a sentence without marker, notes, final stop, and marks that wrap it whole.
pub(super) fn body(answer: &str, sentence: Range<usize>) -> Range<usize> {
    let mut span = opened(answer, trimmed(answer, sentence));
    loop {
        // One removal may uncover another, as in `**… [1].**`. The span only shrinks, so this ends.
        let shorter = unwrapped(answer, unended(answer, span.clone()));
        if shorter == span {
            return span;
        }
        span = shorter;
    }
}

/// The span without the marker and the notes before it.
fn opened(answer: &str, span: Range<usize>) -> Range<usize> {
    let text = answer.get(span.clone()).unwrap_or_default();
    let span = span.start + (text.len() - text.trim_start_matches(is_direction).len())..span.end;
    let text = answer.get(span.clone()).unwrap_or_default();
    let marked = marker(text).map_or(0, |marker| marker.len);
    let mut span = trimmed(answer, span.start + marked..span.end);
    loop {
        let text = answer.get(span.clone()).unwrap_or_default();
        // The second line of a quotation begins with its mark.
        let quote = text.strip_prefix("> ").map(|_| 1);
        match note(text).or_else(|| tick(text)).or(quote) {
            Some(len) => span = trimmed(answer, span.start + len..span.end),
            None => return span,
        }
    }
}

/// The box of a task list that a text begins with: its length.
pub(super) fn tick(text: &str) -> Option<usize> {
    ["[ ] ", "[x] ", "[X] "].iter().find(|tick| text.starts_with(**tick)).map(|tick| tick.len())
}

/// The span without the notes and stops at its end.
fn unended(answer: &str, span: Range<usize>) -> Range<usize> {
    let text = answer.get(span.clone()).unwrap_or_default();
    // From the end and bounded: a note is found without a search through the sentence.
    let open =
        text.char_indices().rev().take(MAX_NOTE_CHARS).find(|(_, ch)| matches!(ch, '[' | '【'));
    if let Some((at, _)) = open.filter(|_| text.ends_with([']', '】']))
        && note(text.get(at..).unwrap_or_default()) == Some(text.len() - at)
    {
        return trimmed(answer, span.start..span.start + at);
    }
    let ends = |ch: char| STOP_MARKS.contains(&ch) || is_direction(ch);
    if keeps_stop(text) {
        return span;
    }
    trimmed(answer, span.start..span.start + text.trim_end_matches(ends).len())
}

/// Whether the last stop is part of a word: `a.m.`, `U.S.`
fn keeps_stop(text: &str) -> bool {
    let Some(before) = text.strip_suffix('.') else { return false };
    let mut letters = before.chars().rev();
    let inner = letters.by_ref().take(2).collect::<Vec<_>>();
    matches!(inner.as_slice(), [letter, '.'] if letter.is_alphabetic())
}

/// The span inside quotation or emphasis marks that open at its start and close at its end.
fn unwrapped(answer: &str, span: Range<usize>) -> Range<usize> {
    let text = answer.get(span.clone()).unwrap_or_default();
    for (open, close) in MARKUP_WRAPS {
        let inside = text.strip_prefix(open).and_then(|text| text.strip_suffix(close));
        // `**a** and **b**`: the marks at the two ends are no pair.
        if let Some(inside) = inside
            && !inside.contains(open)
            && !inside.contains(close)
        {
            let start = span.start + open.len();
            return trimmed(answer, start..start + inside.len());
        }
    }
    span
}

const STOP_MARKS: [char; 11] = ['.', '!', '…', '۔', ';', ':', ',', '،', '؛', '?', '؟'];

const MARKUP_WRAPS: [(&str, &str); 11] = [
    ("***", "***"),
    ("**", "**"),
    ("__", "__"),
    ("*", "*"),
    ("_", "_"),
    ("~~", "~~"),
    ("\"", "\""),
    ("“", "”"),
    ("«", "»"),
    ("‘", "’"),
    ("(", ")"),
];

/// No note is longer, in characters.
const MAX_NOTE_CHARS: usize = 82;
