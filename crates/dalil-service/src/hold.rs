//! Legal holds: placed, lifted, and those that are in place.

use std::collections::BTreeSet;
use std::fmt;

use dalil_phrasebook::{hint, precondition};
use dalil_proof::canon;
use dalil_proof::erasure::may_erase;
use dalil_proof::fault::{Fault, quoted};
use dalil_proof::hold::{HOLD_FIELD, Hold, HoldChangeError, HoldSet, RecordScope};
use dalil_proof::record::RecordKind;
use dalil_store::catalog::{DocumentRow, HoldRow, PackRow};
use dalil_store::trail::{StoredFieldState, StoredRecord};
use dalil_store::{Error, IndexedRow, NewRecord, Tenant};
use serde::Serialize;

use crate::operation::{
    OperationFailure, RecordAck, RequestContext, answered, append_if_unchanged, bytes, held_bytes,
    one, retry_on_conflict_of_kinds,
};
use crate::{archive, pack};

/// The holds that are in place, by their ids.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ActiveHolds {
    /// The holds.
    pub holds: Vec<ActiveHold>,
}

/// An active hold, and the records that it covers now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ActiveHold {
    /// The hold.
    #[serde(flatten)]
    pub hold: Hold,
    /// The records that it covers.
    pub covers: HoldCoverage,
}

/// The records that a hold protects from erasure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HoldCoverage {
    /// How many records whose payloads are there and could otherwise be erased.
    pub records: u64,
    /// The evidence of its subject, which it covers as well: of a pack, the versions before it, its
    /// decision, calls and session, and the documents of its sources and its ledger.
    pub rests_on: BTreeSet<String>,
}

/// A hold that was placed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlacedHold {
    /// Its record.
    #[serde(flatten)]
    pub ack: RecordAck,
    /// The records that it covers.
    pub covers: HoldCoverage,
}

/// The active holds.
///
/// # Errors
/// The store cannot be read, or a record about a hold is damaged.
pub async fn list(tenant: &Tenant) -> Result<ActiveHolds, OperationFailure> {
    let (in_place, size) = replay(tenant).await?;
    let mut holds = Vec::new();
    for hold in in_place.iter() {
        let covers = coverage(tenant, &hold.scope, size).await?;
        holds.push(ActiveHold { hold: hold.clone(), covers });
    }
    Ok(ActiveHolds { holds })
}

/// Places a hold: nothing that it covers may be erased.
///
/// # Errors
/// A hold of that id is in place; a subject that no record is about.
pub async fn place(
    tenant: &Tenant,
    hold: &Hold,
    context: &RequestContext,
) -> Result<PlacedHold, OperationFailure> {
    // A hold on a mistyped name would cover nothing, unnoticed.
    if let RecordScope::Subject(subject) = &hold.scope
        && (subject.contains('\0') || tenant.history(subject).await?.is_empty())
    {
        let expected = precondition::a_subject_that_a_record_of_this_tenant_is_about();
        let fault = Fault::new("hold", "scope", expected, quoted(subject));
        return Err(fault.hint(hint::dalil_trail_show_names_the_subjects_of_records()).into());
    }
    let key = context.idempotency_key(RecordKind::HoldPlaced.as_str(), &hold.bytes()?)?;
    let ack = retry_on_conflict_of_kinds(tenant, HOLD_CONFLICT_KINDS, async |snapshot| {
        let (mut holds, _) = replay(tenant).await?;
        // After the replay, in each round: the reason to refuse this attempt may be the first
        // attempt of the same request, whose answer is returned then.
        if let Some(acks) = answered(tenant, key.as_ref()).await? {
            return one(acks);
        }
        // The set is thrown away: applying the change to it only tests the rule.
        holds.place(hold.clone()).map_err(|error| refused(&error))?;
        let draft = change(hold, (RecordKind::HoldPlaced, "placed"), context)?;
        one(append_if_unchanged(tenant, vec![draft], key.clone(), snapshot).await?)
    });
    let ack = ack.await?;
    // At its own record, so that a retry returns the first result.
    let covers = coverage(tenant, &hold.scope, ack.index).await?;
    Ok(PlacedHold { ack, covers })
}

/// Lifts a hold.
///
/// # Errors
/// No hold of that id is in place.
pub async fn lift(
    tenant: &Tenant,
    hold_id: &str,
    reason: &str,
    context: &RequestContext,
) -> Result<RecordAck, OperationFailure> {
    // By the id and the reason: after the first attempt no hold of that id is in place.
    let named = canon::bytes(&(hold_id, reason))?;
    let key = context.idempotency_key(RecordKind::HoldLifted.as_str(), &named)?;
    retry_on_conflict_of_kinds(tenant, HOLD_CONFLICT_KINDS, async |snapshot| {
        let (mut holds, _) = replay(tenant).await?;
        if let Some(acks) = answered(tenant, key.as_ref()).await? {
            return one(acks);
        }
        let lifted = holds.lift(hold_id).map_err(|error| refused(&error))?;
        let hold = Hold { reason: reason.to_owned(), ..lifted };
        let draft = change(&hold, (RecordKind::HoldLifted, "lifted"), context)?;
        one(append_if_unchanged(tenant, vec![draft], key.clone(), snapshot).await?)
    })
    .await
}

/// The record of a change.
fn change(
    hold: &Hold,
    (kind, word): (RecordKind, &str),
    context: &RequestContext,
) -> Result<NewRecord, OperationFailure> {
    let field = hold.bytes()?;
    let Hold { hold_id, reason, scope } = hold;
    let row = HoldRow {
        hold_id: hold_id.clone(),
        scope: scope.to_string(),
        change: word.to_owned(),
        reason: reason.clone(),
        at: context.at,
    };
    let rows = vec![row.into()];
    Ok(context.draft(kind, hold_id, vec![bytes(HOLD_FIELD, field)], rows))
}

/// The holds as the records tell them, and the size of the trail before they were read.
pub(super) async fn replay(tenant: &Tenant) -> Result<(HoldSet, u64), OperationFailure> {
    // Before the rows are read: a hold that comes while they are read must count as a conflict.
    let since = tenant.head().await?.size;
    let mut holds = HoldSet::default();
    for IndexedRow { index, .. } in tenant.select(&HoldRow::query()).await? {
        let damaged = |found: String| {
            Error::damaged("read a hold", format!("tenant `{}`, record {index}", tenant.name()))
                .saw("a hold that can follow those before it", found)
                .hint("`dalil fsck` says what else is not as it was")
        };
        // From the record and its commitment: rows are not proved.
        let stored = tenant.record(index).await?.ok_or_else(|| damaged("none".to_owned()))?;
        let field =
            held_bytes(&stored, HOLD_FIELD).ok_or_else(|| damaged("no field".to_owned()))?;
        let hold = Hold::parse(field).map_err(|error| damaged(error.to_string()))?;
        let followed = match stored.record.envelope().kind {
            RecordKind::HoldLifted => holds.lift(&hold.hold_id).map(|_| ()),
            _ => holds.place(hold),
        };
        followed.map_err(|error| damaged(error.to_string()))?;
    }
    Ok((holds, since))
}

/// Extends every hold on a pack to the pack's evidence.
pub(super) async fn widen(tenant: &Tenant, holds: &mut HoldSet) -> Result<(), OperationFailure> {
    let scopes: Vec<(String, RecordScope)> =
        holds.iter().map(|hold| (hold.hold_id.clone(), hold.scope.clone())).collect();
    for (hold_id, scope) in scopes {
        holds.widen(&hold_id, rests_on(tenant, &scope).await?);
    }
    Ok(())
}

/// The evidence of a scope's subject, if it is a pack that was not erased.
async fn rests_on(
    tenant: &Tenant,
    scope: &RecordScope,
) -> Result<BTreeSet<String>, OperationFailure> {
    let RecordScope::Subject(subject) = scope else { return Ok(BTreeSet::new()) };
    let packs = tenant.select(&PackRow::query().pack_id(subject)).await?;
    let Some(line) = packs.first() else { return Ok(BTreeSet::new()) };
    let pack = pack::content(tenant, line).await?;
    let mut subjects = archive::subjects(tenant, &pack, subject).await?;
    for digest in dalil_evidence::archive::named(&pack) {
        let documents = tenant.select(&DocumentRow::query().sha256(&digest)).await?;
        subjects.extend(documents.into_iter().map(|document| document.row.id));
    }
    subjects.remove(subject);
    Ok(subjects)
}

/// The records that a hold of this scope protects, in a trail of this size.
async fn coverage(
    tenant: &Tenant,
    scope: &RecordScope,
    size: u64,
) -> Result<HoldCoverage, OperationFailure> {
    let rests_on = rests_on(tenant, scope).await?;
    let mut records = 0;
    if let RecordScope::Subject(subject) = scope {
        for subject in std::iter::once(subject).chain(&rests_on) {
            let history = tenant.history(subject).await?;
            let covered = history.iter().filter(|stored| stored.index < size);
            records += covered.filter(|stored| is_erasable(stored)).count() as u64;
        }
        return Ok(HoldCoverage { records, rests_on });
    }
    let mut next = 0;
    while next < size {
        let page = tenant.records(next..size).await?;
        let Some(last) = page.last() else { break };
        next = last.index + 1;
        let covered = page.iter().filter(|stored| {
            let envelope = stored.record.envelope();
            scope.covers(envelope.kind, &envelope.subject) && is_erasable(stored)
        });
        records += covered.count() as u64;
    }
    Ok(HoldCoverage { records, rests_on })
}

/// Whether there is a payload that could be erased if no hold were in the way.
fn is_erasable(stored: &StoredRecord) -> bool {
    let envelope = stored.record.envelope();
    let is_gone =
        stored.fields.iter().any(|field| matches!(field.state, StoredFieldState::Erased { .. }));
    may_erase(envelope.kind) && !envelope.commitments.is_empty() && !is_gone
}

fn refused(error: &HoldChangeError) -> OperationFailure {
    Fault::with_message("hold", "hold_id", error.phrase()).into()
}

impl fmt::Display for ActiveHolds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.holds.iter().map(|ActiveHold { hold, covers }| {
            let records = covers.records.to_string();
            [hold.hold_id.clone(), hold.scope.to_string(), records, hold.reason.clone()]
        });
        crate::table::write(f, ["hold", "scope", "records", "reason"], rows)
    }
}

/// The kinds of records that could change which holds are in place.
const HOLD_CONFLICT_KINDS: &[RecordKind] = &[RecordKind::HoldPlaced, RecordKind::HoldLifted];
