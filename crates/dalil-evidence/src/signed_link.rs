//! Links: who may fetch an export, and until when, in a text that cannot be forged.
//!
//! ```text
//! export_id "." expiry "." mac
//! ```
//!
//! `expiry` is in seconds since 1970, `mac` the HMAC-SHA256 in hex of the lines
//! `dalil-link/1`, tenant, export id and expiry, each ended by a line feed. The
//! tenant is not in the token: a server knows whose link it was asked for.

use dalil_proof::digest::{Digest, hex};
use dalil_proof::time::Time;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use thiserror::Error;

#[cfg(test)]
mod tests;

/// The key that links are signed with. It is never shown.
pub struct LinkSigningKey([u8; 32]);

impl std::fmt::Debug for LinkSigningKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key")
    }
}

impl LinkSigningKey {
    /// Takes 32 random bytes.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Signs a link to an export of a tenant; it ends with the second of `expiry`.
    ///
    /// # Errors
    /// An export id or a tenant that would be read as something else.
    pub fn sign(&self, tenant: &str, export_id: &str, expiry: Time) -> Result<String, NotALink> {
        let seconds = expiry.millis().div_euclid(1000);
        // A line feed in a name could make the signed lines those of another link.
        if !is_plain(tenant) || !is_plain(export_id) || seconds < 0 {
            return Err(NotALink::Format);
        }
        let mac = self.mac(tenant, export_id, seconds)?.finalize().into_bytes();
        Ok(format!("{export_id}.{seconds}.{}", hex(&mac)))
    }

    /// The export that a link leads to, if it is this tenant's and has not ended.
    ///
    /// # Errors
    /// Text that is no link, a link that this key did not sign for this tenant, or
    /// one that has ended.
    pub fn check<'l>(&self, tenant: &str, link: &'l str, now: Time) -> Result<&'l str, NotALink> {
        // From the right: an export id may have dots, the two parts behind it have none.
        let (rest, mac) = link.rsplit_once('.').ok_or(NotALink::Format)?;
        let (export_id, expiry) = rest.rsplit_once('.').ok_or(NotALink::Format)?;
        let seconds: i64 = expiry.parse().map_err(|_| NotALink::Format)?;
        let mac = Digest::from_hex(mac).map_err(|_| NotALink::Format)?;
        // One spelling for each number, so that one link is one text.
        if seconds.to_string() != expiry || !is_plain(tenant) || !is_plain(export_id) {
            return Err(NotALink::Format);
        }
        let expected = self.mac(tenant, export_id, seconds)?;
        // In constant time, so that a MAC cannot be guessed byte by byte.
        expected.verify_slice(mac.as_bytes()).map_err(|_| NotALink::Signature)?;
        if now.millis().div_euclid(1000) > seconds {
            return Err(NotALink::Expired);
        }
        Ok(export_id)
    }

    fn mac(&self, tenant: &str, export_id: &str, seconds: i64) -> Result<Hmac<Sha256>, NotALink> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).map_err(|_| NotALink::Signature)?;
        mac.update(format!("dalil-link/1\n{tenant}\n{export_id}\n{seconds}\n").as_bytes());
        Ok(mac)
    }
}

/// Why a link leads nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NotALink {
    /// It does not look like one.
    #[error("expected a link `EXPORT.SECONDS.MAC`, found other text")]
    Format,
    /// Another key, tenant, export or time was signed.
    #[error("expected a link that was signed here for this tenant, found another")]
    Signature,
    /// Its time is over.
    #[error("expected a link that has not ended, found one that has")]
    Expired,
}

/// Whether text can be a line of its own.
fn is_plain(text: &str) -> bool {
    !text.is_empty() && !text.contains(char::is_control)
}
