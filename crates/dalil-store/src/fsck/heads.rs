//! The tree over the records: tiles, and signed checkpoints.

use dalil_proof::checkpoint::Checkpoint;
use dalil_proof::note::UnverifiedNote;

use super::cell;
use super::finding::FindingSink;
use super::tenant::TenantFsck;
use super::tree::RebuiltTree;
use crate::catalog::{CatalogFailure, SqlValue};
use crate::trail::MISSING_CHECKPOINTS_SQL;
use crate::trail::tile_frontier::{CompletedTile, TILE_ROWS};

impl TenantFsck<'_> {
    /// Compares the tiles that the last leaf completed.
    pub(super) async fn tiles(
        &mut self,
        teller: &mut FindingSink<'_>,
    ) -> Result<(), CatalogFailure> {
        for CompletedTile { level, number, tile } in std::mem::take(&mut self.heads.completed) {
            // Every byte is compared, the roots of each 16 included: proofs are made from them.
            let sql = "SELECT hashes FROM tiles WHERE tenant = $1 AND level = $2 AND tile = $3";
            let bound =
                [SqlValue::from(self.tenant), SqlValue::from(level as u64), SqlValue::from(number)];
            let rows = self.fetch(sql, &bound).await?;
            let name = format!("tile {number} of level {level}");
            match rows.first().map(|row| cell::bytes(row, 0)) {
                Some(Some(bytes)) if bytes == tile.bytes() => self.heads.tiles += 1,
                Some(_) => teller.fail("tiles", None, format!("{name} is not that of the records")),
                None => teller.fail("tiles", None, format!("{name} is missing")),
            }
        }
        Ok(())
    }

    /// Checks the checkpoints up to a size.
    pub(super) async fn checkpoints(
        &mut self,
        size: u64,
        teller: &mut FindingSink<'_>,
    ) -> Result<(), CatalogFailure> {
        let size = i64::try_from(size).unwrap_or(i64::MAX);
        loop {
            if self.heads.waiting.is_empty() && !self.heads.is_read {
                self.read_ahead(teller).await?;
            }
            let Some((at, _)) = self.heads.waiting.front() else { return Ok(()) };
            // Its records are not read yet. It waits until the tree has that size.
            if *at > size {
                return Ok(());
            }
            if let Some((at, note)) = self.heads.waiting.pop_front() {
                self.checkpoint(at, note, at == size, teller);
            }
        }
    }

    async fn read_ahead(&mut self, teller: &mut FindingSink<'_>) -> Result<(), CatalogFailure> {
        let after = self.heads.read.unwrap_or(i64::MIN);
        let sql = "SELECT size, note FROM checkpoints WHERE tenant = $1 AND size > $2 \
                   ORDER BY size LIMIT 256";
        let rows = self.fetch(sql, &[SqlValue::from(self.tenant), SqlValue::Int(after)]).await?;
        self.heads.is_read = rows.is_empty();
        for row in &rows {
            match cell::int(row, 0) {
                Some(size) => {
                    self.heads.read = Some(size);
                    self.heads.waiting.push_back((size, cell::text(row, 1)));
                }
                None => {
                    teller.fail("checkpoints", None, "expected a size, found no number");
                    self.heads.is_read = true;
                }
            }
        }
        Ok(())
    }

    fn checkpoint(
        &mut self,
        size: i64,
        note: Option<String>,
        is_here: bool,
        teller: &mut FindingSink<'_>,
    ) {
        let mut fail = |message: String| {
            teller.fail("checkpoints", None, format!("the one of size {size}: {message}"));
        };
        self.heads.newest = self.heads.newest.max(Some(size));
        if !is_here {
            return fail("expected a size at which records end, found another".to_owned());
        }
        let note = note.ok_or_else(|| "expected a note, found none".to_owned());
        let note = note.and_then(|note| {
            UnverifiedNote::parse(note.as_bytes()).map_err(|error| error.to_string())
        });
        let note = match note {
            Ok(note) => note,
            Err(message) => return fail(message),
        };
        // A group is signed with the keys in use after its last record, which is where the walk is.
        // Signatures of retired keys do not count.
        let keys = self.keys.in_use();
        match note.open(&keys) {
            Ok(opened)
                if opened.verified.len() == keys.len() && note.signatures().len() == keys.len() => {
            }
            // A line that was changed is another key's, which a stranger would pass over.
            Ok(_) => {
                let (expected, found) = (keys.len(), note.signatures().len());
                return fail(format!(
                    "expected a line of each of the {expected} keys in use and no other, found {found} lines, of which not all are theirs"
                ));
            }
            Err(error) => return fail(error.to_string()),
        }
        let checkpoint = match Checkpoint::parse(note.unverified_text()) {
            Ok(checkpoint) => checkpoint,
            Err(error) => return fail(error.to_string()),
        };
        if let Some(Err(error)) = self.origin.as_ref().map(|origin| checkpoint.check_origin(origin))
        {
            return fail(error.to_string());
        }
        if i64::try_from(checkpoint.head().size) != Ok(size) {
            return fail(format!("it states the size {}", checkpoint.head().size));
        }
        // The signature was checked; without a leaf there is no root to compare.
        if self.heads.is_lost {
            return;
        }
        if *checkpoint.head() != self.heads.edge.head() {
            return fail("its root is not that of the records".to_owned());
        }
        self.heads.signed += 1;
    }

    /// Checks what is left when all records are read.
    pub(super) async fn end_heads(
        &mut self,
        teller: &mut FindingSink<'_>,
    ) -> Result<(), CatalogFailure> {
        // Whatever still waits is larger than the trail, and fails.
        self.checkpoints(u64::MAX, teller).await?;
        let newest = self.heads.newest.and_then(|size| u64::try_from(size).ok()).unwrap_or(0);
        // Each group ends with a checkpoint, so the newest one covers the last record.
        if newest < self.next {
            let message = format!(
                "expected a checkpoint of size {}, found the newest at {newest}: it was replayed, \
                 or records were added",
                self.next
            );
            teller.fail("checkpoints", None, message);
        }
        if newest > self.next {
            let message = format!(
                "expected {newest} records under the newest checkpoint, found {}: the tail was cut",
                self.next
            );
            teller.fail("records", None, message);
        }
        if self.heads.is_lost {
            let message = "roots were not compared after a record that is missing";
            teller.incomplete("checkpoints", message);
        }
        self.links(teller).await?;
        self.tiles_beyond(teller).await?;
        let RebuiltTree { signed, tiles, .. } = &self.heads;
        let (signed, tiles) = (*signed, *tiles);
        teller.pass("leaves", "each is the hash of its envelope");
        teller.pass("columns", "each repeats its envelope");
        teller.pass("tiles", format!("{tiles} as the records make them"));
        teller.pass("checkpoints", format!("{signed} signed, each over the root of its records"));
        Ok(())
    }

    /// Compares the checkpoints with the rows that link each one to the next.
    async fn links(&mut self, teller: &mut FindingSink<'_>) -> Result<(), CatalogFailure> {
        for row in self.fetch(MISSING_CHECKPOINTS_SQL, &[SqlValue::from(self.tenant)]).await? {
            let size = cell::int(&row, 0).map_or_else(|| "?".to_owned(), |size| size.to_string());
            teller.fail("checkpoints", None, format!("the one of size {size} is missing"));
        }
        for row in self.fetch(UNLINKED_CHECKPOINTS_SQL, &[SqlValue::from(self.tenant)]).await? {
            let size = cell::int(&row, 0).map_or_else(|| "?".to_owned(), |size| size.to_string());
            let message = format!("the one of size {size} does not follow the one before it");
            teller.fail("checkpoints", None, message);
        }
        Ok(())
    }

    /// Tiles that the records are too few for.
    async fn tiles_beyond(&mut self, teller: &mut FindingSink<'_>) -> Result<(), CatalogFailure> {
        for level in 0..=i64::from(u64::BITS) / TILE_ROWS as i64 {
            let shift = u32::try_from((level + 1) * TILE_ROWS as i64).unwrap_or(u64::BITS);
            let complete = self.next.checked_shr(shift).unwrap_or(0);
            let sql = "SELECT tile FROM tiles WHERE tenant = $1 AND level = $2 \
                       AND (tile >= $3 OR tile < 0) ORDER BY tile LIMIT 21";
            let bound =
                [SqlValue::from(self.tenant), SqlValue::Int(level), SqlValue::from(complete)];
            for row in self.fetch(sql, &bound).await? {
                let tile =
                    cell::int(&row, 0).map_or_else(|| "?".to_owned(), |tile| tile.to_string());
                let message =
                    format!("tile {tile} of level {level} is over records that are not there");
                teller.fail("tiles", None, message);
            }
        }
        let sql = "SELECT level FROM tiles WHERE tenant = $1 AND (level < 0 OR level > 8) LIMIT 21";
        for _ in self.fetch(sql, &[SqlValue::from(self.tenant)]).await? {
            teller.fail("tiles", None, "a tile of a level that no tree has");
        }
        Ok(())
    }
}

/// Checkpoints without a link, or with one to another than the one before.
const UNLINKED_CHECKPOINTS_SQL: &str = "SELECT c.size FROM checkpoints c WHERE c.tenant = $1 \
     AND NOT EXISTS (SELECT 1 FROM checkpoint_links l WHERE l.tenant = $1 AND l.size = c.size \
     AND l.previous = COALESCE((SELECT MAX(p.size) FROM checkpoints p WHERE p.tenant = $1 \
     AND p.size < c.size), 0)) ORDER BY c.size LIMIT 21";
