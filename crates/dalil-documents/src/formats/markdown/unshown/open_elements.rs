//! The stack of open elements of a page, as a browser has it (HTML, 13.2.4).
//!
//! An element that hides text is open for as long as in a browser: the end tag of another may
//! end it or leave it, and some elements go on in the next paragraph. Where the rules would cost
//! more than their worth, everything that follows counts as hidden.

use super::element::{
    ElementEffect, INTEGRATION_ELEMENTS, MARKER_ELEMENTS, SCOPE_ELEMENTS, SPECIAL_ELEMENTS,
    TagAttributes,
};
use super::formatting::FormattingList;
use super::page_root::PageRoot;
use crate::document::HiddenText;
use crate::formats::css::{StyleColour, StyleMarks, StyleRules};

/// The elements that are open, the innermost last.
#[derive(Debug, Default)]
pub(super) struct OpenElements {
    rules: StyleRules,
    /// The elements around the page, and what a reader sees of text that is in no other.
    around: [ElementEffect; 2],
    sight: ElementSight,
    /// The tags of these elements so far.
    pub(super) root: PageRoot,
    pub(super) stack: Vec<OpenElement>,
    pub(super) formatting: FormattingList,
    /// The form that the next end tag of one ends; it may be closed already.
    pub(super) form: Option<usize>,
    /// How many elements were opened so far.
    opened: usize,
    /// Whether one of them hides text or colours it.
    has_hiding: bool,
    /// Why nothing is seen any more.
    lost: Option<HiddenText>,
}

#[derive(Debug)]
pub(super) struct OpenElement {
    pub(super) id: usize,
    pub(super) name: String,
    pub(super) space: ElementSpace,
    effect: ElementEffect,
    role: SummaryRole,
    sight: ElementSight,
}

/// What an element is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ElementSpace {
    Html,
    /// Pictures and formulas.
    Foreign,
}

/// What an element is to a section that a reader can open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SummaryRole {
    Other,
    /// A section, and whether the part that is shown of it has begun.
    Section {
        is_summarised: bool,
    },
    /// The part of a section that is always shown.
    Summary,
}

/// What a reader sees of the text in an element, with all that is around it.
#[derive(Clone, Copy, Debug)]
struct ElementSight {
    hidden: Option<HiddenText>,
    colour: Option<StyleColour>,
    behind: StyleColour,
}

impl Default for ElementSight {
    fn default() -> Self {
        Self { hidden: None, colour: None, behind: StyleColour::WHITE }
    }
}

impl ElementSight {
    /// The sight of an element inside of one with this sight, in which `hidden` hides it.
    fn inner(self, effect: &ElementEffect, hidden: Option<HiddenText>) -> Self {
        let (colour, behind) = effect.colours;
        Self {
            hidden: hidden.or(effect.hides),
            colour: colour.or(self.colour),
            // A transparent background lets the one around it through.
            behind: behind.filter(|behind| *behind != StyleColour::Nothing).unwrap_or(self.behind),
        }
    }
}

/// What a search for an open element does not go through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ElementScope {
    Plain,
    Button,
    Item,
    Table,
}

impl OpenElement {
    pub(super) fn is(&self, name: &str) -> bool {
        self.space == ElementSpace::Html && self.name == name
    }

    /// Whether HTML begins again in this element of a picture or a formula.
    pub(super) fn is_integration(&self) -> bool {
        self.space == ElementSpace::Foreign && INTEGRATION_ELEMENTS.contains(&self.name.as_str())
    }

    pub(super) fn is_special(&self) -> bool {
        match self.space {
            ElementSpace::Html => SPECIAL_ELEMENTS.contains(&self.name.as_str()),
            ElementSpace::Foreign => self.is_integration(),
        }
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
    /// Begins a page with these rules, of which these tags of the elements around it are known.
    pub(super) fn new(mut rules: StyleRules, root: &PageRoot) -> Self {
        let around = root.effects(&mut rules);
        let mut sight = ElementSight::default();
        for effect in &around {
            sight = sight.inner(effect, sight.hidden);
        }
        let has_hiding = around.iter().any(ElementEffect::may_hide);
        Self { rules, around, sight, has_hiding, ..Self::default() }
    }

    /// Why nothing of the page is seen, from its beginning.
    pub(super) fn whole(&self) -> Option<HiddenText> {
        self.sight.hidden
    }

    /// Why a reader does not see text here.
    pub(super) fn hidden(&self) -> Option<HiddenText> {
        let ElementSight { hidden, colour, behind } =
            self.stack.last().map_or(self.sight, |one| one.sight);
        let is_alike = colour.is_some_and(|colour| colour.is_like(behind));
        let own = hidden.or(is_alike.then_some(HiddenText::BackgroundColour));
        // Formatting that is not open here is opened again by the next word.
        self.lost.or(own).or_else(|| self.formatting.hides())
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
    pub(super) fn text(&mut self) {
        if !self.is_lost() && !self.reads_foreign() {
            self.reopen_formatting();
        }
    }

    /// Whether the innermost element has this name.
    pub(super) fn is_innermost(&self, name: &str) -> bool {
        self.stack.last().is_some_and(|last| last.is(name))
    }

    /// What an element does that begins here.
    pub(super) fn effect(&mut self, name: &str, attributes: &TagAttributes) -> ElementEffect {
        let effects = self.around.iter().chain(self.stack.iter().map(|one| &one.effect));
        let around: Vec<&StyleMarks> =
            effects.map(|effect| &effect.marks).filter(|marks| !marks.is_empty()).collect();
        ElementEffect::of(name, attributes, &mut self.rules, &around)
    }

    /// Opens an element, and returns its id.
    pub(super) fn push(&mut self, name: &str, space: ElementSpace, effect: ElementEffect) -> usize {
        let role = match (name, self.stack.last_mut().map(|last| &mut last.role)) {
            ("summary", Some(SummaryRole::Section { is_summarised }))
                if space == ElementSpace::Html && !*is_summarised =>
            {
                *is_summarised = true;
                SummaryRole::Summary
            }
            ("details", _) => SummaryRole::Section { is_summarised: false },
            _ => SummaryRole::Other,
        };
        if MARKER_ELEMENTS.contains(&name) && space == ElementSpace::Html {
            self.formatting.mark();
        }
        self.opened += 1;
        self.has_hiding |= effect.may_hide();
        let sight = self.sight(self.stack.len(), &effect, role);
        let (id, name) = (self.opened, name.to_owned());
        self.stack.push(OpenElement { id, name, space, effect, role, sight });
        if self.stack.len() > MAX_OPEN_ELEMENTS {
            self.lose();
        }
        id
    }

    /// Gives up on what is open: nothing counts as seen any more, if any of it may hide text.
    pub(super) fn lose(&mut self) {
        if self.has_hiding {
            self.hide_rest();
        } else {
            self.stack.clear();
            self.formatting = FormattingList::default();
        }
    }

    /// From here on nothing counts as seen.
    pub(super) fn hide_rest(&mut self) {
        self.lost = Some(HiddenText::MarkedHidden);
    }

    /// Whether nothing counts as seen any more.
    pub(super) fn is_lost(&self) -> bool {
        self.lost.is_some()
    }

    /// What a reader sees of an element at this place of the stack.
    fn sight(&self, at: usize, effect: &ElementEffect, role: SummaryRole) -> ElementSight {
        let around = |at: usize| at.checked_sub(1).and_then(|at| self.stack.get(at));
        let parent = around(at);
        // The summary of a closed section is seen where the section would be.
        let hides = match (role, parent) {
            (SummaryRole::Summary, Some(section))
                if section.effect.hides == Some(HiddenText::ClosedSection) =>
            {
                around(at - 1).and_then(|one| one.sight.hidden)
            }
            (SummaryRole::Summary | SummaryRole::Section { .. } | SummaryRole::Other, parent) => {
                parent.and_then(|one| one.sight.hidden)
            }
        };
        parent.map_or(self.sight, |one| one.sight).inner(effect, hides)
    }

    /// Ends the elements from this place on.
    pub(super) fn cut(&mut self, at: usize) {
        for ended in self.stack.drain(at.min(self.stack.len())..) {
            if MARKER_ELEMENTS.contains(&ended.name.as_str()) && ended.space == ElementSpace::Html {
                self.formatting.clear_to_mark();
            }
        }
    }

    /// Keeps only some of the elements from this place on.
    pub(super) fn keep_from(&mut self, at: usize, keeps: impl Fn(&OpenElement) -> bool) {
        let above = self.stack.split_off(at.min(self.stack.len()));
        for mut one in above.into_iter().filter(keeps) {
            one.sight = self.sight(self.stack.len(), &one.effect, one.role);
            self.stack.push(one);
        }
    }

    /// The innermost element of this name in a scope.
    pub(super) fn find(&self, name: &str, scope: ElementScope) -> Option<usize> {
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
