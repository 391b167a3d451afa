//! Amendment histories: entries in the seed's form or in its origin's.

use crate::fault::Fault;
use crate::json::{Json, Members};
use crate::read::{self, Reader};

/// What an amendment does to a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Replace,
    Modify,
    Unchanged,
    Delete,
}

impl Action {
    const WORDS: &[(&'static str, Self)] = &[
        ("REPLACE", Self::Replace),
        ("MODIFY", Self::Modify),
        ("UNCHANGED", Self::Unchanged),
        ("DELETE", Self::Delete),
    ];
}

/// Reads a whole history, every entry checked; unknown keys stay.
pub(super) fn read<'j>(reader: Reader<'_, 'j>) -> Option<&'j [Json<'j>]> {
    reader.list(entry)?;
    match reader.json {
        Json::List(entries) => Some(entries),
        _ => None,
    }
}

/// Reads a history whose entries all say what they do.
pub(super) fn read_actions<'j>(reader: Reader<'_, 'j>) -> Option<Vec<(Action, &'j Json<'j>)>> {
    reader.list(|entry| origin_entry(entry).map(|action| (action, entry.json)))
}

/// The keys that an entry lacks, sorted.
pub(super) fn missing_keys(entry: &Members<'_>) -> Vec<&'static str> {
    missing(entry, keys(entry))
}

/// The keys of `required` that an entry lacks.
pub(super) fn missing(entry: &Members<'_>, required: &'static [&'static str]) -> Vec<&'static str> {
    let lacks = |key: &&&str| !entry.iter().any(|(name, _)| name == **key);
    required.iter().filter(lacks).copied().collect()
}

fn entry(reader: Reader<'_, '_>) -> Option<()> {
    let members = read::object(reader)?;
    if keys(members) == ORIGIN {
        origin_entry(reader).map(|_| ())
    } else {
        complete(reader, members, &SEED)?;
        let mut fields = reader.object()?;
        let texts = SEED.map(|key| fields.required(key, read::text));
        texts.iter().all(Option::is_some).then_some(())
    }
}

fn origin_entry(reader: Reader<'_, '_>) -> Option<Action> {
    let members = read::object(reader)?;
    complete(reader, members, &ORIGIN)?;
    let mut fields = reader.object()?;
    let clause = fields.required("amendment_source_clause", read::text);
    let action = fields.required("action", |action| action.choice(Action::WORDS));
    let doc = fields.optional("doc_id", read::text);
    let number = fields.optional("amendment_number", |number| number.whole(0..=1_000_000));
    let all = clause.is_some() && doc.is_some() && number.is_some();
    action.filter(|_| all)
}

fn complete(
    reader: Reader<'_, '_>,
    entry: &Members<'_>,
    required: &'static [&'static str],
) -> Option<()> {
    let lacking = missing(entry, required);
    if lacking.is_empty() {
        return Some(());
    }
    let expected = format!("the keys {}", required.join(", "));
    let found = format!("no {}", lacking.join(", "));
    reader.push(Fault::new("amendment_history", reader.path(), expected, found))
}

/// The keys that an entry of this form must have.
fn keys(entry: &Members<'_>) -> &'static [&'static str] {
    let has = |key: &str| entry.iter().any(|(name, _)| name == key);
    let origin = has("action") || has("amendment_source_clause") || has("amendment_number");
    if origin && !(has("clause") && has("status")) { &ORIGIN } else { &SEED }
}

/// The seed's keys, sorted.
const SEED: [&str; 3] = ["clause", "doc_id", "status"];
/// The keys that the seed's origin writes, sorted.
const ORIGIN: [&str; 4] = ["action", "amendment_number", "amendment_source_clause", "doc_id"];
