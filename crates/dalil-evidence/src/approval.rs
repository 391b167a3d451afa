//! Approvals: how many approvers a decision needs, and with which titles.
//!
//! A1 needs a manager; A2 a department head, and legal or finance; A3 two
//! executives or board members. A rejection beats an escalation, which
//! beats every approval; the highest number of approvers asked for wins.

use std::collections::BTreeSet;

use dalil_phrasebook::{Phrase, bound, expected, found};
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::fault::{Fault, Refused, quote};
use dalil_proof::time::Time;
use serde::Serialize;

use crate::access::{MemberTitle, words};
use crate::decision_class::{ApprovalClass, DecisionClasses, ReversibilityClass, SensitivityClass};
use crate::name::is_confusable_with;

#[cfg(test)]
mod tests;

/// A reviewer's vote, from the mildest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum VoteOutcome {
    /// It may go ahead.
    Approved,
    /// A higher class must decide.
    Escalated,
    /// It may not go ahead.
    Rejected,
}

impl VoteOutcome {
    /// Every outcome with the word it is written as.
    pub const WIRE_NAMES: &[(&'static str, Self)] = &[
        ("approved", Self::Approved),
        ("escalated", Self::Escalated),
        ("rejected", Self::Rejected),
    ];
}

/// One person's vote on a pack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ApprovalVote {
    /// Who.
    pub approver: String,
    /// What.
    pub outcome: VoteOutcome,
    /// The titles that the approver had.
    pub titles: BTreeSet<MemberTitle>,
    /// When.
    pub at: Time,
    /// Why, in the approver's own words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl ApprovalVote {
    /// Parses the committed bytes of a `pack.reviewed` record.
    ///
    /// # Errors
    /// Every fault in them.
    pub fn parse(bytes: &[u8]) -> Result<Self, Refused> {
        decode::request(bytes, Self::read)
    }

    pub(crate) fn read(reader: JsonReader<'_, '_>) -> Option<Self> {
        let mut fields = reader.object()?;
        let approver = fields.required("approver", decode::label);
        let outcome = fields.required("outcome", |outcome| outcome.choice(VoteOutcome::WIRE_NAMES));
        let titles = fields.required("titles", |list| list.list(MemberTitle::read));
        let at = fields.required("at", decode::time);
        let reason = fields.optional("reason", reason);
        fields.done()?;
        let titles = titles?.into_iter().collect();
        let (at, reason) = (at?, reason?);
        Some(Self { approver: approver?, outcome: outcome?, titles, at, reason })
    }
}

/// Parses the reason for a vote, limited to the space on the pages.
pub fn reason(reader: JsonReader<'_, '_>) -> Option<String> {
    let text = decode::filled(reader)?;
    let length = text.chars().count();
    if length <= MAX_REASON_CHARS {
        return Some(text);
    }
    let expected = bound::at_most_characters(MAX_REASON_CHARS);
    reader.push(Fault::new("length", reader.path(), expected, length))
}

/// How long the reason of a vote may be, in characters: half a page, chosen and not measured.
pub const MAX_REASON_CHARS: usize = 2_000;

/// Whose approval is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ApprovalQuorum {
    /// The class, which decides the titles.
    #[serde(rename = "approval_class")]
    pub class: ApprovalClass,
    /// How many of them.
    #[serde(rename = "required_approvers")]
    pub approvers: u8,
}

impl ApprovalQuorum {
    /// The approvals that a class and a number of approvers ask for, whichever is more. A review
    /// needs one person at least, and a manager when any rule asks for people.
    pub fn of(class: ApprovalClass, required: u8) -> Self {
        let class = if required > 0 { class.max(ApprovalClass::A1) } else { class };
        Self { class, approvers: class.approvers().max(required).max(1) }
    }

    /// The quorum after an escalation: that of the class above.
    fn escalated(self) -> Self {
        let class = match self.class {
            ApprovalClass::A0 => ApprovalClass::A1,
            ApprovalClass::A1 => ApprovalClass::A2,
            ApprovalClass::A2 | ApprovalClass::A3 => ApprovalClass::A3,
        };
        Self { class, approvers: class.approvers().max(self.approvers) }
    }
}

/// Whether something is approved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ApprovalState {
    /// Approvals are missing.
    Waiting,
    /// Every required approval is there.
    Approved,
    /// There is a rejection.
    Rejected,
}

/// The state of an approval.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ApprovalProgress {
    /// Whether it is approved.
    pub state: ApprovalState,
    /// Whose approval is needed, escalations counted.
    #[serde(flatten)]
    pub need: ApprovalQuorum,
    /// Who has approved and counts.
    pub approved_by: Vec<String>,
    /// Who must still approve.
    pub missing: Vec<Phrase>,
}

impl ApprovalProgress {
    /// Who must still approve, as one phrase.
    pub fn missing_people(&self) -> Phrase {
        Phrase::fold(self.missing.iter().cloned(), dalil_phrasebook::approval::and_also)
    }

    /// The second half of a fault about a missing approval: the count so far, and who is still
    /// needed.
    pub fn found(&self) -> Phrase {
        let missing = self.missing_people();
        match (self.state, self.approved_by.len()) {
            (ApprovalState::Rejected, _) => found::a_rejection(),
            (ApprovalState::Approved | ApprovalState::Waiting, 0) => found::none_from(missing),
            (ApprovalState::Approved | ApprovalState::Waiting, count) => {
                found::approvals_so_far(count, self.missing.len(), missing)
            }
        }
    }
}

/// Adds votes up. A person counts once, and with a title that the class asks for.
pub fn standing(need: ApprovalQuorum, votes: &[ApprovalVote]) -> ApprovalProgress {
    // Escalations first: an approval counts only if its title serves the class that they raise
    // the quorum to, also when it was given before them.
    let escalations = votes.iter().filter(|vote| vote.outcome == VoteOutcome::Escalated).count();
    let need = (0..escalations.min(MAX_ESCALATIONS)).fold(need, |need, _| need.escalated());
    let mut approvals: Vec<&ApprovalVote> = Vec::new();
    for vote in votes.iter().filter(|vote| vote.outcome == VoteOutcome::Approved) {
        // Names that look alike count as one person: a second spelling must not be a second vote.
        let known = approvals.iter().any(|one| is_confusable_with(&one.approver, &vote.approver));
        if !known && may_approve(need.class, &vote.titles) {
            approvals.push(vote);
        }
    }
    let missing = missing(need, &approvals);
    let state = if votes.iter().any(|vote| vote.outcome == VoteOutcome::Rejected) {
        ApprovalState::Rejected
    } else if missing.is_empty() {
        ApprovalState::Approved
    } else {
        ApprovalState::Waiting
    };
    let approved_by = approvals.iter().map(|vote| vote.approver.clone()).collect();
    ApprovalProgress { state, need, approved_by, missing }
}

/// Whether one of these titles may approve this class, alone or with others.
pub fn may_approve(class: ApprovalClass, titles: &BTreeSet<MemberTitle>) -> bool {
    match eligible(class) {
        None => true,
        Some(eligible) => eligible.iter().any(|title| titles.contains(title)),
    }
}

/// Refuses an approver whose titles are not those that the class asks for.
///
/// # Errors
/// `title`, at `path`.
pub fn allow(
    class: ApprovalClass,
    name: &str,
    titles: &BTreeSet<MemberTitle>,
    path: &str,
) -> Result<(), Fault> {
    if may_approve(class, titles) {
        return Ok(());
    }
    let expected = expected::approver_for_class(wanted(class), format_args!("{class:?}"));
    let found = found::member_with_titles(quote(name), words(titles));
    Err(Fault::new("title", path, expected, found))
}

/// Who approves a class, as a person reads it.
pub const fn wanted(class: ApprovalClass) -> Phrase {
    match class {
        ApprovalClass::A0 => dalil_phrasebook::approval::anybody_who_may_review(),
        ApprovalClass::A1 => dalil_phrasebook::approval::a_manager_or_above(),
        ApprovalClass::A2 => dalil_phrasebook::approval::a_department_head_and_legal_or_finance(),
        ApprovalClass::A3 => dalil_phrasebook::approval::two_of_the_executives_or_the_board(),
    }
}

/// The titles that may approve a class; `None` means every member who may review.
const fn eligible(class: ApprovalClass) -> Option<&'static [MemberTitle]> {
    match class {
        ApprovalClass::A0 => None,
        ApprovalClass::A1 => Some(&[
            MemberTitle::Manager,
            MemberTitle::DepartmentHead,
            MemberTitle::Executive,
            MemberTitle::Board,
        ]),
        ApprovalClass::A2 => {
            Some(&[MemberTitle::DepartmentHead, MemberTitle::Legal, MemberTitle::Finance])
        }
        ApprovalClass::A3 => Some(&[MemberTitle::Executive, MemberTitle::Board]),
    }
}

/// Who must still approve, one entry for each person.
fn missing(need: ApprovalQuorum, approvals: &[&ApprovalVote]) -> Vec<Phrase> {
    let required = usize::from(need.approvers);
    let mut missing = Vec::new();
    if need.class == ApprovalClass::A2 {
        let is_head = |vote: &&&ApprovalVote| vote.titles.contains(&MemberTitle::DepartmentHead);
        let is_checker =
            |vote: &&&ApprovalVote| !vote.titles.is_disjoint(&BTreeSet::from(CHECKER_TITLES));
        if !approvals.iter().any(|vote| is_head(&vote)) {
            missing.push(dalil_phrasebook::approval::a_department_head());
        }
        if !approvals.iter().any(|vote| is_checker(&vote)) {
            missing.push(dalil_phrasebook::approval::legal_or_finance());
        }
    }
    // One person may be both head and checker; the count still asks for a second person.
    let counted = approvals.len() + missing.len();
    let more = required.saturating_sub(counted);
    let one = match need.class {
        ApprovalClass::A0 => dalil_phrasebook::approval::a_reviewer(),
        ApprovalClass::A1 => dalil_phrasebook::approval::a_manager_or_above(),
        ApprovalClass::A2 => dalil_phrasebook::approval::a_department_head_or_legal_or_finance(),
        ApprovalClass::A3 => dalil_phrasebook::approval::an_executive_or_a_member_of_the_board(),
    };
    missing.extend(std::iter::repeat_n(one, more));
    missing
}

/// The classes of an export: a party's commercial data leaves the system.
pub const EXPORT_CLASSES: DecisionClasses =
    DecisionClasses::new(ApprovalClass::A1, ReversibilityClass::R2, SensitivityClass::S2);

/// The approvals that an export needs. Regulated or personal data is exported as
/// the contract's `sensitive_data_export` is.
pub fn export_need(sensitivity: SensitivityClass) -> ApprovalQuorum {
    let classes = match sensitivity {
        SensitivityClass::S0 | SensitivityClass::S1 | SensitivityClass::S2 => EXPORT_CLASSES,
        SensitivityClass::S3 => DecisionClasses::of_action("sensitive_data_export"),
    };
    ApprovalQuorum::of(classes.approval, classes.approval.approvers())
}

/// The approvals that the export of a ledger needs: a reason and a record, and no second person. A
/// viewer of the ledger sees the same content.
pub const LEDGER_EXPORT_NEED: ApprovalQuorum =
    ApprovalQuorum { class: ApprovalClass::A0, approvers: 0 };

/// The approvals that an erasure needs: one person, whatever their title. The role of an admin is
/// what counts.
pub const ERASURE_NEED: ApprovalQuorum = ApprovalQuorum { class: ApprovalClass::A0, approvers: 1 };

/// The titles that check a department head's approval.
const CHECKER_TITLES: [MemberTitle; 2] = [MemberTitle::Legal, MemberTitle::Finance];
/// From A0 to A3.
const MAX_ESCALATIONS: usize = 3;
