//! The payload of a stored record, field by field, rows included.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use dalil_proof::trail::{PayloadField, RecordPayload};
use dalil_store::catalog::committed;
use dalil_store::trail::{StoredFieldState, StoredPayload, StoredRecord};
use dalil_store::{EvidenceRow, Tenant};

use crate::operation::OperationFailure;

/// Records of a range, with their rows.
pub(crate) struct RecordBatch {
    pub(crate) records: Vec<StoredRecord>,
    rows: BTreeMap<u64, Vec<EvidenceRow>>,
}

impl RecordBatch {
    /// Reads a range, or as much of it as one read gives.
    pub(crate) async fn read(tenant: &Tenant, range: Range<u64>) -> Result<Self, OperationFailure> {
        let records = tenant.records(range).await?;
        Self::with_rows(tenant, records).await
    }

    /// Reads the rows of records, which are in order.
    pub(crate) async fn with_rows(
        tenant: &Tenant,
        records: Vec<StoredRecord>,
    ) -> Result<Self, OperationFailure> {
        let indices: Vec<u64> = records.iter().map(|stored| stored.index).collect();
        let rows = tenant.rows_at(&indices).await?.into_iter().collect();
        Ok(Self { records, rows })
    }

    /// What became of each field of a record.
    pub(crate) fn payload<'s>(&self, stored: &'s StoredRecord) -> RecordPayload<'s> {
        let fields = stored.fields.iter();
        fields.filter_map(|field| Some((field.name.as_str(), self.field(stored, field)?))).collect()
    }

    /// What became of a field; `None` when it is missing.
    fn field<'s>(
        &self,
        stored: &'s StoredRecord,
        field: &'s dalil_store::trail::StoredField,
    ) -> Option<PayloadField<'s>> {
        match &field.state {
            StoredFieldState::Present(salt, StoredPayload::Bytes(bytes)) => {
                Some(PayloadField::Present { salt: *salt, bytes: Cow::Borrowed(bytes) })
            }
            StoredFieldState::Present(salt, StoredPayload::Lake(object)) => {
                Some(PayloadField::Lake { salt: *salt, object: *object })
            }
            StoredFieldState::Present(salt, StoredPayload::Rows) => {
                let rows = self.rows.get(&stored.index)?;
                // Rows without a canonical form give no bytes, and these open no commitment.
                let bytes = committed(rows).unwrap_or_else(|_| Vec::new());
                Some(PayloadField::Present { salt: *salt, bytes: Cow::Owned(bytes) })
            }
            StoredFieldState::Erased { by } => Some(PayloadField::Erased { by: *by }),
            StoredFieldState::Missing => None,
            // The stored bytes do not open the commitment; an empty field shows that.
            StoredFieldState::Altered => {
                Some(PayloadField::Present { salt: [0; 32], bytes: Cow::Borrowed(&[]) })
            }
        }
    }
}
