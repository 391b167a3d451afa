//! The key history in the header, against the records that made it.

use dalil_phrasebook::{Phrase, trail_check};

use super::line::{PayloadField, TrailLine};
use super::redatings::RedatingLog;
use crate::key::PublicKey;
use crate::keyring::{KeyChangeKind, KeyHistoryEntry, Keyring, SigningTime};
use crate::note::UnverifiedNote;
use crate::record::RecordKind;
use crate::report::{CheckStatus, VerificationReport, notes::CheckNotes};
use crate::time::Time;
use crate::trust::Trust;

/// A key history, as a file states it beside its records.
#[derive(Clone, Copy, Debug)]
pub struct StatedKeyHistory<'h> {
    /// The changes, in order.
    pub keys: &'h [KeyHistoryEntry],
    /// Whether every record about a key is in the file.
    pub whole: bool,
    /// The checkpoint that one of the keys signed.
    pub checkpoint: &'h UnverifiedNote,
}

/// The changes to keys that the records tell.
#[derive(Clone, Debug, Default)]
pub struct KeyChangeLog {
    told: Vec<RecordedKeyChange>,
    more: u64,
    redatings: RedatingLog,
    notes: CheckNotes,
}

#[derive(Clone, Debug)]
struct RecordedKeyChange {
    index: u64,
    at: Time,
    change: KeyChangeKind,
    /// `None` when the field is not shown.
    key: Option<PublicKey>,
}

impl KeyChangeLog {
    /// Looks at a record; `most` is how many changes the header has.
    pub fn follow(&mut self, line: &TrailLine<'_>, most: usize) {
        let envelope = line.record.envelope();
        if envelope.kind == RecordKind::KeyRedated {
            return self.redatings.follow(line, most, &mut self.notes);
        }
        let Some(change) = change(envelope.kind) else { return };
        // More than the header has is a difference already; they need not be kept.
        if self.told.len() >= most {
            self.more += 1;
            return;
        }
        let key = match line.shown(KEY_FIELD) {
            Some(PayloadField::Present { bytes, .. }) => {
                let key = std::str::from_utf8(bytes).ok().and_then(|text| text.parse().ok());
                if key.is_none() {
                    let index = line.index;
                    self.notes.fail(|| trail_check::record_without_key(index));
                }
                key
            }
            Some(
                PayloadField::Lake { .. } | PayloadField::Erased { .. } | PayloadField::Withheld,
            )
            | None => None,
        };
        self.told.push(RecordedKeyChange { index: line.index, at: envelope.at, change, key });
    }

    /// Reports whether a stated history agrees with the records.
    pub fn report(
        mut self,
        history: &StatedKeyHistory<'_>,
        trust: &Trust,
        seen: Option<Time>,
        report: &mut VerificationReport,
    ) {
        let keys = history.keys;
        let earlier = keys.len().saturating_sub(self.told.len());
        if self.more > 0 {
            let (expected, found) = (keys.len(), self.told.len() as u64 + self.more);
            self.notes.fail(|| trail_check::key_changes_differ_in_number(expected, found));
        }
        let whole = history.whole;
        if whole && earlier > 0 {
            self.notes.fail(|| trail_check::key_changes_without_record(earlier));
        }
        // A file that starts later lacks the records of
        // the first changes, so the two align at the end.
        let before = if whole { 0 } else { earlier };
        for (told, entry) in self.told.iter().zip(keys.iter().skip(before)) {
            if differs(told, entry) {
                let (index, at, key) = (told.index, entry.at, &entry.key);
                self.notes.fail(|| trail_check::key_change_differs(index, key, at));
            }
        }
        let placed: Vec<Option<u64>> = std::iter::repeat_n(None, before)
            .chain(self.told.iter().map(|told| Some(told.index)))
            .collect();
        let redated = self.redatings.check(keys, &placed, &mut self.notes);
        let hidden = self.told.iter().filter(|told| told.key.is_none()).count();
        if self.notes.is_empty() {
            let (verdict, message) = standing(history, trust, seen, (earlier, hidden));
            self.notes.add(verdict, || message);
        }
        self.notes.report(PART_KEY_HISTORY, report);
        redated.report(PART_KEY_HISTORY, report);
    }
}

/// When a record happened: where `keys` corrects the date of a change of a key, the corrected one.
pub fn time_of(line: &TrailLine<'_>, keys: &[KeyHistoryEntry]) -> Time {
    let envelope = line.record.envelope();
    let Some(change) = change(envelope.kind) else { return envelope.at };
    let shown = match line.shown(KEY_FIELD) {
        Some(PayloadField::Present { bytes, .. }) => std::str::from_utf8(bytes).ok(),
        _ => None,
    };
    let key = shown.and_then(|text| text.parse::<PublicKey>().ok());
    let told = RecordedKeyChange { index: line.index, at: envelope.at, change, key };
    let entry = keys.iter().find(|entry| entry.redated.is_some() && !differs(&told, entry));
    entry.map_or(envelope.at, KeyHistoryEntry::time)
}

/// The result of an undisputed history for the keys that signed.
fn standing(
    history: &StatedKeyHistory<'_>,
    trust: &Trust,
    seen: Option<Time>,
    (earlier, hidden): (usize, usize),
) -> (CheckStatus, Phrase) {
    let changes = history.keys.len();
    if hidden > 0 {
        return (CheckStatus::Incomplete, trail_check::key_changes_not_shown(hidden));
    }
    if earlier > 0 {
        let message = trail_check::key_changes_before_this_file(earlier, changes);
        return (CheckStatus::Incomplete, message);
    }
    let agreed = || {
        let message = trail_check::key_changes_as_recorded(changes);
        (CheckStatus::Pass, message)
    };
    let ring = Keyring::new(Vec::new(), history.keys).unwrap_or_default();
    let Ok(note) = history.checkpoint.open(trust.keyring.keys()) else { return agreed() };
    // A file that states no history takes no trust away.
    if changes == 0 {
        return agreed();
    }
    // The trail's own word can take trust away; it cannot give any.
    let signers = note.verified.iter().map(|(key, _)| *key);
    match ring.best_standing(signers, SigningTime { claimed: None, seen }) {
        Some((CheckStatus::Fail | CheckStatus::Incomplete, message)) => {
            (CheckStatus::Incomplete, message)
        }
        Some((CheckStatus::Pass, _)) | None => agreed(),
    }
}

fn differs(told: &RecordedKeyChange, entry: &KeyHistoryEntry) -> bool {
    let other_key = told.key.as_ref().is_some_and(|key| *key != entry.key);
    told.at != entry.at || told.change != entry.change || other_key
}

fn change(kind: RecordKind) -> Option<KeyChangeKind> {
    let changes = [
        (RecordKind::KeyAdded, KeyChangeKind::Added),
        (RecordKind::KeyRetired, KeyChangeKind::Retired),
        (RecordKind::KeyRevoked, KeyChangeKind::Revoked),
    ];
    changes.iter().find(|(own, _)| *own == kind).map(|(_, change)| *change)
}

const PART_KEY_HISTORY: &str = "key history";

/// The name of the field that `key.added`, `key.retired` and `key.revoked` commit to: the verifier
/// key as text.
pub const KEY_FIELD: &str = "key";
