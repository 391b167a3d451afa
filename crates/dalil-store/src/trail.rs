//! Trails: a tenant's records, their tree, and the proofs that come of it.
//!
//! Everything that touches evidence is a method of [`Tenant`], so that nothing
//! can be asked for without saying whose it is.

use std::ops::Range;
use std::sync::Arc;

use dalil_proof::checkpoint::Checkpoint;
use dalil_proof::digest::Digest;
use dalil_proof::note::UnverifiedNote;
use dalil_proof::receipt::Receipt;
use dalil_proof::record::{Record, RecordKind};
use dalil_proof::tree::plan::{self, CompleteSubtree, SubtreeFold};
use dalil_proof::tree::{self, TreeHead};

use crate::catalog::{
    CatalogFailure, EvidenceRow, EvidenceTableRow, IndexedRow, SqlValue, TableQuery, read_cell,
};
use crate::error::Error;
pub use entry::{
    AppendCondition, AppendEntry, FieldContent, IdempotencyKey, NewRecord, NewRecordField,
    PlacedRecord, RecordTime, TimeSource,
};
pub(crate) use heads::MISSING_CHECKPOINTS_SQL;
pub use lease::LeaseProgress;
pub use stored::{StoredField, StoredFieldState, StoredPayload, StoredRecord};
pub use table_version::TableVersion;
pub use tenant::Tenant;
use tile_frontier::Tile;
use tile_position::TilePosition;
pub use timestamped::{RecordedTimestamp, TIMESTAMP_FIELD};
use trail_head::TrailHead;
pub use witnessed::{RecordedCosignature, WITNESS_FIELD};

pub(crate) mod append;
pub(crate) mod entry;
mod heads;
pub(crate) mod key_history;
mod lease;
pub(crate) mod name;
mod seal;
pub(crate) mod signer;
mod stored;
pub(crate) mod table_count;
mod table_version;
pub(crate) mod tenant;
#[cfg(test)]
mod tests;
pub(crate) mod tile;
pub(crate) mod tile_frontier;
mod tile_position;
mod timestamped;
pub(crate) mod trail_head;
mod witnessed;

impl Tenant {
    /// The record at a place, with its payload as far as it is there.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub async fn record(&self, index: u64) -> Result<Option<StoredRecord>, Error> {
        Ok(self.records(index..index.saturating_add(1)).await?.pop())
    }

    /// The records of a range, at most 1,000 of them.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub async fn records(&self, range: Range<u64>) -> Result<Vec<StoredRecord>, Error> {
        let end = range.end.min(range.start.saturating_add(MAX_READ_RECORDS));
        let found = stored::range(&mut self.readers(), &self.name, range.start..end).await;
        found.map_err(|failure| self.failed("read records", failure))
    }

    /// The records of a range without their payloads, which may be long: at most 1,000 of them, each
    /// with its index.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub async fn bare_records(&self, range: Range<u64>) -> Result<Vec<(u64, Record)>, Error> {
        let end = range.end.min(range.start.saturating_add(MAX_READ_RECORDS));
        let found = stored::bare_range(&mut self.readers(), &self.name, range.start..end).await;
        found.map_err(|failure| self.failed("read records", failure))
    }

    /// The records at some indices, in order.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub async fn records_at(&self, indices: &[u64]) -> Result<Vec<StoredRecord>, Error> {
        let mut records = Vec::with_capacity(indices.len());
        for part in indices.chunks(MAX_READ_INDICES) {
            let found = stored::at(&mut self.readers(), &self.name, part).await;
            records.extend(found.map_err(|failure| self.failed("read records", failure))?);
        }
        Ok(records)
    }

    /// The records of one subject, in order.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub async fn history(&self, subject: &str) -> Result<Vec<StoredRecord>, Error> {
        let found = stored::lineage(&mut self.readers(), &self.name, subject).await;
        found.map_err(|failure| self.failed("read records", failure))
    }

    /// The records of one subject that are of one kind, in order.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub async fn history_of_kind(
        &self,
        subject: &str,
        kind: RecordKind,
    ) -> Result<Vec<StoredRecord>, Error> {
        let mut source = self.readers();
        let found = stored::lineage_of_kind(&mut source, &self.name, subject, kind).await;
        found.map_err(|failure| self.failed("read records", failure))
    }

    /// The newest records of one subject from an index back, at most `limit`, in order.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub async fn history_back(
        &self,
        subject: &str,
        from: u64,
        limit: u32,
    ) -> Result<Vec<StoredRecord>, Error> {
        let part = (from, limit);
        let found = stored::lineage_back(&mut self.readers(), &self.name, subject, part).await;
        found.map_err(|failure| self.failed("read records", failure))
    }

    /// The indices of the records of some kinds, from an index on or, the newest first, back from
    /// it: at most `limit`.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub async fn indices_of_kinds(
        &self,
        kinds: &[RecordKind],
        from: u64,
        (limit, newest): (u32, bool),
    ) -> Result<Vec<u64>, Error> {
        let mut source = self.readers();
        let found = stored::of_kinds(&mut source, &self.name, kinds, from, (limit, newest)).await;
        found.map_err(|failure| self.failed("read records", failure))
    }

    /// The rows of the records of a range, at most 1,000 records, by record.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub async fn rows(&self, range: Range<u64>) -> Result<Vec<(u64, Vec<EvidenceRow>)>, Error> {
        let end = range.end.min(range.start.saturating_add(MAX_READ_RECORDS));
        let found = stored::rows(&mut self.readers(), &self.name, range.start..end).await;
        found.map_err(|failure| self.failed("read rows", failure))
    }

    /// The rows of the records at some indices, which ascend, by record.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub async fn rows_at(&self, indices: &[u64]) -> Result<Vec<(u64, Vec<EvidenceRow>)>, Error> {
        let mut rows = Vec::with_capacity(indices.len());
        for part in indices.chunks(MAX_READ_INDICES) {
            let found = stored::rows_at(&mut self.readers(), &self.name, part).await;
            rows.extend(found.map_err(|failure| self.failed("read rows", failure))?);
        }
        Ok(rows)
    }

    /// The size and root of the trail.
    ///
    /// # Errors
    /// The catalog cannot be read, or the trail was changed.
    pub async fn head(&self) -> Result<TreeHead, Error> {
        Ok(self.newest().await?.edge.head())
    }

    /// The newest signed checkpoint.
    ///
    /// # Errors
    /// The catalog cannot be read, or the trail was changed.
    pub async fn checkpoint(&self) -> Result<UnverifiedNote, Error> {
        Ok(UnverifiedNote::clone(&self.newest().await?.note))
    }

    /// A receipt for a record: the record, its path, and a checkpoint.
    ///
    /// # Errors
    /// There is no such record, or it does not lead to the signed root any more.
    pub async fn receipt(&self, index: u64) -> Result<Receipt, Error> {
        // Any head over the record will do, and one that is known costs no query.
        let known =
            self.shared.trail_head(&self.name).filter(|trail_head| index < trail_head.edge.size());
        let trail_head = match known {
            Some(trail_head) => trail_head,
            None => self.newest().await?,
        };
        let note = UnverifiedNote::clone(&trail_head.note);
        self.receipt_under(index, &trail_head, trail_head.edge.head(), note).await
    }

    /// The receipt of a record under a signed checkpoint of this trail.
    ///
    /// # Errors
    /// The checkpoint does not cover the record, or the record does not lead to its root.
    pub async fn receipt_at(&self, index: u64, note: UnverifiedNote) -> Result<Receipt, Error> {
        let trail_head = self.newest().await?;
        let checkpoint = Checkpoint::parse(note.unverified_text())
            .map_err(|error| self.damaged("a signed checkpoint", error))?;
        self.receipt_under(index, &trail_head, *checkpoint.head(), note).await
    }

    async fn receipt_under(
        &self,
        index: u64,
        trail_head: &TrailHead,
        head: TreeHead,
        note: UnverifiedNote,
    ) -> Result<Receipt, Error> {
        let Some(folds) = plan::inclusion(index, head.size) else {
            return Err(Error::refused("prove a record", format!("tenant `{}`", self.name))
                .saw(format!("an index below {}", head.size), index));
        };
        let record = self.record_beside_tile(trail_head, index).await?;
        let path = self.path(trail_head, &folds).await?;
        // Tiles and envelopes come from an untrusted catalog; a receipt that does not hold must be
        // an error here, not at the verifier's.
        tree::proof::inclusion(&record.leaf(), index, &path, &head)
            .map_err(|error| self.damaged(format!("record {index} under the root"), error))?;
        Receipt::new(&record, index, path, note)
            .map_err(|error| self.damaged("a path that a receipt can hold", error))
    }

    /// The proof that the trail at `new` records only added to the trail at `old`.
    ///
    /// # Errors
    /// The trail never had those sizes, or cannot be read.
    pub async fn consistency(&self, old: u64, new: u64) -> Result<Vec<Digest>, Error> {
        let trail_head = self.newest().await?;
        let size = trail_head.edge.size();
        match plan::consistency(old, new).filter(|_| new <= size) {
            Some(folds) => self.path(&trail_head, &folds).await,
            None => Err(Error::refused("prove consistency", format!("tenant `{}`", self.name))
                .saw(format!("two sizes in order, at most {size}"), format!("{old} and {new}"))),
        }
    }

    /// The size and root that the trail had at a size.
    ///
    /// # Errors
    /// The trail never had that size, or cannot be read.
    pub async fn head_at(&self, size: u64) -> Result<TreeHead, Error> {
        let trail_head = self.newest().await?;
        if size > trail_head.edge.size() {
            return Err(Error::refused("read the trail", format!("tenant `{}`", self.name))
                .saw(format!("a size of at most {}", trail_head.edge.size()), size));
        }
        if size == 0 {
            return Ok(TreeHead { size, root: tree::empty() });
        }
        let root = self.fold(&trail_head, &plan::range(0, size)).await?;
        Ok(TreeHead { size, root })
    }

    /// The hashes of a tile of C2SP `tlog-tiles`, which are 256 unless it is the one at the edge;
    /// nothing if there is none yet.
    ///
    /// # Errors
    /// The trail cannot be read.
    pub async fn tile_hashes(
        &self,
        level: usize,
        number: u64,
    ) -> Result<Option<Vec<Digest>>, Error> {
        let trail_head = self.newest().await?;
        let complete = complete_tiles(trail_head.edge.size(), level);
        if number < complete {
            return Ok(Some(self.tile(level, number).await?.hashes().to_vec()));
        }
        let edge = trail_head.edge.tile(level).filter(|_| number == complete);
        Ok(edge.map(|tile| tile.hashes().to_vec()).filter(|hashes| !hashes.is_empty()))
    }

    /// Rows of an evidence table, each with the index of its record.
    ///
    /// # Errors
    /// The catalog cannot be read, or a cell does not hold a value of its column's type.
    pub async fn select<R: EvidenceTableRow>(
        &self,
        query: &TableQuery<R>,
    ) -> Result<Vec<IndexedRow<R>>, Error> {
        if query.is_void() {
            return Ok(Vec::new());
        }
        let (sql, bound) = query.statement(&self.name);
        let rows = self.shared.catalog.fetch(&sql, &bound).await;
        let rows = rows.map_err(|error| self.failed("read a table", error))?;
        let rows = rows.iter().map(TableQuery::read).collect::<Result<_, _>>();
        rows.map_err(|fault| self.failed("read a table", fault))
    }

    /// The newest head that there is.
    async fn newest(&self) -> Result<Arc<TrailHead>, Error> {
        let known = self.shared.trail_head(&self.name);
        // Where this process alone writes, the head that it published last is the newest.
        if let Some(trail_head) = known.as_ref().filter(|_| self.shared.catalog.is_ours) {
            return Ok(Arc::clone(trail_head));
        }
        let read = self.read_newest(known).await;
        read.map_err(|failure| self.failed("read the trail", failure))
    }

    async fn read_newest(
        &self,
        known: Option<Arc<TrailHead>>,
    ) -> Result<Arc<TrailHead>, CatalogFailure> {
        let mut source = self.readers();
        let newest = trail_head::newest(&mut source, &self.name).await?;
        let Some(newest) = newest else {
            return Err(self.damaged("a checkpoint", "none").into());
        };
        if let Some(trail_head) =
            known.as_ref().filter(|trail_head| trail_head.edge.size() == newest.size)
        {
            return Ok(Arc::clone(trail_head));
        }
        let trail_head =
            Arc::new(trail_head::load(&mut source, &self.name, newest, known.as_deref()).await?);
        self.shared.publish(&self.name, &trail_head);
        Ok(trail_head)
    }

    /// A record, and into the cache the tile that its leaf is in.
    ///
    /// In a long trail few tiles are cached, and statements are most of what a receipt costs, so
    /// one reads both. A missing tile is reported when the path asks for it.
    async fn record_beside_tile(
        &self,
        trail_head: &TrailHead,
        index: u64,
    ) -> Result<Record, Error> {
        let number = index / tile_frontier::TILE_WIDTH as u64;
        let name = (Arc::clone(&self.name), 0, number);
        let is_stored = number < complete_tiles(trail_head.edge.size(), 0);
        if !is_stored || self.shared.tiles.get(&name).is_some() {
            return self.envelope(index).await;
        }
        let bound = [SqlValue::from(&*self.name), SqlValue::from(index), SqlValue::from(number)];
        let failed = |failure: CatalogFailure| self.failed("read a record", failure);
        let rows = self.readers().fetch(RECORD_BESIDE_TILE, &bound).await;
        let rows = rows.map_err(|error| failed(CatalogFailure::Sql(error)))?;
        let row = rows.first().ok_or_else(|| self.damaged(format!("record {index}"), "none"))?;
        let mut next = 0;
        let envelope: Vec<u8> = read_cell(row, &mut next, ("records", "envelope"))
            .map_err(|fault| failed(fault.into()))?;
        let hashes: Option<Vec<u8>> =
            read_cell(row, &mut next, ("tiles", "hashes")).map_err(|fault| failed(fault.into()))?;
        if let Some(tile) = hashes.and_then(|hashes| Tile::parse(&hashes)) {
            self.shared.tiles.put(name, &Arc::new(tile));
        }
        self.parsed(index, &envelope)
    }

    async fn envelope(&self, index: u64) -> Result<Record, Error> {
        let sql = "SELECT envelope FROM records WHERE tenant = $1 AND idx = $2";
        let bound = [SqlValue::from(&*self.name), SqlValue::from(index)];
        let found: Result<Vec<Vec<u8>>, _> =
            self.readers().fetch_column(("records", "envelope"), sql, &bound).await;
        let found = found.map_err(|failure| self.failed("read a record", failure))?;
        let bytes = found.first().ok_or_else(|| self.damaged(format!("record {index}"), "none"))?;
        self.parsed(index, bytes)
    }

    fn parsed(&self, index: u64, envelope: &[u8]) -> Result<Record, Error> {
        Record::parse(envelope).map_err(|error| self.damaged(format!("record {index}"), error))
    }

    async fn path(
        &self,
        trail_head: &TrailHead,
        folds: &[SubtreeFold],
    ) -> Result<Vec<Digest>, Error> {
        let mut path = Vec::with_capacity(folds.len());
        for fold in folds {
            path.push(self.fold(trail_head, fold).await?);
        }
        Ok(path)
    }

    async fn fold(
        &self,
        trail_head: &TrailHead,
        nodes: &[CompleteSubtree],
    ) -> Result<Digest, Error> {
        let mut roots = Vec::with_capacity(nodes.len());
        for node in nodes {
            roots.push(self.node(trail_head, *node).await?);
        }
        plan::fold(&roots).ok_or_else(|| self.damaged("a part of the tree", "nothing"))
    }

    async fn node(&self, trail_head: &TrailHead, node: CompleteSubtree) -> Result<Digest, Error> {
        let missing = || self.damaged("a part of the tree", "none");
        let spot = TilePosition::of(node).ok_or_else(missing)?;
        // The tile after the complete ones is in memory only: tiles are stored when they are full.
        if spot.tile == complete_tiles(trail_head.edge.size(), spot.level) {
            let tile = trail_head.edge.tile(spot.level).ok_or_else(missing)?;
            return tile.node(spot.row, spot.place).ok_or_else(missing);
        }
        let tile = self.tile(spot.level, spot.tile).await?;
        tile.node(spot.row, spot.place).ok_or_else(missing)
    }

    async fn tile(&self, level: usize, number: u64) -> Result<Arc<Tile>, Error> {
        let name = (Arc::clone(&self.name), level, number);
        if let Some(tile) = self.shared.tiles.get(&name) {
            return Ok(tile);
        }
        let sql = "SELECT hashes FROM tiles WHERE tenant = $1 AND level = $2 AND tile = $3";
        let bound =
            [SqlValue::from(&*self.name), SqlValue::from(level as u64), SqlValue::from(number)];
        let found: Result<Vec<Vec<u8>>, _> =
            self.readers().fetch_column(("tiles", "hashes"), sql, &bound).await;
        let found = found.map_err(|failure| self.failed("read a tile", failure))?;
        let tile = found.first().and_then(|hashes| Tile::parse(hashes)).map(Arc::new);
        let expected = || format!("tile {number} of level {level}");
        let tile = tile.ok_or_else(|| self.damaged(expected(), "none, or other bytes"))?;
        self.shared.tiles.put(name, &tile);
        Ok(tile)
    }
}

/// How many tiles of a level are full in a tree of that size.
fn complete_tiles(size: u64, level: usize) -> u64 {
    let shift = u32::try_from((level + 1) * tile_frontier::TILE_ROWS).ok();
    shift.and_then(|shift| size.checked_shr(shift)).unwrap_or(0)
}

const RECORD_BESIDE_TILE: &str = "SELECT envelope, \
     (SELECT hashes FROM tiles WHERE tenant = $1 AND level = 0 AND tile = $3) \
     FROM records WHERE tenant = $1 AND idx = $2";
/// The most records that one read gives.
const MAX_READ_RECORDS: u64 = 1000;
/// How many records one read of indices gives: each is a bound value of the statement.
const MAX_READ_INDICES: usize = 1000;
