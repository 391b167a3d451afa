//! The key history in the header, against the records that made it.

use super::header::Header;
use super::line::{Field, Line};
use super::{KEY_FIELD, notes::Notes};
use crate::key::PublicKey;
use crate::keyring::{Change, Entry, Keyring, Signed};
use crate::record::Kind;
use crate::report::{Report, Verdict};
use crate::time::Time;
use crate::trust::Trust;

/// The changes to keys that the records tell.
#[derive(Clone, Debug, Default)]
pub(super) struct Keys {
    told: Vec<Told>,
    more: u64,
    notes: Notes,
}

#[derive(Clone, Debug)]
struct Told {
    index: u64,
    at: Time,
    change: Change,
    /// `None` when the field is not shown.
    key: Option<PublicKey>,
}

impl Keys {
    /// Looks at a record; `most` is how many changes the header has.
    pub(super) fn follow(&mut self, line: &Line<'_>, most: usize) {
        let envelope = line.record.envelope();
        let Some(change) = change(envelope.kind) else { return };
        // More than the header has is a difference already; they need not be kept.
        if self.told.len() >= most {
            self.more += 1;
            return;
        }
        let key = match line.shown(KEY_FIELD) {
            Some(Field::Present { bytes, .. }) => {
                let key = std::str::from_utf8(bytes).ok().and_then(|text| text.parse().ok());
                if key.is_none() {
                    let index = line.index;
                    self.notes.fail(|| {
                        format!("record {index}: expected a verifier key, found another text")
                    });
                }
                key
            }
            Some(Field::Lake { .. } | Field::Erased { .. } | Field::Withheld) | None => None,
        };
        self.told.push(Told { index: line.index, at: envelope.at, change, key });
    }

    pub(super) fn report(
        mut self,
        header: &Header,
        trust: &Trust,
        seen: Option<Time>,
        report: &mut Report,
    ) {
        let keys = header.keys();
        let earlier = keys.len().saturating_sub(self.told.len());
        if self.more > 0 {
            let (expected, found) = (keys.len(), self.told.len() as u64 + self.more);
            self.notes
                .fail(|| format!("expected {expected} changes, as the header has, found {found}"));
        }
        let whole = header.first() == 0;
        if whole && earlier > 0 {
            self.notes
                .fail(|| format!("expected a record for every change, found {earlier} too few"));
        }
        let before = if whole { 0 } else { earlier };
        for (told, entry) in self.told.iter().zip(keys.iter().skip(before)) {
            if differs(told, entry) {
                let (index, at, key) = (told.index, entry.at, &entry.key);
                self.notes.fail(|| {
                    format!("record {index}: expected the change to `{key}` at {at}, found another")
                });
            }
        }
        let hidden = self.told.iter().filter(|told| told.key.is_none()).count();
        if self.notes.is_empty() {
            let (verdict, message) = standing(header, trust, seen, (earlier, hidden));
            self.notes.add(verdict, || message);
        }
        self.notes.report(PART, report);
    }
}

/// What an undisputed history says about the keys that signed.
fn standing(
    header: &Header,
    trust: &Trust,
    seen: Option<Time>,
    (earlier, hidden): (usize, usize),
) -> (Verdict, String) {
    let changes = header.keys().len();
    if hidden > 0 {
        return (
            Verdict::Incomplete,
            format!("{hidden} records do not show which key they change"),
        );
    }
    if earlier > 0 {
        let message =
            format!("{earlier} of {changes} changes came before this file, by its word only");
        return (Verdict::Incomplete, message);
    }
    let agreed = || (Verdict::Pass, format!("{changes} changes, as the records tell them"));
    let ring = Keyring::new(Vec::new(), header.keys()).unwrap_or_default();
    let Ok(note) = header.checkpoint().open(trust.keyring.keys()) else { return agreed() };
    if changes == 0 {
        return agreed();
    }
    // The trail's own word can take trust away; it cannot give any.
    let signers = note.verified.iter().map(|(key, _)| *key);
    match ring.best_standing(signers, Signed { claimed: None, seen }) {
        Some((Verdict::Fail | Verdict::Incomplete, message)) => (Verdict::Incomplete, message),
        Some((Verdict::Pass, _)) | None => agreed(),
    }
}

fn differs(told: &Told, entry: &Entry) -> bool {
    let other_key = told.key.as_ref().is_some_and(|key| *key != entry.key);
    told.at != entry.at || told.change != entry.change || other_key
}

fn change(kind: Kind) -> Option<Change> {
    let changes = [
        (Kind::KeyAdded, Change::Added),
        (Kind::KeyRetired, Change::Retired),
        (Kind::KeyRevoked, Change::Revoked),
    ];
    changes.iter().find(|(own, _)| *own == kind).map(|(_, change)| *change)
}

const PART: &str = "key history";
