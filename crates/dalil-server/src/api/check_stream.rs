//! The check of an answer while it is written: pieces in, judged claims out.
//!
//! ```text
//! body ─▶ lines ─▶ pieces ─▶ sentences that are whole ─▶ a turn ─▶ judged ─▶ `claim`, `withdrawn`
//!           └─ end ─▶ the check of the whole answer, as in one call ─▶ `job` ─▶ `ledger`
//! ```
//!
//! The lines are read by a task of their own, so that the body of a caller who writes everything
//! before it reads is read to its end.

use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use dalil::check::growing::{ClaimUpdate, JudgedClaims};
use dalil_phrasebook::Language;
use dalil_proof::canon::NotCanonical;
use dalil_proof::decode;
use dalil_service::job::JobState;
use dalil_service::streamed_check::StreamedCheck;
use dalil_service::submission::{self, CheckSubmission, SubmissionHead};
use serde::Serialize;
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::check::{MAX_WAIT_SECONDS, ended_until, failed};
use super::jobs::event;
use super::schema;
use crate::app::App;
use crate::cached_ledger::ledger_body;
use crate::caller::Caller;
use crate::job::{self, JobContext};
use crate::job_failure::localized;
use crate::language::asked_language;
use crate::line_body::LineBody;
use crate::memory_budget::MemoryReservation;
use crate::open_streams::StreamPlace;
use crate::problem::ApiProblem;
use crate::trace::TraceContext;

/// Checks an answer while it is being written
///
/// The first line of the body is what `POST /api/v1/check` takes, without `answer`; each further
/// line is `{"text"}`, a piece of the answer. A claim is judged when the sentence after it begins,
/// and again if later text changes it. At the end of the body the whole answer is checked: the
/// ledger is the same as of the check in one call (docs/server.md).
#[utoipa::path(post, path = "/api/v1/check/stream", operation_id = "check_answer_stream", tag = "sessions",
    request_body(content = String, content_type = "application/x-ndjson",
        description = "A line with the check, and a line for each piece of the answer."),
    responses((status = 200, description = "Server-sent events, each of this form.", body = schema::check::AnswerEventBody,
               content_type = "text/event-stream")))]
pub(crate) async fn stream(
    State(app): State<App>,
    caller: Caller,
    context: Extension<TraceContext>,
    headers: HeaderMap,
    mut body: LineBody,
) -> Result<Response, ApiProblem> {
    let place = app.streams.enter(&caller.credential)?;
    let head = body.next().await?.unwrap_or_default();
    let asked = SubmissionHead::parse(&head)?;
    // A stream sends its status before its first event, so faults of the evidence must show here.
    let turn = app.checks.take(&job::party(&caller.actor, &caller.tenant)).await;
    let tools = Arc::clone(&app.tools);
    let check = StreamedCheck::open(&caller.tenant, &asked, tools, app.now()?).await?;
    drop(turn);
    let (to_caller, events) = mpsc::channel(MAX_WAITING_EVENTS);
    let (said, heard) = mpsc::unbounded_channel();
    let language = asked_language(&headers);
    let written =
        WrittenAnswer { app, caller, context: context.0, language, head, events: to_caller };
    tokio::spawn(listen(body, said));
    tokio::spawn(written.run(check, heard, place));
    let events = futures_util::stream::unfold(events, async |mut events| {
        let event: Result<Event, NotCanonical> = events.recv().await?;
        Some((event, events))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::default()).into_response())
}

/// A line of a body, or its end.
enum BodyLine {
    Piece(String),
    /// It ended; its memory is free when the answer was checked.
    End(MemoryReservation),
    Broken(ApiProblem),
}

/// Reads the pieces of an answer, until its end or until the receiver is gone.
async fn listen(mut body: LineBody, said: mpsc::UnboundedSender<BodyLine>) {
    let mut count = 0;
    loop {
        let next = tokio::select! {
            next = body.next() => next,
            () = said.closed() => return,
        };
        let line = match next {
            Ok(Some(line)) => piece(&line, count),
            Ok(None) => break drop(said.send(BodyLine::End(body.into_lease()))),
            Err(problem) => Err(problem),
        };
        match line {
            Ok(text) => drop(said.send(BodyLine::Piece(text))),
            Err(problem) => break drop(said.send(BodyLine::Broken(problem))),
        }
        count += 1;
    }
}

/// Parses the text of a line; a fault names the piece it is in.
fn piece(line: &[u8], count: usize) -> Result<String, ApiProblem> {
    let read = decode::request(line, |reader| {
        let mut fields = reader.object()?;
        let text = fields.required("text", |text| decode::text(text).map(str::to_owned));
        fields.done()?;
        text
    });
    read.map_err(|mut refused| {
        for fault in &mut refused.refused {
            fault.path = format!("pieces[{count}].{}", fault.path);
        }
        refused.into()
    })
}

/// An answer that is being written, and the receiver of its events.
struct WrittenAnswer {
    app: App,
    caller: Caller,
    context: TraceContext,
    language: Language,
    /// The first line, as it came.
    head: Bytes,
    events: mpsc::Sender<Result<Event, NotCanonical>>,
}

/// The id of a claim that was withdrawn.
#[derive(Serialize)]
struct WithdrawnClaim<'c> {
    claim_id: &'c str,
}

impl WrittenAnswer {
    async fn run(
        self,
        check: StreamedCheck,
        heard: mpsc::UnboundedReceiver<BodyLine>,
        _place: StreamPlace,
    ) {
        if let Err(problem) = self.written(check, heard).await {
            self.app.note(&problem);
            self.tell(event("problem", &problem.details(self.language))).await;
        }
    }

    /// Judges the answer until its end; of a caller that leaves before, nothing is stored.
    async fn written(
        &self,
        mut check: StreamedCheck,
        mut heard: mpsc::UnboundedReceiver<BodyLine>,
    ) -> Result<(), ApiProblem> {
        while let Some(first) = heard.recv().await {
            let (mut is_due, mut next) = (false, Some(first));
            // Everything that came while the last claims were judged.
            while let Some(line) = next {
                match line {
                    BodyLine::Piece(text) => is_due |= check.push(&text)?,
                    BodyLine::Broken(problem) => return Err(problem),
                    BodyLine::End(lease) => {
                        self.ended(check).await?;
                        drop(lease);
                        return Ok(());
                    }
                }
                next = heard.try_recv().ok();
            }
            if is_due {
                let Some(looked) = self.look(check).await? else { return Ok(()) };
                check = looked;
            }
        }
        Ok(())
    }

    /// Judges the complete sentences and sends what is new; none when the caller is gone.
    async fn look(&self, check: StreamedCheck) -> Result<Option<StreamedCheck>, ApiProblem> {
        let party = job::party(&self.caller.actor, &self.caller.tenant);
        let turn = tokio::select! {
            turn = self.app.checks.take(&party) => turn,
            () = self.events.closed() => return Ok(None),
        };
        let (check, told) = check.look(&self.caller.tenant).await?;
        drop(turn);
        for update in &told {
            self.tell(match update {
                ClaimUpdate::Judged(finding) => event("claim", finding),
                ClaimUpdate::Withdrawn { claim_id } => {
                    event("withdrawn", &WithdrawnClaim { claim_id })
                }
            })
            .await;
        }
        Ok((!self.events.is_closed()).then_some(check))
    }

    /// Sends the rest of the claims, and closes the ledger as the check in one call does.
    async fn ended(&self, mut check: StreamedCheck) -> Result<(), ApiProblem> {
        let (request, submission) = CheckSubmission::joined(&self.head, check.text())?;
        check.end();
        let Some(check) = self.look(check).await? else { return Ok(()) };
        self.submit(check.into_judged(), (request, submission)).await
    }

    async fn submit(
        &self,
        judged: JudgedClaims,
        (request, submission): (Vec<u8>, CheckSubmission),
    ) -> Result<(), ApiProblem> {
        let Self { app, caller, context, .. } = self;
        let (request_context, tenant) = (app.request_context(caller)?, caller.tenant.clone());
        let session = submission.session.clone();
        let accepted = app.verbs.run(async move || {
            submission::submit(&tenant, &submission, &request, &request_context).await
        });
        let job = accepted.await?;
        self.tell(event("job", &localized(job.clone(), self.language))).await;
        if job.state == JobState::Accepted {
            let (actor, context) = (caller.actor.clone(), context.clone());
            let by = JobContext { actor, context, judged: Arc::new(judged) };
            job::start(app, caller.tenant.clone(), job.clone(), by);
        }
        let until = Instant::now() + Duration::from_secs(u64::from(MAX_WAIT_SECONDS));
        let job = ended_until(app, &caller.tenant, job, until).await?;
        match (job.state, submission::ledger_of(&job)) {
            (JobState::Done, Some(ledger)) => {
                let body = ledger_body(&caller.tenant, &session, &ledger).await?;
                let data = String::from_utf8_lossy(&body);
                self.tell(Ok(Event::default().event("ledger").data(data))).await;
                Ok(())
            }
            (JobState::Failed, _) => Err(failed(&localized(job, self.language))),
            // The job continues without the caller, who knows its id.
            (JobState::Done | JobState::Accepted, _) => Ok(()),
        }
    }

    async fn tell(&self, event: Result<Event, NotCanonical>) {
        // A caller that is gone gets no event; `is_closed` is checked where it matters.
        drop(self.events.send(event).await);
    }
}

/// How many events wait for a caller that reads slowly, before judging waits for it.
const MAX_WAITING_EVENTS: usize = 64;
