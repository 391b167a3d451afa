//! What stands beside the trail: answered requests, and cosignatures.

use std::collections::BTreeSet;

use dalil_proof::digest::Digest;
use dalil_proof::fault::quote;

use super::cell;
use super::finding::FindingSink;
use super::tenant::TenantFsck;
use crate::catalog::{CatalogFailure, SqlValue};
use crate::trail::RecordedCosignature;

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

    /// Reads what a record says of a cosignature, and checks the signature.
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

    /// Compares the cosignatures with the records that vouch for them.
    pub(super) async fn cosignatures(
        &mut self,
        teller: &mut FindingSink<'_>,
    ) -> Result<(), CatalogFailure> {
        let sql = "SELECT size, line FROM cosignatures WHERE tenant = $1";
        let mut found = BTreeSet::new();
        for row in self.fetch(sql, &[SqlValue::from(self.tenant)]).await? {
            match (cell::index(&row, 0), cell::text(&row, 1)) {
                (Some(size), Some(line)) => {
                    found.insert((size, line));
                }
                _ => teller.fail("cosignatures", None, "expected a size and a line"),
            }
        }
        for (size, _) in self.cosigned.difference(&found) {
            let message = format!("the one on the checkpoint of size {size} is missing");
            teller.fail("cosignatures", None, message);
        }
        for (size, _) in found.difference(&self.cosigned) {
            let message = format!("one on the checkpoint of size {size} is in no record");
            teller.fail("cosignatures", None, message);
        }
        let sizes = found.iter().map(|(size, _)| *size).collect::<BTreeSet<_>>();
        for size in sizes {
            let sql = "SELECT note FROM checkpoints WHERE tenant = $1 AND size = $2";
            if self
                .fetch(sql, &[SqlValue::from(self.tenant), SqlValue::from(size)])
                .await?
                .is_empty()
            {
                let message = format!("there is no checkpoint of size {size} to cosign");
                teller.fail("cosignatures", None, message);
            }
        }
        teller.pass("cosignatures", format!("{}, each in a record", found.len()));
        Ok(())
    }
}
