//! The newest head of a trail: its edge and its signed checkpoint.

use std::sync::Arc;

use dalil_proof::checkpoint::Checkpoint;
use dalil_proof::digest::Digest;
use dalil_proof::note::UnverifiedNote;

use super::tile_frontier::{TILE_ROWS, TILE_WIDTH, Tile, TileFrontier};
use crate::catalog::{CatalogFailure, CheckpointLine, RowSource, SqlValue};
use crate::error::Error;

/// A trail at one size.
///
/// Invariant: the checkpoint states the head of the edge.
#[derive(Clone, Debug)]
pub(crate) struct TrailHead {
    pub(crate) edge: TileFrontier,
    pub(crate) note: Arc<UnverifiedNote>,
}

/// The size and note of the newest checkpoint; `None` if there is no trail.
pub(crate) async fn newest(
    source: &mut RowSource<'_>,
    tenant: &str,
) -> Result<Option<CheckpointLine>, CatalogFailure> {
    let sql = "SELECT size, note FROM checkpoints WHERE tenant = $1 ORDER BY size DESC LIMIT 1";
    let found: Vec<CheckpointLine> = source.fetch_as(sql, &[SqlValue::from(tenant)]).await?;
    Ok(found.into_iter().next())
}

/// Reads the edge of the trail at a checkpoint, and checks that it leads to its root.
pub(crate) async fn load(
    source: &mut RowSource<'_>,
    tenant: &str,
    CheckpointLine { size, note }: CheckpointLine,
    before: Option<&TrailHead>,
) -> Result<TrailHead, CatalogFailure> {
    let parsed = UnverifiedNote::parse(note.as_bytes())
        .map_err(|error| damaged(tenant, "a signed checkpoint", error))?;
    let signed = Checkpoint::parse(parsed.unverified_text())
        .map_err(|error| damaged(tenant, "a checkpoint", error))?;
    let near = before.map(|trail_head| &trail_head.edge).filter(|edge| {
        size.checked_sub(edge.size()).is_some_and(|behind| behind < MAX_REPLAYED_LEAVES)
    });
    let edge = match near {
        Some(edge) => grown(source, tenant, size, edge).await?,
        None => whole(source, tenant, size).await?,
    };
    // Leaves and tiles are not trusted: a row that was changed shows here, before anything is
    // signed on top of it.
    if edge.head() != *signed.head() {
        let found = edge.head();
        let found = format!("records with the root {} at {}", found.root, found.size);
        let expected = format!("the checkpoint's root {}", signed.head().root);
        return Err(damaged(tenant, expected, found).into());
    }
    Ok(TrailHead { edge, note: Arc::new(parsed) })
}

/// The edge from the one that it was a little before.
async fn grown(
    source: &mut RowSource<'_>,
    tenant: &str,
    size: u64,
    before: &TileFrontier,
) -> Result<TileFrontier, CatalogFailure> {
    let mut edge = before.clone();
    for leaf in leaves(source, tenant, before.size(), size).await? {
        // The tiles that become complete here were stored when the leaves were appended.
        edge.push(leaf, &mut Vec::new());
    }
    Ok(edge)
}

/// The edge from the last leaves, and from the complete tiles that are not under another.
async fn whole(
    source: &mut RowSource<'_>,
    tenant: &str,
    size: u64,
) -> Result<TileFrontier, CatalogFailure> {
    let mut levels = Vec::new();
    for level in 0..u64::BITS as usize / TILE_ROWS {
        let through = size >> (level * TILE_ROWS);
        if through == 0 {
            break;
        }
        // At most 255 hashes of each level: the cost grows with the logarithm of the size.
        let from = through - through % TILE_WIDTH as u64;
        let mut tile = Tile::default();
        let hashes = match level.checked_sub(1) {
            None => leaves(source, tenant, from, through).await?,
            Some(below) => roots(source, tenant, below, from..through).await?,
        };
        hashes.into_iter().for_each(|hash| tile.push(hash));
        levels.push(tile);
    }
    Ok(TileFrontier::new(size, levels))
}

async fn leaves(
    source: &mut RowSource<'_>,
    tenant: &str,
    from: u64,
    to: u64,
) -> Result<Vec<Digest>, CatalogFailure> {
    let sql = "SELECT leaf FROM records WHERE tenant = $1 AND idx >= $2 AND idx < $3 ORDER BY idx";
    let bound = [SqlValue::from(tenant), SqlValue::from(from), SqlValue::from(to)];
    let leaves: Vec<[u8; 32]> = source.fetch_column(("records", "leaf"), sql, &bound).await?;
    let found = leaves.len() as u64;
    if found != to - from {
        return Err(
            damaged(tenant, format!("records {from} to {to}"), format!("{found} of them")).into()
        );
    }
    Ok(leaves.into_iter().map(Digest::from_bytes).collect())
}

/// The roots of complete tiles.
async fn roots(
    source: &mut RowSource<'_>,
    tenant: &str,
    level: usize,
    tiles: std::ops::Range<u64>,
) -> Result<Vec<Digest>, CatalogFailure> {
    let sql = "SELECT hashes FROM tiles WHERE tenant = $1 AND level = $2 AND tile >= $3 AND tile < $4 ORDER BY tile";
    let bound = [
        SqlValue::from(tenant),
        SqlValue::from(level as u64),
        SqlValue::from(tiles.start),
        SqlValue::from(tiles.end),
    ];
    let hashes: Vec<Vec<u8>> = source.fetch_column(("tiles", "hashes"), sql, &bound).await?;
    if hashes.len() as u64 != tiles.end - tiles.start {
        let expected = format!("tiles {} to {} of level {level}", tiles.start, tiles.end);
        return Err(damaged(tenant, expected, format!("{} of them", hashes.len())).into());
    }
    let root = |hashes: &Vec<u8>| -> Result<Digest, CatalogFailure> {
        let root = Tile::parse(hashes).and_then(|tile| tile.root());
        root.ok_or_else(|| damaged(tenant, "a complete tile", "other bytes").into())
    };
    hashes.iter().map(root).collect()
}

/// The error for a trail that was changed.
pub(crate) fn damaged(
    tenant: &str,
    expected: impl std::fmt::Display,
    found: impl std::fmt::Display,
) -> Error {
    Error::damaged("read the trail", format!("tenant `{tenant}`"))
        .saw(expected, found)
        .hint("`dalil fsck` says what else is not as it was")
}

/// So few new leaves are quicker to add than the edge is to read.
const MAX_REPLAYED_LEAVES: u64 = 4096;
