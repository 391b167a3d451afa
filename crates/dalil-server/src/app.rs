//! What all requests share.

use std::collections::HashMap;
use std::fmt;
use std::num::NonZeroUsize;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

use dalil::corpus::Cache;
use dalil::judges::Judges;
use dalil::keep::Deed;
use dalil::keep::apikey;
use dalil::keep::check::Tools;
use dalil::reader::{Limits, Reader};
use dalil::store::{Store, Table, Tenant, Vault};
use dalil_core::apikey::Pepper;
use dalil_core::link;
use dalil_core::time::Time;
use tokio::sync::Semaphore;

use crate::api::Told;
use crate::authority::Authority;
use crate::caller::Caller;
use crate::config::Config;
use crate::fresh::Fresh;
use crate::job::Jobs;
use crate::log::Log;
use crate::metrics::Metrics;
use crate::problem::{Kind, Problem};
use crate::rate::Rates;
use crate::room::Room;
use crate::trace::Traces;
use crate::verbs::Verbs;
use crate::viewer::Sealer;

/// What a server is made of.
pub struct Setup {
    /// How it is set up.
    pub config: Config,
    /// Where evidence is kept.
    pub store: Store,
    /// What the server's own secrets are derived from.
    pub vault: Vault,
    /// The judges.
    pub judges: Judges,
    /// Reads the clock.
    pub now: fn() -> Option<Time>,
    /// This program, which reads documents in processes of its own.
    pub program: PathBuf,
    /// A folder for uploads on their way and for what was read; it is the server's alone.
    pub scratch: PathBuf,
    /// Where lines of the log go.
    pub log: Box<dyn std::io::Write + Send>,
}

/// The server, as every request sees it. Cheap to copy.
#[derive(Clone)]
pub struct App(Arc<Inner>);

/// What requests share.
pub struct Inner {
    pub(crate) config: Config,
    pub(crate) store: Store,
    pub(crate) pepper: Pepper,
    /// The keys of the API that were shown lately.
    pub(crate) keys: Fresh<Arc<apikey::Known>>,
    /// Ledgers that were read lately.
    pub(crate) ledgers: Fresh<Arc<Told>>,
    pub(crate) links: link::Key,
    pub(crate) viewer: Sealer,
    pub(crate) tools: Arc<Tools>,
    pub(crate) verbs: Verbs,
    pub(crate) scratch: PathBuf,
    pub(crate) authority: Authority,
    pub(crate) jobs: Jobs,
    pub(crate) checks: Semaphore,
    pub(crate) room: Room,
    /// Files that are held whole while they are read.
    pub(crate) files: Semaphore,
    pub(crate) rates: Rates,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) traces: Traces,
    pub(crate) log: Log,
    now: fn() -> Option<Time>,
    tenants: RwLock<HashMap<String, Tenant>>,
}

impl App {
    /// Puts a server together.
    ///
    /// # Errors
    /// A folder or a file of the configuration that cannot be used.
    pub fn new(setup: Setup) -> Result<Self, std::io::Error> {
        let Setup { config, store, vault, judges, now, program, scratch, log } = setup;
        std::fs::create_dir_all(&scratch)?;
        let pepper = Pepper::new(*vault.derive("apikey"));
        let links = link::Key::new(*vault.derive("link"));
        let metrics = Arc::new(Metrics::default());
        let viewer = Sealer::new(&vault.derive("viewer"));
        let limits = &config.limits;
        let readers = usize::try_from(limits.readers).ok().and_then(NonZeroUsize::new);
        let reading = Limits {
            memory: limits.reader_memory,
            processes: readers.unwrap_or(NonZeroUsize::MIN),
            ..Limits::usual()
        };
        let checks = Semaphore::new(usize::try_from(limits.checks).unwrap_or(1));
        Ok(Self(Arc::new(Inner {
            authority: Authority::new(&config)?,
            rates: Rates::new(limits.rate, limits.burst),
            room: Room::new(limits.memory),
            files: Semaphore::new(reading.processes.get()),
            tools: Arc::new(Tools {
                judges,
                reader: Reader::new(program, reading),
                cache: Cache::at(scratch.join("index")),
                threads: usize::try_from(limits.threads).unwrap_or(1),
            }),
            verbs: Verbs::start(THREADS)?,
            jobs: Jobs::new()?,
            traces: Traces::new(config.otlp.as_deref(), Arc::clone(&metrics))?,
            metrics,
            log: Log::new(log),
            tenants: RwLock::default(),
            config,
            store,
            pepper,
            keys: Fresh::of(Table::ApiKeys),
            ledgers: Fresh::exact(Table::Ledgers, LEDGERS, Told::bytes),
            links,
            viewer,
            scratch,
            checks,
            now,
        })))
    }

    /// What an address of it begins with.
    pub fn scheme(&self) -> &'static str {
        if self.config.tls.is_some() { "https" } else { "http" }
    }

    /// The time.
    pub(crate) fn now(&self) -> Result<Time, Problem> {
        (self.now)().ok_or(Problem::new(Kind::Internal))
    }

    /// A tenant of the store; those that were found are remembered, as none goes away.
    pub(crate) async fn tenant(&self, name: &str) -> Option<Tenant> {
        let known = self.tenants.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
        if known.is_some() {
            return known;
        }
        let found = self.store.tenant(name).await.ok()?;
        let mut tenants = self.tenants.write().unwrap_or_else(PoisonError::into_inner);
        tenants.insert(name.to_owned(), found.clone());
        Some(found)
    }

    /// What a caller does now.
    pub(crate) fn deed(&self, caller: &Caller) -> Result<Deed, Problem> {
        Ok(Deed { at: self.now()?, actor: caller.actor.clone(), key: caller.key.clone() })
    }

    /// Finishes what waits in the store, and closes it.
    ///
    /// # Errors
    /// The last writes could not be finished.
    pub async fn close(self) -> Result<(), dalil::store::Error> {
        match Arc::try_unwrap(self.0) {
            Ok(inner) => inner.store.close().await,
            // Somebody still holds on: the store is durable without a close.
            Err(_) => Ok(()),
        }
    }
}

impl Deref for App {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}

impl fmt::Debug for App {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("App")
    }
}

impl fmt::Debug for Inner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("App")
    }
}

impl fmt::Debug for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Setup").field("config", &self.config).finish_non_exhaustive()
    }
}

/// How many bytes of ledgers are remembered.
const LEDGERS: usize = 16 << 20;
/// How many threads append; each does many appends at a time.
const THREADS: usize = 4;
