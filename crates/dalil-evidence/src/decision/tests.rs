use super::*;

/// Reads a decision that only has this field; checks its error.
#[track_caller]
fn check(field: &str, expected: &str) {
    let request = format!("{{{field}}}");
    let read = |reader: JsonReader<'_, '_>| read(reader, check_evidence_shape, |_, _| Some(()));
    let actual = decode::request(request.as_bytes(), read)
        .map_or_else(|refused| refused.to_string(), |_| "ok".to_owned());
    assert_eq!(actual, expected);
}

#[test]
fn the_rationale_has_1_to_5000_characters() {
    let rationale = |length| format!(r#""rationale":"{}""#, "ح".repeat(length));
    check(&rationale(0), "`rationale`: expected 1 to 5000 characters, found 0");
    check(&rationale(1), "ok");
    check(&rationale(5000), "ok");
    check(&rationale(5001), "`rationale`: expected 1 to 5000 characters, found 5001");
}

#[test]
fn every_field_of_the_contract_is_known() {
    check(
        r#""schema_version":"1.0","decision_id":"dec_1","tenant_id":"default","entity_id":"lead_1",
           "objective":"qualify_lead","agent_name":"a","model":null,"model_version":null,
           "recommendation":{},"confidence":1,"rationale":"r","evidence":[{"source":"s","uri":null,
           "excerpt":"e","content_hash":null,"retrieved_at":"2026-01-03T10:00:00+03:00",
           "confidence":1.0}],"freshness_window_hours":24,"approval_class":"A0",
           "reversibility_class":"R0","sensitivity_class":"S0","next_actions":[{"action_type":"t",
           "description":"d","approval_class":"A0","reversibility_class":"R0",
           "sensitivity_class":"S0","payload":{"k":1},"policy_requirements":[]}],
           "policy_requirements":[{"policy_name":"p","description":"d","required":true}],
           "trace_id":"t","span_id":"s","correlation_id":"c",
           "created_at":"2026-01-03T10:00:00.123456+00:00","locale":"ar""#,
        "ok",
    );
}

#[test]
fn fields_of_the_wrong_type_are_refused() {
    check(
        r#""next_actions":[{}],"policy_requirements":[{"policy_name":""}]"#,
        "`next_actions[0].action_type`: expected a value, found nothing\n\
         `policy_requirements[0].policy_name`: expected some text, found ``",
    );
    check(
        r#""evidence":[{"source":1,"kind":"x"}]"#,
        "`evidence[0].source`: expected a string, found `1`\n\
         `evidence[0].kind`: expected only source, uri, reference, excerpt, content_hash, \
         retrieved_at, confidence, found a field it does not know\n\
         hint: remove the field or correct its name",
    );
}
