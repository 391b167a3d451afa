//! Completeness of obligations: a signed statement of which expected ones have evidence.
//!
//! ```text
//! expected ids + records below a checkpoint ─▶ CompletenessStatement ─sign─▶ DSSE envelope
//! envelope + trail export + expected ids ─CompletenessVerifier─▶ report
//! ```
//!
//! The statement is over a checkpoint, so anyone who has the trail up to it can recompute
//! the answer and need not trust its signer.

use std::collections::BTreeMap;

use dalil_phrasebook::{expected, found};
use dalil_proof::canon::{self, NotCanonical};
use dalil_proof::checkpoint::Checkpoint;
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::digest::Digest;
use dalil_proof::dsse::DsseEnvelope;
use dalil_proof::fault::{Fault, Refused};
use dalil_proof::json::MAX_INTEGER;
use dalil_proof::key::SecretKey;
use dalil_proof::note::UnverifiedNote;
use dalil_proof::record::RecordKind;
use dalil_proof::time::Time;
use dalil_proof::tree::TreeHead;
use serde::Serialize;

#[cfg(test)]
mod tests;
mod verify;

pub use verify::{CompletenessVerifier, is_statement, unverified_origin, verify};

/// Which of the expected obligations have evidence, in a trail of a given size.
///
/// Invariant: the lists are in order of ids, an id is in one of them and once, the digest is that
/// of all the ids, and the head is that of the checkpoint. The ways in are
/// [`CompletenessStatement::new`] and [`CompletenessStatement::parse`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CompletenessStatement {
    checkpoint: String,
    expected: ExpectedList,
    found: Vec<FoundObligation>,
    made_at: Time,
    missing: Vec<UncoveredObligation>,
    root: Digest,
    size: u64,
}

/// The list that was asked about, by its digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ExpectedList {
    /// How many different ids.
    pub count: u64,
    /// The digest of [`expected_digest`].
    pub sha256: Digest,
}

/// An obligation with evidence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FoundObligation {
    /// The newest record of its evidence.
    pub index: u64,
    /// The obligation.
    pub obligation_id: String,
}

/// An obligation without evidence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UncoveredObligation {
    /// The obligation.
    pub obligation_id: String,
    /// Why.
    pub why: MissingCause,
}

/// Why an obligation has no evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MissingCause {
    /// Its evidence was recorded, and erased.
    Erased,
    /// It was skipped: it had no evidence, and that was recorded.
    Skipped,
    /// Only changes of its status were recorded.
    StatusOnly,
    /// Nothing was recorded about it.
    NeverRecorded,
}

impl MissingCause {
    const WIRE_NAMES: &[(&'static str, Self)] = &[
        ("erased", Self::Erased),
        ("skipped", Self::Skipped),
        ("status_only", Self::StatusOnly),
        ("never_recorded", Self::NeverRecorded),
    ];
}

/// The evidence of one obligation in the records up to a checkpoint, followed record by record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ObligationTrace {
    found: Option<u64>,
    is_erased: bool,
    is_skipped: bool,
    is_changed: bool,
}

impl ObligationTrace {
    /// Follows a record about the obligation; `erased_by` is the record that erased its payload.
    ///
    /// `size` is the checkpoint's: what came after it does not count.
    pub fn follow(&mut self, kind: RecordKind, index: u64, erased_by: Option<u64>, size: u64) {
        if index >= size {
            return;
        }
        match kind {
            RecordKind::ObligationRecorded if erased_by.is_some_and(|by| by < size) => {
                self.is_erased = true;
            }
            RecordKind::ObligationRecorded => self.found = self.found.max(Some(index)),
            RecordKind::ObligationSkipped => self.is_skipped = true,
            RecordKind::ObligationStatusChanged => self.is_changed = true,
            // Other things may have the name of an obligation.
            _ => {}
        }
    }

    /// The newest record of its evidence, or why there is none.
    ///
    /// # Errors
    /// Why there is none.
    pub fn outcome(&self) -> Result<u64, MissingCause> {
        match *self {
            Self { found: Some(index), .. } => Ok(index),
            Self { is_erased: true, .. } => Err(MissingCause::Erased),
            Self { is_skipped: true, .. } => Err(MissingCause::Skipped),
            Self { is_changed: true, .. } => Err(MissingCause::StatusOnly),
            Self { .. } => Err(MissingCause::NeverRecorded),
        }
    }
}

/// The digest of a list of ids: SHA-256 of the canonical JSON array of the different ones, in
/// order of their code points.
///
/// # Errors
/// None: texts have a canonical form.
pub fn expected_digest<'i>(
    ids: impl IntoIterator<Item = &'i str>,
) -> Result<ExpectedList, NotCanonical> {
    let ids: std::collections::BTreeSet<&str> = ids.into_iter().collect();
    Ok(ExpectedList { count: ids.len() as u64, sha256: canon::digest(&ids)? })
}

/// Reads `{"expected_obligation_ids":[…]}`.
///
/// # Errors
/// Every fault in the request.
pub fn expected_ids(request: &[u8]) -> Result<Vec<String>, Refused> {
    decode::request(request, |reader| {
        let mut fields = reader.object()?;
        let ids = fields.required("expected_obligation_ids", |ids| ids.list(decode::filled));
        fields.done()?;
        ids
    })
}

impl CompletenessStatement {
    /// States the findings below a checkpoint.
    ///
    /// # Errors
    /// A note that is no checkpoint.
    pub fn new(
        checkpoint: &UnverifiedNote,
        traces: &BTreeMap<String, ObligationTrace>,
        made_at: Time,
    ) -> Result<Self, Refused> {
        let TreeHead { size, root } = head(checkpoint).ok_or_else(not_a_checkpoint)?;
        let expected = expected_digest(traces.keys().map(String::as_str))?;
        let (mut found, mut missing) = (Vec::new(), Vec::new());
        for (id, trace) in traces {
            let obligation_id = id.clone();
            match trace.outcome() {
                Ok(index) => found.push(FoundObligation { index, obligation_id }),
                Err(why) => missing.push(UncoveredObligation { obligation_id, why }),
            }
        }
        let checkpoint = checkpoint.to_string();
        Ok(Self { checkpoint, expected, found, made_at, missing, root, size })
    }

    /// Reads the bytes of a statement.
    ///
    /// # Errors
    /// Every fault in them; lists, a digest or a head that do not belong together.
    pub fn parse(payload: &[u8]) -> Result<Self, Refused> {
        let statement = decode::request(payload, Self::read)?;
        statement.check()?;
        match canon::bytes(&statement) {
            Ok(canonical) if canonical == payload => Ok(statement),
            _ => Err(Fault::new(
                "canonical",
                "$",
                expected::canonical_json(),
                found::another_spelling(),
            )
            .into()),
        }
    }

    /// Signs the statement.
    ///
    /// # Errors
    /// None: a statement has a canonical form.
    pub fn sign(&self, key: &SecretKey) -> Result<DsseEnvelope, NotCanonical> {
        Ok(DsseEnvelope::sign(COMPLETENESS_PAYLOAD_TYPE, canon::bytes(self)?, key))
    }

    /// The obligations without evidence, in order of their ids.
    pub fn missing(&self) -> &[UncoveredObligation] {
        &self.missing
    }

    /// The size and root that it is about.
    pub fn head(&self) -> TreeHead {
        TreeHead { size: self.size, root: self.root }
    }

    /// The checkpoint, which nothing vouches for before it is verified.
    fn note(&self) -> Option<UnverifiedNote> {
        UnverifiedNote::parse(self.checkpoint.as_bytes()).ok()
    }

    /// Every id, in order.
    fn outcomes(&self) -> BTreeMap<&str, Result<u64, MissingCause>> {
        let found = self.found.iter().map(|one| (one.obligation_id.as_str(), Ok(one.index)));
        let missing = self.missing.iter().map(|one| (one.obligation_id.as_str(), Err(one.why)));
        found.chain(missing).collect()
    }

    fn read(reader: JsonReader<'_, '_>) -> Option<Self> {
        let mut fields = reader.object()?;
        let checkpoint = fields.required("checkpoint", decode::owned);
        let expected = fields.required("expected", expected_list);
        let found = fields.required("found", |list| list.list(found_obligation));
        let made_at = fields.required("made_at", decode::time);
        let missing = fields.required("missing", |list| list.list(uncovered));
        let root = fields.required("root", decode::digest);
        let size = fields.required("size", |size| size.whole(0..=MAX_INTEGER));
        fields.done()?;
        Some(Self {
            checkpoint: checkpoint?,
            expected: expected?,
            found: found?,
            made_at: made_at?,
            missing: missing?,
            root: root?,
            size: size?,
        })
    }

    fn check(&self) -> Result<(), Refused> {
        let ordered = self.found.is_sorted_by(|a, b| a.obligation_id < b.obligation_id)
            && self.missing.is_sorted_by(|a, b| a.obligation_id < b.obligation_id);
        let outcomes = self.outcomes();
        if !ordered || outcomes.len() != self.found.len() + self.missing.len() {
            let expected = expected::each_id_once_in_found_or_in_missing_in_order();
            return Err(Fault::new("order", "$", expected, found::others()).into());
        }
        if expected_digest(outcomes.keys().copied()).ok() != Some(self.expected) {
            let expected = expected::the_number_and_the_digest_of_the_ids_that_are_here();
            return Err(Fault::new("digest", "expected", expected, found::others()).into());
        }
        if self.note().as_ref().and_then(head) != Some(self.head()) {
            let expected = expected::a_checkpoint_with_this_size_and_root();
            return Err(Fault::new("checkpoint", "checkpoint", expected, found::another()).into());
        }
        Ok(())
    }
}

fn head(note: &UnverifiedNote) -> Option<TreeHead> {
    Checkpoint::parse(note.unverified_text()).ok().map(|checkpoint| *checkpoint.head())
}

fn not_a_checkpoint() -> Fault {
    Fault::new("checkpoint", "checkpoint", expected::a_checkpoint(), found::another_note())
}

fn expected_list(reader: JsonReader<'_, '_>) -> Option<ExpectedList> {
    let mut fields = reader.object()?;
    let count = fields.required("count", |count| count.whole(0..=MAX_INTEGER));
    let sha256 = fields.required("sha256", decode::digest);
    fields.done()?;
    Some(ExpectedList { count: count?, sha256: sha256? })
}

fn found_obligation(reader: JsonReader<'_, '_>) -> Option<FoundObligation> {
    let mut fields = reader.object()?;
    let index = fields.required("index", |index| index.whole(0..=MAX_INTEGER));
    let obligation_id = fields.required("obligation_id", decode::filled);
    fields.done()?;
    Some(FoundObligation { index: index?, obligation_id: obligation_id? })
}

fn uncovered(reader: JsonReader<'_, '_>) -> Option<UncoveredObligation> {
    let mut fields = reader.object()?;
    let obligation_id = fields.required("obligation_id", decode::filled);
    let why = fields.required("why", |why| why.choice(MissingCause::WIRE_NAMES));
    fields.done()?;
    Some(UncoveredObligation { obligation_id: obligation_id?, why: why? })
}

/// The media type of a statement in an envelope.
pub const COMPLETENESS_PAYLOAD_TYPE: &str = "application/vnd.dalil.completeness+json";
