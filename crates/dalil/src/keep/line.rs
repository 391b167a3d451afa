//! Rows of the catalog, read by the names of their columns.

use dalil_store::{Error, Row, Select, Table, Tenant, Value};

/// A row, and the record that it belongs to.
pub(super) struct Line {
    table: Table,
    values: Vec<Value>,
}

/// The rows that a question selects.
pub(super) async fn lines(tenant: &Tenant, select: &Select) -> Result<Vec<Line>, Error> {
    let table = select.table;
    let rows = tenant.select(select).await?;
    Ok(rows.into_iter().map(|values| Line { table, values }).collect())
}

/// The rows of a table in which a column has this value.
pub(super) async fn equal(
    tenant: &Tenant,
    table: Table,
    column: &'static str,
    value: &str,
) -> Result<Vec<Line>, Error> {
    // A column of text holds no U+0000, so nothing can be equal to it.
    if value.contains('\0') {
        return Ok(Vec::new());
    }
    lines(tenant, &Select::equal(table, column, value)).await
}

impl Line {
    /// The index of the record.
    pub(super) fn index(&self) -> u64 {
        match self.values.first() {
            Some(Value::Int(index)) => u64::try_from(*index).unwrap_or_default(),
            _ => 0,
        }
    }

    /// A text, if the column holds one.
    pub(super) fn text(&self, column: &str) -> Option<&str> {
        match self.value(column) {
            Some(Value::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// A text that every row of the table has.
    pub(super) fn owned(&self, column: &str) -> String {
        self.text(column).unwrap_or_default().to_owned()
    }

    /// A whole number, if the column holds one.
    pub(super) fn whole(&self, column: &str) -> Option<u64> {
        match self.value(column) {
            Some(Value::Int(int)) => u64::try_from(*int).ok(),
            _ => None,
        }
    }

    /// A number, if the column holds one.
    pub(super) fn real(&self, column: &str) -> Option<f64> {
        match self.value(column) {
            Some(Value::Real(real)) => Some(*real),
            _ => None,
        }
    }

    fn value(&self, column: &str) -> Option<&Value> {
        let place = self.table.columns().iter().position(|(name, _)| *name == column)?;
        self.values.get(place + OWN)
    }
}

/// A row of a table.
pub(super) fn row<const N: usize>(table: Table, values: [Value; N]) -> Row {
    Row { table, values: values.into() }
}

/// A row that says that a record needs an object of the lake.
pub(super) fn artifact(
    digest: &dalil_core::digest::Digest,
    size: usize,
    media_type: &str,
    role: &str,
) -> Row {
    let values = [digest.to_string().into(), whole(size as u64), media_type.into(), role.into()];
    row(Table::Artifacts, values)
}

/// A whole number as a value; what a catalog cannot hold is refused when it is appended.
pub(super) fn whole(number: u64) -> Value {
    Value::Int(i64::try_from(number).unwrap_or(i64::MAX))
}

/// `idx` and `ord` stand before the columns.
const OWN: usize = 2;
