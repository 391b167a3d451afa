use dalil_proof::fault::Refused;
use dalil_proof::json::Json;
use expect_test::{Expect, expect};
use proptest::prelude::*;
use serde::Serialize;

use super::package::package;
use super::resolve::resolve;
use super::status::change;
use super::validate::validate;

fn shown<T: Serialize>(reply: Result<T, Refused>) -> String {
    match reply {
        Ok(reply) => serde_json::to_string_pretty(&reply).unwrap(),
        Err(refused) => refused.to_string(),
    }
}

#[track_caller]
fn packages(request: &str, expected: &Expect) {
    let json = Json::parse(request.as_bytes()).unwrap();
    expected.assert_eq(&shown(package(&json)));
}

const REQUEST: &str = r#"{
    "obligations": [
        {"obligation_id":"ob-3","doc_id":"doc-a","source_clause":"التسليم خلال 30 يوماً","extraction_model":"x"},
        {"obligation_id":"ob-2","doc_id":"doc-z","source_clause":"c","extraction_model":"x"},
        {"obligation_id":"ob-1","doc_id":"doc-a","source_clause":"c","extraction_model":"x","confidence":0.5},
        {"obligation_id":"ob-4","doc_id":"doc-a","source_clause":"c","extraction_model":"x","obligation_type":"SLA"}
    ],
    "documents": {"doc-a":{"filename":"عقد.pdf"}},
    "verifications": {
        "ob-1":{"verification_model":"v","verified":true,"reason":"it is there"},
        "ob-2":{"verification_model":"v"},
        "ob-3":{"verification_model":"v","verified":false},
        "ob-9":{"verification_model":"v"}
    },
    "amendment_chains": {
        "ob-1":[{"doc_id":"doc-a","clause":"c","status":"ACTIVE","page":4}],
        "ob-8":[]
    }
}"#;

/// All of it: records, skips, findings and terms.
const PACKAGED: &str = r#"{
  "records": [
    {
      "obligation_id": "ob-3",
      "doc_id": "doc-a",
      "doc_filename": "عقد.pdf",
      "page_number": null,
      "section_reference": null,
      "source_clause": "التسليم خلال 30 يوماً",
      "extraction_model": "x",
      "verification_model": "v",
      "verification_result": "DISPUTED",
      "confidence": 0,
      "amendment_history": null
    },
    {
      "obligation_id": "ob-1",
      "doc_id": "doc-a",
      "doc_filename": "عقد.pdf",
      "page_number": null,
      "section_reference": null,
      "source_clause": "c",
      "extraction_model": "x",
      "verification_model": "v",
      "verification_result": "CONFIRMED",
      "confidence": 0.5,
      "amendment_history": [
        {
          "doc_id": "doc-a",
          "clause": "c",
          "status": "ACTIVE",
          "page": 4
        }
      ]
    }
  ],
  "skipped": [
    {
      "obligation_id": "ob-2",
      "reason": "missing document doc-z"
    },
    {
      "obligation_id": "ob-4",
      "reason": "missing verification"
    }
  ],
  "findings": [
    {
      "obligation_id": "ob-3",
      "rule": "missing_confidence",
      "message": "neither the verifier nor the extractor gave a confidence; 0 stands in"
    },
    {
      "obligation_id": "ob-9",
      "rule": "unused_verification",
      "message": "a verification without an obligation was left out"
    },
    {
      "obligation_id": "ob-8",
      "rule": "unused_chain",
      "message": "an amendment chain without an obligation was left out"
    }
  ],
  "terms": [
    {
      "obligation_id": "ob-1",
      "verification_reason": "it is there"
    }
  ]
}"#;

#[test]
fn records_come_in_order_with_skips_and_findings_beside_them() {
    let json = Json::parse(REQUEST.as_bytes()).unwrap();
    assert_eq!(shown(package(&json)), PACKAGED);
}

#[test]
fn where_both_are_missing_the_document_is_named() {
    packages(
        r#"{
            "obligations": [
                {"obligation_id":"ob-1","doc_id":"doc-z","source_clause":"c","extraction_model":"x"}
            ],
            "documents": {},
            "verifications": {}
        }"#,
        &expect![[r#"
            {
              "records": [],
              "skipped": [
                {
                  "obligation_id": "ob-1",
                  "reason": "missing document doc-z"
                }
              ],
              "findings": []
            }"#]],
    );
}

#[test]
fn every_fault_of_a_request_is_named_with_its_path() {
    packages(
        r#"{
            "obligations": [
                {"obligation_id":"","doc_id":"d","source_clause":"c","extraction_model":"x","confidence":null},
                {"obligation_id":"b","doc_id":7,"extraction_model":"x","source_page":-1,"colour":"red"}
            ],
            "documents": {"d":{"doc_id":"e","filename":"a"},"f":{"name":"a"}},
            "verifications": {
                "a":{"verification_model":"v","verified":"yes","confidence":1.5},
                "b":{"verification_model":"v","result":"MAYBE","confidence":"0x1"}
            },
            "amendment_chains": {
                "a":[{"doc_id":"d"},7,{"action":"REPLACE","doc_id":"d"}],
                "b":[{"action":"RENAME","doc_id":null,"amendment_number":"1","amendment_source_clause":"c"}]
            },
            "extra": 1
        }"#,
        &expect![[r#"
            `obligations[0].obligation_id`: expected 1 to 200 characters without controls or outer spaces, found ``
            `obligations[0].confidence`: expected a number from 0 to 1, found null
            `obligations[1].doc_id`: expected a string, found `7`
            `obligations[1].source_clause`: expected a value, found nothing
            `obligations[1].source_page`: expected a whole number from 0 to 1000000000, found `-1`
            `obligations[1].colour`: expected only obligation_id, doc_id, source_clause, extraction_model, source_page, section_reference, confidence, obligation_type, obligation_text, responsible_party, counterparty, frequency, deadline, id, status, source_doc_id, amendment_history, found a field it does not know
            hint: remove the field or correct its name
            `documents.d.doc_id`: expected `d`, the key it stands under, found `e`
            `documents.f.filename`: expected a value, found nothing
            `documents.f.name`: expected only doc_id, filename, content_hash, parties, effective_date, id, org_id, doc_type, file_path, file_size_bytes, status, parent_reference_raw, classification_confidence, obligations, found a field it does not know
            hint: remove the field or correct its name
            `verifications.a.verified`: expected `true` or `false`, found the string `yes`
            `verifications.a.confidence`: expected a number from 0 to 1, found `1.5`
            `verifications.b.result`: expected one of `CONFIRMED`, `DISPUTED`, `UNVERIFIED`, found `MAYBE`
            `verifications.b.confidence`: expected a number from 0 to 1, found `0x1`
            `amendment_chains.a[0]`: expected the keys clause, doc_id, status, found no clause, status
            `amendment_chains.a[1]`: expected an object, found `7`
            `amendment_chains.a[2]`: expected the keys action, amendment_number, amendment_source_clause, doc_id, found no amendment_number, amendment_source_clause
            `amendment_chains.b[0].action`: expected one of `REPLACE`, `MODIFY`, `UNCHANGED`, `DELETE`, found `RENAME`
            `amendment_chains.b[0].amendment_number`: expected a whole number from 0 to 1000000, found the string `1`
            `extra`: expected only obligations, documents, verifications, amendment_chains, found a field it does not know
            hint: remove the field or correct its name"#]],
    );
}

#[test]
fn a_document_under_anothers_key_is_refused() {
    packages(
        r#"{"obligations":[],"documents":{"a":{"doc_id":"b","filename":"f"}},"verifications":{}}"#,
        &expect!["`documents.a.doc_id`: expected `a`, the key it stands under, found `b`"],
    );
}

#[track_caller]
fn validates(request: &str, expected: &Expect) {
    let json = Json::parse(request.as_bytes()).unwrap();
    expected.assert_eq(&shown(validate(&json)));
}

/// A record with this history; its other fields do not matter.
fn record(history: &str) -> String {
    format!(
        r#"{{"obligation_id":"ob-1","doc_id":"d","doc_filename":"f","source_clause":"c","extraction_model":"x",
        "verification_model":"v","verification_result":"CONFIRMED","confidence":1,"amendment_history":{history}}}"#
    )
}

fn change_record(history: &str) -> String {
    record(history).replace(r#""f""#, r#""status_change""#).replace(r#""x""#, r#""SYSTEM""#)
}

#[test]
fn foreign_histories_are_reported_entry_by_entry() {
    let records = [
        record("null"),
        record(r#"[{"doc_id":1,"clause":null,"status":"A"},{"doc_id":"d"},{}]"#),
        record(
            r#"[{"action":"DELETE","doc_id":"d","amendment_number":1,"amendment_source_clause":"c"}]"#,
        ),
        record(r#"[{"action":"DELETE","doc_id":"d"}]"#),
        record(r#"[{"old_status":"A","new_status":"B","reason":"r","changed_by_doc_id":null}]"#),
        change_record(
            r#"[{"old_status":"A","new_status":"B","reason":"r","changed_by_doc_id":null}]"#,
        ),
        change_record(r#"[{"old_status":"A"}]"#),
        change_record("[]"),
    ];
    validates(
        &format!(r#"{{"records":[{}]}}"#, records.join(",")),
        &expect![[r#"
        {
          "valid": false,
          "missing_evidence": [],
          "gaps": [
            "obligation ob-1: amendment_history[1] missing keys clause, status",
            "obligation ob-1: amendment_history[2] missing keys clause, doc_id, status",
            "obligation ob-1: amendment_history[0] missing keys amendment_number, amendment_source_clause",
            "obligation ob-1: amendment_history[0] missing keys clause, doc_id, status",
            "obligation ob-1: amendment_history[0] missing keys changed_by_doc_id, new_status, reason",
            "obligation ob-1: amendment_history[0] missing keys changed_by_doc_id, new_status, old_status, reason"
          ]
        }"#]],
    );
}

#[test]
fn missing_obligations_come_in_the_order_asked_and_once() {
    validates(
        &format!(
            r#"{{"records":[{}],"expected_obligation_ids":["z","ob-1","a","z"]}}"#,
            record("null")
        ),
        &expect![[r#"
            {
              "valid": false,
              "missing_evidence": [
                "z",
                "a"
              ],
              "gaps": []
            }"#]],
    );
}

#[test]
fn a_record_that_breaks_the_contract_is_refused() {
    let record = record("[7]").replace("CONFIRMED", "MAYBE").replace(":1,", ":1.5,");
    validates(
        &format!(r#"{{"records":[{record},{{}}]}}"#),
        &expect![[r#"
        `records[0].verification_result`: expected one of `CONFIRMED`, `DISPUTED`, `UNVERIFIED`, found `MAYBE`
        `records[0].confidence`: expected a number from 0 to 1, found `1.5`
        `records[0].amendment_history[0]`: expected an object, found `7`
        `records[1].obligation_id`: expected a value, found nothing
        `records[1].doc_id`: expected a value, found nothing
        `records[1].source_clause`: expected a value, found nothing
        `records[1].verification_model`: expected a value, found nothing
        `records[1].doc_filename`: expected a value, found nothing
        `records[1].extraction_model`: expected a value, found nothing
        `records[1].verification_result`: expected a value, found nothing
        `records[1].confidence`: expected a value, found nothing"#]],
    );
}

#[track_caller]
fn changes(request: &str, expected: &Expect) {
    let json = Json::parse(request.as_bytes()).unwrap();
    expected.assert_eq(&shown(change(&json)));
}

#[test]
fn a_status_change_has_the_shape_of_the_contract() {
    changes(
        r#"{"obligation_id":"ob-1","old_status":"ACTIVE","new_status":"SUPERSEDED","reason":"Replaced by amendment."}"#,
        &expect![[r#"
            {
              "obligation_id": "ob-1",
              "doc_id": "SYSTEM",
              "doc_filename": "status_change",
              "page_number": null,
              "section_reference": null,
              "source_clause": "Status changed from ACTIVE to SUPERSEDED: Replaced by amendment.",
              "extraction_model": "SYSTEM",
              "verification_model": "SYSTEM",
              "verification_result": "UNVERIFIED",
              "confidence": 1,
              "amendment_history": [
                {
                  "old_status": "ACTIVE",
                  "new_status": "SUPERSEDED",
                  "reason": "Replaced by amendment.",
                  "changed_by_doc_id": null
                }
              ]
            }"#]],
    );
    changes(
        r#"{"obligation_id":" ob-1","old_status":"","new_status":4,"changed_by_doc_id":""}"#,
        &expect![[r#"
            `obligation_id`: expected 1 to 200 characters without controls or outer spaces, found ` ob-1`
            `old_status`: expected a status, found ``
            `new_status`: expected a string, found `4`
            `reason`: expected a value, found nothing
            `changed_by_doc_id`: expected 1 to 200 characters without controls or outer spaces, found ``"#]],
    );
}

#[track_caller]
fn resolves(actions: &[&str], expected: &str) {
    let chain: Vec<String> = actions
        .iter()
        .map(|action| {
            format!(
                r#"{{"action":"{action}","doc_id":"d","amendment_number":1,"amendment_source_clause":"c"}}"#
            )
        })
        .collect();
    let request = format!(r#"{{"chains":{{"ob-1":[{}]}}}}"#, chain.join(","));
    let json = Json::parse(request.as_bytes()).unwrap();
    let resolved = resolve(&json).unwrap().resolved;
    let [one] = resolved.as_slice() else { panic!("one obligation") };
    assert_eq!(one.amendment_history.len() + one.unwalked, actions.len());
    assert_eq!(format!("{} {}", one.status.as_str(), one.unwalked), expected);
}

#[test]
fn amendments_decide_how_an_obligation_stands() {
    resolves(&[], "ACTIVE 0");
    resolves(&["MODIFY", "UNCHANGED"], "ACTIVE 0");
    resolves(&["REPLACE", "MODIFY"], "SUPERSEDED 0");
    resolves(&["REPLACE", "DELETE"], "TERMINATED 0");
    resolves(&["DELETE", "REPLACE", "MODIFY"], "TERMINATED 2");
}

#[test]
fn an_obligation_that_nothing_links_is_unresolved() {
    let request = r#"{"chains":{"a":[],"b":[]},"obligation_ids":["z","b","b"]}"#;
    let json = Json::parse(request.as_bytes()).unwrap();
    expect![[r#"
        {
          "resolved": [
            {
              "obligation_id": "z",
              "status": "UNRESOLVED",
              "amendment_history": [],
              "unwalked": 0
            },
            {
              "obligation_id": "b",
              "status": "ACTIVE",
              "amendment_history": [],
              "unwalked": 0
            },
            {
              "obligation_id": "a",
              "status": "ACTIVE",
              "amendment_history": [],
              "unwalked": 0
            }
          ]
        }"#]]
    .assert_eq(&shown(resolve(&json)));
    let request = r#"{"chains":{"a":[{"action":"REPLACE"}]},"obligation_ids":[""]}"#;
    let json = Json::parse(request.as_bytes()).unwrap();
    expect![[r#"
        `chains.a[0]`: expected the keys action, amendment_number, amendment_source_clause, doc_id, found no amendment_number, amendment_source_clause, doc_id
        `obligation_ids[0]`: expected 1 to 200 characters without controls or outer spaces, found ``"#]].assert_eq(&shown(resolve(&json)));
}

proptest! {
    #[test]
    fn every_obligation_is_packaged_or_skipped(known in prop::collection::vec(any::<(bool, bool)>(), 0..20)) {
        let (mut obligations, mut verifications) = (Vec::new(), Vec::new());
        for (n, (document, verified)) in known.iter().enumerate() {
            let doc = if *document { "here" } else { "gone" };
            obligations.push(format!(
                r#"{{"obligation_id":"ob-{n}","doc_id":"{doc}","source_clause":"c","extraction_model":"x"}}"#
            ));
            if *verified {
                verifications.push(format!(r#""ob-{n}":{{"verification_model":"v"}}"#));
            }
        }
        let request = format!(
            r#"{{"obligations":[{}],"documents":{{"here":{{"filename":"f"}}}},"verifications":{{{}}}}}"#,
            obligations.join(","),
            verifications.join(",")
        );
        let json = Json::parse(request.as_bytes()).unwrap();
        let package = package(&json).unwrap();
        prop_assert_eq!(package.records.len() + package.skipped.len(), known.len());
        prop_assert_eq!(package.records.len(), known.iter().filter(|(d, v)| *d && *v).count());
    }
}
