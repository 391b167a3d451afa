//! Verifies files: small ones by bytes and keys in this process, all others in a child process.
//!
//! ```text
//! receipt, checkpoint, pack, ledger, trail, if small ─▶ a turn ─▶ here
//! archive, PDF, large file ─▶ a turn ─▶ a process with limits, killed when its request ends
//! ```
//!
//! Members and anonymous callers have separate turns, and neither waits for a check.

use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use dalil::sandbox::ProgramCommand;
use dalil::verify::confined::{ConfinedRequest, ConfinedVerification, VerifyConfinement};
use dalil::verify::{self, DocumentReading, VerifierTrust, VerifyScope, VerifyTools};
use dalil_phrasebook::{Language, hint, precondition};
use dalil_proof::fault::Fault;
use dalil_proof::trust::Trust;
use dalil_service::check::CheckTools;

use crate::clock::ServerClock;
use crate::config::ServerLimits;
use crate::problem::{ApiProblem, ProblemKind};
use crate::request_owner::RequestOwner;
use crate::turn_queue::TurnQueue;

/// The turns of members and of anonymous callers at verifying files.
pub(crate) struct VerificationTurns {
    members: PartyTurns,
    strangers: PartyTurns,
    tools: Arc<CheckTools>,
    clock: ServerClock,
}

/// The turns of members, or of anonymous callers.
struct PartyTurns {
    /// For files that are verified in this process.
    here: TurnQueue,
    /// For files that are verified in a child process.
    confined: TurnQueue,
    confinement: VerifyConfinement,
}

/// A file to verify.
pub(crate) struct VerificationRequest {
    pub(crate) bytes: Bytes,
    /// The trust, as JSON.
    pub(crate) trust: VerifierTrust<Bytes>,
    pub(crate) language: Language,
    pub(crate) owner: RequestOwner,
}

impl VerificationTurns {
    pub(crate) fn new(
        limits: &ServerLimits,
        program: &ProgramCommand,
        model_file: Option<&Path>,
        (tools, clock): (Arc<CheckTools>, ServerClock),
    ) -> Result<Self, std::io::Error> {
        // A model is held whole, once as it is read and once as it is used.
        let model = match model_file {
            Some(file) => std::fs::metadata(file)?.len().saturating_mul(2),
            None => 0,
        };
        let documents = DocumentReading::WhenVouchedFor;
        let members = VerifyConfinement {
            program: program.clone(),
            memory: limits.reader_memory.saturating_add(model),
            threads: usize::try_from(limits.threads).unwrap_or(1),
            model_file: model_file.map(Path::to_owned),
            scope: VerifyScope { claims: usize::MAX, documents },
        };
        let strangers = VerifyConfinement {
            memory: limits.reader_memory,
            threads: 1,
            // The deep judge takes minutes: its ledgers are judged again by `dalil verify`.
            model_file: None,
            scope: VerifyScope { claims: MAX_ANONYMOUS_CLAIMS, documents },
            ..members.clone()
        };
        Ok(Self {
            members: PartyTurns::new(limits.verifications, members),
            strangers: PartyTurns::new(1, strangers),
            tools,
            clock,
        })
    }

    /// The turns of those like an owner.
    fn of(&self, owner: &RequestOwner) -> &PartyTurns {
        match owner {
            RequestOwner::Member(_) => &self.members,
            RequestOwner::Stranger(_) => &self.strangers,
        }
    }

    /// Verifies a file; gives the report as JSON.
    pub(crate) async fn verify(
        &self,
        request: VerificationRequest,
    ) -> Result<serde_json::Value, ApiProblem> {
        // Faults of a trust are reported before anything begins.
        let trust = read_trust(request.trust.clone()).await?;
        if request.bytes.len() <= MAX_BYTES_HERE && !verify::is_costly(&request.bytes) {
            return self.here(request, trust).await;
        }
        let PartyTurns { confined: queue, confinement, .. } = self.of(&request.owner);
        let owner = request.owner.name();
        if queue.waiting(owner) >= MAX_WAITING_VERIFICATIONS {
            return Err(ApiProblem { retry_after: Some(5), ..ApiProblem::new(ProblemKind::Busy) });
        }
        let turn = queue.take(owner).await;
        let now = self.clock.now()?;
        let running = confinement.start().map_err(|error| ApiProblem::caused(&error))?;
        let stop = StopOnDrop(running.clone());
        let found = tokio::task::spawn_blocking(move || {
            let VerificationRequest { bytes, trust, language, .. } = request;
            let (bytes, trust) = (&bytes, trust.as_bytes());
            let found = running.finish(ConfinedRequest { bytes, trust, now, language });
            // Only when the process is gone may the next one begin.
            drop(turn);
            found
        });
        let found = found.await;
        drop(stop);
        match found {
            Ok(Ok(report)) => Ok(report),
            Ok(Err(failure)) => {
                let expected = precondition::a_file_that_can_be_verified_here();
                let fault = Fault::new("verification", "body", expected, failure.found())
                    .hint(hint::dalil_verify_has_the_limits_of_your_own_machine());
                Err(ApiProblem::fault(ProblemKind::Refused, fault))
            }
            Err(_) => Err(ApiProblem::new(ProblemKind::Internal)),
        }
    }

    /// Verifies a small file that needs no document, no judge and no press.
    async fn here(
        &self,
        request: VerificationRequest,
        trust: VerifierTrust<Trust>,
    ) -> Result<serde_json::Value, ApiProblem> {
        let (now, tools) = (self.clock.now()?, Arc::clone(&self.tools));
        let turn = self.of(&request.owner).here.take(request.owner.name()).await;
        let found = tokio::task::spawn_blocking(move || {
            let scope = VerifyScope { claims: 0, documents: DocumentReading::WhenVouchedFor };
            let own = VerifyTools { reader: &tools.reader, models: None, threads: 1, scope };
            let bytes = &request.bytes;
            let trust = trust.about(bytes, &own)?;
            let report = verify::file(bytes, &trust, now, &own);
            // The caller may be gone; the memory is free only now.
            drop(turn);
            serde_json::to_value(report.localized(request.language)).ok()
        });
        found.await.ok().flatten().ok_or(ApiProblem::new(ProblemKind::Internal))
    }
}

impl PartyTurns {
    fn new(confined: u64, confinement: VerifyConfinement) -> Self {
        let here = TurnQueue::new(TURNS_HERE);
        Self { here, confined: TurnQueue::new(confined), confinement }
    }
}

/// Reads a trust file, which a stranger may have written, beside the threads that answer.
async fn read_trust(trust: VerifierTrust<Bytes>) -> Result<VerifierTrust<Trust>, ApiProblem> {
    let read = move || trust.try_map(|text| Trust::parse(&text));
    let read = tokio::task::spawn_blocking(read).await;
    Ok(read.map_err(|_| ApiProblem::new(ProblemKind::Internal))??)
}

/// Stops a verification when the request that waits for it is gone: its caller hung up, or its
/// time is over.
struct StopOnDrop(ConfinedVerification);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// How many claims are judged again for an anonymous caller: ten seconds of one thread, at a tenth
/// of a second for each claim.
const MAX_ANONYMOUS_CLAIMS: usize = 100;
/// JSON takes up to forty times its bytes in memory. A pack with a ledger of five hundred claims is
/// smaller than this; larger files are verified where memory is bounded.
const MAX_BYTES_HERE: usize = 2 << 20;
/// How many files are verified in this process at a time, for members and for anonymous callers each.
const TURNS_HERE: u64 = 2;
/// How many files of one owner may wait for a turn; further ones get a retry time.
const MAX_WAITING_VERIFICATIONS: usize = 8;
