//! Policy: whether a decision needs a pack, who must approve it, and every reason why.

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
    /// Somebody may want to audit it.
    Recommended,
    /// It is routine.
    Skip,
}

/// What policy says about a decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DecisionAssessment {
    /// Whether it needs a pack.
    pub requirement: PackRequirement,
    /// Every reason for that. Never empty.
    pub reasons: Vec<String>,
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

/// What policy says about an action that a decision proposes.
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
    let (mut requirement, mut reasons) = requirement(classes, decision.confidence);
    let missing = decision.classes.missing();
    if !missing.is_empty() {
        requirement = PackRequirement::Mandatory;
        // First, since a class that is not known is why the strictest was taken.
        reasons.splice(0..0, missing);
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
) -> (PackRequirement, Vec<String>) {
    let DecisionClasses { approval, reversibility, sensitivity } = classes;
    let mut reasons = Vec::new();
    if approval >= ApprovalClass::A2 {
        reasons.push(format!("approval class {approval:?} makes a pack mandatory"));
    }
    if reversibility == ReversibilityClass::R3 {
        reasons.push("reversibility class R3 makes a pack mandatory".to_owned());
    }
    if sensitivity == SensitivityClass::S3 {
        reasons.push("sensitivity class S3 makes a pack mandatory".to_owned());
    }
    if let Some(low) =
        confidence.filter(|score| classes.high_stakes() && *score < MIN_HIGH_STAKES_CONFIDENCE)
    {
        reasons.push(format!(
            "confidence {low} is below {MIN_HIGH_STAKES_CONFIDENCE} on a high-stakes decision"
        ));
    }
    if !reasons.is_empty() {
        return (PackRequirement::Mandatory, reasons);
    }
    let routine =
        DecisionClasses::new(ApprovalClass::A0, ReversibilityClass::R0, SensitivityClass::S0);
    if classes == routine {
        return (PackRequirement::Skip, vec!["A0 R0 S0 is routine".to_owned()]);
    }
    // A2 and A3 have returned above, so the second arm is about A1.
    let reason = match approval {
        ApprovalClass::A0 => {
            format!("{approval:?} {reversibility:?} {sensitivity:?} is more than routine")
        }
        ApprovalClass::A1 | ApprovalClass::A2 | ApprovalClass::A3 => {
            "approval class A1: a manager may want to audit it".to_owned()
        }
    };
    (PackRequirement::Recommended, vec![reason])
}

/// The confidence that a high-stakes decision must have: 0.7.
const MIN_HIGH_STAKES_CONFIDENCE: Score = match Score::from_units(7000) {
    Some(score) => score,
    None => Score::ONE,
};
