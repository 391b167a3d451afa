//! Complete tiles that were read, up to a number.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use super::tile_frontier::Tile;

/// A tile's tenant, level and number.
pub(crate) type TileKey = (Arc<str>, usize, u64);

/// The tiles that were asked for last. A complete tile never changes.
#[derive(Debug, Default)]
pub(crate) struct TileCache {
    kept: Mutex<TileCacheState>,
}

#[derive(Debug, Default)]
struct TileCacheState {
    tiles: BTreeMap<TileKey, Arc<Tile>>,
    order: VecDeque<TileKey>,
}

impl TileCache {
    pub(crate) fn get(&self, name: &TileKey) -> Option<Arc<Tile>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.tiles.get(name).cloned()
    }

    pub(crate) fn put(&self, name: TileKey, tile: &Arc<Tile>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.tiles.insert(name.clone(), Arc::clone(tile)).is_none() {
            kept.order.push_back(name);
        }
        if kept.order.len() > MAX_CACHED_TILES
            && let Some(oldest) = kept.order.pop_front()
        {
            kept.tiles.remove(&oldest);
        }
    }
}

/// About 36 MB of tiles.
const MAX_CACHED_TILES: usize = 4096;
