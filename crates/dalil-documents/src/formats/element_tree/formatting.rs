//! Formatting that a page opens again in the next paragraph (HTML, 13.2.4.3).

use std::rc::Rc;

use html5gum::emitters::default::StartTag;

use super::open_elements::{ElementScope, ElementSpace, OpenElement, OpenElements};
use super::tree::ElementId;

/// Formatting that nothing has ended, the innermost last, with marks where it begins anew.
#[derive(Debug, Default)]
pub(super) struct FormattingList(Vec<FormattingItem>);

#[derive(Clone, Debug)]
enum FormattingItem {
    /// The beginning of a cell or the like.
    Mark,
    Entry(FormattingEntry),
}

#[derive(Clone, Debug)]
pub(super) struct FormattingEntry {
    /// The element that was opened for it last.
    id: ElementId,
    name: String,
    /// What tells alike formatting apart.
    attributes: Rc<[(Vec<u8>, Vec<u8>)]>,
}

impl FormattingEntry {
    pub(super) fn new(id: ElementId, tag: &StartTag<usize>) -> Self {
        let attributes = tag.attributes.iter().map(|(key, value)| (key.0.clone(), value.0.clone()));
        let name = String::from_utf8_lossy(&tag.name).into_owned();
        Self { id, name, attributes: attributes.collect() }
    }
}

impl FormattingList {
    pub(super) fn mark(&mut self) {
        self.0.push(FormattingItem::Mark);
    }

    pub(super) fn clear_to_mark(&mut self) {
        while let Some(FormattingItem::Entry(_)) = self.0.pop() {}
    }

    /// The place of the innermost of this name, behind the last mark.
    fn last(&self, name: &str) -> Option<usize> {
        let from = self.last_mark_end();
        let found = self.0.iter().enumerate().skip(from).rev().find(|(_, item)| match item {
            FormattingItem::Mark => false,
            FormattingItem::Entry(entry) => entry.name == name,
        });
        found.map(|(at, _)| at)
    }

    fn last_mark_end(&self) -> usize {
        let is_mark = |item: &FormattingItem| matches!(item, FormattingItem::Mark);
        self.0.iter().rposition(is_mark).map_or(0, |at| at + 1)
    }

    /// Takes note that another element goes on for one.
    pub(super) fn rename(&mut self, known: ElementId, id: ElementId) {
        for item in &mut self.0 {
            if let FormattingItem::Entry(entry) = item
                && entry.id == known
            {
                entry.id = id;
            }
        }
    }

    /// The elements that were opened for it last.
    pub(super) fn ids(&self) -> impl Iterator<Item = ElementId> {
        self.0.iter().filter_map(|item| match item {
            FormattingItem::Mark => None,
            FormattingItem::Entry(entry) => Some(entry.id),
        })
    }
}

impl OpenElements {
    /// Notes formatting that was opened; of more than three alike the first is forgotten.
    pub(super) fn note_formatting(&mut self, entry: FormattingEntry) {
        let from = self.formatting.last_mark_end();
        let alike = |item: &FormattingItem| match item {
            FormattingItem::Mark => false,
            FormattingItem::Entry(one) => {
                one.name == entry.name && one.attributes == entry.attributes
            }
        };
        let behind = self.formatting.0.iter().skip(from);
        if behind.filter(|item| alike(item)).count() >= MAX_ALIKE_ELEMENTS
            && let Some(first) = self.formatting.0.iter().skip(from).position(alike)
        {
            self.formatting.0.remove(from + first);
        }
        self.formatting.0.push(FormattingItem::Entry(entry));
        if self.formatting.0.len() > MAX_FORMATTING_ELEMENTS {
            self.lose();
        }
    }

    /// Opens formatting again that is not open.
    pub(super) fn reopen_formatting(&mut self) {
        let is_open = |id: ElementId| self.stack.iter().rev().any(|one| one.id == id);
        let closed = self.formatting.0.iter().rposition(|item| match item {
            FormattingItem::Mark => true,
            FormattingItem::Entry(entry) => is_open(entry.id),
        });
        for at in closed.map_or(0, |at| at + 1)..self.formatting.0.len() {
            let Some(FormattingItem::Entry(entry)) = self.formatting.0.get(at).cloned() else {
                continue;
            };
            let id = self.push(&entry.name, ElementSpace::Html, std::iter::empty());
            if let Some(tree) = &mut self.tree {
                tree.share_attributes(entry.id, id);
            }
            if let Some(FormattingItem::Entry(entry)) = self.formatting.0.get_mut(at) {
                entry.id = id;
            }
        }
    }

    /// Whether formatting of this name is open, behind the last mark.
    pub(super) fn has_formatting(&self, name: &str) -> bool {
        self.formatting.last(name).is_some()
    }

    /// Takes the end tag of formatting: blocks in it stay open (HTML, 13.2.6.4.7).
    pub(super) fn end_formatting(&mut self, name: &str) {
        let is_noted =
            self.stack.last().is_some_and(|last| self.formatting.ids().any(|id| id == last.id));
        if self.is_innermost(name) && !is_noted {
            self.cut(self.stack.len() - 1);
            return;
        }
        let Some(noted) = self.formatting.last(name) else { return self.end_other(name) };
        let Some(FormattingItem::Entry(entry)) = self.formatting.0.get(noted) else { return };
        let id = entry.id;
        let Some(at) = self.nearest(|one| one.id == id, |_| false) else {
            self.formatting.0.remove(noted);
            return;
        };
        let is_bound = |one: &OpenElement| one.bounds(ElementScope::Plain);
        if self.nearest(|one| one.id == id, is_bound).is_none() {
            return;
        }
        let blocks = self.stack.iter().skip(at).filter(|one| one.is_special()).count();
        if blocks >= MAX_BLOCKS_IN_FORMATTING {
            self.lose();
            return;
        }
        let last = self.stack.iter().rposition(OpenElement::is_special);
        match last.filter(|last| *last > at) {
            None => self.cut(at),
            Some(last) => {
                self.cut(last + 1);
                let kept: Vec<ElementId> = self.formatting.ids().filter(|one| *one != id).collect();
                self.keep_from(at, |one| one.is_special() || kept.contains(&one.id));
            }
        }
        self.formatting.0.remove(noted);
    }
}

/// Of formatting that is alike only this much is opened again.
const MAX_ALIKE_ELEMENTS: usize = 3;
/// No page written by hand has more; each would be opened again with every paragraph.
const MAX_FORMATTING_ELEMENTS: usize = 32;
/// How many blocks browsers take out of formatting that ends.
const MAX_BLOCKS_IN_FORMATTING: usize = 8;
