//! Where a corpus is: a database, a tenant and a name.

use std::fmt;

use dalil_proof::id::is_given;
use percent_encoding::percent_decode_str;
use thiserror::Error;

use crate::query::DatabaseAddress;

/// The address of a corpus in a database: `postgres://USER@HOST/DATABASE#TENANT/CORPUS`.
#[derive(Clone)]
pub struct CorpusAddress {
    pub(super) database: DatabaseAddress,
    pub(super) tenant: String,
    pub(super) name: String,
}

/// Text that is not the address of a corpus. It may hold a password, so it is not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected {}, found another address", CorpusAddress::EXPECTED)]
pub struct NoCorpusAddress;

impl CorpusAddress {
    /// The form of an address, for messages.
    pub const EXPECTED: &'static str = "`postgres://USER@HOST/DATABASE#TENANT/CORPUS`";

    /// Whether a text is meant as the address of a database, not as the path of a file.
    pub fn is_meant(text: &str) -> bool {
        text.starts_with("postgres://") || text.starts_with("postgresql://")
    }

    /// Reads an address. Signs that an address gives a meaning are escaped in names: `%2F`, `%23`.
    ///
    /// # Errors
    /// It is none: another database, a name without the other, or one that is no identifier.
    pub fn parse(text: &str) -> Result<Self, NoCorpusAddress> {
        let (database, names) = text.split_once('#').ok_or(NoCorpusAddress)?;
        let (tenant, name) = names.split_once('/').ok_or(NoCorpusAddress)?;
        let named = |part: &str| {
            let decoded = percent_decode_str(part).decode_utf8().ok()?;
            // A second `/` would make two addresses of one corpus.
            (is_given(&decoded) && !part.contains('/')).then(|| decoded.into_owned())
        };
        let (tenant, name) = named(tenant).zip(named(name)).ok_or(NoCorpusAddress)?;
        let database = DatabaseAddress::parse(database).map_err(|_| NoCorpusAddress)?;
        if Self::is_meant(text) {
            Ok(Self { database, tenant, name })
        } else {
            Err(NoCorpusAddress)
        }
    }
}

/// Without the database: its address may hold a password.
impl fmt::Debug for CorpusAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { database: _, tenant, name } = self;
        f.debug_struct("CorpusAddress")
            .field("tenant", tenant)
            .field("name", name)
            .finish_non_exhaustive()
    }
}
