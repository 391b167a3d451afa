//! The history of a pack: its versions and its approvers.
//!
//! It is not signed, and a verifier of the PDF renders it again, so its size is limited
//! to one that renders in a moment.

use dalil_evidence::approval;
use dalil_evidence::pack::{PackDraft, PackStatus};
use dalil_phrasebook::{Phrase, bound, expected, found};
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::fault::{Fault, Refused};
use dalil_proof::id::PackId;
use dalil_proof::json::MAX_INTEGER;
use dalil_proof::time::Time;
use serde::Serialize;

use super::attachment;

/// Every version of a pack and every approval of its decision.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PrintoutHistory {
    /// Who has approved or rejected, in the order it happened.
    pub approvals: Vec<PrintoutApproval>,
    /// The page that verifies, which the QR code leads to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verify_url: Option<String>,
    /// The versions, the first one first.
    pub versions: Vec<PrintoutVersion>,
}

/// One person's word on a decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PrintoutApproval {
    /// When.
    pub at: Time,
    /// Who.
    pub approver: String,
    /// The vote.
    pub outcome: PrintoutApprovalOutcome,
    /// The reason, when one was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The approver's title, when it is known: `manager`, `legal`, `board`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
}

/// An approver's vote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PrintoutApprovalOutcome {
    /// Yes.
    Approved,
    /// A higher class must decide.
    Escalated,
    /// No.
    Rejected,
}

/// One version of a pack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PrintoutVersion {
    /// When it was made; of one that was erased, when it was sealed; of one that is only known
    /// as the version before, nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_at: Option<Time>,
    /// Its name.
    pub pack_id: PackId,
    /// The reviewer, when there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reviewer_id: Option<String>,
    /// Whether a person has reviewed it.
    pub status: PrintoutVersionStatus,
    /// Which version it is, from 1.
    pub version: u64,
}

/// Whether a person has reviewed a version, or it was erased.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PrintoutVersionStatus {
    /// Reviewed.
    Resolved,
    /// Not reviewed.
    Unresolved,
    /// Its record is all that is left.
    Erased,
    /// The next version names it; nothing else is known.
    Superseded,
}

impl PrintoutVersion {
    /// Whether this adds nothing to the sealed content of the next version.
    pub fn is_only_named(&self) -> bool {
        let Self { created_at, reviewer_id, status, .. } = self;
        created_at.is_none()
            && reviewer_id.is_none()
            && *status == PrintoutVersionStatus::Superseded
    }

    /// Whether this agrees with a pack's own content.
    fn is_of(&self, pack: &PackDraft) -> bool {
        let status = match pack.status {
            PackStatus::Resolved => PrintoutVersionStatus::Resolved,
            PackStatus::Unresolved => PrintoutVersionStatus::Unresolved,
        };
        let Self { created_at, pack_id, reviewer_id, status: stated, version } = self;
        *created_at == Some(pack.created_at)
            && *pack_id == pack.pack_id
            && *reviewer_id == pack.reviewer_id
            && *stated == status
            && *version == pack.version
    }
}

impl PrintoutHistory {
    /// Refuses a history that contradicts the pack: about its own version, or
    /// about the one that it supersedes.
    pub(super) fn is_about(&self, pack: &PackDraft) -> Result<(), Refused> {
        let fault = |expected: Phrase, found: Phrase| {
            Err(Fault::new("history", "versions", expected, found).into())
        };
        let own: Vec<_> = self.versions.iter().filter(|one| one.pack_id == pack.pack_id).collect();
        match own.as_slice() {
            [] => {
                let expected = expected::a_history_with_the_pack(&pack.pack_id);
                return fault(expected, found::one_without_it());
            }
            [own] if own.is_of(pack) => {}
            _ => {
                let expected = expected::version_as_the_pack_says(&pack.pack_id);
                return fault(expected, found::another());
            }
        }
        let Some(before) = &pack.supersedes else { return Ok(()) };
        let number = pack.version.saturating_sub(1);
        let is_before = |one: &&PrintoutVersion| one.pack_id == *before || one.version == number;
        match self.versions.iter().filter(is_before).collect::<Vec<_>>().as_slice() {
            [one] if one.pack_id == *before && one.version == number => Ok(()),
            _ => fault(expected::version_before_once(before, number), found::another()),
        }
    }

    /// Reads a history.
    ///
    /// # Errors
    /// Every fault in it; of one that is too large, only that.
    pub fn parse(text: &[u8]) -> Result<Self, Refused> {
        Self::fits(text)?;
        decode::request(text, |reader| {
            let mut fields = reader.object()?;
            let approvals = fields
                .required("approvals", |list| list.short_list(MAX_HISTORY_ITEMS, printed_approval));
            let verify_url = fields.optional("verify_url", attachment::verify_url);
            let versions =
                fields.required("versions", |list| list.short_list(MAX_HISTORY_ITEMS, version));
            fields.done()?;
            let (approvals, versions) = (approvals?, versions?);
            Some(Self { approvals, verify_url: verify_url?, versions })
        })
    }

    /// Refuses a history that is too large, before anything reads it.
    pub(super) fn fits(text: &[u8]) -> Result<(), Refused> {
        if text.len() <= MAX_HISTORY_BYTES {
            return Ok(());
        }
        let expected = bound::a_history_of_at_most_bytes(MAX_HISTORY_BYTES);
        Err(Fault::new("size", "$", expected, found::bytes(text.len())).into())
    }
}

fn printed_approval(reader: JsonReader<'_, '_>) -> Option<PrintoutApproval> {
    let mut fields = reader.object()?;
    let at = fields.required("at", decode::time);
    let approver = fields.required("approver", decode::label);
    let outcomes = [
        ("approved", PrintoutApprovalOutcome::Approved),
        ("escalated", PrintoutApprovalOutcome::Escalated),
        ("rejected", PrintoutApprovalOutcome::Rejected),
    ];
    let outcome = fields.required("outcome", |word| word.choice(&outcomes));
    let reason = fields.optional("reason", approval::reason);
    let role = fields.optional("role", decode::label);
    fields.done()?;
    Some(PrintoutApproval {
        at: at?,
        approver: approver?,
        outcome: outcome?,
        reason: reason?,
        role: role?,
    })
}

fn version(reader: JsonReader<'_, '_>) -> Option<PrintoutVersion> {
    let mut fields = reader.object()?;
    let created_at = fields.optional("created_at", decode::time);
    let pack_id = fields.required("pack_id", |id| id.parsed("id", PackId::EXPECTED));
    let reviewer_id = fields.optional("reviewer_id", decode::label);
    let words = [
        ("resolved", PrintoutVersionStatus::Resolved),
        ("unresolved", PrintoutVersionStatus::Unresolved),
        ("erased", PrintoutVersionStatus::Erased),
        ("superseded", PrintoutVersionStatus::Superseded),
    ];
    let status = fields.required("status", |word| word.choice(&words));
    let version = fields.required("version", |number| number.whole(1..=MAX_INTEGER));
    // Only the version before a pack may be named without its time: no seal has that.
    let dated = if created_at == Some(None) && status != Some(PrintoutVersionStatus::Superseded) {
        let path = reader.member("created_at");
        reader.push(Fault::new("missing_field", path, expected::a_value(), found::nothing()))
    } else {
        Some(())
    };
    fields.done()?;
    dated?;
    Some(PrintoutVersion {
        created_at: created_at?,
        pack_id: pack_id?,
        reviewer_id: reviewer_id?,
        status: status?,
        version: version?,
    })
}

/// The bytes of a history, and the approvals and versions in it.
const MAX_HISTORY_BYTES: usize = 1 << 20;
const MAX_HISTORY_ITEMS: usize = 1_000;
