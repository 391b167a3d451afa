//! The elements of a page with their names, attributes, parents and siblings.
//!
//! A list, in the order in which they begin, so that depth costs nothing.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::rc::Rc;

/// An element of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::formats) struct ElementId(NonZeroU32);

impl ElementId {
    /// The `html` element, which every page has.
    pub(in crate::formats) const ROOT: Self = Self(NonZeroU32::MIN);
    pub(in crate::formats) const HEAD: Self = Self(NonZeroU32::MIN.saturating_add(1));
    pub(in crate::formats) const BODY: Self = Self(NonZeroU32::MIN.saturating_add(2));

    pub(in crate::formats) fn index(self) -> usize {
        usize::try_from(self.0.get() - 1).unwrap_or(usize::MAX)
    }

    /// The element after this one, in the order in which they begin.
    pub(super) fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

/// An element.
#[derive(Debug)]
pub(in crate::formats) struct ElementNode {
    pub(in crate::formats) name: Rc<str>,
    /// Whether it is of HTML, and not of a picture or a formula.
    pub(in crate::formats) is_html: bool,
    pub(in crate::formats) parent: Option<ElementId>,
    pub(in crate::formats) previous: Option<ElementId>,
    pub(in crate::formats) next: Option<ElementId>,
    pub(in crate::formats) first_child: Option<ElementId>,
    pub(in crate::formats) last_child: Option<ElementId>,
    /// How many elements are in it, not counting those in these.
    pub(in crate::formats) children: u32,
    /// Its place among its siblings; the first has one.
    pub(in crate::formats) place: u32,
    /// Whether it has text of its own.
    pub(in crate::formats) has_text: bool,
    /// Whether its tag has more attributes than are kept.
    pub(in crate::formats) is_cut: bool,
    /// Shared by the elements that a page opens again.
    attributes: Option<Rc<ElementAttributes>>,
}

/// Names and values, as tags have them.
pub(super) type ElementAttributes = Vec<(Rc<str>, Box<str>)>;

/// A style sheet of a page, and for which media it is.
#[derive(Debug)]
pub(in crate::formats) struct PageSheet {
    pub(in crate::formats) text: String,
    pub(in crate::formats) media: String,
}

/// The elements of a page, and its sheets.
#[derive(Debug, Default)]
pub(in crate::formats) struct ElementTree {
    nodes: Vec<ElementNode>,
    pub(in crate::formats) sheets: Vec<PageSheet>,
    /// Whether browsers read it as they read pages of the last century: case does not count in
    /// the names of classes.
    pub(in crate::formats) is_quirky: bool,
    /// Whether a script may change what is shown.
    pub(in crate::formats) has_script: bool,
    /// Elements that were open where keeping count of them was given up.
    pub(super) lost: Vec<LostPlace>,
    words: BTreeMap<Box<str>, Rc<str>>,
}

/// A place of a page from which on it is not known what is open.
#[derive(Debug)]
pub(super) struct LostPlace {
    pub(super) open: Vec<ElementId>,
}

impl ElementTree {
    /// A page without text.
    pub(super) fn new() -> Self {
        let mut tree = Self { is_quirky: true, ..Self::default() };
        tree.add("html", true, None);
        tree.add("head", true, Some(ElementId::ROOT));
        tree.add("body", true, Some(ElementId::ROOT));
        tree
    }

    pub(in crate::formats) fn get(&self, id: ElementId) -> Option<&ElementNode> {
        self.nodes.get(id.index())
    }

    fn node(&mut self, id: ElementId) -> Option<&mut ElementNode> {
        self.nodes.get_mut(id.index())
    }

    /// All elements, each behind the one that it is in.
    pub(in crate::formats) fn all(&self) -> impl Iterator<Item = (ElementId, &ElementNode)> {
        let mut id = Some(ElementId::ROOT);
        self.nodes.iter().map_while(move |node| {
            let own = id?;
            id = Some(own.next());
            Some((own, node))
        })
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Adds the next element.
    pub(super) fn add(&mut self, name: &str, is_html: bool, parent: Option<ElementId>) {
        let Some(id) = u32::try_from(self.nodes.len() + 1).ok().and_then(NonZeroU32::new) else {
            return;
        };
        let id = ElementId(id);
        let name = self.word(name);
        let mut place = 1;
        let mut previous = None;
        if let Some(parent) = parent.and_then(|parent| self.node(parent)) {
            parent.children += 1;
            place = parent.children;
            previous = parent.last_child.replace(id);
            parent.first_child.get_or_insert(id);
        }
        if let Some(previous) = previous.and_then(|previous| self.node(previous)) {
            previous.next = Some(id);
        }
        self.nodes.push(ElementNode {
            name,
            is_html,
            parent,
            previous,
            next: None,
            first_child: None,
            last_child: None,
            children: 0,
            place,
            has_text: false,
            is_cut: false,
            attributes: None,
        });
    }

    /// Adds an element like one that is there, inside of another.
    pub(super) fn add_again(&mut self, known: ElementId, parent: ElementId) {
        let Some(node) = self.get(known) else { return };
        let (name, is_html, is_cut) = (Rc::clone(&node.name), node.is_html, node.is_cut);
        let attributes = node.attributes.clone();
        self.add(&name, is_html, Some(parent));
        if let Some(node) = self.nodes.last_mut() {
            (node.attributes, node.is_cut) = (attributes, is_cut);
        }
    }

    pub(super) fn take_text(&mut self, id: ElementId) {
        self.node(id).into_iter().for_each(|node| node.has_text = true);
    }

    /// Gives an element an attribute; of one that it has already the first counts.
    pub(super) fn set_attribute(&mut self, id: ElementId, key: &str, value: &str) {
        let key = self.word(key);
        let Some(node) = self.node(id) else { return };
        let attributes = Rc::make_mut(node.attributes.get_or_insert_default());
        if attributes.len() >= MAX_ATTRIBUTES {
            node.is_cut = true;
        } else if !attributes.iter().any(|(known, _)| *known == key) {
            attributes.push((key, value.into()));
        }
    }

    /// Gives an element the attributes of another, without a copy of them.
    pub(super) fn share_attributes(&mut self, from: ElementId, to: ElementId) {
        let Some(known) = self.get(from) else { return };
        let (shared, is_cut) = (known.attributes.clone(), known.is_cut);
        if let Some(node) = self.node(to) {
            (node.attributes, node.is_cut) = (shared, is_cut);
        }
    }

    fn word(&mut self, word: &str) -> Rc<str> {
        if let Some(known) = self.words.get(word) {
            return Rc::clone(known);
        }
        let shared: Rc<str> = word.into();
        self.words.insert(word.into(), Rc::clone(&shared));
        shared
    }
}

impl ElementNode {
    pub(in crate::formats) fn is(&self, name: &str) -> bool {
        self.is_html && *self.name == *name
    }

    pub(in crate::formats) fn attribute(&self, key: &str) -> Option<&str> {
        let attributes = self.attributes.as_deref()?;
        attributes.iter().find(|(known, _)| **known == *key).map(|(_, value)| &**value)
    }
}

/// Attributes of one element; a tag with more was written to cost time, or to hide something behind
/// them.
const MAX_ATTRIBUTES: usize = 256;
