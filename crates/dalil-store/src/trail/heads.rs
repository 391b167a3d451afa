//! Earlier heads of a trail, and who cosigned or stamped them.

use std::ops::Range;

use dalil_proof::note::UnverifiedNote;
use dalil_proof::record::RecordKind;
use dalil_proof::time::Time;
use dalil_proof::tree::{Frontier, plan};

use super::tenant::Tenant;
use crate::catalog::SqlValue;
use crate::error::Error;

impl Tenant {
    /// The complete subtrees of the first `size` records.
    ///
    /// # Errors
    /// The trail never had that size, or cannot be read.
    pub async fn frontier(&self, size: u64) -> Result<Frontier, Error> {
        let trail_head = self.newest().await?;
        if size > trail_head.edge.size() {
            return Err(Error::refused("read the trail", format!("tenant `{}`", self.name))
                .saw(format!("a size of at most {}", trail_head.edge.size()), size));
        }
        let mut roots = Vec::new();
        // One complete subtree for each bit that is set in the size, the largest first.
        for node in plan::range(0, size) {
            roots.push(self.node(&trail_head, node).await?);
        }
        let frontier = Frontier::new(size, roots);
        frontier.ok_or_else(|| self.damaged("a root for each bit of the size", "another number"))
    }

    /// The first signed checkpoint that covers a record.
    ///
    /// A record of the trail always has one: its own group's.
    ///
    /// # Errors
    /// There is none, or the catalog cannot be read.
    pub async fn checkpoint_over(&self, index: u64) -> Result<UnverifiedNote, Error> {
        let sql =
            "SELECT note FROM checkpoints WHERE tenant = $1 AND size > $2 ORDER BY size LIMIT 1";
        let note = self.note(sql, index).await?;
        note.ok_or_else(|| self.damaged(format!("a checkpoint over record {index}"), "none"))
    }

    /// The signed checkpoint of exactly this size; `None` where none was signed.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub async fn checkpoint_at(&self, size: u64) -> Result<Option<UnverifiedNote>, Error> {
        self.note("SELECT note FROM checkpoints WHERE tenant = $1 AND size = $2", size).await
    }

    /// The size of the checkpoint over a record that has the most cosignatures; of equals, the most
    /// time stamps; of equals, the first. `None` where none is cosigned or stamped.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub async fn most_cosigned(&self, index: u64) -> Result<Option<u64>, Error> {
        let sql = "SELECT size FROM \
                   (SELECT size, 1 AS cosigned FROM cosignatures WHERE tenant = $1 AND size > $2 \
                   UNION ALL SELECT size, 0 FROM timestamps WHERE tenant = $1 AND size > $2) signed \
                   GROUP BY size ORDER BY SUM(cosigned) DESC, COUNT(*) DESC, size LIMIT 1";
        let bound = [SqlValue::from(&*self.name), SqlValue::from(index)];
        let sizes = self.readers().fetch_column(("cosignatures", "size"), sql, &bound).await;
        let sizes: Vec<u64> = sizes.map_err(|failure| self.failed("read the trail", failure))?;
        Ok(sizes.first().copied())
    }

    /// The sizes of the first 21 checkpoints that others follow, or that were signed, and that are not
    /// there.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub async fn missing_checkpoints(&self) -> Result<Vec<u64>, Error> {
        let bound = [SqlValue::from(&*self.name)];
        let column = ("checkpoint_links", "size");
        let sizes = self.readers().fetch_column(column, MISSING_CHECKPOINTS_SQL, &bound).await;
        sizes.map_err(|failure| self.failed("read the trail", failure))
    }

    /// The cosignatures on the checkpoint of a size, as signature lines.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub async fn cosignatures(&self, size: u64) -> Result<Vec<String>, Error> {
        let sql = "SELECT line FROM cosignatures WHERE tenant = $1 AND size = $2";
        self.lines("cosignatures", sql, size).await
    }

    /// The time stamps on the checkpoint of a size, as signature lines.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub async fn timestamps(&self, size: u64) -> Result<Vec<String>, Error> {
        let sql = "SELECT line FROM timestamps WHERE tenant = $1 AND size = $2";
        self.lines("timestamps", sql, size).await
    }

    /// The largest size that an authority stamped; 0 for none.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub async fn newest_timestamped(&self, authority: &str) -> Result<u64, Error> {
        // A line begins with a dash, the name and a space, which no name has.
        let start = format!("\u{2014} {authority} ");
        let length = start.chars().count();
        let sql = format!(
            "SELECT size FROM timestamps WHERE tenant = $1 AND substr(line, 1, {length}) = $2 \
             ORDER BY size DESC LIMIT 1"
        );
        let bound = [SqlValue::from(&*self.name), start.as_str().into()];
        let sizes = self.readers().fetch_column(("timestamps", "size"), &sql, &bound).await;
        let sizes: Vec<u64> = sizes.map_err(|failure| self.failed("read the trail", failure))?;
        Ok(sizes.first().copied().unwrap_or(0))
    }

    /// The latest date of the records in a range; `None` where there are none.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub async fn latest_time(&self, range: Range<u64>) -> Result<Option<Time>, Error> {
        let sql = "SELECT at FROM records WHERE tenant = $1 AND idx >= $2 AND idx < $3 \
                   ORDER BY at DESC LIMIT 1";
        let bound = [SqlValue::from(&*self.name), range.start.into(), range.end.into()];
        let times = self.readers().fetch_column(("records", "at"), sql, &bound).await;
        let times: Vec<Time> = times.map_err(|failure| self.failed("read the trail", failure))?;
        Ok(times.first().copied())
    }

    /// Whether there are records of another kind from a place on.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub async fn has_others_since(&self, from: u64, kind: RecordKind) -> Result<bool, Error> {
        let sql = "SELECT idx FROM records WHERE tenant = $1 AND idx >= $2 AND kind <> $3 LIMIT 1";
        let bound = [SqlValue::from(&*self.name), from.into(), kind.as_str().into()];
        let found = self.readers().fetch_column(("records", "idx"), sql, &bound).await;
        let found: Vec<u64> = found.map_err(|failure| self.failed("read the trail", failure))?;
        Ok(!found.is_empty())
    }

    async fn lines(&self, table: &'static str, sql: &str, size: u64) -> Result<Vec<String>, Error> {
        let bound = [SqlValue::from(&*self.name), SqlValue::from(size)];
        let mut lines = self.column((table, "line"), sql, &bound).await?;
        // Databases order text each in its own way.
        lines.sort_unstable();
        Ok(lines)
    }

    async fn note(&self, sql: &str, size: u64) -> Result<Option<UnverifiedNote>, Error> {
        let notes = self
            .column(
                ("checkpoints", "note"),
                sql,
                &[SqlValue::from(&*self.name), SqlValue::from(size)],
            )
            .await?;
        let parse = |note: &String| {
            UnverifiedNote::parse(note.as_bytes())
                .map_err(|error| self.damaged("a signed checkpoint", error))
        };
        notes.first().map(parse).transpose()
    }

    async fn column(
        &self,
        column: (&'static str, &'static str),
        sql: &str,
        bound: &[SqlValue<'_>],
    ) -> Result<Vec<String>, Error> {
        let texts = self.readers().fetch_column(column, sql, bound).await;
        texts.map_err(|failure| self.failed("read the trail", failure))
    }
}

/// What `checkpoint_links` names and `checkpoints` has not.
pub(crate) const MISSING_CHECKPOINTS_SQL: &str = "SELECT named.size FROM \
     (SELECT size FROM checkpoint_links WHERE tenant = $1 UNION \
     SELECT previous FROM checkpoint_links WHERE tenant = $1 AND previous <> 0) named \
     WHERE NOT EXISTS (SELECT 1 FROM checkpoints c WHERE c.tenant = $1 AND c.size = named.size) \
     ORDER BY named.size LIMIT 21";
