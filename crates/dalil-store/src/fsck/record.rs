//! One line of `records`: the envelope, and the columns that repeat it.

use dalil_proof::digest::Digest;
use dalil_proof::fault::quote;
use dalil_proof::record::{Lineage, Record};
use sqlx::any::AnyRow;

use super::cell;
use super::finding::FindingSink;
use super::lineage::FsckLineageHead;
use super::tenant::TenantFsck;
use crate::catalog::{CatalogFailure, SqlValue};

/// A row as it is in the catalog.
pub(super) struct FsckRecordRow {
    pub(super) index: u64,
    pub(super) leaf: Option<Digest>,
    pub(super) envelope: Option<Vec<u8>>,
    id: Option<String>,
    kind: Option<String>,
    subject: Option<String>,
    sequence: Option<u64>,
    at: Option<String>,
}

impl FsckRecordRow {
    pub(super) fn read(index: u64, row: &AnyRow) -> Self {
        Self {
            index,
            id: cell::text(row, 1),
            kind: cell::text(row, 2),
            subject: cell::text(row, 3),
            sequence: cell::index(row, 4),
            at: cell::text(row, 5),
            leaf: cell::hash(row, 6),
            envelope: cell::bytes(row, 7),
        }
    }
}

impl TenantFsck<'_> {
    /// Reads the envelope and compares everything that repeats it.
    pub(super) async fn record(
        &mut self,
        line: &FsckRecordRow,
        teller: &mut FindingSink<'_>,
    ) -> Result<Option<Record>, CatalogFailure> {
        let index = Some(line.index);
        let record = match line.envelope.as_deref().map(Record::parse) {
            Some(Ok(record)) => record,
            Some(Err(error)) => {
                let fault = error.refused.first().map(|fault| fault.message.english());
                let fault = fault.map_or_else(|| error.to_string(), str::to_owned);
                let message = format!("its envelope: {fault}");
                teller.fail("records", index, message);
                return Ok(None);
            }
            None => {
                teller.fail("records", index, "expected the bytes of an envelope, found none");
                return Ok(None);
            }
        };
        if line.leaf != Some(record.leaf()) {
            teller.fail("leaves", index, "the leaf hash is not that of the envelope");
        }
        let envelope = record.envelope();
        let at = envelope.at.to_string();
        let columns = [
            ("id", line.id.as_deref() == Some(envelope.id.as_str())),
            ("kind", line.kind.as_deref() == Some(envelope.kind.as_str())),
            ("subject", line.subject.as_deref() == Some(envelope.subject.as_str())),
            ("sequence", line.sequence == Some(envelope.lineage.sequence())),
            ("at", line.at.as_deref() == Some(at.as_str())),
        ];
        for (column, _) in columns.iter().filter(|(_, agrees)| !agrees) {
            teller.fail("columns", index, format!("`{column}` is not what the envelope says"));
        }
        self.lineage(line.index, &record, teller).await?;
        Ok(Some(record))
    }

    async fn lineage(
        &mut self,
        index: u64,
        record: &Record,
        teller: &mut FindingSink<'_>,
    ) -> Result<(), CatalogFailure> {
        let envelope = record.envelope();
        let subject = &envelope.subject;
        let known = match self.subjects.remove(subject) {
            Some(last) => Some(last),
            // A map with room holds every subject so far. A full one stays full: an entry that is
            // taken out here is put back below.
            None if self.subjects.len() < MAX_REMEMBERED_SUBJECTS => None,
            None => self.last_of(subject, envelope.lineage.sequence()).await?,
        };
        let broken = match (&envelope.lineage, &known) {
            (Lineage::First, None) => None,
            (Lineage::First, Some(_)) => Some("it begins a lineage that had begun"),
            (Lineage::Next { .. }, None) => Some("it follows a record that is not there"),
            (Lineage::Next { sequence, previous }, Some(last)) => {
                if *sequence != last.sequence + 1 {
                    Some("its sequence does not follow")
                } else if *previous != last.leaf {
                    Some("it names another record before it")
                } else {
                    (envelope.at < last.at).then_some("it is dated before the record it follows")
                }
            }
        };
        if let Some(broken) = broken {
            teller.fail("lineage", Some(index), format!("subject {}: {broken}", quote(subject)));
        }
        if self.subjects.len() < MAX_REMEMBERED_SUBJECTS {
            let sequence = envelope.lineage.sequence();
            let last = FsckLineageHead { sequence, leaf: record.leaf(), at: envelope.at };
            self.subjects.insert(subject.clone(), last);
        }
        Ok(())
    }

    /// The record before this one of a subject, from the catalog: memory has its bounds.
    async fn last_of(
        &mut self,
        subject: &str,
        sequence: u64,
    ) -> Result<Option<FsckLineageHead>, CatalogFailure> {
        let Some(before) = sequence.checked_sub(1) else { return Ok(None) };
        let sql =
            "SELECT envelope FROM records WHERE tenant = $1 AND subject = $2 AND sequence = $3";
        let bound = [SqlValue::from(self.tenant), SqlValue::from(subject), SqlValue::from(before)];
        let rows = self.fetch(sql, &bound).await?;
        let record = rows.first().and_then(|row| Record::parse(&cell::bytes(row, 0)?).ok());
        Ok(record.map(|record| {
            let at = record.envelope().at;
            FsckLineageHead { sequence: before, leaf: record.leaf(), at }
        }))
    }
}

/// How many subjects are kept in mind; the others are looked up.
const MAX_REMEMBERED_SUBJECTS: usize = 1 << 20;
