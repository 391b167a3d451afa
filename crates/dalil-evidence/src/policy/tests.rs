use dalil_proof::canon;
use expect_test::{Expect, expect};

use super::*;

/// Assesses a decision and compares the whole answer.
#[track_caller]
fn check(request: &str, expected: &Expect) {
    let actual = match assess(request.as_bytes()) {
        Ok(assessment) => shown(&assessment),
        Err(refused) => refused.to_string(),
    };
    expected.assert_eq(&actual);
}

fn shown(assessment: &DecisionAssessment) -> String {
    let DecisionAssessment { requirement, reasons, high_stakes, approvers, .. } = assessment;
    let DecisionAssessment { outcome, rule, required_approvers, routes, next_actions, .. } =
        assessment;
    let mut text = format!("{requirement:?}, high stakes {high_stakes}, {approvers} approvers\n");
    for reason in reasons {
        text += &format!("- {}\n", reason.english());
    }
    text += &format!("{outcome:?} by {rule:?}, {required_approvers} approvers\n");
    for route in routes {
        text += &format!(
            "- {:?} {:?} {}: {}\n",
            route.rule, route.outcome, route.approvers, route.reason
        );
    }
    for ActionAssessment { action_type, outcome, rule, required_approvers, routes } in next_actions
    {
        let routes = routes.len();
        text += &format!(
            "{action_type}: {outcome:?} by {rule:?} of {routes}, {required_approvers} approvers\n"
        );
    }
    text
}

#[test]
fn a_routine_decision_is_skipped() {
    check(
        r#"{"approval_class":"A0","reversibility_class":"R0","sensitivity_class":"S0"}"#,
        &expect![[r#"
            Skip, high stakes false, 0 approvers
            - A0 R0 S0 is routine
            Allow by DefaultAllow, 0 approvers
            - DefaultAllow Allow 0: no rule stands in the way
        "#]],
    );
}

#[test]
fn an_a1_decision_is_recommended() {
    check(
        r#"{"approval_class":"A1","reversibility_class":"R0","sensitivity_class":"S0"}"#,
        &expect![[r#"
            Recommended, high stakes false, 1 approvers
            - approval class A1: a manager may want to audit it
            Escalate by ApprovalClassRouting, 1 approvers
            - ApprovalClassRouting Escalate 1: approval class A1 requires approval
        "#]],
    );
}

#[test]
fn what_is_neither_routine_nor_a1_is_recommended() {
    check(
        r#"{"approval_class":"A0","reversibility_class":"R2","sensitivity_class":"S2"}"#,
        &expect![[r#"
            Recommended, high stakes false, 0 approvers
            - A0 R2 S2 is more than routine
            Allow by DefaultAllow, 0 approvers
            - DefaultAllow Allow 0: no rule stands in the way
        "#]],
    );
}

#[test]
fn every_reason_is_listed() {
    check(
        r#"{"approval_class":"A3","reversibility_class":"R3","sensitivity_class":"S3",
            "confidence":0.6999,"evidence":[{"source":"crm","excerpt":"x"}],"pdpl_check":true}"#,
        &expect![[r#"
            Mandatory, high stakes true, 2 approvers
            - approval class A3 makes a pack mandatory
            - reversibility class R3 makes a pack mandatory
            - sensitivity class S3 makes a pack mandatory
            - confidence 0.6999 is below 0.7 on a high-stakes decision
            Escalate by R3BlocksAuto, 2 approvers
            - R3BlocksAuto Escalate 2: reversibility class R3 requires human approval
            - LowConfidenceHighStakes Escalate 1: a high-stakes decision requires a confidence of 0.7 or human review
            - ApprovalClassRouting Escalate 2: approval class A3 requires approval
        "#]],
    );
}

#[test]
fn a_confidence_of_exactly_the_threshold_is_enough() {
    check(
        r#"{"approval_class":"A0","reversibility_class":"R0","sensitivity_class":"S3",
            "confidence":0.7,"policy_requirements":[{"policy_name":"pdpl_lawful_basis"}]}"#,
        &expect![[r#"
            Mandatory, high stakes true, 0 approvers
            - sensitivity class S3 makes a pack mandatory
            Allow by DefaultAllow, 0 approvers
            - DefaultAllow Allow 0: no rule stands in the way
        "#]],
    );
}

#[test]
fn a_low_confidence_does_not_matter_where_little_is_at_stake() {
    check(
        r#"{"approval_class":"A0","reversibility_class":"R0","sensitivity_class":"S0","confidence":0}"#,
        &expect![[r#"
            Skip, high stakes false, 0 approvers
            - A0 R0 S0 is routine
            Allow by DefaultAllow, 0 approvers
            - DefaultAllow Allow 0: no rule stands in the way
        "#]],
    );
}

#[test]
fn missing_classes_count_as_the_strictest() {
    check(
        "{}",
        &expect![[r#"
        Mandatory, high stakes true, 2 approvers
        - approval class is missing and counts as A3
        - reversibility class is missing and counts as R3
        - sensitivity class is missing and counts as S3
        - approval class A3 makes a pack mandatory
        - reversibility class R3 makes a pack mandatory
        - sensitivity class S3 makes a pack mandatory
        Deny by A2PlusRequiresEvidence, 2 approvers
        - R3BlocksAuto Escalate 2: reversibility class R3 requires human approval
        - A2PlusRequiresEvidence Deny 0: approval class A3 requires evidence, and there is none
        - S3RequiresPdplCheck Escalate 1: sensitivity class S3 requires a check of the lawful basis
        - LowConfidenceHighStakes Escalate 1: a high-stakes decision requires a confidence of 0.7 or human review
        - ApprovalClassRouting Escalate 2: approval class A3 requires approval
    "#]],
    );
    check(
        r#"{"reversibility_class":"R0","sensitivity_class":null,"approval_class":"A0"}"#,
        &expect![[r#"
            Mandatory, high stakes true, 0 approvers
            - sensitivity class is missing and counts as S3
            - sensitivity class S3 makes a pack mandatory
            Escalate by S3RequiresPdplCheck, 1 approvers
            - S3RequiresPdplCheck Escalate 1: sensitivity class S3 requires a check of the lawful basis
            - LowConfidenceHighStakes Escalate 1: a high-stakes decision requires a confidence of 0.7 or human review
        "#]],
    );
}

#[test]
fn a_type_of_action_classifies_itself() {
    check(
        r#"{"action_type":"lead_intake"}"#,
        &expect![[r#"
        Recommended, high stakes false, 0 approvers
        - A0 R0 S2 is more than routine
        Allow by DefaultAllow, 0 approvers
        - DefaultAllow Allow 0: no rule stands in the way
    "#]],
    );
    check(
        r#"{"action_type":"never heard of","confidence":1}"#,
        &expect![[r#"
        Mandatory, high stakes true, 2 approvers
        - approval class A2 makes a pack mandatory
        Deny by A2PlusRequiresEvidence, 2 approvers
        - A2PlusRequiresEvidence Deny 0: approval class A2 requires evidence, and there is none
        - ApprovalClassRouting Escalate 2: approval class A2 requires approval
    "#]],
    );
    check(
        r#"{"action_type":"market_facing_statement","approval_class":"A0"}"#,
        &expect![[r#"
        Recommended, high stakes false, 0 approvers
        - A0 R2 S2 is more than routine
        Escalate by NeverAutoExecute, 2 approvers
        - NeverAutoExecute Escalate 2: this type of action is never carried out without executive approval
    "#]],
    );
}

#[test]
fn missing_evidence_is_not_hidden_by_irreversibility() {
    check(
        r#"{"approval_class":"A2","reversibility_class":"R3","sensitivity_class":"S0","confidence":0.9}"#,
        &expect![[r#"
            Mandatory, high stakes true, 2 approvers
            - approval class A2 makes a pack mandatory
            - reversibility class R3 makes a pack mandatory
            Deny by A2PlusRequiresEvidence, 2 approvers
            - R3BlocksAuto Escalate 2: reversibility class R3 requires human approval
            - A2PlusRequiresEvidence Deny 0: approval class A2 requires evidence, and there is none
            - ApprovalClassRouting Escalate 2: approval class A2 requires approval
        "#]],
    );
}

#[test]
fn each_proposed_action_is_routed() {
    check(
        r#"{"approval_class":"A0","reversibility_class":"R0","sensitivity_class":"S0","next_actions":[
            {"action_type":"booking_schedule","description":"book","approval_class":"A1",
             "reversibility_class":"R1","sensitivity_class":"S2","payload":{}},
            {"action_type":"nda_send"}]}"#,
        &expect![[r#"
            Skip, high stakes false, 0 approvers
            - A0 R0 S0 is routine
            Allow by DefaultAllow, 0 approvers
            - DefaultAllow Allow 0: no rule stands in the way
            booking_schedule: Escalate by ApprovalClassRouting of 1, 1 approvers
            nda_send: Deny by A2PlusRequiresEvidence of 5, 2 approvers
        "#]],
    );
}

#[test]
fn everything_wrong_with_a_decision_is_said_at_once() {
    check(
        r#"{"approval_class":"A4","reversibility_class":3,"confidence":1.5,"evidence":{},
            "rationale":"","freshness_window_hours":1,"data_freshness_window_hours":2,
            "locale":"fr","schema_version":"2.0","recommendation":[],"colour":"red"}"#,
        &expect![[r#"
            `schema_version`: expected one of `1.0`, found `2.0`
            `confidence`: expected a number from 0 to 1, found `1.5`
            `evidence`: expected an array, found an object
            `data_freshness_window_hours`: expected the `1` of `freshness_window_hours`, found `2`
            `approval_class`: expected one of `A0`, `A1`, `A2`, `A3`, found `A4`
            `reversibility_class`: expected one of `R0`, `R1`, `R2`, `R3`, found `3`
            `recommendation`: expected an object, found an array
            `rationale`: expected 1 to 5000 characters, found 0
            `locale`: expected one of `ar`, `en`, found `fr`
            `colour`: expected only schema_version, decision_id, tenant_id, entity_id, agent_name, model, model_version, confidence, evidence, freshness_window_hours, data_freshness_window_hours, action_type, approval_class, reversibility_class, sensitivity_class, next_actions, pdpl_check, policy_requirements, session_id, prompts, trace_id, created_at, objective, recommendation, rationale, options_considered, span_id, correlation_id, locale, found a field it does not know
            hint: remove the field or correct its name"#]],
    );
}

#[test]
fn the_answer_has_the_published_names() {
    let request = br#"{"approval_class":"A1","reversibility_class":"R0","sensitivity_class":"S0"}"#;
    let bytes = canon::bytes(&assess(request).unwrap()).unwrap();
    expect![[r#"{"approvers":1,"high_stakes":false,"outcome":"escalate","reasons":["approval class A1: a manager may want to audit it"],"required_approvers":1,"requirement":"recommended","routes":[{"approvers":1,"outcome":"escalate","reason":"approval class A1 requires approval","rule":"approval_class_routing"}],"rule":"approval_class_routing"}"#]].assert_eq(std::str::from_utf8(&bytes).unwrap());
}
