//! Jobs: long work that was accepted, done in its turn, and heard of on the way.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use dalil::keep::check::{self, Order, Step};
use dalil::keep::job::{self, Broken, Job, State};
use dalil::keep::{Deed, Failure};
use dalil::store::Tenant;
use dalil_core::fault::Fault;
use dalil_core::record::Actor;
use serde::Serialize;
use tokio::sync::watch;
use tokio::time::Instant;

use crate::app::App;
use crate::listen::say;
use crate::trace::{Context, Span};

/// The jobs that wait or run here.
#[derive(Default)]
pub(crate) struct Jobs {
    running: Mutex<HashMap<String, watch::Receiver<Progress>>>,
    count: watch::Sender<usize>,
}

/// How far a job is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Progress {
    /// What is being done: `waiting`, `reading` or `judging`.
    pub(crate) stage: &'static str,
    pub(crate) done: usize,
    pub(crate) all: usize,
}

impl Jobs {
    /// What is heard of a job that runs here.
    pub(crate) fn hear(&self, job_id: &str) -> Option<watch::Receiver<Progress>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner).get(job_id).cloned()
    }

    /// Waits until no job runs.
    pub(crate) async fn ended(&self) {
        let mut count = self.count.subscribe();
        // The sender is this one: it is not gone.
        drop(count.wait_for(|count| *count == 0).await);
    }

    fn begin(&self, job_id: &str) -> Option<watch::Sender<Progress>> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if running.contains_key(job_id) {
            return None;
        }
        let (said, heard) = watch::channel(Progress { stage: "waiting", done: 0, all: 0 });
        running.insert(job_id.to_owned(), heard);
        self.count.send_modify(|count| *count += 1);
        Some(said)
    }

    fn end(&self, job_id: &str) {
        self.running.lock().unwrap_or_else(PoisonError::into_inner).remove(job_id);
        self.count.send_modify(|count| *count -= 1);
    }
}

/// Does a job that was accepted; nobody waits for it.
pub(crate) fn start(app: &App, tenant: Tenant, job: Job, actor: Actor) {
    let Some(said) = app.jobs.begin(&job.job_id) else { return };
    let own = app.clone();
    app.verbs.begin(move || async move {
        let app = own;
        app.metrics.jobs.up();
        let begun = Instant::now();
        let done = work(&app, &tenant, &job, &actor, said).await;
        if let Ok(end) = app.now() {
            app.traces.take(Span {
                name: "check".to_owned(),
                context: Context::draw(),
                end,
                took: begun.elapsed(),
                status: None,
                tenant: Some(tenant.name().to_owned()),
                evidence: done.as_ref().ok().map(|closed| closed.sha256.to_string()),
            });
        }
        if let Err(failure) = ended(&app, &tenant, &job, actor, done).await {
            say(&app, "job", &format!("{} did not end: {failure}", job.job_id));
        }
        app.jobs.end(&job.job_id);
        app.metrics.jobs.down();
    });
}

/// Takes up what was accepted and has not ended.
pub(crate) async fn resume(app: &App) {
    let names = app.store.tenants().await.unwrap_or_default();
    for name in names {
        let Some(tenant) = app.tenant(&name).await else { continue };
        for job in job::waiting(&tenant).await.unwrap_or_default() {
            say(app, "job", &format!("{} is taken up again", job.job_id));
            start(app, tenant.clone(), job, Actor::System);
        }
    }
}

async fn work(
    app: &App,
    tenant: &Tenant,
    job: &Job,
    actor: &Actor,
    said: watch::Sender<Progress>,
) -> Result<dalil::keep::session::Closed, Failure> {
    let order = Order::parse(&job::request(tenant, job).await?)?;
    // The permit is never taken away: the semaphore is not closed.
    let _turn = app.checks.acquire().await.ok();
    let progress = Arc::new(move |step: Step| {
        let (stage, done, all) = match step {
            Step::Reading(done, all) => ("reading", done, all),
            Step::Judging(done, all) => ("judging", done, all),
        };
        said.send_replace(Progress { stage, done, all });
    });
    let at = app.now().map_err(|_| clock())?;
    let deed = Deed { at, actor: actor.clone(), key: Some(format!("{} check", job.job_id)) };
    let tools = (Arc::clone(&app.tools), progress as Arc<dyn Fn(Step) + Send + Sync>);
    check::check(tenant, &job.subject, &order, tools, &deed).await
}

async fn ended(
    app: &App,
    tenant: &Tenant,
    job: &Job,
    actor: Actor,
    done: Result<dalil::keep::session::Closed, Failure>,
) -> Result<(), Failure> {
    let deed = Deed { at: app.now().map_err(|_| clock())?, actor, key: None };
    match done {
        Ok(closed) => job::end(tenant, job, State::Done, &closed, &deed).await,
        Err(Failure::Refused(refused)) => {
            let broken = Broken { refused: refused.refused };
            job::end(tenant, job, State::Failed, &broken, &deed).await
        }
        // Not the caller's fault: it stays accepted, and is taken up again.
        Err(failure) => Err(failure),
    }
}

fn clock() -> Failure {
    Fault::new("clock", "$", "a clock that says a time", "none").into()
}
