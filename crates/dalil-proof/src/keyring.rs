//! Key history: the keys that may sign for a trail, and their retirements and revocations.
//!
//! A retired key was taken out of use by its owner; its signatures stay valid. A
//! revoked key may be in the hands of an attacker, who can date a signature at
//! will; its signatures are valid only where a trusted party saw them before.

use std::collections::{BTreeMap, BTreeSet};

use dalil_phrasebook::{Phrase, error, proof_check};
use serde::Serialize;

use crate::decode::{self, JsonReader};
use crate::fault::quote;
use crate::key::{KeyId, PublicKey, SignatureScheme};
use crate::report::CheckStatus;
use crate::time::Time;

pub mod redating;
#[cfg(test)]
mod tests;

/// What happened to a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum KeyChangeKind {
    /// It may sign from here on.
    Added,
    /// Its owner put it away.
    Retired,
    /// It is no longer to be trusted.
    Revoked,
}

impl KeyChangeKind {
    /// Every change with the word it is written as.
    pub const WIRE_NAMES: &[(&'static str, Self)] =
        &[("added", Self::Added), ("retired", Self::Retired), ("revoked", Self::Revoked)];
}

/// One line of a key history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KeyHistoryEntry {
    /// The time in its record.
    pub at: Time,
    /// What.
    pub change: KeyChangeKind,
    /// To which key.
    pub key: PublicKey,
    /// The time that it is taken as of, where its record has a date that cannot be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redated: Option<Time>,
}

impl KeyHistoryEntry {
    /// When it happened.
    pub fn time(&self) -> Time {
        self.redated.unwrap_or(self.at)
    }
}

/// The keys of a trail with their states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Keyring {
    held: Vec<PublicKey>,
    lives: Vec<KeyLifetime>,
    /// Where each key is in both, by its bytes. A stranger's file may name a hundred thousand keys,
    /// and comparing each with all others would take minutes.
    places: BTreeMap<[u8; 32], usize>,
    /// The names and ids of all keys.
    names: BTreeSet<(String, KeyId)>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct KeyLifetime {
    /// When it was added; nothing for a key that the verifier pinned by itself.
    added: Option<Time>,
    retired: Option<Time>,
    revoked: Option<Time>,
}

/// The known times of a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SigningTime {
    /// The time that the signed record states, when there is one.
    pub claimed: Option<Time>,
    /// A time at which a trusted party has seen the signature.
    pub seen: Option<Time>,
}

impl Keyring {
    /// Holds `pinned` keys and replays a history over them, oldest line first.
    ///
    /// # Errors
    /// The first line that cannot follow the ones before it.
    pub fn new(pinned: Vec<PublicKey>, history: &[KeyHistoryEntry]) -> Result<Self, BadKeyHistory> {
        let mut ring = Self::default();
        for key in pinned {
            ring.add(key, None).map_err(|why| BadKeyHistory { line: 0, why })?;
        }
        let mut last = None;
        for (line, entry) in (1..).zip(history) {
            let dated = possible_time(entry, last);
            dated.and_then(|()| ring.apply(entry)).map_err(|why| BadKeyHistory { line, why })?;
            last = Some(entry.time());
        }
        Ok(ring)
    }

    /// Every key that was ever held, whatever became of it.
    pub fn keys(&self) -> &[PublicKey] {
        &self.held
    }

    /// The time of the first key, if the history is complete: nothing in the trail is older.
    pub fn begins(&self) -> Option<Time> {
        let added: Option<Vec<Time>> = self.lives.iter().map(|life| life.added).collect();
        added?.into_iter().min()
    }

    /// The time when a key was added, if the history has it.
    pub fn added(&self, key: &PublicKey) -> Option<Time> {
        self.find(key).and_then(|n| self.lives.get(n)).and_then(|life| life.added)
    }

    /// Whether a good signature by `key` is to be believed, and why.
    pub fn standing(&self, key: &PublicKey, signed: SigningTime) -> (CheckStatus, Phrase) {
        let name = quote(key.name());
        let Some(end) = self.find(key).and_then(|n| self.lives.get(n)) else {
            let message = proof_check::not_a_key_of_this_trail(name);
            return (CheckStatus::Fail, message);
        };
        // A revocation decides before a retirement. A thief of a revoked key
        // can back-date a record, so the claimed time does not count there.
        match (end.revoked, signed.seen, end.retired) {
            (Some(revoked), Some(seen), _) if seen < revoked => {
                (CheckStatus::Pass, proof_check::key_revoked_after_seen(name, revoked, seen))
            }
            (Some(revoked), Some(seen), _) => {
                (CheckStatus::Incomplete, proof_check::key_revoked_before_seen(name, revoked, seen))
            }
            (Some(revoked), None, _) => {
                (CheckStatus::Incomplete, proof_check::key_revoked_time_unknown(name, revoked))
            }
            (None, _, None) => (CheckStatus::Pass, proof_check::key_in_use(name)),
            // A retired key stayed with its owner, so the date in its own record may be believed.
            (None, seen, Some(retired)) => match signed.claimed.or(seen) {
                Some(time) if time <= retired => {
                    let message = proof_check::key_retired_after(name, retired);
                    (CheckStatus::Pass, message)
                }
                // Without a record there is no date after the
                // retirement to fail; seen late may be signed early.
                Some(_) if signed.claimed.is_none() => {
                    (CheckStatus::Incomplete, proof_check::key_retired_seen_before(name, retired))
                }
                Some(time) => {
                    (CheckStatus::Fail, proof_check::key_retired_signed_later(name, retired, time))
                }
                None => {
                    (CheckStatus::Incomplete, proof_check::key_retired_time_unknown(name, retired))
                }
            },
        }
    }

    /// The best standing of several keys that signed the same: one good key is enough, and the
    /// others can add nothing and take nothing away. `None` when there are no keys.
    pub fn best_standing<'k>(
        &self,
        keys: impl IntoIterator<Item = &'k PublicKey>,
        signed: SigningTime,
    ) -> Option<(CheckStatus, Phrase)> {
        let standings = keys.into_iter().map(|key| self.standing(key, signed));
        standings.min_by_key(|(verdict, _)| match verdict {
            CheckStatus::Pass => 0,
            CheckStatus::Incomplete => 1,
            CheckStatus::Fail => 2,
        })
    }

    /// As [`best_standing`](Self::best_standing), of keys that signed at the very time that is
    /// claimed: none signs before it was added.
    pub fn best_seal_standing<'k>(
        &self,
        keys: impl IntoIterator<Item = &'k PublicKey>,
        signed: SigningTime,
    ) -> Option<(CheckStatus, Phrase)> {
        let is_early =
            |key: &&PublicKey| self.added(key).zip(signed.claimed).filter(|(a, c)| a > c);
        let (early, others): (Vec<_>, Vec<_>) =
            keys.into_iter().partition(|key| is_early(key).is_some());
        let best = self.best_standing(others, signed);
        best.or_else(|| {
            let key = early.first()?;
            let (added, claimed) = is_early(key)?;
            let name = quote(key.name());
            let message = proof_check::key_added_later(name, added, claimed);
            Some((CheckStatus::Fail, message))
        })
    }

    fn apply(&mut self, entry: &KeyHistoryEntry) -> Result<(), KeyHistoryFault> {
        let (at, change, key) = (&entry.time(), &entry.change, &entry.key);
        // A key that is held falls through, so that adding it again is a fault below.
        if *change == KeyChangeKind::Added && self.find(key).is_none() {
            return self.add(key.clone(), Some(*at));
        }
        let end =
            self.find(key).and_then(|n| self.lives.get_mut(n)).ok_or(KeyHistoryFault::Unknown)?;
        match (change, &end) {
            (_, KeyLifetime { revoked: Some(_), .. }) => Err(KeyHistoryFault::Revoked),
            (KeyChangeKind::Added, _) => Err(KeyHistoryFault::Twice),
            (KeyChangeKind::Retired, KeyLifetime { retired: Some(_), .. }) => {
                Err(KeyHistoryFault::Twice)
            }
            (KeyChangeKind::Retired, _) => {
                end.retired = Some(*at);
                Ok(())
            }
            (KeyChangeKind::Revoked, _) => {
                end.revoked = Some(*at);
                Ok(())
            }
        }
    }

    fn add(&mut self, key: PublicKey, added: Option<Time>) -> Result<(), KeyHistoryFault> {
        if key.scheme() != SignatureScheme::Plain {
            return Err(KeyHistoryFault::Scheme);
        }
        // Two keys that signatures cannot tell apart would make one history two, and
        // one key under two names would outlive its revocation under the other.
        let is_new = self.names.insert((key.name().to_owned(), key.id()));
        if !is_new || self.places.insert(*key.as_bytes(), self.held.len()).is_some() {
            return Err(KeyHistoryFault::Twice);
        }
        self.held.push(key);
        self.lives.push(KeyLifetime { added, ..KeyLifetime::default() });
        Ok(())
    }

    fn find(&self, key: &PublicKey) -> Option<usize> {
        self.places.get(key.as_bytes()).copied().filter(|n| self.held.get(*n) == Some(key))
    }
}

/// Whether a change can have happened at its stated time, after the `last` one before it.
fn possible_time(entry: &KeyHistoryEntry, last: Option<Time>) -> Result<(), KeyHistoryFault> {
    // Equal times are possible: several keys can change within one millisecond.
    if last > Some(entry.time()) {
        return Err(KeyHistoryFault::Order);
    }
    // A later date for a change extends trust to signatures made in between, so its own date must
    // be impossible. Whether an earlier date was necessary, only the records can show.
    let is_later = entry.redated.is_some_and(|redated| redated > entry.at);
    if is_later && last <= Some(entry.at) {
        return Err(KeyHistoryFault::Redated);
    }
    Ok(())
}

/// A history that cannot have happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadKeyHistory {
    /// The line, from 1; 0 for the pinned keys.
    pub line: usize,
    /// The fault.
    pub why: KeyHistoryFault,
}

impl BadKeyHistory {
    /// Why, as a person reads it.
    pub fn phrase(&self) -> Phrase {
        error::bad_key_history(self.line, self.why.phrase())
    }
}

dalil_phrasebook::spoken_error!(BadKeyHistory);

/// A fault in a line of a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyHistoryFault {
    /// A cosigner key.
    Scheme,
    /// The same change again, or a key that is confusable with another.
    Twice,
    /// No such key.
    Unknown,
    /// The key is gone for good.
    Revoked,
    /// Time runs backwards.
    Order,
    /// A later date in place of one that was possible.
    Redated,
}

impl KeyHistoryFault {
    /// Why, as a person reads it.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Scheme => error::cosigner_key(),
            Self::Twice => error::a_change_that_was_made_before(),
            Self::Unknown => error::a_key_that_was_never_added(),
            Self::Revoked => error::a_change_to_a_key_that_was_revoked_before(),
            Self::Order => error::a_time_before_the_line_above_it(),
            Self::Redated => error::a_later_time_in_place_of_one_that_was_possible(),
        }
    }
}

dalil_phrasebook::spoken_error!(KeyHistoryFault);

/// Reads one line of a history: `{"at","change","key","redated"?}`.
pub fn read_entry(reader: JsonReader<'_, '_>) -> Option<KeyHistoryEntry> {
    let mut fields = reader.object()?;
    let at = fields.required("at", decode::time);
    let change = fields.required("change", |change| change.choice(KeyChangeKind::WIRE_NAMES));
    let key = fields.required("key", read_key);
    let redated = fields.optional("redated", decode::time);
    fields.done()?;
    Some(KeyHistoryEntry { at: at?, change: change?, key: key?, redated: redated? })
}

/// Reads a verifier key.
pub fn read_key(reader: JsonReader<'_, '_>) -> Option<PublicKey> {
    reader.parsed("key", PublicKey::EXPECTED)
}
