//! Sealing with a tenant's key, and answers that were given before.

use dalil_evidence::completeness::CompletenessStatement;
use dalil_evidence::pack::{self, SealedPack};
use dalil_proof::dsse::DsseEnvelope;
use dalil_proof::time::Time;

use super::entry::{IdempotencyKey, PlacedRecord};
use super::signer::TenantSigner;
use super::tenant::Tenant;
use crate::catalog::{CatalogFailure, PlaceLine, RequestLine, SqlValue, columns};
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

    /// Signs a statement about a pack with a key of the tenant that is in use.
    ///
    /// # Errors
    /// The keys cannot be read or opened.
    pub async fn sign_attestation(
        &self,
        statement: pack::PackAttestation,
    ) -> Result<DsseEnvelope, Error> {
        let signer = TenantSigner::load(&mut self.readers(), &self.shared.vault, &self.name).await;
        signer.map_err(|failure| self.failed("sign a statement", failure))?.attest(statement)
    }

    /// The places of a request's records, if it was answered before.
    ///
    /// # Errors
    /// The key belongs to another request, or the catalog cannot be read.
    pub async fn answered(&self, key: &IdempotencyKey) -> Result<Option<Vec<PlacedRecord>>, Error> {
        let answered = self.read_answer(key).await;
        answered.map_err(|failure| self.failed("read an answer", failure))
    }

    async fn read_answer(
        &self,
        key: &IdempotencyKey,
    ) -> Result<Option<Vec<PlacedRecord>>, CatalogFailure> {
        let mut source = self.readers();
        let own = columns::<RequestLine>();
        let sql = format!("SELECT {own} FROM requests WHERE tenant = $1 AND key = $2");
        let bound = [SqlValue::from(&*self.name), SqlValue::from(key.key.as_str())];
        let known: Vec<RequestLine> = source.fetch_as(&sql, &bound).await?;
        let Some(RequestLine { fingerprint, first, count, .. }) = known.into_iter().next() else {
            return Ok(None);
        };
        if fingerprint != key.fingerprint {
            return Err(key.of_another().into());
        }
        let own = columns::<PlaceLine>();
        let sql = format!(
            "SELECT {own} FROM records WHERE tenant = $1 AND idx >= $2 AND idx < $3 ORDER BY idx"
        );
        let end = first.saturating_add(count);
        let bound = [SqlValue::from(&*self.name), first.into(), end.into()];
        let placed: Vec<PlaceLine> = source.fetch_as(&sql, &bound).await?;
        Ok(Some(placed.into_iter().map(PlacedRecord::from).collect()))
    }
}
