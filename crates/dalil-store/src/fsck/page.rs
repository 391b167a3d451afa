//! A page of records, with everything that the catalog keeps beside them.

use std::collections::BTreeMap;

use super::cell;
use super::finding::FindingSink;
use super::payload::RecordChildRows;
use super::record::FsckRecordRow;
use super::tenant::TenantFsck;
use crate::catalog::{CatalogFailure, EvidenceTable, LEADING_COLUMNS, SqlValue, select_from};

/// Some records, and their child rows, by index.
pub(super) struct FsckRecordPage {
    pub(super) lines: Vec<FsckRecordRow>,
    pub(super) beside: BTreeMap<u64, RecordChildRows>,
    last: i64,
}

impl FsckRecordPage {
    /// The last place that the page looked at.
    pub(super) fn last(&self) -> i64 {
        self.last
    }
}

impl<'w> TenantFsck<'w> {
    /// The records after a place; `None` when there are no more.
    pub(super) async fn page(
        &mut self,
        after: i64,
        teller: &mut FindingSink<'_>,
    ) -> Result<Option<FsckRecordPage>, CatalogFailure> {
        let sql = "SELECT idx, id, kind, subject, sequence, at, leaf, envelope FROM records \
                   WHERE tenant = $1 AND idx > $2 ORDER BY idx LIMIT $3";
        let bound =
            [SqlValue::from(self.tenant), SqlValue::Int(after), SqlValue::Int(MAX_PAGE_RECORDS)];
        let rows = self.fetch(sql, &bound).await?;
        let mut lines = Vec::with_capacity(rows.len());
        let mut last = None;
        for row in &rows {
            match (cell::int(row, 0), cell::index(row, 0)) {
                (Some(_), Some(index)) => lines.push(FsckRecordRow::read(index, row)),
                (Some(idx), None) => {
                    teller.fail("records", None, format!("expected an index, found {idx}"));
                }
                // A cell that is no number sorts after all numbers: nothing readable follows.
                (None, _) => {
                    teller.fail("records", None, "expected an index, found no number");
                    break;
                }
            }
            last = cell::int(row, 0);
        }
        let Some(last) = last else { return Ok(None) };
        // By range and not by record, so that rows of a record that is missing are found as well.
        let mut beside = BTreeMap::new();
        self.payloads(after, last, &mut beside, teller).await?;
        self.rows(after, last, &mut beside, teller).await?;
        self.erasures(after, last, &mut beside).await?;
        Ok(Some(FsckRecordPage { lines, beside, last }))
    }

    async fn payloads(
        &mut self,
        after: i64,
        last: i64,
        beside: &mut BTreeMap<u64, RecordChildRows>,
        teller: &mut FindingSink<'_>,
    ) -> Result<(), CatalogFailure> {
        let sql = "SELECT idx, name, salt, bytes, sha256 FROM payloads \
                   WHERE tenant = $1 AND idx > $2 AND idx <= $3 ORDER BY idx";
        for row in self.fetch(sql, &self.range(after, last)).await? {
            match (cell::index(&row, 0), cell::text(&row, 1)) {
                (Some(index), Some(name)) => {
                    beside.entry(index).or_default().payload(name, &row);
                }
                (index, _) => teller.fail("payloads", index, "expected an index and a name"),
            }
        }
        Ok(())
    }

    async fn rows(
        &mut self,
        after: i64,
        last: i64,
        beside: &mut BTreeMap<u64, RecordChildRows>,
        teller: &mut FindingSink<'_>,
    ) -> Result<(), CatalogFailure> {
        for table in EvidenceTable::ALL {
            let name = table.name();
            let selected = select_from(*table);
            let sql = format!("{selected} AND idx > $2 AND idx <= $3 ORDER BY idx, ord");
            for row in self.fetch(&sql, &self.range(after, last)).await? {
                let place = (cell::index(&row, 0), cell::index(&row, 1));
                let (Some(index), Some(ord)) = place else {
                    let message = format!("a row of `{name}` without a place");
                    teller.fail("rows", place.0, message);
                    continue;
                };
                match table.read(&row, LEADING_COLUMNS) {
                    Ok(row) => beside.entry(index).or_default().row(ord, row),
                    Err(_) => beside.entry(index).or_default().strange(ord, name),
                }
            }
        }
        Ok(())
    }

    async fn erasures(
        &mut self,
        after: i64,
        last: i64,
        beside: &mut BTreeMap<u64, RecordChildRows>,
    ) -> Result<(), CatalogFailure> {
        // Newest first, so that the oldest erasure of a record remains: later ones found nothing.
        let sql = "SELECT erased, idx FROM erasures \
                   WHERE tenant = $1 AND erased > $2 AND erased <= $3 ORDER BY idx DESC";
        for row in self.fetch(sql, &self.range(after, last)).await? {
            if let (Some(erased), Some(by)) = (cell::index(&row, 0), cell::index(&row, 1)) {
                beside.entry(erased).or_default().erased_by = Some(by);
            }
        }
        Ok(())
    }

    fn range(&self, after: i64, last: i64) -> [SqlValue<'w>; 3] {
        [SqlValue::from(self.tenant), SqlValue::Int(after), SqlValue::Int(last)]
    }
}

/// How many records are looked at together: their payloads are in memory at once.
const MAX_PAGE_RECORDS: i64 = 256;
