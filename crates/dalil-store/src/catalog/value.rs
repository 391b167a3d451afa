//! Values as statements bind them and as commitments write them.

use std::borrow::Cow;

use serde::{Serialize, Serializer};

/// One value of a row or of a statement.
#[derive(Clone, Debug, PartialEq)]
pub enum SqlValue<'v> {
    /// Text.
    Text(Cow<'v, str>),
    /// A whole number.
    Int(i64),
    /// A double.
    Real(f64),
    /// Bytes.
    Blob(Cow<'v, [u8]>),
    /// Nothing.
    Null,
}

impl Serialize for SqlValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::Int(int) => serializer.serialize_i64(*int),
            Self::Real(real) => serializer.serialize_f64(*real),
            // An array, so that no text can pass for bytes.
            Self::Blob(bytes) => [dalil_proof::digest::hex(bytes)].serialize(serializer),
            Self::Null => serializer.serialize_unit(),
        }
    }
}

impl<'v> From<&'v str> for SqlValue<'v> {
    fn from(text: &'v str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl From<String> for SqlValue<'_> {
    fn from(text: String) -> Self {
        Self::Text(Cow::Owned(text))
    }
}

/// A count or an index. A number that the database cannot hold is refused before it comes to a
/// statement, or finds nothing.
impl From<u64> for SqlValue<'_> {
    fn from(number: u64) -> Self {
        Self::Int(i64::try_from(number).unwrap_or(i64::MAX))
    }
}
