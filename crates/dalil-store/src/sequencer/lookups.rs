//! What a group needs to know of the records before it, in few statements.

use std::collections::BTreeMap;

use dalil_core::digest::Digest;
use dalil_core::id::RecordId;
use dalil_core::record::RecordKind;
use dalil_core::time::Time;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row as _};

use crate::catalog::{CatalogFailure, RowSource, STATEMENT_BATCH_SIZES, SqlValue, fetch};
use crate::trail::entry::PlacedRecord;
use crate::trail::trail_head::{damaged, int};

/// The newest record of a subject.
#[derive(Clone, Debug)]
pub(super) struct LineageHead {
    pub(super) index: u64,
    pub(super) sequence: u64,
    pub(super) leaf: Digest,
    pub(super) at: Time,
}

/// A request that was answered before.
#[derive(Clone, Debug)]
pub(super) struct IdempotencyRow {
    pub(super) fingerprint: String,
    pub(super) first: u64,
    pub(super) count: u64,
}

/// When the trail of a tenant began.
pub(super) async fn begins(
    source: &mut RowSource<'_>,
    tenant: &str,
) -> Result<Option<Time>, CatalogFailure> {
    let sql = "SELECT at FROM records WHERE tenant = $1 AND idx = 0";
    let rows = source.fetch(sql, &[SqlValue::from(tenant)]).await?;
    rows.first().map(|row| time(tenant, row, 0)).transpose()
}

fn time(tenant: &str, row: &AnyRow, column: usize) -> Result<Time, CatalogFailure> {
    let text: String = row.try_get(column)?;
    Ok(text.parse().map_err(|_| damaged(tenant, "the time of a record", "another text"))?)
}

/// The newest record of each subject that has one.
pub(super) async fn lineages(
    connection: &mut AnyConnection,
    tenant: &str,
    subjects: &[&str],
) -> Result<BTreeMap<String, LineageHead>, CatalogFailure> {
    let mut found = BTreeMap::new();
    let sql = |places: &str| {
        let rows = places.replace(", ", "), (");
        // `CROSS JOIN` keeps SQLite from reordering: each subject is one lookup in the index over
        // (tenant, subject, sequence), however long the trail is.
        format!(
            "WITH s(subject) AS (VALUES ({rows})) \
             SELECT s.subject, r.sequence, r.leaf, r.at, r.idx FROM s CROSS JOIN records r \
             WHERE r.tenant = $1 AND r.subject = s.subject AND r.sequence = \
             (SELECT MAX(m.sequence) FROM records m WHERE m.tenant = $1 AND m.subject = s.subject)"
        )
    };
    for row in each(connection, tenant, subjects, sql).await? {
        let sequence = number(tenant, &row, 1)?;
        let (leaf, index) = (leaf(tenant, &row, 2)?, number(tenant, &row, 4)?);
        let last = LineageHead { index, sequence, leaf, at: time(tenant, &row, 3)? };
        found.insert(row.try_get(0)?, last);
    }
    Ok(found)
}

/// The requests among `keys` that were answered before.
pub(super) async fn requests(
    connection: &mut AnyConnection,
    tenant: &str,
    keys: &[&str],
) -> Result<BTreeMap<String, IdempotencyRow>, CatalogFailure> {
    let mut found = BTreeMap::new();
    let sql = |places: &str| {
        format!(
            "SELECT key, fingerprint, first, count FROM requests WHERE tenant = $1 AND key IN ({places})"
        )
    };
    for row in each(connection, tenant, keys, sql).await? {
        let (first, count) = (number(tenant, &row, 2)?, number(tenant, &row, 3)?);
        let answered = IdempotencyRow { fingerprint: row.try_get(1)?, first, count };
        found.insert(row.try_get(0)?, answered);
    }
    Ok(found)
}

/// The records among `ids` that are there.
pub(super) async fn records(
    connection: &mut AnyConnection,
    tenant: &str,
    ids: &[&str],
) -> Result<BTreeMap<String, PlacedRecord>, CatalogFailure> {
    let sql = |places: &str| {
        format!("SELECT idx, id, leaf FROM records WHERE tenant = $1 AND id IN ({places})")
    };
    let rows = each(connection, tenant, ids, sql).await?;
    let placed = rows.iter().map(|row| placed(tenant, row)).collect::<Result<Vec<_>, _>>()?;
    Ok(placed.into_iter().map(|placed| (placed.id.to_string(), placed)).collect())
}

/// Whether a record of one of these kinds stands at `since` or later.
pub(super) async fn has_kind(
    connection: &mut AnyConnection,
    tenant: &str,
    since: u64,
    kinds: &[RecordKind],
) -> Result<bool, CatalogFailure> {
    for kind in kinds {
        let sql = "SELECT 1 FROM records WHERE tenant = $1 AND idx >= $2 AND kind = $3 LIMIT 1";
        let bound = [SqlValue::from(tenant), int(since), SqlValue::from(kind.as_str())];
        if !fetch(connection, sql, &bound).await?.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Where the records of an answered request stand.
pub(super) async fn first_answer(
    connection: &mut AnyConnection,
    tenant: &str,
    answered: &IdempotencyRow,
) -> Result<Vec<PlacedRecord>, CatalogFailure> {
    let sql = "SELECT idx, id, leaf FROM records WHERE tenant = $1 AND idx >= $2 AND idx < $3 ORDER BY idx";
    let end = answered.first.saturating_add(answered.count);
    let bound = [SqlValue::from(tenant), int(answered.first), int(end)];
    let rows = fetch(connection, sql, &bound).await?;
    rows.iter().map(|row| placed(tenant, row)).collect()
}

/// Runs a statement over names, 256, 64, 16, 4 or one at a time.
async fn each(
    connection: &mut AnyConnection,
    tenant: &str,
    names: &[&str],
    sql: impl Fn(&str) -> String,
) -> Result<Vec<AnyRow>, CatalogFailure> {
    let mut found = Vec::new();
    let mut rest = names;
    while !rest.is_empty() {
        let size = STATEMENT_BATCH_SIZES.into_iter().find(|size| *size <= rest.len()).unwrap_or(1);
        let (now, later) = rest.split_at(size);
        let places = (2..now.len() + 2).map(|n| format!("${n}")).collect::<Vec<_>>().join(", ");
        let mut bound = vec![SqlValue::from(tenant)];
        bound.extend(now.iter().map(|name| SqlValue::from(*name)));
        found.extend(fetch(connection, &sql(&places), &bound).await?);
        rest = later;
    }
    Ok(found)
}

/// Where a record stands, of a row with its index, id and leaf.
pub(crate) fn placed(tenant: &str, row: &AnyRow) -> Result<PlacedRecord, CatalogFailure> {
    let id: String = row.try_get(1)?;
    let id: RecordId = id.parse().map_err(|error| damaged(tenant, "a record id", error))?;
    Ok(PlacedRecord { index: number(tenant, row, 0)?, id, leaf: leaf(tenant, row, 2)? })
}

fn number(tenant: &str, row: &AnyRow, n: usize) -> Result<u64, CatalogFailure> {
    let number = u64::try_from(row.try_get::<i64, _>(n)?);
    number.map_err(|_| damaged(tenant, "a whole number", "a negative one").into())
}

fn leaf(tenant: &str, row: &AnyRow, n: usize) -> Result<Digest, CatalogFailure> {
    let bytes: Vec<u8> = row.try_get(n)?;
    let bytes = bytes.try_into().map_err(|_| damaged(tenant, "a leaf hash", "other bytes"))?;
    Ok(Digest::from_bytes(bytes))
}
