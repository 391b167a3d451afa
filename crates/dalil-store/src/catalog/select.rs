//! Typed reads of evidence tables, one tenant's at a time.

use sqlx::any::AnyRow;

use super::query::TableQuery;
use super::row::{CellFault, IndexedRow, read_cell};
use super::table::{ErasedPackRow, EvidenceTable, EvidenceTableRow, PackApprovalRow, PackRow};
use super::value::SqlValue;

impl<R: EvidenceTableRow> TableQuery<R> {
    /// The statement and its bound values; the tenant is always first.
    pub(crate) fn statement<'s>(&'s self, tenant: &'s str) -> (String, Vec<SqlValue<'s>>) {
        let Self { equal, among, from, limit, newest, .. } = self;
        let (side, order) = if *newest { ("<=", "idx DESC, ord DESC") } else { (">=", "idx, ord") };
        let mut sql = format!("{} AND idx {side} $2", select_from(R::EVIDENCE));
        let mut bound = vec![SqlValue::from(tenant), SqlValue::from(*from)];
        for (column, value) in equal {
            bound.push(value.clone());
            sql.push_str(&format!(" AND {column} = ${}", bound.len()));
        }
        if let Some((column, names)) = among {
            let first = bound.len() + 1;
            bound.extend(names.iter().cloned());
            let places = (first..=bound.len()).map(|place| format!("${place}"));
            let places = places.collect::<Vec<_>>().join(", ");
            sql.push_str(&format!(" AND {column} IN ({places})"));
        }
        bound.push(SqlValue::Int(i64::from(*limit)));
        sql.push_str(&format!(" ORDER BY {order} LIMIT ${}", bound.len()));
        (sql, bound)
    }

    /// A row that the statement gave.
    pub(crate) fn read(row: &AnyRow) -> Result<IndexedRow<R>, CellFault> {
        let (index, _) = place(R::EVIDENCE, row)?;
        let row = R::read(row, LEADING_COLUMNS).map_err(|fault| fault.of_record(index))?;
        Ok(IndexedRow { index, row })
    }
}

impl TableQuery<PackRow> {
    /// Only versions of the packs of these decisions.
    #[must_use]
    pub fn of_decisions(self, decision_ids: &[String]) -> Self {
        self.among("decision_id", decision_ids)
    }
}

impl TableQuery<ErasedPackRow> {
    /// Only versions of the packs of these decisions.
    #[must_use]
    pub fn of_decisions(self, decision_ids: &[String]) -> Self {
        self.among("decision_id", decision_ids)
    }
}

impl TableQuery<PackApprovalRow> {
    /// Only rows about these packs.
    #[must_use]
    pub fn about_packs(self, pack_ids: &[String]) -> Self {
        self.among("pack_id", pack_ids)
    }
}

/// Selects the rows of a tenant, which is bound first: `idx`, `ord`, then the columns.
pub(crate) fn select_from(table: EvidenceTable) -> String {
    let columns = table.columns().iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    format!("SELECT idx, ord, {columns} FROM {} WHERE tenant = $1", table.name())
}

/// The record that a selected row belongs to, and which of its rows it is.
pub(crate) fn place(table: EvidenceTable, row: &AnyRow) -> Result<(u64, u64), CellFault> {
    let mut next = 0;
    let index = read_cell(row, &mut next, (table.name(), "idx"))?;
    let ord = read_cell(row, &mut next, (table.name(), "ord"));
    Ok((index, ord.map_err(|fault| fault.of_record(index))?))
}

/// `idx` and `ord` come before the columns.
pub(crate) const LEADING_COLUMNS: usize = 2;
