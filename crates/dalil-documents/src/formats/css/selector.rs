//! Selectors of style sheets (Selectors 4): which elements a rule is for.

use std::rc::Rc;

use super::attribute::AttributeTest;
use super::selector_reader::SelectorReader;
use super::syntax;

/// Selectors of which one must hold.
#[derive(Debug, Default)]
pub(super) struct SelectorList {
    pub(super) selectors: Vec<StyleSelector>,
}

/// A selector: compounds from that of the element itself to the left, each with what joins it to
/// the next.
#[derive(Debug)]
pub(super) struct StyleSelector {
    pub(super) compounds: Vec<(CompoundSelector, Combinator)>,
    pub(super) weight: SelectorWeight,
    pub(super) part: SelectedPart,
}

/// Ids, classes and names in a selector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SelectorWeight(pub(super) [usize; 3]);

impl SelectorWeight {
    pub(super) fn add(&mut self, other: Self) {
        for (own, other) in self.0.iter_mut().zip(other.0) {
            *own = own.saturating_add(other);
        }
    }
}

/// Which part of the element a selector is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SelectedPart {
    Whole,
    /// Its first line.
    FirstLine,
    /// One that holds no text of the document.
    Made,
}

/// The combinator between two compounds of a selector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Combinator {
    Descendant,
    Child,
    Next,
    Later,
}

/// The conditions of a selector on one element.
#[derive(Debug, Default)]
pub(super) struct CompoundSelector(pub(super) Vec<SimpleSelector>);

/// One thing that is asked of an element.
#[derive(Clone, Debug)]
pub(super) enum SimpleSelector {
    Name(String),
    Id(String),
    Class(String),
    Attribute(AttributeTest),
    Is(Rc<SelectorList>),
    Not(Rc<SelectorList>),
    /// Elements inside it or behind it.
    Has(Rc<[(Combinator, StyleSelector)]>),
    Nth(Rc<NthTest>),
    State(ElementState),
    Language(Vec<String>),
    Direction(String),
}

/// The place of an element among its siblings.
#[derive(Debug)]
pub(super) struct NthTest {
    pub(super) step: i64,
    pub(super) first: i64,
    /// Whether it is counted from the last.
    pub(super) is_from_end: bool,
    pub(super) among: NthSiblings,
}

/// Which siblings are counted.
#[derive(Debug)]
pub(super) enum NthSiblings {
    All,
    OfType,
    Matching(SelectorList),
}

/// The state of an element, beside its name and attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ElementState {
    Root,
    Empty,
    Link,
    Checked,
    Open,
    Enabled,
    Disabled,
    Required,
    Optional,
    ReadOnly,
    ReadWrite,
    Defined,
    /// A state that no element of a page has before a reader acts on it.
    Never,
}

impl SelectorList {
    /// Reads selectors; one that no browser knows takes the others with it.
    pub(super) fn of(text: &str, parents: Option<&Rc<Self>>) -> Option<Self> {
        let reader = SelectorReader::new(parents);
        let selectors: Option<Vec<_>> =
            syntax::split(text, b',').into_iter().map(|one| reader.selector(one)).collect();
        selectors.map(|selectors| Self { selectors })
    }

    /// Leaves out elements for which one of these holds.
    pub(super) fn except(&mut self, limit: &Rc<Self>) {
        for (compound, _) in self.selectors.iter_mut().filter_map(|one| one.compounds.first_mut()) {
            compound.0.push(SimpleSelector::Not(Rc::clone(limit)));
        }
    }

    /// The weight of the heaviest.
    pub(super) fn weight(&self) -> SelectorWeight {
        self.selectors.iter().fold(SelectorWeight::default(), |most, one| most.max(one.weight))
    }
}
