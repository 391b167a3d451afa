//! The payload of a stored record, field by field, rows included.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use dalil_core::trail::{Field, Payload};
use dalil_store::catalog::committed;
use dalil_store::trail::{Held, State, Stored};
use dalil_store::{Row, Tenant};

use super::super::Failure;

/// Records of a range, with their rows.
pub(in crate::keep) struct Batch {
    pub(in crate::keep) records: Vec<Stored>,
    rows: BTreeMap<u64, Vec<Row>>,
}

impl Batch {
    /// Reads a range, or as much of it as one read gives.
    pub(in crate::keep) async fn read(tenant: &Tenant, range: Range<u64>) -> Result<Self, Failure> {
        let records = tenant.records(range).await?;
        Self::with_rows(tenant, records).await
    }

    /// Reads the rows of records.
    pub(in crate::keep) async fn with_rows(
        tenant: &Tenant,
        records: Vec<Stored>,
    ) -> Result<Self, Failure> {
        let mut rows = BTreeMap::new();
        // The records of a subject lie apart, those of a range side by side.
        for run in records.chunk_by(|one, next| one.index + 1 == next.index) {
            if let (Some(first), Some(last)) = (run.first(), run.last()) {
                rows.extend(tenant.rows(first.index..last.index + 1).await?);
            }
        }
        Ok(Self { records, rows })
    }

    /// What became of each field of a record.
    pub(in crate::keep) fn payload<'s>(&self, stored: &'s Stored) -> Payload<'s> {
        let fields = stored.fields.iter();
        fields.filter_map(|field| Some((field.name.as_str(), self.field(stored, field)?))).collect()
    }

    /// What became of a field; `None` when it is missing.
    fn field<'s>(
        &self,
        stored: &'s Stored,
        field: &'s dalil_store::trail::StoredField,
    ) -> Option<Field<'s>> {
        match &field.state {
            State::Present(salt, Held::Bytes(bytes)) => {
                Some(Field::Present { salt: *salt, bytes: Cow::Borrowed(bytes) })
            }
            State::Present(salt, Held::Lake(object)) => {
                Some(Field::Lake { salt: *salt, object: *object })
            }
            State::Present(salt, Held::Rows) => {
                let rows = self.rows.get(&stored.index)?;
                let bytes = committed(rows).unwrap_or_default();
                Some(Field::Present { salt: *salt, bytes: Cow::Owned(bytes) })
            }
            State::Erased { by } => Some(Field::Erased { by: *by }),
            State::Missing => None,
            // Whatever is there does not open the commitment; an empty field says so.
            State::Altered => Some(Field::Present { salt: [0; 32], bytes: Cow::Borrowed(&[]) }),
        }
    }
}
