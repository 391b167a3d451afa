//! Invitations: one-time links that make a person a member and sign them in.
//!
//! ```text
//! tenant "." "inv_" id "." secret
//! ```
//!
//! `id` is 16 lower-case hex digits, `secret` 32 random bytes in base64url. A store keeps the
//! SHA-256 of the whole text: the secret is as long as the digest, so that it cannot be guessed
//! from it, and a copy of a store or of its backup contains no link.

use std::fmt;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use dalil_proof::canon::{self, NotCanonical};
use dalil_proof::decode;
use dalil_proof::digest::{Digest, hex};
use dalil_proof::fault::Refused;
use dalil_proof::time::Time;
use serde::Serialize;

use crate::access::Member;

#[cfg(test)]
mod tests;

/// An invitation as the invited person shows it. It is never printed by accident.
#[derive(Clone, PartialEq, Eq)]
pub struct InvitationToken {
    tenant: String,
    invitation_id: String,
    text: String,
}

impl InvitationToken {
    /// Makes an invitation of a tenant from injected randomness.
    pub fn new(tenant: &str, name: [u8; 8], secret: [u8; 32]) -> Self {
        let invitation_id = format!("{ID_PREFIX}{}", hex(&name));
        let text = format!("{tenant}.{invitation_id}.{}", BASE64_URL_SAFE_NO_PAD.encode(secret));
        Self { tenant: tenant.to_owned(), invitation_id, text }
    }

    /// Reads the text of an invitation; whether it opens anything is for its digest to say.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.splitn(3, '.');
        let (tenant, invitation_id, secret) = (parts.next()?, parts.next()?, parts.next()?);
        let is_hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let is_name = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
        let is_tenant = (1..=63).contains(&tenant.len()) && tenant.bytes().all(is_name);
        let number = invitation_id.strip_prefix(ID_PREFIX)?;
        let is_numbered = number.len() == 16 && number.bytes().all(is_hex);
        let secret = BASE64_URL_SAFE_NO_PAD.decode(secret).ok()?;
        (is_tenant && is_numbered && secret.len() == 32).then(|| Self {
            tenant: tenant.to_owned(),
            invitation_id: invitation_id.to_owned(),
            text: text.to_owned(),
        })
    }

    /// The tenant that it names.
    pub fn tenant(&self) -> &str {
        &self.tenant
    }

    /// The name of the invitation, which is no secret.
    pub fn invitation_id(&self) -> &str {
        &self.invitation_id
    }

    /// The whole text, to be shown once to the inviting member.
    pub fn reveal(&self) -> &str {
        &self.text
    }

    /// The digest that a store keeps of it.
    pub fn digest(&self) -> Digest {
        Digest::of(format!("dalil-invitation/1\n{}", self.text).as_bytes())
    }
}

impl fmt::Debug for InvitationToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "InvitationToken({})", self.invitation_id)
    }
}

/// The person whom an invitation is for: the payload of an `invitation.made` record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct InvitationOffer {
    /// The digest of its text.
    pub digest: Digest,
    /// When it ends.
    pub expires_at: Time,
    /// Who the person becomes, or is.
    pub member: Member,
}

impl InvitationOffer {
    /// The canonical bytes of the field.
    ///
    /// # Errors
    /// A fault of this program.
    pub fn bytes(&self) -> Result<Vec<u8>, NotCanonical> {
        canon::bytes(self)
    }

    /// Parses the payload of a record.
    ///
    /// # Errors
    /// Every fault in it.
    pub fn parse(bytes: &[u8]) -> Result<Self, Refused> {
        decode::request(bytes, |reader| {
            let mut fields = reader.object()?;
            let digest = fields.required("digest", decode::digest);
            let expires_at = fields.required("expires_at", decode::time);
            let member = fields.required("member", Member::read);
            fields.done()?;
            Some(Self { digest: digest?, expires_at: expires_at?, member: member? })
        })
    }
}

const ID_PREFIX: &str = "inv_";
