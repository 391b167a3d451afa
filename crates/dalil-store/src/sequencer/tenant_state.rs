//! The cached state of each tenant between two groups.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use dalil_proof::digest::Digest;
use dalil_proof::time::Time;
use sqlx::AnyConnection;

use super::message::AppendJob;
use super::{Sequencer, lookups};
use crate::catalog::{CatalogFailure, DatabaseEngine, RowSource, run};
use crate::error::Error;
use crate::trail::signer::TenantSigner;
use crate::trail::tile_frontier::TileFrontier;
use crate::trail::trail_head::{self, TrailHead};

/// A tenant's trail and who signs for it. Cheap to copy.
#[derive(Clone)]
pub(super) struct TenantState {
    /// The trail as it was last committed; `None` before the first record.
    pub(super) trail_head: Option<Arc<TrailHead>>,
    pub(super) signer: Arc<TenantSigner>,
    /// The time of its first record.
    pub(super) begins: Option<Time>,
}

impl TenantState {
    pub(super) fn edge(&self) -> TileFrontier {
        self.trail_head
            .as_ref()
            .map_or_else(TileFrontier::default, |trail_head| trail_head.edge.clone())
    }

    fn size(&self) -> u64 {
        self.trail_head.as_ref().map_or(0, |trail_head| trail_head.edge.size())
    }
}

/// The states, by tenant.
pub(super) type TenantStates = BTreeMap<Arc<str>, TenantState>;

impl Sequencer {
    /// Takes the tenants' locks in order and brings their states up to date.
    pub(super) async fn tenant_states_of(
        &mut self,
        connection: &mut AnyConnection,
        jobs: &[AppendJob],
    ) -> Result<TenantStates, CatalogFailure> {
        // By name, so that two processes take their locks in one order and cannot wait for each
        // other.
        let tenants: BTreeSet<&Arc<str>> = jobs.iter().map(|job| &job.tenant).collect();
        let mut states = TenantStates::new();
        for tenant in tenants {
            lock(self.shared.catalog.engine, connection, tenant).await?;
            // Whichever of them makes the tenant: one before it may have come too early.
            let own = jobs.iter().filter(|job| job.tenant == *tenant);
            let creates = own.filter_map(|job| job.creates.as_deref()).next();
            let state = self.tenant_state(connection, tenant, creates).await?;
            states.insert(Arc::clone(tenant), state);
        }
        Ok(states)
    }

    async fn tenant_state(
        &mut self,
        connection: &mut AnyConnection,
        tenant: &Arc<str>,
        creates: Option<&str>,
    ) -> Result<TenantState, CatalogFailure> {
        let mut source = RowSource::Writer(connection);
        let newest = trail_head::newest(&mut source, tenant).await?;
        let known = self.states.get(tenant);
        let Some(newest) = newest else {
            let signer = Arc::new(TenantSigner::new(creates));
            return Ok(TenantState { trail_head: None, signer, begins: None });
        };
        // Records are only added: the same size is the same trail, with the same keys.
        if let Some(known) = known.filter(|known| known.size() == newest.size) {
            return Ok(known.clone());
        }
        let before = known.and_then(|known| known.trail_head.as_deref());
        let trail_head = trail_head::load(&mut source, tenant, newest, before).await?;
        let signer = TenantSigner::load(&mut source, &self.shared.vault, tenant).await?;
        let begins = lookups::begins(&mut source, tenant).await?;
        let state = TenantState {
            trail_head: Some(Arc::new(trail_head)),
            signer: Arc::new(signer),
            begins,
        };
        self.states.insert(Arc::clone(tenant), state.clone());
        Ok(state)
    }

    /// Makes the committed state visible to readers.
    pub(super) fn publish(&mut self, states: TenantStates) {
        for (tenant, state) in states {
            if let Some(trail_head) = &state.trail_head {
                self.shared.publish(&tenant, trail_head);
            }
            self.states.insert(tenant, state);
        }
    }
}

/// Takes a tenant's lock until the transaction ends. A folder has one writer, and needs none.
pub(super) async fn lock(
    engine: DatabaseEngine,
    connection: &mut AnyConnection,
    tenant: &str,
) -> Result<(), CatalogFailure> {
    if engine == DatabaseEngine::Postgres {
        // The number that processes agree on while one of them appends for a tenant.
        let digest = Digest::of_parts([b"dalil tenant ".as_slice(), tenant.as_bytes()]);
        let (first, _) = digest.as_bytes().split_at(8);
        let number = first.iter().fold(0_i64, |lock, byte| lock << 8 | i64::from(*byte));
        run(connection, &format!("SELECT pg_advisory_xact_lock({number})")).await?;
    }
    Ok(())
}

/// An entry for a tenant that is not there, or one that would make it twice.
pub(super) fn fits(size: u64, job: &AppendJob) -> Result<(), Error> {
    let place = format!("tenant `{}`", job.tenant);
    match (&job.creates, size) {
        (Some(_), 1..) => Err(Error::refused("make a tenant", place)
            .saw("a name that is new", "a tenant of that name")),
        (None, 0) => Err(Error::refused("append a record", place)
            .saw("a tenant of that name", "none")
            .hint("make the tenant first")),
        (Some(_), 0) | (None, 1..) => Ok(()),
    }
}
