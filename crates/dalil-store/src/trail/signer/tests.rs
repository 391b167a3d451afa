use dalil_proof::digest::hex;
use dalil_proof::key::SecretKey;

use super::{KEY_ADDED, KEY_REVOKED, MAX_KEYS_IN_USE, NewSigningKey, TenantSigner};
use crate::catalog::{EvidenceRow, KeyRow};
use crate::fixture::at;

fn key(n: usize) -> NewSigningKey {
    let mut seed = [7; 32];
    seed[..8].copy_from_slice(&n.to_be_bytes());
    let secret = SecretKey::from_seed("dalil.example/acme", &seed).unwrap();
    NewSigningKey { key_id: hex(&secret.public().id()), secret, sealed: Vec::new() }
}

fn row(key: &NewSigningKey, change: &str) -> [EvidenceRow; 1] {
    let row = KeyRow {
        key_id: key.key_id.clone(),
        name: "dalil.example/acme".to_owned(),
        public_key: key.secret.public().to_string(),
        change: change.to_owned(),
        at: at(0),
    };
    [row.into()]
}

#[test]
fn a_tenant_with_more_keys_than_may_be_added_can_still_revoke_them() {
    let mut signer = TenantSigner::new(Some("dalil.example/acme"));
    for n in 0..MAX_KEYS_IN_USE {
        signer.follow(&row(&key(n), KEY_ADDED), Some(&key(n))).unwrap();
    }
    // One more, as a store has it that was made before there was a limit.
    let more = key(MAX_KEYS_IN_USE);
    signer.keys.insert(more.key_id.clone(), more.secret.clone());
    let next = key(MAX_KEYS_IN_USE + 1);
    let refused = signer.clone().follow(&row(&next, KEY_ADDED), Some(&next)).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "cannot change a key: `keys`: expected at most 64 keys in use, found 66\nhint: retire a \
         key before another is added"
    );
    for n in 0..MAX_KEYS_IN_USE {
        signer.follow(&row(&key(n), KEY_REVOKED), None).unwrap();
    }
    let left: Vec<&String> = signer.keys.keys().collect();
    assert_eq!(left, [&more.key_id]);
}
