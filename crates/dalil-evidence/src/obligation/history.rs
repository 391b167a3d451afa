//! Amendment histories: entries in the contract's form or in its origin's.

use dalil_phrasebook::{expected, found};
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::fault::Fault;
use dalil_proof::json::{Json, JsonMembers};

/// The effect of an amendment on a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AmendmentAction {
    Replace,
    Modify,
    Unchanged,
    Delete,
}

impl AmendmentAction {
    const WIRE_NAMES: &[(&'static str, Self)] = &[
        ("REPLACE", Self::Replace),
        ("MODIFY", Self::Modify),
        ("UNCHANGED", Self::Unchanged),
        ("DELETE", Self::Delete),
    ];
}

/// Reads a whole history, every entry checked; unknown keys stay.
pub(super) fn read<'j>(reader: JsonReader<'_, 'j>) -> Option<&'j [Json<'j>]> {
    reader.list(entry)?;
    // `list` has refused everything but an array, so the second arm is never taken.
    match reader.json {
        Json::List(entries) => Some(entries),
        _ => None,
    }
}

/// Reads a history whose entries all state their effect.
pub(super) fn read_actions<'j>(
    reader: JsonReader<'_, 'j>,
) -> Option<Vec<(AmendmentAction, &'j Json<'j>)>> {
    reader.list(|entry| origin_entry(entry).map(|action| (action, entry.json)))
}

/// The keys that an entry lacks, sorted.
pub(super) fn missing_keys(entry: &JsonMembers<'_>) -> Vec<&'static str> {
    missing(entry, keys(entry))
}

/// The keys of `required` that an entry lacks.
pub(super) fn missing(
    entry: &JsonMembers<'_>,
    required: &'static [&'static str],
) -> Vec<&'static str> {
    let lacks = |key: &&&str| !entry.iter().any(|(name, _)| name == **key);
    required.iter().filter(lacks).copied().collect()
}

fn entry(reader: JsonReader<'_, '_>) -> Option<()> {
    let members = decode::object(reader)?;
    if keys(members) == AMENDMENT_ACTION_KEYS {
        origin_entry(reader).map(|_| ())
    } else {
        complete(reader, members, &AMENDMENT_STATUS_KEYS)?;
        let mut fields = reader.object()?;
        let texts = AMENDMENT_STATUS_KEYS.map(|key| fields.required(key, decode::text));
        texts.iter().all(Option::is_some).then_some(())
    }
}

fn origin_entry(reader: JsonReader<'_, '_>) -> Option<AmendmentAction> {
    let members = decode::object(reader)?;
    complete(reader, members, &AMENDMENT_ACTION_KEYS)?;
    let mut fields = reader.object()?;
    let clause = fields.required("amendment_source_clause", decode::text);
    let action = fields.required("action", |action| action.choice(AmendmentAction::WIRE_NAMES));
    let doc = fields.optional("doc_id", decode::text);
    let number = fields.optional("amendment_number", |number| number.whole(0..=1_000_000));
    // Every field is read before one is missed, so that all faults of an entry come together.
    let all = clause.is_some() && doc.is_some() && number.is_some();
    action.filter(|_| all)
}

fn complete(
    reader: JsonReader<'_, '_>,
    entry: &JsonMembers<'_>,
    required: &'static [&'static str],
) -> Option<()> {
    let lacking = missing(entry, required);
    if lacking.is_empty() {
        return Some(());
    }
    let expected = expected::the_keys(required.join(", "));
    let found = found::lacking_keys(lacking.join(", "));
    reader.push(Fault::new("amendment_history", reader.path(), expected, found))
}

/// The keys that an entry of this form must have.
fn keys(entry: &JsonMembers<'_>) -> &'static [&'static str] {
    let has = |key: &str| entry.iter().any(|(name, _)| name == key);
    let origin = has("action") || has("amendment_source_clause") || has("amendment_number");
    // An entry with the keys of both forms has the contract's:
    // spec/record.md, "Amendment history".
    if origin && !(has("clause") && has("status")) {
        &AMENDMENT_ACTION_KEYS
    } else {
        &AMENDMENT_STATUS_KEYS
    }
}

/// The contract's keys, sorted.
const AMENDMENT_STATUS_KEYS: [&str; 3] = ["clause", "doc_id", "status"];
/// The keys that the contract's origin writes, sorted.
const AMENDMENT_ACTION_KEYS: [&str; 4] =
    ["action", "amendment_number", "amendment_source_clause", "doc_id"];
