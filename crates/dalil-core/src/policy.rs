//! Policy: whether a decision needs a pack, who must approve it, and every reason why.

use serde::Serialize;

use crate::class::{Approval, Classes, Reversibility, Sensitivity};
use crate::decision::{self, Decision};
use crate::fault::Refused;
use crate::read;
use crate::score::Score;

pub use crate::policy::route::{Outcome, Route, Rule, Situation, routes};

mod route;
#[cfg(test)]
mod tests;

/// Whether a decision needs a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Requirement {
    /// It must have one.
    Mandatory,
    /// Somebody may want to audit it.
    Recommended,
    /// It is routine.
    Skip,
}

/// What policy says about a decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Assessment {
    /// Whether it needs a pack.
    pub requirement: Requirement,
    /// Every reason for that. Never empty.
    pub reasons: Vec<String>,
    /// Whether it is A2 or A3, R3, or S3.
    pub high_stakes: bool,
    /// How many people its approval class asks for.
    pub approvers: u8,
    /// The strictest outcome of all routes.
    pub outcome: Outcome,
    /// The first rule with that outcome.
    pub rule: Rule,
    /// How many people must approve: the most that any route asks for, and never
    /// fewer than `approvers`.
    pub required_approvers: u8,
    /// Every rule that applies, in order of precedence. Never empty.
    pub routes: Vec<Route>,
    /// The same for each action that the decision proposes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub next_actions: Vec<Proposal>,
}

/// What policy says about an action that a decision proposes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Proposal {
    /// The type of action.
    pub action_type: String,
    /// The strictest outcome of all routes.
    pub outcome: Outcome,
    /// The first rule with that outcome.
    pub rule: Rule,
    /// How many people must approve.
    pub required_approvers: u8,
    /// Every rule that applies, in order of precedence. Never empty.
    pub routes: Vec<Route>,
}

/// Reads a decision and assesses it. Everything in it is optional; a class that
/// is missing counts as the strictest.
///
/// # Errors
/// Every fault in the request.
pub fn assess(request: &[u8]) -> Result<Assessment, Refused> {
    let decision = read::request(request, |reader| {
        decision::read(reader, decision::glance_at_evidence, |_, _| Some(()))
    })?;
    Ok(assess_decision(&decision))
}

fn assess_decision(decision: &Decision<()>) -> Assessment {
    let classes = decision.classes.or_strictest();
    let (mut requirement, mut reasons) = requirement(classes, decision.confidence);
    let missing = decision.classes.missing();
    if !missing.is_empty() {
        requirement = Requirement::Mandatory;
        reasons.splice(0..0, missing);
    }
    let situation = Situation {
        action_type: decision.action_type.as_deref(),
        classes,
        has_evidence: !decision.evidence.is_empty(),
        has_pdpl_check: decision.pdpl_check,
        high_stakes: classes.high_stakes(),
        confidence: decision.confidence,
    };
    let routes = routes(&situation);
    let proposal = |action: &decision::Action| {
        let classes = action.classes.or_strictest();
        let routes = route::routes(&Situation {
            action_type: Some(&action.action_type),
            classes,
            has_pdpl_check: action.pdpl_check,
            ..situation
        });
        let (outcome, rule) = route::strictest(&routes);
        let required_approvers = route::approvers(&routes);
        let action_type = action.action_type.clone();
        Proposal { action_type, outcome, rule, required_approvers, routes }
    };
    let (outcome, rule) = route::strictest(&routes);
    Assessment {
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
pub fn requirement(classes: Classes, confidence: Option<Score>) -> (Requirement, Vec<String>) {
    let Classes { approval, reversibility, sensitivity } = classes;
    let mut reasons = Vec::new();
    if approval >= Approval::A2 {
        reasons.push(format!("approval class {approval:?} makes a pack mandatory"));
    }
    if reversibility == Reversibility::R3 {
        reasons.push("reversibility class R3 makes a pack mandatory".to_owned());
    }
    if sensitivity == Sensitivity::S3 {
        reasons.push("sensitivity class S3 makes a pack mandatory".to_owned());
    }
    if let Some(low) = confidence.filter(|score| classes.high_stakes() && *score < ENOUGH) {
        reasons.push(format!("confidence {low} is below {ENOUGH} on a high-stakes decision"));
    }
    if !reasons.is_empty() {
        return (Requirement::Mandatory, reasons);
    }
    let routine = Classes::new(Approval::A0, Reversibility::R0, Sensitivity::S0);
    if classes == routine {
        return (Requirement::Skip, vec!["A0 R0 S0 is routine".to_owned()]);
    }
    let reason = match approval {
        Approval::A0 => {
            format!("{approval:?} {reversibility:?} {sensitivity:?} is more than routine")
        }
        Approval::A1 | Approval::A2 | Approval::A3 => {
            "approval class A1: a manager may want to audit it".to_owned()
        }
    };
    (Requirement::Recommended, vec![reason])
}

/// The confidence that a high-stakes decision must have: 0.7.
const ENOUGH: Score = match Score::from_units(7000) {
    Some(score) => score,
    None => Score::ONE,
};
