use dalil_store::EvidenceTable;
use expect_test::{Expect, expect};

use super::{calls, record, tool};
use crate::fixture::{context_at, keyed, one, said, size, table, two, why};

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
    check(
        &said(&decided),
        &expect![[r#"
            {"approval_class":"A2","approvers":2,"decision_hash":"sha256:5b37d08dd74446c76e883a52bf6ffe8a9045f2a3f2cd93781fa943bbaaf9aa46","decision_id":"dec-1","high_stakes":true,"id":"rec_…","index":2,"leaf":"sha256:…","outcome":"deny","reasons":["approval class A2 makes a pack mandatory"],"required_approvers":2,"requirement":"mandatory","reversibility_class":"R1","routes":[{"approvers":0,"outcome":"deny","reason":"approval class A2 requires evidence, and there is none","rule":"a2_plus_requires_evidence"},{"approvers":2,"outcome":"escalate","reason":"approval class A2 requires approval","rule":"approval_class_routing"}],"rule":"a2_plus_requires_evidence","sensitivity_class":"S1"}
        "#]],
    );
    check(
        &table(&acme, EvidenceTable::Decisions).await,
        &expect![[r#"
        [2,0,"dec-1","case-1","leave_agent",null,"A2","R1","S1",0.9,"mandatory","sha256:5b37d08dd74446c76e883a52bf6ffe8a9045f2a3f2cd93781fa943bbaaf9aa46","2026-03-14T14:53:21.000Z"]

    "#]],
    );
    check(
        &why(record(&acme, DECISION.as_bytes(), &context_at(2)).await),
        &expect![[r#"
        `decision_id`: expected a name that is new, found `dec-1`, which record 2 has
        hint: repeat a request under its idempotency key to get the first answer
    "#]],
    );
    let again = record(&acme, DECISION.as_bytes(), &keyed(3, "k")).await.unwrap();
    assert_eq!((again, size(&acme).await), (decided, 3));
}

#[tokio::test]
async fn a_decision_without_a_name_or_of_another_tenant_is_refused() {
    let (_home, acme, zenith) = two("foreign").await;
    check(
        &why(record(&acme, br#"{"approval_class": "A7"}"#, &context_at(1)).await),
        &expect![[r#"
        `approval_class`: expected one of `A0`, `A1`, `A2`, `A3`, found `A7`
    "#]],
    );
    check(
        &why(record(&acme, br#"{"approval_class": "A1"}"#, &context_at(1)).await),
        &expect![[r#"
        `decision_id`: expected a value, found nothing
    "#]],
    );
    check(
        &why(record(&zenith, DECISION.as_bytes(), &context_at(1)).await),
        &expect![[r#"
        `tenant_id`: expected `zenith`, the tenant that keeps it, found `acme`
    "#]],
    );
    assert_eq!((size(&acme).await, size(&zenith).await), (2, 2));
}

#[tokio::test]
async fn a_call_is_intended_then_reported_and_each_once() {
    let (_home, acme, zenith) = two("tool").await;
    check(
        &why(tool(&acme, REPORTED.as_bytes(), &context_at(1)).await),
        &expect![[r#"
        `tool_call_id`: expected a call that was recorded as intended, found `call-1`
        hint: record the intention before the tool is used
    "#]],
    );
    let intended = tool(&acme, INTENDED.as_bytes(), &keyed(1, "k-1")).await.unwrap();
    check(
        &said(&intended),
        &expect![[r#"
        {"id":"rec_…","index":2,"leaf":"sha256:…","phase":"intended","tool_call_id":"call-1"}
    "#]],
    );
    check(
        &why(tool(&acme, INTENDED.as_bytes(), &context_at(2)).await),
        &expect![[r#"
        `tool_call_id`: expected a name that is new, found `call-1`, which record 2 has
        hint: repeat a request under its idempotency key to get the first answer
    "#]],
    );
    check(
        &said(&calls(&acme, "dec-1").await.unwrap()),
        &expect![[r#"
        [{"actual_action":"nothing was reported","agent_name":"leave_agent","decision_id":"dec-1","inputs":{"employee":"e-7"},"intended_action":"look up leave","invoked_at":"2026-03-14T14:53:21.000Z","tool_call_id":"call-1","tool_name":"hr.lookup"}]
    "#]],
    );
    let reported = tool(&acme, REPORTED.as_bytes(), &context_at(3)).await.unwrap();
    check(
        &said(&reported),
        &expect![[r#"
        {"id":"rec_…","index":3,"leaf":"sha256:…","phase":"reported","tool_call_id":"call-1"}
    "#]],
    );
    check(
        &why(tool(&acme, REPORTED.as_bytes(), &context_at(4)).await),
        &expect![[r#"
        `tool_call_id`: expected a name that is new, found `call-1`, which record 3 has
        hint: repeat a request under its idempotency key to get the first answer
    "#]],
    );
    check(
        &said(&calls(&acme, "dec-1").await.unwrap()),
        &expect![[r#"
        [{"actual_action":"looked up leave","agent_name":"leave_agent","decision_id":"dec-1","inputs":{"employee":"e-7"},"intended_action":"look up leave","invoked_at":"2026-03-14T14:53:21.000Z","outcome":"succeeded","outputs":{"days":15},"side_effects":[],"tool_call_id":"call-1","tool_name":"hr.lookup"}]
    "#]],
    );
    check(
        &table(&acme, EvidenceTable::ToolCalls).await,
        &expect![[r#"
        [2,0,"call-1","dec-1","hr.lookup","intended",null,"sha256:0256b66b833f0e2622f7d701e415830a7f33aa876e726233863f9e4eaff1ba0f","2026-03-14T14:53:21.000Z"]
        [3,0,"call-1","dec-1","hr.lookup","reported","succeeded","sha256:524c09c5e4b2699a2731a32f27956871ecfa46bba7f235021fbff8573fe96604","2026-03-14T14:53:23.000Z"]

    "#]],
    );
    let again = tool(&acme, INTENDED.as_bytes(), &keyed(5, "k-1")).await.unwrap();
    assert_eq!((again, size(&acme).await), (intended, 4));
    check(
        &why(tool(&zenith, REPORTED.as_bytes(), &context_at(5)).await),
        &expect![[r#"
        `tool_call_id`: expected a call that was recorded as intended, found `call-1`
        hint: record the intention before the tool is used
    "#]],
    );
    assert_eq!(said(&calls(&zenith, "dec-1").await.unwrap()), "[]");
}

#[tokio::test]
async fn every_fault_of_a_call_is_named() {
    let (_home, acme) = one("calls").await;
    let before = br#"{"phase": "intended", "tool_call_id": " x", "intended_action": 7, "inputs": [], "outcome": "x"}"#;
    check(
        &why(tool(&acme, before, &context_at(1)).await),
        &expect![[r#"
        `tool_call_id`: expected 1 to 200 characters without controls or outer spaces, found ` x`
        `tool_name`: expected a value, found nothing
        `intended_action`: expected a text or an object, found `7`
        `inputs`: expected an object, found an array
        `outcome`: expected only phase, tool_call_id, tool_name, decision_id, agent_name, intended_action, inputs, found a field it does not know
        hint: remove the field or correct its name
    "#]],
    );
    let named = |tool: &str, agent: &str| {
        serde_json::json!({"phase": "intended", "tool_call_id": "c", "tool_name": tool,
            "agent_name": agent, "intended_action": "x"})
        .to_string()
    };
    let long = "t".repeat(201);
    let tried =
        async |name: &str| why(tool(&acme, named(name, name).as_bytes(), &context_at(1)).await);
    check(
        &tried(&long).await.replace(&long, "LONG"),
        &expect![[r#"
        `tool_name`: expected 1 to 200 characters without controls or outer spaces, found `tttttttttttttttttttttttttttttttttttttttttttttttttttttttttttt…`
        `agent_name`: expected 1 to 200 characters without controls or outer spaces, found `tttttttttttttttttttttttttttttttttttttttttttttttttttttttttttt…`
    "#]],
    );
    check(
        &tried("hr\u{202e}.lookup").await,
        &expect![[r#"
        `tool_name`: expected a letter or a digit, and no control of direction, found `hr\u{202e}.lookup`
        `agent_name`: expected a letter or a digit, and no control of direction, found `hr\u{202e}.lookup`
    "#]],
    );
    check(
        &tried("hr\nlookup").await,
        &expect![[r#"
        `tool_name`: expected 1 to 200 characters without controls or outer spaces, found `hr\u{a}lookup`
        `agent_name`: expected 1 to 200 characters without controls or outer spaces, found `hr\u{a}lookup`
    "#]],
    );
    check(
        &tried("…").await,
        &expect![[r#"
        `tool_name`: expected a letter or a digit, and no control of direction, found `…`
        `agent_name`: expected a letter or a digit, and no control of direction, found `…`
    "#]],
    );
    let after = br#"{"phase": "reported", "tool_call_id": "c", "actual_action": " ", "outcome": "x", "tool_name": "t"}"#;
    check(
        &why(tool(&acme, after, &context_at(1)).await),
        &expect![[r#"
        `actual_action`: expected some text, found ` `
        `outcome`: expected one of `succeeded`, `failed`, `blocked`, found `x`
        `tool_name`: expected only phase, tool_call_id, actual_action, outcome, outputs, side_effects, found a field it does not know
        hint: remove the field or correct its name
    "#]],
    );
    check(
        &why(tool(&acme, br#"{"tool_call_id": "c"}"#, &context_at(1)).await),
        &expect![[r#"
        `phase`: expected a value, found nothing
    "#]],
    );
    assert_eq!(size(&acme).await, 2);
}
