//! Erasure: when the payload of a record may be destroyed, and the record of it.
//!
//! The envelope stays in the trail, as visible proof that a record existed;
//! bytes and salts go. A `payload.erased` record commits to a field
//! with the scope, the legal basis and the approver.

use std::collections::BTreeSet;

use dalil_phrasebook::{Phrase, expected, found, hint};
use serde::Serialize;

use crate::canon;
use crate::decode::{self, JsonReader};
use crate::fault::{Fault, FaultCollector, Refused, quote};
use crate::hold::{HoldSet, RecordScope, given};
use crate::json::MAX_INTEGER;
use crate::record::RecordKind;
use crate::time::Time;

#[cfg(test)]
mod tests;

/// The legal grounds for an erasure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LegalBasis {
    /// The retention time is over.
    RetentionExpired,
    /// The person whom the data is about asked for it.
    DataSubjectRequest,
    /// A court ordered it.
    CourtOrder,
}

impl LegalBasis {
    /// Every basis with the word it is written as.
    pub const WIRE_NAMES: &[(&'static str, Self)] = &[
        ("retention_expired", Self::RetentionExpired),
        ("data_subject_request", Self::DataSubjectRequest),
        ("court_order", Self::CourtOrder),
    ];

    /// Whether it allows to erase before the retention time is over.
    pub fn is_early(self) -> bool {
        match self {
            Self::RetentionExpired => false,
            Self::DataSubjectRequest | Self::CourtOrder => true,
        }
    }
}

/// The records that were erased, and why: the field [`ERASURE_FIELD`] of a `payload.erased` record.
///
/// Invariant: one or more indices, ascending; the approver is a given id. The
/// ways in are [`decide`] and [`Erasure::parse`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Erasure {
    approver: String,
    erased: Vec<u64>,
    legal_basis: LegalBasis,
    scope: RecordScope,
}

/// The name of the field that `payload.erased` commits to.
pub const ERASURE_FIELD: &str = "erasure";

impl Erasure {
    /// Reads the canonical bytes of the field.
    ///
    /// # Errors
    /// Every fault in them; another spelling.
    pub fn parse(bytes: &[u8]) -> Result<Self, Refused> {
        let erasure = decode::request(bytes, Self::read)?;
        if erasure.bytes() == bytes {
            return Ok(erasure);
        }
        Err(Fault::new("canonical", "$", expected::canonical_json(), found::another_spelling())
            .into())
    }

    /// The canonical bytes of the field.
    pub fn bytes(&self) -> Vec<u8> {
        // Strings, whole numbers and known keys always have a canonical form.
        canon::bytes(self).unwrap_or_default()
    }

    /// The records whose payloads were erased, by index, ascending.
    pub fn erased(&self) -> &[u64] {
        &self.erased
    }

    /// On which basis.
    pub fn legal_basis(&self) -> LegalBasis {
        self.legal_basis
    }

    /// Who approved it.
    pub fn approver(&self) -> &str {
        &self.approver
    }

    /// The requested scope.
    pub fn scope(&self) -> &RecordScope {
        &self.scope
    }

    fn read(reader: JsonReader<'_, '_>) -> Option<Self> {
        let mut fields = reader.object()?;
        let approver = fields.required("approver", given);
        let erased = fields.required("erased", indices);
        let legal_basis =
            fields.required("legal_basis", |basis| basis.choice(LegalBasis::WIRE_NAMES));
        let scope = fields.required("scope", RecordScope::read);
        fields.done()?;
        Some(Self {
            approver: approver?,
            erased: erased?,
            legal_basis: legal_basis?,
            scope: scope?,
        })
    }
}

/// A request for an erasure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ErasureRequest {
    /// Which records.
    pub scope: RecordScope,
    /// On which basis.
    pub legal_basis: LegalBasis,
    /// Who approved it, by an opaque name.
    pub approver: String,
}

/// A record whose payload is to be erased.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErasureTarget {
    /// Its place in the trail.
    pub index: u64,
    /// What happened.
    pub kind: RecordKind,
    /// Its subject.
    pub subject: String,
    /// When it happened.
    pub at: Time,
    /// The record that erased its payload before, if one did.
    pub erased_by: Option<u64>,
}

/// Decides whether the payloads of `targets` may be erased at `now`.
///
/// # Errors
/// Every record that is in the way, with the rule, and the hold where it is one.
pub fn decide(
    request: &ErasureRequest,
    targets: &[ErasureTarget],
    holds: &HoldSet,
    now: Time,
) -> Result<Erasure, Refused> {
    let faults = FaultCollector::default();
    for target in targets {
        blocked(request, target, holds, now, &faults);
    }
    // A set sorts, and a record named twice is erased once.
    let erased: BTreeSet<u64> = targets.iter().map(|target| target.index).collect();
    let erasure = Erasure {
        approver: request.approver.clone(),
        erased: erased.into_iter().collect(),
        legal_basis: request.legal_basis,
        scope: request.scope.clone(),
    };
    let erasure = faults.into_result(Some(erasure))?;
    // Read back, so that one reader holds the invariant: no target at all, or an approver that
    // is no given id, is refused here.
    Erasure::parse(&erasure.bytes())
}

/// When the payload of a record of `at` may be erased without another basis.
///
/// `None` means never: the calendar ends before.
pub fn retain_until(at: Time) -> Option<Time> {
    at.years_later(MIN_RETENTION_YEARS)
}

/// Whether the payload of a record of this kind may ever be erased.
///
/// The tenant, keys, holds, erasures and cosignatures are the basis for judging everything else; an
/// approval whose use was forgotten could be used again, and an action on a forgotten one would
/// have no authority.
pub fn may_erase(kind: RecordKind) -> bool {
    !UNERASABLE_KINDS.contains(&kind)
}

fn blocked(
    request: &ErasureRequest,
    target: &ErasureTarget,
    holds: &HoldSet,
    now: Time,
    faults: &FaultCollector,
) {
    let ErasureTarget { index, kind, subject, at, erased_by } = target;
    let path = format!("record {index}");
    let refuse = |rule, expected: Phrase, found: Phrase| {
        faults.push_with(|| Fault::new(rule, &path, expected, found));
    };
    if !may_erase(*kind) {
        refuse("kind", expected::a_kind_that_may_be_erased(), found::value(kind));
    }
    if let Some(by) = erased_by {
        refuse("erased", expected::a_payload_that_is_there(), found::one_that_record_erased(by));
    }
    if !request.scope.covers(*kind, subject) {
        let scope = quote(&request.scope.to_string());
        refuse(
            "scope",
            expected::a_record_in_the_scope(scope),
            found::kind_of_subject(kind, quote(subject)),
        );
    }
    for hold in holds.covering(*kind, subject) {
        let (id, reason) = (quote(&hold.hold_id), quote(&hold.reason));
        refuse("hold", expected::no_hold(), found::hold_with_reason(id, reason));
    }
    // The holds above have no such exception: they prevail over every legal basis.
    let ends = retain_until(*at);
    if !request.legal_basis.is_early() && ends.is_none_or(|ends| now < ends) {
        let ends = ends.map_or_else(found::for_ever, found::until);
        faults.push_with(|| {
            let expected = expected::the_retention_time_to_be_over_at(now);
            let fault = Fault::new("retention", &path, expected, found::retention_that_runs(ends));
            fault.hint(hint::earlier_legal_basis())
        });
    }
}

fn indices(reader: JsonReader<'_, '_>) -> Option<Vec<u64>> {
    let indices = reader.list(|index| index.whole(0..=MAX_INTEGER))?;
    let ascends = indices.windows(2).all(|pair| matches!(pair, [one, other] if one < other));
    if ascends && !indices.is_empty() {
        return Some(indices);
    }
    reader.refuse("erased", expected::one_or_more_indices_in_ascending_order())
}

const MIN_RETENTION_YEARS: u8 = 7;
const UNERASABLE_KINDS: [RecordKind; 16] = [
    RecordKind::ApikeyAdded,
    RecordKind::ApikeyRevoked,
    RecordKind::ApprovalGiven,
    RecordKind::ApprovalUsed,
    RecordKind::CheckpointTimestamped,
    RecordKind::CheckpointWitnessed,
    RecordKind::HoldLifted,
    RecordKind::HoldPlaced,
    RecordKind::KeyAdded,
    RecordKind::KeyRedated,
    RecordKind::KeyRetired,
    RecordKind::KeyRevoked,
    RecordKind::MemberAdded,
    RecordKind::MemberRemoved,
    RecordKind::PayloadErased,
    RecordKind::TenantCreated,
];
