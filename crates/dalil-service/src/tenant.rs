//! Tenants: created with their first key, and shown with the state of their trail.

use std::fmt;

use dalil_proof::digest::Digest;
use dalil_store::catalog::TenantRow;
use dalil_store::{Error, NewTenant, Store, Tenant};
use serde::Serialize;

use crate::operation::{OperationFailure, RequestContext};

/// A tenant, and the state of its trail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TenantSummary {
    /// Its name.
    pub tenant: String,
    /// The origin of its trail.
    pub origin: String,
    /// When it was made.
    pub created_at: String,
    /// How many records it has.
    pub size: u64,
    /// The root over them.
    pub root: Digest,
}

/// The tenants of a store, in the order of their names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TenantList {
    /// The tenants.
    pub tenants: Vec<TenantSummary>,
}

/// Makes a tenant with its first key.
///
/// # Errors
/// A name or an origin that cannot be, or a tenant that is there already.
pub async fn create(
    store: &Store,
    name: &str,
    origin: &str,
    context: &RequestContext,
) -> Result<TenantSummary, OperationFailure> {
    let new = NewTenant { name, origin, at: context.at, actor: context.actor.clone() };
    show(&store.create_tenant(new).await?).await
}

/// Every tenant of a store.
///
/// # Errors
/// The store cannot be read, or a trail was changed.
pub async fn list(store: &Store) -> Result<TenantList, OperationFailure> {
    let mut tenants = Vec::new();
    for name in store.tenants().await? {
        tenants.push(show(&store.tenant(&name).await?).await?);
    }
    Ok(TenantList { tenants })
}

/// One tenant.
///
/// # Errors
/// The store cannot be read, or the trail was changed.
pub async fn show(tenant: &Tenant) -> Result<TenantSummary, OperationFailure> {
    let head = tenant.head().await?;
    let created = tenant.select(&TenantRow::query().at_most(1)).await?;
    let missing = || {
        Error::damaged("read a tenant", format!("tenant `{}`", tenant.name()))
            .saw("the row that made it", "none")
            .hint("`dalil fsck` says what else is not as it was")
    };
    let created_at = created.first().ok_or_else(missing)?.row.created_at.to_string();
    Ok(TenantSummary {
        tenant: tenant.name().to_owned(),
        origin: tenant.origin().to_owned(),
        created_at,
        size: head.size,
        root: head.root,
    })
}

impl fmt::Display for TenantSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tenant, origin, created_at, size, root } = self;
        writeln!(f, "tenant   {tenant}\norigin   {origin}\ncreated  {created_at}")?;
        writeln!(f, "records  {size}\nroot     {root}")
    }
}

impl fmt::Display for TenantList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.tenants.iter().map(|one| {
            [one.tenant.clone(), one.origin.clone(), one.size.to_string(), one.created_at.clone()]
        });
        crate::table::write(f, ["tenant", "origin", "records", "created"], rows)
    }
}
