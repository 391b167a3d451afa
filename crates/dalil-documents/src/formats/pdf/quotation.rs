//! Where quoted words stand on a page.
//!
//! The letters of the page are put in the order in which they are read, by the same steps that
//! made the text of the document, and the words are looked for among them: letters and digits
//! alone, since spaces, hyphens and brackets differ between a page and its text.

use std::ops::Range;
use std::sync::Arc;

use hayro_syntax::Pdf;
use hayro_syntax::page::Page;

use super::content::{self, PdfReadBudget};
use super::font::PdfFonts;
use super::line::{PdfLetter, UprightFrame};
use super::optional::OptionalLayers;
use super::paragraph::KASHIDA;
use super::{
    MAX_DOCUMENT_CONTENT_BYTES, MAX_DOCUMENT_OPERATORS, PlacedRegions, arranged, bidi, fold,
    is_title, paragraph, refusal, round, text,
};
use crate::formats::format::UnreadableFile;
use crate::page_refusal::PageRefusal;
use crate::quotation::{
    MAX_AREAS, MAX_TITLE_CHARS, PageQuotation, QuotedArea, QuotedPage, is_page_side,
};

/// Looks for words on a page, and on the one after it: a paragraph may go on overleaf.
pub(in crate::formats) fn find(
    bytes: &[u8],
    wanted: &PageQuotation,
) -> Result<QuotedPage, UnreadableFile> {
    let pdf = Pdf::new(Arc::new(bytes.to_vec())).map_err(refusal)?;
    let pages = pdf.pages();
    let page = page(pages, wanted.page)?;
    let (mut faces, layers) = (PdfFonts::new(), OptionalLayers::of(&pdf));
    let mut own = PageLetters::of(page, &mut faces, &layers);
    let mut number = wanted.page;
    let mut found = own.whole(&wanted.words);
    if found.is_none()
        && let Some(next) = pages.get(wanted.page as usize)
    {
        let overleaf = PageLetters::of(next, &mut faces, &layers);
        if let Some(whole) = overleaf.whole(&wanted.words) {
            (own, number, found) = (overleaf, wanted.page.saturating_add(1), Some(whole));
        }
    }
    let found = found.or_else(|| own.beginning(&wanted.words));
    let areas = found.map_or_else(Vec::new, |found| own.areas(found, &wanted.differing));
    let title = pdf.metadata().title.as_deref().map(text::decode);
    let title = title.map(|title| fold::glyph(&title)).filter(|title| is_title(title));
    Ok(QuotedPage {
        page: number,
        pages: u32::try_from(pages.len()).unwrap_or(u32::MAX),
        width: own.size.0,
        height: own.size.1,
        areas,
        title: title.unwrap_or_default().chars().take(MAX_TITLE_CHARS).collect(),
    })
}

/// A page of a document by its number from 1, if it can be shown.
pub(super) fn page<'p, 'a>(
    pages: &'p [Page<'a>],
    number: u32,
) -> Result<&'p Page<'a>, UnreadableFile> {
    if pages.is_empty() {
        return Err(PageRefusal::NoPages.into());
    }
    let page = (number as usize).checked_sub(1).and_then(|at| pages.get(at));
    let pages = u32::try_from(pages.len()).unwrap_or(u32::MAX);
    let page = page.ok_or(PageRefusal::Missing { pages, page: number })?;
    let (width, height) = page.render_dimensions();
    if is_page_side(width) && is_page_side(height) {
        return Ok(page);
    }
    Err(PageRefusal::Outsized(width, height).into())
}

/// The letters of a page in reading order.
struct PageLetters {
    /// Width and height, in points.
    size: (f32, f32),
    letters: Vec<ReadLetter>,
    /// The letters and digits alone.
    solid: String,
    /// For every byte of `solid` the letter that it is of.
    places: Vec<usize>,
}

/// A letter of a page.
struct ReadLetter {
    /// The line that it is on; no two lines of a page have the same.
    line: usize,
    /// Its place on that line, from the left.
    place: usize,
    /// Whether a word begins with it.
    begins: bool,
    edges: [f32; 4],
}

impl PageLetters {
    fn of<'a>(page: &Page<'a>, faces: &mut PdfFonts<'a>, layers: &OptionalLayers) -> Self {
        let mut budget =
            PdfReadBudget { operators: MAX_DOCUMENT_OPERATORS, bytes: MAX_DOCUMENT_CONTENT_BYTES };
        let canvas = content::draw(page, faces, layers, &mut budget);
        let mut own = Self {
            size: page.render_dimensions(),
            letters: Vec::new(),
            solid: String::new(),
            places: Vec::new(),
        };
        let mut count = 0;
        for PlacedRegions { frame, regions, .. } in arranged(&canvas) {
            for (line, way) in regions.into_iter().flat_map(paragraph::lines) {
                own.add(&line, way, &frame, count);
                count += 1;
            }
        }
        own
    }

    /// Adds the letters of a line.
    fn add(
        &mut self,
        line: &super::line::PdfTextLine,
        way: bidi::TextDirection,
        frame: &UprightFrame,
        number: usize,
    ) {
        let units = paragraph::units(line);
        let mut letters = line.iter().flat_map(|piece| &piece.letters).enumerate();
        // Spaces stand between letters and are none; every other unit is one, in this order.
        let standing: Vec<Option<(usize, &PdfLetter)>> =
            units.iter().map(|unit| if unit.text == " " { None } else { letters.next() }).collect();
        let mut begins = true;
        for at in bidi::order(&units, way) {
            let Some((place, letter)) = standing.get(at).copied().flatten() else {
                begins = true;
                continue;
            };
            let letter_number = self.letters.len();
            let edges = self.on_page(frame.back(letter.edges()));
            self.letters.push(ReadLetter { line: number, place, begins, edges });
            begins = false;
            let said = units.get(at).map_or("", |unit| unit.text);
            self.solid.extend(said.chars().filter(counts));
            self.places.resize(self.solid.len(), letter_number);
        }
    }

    /// The part of a box that is on the page.
    fn on_page(&self, [left, top, right, bottom]: [f32; 4]) -> [f32; 4] {
        let (width, height) = self.size;
        [
            left.clamp(0.0, width),
            top.clamp(0.0, height),
            right.clamp(0.0, width),
            bottom.clamp(0.0, height),
        ]
    }

    /// The letters of all these words.
    fn whole(&self, words: &str) -> Option<Range<usize>> {
        let wanted: String = words.chars().filter(counts).collect();
        self.bytes_of(&wanted).map(|found| self.letters_of(&found))
    }

    /// The letters of as many of the first words as stand on the page, if they are a few at least.
    fn beginning(&self, words: &str) -> Option<Range<usize>> {
        let words: Vec<&str> = words.split_whitespace().take(MAX_QUOTED_WORDS).collect();
        let wanted = |count: usize| -> String {
            words.iter().take(count).flat_map(|word| word.chars()).filter(counts).collect()
        };
        let found =
            (MIN_FOUND_WORDS..words.len()).rev().find_map(|count| self.bytes_of(&wanted(count)));
        found.map(|found| self.letters_of(&found))
    }

    fn bytes_of(&self, wanted: &str) -> Option<Range<usize>> {
        if wanted.is_empty() {
            return None;
        }
        let from = self.solid.find(wanted)?;
        Some(from..from + wanted.len())
    }

    fn letters_of(&self, bytes: &Range<usize>) -> Range<usize> {
        let at = |byte: usize| self.places.get(byte).copied().unwrap_or(0);
        at(bytes.start)..at(bytes.end.saturating_sub(1)) + 1
    }

    /// The areas of letters, with those of the words that differ after them.
    fn areas(&self, found: Range<usize>, differing: &str) -> Vec<QuotedArea> {
        let differs = self.within(&found, differing);
        let mut areas = self.runs(found, false);
        areas.extend(differs.into_iter().flat_map(|differs| self.runs(differs, true)));
        areas.truncate(MAX_AREAS);
        areas
    }

    /// The letters of words among other letters; whole words rather than the end of a longer one.
    fn within(&self, found: &Range<usize>, words: &str) -> Option<Range<usize>> {
        let wanted: String = words.chars().filter(counts).collect();
        let start = self.places.partition_point(|letter| *letter < found.start);
        let end = self.places.partition_point(|letter| *letter < found.end);
        let part = self.solid.get(start..end).filter(|_| !wanted.is_empty())?;
        let begins = |letter: usize| self.letters.get(letter).is_none_or(|letter| letter.begins);
        let all = || {
            let at = part.match_indices(&wanted).map(|(at, _)| start + at);
            at.map(|at| self.letters_of(&(at..at + wanted.len())))
        };
        let is_whole = |one: &Range<usize>| begins(one.start) && self.ends(one.end);
        // A part of a word may be meant, as Arabic joins small words to others; a part of a number
        // is another number.
        let has_digits = wanted.starts_with(char::is_numeric) || wanted.ends_with(char::is_numeric);
        all().find(is_whole).or_else(|| all().next().filter(|_| !has_digits))
    }

    /// Whether a word ends before a letter: the next that counts begins another, or there is none.
    fn ends(&self, letter: usize) -> bool {
        let counting = self.places.get(self.places.partition_point(|place| *place < letter));
        let Some(counting) = counting else { return true };
        (letter..=*counting).any(|at| self.letters.get(at).is_none_or(|letter| letter.begins))
            || counting > &letter
    }

    /// A box for each run of letters that stand side by side on one line.
    fn runs(&self, found: Range<usize>, differs: bool) -> Vec<QuotedArea> {
        let mut letters: Vec<&ReadLetter> =
            self.letters.get(found).unwrap_or_default().iter().collect();
        // In the order of a page, not of its text: words of two directions change places on a line.
        letters.sort_by_key(|letter| (letter.line, letter.place));
        let runs = letters.chunk_by(|a, b| a.line == b.line && a.place + 1 == b.place);
        let area = |run: &[&ReadLetter]| {
            let mut edges = [f32::MAX, f32::MAX, f32::MIN, f32::MIN];
            for letter in run {
                let [left, top, right, bottom] = letter.edges;
                edges = [
                    edges[0].min(left),
                    edges[1].min(top),
                    edges[2].max(right),
                    edges[3].max(bottom),
                ];
            }
            let [left, top, right, bottom] = self.on_page(edges.map(round));
            let is_seen = left < right && top < bottom;
            is_seen.then_some(QuotedArea { edges: [left, top, right, bottom], differs })
        };
        runs.filter_map(area).collect()
    }
}

/// Whether a character is compared: a letter or a digit, and not a stroke or a mark on one.
fn counts(ch: &char) -> bool {
    ch.is_alphanumeric() && !fold::is_mark(*ch) && *ch != KASHIDA
}

/// Longer quotations are looked for by their first words.
const MAX_QUOTED_WORDS: usize = 400;
/// Fewer words than these are on many a page by chance.
const MIN_FOUND_WORDS: usize = 4;
