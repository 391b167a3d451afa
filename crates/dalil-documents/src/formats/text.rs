//! Plain text: paragraphs by blank lines, pages by form feeds, headings by a careful rule.
//!
//! A line is a heading when a paragraph begins with it, it is short, does not end like
//! a sentence, and either begins with a number of two or more parts and a title
//! (`4.2 Payment`), or is alone and begins with a number or with a word such as
//! `Article` and a number. Its level is the number of parts. A number on a line of its
//! own belongs to the paragraph below it, as does the title of an article.

use std::ops::Range;

use super::encoding::{DecodedText, decode};
use super::outline::{BlockDraft, Outline, trimmed};
use crate::document::{BlockKind, BlockLocation, DocumentBlock, ParseProblem};
use crate::sentence::continues_in_brackets;

/// The text, blocks and problems of a plain text.
pub(super) fn read(bytes: &[u8]) -> (String, Vec<DocumentBlock>, Vec<ParseProblem>) {
    let decoded = decode(bytes);
    let blocks = blocks(&decoded);
    let DecodedText { text, problem, .. } = decoded;
    (text, blocks, problem.into_iter().collect())
}

fn blocks(decoded: &DecodedText) -> Vec<DocumentBlock> {
    let text = decoded.text.as_str();
    // Without a form feed a text has no pages, not one page.
    let paged = text.contains('\u{c}');
    let mut offsets = decoded.offsets();
    let mut outline = Outline::default();
    let mut blocks = Vec::new();
    let mut page = 1;
    for piece in pieces(text) {
        match piece {
            PlainTextPiece::Break => page += 1,
            PlainTextPiece::Block(kind, range) => {
                let Range { start, end } = range;
                let place = BlockLocation::Bytes {
                    start: offsets.original(start),
                    end: offsets.original(end),
                };
                let draft = BlockDraft { kind, range: start..end, place, depth: None };
                let block = outline.block(text, &draft);
                if let BlockKind::Heading(level) = kind {
                    outline.enter(level, text.get(start..end).unwrap_or_default());
                }
                blocks.push(DocumentBlock { page: paged.then_some(page), ..block });
            }
        }
    }
    blocks
}

/// A block of a text, or the end of a page.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum PlainTextPiece {
    Break,
    Block(BlockKind, Range<usize>),
}

/// The blocks and page breaks of a plain text, in order.
pub(super) fn pieces(text: &str) -> Vec<PlainTextPiece> {
    let mut pieces = Vec::new();
    let mut at = 0;
    let mut pages = text.split('\u{c}').peekable();
    while let Some(page) = pages.next() {
        TextScan::new(text, &mut pieces).page(at..at + page.len());
        at += page.len() + 1;
        if pages.peek().is_some() {
            pieces.push(PlainTextPiece::Break);
        }
    }
    let mut ranks: Vec<u8> = pieces.iter().filter_map(heading).collect();
    ranks.sort_unstable();
    ranks.dedup();
    // A law of articles alone has them on its first level.
    for piece in &mut pieces {
        if let PlainTextPiece::Block(BlockKind::Heading(rank), _) = piece {
            let level = ranks.partition_point(|other| other < rank);
            *rank = u8::try_from(level + 1).unwrap_or(MAX_HEADING_LEVEL);
        }
    }
    pieces
}

fn heading(piece: &PlainTextPiece) -> Option<u8> {
    match piece {
        PlainTextPiece::Block(BlockKind::Heading(rank), _) => Some(*rank),
        PlainTextPiece::Block(..) | PlainTextPiece::Break => None,
    }
}

/// The lines of one page as they come.
struct TextScan<'t, 'p> {
    text: &'t str,
    pieces: &'p mut Vec<PlainTextPiece>,
    open: Option<(BlockKind, Range<usize>)>,
    /// Whether the open block is the mark of an item that follows below, or the number of an
    /// article whose title does.
    waits: AwaitedText,
}

#[derive(Clone, Copy, PartialEq)]
enum AwaitedText {
    Nothing,
    Item,
    Title(u8),
}

impl<'t, 'p> TextScan<'t, 'p> {
    fn new(text: &'t str, pieces: &'p mut Vec<PlainTextPiece>) -> Self {
        Self { text, pieces, open: None, waits: AwaitedText::Nothing }
    }

    fn page(&mut self, page: Range<usize>) {
        let mut lines = lines(self.text, page).peekable();
        while let Some(line) = lines.next() {
            let next = lines.peek().and_then(|next| self.text.get(next.clone()));
            self.line(line, next.is_none_or(|next| next.trim().is_empty()));
        }
        self.close();
    }

    fn line(&mut self, line: Range<usize>, alone: bool) {
        let words = self.text.get(line.clone()).unwrap_or_default().trim();
        if words.is_empty() {
            // A mark that is alone waits for its item, also below a blank line.
            if self.waits == AwaitedText::Nothing {
                self.close();
            }
            return;
        }
        match std::mem::replace(&mut self.waits, AwaitedText::Nothing) {
            AwaitedText::Item if !is_mark_alone(words) && level(words, alone).is_none() => {
                return self.extend(line);
            }
            AwaitedText::Title(_) if alone && is_title(words) => {
                self.extend(line);
                return self.close();
            }
            AwaitedText::Item | AwaitedText::Title(_) => self.close(),
            AwaitedText::Nothing => {}
        }
        let fresh = self.open.is_none();
        let above = self.open.as_ref().and_then(|(_, range)| self.text.get(range.clone()));
        let kind = match level(words, alone) {
            Some(level) if fresh => BlockKind::Heading(level),
            _ if above.is_some_and(|above| continues_in_brackets(above, words)) => {
                return self.extend(line);
            }
            _ if is_item(words) || fresh && alone && is_mark_alone(words) => BlockKind::Item,
            _ if fresh => BlockKind::Paragraph,
            _ => return self.extend(line),
        };
        self.close();
        self.open = Some((kind, line));
        match kind {
            // `Article 5` and no more: its title may stand on the next line.
            BlockKind::Heading(level)
                if name_rank(words).is_some() && words.split_whitespace().count() <= 2 =>
            {
                self.waits = AwaitedText::Title(level);
            }
            BlockKind::Heading(_) => self.close(),
            BlockKind::Item if is_mark_alone(words) => self.waits = AwaitedText::Item,
            _ => {}
        }
    }

    fn extend(&mut self, line: Range<usize>) {
        self.open.iter_mut().for_each(|(_, range)| range.end = line.end);
    }

    fn close(&mut self) {
        self.waits = AwaitedText::Nothing;
        let open = self.open.take();
        let block = open.and_then(|(kind, range)| {
            Some(PlainTextPiece::Block(kind, trimmed(self.text, range)?))
        });
        self.pieces.extend(block);
    }
}

/// Whether a line holds nothing but the mark of an item: `(a)`, `12.`
fn is_mark_alone(line: &str) -> bool {
    let inner = line.trim_start_matches('(').trim_end_matches([')', '.', '-']);
    let count = inner.chars().count();
    let closed = inner.len() < line.len();
    let digits = inner.chars().all(char::is_numeric);
    closed
        && (1..=4).contains(&count)
        && (digits
            || count == 1 && inner.chars().all(char::is_alphabetic)
            || inner.chars().all(|ch| "ivxlc".contains(ch)))
}

/// Whether a line below the number of an article can be its title.
fn is_title(line: &str) -> bool {
    let count = line.chars().take(MAX_HEADING_CHARS + 1).count();
    count <= MAX_HEADING_CHARS
        && line.split_whitespace().count() <= MAX_TITLE_WORDS
        && !line.ends_with(['.', ',', ';', ':', '،', '؛', '!', '?', '؟', '…'])
        && !is_item(line)
        && !is_mark_alone(line)
        && line.chars().next().is_some_and(|ch| ch.is_alphabetic() && !ch.is_lowercase())
}

/// The lines of a part of a text, their ends included.
fn lines(text: &str, part: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut at = part.start;
    let inside = text.get(part).unwrap_or_default();
    // `str::lines` knows neither NEL nor the line and paragraph separators of Unicode.
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
    let counted = numbered
        && opened.len() == line.len()
        && rest.strip_prefix('.').is_some_and(|rest| rest.starts_with(' '));
    (1..=4).contains(&label.chars().count())
        && (numbered || label.chars().count() == 1)
        && (counted || rest.strip_prefix(')').is_some_and(|rest| rest.starts_with(' ')))
}

/// The level of a heading, if a line that begins a paragraph is one.
fn level(line: &str, alone: bool) -> Option<u8> {
    if let Some((level, _)) = marked_heading(line) {
        return Some(level);
    }
    let is_short = line.chars().take(MAX_HEADING_CHARS + 1).count() <= MAX_HEADING_CHARS;
    let ends_like_a_sentence = line.ends_with(['.', ',', ';', ':', '،', '؛', '!', '?', '؟', '…']);
    let words = line.split_whitespace();
    // A line of a table of contents leads to a page with dots.
    if !is_short || words.clone().count() > MAX_HEADING_WORDS || line.contains("....") {
        return None;
    }
    if alone && let Some(rank) = name_rank(line) {
        return Some(rank);
    }
    let mut words = words;
    let first = words.next()?;
    let level = parts(first.trim_end_matches('.'))?;
    let title = words.next()?.chars().next()?;
    // Arabic letters are alphabetic and have no case.
    let titled = title.is_uppercase() || title.is_alphabetic() && !title.is_lowercase();
    // A single number before a capital may be an amount, so such a line must stand alone.
    (titled && !ends_like_a_sentence && (level > 1 || alone)).then_some(level)
}

/// `== Title`: the heading of another markup that text and Markdown are written with.
pub(super) fn marked_heading(line: &str) -> Option<(u8, &str)> {
    let title = line.trim_start_matches('=');
    let signs = line.len() - title.len();
    let bare = title.trim();
    let says = title.starts_with(' ')
        && !bare.ends_with('=')
        && bare.chars().next().is_some_and(char::is_alphanumeric);
    (says && (2..=6).contains(&signs)).then_some((u8::try_from(signs).ok()?, bare))
}

/// The rank of a line that begins as headings of laws and contracts do: a word such as
/// `Article`, then a number or, in Arabic, a number in words.
pub(super) fn name_rank(line: &str) -> Option<u8> {
    if line.chars().count() > MAX_HEADING_CHARS
        || line.split_whitespace().count() > MAX_HEADING_WORDS
    {
        return None;
    }
    let mut words = line.trim_start_matches(['(', ' ']).split_whitespace();
    let first = words.next()?.to_lowercase();
    let rank = SECTION_NAME_RANKS
        .iter()
        .find(|(name, _)| *name == first.trim_end_matches(':'))
        .map(|(_, rank)| *rank)?;
    let sign = |ch: char| matches!(ch, ':' | '.' | '-' | '–' | '(' | ')' | '[' | ']' | ',');
    let second = words.next()?.trim_matches(sign);
    // `Article - 5`: a sign may stand as a word of its own.
    let second = if second.is_empty() { words.next()?.trim_matches(sign) } else { second };
    let roman = !second.is_empty() && second.chars().all(|ch| "IVXLC".contains(ch));
    let counted = parts(second).is_some() || roman || is_ordinal(second);
    // "Article 5 of the law applies." is a sentence.
    let ends = line.ends_with(['.', ';', '؛', '،', ',', '؟', '?']);
    (counted && !ends).then_some(rank)
}

/// Whether an Arabic word counts: الأولى, الحادية, المائة.
fn is_ordinal(word: &str) -> bool {
    // Vowel marks (U+064B to U+0652) are optional in Arabic.
    let bare: String = word.chars().filter(|ch| !('\u{64B}'..='\u{652}').contains(ch)).collect();
    ORDINAL_STEMS_AR
        .iter()
        .any(|stem| bare.strip_prefix("ال").is_some_and(|rest| rest.starts_with(stem)))
}

/// How many parts a clause number has: `4.2` has two, in any digits.
fn parts(number: &str) -> Option<u8> {
    let mut count = 0_u8;
    for part in number.split(['.', '٫']) {
        // A part of four digits is a year, not a clause.
        let is_number = !part.is_empty() && part.chars().all(char::is_numeric);
        if !is_number || part.chars().count() > 3 || count == MAX_HEADING_LEVEL {
            return None;
        }
        count += 1;
    }
    Some(count)
}

const MAX_HEADING_CHARS: usize = 90;
const MAX_HEADING_WORDS: usize = 12;
const MAX_HEADING_LEVEL: u8 = 6;
const MAX_TITLE_WORDS: usize = 16;
const SECTION_NAME_RANKS: [(&str, u8); 17] = [
    ("part", 1),
    ("title", 1),
    ("schedule", 1),
    ("annex", 1),
    ("appendix", 1),
    ("chapter", 2),
    ("section", 3),
    ("article", 4),
    ("clause", 4),
    ("الباب", 1),
    ("الملحق", 1),
    ("ملحق", 1),
    ("الفصل", 2),
    ("القسم", 3),
    ("المادة", 4),
    ("مادة", 4),
    ("البند", 4),
];
/// The beginnings of Arabic numbers of order, without the article.
const ORDINAL_STEMS_AR: [&str; 14] = [
    "أول", "ثاني", "ثالث", "رابع", "خامس", "سادس", "سابع", "ثامن", "تاسع", "عاشر", "حادي", "مائ",
    "عشر", "ثلاث",
];
