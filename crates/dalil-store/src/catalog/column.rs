//! Columns: the mapping of field types to types of the database.
//!
//! A value is read only in the spelling in which it is written. Another spelling of the same time
//! or digest would not open the commitment, and is as wrong as another value.

use std::borrow::Cow;

use dalil_phrasebook::Phrase;
use dalil_proof::digest::Digest;
use dalil_proof::id::RecordId;
use dalil_proof::record::RecordKind;
use dalil_proof::time::Time;
use sqlx::any::AnyRow;
use sqlx::{Decode, Row as _, Type, TypeInfo as _, ValueRef as _};

use super::value::SqlValue;

/// The type of the values in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnType {
    /// Text without U+0000.
    Text,
    /// A whole number that a double holds exactly.
    Int,
    /// A finite double.
    Real,
    /// Bytes.
    Blob,
}

/// A column: its name and type.
pub type ColumnDef = (&'static str, ColumnType);

/// Why a cell does not have the type of its column.
#[derive(Debug)]
pub struct CellRefusal {
    pub(super) expected: &'static str,
    pub(super) found: String,
}

/// A type that a column can have, null excluded.
pub trait ColumnScalar: Sized {
    /// The column type that stores it.
    const TYPE: ColumnType;
    /// The type that a query compares it with.
    type Key: ?Sized;

    /// The value, borrowed where that is possible.
    fn to_sql(&self) -> SqlValue<'_>;

    /// The value, without another copy of its text.
    fn into_sql(self) -> SqlValue<'static>;

    /// Returns the SQL value that a query compares it with.
    fn key(key: &Self::Key) -> SqlValue<'static>;

    /// The value of a cell; `None` for null.
    fn read(row: &AnyRow, n: usize) -> Result<Option<Self>, CellRefusal>;

    /// Some value.
    #[cfg(test)]
    fn sample() -> Self;
}

/// A type that a column can have; an `Option` may be null.
pub trait ColumnValue: Sized {
    /// The column type that stores it.
    const TYPE: ColumnType;
    /// The type that a query compares it with.
    type Key: ?Sized;

    /// The value, borrowed where that is possible.
    fn to_sql(&self) -> SqlValue<'_>;

    /// The value, without another copy of its text.
    fn into_sql(self) -> SqlValue<'static>;

    /// Returns the SQL value that a query compares it with.
    fn key(key: &Self::Key) -> SqlValue<'static>;

    /// The value of a cell.
    fn read(row: &AnyRow, n: usize) -> Result<Self, CellRefusal>;

    /// Some value.
    #[cfg(test)]
    fn sample() -> Self;
}

impl<T: ColumnScalar> ColumnValue for T {
    const TYPE: ColumnType = <T as ColumnScalar>::TYPE;
    type Key = <T as ColumnScalar>::Key;

    fn to_sql(&self) -> SqlValue<'_> {
        ColumnScalar::to_sql(self)
    }

    fn into_sql(self) -> SqlValue<'static> {
        ColumnScalar::into_sql(self)
    }

    fn key(key: &Self::Key) -> SqlValue<'static> {
        <T as ColumnScalar>::key(key)
    }

    fn read(row: &AnyRow, n: usize) -> Result<Self, CellRefusal> {
        let expected = expected(<T as ColumnScalar>::TYPE);
        let null = || CellRefusal { expected, found: "null".to_owned() };
        <T as ColumnScalar>::read(row, n)?.ok_or_else(null)
    }

    #[cfg(test)]
    fn sample() -> Self {
        <T as ColumnScalar>::sample()
    }
}

impl<T: ColumnScalar> ColumnValue for Option<T> {
    const TYPE: ColumnType = <T as ColumnScalar>::TYPE;
    type Key = <T as ColumnScalar>::Key;

    fn to_sql(&self) -> SqlValue<'_> {
        self.as_ref().map_or(SqlValue::Null, ColumnScalar::to_sql)
    }

    fn into_sql(self) -> SqlValue<'static> {
        self.map_or(SqlValue::Null, ColumnScalar::into_sql)
    }

    fn key(key: &Self::Key) -> SqlValue<'static> {
        <T as ColumnScalar>::key(key)
    }

    fn read(row: &AnyRow, n: usize) -> Result<Self, CellRefusal> {
        <T as ColumnScalar>::read(row, n)
    }

    #[cfg(test)]
    fn sample() -> Self {
        Some(<T as ColumnScalar>::sample())
    }
}

impl ColumnScalar for String {
    const TYPE: ColumnType = ColumnType::Text;
    type Key = str;

    fn to_sql(&self) -> SqlValue<'_> {
        SqlValue::from(self.as_str())
    }

    fn into_sql(self) -> SqlValue<'static> {
        SqlValue::from(self)
    }

    fn key(key: &str) -> SqlValue<'static> {
        SqlValue::from(key.to_owned())
    }

    fn read(row: &AnyRow, n: usize) -> Result<Option<Self>, CellRefusal> {
        cell(row, n, expected(ColumnType::Text))
    }

    #[cfg(test)]
    fn sample() -> Self {
        "sample".to_owned()
    }
}

impl ColumnScalar for Vec<u8> {
    const TYPE: ColumnType = ColumnType::Blob;
    type Key = [u8];

    fn to_sql(&self) -> SqlValue<'_> {
        SqlValue::Blob(Cow::Borrowed(self))
    }

    fn into_sql(self) -> SqlValue<'static> {
        SqlValue::Blob(Cow::Owned(self))
    }

    fn key(key: &[u8]) -> SqlValue<'static> {
        SqlValue::Blob(Cow::Owned(key.to_vec()))
    }

    fn read(row: &AnyRow, n: usize) -> Result<Option<Self>, CellRefusal> {
        cell(row, n, expected(ColumnType::Blob))
    }

    #[cfg(test)]
    fn sample() -> Self {
        b"bytes".to_vec()
    }
}

/// The types whose key is a reference to themselves and whose value owns nothing of theirs.
macro_rules! plain_columns {
    ($(
        $name:ty: $type:ident, $sample:expr,
        |$value:ident| $sql:expr, |$row:ident, $n:ident| $read:expr;
    )*) => {$(
        impl ColumnScalar for $name {
            const TYPE: ColumnType = ColumnType::$type;
            type Key = Self;

            fn to_sql(&self) -> SqlValue<'_> {
                let $value = self;
                $sql
            }

            fn into_sql(self) -> SqlValue<'static> {
                let $value = &self;
                $sql
            }

            fn key(key: &Self) -> SqlValue<'static> {
                let $value = key;
                $sql
            }

            fn read($row: &AnyRow, $n: usize) -> Result<Option<Self>, CellRefusal> {
                $read
            }

            #[cfg(test)]
            fn sample() -> Self {
                $sample
            }
        }
    )*};
}

plain_columns! {
    i64: Int, 7,
        |value| SqlValue::Int(*value), |row, n| cell(row, n, expected(ColumnType::Int));
    u64: Int, 7,
        |value| SqlValue::from(*value), |row, n| whole(row, n);
    bool: Int, true,
        |value| SqlValue::Int(i64::from(*value)), |row, n| flag(row, n);
    f64: Real, 0.5,
        |value| SqlValue::Real(*value), |row, n| cell(row, n, expected(ColumnType::Real));
    [u8; 32]: Blob, [7; 32],
        |value| SqlValue::Blob(Cow::Owned(value.to_vec())), |row, n| hash(row, n);
    Digest: Text, Self::of(b"sample"),
        |value| SqlValue::from(value.to_string()),
        |row, n| spelled(row, n, "a digest", |text| text.parse().ok());
    Time: Text, crate::fixture::at(0),
        |value| SqlValue::from(value.to_string()),
        |row, n| spelled(row, n, EXPECTED_TIME.english(), |text| Self::from_spelling(text.as_bytes()));
    RecordId: Text, "rec_0000000000000007".parse().unwrap(),
        |value| SqlValue::from(value.to_string()),
        |row, n| spelled(row, n, "a record id", |text| text.parse().ok());
    RecordKind: Text, Self::RunRecorded,
        |value| SqlValue::from(value.as_str()),
        |row, n| spelled(row, n, "a kind of record", |text| {
            Self::WORDS.iter().find(|(word, _)| *word == text).map(|(_, kind)| *kind)
        });
}

fn whole(row: &AnyRow, n: usize) -> Result<Option<u64>, CellRefusal> {
    let expected = "a whole number of at least 0";
    let Some(int) = cell::<i64>(row, n, expected)? else { return Ok(None) };
    let negative = |_| CellRefusal { expected, found: int.to_string() };
    u64::try_from(int).map(Some).map_err(negative)
}

fn flag(row: &AnyRow, n: usize) -> Result<Option<bool>, CellRefusal> {
    let expected = "0 or 1";
    match cell::<i64>(row, n, expected)? {
        None => Ok(None),
        Some(0) => Ok(Some(false)),
        Some(1) => Ok(Some(true)),
        Some(other) => Err(CellRefusal { expected, found: other.to_string() }),
    }
}

fn hash(row: &AnyRow, n: usize) -> Result<Option<[u8; 32]>, CellRefusal> {
    let expected = "32 bytes";
    let Some(bytes) = cell::<Vec<u8>>(row, n, expected)? else { return Ok(None) };
    let other = |bytes: Vec<u8>| CellRefusal { expected, found: format!("{} bytes", bytes.len()) };
    bytes.try_into().map(Some).map_err(other)
}

fn spelled<T>(
    row: &AnyRow,
    n: usize,
    expected: &'static str,
    parse: impl FnOnce(&str) -> Option<T>,
) -> Result<Option<T>, CellRefusal> {
    let Some(text) = cell::<String>(row, n, expected)? else { return Ok(None) };
    let other = || CellRefusal { expected, found: dalil_proof::fault::quote(&text) };
    parse(&text).map(Some).ok_or_else(other)
}

/// A cell in its type; SQLite keeps any type in any column.
fn cell<T>(row: &AnyRow, n: usize, expected: &'static str) -> Result<Option<T>, CellRefusal>
where
    T: for<'r> Decode<'r, sqlx::Any> + Type<sqlx::Any>,
{
    row.try_get::<Option<T>, _>(n).map_err(|_| {
        let raw = row.try_get_raw(n).ok();
        let found = raw.map(|raw| format!("a value of the type {}", raw.type_info().name()));
        CellRefusal { expected, found: found.unwrap_or_else(|| "no such column".to_owned()) }
    })
}

const fn expected(column: ColumnType) -> &'static str {
    match column {
        ColumnType::Text => "text",
        ColumnType::Int => "a whole number",
        ColumnType::Real => "a number",
        ColumnType::Blob => "bytes",
    }
}

/// A static, so that its text lives as long as the program.
static EXPECTED_TIME: Phrase = Time::EXPECTED;
