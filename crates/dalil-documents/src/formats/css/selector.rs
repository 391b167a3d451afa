//! Selectors of style sheets: conditions on an element, its ancestors and its siblings.

use super::attribute::AttributeTest;

/// What a selector asks of an element, and of others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct StyleSelector {
    pub(super) own: Vec<String>,
    /// What the element must not be.
    pub(super) without: Vec<Vec<String>>,
    pub(super) around: Vec<Vec<String>>,
    /// The conditions on attributes in any part of it.
    pub(super) attributes: Vec<AttributeTest>,
    /// What must stand before it, or before an element around it.
    pub(super) before: Vec<Vec<String>>,
    /// Whether it asks for something that is not known here.
    pub(super) is_vague: bool,
}

/// The selectors of a list; a comma in parentheses parts none.
pub(super) fn list(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut depth, mut from) = (0_usize, 0);
    for (at, ch) in text.char_indices() {
        match ch {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                found.extend(text.get(from..at));
                from = at + 1;
            }
            _ => {}
        }
    }
    found.extend(text.get(from..));
    found
}

/// A selector without `:is(…)` and `:where(…)`: one for each of their alternatives.
pub(super) fn alternatives(text: &str) -> Vec<String> {
    let mut found = vec![text.trim().to_owned()];
    for _ in 0..MAX_COMPOUNDS {
        let open = found.iter().position(|one| ALTERNATIVES.iter().any(|word| one.contains(word)));
        let Some(one) = open.map(|at| found.swap_remove(at)) else { break };
        let split = ALTERNATIVES.iter().find_map(|word| {
            let (before, rest) = one.split_once(word)?;
            let (inside, after) = enclosed(rest)?;
            Some((before, inside, after))
        });
        let Some((before, inside, after)) = split else { break };
        // The name of an element goes before the classes that narrow it down.
        let compound = before.rfind([' ', '>', '+', '~', ',', '(']).map_or(0, |at| at + 1);
        let (outer, own) = before.split_at_checked(compound).unwrap_or((before, ""));
        for one in list(inside).into_iter().take(MAX_ALTERNATIVES) {
            let one = one.trim();
            let joined = if one.starts_with(['.', '#', '[', ':', '*']) {
                format!("{outer}{own}{}{after}", one.strip_prefix('*').unwrap_or(one))
            } else {
                format!("{outer}{one}{own}{after}")
            };
            found.push(joined);
        }
        if found.len() > MAX_ALTERNATIVES {
            break;
        }
    }
    found
}

impl StyleSelector {
    /// Reads a selector; nothing where it is for no element that is known by its marks, or for
    /// one only while a reader does something.
    pub(super) fn of(text: &str) -> Option<Self> {
        let mut compounds = compounds(text);
        let (own, _) = compounds.pop()?;
        let mut selector = Self::of_one(own)?;
        // What stands far to the left is left out.
        let surplus = compounds.len().saturating_sub(MAX_COMPOUNDS);
        selector.is_vague |= surplus > 0;
        for (compound, combinator) in compounds.into_iter().skip(surplus) {
            let lower = compound.to_ascii_lowercase();
            let passes = PASSING_STATES.iter().any(|state| lower.contains(state));
            if passes && !lower.contains(":not(") {
                return None;
            }
            let (mut parts, rest) = selector.parts(compound)?;
            selector.is_vague |= !rest.is_empty() && lower != ":root";
            if matches!(combinator, '+' | '~') {
                // Whether it stands beside the other is not known.
                selector.is_vague = true;
                selector.before.extend((!parts.is_empty()).then_some(parts));
                continue;
            }
            // Elements without a class, an id or an attribute are everywhere.
            parts.retain(|part| part.starts_with(['.', '#', '[']));
            selector.around.extend((!parts.is_empty()).then_some(parts));
        }
        Some(selector)
    }

    /// What a selector asks of the element itself.
    fn of_one(compound: &str) -> Option<Self> {
        let mut selector = Self::default();
        let (own, mut rest) = selector.parts(compound).filter(|(own, _)| !own.is_empty())?;
        selector.own = own;
        // What else narrows it down is taken for what does not hold.
        if !rest.is_empty() && negated(rest).is_none() {
            return None;
        }
        while let Some((inside, after)) = negated(rest) {
            for one in list(inside) {
                let parts = selector.parts(one.trim());
                let parts = parts.filter(|(parts, rest)| !parts.is_empty() && rest.is_empty());
                selector.is_vague |= parts.is_none();
                if selector.without.len() < MAX_COMPOUNDS {
                    selector.without.extend(parts.map(|(parts, _)| parts));
                }
            }
            rest = after;
        }
        let lower = rest.to_ascii_lowercase();
        if lower.starts_with("::") || PASSING_STATES.iter().any(|state| lower.contains(state)) {
            return None;
        }
        selector.is_vague |= !rest.is_empty();
        Some(selector)
    }

    /// The simple selectors and attributes that a compound begins with, and what follows them.
    fn parts<'c>(&mut self, compound: &'c str) -> Option<(Vec<String>, &'c str)> {
        let (bare, mut rest) = match compound.find([':', '[']) {
            Some(at) => compound.split_at_checked(at)?,
            None => (compound, ""),
        };
        let mut parts = if bare.is_empty() { Vec::new() } else { simple(bare)? };
        while let Some((inside, after)) =
            rest.strip_prefix('[').and_then(|rest| rest.split_once(']'))
        {
            let test = AttributeTest::of(inside)?;
            parts.push(test.mark());
            self.attributes.push(test);
            rest = after;
            // Classes behind an attribute are of the same element.
            let end = rest.find([':', '[']).unwrap_or(rest.len());
            let (more, left) = rest.split_at_checked(end)?;
            if !more.is_empty() {
                parts.extend(simple(more)?);
            }
            rest = left;
        }
        parts.truncate(MAX_COMPOUND_PARTS);
        Some((parts, rest))
    }
}

/// The elements of a selector, from the outermost one, each with what parts it from the next.
fn compounds(text: &str) -> Vec<(&str, char)> {
    let mut found: Vec<(&str, char)> = Vec::new();
    let (mut depth, mut from) = (0_usize, None);
    for (at, ch) in text.char_indices() {
        match ch {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let is_combinator = matches!(ch, '>' | '+' | '~');
        if depth > 0 || !(is_combinator || ch.is_ascii_whitespace()) {
            from = from.or(Some(at));
            continue;
        }
        let ended = from.take().and_then(|from| text.get(from..at));
        found.extend(ended.map(|compound| (compound, ' ')));
        if is_combinator {
            found.last_mut().into_iter().for_each(|(_, combinator)| *combinator = ch);
        }
    }
    found.extend(from.and_then(|from| text.get(from..)).map(|compound| (compound, ' ')));
    found
}

/// What is inside of `:not(…)` at the beginning of a text, and what follows it.
fn negated(text: &str) -> Option<(&str, &str)> {
    let (word, inside) = text.split_at_checked(NEGATION.len())?;
    if !word.eq_ignore_ascii_case(NEGATION) {
        return None;
    }
    Some(enclosed(inside).unwrap_or((inside, "")))
}

/// What stands before the parenthesis that closes an open one, and what follows it.
fn enclosed(inside: &str) -> Option<(&str, &str)> {
    let mut depth = 1_usize;
    for (at, byte) in inside.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((inside.get(..at)?, inside.get(at + 1..)?));
        }
    }
    None
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
    parts.truncate(MAX_COMPOUND_PARTS);
    whole.then_some(parts)
}

const NEGATION: &str = ":not(";
const ALTERNATIVES: [&str; 2] = [":is(", ":where("];
/// Selectors that one with alternatives stands for.
const MAX_ALTERNATIVES: usize = 50;
/// Longer selectors of one element are cut.
const MAX_COMPOUND_CHARS: usize = 200;
/// Names, classes and ids of one element that are compared, and elements of one selector: sheets
/// written by people have four at most.
const MAX_COMPOUND_PARTS: usize = 8;
const MAX_COMPOUNDS: usize = 8;
/// States that an element is in only while a reader does something.
const PASSING_STATES: [&str; 5] = [":hover", ":focus", ":active", ":checked", ":target"];
