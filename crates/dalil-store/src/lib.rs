//! Durable state: the evidence that Dalil stores, so that it can be proved later.
//!
//! ```text
//! Tenant::append ─▶ queue ─▶ sequencer ─▶ one transaction ─▶ answers
//!                                         records, payloads, rows,
//!                                         tiles, a signed checkpoint
//! ```
//!
//! A store is a catalog (SQLite in a folder, or PostgreSQL), a lake of objects
//! named by their digest, and sealed keys. Acknowledged means durable. Neither
//! the catalog nor the lake is trusted: every row belongs to a record that
//! commits to it, every record is under a signed root, and reading checks again.
//! The crate does not decide which events are recorded, read the clock, or make
//! documents and packs; `dalil-service` does.

pub mod error;
pub mod place;

pub mod store;

pub mod catalog;
mod schema;

mod sequencer;
pub mod trail;

pub mod fsck;

pub mod lake;

pub mod vault;

#[cfg(test)]
mod fixture;
#[cfg(test)]
mod scratch;

pub use catalog::{EvidenceRow, EvidenceTable, IndexedRow, TableQuery};
pub use error::{Error, ErrorKind};
pub use lake::{Lake, TenantLake};
pub use place::{LakePlace, StorePlace};
pub use store::{NewTenant, Store, StoreOptions};
pub use trail::{
    AppendCondition, AppendEntry, FieldContent, IdempotencyKey, LeaseProgress, NewRecord,
    NewRecordField, PlacedRecord, RecordTime, StoredRecord, TableVersion, Tenant, TimeSource,
};
pub use vault::{Passphrase, Vault};
