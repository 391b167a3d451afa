//! The lookups that a group needs about earlier records, in few statements.

use std::collections::BTreeMap;

use dalil_proof::digest::Digest;
use dalil_proof::record::RecordKind;
use dalil_proof::time::Time;
use sqlx::AnyConnection;

use crate::catalog::{
    CatalogFailure, LineageLine, PlaceLine, RequestLine, RowSource, STATEMENT_BATCH_SIZES,
    SqlValue, TypedRow, columns, fetch, read_rows,
};
use crate::trail::entry::PlacedRecord;

/// The newest record of a subject.
#[derive(Clone, Debug)]
pub(super) struct LineageHead {
    pub(super) index: u64,
    pub(super) sequence: u64,
    pub(super) leaf: Digest,
    pub(super) at: Time,
}

/// When the trail of a tenant began.
pub(super) async fn begins(
    source: &mut RowSource<'_>,
    tenant: &str,
) -> Result<Option<Time>, CatalogFailure> {
    let sql = "SELECT at FROM records WHERE tenant = $1 AND idx = 0";
    let times = source.fetch_column(("records", "at"), sql, &[SqlValue::from(tenant)]).await?;
    Ok(times.into_iter().next())
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
    for line in each::<LineageLine>(connection, tenant, subjects, sql).await? {
        let LineageLine { subject, sequence, leaf, at, idx: index } = line;
        let last = LineageHead { index, sequence, leaf: Digest::from_bytes(leaf), at };
        found.insert(subject, last);
    }
    Ok(found)
}

/// The requests among `keys` that were answered before.
pub(super) async fn requests(
    connection: &mut AnyConnection,
    tenant: &str,
    keys: &[&str],
) -> Result<BTreeMap<String, RequestLine>, CatalogFailure> {
    let own = columns::<RequestLine>();
    let sql = |places: &str| {
        format!("SELECT {own} FROM requests WHERE tenant = $1 AND key IN ({places})")
    };
    let found = each::<RequestLine>(connection, tenant, keys, sql).await?;
    Ok(found.into_iter().map(|line| (line.key.clone(), line)).collect())
}

/// The records among `ids` that are there.
pub(super) async fn records(
    connection: &mut AnyConnection,
    tenant: &str,
    ids: &[&str],
) -> Result<BTreeMap<String, PlacedRecord>, CatalogFailure> {
    let own = columns::<PlaceLine>();
    let sql =
        |places: &str| format!("SELECT {own} FROM records WHERE tenant = $1 AND id IN ({places})");
    let found = each::<PlaceLine>(connection, tenant, ids, sql).await?;
    Ok(found.into_iter().map(|line| (line.id.to_string(), PlacedRecord::from(line))).collect())
}

/// Whether a record of one of these kinds is at `since` or later.
pub(super) async fn has_kind(
    connection: &mut AnyConnection,
    tenant: &str,
    since: u64,
    kinds: &[RecordKind],
) -> Result<bool, CatalogFailure> {
    for kind in kinds {
        let sql = "SELECT 1 FROM records WHERE tenant = $1 AND idx >= $2 AND kind = $3 LIMIT 1";
        let bound = [SqlValue::from(tenant), SqlValue::from(since), SqlValue::from(kind.as_str())];
        if !fetch(connection, sql, &bound).await?.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The places of the records of an answered request.
pub(super) async fn first_answer(
    connection: &mut AnyConnection,
    tenant: &str,
    answered: &RequestLine,
) -> Result<Vec<PlacedRecord>, CatalogFailure> {
    let own = columns::<PlaceLine>();
    let sql = format!(
        "SELECT {own} FROM records WHERE tenant = $1 AND idx >= $2 AND idx < $3 ORDER BY idx"
    );
    let end = answered.first.saturating_add(answered.count);
    let bound = [SqlValue::from(tenant), SqlValue::from(answered.first), SqlValue::from(end)];
    let placed = read_rows::<PlaceLine>(&fetch(connection, &sql, &bound).await?)?;
    Ok(placed.into_iter().map(PlacedRecord::from).collect())
}

/// Runs a statement over names, 256, 64, 16, 4 or one at a time.
async fn each<R: TypedRow>(
    connection: &mut AnyConnection,
    tenant: &str,
    names: &[&str],
    sql: impl Fn(&str) -> String,
) -> Result<Vec<R>, CatalogFailure> {
    let mut found = Vec::new();
    let mut rest = names;
    while !rest.is_empty() {
        let size = STATEMENT_BATCH_SIZES.into_iter().find(|size| *size <= rest.len()).unwrap_or(1);
        let (now, later) = rest.split_at(size);
        let places = (2..now.len() + 2).map(|n| format!("${n}")).collect::<Vec<_>>().join(", ");
        let mut bound = vec![SqlValue::from(tenant)];
        bound.extend(now.iter().map(|name| SqlValue::from(*name)));
        found.extend(read_rows::<R>(&fetch(connection, &sql(&places), &bound).await?)?);
        rest = later;
    }
    Ok(found)
}
