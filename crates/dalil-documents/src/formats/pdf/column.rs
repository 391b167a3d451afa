//! Columns: the letters of a page to regions that are read one after the other.
//!
//! The lines of two columns need not stand side by side, so columns are parted
//! before lines are made of letters. Only columns of running text are: a table is
//! read by its rows, which [`super::order`] finds.

use super::bidi::{DirectionCount, TextDirection};
use super::content::RuledLine;
use super::line::PdfLetter;

/// The regions of a page in reading order.
pub(super) fn regions(mut letters: Vec<PdfLetter>, rules: &[RuledLine]) -> Vec<Vec<PdfLetter>> {
    let mut regions = Vec::new();
    part(strokes(&mut letters), rules, 0, &mut regions);
    if regions.len() == 1 {
        // Most pages have one column, and their letters are in order by now.
        return vec![letters];
    }
    let whole = |strokes: Vec<PdfLetterRun<'_>>| {
        strokes.iter().flat_map(|stroke| stroke.letters).cloned().collect()
    };
    regions.into_iter().map(whole).collect()
}

/// Letters on one line, close to one another.
struct PdfLetterRun<'p> {
    letters: &'p [PdfLetter],
    left: f32,
    right: f32,
    base: f32,
    size: f32,
}

fn part<'p>(
    strokes: Vec<PdfLetterRun<'p>>,
    rules: &[RuledLine],
    depth: usize,
    regions: &mut Vec<Vec<PdfLetterRun<'p>>>,
) {
    let gutters = if depth < MAX_COLUMN_DEPTH { gutters(&strokes) } else { Vec::new() };
    let parts = |gutter: &&f32| {
        bands(&strokes, **gutter).iter().any(|band| is_split(band, **gutter, rules))
    };
    // One gutter at a time: a third column is found inside one of its sides.
    let Some(gutter) = gutters.iter().find(parts).copied() else {
        regions.push(strokes);
        return;
    };
    let splits: Vec<(usize, bool)> = bands(&strokes, gutter)
        .iter()
        .map(|band| (band.len(), is_split(band, gutter, rules)))
        .collect();
    let mut strokes = strokes.into_iter();
    let mut plain = Vec::new();
    for (count, split) in splits {
        let band = strokes.by_ref().take(count);
        if !split {
            // Lines across the gutter stay together and in their place between the columns.
            plain.extend(band);
            continue;
        }
        if !plain.is_empty() {
            regions.push(std::mem::take(&mut plain));
        }
        let (left, right): (Vec<_>, Vec<_>) = band.partition(|stroke| stroke.right <= gutter);
        let sides = if is_leftward(&left, &right) { [right, left] } else { [left, right] };
        for side in sides {
            part(side, rules, depth + 1, regions);
        }
    }
    if !plain.is_empty() {
        regions.push(plain);
    }
}

/// Strokes from top to bottom, those of one line from left to right. The letters are put in their
/// order.
fn strokes(letters: &mut [PdfLetter]) -> Vec<PdfLetterRun<'_>> {
    letters.sort_by(|a, b| a.base.total_cmp(&b.base).then(a.left.total_cmp(&b.left)));
    let mut strokes = Vec::new();
    let mut rest = letters;
    while let Some(first) = rest.first() {
        let lowest =
            |letter: &PdfLetter| letter.base - first.base <= MAX_BASELINE_DRIFT_EMS * first.size;
        let count = 1 + rest.iter().skip(1).take_while(|letter| lowest(letter)).count();
        let Some((line, below)) = rest.split_at_mut_checked(count) else { break };
        line.sort_by(|a, b| a.left.total_cmp(&b.left));
        part_line(line, &mut strokes);
        rest = below;
    }
    strokes
}

fn part_line<'p>(line: &'p [PdfLetter], strokes: &mut Vec<PdfLetterRun<'p>>) {
    let mut rest = line;
    while let Some(first) = rest.first() {
        let PdfLetter { left, mut right, base, mut size, .. } = *first;
        if first.text.is_blank {
            right = left;
        }
        let mut count = 1;
        for letter in rest.iter().skip(1) {
            // A space belongs to the word before it, however wide it is.
            if !letter.text.is_blank {
                if letter.left - right > MAX_LETTER_GAP_EMS * size.max(letter.size) {
                    break;
                }
                right = right.max(letter.right);
                size = size.max(letter.size);
            }
            count += 1;
        }
        let Some((letters, after)) = rest.split_at_checked(count) else { break };
        strokes.push(PdfLetterRun { letters, left, right, base, size });
        rest = after;
    }
}

/// The middles of gaps, the one that the fewest strokes cross first.
fn gutters(strokes: &[PdfLetterRun<'_>]) -> Vec<f32> {
    let left = strokes.iter().map(|stroke| stroke.left).fold(f32::MAX, f32::min);
    let right = strokes.iter().map(|stroke| stroke.right).fold(f32::MIN, f32::max);
    let mut sizes: Vec<f32> = strokes.iter().map(|stroke| stroke.size).collect();
    sizes.sort_by(f32::total_cmp);
    let least = MIN_GUTTER_EMS * sizes.get(sizes.len() / 2).copied().unwrap_or(f32::MAX);
    let edge = MIN_COLUMN_WIDTH_SHARE * (right - left);
    let mut ends: Vec<(f32, bool)> =
        strokes.iter().flat_map(|stroke| [(stroke.left, true), (stroke.right, false)]).collect();
    ends.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    // A sweep over all ends from the left: `over` strokes cross the gap at hand.
    let (mut over, mut last) = (0_usize, left);
    let mut gaps: Vec<(usize, f32, f32)> = Vec::new();
    for (at, begins) in ends {
        let (wide, middle) = (at - last, f32::midpoint(at, last));
        if wide >= least && middle > left + edge && middle < right - edge {
            gaps.push((over, wide, middle));
        }
        over = if begins { over + 1 } else { over.saturating_sub(1) };
        last = at;
    }
    gaps.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
    gaps.into_iter().take(MAX_GUTTERS_TRIED).map(|(_, _, middle)| middle).collect()
}

/// Strokes between those that cross the gutter, and those that do.
fn bands<'s, 'p>(strokes: &'s [PdfLetterRun<'p>], gutter: f32) -> Vec<&'s [PdfLetterRun<'p>]> {
    let crosses = |stroke: &PdfLetterRun<'_>| stroke.left < gutter && stroke.right > gutter;
    strokes.chunk_by(|a, b| crosses(a) == crosses(b)).collect()
}

/// Whether there is running text on both sides of the gutter, and no table around it.
fn is_split(band: &[PdfLetterRun<'_>], gutter: f32, rules: &[RuledLine]) -> bool {
    let sides = [true, false].map(|left| {
        band.iter().filter(|stroke| (stroke.right <= gutter) == left).collect::<Vec<_>>()
    });
    let lines = sides.map(|side| lines(&side));
    let (most, least) = (lines[0].max(lines[1]), lines[0].min(lines[1]));
    most >= MIN_LONG_COLUMN_LINES
        && least >= MIN_SHORT_COLUMN_LINES
        && !is_ruled(band, gutter, rules)
}

/// How many lines of running text there are on a side that holds little else.
fn lines(side: &[&PdfLetterRun<'_>]) -> usize {
    let count = |stroke: &PdfLetterRun<'_>| stroke.letters.len();
    let long: Vec<_> =
        side.iter().filter(|stroke| count(stroke) >= MIN_TEXT_LINE_LETTERS).collect();
    let letters: usize = side.iter().map(|stroke| count(stroke)).sum();
    let in_long: usize = long.iter().map(|stroke| count(stroke)).sum();
    let mut widths: Vec<f32> = long.iter().map(|stroke| stroke.right - stroke.left).collect();
    widths.sort_by(f32::total_cmp);
    // The upper quartile, not the maximum: one line may be wider than its column.
    let Some(&wide) = widths.get(widths.len() * 3 / 4) else { return 0 };
    let full = widths.iter().filter(|&&width| width > MIN_FULL_LINE_SHARE * wide).count();
    if in_long * 10 >= letters * 6 && full * 2 >= long.len() { long.len() } else { 0 }
}

fn is_ruled(band: &[PdfLetterRun<'_>], gutter: f32, rules: &[RuledLine]) -> bool {
    let top = band.first().map_or(0.0, |stroke| stroke.base);
    let bottom = band.last().map_or(0.0, |stroke| stroke.base);
    let mut heights: Vec<f32> = rules
        .iter()
        .filter(|[left, y, right, foot]| right - left > foot - y)
        .filter(|[left, y, right, _]| *left < gutter && *right > gutter && *y > top && *y < bottom)
        .map(|rule| rule[1])
        .collect();
    heights.sort_by(f32::total_cmp);
    heights.dedup_by(|a, b| *a - *b < MAX_SAME_RULE_POINTS);
    // One rule may be an ornament; two that cross the gutter frame the rows of a table.
    heights.len() >= 2
}

/// Whether the columns are read from the right.
fn is_leftward(left: &[PdfLetterRun<'_>], right: &[PdfLetterRun<'_>]) -> bool {
    let mut count = DirectionCount::default();
    for letter in left.iter().chain(right).flat_map(|stroke| stroke.letters) {
        count += letter.text.directions;
    }
    TextDirection::of(count) == TextDirection::Left
}

const MAX_COLUMN_DEPTH: usize = 4;
/// The letters of a line of running text, at the least.
const MIN_TEXT_LINE_LETTERS: usize = 16;
/// The lines of the longer column and of the shorter one, at the least.
const MIN_LONG_COLUMN_LINES: usize = 4;
const MIN_SHORT_COLUMN_LINES: usize = 2;
/// How many gaps are tried.
const MAX_GUTTERS_TRIED: usize = 8;
/// A full line, as a part of the widest.
const MIN_FULL_LINE_SHARE: f32 = 0.6;
/// The part of the width at either side that is too narrow for a column.
const MIN_COLUMN_WIDTH_SHARE: f32 = 0.12;
/// Rules of one height, in points.
const MAX_SAME_RULE_POINTS: f32 = 2.0;
/// In ems: how far letters of one line are off it, and from one another.
const MAX_BASELINE_DRIFT_EMS: f32 = 0.12;
const MAX_LETTER_GAP_EMS: f32 = 0.8;
const MIN_GUTTER_EMS: f32 = 0.6;
