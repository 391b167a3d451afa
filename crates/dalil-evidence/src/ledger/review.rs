//! Reviews of claims: human judgements about the claims of a ledger, and the state of an answer
//! after them.
//!
//! A ledger never changes. A review of one of its claims is a record of its own, which names the
//! ledger, so that it applies to no other check of the same answer.

use std::collections::BTreeMap;

use dalil_phrasebook::{Phrase, expected, found, ledger_view};
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::fault::{Fault, Refused, quoted};
use dalil_proof::time::Time;
use serde::Serialize;

use super::issue::IssueKind;
use super::verdict::Verdict;
use super::{ClaimFinding, LedgerContent};
use crate::approval;

#[cfg(test)]
mod tests;

/// A person's action on a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ClaimReviewAction {
    /// The verdict is right.
    Agreed,
    /// The verdict is wrong.
    Disagreed,
    /// Settles the claim: it may be relied on as the words say.
    Resolved,
    /// A comment without a decision.
    Commented,
    /// Another person is asked to look.
    Assigned,
}

impl ClaimReviewAction {
    /// Every action with the word it is written as.
    pub const WIRE_NAMES: &[(&'static str, Self)] = &[
        ("agreed", Self::Agreed),
        ("disagreed", Self::Disagreed),
        ("resolved", Self::Resolved),
        ("commented", Self::Commented),
        ("assigned", Self::Assigned),
    ];

    /// Whether others could not follow it without words.
    pub const fn needs_reason(self) -> bool {
        match self {
            Self::Disagreed | Self::Resolved | Self::Commented => true,
            Self::Agreed | Self::Assigned => false,
        }
    }
}

/// One person's review of one claim: the commitment of a `claim.reviewed` record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClaimReview {
    /// The ledger that has the claim.
    pub ledger_id: String,
    /// The claim.
    pub claim_id: String,
    /// The action.
    pub action: ClaimReviewAction,
    /// Who.
    pub reviewer: String,
    /// When.
    pub at: Time,
    /// Who is asked to look.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assigned_to: Option<String>,
    /// Why, in the reviewer's own words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl ClaimReview {
    /// Parses the committed bytes of a record.
    ///
    /// # Errors
    /// Every fault in them.
    pub fn parse(bytes: &[u8]) -> Result<Self, Refused> {
        decode::request(bytes, |reader| {
            let mut fields = reader.object()?;
            let order = ClaimReviewOrder::members(&mut fields);
            let reviewer = fields.required("reviewer", decode::label);
            let at = fields.required("at", decode::time);
            fields.done()?;
            let ClaimReviewOrder { ledger_id, claim_id, action, assigned_to, reason } =
                order?.whole(reader)?;
            let (reviewer, at) = (reviewer?, at?);
            Some(Self { ledger_id, claim_id, action, reviewer, at, assigned_to, reason })
        })
    }
}

/// A request to record a review of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimReviewOrder {
    /// The ledger that the person looked at.
    pub ledger_id: String,
    /// The claim.
    pub claim_id: String,
    /// The action.
    pub action: ClaimReviewAction,
    /// Who is asked to look.
    pub assigned_to: Option<String>,
    /// Why.
    pub reason: Option<String>,
}

impl ClaimReviewOrder {
    /// Reads `{"ledger_id","claim_id","action","assigned_to"?,"reason"?}`.
    ///
    /// # Errors
    /// Every fault in it, such as a missing reason, or an assignee without an assignment.
    pub fn parse(bytes: &[u8]) -> Result<Self, Refused> {
        decode::request(bytes, |reader| {
            let mut fields = reader.object()?;
            let order = Self::members(&mut fields);
            fields.done()?;
            order?.whole(reader)
        })
    }

    fn members(fields: &mut decode::JsonFields<'_, '_>) -> Option<Self> {
        let ledger_id = fields.required("ledger_id", decode::label);
        let claim_id = fields.required("claim_id", decode::label);
        let action = fields.required("action", |word| word.choice(ClaimReviewAction::WIRE_NAMES));
        let assigned_to = fields.optional("assigned_to", decode::label);
        let reason = fields.optional("reason", approval::reason);
        let (ledger_id, claim_id, action) = (ledger_id?, claim_id?, action?);
        Some(Self { ledger_id, claim_id, action, assigned_to: assigned_to?, reason: reason? })
    }

    /// The order, if it has the fields of its action and no field of another one.
    fn whole(self, reader: JsonReader<'_, '_>) -> Option<Self> {
        let is_assigned = self.action == ClaimReviewAction::Assigned;
        let refuse = |name: &'static str, expected: Phrase, found: Phrase| {
            reader.push::<()>(Fault::new(name, reader.member(name), expected, found))
        };
        match &self.assigned_to {
            None if is_assigned => {
                refuse("assigned_to", expected::who_is_asked_to_look(), found::nobody())?;
            }
            Some(name) if !is_assigned => {
                refuse("assigned_to", expected::nobody_unless_assigned(), quoted(name))?;
            }
            _ => {}
        }
        if self.action.needs_reason() && self.reason.is_none() {
            refuse("reason", expected::words_that_others_can_follow(), found::none())?;
        }
        Some(self)
    }
}

/// The states of the reviewed claims of a ledger.
#[derive(Clone, Debug)]
pub struct ClaimStandings<'r>(BTreeMap<&'r str, ClaimStanding<'r>>);

impl<'r> ClaimStandings<'r> {
    /// Those of a ledger; `reviews` are in order of time. Those of other ledgers do not count:
    /// another ledger of the session may have another claim under the same name.
    pub fn new(reviews: &'r [ClaimReview], ledger_id: &str) -> Self {
        let mut standings: BTreeMap<&str, ClaimStanding<'_>> = BTreeMap::new();
        for review in reviews.iter().filter(|one| one.ledger_id == ledger_id) {
            standings.entry(&review.claim_id).or_default().add(review);
        }
        Self(standings)
    }

    /// The state of a claim.
    pub fn of(&self, claim_id: &str) -> ClaimStanding<'r> {
        self.0.get(claim_id).copied().unwrap_or_default()
    }
}

/// The state of a claim after its reviews.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClaimStanding<'r> {
    /// The last word that decides.
    pub decided: Option<&'r ClaimReview>,
    /// The last assignment without a later decision.
    pub assigned: Option<&'r ClaimReview>,
}

impl<'r> ClaimStanding<'r> {
    fn add(&mut self, review: &'r ClaimReview) {
        match review.action {
            ClaimReviewAction::Assigned => self.assigned = Some(review),
            ClaimReviewAction::Commented => {}
            ClaimReviewAction::Agreed
            | ClaimReviewAction::Disagreed
            | ClaimReviewAction::Resolved => {
                *self = Self { decided: Some(review), assigned: None };
            }
        }
    }

    /// The reviews that decide the state of the claim.
    pub fn counted(&self) -> impl Iterator<Item = &'r ClaimReview> + use<'r> {
        [self.decided, self.assigned].into_iter().flatten()
    }

    /// The remaining work on a claim with this finding.
    pub fn need(&self, finding: &ClaimFinding) -> ClaimNeed {
        self.need_on(ClaimGround::of(finding))
    }

    /// The remaining work on a claim with this ground.
    pub fn need_on(&self, ground: ClaimGround) -> ClaimNeed {
        // An assignment reopens an earlier decision.
        if self.assigned.is_some() {
            return ClaimNeed::Person;
        }
        match (self.decided.map(|review| review.action), ground) {
            (Some(ClaimReviewAction::Resolved), _)
            | (Some(ClaimReviewAction::Agreed), ClaimGround::Clear | ClaimGround::Doubtful)
            | (None, ClaimGround::Clear) => ClaimNeed::Nothing,
            // A person agrees that it is not supported: seen, but nothing to rely on.
            (Some(ClaimReviewAction::Agreed), ClaimGround::Unsupported) => ClaimNeed::Correction,
            (None, ClaimGround::Doubtful | ClaimGround::Unsupported)
            | (
                Some(
                    ClaimReviewAction::Disagreed
                    | ClaimReviewAction::Commented
                    | ClaimReviewAction::Assigned,
                ),
                _,
            ) => ClaimNeed::Person,
        }
    }
}

/// The part of a finding that decides the remaining work on its claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimGround {
    /// It is supported.
    Clear,
    /// It is supported, and a person should see by what: sources disagree, or a reader of the
    /// document does not see the passage.
    Doubtful,
    /// It is not supported.
    Unsupported,
}

impl ClaimGround {
    /// The ground of a finding.
    pub fn of(finding: &ClaimFinding) -> Self {
        match finding.verdict {
            Verdict::Supported if is_doubtful(finding) => Self::Doubtful,
            Verdict::Supported => Self::Clear,
            Verdict::Weak | Verdict::Contradicted | Verdict::NotFound => Self::Unsupported,
        }
    }
}

fn is_doubtful(finding: &ClaimFinding) -> bool {
    finding.issues.iter().any(|issue| match issue.kind {
        IssueKind::ConflictingSources | IssueKind::MayConflict | IssueKind::HiddenEvidence => true,
        IssueKind::UnresolvedCitation | IssueKind::UnrelatedCitation | IssueKind::MissingPart => {
            false
        }
    })
}

/// The remaining work on a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimNeed {
    /// It can be relied on.
    Nothing,
    /// A person has yet to look.
    Person,
    /// A person looked, and agrees that it does not hold.
    Correction,
}

/// The state of an answer as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "state", content = "claims", rename_all = "snake_case")]
pub enum AnswerReadiness {
    /// There is no claim to check.
    NothingToCheck,
    /// This many claims need a person.
    NeedsPerson(usize),
    /// People reviewed every claim that needed it; this many are wrong.
    NeedsCorrection(usize),
    /// Every claim can be relied on.
    Ready,
}

impl AnswerReadiness {
    /// The state of a ledger's answer after reviews in order of time.
    pub fn of(ledger: &LedgerContent, ledger_id: &str, reviews: &[ClaimReview]) -> Self {
        let standings = ClaimStandings::new(reviews, ledger_id);
        let findings = ledger.entries.iter().map(|entry| &entry.finding);
        Self::of_needs(findings.map(|finding| standings.of(&finding.claim_id).need(finding)))
    }

    /// The state of an answer from the remaining work on each of its claims.
    pub fn of_needs(needs: impl Iterator<Item = ClaimNeed>) -> Self {
        let needs: Vec<ClaimNeed> = needs.collect();
        let count = |need: ClaimNeed| needs.iter().filter(|one| **one == need).count();
        match (needs.len(), count(ClaimNeed::Person), count(ClaimNeed::Correction)) {
            (0, _, _) => Self::NothingToCheck,
            (_, 0, 0) => Self::Ready,
            (_, 0, wrong) => Self::NeedsCorrection(wrong),
            (_, open, _) => Self::NeedsPerson(open),
        }
    }

    /// In a sentence.
    pub fn phrase(self) -> Phrase {
        match self {
            Self::NothingToCheck => ledger_view::nothing_to_check(),
            Self::NeedsPerson(1) => ledger_view::one_claim_needs_a_person(),
            Self::NeedsPerson(count) => ledger_view::claims_need_a_person(count),
            Self::NeedsCorrection(1) => ledger_view::one_claim_needs_correction(),
            Self::NeedsCorrection(count) => ledger_view::claims_need_correction(count),
            Self::Ready => ledger_view::ready_to_rely_on(),
        }
    }
}
