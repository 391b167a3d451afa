//! Approvals: how many people, and which, must approve what a decision proposes.
//!
//! A1 wants a manager; A2 a department head, and somebody of legal or finance;
//! A3 two of the executives or the board. A rejection beats an escalation, which
//! beats every approval; the highest number of approvers asked for wins.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::access::{Title, same_name, words};
use crate::class::{Approval, Classes, Reversibility, Sensitivity};
use crate::fault::{Fault, Refused, quote};
use crate::read::{self, Reader};
use crate::time::Time;

#[cfg(test)]
mod tests;

/// What a reviewer says, from the mildest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// It may go ahead.
    Approved,
    /// Somebody higher must say.
    Escalated,
    /// It may not go ahead.
    Rejected,
}

impl Outcome {
    /// Every outcome with the word it is written as.
    pub const WORDS: &[(&'static str, Self)] = &[
        ("approved", Self::Approved),
        ("escalated", Self::Escalated),
        ("rejected", Self::Rejected),
    ];
}

/// What one person said about a pack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Vote {
    /// Who.
    pub approver: String,
    /// What.
    pub outcome: Outcome,
    /// The titles that the approver had.
    pub titles: BTreeSet<Title>,
    /// When.
    pub at: Time,
}

impl Vote {
    /// Reads what a `pack.reviewed` record commits to.
    ///
    /// # Errors
    /// Every fault in it.
    pub fn parse(bytes: &[u8]) -> Result<Self, Refused> {
        read::request(bytes, Self::read)
    }

    pub(crate) fn read(reader: Reader<'_, '_>) -> Option<Self> {
        let mut fields = reader.object()?;
        let approver = fields.required("approver", read::label);
        let outcome = fields.required("outcome", |outcome| outcome.choice(Outcome::WORDS));
        let titles = fields.required("titles", |list| list.list(Title::read));
        let at = fields.required("at", read::time);
        fields.done()?;
        let titles = titles?.into_iter().collect();
        Some(Self { approver: approver?, outcome: outcome?, titles, at: at? })
    }
}

/// Whose approval is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Need {
    /// The class, which says who.
    #[serde(rename = "approval_class")]
    pub class: Approval,
    /// How many of them.
    #[serde(rename = "required_approvers")]
    pub approvers: u8,
}

impl Need {
    /// What a class and a number of approvers ask for, whichever is more. A review
    /// is by one person at least, and by a manager when any rule asks for people.
    pub fn of(class: Approval, required: u8) -> Self {
        let class = if required > 0 { class.max(Approval::A1) } else { class };
        Self { class, approvers: class.approvers().max(required).max(1) }
    }

    /// What an escalation makes of it: the class above.
    fn escalated(self) -> Self {
        let class = match self.class {
            Approval::A0 => Approval::A1,
            Approval::A1 => Approval::A2,
            Approval::A2 | Approval::A3 => Approval::A3,
        };
        Self { class, approvers: class.approvers().max(self.approvers) }
    }
}

/// Whether something is approved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Somebody must still approve.
    Waiting,
    /// Everybody has who must.
    Approved,
    /// Somebody has said no.
    Rejected,
}

/// How the approval of something stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Standing {
    /// Whether it is approved.
    pub state: State,
    /// Whose approval is needed, escalations counted.
    #[serde(flatten)]
    pub need: Need,
    /// Who has approved and counts.
    pub approved_by: Vec<String>,
    /// Who must still approve.
    pub missing: Vec<String>,
}

impl Standing {
    /// What was found instead of an approval: how many there are so far, and who is still needed.
    pub fn found(&self) -> String {
        let missing = self.missing.join("; ");
        match (self.state, self.approved_by.len()) {
            (State::Rejected, _) => "a rejection".to_owned(),
            (State::Approved | State::Waiting, 0) => format!("none from {missing}"),
            (State::Approved | State::Waiting, count) => {
                let more = self.missing.len();
                format!("{count} so far, {more} more needed: {missing}")
            }
        }
    }
}

/// Adds votes up. A person counts once, and with a title that the class asks for.
pub fn standing(need: Need, votes: &[Vote]) -> Standing {
    let escalations = votes.iter().filter(|vote| vote.outcome == Outcome::Escalated).count();
    let need = (0..escalations.min(MOST_STEPS)).fold(need, |need, _| need.escalated());
    let mut approvals: Vec<&Vote> = Vec::new();
    for vote in votes.iter().filter(|vote| vote.outcome == Outcome::Approved) {
        let known = approvals.iter().any(|one| same_name(&one.approver, &vote.approver));
        if !known && may_approve(need.class, &vote.titles) {
            approvals.push(vote);
        }
    }
    let missing = missing(need, &approvals);
    let state = if votes.iter().any(|vote| vote.outcome == Outcome::Rejected) {
        State::Rejected
    } else if missing.is_empty() {
        State::Approved
    } else {
        State::Waiting
    };
    let approved_by = approvals.iter().map(|vote| vote.approver.clone()).collect();
    Standing { state, need, approved_by, missing }
}

/// Whether one of these titles may approve, alone or with others, what is of this class.
pub fn may_approve(class: Approval, titles: &BTreeSet<Title>) -> bool {
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
    class: Approval,
    name: &str,
    titles: &BTreeSet<Title>,
    path: &str,
) -> Result<(), Fault> {
    if may_approve(class, titles) {
        return Ok(());
    }
    let expected = format!("{}, for class {class:?}", wanted(class));
    let found = format!("{}, who has {}", quote(name), words(titles));
    Err(Fault::new("title", path, expected, found))
}

/// Who approves a class, as a person reads it.
pub const fn wanted(class: Approval) -> &'static str {
    match class {
        Approval::A0 => "anybody who may review",
        Approval::A1 => "a manager or above",
        Approval::A2 => "a department head, and legal or finance",
        Approval::A3 => "two of the executives or the board",
    }
}

/// The titles that may approve a class; none means anybody who may review.
const fn eligible(class: Approval) -> Option<&'static [Title]> {
    match class {
        Approval::A0 => None,
        Approval::A1 => {
            Some(&[Title::Manager, Title::DepartmentHead, Title::Executive, Title::Board])
        }
        Approval::A2 => Some(&[Title::DepartmentHead, Title::Legal, Title::Finance]),
        Approval::A3 => Some(&[Title::Executive, Title::Board]),
    }
}

/// Who must still approve, one entry for each person.
fn missing(need: Need, approvals: &[&Vote]) -> Vec<String> {
    let required = usize::from(need.approvers);
    let mut missing = Vec::new();
    if need.class == Approval::A2 {
        let is_head = |vote: &&&Vote| vote.titles.contains(&Title::DepartmentHead);
        let is_checker = |vote: &&&Vote| !vote.titles.is_disjoint(&BTreeSet::from(CHECKERS));
        if !approvals.iter().any(|vote| is_head(&vote)) {
            missing.push("a department head".to_owned());
        }
        if !approvals.iter().any(|vote| is_checker(&vote)) {
            missing.push("legal or finance".to_owned());
        }
    }
    let counted = approvals.len() + missing.len();
    let more = required.saturating_sub(counted);
    let one = match need.class {
        Approval::A0 => "a reviewer",
        Approval::A1 => "a manager or above",
        Approval::A2 => "a department head, or legal or finance",
        Approval::A3 => "an executive or a member of the board",
    };
    missing.extend(std::iter::repeat_n(one.to_owned(), more));
    missing
}

/// The classes of an export: somebody's commercial data leaves the system.
pub const EXPORT: Classes = Classes::new(Approval::A1, Reversibility::R2, Sensitivity::S2);

/// Whose approval an export needs. What is regulated or personal is exported as
/// the founders' `sensitive_data_export` is.
pub fn export_need(sensitivity: Sensitivity) -> Need {
    let classes = match sensitivity {
        Sensitivity::S0 | Sensitivity::S1 | Sensitivity::S2 => EXPORT,
        Sensitivity::S3 => Classes::of_action("sensitive_data_export"),
    };
    Need::of(classes.approval, classes.approval.approvers())
}

/// Who checks what a department head approves.
const CHECKERS: [Title; 2] = [Title::Legal, Title::Finance];
/// From A0 to A3.
const MOST_STEPS: usize = 3;
