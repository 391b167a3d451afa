//! Which rows of an evidence table are wanted.

use std::marker::PhantomData;

use super::value::SqlValue;

/// Rows of one table, in the order in which they were recorded or against it.
#[derive(Clone, Debug, PartialEq)]
pub struct TableQuery<R> {
    pub(super) equal: Vec<(&'static str, SqlValue<'static>)>,
    pub(super) among: Option<(&'static str, Vec<SqlValue<'static>>)>,
    pub(super) from: u64,
    pub(super) limit: u32,
    pub(super) newest: bool,
    row: PhantomData<fn() -> R>,
}

impl<R> TableQuery<R> {
    /// Every row of the table.
    pub(super) const fn all() -> Self {
        Self {
            equal: Vec::new(),
            among: None,
            from: 0,
            limit: u32::MAX,
            newest: false,
            row: PhantomData,
        }
    }

    /// Only rows in which a column has a value.
    pub(super) fn equal(mut self, column: &'static str, value: SqlValue<'static>) -> Self {
        self.equal.push((column, value));
        self
    }

    /// Only rows in which a column has one of these names.
    pub(super) fn among(self, column: &'static str, names: &[String]) -> Self {
        // A column of text holds no U+0000.
        let names = names.iter().filter(|name| !name.contains('\0'));
        let names = names.map(|name| SqlValue::from(name.clone())).collect();
        Self { among: Some((column, names)), ..self }
    }

    /// Only rows of records from this one on; from this one back when the newest come first.
    #[must_use]
    pub fn starting_at(self, index: u64) -> Self {
        Self { from: index, ..self }
    }

    /// Returns at most `limit` rows.
    #[must_use]
    pub fn at_most(self, limit: u32) -> Self {
        Self { limit, ..self }
    }

    /// The newest rows first.
    #[must_use]
    pub fn newest_first(self) -> Self {
        Self { newest: true, ..self }
    }

    /// Whether no row can be meant: a column of text holds no U+0000, and no row has one of no names.
    pub(crate) fn is_void(&self) -> bool {
        let is_void =
            |value: &SqlValue<'_>| matches!(value, SqlValue::Text(text) if text.contains('\0'));
        self.equal.iter().any(|(_, value)| is_void(value))
            || self.among.as_ref().is_some_and(|(_, names)| names.is_empty())
    }
}
