//! A tenant: all access to evidence goes through one.

use std::fmt;
use std::sync::Arc;

use super::trail_head::damaged;
use crate::catalog::{CatalogFailure, RowSource, failed};
use crate::error::Error;
use crate::lake::TenantLake;
use crate::sequencer::message::SequencerQueue;
use crate::store::context::StoreContext;

/// One tenant of a store. Cheap to copy, and to send to another thread.
#[derive(Clone)]
pub struct Tenant {
    pub(crate) name: Arc<str>,
    pub(crate) origin: Arc<str>,
    pub(crate) shared: Arc<StoreContext>,
    pub(crate) queue: SequencerQueue,
}

impl Tenant {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The origin of its trail.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Its objects.
    ///
    /// # Errors
    /// Refused: a name that no lake can have.
    pub fn lake(&self) -> Result<TenantLake, Error> {
        self.shared.lake.tenant(&self.name)
    }

    pub(super) fn readers(&self) -> RowSource<'_> {
        RowSource::Readers(&self.shared.catalog)
    }

    pub(super) fn failed(&self, what: &str, failure: impl Into<CatalogFailure>) -> Error {
        failed(what, &self.shared.catalog.label, failure)
    }

    pub(super) fn damaged(&self, expected: impl fmt::Display, found: impl fmt::Display) -> Error {
        damaged(&self.name, expected, found)
    }
}

impl fmt::Debug for Tenant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tenant({} of {})", self.name, self.shared.catalog.label)
    }
}
