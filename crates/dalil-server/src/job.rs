//! Jobs: long work that is accepted, queued, executed, and observable meanwhile.
//!
//! ```text
//! accepted ─▶ a turn ─▶ the lease ─▶ work, with a beat that keeps the lease ─▶ ended
//!     ▲                    └─ another server has it                     └─ failed here: again later
//!     └── a job without a lease is taken by any server with a free turn
//! ```
//!
//! A queued job has no lease, so that an idle server takes
//! it. A running job is held by a lease in the store; a server that is killed loses its leases.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use dalil::check::growing::JudgedClaims;
use dalil_phrasebook::{found, precondition};
use dalil_proof::fault::Fault;
use dalil_proof::record::Actor;
use dalil_service::check::{self, CheckRequest, CheckStep, CheckWork};
use dalil_service::job::{self, Job, JobState, OpenJobs};
use dalil_service::session::ClosedLedger;
use dalil_service::{OperationFailure, RequestContext};
use dalil_store::{EvidenceTable, TableVersion, Tenant, TimeSource};
use tokio::sync::watch;
use tokio::time::Instant;

use crate::app::App;
use crate::job_failure::RecordedJobFailure;
use crate::job_registry::JobProgress;
use crate::shutdown::ShutdownSignal;
use crate::trace::{TraceContext, TraceSpan, TracedEvidence};

/// For whom a job is done, and which trace it belongs to.
#[derive(Debug)]
pub(crate) struct JobContext {
    pub(crate) actor: Actor,
    pub(crate) context: TraceContext,
    /// Claims judged before the job was accepted; another server that takes the job up judges them
    /// again.
    pub(crate) judged: Arc<JudgedClaims>,
}

impl JobContext {
    /// A job of which nothing is judged.
    pub(crate) fn new(actor: Actor, context: TraceContext) -> Self {
        Self { actor, context, judged: Arc::default() }
    }
}

/// The name of a party in a turn queue.
pub(crate) fn party(actor: &Actor, tenant: &Tenant) -> String {
    let name = match actor {
        Actor::Agent(name) | Actor::Person(name) => name.as_str(),
        Actor::System => "",
    };
    format!("{}/{name}", tenant.name())
}

/// Runs an accepted job in the background, unless it already waits or runs here.
pub(crate) fn start(app: &App, tenant: Tenant, job: Job, by: JobContext) {
    let Some(said) = app.jobs.begin(&job.job_id) else { return };
    let own = app.clone();
    // Not in the task of the request, which may end before the job does.
    app.verbs.begin(move || async move {
        let app = own;
        app.metrics.jobs.up();
        if let Err(failure) = turn(&app, &tenant, &job, &by, said).await {
            // Not the caller's fault: it stays accepted, and is taken up again.
            app.jobs.rest(&job.job_id);
            app.log.event("job", &format!("{} did not end: {failure}", job.job_id));
            app.note(&failure.into());
        }
        app.jobs.end(&job.job_id);
        app.metrics.jobs.down();
    });
}

/// Takes up accepted jobs that no server holds, until this server stops.
pub(crate) async fn tend(app: App, mut stop: ShutdownSignal) {
    let mut open: HashMap<String, OpenJobs> = HashMap::new();
    let mut erased: HashMap<String, TableVersion> = HashMap::new();
    loop {
        // A store that does not answer is asked again after the pause.
        for name in app.tenants.store.tenants().await.into_iter().flatten() {
            let Some(tenant) = app.tenants.find(&name).await else { continue };
            forget_erased(&app, &tenant, &mut erased).await;
            let open = open.entry(name).or_default();
            let Ok(jobs) = open.look(&tenant).await else { continue };
            for job in jobs {
                take_up(&app, &tenant, job).await;
            }
        }
        tokio::select! {
            () = tokio::time::sleep(JOB_POLL_INTERVAL) => (),
            () = app.jobs.free.notified() => (),
            _ = stop.wait_for(|stop| *stop) => return,
        }
    }
}

/// Empties the cache of documents when something of a tenant was erased, here or elsewhere: it has
/// their whole text, under digests that can no longer be looked up.
async fn forget_erased(app: &App, tenant: &Tenant, seen: &mut HashMap<String, TableVersion>) {
    let Ok(now) = tenant.current_table_version(EvidenceTable::Erasures).await else { return };
    if seen.insert(tenant.name().to_owned(), now).is_none_or(|before| before == now) {
        return;
    }
    app.forget_documents();
}

async fn take_up(app: &App, tenant: &Tenant, job: &Job) {
    if !app.checks.is_free() || !app.jobs.may_begin(&job.job_id) {
        return;
    }
    // When the store does not answer, another server may hold the job.
    if tenant.leased(&job.job_id).await.is_ok_and(|far| far.is_none()) {
        let by = JobContext::new(Actor::System, TraceContext::draw());
        start(app, tenant.clone(), job.clone(), by);
        // It takes its turn before the next one is looked at.
        tokio::task::yield_now().await;
    }
}

/// Waits for a turn, takes the lease, and does the job if it is still to be done.
async fn turn(
    app: &App,
    tenant: &Tenant,
    job: &Job,
    by: &JobContext,
    said: watch::Sender<JobProgress>,
) -> Result<(), OperationFailure> {
    let _turn = app.checks.take(&party(&by.actor, tenant)).await;
    let begun = JobProgress { stage: "reading".to_owned(), ..JobProgress::waiting() };
    // After the turn: a lease that waited for a turn would keep the job from idle servers.
    if !tenant.lease(&job.job_id, &app.jobs.holder, &begun.far(), LEASE_TTL).await? {
        return Ok(());
    }
    // Another server may have done it while it waited here.
    let done = match job::show(tenant, &job.job_id).await {
        Ok(now) if now.state == JobState::Accepted => {
            said.send_replace(begun);
            app.log.event("job", &format!("{} is begun", job.job_id));
            do_and_say(app, tenant, job, by, said).await
        }
        other => other.map(drop),
    };
    let released = tenant.let_go(&job.job_id, &app.jobs.holder).await;
    done.and(released.map_err(OperationFailure::from))
}

async fn do_and_say(
    app: &App,
    tenant: &Tenant,
    job: &Job,
    by: &JobContext,
    said: watch::Sender<JobProgress>,
) -> Result<(), OperationFailure> {
    let (begun, heard) = (Instant::now(), said.subscribe());
    // The beat never ends, so the work always decides; the beat is dropped with its end.
    let done = tokio::select! {
        done = work(app, tenant, job, by, said) => done,
        never = beat(app, tenant, job, heard) => match never {},
    };
    if let Ok(end) = app.now() {
        app.traces.take(TraceSpan {
            name: "check".to_owned(),
            context: by.context.clone(),
            end,
            took: begun.elapsed(),
            request: None,
            tenant: Some(tenant.name().to_owned()),
            evidence: done.as_ref().ok().map(|closed| TracedEvidence::of(&closed.sha256)),
        });
    }
    ended(app, tenant, job, by.actor.clone(), done).await
}

/// Keeps the lease, and reports the progress of the job; never ends by itself.
///
/// A lease that could not be kept is no reason to stop: two servers that do one job leave one
/// result.
async fn beat(
    app: &App,
    tenant: &Tenant,
    job: &Job,
    heard: watch::Receiver<JobProgress>,
) -> Infallible {
    loop {
        tokio::time::sleep(LEASE_RENEWAL_INTERVAL).await;
        let now = heard.borrow().far();
        if let Err(error) = tenant.lease(&job.job_id, &app.jobs.holder, &now, LEASE_TTL).await {
            app.log.event("job", &format!("the lease of {} was not kept: {error}", job.job_id));
        }
    }
}

async fn work(
    app: &App,
    tenant: &Tenant,
    job: &Job,
    by: &JobContext,
    said: watch::Sender<JobProgress>,
) -> Result<ClosedLedger, OperationFailure> {
    let order = CheckRequest::parse(&job::request(tenant, job).await?)?;
    let progress = Arc::new(move |step: CheckStep| drop(said.send_replace(JobProgress::of(step))));
    let at = app.now().map_err(|_| clock())?;
    let request_context = RequestContext {
        at,
        time_source: TimeSource::Clock,
        actor: by.actor.clone(),
        key: Some(format!("{} check", job.job_id)),
    };
    let (tools, judged) = (Arc::clone(&app.tools), Arc::clone(&by.judged));
    let work = CheckWork { tools, progress, judged };
    check::check(tenant, &job.subject, &order, work, &request_context).await
}

async fn ended(
    app: &App,
    tenant: &Tenant,
    job: &Job,
    actor: Actor,
    done: Result<ClosedLedger, OperationFailure>,
) -> Result<(), OperationFailure> {
    let at = app.now().map_err(|_| clock())?;
    let request_context = RequestContext { at, time_source: TimeSource::Clock, actor, key: None };
    match done {
        Ok(closed) => job::end(tenant, job, JobState::Done, &closed, &request_context).await,
        // The request itself is at fault and would fail anywhere: this ends the job.
        Err(OperationFailure::Refused(refused)) => {
            let broken = RecordedJobFailure::new(refused.refused);
            job::end(tenant, job, JobState::Failed, &broken, &request_context).await
        }
        Err(failure) => Err(failure),
    }
}

fn clock() -> OperationFailure {
    Fault::new("clock", "$", precondition::a_clock_that_says_a_time(), found::none()).into()
}

/// How long the job of a server that was killed waits for another one.
const LEASE_TTL: Duration = Duration::from_secs(10);
/// How often a lease is kept: several times before it ends.
const LEASE_RENEWAL_INTERVAL: Duration = Duration::from_secs(1);
/// How often a server looks for jobs that no server holds.
const JOB_POLL_INTERVAL: Duration = Duration::from_secs(2);
