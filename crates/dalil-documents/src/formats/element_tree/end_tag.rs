//! The effect of an end tag on the stack of open elements (HTML, 13.2.6).

use super::element_name::{FORMATTING_ELEMENTS, ends_in_scope, is_heading, table_level};
use super::open_elements::{ElementScope, ElementSpace, OpenElement, OpenElements};

impl OpenElements {
    /// Takes an end tag.
    pub(super) fn end(&mut self, name: &str) {
        if self.is_foreign() && self.end_foreign(name) {
            return;
        }
        match name {
            // The text after them is shown as if they were not there.
            "body" | "html" | "head" | "br" | "col" | "colgroup" => {}
            "p" => self.end_found("p", ElementScope::Button),
            "li" => self.end_found("li", ElementScope::Item),
            "dd" | "dt" => self.end_found(name, ElementScope::Plain),
            "template" => {
                if let Some(at) = self.nearest(|one| one.is("template"), |_| false) {
                    self.cut(at);
                }
            }
            "form" => self.end_form(),
            heading if is_heading(heading) => self.end_heading(),
            part if table_level(part).is_some() => self.end_table_part(part),
            formatting if FORMATTING_ELEMENTS.contains(&formatting) => {
                self.end_formatting(formatting);
            }
            block if ends_in_scope(block) => self.end_found(block, ElementScope::Plain),
            other => self.end_other(other),
        }
    }

    /// Takes an end tag inside a picture or a formula, unless HTML around it is to take it.
    fn end_foreign(&mut self, name: &str) -> bool {
        if matches!(name, "br" | "p") {
            self.leave_foreign();
            return false;
        }
        let is_html = |one: &OpenElement| one.space == ElementSpace::Html;
        match self.nearest(|one| !is_html(one) && one.name == name, is_html) {
            Some(at) => {
                self.cut(at);
                true
            }
            None => false,
        }
    }

    /// Every heading ends with the end tag of any.
    fn end_heading(&mut self) {
        let headings = ["h1", "h2", "h3", "h4", "h5", "h6"];
        let found = headings.iter().filter_map(|name| self.find(name, ElementScope::Plain)).max();
        if let Some(at) = found {
            self.cut(at);
        }
    }

    /// Only the form itself ends: elements in it stay open.
    fn end_form(&mut self) {
        if self.stack.iter().any(|one| one.is("template")) {
            return self.end_found("form", ElementScope::Plain);
        }
        let Some(id) = self.form.take() else { return };
        let found = self.find("form", ElementScope::Plain);
        let found = found.filter(|at| self.stack.get(*at).is_some_and(|one| one.id == id));
        if let Some(at) = found {
            self.end_implied("");
            self.keep_from(at, |one| one.id != id);
        }
    }

    /// Ends the innermost element of this name, unless a block is open in it.
    pub(super) fn end_other(&mut self, name: &str) {
        if let Some(at) = self.nearest(|one| one.is(name), OpenElement::is_special) {
            self.cut(at);
        }
    }
}
