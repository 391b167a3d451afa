//! Opening a store, and its tenants.

use std::fmt;
use std::fs::File;
use std::sync::Arc;

use dalil_proof::record::{Actor, RecordKind};
use dalil_proof::time::Time;
use sqlx::{AnyConnection, Connection as _};
use tokio::sync::{Mutex, mpsc};
use tokio::task::JoinHandle;

use crate::catalog::{
    Catalog, CatalogFailure, DatabaseEngine, MAX_CONNECTION_TRIES, RowSource, TenantRow, failed,
    is_lost, run,
};
use crate::error::Error;
use crate::lake::Lake;
use crate::place::{StorePlace, server_label};
use crate::schema;
use crate::sequencer::Sequencer;
use crate::sequencer::message::{SequencerMessage, SequencerQueue};
use crate::trail::append::{AppendOptions, key_added, send};
use crate::trail::entry::{NewRecord, RecordTime, TimeSource};
use crate::trail::signer::{self, NewSigningKey};
use crate::trail::tenant::Tenant;
use crate::vault::Vault;

pub(crate) mod context;
mod folder;
mod settings;
#[cfg(test)]
mod tests;

use context::StoreContext;
pub use settings::DurabilitySetting;

/// How a store is opened.
#[derive(Clone, Copy, Debug)]
pub struct StoreOptions {
    /// Only read: nothing is written, and the folder is not locked.
    pub read_only: bool,
    /// How many entries may wait; for one more the answer is that the store is busy.
    pub queue: usize,
    /// The time, for the line that a migration leaves.
    pub now: Time,
}

impl StoreOptions {
    /// To read and to write.
    pub const fn writing(now: Time) -> Self {
        Self { read_only: false, queue: 4096, now }
    }

    /// Only to read.
    pub const fn reading(now: Time) -> Self {
        Self { read_only: true, queue: 1, now }
    }
}

/// A tenant that is to be made.
#[derive(Clone, Debug)]
pub struct NewTenant<'t> {
    /// Its name: 1 to 63 lower-case letters, digits and `-`, a letter or digit first.
    pub name: &'t str,
    /// The origin of its trail, and the name of its first key.
    pub origin: &'t str,
    /// When it is made.
    pub at: Time,
    /// Who makes it.
    pub actor: Actor,
}

/// An open store.
pub struct Store {
    pub(crate) shared: Arc<StoreContext>,
    queue: SequencerQueue,
    writer: Mutex<Option<JoinHandle<Result<(), Error>>>>,
}

impl Store {
    /// Opens a store, and makes it if it is not there.
    ///
    /// # Errors
    /// `Refused`: another process has it, it is of a newer version, it is not a store.
    /// `Unavailable`: the folder or the server cannot be used. `Damaged`: it is not
    /// whole. Nothing is written then.
    pub async fn open(
        place: &StorePlace,
        vault: Vault,
        options: StoreOptions,
    ) -> Result<Self, Error> {
        let (catalog, lock) = match place {
            StorePlace::File { dir } => folder::open(dir, options.read_only).await?,
            StorePlace::Postgres { url, lake: _ } => {
                let label = server_label(url);
                let catalog = Catalog::new(DatabaseEngine::Postgres, url, label.clone(), false);
                (catalog.map_err(|failure| failed("open the store", &label, failure))?, None)
            }
        };
        let label = catalog.label.clone();
        let opened = Self::start((catalog, place), lock, vault, options).await;
        opened.map_err(|failure| failed("open the store", &label, failure))
    }

    async fn start(
        (catalog, place): (Catalog, &StorePlace),
        lock: Option<File>,
        vault: Vault,
        options: StoreOptions,
    ) -> Result<Self, CatalogFailure> {
        if options.read_only {
            schema::check(catalog.engine, &catalog.label, &mut RowSource::Readers(&catalog))
                .await?;
            let lake = Lake::open(&place.lake()).await?;
            let shared = Arc::new(StoreContext::new(catalog, lake, vault, lock)?);
            return Ok(Self { shared, queue: None, writer: Mutex::new(None) });
        }
        let connection = writer(&catalog, options.now).await?;
        // After the catalog: a place that is no store gets no folder.
        let lake = Lake::create(&place.lake()).await?;
        let (queue, waiting) = mpsc::channel(options.queue.max(1));
        let shared = Arc::new(StoreContext::new(catalog, lake, vault, lock)?);
        let sequencer = Sequencer::new(Arc::clone(&shared), connection);
        let writer = Mutex::new(Some(tokio::spawn(sequencer.serve(waiting))));
        Ok(Self { shared, queue: Some(queue), writer })
    }

    /// Makes a tenant with its first key, and begins its trail.
    ///
    /// # Errors
    /// A name or origin that cannot be, or a tenant that is there already.
    pub async fn create_tenant(&self, new: NewTenant<'_>) -> Result<Tenant, Error> {
        let NewTenant { name, origin, at, actor } = new;
        if !is_name(name) {
            let expected = "1 to 63 lower-case letters, digits and `-`";
            return Err(Error::refused("make a tenant", "name").saw(expected, format!("{name:?}")));
        }
        let key = NewSigningKey::draw(&self.shared.vault, name, origin)?;
        let row = TenantRow { origin: origin.to_owned(), created_at: at };
        let when = RecordTime { at, source: TimeSource::Stated };
        let created = NewRecord {
            kind: RecordKind::TenantCreated,
            id: None,
            when,
            actor: actor.clone(),
            subject: name.to_owned(),
            fields: Vec::new(),
            rows: vec![row.into()],
        };
        let drafts = vec![created, key_added(&key, when, actor)];
        let creates = Some(origin.to_owned());
        let tenant = Arc::from(name);
        let extra = AppendOptions { creates, new_key: Some(key), ..AppendOptions::default() };
        let tenant = self.handle(tenant, Arc::from(origin));
        // Both records in one entry: a tenant without a key could sign no checkpoint.
        send(&tenant, drafts, extra).await?;
        Ok(tenant)
    }

    /// A tenant of the store.
    ///
    /// # Errors
    /// There is none of that name.
    pub async fn tenant(&self, name: &str) -> Result<Tenant, Error> {
        let mut source = RowSource::Readers(&self.shared.catalog);
        let origin = signer::origin(&mut source, name).await;
        let origin = origin.map_err(|failure| self.failed("find a tenant", failure))?;
        let Some(origin) = origin else {
            return Err(Error::refused(
                "find a tenant",
                format!("`{}`", self.shared.catalog.label),
            )
            .saw("a tenant of the store", dalil_proof::fault::quote(name))
            .hint("`dalil tenant list` names those that there are"));
        };
        Ok(self.handle(Arc::from(name), Arc::from(origin)))
    }

    /// The names of all tenants, in order.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub async fn tenants(&self) -> Result<Vec<String>, Error> {
        let sql = "SELECT DISTINCT tenant FROM tenants ORDER BY tenant";
        let mut source = RowSource::Readers(&self.shared.catalog);
        let names = source.fetch_column(("tenants", "tenant"), sql, &[]).await;
        let mut names: Vec<String> =
            names.map_err(|failure| self.failed("list tenants", failure))?;
        // Databases order text each in its own way.
        names.sort_unstable();
        Ok(names)
    }

    /// Writes a probe that is no evidence to the catalog and to the lake, to check that both can be
    /// written.
    ///
    /// Of a bucket, which may keep every object for years, it is only asked whether it answers.
    ///
    /// # Errors
    /// The catalog or the lake cannot be written to.
    pub async fn probe(&self) -> Result<(), Error> {
        let catalog = &self.shared.catalog;
        let written = async {
            // One of its own: the sequencer may wait for minutes on a connection that is lost.
            let mut connection = catalog.writer_at_once().await?;
            run(&mut connection, catalog.engine.probe()).await?;
            connection.close().await
        };
        written.await.map_err(|error: sqlx::Error| self.failed("write to the catalog", error))?;
        self.shared.lake.probe().await
    }

    /// Finishes the waiting requests, and closes every connection.
    ///
    /// # Errors
    /// The last writes could not be finished.
    pub async fn close(self) -> Result<(), Error> {
        if let Some(queue) = &self.queue {
            // A sequencer that has ended already needs no word.
            drop(queue.send(SequencerMessage::Close).await);
        }
        if let Some(writer) = self.writer.lock().await.take() {
            writer.await.map_err(|error| {
                Error::unavailable("close the store", format!("`{}`", self.shared.catalog.label))
                    .saw("a sequencer that ends", error)
            })??;
        }
        let closed = self.shared.catalog.close().await;
        closed.map_err(|error| self.failed("close the store", error))?;
        // Last of all: the next process that takes the folder finds no writer.
        drop(self.shared.lock.lock().await.take());
        Ok(())
    }

    pub(crate) fn handle(&self, name: Arc<str>, origin: Arc<str>) -> Tenant {
        let (shared, queue) = (Arc::clone(&self.shared), self.queue.clone());
        Tenant { name, origin, shared, queue }
    }

    fn failed(&self, what: &str, failure: impl Into<CatalogFailure>) -> Error {
        failed(what, &self.shared.catalog.label, failure)
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Store({})", self.shared.catalog.label)
    }
}

/// A connection to a catalog that is up to date; made again if a server takes it away.
async fn writer(catalog: &Catalog, now: Time) -> Result<AnyConnection, CatalogFailure> {
    let mut tries = 1;
    loop {
        let mut connection = catalog.writer().await?;
        match schema::migrate(catalog.engine, &catalog.label, &mut connection, now).await {
            Ok(()) => return Ok(connection),
            Err(CatalogFailure::Sql(error)) if is_lost(&error) && tries < MAX_CONNECTION_TRIES => {
                tries += 1;
            }
            Err(failure) => return Err(failure),
        }
    }
}

/// Whether a tenant may have this name: it is part of paths of the lake.
fn is_name(name: &str) -> bool {
    let plain = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
    let first = name.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric());
    first && name.len() <= 63 && name.bytes().all(plain)
}
