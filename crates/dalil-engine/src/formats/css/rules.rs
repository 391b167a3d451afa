//! The rules of style sheets, and which of them hold for an element.
//!
//! An element is known by its name, classes and id. What a selector says about the
//! elements around it is checked as far as these have a class or an id; what it says
//! about neighbours and about what a reader does with the mouse is not.

use std::collections::{BTreeMap, BTreeSet};

use super::{declarations, uncommented, unseen};

/// The rules of style sheets, by a simple selector of the element that they are for.
#[derive(Debug, Default)]
pub(in crate::formats) struct StyleRules {
    rules: BTreeMap<String, Vec<StyleRule>>,
    count: usize,
    /// The classes and ids that rules ask of the elements around theirs.
    around: BTreeSet<String>,
}

/// What a rule says about the elements that its selector is for.
#[derive(Debug)]
struct StyleRule {
    selector: StyleSelector,
    style: BTreeMap<String, String>,
}

/// What a selector asks of an element, and of those around it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct StyleSelector {
    own: Vec<String>,
    around: Vec<Vec<String>>,
    /// Whether it asks for something that is not known here.
    is_vague: bool,
}

/// What selectors can call an element: its name, its classes with a dot, its id with a hash.
#[derive(Clone, Debug, Default)]
pub(in crate::formats) struct StyleMarks(Vec<String>);

impl StyleMarks {
    pub(in crate::formats) fn of(name: &str, classes: &str, id: &str) -> Self {
        let mut marks = vec![name.to_owned()];
        let classes = classes.split_ascii_whitespace().take(MAX_SELECTORS);
        marks.extend(classes.map(|class| format!(".{class}")));
        marks.extend((!id.is_empty()).then(|| format!("#{id}")));
        Self(marks)
    }

    fn has(&self, parts: &[String]) -> bool {
        parts.iter().all(|part| self.0.contains(part))
    }
}

impl StyleRules {
    /// Adds the rules of a sheet, but for those that are for paper alone.
    pub(in crate::formats) fn add(&mut self, sheet: &str) {
        let plain = uncommented(sheet);
        let mut rest = plain.as_str();
        while self.count < MAX_RULES
            && let Some((before, after)) = rest.split_once('{')
        {
            let selector = before.rsplit('}').next().unwrap_or_default();
            let selector = selector.rsplit(';').next().unwrap_or_default().trim();
            if selector.starts_with('@') {
                // The rules inside another condition are read as if they always held.
                rest = if is_for_paper(selector) { block_end(after) } else { after };
                continue;
            }
            let (body, after) = after.split_once('}').unwrap_or((after, ""));
            rest = after;
            let style = declarations(body);
            for one in selector.split(',').take(MAX_SELECTORS) {
                if let Some(selector) = StyleSelector::of(one) {
                    self.take(selector, &style);
                }
            }
        }
    }

    fn take(&mut self, mut selector: StyleSelector, style: &BTreeMap<String, String>) {
        let Some(key) = selector.own.last().cloned() else { return };
        let hides = unseen(style).is_some();
        if selector.is_vague && !hides {
            return;
        }
        let known = self.rules.entry(key).or_default();
        if known.len() >= MAX_RULES_OF_ONE_KEY {
            // What is beyond is read as if what it asks for always held, where it hides.
            if !hides {
                return;
            }
            selector.own = selector.own.pop().into_iter().collect();
            selector.around.clear();
        }
        self.around.extend(selector.around.iter().flatten().cloned());
        let at = known.iter().position(|rule| rule.selector == selector);
        if at.is_none() {
            self.count += 1;
            known.push(StyleRule { selector, style: BTreeMap::new() });
        }
        // A rule that was just added is the last.
        let at = at.unwrap_or(known.len().saturating_sub(1));
        known.get_mut(at).into_iter().for_each(|rule| {
            rule.style.extend(style.iter().map(|(name, value)| (name.clone(), value.clone())));
        });
    }

    pub(in crate::formats) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Whether rules ask for an element with these marks around another.
    pub(in crate::formats) fn ask_for(&self, marks: &StyleMarks) -> bool {
        marks.0.iter().any(|mark| self.around.contains(mark))
    }

    /// What the sheets say about an element with these marks inside of others.
    pub(in crate::formats) fn of(
        &self,
        marks: &StyleMarks,
        around: &[&StyleMarks],
    ) -> BTreeMap<String, String> {
        let mut style = BTreeMap::new();
        // Names, classes and ids in this order: the later ones weigh more.
        for rule in marks.0.iter().filter_map(|mark| self.rules.get(mark)).flatten() {
            let StyleSelector { own, around: asked, .. } = &rule.selector;
            let within = |parts: &Vec<String>| around.iter().any(|marks| marks.has(parts));
            if marks.has(own) && asked.iter().all(within) {
                style.extend(rule.style.iter().map(|(name, value)| (name.clone(), value.clone())));
            }
        }
        style
    }
}

impl StyleSelector {
    /// Reads a selector; nothing where it is for no element that is known by its marks, or for
    /// one only while a reader does something.
    fn of(text: &str) -> Option<Self> {
        let spaced: String =
            text.chars().map(|ch| if matches!(ch, '>' | '+' | '~') { ' ' } else { ch }).collect();
        let beside = text.contains(['+', '~']);
        let mut compounds: Vec<&str> =
            spaced.split_ascii_whitespace().take(MAX_SELECTORS).collect();
        let (own, is_vague) = match compounds.pop()? {
            own if !own.contains([':', '[']) => (own, false),
            own => (own.split_once(":not(").map(|(own, _)| own)?, true),
        };
        let own = simple(own).filter(|own| !own.is_empty())?;
        let mut selector = Self { own, around: Vec::new(), is_vague };
        for compound in compounds {
            let lower = compound.to_ascii_lowercase();
            let passes = PASSING_STATES.iter().any(|state| lower.contains(state));
            if passes && !lower.contains(":not(") {
                return None;
            }
            let bare = compound.split([':', '[']).next().unwrap_or_default();
            selector.is_vague |= bare.len() < compound.len() && lower != ":root" || beside;
            let mut parts = if bare.is_empty() { Vec::new() } else { simple(bare)? };
            // Elements without a class or an id are everywhere.
            parts.retain(|part| part.starts_with(['.', '#']));
            if !parts.is_empty() && !beside {
                selector.around.push(parts);
            }
        }
        Some(selector)
    }
}

/// The simple selectors of one element: `p.q#r` is `p`, `.q` and `#r`.
fn simple(compound: &str) -> Option<Vec<String>> {
    let compound = compound.strip_prefix('*').unwrap_or(compound);
    let mut parts: Vec<String> = Vec::new();
    for ch in compound.chars().take(MAX_COMPOUND_CHARS) {
        if matches!(ch, '.' | '#') || parts.is_empty() {
            parts.push(String::new());
        }
        if !(ch.is_alphanumeric() || matches!(ch, '.' | '#' | '-' | '_')) {
            return None;
        }
        parts.last_mut().into_iter().for_each(|part| part.push(ch));
    }
    // The name of an element has no case.
    for name in parts.first_mut().into_iter().filter(|part| !part.starts_with(['.', '#'])) {
        name.make_ascii_lowercase();
    }
    let whole = parts.iter().all(|part| !matches!(part.as_str(), "." | "#"));
    whole.then_some(parts)
}

/// Whether a condition holds on paper alone: each of its media is print.
fn is_for_paper(condition: &str) -> bool {
    let condition = condition.to_ascii_lowercase();
    let Some(media) = condition.strip_prefix("@media") else { return false };
    media.split(',').all(|one| {
        let mut words = one
            .split(|ch: char| !ch.is_ascii_alphabetic())
            .filter(|word| !word.is_empty() && *word != "only");
        words.next() == Some("print")
    })
}

/// What follows a block whose first brace is open.
fn block_end(text: &str) -> &str {
    let mut depth = 1_usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return text.get(at + 1..).unwrap_or_default();
        }
    }
    ""
}

const MAX_RULES: usize = 20_000;
const MAX_SELECTORS: usize = 50;
/// Longer selectors of one element are cut.
const MAX_COMPOUND_CHARS: usize = 200;
/// Rules that are looked through for an element with one name, class or id.
const MAX_RULES_OF_ONE_KEY: usize = 32;
/// States that an element is in only while a reader does something.
const PASSING_STATES: [&str; 5] = [":hover", ":focus", ":active", ":checked", ":target"];
