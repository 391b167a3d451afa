//! Custom properties: `--ink: #fff` and `var(--ink)`.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::declaration::{MAX_CUSTOM_PROPERTIES, plain};
use super::sheet::RegisteredProperty;
use super::syntax;

/// The custom properties of an element, with those that it takes over.
pub(in crate::formats) type CustomProperties = Rc<BTreeMap<String, String>>;

/// The custom properties of an element: its own, and those of the one around it.
pub(super) fn inherited(
    own: &BTreeMap<String, String>,
    around: &CustomProperties,
    registered: &BTreeMap<String, RegisteredProperty>,
) -> CustomProperties {
    let is_lost = |name: &String| registered.get(name).is_some_and(|one| !one.is_inherited);
    let is_new = |(name, one): (&String, &RegisteredProperty)| {
        one.initial.is_some() && !around.contains_key(name)
    };
    // A rule for all elements gives each what the one around it has.
    let is_other = |(name, value): (&String, &String)| around.get(name) != Some(value);
    let changes =
        own.iter().any(is_other) || around.keys().any(is_lost) || registered.iter().any(is_new);
    if !changes {
        return Rc::clone(around);
    }
    let mut all = BTreeMap::clone(around);
    all.retain(|name, _| !is_lost(name));
    for (name, one) in registered {
        if let Some(initial) = one.initial.as_ref().filter(|_| !all.contains_key(name)) {
            all.insert(name.clone(), initial.clone());
        }
    }
    let taken = own.iter().filter(|(name, _)| all.contains_key(*name)).count();
    let room = MAX_CUSTOM_PROPERTIES.saturating_sub(all.len()) + taken;
    let own: Vec<_> = own.iter().take(room).collect();
    for (name, value) in &own {
        match value.to_ascii_lowercase().as_str() {
            "inherit" | "unset" | "revert" | "revert-layer" => {}
            "initial" => drop(all.remove(*name)),
            _ => drop(all.insert((*name).clone(), (*value).clone())),
        }
    }
    // One may be made of others; one that is made of itself is none.
    let values: Vec<(String, Option<String>)> = own
        .iter()
        .filter(|(_, value)| value.contains("var("))
        .filter_map(|(name, _)| {
            Some(((*name).clone(), substituted(all.get(*name)?, &all, (0, &mut steps()))))
        })
        .collect();
    for (name, value) in values {
        match value {
            Some(value) => drop(all.insert(name, value)),
            None => drop(all.remove(&name)),
        }
    }
    Rc::new(all)
}

fn steps() -> usize {
    MAX_CUSTOM_PROPERTY_STEPS
}

/// A value with those of custom properties in their places; nothing where one is missing.
pub(super) fn resolved(value: &str, custom: &CustomProperties) -> Option<String> {
    if !value.contains("var(") {
        return Some(value.to_owned());
    }
    substituted(value, custom, (0, &mut steps())).map(|value| plain(&value))
}

/// Each property is counted, so that many made of many cost no more than a few.
fn substituted(
    value: &str,
    custom: &BTreeMap<String, String>,
    (depth, left): (usize, &mut usize),
) -> Option<String> {
    let mut made = String::new();
    let mut rest = value;
    while let Some((before, inside)) = rest.split_once("var(") {
        made.push_str(before);
        let (inside, after) = syntax::enclosed(inside);
        let (name, other) = match inside.split_once(',') {
            Some((name, other)) => (name, Some(other)),
            None => (inside, None),
        };
        if depth >= MAX_CUSTOM_PROPERTY_DEPTH || *left == 0 {
            return None;
        }
        *left -= 1;
        let known = custom
            .get(name.trim())
            .and_then(|value| substituted(value, custom, (depth + 1, &mut *left)));
        let value = match (known, other) {
            (Some(known), _) => known,
            (None, Some(other)) => substituted(other.trim(), custom, (depth + 1, &mut *left))?,
            (None, None) => return None,
        };
        made.push_str(&value);
        if made.len() > MAX_VALUE_BYTES {
            return None;
        }
        rest = after;
    }
    made.push_str(rest);
    Some(made)
}

/// Custom properties that one is made of, each of another.
const MAX_CUSTOM_PROPERTY_DEPTH: usize = 8;
/// Custom properties that one value is made of.
const MAX_CUSTOM_PROPERTY_STEPS: usize = 256;
const MAX_VALUE_BYTES: usize = 4_096;
