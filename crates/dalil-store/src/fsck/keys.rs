//! Signing keys: which are in use at each size, and whether their secrets fit.

use std::collections::BTreeMap;

use dalil_core::digest::hex;
use dalil_core::fault::quote;
use dalil_core::key::{PublicKey, SecretKey};
use dalil_core::record::RecordKind;

use super::finding::FindingSink;
use super::walk::TenantFsck;
use super::{cell, own};
use crate::catalog::{CatalogFailure, EvidenceRow, KeyRow};
use crate::trail::signer::{KEY_ADDED, KEY_RETIRED, KEY_REVOKED};

/// Every key that was recorded, by id, and whether it signs.
#[derive(Default)]
pub(super) struct FsckKeyring {
    keys: BTreeMap<String, (PublicKey, bool)>,
}

impl FsckKeyring {
    /// The keys that sign now.
    pub(super) fn in_use(&self) -> Vec<PublicKey> {
        let signing = self.keys.values().filter(|(_, in_use)| *in_use);
        signing.map(|(key, _)| key.clone()).collect()
    }

    /// Follows a record about a key; its rows and its field must say the same.
    pub(super) fn follow(
        &mut self,
        (index, kind): (u64, RecordKind),
        rows: &[EvidenceRow],
        field: Option<&[u8]>,
        teller: &mut FindingSink<'_>,
    ) {
        let change = match kind {
            RecordKind::KeyAdded => KEY_ADDED,
            RecordKind::KeyRetired => KEY_RETIRED,
            RecordKind::KeyRevoked => KEY_REVOKED,
            _ => return,
        };
        let key = field.and_then(|field| std::str::from_utf8(field).ok());
        let Some(key) = key.and_then(|key| key.parse::<PublicKey>().ok()) else {
            teller.fail("keys", Some(index), "expected a verifier key in its field `key`");
            return;
        };
        let id = hex(&key.id());
        // The field is what verifiers read, the row what the store reads: a difference would let
        // the store sign with a key that nobody trusts.
        let public_key = key.to_string();
        let said = (id.as_str(), key.name(), public_key.as_str(), change);
        for row in rows {
            let EvidenceRow::Keys(KeyRow { key_id, name, public_key, change, .. }) = row else {
                continue;
            };
            if (key_id.as_str(), name.as_str(), public_key.as_str(), change.as_str()) != said {
                let found = quote(key_id);
                teller.fail("keys", Some(index), format!("its row is about another key: {found}"));
            }
        }
        self.keys.insert(id, (key, change == KEY_ADDED));
    }
}

impl TenantFsck<'_> {
    /// Opens the sealed seeds, and compares them with the keys.
    pub(super) async fn secrets(
        &mut self,
        open: bool,
        teller: &mut FindingSink<'_>,
    ) -> Result<(), CatalogFailure> {
        let sql = "SELECT key_id, sealed FROM secrets WHERE tenant = $1 ORDER BY key_id";
        let mut sealed = BTreeMap::new();
        for row in self.fetch(sql, &[own(self.tenant)]).await? {
            sealed.insert(cell::text(&row, 0).unwrap_or_default(), cell::bytes(&row, 1));
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
                    let opened =
                        self.shared.vault.open(self.tenant, id, &bytes.unwrap_or_default());
                    let seed = opened.map_err(|error| {
                        format!("expected {}, found {}", error.expected, error.found)
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
