//! What all requests share.

use std::collections::HashMap;
use std::fmt;
use std::num::NonZeroUsize;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

use dalil::corpus::CorpusCache;
use dalil::judges::Judges;
use dalil::operations::RequestContext;
use dalil::operations::apikey;
use dalil::operations::check::CheckTools;
use dalil::sandbox::{SandboxLimits, SandboxReader};
use dalil::store::{EvidenceTable, Store, Tenant, Vault};
use dalil_core::apikey::Pepper;
use dalil_core::signed_link;
use dalil_core::time::Time;
use tokio::sync::Semaphore;

use crate::api::CachedLedgerResponse;
use crate::append_pool::AppendPool;
use crate::authority::Authority;
use crate::caller::Caller;
use crate::config::ServeConfig;
use crate::job::JobRegistry;
use crate::log::LogWriter;
use crate::memory_budget::MemoryBudget;
use crate::metrics::ServerMetrics;
use crate::problem::{ApiProblem, ProblemKind};
use crate::rate::RateLimiter;
use crate::table_cache::TableCache;
use crate::trace::SpanExporter;
use crate::viewer::CookieCipher;

/// What a server is made of.
pub struct ServerSetup {
    /// How it is set up.
    pub config: ServeConfig,
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
pub struct App(Arc<AppState>);

/// What requests share.
pub struct AppState {
    pub(crate) config: ServeConfig,
    pub(crate) store: Store,
    pub(crate) pepper: Pepper,
    /// The keys of the API that were shown lately.
    pub(crate) keys: TableCache<Arc<apikey::StoredApiKey>>,
    /// Ledgers that were read lately.
    pub(crate) ledgers: TableCache<Arc<CachedLedgerResponse>>,
    pub(crate) links: signed_link::LinkSigningKey,
    pub(crate) viewer: CookieCipher,
    pub(crate) tools: Arc<CheckTools>,
    pub(crate) verbs: AppendPool,
    pub(crate) scratch: PathBuf,
    pub(crate) authority: Authority,
    pub(crate) jobs: JobRegistry,
    pub(crate) checks: Semaphore,
    pub(crate) room: MemoryBudget,
    /// Files that are held whole while they are read.
    pub(crate) files: Semaphore,
    pub(crate) rates: RateLimiter,
    pub(crate) metrics: Arc<ServerMetrics>,
    pub(crate) traces: SpanExporter,
    pub(crate) log: LogWriter,
    now: fn() -> Option<Time>,
    tenants: RwLock<HashMap<String, Tenant>>,
}

impl App {
    /// Puts a server together.
    ///
    /// # Errors
    /// A folder or a file of the configuration that cannot be used.
    pub fn new(setup: ServerSetup) -> Result<Self, std::io::Error> {
        let ServerSetup { config, store, vault, judges, now, program, scratch, log } = setup;
        std::fs::create_dir_all(&scratch)?;
        // Derived and not drawn: every server of one store opens the keys, links and cookies of the
        // others.
        let pepper = Pepper::new(*vault.derive("apikey"));
        let links = signed_link::LinkSigningKey::new(*vault.derive("link"));
        let metrics = Arc::new(ServerMetrics::default());
        let viewer = CookieCipher::new(&vault.derive("viewer"));
        let limits = &config.limits;
        let readers = usize::try_from(limits.readers).ok().and_then(NonZeroUsize::new);
        let reading = SandboxLimits {
            memory: limits.reader_memory,
            processes: readers.unwrap_or(NonZeroUsize::MIN),
            ..SandboxLimits::usual()
        };
        let checks = Semaphore::new(usize::try_from(limits.checks).unwrap_or(1));
        Ok(Self(Arc::new(AppState {
            authority: Authority::new(&config)?,
            rates: RateLimiter::new(limits.rate, limits.burst),
            room: MemoryBudget::new(limits.memory),
            files: Semaphore::new(reading.processes.get()),
            tools: Arc::new(CheckTools {
                judges,
                reader: SandboxReader::new(program, reading),
                cache: CorpusCache::at(scratch.join("index")),
                threads: usize::try_from(limits.threads).unwrap_or(1),
            }),
            verbs: AppendPool::start(APPEND_THREADS)?,
            jobs: JobRegistry::new()?,
            traces: SpanExporter::new(config.otlp.as_deref(), Arc::clone(&metrics))?,
            metrics,
            log: LogWriter::new(log),
            tenants: RwLock::default(),
            config,
            store,
            pepper,
            keys: TableCache::of(EvidenceTable::ApiKeys),
            ledgers: TableCache::exact(
                EvidenceTable::Ledgers,
                MAX_CACHED_LEDGER_BYTES,
                CachedLedgerResponse::bytes,
            ),
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
    pub(crate) fn now(&self) -> Result<Time, ApiProblem> {
        (self.now)().ok_or(ApiProblem::new(ProblemKind::Internal))
    }

    /// A tenant of the store; those that were found are remembered, as none goes away.
    pub(crate) async fn tenant(&self, name: &str) -> Option<Tenant> {
        let known = self.tenants.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
        if known.is_some() {
            return known;
        }
        // A name that is not there is asked for each time, and not remembered: anybody can invent
        // names.
        let found = self.store.tenant(name).await.ok()?;
        let mut tenants = self.tenants.write().unwrap_or_else(PoisonError::into_inner);
        tenants.insert(name.to_owned(), found.clone());
        Some(found)
    }

    /// What a caller does now.
    pub(crate) fn request_context(&self, caller: &Caller) -> Result<RequestContext, ApiProblem> {
        Ok(RequestContext { at: self.now()?, actor: caller.actor.clone(), key: caller.key.clone() })
    }

    /// Finishes what waits in the store, and closes it.
    ///
    /// # Errors
    /// The last writes could not be finished.
    pub async fn close(self) -> Result<(), dalil::store::Error> {
        match Arc::try_unwrap(self.0) {
            // Only the last holder can close: a request that still runs may yet append.
            Ok(inner) => inner.store.close().await,
            // Somebody still holds on: the store is durable without a close.
            Err(_) => Ok(()),
        }
    }
}

impl Deref for App {
    type Target = AppState;

    fn deref(&self) -> &AppState {
        &self.0
    }
}

impl fmt::Debug for App {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("App")
    }
}

impl fmt::Debug for AppState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("App")
    }
}

impl fmt::Debug for ServerSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Setup").field("config", &self.config).finish_non_exhaustive()
    }
}

/// How many bytes of ledgers are remembered.
const MAX_CACHED_LEDGER_BYTES: usize = 16 << 20;
/// How many threads append; each does many appends at a time.
const APPEND_THREADS: usize = 4;
