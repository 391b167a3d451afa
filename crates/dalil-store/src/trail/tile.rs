//! Complete tiles that were read, up to a number.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use super::edge::Tile;

/// A tile's tenant, level and number.
pub(crate) type Name = (Arc<str>, usize, u64);

/// The tiles that were asked for last. A complete tile never changes.
#[derive(Debug, Default)]
pub(crate) struct Tiles {
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    tiles: BTreeMap<Name, Arc<Tile>>,
    order: VecDeque<Name>,
}

impl Tiles {
    pub(crate) fn get(&self, name: &Name) -> Option<Arc<Tile>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.tiles.get(name).cloned()
    }

    pub(crate) fn put(&self, name: Name, tile: &Arc<Tile>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.tiles.insert(name.clone(), Arc::clone(tile)).is_none() {
            kept.order.push_back(name);
        }
        if kept.order.len() > MOST
            && let Some(oldest) = kept.order.pop_front()
        {
            kept.tiles.remove(&oldest);
        }
    }
}

/// About 36 MB of tiles.
const MOST: usize = 4096;
