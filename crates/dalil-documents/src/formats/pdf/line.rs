//! Lines: glyphs to letters, letters to pieces of one line with no wide gap in them.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::fold;
use super::glyph::{GlyphText, PdfGlyph};
use super::matrix::length;

/// The letters that stand upright when the page is turned one way.
pub(super) struct UprightFrame {
    /// The way up, one long.
    up: [f32; 2],
    pub(super) letters: Vec<PdfLetter>,
}

/// A glyph with its marks, in the frame: x to the right, y down.
#[derive(Clone, Debug)]
pub(super) struct PdfLetter {
    pub(super) text: Rc<GlyphText>,
    /// The marks that stand on it.
    pub(super) marks: String,
    pub(super) left: f32,
    pub(super) right: f32,
    pub(super) base: f32,
    pub(super) size: f32,
    pub(super) bold: bool,
    /// Whether a space is to the left of it.
    pub(super) spaced: bool,
    /// Whether it is small and high, as the number of a note is.
    pub(super) raised: bool,
}

/// Letters of one line without a wide gap.
#[derive(Clone, Debug)]
pub(super) struct PdfLineFragment {
    pub(super) letters: Vec<PdfLetter>,
    pub(super) left: f32,
    pub(super) right: f32,
    pub(super) base: f32,
    pub(super) size: f32,
}

/// The fragments of one line, from left to right.
pub(super) type PdfTextLine = Vec<PdfLineFragment>;

impl UprightFrame {
    /// The frames of a page, the one with most letters first. The glyphs of a run have one size
    /// and one way up.
    pub(super) fn all<'g>(runs: impl Iterator<Item = &'g [PdfGlyph]>) -> Vec<Self> {
        let mut by_way: BTreeMap<(i32, i32), Vec<&[PdfGlyph]>> = BTreeMap::new();
        for run in runs {
            if let Some(way) = run.first().and_then(|glyph| way(glyph.up)) {
                by_way.entry(way).or_default().push(run);
            }
        }
        let mut frames: Vec<_> = by_way.into_values().filter_map(|runs| Self::of(&runs)).collect();
        frames.sort_by_key(|frame| std::cmp::Reverse(frame.letters.len()));
        frames
    }

    fn of(runs: &[&[PdfGlyph]]) -> Option<Self> {
        let first = runs.iter().find_map(|run| run.iter().find(|glyph| is_sound(glyph)))?;
        let long = length(first.up);
        let up = first.up.map(|part| part / long);
        let mut letters = Vec::with_capacity(runs.iter().map(|run| run.len()).sum());
        let mut marks = Vec::new();
        for run in runs {
            let size = run.first().map_or(long, |glyph| length(glyph.up));
            for glyph in run.iter().filter(|glyph| is_sound(glyph)) {
                let letter = stand(glyph, up, size);
                match glyph.ink {
                    Some(ink) => marks.push((letters.len(), turn(ink, up)[0], letter)),
                    // Some fonts draw a letter and its dots apart, and say the letter with the
                    // dots.
                    None if letter.right - letter.left < MIN_LETTER_WIDTH_POINTS => {
                        marks.push((letters.len(), letter.left, letter));
                    }
                    None => letters.push(letter),
                }
            }
        }
        // After all letters: some files draw a mark before the letter that it belongs to.
        for (place, ink, mark) in marks {
            attach(&mut letters, place, ink, mark);
        }
        Some(Self { up, letters })
    }

    /// A box of the frame as a box of the page.
    pub(super) fn back(&self, [left, top, right, bottom]: [f32; 4]) -> [f32; 4] {
        let [ux, uy] = self.up;
        let corner = |x: f32, y: f32| [x * -uy - y * ux, x * ux - y * uy];
        let [x0, y0] = corner(left, top);
        let [x1, y1] = corner(right, bottom);
        [x0.min(x1), y0.min(y1), x0.max(x1), y0.max(y1)]
    }

    /// A box of the page as a box of the frame.
    pub(super) fn turn(&self, [left, top, right, bottom]: [f32; 4]) -> [f32; 4] {
        let [x0, y0] = turn([left, top], self.up);
        let [x1, y1] = turn([right, bottom], self.up);
        [x0.min(x1), y0.min(y1), x0.max(x1), y0.max(y1)]
    }
}

/// The letters of a frame in rows from top to bottom.
pub(super) fn rows(mut letters: Vec<PdfLetter>) -> Vec<PdfTextLine> {
    letters.sort_by(|a, b| a.base.total_cmp(&b.base).then(middle(a).total_cmp(&middle(b))));
    let mut counts: Vec<usize> = Vec::new();
    let mut first: Option<&PdfLetter> = None;
    for letter in &letters {
        // Compared with the first letter: from letter to letter a line could drift for ever.
        let joins = first.is_some_and(|first| {
            letter.base - first.base <= MAX_BASELINE_DRIFT_EMS * first.size.min(letter.size)
        });
        match counts.last_mut() {
            Some(count) if joins => *count += 1,
            Some(_) | None => {
                counts.push(1);
                first = Some(letter);
            }
        }
    }
    let mut letters = letters.into_iter();
    let lines = counts.into_iter().map(|count| letters.by_ref().take(count).collect());
    join_raised(lines).into_iter().map(pieces).filter(|row| !row.is_empty()).collect()
}

/// Letters of one line.
struct LineDraft {
    letters: Vec<PdfLetter>,
    /// The size of the largest letters.
    tallest: f32,
    /// The line that the largest letters stand on.
    base: f32,
}

impl LineDraft {
    fn of(letters: Vec<PdfLetter>) -> Self {
        let (mut tallest, mut base) = (0.0, 0.0);
        for letter in &letters {
            let order = letter.size.total_cmp(&tallest);
            if order.is_gt() || order.is_eq() && letter.base < base {
                (tallest, base) = (letter.size, letter.base);
            }
        }
        Self { letters, tallest, base }
    }
}

/// Joins the numbers of notes and other small letters to the line they stand beside.
fn join_raised(lines: impl Iterator<Item = Vec<PdfLetter>>) -> Vec<LineDraft> {
    let mut joined: Vec<LineDraft> = Vec::new();
    for line in lines {
        let mut line = LineDraft::of(line);
        let Some(last) = joined.last_mut() else {
            joined.push(line);
            continue;
        };
        let (above, below) = (last.tallest, line.tallest);
        let apart = line.base - last.base;
        if above < MAX_SMALL_LINE_SIZE_SHARE * below && apart < MAX_SMALL_LINE_OFFSET_EMS * below {
            let high = apart > MIN_SUPERSCRIPT_RISE_EMS * below;
            for mut letter in std::mem::take(&mut last.letters) {
                letter.raised = high;
                line.letters.push(letter);
            }
            *last = LineDraft::of(line.letters);
        } else if below < MAX_SMALL_LINE_SIZE_SHARE * above
            && apart < MAX_SMALL_LINE_OFFSET_EMS * above
        {
            last.letters.append(&mut line.letters);
            *last = LineDraft::of(std::mem::take(&mut last.letters));
        } else {
            joined.push(line);
        }
    }
    joined
}

fn pieces(draft: LineDraft) -> PdfTextLine {
    let LineDraft { letters: mut line, tallest, base } = draft;
    line.sort_by(|a, b| middle(a).total_cmp(&middle(b)));
    let mut row: PdfTextLine = Vec::new();
    let mut spaced = false;
    let covered = covered(&line, tallest);
    let count = line.len();
    for (at, mut letter) in line.into_iter().enumerate() {
        if letter.text.is_blank {
            spaced |= covered.binary_search(&at).is_err();
            continue;
        }
        let Some(piece) = row.last_mut() else {
            row.push(PdfLineFragment::new(letter, base, count));
            spaced = false;
            continue;
        };
        if piece.letters.last().is_some_and(|last| is_shadow(last, &letter)) {
            continue;
        }
        let gap = letter.left - piece.right;
        letter.spaced = std::mem::take(&mut spaced);
        if gap > MIN_WIDE_GAP_EMS * piece.size.max(letter.size) {
            row.push(PdfLineFragment::new(letter, base, 1));
        } else {
            piece.push(letter);
        }
    }
    row
}

/// The spaces of a line that lie on letters and part nothing.
///
/// Some producers leave them behind where they set a word in two fonts. In a font
/// whose widths are wrong letters lie on one another too, and there every space counts.
fn covered(line: &[PdfLetter], em: f32) -> Vec<usize> {
    if !line.iter().any(|letter| letter.text.is_blank) {
        return Vec::new();
    }
    let mut letters: Vec<[f32; 2]> = line
        .iter()
        .filter(|letter| !letter.text.is_blank)
        .map(|letter| [letter.left, letter.right])
        .collect();
    letters.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let pairs = || letters.iter().zip(letters.iter().skip(1));
    let crowded = pairs().filter(|(a, b)| a[1] - b[0] > MAX_LETTER_OVERLAP_EMS * em).count();
    if crowded * 5 > pairs().count() {
        return Vec::new();
    }
    let mut covered = Vec::new();
    for (at, blank) in line.iter().enumerate().filter(|(_, letter)| letter.text.is_blank) {
        let first = letters.partition_point(|letter| letter[1] <= blank.left);
        let over = letters.iter().skip(first.saturating_sub(2)).take(MAX_MARK_DISTANCE_LETTERS);
        let over: f32 = over
            .map(|[left, right]| (right.min(blank.right) - left.max(blank.left)).max(0.0))
            .sum();
        if over > MAX_COVERED_SPACE_SHARE * (blank.right - blank.left) {
            covered.push(at);
        }
    }
    covered
}

impl PdfLineFragment {
    /// A fragment that begins with a letter, and has room for so many.
    fn new(letter: PdfLetter, base: f32, room: usize) -> Self {
        let PdfLetter { left, right, size, .. } = letter;
        let mut letters = Vec::with_capacity(room);
        letters.push(letter);
        Self { letters, left, right, base, size }
    }

    fn push(&mut self, letter: PdfLetter) {
        self.left = self.left.min(letter.left);
        self.right = self.right.max(letter.right);
        self.size = self.size.max(letter.size);
        self.letters.push(letter);
    }

    pub(super) fn top(&self) -> f32 {
        self.base - ASCENT_EMS * self.size
    }

    pub(super) fn bottom(&self) -> f32 {
        self.base + DESCENT_EMS * self.size
    }
}

impl PdfLetter {
    /// Its left, top, right and bottom edges in the frame.
    pub(super) fn edges(&self) -> [f32; 4] {
        let Self { left, right, base, size, .. } = self;
        [*left, base - ASCENT_EMS * size, *right, base + DESCENT_EMS * size]
    }
}

/// The same letter again, a hair beside itself, is how some producers make bold.
fn is_shadow(last: &PdfLetter, letter: &PdfLetter) -> bool {
    letter.left - last.left < MAX_SHADOW_OFFSET_EMS * letter.size
        && letter.right - letter.left > 2.0 * MAX_SHADOW_OFFSET_EMS * letter.size
        && **last.text == **letter.text
}

fn attach(letters: &mut [PdfLetter], place: usize, ink: f32, mark: PdfLetter) {
    let near = place.saturating_sub(MAX_MARK_DISTANCE_LETTERS)
        ..place.saturating_add(MAX_MARK_DISTANCE_LETTERS).min(letters.len());
    let away = |letter: &PdfLetter| {
        let beside = (letter.left - ink).max(ink - letter.right).max(0.0);
        let lines = (letter.base - mark.base).abs() / letter.size.max(1.0);
        // A mark over a space belongs to a letter beside it, if there is one near.
        let empty = if letter.text.is_blank { letter.size } else { 0.0 };
        beside + empty + if lines > 1.0 { lines * letter.size } else { 0.0 }
    };
    let best = letters
        .get_mut(near)
        .unwrap_or_default()
        .iter_mut()
        .min_by(|a, b| away(a).total_cmp(&away(b)));
    if let Some(letter) = best {
        if !mark.text.is_mark {
            if &**letter.text == fold::UNKNOWN_GLYPH {
                letter.text = mark.text;
            } else if &**mark.text != fold::UNKNOWN_GLYPH && !letter.text.contains(&**mark.text) {
                letter.marks.push_str(&mark.text);
            }
            return;
        }
        // A shadda is written before the vowel it carries.
        let at = if mark.text.contains(SHADDA) { 0 } else { letter.marks.len() };
        letter.marks.insert_str(at, &mark.text);
    }
}

fn stand(glyph: &PdfGlyph, up: [f32; 2], size: f32) -> PdfLetter {
    let [x0, base] = turn(glyph.from, up);
    let [x1, _] = turn(glyph.to, up);
    PdfLetter {
        text: Rc::clone(&glyph.text),
        marks: String::new(),
        left: x0.min(x1),
        right: x0.max(x1),
        base,
        size,
        bold: glyph.bold,
        spaced: false,
        raised: false,
    }
}

/// Whether a glyph has a place on a page: places that are not finite or far off any page would
/// spoil every comparison to come.
fn is_sound(glyph: &PdfGlyph) -> bool {
    let is_near = |place: [f32; 2]| length(place) <= MAX_PAGE_REACH_POINTS;
    is_near(glyph.from) && is_near(glyph.to) && !(glyph.ink.is_none() && glyph.text.is_mark)
}

/// A way up, coarse enough that letters of one line share it.
fn way(up: [f32; 2]) -> Option<(i32, i32)> {
    let long = length(up);
    let is_sound = long > 0.0 && long <= MAX_PAGE_REACH_POINTS;
    let coarse = |part: f32| {
        #[expect(clippy::cast_possible_truncation, reason = "a part of a unit arrow is small")]
        let steps = (part / long * ORIENTATION_STEPS).round() as i32;
        steps
    };
    let [x, y] = up;
    is_sound.then(|| (coarse(x), coarse(y)))
}

fn turn([x, y]: [f32; 2], [ux, uy]: [f32; 2]) -> [f32; 2] {
    // `up` is one long, so that this is a rotation, and `back` its inverse.
    [x * -uy + y * ux, -x * ux - y * uy]
}

pub(super) fn middle(letter: &PdfLetter) -> f32 {
    (letter.left + letter.right) / 2.0
}

const SHADDA: char = '\u{651}';
/// In ems, as are all that follow.
const MAX_BASELINE_DRIFT_EMS: f32 = 0.3;
const MAX_SMALL_LINE_SIZE_SHARE: f32 = 0.85;
const MAX_SMALL_LINE_OFFSET_EMS: f32 = 0.6;
const MIN_SUPERSCRIPT_RISE_EMS: f32 = 0.2;
const MIN_WIDE_GAP_EMS: f32 = 0.8;
/// Letters that lie so far on one another have wrong widths.
const MAX_LETTER_OVERLAP_EMS: f32 = 0.15;
/// The part of a space that letters may cover.
const MAX_COVERED_SPACE_SHARE: f32 = 0.9;
const MAX_SHADOW_OFFSET_EMS: f32 = 0.1;
const ASCENT_EMS: f32 = 0.8;
const DESCENT_EMS: f32 = 0.22;
/// A mark and its letter are drawn close after one another.
const MAX_MARK_DISTANCE_LETTERS: usize = 6;
/// Farther out than any page reaches, in points.
const MAX_PAGE_REACH_POINTS: f32 = 1.0e6;
/// No letter is as narrow as this, in points.
const MIN_LETTER_WIDTH_POINTS: f32 = 0.01;
const ORIENTATION_STEPS: f32 = 32.0;
