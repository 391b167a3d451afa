//! Who signs a tenant's checkpoints: the keys that are in use.

use std::collections::BTreeMap;

use dalil_evidence::completeness::CompletenessStatement;
use dalil_evidence::pack::{self, SealedPack};
use dalil_proof::checkpoint::Checkpoint;
use dalil_proof::digest::hex;
use dalil_proof::dsse::DsseEnvelope;
use dalil_proof::key::{PublicKey, SecretKey};
use dalil_proof::note::UnverifiedNote;
use dalil_proof::time::Time;
use dalil_proof::tree::TreeHead;
use zeroize::Zeroizing;

use super::trail_head::damaged;
use crate::catalog::{
    CatalogFailure, EvidenceRow, KeyRedatingRow, KeyRow, RowSource, SealedKeyLine, SqlValue,
};
use crate::error::Error;
use crate::vault::Vault;

#[cfg(test)]
mod tests;

/// A tenant's origin and its keys in use, by key id.
#[derive(Clone, Debug)]
pub(crate) struct TenantSigner {
    /// None before the tenant is made.
    origin: Option<String>,
    keys: BTreeMap<String, SecretKey>,
    /// When each of them was added.
    added: BTreeMap<String, Time>,
    /// When keys were changed, by key and change; a history does not run back behind the last.
    changes: BTreeMap<(String, String), Time>,
}

/// A new key, sealed.
#[derive(Clone)]
pub(crate) struct NewSigningKey {
    pub(crate) key_id: String,
    pub(crate) secret: SecretKey,
    pub(crate) sealed: Vec<u8>,
}

impl NewSigningKey {
    /// Draws a key.
    pub(crate) fn draw(vault: &Vault, tenant: &str, name: &str) -> Result<Self, Error> {
        let seed = Zeroizing::new(super::entry::random()?);
        let secret = SecretKey::from_seed(name, &seed).map_err(|error| {
            Error::refused("make a key", format!("tenant `{tenant}`")).saw("a key name", error)
        })?;
        let key_id = hex(&secret.public().id());
        let sealed = vault.seal(tenant, &key_id, &seed)?;
        Ok(Self { key_id, secret, sealed })
    }
}

impl TenantSigner {
    /// A signer without keys.
    pub(crate) fn new(origin: Option<&str>) -> Self {
        let (keys, added) = (BTreeMap::new(), BTreeMap::new());
        Self { origin: origin.map(str::to_owned), keys, added, changes: BTreeMap::new() }
    }

    /// When keys were changed last.
    fn changed(&self) -> Option<Time> {
        self.changes.values().max().copied()
    }

    /// Reads the keys in use, and opens their secrets.
    pub(crate) async fn load(
        source: &mut RowSource<'_>,
        vault: &Vault,
        tenant: &str,
    ) -> Result<Self, CatalogFailure> {
        let mut signer = Self::new(origin(source, tenant).await?.as_deref());
        let sql = "SELECT k.key_id, k.public_key, k.change, s.sealed, \
                   COALESCE(r.redated, k.at) FROM keys k \
                   LEFT JOIN secrets s ON s.tenant = k.tenant AND s.key_id = k.key_id \
                   LEFT JOIN key_redatings r ON r.tenant = k.tenant AND r.key_id = k.key_id \
                   AND r.change = k.change \
                   WHERE k.tenant = $1 ORDER BY k.idx, k.ord";
        for line in source.fetch_as(sql, &[SqlValue::from(tenant)]).await? {
            let SealedKeyLine { key_id, public_key, change, sealed, at } = line;
            signer.changes.insert((key_id.clone(), change.clone()), at);
            if change != KEY_ADDED {
                signer.keys.remove(&key_id);
                continue;
            }
            let public: PublicKey =
                public_key.parse().map_err(|error| damaged(tenant, "a key", error))?;
            let sealed = sealed.ok_or_else(|| damaged(tenant, "the key's secret", "none"))?;
            let seed = vault.open(tenant, &key_id, &sealed)?;
            let secret = SecretKey::from_seed(public.name(), &seed).ok();
            // Signed with another seed, checkpoints would verify under no key of the history.
            let secret = secret.filter(|secret| *secret.public() == public);
            let secret =
                secret.ok_or_else(|| damaged(tenant, "the key's own secret", "another"))?;
            signer.added.insert(key_id.clone(), at);
            signer.keys.insert(key_id, secret);
        }
        Ok(signer)
    }

    /// Follows a change of keys that is being recorded.
    ///
    /// # Errors
    /// The change leaves no key to sign, or is about a key that is not in use.
    pub(crate) fn follow(
        &mut self,
        rows: &[EvidenceRow],
        new: Option<&NewSigningKey>,
    ) -> Result<(), Error> {
        for row in rows {
            if let EvidenceRow::KeyRedatings(row) = row {
                self.redate(row);
            }
            let EvidenceRow::Keys(KeyRow { key_id, change, at, .. }) = row else { continue };
            if let Some(changed) = self.changed().filter(|changed| changed > at) {
                let expected = format!("a time not before {changed}, when keys were changed last");
                return Err(
                    wrong(expected, at).hint("leave the time out: the store's clock has it")
                );
            }
            self.changes.insert((key_id.clone(), change.clone()), *at);
            let new = new.filter(|new| new.key_id == *key_id);
            match (change.as_str(), new) {
                (KEY_ADDED, Some(new)) => {
                    self.keys.insert(key_id.clone(), new.secret.clone());
                    self.added.insert(key_id.clone(), *at);
                    // Here alone: a tenant that has more must be able to revoke one of them.
                    if self.keys.len() > MAX_KEYS_IN_USE {
                        let expected = format!("at most {MAX_KEYS_IN_USE} keys in use");
                        let error = wrong(expected, self.keys.len());
                        return Err(error.hint("retire a key before another is added"));
                    }
                }
                // A row without a drawn key would name one in use whose secret is lost.
                (KEY_ADDED, None) => return Err(wrong("a key that this store drew", "another")),
                (KEY_RETIRED | KEY_REVOKED, _) if self.keys.remove(key_id).is_some() => {}
                (KEY_RETIRED | KEY_REVOKED, _) => {
                    return Err(wrong("a key in use", format!("`{key_id}`")));
                }
                (_, _) => return Err(wrong("`added`, `retired` or `revoked`", change)),
            }
        }
        if self.keys.is_empty() {
            let error = wrong("a key that is left to sign with", "none");
            return Err(error.hint("add a key before the last one is retired or revoked"));
        }
        Ok(())
    }

    /// Takes the corrected date of a change.
    fn redate(&mut self, row: &KeyRedatingRow) {
        let KeyRedatingRow { key_id, change, redated, .. } = row;
        self.changes.insert((key_id.clone(), change.clone()), *redated);
        if change == KEY_ADDED {
            self.added.insert(key_id.clone(), *redated);
        }
    }

    /// Signs a head.
    pub(crate) fn sign(&self, head: TreeHead) -> Result<UnverifiedNote, Error> {
        let bad = |error: &dyn std::fmt::Display| wrong("a checkpoint that can be signed", error);
        let origin = self.origin.as_deref().ok_or_else(|| bad(&"no origin"))?;
        let checkpoint = Checkpoint::new(origin, head).map_err(|error| bad(&error))?;
        let keys = self.keys.values().collect::<Vec<_>>();
        checkpoint.sign(&keys).map_err(|error| bad(&error))
    }
}

impl TenantSigner {
    /// Seals a pack with the first key in use that has the name of the trail, or else with the first;
    /// gives when that key was added.
    pub(crate) fn seal(
        &self,
        draft: &pack::PackDraft,
    ) -> Result<(SealedPack, Option<Time>), Error> {
        let (key_id, key) = self.sealing_key()?;
        let sealed = pack::seal(draft, key);
        let sealed = sealed.map_err(|error| wrong("a pack that can be sealed", error))?;
        Ok((sealed, self.added.get(key_id).copied()))
    }

    /// Signs a statement of completeness with the key that packs are sealed with.
    pub(crate) fn sign_completeness(
        &self,
        statement: &CompletenessStatement,
    ) -> Result<DsseEnvelope, Error> {
        let (_, key) = self.sealing_key()?;
        statement.sign(key).map_err(|error| wrong("a statement that can be signed", error))
    }

    /// Signs a statement about a pack with the key that packs are sealed with.
    pub(crate) fn attest(&self, statement: pack::PackAttestation) -> Result<DsseEnvelope, Error> {
        let (_, key) = self.sealing_key()?;
        Ok(statement.sign(key))
    }

    /// The first key in use that has the name of the trail, or else the first.
    fn sealing_key(&self) -> Result<(&String, &SecretKey), Error> {
        let own =
            self.keys.iter().find(|(_, key)| Some(key.public().name()) == self.origin.as_deref());
        let key = own.or_else(|| self.keys.iter().next());
        key.ok_or_else(|| wrong("a key to seal with", "none"))
    }
}

/// The origin of a tenant; `None` if there is no such tenant.
pub(crate) async fn origin(
    source: &mut RowSource<'_>,
    tenant: &str,
) -> Result<Option<String>, CatalogFailure> {
    let sql = "SELECT origin FROM tenants WHERE tenant = $1 ORDER BY idx, ord LIMIT 1";
    let bound = [SqlValue::from(tenant)];
    let origins = source.fetch_column(("tenants", "origin"), sql, &bound).await?;
    Ok(origins.into_iter().next())
}

fn wrong(expected: impl std::fmt::Display, found: impl std::fmt::Display) -> Error {
    Error::refused("change a key", "`keys`").saw(expected, found)
}

/// How many keys sign at once. A note has at most 100 lines, and witnesses need some of them.
const MAX_KEYS_IN_USE: usize = 64;
/// The kinds of key changes.
pub(crate) const KEY_ADDED: &str = "added";
pub(crate) const KEY_RETIRED: &str = "retired";
pub(crate) const KEY_REVOKED: &str = "revoked";
