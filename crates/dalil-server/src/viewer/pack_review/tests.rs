use dalil_evidence::pack::{FlagAcknowledgement, assemble};
use dalil_service::pack::RecordedAcknowledgement;

use super::super::tests::page;
use super::concern_views;

#[test]
fn each_concern_leads_to_its_place_and_names_who_acknowledged_it() {
    let request = r#"{"decision":{"decision_id":"dec-1","tenant_id":"acme","entity_id":"case-1",
        "agent_name":"leave_agent","approval_class":"A0","reversibility_class":"R0",
        "sensitivity_class":"S1","evidence":[{"source":"hr.policy","uri":"lake://hr",
        "excerpt":"15 days","retrieved_at":"2026-03-01T12:00:00Z","confidence":0.9}],
        "created_at":"2026-03-14T12:00:00Z"},
        "tool_calls":[{"tool_name":"hr.post","intended_action":"a draft","actual_action":"posted",
        "side_effects":[],"outcome":"succeeded"},{"tool_name":"hr.mail","intended_action":"send",
        "actual_action":"send","side_effects":[]}],
        "pack_id":"pack_00000000000000b1","created_at":"2026-03-14T12:30:00Z"}"#;
    let draft = assemble(request.as_bytes()).unwrap();
    let seen = [RecordedAcknowledgement {
        about: FlagAcknowledgement {
            rule: "failed_call".to_owned(),
            path: "tool_calls[1]".to_owned(),
        },
        reviewer: "amal".to_owned(),
        at: "2026-03-15T09:00:00Z".parse().unwrap(),
    }];
    let views = concern_views(&page(), &draft, &seen);
    let told: Vec<String> = views
        .iter()
        .map(|one| {
            let seen: Vec<&str> = one.seen_by.iter().map(|(who, _)| *who).collect();
            format!("{} | {} | {} | {seen:?}", one.value, one.name, one.place)
        })
        .collect();
    assert_eq!(
        told,
        [
            "contradicted_call tool_calls[0] | hr.post | #call-0 | []",
            "failed_call tool_calls[1] | hr.mail | #call-1 | [\"amal\"]",
            "stale_source sources[0] | hr.policy | #cite-c801ee54 | []",
        ]
    );
    assert!(views[1].badge.contains("Never reported back"), "{}", views[1].badge);
}
