//! The stack of open elements of a page, as a browser has it (HTML, 13.2.4).
//!
//! An element that hides text is open for as long as in a browser: the end tag of another may
//! end it or leave it, and some elements go on in the next paragraph. Where the rules would cost
//! more than their worth, everything that follows counts as hidden.

use html5gum::emitters::default::StartTag;

use super::element_name::{
    HEAD_ELEMENTS, INTEGRATION_ELEMENTS, MARKER_ELEMENTS, SCOPE_ELEMENTS, SPECIAL_ELEMENTS,
};
use super::formatting::FormattingList;
use super::tree::{ElementId, ElementTree, LostPlace, PageSheet};
use crate::formats::css;

/// The elements that are open, the innermost last.
#[derive(Debug)]
pub(super) struct OpenElements {
    /// All elements so far, while they are gathered.
    pub(super) tree: Option<ElementTree>,
    pub(super) stack: Vec<OpenElement>,
    pub(super) formatting: FormattingList,
    /// The form that the next end tag of one ends; it may be closed already.
    pub(super) form: Option<ElementId>,
    /// The element that is opened last, in whatever order they end.
    last: ElementId,
    /// What holds an element that is in no other: the head of the page, then its body.
    holder: ElementId,
    /// How many paragraphs are open: most tags ask for one.
    paragraphs: usize,
    /// How often it was given up to know what is open.
    pub(super) losses: usize,
    /// Whether other pages stand in the place of what follows.
    pub(super) is_replaced: bool,
}

/// An element that is open.
#[derive(Debug)]
pub(super) struct OpenElement {
    pub(super) id: ElementId,
    pub(super) name: String,
    pub(super) space: ElementSpace,
    is_special: bool,
}

/// The namespace of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ElementSpace {
    Html,
    /// Pictures and formulas.
    Foreign,
}

/// The elements that stop a search for an open element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ElementScope {
    Plain,
    Button,
    Item,
    Table,
}

impl OpenElement {
    fn new(id: ElementId, name: &str, space: ElementSpace) -> Self {
        let mut one = Self { id, name: name.to_owned(), space, is_special: false };
        // Every end tag asks it of all that is open.
        one.is_special = match space {
            ElementSpace::Html => SPECIAL_ELEMENTS.contains(&name),
            ElementSpace::Foreign => one.is_integration(),
        };
        one
    }

    pub(super) fn is(&self, name: &str) -> bool {
        self.space == ElementSpace::Html && self.name == name
    }

    /// Whether HTML begins again in this element of a picture or a formula.
    pub(super) fn is_integration(&self) -> bool {
        self.space == ElementSpace::Foreign && INTEGRATION_ELEMENTS.contains(&self.name.as_str())
    }

    pub(super) fn is_special(&self) -> bool {
        self.is_special
    }

    pub(super) fn bounds(&self, scope: ElementScope) -> bool {
        let name = self.name.as_str();
        match (self.space, scope) {
            (ElementSpace::Foreign, ElementScope::Table) => false,
            (ElementSpace::Foreign, _) => self.is_integration(),
            (ElementSpace::Html, ElementScope::Table) => matches!(name, "table" | "template"),
            (ElementSpace::Html, ElementScope::Button) if name == "button" => true,
            (ElementSpace::Html, ElementScope::Item) if matches!(name, "ol" | "ul") => true,
            (ElementSpace::Html, _) => SCOPE_ELEMENTS.contains(&name),
        }
    }
}

impl OpenElements {
    /// Begins a page whose elements are to be gathered.
    pub(super) fn gathering() -> Self {
        Self { tree: Some(ElementTree::new()), ..Self::again() }
    }

    /// Begins a page whose elements are known.
    pub(super) fn again() -> Self {
        Self {
            tree: None,
            stack: Vec::new(),
            formatting: FormattingList::default(),
            form: None,
            last: ElementId::BODY,
            holder: ElementId::HEAD,
            paragraphs: 0,
            losses: 0,
            is_replaced: false,
        }
    }

    /// The element that holds what comes next.
    pub(super) fn innermost(&self) -> ElementId {
        self.stack.last().map_or(self.holder, |last| last.id)
    }

    /// Whether the innermost element is of a picture or a formula.
    pub(super) fn is_foreign(&self) -> bool {
        self.stack.last().is_some_and(|last| last.space == ElementSpace::Foreign)
    }

    /// Whether tags that begin here are of a picture or a formula.
    pub(super) fn reads_foreign(&self) -> bool {
        self.is_foreign() && !self.stack.last().is_some_and(OpenElement::is_integration)
    }

    /// Takes words.
    pub(super) fn text(&mut self, words: &str) {
        if words.contains(|ch: char| !ch.is_ascii_whitespace()) && self.stack.is_empty() {
            self.holder = ElementId::BODY;
        }
        if !self.reads_foreign() {
            self.reopen_formatting();
        }
        let id = self.innermost();
        let is_sheet = self.stack.last().is_some_and(|last| last.name == "style")
            && !self.stack.iter().any(|one| one.is("template"));
        let Some(tree) = &mut self.tree else { return };
        tree.take_text(id);
        if is_sheet {
            tree.sheets.last_mut().into_iter().for_each(|sheet| sheet.text.push_str(words));
        }
    }

    /// Takes note of what a tag says of the page as a whole.
    pub(super) fn prepare(&mut self, name: &str, tag: &StartTag<usize>) {
        if self.stack.is_empty() && !HEAD_ELEMENTS.contains(&name) {
            self.holder = ElementId::BODY;
        }
        let Some(tree) = &mut self.tree else { return };
        let value = |key: &str| {
            let found = tag.attributes.get(key.as_bytes());
            found.map_or_else(String::new, |found| String::from_utf8_lossy(found).into_owned())
        };
        match name {
            // A sheet of another kind is kept for no medium, so that its text goes nowhere else.
            "style" => {
                let kind = value("type").trim().to_ascii_lowercase();
                let is_css = kind.is_empty() || kind == "text/css";
                let media = if is_css { value("media") } else { "none".to_owned() };
                tree.sheets.push(PageSheet { text: String::new(), media });
            }
            "link" => {
                let rel = value("rel").to_ascii_lowercase();
                let words: Vec<&str> = rel.split_ascii_whitespace().collect();
                let is_sheet = words.contains(&"stylesheet") && !words.contains(&"alternate");
                if is_sheet && !tag.attributes.contains_key(b"disabled".as_slice()) {
                    // Other addresses are not fetched.
                    let text = css::data_sheet(&value("href"));
                    tree.sheets.extend(text.map(|text| PageSheet { text, media: value("media") }));
                }
            }
            "script" => tree.has_script = true,
            _ => {}
        }
    }

    /// Whether the innermost element has this name.
    pub(super) fn is_innermost(&self, name: &str) -> bool {
        self.stack.last().is_some_and(|last| last.is(name))
    }

    /// Opens an element with these attributes, and returns its id.
    pub(super) fn push<'a>(
        &mut self,
        name: &str,
        space: ElementSpace,
        attributes: impl Iterator<Item = (&'a [u8], &'a [u8])>,
    ) -> ElementId {
        if MARKER_ELEMENTS.contains(&name) && space == ElementSpace::Html {
            self.formatting.mark();
        }
        let parent = self.innermost();
        let id = self.last.next();
        self.last = id;
        if let Some(tree) = self.tree.as_mut().filter(|tree| tree.len() < MAX_ELEMENTS) {
            tree.add(name, space == ElementSpace::Html, Some(parent));
        }
        self.describe(id, attributes);
        self.paragraphs += usize::from(name == "p");
        self.stack.push(OpenElement::new(id, name, space));
        if self.stack.len() > MAX_OPEN_ELEMENTS {
            self.lose();
        }
        id
    }

    /// Gives an element the attributes of a tag.
    pub(super) fn describe<'a>(
        &mut self,
        id: ElementId,
        attributes: impl Iterator<Item = (&'a [u8], &'a [u8])>,
    ) {
        let Some(tree) = &mut self.tree else { return };
        for (key, value) in attributes {
            let [key, value] = [key, value].map(String::from_utf8_lossy);
            tree.set_attribute(id, &key, &value);
        }
    }

    /// Opens an element that has no end, and so holds nothing.
    pub(super) fn pass<'a>(
        &mut self,
        name: &str,
        space: ElementSpace,
        attributes: impl Iterator<Item = (&'a [u8], &'a [u8])>,
    ) {
        self.push(name, space, attributes);
        self.cut(self.stack.len().saturating_sub(1));
    }

    /// Gives up on what is open: what follows counts as hidden, if any of it hides text.
    pub(super) fn lose(&mut self) {
        self.losses += 1;
        let open: Vec<ElementId> =
            self.stack.iter().map(|one| one.id).chain(self.formatting.ids()).collect();
        if let Some(tree) = &mut self.tree {
            tree.lost.push(LostPlace { open });
        }
        self.stack.clear();
        self.paragraphs = 0;
        self.formatting = FormattingList::default();
    }

    /// Ends the elements from this place on.
    pub(super) fn cut(&mut self, at: usize) {
        for ended in self.stack.drain(at.min(self.stack.len())..) {
            self.paragraphs -= usize::from(ended.name == "p");
            if MARKER_ELEMENTS.contains(&ended.name.as_str()) && ended.space == ElementSpace::Html {
                self.formatting.clear_to_mark();
            }
        }
    }

    /// Keeps only some of the elements from this place on.
    pub(super) fn keep_from(&mut self, at: usize, keeps: impl Fn(&OpenElement) -> bool) {
        let above = self.stack.split_off(at.min(self.stack.len()));
        self.paragraphs -= above.iter().filter(|one| one.name == "p").count();
        for mut one in above.into_iter().filter(keeps) {
            self.paragraphs += usize::from(one.name == "p");
            // The text so far stays where it was.
            let (known, parent) = (one.id, self.innermost());
            one.id = self.last.next();
            self.last = one.id;
            if let Some(tree) = self.tree.as_mut().filter(|tree| tree.len() < MAX_ELEMENTS) {
                tree.add_again(known, parent);
            }
            self.formatting.rename(known, one.id);
            self.form = self.form.map(|form| if form == known { one.id } else { form });
            self.stack.push(one);
        }
    }

    /// The innermost element of this name in a scope.
    pub(super) fn find(&self, name: &str, scope: ElementScope) -> Option<usize> {
        if name == "p" && self.paragraphs == 0 {
            return None;
        }
        self.nearest(|one| one.is(name), |one| one.bounds(scope))
    }

    /// Ends the innermost element of this name in a scope, with all that is in it.
    pub(super) fn end_found(&mut self, name: &str, scope: ElementScope) {
        if let Some(at) = self.find(name, scope) {
            self.cut(at);
        }
    }

    /// The innermost element that is wanted, unless one stops the search before.
    pub(super) fn nearest(
        &self,
        is_wanted: impl Fn(&OpenElement) -> bool,
        stops: impl Fn(&OpenElement) -> bool,
    ) -> Option<usize> {
        let found = self.stack.iter().rposition(|one| is_wanted(one) || stops(one))?;
        self.stack.get(found).is_some_and(is_wanted).then_some(found)
    }
}

/// As deep as browsers nest elements; searches in a deeper page would cost the square of its length.
const MAX_OPEN_ELEMENTS: usize = 512;
/// Elements of a page; what comes behind them counts as hidden.
const MAX_ELEMENTS: usize = 1 << 20;
