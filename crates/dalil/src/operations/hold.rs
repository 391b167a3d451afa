//! Legal holds: placed, lifted, and those that are in place.

use std::fmt;

use dalil_core::fault::Fault;
use dalil_core::hold::{HOLD_FIELD, Hold, HoldChangeError, HoldSet};
use dalil_core::record::RecordKind;
use dalil_store::{
    AppendCondition, AppendEntry, Error, EvidenceTable, SqlValue, TableQuery, Tenant,
};
use serde::Serialize;

use super::catalog_row::row;
use super::{OperationFailure, RecordAck, RequestContext, bytes, held_bytes, one};

/// The holds that are in place, by their ids.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ActiveHolds {
    /// The holds.
    pub holds: Vec<Hold>,
}

/// The holds that are in place.
///
/// # Errors
/// The store cannot be read, or a record about a hold is not what it was.
pub async fn list(tenant: &Tenant) -> Result<ActiveHolds, OperationFailure> {
    Ok(ActiveHolds { holds: replay(tenant).await?.0.iter().cloned().collect() })
}

/// Places a hold: nothing that it covers may be erased.
///
/// # Errors
/// A hold of that id is in place.
pub async fn place(
    tenant: &Tenant,
    hold: &Hold,
    deed: &RequestContext,
) -> Result<RecordAck, OperationFailure> {
    let (mut holds, since) = replay(tenant).await?;
    // The set is thrown away: applying the change to it only tests the rule.
    holds.place(hold.clone()).map_err(|error| refused(&error))?;
    change(tenant, hold, (RecordKind::HoldPlaced, "placed"), since, deed).await
}

/// Lifts a hold.
///
/// # Errors
/// No hold of that id is in place.
pub async fn lift(
    tenant: &Tenant,
    hold_id: &str,
    reason: &str,
    deed: &RequestContext,
) -> Result<RecordAck, OperationFailure> {
    let (mut holds, since) = replay(tenant).await?;
    let hold =
        Hold { reason: reason.to_owned(), ..holds.lift(hold_id).map_err(|error| refused(&error))? };
    change(tenant, &hold, (RecordKind::HoldLifted, "lifted"), since, deed).await
}

async fn change(
    tenant: &Tenant,
    hold: &Hold,
    (kind, word): (RecordKind, &str),
    since: u64,
    deed: &RequestContext,
) -> Result<RecordAck, OperationFailure> {
    let field = hold.bytes()?;
    let Hold { hold_id, reason, scope } = hold;
    let at = deed.at.to_string();
    let (id, scope) = (hold_id.as_str().into(), scope.to_string().into());
    let values = [id, scope, word.into(), reason.as_str().into(), at.into()];
    let rows = vec![row(EvidenceTable::Holds, values)];
    let key = deed.idempotency_key(kind.as_str(), &field)?;
    let drafts = vec![deed.draft(kind, hold_id, vec![bytes(HOLD_FIELD, field)], rows)];
    let unless = AppendCondition::Kinds { since, kinds: HOLD_CONFLICT_KINDS };
    let placed = tenant.append_unless(AppendEntry { drafts, key }, unless).await?;
    one(placed.into_iter().map(RecordAck::from).collect())
}

/// The holds as the records tell them, and the size of the trail before they were read.
pub(super) async fn replay(tenant: &Tenant) -> Result<(HoldSet, u64), OperationFailure> {
    // Before the rows are read: a hold that comes while they are read must count as a conflict.
    let since = tenant.head().await?.size;
    let mut holds = HoldSet::default();
    for row in tenant.select(&TableQuery::all(EvidenceTable::Holds)).await? {
        let Some(SqlValue::Int(index)) = row.first() else { continue };
        let index = u64::try_from(*index).unwrap_or_default();
        let damaged = |found: String| {
            Error::damaged("read a hold", format!("tenant `{}`, record {index}", tenant.name()))
                .saw("a hold that can follow those before it", found)
                .hint("`dalil fsck` says what else is not as it was")
        };
        // From the record and its commitment, not from the row: rows are not what is proved.
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

fn refused(error: &HoldChangeError) -> OperationFailure {
    let message = error.to_string();
    Fault { rule: "hold", path: "hold_id".to_owned(), message, hint: None }.into()
}

impl fmt::Display for ActiveHolds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.holds.iter().map(|Hold { hold_id, reason, scope }| {
            [hold_id.clone(), scope.to_string(), reason.clone()]
        });
        super::table::write(f, ["hold", "scope", "reason"], rows)
    }
}

/// What would change which holds are in place.
const HOLD_CONFLICT_KINDS: &[RecordKind] = &[RecordKind::HoldPlaced, RecordKind::HoldLifted];
