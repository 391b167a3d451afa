//! One verb over a store, and the options of a command that has a lake of its own.

use std::path::PathBuf;

use dalil::keep;
use dalil::store::Tenant;
use dalil_core::record::Actor;
use dalil_core::time::Time;

use super::{Access, Keeping, actor, block_on};
use crate::failure::Failure;

impl Keeping {
    /// Does something that leaves a record, and waits until the store is closed again.
    pub(crate) fn write<T>(
        &self,
        work: impl AsyncFnOnce(&Tenant) -> Result<T, keep::Failure>,
    ) -> Result<T, Failure> {
        block_on(async {
            let (store, tenant) = self.open(Access::Write).await?;
            let done = work(&tenant).await;
            store.close().await?;
            Ok(done?)
        })
    }

    /// Does something that only reads.
    pub(crate) fn read<T>(
        &self,
        work: impl AsyncFnOnce(&Tenant) -> Result<T, keep::Failure>,
    ) -> Result<T, Failure> {
        block_on(async {
            let (_store, tenant) = self.open(Access::Read).await?;
            Ok(work(&tenant).await?)
        })
    }
}

/// Which store, whose part of it, and who acts, for a command that has a `--lake` of its own.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Store")]
pub(crate) struct Beside {
    /// The store: `file:DIR`, or `postgres://…` with a lake beside it, as `DALIL_LAKE` says
    #[arg(long, value_name = "URL", requires = "save")]
    store: Option<String>,

    /// Whose evidence it is; may be left out when the store has one tenant
    #[arg(long, value_name = "NAME", requires = "save")]
    tenant: Option<String>,

    /// The file with the identity that opens signing keys; by default what `DALIL_IDENTITY` says
    #[arg(long, value_name = "FILE", requires = "save")]
    identity: Option<PathBuf>,

    /// The file with the passphrase of the identity; `DALIL_PASSPHRASE` by default
    #[arg(long, value_name = "FILE", requires = "save")]
    passphrase_file: Option<PathBuf>,

    /// Who acts: `agent:NAME`, `person:NAME` or `system`
    #[arg(long, value_name = "WHO", value_parser = actor, requires = "save")]
    actor: Option<Actor>,

    /// When it happens; now by default
    #[arg(long, value_name = "TIME", requires = "save")]
    at: Option<Time>,

    /// A name for the request: a second try under it gives the first answer
    #[arg(long, value_name = "KEY", requires = "save")]
    key: Option<String>,
}

impl Beside {
    /// The same, with the lake that the environment names.
    pub(crate) fn keeping(&self) -> Keeping {
        let Self { store, tenant, identity, passphrase_file, actor, at, key } = self.clone();
        Keeping { store, lake: None, tenant, identity, passphrase_file, actor, at, key }
    }
}
