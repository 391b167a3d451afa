//! What the sequencer knows of each tenant between two groups.

use std::collections::BTreeMap;
use std::sync::Arc;

use dalil_core::digest::Digest;
use sqlx::AnyConnection;

use super::{Job, Sequencer};
use crate::catalog::{Engine, Failed, Source, run};
use crate::error::Error;
use crate::trail::edge::Edge;
use crate::trail::signer::Signer;
use crate::trail::tip::{self, Tip};

/// A tenant's trail and who signs for it. Cheap to copy.
#[derive(Clone)]
pub(super) struct Desk {
    /// The trail as it was last committed; `None` before the first record.
    pub(super) tip: Option<Arc<Tip>>,
    pub(super) signer: Arc<Signer>,
}

impl Desk {
    pub(super) fn edge(&self) -> Edge {
        self.tip.as_ref().map_or_else(Edge::default, |tip| tip.edge.clone())
    }

    fn size(&self) -> u64 {
        self.tip.as_ref().map_or(0, |tip| tip.edge.size())
    }
}

/// The desks, by tenant.
pub(super) type Desks = BTreeMap<Arc<str>, Desk>;

impl Sequencer {
    /// Takes the tenants' locks in order and brings their desks up to date.
    pub(super) async fn desks_of(
        &mut self,
        connection: &mut AnyConnection,
        jobs: &[Job],
    ) -> Result<Desks, Failed> {
        let tenants: BTreeMap<&Arc<str>, &Job> =
            jobs.iter().rev().map(|job| (&job.tenant, job)).collect();
        let mut desks = Desks::new();
        for (tenant, job) in tenants {
            lock(self.shared.catalog.engine, connection, tenant).await?;
            let desk = self.desk(connection, tenant, job).await?;
            desks.insert(Arc::clone(tenant), desk);
        }
        Ok(desks)
    }

    async fn desk(
        &mut self,
        connection: &mut AnyConnection,
        tenant: &Arc<str>,
        job: &Job,
    ) -> Result<Desk, Failed> {
        let mut source = Source::Writer(connection);
        let newest = tip::newest(&mut source, tenant).await?;
        let known = self.desks.get(tenant);
        let Some(newest) = newest else {
            let origin = job.creates.as_deref().unwrap_or_default();
            return Ok(Desk { tip: None, signer: Arc::new(Signer::new(origin)) });
        };
        if let Some(known) = known.filter(|known| known.size() == newest.0) {
            return Ok(known.clone());
        }
        let before = known.and_then(|known| known.tip.as_deref());
        let tip = tip::load(&mut source, tenant, newest, before).await?;
        let signer = Signer::load(&mut source, &self.shared.vault, tenant).await?;
        let desk = Desk { tip: Some(Arc::new(tip)), signer: Arc::new(signer) };
        self.desks.insert(Arc::clone(tenant), desk.clone());
        Ok(desk)
    }

    /// Makes what was committed known to readers.
    pub(super) fn publish(&mut self, desks: Desks) {
        for (tenant, desk) in desks {
            if let Some(tip) = &desk.tip {
                self.shared.publish(&tenant, tip);
            }
            self.desks.insert(tenant, desk);
        }
    }
}

/// Takes a tenant's lock until the transaction ends. A folder has one writer, and needs none.
pub(super) async fn lock(
    engine: Engine,
    connection: &mut AnyConnection,
    tenant: &str,
) -> Result<(), Failed> {
    if engine == Engine::Postgres {
        // The number that processes agree on while one of them appends for a tenant.
        let digest = Digest::of_parts([b"dalil tenant ".as_slice(), tenant.as_bytes()]);
        let (first, _) = digest.as_bytes().split_at(8);
        let number = first.iter().fold(0_i64, |lock, byte| lock << 8 | i64::from(*byte));
        run(connection, &format!("SELECT pg_advisory_xact_lock({number})")).await?;
    }
    Ok(())
}

/// An entry for a tenant that is not there, or one that would make it twice.
pub(super) fn fits(size: u64, job: &Job) -> Result<(), Error> {
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
