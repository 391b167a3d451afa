//! The cascade: of all that the sheets of a page say of an element, what counts.
//!
//! A declaration that is important goes before one that is not; then the style of the element
//! itself counts, then layers, then the weight of the selector, then the order (CSS Cascade 5, 6).

use std::collections::BTreeMap;
use std::rc::Rc;

use super::custom::CustomProperties;
use super::declaration::Declaration;
use super::matching::{BYTES_OF_COMPARISON, SelectorMatcher};
use super::selector::{SelectedPart, SelectorWeight, SimpleSelector, StyleSelector};
use super::sheet::{RegisteredProperty, SheetReader};
use super::shorthand::{self, PropertyValues};
use super::values::ElementStyle;
use super::{condition, custom};
use crate::formats::element_tree::tree::{ElementId, ElementNode, ElementTree, PageSheet};

/// The rules of the sheets of a page.
#[derive(Debug)]
pub(in crate::formats) struct StyleRules<'t> {
    matcher: SelectorMatcher<'t>,
    rules: Vec<KeyedRule>,
    /// The rules that elements with an id, a class or a name may be for, and those for any.
    ids: BTreeMap<String, RuleKey>,
    classes: BTreeMap<String, RuleKey>,
    names: BTreeMap<String, RuleKey>,
    any: RuleKey,
    keyframes: BTreeMap<String, [Rc<[Declaration]>; 2]>,
    properties: BTreeMap<String, RegisteredProperty>,
}

/// The rules for elements with one id, class or name.
#[derive(Debug, Default)]
struct RuleKey {
    rules: Vec<usize>,
    /// One that hides, for where no more rules are looked through.
    hiding: Option<usize>,
}

/// One selector of a rule, with what the rule says.
#[derive(Debug)]
struct KeyedRule {
    selectors: Rc<super::selector::SelectorList>,
    /// Which of them.
    nth: usize,
    declarations: Rc<[Declaration]>,
    layer: usize,
    /// Whether its declarations hide by themselves what they are for.
    hides: bool,
}

/// Where a declaration stands in the cascade; the greatest counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct CascadePlace {
    is_important: bool,
    /// Whether it is of the element itself.
    is_own: bool,
    layer: usize,
    weight: SelectorWeight,
    order: usize,
}

impl<'t> StyleRules<'t> {
    /// The rules of all sheets of a page.
    pub(in crate::formats) fn of(tree: &'t ElementTree) -> Self {
        let says = |sheet: &PageSheet| {
            ["container-type", "container:"].iter().any(|word| sheet.text.contains(word))
        };
        let has_containers = tree.sheets.iter().any(says);
        let mut reader = SheetReader::default();
        reader.has_containers = has_containers;
        for sheet in tree.sheets.iter().filter(|sheet| condition::media_hold(&sheet.media)) {
            reader.take(&sheet.text);
        }
        let ranks = reader.ranks();
        let SheetReader { rules, keyframes, properties, .. } = reader;
        let mut found = Self {
            matcher: SelectorMatcher::new(tree),
            rules: Vec::new(),
            ids: BTreeMap::new(),
            classes: BTreeMap::new(),
            names: BTreeMap::new(),
            any: RuleKey::default(),
            keyframes,
            properties,
        };
        for (at, rule) in rules.into_iter().enumerate() {
            let layer = rule.layer.and_then(|layer| ranks.get(layer).copied());
            let layer = layer.unwrap_or(usize::MAX);
            let hides = super::look::hides(&rule.declarations);
            // Of more rules than a page has, those that hide something are not lost.
            if at >= MAX_RULES && !hides {
                continue;
            }
            for nth in 0..rule.selectors.selectors.len() {
                let (selectors, declarations) =
                    (Rc::clone(&rule.selectors), Rc::clone(&rule.declarations));
                found.add(KeyedRule { selectors, nth, declarations, layer, hides });
            }
        }
        found
    }

    /// Keeps a rule under what it asks of an element at least.
    fn add(&mut self, rule: KeyedRule) {
        let Some(selector) = rule.selector() else { return };
        if selector.part == SelectedPart::Made {
            return;
        }
        let at = self.rules.len();
        let asked = selector.compounds.first().map(|(compound, _)| compound.0.as_slice());
        let asked = asked.unwrap_or(&[]);
        let case = |name: &String| name.to_ascii_lowercase();
        let id = asked.iter().find_map(|one| match one {
            SimpleSelector::Id(id) => Some(case(id)),
            _ => None,
        });
        let class = asked.iter().find_map(|one| match one {
            SimpleSelector::Class(class) => Some(case(class)),
            _ => None,
        });
        let name = asked.iter().find_map(|one| match one {
            SimpleSelector::Name(name) => Some(name.clone()),
            _ => None,
        });
        let list = match (id, class, name) {
            (Some(id), ..) => self.ids.entry(id).or_default(),
            (None, Some(class), _) => self.classes.entry(class).or_default(),
            (None, None, Some(name)) => self.names.entry(name).or_default(),
            (None, None, None) => &mut self.any,
        };
        list.hiding = list.hiding.or(rule.hides.then_some(at));
        list.rules.push(at);
        self.rules.push(rule);
    }

    /// What counts for an element inside of one with these custom properties.
    pub(in crate::formats) fn style(
        &self,
        id: ElementId,
        node: &ElementNode,
        around: &CustomProperties,
    ) -> ElementStyle {
        let mut own = node.attribute("style").map_or_else(Vec::new, Declaration::of_attribute);
        if node.is_cut || classes(node).nth(MAX_CLASSES).is_some() {
            own.push(Declaration::not_displayed());
        }
        let rules = self.rules_for(id, node);
        let mut all: Vec<(CascadePlace, &Declaration)> = Vec::new();
        for (order, rule) in rules.iter().enumerate() {
            let Some(selector) = rule.selector() else { continue };
            let (weight, is_line) = (selector.weight, selector.part == SelectedPart::FirstLine);
            for declaration in rule.declarations.iter() {
                // Only the letters of a first line can look otherwise.
                if is_line && !LINE_PROPERTIES.contains(&declaration.name.as_str()) {
                    continue;
                }
                let is_important = declaration.is_important;
                // Among what is important, the first layer goes before the others.
                let layer = if is_important { usize::MAX - rule.layer } else { rule.layer };
                let place = CascadePlace { is_important, is_own: false, layer, weight, order };
                all.push((place, declaration));
            }
        }
        let hints = self.hints(node);
        for declaration in &own {
            let weight = SelectorWeight::default();
            let is_important = declaration.is_important;
            let place =
                CascadePlace { is_important, is_own: true, layer: 0, weight, order: usize::MAX };
            all.push((place, declaration));
        }
        // A number without a unit is a length in pages of the last century only.
        let is_quirky = self.matcher.tree.is_quirky;
        all.retain(|(_, one)| is_quirky || !shorthand::lacks_unit(&one.name, &one.value));
        all.sort_by_key(|(place, _)| *place);
        let custom = self.custom(&all_custom(&all), around);
        // Each value is copied.
        let bytes: usize = all.iter().map(|(_, one)| one.name.len() + one.value.len()).sum();
        self.matcher.spend(bytes / BYTES_OF_COMPARISON);
        let mut style = ElementStyle {
            is_some: !all.is_empty() || !hints.is_empty(),
            ..ElementStyle::default()
        };
        for (name, value) in &hints {
            shorthand::set(&mut style.values, name, value);
        }
        let normal = all.partition_point(|(place, _)| !place.is_important);
        let (normal, important) = all.split_at_checked(normal).unwrap_or((all.as_slice(), &[]));
        style.apply_all(normal, &custom);
        self.animate(&mut style, &custom);
        style.apply_all(important, &custom);
        style.custom = custom;
        style
    }

    /// The custom properties of an element. Each map of them stays in memory, so they are counted.
    fn custom(
        &self,
        own: &BTreeMap<String, String>,
        around: &CustomProperties,
    ) -> CustomProperties {
        if self.matcher.is_spent() {
            return Rc::clone(around);
        }
        let custom = custom::inherited(own, around, &self.properties);
        if !Rc::ptr_eq(&custom, around) {
            let bytes = custom.iter().map(|(name, value)| name.len() + value.len() + ENTRY_BYTES);
            self.matcher.spend(bytes.sum::<usize>() / BYTES_OF_KEPT_COMPARISON);
        }
        custom
    }

    /// The rules whose selectors hold for an element, in their order.
    fn rules_for(&self, id: ElementId, node: &ElementNode) -> Vec<&KeyedRule> {
        let mut keys: Vec<&RuleKey> = Vec::new();
        if let Some(own) = node.attribute("id").filter(|_| !self.ids.is_empty()) {
            keys.extend(self.ids.get(&own.to_ascii_lowercase()));
        }
        if !self.classes.is_empty() {
            let own = classes(node).take(MAX_CLASSES);
            keys.extend(own.filter_map(|class| self.classes.get(&class.to_ascii_lowercase())));
        }
        let mut candidates: Vec<usize> = Vec::new();
        if self.matcher.is_spent() {
            // Where a page has more rules than are looked through, those that hide this very id or
            // class are not lost. Others are not guessed at: a rule for any element would hide the
            // rest of a long page.
            candidates.extend(keys.iter().flat_map(|key| &key.hiding));
        } else {
            keys.push(&self.any);
            keys.extend(self.names.get(&*node.name));
            candidates.extend(keys.iter().flat_map(|key| &key.rules));
        }
        self.matcher.spend(candidates.len());
        candidates.sort_unstable();
        candidates.dedup();
        let rules = candidates.into_iter().filter_map(|at| self.rules.get(at));
        let found: Vec<_> = rules.filter(|rule| self.is_for(rule, id)).collect();
        // What a rule says is looked at too, and costs more than a comparison.
        let declarations = found.iter().map(|rule| rule.declarations.len() + 1);
        self.matcher.spend(declarations.sum::<usize>() * COMPARISONS_OF_DECLARATION);
        found
    }

    fn is_for(&self, rule: &KeyedRule, id: ElementId) -> bool {
        if self.matcher.is_spent() {
            return rule.hides && rule.selector().is_some_and(|one| one.compounds.len() == 1);
        }
        rule.selector().is_some_and(|one| self.matcher.holds(one, id))
    }

    /// What attributes of an element say that a style says too.
    fn hints(&self, node: &ElementNode) -> PropertyValues {
        let mut found = hints(node);
        let body = self.matcher.tree.get(ElementId::BODY);
        let link = body.and_then(|body| body.attribute("link"));
        if let Some(link) = link.filter(|_| node.is("a") && node.attribute("href").is_some()) {
            found.insert("color".to_owned(), legacy_colour(link));
        }
        found
    }

    /// What an element looks like when its animation is over, or does not begin.
    fn animate(&self, style: &mut ElementStyle, custom: &CustomProperties) {
        let value = |name: &str| style.values.get(name).map_or("", String::as_str);
        let is_kept = matches!(value("animation-fill-mode"), "forwards" | "both");
        let is_paused = value("animation-play-state") == "paused";
        let Some([from, to]) = self.keyframes.get(value("animation-name")) else { return };
        let frame = if is_paused { Some(from) } else { is_kept.then_some(to) };
        for declaration in frame.into_iter().flat_map(|frame| frame.iter()) {
            style.apply(declaration, false, custom);
        }
    }
}

impl KeyedRule {
    fn selector(&self) -> Option<&StyleSelector> {
        self.selectors.selectors.get(self.nth)
    }
}

impl ElementStyle {
    /// Applies declarations, those that count least first.
    fn apply_all(&mut self, all: &[(CascadePlace, &Declaration)], custom: &CustomProperties) {
        let returns = all.iter().any(|(_, one)| one.value == "revert-layer");
        // What layers before the one that is applied say.
        let mut below = PropertyValues::new();
        let mut layer = None;
        for (place, declaration) in all {
            let own = Some((place.is_own, place.layer));
            if returns && layer != own {
                below.clone_from(&self.values);
                layer = own;
            }
            if declaration.value == "revert-layer" {
                shorthand::set(&mut self.values, &declaration.name, "revert");
                if let Some(value) = below.get(&declaration.name) {
                    self.values.insert(declaration.name.clone(), value.clone());
                }
                continue;
            }
            self.apply(declaration, place.is_own, custom);
        }
    }

    fn apply(&mut self, declaration: &Declaration, is_own: bool, custom: &CustomProperties) {
        let Declaration { name, value, .. } = declaration;
        if name.starts_with("--") {
            return;
        }
        let resolved = custom::resolved(value, custom);
        // One that is made of what is not there is as if nothing had been said of it.
        let value = resolved.as_deref().unwrap_or("unset");
        shorthand::set(&mut self.values, name, value);
        if matches!(name.as_str(), "display" | "visibility") {
            self.is_hidden_by_itself = is_own && matches!(value, "none" | "hidden" | "collapse");
        }
    }
}

fn classes(node: &ElementNode) -> impl Iterator<Item = &str> {
    node.attribute("class").unwrap_or_default().split_ascii_whitespace()
}

/// The custom properties among declarations; of several with one name the last counts.
fn all_custom(all: &[(CascadePlace, &Declaration)]) -> BTreeMap<String, String> {
    let custom = all.iter().map(|(_, one)| one).filter(|one| one.name.starts_with("--"));
    custom.map(|one| (one.name.clone(), one.value.clone())).collect()
}

/// What attributes of an element say that a style says too.
fn hints(node: &ElementNode) -> PropertyValues {
    let text = if node.is("body") { "text" } else { "color" };
    let paints = node.is_html && PAINTED_ELEMENTS.contains(&&*node.name);
    let mut found = PropertyValues::new();
    for (key, attribute) in [("color", text), ("background-color", "bgcolor")] {
        let allowed = if key == "color" {
            node.is("body") || node.is("font")
        } else {
            paints || node.is("marquee")
        };
        if let Some(value) = node.attribute(attribute).filter(|_| allowed) {
            found.insert(key.to_owned(), legacy_colour(value));
        }
    }
    if node.attribute("background").is_some_and(|address| paints && !address.is_empty()) {
        found.insert("background-image".to_owned(), "url()".to_owned());
    }
    if node.is("bdo") && node.attribute("dir").is_some_and(|dir| dir.eq_ignore_ascii_case("rtl")) {
        found.insert("direction".to_owned(), "rtl".to_owned());
    }
    found
}

/// A colour as attributes have it: the number sign may be missing.
fn legacy_colour(value: &str) -> String {
    let value = value.trim().to_ascii_lowercase();
    let is_number = matches!(value.len(), 3 | 6) && value.chars().all(|ch| ch.is_ascii_hexdigit());
    if is_number { format!("#{value}") } else { value }
}

const LINE_PROPERTIES: [&str; 4] = ["color", "font-size", "font", "letter-spacing"];
/// Elements whose attributes say what is behind them (HTML, 15.3).
const PAINTED_ELEMENTS: [&str; 8] = ["body", "table", "thead", "tbody", "tfoot", "tr", "td", "th"];
/// Rules of a page that all count.
const MAX_RULES: usize = 50_000;
/// Classes of one element; site builders give a page up to a few hundred.
const MAX_CLASSES: usize = 1_000;
/// Bytes that are kept for each comparison that a page does without: 128 MiB in all.
const BYTES_OF_KEPT_COMPARISON: usize = 4;
/// Memory of an entry of a map beside its text.
const ENTRY_BYTES: usize = 64;
/// Comparisons that cost as much as applying a declaration.
const COMPARISONS_OF_DECLARATION: usize = 8;
