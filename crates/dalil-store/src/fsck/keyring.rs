//! Signing keys as the records tell them: which are in use at each size.

use std::collections::BTreeMap;

use dalil_proof::digest::hex;
use dalil_proof::fault::quote;
use dalil_proof::key::PublicKey;
use dalil_proof::keyring::redating::KeyRedating;
use dalil_proof::record::RecordKind;

use super::finding::FindingSink;
use crate::catalog::{EvidenceRow, KeyRow};
use crate::trail::key_history::redating_row;
use crate::trail::signer::{KEY_ADDED, KEY_RETIRED, KEY_REVOKED};

/// Every key that was recorded, by id, and whether it signs.
#[derive(Default)]
pub(super) struct FsckKeyring {
    pub(super) keys: BTreeMap<String, (PublicKey, bool)>,
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
        // the store sign with a key that no verifier trusts.
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

/// Checks that the rows of a correction agree with its field: verifiers read the field, the store
/// reads the rows.
pub(super) fn redated(
    index: u64,
    rows: &[EvidenceRow],
    field: Option<&[u8]>,
    teller: &mut FindingSink<'_>,
) {
    let Some(redating) = field.and_then(|field| KeyRedating::parse(field).ok()) else {
        let message = "expected corrected dates of keys in its field `redating`";
        return teller.fail("keys", Some(index), message);
    };
    let told = redating.changes.iter().map(|change| redating_row(change, &redating.reason));
    if !told.eq(rows.iter().cloned()) {
        teller.fail("keys", Some(index), "its rows correct other dates than its field");
    }
}
