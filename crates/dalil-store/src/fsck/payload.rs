//! The committed parts of a record: the fields of its payload, and its rows.

use std::collections::BTreeMap;

use dalil_proof::digest::Digest;
use dalil_proof::erasure::may_erase;
use dalil_proof::record::{Commitment, Record};
use sqlx::any::AnyRow;

use super::cell;
use super::finding::FindingSink;
use crate::catalog::{EvidenceRow, committed};
use crate::trail::entry::ROWS_FIELD;

/// Everything that the catalog keeps under the index of one record.
#[derive(Default)]
pub(super) struct RecordChildRows {
    payloads: BTreeMap<String, FsckPayloadRow>,
    /// Rows by their place; two tables can claim one.
    rows: BTreeMap<u64, Vec<EvidenceRow>>,
    /// Rows with values of another type than their columns.
    strange: Vec<(u64, &'static str)>,
    /// The index of the record that states the erasure.
    pub(super) erased_by: Option<u64>,
}

/// A line of `payloads`.
struct FsckPayloadRow {
    salt: Option<[u8; 32]>,
    bytes: Option<Vec<u8>>,
    sha256: Option<String>,
    /// Whether both are null, and not merely something else.
    is_empty: bool,
}

/// The parts of a record's payload that were found intact.
#[derive(Default)]
pub(super) struct IntactPayload {
    pub(super) rows: Vec<EvidenceRow>,
    pub(super) objects: Vec<Digest>,
    fields: BTreeMap<String, Vec<u8>>,
}

/// Counts of the fields of all payloads by state.
#[derive(Default)]
pub(super) struct PayloadTally {
    present: u64,
    erased: u64,
    rows: u64,
}

impl PayloadTally {
    pub(super) fn tell(&self, teller: &mut FindingSink<'_>) {
        let Self { present, erased, rows } = self;
        teller.pass("payloads", format!("{present} fields PRESENT, {erased} ERASED"));
        teller.pass("rows", format!("{rows} as the records commit to them"));
        teller.pass("erasures", format!("{erased} fields went, each by a record"));
    }
}

impl IntactPayload {
    /// The bytes of a field that is there.
    pub(super) fn bytes(&self, name: &str) -> Option<&[u8]> {
        self.fields.get(name).map(Vec::as_slice)
    }
}

impl RecordChildRows {
    pub(super) fn payload(&mut self, name: String, row: &AnyRow) {
        let kept = FsckPayloadRow {
            salt: cell::bytes(row, 2).and_then(|salt| salt.try_into().ok()),
            bytes: cell::bytes(row, 3),
            sha256: cell::text(row, 4),
            is_empty: cell::is_null(row, 3) && cell::is_null(row, 4),
        };
        self.payloads.insert(name, kept);
    }

    pub(super) fn row(&mut self, ord: u64, row: EvidenceRow) {
        self.rows.entry(ord).or_default().push(row);
    }

    pub(super) fn strange(&mut self, ord: u64, table: &'static str) {
        self.strange.push((ord, table));
    }

    /// Reports that everything here belongs to no record.
    pub(super) fn stray(self, index: u64, teller: &mut FindingSink<'_>) {
        for name in self.payloads.keys() {
            teller.fail("payloads", Some(index), format!("field `{name}` belongs to no record"));
        }
        for row in self.rows.values().flatten() {
            let message = format!("a row of `{}` belongs to no record", row.table().name());
            teller.fail("rows", Some(index), message);
        }
        if let Some(by) = self.erased_by {
            let message = format!("expected a record that is there, found {index}");
            teller.fail("erasures", Some(by), message);
        }
    }

    /// Compares the payload with the commitments of the record.
    pub(super) fn check(
        mut self,
        index: u64,
        record: &Record,
        seen: &mut PayloadTally,
        teller: &mut FindingSink<'_>,
    ) -> IntactPayload {
        let commitments = &record.envelope().commitments;
        let mut checked = IntactPayload::default();
        // An erasure takes the whole payload: nothing is left to open a commitment with.
        if let Some(by) = self.erased_by {
            self.check_erased((index, by), record, seen, teller);
            return checked;
        }
        // The line of `rows` has a salt and no content: the rows are in their own tables.
        let salt =
            self.payloads.get(ROWS_FIELD).filter(|kept| kept.is_empty).and_then(|kept| kept.salt);
        for (name, commitment) in commitments {
            match self.payloads.remove(name) {
                None => teller.fail("payloads", Some(index), format!("field `{name}` is MISSING")),
                Some(_) if name == ROWS_FIELD && salt.is_some() => seen.present += 1,
                // With content, the line would open its commitment whatever is in the tables.
                Some(kept) => match name != ROWS_FIELD && kept.opens(name, commitment) {
                    true => {
                        seen.present += 1;
                        checked.take(name, kept);
                    }
                    false => {
                        teller.fail("payloads", Some(index), format!("field `{name}` is ALTERED"));
                    }
                },
            }
        }
        // The fields of the record were taken out above; the rest was added.
        for name in self.payloads.keys() {
            let message = format!("field `{name}` was added: the record does not commit to it");
            teller.fail("payloads", Some(index), message);
        }
        let commitment = commitments.get(ROWS_FIELD);
        checked.rows = self.check_rows(index, commitment.zip(salt), commitment.is_some(), teller);
        seen.rows += checked.rows.len() as u64;
        checked.objects.extend(checked.rows.iter().filter_map(EvidenceRow::object));
        checked
    }

    fn check_erased(
        &self,
        (index, by): (u64, u64),
        record: &Record,
        seen: &mut PayloadTally,
        teller: &mut FindingSink<'_>,
    ) {
        let kind = record.envelope().kind;
        if !may_erase(kind) {
            let message = format!("expected a kind that may be erased, found `{kind}`");
            teller.fail("erasures", Some(index), message);
        }
        for name in self.payloads.keys() {
            let message = format!("record {by} erased it, but field `{name}` is there");
            teller.fail("erasures", Some(index), message);
        }
        for row in self.rows.values().flatten() {
            let message =
                format!("record {by} erased it, but a row of `{}` is there", row.table().name());
            teller.fail("erasures", Some(index), message);
        }
        seen.erased += record.envelope().commitments.len() as u64;
    }

    /// The rows, if they match the record's commitment; otherwise the finding about them.
    fn check_rows(
        &self,
        index: u64,
        committed_to: Option<(&Commitment, [u8; 32])>,
        is_committed: bool,
        teller: &mut FindingSink<'_>,
    ) -> Vec<EvidenceRow> {
        let mut fail = |message: String| teller.fail("rows", Some(index), message);
        for (ord, table) in &self.strange {
            fail(format!("row {ord}, of `{table}`, was changed: a value of another type"));
        }
        let rows = self.rows.iter().flat_map(|(ord, rows)| rows.iter().map(move |row| (*ord, row)));
        let rows = rows.collect::<Vec<_>>();
        let Some((commitment, salt)) = committed_to else {
            if !is_committed {
                for (ord, row) in &rows {
                    let table = row.table().name();
                    fail(format!("row {ord}, of `{table}`, was added: the record has no rows"));
                }
            }
            return Vec::new();
        };
        let opens = |rows: &[EvidenceRow]| {
            committed(rows).is_ok_and(|bytes| commitment.opens(ROWS_FIELD, &salt, &bytes))
        };
        let all = rows.iter().map(|(_, row)| (*row).clone()).collect::<Vec<_>>();
        // The commitment is over the order of the rows, not over `ord`: gaps and two rows in one
        // place would open it as well.
        let is_counted = rows.iter().zip(0..).all(|((ord, _), n)| *ord == n);
        if opens(&all) && is_counted {
            return all;
        }
        if !self.strange.is_empty() {
            return Vec::new();
        }
        let last = rows.last().map_or(0, |(ord, _)| *ord);
        // The first alone: `ord` comes from the database, and may be near 2^63.
        let missing = (0..last).find(|ord| !self.rows.contains_key(ord));
        let without = |n: usize| {
            let rest = all.iter().enumerate().filter(|(other, _)| *other != n);
            rest.map(|(_, row)| row.clone()).collect::<Vec<_>>()
        };
        // Quadratic in the rows, and only for a record whose rows were changed.
        let added = (0..all.len()).rev().find(|n| opens(&without(*n)));
        match (added.and_then(|n| rows.get(n)), missing) {
            (_, None) if rows.is_empty() => fail("every row is missing".to_owned()),
            (Some((ord, row)), _) => {
                fail(format!("row {ord}, of `{}`, was added", row.table().name()));
            }
            (None, Some(ord)) => fail(format!("row {ord} is missing")),
            (None, None) if opens(&all) => fail("the rows stand in other places".to_owned()),
            (None, None) => fail("a row was changed, or the last one is missing".to_owned()),
        }
        Vec::new()
    }
}

impl FsckPayloadRow {
    fn opens(&self, name: &str, commitment: &Commitment) -> bool {
        let Some(salt) = &self.salt else { return false };
        match (&self.bytes, &self.sha256) {
            (Some(bytes), None) => commitment.opens(name, salt, bytes),
            (None, Some(text)) => {
                // Without the first test, bytes could be moved to the column of digests unseen.
                text.parse::<Digest>().is_ok() && commitment.opens(name, salt, text.as_bytes())
            }
            (Some(_), Some(_)) | (None, None) => false,
        }
    }
}

impl IntactPayload {
    fn take(&mut self, name: &str, kept: FsckPayloadRow) {
        let FsckPayloadRow { bytes, sha256, .. } = kept;
        self.objects.extend(sha256.and_then(|text| text.parse::<Digest>().ok()));
        if let Some(bytes) = bytes {
            self.fields.insert(name.to_owned(), bytes);
        }
    }
}
