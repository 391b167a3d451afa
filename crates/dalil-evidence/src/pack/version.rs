//! Versions of a pack: its predecessor and its reviewers.

use dalil_phrasebook::{Phrase, bound, expected, found, hint};
use dalil_proof::decode::{self, JsonFields, JsonReader};
use dalil_proof::fault::{Fault, Refused, quote, quoted};
use dalil_proof::id::PackId;
use dalil_proof::json::{Json, MAX_INTEGER};
use dalil_proof::time::Time;

use crate::approval::{self, ApprovalQuorum, ApprovalState, ApprovalVote, VoteOutcome};
use crate::name::is_confusable_with;
use crate::pack::draft::{HOUR_MILLIS, PackContent, PackDraft, PackStatus};
use crate::pack::finding::{self, FlagAcknowledgement};

/// A person's review of a pack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackReview {
    /// The name of the version that the review makes.
    pub pack_id: PackId,
    /// Who reviewed it; never the agent that made the decision.
    pub reviewer_id: String,
    /// When.
    pub reviewed_at: Time,
    /// The open findings that the reviewer has seen.
    pub acknowledged: Vec<FlagAcknowledgement>,
    /// All votes on the old version, the reviewer last; may be empty where votes are not recorded.
    pub approvals: Vec<ApprovalVote>,
}

/// Makes the version of a pack that a review results in; the old one stays as it is.
///
/// # Errors
/// A reviewer who is the agent, a name that is taken, a time before the old
/// version's or more than 48 hours after it, approvals that are not those that the
/// class asks for, and every open finding that was not acknowledged.
pub fn review(old: &PackDraft, review: &PackReview) -> Result<PackDraft, Refused> {
    let PackReview { pack_id, reviewer_id, reviewed_at, acknowledged, approvals } = review;
    let content = PackContent {
        pack_id: pack_id.clone(),
        status: PackStatus::Resolved,
        reviewer_id: Some(reviewer_id.clone()),
        reviewed_at: Some(*reviewed_at),
        approvals: approvals.clone(),
        created_at: *reviewed_at,
        ..follow(old, old)
    };
    let mut faults = succession(old, &content);
    faults.extend(independence(reviewer_id, &old.agent_name, "reviewer_id"));
    faults.extend(overdue(old, *reviewed_at));
    faults.extend(approved(&content, "approvals"));
    // The faults of every rule go into one reply; only without any is there a version.
    match finding::all(&content, acknowledged, "acknowledged") {
        Ok(findings) if faults.is_empty() => Ok(PackDraft(PackContent { findings, ..content })),
        Ok(_) => Err(Refused { refused: faults }),
        Err(found) => {
            faults.extend(found);
            Err(Refused { refused: faults })
        }
    }
}

/// Makes `edited` the version after `old`, which stays as it is.
///
/// # Errors
/// Another decision or tenant, a name that is taken, or a time before the old version's.
pub fn amend(old: &PackDraft, edited: &PackDraft) -> Result<PackDraft, Refused> {
    let content = follow(old, edited);
    let faults = succession(old, &content);
    if faults.is_empty() { Ok(PackDraft(content)) } else { Err(Refused { refused: faults }) }
}

/// The content of `next` as the version after `old`.
fn follow(old: &PackDraft, next: &PackDraft) -> PackContent {
    PackContent {
        version: old.version.saturating_add(1),
        supersedes: Some(old.pack_id.clone()),
        ..next.0.clone()
    }
}

/// Everything that keeps `next` from following `old`.
fn succession(old: &PackDraft, next: &PackContent) -> Vec<Fault> {
    let mut faults = Vec::new();
    if next.pack_id == old.pack_id {
        faults.push(same_id("pack_id", &next.pack_id));
    }
    if next.decision_id != old.decision_id {
        let expected = expected::the_decision_of_the_old_version(quote(old.decision_id.as_str()));
        let found = quoted(next.decision_id.as_str());
        faults.push(Fault::new("other_decision", "decision_id", expected, found));
    }
    if next.tenant_id != old.tenant_id {
        let found = found::another();
        faults.push(Fault::new(
            "other_tenant",
            "tenant_id",
            expected::the_tenant_of_the_old_version(),
            found,
        ));
    }
    // A lower class would ask for fewer approvers of the same decision.
    let (new, old_classes) = (next.classes, old.classes);
    for (path, is_lower) in [
        ("approval_class", new.approval < old_classes.approval),
        ("reversibility_class", new.reversibility < old_classes.reversibility),
        ("sensitivity_class", new.sensitivity < old_classes.sensitivity),
    ] {
        if is_lower {
            let expected = expected::the_class_of_the_old_version_or_a_higher_one();
            faults.push(Fault::new("lower_class", path, expected, found::a_lower_one()));
        }
    }
    if next.created_at < old.created_at {
        let expected = bound::a_time_at_or_after_when_the_old_version_was_made(old.created_at);
        let found = found::value(next.created_at);
        faults.push(Fault::new("time_order", "created_at", expected, found));
    }
    faults
}

/// Until when a version may be reviewed.
pub fn review_until(pack: &PackDraft) -> Option<Time> {
    Time::from_millis(pack.created_at.millis().saturating_add(MAX_REVIEW_HOURS * HOUR_MILLIS))
}

/// Why a version may no longer be reviewed at a time, if that is too late.
pub fn overdue(pack: &PackDraft, at: Time) -> Option<Fault> {
    let last = review_until(pack)?;
    (at > last).then(|| {
        let expected = expected::a_review_within_hours_until(MAX_REVIEW_HOURS, last);
        Fault::new("review_time", "reviewed_at", expected, found::value(at))
            .hint(hint::assemble_again())
    })
}

/// Everything that keeps the approvals of a pack from being those of its review.
pub(super) fn approved(content: &PackContent, path: &str) -> Vec<Fault> {
    let votes = &content.approvals;
    // spec/pack.md, "Approvals": a pack without votes names its reviewer and no more.
    let Some(last) = votes.last() else { return Vec::new() };
    let mut faults = Vec::new();
    for (n, vote) in votes.iter().enumerate() {
        let place = format!("{path}[{n}].approver");
        faults.extend(independence(&vote.approver, &content.agent_name, place));
    }
    let ordered = votes.is_sorted_by_key(|vote| vote.at);
    let reviewer = content.reviewer_id.as_deref().zip(content.reviewed_at);
    let is_last = reviewer == Some((last.approver.as_str(), last.at));
    if !ordered || !is_last || last.outcome != VoteOutcome::Approved {
        let expected = expected::approvals_in_order_of_time_that_of_the_reviewer_last();
        faults.push(Fault::new("approvals", path, expected, found::others()));
    }
    let class = content.classes.approval;
    // Rules of policy may have asked for more people,
    // but a pack has only the digest of its decision.
    let standing = approval::standing(ApprovalQuorum::of(class, 0), votes);
    if standing.state != ApprovalState::Approved {
        let expected =
            expected::approval_for_class(approval::wanted(class), format_args!("{class:?}"));
        faults.push(Fault::new("approvals", path, expected, standing.found()));
    }
    faults
}

/// A reviewer who is the agent, as a fault.
pub fn independence(reviewer: &str, agent: &str, path: impl std::fmt::Display) -> Option<Fault> {
    is_confusable_with(reviewer, agent).then(|| {
        Fault::new(
            "self_review",
            path,
            expected::a_reviewer_who_is_not_the_agent(),
            quoted(reviewer),
        )
        .hint(hint::somebody_else_must_review_what_the_agent_decided())
    })
}

fn same_id(path: impl std::fmt::Display, id: &PackId) -> Fault {
    Fault::new("supersedes", path, expected::the_name_of_another_version(), found::value(id))
        .hint(hint::every_version_has_a_name_of_its_own())
}

/// The place of a pack among its versions.
pub(super) struct PackVersionHistory {
    pub(super) pack_id: PackId,
    pub(super) version: u64,
    pub(super) supersedes: Option<PackId>,
    pub(super) reviewer_id: Option<String>,
    pub(super) reviewed_at: Option<Time>,
    pub(super) created_at: Time,
}

impl PackVersionHistory {
    /// Reads the fields that packs and requests for packs share.
    pub(super) fn read(
        reader: JsonReader<'_, '_>,
        fields: &mut JsonFields<'_, '_>,
        agent: Option<&Json<'_>>,
    ) -> Option<Self> {
        let pack_id = fields.required("pack_id", |id| id.parsed("id", PackId::EXPECTED));
        let version = fields.or("version", 1, |version| version.whole(1..=MAX_INTEGER));
        let supersedes = fields.optional("supersedes", |id| id.parsed("id", PackId::EXPECTED));
        let reviewer_id = fields.optional("reviewer_id", decode::label);
        let reviewed_at = fields.optional("reviewed_at", decode::time);
        let created_at = fields.required("created_at", decode::time);
        let history = Self {
            pack_id: pack_id?,
            version: version?,
            supersedes: supersedes?,
            reviewer_id: reviewer_id?,
            reviewed_at: reviewed_at?,
            created_at: created_at?,
        };
        let faults = history.faults(reader, agent);
        let sound = faults.is_empty();
        for fault in faults {
            reader.push::<()>(fault);
        }
        sound.then_some(history)
    }

    fn faults(&self, reader: JsonReader<'_, '_>, agent: Option<&Json<'_>>) -> Vec<Fault> {
        let Self { pack_id, version, supersedes, reviewer_id, reviewed_at, created_at } = self;
        let mut faults = Vec::new();
        let mut fault = |rule, name, expected: Phrase, found: Phrase| {
            faults.push(Fault::new(rule, reader.member(name), expected, found));
        };
        match supersedes {
            None if *version > 1 => {
                fault("supersedes", "supersedes", expected::the_version_before(), found::none());
            }
            Some(_) if *version == 1 => {
                fault(
                    "supersedes",
                    "version",
                    expected::version_that_supersedes(),
                    found::one_as_number(),
                );
            }
            Some(_) | None => {}
        }
        match (reviewer_id, reviewed_at) {
            (Some(_), None) => {
                fault("review", "reviewed_at", expected::the_time_of_the_review(), found::none());
            }
            (None, Some(_)) => {
                fault("review", "reviewer_id", expected::who_reviewed_it(), found::nobody());
            }
            (Some(_), Some(at)) if at > created_at => {
                fault(
                    "review",
                    "reviewed_at",
                    bound::a_time_at_or_before_created_at(),
                    found::a_later_one(),
                );
            }
            (Some(_), Some(_)) | (None, None) => {}
        }
        if reviewer_id.is_some() && supersedes.is_none() {
            let expected = expected::version_that_was_reviewed();
            fault("review", "supersedes", expected, found::none());
        }
        if supersedes.as_ref() == Some(pack_id) {
            faults.push(same_id(reader.member("supersedes"), pack_id));
        }
        if let (Some(reviewer), Some(Json::Text(agent))) = (reviewer_id, agent) {
            faults.extend(independence(reviewer, agent, reader.member("reviewer_id")));
        }
        faults
    }
}

/// How long after it was made a version may be reviewed.
pub const MAX_REVIEW_HOURS: i64 = 48;
