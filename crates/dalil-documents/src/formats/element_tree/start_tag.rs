//! The effect of a start tag on the stack of open elements (HTML, 13.2.6).

use html5gum::State;
use html5gum::emitters::default::StartTag;

use super::element_name::{
    BREAKOUT_ELEMENTS, FORMATTING_ELEMENTS, IMPLIED_END_ELEMENTS, is_heading, table_level,
    text_state,
};
use super::formatting::FormattingEntry;
use super::open_elements::{ElementScope, ElementSpace, OpenElement, OpenElements};
use super::tree::ElementId;
use crate::formats::markup::{PARAGRAPH_ENDING_ELEMENTS, VOID_ELEMENTS};

impl OpenElements {
    /// Takes a start tag, and returns the tokenizer state after it.
    pub(super) fn start(&mut self, tag: &StartTag<usize>) -> Option<State> {
        let name = String::from_utf8_lossy(&tag.name).into_owned();
        self.prepare(&name, tag);
        if self.reads_foreign() {
            let has = |key: &&str| tag.attributes.contains_key(key.as_bytes());
            let is_styled_font = name == "font" && ["color", "face", "size"].iter().any(has);
            if !BREAKOUT_ELEMENTS.contains(&name.as_str()) && !is_styled_font {
                self.start_foreign(&name, tag);
                return None;
            }
            self.leave_foreign();
        }
        match name.as_str() {
            "html" => self.describe(ElementId::ROOT, pairs(tag)),
            "body" => self.describe(ElementId::BODY, pairs(tag)),
            // Before other text, it takes the place of the whole page.
            "frameset" => self.is_replaced = true,
            // Columns hold no text, and end where anything else begins.
            "head" | "frame" | "col" | "colgroup" => {}
            "svg" | "math" => {
                self.reopen_formatting();
                self.start_foreign(&name, tag);
            }
            "table" => self.start_table(tag),
            "form" => self.start_form(tag),
            part if table_level(part).is_some() => self.start_table_part(part, tag),
            _ => return self.start_other(&name, tag),
        }
        None
    }

    fn start_foreign(&mut self, name: &str, tag: &StartTag<usize>) {
        if tag.self_closing {
            self.pass(name, ElementSpace::Foreign, pairs(tag));
        } else {
            self.push(name, ElementSpace::Foreign, pairs(tag));
        }
    }

    /// Ends the picture or formula that is open.
    pub(super) fn leave_foreign(&mut self) {
        let outside = |one: &OpenElement| one.space == ElementSpace::Html || one.is_integration();
        let kept = self.stack.iter().rposition(outside).map_or(0, |at| at + 1);
        self.cut(kept);
    }

    fn start_other(&mut self, name: &str, tag: &StartTag<usize>) -> Option<State> {
        if name == "select" && self.find("select", ElementScope::Plain).is_some() {
            self.end_found("select", ElementScope::Plain);
            return None;
        }
        self.end_before(name);
        if !PARAGRAPH_ENDING_ELEMENTS.contains(&name) || name == "xmp" {
            self.reopen_formatting();
        }
        if VOID_ELEMENTS.contains(&name) || matches!(name, "image" | "keygen") {
            self.pass(name, ElementSpace::Html, pairs(tag));
            return None;
        }
        let id = self.push(name, ElementSpace::Html, pairs(tag));
        if FORMATTING_ELEMENTS.contains(&name) {
            self.note_formatting(FormattingEntry::new(id, tag));
        }
        text_state(name)
    }

    /// Ends the elements that a start tag of this name ends.
    fn end_before(&mut self, name: &str) {
        match name {
            "li" => self.end_item(&["li"]),
            "dd" | "dt" => self.end_item(&["dd", "dt"]),
            "a" if self.has_formatting("a") => self.end_formatting("a"),
            "nobr" if self.find("nobr", ElementScope::Plain).is_some() => {
                self.end_formatting("nobr");
            }
            "button" => self.end_found("button", ElementScope::Plain),
            "input" => self.end_found("select", ElementScope::Plain),
            "option" | "optgroup" if self.is_innermost("option") => {
                self.cut(self.stack.len() - 1);
            }
            "rb" | "rtc" if self.find("ruby", ElementScope::Plain).is_some() => {
                self.end_implied("");
            }
            "rp" | "rt" if self.find("ruby", ElementScope::Plain).is_some() => {
                self.end_implied("rtc");
            }
            _ => {}
        }
        if PARAGRAPH_ENDING_ELEMENTS.contains(&name) {
            self.end_found("p", ElementScope::Button);
        }
        if is_heading(name) && self.stack.last().is_some_and(|last| is_heading(&last.name)) {
            self.cut(self.stack.len() - 1);
        }
    }

    /// An item ends where the next begins, unless a list or the like is open in it.
    fn end_item(&mut self, names: &[&str]) {
        let is_one = |one: &OpenElement, names: &[&str]| names.iter().any(|name| one.is(name));
        let found = self.nearest(
            |one| is_one(one, names),
            |one| one.is_special() && !is_one(one, &["address", "div", "p"]),
        );
        if let Some(at) = found {
            self.cut(at);
        }
    }

    /// Ends the innermost elements, as long as they need no end tag and are not of this name.
    pub(super) fn end_implied(&mut self, except: &str) {
        let ends = |one: &OpenElement| {
            IMPLIED_END_ELEMENTS.iter().any(|name| one.is(name)) && !one.is(except)
        };
        let kept = self.stack.iter().rposition(|one| !ends(one)).map_or(0, |at| at + 1);
        self.cut(kept);
    }

    fn start_form(&mut self, tag: &StartTag<usize>) {
        let is_in_template = self.stack.iter().any(|one| one.is("template"));
        if self.form.is_some() && !is_in_template {
            return;
        }
        let is_in_table = self.is_between_cells();
        if !is_in_table {
            self.end_found("p", ElementScope::Button);
        }
        let id = self.push("form", ElementSpace::Html, pairs(tag));
        if !is_in_template {
            self.form = Some(id);
            // Between the cells of a table a form holds nothing.
            if is_in_table {
                self.cut(self.stack.len() - 1);
            }
        }
    }
}

/// The attributes of a tag.
pub(super) fn pairs(tag: &StartTag<usize>) -> impl Iterator<Item = (&[u8], &[u8])> {
    tag.attributes.iter().map(|(key, value)| (key.as_slice(), value.as_slice()))
}
