//! Exports of one trail, each naming the one before.

use dalil_core::record::Kind;
use dalil_core::trail::Previous;
use dalil_core::tree::Head;
use dalil_store::{Select, Table, Tenant, Value};

use super::super::Failure;

/// The head of the last export before a record; `None` when it is the first.
///
/// An export ends where the checkpoint over its own record does.
pub(super) async fn before(tenant: &Tenant, index: u64) -> Result<Option<Head>, Failure> {
    let exports = tenant.select(&Select::equal(Table::Exports, "format", FORMAT)).await?;
    let earlier = exports.iter().rev().filter_map(|row| match row.first() {
        Some(Value::Int(made)) => u64::try_from(*made).ok().filter(|made| *made < index),
        _ => None,
    });
    for made in earlier {
        let stored = tenant.record(made).await?;
        if stored.is_some_and(|stored| stored.record.envelope().kind == Kind::ExportMade) {
            let note = tenant.checkpoint_over(made).await?;
            return Ok(Some(super::head(tenant, &note)?));
        }
    }
    Ok(None)
}

/// The export before, with the proof that the trail only grew since.
pub(super) async fn previous(
    tenant: &Tenant,
    before: Option<Head>,
    size: u64,
) -> Result<Option<Previous>, Failure> {
    let Some(head) = before else { return Ok(None) };
    let proof = tenant.consistency(head.size, size).await?;
    Ok(Some(Previous { head, proof }))
}

/// How `exports` calls a trail export.
pub(super) const FORMAT: &str = "trail";
