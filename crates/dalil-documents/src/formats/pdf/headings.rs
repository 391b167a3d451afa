//! Headings: paragraphs that are larger or heavier than the text of the document.

use std::collections::{BTreeMap, BTreeSet};

use super::PlacedParagraph;
use super::paragraph::{PdfParagraph, PdfParagraphKind};
use crate::formats::text::name_rank;

/// The heading levels of the sizes of a document's letters.
pub(super) struct HeadingLevels {
    /// The size of the text, in quarters of a point.
    body: u32,
    /// Whether the text itself is bold.
    bold: bool,
    /// The looks of headings, the most prominent first.
    looks: Vec<(u32, bool)>,
    /// The levels of headings that begin with a word such as `Article`.
    names: BTreeMap<String, u8>,
}

impl HeadingLevels {
    pub(super) fn of(pages: &[Vec<PlacedParagraph>]) -> Self {
        let mut letters: BTreeMap<(u32, bool), usize> = BTreeMap::new();
        // Hidden text is no measure of the looks of visible text.
        let seen = || {
            let laid = pages.iter().flatten().filter(|laid| laid.hidden.is_none());
            laid.map(|laid| &laid.paragraph)
        };
        for paragraph in seen() {
            *letters.entry(look(paragraph)).or_default() += paragraph.text.len();
        }
        let most = letters.iter().max_by_key(|(_, count)| **count);
        let (body, bold) = most.map_or((0, false), |(look, _)| *look);
        let mut levels = Self { body, bold, looks: Vec::new(), names: BTreeMap::new() };
        let looks: BTreeSet<_> =
            seen().filter(|paragraph| levels.is_heading(paragraph)).map(look).collect();
        levels.looks = looks.into_iter().rev().collect();
        for paragraph in seen() {
            if let (Some(level), Some(name)) = (levels.level(paragraph), name(&paragraph.text)) {
                levels.names.entry(name).or_insert(level);
            }
        }
        levels
    }

    /// The level of a heading that only its first word shows: that of others with this word.
    pub(super) fn named(&self, text: &str) -> u8 {
        let known = name(text).and_then(|name| self.names.get(&name)).copied();
        let below = u8::try_from(self.looks.len() + 1).unwrap_or(MAX_HEADING_LEVEL);
        known.unwrap_or(below).min(MAX_HEADING_LEVEL)
    }

    /// The level of a heading; nothing for text.
    pub(super) fn level(&self, paragraph: &PdfParagraph) -> Option<u8> {
        if !self.is_heading(paragraph) {
            return None;
        }
        let look = look(paragraph);
        let place = self.looks.iter().position(|other| *other == look)?;
        u8::try_from(place.saturating_add(1)).ok().map(|level| level.min(MAX_HEADING_LEVEL))
    }

    fn is_heading(&self, paragraph: &PdfParagraph) -> bool {
        let (size, bold) = look(paragraph);
        let text = paragraph.text.trim_end();
        let brief = paragraph.lines <= 3 && text.chars().count() <= MAX_HEADING_CHARS;
        let says = text.chars().any(char::is_alphabetic);
        if paragraph.shape == PdfParagraphKind::Row || !brief || !says {
            return false;
        }
        let larger = size.saturating_mul(100) >= self.body.saturating_mul(MIN_LARGER_SIZE_PERCENT);
        let heavier = bold
            && !self.bold
            && size.saturating_mul(100) >= self.body.saturating_mul(MIN_SAME_SIZE_PERCENT);
        let stops = text.ends_with(['.', '،', ',', ';', '؛']);
        larger || (heavier && !stops && text.chars().count() <= MAX_BOLD_HEADING_CHARS)
    }
}

/// The word that a heading of a law begins with.
fn name(text: &str) -> Option<String> {
    name_rank(text)?;
    text.split_whitespace().next().map(str::to_lowercase)
}

fn look(paragraph: &PdfParagraph) -> (u32, bool) {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a bounded size")]
    let quarters = (paragraph.size * 4.0).round().clamp(0.0, 40_000.0) as u32;
    (quarters, paragraph.bold)
}

const MAX_HEADING_LEVEL: u8 = 6;
const MAX_HEADING_CHARS: usize = 200;
const MAX_BOLD_HEADING_CHARS: usize = 120;
/// In hundredths of the size of the text.
const MIN_LARGER_SIZE_PERCENT: u32 = 115;
const MIN_SAME_SIZE_PERCENT: u32 = 98;
