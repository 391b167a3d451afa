//! The context that a store, its tenants and its sequencer share.

use std::collections::BTreeMap;
use std::fs::File;
use std::sync::{Arc, PoisonError, RwLock};

use sqlx::AnyConnection;
use tokio::sync::Mutex;

use crate::catalog::Catalog;
use crate::error::Error;
use crate::lake::Lake;
use crate::trail::name::RecordIdGenerator;
use crate::trail::table_count::TableCounts;
use crate::trail::tile::TileCache;
use crate::trail::trail_head::TrailHead;
use crate::vault::Vault;

/// The state that a store, its tenants and its sequencer share.
pub(crate) struct StoreContext {
    pub(crate) catalog: Catalog,
    pub(crate) lake: Lake,
    pub(crate) vault: Vault,
    pub(crate) tiles: TileCache,
    pub(crate) names: RecordIdGenerator,
    pub(crate) turns: TableCounts,
    trail_heads: RwLock<BTreeMap<Arc<str>, Arc<TrailHead>>>,
    /// The connection that leases are written over.
    pub(crate) leases: Mutex<Option<AnyConnection>>,
    /// Held as long as this process can write.
    pub(super) lock: Mutex<Option<File>>,
}

impl StoreContext {
    pub(super) fn new(
        catalog: Catalog,
        lake: Lake,
        vault: Vault,
        lock: Option<File>,
    ) -> Result<Self, Error> {
        let (tiles, trail_heads, names) =
            (TileCache::default(), RwLock::default(), RecordIdGenerator::new()?);
        let (turns, leases, lock) = (TableCounts::default(), Mutex::default(), Mutex::new(lock));
        Ok(Self { catalog, lake, vault, tiles, names, turns, trail_heads, leases, lock })
    }

    /// The newest head that is known here.
    pub(crate) fn trail_head(&self, tenant: &str) -> Option<Arc<TrailHead>> {
        self.trail_heads.read().unwrap_or_else(PoisonError::into_inner).get(tenant).cloned()
    }

    /// Makes a head known, if it is newer.
    pub(crate) fn publish(&self, tenant: &Arc<str>, trail_head: &Arc<TrailHead>) {
        let mut trail_heads = self.trail_heads.write().unwrap_or_else(PoisonError::into_inner);
        let known = trail_heads.get(tenant).map_or(0, |known| known.edge.size());
        // A reader may have loaded this head before the sequencer published a newer one.
        if trail_head.edge.size() > known {
            trail_heads.insert(Arc::clone(tenant), Arc::clone(trail_head));
        }
    }
}
