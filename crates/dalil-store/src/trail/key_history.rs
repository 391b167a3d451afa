//! The history of a tenant's keys, as the rows of the catalog tell it.

use dalil_proof::digest::hex;
use dalil_proof::keyring::redating::{
    KeyRedating, NotRedatable, REDATING_FIELD, RedatedChange, check_needed,
};
use dalil_proof::keyring::{KeyChangeKind, KeyHistoryEntry, Keyring};
use dalil_proof::record::{Actor, RecordKind};
use dalil_proof::time::Time;

use super::entry::{FieldContent, NewRecord, NewRecordField, RecordTime};
use super::tenant::Tenant;
use super::trail_head::damaged;
use crate::catalog::{EvidenceRow, KeyRedatingRow, KeyRow};
use crate::error::Error;

impl Tenant {
    /// Every change of keys, in order, with the dates that were corrected.
    pub(crate) async fn key_history(&self) -> Result<Vec<KeyHistoryEntry>, Error> {
        let redated = self.select(&KeyRedatingRow::query()).await?;
        let rows = self.select(&KeyRow::query()).await?;
        let entries = rows.into_iter().map(|found| {
            let KeyRow { key_id, public_key, change, at, .. } = found.row;
            let is_corrected = |row: &KeyRedatingRow| row.key_id == key_id && row.change == change;
            let redated = redated.iter().map(|found| &found.row).find(|row| is_corrected(row));
            let key = public_key.parse().map_err(|error| damaged(self.name(), "a key", error))?;
            let change = KeyChangeKind::WIRE_NAMES.iter().find(|(word, _)| *word == change);
            let (_, change) =
                change.ok_or_else(|| damaged(self.name(), "a change of a key", "another word"))?;
            Ok(KeyHistoryEntry {
                at,
                change: *change,
                key,
                redated: redated.map(|row| row.redated),
            })
        });
        entries.collect()
    }
}

/// The record of a correction, if it may be made at the time `when`.
///
/// # Errors
/// Refused: a change that was not recorded, or whose date needs no correction; a history that cannot
/// have happened in spite of it.
pub(super) fn redating_record(
    mut history: Vec<KeyHistoryEntry>,
    redating: &KeyRedating,
    when: RecordTime,
    actor: Actor,
) -> Result<NewRecord, Error> {
    let mut lines = Vec::with_capacity(redating.changes.len());
    for change in &redating.changes {
        let line = history.iter().position(|entry| change.is_about(entry));
        let entry = line.and_then(|n| history.get_mut(n));
        let (Some(line), Some(entry)) = (line, entry) else {
            return Err(not_redatable(change, NotRedatable::Unknown));
        };
        if entry.redated.replace(change.at).is_some() {
            return Err(not_redatable(change, NotRedatable::Twice));
        }
        lines.push((change, line));
    }
    for (change, line) in lines {
        check_needed(&history, line, when.at).map_err(|why| not_redatable(change, why))?;
    }
    Keyring::new(Vec::new(), &history).map_err(|error| {
        refused("a history that can have happened, with these dates", error)
            .hint("`dalil keys list` shows every change; correct all wrong dates at once")
    })?;
    let bytes = redating.bytes().map_err(|faults| refused("a correction with a reason", faults))?;
    let fields = vec![NewRecordField {
        name: REDATING_FIELD.to_owned(),
        content: FieldContent::Bytes(bytes),
    }];
    let rows = redating.changes.iter().map(|change| redating_row(change, &redating.reason));
    Ok(NewRecord {
        kind: RecordKind::KeyRedated,
        id: None,
        when,
        actor,
        subject: REDATING_SUBJECT.to_owned(),
        fields,
        rows: rows.collect(),
    })
}

/// The row of a corrected date.
pub(crate) fn redating_row(change: &RedatedChange, reason: &str) -> EvidenceRow {
    let word = KeyChangeKind::WIRE_NAMES.iter().find(|(_, known)| *known == change.change);
    let row = KeyRedatingRow {
        key_id: hex(&change.key.id()),
        change: word.map_or("", |(word, _)| word).to_owned(),
        redated: change.at,
        reason: reason.to_owned(),
    };
    row.into()
}

/// When keys were changed last.
pub(super) fn newest(history: &[KeyHistoryEntry]) -> Option<Time> {
    history.iter().map(KeyHistoryEntry::time).max()
}

fn not_redatable(change: &RedatedChange, why: NotRedatable) -> Error {
    refused(format!("a wrong date of `{}` to correct", hex(&change.key.id())), why)
}

fn refused(expected: impl std::fmt::Display, found: impl std::fmt::Display) -> Error {
    Error::refused("correct the date of a key", "`keys`").saw(expected, found)
}

/// What corrections are about: no key, whose own records may be dated later than now.
const REDATING_SUBJECT: &str = "key_history";
