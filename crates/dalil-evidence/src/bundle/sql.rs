//! Kept SQL results as text: which rows, which columns, one row a line.

use std::borrow::Cow;
use std::ops::Range;

use dalil_proof::json::{Json, integer};
use serde::Serialize;

use crate::bundle::policy::{BundlePolicy, RowSampling};

/// The metadata of a result and of its shown part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SqlMeta {
    /// Whether columns were left out.
    pub cols_truncated: bool,
    /// How many columns are shown.
    pub sampled_cols: usize,
    /// How many rows are shown.
    pub sampled_rows: usize,
    /// How the rows were chosen, in words.
    pub sampling_note: String,
    /// How the rows were chosen, in one.
    pub sampling_strategy: &'static str,
    /// How many columns it has.
    pub total_cols: usize,
    /// How many rows the artifact has.
    pub total_rows: usize,
}

/// A result set as its artifact has it.
pub(super) struct SqlResultSet<'j> {
    pub(super) columns: Vec<Cow<'j, str>>,
    rows: &'j [Json<'j>],
    /// The number of rows of the query, from the artifact.
    pub(super) row_count: u64,
    /// Whether the query gave more rows than were kept.
    more: bool,
    /// The text of the query, if it was kept.
    pub(super) query: Option<&'j str>,
}

/// Rows as text, and their metadata.
pub(super) struct SqlExcerpt {
    pub(super) text: String,
    pub(super) meta: SqlMeta,
    /// The parts that were left out, in words.
    pub(super) shortened: Option<String>,
    /// The first and last row, when this is one of several parts.
    pub(super) rows: Option<(usize, usize)>,
}

impl<'j> SqlResultSet<'j> {
    /// Reads an artifact: `{"columns", "rows", "row_count"?, "more"?, "query"?}`,
    /// each row an array or an object.
    pub(super) fn read(artifact: &'j Json<'j>) -> Result<Self, String> {
        let rows = match artifact.get("rows") {
            Some(Json::List(rows)) => rows,
            Some(other) => {
                return Err(format!(
                    "expected an array in `rows`, found {}",
                    other.kind().english()
                ));
            }
            None => return Err("expected an SQL result with `rows`, found none".to_owned()),
        };
        let shaped = |row: &Json<'_>| matches!(row, Json::List(_) | Json::Object(_));
        if let Some((n, row)) = rows.iter().enumerate().find(|(_, row)| !shaped(row)) {
            return Err(format!(
                "expected an array or object in `rows[{n}]`, found {}",
                row.kind().english()
            ));
        }
        let columns = match artifact.get("columns") {
            Some(Json::List(columns)) => named(columns)?,
            Some(other) => {
                return Err(format!(
                    "expected an array in `columns`, found {}",
                    other.kind().english()
                ));
            }
            None => keys(rows)?,
        };
        let surplus = |row: &Json<'_>| match row {
            Json::List(cells) => Some(cells.len()).filter(|cells| *cells > columns.len()),
            _ => None,
        };
        if let Some((n, cells)) =
            rows.iter().enumerate().find_map(|(n, row)| Some((n, surplus(row)?)))
        {
            let most = columns.len();
            return Err(format!("expected at most {most} cells in `rows[{n}]`, found {cells}"));
        }
        let row_count = match artifact.get("row_count") {
            None | Some(Json::Null) => rows.len() as u64,
            Some(Json::Number(count)) => integer(*count)
                .and_then(|count| u64::try_from(count).ok())
                .ok_or("expected a whole number in `row_count`")?,
            Some(other) => {
                return Err(format!(
                    "expected a whole number in `row_count`, found {}",
                    other.kind().english()
                ));
            }
        };
        let query = match artifact.get("query") {
            None | Some(Json::Null) => None,
            Some(Json::Text(query)) => Some(query.as_ref()),
            Some(other) => {
                return Err(format!("expected text in `query`, found {}", other.kind().english()));
            }
        };
        let more = match artifact.get("more") {
            None | Some(Json::Null) => false,
            Some(Json::Bool(more)) => *more,
            Some(other) => {
                return Err(format!(
                    "expected `true` or `false` in `more`, found {}",
                    other.kind().english()
                ));
            }
        };
        Ok(Self { columns, rows, row_count, more, query })
    }

    /// The result as one text, sampled if there are too many rows.
    pub(super) fn sampled(&self, policy: &BundlePolicy) -> SqlExcerpt {
        let total = self.rows.len();
        let (chosen, note) = sample(total, policy.max_sql_rows, policy.sampling_strategy);
        let shown = chosen.iter().map(ExactSizeIterator::len).sum::<usize>();
        let rows = chosen.into_iter().flatten();
        let mut text = self.head(policy, &note);
        self.lines(rows, policy, |line| text.push_str(line));
        let meta = self.meta(policy, shown, word(policy.sampling_strategy), note);
        let left_out = (shown < total).then(|| format!("Sampled {shown} of {total} rows"));
        SqlExcerpt { text, shortened: self.shortened(policy, left_out), meta, rows: None }
    }

    /// The result as several texts, each within the limits of an item, together
    /// holding every row.
    pub(super) fn split(&self, policy: &BundlePolicy) -> Vec<SqlExcerpt> {
        let total = self.rows.len();
        let room = policy.max_item_bytes;
        // No number in a part's note has more digits than the total, so no head is longer.
        let widest = self.head(policy, &part_note(total, total, total)).len();
        let mut parts: Vec<(Range<usize>, String)> = Vec::new();
        let mut row = 0;
        self.lines(0..total, policy, |line| {
            match parts.last_mut() {
                Some((range, text))
                    if range.len() < policy.max_sql_rows
                        && widest + text.len() + line.len() <= room =>
                {
                    range.end += 1;
                    text.push_str(line);
                }
                // Also a row that is too long by itself: it is an item, and is shortened later.
                _ => parts.push((row..row + 1, line.to_owned())),
            }
            row += 1;
        });
        if parts.len() < 2 {
            // One part has no more than `max_sql_rows` rows, so nothing is sampled away.
            return vec![self.sampled(policy)];
        }
        let shown = parts.into_iter().map(|(range, lines)| {
            let (first, last) = (range.start, range.end.saturating_sub(1));
            let note = part_note(first, last, total);
            let meta = self.meta(policy, range.len(), "split", note.clone());
            let shortened = self.shortened(policy, Some(note.clone()));
            let text = self.head(policy, &note) + &lines;
            SqlExcerpt { text, meta, shortened, rows: Some((first, last)) }
        });
        shown.collect()
    }

    fn shown_columns(&self, policy: &BundlePolicy) -> &[Cow<'j, str>] {
        let most = policy.max_sql_cols.unwrap_or(usize::MAX);
        self.columns.get(..most).unwrap_or(&self.columns)
    }

    /// Everything above the rows.
    fn head(&self, policy: &BundlePolicy, note: &str) -> String {
        let (all, shown) = (self.columns.len(), self.shown_columns(policy));
        let names = shown.join(", ");
        let mut head =
            format!("SQL Result Set ({} rows, {all} columns)\nColumns: {names}\n", self.rows.len());
        if shown.len() < all {
            head.push_str(&format!("(Note: Showing {} of {all} columns)\n", shown.len()));
        }
        if self.more {
            head.push_str(&format!("(Note: {})\n", self.more_note()));
        }
        head.push_str(&format!("\nSampling: {note}\n"));
        head
    }

    /// The note for an artifact that itself is not the whole result of the query.
    fn more_note(&self) -> String {
        format!("The query gave more than the {} rows that were kept", self.rows.len())
    }

    /// Writes one line for each row, led by a line end.
    fn lines(
        &self,
        rows: impl IntoIterator<Item = usize>,
        policy: &BundlePolicy,
        mut write: impl FnMut(&str),
    ) {
        let columns = self.shown_columns(policy);
        let mut line = String::new();
        for (n, row) in rows.into_iter().filter_map(|n| Some((n, self.rows.get(n)?))) {
            line.clear();
            line.extend(["\nRow ", &n.to_string(), ": "]);
            match row {
                // A short row lacks its last cells; an object that lacks one has null in its place.
                Json::List(cells) => members(columns.iter().zip(cells), &mut line),
                row => members(
                    columns.iter().enumerate().map(|(n, name)| (name, cell(row, n, name))),
                    &mut line,
                ),
            }
            write(&line);
        }
    }

    fn meta(
        &self,
        policy: &BundlePolicy,
        sampled_rows: usize,
        sampling_strategy: &'static str,
        sampling_note: String,
    ) -> SqlMeta {
        let sampled_cols = self.shown_columns(policy).len();
        SqlMeta {
            total_rows: self.rows.len(),
            total_cols: self.columns.len(),
            sampled_rows,
            sampled_cols,
            sampling_strategy,
            sampling_note,
            cols_truncated: sampled_cols < self.columns.len(),
        }
    }

    fn shortened(&self, policy: &BundlePolicy, rows: Option<String>) -> Option<String> {
        let (all, shown) = (self.columns.len(), self.shown_columns(policy).len());
        let columns = (shown < all).then(|| format!("Showing {shown} of {all} columns"));
        let more = self.more.then(|| self.more_note());
        let notes: Vec<String> = rows.into_iter().chain(columns).chain(more).collect();
        (!notes.is_empty()).then(|| notes.join("; "))
    }
}

/// The rows that stay, in order, and a note about them.
pub(super) fn sample(total: usize, most: usize, strategy: RowSampling) -> (Vec<RowSample>, String) {
    if total <= most {
        return (vec![RowSample::spread(total, total)], "All rows included".to_owned());
    }
    match strategy {
        RowSampling::FirstOnly => {
            (vec![RowSample::run(0..most)], format!("First {most} rows of {total}"))
        }
        RowSampling::FirstLast => {
            let (first, last) = (most.div_ceil(2), most / 2);
            let note = format!("First {first} and last {last} rows of {total}");
            (vec![RowSample::run(0..first), RowSample::run(total - last..total)], note)
        }
        RowSampling::Stride => (
            vec![RowSample::spread(most, total)],
            format!("{most} rows spread evenly over {total}"),
        ),
    }
}

/// Some rows, in order.
#[derive(Clone, Debug)]
pub(super) struct RowSample {
    next: usize,
    count: usize,
    first: usize,
    /// How many rows the last one is after the first.
    span: usize,
}

impl RowSample {
    fn run(range: Range<usize>) -> Self {
        let count = range.len();
        Self { next: 0, count, first: range.start, span: count.saturating_sub(1) }
    }

    /// `count` of `total` rows, from the first to the last.
    fn spread(count: usize, total: usize) -> Self {
        Self { next: 0, count, first: 0, span: total.saturating_sub(1) }
    }
}

impl Iterator for RowSample {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let at = self.next;
        self.next += 1;
        // Wide enough that the product cannot overflow.
        let steps = (self.count.saturating_sub(1) as u128).max(1);
        let ahead = at as u128 * self.span as u128 / steps;
        (at < self.count).then(|| self.first + usize::try_from(ahead).unwrap_or(self.span))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.count.saturating_sub(self.next);
        (left, Some(left))
    }
}

impl ExactSizeIterator for RowSample {}

fn part_note(first: usize, last: usize, total: usize) -> String {
    format!("Rows {first} to {last} of {total}")
}

fn word(strategy: RowSampling) -> &'static str {
    match strategy {
        RowSampling::FirstOnly => "first_only",
        RowSampling::FirstLast => "first_last",
        RowSampling::Stride => "stride",
    }
}

fn named<'j>(columns: &'j [Json<'j>]) -> Result<Vec<Cow<'j, str>>, String> {
    let name = |(n, column): (usize, &'j Json<'j>)| match column {
        Json::Text(name) => Ok(Cow::Borrowed(name.as_ref())),
        other => Err(format!("expected text in `columns[{n}]`, found {}", other.kind().english())),
    };
    columns.iter().enumerate().map(name).collect()
}

/// The columns of rows that carry their names, in the order of the first row.
fn keys<'j>(rows: &'j [Json<'j>]) -> Result<Vec<Cow<'j, str>>, String> {
    match rows.first() {
        Some(Json::Object(members)) => {
            Ok(members.iter().map(|(key, _)| Cow::Borrowed(key.as_ref())).collect())
        }
        _ => Err("expected an SQL result with `columns`, found none".to_owned()),
    }
}

/// The cell of a row under a name, which most often is the one at that place.
fn cell<'j>(row: &'j Json<'j>, place: usize, name: &str) -> &'j Json<'j> {
    let Json::Object(members) = row else { return &Json::Null };
    match members.get(place) {
        Some((key, value)) if key == name => value,
        _ => row.get(name).unwrap_or(&Json::Null),
    }
}

/// An object as Python writes it: a space after each comma and colon.
fn members<'j>(pairs: impl Iterator<Item = (&'j Cow<'j, str>, &'j Json<'j>)>, line: &mut String) {
    line.push('{');
    for (n, (name, value)) in pairs.enumerate() {
        line.push_str(if n == 0 { "" } else { ", " });
        quoted(name, line);
        line.push_str(": ");
        spaced(value, line);
    }
    line.push('}');
}

fn spaced(value: &Json<'_>, line: &mut String) {
    match value {
        Json::Object(object) => members(object.iter().map(|(key, value)| (key, value)), line),
        Json::List(items) => {
            line.push('[');
            for (n, item) in items.iter().enumerate() {
                line.push_str(if n == 0 { "" } else { ", " });
                spaced(item, line);
            }
            line.push(']');
        }
        Json::Text(text) => quoted(text, line),
        Json::Null => line.push_str("null"),
        Json::Bool(value) => line.push_str(if *value { "true" } else { "false" }),
        // Numbers are those of RFC 8785 (spec/bundle.md); not `1e21` but `1e+21`.
        Json::Number(number) => line.push_str(ryu_js::Buffer::new().format(*number)),
    }
}

fn quoted(text: &str, line: &mut String) {
    let quoted = serde_json::to_string(text);
    line.push_str(&quoted.unwrap_or_else(|error| error.to_string()));
}
