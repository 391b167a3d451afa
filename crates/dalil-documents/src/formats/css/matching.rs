//! Whether a selector holds for an element of a page.

use std::cell::Cell;

use super::selector::{
    Combinator, CompoundSelector, ElementState, NthSiblings, NthTest, SelectorList, SimpleSelector,
    StyleSelector,
};
use crate::formats::element_tree::tree::{ElementId, ElementNode, ElementTree};

/// Compares selectors with the elements of a page, as long as its budget lasts.
#[derive(Debug)]
pub(super) struct SelectorMatcher<'t> {
    pub(super) tree: &'t ElementTree,
    comparisons: Cell<usize>,
}

impl<'t> SelectorMatcher<'t> {
    pub(super) fn new(tree: &'t ElementTree) -> Self {
        Self { tree, comparisons: Cell::new(MAX_COMPARISONS) }
    }

    /// Whether the page asked for more comparisons than it is worth.
    pub(super) fn is_spent(&self) -> bool {
        self.comparisons.get() == 0
    }

    /// Counts what costs as much as so many comparisons.
    pub(super) fn spend(&self, comparisons: usize) {
        self.comparisons.set(self.comparisons.get().saturating_sub(comparisons));
    }

    pub(super) fn holds(&self, selector: &StyleSelector, id: ElementId) -> bool {
        self.follows(&selector.compounds, id)
    }

    /// Whether an element and those around it are what these compounds ask for.
    fn follows(&self, compounds: &[(CompoundSelector, Combinator)], id: ElementId) -> bool {
        let Some(((compound, combinator), rest)) = compounds.split_first() else { return true };
        let left = self.comparisons.get();
        let Some(node) = self.tree.get(id).filter(|_| left > 0) else { return false };
        self.comparisons.set(left - 1);
        if !self.is_one(compound, id, node) {
            return false;
        }
        if rest.is_empty() {
            return true;
        }
        let parent = |id: &ElementId| self.tree.get(*id).and_then(|node| node.parent);
        let previous = |id: &ElementId| self.tree.get(*id).and_then(|node| node.previous);
        let follows = |id| self.follows(rest, id);
        match combinator {
            Combinator::Child => node.parent.is_some_and(follows),
            Combinator::Next => node.previous.is_some_and(follows),
            Combinator::Descendant => std::iter::successors(node.parent, parent).any(follows),
            Combinator::Later => std::iter::successors(node.previous, previous).any(follows),
        }
    }

    fn is_one(&self, compound: &CompoundSelector, id: ElementId, node: &ElementNode) -> bool {
        compound.0.iter().all(|simple| self.is_so(simple, id, node))
    }

    fn any(&self, list: &SelectorList, id: ElementId) -> bool {
        list.selectors.iter().any(|one| self.holds(one, id))
    }

    fn is_so(&self, simple: &SimpleSelector, id: ElementId, node: &ElementNode) -> bool {
        let is_same = |one: &str, other: &str| {
            one == other || self.tree.is_quirky && one.eq_ignore_ascii_case(other)
        };
        match simple {
            SimpleSelector::Name(name) => *node.name == **name,
            SimpleSelector::Id(asked) => {
                node.attribute("id").is_some_and(|own| is_same(own, asked))
            }
            SimpleSelector::Class(asked) => self
                .attribute(node, "class")
                .is_some_and(|own| own.split_ascii_whitespace().any(|own| is_same(own, asked))),
            SimpleSelector::Attribute(test) => {
                self.attribute(node, &test.name).is_some_and(|value| test.holds(value))
            }
            SimpleSelector::Is(list) => self.any(list, id),
            SimpleSelector::Not(list) => !self.any(list, id),
            SimpleSelector::Has(inner) => {
                inner.iter().any(|(combinator, one)| self.has(*combinator, one, id, node))
            }
            SimpleSelector::Nth(test) => self.is_nth(test, id, node),
            SimpleSelector::State(state) => is_in(*state, id, node),
            SimpleSelector::Language(tags) => {
                let own = self.around(id, "lang").unwrap_or("").to_ascii_lowercase();
                self.spend(tags.len() + own.len() / BYTES_OF_COMPARISON);
                tags.iter().any(|tag| {
                    let rest = own.strip_prefix(tag.as_str());
                    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
                })
            }
            SimpleSelector::Direction(asked) => {
                self.around(id, "dir").unwrap_or("ltr").eq_ignore_ascii_case(asked)
            }
        }
    }

    /// The value of an attribute that is looked through, which costs the more the longer it is.
    fn attribute<'n>(&self, node: &'n ElementNode, key: &str) -> Option<&'n str> {
        let value = node.attribute(key)?;
        self.spend(value.len() / BYTES_OF_COMPARISON);
        Some(value)
    }

    /// The value of an attribute that the elements in one take over.
    fn around(&self, id: ElementId, key: &str) -> Option<&'t str> {
        let mut nodes =
            std::iter::successors(self.tree.get(id), |node| self.tree.get(node.parent?));
        nodes.find_map(|node| {
            self.spend(1);
            node.attribute(key)
        })
    }

    fn has(
        &self,
        combinator: Combinator,
        one: &StyleSelector,
        id: ElementId,
        node: &ElementNode,
    ) -> bool {
        let next = |id: &ElementId| self.tree.get(*id).and_then(|node| node.next);
        match combinator {
            Combinator::Child => {
                std::iter::successors(node.first_child, next).any(|id| self.holds(one, id))
            }
            Combinator::Next => node.next.is_some_and(|id| self.holds(one, id)),
            Combinator::Later => {
                std::iter::successors(node.next, next).any(|id| self.holds(one, id))
            }
            Combinator::Descendant => self.inside(id).any(|id| self.holds(one, id)),
        }
    }

    /// All elements in one.
    fn inside(&self, outer: ElementId) -> impl Iterator<Item = ElementId> {
        let first = self.tree.get(outer).and_then(|node| node.first_child);
        std::iter::successors(first, move |id| {
            let node = self.tree.get(*id)?;
            if node.first_child.is_some() {
                return node.first_child;
            }
            let mut at = *id;
            while at != outer {
                let node = self.tree.get(at)?;
                if node.next.is_some() {
                    return node.next;
                }
                at = node.parent?;
            }
            None
        })
    }

    fn is_nth(&self, test: &NthTest, id: ElementId, node: &ElementNode) -> bool {
        let siblings = node.parent.and_then(|parent| self.tree.get(parent));
        let counted = match &test.among {
            NthSiblings::All if test.is_from_end => {
                let all = siblings.map_or(1, |parent| parent.children);
                i64::from(all.saturating_sub(node.place)) + 1
            }
            NthSiblings::All => i64::from(node.place),
            NthSiblings::OfType => {
                self.count(test.is_from_end, node, |_, other| other.name == node.name)
            }
            NthSiblings::Matching(list) => {
                if !self.any(list, id) {
                    return false;
                }
                self.count(test.is_from_end, node, |id, _| self.any(list, id))
            }
        };
        let behind = counted - test.first;
        if test.step == 0 {
            behind == 0
        } else {
            behind % test.step == 0 && behind / test.step >= 0
        }
    }

    /// The place of an element among those of its siblings that count.
    fn count(
        &self,
        is_from_end: bool,
        node: &ElementNode,
        counts: impl Fn(ElementId, &ElementNode) -> bool,
    ) -> i64 {
        let step = |node: &ElementNode| if is_from_end { node.next } else { node.previous };
        let mut place = 1;
        let mut at = step(node);
        while let Some((id, node)) = at.and_then(|id| Some((id, self.tree.get(id)?))) {
            let left = self.comparisons.get();
            self.comparisons.set(left.saturating_sub(1));
            if left == 0 {
                break;
            }
            place += i64::from(counts(id, node));
            at = step(node);
        }
        place
    }
}

fn is_in(state: ElementState, id: ElementId, node: &ElementNode) -> bool {
    let has = |key: &str| node.attribute(key).is_some();
    let is_one_of = |names: &[&str]| names.iter().any(|name| node.is(name));
    let is_control = is_one_of(&["button", "input", "select", "textarea", "fieldset", "option"]);
    let is_field = is_one_of(&["input", "select", "textarea"]);
    let is_editable = is_one_of(&["input", "textarea"]) || has("contenteditable");
    match state {
        ElementState::Root => id == ElementId::ROOT,
        ElementState::Empty => node.first_child.is_none() && !node.has_text,
        ElementState::Link => is_one_of(&["a", "area"]) && has("href"),
        ElementState::Checked => {
            node.is("input") && has("checked") || node.is("option") && has("selected")
        }
        ElementState::Open => is_one_of(&["details", "dialog"]) && has("open"),
        ElementState::Enabled => is_control && !has("disabled"),
        ElementState::Disabled => is_control && has("disabled"),
        ElementState::Required => is_field && has("required"),
        ElementState::Optional => is_field && !has("required"),
        ElementState::ReadOnly => !is_editable || has("readonly"),
        ElementState::ReadWrite => is_editable && !has("readonly"),
        // Only a script can define an element with a name of its own.
        ElementState::Defined => !node.is_html || !node.name.contains('-'),
        ElementState::Never => false,
    }
}

/// Bytes that are looked through, word by word, in the time of a comparison.
pub(super) const BYTES_OF_COMPARISON: usize = 8;
/// Comparisons of a compound with an element, for one page: a few seconds at most.
const MAX_COMPARISONS: usize = 1 << 25;
