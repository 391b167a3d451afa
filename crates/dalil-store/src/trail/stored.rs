//! Stored records, with the remains of their payloads.

use std::collections::BTreeMap;
use std::ops::Range;

use dalil_proof::digest::Digest;
use dalil_proof::record::{Commitment, Record, RecordKind};

use super::entry::{FieldContent, ROWS_FIELD};
use super::trail_head::damaged;
use crate::catalog::{
    CatalogFailure, EnvelopeLine, ErasedByLine, EvidenceRow, EvidenceTable, LEADING_COLUMNS,
    PayloadLine, RowSource, SqlValue, columns, place, select_from,
};

/// A record and its payload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredRecord {
    /// Its place in the trail.
    pub index: u64,
    /// The record.
    pub record: Record,
    /// Each field that the record commits to, in the order of the names.
    pub fields: Vec<StoredField>,
}

/// A field of a payload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredField {
    /// Its name.
    pub name: String,
    /// Its state.
    pub state: StoredFieldState,
}

/// The state of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoredFieldState {
    /// It is there, with its salt.
    Present([u8; 32], StoredPayload),
    /// It was erased by this record.
    Erased {
        /// The index of the `payload.erased` record.
        by: u64,
    },
    /// It is missing, and no record states why.
    Missing,
    /// It does not match the record's commitment.
    Altered,
}

/// The content of a field that is present.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoredPayload {
    /// Bytes that open the commitment.
    Bytes(Vec<u8>),
    /// The digest of an object of the lake, which opens the commitment.
    Lake(Digest),
    /// The record's rows, which are read, and checked, apart.
    Rows,
}

/// The records of a range.
pub(super) async fn range(
    source: &mut RowSource<'_>,
    tenant: &str,
    range: Range<u64>,
) -> Result<Vec<StoredRecord>, CatalogFailure> {
    let bound = [SqlValue::from(tenant), SqlValue::from(range.start), SqlValue::from(range.end)];
    read(source, tenant, &bound, "idx >= $2 AND idx < $3", "erased >= $2 AND erased < $3").await
}

/// The records of a range, without their payloads.
pub(super) async fn bare_range(
    source: &mut RowSource<'_>,
    tenant: &str,
    range: Range<u64>,
) -> Result<Vec<(u64, Record)>, CatalogFailure> {
    let bound = [SqlValue::from(tenant), SqlValue::from(range.start), SqlValue::from(range.end)];
    read_bare(source, tenant, &bound, "idx >= $2 AND idx < $3").await
}

/// The records at some indices.
pub(super) async fn at(
    source: &mut RowSource<'_>,
    tenant: &str,
    indices: &[u64],
) -> Result<Vec<StoredRecord>, CatalogFailure> {
    let (bound, among) = among(tenant, indices);
    read(source, tenant, &bound, &format!("idx {among}"), &format!("erased {among}")).await
}

/// A condition that a number is one of some indices, and the bound values.
fn among<'t>(tenant: &'t str, indices: &[u64]) -> (Vec<SqlValue<'t>>, String) {
    let mut bound = vec![SqlValue::from(tenant)];
    bound.extend(indices.iter().map(|index| SqlValue::from(*index)));
    let places = (2..=bound.len()).map(|place| format!("${place}")).collect::<Vec<_>>();
    (bound, format!("IN ({})", places.join(", ")))
}

/// The records of a subject.
pub(super) async fn lineage(
    source: &mut RowSource<'_>,
    tenant: &str,
    subject: &str,
) -> Result<Vec<StoredRecord>, CatalogFailure> {
    lineage_where(source, tenant, subject, "").await
}

/// The records of a subject that are of one kind.
pub(super) async fn lineage_of_kind(
    source: &mut RowSource<'_>,
    tenant: &str,
    subject: &str,
    kind: RecordKind,
) -> Result<Vec<StoredRecord>, CatalogFailure> {
    // The word is ours.
    let which = format!(" AND kind = '{}'", kind.as_str());
    lineage_where(source, tenant, subject, &which).await
}

async fn lineage_where(
    source: &mut RowSource<'_>,
    tenant: &str,
    subject: &str,
    which: &str,
) -> Result<Vec<StoredRecord>, CatalogFailure> {
    let own = format!("(SELECT idx FROM records WHERE tenant = $1 AND subject = $2{which})");
    let bound = [SqlValue::from(tenant), SqlValue::from(subject)];
    let (payloads, erasures) = (format!("idx IN {own}"), format!("erased IN {own}"));
    let mut found = read(source, tenant, &bound, &payloads, &erasures).await?;
    found.sort_by_key(|stored| stored.record.envelope().lineage.sequence());
    Ok(found)
}

/// The newest records of a subject from an index back, at most `limit`, in order.
pub(super) async fn lineage_back(
    source: &mut RowSource<'_>,
    tenant: &str,
    subject: &str,
    (from, limit): (u64, u32),
) -> Result<Vec<StoredRecord>, CatalogFailure> {
    let own = format!(
        "(SELECT idx FROM (SELECT idx FROM records WHERE tenant = $1 AND subject = $2 \
         AND idx <= $3 ORDER BY sequence DESC LIMIT {limit}) AS newest)"
    );
    let bound = [SqlValue::from(tenant), SqlValue::from(subject), SqlValue::from(from)];
    let (payloads, erasures) = (format!("idx IN {own}"), format!("erased IN {own}"));
    read(source, tenant, &bound, &payloads, &erasures).await
}

/// Where the records of some kinds are, in one order or the other.
pub(super) async fn of_kinds(
    source: &mut RowSource<'_>,
    tenant: &str,
    kinds: &[RecordKind],
    from: u64,
    (limit, newest): (u32, bool),
) -> Result<Vec<u64>, CatalogFailure> {
    // The words are ours, and the numbers are numbers.
    let words = kinds.iter().map(|kind| format!("'{}'", kind.as_str())).collect::<Vec<_>>();
    let (side, order) = if newest { ("<=", "DESC") } else { (">=", "ASC") };
    let sql = format!(
        "SELECT idx FROM records WHERE tenant = $1 AND idx {side} $2 AND kind IN ({}) \
         ORDER BY idx {order} LIMIT {limit}",
        words.join(", ")
    );
    let bound = [SqlValue::from(tenant), SqlValue::from(from)];
    source.fetch_column(("records", "idx"), &sql, &bound).await
}

/// Reads records, payloads and erasures, and puts them together.
async fn read(
    source: &mut RowSource<'_>,
    tenant: &str,
    bound: &[SqlValue<'_>],
    which: &str,
    which_erased: &str,
) -> Result<Vec<StoredRecord>, CatalogFailure> {
    let records = read_bare(source, tenant, bound, which).await?;
    let own = columns::<PayloadLine>();
    let sql = format!("SELECT {own} FROM payloads WHERE tenant = $1 AND {which}");
    let mut payloads: BTreeMap<u64, Vec<PayloadLine>> = BTreeMap::new();
    for line in source.fetch_as::<PayloadLine>(&sql, bound).await? {
        payloads.entry(line.idx).or_default().push(line);
    }
    let own = columns::<ErasedByLine>();
    let sql = format!(
        "SELECT {own} FROM erasures WHERE tenant = $1 AND {which_erased} ORDER BY idx DESC"
    );
    // Newest first, so that the oldest erasure of a record is inserted last and stays.
    let mut erasures: BTreeMap<u64, u64> = BTreeMap::new();
    for ErasedByLine { erased, idx } in source.fetch_as(&sql, bound).await? {
        erasures.insert(erased, idx);
    }
    let mut found = Vec::with_capacity(records.len());
    for (index, record) in records {
        let mut kept = payloads.remove(&index).unwrap_or_default();
        let mut fields = Vec::new();
        for (name, commitment) in &record.envelope().commitments {
            let line = kept.iter().position(|line| line.name == *name);
            let state = match (line.map(|n| kept.swap_remove(n)), erasures.get(&index)) {
                // A field that is there is shown as it is, even if `erasures` has a row for it.
                (Some(line), _) => state(line, name, commitment),
                (None, Some(by)) => StoredFieldState::Erased { by: *by },
                (None, None) => StoredFieldState::Missing,
            };
            fields.push(StoredField { name: name.clone(), state });
        }
        found.push(StoredRecord { index, record, fields });
    }
    Ok(found)
}

/// Reads records without their payloads.
async fn read_bare(
    source: &mut RowSource<'_>,
    tenant: &str,
    bound: &[SqlValue<'_>],
    which: &str,
) -> Result<Vec<(u64, Record)>, CatalogFailure> {
    let own = columns::<EnvelopeLine>();
    let sql = format!("SELECT {own} FROM records WHERE tenant = $1 AND {which} ORDER BY idx");
    let mut found = Vec::new();
    for EnvelopeLine { idx: index, envelope } in source.fetch_as(&sql, bound).await? {
        let record = Record::parse(&envelope)
            .map_err(|error| damaged(tenant, format!("record {index}"), error))?;
        found.push((index, record));
    }
    Ok(found)
}

fn state(line: PayloadLine, name: &str, commitment: &Commitment) -> StoredFieldState {
    let PayloadLine { salt, bytes, sha256, .. } = line;
    let Ok(salt) = <[u8; 32]>::try_from(salt) else { return StoredFieldState::Altered };
    let (held, content) = match (bytes, sha256) {
        (None, None) if name == ROWS_FIELD => {
            return StoredFieldState::Present(salt, StoredPayload::Rows);
        }
        (Some(bytes), None) => (StoredPayload::Bytes(bytes.clone()), FieldContent::Bytes(bytes)),
        (None, Some(text)) => match text.parse() {
            Ok(digest) => (StoredPayload::Lake(digest), FieldContent::Lake(digest)),
            Err(_) => return StoredFieldState::Altered,
        },
        (Some(_), Some(_)) | (None, None) => return StoredFieldState::Altered,
    };
    let opens = content.commit(name, &salt) == *commitment;
    if opens { StoredFieldState::Present(salt, held) } else { StoredFieldState::Altered }
}

/// The rows of the records of a range, each record's in their order.
pub(super) async fn rows(
    source: &mut RowSource<'_>,
    tenant: &str,
    range: Range<u64>,
) -> Result<Vec<(u64, Vec<EvidenceRow>)>, CatalogFailure> {
    let bound = [SqlValue::from(tenant), range.start.into(), range.end.into()];
    read_rows(source, &bound, "idx >= $2 AND idx < $3").await
}

/// The rows of the records at some indices, which ascend, each record's in their order.
pub(super) async fn rows_at(
    source: &mut RowSource<'_>,
    tenant: &str,
    indices: &[u64],
) -> Result<Vec<(u64, Vec<EvidenceRow>)>, CatalogFailure> {
    let (Some(first), Some(last)) = (indices.first(), indices.last()) else {
        return Ok(Vec::new());
    };
    // Records that lie side by side, as most do, need no list.
    if last.checked_sub(*first).is_some_and(|span| span + 1 == indices.len() as u64) {
        return rows(source, tenant, *first..last + 1).await;
    }
    let (bound, among) = among(tenant, indices);
    read_rows(source, &bound, &format!("idx {among}")).await
}

async fn read_rows(
    source: &mut RowSource<'_>,
    bound: &[SqlValue<'_>],
    which: &str,
) -> Result<Vec<(u64, Vec<EvidenceRow>)>, CatalogFailure> {
    let mut found: BTreeMap<(u64, u64), EvidenceRow> = BTreeMap::new();
    for table in EvidenceTable::ALL {
        let sql = format!("{} AND {which}", select_from(*table));
        for row in source.fetch(&sql, bound).await? {
            let (index, ord) = place(*table, &row)?;
            let row = table.read(&row, LEADING_COLUMNS);
            found.insert((index, ord), row.map_err(|fault| fault.of_record(index))?);
        }
    }
    let mut rows: Vec<(u64, Vec<EvidenceRow>)> = Vec::new();
    for ((index, _), row) in found {
        match rows.last_mut().filter(|(last, _)| *last == index) {
            Some((_, rows)) => rows.push(row),
            None => rows.push((index, vec![row])),
        }
    }
    Ok(rows)
}
