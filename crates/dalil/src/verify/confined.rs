//! Verification in a child process, within limits, which can be stopped.
//!
//! ```text
//! VerifyConfinement ─frames─▶ `dalil verify --wire BYTES` ─▶ report, as JSON
//! ```
//!
//! A file from a stranger may make a verifier parse documents, judge claims and render pages. A
//! server that did so itself would crash when memory runs out, and could not stop the work
//! when its client is gone. The process and its children are one
//! process group, which is killed together.

use std::io::{self, Read, Write};
use std::num::NonZeroUsize;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dalil_phrasebook::{Language, Phrase, found};
use dalil_proof::time::Time;
use dalil_proof::trust::Trust;
use rustix::process::{Pid, Signal, kill_process_group};
use serde::{Deserialize, Serialize};

use super::{DocumentReading, VerifierTrust, VerifyScope, VerifyTools};
use crate::judges::JudgeModels;
use crate::sandbox::frame::{self, SandboxFrameKind};
use crate::sandbox::{ProgramCommand, SandboxExit, SandboxLimits, SandboxReader, confine};

/// The limits of such a process.
#[derive(Clone, Debug)]
pub struct VerifyConfinement {
    /// This program, `dalil`.
    pub program: ProgramCommand,
    /// Its memory, in bytes.
    pub memory: u64,
    /// How many threads judge.
    pub threads: usize,
    /// The file of the deep model, if its ledgers are judged again.
    pub model_file: Option<PathBuf>,
    /// Its scope.
    pub scope: VerifyScope,
}

/// The file to verify, and the trust.
#[derive(Clone, Copy, Debug)]
pub struct ConfinedRequest<'r> {
    /// The file.
    pub bytes: &'r [u8],
    /// The verifier's trust as JSON.
    pub trust: VerifierTrust<&'r [u8]>,
    /// When.
    pub now: Time,
    /// The language of the report.
    pub language: Language,
}

/// A verification that runs.
#[derive(Clone, Debug)]
pub struct ConfinedVerification {
    process: Arc<Mutex<Option<Child>>>,
    confinement: VerifyConfinement,
}

/// Why there is no report.
#[derive(Debug)]
pub enum ConfinedFailure {
    /// The process ended.
    Ended(SandboxExit),
    /// Its output is no report.
    Garbage,
}

impl ConfinedFailure {
    /// The fault text for a file that cannot be verified.
    pub fn found(&self) -> Phrase {
        match self {
            Self::Ended(exit) => found::a_file_whose_verification_ended(exit),
            Self::Garbage => found::a_file_without_a_report(),
        }
    }
}

/// The input of the process beside the trust and the file.
#[derive(Serialize, Deserialize)]
struct ConfinedOrder {
    /// How the trust, which follows, is meant.
    trust: ConfinedTrustKind,
    now: String,
    is_arabic: bool,
    threads: usize,
    claims: usize,
    reads_unvouched: bool,
    model_file: Option<PathBuf>,
}

#[derive(Serialize, Deserialize)]
enum ConfinedTrustKind {
    Nobody,
    Chosen,
    Own,
}

impl VerifyConfinement {
    /// Starts a process.
    ///
    /// # Errors
    /// The system starts none.
    pub fn start(&self) -> io::Result<ConfinedVerification> {
        let process = self
            .program
            .process()
            .args(["verify", "--wire", &self.memory.to_string()])
            .env_clear()
            // Every thread of the press reserves address space, of which there is only so much.
            .env("RAYON_NUM_THREADS", self.threads.to_string())
            .env("MALLOC_ARENA_MAX", "2")
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        let process = Arc::new(Mutex::new(Some(process)));
        Ok(ConfinedVerification { process, confinement: self.clone() })
    }

    fn order(&self, request: ConfinedRequest<'_>) -> ConfinedOrder {
        ConfinedOrder {
            trust: match request.trust {
                VerifierTrust::Nobody => ConfinedTrustKind::Nobody,
                VerifierTrust::Chosen(_) => ConfinedTrustKind::Chosen,
                VerifierTrust::Own(_) => ConfinedTrustKind::Own,
            },
            now: request.now.to_string(),
            is_arabic: request.language == Language::Arabic,
            threads: self.threads,
            claims: self.scope.claims,
            reads_unvouched: self.scope.documents == DocumentReading::Always,
            model_file: self.model_file.clone(),
        }
    }
}

impl ConfinedVerification {
    /// Verifies a file, and waits for the report.
    ///
    /// # Errors
    /// The process ended before: it needed more than it was given, or was stopped.
    pub fn finish(
        &self,
        request: ConfinedRequest<'_>,
    ) -> Result<serde_json::Value, ConfinedFailure> {
        let (stdin, stdout) = match self.process().as_mut() {
            Some(process) => (process.stdin.take(), process.stdout.take()),
            None => (None, None),
        };
        let (Some(mut stdin), Some(stdout)) = (stdin, stdout) else {
            return Err(ConfinedFailure::Garbage);
        };
        let order = serde_json::to_vec(&self.confinement.order(request));
        let order = order.map_err(|_| ConfinedFailure::Garbage)?;
        let trust: &[u8] = match request.trust {
            VerifierTrust::Nobody => &[],
            VerifierTrust::Chosen(trust) | VerifierTrust::Own(trust) => trust,
        };
        let sent = [&order, trust, request.bytes]
            .iter()
            .try_for_each(|bytes| frame::write(&mut stdin, SandboxFrameKind::Bytes, bytes));
        drop(stdin);
        let mut report = Vec::new();
        let read = stdout.take(MAX_REPORT_BYTES).read_to_end(&mut report);
        // From here on it cannot be stopped, as its number may belong to another process.
        let process = self.process().take();
        let status = process.and_then(|mut process| process.wait().ok());
        if sent.is_err() || read.is_err() || !status.is_some_and(|status| status.success()) {
            return Err(ConfinedFailure::Ended(SandboxExit::of(status, self.confinement.memory)));
        }
        serde_json::from_slice(&report).map_err(|_| ConfinedFailure::Garbage)
    }

    /// Stops the process and everything that it started.
    pub fn stop(&self) {
        if let Some(process) = self.process().as_mut() {
            // One that has ended cannot be killed, and then there is nothing to do.
            kill_process_group(Pid::from_child(process), Signal::KILL).ok();
        }
    }

    fn process(&self) -> MutexGuard<'_, Option<Child>> {
        self.process.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The process itself: limits first, then one file, then its report.
///
/// # Errors
/// Limits that cannot be set, pipes that break, or an order that is none.
pub fn serve(
    memory: u64,
    program: ProgramCommand,
    mut input: impl Read,
    mut out: impl Write,
) -> io::Result<()> {
    confine(memory, MAX_OPEN_FILES)?;
    let wrong = || io::Error::from(io::ErrorKind::InvalidData);
    let mut next = || -> io::Result<Vec<u8>> {
        frame::read(&mut input)?.map(|(_, bytes)| bytes).ok_or_else(wrong)
    };
    let (order, trust, bytes) = (next()?, next()?, next()?);
    let order: ConfinedOrder = serde_json::from_slice(&order)?;
    let now = order.now.parse::<Time>().map_err(|_| wrong())?;
    let language = if order.is_arabic { Language::Arabic } else { Language::English };
    let limits = SandboxLimits { memory, processes: NonZeroUsize::MIN, ..SandboxLimits::usual() };
    let reader = SandboxReader::new(program, limits);
    let models = JudgeModels::when_needed(order.model_file);
    let documents = match order.reads_unvouched {
        true => DocumentReading::Always,
        false => DocumentReading::WhenVouchedFor,
    };
    let tools = VerifyTools {
        reader: &reader,
        models: Some(&models),
        threads: order.threads,
        scope: VerifyScope { claims: order.claims, documents },
    };
    let trust = match order.trust {
        ConfinedTrustKind::Nobody => VerifierTrust::Nobody,
        ConfinedTrustKind::Chosen => VerifierTrust::Chosen(trust.as_slice()),
        ConfinedTrustKind::Own => VerifierTrust::Own(trust.as_slice()),
    };
    let trust = trust.try_map(Trust::parse).map_err(|_| wrong())?;
    let trust = trust.about(&bytes, &tools).ok_or_else(wrong)?;
    let report = super::file(&bytes, &trust, now, &tools);
    serde_json::to_writer(&mut out, &report.localized(language))?;
    out.flush()
}

/// No report is longer: 10,000 findings of a few sentences.
const MAX_REPORT_BYTES: u64 = 64 << 20;
/// Pipes of its own and of its reader, and the file of a model.
const MAX_OPEN_FILES: u64 = 64;
