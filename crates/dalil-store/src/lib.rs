//! Durable state: what Dalil keeps, so that it can be proved later.

pub mod error;
pub mod lake;
pub mod place;
pub mod vault;

#[cfg(test)]
mod scratch;

pub use error::{Error, ErrorKind};
pub use lake::{Lake, TenantLake};
pub use place::{LakePlace, Place};
pub use vault::{Passphrase, Vault};
