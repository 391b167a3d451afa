//! Plain text: paragraphs by blank lines, pages by form feeds, headings by a careful rule.
//!
//! A line is a heading when a paragraph begins with it, it is short, does not end
//! like a sentence, and either begins with a number of two or more parts and a
//! title (`4.2 Payment`), or stands alone and begins with a number or with a word
//! such as `Article` and a number. Its level is the number of parts.

use std::ops::Range;

use super::encoding::{Decoded, decode};
use super::outline::{BlockDraft, Outline, trimmed};
use crate::document::{Block, Kind, Place, Problem};

/// The text, blocks and problems of a plain text.
pub(super) fn read(bytes: &[u8]) -> (String, Vec<Block>, Vec<Problem>) {
    let decoded = decode(bytes);
    let blocks = blocks(&decoded);
    let Decoded { text, problem, .. } = decoded;
    (text, blocks, problem.into_iter().collect())
}

fn blocks(decoded: &Decoded) -> Vec<Block> {
    let text = decoded.text.as_str();
    let paged = text.contains('\u{c}');
    let mut offsets = decoded.offsets();
    let mut outline = Outline::default();
    let mut blocks = Vec::new();
    let mut page = 1;
    for piece in pieces(text) {
        match piece {
            Piece::Break => page += 1,
            Piece::Block(kind, range) => {
                let Range { start, end } = range;
                let place =
                    Place::Bytes { start: offsets.original(start), end: offsets.original(end) };
                let draft = BlockDraft { kind, range: start..end, place, depth: None };
                let block = outline.block(text, draft);
                if let Kind::Heading(level) = kind {
                    outline.enter(level, text.get(start..end).unwrap_or_default());
                }
                blocks.push(Block { page: paged.then_some(page), ..block });
            }
        }
    }
    blocks
}

/// A block of a text, or the end of a page.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Piece {
    Break,
    Block(Kind, Range<usize>),
}

/// The blocks and page breaks of a plain text, in order.
pub(super) fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut at = 0;
    let mut pages = text.split('\u{c}').peekable();
    while let Some(page) = pages.next() {
        page_pieces(text, at..at + page.len(), &mut pieces);
        at += page.len() + 1;
        if pages.peek().is_some() {
            pieces.push(Piece::Break);
        }
    }
    pieces
}

fn page_pieces(text: &str, page: Range<usize>, pieces: &mut Vec<Piece>) {
    let mut open: Option<(Kind, Range<usize>)> = None;
    let mut lines = lines(text, page).peekable();
    while let Some(line) = lines.next() {
        let next = lines.peek().and_then(|next| text.get(next.clone())).unwrap_or_default();
        let words = text.get(line.clone()).unwrap_or_default().trim();
        let alone = next.trim().is_empty();
        let begins = match (&open, level(words, alone)) {
            _ if words.is_empty() => None,
            (None, Some(level)) => Some(Kind::Heading(level)),
            (None, None) if is_item(words) => Some(Kind::Item),
            (None, None) => Some(Kind::Paragraph),
            (Some(_), _) if is_item(words) => Some(Kind::Item),
            (Some(_), _) => None,
        };
        if begins.is_some() || words.is_empty() {
            close(text, open.take(), pieces);
        }
        match (begins, &mut open) {
            (Some(kind @ Kind::Heading(_)), _) => close(text, Some((kind, line)), pieces),
            (Some(kind), _) => open = Some((kind, line)),
            (None, Some((_, range))) => range.end = line.end,
            (None, None) => {}
        }
    }
    close(text, open, pieces);
}

fn close(text: &str, open: Option<(Kind, Range<usize>)>, pieces: &mut Vec<Piece>) {
    let block = open.and_then(|(kind, range)| Some(Piece::Block(kind, trimmed(text, range)?)));
    pieces.extend(block);
}

/// The lines of a part of a text, their ends included.
fn lines(text: &str, part: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut at = part.start;
    let inside = text.get(part).unwrap_or_default();
    inside.split_inclusive(['\n', '\u{85}', '\u{2028}', '\u{2029}']).map(move |line| {
        let start = at;
        at += line.len();
        start..at
    })
}

/// Whether a line begins like an item of a list: `- `, `• `, `1) `, `(a) `.
fn is_item(line: &str) -> bool {
    if line.starts_with(['-', '*', '•', '‣', '◦', '–', '—', '▪', '·']) {
        let mut chars = line.chars().skip(1);
        return chars.next() == Some(' ') && chars.next().is_some();
    }
    let opened = line.strip_prefix('(').unwrap_or(line);
    let label: String = opened.chars().take_while(|ch| ch.is_alphanumeric()).take(5).collect();
    let rest = opened.get(label.len()..).unwrap_or_default();
    let numbered = label.chars().all(char::is_numeric) && label.chars().count() <= 3;
    (1..=4).contains(&label.chars().count())
        && (numbered || label.chars().count() == 1)
        && rest.strip_prefix(')').is_some_and(|rest| rest.starts_with(' '))
}

/// The level of a heading, if a line that begins a paragraph is one.
fn level(line: &str, alone: bool) -> Option<u8> {
    let is_short = line.chars().take(MAX_HEADING + 1).count() <= MAX_HEADING;
    let ends_like_a_sentence = line.ends_with(['.', ',', ';', ':', '،', '؛', '!', '?', '؟', '…']);
    let words = line.split_whitespace();
    if !is_short || words.clone().count() > MAX_WORDS {
        return None;
    }
    let mut words = words;
    let first = words.next()?;
    if alone && NAMES.contains(&first.to_lowercase().as_str()) {
        return parts(words.next()?.trim_end_matches([':', '.', '-'])).map(|_| 1);
    }
    let level = parts(first.trim_end_matches('.'))?;
    let title = words.next()?.chars().next()?;
    let titled = title.is_uppercase() || title.is_alphabetic() && !title.is_lowercase();
    (titled && !ends_like_a_sentence && (level > 1 || alone)).then_some(level)
}

/// How many parts a clause number has: `4.2` has two, in any digits.
fn parts(number: &str) -> Option<u8> {
    let mut count = 0_u8;
    for part in number.split(['.', '٫']) {
        let is_number = !part.is_empty() && part.chars().all(char::is_numeric);
        if !is_number || part.chars().count() > 3 || count == MAX_LEVEL {
            return None;
        }
        count += 1;
    }
    Some(count)
}

const MAX_HEADING: usize = 90;
const MAX_WORDS: usize = 12;
const MAX_LEVEL: u8 = 6;
const NAMES: [&str; 16] = [
    "article",
    "section",
    "chapter",
    "part",
    "clause",
    "schedule",
    "annex",
    "appendix",
    "المادة",
    "مادة",
    "البند",
    "الفصل",
    "الباب",
    "القسم",
    "الملحق",
    "ملحق",
];
