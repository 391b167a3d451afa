//! Routing: every rule that applies to an action, in order of precedence.

use dalil_proof::score::Score;
use serde::Serialize;

use crate::decision_class::{
    ApprovalClass, DecisionClasses, ReversibilityClass, SensitivityClass, never_automatic,
};
use crate::policy::MIN_HIGH_STAKES_CONFIDENCE;

/// The possible outcomes for an action, from the mildest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RoutingOutcome {
    /// It may go ahead.
    Allow,
    /// People must approve it.
    Escalate,
    /// It may not go ahead.
    Deny,
}

/// A rule of routing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RoutingRule {
    /// Some types of action always wait for people.
    NeverAutoExecute,
    /// What cannot be undone always waits for people.
    R3BlocksAuto,
    /// A2 and A3 must carry evidence.
    A2PlusRequiresEvidence,
    /// Personal data needs a check of its lawful basis.
    S3RequiresPdplCheck,
    /// A high-stakes decision must be sure of itself.
    LowConfidenceHighStakes,
    /// A1 and above wait for their approvers.
    ApprovalClassRouting,
    /// No other rule applies.
    DefaultAllow,
}

/// A rule that applies, and its requirements.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PolicyRoute {
    /// The rule.
    pub rule: RoutingRule,
    /// Its outcome.
    pub outcome: RoutingOutcome,
    /// How many people it asks for.
    pub approvers: u8,
    /// Why, in one sentence.
    pub reason: String,
}

/// An action and the decision that proposes it, as far as routing looks.
#[derive(Clone, Copy, Debug)]
pub struct RoutingContext<'s> {
    /// The type of action, when it is named.
    pub action_type: Option<&'s str>,
    /// The classes of the action.
    pub classes: DecisionClasses,
    /// Whether the decision carries evidence.
    pub has_evidence: bool,
    /// Whether the lawful basis for personal data was checked.
    pub has_pdpl_check: bool,
    /// Whether the decision is high-stakes.
    pub high_stakes: bool,
    /// How sure the decision is of itself; not knowing counts as unsure.
    pub confidence: Option<Score>,
}

/// Every rule that applies, in order of precedence. Never empty.
pub fn routes(situation: &RoutingContext<'_>) -> Vec<PolicyRoute> {
    let routes: Vec<PolicyRoute> =
        RULE_PRECEDENCE.iter().filter_map(|rule| apply(*rule, situation)).collect();
    if routes.is_empty() {
        return vec![PolicyRoute {
            rule: RoutingRule::DefaultAllow,
            outcome: RoutingOutcome::Allow,
            approvers: 0,
            reason: "no rule stands in the way".to_owned(),
        }];
    }
    routes
}

/// The strictest outcome of routes and the first rule that gives it.
pub(super) fn strictest(routes: &[PolicyRoute]) -> (RoutingOutcome, RoutingRule) {
    let first = (RoutingOutcome::Allow, RoutingRule::DefaultAllow);
    // Strictly stricter, so that of equal outcomes the rule of highest precedence is named.
    routes.iter().fold(first, |strictest, route| {
        if route.outcome > strictest.0 { (route.outcome, route.rule) } else { strictest }
    })
}

/// The most approvers that any route asks for. The routing of the approval class
/// is one of them, so it is never fewer than the class asks for.
pub(super) fn approvers(routes: &[PolicyRoute]) -> u8 {
    routes.iter().map(|route| route.approvers).max().unwrap_or(0)
}

fn apply(rule: RoutingRule, situation: &RoutingContext<'_>) -> Option<PolicyRoute> {
    let RoutingContext {
        action_type,
        classes,
        has_evidence,
        has_pdpl_check,
        high_stakes,
        confidence,
    } = *situation;
    let DecisionClasses { approval, reversibility, sensitivity } = classes;
    let unsure = confidence.is_none_or(|score| score < MIN_HIGH_STAKES_CONFIDENCE);
    let (applies, outcome, approvers, reason) = match rule {
        RoutingRule::NeverAutoExecute => (
            action_type.is_some_and(never_automatic),
            RoutingOutcome::Escalate,
            2,
            "this type of action is never carried out without executive approval".to_owned(),
        ),
        RoutingRule::R3BlocksAuto => (
            reversibility == ReversibilityClass::R3,
            RoutingOutcome::Escalate,
            approval.approvers().max(1),
            "reversibility class R3 requires human approval".to_owned(),
        ),
        // No number of approvers replaces evidence, so this rule denies.
        RoutingRule::A2PlusRequiresEvidence => (
            approval >= ApprovalClass::A2 && !has_evidence,
            RoutingOutcome::Deny,
            0,
            format!("approval class {approval:?} requires evidence, and there is none"),
        ),
        RoutingRule::S3RequiresPdplCheck => (
            sensitivity == SensitivityClass::S3 && !has_pdpl_check,
            RoutingOutcome::Escalate,
            1,
            "sensitivity class S3 requires a check of the lawful basis".to_owned(),
        ),
        RoutingRule::LowConfidenceHighStakes => (
            high_stakes && unsure,
            RoutingOutcome::Escalate,
            1,
            format!(
                "a high-stakes decision requires a confidence of {MIN_HIGH_STAKES_CONFIDENCE} or human review"
            ),
        ),
        RoutingRule::ApprovalClassRouting => (
            approval >= ApprovalClass::A1,
            RoutingOutcome::Escalate,
            approval.approvers(),
            format!("approval class {approval:?} requires approval"),
        ),
        RoutingRule::DefaultAllow => return None,
    };
    applies.then_some(PolicyRoute { rule, outcome, approvers, reason })
}

/// The rules, the most pressing first.
const RULE_PRECEDENCE: [RoutingRule; 6] = [
    RoutingRule::NeverAutoExecute,
    RoutingRule::R3BlocksAuto,
    RoutingRule::A2PlusRequiresEvidence,
    RoutingRule::S3RequiresPdplCheck,
    RoutingRule::LowConfidenceHighStakes,
    RoutingRule::ApprovalClassRouting,
];
