//! The check in one call: an answer and its evidence in, the ledger out.

use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::http::header::{HeaderValue, LOCATION};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use dalil_evidence::ledger::request::AnswerSession;
use dalil_phrasebook::{Phrase, bound};
use dalil_proof::fault::Fault;
use dalil_proof::json::Json;
use dalil_service::job::{self, Job, JobState};
use dalil_service::submission::{self, CheckSubmission};
use dalil_store::Tenant;
use tokio::time::{Instant, sleep, timeout};

use super::query::LedgerWaitQuery;
use super::schema;
use crate::app::App;
use crate::cached_ledger::ledger_body;
use crate::caller::Caller;
use crate::extract::{ApiQuery, JsonBody};
use crate::job::JobContext;
use crate::job_failure::localized;
use crate::language::asked_language;
use crate::problem::{ApiProblem, ProblemKind};
use crate::reply::{self, EtagBody};
use crate::trace::TraceContext;

/// Checks an answer in one call, against the chunks that were retrieved for it
///
/// `{"answer", "question"?, "mode"?, "session_id"?, "language"?}` with one of `chunks`
/// (spec/chunks.md), `bundle_id` and `documents`. The reply is the ledger if the check ends while
/// the caller waits, and otherwise its job.
#[utoipa::path(post, path = "/api/v1/check", operation_id = "check_answer", tag = "sessions", params(LedgerWaitQuery), request_body = schema::check::CheckSubmissionBody,
    responses((status = 200, description = "The ledger (spec/ledger.md) and its session.", body = schema::session::SessionLedgerBody),
              (status = 202, description = "The job that checks it.", body = schema::job::JobBody)))]
pub(crate) async fn check(
    State(app): State<App>,
    caller: Caller,
    (context, headers): (Extension<TraceContext>, HeaderMap),
    ApiQuery(query): ApiQuery<LedgerWaitQuery>,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiProblem> {
    let until = Instant::now() + wait(&app, &query)?;
    let submission = CheckSubmission::parse(&body)?;
    let (request_context, tenant) = (app.request_context(&caller)?, caller.tenant.clone());
    let session = submission.session.clone();
    let accepted = app
        .verbs
        .run(async move || submission::submit(&tenant, &submission, &body, &request_context).await);
    let job = accepted.await?;
    // A repeated request under the same key may find its job done.
    if job.state == JobState::Accepted {
        let by = JobContext::new(caller.actor.clone(), context.0);
        crate::job::start(&app, caller.tenant.clone(), job.clone(), by);
    }
    let job = ended_until(&app, &caller.tenant, job, until).await?;
    let job = localized(job, asked_language(&headers));
    told(&caller.tenant, &session, &job).await
}

/// How long to wait: not so long that the request itself is ended without a reply.
fn wait(app: &App, query: &LedgerWaitQuery) -> Result<Duration, ApiProblem> {
    let seconds = query.wait.unwrap_or(0);
    if seconds > MAX_WAIT_SECONDS {
        let expected = bound::zero_to(MAX_WAIT_SECONDS);
        let fault = Fault::new("range", "wait", expected, u64::from(seconds));
        return Err(ApiProblem::fault(ProblemKind::Malformed, fault));
    }
    let most = app.config.limits.seconds.saturating_sub(REPLY_SECONDS);
    Ok(Duration::from_secs(u64::from(seconds).min(most)))
}

/// A job as it is when it has ended, or when the time is over.
pub(super) async fn ended_until(
    app: &App,
    tenant: &Tenant,
    mut job: Job,
    until: Instant,
) -> Result<Job, ApiProblem> {
    while job.state == JobState::Accepted {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            break;
        }
        // A job that runs here signals its end; another server's job is polled.
        if app.jobs.hear(&job.job_id).is_some() {
            drop(timeout(left, app.jobs.ended_here(&job.job_id)).await);
        } else {
            sleep(left.min(POLL_PAUSE)).await;
        }
        job = job::show(tenant, &job.job_id).await?;
    }
    Ok(job)
}

/// The ledger of a job that is done, the faults of one that failed, otherwise the job.
async fn told(tenant: &Tenant, session: &AnswerSession, job: &Job) -> Result<Response, ApiProblem> {
    match (job.state, submission::ledger_of(job)) {
        (JobState::Done, Some(ledger)) => {
            let body = EtagBody::json(ledger_body(tenant, session, &ledger).await?);
            Ok(reply::about(body.reply(&HeaderMap::new()), &ledger))
        }
        (JobState::Failed, _) => Err(failed(job)),
        (JobState::Done | JobState::Accepted, _) => {
            let mut response = reply::status(StatusCode::ACCEPTED, job)?;
            let location = HeaderValue::from_str(&format!("/api/v1/jobs/{}", job.job_id));
            if let Ok(location) = location {
                response.headers_mut().insert(LOCATION, location);
            }
            Ok(response)
        }
    }
}

/// The problem of a failed job whose texts are in the language of the caller.
pub(super) fn failed(job: &Job) -> ApiProblem {
    let text = |fault: &Json<'_>, name: &str| match fault.get(name) {
        Some(Json::Text(text)) => Some(text.to_string()),
        _ => None,
    };
    let fault = |fault: &Json<'_>| {
        let rule = text(fault, "rule")?;
        Some(Fault {
            rule: JOB_RULES.iter().find(|known| **known == rule).copied().unwrap_or("check"),
            path: text(fault, "path")?,
            // The sentence of the language that the caller asked for, and of no other.
            message: text(fault, "message").map(Phrase::verbatim)?,
            hint: text(fault, "hint").map(Phrase::verbatim),
        })
    };
    let faults = match job.result.as_ref().and_then(|result| result.get("refused")) {
        Some(Json::List(faults)) => faults.iter().filter_map(fault).collect(),
        _ => Vec::new(),
    };
    ApiProblem { faults, ..ApiProblem::new(ProblemKind::Refused) }
}

/// The rules of faults that only a running check can find.
const JOB_RULES: [&str; 4] = ["unread", "claims", "not_found", "erased"];
pub(super) const MAX_WAIT_SECONDS: u32 = 600;
/// How many seconds of a request's time are kept for writing its reply.
const REPLY_SECONDS: u64 = 2;
/// How often a job of another server is polled.
const POLL_PAUSE: Duration = Duration::from_millis(500);
