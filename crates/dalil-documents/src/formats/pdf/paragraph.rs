//! Paragraphs: lines of a column to paragraphs and list items, in reading order.

use std::borrow::Cow;

use super::bidi::{self, BidiUnit, TextDirection};
use super::line::{PdfLetter, PdfLineFragment, PdfTextLine};
use super::mark::{is_arabic, is_item, is_mark};
use super::order::PageRegion;
use crate::formats::outline::CELL_SEPARATOR;
use crate::sentence::continues_in_brackets;

/// A paragraph, list item or table row.
#[derive(Clone, Debug)]
pub(super) struct PdfParagraph {
    pub(super) text: String,
    pub(super) shape: PdfParagraphKind,
    /// The cells of a row that hold something, each with its column.
    pub(super) cells: Vec<(usize, String)>,
    /// The size of most of its letters, in points.
    pub(super) size: f32,
    pub(super) bold: bool,
    /// How many bytes at the beginning of the text are set bold.
    pub(super) bold_start: usize,
    pub(super) lines: usize,
    /// The left, top, right and bottom edges.
    pub(super) edges: [f32; 4],
}

/// The kind of a paragraph by its looks, before the rest of the document is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PdfParagraphKind {
    Text,
    Item,
    Row,
}

/// The paragraphs of a part.
pub(super) fn paragraphs(part: PageRegion) -> Vec<PdfParagraph> {
    match part {
        PageRegion::Flow(rows) => {
            groups(rows).iter().filter_map(|rows| PdfParagraph::of(rows)).collect()
        }
        PageRegion::Table(table) => rows_of(table),
    }
}

/// A row with its words, read in the way of most of its letters.
struct ReadRow {
    row: PdfTextLine,
    way: TextDirection,
    words: String,
}

impl ReadRow {
    fn of(row: PdfTextLine) -> Self {
        let way = way([&row]);
        Self { words: words(&row, way), row, way }
    }

    /// Its words in the way of the rows around it.
    fn words(&self, way: TextDirection) -> Cow<'_, str> {
        if way == self.way { Cow::Borrowed(&self.words) } else { Cow::Owned(words(&self.row, way)) }
    }
}

/// The rows of a flow, those of one paragraph together.
fn groups(rows: Vec<PdfTextLine>) -> Vec<Vec<ReadRow>> {
    let column = ColumnMetrics::of(&rows);
    let mut groups: Vec<Vec<ReadRow>> = Vec::new();
    for row in rows.into_iter().map(ReadRow::of) {
        let above = groups.last().and_then(|group| group.last());
        let begins = above.is_none_or(|above| column.begins(above, &row));
        match groups.last_mut() {
            Some(group) if !begins => group.push(row),
            Some(_) | None => groups.push(vec![row]),
        }
    }
    groups
}

/// The lines of a part in reading order, each with the way that it is read.
pub(super) fn lines(part: PageRegion) -> Vec<(PdfTextLine, TextDirection)> {
    let mut lines = Vec::new();
    match part {
        PageRegion::Flow(rows) => {
            for rows in groups(rows) {
                let way = way(rows.iter().map(|read| &read.row));
                lines.extend(rows.into_iter().map(|read| (read.row, way)));
            }
        }
        PageRegion::Table(table) => {
            for cells in table {
                let row = way(cells.iter().flatten());
                for cell in cells {
                    let way = cell_way(&cell, row);
                    lines.extend(cell.into_iter().map(|line| (line, way)));
                }
            }
        }
    }
    lines
}

fn rows_of(table: Vec<Vec<Vec<PdfTextLine>>>) -> Vec<PdfParagraph> {
    let texts = with_signs(table.iter().map(|cells| said(cells)).collect());
    let mut paragraphs: Vec<PdfParagraph> = Vec::new();
    for (cells, texts) in table.into_iter().zip(texts) {
        let mut full = cells.iter().filter(|cell| !cell.is_empty());
        // A row of one cell with running text is a paragraph between two rows.
        if let (Some(lines), None) = (full.next(), full.next())
            && is_text(lines)
        {
            paragraphs.extend(self::paragraphs(PageRegion::Flow(lines.clone())));
            continue;
        }
        let Some(row) = PdfParagraph::row(&cells, texts) else { continue };
        match paragraphs.last_mut() {
            Some(above) if above.goes_on_in(&row) => above.append(&row),
            _ => paragraphs.push(row),
        }
    }
    paragraphs
}

/// Whether the only cell of a row holds several lines of running text.
fn is_text(lines: &[PdfTextLine]) -> bool {
    let letters: usize = lines.iter().flatten().map(|piece| piece.letters.len()).sum();
    lines.len() > 1 && letters >= MIN_TEXT_LETTERS * lines.len()
}

fn said(cells: &[Vec<PdfTextLine>]) -> Vec<String> {
    let row = way(cells.iter().flatten());
    let cell = |rows: &Vec<PdfTextLine>| {
        let way = cell_way(rows, row);
        join(rows.iter().map(|row| Cow::Owned(words(row, way))))
    };
    cells.iter().map(cell).collect()
}

/// The way that a cell is read; one of signs and digits is read as its row is.
fn cell_way(rows: &[PdfTextLine], row: TextDirection) -> TextDirection {
    let lettered = rows.iter().flatten().flat_map(|piece| &piece.letters);
    let lettered = lettered.flat_map(|letter| letter.text.chars()).any(char::is_alphabetic);
    if lettered { way(rows) } else { row }
}

/// A table without columns that hold nothing but signs: those go with the amounts beside them.
fn with_signs(mut table: Vec<Vec<String>>) -> Vec<Vec<String>> {
    let wide = table.iter().map(Vec::len).max().unwrap_or(0);
    // From the last: a column that is taken out moves only those behind it.
    for column in (0..wide).rev() {
        let all = |signs: &[&str]| {
            let mut cells =
                table.iter().filter_map(|row| row.get(column)).filter(|cell| !cell.is_empty());
            cells.clone().next().is_some() && cells.all(|cell| signs.contains(&cell.as_str()))
        };
        let (before, after) =
            (all(&["$", "€", "£", "($", "("]), all(&[")", "%", ")%", ") %", ":"]));
        if !(before && column + 1 < wide || after && column > 0) {
            continue;
        }
        for row in table.iter_mut().filter(|row| row.len() > column) {
            let sign = row.remove(column);
            let beside = if before { row.get_mut(column) } else { row.get_mut(column - 1) };
            match beside {
                Some(amount) if before && !sign.is_empty() => {
                    *amount = format!("{sign} {amount}").trim_end().to_owned();
                }
                Some(amount) if !sign.is_empty() && !amount.ends_with(&sign) => {
                    amount.push_str(&sign);
                }
                Some(_) | None => {}
            }
        }
    }
    table
}

impl PdfParagraph {
    fn of(rows: &[ReadRow]) -> Option<Self> {
        let way = way(rows.iter().map(|read| &read.row));
        let text = join(rows.iter().map(|read| read.words(way)));
        let shape = if is_item(&text) { PdfParagraphKind::Item } else { PdfParagraphKind::Text };
        Self::new(text, shape, &rows.iter().map(|read| &read.row).collect::<Vec<_>>())
    }

    fn row(cells: &[Vec<PdfTextLine>], texts: Vec<String>) -> Option<Self> {
        let said: Vec<_> =
            texts.into_iter().enumerate().filter(|(_, cell)| !cell.is_empty()).collect();
        // A mark and its item are two cells to the eye of a ruler.
        if let [(_, mark), (_, item)] = said.as_slice()
            && is_item(&format!("{mark} {item}"))
            && !mark.contains(' ')
        {
            let text = format!("{mark} {item}");
            return Self::new(
                text,
                PdfParagraphKind::Item,
                &cells.iter().flatten().collect::<Vec<_>>(),
            );
        }
        let texts: Vec<&str> = said.iter().map(|(_, cell)| cell.as_str()).collect();
        let row = Self::new(
            texts.join(CELL_SEPARATOR),
            PdfParagraphKind::Row,
            &cells.iter().flatten().collect::<Vec<_>>(),
        );
        row.map(|row| Self { cells: said, ..row })
    }

    /// Whether the next row is the second line of this one: a name and a text of two lines each.
    fn goes_on_in(&self, next: &Self) -> bool {
        let ([(_, name), (_, text)], [(column, _), (_, more)]) =
            (self.cells.as_slice(), next.cells.as_slice())
        else {
            return false;
        };
        let small = more.chars().next().is_some_and(char::is_lowercase);
        *column == 0 && !name.is_empty() && small && text.len() >= MIN_TEXT_LETTERS && !ends(text)
    }

    fn append(&mut self, next: &Self) {
        for ((_, cell), (_, more)) in self.cells.iter_mut().zip(&next.cells) {
            let colon = cell.ends_with(':') && cell.len() < MIN_TEXT_LETTERS * 2;
            if colon {
                cell.truncate(cell.len() - 1);
            }
            append(cell, more);
            if colon && !cell.ends_with(':') {
                cell.push(':');
            }
        }
        let texts: Vec<&str> = self.cells.iter().map(|(_, cell)| cell.as_str()).collect();
        self.text = texts.join(CELL_SEPARATOR);
        self.lines += next.lines;
        let ([left, top, right, bottom], other) = (self.edges, next.edges);
        self.edges =
            [left.min(other[0]), top.min(other[1]), right.max(other[2]), bottom.max(other[3])];
    }

    fn new(text: String, shape: PdfParagraphKind, rows: &[&PdfTextLine]) -> Option<Self> {
        let pieces = || rows.iter().copied().flatten();
        let letters = || pieces().flat_map(|piece| &piece.letters);
        let count = letters().count();
        if text.is_empty() || count == 0 {
            return None;
        }
        let mut sizes: Vec<f32> = letters().map(|letter| letter.size).collect();
        // The median in linear time: a large initial or the number of a note does not change it.
        let (_, size, _) = sizes.select_nth_unstable_by(count / 2, f32::total_cmp);
        Some(Self {
            size: *size,
            bold: letters().filter(|letter| letter.bold).count() * 4 > count * 3,
            bold_start: bold_start(&text, rows),
            lines: rows.len(),
            edges: [
                pieces().map(|piece| piece.left).fold(f32::MAX, f32::min),
                pieces().map(PdfLineFragment::top).fold(f32::MAX, f32::min),
                pieces().map(|piece| piece.right).fold(f32::MIN, f32::max),
                pieces().map(PdfLineFragment::bottom).fold(f32::MIN, f32::max),
            ],
            text,
            shape,
            cells: Vec::new(),
        })
    }
}

/// How many bytes of a text are of the bold letters that it begins with, a mark before them
/// included. Only a text that is read to the right is asked.
fn bold_start(text: &str, rows: &[&PdfTextLine]) -> usize {
    let mut letters = rows.iter().copied().flatten().flat_map(|piece| &piece.letters).peekable();
    let mut count = 0;
    while letters
        .next_if(|letter| !letter.bold && !letter.text.chars().any(char::is_alphabetic))
        .is_some()
    {
        count += 1;
    }
    if letters.peek().is_none_or(|letter| !letter.bold) {
        return 0;
    }
    count += letters.take_while(|letter| letter.bold).count();
    let mut solid = text.char_indices().filter(|(_, ch)| *ch != ' ');
    solid.nth(count).map_or(text.len(), |(at, _)| at)
}

/// The common measures of the lines of a column.
struct ColumnMetrics {
    left: f32,
    right: f32,
    /// From line to line, in ems.
    leading: f32,
    way: TextDirection,
}

impl ColumnMetrics {
    fn of(rows: &[PdfTextLine]) -> Self {
        let mut leading: Vec<f32> = rows
            .iter()
            .zip(rows.iter().skip(1))
            .filter_map(|(above, below)| {
                Some((below.first()?.base - above.first()?.base) / size(below))
            })
            .filter(|ems| (MIN_LEADING_EMS..MAX_LEADING_EMS).contains(ems))
            .collect();
        leading.sort_by(f32::total_cmp);
        let most =
            if leading.len() < MIN_LEADING_SAMPLES { DEFAULT_LEADING_EMS } else { MAX_LEADING_EMS };
        let pieces = || rows.iter().flatten();
        Self {
            left: pieces().map(|piece| piece.left).fold(f32::MAX, f32::min),
            right: pieces().map(|piece| piece.right).fold(f32::MIN, f32::max),
            // Paragraphs stand apart, so the lesser distances are those within them.
            leading: leading
                .get(leading.len() / 8)
                .copied()
                .unwrap_or(DEFAULT_LEADING_EMS)
                .min(most),
            way: way(rows),
        }
    }

    /// Whether a row begins a paragraph.
    fn begins(&self, read_above: &ReadRow, read: &ReadRow) -> bool {
        let (above, row) = (&read_above.row, &read.row);
        let (Some(last), Some(first)) = (above.first(), row.first()) else { return true };
        let em = size(row);
        let changes =
            (size(above) - em).abs() > MAX_SIZE_CHANGE_SHARE * em || self.turns_bold(above, row);
        let apart = (first.base - last.base) / em;
        // A line above the one before it begins another column.
        if changes || apart > self.leading + MAX_EXTRA_LEADING_EMS || apart < 0.0 {
            return true;
        }
        let said_above = read_above.words(self.way);
        if is_item(&read.words) {
            return !continues_in_brackets(&said_above, &read.words);
        }
        let [start, end] = self.margins(row);
        let [start_above, end_above] = self.margins(above);
        let ended = ends(&said_above);
        let indented = start > MIN_INDENT_EMS * em
            && start_above < MIN_INDENT_EMS * em
            && start - start_above > MIN_INDENT_EMS * em;
        // A line ends early only if the first word of the next would have had room on it.
        let short = end_above > end.max(0.0) + MIN_SHORT_LINE_EMS * em
            && end_above > first_word(row, self.way) + em;
        (indented && (ended || end_above > MIN_SHORT_LINE_EMS * em)) || (short && ended)
    }

    /// Whether the weight of the letters changes between two rows, and not within one: the title
    /// of a paragraph may be bold and end in the middle of a line.
    fn turns_bold(&self, above: &PdfTextLine, row: &PdfTextLine) -> bool {
        let edge = |row: &PdfTextLine, first: bool| {
            let mut letters = row.iter().flat_map(|piece| &piece.letters);
            let letter = if first == (self.way == TextDirection::Right) {
                letters.next()
            } else {
                letters.next_back()
            };
            letter.is_some_and(|letter| letter.bold)
        };
        is_bold(above) != is_bold(row) && edge(above, false) != edge(row, true)
    }

    /// The distances of a row's ends from the edges of its column; a mark is before it.
    fn margins(&self, row: &PdfTextLine) -> [f32; 2] {
        let (mut left, mut right) = (
            row.first().map_or(0.0, |piece| piece.left),
            row.last().map_or(0.0, |piece| piece.right),
        );
        if let [first, second, ..] = row.as_slice()
            && self.way == TextDirection::Right
            && is_mark(&words(std::slice::from_ref(first), self.way))
        {
            left = second.left;
        } else if let [.., second, first] = row.as_slice()
            && self.way == TextDirection::Left
            && is_mark(&words(std::slice::from_ref(first), self.way))
        {
            right = second.right;
        }
        let (left, right) = (left - self.left, self.right - right);
        match self.way {
            TextDirection::Right => [left, right],
            TextDirection::Left => [right, left],
        }
    }
}

/// How wide the first word of a row is.
fn first_word(row: &PdfTextLine, way: TextDirection) -> f32 {
    let letters: Vec<&PdfLetter> = row.iter().flat_map(|piece| &piece.letters).collect();
    let size = size(row);
    let gap = |pair: &[&PdfLetter]| matches!(pair, [a, b] if b.spaced || b.left - a.right > MIN_SPACE_EMS_WHEN_UNSPACED * size);
    let (Some(first), Some(last)) = (letters.first(), letters.last()) else { return 0.0 };
    match way {
        TextDirection::Right => {
            let end =
                letters.windows(2).find(|pair| gap(pair)).and_then(<[_]>::first).unwrap_or(last);
            end.right - first.left
        }
        TextDirection::Left => {
            let end = letters
                .windows(2)
                .rev()
                .find(|pair| gap(pair))
                .and_then(<[_]>::last)
                .unwrap_or(first);
            last.right - end.left
        }
    }
}

/// The words of a row in reading order.
pub(super) fn words(row: &[PdfLineFragment], way: TextDirection) -> String {
    let mut letters = row.iter().flat_map(|piece| &piece.letters);
    // Most lines are read in the order of the page.
    let is_plain =
        |letter: &PdfLetter| letter.text.is_ascii && letter.marks.is_empty() && !letter.raised;
    if way == TextDirection::Right && letters.all(is_plain) {
        let mut text = String::with_capacity(2 * count(row));
        spell(row, |unit| text.push_str(unit.text));
        return plain(text);
    }
    let text = plain(bidi::logical(&units(row), way));
    if way == TextDirection::Left { numbered(text) } else { text }
}

/// The letters of a row from left to right, with a space in each gap between words.
pub(super) fn units(row: &[PdfLineFragment]) -> Vec<BidiUnit<'_>> {
    let mut units = Vec::with_capacity(2 * count(row));
    spell(row, |unit| units.push(unit));
    units
}

/// Gives each letter of a row from left to right, and a space for each gap between words.
fn spell<'r>(row: &'r [PdfLineFragment], mut take: impl FnMut(BidiUnit<'r>)) {
    let letters = || row.iter().flat_map(|piece| &piece.letters);
    let spaced = letters().filter(|letter| letter.spaced).count();
    // Where spaces are written, a gap must be wider to be one: letters may be set apart.
    let gap = if spaced * 14 > count(row) {
        MIN_SPACE_EMS_WHEN_SPACED
    } else {
        MIN_SPACE_EMS_WHEN_UNSPACED
    };
    let mut right: Option<f32> = None;
    for letter in letters() {
        if right.is_some_and(|right| letter.spaced || letter.left - right > gap * letter.size) {
            take(BidiUnit { text: " ", marks: "" });
        }
        right = Some(right.map_or(letter.right, |right| right.max(letter.right)));
        let text = if letter.raised { raised(&letter.text) } else { &letter.text };
        take(BidiUnit { text, marks: &letter.marks });
    }
}

/// How many letters a row has.
fn count(row: &[PdfLineFragment]) -> usize {
    row.iter().map(|piece| piece.letters.len()).sum()
}

/// A number that counts an item is before its sign: `1-` is drawn as `-1` in Arabic.
fn numbered(text: String) -> String {
    let Some(sign) = text.chars().next().filter(|ch| matches!(ch, '-' | '.' | '–')) else {
        return text;
    };
    let rest = text.get(sign.len_utf8()..).unwrap_or_default();
    let end = rest.find(|ch: char| !ch.is_numeric()).unwrap_or(rest.len());
    let (digits, rest) = rest.split_at_checked(end).unwrap_or((rest, ""));
    let counts = (1..=3).contains(&digits.chars().count());
    let item = rest.trim_start().chars().next().is_none_or(is_arabic);
    if counts && item { format!("{digits}{sign}{rest}") } else { text }
}

/// Single spaces, and no strokes that only stretch a word.
fn plain(said: String) -> String {
    let text = said.trim();
    if text.is_ascii() && !text.contains("  ") {
        return if text.len() == said.len() { said } else { text.to_owned() };
    }
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(ch) = chars.next() {
        let joins = |ch: &char| ch.is_alphabetic() && *ch != KASHIDA;
        if ch == KASHIDA && plain.chars().next_back().is_some_and(|ch| joins(&ch)) {
            while chars.peek() == Some(&KASHIDA) {
                chars.next();
            }
            if chars.peek().is_some_and(joins) {
                continue;
            }
        }
        if !(ch == ' ' && plain.ends_with(' ')) {
            plain.push(ch);
        }
    }
    plain
}

/// Joins lines, and words that were parted at the end of one.
fn join<'l>(lines: impl Iterator<Item = Cow<'l, str>>) -> String {
    let mut text = String::new();
    for line in lines {
        append(&mut text, &line);
    }
    let is_ascii = text.is_ascii();
    if !is_ascii {
        text.retain(|ch| ch != SOFT_HYPHEN);
    }
    let leftward = !is_ascii && text.chars().any(is_arabic);
    bidi::brackets(text, if leftward { TextDirection::Left } else { TextDirection::Right })
}

/// Continues a text with its next line, or on the next page.
pub(super) fn append(text: &mut String, line: &str) {
    if text.ends_with(SOFT_HYPHEN) || is_parted(text, line) {
        text.pop();
    } else if !text.is_empty() && !line.is_empty() && !text.ends_with([' ', '/']) {
        text.push(' ');
    }
    text.push_str(line);
}

/// Whether a hyphen parts a word: a small letter before it and one after it.
fn is_parted(text: &str, line: &str) -> bool {
    let mut back = text.chars().rev();
    matches!(back.next(), Some('-' | '\u{2010}'))
        && back.next().is_some_and(char::is_lowercase)
        && line.chars().next().is_some_and(char::is_lowercase)
}

fn way<'r>(rows: impl IntoIterator<Item = &'r PdfTextLine>) -> TextDirection {
    super::order::way(rows)
}

fn size(row: &PdfTextLine) -> f32 {
    row.iter().map(|piece| piece.size).fold(1.0e-3, f32::max)
}

fn is_bold(row: &PdfTextLine) -> bool {
    let bold = row.iter().flat_map(|piece| &piece.letters).filter(|letter| letter.bold).count();
    bold * 4 > count(row) * 3
}

/// Whether a text ends as a sentence or a heading's number does.
pub(super) fn ends(text: &str) -> bool {
    let last = text.trim_end_matches(['"', '\'', '”', '’', '»', ')', ']']).chars().next_back();
    last.is_some_and(|ch| matches!(ch, '.' | '!' | '?' | ':' | ';' | '؟' | '؛' | '。' | '…'))
}

fn raised(text: &str) -> &str {
    match text {
        "0" => "⁰",
        "1" => "¹",
        "2" => "²",
        "3" => "³",
        "4" => "⁴",
        "5" => "⁵",
        "6" => "⁶",
        "7" => "⁷",
        "8" => "⁸",
        "9" => "⁹",
        other => other,
    }
}

pub(super) const KASHIDA: char = '\u{640}';
const SOFT_HYPHEN: char = '\u{AD}';
/// In ems. A gap is a space: where spaces are written, and where they are not.
const MIN_SPACE_EMS_WHEN_SPACED: f32 = 0.28;
const MIN_SPACE_EMS_WHEN_UNSPACED: f32 = 0.16;
/// The letters of a line of running text, at the least.
const MIN_TEXT_LETTERS: usize = 16;
const DEFAULT_LEADING_EMS: f32 = 1.45;
/// Fewer distances than these say little.
const MIN_LEADING_SAMPLES: usize = 4;
const MIN_LEADING_EMS: f32 = 0.8;
const MAX_LEADING_EMS: f32 = 3.0;
const MAX_EXTRA_LEADING_EMS: f32 = 0.3;
const MIN_INDENT_EMS: f32 = 0.8;
const MIN_SHORT_LINE_EMS: f32 = 2.0;
const MAX_SIZE_CHANGE_SHARE: f32 = 0.12;
