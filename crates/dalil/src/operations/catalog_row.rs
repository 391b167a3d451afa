//! Rows of the catalog, read by the names of their columns.

use dalil_store::{Error, EvidenceRow, EvidenceTable, SqlValue, TableQuery, Tenant};

/// A row, and the record that it belongs to.
pub(super) struct CatalogRow {
    table: EvidenceTable,
    values: Vec<SqlValue>,
}

/// The rows that a question selects.
pub(super) async fn select_rows(
    tenant: &Tenant,
    select: &TableQuery,
) -> Result<Vec<CatalogRow>, Error> {
    let table = select.table;
    let rows = tenant.select(select).await?;
    Ok(rows.into_iter().map(|values| CatalogRow { table, values }).collect())
}

/// The rows of a table in which a column has this value.
pub(super) async fn select_rows_eq(
    tenant: &Tenant,
    table: EvidenceTable,
    column: &'static str,
    value: &str,
) -> Result<Vec<CatalogRow>, Error> {
    // A column of text holds no U+0000, so nothing can be equal to it.
    if value.contains('\0') {
        return Ok(Vec::new());
    }
    select_rows(tenant, &TableQuery::equal(table, column, value)).await
}

impl CatalogRow {
    /// The index of the record.
    pub(super) fn index(&self) -> u64 {
        match self.values.first() {
            Some(SqlValue::Int(index)) => u64::try_from(*index).unwrap_or_default(),
            _ => 0,
        }
    }

    /// A text, if the column holds one.
    pub(super) fn text(&self, column: &str) -> Option<&str> {
        match self.value(column) {
            Some(SqlValue::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// A text that every row of the table has.
    pub(super) fn text_or_empty(&self, column: &str) -> String {
        self.text(column).unwrap_or_default().to_owned()
    }

    /// A whole number, if the column holds one.
    pub(super) fn u64_column(&self, column: &str) -> Option<u64> {
        match self.value(column) {
            Some(SqlValue::Int(int)) => u64::try_from(*int).ok(),
            _ => None,
        }
    }

    /// A number, if the column holds one.
    pub(super) fn f64_column(&self, column: &str) -> Option<f64> {
        match self.value(column) {
            Some(SqlValue::Real(real)) => Some(*real),
            _ => None,
        }
    }

    fn value(&self, column: &str) -> Option<&SqlValue> {
        let place = self.table.columns().iter().position(|(name, _)| *name == column)?;
        self.values.get(place + LEADING_COLUMNS)
    }
}

/// A row of a table.
pub(super) fn row<const N: usize>(table: EvidenceTable, values: [SqlValue; N]) -> EvidenceRow {
    EvidenceRow { table, values: values.into() }
}

/// A row that says that a record needs an object of the lake.
pub(super) fn artifact(
    digest: &dalil_core::digest::Digest,
    size: usize,
    media_type: &str,
    role: &str,
) -> EvidenceRow {
    let values =
        [digest.to_string().into(), u64_value(size as u64), media_type.into(), role.into()];
    row(EvidenceTable::Artifacts, values)
}

/// A whole number as a value; what a catalog cannot hold is refused when it is appended.
pub(super) fn u64_value(number: u64) -> SqlValue {
    SqlValue::Int(i64::try_from(number).unwrap_or(i64::MAX))
}

/// `idx` and `ord` stand before the columns.
const LEADING_COLUMNS: usize = 2;
