use dalil_store::Table;
use expect_test::{Expect, expect};

use super::{calls, record, tool};
use crate::keep::fixture::{deed, keyed, one, said, size, table, two, why};

const DECISION: &str = r#"{"decision_id": "dec-1", "tenant_id": "acme", "entity_id": "case-1",
  "agent_name": "leave_agent", "approval_class": "A2", "reversibility_class": "R1",
  "sensitivity_class": "S1", "confidence": 0.9}"#;
const INTENDED: &str = r#"{"phase": "intended", "tool_call_id": "call-1", "decision_id": "dec-1",
  "tool_name": "hr.lookup", "agent_name": "leave_agent", "intended_action": "look up leave",
  "inputs": {"employee": "e-7"}}"#;
const REPORTED: &str = r#"{"phase": "reported", "tool_call_id": "call-1",
  "actual_action": "looked up leave", "outcome": "succeeded", "outputs": {"days": 15}, "side_effects": []}"#;

fn check(actual: &str, expect: &Expect) {
    expect.assert_eq(&format!("{actual}\n"));
}

#[tokio::test]
async fn a_decision_is_recorded_once_with_what_policy_says() {
    let (_home, acme) = one("decision").await;
    let decided = record(&acme, DECISION.as_bytes(), &keyed(1, "k")).await.unwrap();
    check(&said(&decided), &expect![[r#""#]]);
    check(&table(&acme, Table::Decisions).await, &expect![[r#""#]]);
    check(&why(record(&acme, DECISION.as_bytes(), &deed(2)).await), &expect![[r#""#]]);
    let again = record(&acme, DECISION.as_bytes(), &keyed(3, "k")).await.unwrap();
    assert_eq!((again, size(&acme).await), (decided, 3));
}

#[tokio::test]
async fn a_decision_without_a_name_or_of_another_tenant_is_refused() {
    let (_home, acme, zenith) = two("foreign").await;
    check(&why(record(&acme, br#"{"approval_class": "A7"}"#, &deed(1)).await), &expect![[r#""#]]);
    check(&why(record(&acme, br#"{"approval_class": "A1"}"#, &deed(1)).await), &expect![[r#""#]]);
    check(&why(record(&zenith, DECISION.as_bytes(), &deed(1)).await), &expect![[r#""#]]);
    assert_eq!((size(&acme).await, size(&zenith).await), (2, 2));
}

#[tokio::test]
async fn a_call_is_intended_then_reported_and_each_once() {
    let (_home, acme, zenith) = two("tool").await;
    check(&why(tool(&acme, REPORTED.as_bytes(), &deed(1)).await), &expect![[r#""#]]);
    let intended = tool(&acme, INTENDED.as_bytes(), &keyed(1, "k-1")).await.unwrap();
    check(&said(&intended), &expect![[r#""#]]);
    check(&why(tool(&acme, INTENDED.as_bytes(), &deed(2)).await), &expect![[r#""#]]);
    check(&said(&calls(&acme, "dec-1").await.unwrap()), &expect![[r#""#]]);
    let reported = tool(&acme, REPORTED.as_bytes(), &deed(3)).await.unwrap();
    check(&said(&reported), &expect![[r#""#]]);
    check(&why(tool(&acme, REPORTED.as_bytes(), &deed(4)).await), &expect![[r#""#]]);
    check(&said(&calls(&acme, "dec-1").await.unwrap()), &expect![[r#""#]]);
    check(&table(&acme, Table::ToolCalls).await, &expect![[r#""#]]);
    let again = tool(&acme, INTENDED.as_bytes(), &keyed(5, "k-1")).await.unwrap();
    assert_eq!((again, size(&acme).await), (intended, 4));
    check(&why(tool(&zenith, REPORTED.as_bytes(), &deed(5)).await), &expect![[r#""#]]);
    assert_eq!(said(&calls(&zenith, "dec-1").await.unwrap()), "[]");
}

#[tokio::test]
async fn every_fault_of_a_call_is_named() {
    let (_home, acme) = one("calls").await;
    let before = br#"{"phase": "intended", "tool_call_id": " x", "intended_action": 7, "inputs": [], "outcome": "x"}"#;
    check(&why(tool(&acme, before, &deed(1)).await), &expect![[r#""#]]);
    let after = br#"{"phase": "reported", "tool_call_id": "c", "actual_action": " ", "outcome": "x", "tool_name": "t"}"#;
    check(&why(tool(&acme, after, &deed(1)).await), &expect![[r#""#]]);
    check(&why(tool(&acme, br#"{"tool_call_id": "c"}"#, &deed(1)).await), &expect![[r#""#]]);
    assert_eq!(size(&acme).await, 2);
}
