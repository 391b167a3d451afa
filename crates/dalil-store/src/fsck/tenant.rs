//! The state of one tenant while its records are read.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use sqlx::AnyConnection;

use super::keyring::FsckKeyring;
use super::lineage::FsckLineageHead;
use super::objects::ReferencedObjects;
use super::payload::PayloadTally;
use super::tree::RebuiltTree;
use crate::catalog::{RowSource, SqlValue};
use crate::store::context::StoreContext;
use crate::trail::Tenant;

/// The state of the walk through a tenant's records.
pub(super) struct TenantFsck<'w> {
    pub(super) handle: &'w Tenant,
    pub(super) shared: &'w Arc<StoreContext>,
    pub(super) tenant: &'w str,
    pub(super) connection: &'w mut AnyConnection,
    /// The place after the last record that was read.
    pub(super) next: u64,
    pub(super) origin: Option<String>,
    pub(super) subjects: BTreeMap<String, FsckLineageHead>,
    pub(super) heads: RebuiltTree,
    pub(super) keys: FsckKeyring,
    pub(super) objects: ReferencedObjects,
    pub(super) seen: PayloadTally,
    /// The newest record that erased something.
    pub(super) erasure: Option<u64>,
    /// Cosignatures that a record vouches for.
    pub(super) cosigned: BTreeSet<(u64, String)>,
    /// Time stamps that a record vouches for.
    pub(super) timestamped: BTreeSet<(u64, String)>,
}

impl<'w> TenantFsck<'w> {
    pub(super) fn new(handle: &'w Tenant, connection: &'w mut AnyConnection) -> Self {
        Self {
            handle,
            shared: &handle.shared,
            tenant: &handle.name,
            connection,
            next: 0,
            origin: None,
            subjects: BTreeMap::new(),
            heads: RebuiltTree::default(),
            keys: FsckKeyring::default(),
            objects: ReferencedObjects::default(),
            seen: PayloadTally::default(),
            erasure: None,
            cosigned: BTreeSet::new(),
            timestamped: BTreeSet::new(),
        }
    }

    pub(super) async fn fetch(
        &mut self,
        sql: &str,
        bound: &[SqlValue<'_>],
    ) -> Result<Vec<sqlx::any::AnyRow>, sqlx::Error> {
        RowSource::Writer(self.connection).fetch(sql, bound).await
    }
}
