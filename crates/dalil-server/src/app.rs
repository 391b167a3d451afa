//! The state that all requests share.

use std::fmt;
use std::num::NonZeroUsize;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::http::HeaderMap;
use dalil::corpus::CorpusCache;
use dalil::judges::Judges;
use dalil::sandbox::{ProgramCommand, SandboxLimits, SandboxReader};
use dalil_evidence::apikey::Pepper;
use dalil_evidence::signed_link;
use dalil_proof::digest::Digest;
use dalil_proof::time::Time;
use dalil_service::RequestContext;
use dalil_service::apikey;
use dalil_service::check::CheckTools;
use dalil_service::trail::TimestampEndpoint;
use dalil_store::{EvidenceTable, Store, TimeSource, Vault};
use tokio::sync::Semaphore;

use crate::append_pool::AppendPool;
use crate::authority::Authority;
use crate::cached_ledger::CachedLedgerResponse;
use crate::caller::Caller;
use crate::clock::ServerClock;
use crate::config::ServeConfig;
use crate::job_registry::JobRegistry;
use crate::ledger_head::LedgerHead;
use crate::log::LogWriter;
use crate::memory_budget::MemoryBudget;
use crate::metrics::ServerMetrics;
use crate::open_streams::OpenStreams;
use crate::page_pictures::PagePictures;
use crate::problem::{ApiProblem, ProblemKind};
use crate::rate::RateLimiter;
use crate::table_cache::TableCache;
use crate::tenant_directory::TenantDirectory;
use crate::timestamping;
use crate::trace::SpanExporter;
use crate::turn_queue::TurnQueue;
use crate::verification::VerificationTurns;
use crate::viewer::ended_visits::EndedVisits;
use crate::viewer::seal::CookieCipher;
use crate::viewer::signin_link::SignInLinks;
use crate::write_health::WriteHealth;

/// The parts of a server.
pub struct ServerSetup {
    /// Its configuration.
    pub config: ServeConfig,
    /// Where evidence is kept.
    pub store: Store,
    /// The source of the server's own secrets.
    pub vault: Vault,
    /// The judges.
    pub judges: Judges,
    /// The file of the deep model among them, for processes that verify.
    pub model_file: Option<PathBuf>,
    /// Reads the clock.
    pub now: fn() -> Option<Time>,
    /// This program, which reads documents in processes of its own.
    pub program: ProgramCommand,
    /// A folder for uploads in progress and for extracted text; only the server uses it.
    pub scratch: PathBuf,
    /// Where lines of the log go.
    pub log: Box<dyn std::io::Write + Send>,
}

/// The server, as every request sees it. Cheap to copy.
#[derive(Clone)]
pub struct App(Arc<AppState>);

/// The state that requests share.
pub struct AppState {
    pub(crate) config: ServeConfig,
    pub(crate) pepper: Pepper,
    /// The keys of the API that were shown lately.
    pub(crate) keys: TableCache<Arc<apikey::StoredApiKey>>,
    /// Ledgers that were read lately.
    pub(crate) ledgers: TableCache<Arc<CachedLedgerResponse>>,
    /// Parts of ledgers that lists showed lately.
    pub(crate) ledger_heads: TableCache<Arc<LedgerHead>>,
    pub(crate) links: signed_link::LinkSigningKey,
    pub(crate) viewer: CookieCipher,
    pub(crate) tools: Arc<CheckTools>,
    pub(crate) verbs: AppendPool,
    pub(crate) scratch: PathBuf,
    pub(crate) authority: Authority,
    pub(crate) jobs: JobRegistry,
    /// Turns at checking answers.
    pub(crate) checks: TurnQueue,
    /// Turns at building bundles.
    pub(crate) bundles: TurnQueue,
    pub(crate) verifications: VerificationTurns,
    /// Answers that are being written.
    pub(crate) streams: OpenStreams,
    pub(crate) room: MemoryBudget,
    /// Files that are held whole while they are read.
    pub(crate) files: Arc<Semaphore>,
    pub(crate) rates: RateLimiter,
    /// The rate of anonymous callers, in files.
    anonymous_rates: RateLimiter,
    pub(crate) metrics: Arc<ServerMetrics>,
    pub(crate) write_health: WriteHealth,
    /// Pages of documents that were drawn lately.
    pub(crate) pictures: PagePictures,
    /// Visits of the viewer that were signed out of.
    pub(crate) ended_visits: EndedVisits,
    /// Links that sign a user in.
    pub(crate) signin_links: SignInLinks,
    /// How often refusals of one credential are records.
    pub(crate) refusal_rates: RateLimiter,
    /// The digest of the key that opens `/metrics` from elsewhere.
    pub(crate) metrics_key: Option<Digest>,
    /// The time-stamping authorities that stamp checkpoints.
    pub(crate) timestamp_endpoints: Vec<TimestampEndpoint>,
    pub(crate) traces: SpanExporter,
    pub(crate) log: LogWriter,
    pub(crate) tenants: TenantDirectory,
    pub(crate) clock: ServerClock,
}

impl App {
    /// Puts a server together.
    ///
    /// # Errors
    /// A folder or a file of the configuration that cannot be used.
    pub fn new(setup: ServerSetup) -> Result<Self, std::io::Error> {
        let ServerSetup { config, store, vault, judges, model_file, now, program, scratch, log } =
            setup;
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
        let clock = ServerClock(now);
        let files = Arc::new(Semaphore::new(reading.processes.get()));
        let checks = TurnQueue::new(limits.checks);
        let tools = Arc::new(CheckTools {
            judges,
            reader: SandboxReader::new(program.clone(), reading),
            cache: CorpusCache::at(scratch.join("index")),
            threads: usize::try_from(limits.threads).unwrap_or(1),
        });
        let own = (Arc::clone(&tools), clock);
        let verifications = VerificationTurns::new(limits, &program, model_file.as_deref(), own)?;
        Ok(Self(Arc::new(AppState {
            authority: Authority::new(&config)?,
            rates: RateLimiter::new(limits.rate, limits.burst),
            anonymous_rates: RateLimiter::new(ANONYMOUS_RATE, ANONYMOUS_BURST),
            room: MemoryBudget::new(limits),
            files,
            tools,
            verbs: AppendPool::start(APPEND_THREADS)?,
            jobs: JobRegistry::new()?,
            traces: SpanExporter::new(config.otlp.as_deref(), Arc::clone(&metrics))?,
            metrics,
            write_health: WriteHealth::default(),
            pictures: PagePictures::default(),
            ended_visits: EndedVisits::default(),
            signin_links: SignInLinks::default(),
            refusal_rates: RateLimiter::new(REFUSAL_RATE, REFUSAL_BURST),
            metrics_key: config.metrics_key_file.as_deref().map(metrics_key).transpose()?,
            log: LogWriter::new(log, clock),
            tenants: TenantDirectory::new(store),
            timestamp_endpoints: match &config.timestamps {
                Some(timestamps) => timestamping::endpoints(timestamps)?,
                None => Vec::new(),
            },
            config,
            pepper,
            keys: TableCache::of(EvidenceTable::ApiKeys),
            ledgers: TableCache::exact(
                EvidenceTable::Ledgers,
                MAX_CACHED_LEDGER_BYTES,
                CachedLedgerResponse::bytes,
            ),
            ledger_heads: TableCache::exact(
                EvidenceTable::Ledgers,
                MAX_CACHED_HEAD_BYTES,
                LedgerHead::bytes,
            ),
            links,
            viewer,
            scratch,
            checks,
            bundles: TurnQueue::new(BUNDLE_TURNS),
            verifications,
            streams: OpenStreams::default(),
            clock,
        })))
    }

    /// The scheme of its addresses.
    pub fn scheme(&self) -> &'static str {
        if self.config.tls.is_some() { "https" } else { "http" }
    }

    /// Whether a request came over an encrypted connection, to here or to a proxy before.
    pub(crate) fn is_encrypted(&self, headers: &HeaderMap) -> bool {
        let public = self.config.public_url.as_deref();
        let forwarded = headers.get("x-forwarded-proto").is_some_and(|proto| proto == "https");
        self.config.tls.is_some()
            || public.is_some_and(|url| url.starts_with("https://"))
            || forwarded
    }

    /// The path of a link that signs in with a credential for as long as the server runs. The
    /// holder of the link has the credential; none on a machine without randomness.
    pub fn signin_link(&self, credential: &str) -> Option<String> {
        self.signin_links.add(credential)
    }

    /// The time.
    pub(crate) fn now(&self) -> Result<Time, ApiProblem> {
        self.clock.now()
    }

    /// Takes one file from the rate of an anonymous caller's address.
    pub(crate) fn take_anonymous_turn(&self, address: &str) -> Result<(), ApiProblem> {
        self.anonymous_rates.take(address, self.now()?).map_err(|seconds| {
            self.metrics.limited.add();
            ApiProblem { retry_after: Some(seconds), ..ApiProblem::new(ProblemKind::TooMany) }
        })
    }

    /// Notes why a request failed, if it was for no fault of the caller's.
    pub(crate) fn note(&self, problem: &ApiProblem) {
        let Some(cause) = &problem.cause else { return };
        self.metrics.failures.add();
        // One with a fault is about another server, and not about writing.
        if problem.kind == ProblemKind::Busy && problem.faults.is_empty() {
            self.write_health.note_failure();
        }
        self.log.event("error", cause);
    }

    /// Forgets the text and pictures of documents, and an external judge's replies about them.
    pub(crate) fn forget_documents(&self) {
        self.pictures.forget();
        if let Err(error) = self.tools.forget() {
            self.log.event("error", &error.to_string());
        }
    }

    /// Whether writes succeed, as far as is known.
    pub(crate) async fn can_write(&self) -> bool {
        self.write_health.can_write(&self.scratch, &self.tenants.store, &self.log).await
    }

    /// The request context of a caller, at the present time.
    pub(crate) fn request_context(&self, caller: &Caller) -> Result<RequestContext, ApiProblem> {
        let (actor, key) = (caller.actor.clone(), caller.key.clone());
        Ok(RequestContext { at: self.now()?, time_source: TimeSource::Clock, actor, key })
    }

    /// Finishes the waiting entries of the store, and closes it.
    ///
    /// # Errors
    /// The last writes could not be finished.
    pub async fn close(self) -> Result<(), dalil_store::Error> {
        match Arc::try_unwrap(self.0) {
            // Only the last holder can close: a request that still runs may yet append.
            Ok(inner) => inner.tenants.store.close().await,
            // Another holder is left: the store is durable without a close.
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

/// The digest of the key in a file, so that comparing it reveals nothing about the key.
fn metrics_key(file: &Path) -> Result<Digest, std::io::Error> {
    let text = std::fs::read_to_string(file)?;
    match text.lines().next().map(str::trim).filter(|line| !line.is_empty()) {
        Some(line) => Ok(Digest::of(line.as_bytes())),
        None => {
            Err(std::io::Error::other("expected a key in the first line of `metrics_key_file`"))
        }
    }
}

/// How many refusals a second of one credential are records, and how many more at once: enough to
/// show the attempts, and not enough to fill a disk.
const REFUSAL_RATE: u64 = 1;
const REFUSAL_BURST: u64 = 20;
/// How many bytes of claims without their words are remembered: those of 1,000 answers with 100
/// claims each, or so.
const MAX_CACHED_HEAD_BYTES: usize = 8 << 20;
/// How many bytes of ledgers are remembered.
const MAX_CACHED_LEDGER_BYTES: usize = 16 << 20;
/// How many files a second an address may have verified without signing in.
const ANONYMOUS_RATE: u64 = 1;
/// How many more at once: a visitor with a folder of files, one after the other.
const ANONYMOUS_BURST: u64 = 20;
/// How many threads append; each does many appends at a time.
const APPEND_THREADS: usize = 4;
/// How many bundles are built at a time.
const BUNDLE_TURNS: u64 = 2;
