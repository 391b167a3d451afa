//! Tables beside the trail: answered requests, cosignatures and time stamps.

use std::collections::BTreeSet;

use dalil_proof::digest::Digest;
use dalil_proof::fault::quote;

use super::cell;
use super::finding::FindingSink;
use super::tenant::TenantFsck;
use crate::catalog::{CatalogFailure, SqlValue};
use crate::trail::{RecordedCosignature, RecordedTimestamp};

impl TenantFsck<'_> {
    /// Checks that answered requests name records that are there.
    pub(super) async fn requests(
        &mut self,
        teller: &mut FindingSink<'_>,
    ) -> Result<(), CatalogFailure> {
        // No key is empty, so this is before the first.
        let mut after = String::new();
        let mut count = 0_u64;
        loop {
            let sql = "SELECT key, fingerprint, first, count FROM requests \
                       WHERE tenant = $1 AND key > $2 ORDER BY key LIMIT 256";
            let rows = self
                .fetch(sql, &[SqlValue::from(self.tenant), SqlValue::from(after.as_str())])
                .await?;
            for row in &rows {
                let Some(key) = cell::text(row, 0) else {
                    teller.fail("requests", None, "expected a key, found no text");
                    return Ok(());
                };
                let is_digest =
                    cell::text(row, 1).is_some_and(|text| text.parse::<Digest>().is_ok());
                let range = cell::index(row, 2).zip(cell::index(row, 3));
                let is_there = range.is_some_and(|(first, count)| {
                    count > 0 && first.checked_add(count).is_some_and(|end| end <= self.next)
                });
                if !is_digest || !is_there {
                    let what =
                        if is_there { "no fingerprint" } else { "no records that are there" };
                    teller.fail("requests", None, format!("request {} names {what}", quote(&key)));
                }
                count += 1;
                after = key;
            }
            if rows.is_empty() {
                break;
            }
        }
        teller.pass("requests", format!("{count} answered, by records that are there"));
        Ok(())
    }

    /// Reads the fields of a cosignature's record, and checks the signature.
    pub(super) fn witnessed(
        &mut self,
        index: u64,
        field: Option<&[u8]>,
        teller: &mut FindingSink<'_>,
    ) {
        // A field that is missing or altered is a finding of `payloads` already.
        let Some(field) = field else { return };
        match RecordedCosignature::parse(field) {
            Ok(witnessed) => {
                let origin = self.origin.as_deref();
                if !origin.is_some_and(|origin| witnessed.is_signed(origin)) {
                    let message = "the line is not the witness's own on that head";
                    teller.fail("cosignatures", Some(index), message);
                }
                self.cosigned.insert((witnessed.size, witnessed.line));
            }
            Err(error) => teller.fail("cosignatures", Some(index), error.to_string()),
        }
    }

    /// Reads the fields of a time stamp's record, and checks the token.
    pub(super) fn stamped(
        &mut self,
        index: u64,
        field: Option<&[u8]>,
        teller: &mut FindingSink<'_>,
    ) {
        let Some(field) = field else { return };
        match RecordedTimestamp::parse(field) {
            Ok(stamped) => {
                let origin = self.origin.as_deref();
                if !origin.is_some_and(|origin| stamped.is_stamped(origin)) {
                    let message = "the line is not the authority's own on that head";
                    teller.fail("timestamps", Some(index), message);
                }
                self.timestamped.insert((stamped.size, stamped.line));
            }
            Err(error) => teller.fail("timestamps", Some(index), error.to_string()),
        }
    }

    /// Compares the cosignatures with the records that vouch for them.
    pub(super) async fn cosignatures(
        &mut self,
        teller: &mut FindingSink<'_>,
    ) -> Result<(), CatalogFailure> {
        let vouched = std::mem::take(&mut self.cosigned);
        self.lines("cosignatures", &vouched, teller).await
    }

    /// Compares the time stamps with the records that vouch for them.
    pub(super) async fn timestamps(
        &mut self,
        teller: &mut FindingSink<'_>,
    ) -> Result<(), CatalogFailure> {
        let vouched = std::mem::take(&mut self.timestamped);
        self.lines("timestamps", &vouched, teller).await
    }

    /// Compares the lines of a table with those that records vouch for.
    async fn lines(
        &mut self,
        table: &'static str,
        vouched: &BTreeSet<(u64, String)>,
        teller: &mut FindingSink<'_>,
    ) -> Result<(), CatalogFailure> {
        let sql = format!("SELECT size, line FROM {table} WHERE tenant = $1");
        let mut found = BTreeSet::new();
        for row in self.fetch(&sql, &[SqlValue::from(self.tenant)]).await? {
            match (cell::index(&row, 0), cell::text(&row, 1)) {
                (Some(size), Some(line)) => {
                    found.insert((size, line));
                }
                _ => teller.fail(table, None, "expected a size and a line"),
            }
        }
        for (size, _) in vouched.difference(&found) {
            let message = format!("the one on the checkpoint of size {size} is missing");
            teller.fail(table, None, message);
        }
        for (size, _) in found.difference(vouched) {
            let message = format!("one on the checkpoint of size {size} is in no record");
            teller.fail(table, None, message);
        }
        let sizes = found.iter().map(|(size, _)| *size).collect::<BTreeSet<_>>();
        for size in sizes {
            let sql = "SELECT note FROM checkpoints WHERE tenant = $1 AND size = $2";
            if self
                .fetch(sql, &[SqlValue::from(self.tenant), SqlValue::from(size)])
                .await?
                .is_empty()
            {
                let message = format!("there is no checkpoint of size {size} to sign");
                teller.fail(table, None, message);
            }
        }
        teller.pass(table, format!("{}, each in a record", found.len()));
        Ok(())
    }
}
