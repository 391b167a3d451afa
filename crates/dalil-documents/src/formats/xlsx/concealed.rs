//! Rows and columns that a sheet does not show.

use std::collections::{BTreeMap, BTreeSet};

use crate::formats::archive::OfficePackage;
use crate::formats::xml::{XmlNode, XmlNodes};

/// What a sheet does not show; rows and columns from 0.
#[derive(Debug, Default)]
pub(super) struct ConcealedCells {
    rows: BTreeSet<u32>,
    columns: Vec<(u32, u32)>,
}

impl ConcealedCells {
    pub(super) fn has_row(&self, row: u32) -> bool {
        self.rows.contains(&row)
    }

    pub(super) fn has_column(&self, column: u32) -> bool {
        self.columns.iter().any(|(first, last)| (*first..=*last).contains(&column))
    }

    fn of(xml: &str) -> Self {
        let mut found = Self::default();
        let mut next = 0;
        for node in XmlNodes::of(xml) {
            let XmlNode::Open(tag) = node else { continue };
            let is = |name: &str| {
                tag.get(name).is_some_and(|value| matches!(value.trim(), "1" | "true" | "on"))
            };
            let flat = |name: &str| {
                tag.get(name)
                    .and_then(|value| value.trim().parse::<f32>().ok())
                    .is_some_and(|size| size < MIN_VISIBLE_SIZE)
            };
            match tag.name() {
                "row" => {
                    // Without `r` a row follows the one before (ECMA-376-1, 18.3.1.73).
                    let row = tag.number("r").and_then(|row| row.checked_sub(1)).unwrap_or(next);
                    next = row.saturating_add(1);
                    if is("hidden") || flat("ht") {
                        found.rows.insert(row);
                    }
                }
                "col" if is("hidden") || flat("width") => {
                    let side = |name: &str| tag.number(name).and_then(|at| at.checked_sub(1));
                    if let (Some(first), Some(last)) = (side("min"), side("max"))
                        && found.columns.len() < MAX_HIDDEN_COLUMN_RANGES
                    {
                        found.columns.push((first, last));
                    }
                }
                _ => {}
            }
        }
        found
    }
}

/// What each sheet of a workbook does not show, by its name.
pub(super) fn read(archive: &mut OfficePackage<'_>) -> BTreeMap<String, ConcealedCells> {
    let mut text = |name: &str| archive.text(name).ok().flatten();
    let mut targets = BTreeMap::new();
    for node in text("xl/_rels/workbook.xml.rels").iter().flat_map(|xml| XmlNodes::of(xml)) {
        if let XmlNode::Open(tag) = node
            && let (Some(id), Some(target)) = (tag.get("Id"), tag.get("Target"))
        {
            targets.insert(id, target);
        }
    }
    let mut sheets = Vec::new();
    for node in text("xl/workbook.xml").iter().flat_map(|xml| XmlNodes::of(xml)) {
        if let XmlNode::Open(tag) = node
            && tag.name() == "sheet"
            && let (Some(name), Some(id)) = (tag.get("name"), tag.get("id"))
        {
            sheets.push((name, id));
        }
    }
    let mut found = BTreeMap::new();
    for (name, id) in sheets {
        let Some(target) = targets.get(&id) else { continue };
        // A relative target is relative to the part that refers to it, `xl/workbook.xml`.
        let path = match target.strip_prefix('/') {
            Some(absolute) => absolute.to_owned(),
            None => format!("xl/{target}"),
        };
        found.extend(text(&path).map(|xml| (name, ConcealedCells::of(&xml))));
    }
    found
}

/// Lower rows and narrower columns than this, in points or characters, show nothing.
const MIN_VISIBLE_SIZE: f32 = 1.0;
const MAX_HIDDEN_COLUMN_RANGES: usize = 1000;
