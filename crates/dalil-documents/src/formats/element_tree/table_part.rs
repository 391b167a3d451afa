//! The effect of table tags on the stack of open elements (HTML, 13.2.6.4.9 and following).

use html5gum::emitters::default::StartTag;

use super::element_name::table_level;
use super::open_elements::{ElementScope, ElementSpace, OpenElement, OpenElements};
use super::start_tag::pairs;

impl OpenElements {
    /// The innermost part of a table that is open here, a table included.
    fn table_part(&self) -> Option<usize> {
        let is_part =
            |one: &OpenElement| one.space == ElementSpace::Html && table_level(&one.name).is_some();
        self.nearest(is_part, |one| one.is("template"))
    }

    fn part_name(&self, at: usize) -> &str {
        self.stack.get(at).map_or("", |one| one.name.as_str())
    }

    /// Whether a table is open here, and none of its cells.
    pub(super) fn is_between_cells(&self) -> bool {
        let part = self.table_part();
        part.is_some_and(|at| !matches!(self.part_name(at), "td" | "th" | "caption"))
    }

    pub(super) fn start_table(&mut self, tag: &StartTag<usize>) {
        // One that begins between the cells of another ends that one.
        if self.is_between_cells() {
            self.end_found("table", ElementScope::Table);
        }
        self.end_found("p", ElementScope::Button);
        self.push("table", ElementSpace::Html, pairs(tag));
    }

    /// Takes the start tag of a part of a table; outside of one it means nothing.
    pub(super) fn start_table_part(&mut self, name: &str, tag: &StartTag<usize>) {
        let Some(level) = table_level(name) else { return };
        while let Some(at) = self.table_part() {
            let open = self.part_name(at);
            let is_kept = table_level(open).is_some_and(|open| open < level) && open != "caption";
            if is_kept || open == "table" {
                self.cut(at + 1);
                let around = [(1, "tbody"), (2, "tr")];
                let missing = table_level(self.part_name(at)).unwrap_or(0) + 1..level;
                for (_, part) in around.iter().filter(|(level, _)| missing.contains(level)) {
                    self.push(part, ElementSpace::Html, [].into_iter());
                }
                self.push(name, ElementSpace::Html, pairs(tag));
                return;
            }
            self.cut(at);
        }
    }

    /// Takes the end tag of a part of a table.
    pub(super) fn end_table_part(&mut self, name: &str) {
        let part = self.table_part();
        let is_captioned = part.is_some_and(|at| self.part_name(at) == "caption");
        if !is_captioned || matches!(name, "caption" | "table") {
            self.end_found(name, ElementScope::Table);
        }
    }
}
