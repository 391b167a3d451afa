use std::fmt::Write as _;

use dalil_proof::canon;
use dalil_proof::fault::Refused;
use dalil_proof::json::Json;
use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;

mod edits;
mod versions;

/// A request for a pack with nothing wrong in it.
pub(crate) const REQUEST: &str = include_str!("tests/request.json");

/// Assembles the request with each edit made, and compares every fault or finding.
#[track_caller]
fn check(edits: &[(&str, &str)], expected: &Expect) {
    expected.assert_eq(&shown(assemble(edited(REQUEST, edits).as_bytes())));
}

/// The text with each edit made; every edit must find its place.
#[track_caller]
pub(crate) fn edited(text: &str, edits: &[(&str, &str)]) -> String {
    edits.iter().fold(text.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "nothing to edit: {from}");
        text.replacen(from, to, 1)
    })
}

fn shown(result: Result<PackDraft, Refused>) -> String {
    let mut text = String::new();
    match result {
        Ok(draft) => {
            writeln!(text, "{:?}, version {}", draft.status, draft.version).unwrap();
            for PackFlag { rule, path, message, state } in &draft.findings {
                writeln!(text, "{state:?} {rule} `{path}`: {}", message.english()).unwrap();
            }
        }
        Err(refused) => {
            for fault in refused.refused {
                writeln!(text, "{} {fault}", fault.rule).unwrap();
            }
        }
    }
    text
}

#[test]
fn a_sound_request_becomes_an_unresolved_pack() {
    check(
        &[],
        &expect![[r#"
        Unresolved, version 1
    "#]],
    );
}

#[test]
fn a_pack_has_the_published_names() {
    let draft = assemble(REQUEST.as_bytes()).unwrap();
    let bytes = canon::bytes(&draft).unwrap();
    let json = Json::parse(&bytes).unwrap();
    let names = |json: &Json<'_>| match json {
        Json::Object(members) => members.iter().map(|(key, _)| key.to_string()).collect(),
        _ => Vec::new(),
    };
    let first = |field| match json.get(field) {
        Some(Json::List(items)) => names(&items[0]).join(" "),
        _ => String::new(),
    };
    let memo = names(json.get("memo").unwrap()).join(" ");
    let all = names(&json).join(" ");
    let parts = ["sources", "tool_calls", "prompts"].map(first).join("\n");
    expect![[r#"
        agent_name approval_class confidence created_at data_freshness_window_hours decided_at decision_hash decision_id entity_id findings memo model model_version objective pack_id prompts rationale reasons recommendation requirement reversibility_class reviewed_at reviewer_id schema_version sensitivity_class sources status tenant_id tool_calls trace_id version
        body_ar body_en executive_summary_ar executive_summary_en title_ar title_en translated_from
        confidence content_hash excerpt retrieved_at source stale uri
        actual_action contradiction_flag inputs intended_action invoked_at outcome outputs side_effects tool_call_id tool_name verification_status
        rendered_length system_prompt_present template_name template_version"#]].assert_eq(&format!("{all}\n{memo}\n{parts}"));
}

#[test]
fn reading_a_pack_back_gives_the_same_pack() {
    let draft = assemble(REQUEST.as_bytes()).unwrap();
    let bytes = canon::bytes(&draft).unwrap();
    let read = PackDraft::parse(&bytes).unwrap();
    assert_eq!(read, draft);
    assert_eq!(canon::bytes(&read).unwrap(), bytes);
}

#[test]
fn prompts_of_the_decision_are_the_packs_when_the_request_has_none() {
    let mut request: serde_json::Value = serde_json::from_str(REQUEST).unwrap();
    let prompts = request.as_object_mut().unwrap().remove("prompts").unwrap();
    request["decision"]["prompts"] = prompts;
    request["decision"]["session_id"] = "sess-1".into();
    let moved = assemble(request.to_string().as_bytes()).unwrap();
    assert_eq!(moved.prompts, assemble(REQUEST.as_bytes()).unwrap().prompts);
}

proptest! {
    #[test]
    fn equal_inputs_give_equal_bytes_whatever_the_order_of_their_fields(seed in any::<u64>()) {
        let json = Json::parse(REQUEST.as_bytes()).unwrap();
        let shuffled = rotated(&json, seed);
        let one = assemble(REQUEST.as_bytes()).unwrap();
        let other = assemble(shuffled.as_bytes()).unwrap();
        prop_assert_eq!(canon::bytes(&one).unwrap(), canon::bytes(&other).unwrap());
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = PackDraft::parse(&bytes).is_ok();
        let _ = assemble(&bytes).is_ok();
    }

    #[test]
    fn no_single_change_of_a_request_makes_it_panic(at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut bytes = REQUEST.as_bytes().to_vec();
        let place = at.index(bytes.len());
        bytes[place] = byte;
        let _ = assemble(&bytes).is_ok();
    }
}

/// The same JSON with the members of every object rotated.
fn rotated(json: &Json<'_>, seed: u64) -> String {
    fn rotate(json: Json<'static>, seed: u64) -> Json<'static> {
        match json {
            Json::Object(mut members) => {
                let by = usize::try_from(seed % 97).unwrap() % members.len().max(1);
                members.rotate_left(by);
                let members =
                    members.into_iter().map(|(key, value)| (key, rotate(value, seed / 3)));
                Json::Object(members.collect())
            }
            Json::List(items) => {
                Json::List(items.into_iter().map(|item| rotate(item, seed / 5)).collect())
            }
            other => other,
        }
    }
    serde_json::to_string(&rotate(json.clone().into_owned(), seed)).unwrap()
}
