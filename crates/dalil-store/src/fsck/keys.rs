//! The secrets of signing keys: whether each opens, and is its key's own.

use std::collections::BTreeMap;

use dalil_proof::key::SecretKey;

use super::cell;
use super::finding::FindingSink;
use super::tenant::TenantFsck;
use crate::catalog::{CatalogFailure, SqlValue};

impl TenantFsck<'_> {
    /// Opens the sealed seeds, and compares them with the keys.
    pub(super) async fn secrets(
        &mut self,
        open: bool,
        teller: &mut FindingSink<'_>,
    ) -> Result<(), CatalogFailure> {
        let sql = "SELECT key_id, sealed FROM secrets WHERE tenant = $1 ORDER BY key_id";
        let mut sealed = BTreeMap::new();
        for row in self.fetch(sql, &[SqlValue::from(self.tenant)]).await? {
            match cell::text(&row, 0) {
                Some(id) => drop(sealed.insert(id, cell::bytes(&row, 1))),
                None => teller.fail("secrets", None, "expected the id of a key, found no text"),
            }
        }
        for (id, (key, in_use)) in &self.keys.keys {
            match sealed.remove(id) {
                None if *in_use => {
                    teller.fail(
                        "secrets",
                        None,
                        format!("key `{id}` is in use, and its secret is missing"),
                    );
                }
                // A key that no longer signs needs no secret.
                None => {}
                Some(_) if !open => {}
                Some(bytes) => {
                    let sealed = bytes.ok_or_else(|| "expected bytes, found others".to_owned());
                    let seed = sealed.and_then(|sealed| {
                        self.shared.vault.open(self.tenant, id, &sealed).map_err(|error| {
                            format!("expected {}, found {}", error.expected, error.found)
                        })
                    });
                    let fits = seed.and_then(|seed| {
                        // A seed is sealed for an id of four bytes, which another key can have.
                        let secret = SecretKey::from_seed(key.name(), &seed).ok();
                        let fits = secret.is_some_and(|secret| secret.public() == key);
                        fits.then_some(()).ok_or_else(|| "it is another key's".to_owned())
                    });
                    if let Err(message) = fits {
                        teller.fail("secrets", None, format!("key `{id}`: {message}"));
                    }
                }
            }
        }
        for id in sealed.keys() {
            teller.fail("secrets", None, format!("a secret of `{id}`, which no record added"));
        }
        if !open {
            teller.incomplete("secrets", "no identity was given to open them with");
        }
        let count = self.keys.keys.len();
        teller.pass("keys", format!("{count} recorded, as their records say"));
        teller.pass("secrets", "each opens with the identity, and is its key's own");
        Ok(())
    }
}
