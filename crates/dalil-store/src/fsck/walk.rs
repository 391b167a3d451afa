//! One tenant: its records in order, then the tables beside them.

use std::collections::BTreeSet;

use dalil_proof::digest::Digest;
use dalil_proof::erasure;
use dalil_proof::keyring::redating::REDATING_FIELD;
use dalil_proof::record::{Record, RecordKind};

use super::finding::FindingSink;
use super::keyring;
use super::page::FsckRecordPage;
use super::payload::RecordChildRows;
use super::tenant::TenantFsck;
use super::{FsckOptions, cell};
use crate::catalog::{CatalogFailure, EvidenceRow, EvidenceTable, SqlValue};

impl TenantFsck<'_> {
    /// Looks at everything of the tenant.
    pub(super) async fn run(
        mut self,
        options: FsckOptions,
        teller: &mut FindingSink<'_>,
    ) -> Result<(), CatalogFailure> {
        let sql = "SELECT COUNT(*) FROM records WHERE tenant = $1";
        let rows = self.fetch(sql, &[SqlValue::from(self.tenant)]).await?;
        let all = rows.first().and_then(|row| cell::index(row, 0)).unwrap_or(0);
        // From below zero: an index that cannot be is to be found, not skipped.
        let mut after = i64::MIN;
        while let Some(page) = self.page(after, teller).await? {
            after = page.last();
            self.records(page, teller).await?;
            teller.progress(self.next, all);
        }
        self.strays(after, teller).await?;
        teller.pass("records", format!("{} in order, each in its own bytes", self.next));
        teller.pass(
            "lineage",
            format!("{} subjects, each record after the one before", self.subjects.len()),
        );
        self.seen.tell(teller);
        self.end_heads(teller).await?;
        self.requests(teller).await?;
        self.cosignatures(teller).await?;
        self.timestamps(teller).await?;
        self.secrets(options.secrets, teller).await?;
        self.lake(options.sweep, teller).await
    }

    async fn records(
        &mut self,
        page: FsckRecordPage,
        teller: &mut FindingSink<'_>,
    ) -> Result<(), CatalogFailure> {
        let FsckRecordPage { lines, mut beside, .. } = page;
        for line in lines {
            let index = line.index;
            if index != self.next {
                teller.fail("records", Some(self.next), gap(self.next, index));
                self.heads.lose();
            }
            // Continues from the index that is there, so that one gap is one finding.
            self.next = index.saturating_add(1);
            let record = self.record(&line, teller).await?;
            // The envelope decides. Where it cannot be read, the column is used instead, so that
            // later roots can still be compared.
            let leaf = record.as_ref().map(Record::leaf).or(line.leaf);
            let here = beside.remove(&index).unwrap_or_else(RecordChildRows::default);
            if let Some(record) = &record {
                let payload = here.check(index, record, &mut self.seen, teller);
                self.objects.need(&payload.objects, index);
                // Before `grow`: a checkpoint is signed with the keys its records leave in use.
                self.follow(index, record, &payload, teller);
            }
            self.grow(index, leaf, teller).await?;
        }
        for (index, here) in beside {
            here.stray(index, teller);
        }
        self.check_objects(teller).await
    }

    /// Applies the changes that a record makes for later ones: keys, erasures, cosignatures, time
    /// stamps.
    fn follow(
        &mut self,
        index: u64,
        record: &Record,
        payload: &super::payload::IntactPayload,
        teller: &mut FindingSink<'_>,
    ) {
        let kind = record.envelope().kind;
        let rows = payload.rows.as_slice();
        if let (RecordKind::TenantCreated, Some(EvidenceRow::Tenants(row))) = (kind, rows.first()) {
            self.origin = Some(row.origin.clone());
        }
        self.keys.follow((index, kind), rows, payload.bytes("key"), teller);
        if kind == RecordKind::KeyRedated {
            keyring::redated(index, rows, payload.bytes(REDATING_FIELD), teller);
        }
        if kind == RecordKind::PayloadErased {
            self.erasure = Some(index);
            erased(index, rows, payload.bytes(erasure::ERASURE_FIELD), teller);
        }
        if kind == RecordKind::CheckpointWitnessed {
            self.witnessed(index, payload.bytes(crate::trail::WITNESS_FIELD), teller);
        }
        if kind == RecordKind::CheckpointTimestamped {
            self.stamped(index, payload.bytes(crate::trail::TIMESTAMP_FIELD), teller);
        }
    }

    /// Adds a leaf to the tree, and checks every tile and checkpoint that it completes.
    async fn grow(
        &mut self,
        index: u64,
        leaf: Option<Digest>,
        teller: &mut FindingSink<'_>,
    ) -> Result<(), CatalogFailure> {
        match leaf {
            Some(leaf) => self.heads.push(leaf),
            None => self.heads.lose(),
        }
        self.tiles(teller).await?;
        self.checkpoints(index.saturating_add(1), teller).await
    }

    /// Rows after the last record belong to nothing.
    async fn strays(
        &mut self,
        after: i64,
        teller: &mut FindingSink<'_>,
    ) -> Result<(), CatalogFailure> {
        let evidence = EvidenceTable::ALL.iter().map(|table| table.name());
        for table in std::iter::once("payloads").chain(evidence) {
            let sql = format!(
                "SELECT idx FROM {table} WHERE tenant = $1 AND idx > $2 ORDER BY idx LIMIT 21"
            );
            for row in
                self.fetch(&sql, &[SqlValue::from(self.tenant), SqlValue::Int(after)]).await?
            {
                let message = format!("a row of `{table}` belongs to no record");
                teller.fail(
                    if table == "payloads" { "payloads" } else { "rows" },
                    cell::index(&row, 0),
                    message,
                );
            }
        }
        Ok(())
    }
}

fn gap(expected: u64, found: u64) -> String {
    match found.checked_sub(expected) {
        Some(1) => "it is missing".to_owned(),
        Some(_) => format!("it and those up to record {} are missing", found - 1),
        None => format!("found record {found} in its place"),
    }
}

/// Compares the field of an erasure with its rows.
fn erased(index: u64, rows: &[EvidenceRow], field: Option<&[u8]>, teller: &mut FindingSink<'_>) {
    let Some(field) = field else { return };
    let named = rows.iter().filter_map(|row| match row {
        EvidenceRow::Erasures(erasure) => Some(erasure.erased),
        _ => None,
    });
    let named: BTreeSet<u64> = named.collect();
    match erasure::Erasure::parse(field) {
        // Verifiers read the field, the triggers obey the rows. They must agree, or more could be
        // deleted than the record states.
        Ok(erasure) if erasure.erased().iter().copied().eq(named.iter().copied()) => {
            if let Some(late) = erasure.erased().iter().find(|erased| **erased >= index) {
                let message = format!("expected records before it, found record {late}");
                teller.fail("erasures", Some(index), message);
            }
        }
        Ok(_) => teller.fail("erasures", Some(index), "the field and the rows name other records"),
        Err(error) => teller.fail("erasures", Some(index), error.to_string()),
    }
}
