//! Records as they are stored, with what is left of their payloads.

use std::collections::BTreeMap;
use std::ops::Range;

use dalil_core::digest::Digest;
use dalil_core::record::{Commitment, Record};
use sqlx::Row as _;
use sqlx::any::AnyRow;

use super::RECORD_ROW_TABLES;
use super::entry::{FieldContent, ROWS_FIELD};
use super::trail_head::{damaged, int};
use crate::catalog::{CatalogFailure, EvidenceRow, RowSource, SqlValue, TableQuery};
use crate::error::Error;

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
    /// What is left of it.
    pub state: StoredFieldState,
}

/// How a field stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoredFieldState {
    /// It is there, with its salt.
    Present([u8; 32], StoredPayload),
    /// It was erased, as this record says.
    Erased {
        /// The index of the `payload.erased` record.
        by: u64,
    },
    /// It is not there, and no record says why.
    Missing,
    /// It is not what the record commits to.
    Altered,
}

/// What a field that is there holds.
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
    let bound = [SqlValue::from(tenant), int(range.start), int(range.end)];
    read(source, tenant, &bound, "idx >= $2 AND idx < $3", "erased >= $2 AND erased < $3").await
}

/// The records of a subject.
pub(super) async fn lineage(
    source: &mut RowSource<'_>,
    tenant: &str,
    subject: &str,
) -> Result<Vec<StoredRecord>, CatalogFailure> {
    let own = "(SELECT idx FROM records WHERE tenant = $1 AND subject = $2)";
    let bound = [SqlValue::from(tenant), SqlValue::from(subject)];
    let (payloads, erasures) = (format!("idx IN {own}"), format!("erased IN {own}"));
    let mut found = read(source, tenant, &bound, &payloads, &erasures).await?;
    found.sort_by_key(|stored| stored.record.envelope().lineage.sequence());
    Ok(found)
}

/// Reads records, payloads and erasures, and puts them together.
async fn read(
    source: &mut RowSource<'_>,
    tenant: &str,
    bound: &[SqlValue],
    which: &str,
    which_erased: &str,
) -> Result<Vec<StoredRecord>, CatalogFailure> {
    let sql =
        format!("SELECT idx, envelope FROM records WHERE tenant = $1 AND {which} ORDER BY idx");
    let records = source.fetch(&sql, bound).await?;
    let sql = format!(
        "SELECT idx, name, salt, bytes, sha256 FROM payloads WHERE tenant = $1 AND {which}"
    );
    let mut payloads: BTreeMap<(i64, String), AnyRow> = BTreeMap::new();
    for row in source.fetch(&sql, bound).await? {
        payloads.insert((row.try_get(0)?, row.try_get(1)?), row);
    }
    let sql = format!(
        "SELECT erased, idx FROM erasures WHERE tenant = $1 AND {which_erased} ORDER BY idx DESC"
    );
    // Newest first, so that the oldest erasure of a record is inserted last and stays.
    let mut erasures: BTreeMap<i64, i64> = BTreeMap::new();
    for row in source.fetch(&sql, bound).await? {
        erasures.insert(row.try_get(0)?, row.try_get(1)?);
    }
    let mut found = Vec::with_capacity(records.len());
    for row in &records {
        let (idx, envelope): (i64, Vec<u8>) = (row.try_get(0)?, row.try_get(1)?);
        let record = Record::parse(&envelope)
            .map_err(|error| damaged(tenant, format!("record {idx}"), error))?;
        let mut fields = Vec::new();
        for (name, commitment) in &record.envelope().commitments {
            let state = match (payloads.get(&(idx, name.clone())), erasures.get(&idx)) {
                // What is there is shown as it is, even if a row of `erasures` says that it went.
                (Some(row), _) => state(row, name, commitment)?,
                (None, Some(by)) => StoredFieldState::Erased { by: index(tenant, *by)? },
                (None, None) => StoredFieldState::Missing,
            };
            fields.push(StoredField { name: name.clone(), state });
        }
        found.push(StoredRecord { index: index(tenant, idx)?, record, fields });
    }
    Ok(found)
}

fn state(
    row: &AnyRow,
    name: &str,
    commitment: &Commitment,
) -> Result<StoredFieldState, CatalogFailure> {
    let salt: Vec<u8> = row.try_get(2)?;
    let (bytes, sha256): (Option<Vec<u8>>, Option<String>) = (row.try_get(3)?, row.try_get(4)?);
    let Ok(salt) = <[u8; 32]>::try_from(salt) else { return Ok(StoredFieldState::Altered) };
    let (held, content) = match (bytes, sha256) {
        (None, None) if name == ROWS_FIELD => {
            return Ok(StoredFieldState::Present(salt, StoredPayload::Rows));
        }
        (Some(bytes), None) => (StoredPayload::Bytes(bytes.clone()), FieldContent::Bytes(bytes)),
        (None, Some(text)) => match text.parse() {
            Ok(digest) => (StoredPayload::Lake(digest), FieldContent::Lake(digest)),
            Err(_) => return Ok(StoredFieldState::Altered),
        },
        (Some(_), Some(_)) | (None, None) => return Ok(StoredFieldState::Altered),
    };
    let opens = content.commit(name, &salt) == *commitment;
    Ok(if opens { StoredFieldState::Present(salt, held) } else { StoredFieldState::Altered })
}

/// The rows of the records of a range, each record's in their order.
pub(super) async fn rows(
    source: &mut RowSource<'_>,
    tenant: &str,
    range: Range<u64>,
) -> Result<Vec<(u64, Vec<EvidenceRow>)>, CatalogFailure> {
    let mut found: BTreeMap<(i64, i64), EvidenceRow> = BTreeMap::new();
    for table in RECORD_ROW_TABLES {
        let select = TableQuery { from: range.start, ..TableQuery::all(*table) };
        let (sql, mut bound) = select.statement(tenant)?;
        // The statement binds tenant, first index and limit; the end of the range is the fourth.
        let sql = sql.replace("idx >= $2", "idx >= $2 AND idx < $4");
        bound.push(int(range.end));
        for row in source.fetch(&sql, &bound).await? {
            let mut values = select.values(&row)?;
            let rest = values.split_off(2);
            let [SqlValue::Int(idx), SqlValue::Int(ord)] = values.as_slice() else { continue };
            found.insert((*idx, *ord), EvidenceRow { table: *table, values: rest });
        }
    }
    let mut rows: Vec<(u64, Vec<EvidenceRow>)> = Vec::new();
    for ((idx, _), row) in found {
        let index = index(tenant, idx)?;
        match rows.last_mut().filter(|(last, _)| *last == index) {
            Some((_, rows)) => rows.push(row),
            None => rows.push((index, vec![row])),
        }
    }
    Ok(rows)
}

fn index(tenant: &str, idx: i64) -> Result<u64, Error> {
    u64::try_from(idx).map_err(|_| damaged(tenant, "an index", idx))
}
