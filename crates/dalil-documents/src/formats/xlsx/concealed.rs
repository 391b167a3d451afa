//! Hidden parts of sheets: rows and columns, cells under others, and letters without contrast.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::area::{self, CellArea, ColumnRanges, MAX_RULE_AREAS};
use super::rule::{CellRule, SheetStyles};
use super::text_run::{RunInk, TextRuns};
use crate::formats::archive::OfficePackage;
use crate::formats::xml::{XmlNode, XmlNodes, XmlStartTag};

/// The hidden parts of a sheet; rows and columns from 0.
#[derive(Debug, Default)]
pub(super) struct ConcealedCells {
    rows: BTreeSet<u32>,
    /// Rows with a height of their own, where all others have none.
    high_rows: BTreeSet<u32>,
    columns: ColumnRanges,
    /// Columns with a width of their own.
    wide_columns: ColumnRanges,
    /// Whether rows without a height of their own have none.
    are_rows_flat: bool,
    are_columns_flat: bool,
    /// Cells that another is shown in place of.
    covered: BTreeSet<(u32, u32)>,
    /// Tables, whose style may fill their cells.
    pub(super) tables: Vec<CellArea>,
    pub(super) rules: Vec<CellRule>,
    /// Whether there are more rules than are kept.
    pub(super) are_rules_cut: bool,
    /// The cells whose letters have colours or sizes of their own.
    runs: BTreeMap<(u32, u32), Rc<[RunInk]>>,
}

/// The looks that the sheets of a workbook share.
#[derive(Debug, Default)]
pub(super) struct WorkbookLooks {
    pub(super) styles: SheetStyles,
    shared: TextRuns,
    /// Whether no window shows the workbook.
    pub(super) is_hidden: bool,
}

impl ConcealedCells {
    pub(super) fn has_row(&self, row: u32) -> bool {
        self.rows.contains(&row) || self.are_rows_flat && !self.high_rows.contains(&row)
    }

    pub(super) fn has_column(&self, column: u32) -> bool {
        self.columns.holds(column) || self.are_columns_flat && !self.wide_columns.holds(column)
    }

    /// Whether another cell is shown in place of this one.
    pub(super) fn covers(&self, at: (u32, u32)) -> bool {
        self.covered.contains(&at)
    }

    /// How parts of the text of a cell look, as far as they differ from the cell.
    pub(super) fn runs(&self, at: (u32, u32)) -> &[RunInk] {
        self.runs.get(&at).map_or(&[], |runs| &**runs)
    }
}

/// A sheet as its markup comes.
struct SheetScan<'l> {
    found: ConcealedCells,
    looks: &'l WorkbookLooks,
    /// The row that comes next.
    next: u32,
    row: u32,
    cell: Option<OpenCell>,
    column: u32,
    areas: Vec<CellArea>,
    /// The areas whose cells are shown as one.
    merged: Vec<CellArea>,
    /// The cells of the sheet.
    cells: Vec<(u32, u32)>,
    /// The hidden columns, and those with a width of their own.
    columns: Vec<(u32, u32)>,
    wide_columns: Vec<(u32, u32)>,
    /// How many areas rules may still have.
    room: usize,
    /// The element whose text comes next.
    inside: String,
}

/// A cell that is open.
struct OpenCell {
    at: (u32, u32),
    is_shared: bool,
    own: TextRuns,
}

impl<'l> SheetScan<'l> {
    fn new(looks: &'l WorkbookLooks) -> Self {
        Self {
            found: ConcealedCells::default(),
            looks,
            next: 0,
            row: 0,
            cell: None,
            column: 0,
            areas: Vec::new(),
            merged: Vec::new(),
            cells: Vec::new(),
            columns: Vec::new(),
            wide_columns: Vec::new(),
            room: MAX_RULE_AREAS,
            inside: String::new(),
        }
    }

    fn read(mut self, xml: &str) -> ConcealedCells {
        for node in XmlNodes::of(xml) {
            match node {
                XmlNode::Open(tag) => self.start(&tag),
                XmlNode::Text(text) => self.text(&text),
                XmlNode::Close(end) => {
                    self.inside.clear();
                    if end.name() == "c" {
                        self.end_cell();
                    }
                }
            }
        }
        ConcealedCells {
            covered: area::covered(&self.merged, self.cells),
            columns: ColumnRanges::of(self.columns),
            wide_columns: ColumnRanges::of(self.wide_columns),
            ..self.found
        }
    }

    fn start(&mut self, tag: &XmlStartTag<'_>) {
        tag.name().clone_into(&mut self.inside);
        if let Some(cell) = &mut self.cell {
            return cell.own.take(tag);
        }
        match tag.name() {
            "row" => self.row(tag),
            "c" => {
                let named = tag.get("r").as_deref().and_then(area::corner);
                let at = named.unwrap_or((self.row, self.column));
                self.column = at.1.saturating_add(1);
                self.cells.push(at);
                let is_shared = tag.get("t").is_some_and(|kind| kind == "s");
                self.cell = Some(OpenCell { at, is_shared, own: TextRuns::default() });
            }
            "col" => self.column(tag),
            "sheetFormatPr" => {
                self.found.are_rows_flat = is_flat(tag, "defaultRowHeight");
                self.found.are_columns_flat = is_flat(tag, "defaultColWidth");
            }
            "mergeCell" => self.merged.extend(tag.get("ref").as_deref().and_then(CellArea::of)),
            "conditionalFormatting" => {
                self.areas = CellArea::list(&tag.value("sqref"));
            }
            "cfRule" => self.rule(tag),
            _ => {}
        }
    }

    fn row(&mut self, tag: &XmlStartTag<'_>) {
        // Without `r` a row follows the one before (ECMA-376-1, 18.3.1.73).
        let row = tag.number("r").and_then(|row| row.checked_sub(1)).unwrap_or(self.next);
        self.next = row.saturating_add(1);
        (self.row, self.column) = (row, 0);
        if is_on(tag, "hidden") || is_flat(tag, "ht") {
            self.found.rows.insert(row);
        } else if tag.get("ht").is_some() {
            self.found.high_rows.insert(row);
        }
    }

    fn rule(&mut self, tag: &XmlStartTag<'_>) {
        let room = self.room.checked_sub(self.areas.len());
        match room.filter(|_| self.found.rules.len() < MAX_RULES) {
            Some(room) => {
                self.room = room;
                let looks = &self.looks.styles.looks;
                self.found.rules.push(CellRule::of(&self.areas, tag, looks));
            }
            None => self.found.are_rules_cut = true,
        }
    }

    fn column(&mut self, tag: &XmlStartTag<'_>) {
        let side = |name: &str| tag.number(name).and_then(|at| at.checked_sub(1));
        let Some(range) = side("min").zip(side("max")) else { return };
        let is_hidden = is_on(tag, "hidden") || is_flat(tag, "width");
        if is_hidden {
            self.columns.push(range);
        } else if tag.get("width").is_some() {
            self.wide_columns.push(range);
        }
    }

    fn text(&mut self, text: &str) {
        match (&mut self.cell, self.inside.as_str()) {
            (Some(cell), "v") if cell.is_shared => {
                let index = text.trim().parse().ok();
                let runs = index.and_then(|index| self.looks.shared.runs(index));
                self.found.runs.extend(runs.map(|runs| (cell.at, runs)));
            }
            (Some(cell), "t") => cell.own.text(text),
            (None, "formula") if !self.found.are_rules_cut => {
                self.found.rules.last_mut().into_iter().for_each(|rule| rule.formula(text));
            }
            _ => {}
        }
    }

    fn end_cell(&mut self) {
        let Some(cell) = self.cell.take() else { return };
        self.found.runs.extend(cell.own.own().map(|runs| (cell.at, runs)));
    }
}

fn is_on(tag: &XmlStartTag<'_>, name: &str) -> bool {
    tag.get(name).is_some_and(|value| matches!(value.trim(), "1" | "true" | "on"))
}

fn is_flat(tag: &XmlStartTag<'_>, name: &str) -> bool {
    tag.get(name)
        .and_then(|value| value.trim().parse::<f32>().ok())
        .is_some_and(|size| size < MIN_VISIBLE_SIZE)
}

/// Reads the hidden parts of each sheet of a workbook, by its name, and the looks that they share.
pub(super) fn read(
    archive: &mut OfficePackage<'_>,
) -> (BTreeMap<String, ConcealedCells>, WorkbookLooks) {
    let mut looks = WorkbookLooks::default();
    let mut targets = BTreeMap::new();
    for (kind, id, target) in relations(archive, "xl/workbook.xml") {
        let mut part = || text(archive, &target).unwrap_or_default();
        match kind.as_str() {
            "styles" => looks.styles = SheetStyles::parse(&part()),
            "sharedStrings" => looks.shared = TextRuns::parse(&part()),
            _ => {}
        }
        targets.insert(id, target);
    }
    let mut sheets = Vec::new();
    let mut windows = Vec::new();
    for node in text(archive, "xl/workbook.xml").iter().flat_map(|xml| XmlNodes::of(xml)) {
        let XmlNode::Open(tag) = node else { continue };
        match (tag.name(), tag.get("name"), tag.get("id")) {
            ("sheet", Some(name), Some(id)) => sheets.push((name, id)),
            ("workbookView", _, _) => {
                windows.push(tag.get("visibility").is_some_and(|how| how != "visible"));
            }
            _ => {}
        }
    }
    looks.is_hidden = !windows.is_empty() && !windows.contains(&false);
    let mut found = BTreeMap::new();
    for (name, id) in sheets {
        let Some(path) = targets.get(&id) else { continue };
        let Some(xml) = text(archive, path) else { continue };
        let mut concealed = SheetScan::new(&looks).read(&xml);
        for (kind, _, target) in relations(archive, path) {
            if kind == "table" && concealed.tables.len() < MAX_TABLES {
                concealed.tables.extend(text(archive, &target).as_deref().and_then(styled_area));
            }
        }
        found.insert(name, concealed);
    }
    (found, looks)
}

fn text(archive: &mut OfficePackage<'_>, name: &str) -> Option<String> {
    archive.text(name).ok().flatten()
}

/// The relationships of a part: the last word of the kind, the id and the name in the package.
fn relations(archive: &mut OfficePackage<'_>, part: &str) -> Vec<(String, String, String)> {
    let (folder, file) = part.rsplit_once('/').unwrap_or(("", part));
    let mut found = Vec::new();
    let xml = text(archive, &format!("{folder}/_rels/{file}.rels"));
    for node in xml.iter().flat_map(|xml| XmlNodes::of(xml)) {
        if let XmlNode::Open(tag) = node
            && let (Some(id), Some(target)) = (tag.get("Id"), tag.get("Target"))
        {
            let kind = tag.value("Type");
            let kind = kind.rsplit_once('/').map_or(kind.as_str(), |(_, word)| word).to_owned();
            found.push((kind, id, beside(folder, &target)));
        }
    }
    found
}

/// The name of a part that another in this folder calls so.
fn beside(folder: &str, target: &str) -> String {
    if let Some(absolute) = target.strip_prefix('/') {
        return absolute.to_owned();
    }
    let mut path: Vec<&str> = folder.split('/').collect();
    for step in target.split('/') {
        match step {
            ".." => drop(path.pop()),
            "." => {}
            step => path.push(step),
        }
    }
    path.join("/")
}

/// The area of a table that has a style.
fn styled_area(xml: &str) -> Option<CellArea> {
    let (mut area, mut is_styled) = (None, false);
    for node in XmlNodes::of(xml) {
        let XmlNode::Open(tag) = node else { continue };
        match tag.name() {
            "table" => area = tag.get("ref").as_deref().and_then(CellArea::of),
            "tableStyleInfo" => is_styled = tag.get("name").is_some(),
            _ => {}
        }
    }
    area.filter(|_| is_styled)
}

/// Lower rows and narrower columns than this, in points or characters, show nothing.
const MIN_VISIBLE_SIZE: f32 = 1.0;
const MAX_RULES: usize = 1000;
const MAX_TABLES: usize = 1000;
