//! Legal holds: records that must not be erased, and until when.
//!
//! A hold is two records, `hold.placed` and perhaps `hold.lifted`, that commit
//! to the same id. While it is in place, no legal basis overrides it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use dalil_phrasebook::{Phrase, error, expected, found};
use serde::{Serialize, Serializer};
use thiserror::Error;

use crate::canon;
use crate::decode::{self, JsonReader};
use crate::fault::{Fault, Refused, quote};
use crate::id::{EXPECTED_GIVEN_ID, is_given};
use crate::record::RecordKind;

#[cfg(test)]
mod tests;

/// Which records are meant: by a hold, or by an erasure.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RecordScope {
    /// Every record, written `all`.
    All,
    /// Records of one kind, written `kind:pack.sealed`.
    Kind(RecordKind),
    /// Records about one thing, written `subject:ob-001`.
    Subject(String),
}

impl RecordScope {
    /// The form of a scope, for messages.
    pub const EXPECTED: Phrase = expected::record_scope();

    /// Whether a record of this kind about this subject is meant.
    pub fn covers(&self, kind: RecordKind, subject: &str) -> bool {
        match self {
            Self::All => true,
            Self::Kind(own) => *own == kind,
            Self::Subject(own) => own == subject,
        }
    }

    pub(crate) fn read(reader: JsonReader<'_, '_>) -> Option<Self> {
        reader.parsed("scope", Self::EXPECTED)
    }
}

/// Text that is not a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected {}", RecordScope::EXPECTED.english())]
pub struct NotAScope;

impl FromStr for RecordScope {
    type Err = NotAScope;

    fn from_str(text: &str) -> Result<Self, NotAScope> {
        let kind = |word| RecordKind::WORDS.iter().find(|(own, _)| *own == word);
        // At the first colon: a subject may contain more of them.
        match text.split_once(':') {
            None if text == "all" => Ok(Self::All),
            Some(("kind", word)) => kind(word).map(|(_, kind)| Self::Kind(*kind)).ok_or(NotAScope),
            Some(("subject", id)) if is_given(id) => Ok(Self::Subject(id.to_owned())),
            Some(_) | None => Err(NotAScope),
        }
    }
}

impl fmt::Display for RecordScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("all"),
            Self::Kind(kind) => write!(f, "kind:{kind}"),
            Self::Subject(id) => write!(f, "subject:{id}"),
        }
    }
}

impl Serialize for RecordScope {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A hold: the field [`HOLD_FIELD`] of the records that place and lift it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Hold {
    /// The hold's own name: a given id.
    pub hold_id: String,
    /// The reason, in the words of the person who placed or lifted it.
    pub reason: String,
    /// Its scope.
    pub scope: RecordScope,
}

/// The name of the field that `hold.placed` and `hold.lifted` commit to.
pub const HOLD_FIELD: &str = "hold";

impl Hold {
    /// Reads the canonical bytes of the field.
    ///
    /// # Errors
    /// Every fault in them; another spelling.
    pub fn parse(bytes: &[u8]) -> Result<Self, Refused> {
        let hold = decode::request(bytes, Self::read)?;
        match hold.bytes() {
            Ok(canonical) if canonical == bytes => Ok(hold),
            Ok(_) => Err(Fault::new(
                "canonical",
                "$",
                expected::canonical_json(),
                found::another_spelling(),
            )
            .into()),
            Err(refused) => Err(refused),
        }
    }

    /// The canonical bytes of the field.
    ///
    /// # Errors
    /// An id or a reason that the format does not have.
    pub fn bytes(&self) -> Result<Vec<u8>, Refused> {
        // The fields are public, so a value may break the rules: the reader of the format decides.
        let bytes = canon::bytes(self)?;
        decode::request(&bytes, Self::read).map(|_| bytes)
    }

    fn read(reader: JsonReader<'_, '_>) -> Option<Self> {
        let mut fields = reader.object()?;
        let hold_id = fields.required("hold_id", given);
        let reason = fields.required("reason", decode::filled);
        let scope = fields.required("scope", RecordScope::read);
        fields.done()?;
        Some(Self { hold_id: hold_id?, reason: reason?, scope: scope? })
    }
}

/// The holds that are in place, by their ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HoldSet {
    placed: BTreeMap<String, Hold>,
    /// Further subjects that a hold covers, by its id.
    rests_on: BTreeMap<String, BTreeSet<String>>,
}

impl HoldSet {
    /// Places a hold.
    ///
    /// # Errors
    /// A hold of that id is in place.
    pub fn place(&mut self, hold: Hold) -> Result<(), HoldChangeError> {
        // To replace it could narrow the scope without a record that lifts the first one.
        if self.placed.contains_key(&hold.hold_id) {
            return Err(HoldChangeError::Placed { hold_id: hold.hold_id });
        }
        self.placed.insert(hold.hold_id.clone(), hold);
        Ok(())
    }

    /// Lifts a hold and gives it back.
    ///
    /// # Errors
    /// No hold of that id is in place.
    pub fn lift(&mut self, hold_id: &str) -> Result<Hold, HoldChangeError> {
        let unknown = || HoldChangeError::Unknown { hold_id: hold_id.to_owned() };
        self.rests_on.remove(hold_id);
        self.placed.remove(hold_id).ok_or_else(unknown)
    }

    /// The holds that are in place, in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = &Hold> {
        self.placed.values()
    }

    /// Lets a hold cover the evidence of its subject as well: the records about these subjects.
    pub fn widen(&mut self, hold_id: &str, subjects: BTreeSet<String>) {
        if self.placed.contains_key(hold_id) {
            self.rests_on.entry(hold_id.to_owned()).or_default().extend(subjects);
        }
    }

    /// The holds that cover a record, in the order of their ids.
    pub fn covering(&self, kind: RecordKind, subject: &str) -> impl Iterator<Item = &Hold> {
        self.iter().filter(move |hold| {
            let rests_on = self.rests_on.get(&hold.hold_id);
            hold.scope.covers(kind, subject) || rests_on.is_some_and(|own| own.contains(subject))
        })
    }
}

/// Why a hold was neither placed nor lifted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HoldChangeError {
    /// It is in place already.
    Placed {
        /// The id.
        hold_id: String,
    },
    /// There is none.
    Unknown {
        /// The id.
        hold_id: String,
    },
}

impl HoldChangeError {
    /// Why, as a person reads it.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Placed { hold_id } => error::hold_in_place(quote(hold_id)),
            Self::Unknown { hold_id } => error::no_such_hold(quote(hold_id)),
        }
    }
}

dalil_phrasebook::spoken_error!(HoldChangeError);

/// Reads a given id.
pub fn given(reader: JsonReader<'_, '_>) -> Option<String> {
    let text = decode::text(reader)?;
    if is_given(text) { Some(text.to_owned()) } else { reader.refuse("name", EXPECTED_GIVEN_ID) }
}
