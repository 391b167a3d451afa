//! The rules of style sheets, and which of them hold for an element.
//!
//! An element is matched by its name, classes, id and attributes. Conditions on its ancestors
//! are checked as far as these have a class, an id or an attribute. For a preceding sibling, only the
//! existence of such an element on the page is checked. Conditions on user action
//! (`:hover`) are ignored.

use std::collections::{BTreeMap, BTreeSet};

use super::attribute::AttributeTest;
use super::selector::StyleSelector;
use super::sheet::{self, MAX_SELECTORS};
use super::{declarations, uncommented, unseen};

/// The rules of style sheets, by a simple selector of the element that they are for.
#[derive(Debug)]
pub(in crate::formats) struct StyleRules {
    rules: BTreeMap<String, KeyedRules>,
    count: usize,
    /// The classes and ids that rules ask of the elements around theirs.
    around: BTreeSet<String>,
    /// What rules ask of elements before theirs and none was on the page so far, by the last
    /// part of it.
    unmet: BTreeMap<String, BTreeSet<Vec<String>>>,
    /// What rules ask of attributes, by their names.
    attributes: BTreeMap<String, Vec<AttributeTest>>,
    /// The values of custom properties; nothing for one that has several.
    custom: BTreeMap<String, Option<String>>,
    /// How many comparisons are left for this page.
    comparisons: usize,
}

/// The rules for elements with one name, class or id.
#[derive(Debug, Default)]
struct KeyedRules {
    rules: Vec<StyleRule>,
    /// What holds where the rules are not looked through: all that hide, whatever they ask.
    hiding: BTreeMap<String, String>,
    /// Whether there are rules beyond those that are looked through.
    is_full: bool,
}

/// What a rule says about the elements that its selector is for.
#[derive(Debug)]
struct StyleRule {
    selector: StyleSelector,
    style: BTreeMap<String, String>,
}

/// What selectors can call an element: its name, its attributes in brackets, its classes with a
/// dot, its id with a hash.
#[derive(Clone, Debug, Default)]
pub(in crate::formats) struct StyleMarks(Vec<String>);

impl StyleMarks {
    fn of(name: &str, attributes: Vec<String>, classes: &str, id: &str) -> Self {
        let mut marks = vec![name.to_owned()];
        marks.extend(attributes);
        let classes = classes.split_ascii_whitespace().take(MAX_SELECTORS);
        marks.extend(classes.map(|class| format!(".{class}")));
        marks.extend((!id.is_empty()).then(|| format!("#{id}")));
        Self(marks)
    }

    pub(in crate::formats) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn has(&self, parts: &[String]) -> bool {
        parts.iter().all(|part| self.0.contains(part))
    }
}

impl Default for StyleRules {
    fn default() -> Self {
        Self {
            rules: BTreeMap::new(),
            count: 0,
            around: BTreeSet::new(),
            unmet: BTreeMap::new(),
            attributes: BTreeMap::new(),
            custom: BTreeMap::new(),
            comparisons: MAX_COMPARISONS,
        }
    }
}

impl StyleRules {
    /// The rules of all sheets in a page: one may stand below what it hides.
    pub(in crate::formats) fn of_page(page: &str) -> Self {
        let mut rules = Self::default();
        // ASCII case does not change lengths, so places in the copy are places in the page.
        let lower = page.to_ascii_lowercase();
        let mut at = 0;
        while let Some(found) = lower.get(at..).and_then(|rest| rest.find("<style")) {
            let start = at + found;
            let end = lower.get(start..).and_then(|rest| rest.find("</style"));
            let end = end.map_or(page.len(), |end| start + end);
            let element = page.get(start..end).unwrap_or_default();
            rules.add(element.split_once('>').map_or("", |(_, sheet)| sheet));
            at = end;
        }
        rules
    }

    /// Adds the rules of a sheet, but for those that are for paper alone.
    fn add(&mut self, sheet: &str) {
        for block in sheet::blocks(&uncommented(sheet)) {
            if self.count >= MAX_RULES {
                return;
            }
            let style = declarations(&block.body);
            self.define(&style);
            for one in &block.selectors {
                if let Some(selector) = StyleSelector::of(one) {
                    self.take(selector, &style);
                }
            }
        }
    }

    /// Keeps custom properties. One that has several values may have any where it is used.
    fn define(&mut self, style: &BTreeMap<String, String>) {
        for (name, value) in style.iter().filter(|(name, _)| name.starts_with("--")) {
            if self.custom.len() >= MAX_RULES {
                return;
            }
            let known = self.custom.entry(name.clone()).or_insert_with(|| Some(value.clone()));
            if known.as_ref() != Some(value) {
                *known = None;
            }
        }
    }

    /// Puts the values of custom properties in their places: `var(--ink)`.
    pub(in crate::formats) fn resolve(&self, style: &mut BTreeMap<String, String>) {
        let uses: Vec<String> = style
            .iter()
            .filter(|(_, value)| value.contains("var("))
            .map(|(name, _)| name.clone())
            .collect();
        for name in uses {
            let mut value = style.get(&name).cloned().unwrap_or_default();
            // A custom property may be made of others.
            for _ in 0..MAX_CUSTOM_PROPERTY_STEPS {
                let Some((before, rest)) = value.split_once("var(") else { break };
                let Some((inside, after)) = rest.split_once(')') else { break };
                let (asked, other) = inside.split_once(',').unwrap_or((inside, ""));
                let asked = asked.trim();
                let found = match (style.get(asked), self.custom.get(asked)) {
                    (Some(own), _) => own.as_str(),
                    (None, Some(Some(only))) => only.as_str(),
                    (None, Some(None)) => break,
                    (None, None) => other.trim(),
                };
                value = format!("{before}{found}{after}");
            }
            style.insert(name, value);
        }
    }

    fn take(&mut self, selector: StyleSelector, style: &BTreeMap<String, String>) {
        let Some(key) = selector.own.last().cloned() else { return };
        let hides = unseen(style).is_some();
        if selector.is_vague && !hides {
            return;
        }
        for test in &selector.attributes {
            self.ask(test);
        }
        let known = self.rules.entry(key).or_default();
        if hides {
            extend(&mut known.hiding, style);
        }
        let at = known.rules.iter().position(|rule| rule.selector == selector);
        let at = at.unwrap_or(known.rules.len());
        if at >= MAX_RULES_OF_ONE_KEY {
            known.is_full |= hides;
            return;
        }
        if at == known.rules.len() {
            self.count += 1;
            self.around.extend(selector.around.iter().flatten().cloned());
            for before in &selector.before {
                let Some(key) = before.last().cloned() else { continue };
                self.unmet.entry(key).or_default().insert(before.clone());
            }
            known.rules.push(StyleRule { selector, style: BTreeMap::new() });
        }
        known.rules.get_mut(at).into_iter().for_each(|rule| extend(&mut rule.style, style));
    }

    fn ask(&mut self, test: &AttributeTest) {
        if self.attributes.len() >= MAX_ASKED_ATTRIBUTES
            && !self.attributes.contains_key(&test.name)
        {
            return;
        }
        let asked = self.attributes.entry(test.name.clone()).or_default();
        if asked.len() < MAX_ATTRIBUTE_TESTS && !asked.contains(test) {
            asked.push(test.clone());
        }
    }

    /// What selectors can call an element with these values of attributes.
    pub(in crate::formats) fn marks(
        &self,
        name: &str,
        value: impl Fn(&str) -> Option<String>,
    ) -> StyleMarks {
        if self.rules.is_empty() {
            return StyleMarks::default();
        }
        let [classes, id] = ["class", "id"].map(&value);
        let mut held = Vec::new();
        for (attribute, tests) in &self.attributes {
            let Some(value) = value(attribute) else { continue };
            held.extend(tests.iter().filter(|test| test.holds(&value)).map(AttributeTest::mark));
        }
        StyleMarks::of(name, held, classes.as_deref().unwrap_or(""), id.as_deref().unwrap_or(""))
    }

    /// Whether rules ask for an element with these marks around another.
    pub(in crate::formats) fn ask_for(&self, marks: &StyleMarks) -> bool {
        marks.0.iter().any(|mark| self.around.contains(mark))
    }

    /// Takes note of an element that others may have before them.
    pub(in crate::formats) fn pass(&mut self, marks: &StyleMarks) {
        for mark in &marks.0 {
            let Some(asked) = self.unmet.get_mut(mark) else { continue };
            self.comparisons = self.comparisons.saturating_sub(asked.len());
            asked.retain(|parts| !marks.has(parts));
        }
        if self.comparisons == 0 {
            self.unmet.clear();
        }
    }

    /// What the sheets say about an element with these marks inside of others.
    pub(in crate::formats) fn of(
        &mut self,
        marks: &StyleMarks,
        around: &[&StyleMarks],
    ) -> BTreeMap<String, String> {
        let mut style = BTreeMap::new();
        let is_met = |parts: &Vec<String>| {
            let asked = parts.last().and_then(|last| self.unmet.get(last));
            asked.is_none_or(|asked| !asked.contains(parts))
        };
        // Names, attributes, classes and ids in this order: the later ones weigh more.
        for known in marks.0.iter().filter_map(|mark| self.rules.get(mark)) {
            if known.is_full || self.comparisons == 0 {
                extend(&mut style, &known.hiding);
                continue;
            }
            self.comparisons = self.comparisons.saturating_sub(known.rules.len());
            for rule in &known.rules {
                let StyleSelector { own, without, around: asked, before, .. } = &rule.selector;
                if !marks.has(own) || without.iter().any(|parts| marks.has(parts)) {
                    continue;
                }
                let cost = asked.len().saturating_mul(around.len());
                self.comparisons = self.comparisons.saturating_sub(cost);
                let within = |parts: &Vec<String>| around.iter().any(|marks| marks.has(parts));
                if asked.iter().all(within) && before.iter().all(is_met) {
                    extend(&mut style, &rule.style);
                }
            }
        }
        style
    }
}

fn extend(style: &mut BTreeMap<String, String>, more: &BTreeMap<String, String>) {
    style.extend(more.iter().map(|(name, value)| (name.clone(), value.clone())));
}

const MAX_RULES: usize = 20_000;
/// Attributes that rules ask for, and conditions on one of them; large sheets have twenty.
const MAX_ASKED_ATTRIBUTES: usize = 64;
const MAX_ATTRIBUTE_TESTS: usize = 64;
/// Custom properties that one is made of.
const MAX_CUSTOM_PROPERTY_STEPS: usize = 8;
/// Rules that are looked through for an element with one name, class or id; the sheets of large
/// frameworks have less than a hundred.
const MAX_RULES_OF_ONE_KEY: usize = 1_000;
/// Comparisons of an element with a rule or an element around it, for one page: under a second.
const MAX_COMPARISONS: usize = 1 << 25;
