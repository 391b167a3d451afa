//! The tenants of the store.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use dalil_store::{Error, Store, Tenant};

/// The store and its tenants, which are opened by name; those that were found are remembered, as none goes away.
pub(crate) struct TenantDirectory {
    pub(crate) store: Store,
    known: RwLock<HashMap<String, Tenant>>,
}

impl TenantDirectory {
    pub(crate) fn new(store: Store) -> Self {
        Self { store, known: RwLock::default() }
    }

    /// A tenant of the store.
    pub(crate) async fn find(&self, name: &str) -> Option<Tenant> {
        self.open(name).await.ok()
    }

    /// A tenant of the store, or why it cannot be opened.
    pub(crate) async fn open(&self, name: &str) -> Result<Tenant, Error> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        // An unknown name is looked up each time and not remembered: any client can invent names.
        let found = self.store.tenant(name).await?;
        let mut tenants = self.known.write().unwrap_or_else(PoisonError::into_inner);
        tenants.insert(name.to_owned(), found.clone());
        Ok(found)
    }
}
