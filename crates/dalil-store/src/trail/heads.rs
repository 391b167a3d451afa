//! Earlier heads of a trail, and who cosigned them.

use dalil_proof::note::UnverifiedNote;
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
        let tip = self.newest().await?;
        if size > tip.edge.size() {
            return Err(Error::refused("read the trail", format!("tenant `{}`", self.name))
                .saw(format!("a size of at most {}", tip.edge.size()), size));
        }
        let mut roots = Vec::new();
        // One complete subtree for each bit that is set in the size, the largest first.
        for node in plan::range(0, size) {
            roots.push(self.node(&tip, node).await?);
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

    /// The size of the checkpoint over a record that has the most cosignatures, of equals the
    /// first; `None` where nobody cosigned one.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub async fn most_cosigned(&self, index: u64) -> Result<Option<u64>, Error> {
        let sql = "SELECT size FROM cosignatures WHERE tenant = $1 AND size > $2 \
                   GROUP BY size ORDER BY COUNT(*) DESC, size LIMIT 1";
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
        let mut lines = self
            .column(
                ("cosignatures", "line"),
                sql,
                &[SqlValue::from(&*self.name), SqlValue::from(size)],
            )
            .await?;
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
