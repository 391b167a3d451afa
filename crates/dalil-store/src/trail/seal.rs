//! Sealing with a tenant's key, and answers that were given before.

use dalil_core::completeness::CompletenessStatement;
use dalil_core::dsse::DsseEnvelope;
use dalil_core::pack::{self, SealedPack};
use dalil_core::time::Time;
use sqlx::Row as _;

use super::Tenant;
use super::entry::{IdempotencyKey, PlacedRecord};
use super::signer::TenantSigner;
use super::trail_head::{damaged, int};
use crate::catalog::{CatalogFailure, SqlValue};
use crate::error::Error;

impl Tenant {
    /// Seals a pack with a key of the tenant that is in use; gives when that key was added.
    ///
    /// # Errors
    /// The keys cannot be read or opened.
    pub async fn seal_pack(
        &self,
        draft: &pack::PackDraft,
    ) -> Result<(SealedPack, Option<Time>), Error> {
        let signer = TenantSigner::load(&mut self.readers(), &self.shared.vault, &self.name).await;
        signer.map_err(|failure| self.failed("seal a pack", failure))?.seal(draft)
    }

    /// Signs a statement of completeness with a key of the tenant that is in use.
    ///
    /// # Errors
    /// The keys cannot be read or opened.
    pub async fn sign_completeness(
        &self,
        statement: &CompletenessStatement,
    ) -> Result<DsseEnvelope, Error> {
        let signer = TenantSigner::load(&mut self.readers(), &self.shared.vault, &self.name).await;
        let signer = signer.map_err(|failure| self.failed("sign a statement", failure))?;
        signer.sign_completeness(statement)
    }

    /// Where the records of a request stand, if it was answered before.
    ///
    /// # Errors
    /// The key stands for another request, or the catalog cannot be read.
    pub async fn answered(&self, key: &IdempotencyKey) -> Result<Option<Vec<PlacedRecord>>, Error> {
        let answered = self.read_answer(key).await;
        answered.map_err(|failure| self.failed("read an answer", failure))
    }

    async fn read_answer(
        &self,
        key: &IdempotencyKey,
    ) -> Result<Option<Vec<PlacedRecord>>, CatalogFailure> {
        let mut source = self.readers();
        let sql = "SELECT fingerprint, first, count FROM requests WHERE tenant = $1 AND key = $2";
        let bound = [SqlValue::from(&*self.name), SqlValue::from(key.key.as_str())];
        let rows = source.fetch(sql, &bound).await?;
        let Some(row) = rows.first() else { return Ok(None) };
        let fingerprint: String = row.try_get(0)?;
        if fingerprint != key.fingerprint.to_string() {
            return Err(key.of_another().into());
        }
        let (first, count): (i64, i64) = (row.try_get(1)?, row.try_get(2)?);
        let sql = "SELECT idx, id, leaf FROM records WHERE tenant = $1 AND idx >= $2 AND idx < $3 ORDER BY idx";
        let wrong = |_| damaged(&self.name, "a place in the trail", "a negative one");
        let first = u64::try_from(first).map_err(wrong)?;
        let end = first.saturating_add(u64::try_from(count).map_err(wrong)?);
        let rows = source.fetch(sql, &[SqlValue::from(&*self.name), int(first), int(end)]).await?;
        let placed = rows.iter().map(|row| crate::sequencer::placed(&self.name, row));
        placed.collect::<Result<_, _>>().map(Some)
    }
}
