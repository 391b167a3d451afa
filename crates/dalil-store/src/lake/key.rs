//! Where an object is: a tenant's name and a digest, and nothing else.

use std::sync::Arc;

use dalil_proof::digest::Digest;
use dalil_proof::fault::quote;

use crate::error::Error;

/// The name of a tenant, as the first part of a path: it has no dot and no slash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LakeTenantName(Arc<str>);

impl LakeTenantName {
    pub(super) fn parse(text: &str) -> Result<Self, Error> {
        if Self::is_name(text) {
            return Ok(Self(text.into()));
        }
        Err(Error::refused("open the lake of a tenant", quote(text))
            .saw("a name of 1 to 63 letters a–z, digits and `-`", "another"))
    }

    pub(super) fn is_name(text: &str) -> bool {
        let shaped = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
        (1..=63).contains(&text.len()) && text.bytes().all(shaped)
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

/// One object of one tenant.
#[derive(Clone, Debug)]
pub(super) struct ObjectKey {
    pub(super) tenant: LakeTenantName,
    pub(super) digest: Digest,
    pub(super) hex: String,
}

impl ObjectKey {
    pub(super) fn new(tenant: &LakeTenantName, digest: Digest) -> Self {
        Self { tenant: tenant.clone(), digest, hex: digest.hex() }
    }

    /// The folders from the lake down to the object.
    pub(super) fn folders(&self) -> [&str; 4] {
        let pair = |at: usize| self.hex.get(at..at + 2).unwrap_or_default();
        [self.tenant.as_str(), "sha256", pair(0), pair(2)]
    }

    /// The whole path below the lake.
    #[cfg(any(feature = "s3", test))]
    pub(super) fn path(&self) -> String {
        format!("{}/{}", self.folders().join("/"), self.hex)
    }

    /// The digest that a path below `TENANT` names, if it is the path of an object.
    pub(super) fn digest_of(path: &str) -> Option<Digest> {
        let mut parts = path.split('/');
        let (kind, a, b, hex) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        // An object in another folder than its digest's is found by no get, so it is none.
        let placed = kind == "sha256" && hex.get(..2)? == a && hex.get(2..4)? == b;
        (placed && parts.next().is_none()).then(|| Digest::from_hex(hex).ok()).flatten()
    }
}

pub(super) const DELETE_OBJECT: &str = "delete an object";
pub(super) const LIST_OBJECTS: &str = "list the objects";
pub(super) const OPEN_LAKE: &str = "open the lake";
pub(super) const PUT_OBJECT: &str = "keep an object";
pub(super) const READ_OBJECT: &str = "read an object";
