//! Findings, passed on as soon as they are made.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

/// The events of a running check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FsckEvent {
    /// Something was found.
    Finding(FsckFinding),
    /// How many of a tenant's records have been checked.
    Progress {
        /// The tenant.
        tenant: String,
        /// How many records were looked at.
        done: u64,
        /// How many there are, as far as is known.
        all: u64,
    },
}

/// The receiver of a check's events.
pub type FsckListener<'t> = &'t mut (dyn FnMut(FsckEvent) + Send);

/// The finding about one part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FsckFinding {
    /// The part that was looked at, such as `payloads`.
    pub part: &'static str,
    /// Its status.
    pub verdict: FsckStatus,
    /// Whose it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    /// Which record it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<u64>,
    /// Why, in one sentence.
    pub message: String,
}

/// The status of a part; the later, the worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FsckStatus {
    /// Checked, and it holds.
    Pass,
    /// No evidence, but worth knowing.
    Note,
    /// Could not be checked.
    Incomplete,
    /// Checked, and damaged.
    Fail,
}

impl fmt::Display for FsckStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Pass => "PASS",
            Self::Note => "NOTE",
            Self::Incomplete => "INCOMPLETE",
            Self::Fail => "FAIL",
        })
    }
}

impl fmt::Display for FsckFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { part, verdict, tenant, index, message } = self;
        write!(f, "{verdict:<10} ")?;
        tenant.as_ref().map_or(Ok(()), |tenant| write!(f, "{tenant}: "))?;
        write!(f, "{part}")?;
        index.map_or(Ok(()), |index| write!(f, " of record {index}"))?;
        write!(f, ": {message}")
    }
}

/// Emits findings, the first of a part in full and the rest as a number.
pub(super) struct FindingSink<'t> {
    tell: FsckListener<'t>,
    tenant: Option<String>,
    counts: BTreeMap<(&'static str, FsckStatus), u64>,
    worst: FsckStatus,
}

impl<'t> FindingSink<'t> {
    pub(super) fn new(tell: FsckListener<'t>) -> Self {
        Self { tell, tenant: None, counts: BTreeMap::new(), worst: FsckStatus::Pass }
    }

    /// The following findings are about this tenant.
    pub(super) fn of(&mut self, tenant: &str) {
        // The counts belong to the tenant before, so they are emitted first.
        self.of_nobody();
        self.tenant = Some(tenant.to_owned());
    }

    /// The following findings are about no tenant.
    pub(super) fn of_nobody(&mut self) {
        for ((part, verdict), count) in std::mem::take(&mut self.counts) {
            if count > MAX_LISTED_FINDINGS {
                let more = count - MAX_LISTED_FINDINGS;
                self.say(part, verdict, None, format!("{more} more of these"));
            }
        }
        self.tenant = None;
    }

    pub(super) fn fail(
        &mut self,
        part: &'static str,
        index: Option<u64>,
        message: impl Into<String>,
    ) {
        self.add(part, FsckStatus::Fail, index, message.into());
    }

    pub(super) fn note(
        &mut self,
        part: &'static str,
        index: Option<u64>,
        message: impl Into<String>,
    ) {
        self.add(part, FsckStatus::Note, index, message.into());
    }

    pub(super) fn incomplete(&mut self, part: &'static str, message: impl Into<String>) {
        self.add(part, FsckStatus::Incomplete, None, message.into());
    }

    /// Emits a pass for a part without other findings.
    pub(super) fn pass(&mut self, part: &'static str, message: impl Into<String>) {
        // A note is no fault: a lake with an unreferenced object is sound.
        let is_bad = |verdict| self.counts.contains_key(&(part, verdict));
        if !is_bad(FsckStatus::Fail) && !is_bad(FsckStatus::Incomplete) {
            self.say(part, FsckStatus::Pass, None, message.into());
        }
    }

    pub(super) fn progress(&mut self, done: u64, all: u64) {
        let Some(tenant) = self.tenant.clone() else { return };
        (self.tell)(FsckEvent::Progress { tenant, done, all });
    }

    pub(super) fn worst(&self) -> FsckStatus {
        self.worst
    }

    fn add(
        &mut self,
        part: &'static str,
        verdict: FsckStatus,
        index: Option<u64>,
        message: String,
    ) {
        let count = self.counts.entry((part, verdict)).or_default();
        *count += 1;
        if *count <= MAX_LISTED_FINDINGS {
            self.say(part, verdict, index, message);
        }
        self.worst = self.worst.max(verdict);
    }

    fn say(
        &mut self,
        part: &'static str,
        verdict: FsckStatus,
        index: Option<u64>,
        message: String,
    ) {
        let tenant = self.tenant.clone();
        (self.tell)(FsckEvent::Finding(FsckFinding { part, verdict, tenant, index, message }));
    }
}

/// How many findings of one part are listed.
const MAX_LISTED_FINDINGS: u64 = 20;
