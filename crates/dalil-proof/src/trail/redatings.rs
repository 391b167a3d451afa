//! Corrected dates of key changes in a stated history, against the records that corrected them.

use dalil_phrasebook::{Phrase, proof_check, trail_check};

use super::line::{PayloadField, TrailLine};
use crate::fault::quote;
use crate::keyring::redating::{KeyRedating, NotRedatable, REDATING_FIELD, check_needed};
use crate::keyring::{KeyChangeKind, KeyHistoryEntry};
use crate::report::{CheckStatus, notes::CheckNotes};
use crate::time::Time;

/// The corrections that the records make.
#[derive(Clone, Debug, Default)]
pub(super) struct RedatingLog {
    told: Vec<RecordedRedating>,
    /// Records whose field is not shown.
    hidden: u64,
    /// Records beyond what a history can have.
    more: u64,
}

#[derive(Clone, Debug)]
struct RecordedRedating {
    index: u64,
    at: Time,
    redating: KeyRedating,
}

impl RedatingLog {
    /// Looks at a `key.redated` record; `most` is how many changes the history has.
    pub(super) fn follow(&mut self, line: &TrailLine<'_>, most: usize, notes: &mut CheckNotes) {
        // Each record corrects a change that no other does, so there are no more of them.
        if self.told.len() >= most {
            self.more += 1;
            return;
        }
        let (index, at) = (line.index, line.record.envelope().at);
        match line.shown(REDATING_FIELD) {
            Some(PayloadField::Present { bytes, .. }) => match KeyRedating::parse(bytes) {
                Ok(redating) => self.told.push(RecordedRedating { index, at, redating }),
                Err(_) => notes.fail(|| trail_check::record_without_redating(index)),
            },
            Some(
                PayloadField::Lake { .. } | PayloadField::Erased { .. } | PayloadField::Withheld,
            )
            | None => self.hidden += 1,
        }
    }

    /// Compares the corrections of `history` with the records; `placed` is the index of each change
    /// of the history in the file, if it has one. Returns a note on each correction that holds.
    pub(super) fn check(
        &self,
        history: &[KeyHistoryEntry],
        placed: &[Option<u64>],
        notes: &mut CheckNotes,
    ) -> CheckNotes {
        let mut held = CheckNotes::default();
        if self.more > 0 {
            let more = self.more;
            notes.fail(|| trail_check::redatings_without_change(more));
        }
        let mut by = vec![None; history.len()];
        for told in &self.told {
            for change in &told.redating.changes {
                let index = told.index;
                let line = history.iter().position(|entry| change.is_about(entry));
                let stated = line.and_then(|n| history.get(n)).and_then(|entry| entry.redated);
                let corrected = line.and_then(|n| by.get_mut(n));
                let (Some(n), Some(by), true) = (line, corrected, stated == Some(change.at)) else {
                    notes.fail(|| trail_check::redating_not_in_history(index, &change.key));
                    continue;
                };
                // The change must come before the record that corrects its date.
                let is_later = placed.get(n).copied().flatten().is_some_and(|at| at > index);
                let allowed = match (*by, is_later) {
                    (Some(_), _) => Err(NotRedatable::Twice),
                    (None, true) => Err(NotRedatable::Unknown),
                    (None, false) => check_needed(history, n, told.at),
                };
                *by = Some(index);
                if let Err(why) = allowed {
                    notes.fail(|| {
                        trail_check::redating_not_allowed(index, &change.key, why.phrase())
                    });
                    continue;
                }
                if let Some(entry) = history.get(n) {
                    held.add(CheckStatus::Pass, || taken(entry, index, &told.redating.reason));
                }
            }
        }
        self.unrecorded(history, &by, placed, notes);
        held
    }

    /// Notes the corrections of a history that no record in the file makes.
    fn unrecorded(
        &self,
        history: &[KeyHistoryEntry],
        by: &[Option<u64>],
        placed: &[Option<u64>],
        notes: &mut CheckNotes,
    ) {
        for (n, entry) in history.iter().enumerate() {
            let is_recorded = by.get(n).copied().flatten().is_some();
            let Some(redated) = entry.redated.filter(|_| !is_recorded) else { continue };
            // The record may be one whose field is not shown, or one before this file.
            let may_be_elsewhere = self.hidden > 0 || placed.get(n).copied().flatten().is_none();
            let verdict =
                if may_be_elsewhere { CheckStatus::Incomplete } else { CheckStatus::Fail };
            notes.add(verdict, || trail_check::redating_without_record(&entry.key, redated));
        }
        if self.hidden > 0 {
            let hidden = self.hidden;
            notes.add(CheckStatus::Incomplete, || trail_check::redatings_not_shown(hidden));
        }
    }
}

/// The text of a correction, for the reader of a report.
fn taken(entry: &KeyHistoryEntry, by: u64, reason: &str) -> Phrase {
    let word = KeyChangeKind::WIRE_NAMES.iter().find(|(_, change)| *change == entry.change);
    let change = word.map_or("", |(word, _)| word);
    let (at, redated) = (entry.at, entry.time());
    let message = trail_check::key_change_redated(change, &entry.key, at, redated, quote(reason));
    message.about(proof_check::record(by))
}
