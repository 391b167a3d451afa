//! Reading order: rows of a page to columns of lines and tables of cells.

use super::bidi::{DirectionCount, TextDirection};
use super::content::RuledLine;
use super::line::{PdfLineFragment, PdfTextLine};
use super::mark::is_mark;
use super::paragraph::words;

/// A part of a page that is read as one.
pub(super) enum PageRegion {
    /// Lines below one another.
    Flow(Vec<PdfTextLine>),
    /// A table: each row holds cells in reading order, each cell lines.
    Table(Vec<Vec<Vec<PdfTextLine>>>),
}

/// The parts of a page, or of a column of it, in reading order.
pub(super) fn arrange(rows: Vec<PdfTextLine>, rules: &[RuledLine]) -> Vec<PageRegion> {
    let mut parts = Vec::new();
    let mut level: Vec<RuledLine> = rules
        .iter()
        .filter(|[left, top, right, bottom]| right - left > bottom - top)
        .copied()
        .collect();
    // Rounded, so that the pieces of one rule stand in order from the left: `dividers` adds them.
    level.sort_by(|a, b| a[1].round().total_cmp(&b[1].round()).then(a[0].total_cmp(&b[0])));
    split(rows, &level, 0, &mut parts);
    parts
}

/// The way that most of the letters are read.
pub(super) fn way<'r>(rows: impl IntoIterator<Item = &'r PdfTextLine>) -> TextDirection {
    let mut count = DirectionCount::default();
    for letter in rows.into_iter().flatten().flat_map(|piece| &piece.letters) {
        count += letter.text.directions;
    }
    TextDirection::of(count)
}

fn split(rows: Vec<PdfTextLine>, rules: &[RuledLine], depth: usize, parts: &mut Vec<PageRegion>) {
    for band in bands(rows) {
        if band.gutters.is_empty() || depth == MAX_COLUMN_DEPTH {
            flow(band.rows, parts);
            continue;
        }
        let columns = columns(&band);
        // First, since marks beside their items look like a table of two columns.
        if is_list(&columns, way(&band.rows)) {
            flow(band.rows, parts);
        } else if is_prose(&columns) && !is_ruled(&band, rules) {
            let mut columns = columns;
            if way(&band.rows) == TextDirection::Left {
                columns.reverse();
            }
            for column in columns {
                split(column, rules, depth + 1, parts);
            }
        } else {
            parts.push(PageRegion::Table(table(&band, rules)));
        }
    }
}

/// Lines continue the lines above them where nothing is between.
fn flow(mut rows: Vec<PdfTextLine>, parts: &mut Vec<PageRegion>) {
    match parts.last_mut() {
        Some(PageRegion::Flow(above)) if below(above, &rows) => above.append(&mut rows),
        _ => parts.push(PageRegion::Flow(rows)),
    }
}

fn below(above: &[PdfTextLine], rows: &[PdfTextLine]) -> bool {
    let last = above.last().and_then(|row| row.first());
    let first = rows.first().and_then(|row| row.first());
    last.zip(first).is_some_and(|(last, first)| first.base > last.base)
}

/// Rows one below the other that the same gaps run through.
struct GutterBand {
    rows: Vec<PdfTextLine>,
    /// The gaps that are free in every row, from left to right.
    gutters: Vec<[f32; 2]>,
}

fn bands(rows: Vec<PdfTextLine>) -> Vec<GutterBand> {
    let mut bands: Vec<GutterBand> = Vec::new();
    for row in rows {
        if let Some(band) = bands.last_mut()
            && let Some(gutters) = band.take(&row)
        {
            band.gutters = gutters;
            band.rows.push(row);
            continue;
        }
        let gutters = gaps(&row);
        bands.push(GutterBand { rows: vec![row], gutters });
    }
    bands.iter_mut().for_each(GutterBand::settle);
    bands
}

impl GutterBand {
    /// The gutters that are left when the row joins the band, if it may.
    fn take(&self, row: &PdfTextLine) -> Option<Vec<[f32; 2]>> {
        // A band without gutters holds whole lines, and takes no row of cells.
        if self.gutters.is_empty() {
            return (row.len() == 1).then(Vec::new);
        }
        let size = row.iter().map(|piece| piece.size).fold(0.0, f32::max);
        if row.len() == 1 && self.is_apart(row, size) && !self.is_wordy() {
            return None;
        }
        let free: Vec<_> = self
            .gutters
            .iter()
            .filter_map(|gutter| narrowest(*gutter, row))
            .filter(is_wide(row))
            .collect();
        // A cell may span two columns; text that runs over a gutter ends the band.
        let lost = self.gutters.len() - free.len();
        let may_lose = usize::from(row.len() > 1);
        (!free.is_empty() && lost <= may_lose).then_some(free)
    }

    /// Whether the row is much further below than the rows of the band are apart.
    fn is_apart(&self, row: &PdfTextLine, size: f32) -> bool {
        let base = |row: &PdfTextLine| row.first().map_or(0.0, |piece| piece.base);
        let Some(last) = self.rows.last() else { return false };
        let recent =
            self.rows.get(self.rows.len().saturating_sub(MAX_RECENT_ROWS)..).unwrap_or_default();
        let mut usual: Vec<f32> = recent
            .iter()
            .zip(recent.iter().skip(1))
            .map(|(above, below)| base(below) - base(above))
            .collect();
        usual.sort_by(f32::total_cmp);
        let usual = usual.get(usual.len() / 2).copied().unwrap_or(0.0);
        base(row) - base(last) > (MIN_BAND_BREAK_RATIO * usual).max(MIN_BAND_BREAK_EMS * size)
    }

    /// Whether its last rows hold lines rather than cells.
    fn is_wordy(&self) -> bool {
        let recent =
            self.rows.get(self.rows.len().saturating_sub(MAX_RECENT_ROWS)..).unwrap_or_default();
        let pieces = || recent.iter().flatten();
        let letters: usize = pieces().map(|piece| piece.letters.len()).sum();
        letters >= MIN_PROSE_LINE_LETTERS * pieces().count()
    }

    /// The gaps of its fullest row that run through nearly all of its rows.
    fn settle(&mut self) {
        let split = self.rows.iter().filter(|row| row.len() > 1).count();
        // A wide gap in a single row is a wide gap, not a column.
        let fullest = self.rows.iter().rev().max_by_key(|row| row.len()).filter(|_| split > 1);
        // A title that spans the table may run over a gutter, so a few rows may cross it.
        let spare = self.rows.len() / 6;
        self.gutters = fullest
            .into_iter()
            .flat_map(gaps)
            .filter_map(|gap| {
                let mut crossed = 0;
                let left = self.rows.iter().fold(gap, |gap, row| {
                    narrowest(gap, row).filter(is_wide(row)).unwrap_or_else(|| {
                        crossed += 1;
                        gap
                    })
                });
                (crossed <= spare).then_some(left)
            })
            .collect();
    }
}

/// Whether a gap is wide enough beside the letters of a row.
fn is_wide(row: &PdfTextLine) -> impl Fn(&[f32; 2]) -> bool {
    let size = row.iter().map(|piece| piece.size).fold(0.0, f32::max);
    move |[left, right]| right - left >= MIN_GUTTER_EMS * size
}

/// The part of a gutter that a row leaves free.
fn narrowest([mut left, mut right]: [f32; 2], row: &PdfTextLine) -> Option<[f32; 2]> {
    for piece in row {
        if piece.right <= left || piece.left >= right {
            continue;
        }
        if piece.left <= left && piece.right >= right {
            return None;
        }
        // The piece covers a part of the gutter: the larger part that is free is kept.
        if piece.left - left > right - piece.right {
            right = right.min(piece.left);
        } else {
            left = left.max(piece.right);
        }
    }
    (right > left).then_some([left, right])
}

fn gaps(row: &PdfTextLine) -> Vec<[f32; 2]> {
    row.iter()
        .zip(row.iter().skip(1))
        .take(MAX_ROW_CELLS)
        .map(|(piece, next)| [piece.right, next.left])
        .filter(|[left, right]| right > left)
        .collect()
}

/// The rows of each column of a band, from left to right.
fn columns(band: &GutterBand) -> Vec<Vec<PdfTextLine>> {
    let mut columns = vec![Vec::new(); band.gutters.len() + 1];
    for row in &band.rows {
        for (column, cell) in columns.iter_mut().zip(cells(row, &band.gutters)) {
            if !cell.is_empty() {
                column.push(cell);
            }
        }
    }
    columns
}

fn cells(row: &PdfTextLine, gutters: &[[f32; 2]]) -> Vec<PdfTextLine> {
    let mut cells = vec![Vec::new(); gutters.len() + 1];
    for piece in row {
        let middle = f32::midpoint(piece.left, piece.right);
        let at = gutters.partition_point(|[left, right]| f32::midpoint(*left, *right) < middle);
        if let Some(cell) = cells.get_mut(at) {
            cell.push(piece.clone());
        }
    }
    cells
}

/// Whether columns hold running text, which fills its lines, and not cells.
fn is_prose(columns: &[Vec<PdfTextLine>]) -> bool {
    columns.len() <= MAX_COLUMNS
        && columns.iter().all(|column| {
            let long: Vec<_> =
                column.iter().filter_map(ends).map(|[left, right]| right - left).collect();
            let widest = long.iter().copied().fold(0.0, f32::max);
            let full = long.iter().filter(|&&wide| wide > MIN_FULL_LINE_SHARE * widest).count();
            let letters: usize = column.iter().flatten().map(|piece| piece.letters.len()).sum();
            column.len() >= 3
                && full * 2 >= column.len()
                && letters >= MIN_PROSE_LINE_LETTERS * column.len()
        })
}

/// Whether the first of two columns holds nothing but the marks of items.
fn is_list(columns: &[Vec<PdfTextLine>], way: TextDirection) -> bool {
    let [left, right] = columns else { return false };
    let (marks, items) = if way == TextDirection::Left { (right, left) } else { (left, right) };
    let letters: usize = items.iter().flatten().map(|piece| piece.letters.len()).sum();
    !marks.is_empty()
        && letters >= MIN_PROSE_LINE_LETTERS * items.len()
        && marks.iter().all(|row| is_mark(&words(row, way)))
}

fn ends(row: &PdfTextLine) -> Option<[f32; 2]> {
    Some([row.first()?.left, row.last()?.right])
}

/// Whether rules run between the rows of a band, across its gutters.
fn is_ruled(band: &GutterBand, rules: &[RuledLine]) -> bool {
    dividers(band, rules).len() >= 2
}

/// The heights at which rules divide the rows of a band.
fn dividers(band: &GutterBand, rules: &[RuledLine]) -> Vec<f32> {
    let pieces = || band.rows.iter().flatten();
    let top = pieces().map(PdfLineFragment::top).fold(f32::MAX, f32::min);
    let bottom = pieces().map(PdfLineFragment::bottom).fold(f32::MIN, f32::max);
    let left = pieces().map(|piece| piece.left).fold(f32::MAX, f32::min);
    let right = pieces().map(|piece| piece.right).fold(f32::MIN, f32::max);
    // The rules are sorted by height, so those beside the band are found by bisection.
    let first = rules.partition_point(|rule| rule[1] <= top);
    let last = rules.partition_point(|rule| rule[1] < bottom).max(first);
    let mut heights: Vec<(f32, f32)> = Vec::new();
    let mut reached = f32::MIN;
    for [from, y, to, _] in rules.get(first..last).unwrap_or_default() {
        let same = heights.last().is_some_and(|(height, _)| y - height < MAX_SAME_RULE_POINTS);
        if !same {
            heights.push((*y, 0.0));
            reached = f32::MIN;
        }
        if let Some((_, covered)) = heights.last_mut() {
            // Where pieces overlap, the part counts once.
            *covered += (to.min(right) - from.max(left).max(reached)).max(0.0);
            reached = reached.max(*to);
        }
    }
    heights.retain(|(_, covered)| *covered > MIN_RULED_WIDTH_SHARE * (right - left));
    heights.into_iter().map(|(height, _)| height).collect()
}

/// The rows of a table: by the rules between them, else by lines, of which one
/// without a first cell continues the row above it.
fn table(band: &GutterBand, rules: &[RuledLine]) -> Vec<Vec<Vec<PdfTextLine>>> {
    let heights = dividers(band, rules);
    // Few rules among many lines, as below a header, do not part the rows.
    let ruled = heights.len() >= 2 && band.rows.len() <= 4 * (heights.len() + 1);
    let way = way(&band.rows);
    let mut table: Vec<Vec<Vec<PdfTextLine>>> = Vec::new();
    let mut last: Option<(usize, &PdfTextLine)> = None;
    for row in &band.rows {
        let mut cells = cells(row, &band.gutters);
        if way == TextDirection::Left {
            cells.reverse();
        }
        let base = row.first().map_or(0.0, |piece| piece.base);
        let field = heights.partition_point(|height| *height < base);
        let goes_on = last.is_some_and(|(above, line)| {
            if ruled { above == field } else { above == field && continues(line, row, &cells) }
        });
        last = Some((field, row));
        let fresh =
            cells.into_iter().map(|cell| if cell.is_empty() { Vec::new() } else { vec![cell] });
        match table.last_mut() {
            Some(above) if goes_on => {
                for (cell, mut lines) in above.iter_mut().zip(fresh) {
                    cell.append(&mut lines);
                }
            }
            Some(_) | None => table.push(fresh.collect()),
        }
    }
    table
}

fn continues(above: &PdfTextLine, row: &PdfTextLine, cells: &[PdfTextLine]) -> bool {
    let apart =
        |piece: &PdfLineFragment| above.first().map_or(f32::MAX, |last| piece.base - last.base);
    cells.first().is_some_and(Vec::is_empty)
        && row.first().is_some_and(|piece| apart(piece) < MAX_CLOSE_LINE_EMS * piece.size)
}

const MAX_COLUMN_DEPTH: usize = 4;
const MAX_COLUMNS: usize = 4;
/// The letters of a line of prose, at the least.
const MIN_PROSE_LINE_LETTERS: usize = 16;
/// A full line, as a part of the widest.
const MIN_FULL_LINE_SHARE: f32 = 0.75;
/// In ems.
const MIN_GUTTER_EMS: f32 = 0.6;
const MIN_BAND_BREAK_EMS: f32 = 2.2;
const MAX_CLOSE_LINE_EMS: f32 = 1.45;
/// As a multiple of the usual distance.
const MIN_BAND_BREAK_RATIO: f32 = 1.8;
const MAX_RECENT_ROWS: usize = 8;
/// The cells of one row.
const MAX_ROW_CELLS: usize = 64;
/// Rules of one height, in points.
const MAX_SAME_RULE_POINTS: f32 = 2.0;
/// Most of a width.
const MIN_RULED_WIDTH_SHARE: f32 = 0.6;
