//! The differences between two versions of a pack, for people and for programs.

use dalil_phrasebook::{Language, Phrase, pack_field, proof_check};
use dalil_proof::canon::{self, NotCanonical};
use dalil_proof::fault::steers;
use dalil_proof::id::PackId;
use dalil_proof::json::Json;
use serde::Serialize;

use crate::access::MemberTitle;
use crate::pack::draft::PackDraft;

mod label;
#[cfg(test)]
mod tests;

/// What changed between two versions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PackDifference {
    /// The version before.
    pub old: PackVersion,
    /// The version after.
    pub new: PackVersion,
    /// Every change, in order of the fields' names.
    pub changes: Vec<PackChange>,
}

/// A version of a pack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PackVersion {
    /// Its name.
    pub pack_id: PackId,
    /// Which it is, from 1.
    pub version: u64,
}

/// One thing that is not as it was.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PackChange {
    /// The place, as a path into the new version, or into the old one for a removed value.
    pub path: String,
    /// What happened to it.
    pub change: PackChangeKind,
    /// The old value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<Json<'static>>,
    /// The new value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<Json<'static>>,
}

/// What happened to a part of a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PackChangeKind {
    /// It was not there before.
    Added,
    /// It is not there any more.
    Removed,
    /// It is another.
    Changed,
}

impl PackChange {
    /// The name of the place.
    pub fn label(&self) -> Phrase {
        label::of(&self.path)
    }
}

/// Compares two versions. Sources are known again by their words, calls by their ids.
///
/// # Errors
/// Never in practice: a draft has a canonical form.
pub fn diff(old: &PackDraft, new: &PackDraft) -> Result<PackDifference, NotCanonical> {
    let mut changes = Vec::new();
    let names =
        |draft: &PackDraft| PackVersion { pack_id: draft.pack_id.clone(), version: draft.version };
    objects(&json(old)?, &json(new)?, "", &mut changes);
    Ok(PackDifference { old: names(old), new: names(new), changes })
}

fn json(draft: &PackDraft) -> Result<Json<'static>, NotCanonical> {
    // Through the canonical form, in which equal values are equal and members are in order.
    let bytes = canon::bytes(draft)?;
    Ok(Json::parse(&bytes).map_or(Json::Null, Json::into_owned))
}

fn objects(old: &Json<'_>, new: &Json<'_>, path: &str, changes: &mut Vec<PackChange>) {
    let mut names: Vec<&str> = [old, new].into_iter().flat_map(names).collect();
    names.sort_unstable();
    names.dedup();
    // The names of the versions always differ; they are in `old` and `new` of the result.
    for name in names.into_iter().filter(|name| !path.is_empty() || !VERSION_FIELDS.contains(name))
    {
        let place = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        match (old.get(name), new.get(name)) {
            (Some(Json::List(old)), Some(Json::List(new)))
                if LIST_ITEM_KEYS.iter().any(|(list, _)| *list == name) =>
            {
                lists(old, new, &place, changes);
            }
            (Some(old @ Json::Object(_)), Some(new @ Json::Object(_))) if name == "memo" => {
                objects(old, new, &place, changes);
            }
            (old, new) => values(old, new, place, changes),
        }
    }
}

/// Compares the items of two lists, each with the one that it was.
fn lists(old: &[Json<'_>], new: &[Json<'_>], path: &str, changes: &mut Vec<PackChange>) {
    let keys = LIST_ITEM_KEYS
        .iter()
        .find(|(list, _)| *list == path)
        .map_or(&[] as &[&str], |(_, keys)| keys);
    let key = |item: &Json<'_>| -> Vec<Option<String>> {
        let member = |name: &&str| item.get(name).map(spelled);
        let members: Vec<_> = keys.iter().map(member).collect();
        // Without any of its keys, an item is known again by all of itself.
        let is_known = members.iter().any(Option::is_some);
        if is_known { members } else { vec![Some(spelled(item))] }
    };
    let mut left: Vec<(usize, &Json<'_>)> = old.iter().enumerate().collect();
    for (n, item) in new.iter().enumerate() {
        let place = format!("{path}[{n}]");
        // An item is taken out once it is paired, so that two equal ones pair with two.
        match left.iter().position(|(_, before)| key(before) == key(item)) {
            Some(at) => {
                let (_, before) = left.remove(at);
                objects(before, item, &place, changes);
            }
            None => values(None, Some(item), place, changes),
        }
    }
    for (n, item) in left {
        values(Some(item), None, format!("{path}[{n}]"), changes);
    }
}

fn values(
    old: Option<&Json<'_>>,
    new: Option<&Json<'_>>,
    path: String,
    changes: &mut Vec<PackChange>,
) {
    // An absent field and `null` say the same, so there is no change between them.
    let (old, new) = (there(old), there(new));
    let change = match (&old, &new) {
        (None, None) => return,
        (Some(old), Some(new)) if old == new => return,
        (None, Some(_)) => PackChangeKind::Added,
        (Some(_), None) => PackChangeKind::Removed,
        (Some(_), Some(_)) => PackChangeKind::Changed,
    };
    changes.push(PackChange { path, change, old, new });
}

/// A value in its one spelling.
fn spelled(json: &Json<'_>) -> String {
    // For a value without a canonical form, which no draft has, this is the error.
    canon::bytes(json).map_or_else(
        |error| error.to_string(),
        |bytes| String::from_utf8_lossy(&bytes).into_owned(),
    )
}

/// A value that is there and not null.
fn there(value: Option<&Json<'_>>) -> Option<Json<'static>> {
    value.filter(|value| **value != Json::Null).cloned().map(Json::into_owned)
}

fn names<'j>(json: &'j Json<'_>) -> Vec<&'j str> {
    match json {
        Json::Object(members) => members.iter().map(|(name, _)| name.as_ref()).collect(),
        _ => Vec::new(),
    }
}

impl PackDifference {
    /// The difference as a person reads it, a line for each change.
    pub fn text(&self, language: Language) -> String {
        let named = |one: &PackVersion| pack_field::version(&one.pack_id, one.version);
        let (old, new) = (named(&self.old), named(&self.new));
        let mut text = format!("{} → {}\n", old.text(language), new.text(language));
        if self.changes.is_empty() {
            text.push_str(pack_field::nothing_else_changed().text(language));
            text.push('\n');
        }
        for PackChange { path, change: _, old, new } in &self.changes {
            let label = label::of(path).into_text(language);
            let said = |value: &Json<'_>| said(path, value).into_text(language);
            // The kind of a change follows from which of the two there is.
            let line = match (old.as_ref().map(said), new.as_ref().map(said)) {
                (None, None) => continue,
                (None, Some(new)) => format!("+ {label}: {new}"),
                (Some(old), None) => format!("- {label}: {old}"),
                (Some(old), Some(new)) => format!("~ {label}: {old} → {new}"),
            };
            text.push_str(&line);
            text.push('\n');
        }
        text
    }
}

/// A value as a person reads it: words that are the program's own in the language, and
/// approvals by who, as what, what and when.
fn said(path: &str, value: &Json<'_>) -> Phrase {
    match value {
        Json::Text(word)
            if CODED_VALUE_FIELDS.iter().any(|own| path == *own || path.ends_with(own)) =>
        {
            pack_field::value(word).unwrap_or_else(|| Phrase::verbatim(shown(value)))
        }
        Json::Bool(true) => pack_field::yes(),
        Json::Bool(false) => pack_field::no(),
        Json::List(votes) if path == "approvals" => {
            Phrase::fold(votes.iter().map(approval), proof_check::list_of_lists)
        }
        Json::Object(_) if path.starts_with("approvals[") => approval(value),
        other => Phrase::verbatim(shown(other)),
    }
}

/// `noura (department head): approved, 2026-01-03T12:00:00.000Z`.
fn approval(vote: &Json<'_>) -> Phrase {
    let text = |name: &str| vote.get(name).map(shown).unwrap_or_default();
    let title = |title: &Json<'_>| {
        let spelled = shown(title);
        let known = MemberTitle::WIRE_NAMES.iter().find(|(word, _)| *word == spelled);
        known.map_or_else(|| Phrase::verbatim(&spelled), |(_, title)| title.label())
    };
    let titles = match vote.get("titles") {
        Some(Json::List(titles)) => titles.as_slice(),
        _ => &[],
    };
    let titles = Phrase::fold(titles.iter().map(title), proof_check::list);
    let outcome = text("outcome");
    let outcome = pack_field::value(&outcome).unwrap_or_else(|| Phrase::verbatim(&outcome));
    pack_field::vote(text("approver"), titles, outcome, text("at"))
}

/// A value on one line, cut where a reader has the idea.
fn shown(value: &Json<'_>) -> String {
    let text = match value {
        Json::Text(text) => text.to_string(),
        // The identifying field of a list item is enough.
        Json::Object(_) => {
            match ["excerpt", "tool_name", "message", "template_name", "approver", "id"]
                .iter()
                .find_map(|name| value.get(name))
            {
                Some(known) => shown(known),
                None => spelled(value),
            }
        }
        other => spelled(other),
    };
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let spelled = line.chars().flat_map(|ch| {
        let spelled = if steers(ch) { ch.escape_unicode().to_string() } else { ch.to_string() };
        spelled.chars().collect::<Vec<_>>()
    });
    let spelled: String = spelled.collect();
    if spelled.chars().count() <= MAX_VALUE_CHARS {
        return spelled;
    }
    spelled.chars().take(MAX_VALUE_CHARS).collect::<String>() + "…"
}

/// Fields whose values are words of the program.
const CODED_VALUE_FIELDS: [&str; 5] =
    ["status", "requirement", ".outcome", ".state", ".verification_status"];
/// What names the versions themselves.
const VERSION_FIELDS: [&str; 3] = ["pack_id", "version", "supersedes"];
/// Lists whose items are known again, and by what.
const LIST_ITEM_KEYS: [(&str, &[&str]); 5] = [
    ("approvals", &["approver", "outcome"]),
    ("findings", &["rule", "path"]),
    ("prompts", &["template_name"]),
    ("sources", &["source", "excerpt"]),
    ("tool_calls", &["tool_call_id"]),
];
/// How much of a value is shown.
const MAX_VALUE_CHARS: usize = 100;
