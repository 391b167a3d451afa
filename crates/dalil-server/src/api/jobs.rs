//! Jobs: long work and its progress.

use std::time::Duration;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use dalil_phrasebook::Language;
use dalil_proof::canon::{self, NotCanonical};
use dalil_service::job::{self, Job};
use dalil_store::Tenant;
use futures_util::Stream;
use serde::Serialize;

use super::schema;
use crate::app::App;
use crate::caller::Caller;
use crate::extract::{ApiPath, ApiQuery};
use crate::job_failure::localized;
use crate::job_registry::{JobProgress, progress};
use crate::language::asked_language;
use crate::page::{CursorPage, PageQuery};
use crate::problem::ApiProblem;
use crate::reply;

/// Jobs, in the order in which they were accepted
#[utoipa::path(get, path = "/api/v1/jobs", operation_id = "list_jobs", tag = "jobs", params(PageQuery),
    responses((status = 200, description = "A page of jobs.", body = schema::job::JobPageBody)))]
pub(crate) async fn list(
    caller: Caller,
    ApiQuery(wanted): ApiQuery<PageQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let part = wanted.place()?;
    let mut items = job::list(&caller.tenant).await?;
    if part.newest {
        items.reverse();
    }
    // The state of a job is in two records, so the list is made whole and cut here.
    items.retain(|job| if part.newest { job.index <= part.from } else { job.index >= part.from });
    let language = asked_language(&headers);
    let items: Vec<Job> = items.into_iter().map(|job| localized(job, language)).collect();
    reply::json(&headers, &CursorPage::of(items, part, |one| one.index))
}

/// A job, with its progress until it ends.
#[derive(Serialize)]
pub(crate) struct JobResponse {
    #[serde(flatten)]
    pub(crate) job: Job,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) progress: Option<JobProgress>,
}

/// A job, with its progress while it runs
#[utoipa::path(get, path = "/api/v1/jobs/{job_id}", operation_id = "show_job", tag = "jobs",
    params(("job_id" = String, Path, description = "The job.")),
    responses((status = 200, description = "Its state.", body = schema::job::JobResponseBody)))]
pub(crate) async fn show(
    State(app): State<App>,
    caller: Caller,
    ApiPath(id): ApiPath<String>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let language = asked_language(&headers);
    reply::json(&headers, &job_status(&app, &caller.tenant, &id, language).await?)
}

/// A job, with its progress until it ends, in the language of the reader.
pub(crate) async fn job_status(
    app: &App,
    tenant: &Tenant,
    id: &str,
    language: Language,
) -> Result<JobResponse, ApiProblem> {
    let job = job::show(tenant, id).await?;
    let progress = match job.state {
        job::JobState::Accepted => Some(progress(app.jobs.hear(id).as_ref(), tenant, id).await),
        job::JobState::Done | job::JobState::Failed => None,
    };
    Ok(JobResponse { job: localized(job, language), progress })
}

/// The progress of a running job as server-sent events: `progress`, then `end` with the job
#[utoipa::path(get, path = "/api/v1/jobs/{job_id}/events", operation_id = "job_events", tag = "jobs",
    params(("job_id" = String, Path, description = "The job.")),
    responses((status = 200, description = "Server-sent events, each of this form.", body = schema::job::JobEventBody,
               content_type = "text/event-stream")))]
pub(crate) async fn events(
    State(app): State<App>,
    caller: Caller,
    ApiPath(id): ApiPath<String>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    // A stream sends its status before its first event, so a job that does not exist must show
    // here.
    job::show(&caller.tenant, &id).await?;
    let language = asked_language(&headers);
    let stream = Sse::new(heard(app, caller, id, language)).keep_alive(KeepAlive::default());
    Ok(stream.into_response())
}

/// The progress of a job until it ends, and its result, whichever server runs it.
fn heard(
    app: App,
    caller: Caller,
    id: String,
    language: Language,
) -> impl Stream<Item = Result<Event, NotCanonical>> + Send {
    let heard = app.jobs.hear(&id);
    // The sender is dropped at the end of the job; an app held here would outlive the server.
    drop(app);
    futures_util::stream::unfold(Some((heard, None)), move |state| {
        let (caller, id) = (caller.clone(), id.clone());
        async move {
            let (mut heard, mut last): (_, Option<JobProgress>) = state?;
            loop {
                // The store first: only there a job ends, whichever server ran it.
                let job = job::show(&caller.tenant, &id).await.ok();
                if let Some(job) = job.filter(|job| job.state != job::JobState::Accepted) {
                    return Some((event("end", &localized(job, language)), None));
                }
                let now = progress(heard.as_ref(), &caller.tenant, &id).await;
                if last.as_ref() != Some(&now) {
                    last = Some(now.clone());
                    return Some((event("progress", &now), Some((heard, last))));
                }
                let changed = async {
                    let changed = match &mut heard {
                        Some(heard) => heard.changed().await.is_ok(),
                        None => false,
                    };
                    // Without a sender `changed` returns at once, and the loop would spin.
                    if !changed {
                        std::future::pending::<()>().await;
                    }
                };
                // A job that runs elsewhere is looked at now and then.
                drop(tokio::time::timeout(PROGRESS_POLL_INTERVAL, changed).await);
            }
        }
    })
}

pub(super) fn event(name: &'static str, value: &impl Serialize) -> Result<Event, NotCanonical> {
    let data = canon::bytes(value)?;
    Ok(Event::default().event(name).data(String::from_utf8_lossy(&data)))
}

/// How often a job of another server is polled.
const PROGRESS_POLL_INTERVAL: Duration = Duration::from_millis(500);
