//! Corrections of the dates of key changes: the field `redating` of `key.redated` records.
//!
//! A record is never changed, and a key history whose times run backwards is
//! invalid. If one exists all the same, a record corrects it: it gives the dates
//! that count for the changes, and the reason.

use dalil_phrasebook::{Phrase, error, expected, found};
use serde::Serialize;

use super::{KeyChangeKind, KeyHistoryEntry, read_key};
use crate::canon;
use crate::decode::{self, JsonReader};
use crate::fault::{Fault, Refused};
use crate::key::PublicKey;
use crate::time::Time;

/// The content of a `key.redated` record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KeyRedating {
    /// The changes, each with the time it is to be taken as of.
    pub changes: Vec<RedatedChange>,
    /// Why.
    pub reason: String,
}

/// A change of a key, and when it is to be taken to have happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RedatedChange {
    /// When.
    pub at: Time,
    /// What.
    pub change: KeyChangeKind,
    /// To which key.
    pub key: PublicKey,
}

impl KeyRedating {
    /// Reads the field of a record, in its one spelling.
    ///
    /// # Errors
    /// Every fault in it.
    pub fn parse(bytes: &[u8]) -> Result<Self, Refused> {
        let redating = decode::request(bytes, Self::read)?;
        if redating.bytes()? == bytes {
            return Ok(redating);
        }
        let expected = expected::canonical_json();
        Err(Fault::new("canonical", "$", expected, found::another_spelling()).into())
    }

    /// The canonical bytes of the field.
    ///
    /// # Errors
    /// No change, or an empty reason.
    pub fn bytes(&self) -> Result<Vec<u8>, Refused> {
        // The fields are public, so a value may break the rules: the reader of the format decides.
        let bytes = canon::bytes(self)?;
        decode::request(&bytes, Self::read).map(|_| bytes)
    }

    fn read(reader: JsonReader<'_, '_>) -> Option<Self> {
        let mut fields = reader.object()?;
        let changes = fields.required("changes", |list| {
            let changes = list.list(RedatedChange::read)?;
            let is_empty = changes.is_empty();
            if is_empty { list.refuse("empty", expected::a_change()) } else { Some(changes) }
        });
        let reason = fields.required("reason", decode::filled);
        fields.done()?;
        Some(Self { changes: changes?, reason: reason? })
    }
}

impl RedatedChange {
    fn read(reader: JsonReader<'_, '_>) -> Option<Self> {
        let mut fields = reader.object()?;
        let at = fields.required("at", decode::time);
        let change = fields.required("change", |change| change.choice(KeyChangeKind::WIRE_NAMES));
        let key = fields.required("key", read_key);
        fields.done()?;
        Some(Self { at: at?, change: change?, key: key? })
    }

    /// Whether it is about this line of a history. A key is added, retired and revoked once each.
    pub fn is_about(&self, entry: &KeyHistoryEntry) -> bool {
        self.change == entry.change && self.key == entry.key
    }
}

/// Why a date may not be corrected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotRedatable {
    /// The history has no such change.
    Unknown,
    /// Its date was corrected before.
    Twice,
    /// Its own date can be.
    Possible,
    /// The time it is to be taken as of has not come.
    Future,
}

impl NotRedatable {
    /// Why, as a person reads it.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Unknown => error::a_change_that_was_not_recorded_before(),
            Self::Twice => error::a_date_that_was_corrected_before(),
            Self::Possible => error::a_date_that_needs_no_correction(),
            Self::Future => error::a_corrected_date_in_the_future(),
        }
    }
}

dalil_phrasebook::spoken_error!(NotRedatable);

/// The name of the field that `key.redated` commits to.
pub const REDATING_FIELD: &str = "redating";

/// Whether the correction of line `n` of a history may be made by a record of the time `on`.
///
/// `history` has the corrections that are to be made, this one among them.
///
/// # Errors
/// Why it may not.
pub fn check_needed(history: &[KeyHistoryEntry], n: usize, on: Time) -> Result<(), NotRedatable> {
    let Some(entry) = history.get(n) else { return Err(NotRedatable::Unknown) };
    if entry.time() > on {
        return Err(NotRedatable::Future);
    }
    let mut before = history.iter().take(n);
    let mut after = history.iter().skip(n + 1);
    let is_impossible = entry.at > on
        || before.any(|line| line.time() > entry.at)
        || after.any(|line| line.time() < entry.at);
    if is_impossible { Ok(()) } else { Err(NotRedatable::Possible) }
}
