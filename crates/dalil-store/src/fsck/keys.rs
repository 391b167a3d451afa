//! Signing keys: which are in use at each size, and whether their secrets fit.

use std::collections::BTreeMap;

use dalil_core::digest::hex;
use dalil_core::key::{PublicKey, SecretKey};
use dalil_core::record::Kind;

use super::finding::Teller;
use super::walk::Walk;
use super::{cell, own};
use crate::catalog::{Failed, Row, Table, Value};
use crate::trail::signer::{ADDED, RETIRED, REVOKED};

/// Every key that was recorded, by id, and whether it signs.
#[derive(Default)]
pub(super) struct Keys {
    keys: BTreeMap<String, (PublicKey, bool)>,
}

impl Keys {
    /// The keys that sign now.
    pub(super) fn in_use(&self) -> Vec<PublicKey> {
        let signing = self.keys.values().filter(|(_, in_use)| *in_use);
        signing.map(|(key, _)| key.clone()).collect()
    }

    /// Follows a record about a key; its rows and its field must say the same.
    pub(super) fn follow(
        &mut self,
        index: u64,
        kind: Kind,
        rows: &[Row],
        field: Option<&[u8]>,
        teller: &mut Teller<'_>,
    ) {
        let change = match kind {
            Kind::KeyAdded => ADDED,
            Kind::KeyRetired => RETIRED,
            Kind::KeyRevoked => REVOKED,
            _ => return,
        };
        for row in rows.iter().filter(|row| row.table == Table::Keys) {
            let [Value::Text(id), _, Value::Text(public), Value::Text(said), _] =
                row.values.as_slice()
            else {
                teller.fail("keys", Some(index), "expected a key, found other values");
                continue;
            };
            let Ok(key) = public.parse::<PublicKey>() else {
                teller.fail("keys", Some(index), "expected a verifier key, found another text");
                continue;
            };
            if hex(&key.id()) != *id || said != change {
                teller.fail("keys", Some(index), "the row is not about the record's key");
            }
            if field.is_some_and(|field| field != public.as_bytes()) {
                teller.fail("keys", Some(index), "the field and the row name other keys");
            }
            self.keys.insert(id.clone(), (key, change == ADDED));
        }
    }
}

impl Walk<'_> {
    /// Opens the sealed seeds, and compares them with the keys.
    pub(super) async fn secrets(
        &mut self,
        open: bool,
        teller: &mut Teller<'_>,
    ) -> Result<(), Failed> {
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
                None => {}
                Some(_) if !open => {}
                Some(bytes) => {
                    let opened =
                        self.shared.vault.open(self.tenant, id, &bytes.unwrap_or_default());
                    let seed = opened.map_err(|error| error.to_string());
                    let fits = seed.and_then(|seed| {
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
