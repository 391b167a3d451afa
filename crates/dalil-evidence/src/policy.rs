//! Policy: whether a decision needs a pack, who must approve it, and every reason why.

use dalil_phrasebook::{Phrase, pack_reason};
use dalil_proof::decode;
use dalil_proof::fault::Refused;
use dalil_proof::score::Score;
use serde::Serialize;

use crate::decision::{self, Decision};
use crate::decision_class::{ApprovalClass, DecisionClasses, ReversibilityClass, SensitivityClass};
pub use crate::policy::route::{PolicyRoute, RoutingContext, RoutingOutcome, RoutingRule, routes};

mod route;
#[cfg(test)]
mod tests;

/// Whether a decision needs a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PackRequirement {
    /// It must have one.
    Mandatory,
    /// An auditor may want to see it.
    Recommended,
    /// It is routine.
    Skip,
}

/// Why a decision needs a pack, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackReason {
    /// Its approval class makes a pack mandatory.
    Approval(ApprovalClass),
    /// It cannot be undone.
    Irreversible,
    /// It is about regulated or personal data.
    Regulated,
    /// It has high stakes, and this confidence is too low for it.
    LowConfidence(Score),
    /// A manager may want to audit it.
    Audit,
    /// It needs no approval, but is more than routine.
    MoreThanRoutine(DecisionClasses),
    /// It is routine.
    Routine(DecisionClasses),
}

impl PackReason {
    /// The sentence a person reads.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Approval(class) => pack_reason::approval_class(format_args!("{class:?}")),
            Self::Irreversible => {
                pack_reason::reversibility_class(format_args!("{:?}", ReversibilityClass::R3))
            }
            Self::Regulated => {
                pack_reason::sensitivity_class(format_args!("{:?}", SensitivityClass::S3))
            }
            Self::LowConfidence(low) => {
                pack_reason::low_confidence(low, MIN_HIGH_STAKES_CONFIDENCE)
            }
            Self::Audit => pack_reason::a_manager_may_want_to_audit_it(),
            Self::MoreThanRoutine(classes) => pack_reason::is_more_than_routine(classes.label()),
            Self::Routine(classes) => pack_reason::is_routine(classes.label()),
        }
    }
}

/// The result of the policy for a decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DecisionAssessment {
    /// Whether it needs a pack.
    pub requirement: PackRequirement,
    /// Every reason for that. Never empty.
    pub reasons: Vec<Phrase>,
    /// Whether it is A2 or A3, R3, or S3.
    pub high_stakes: bool,
    /// How many people its approval class asks for.
    pub approvers: u8,
    /// The strictest outcome of all routes.
    pub outcome: RoutingOutcome,
    /// The first rule with that outcome.
    pub rule: RoutingRule,
    /// How many people must approve: the most that any route asks for, and never
    /// fewer than `approvers`.
    pub required_approvers: u8,
    /// Every rule that applies, in order of precedence. Never empty.
    pub routes: Vec<PolicyRoute>,
    /// The same for each action that the decision proposes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub next_actions: Vec<ActionAssessment>,
}

/// The result of the policy for an action that a decision proposes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ActionAssessment {
    /// The type of action.
    pub action_type: String,
    /// The strictest outcome of all routes.
    pub outcome: RoutingOutcome,
    /// The first rule with that outcome.
    pub rule: RoutingRule,
    /// How many people must approve.
    pub required_approvers: u8,
    /// Every rule that applies, in order of precedence. Never empty.
    pub routes: Vec<PolicyRoute>,
}

/// Reads a decision and assesses it. Everything in it is optional; a class that
/// is missing counts as the strictest.
///
/// # Errors
/// Every fault in the request.
pub fn assess(request: &[u8]) -> Result<DecisionAssessment, Refused> {
    let decision = decode::request(request, |reader| {
        decision::read(reader, decision::check_evidence_shape, |_, _| Some(()))
    })?;
    Ok(assess_decision(&decision))
}

fn assess_decision(decision: &Decision<()>) -> DecisionAssessment {
    let classes = decision.classes.or_strictest();
    let (mut requirement, reasons) = requirement(classes, decision.confidence);
    let mut reasons: Vec<Phrase> = reasons.iter().map(PackReason::phrase).collect();
    let missing = decision.classes.missing();
    if !missing.is_empty() {
        requirement = PackRequirement::Mandatory;
        // First, since a class that is not known is why the strictest was taken.
        reasons.splice(0..0, missing.into_iter().map(Phrase::verbatim));
    }
    let situation = RoutingContext {
        action_type: decision.action_type.as_deref(),
        classes,
        has_evidence: !decision.evidence.is_empty(),
        has_pdpl_check: decision.pdpl_check,
        high_stakes: classes.high_stakes(),
        confidence: decision.confidence,
    };
    let routes = routes(&situation);
    let proposal = |action: &decision::ProposedAction| {
        let classes = action.classes.or_strictest();
        // Classes and lawful basis are those of the action; the rest is that of the decision.
        let routes = route::routes(&RoutingContext {
            action_type: Some(&action.action_type),
            classes,
            has_pdpl_check: action.pdpl_check,
            ..situation
        });
        let (outcome, rule) = route::strictest(&routes);
        let required_approvers = route::approvers(&routes);
        let action_type = action.action_type.clone();
        ActionAssessment { action_type, outcome, rule, required_approvers, routes }
    };
    let (outcome, rule) = route::strictest(&routes);
    DecisionAssessment {
        requirement,
        reasons,
        high_stakes: classes.high_stakes(),
        approvers: classes.approval.approvers(),
        outcome,
        rule,
        required_approvers: route::approvers(&routes),
        next_actions: decision.next_actions.iter().map(proposal).collect(),
        routes,
    }
}

/// Whether a decision of these classes needs a pack, and every reason.
pub fn requirement(
    classes: DecisionClasses,
    confidence: Option<Score>,
) -> (PackRequirement, Vec<PackReason>) {
    let DecisionClasses { approval, reversibility, sensitivity } = classes;
    let low =
        confidence.filter(|score| classes.high_stakes() && *score < MIN_HIGH_STAKES_CONFIDENCE);
    let reasons = [
        (approval >= ApprovalClass::A2).then_some(PackReason::Approval(approval)),
        (reversibility == ReversibilityClass::R3).then_some(PackReason::Irreversible),
        (sensitivity == SensitivityClass::S3).then_some(PackReason::Regulated),
        low.map(PackReason::LowConfidence),
    ];
    let reasons: Vec<PackReason> = reasons.into_iter().flatten().collect();
    if !reasons.is_empty() {
        return (PackRequirement::Mandatory, reasons);
    }
    let routine =
        DecisionClasses::new(ApprovalClass::A0, ReversibilityClass::R0, SensitivityClass::S0);
    if classes == routine {
        return (PackRequirement::Skip, vec![PackReason::Routine(classes)]);
    }
    // A2 and A3 have returned above, so the second arm is about A1.
    let reason = match approval {
        ApprovalClass::A0 => PackReason::MoreThanRoutine(classes),
        ApprovalClass::A1 | ApprovalClass::A2 | ApprovalClass::A3 => PackReason::Audit,
    };
    (PackRequirement::Recommended, vec![reason])
}

/// The confidence that a high-stakes decision must have: 0.7.
pub const MIN_HIGH_STAKES_CONFIDENCE: Score = match Score::from_units(7000) {
    Some(score) => score,
    None => Score::ONE,
};
