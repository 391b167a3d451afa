//! Laws that hold for every request.

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::json;

use super::built;
use crate::bundle::bound::item;
use crate::bundle::sql::sample;
use crate::bundle::{BundleRequest, FetchedArtifacts, RowSampling, build};

proptest! {
    #[test]
    fn a_prefix_is_whole_within_its_limit_and_the_longest(text in "(a|é|世|😀){0,60}", limit in 0_usize..200) {
        let (content, bounding) = item(&text, limit);
        prop_assert!(text.starts_with(content) && content.len() <= limit.min(text.len()));
        if let Some(next) = text.get(content.len()..).unwrap().chars().next() {
            prop_assert!(content.len() + next.len_utf8() > limit);
        }
        prop_assert_eq!(bounding.applied, content.len() < text.len());
        prop_assert_eq!(bounding.bounded_size, content.len());
    }

    #[test]
    fn samples_are_in_order_and_as_many_as_they_can_be(
        total in 0_usize..400,
        most in 1_usize..60,
        strategy in prop::sample::select(vec![RowSampling::FirstOnly, RowSampling::FirstLast, RowSampling::Stride]),
    ) {
        let rows: Vec<usize> = sample(total, most, strategy).0.into_iter().flatten().collect();
        prop_assert_eq!(rows.len(), total.min(most));
        prop_assert!(rows.windows(2).all(|pair| pair[0] < pair[1]));
        prop_assert!(rows.iter().all(|row| *row < total));
        if most >= 2 && total >= 1 && strategy != RowSampling::FirstOnly {
            prop_assert_eq!((rows[0], rows[rows.len() - 1]), (0, total - 1));
        }
    }

    #[test]
    fn kept_and_cut_are_what_was_offered_and_ids_are_unique(
        sizes in prop::collection::vec(0_usize..400, 0..30),
        parts in prop::collection::vec((0_u64..4, 0_u64..4), 0..30),
        max_items in 1_usize..40,
        max_total in 1000_usize..4000,
    ) {
        let evidence: Vec<_> = sizes.iter().map(|size| json!({"text": "é".repeat(*size)})).collect();
        let chunks: Vec<_> = parts
            .iter()
            .map(|(id, index)| json!({"document_id": format!("d{id}"), "chunk_index": index, "text": "t"}))
            .collect();
        let request = json!({
            "job_input": {"extra_params": {"evidence": evidence}},
            "evidence_refs": {"doc_chunks": chunks, "transcript_chunks": chunks},
            "policy": {"max_items": max_items, "max_total_bytes": max_total, "max_item_bytes": 301},
        });
        let bundle = built(&request, &[]).bundle;
        let offered = sizes.len() + parts.len() * 2;
        prop_assert_eq!(bundle.items.len() + bundle.cuts.len(), offered);
        prop_assert_eq!(bundle.summary.bundle_bounding.original_count, offered);
        prop_assert_eq!(bundle.summary.bundle_bounding.items_dropped, bundle.cuts.len());
        let kept = bundle.items.iter().map(|item| &item.head.evidence_id);
        let ids: BTreeSet<_> = kept.chain(bundle.cuts.iter().map(|cut| &cut.evidence_id)).collect();
        prop_assert_eq!(ids.len(), offered);
        let total: usize = bundle.items.iter().map(|item| item.content.len()).sum();
        prop_assert_eq!(total, bundle.summary.total_bytes);
        prop_assert!(total <= max_total && bundle.items.len() <= max_items);
    }

    #[test]
    fn equal_requests_give_equal_bytes(text in any::<String>(), redact in any::<bool>()) {
        let request = json!({
            "job_input": {"extra_params": {"evidence": [{"text": text}]}},
            "evidence_refs": {"lake_http": ["h"], "sql_results": [{"lake_uri": "r", "split": true}]},
            "policy": {"enable_redaction": redact, "max_item_bytes": 100},
        });
        let http = json!({"body": text, "url": text}).to_string();
        let table = json!({"columns": [text], "rows": [[text], {"a": text}]}).to_string();
        let lake = [("h", http.as_str()), ("r", table.as_str())];
        let [first, second] = [(), ()].map(|()| dalil_proof::canon::bytes(&built(&request, &lake).bundle).unwrap());
        prop_assert_eq!(first, second);
    }

    #[test]
    fn the_digest_is_that_of_the_canonical_form(
        text in any::<String>(),
        key in "[a-z\u{e000}\u{1f600}]{0,2}",
        redact in any::<bool>(),
    ) {
        let part = json!({"document_id": "d", "chunk_index": 3, "text": text, "offsets": {"start": 1, "end": 2}});
        let request = json!({
            "job_input": {"extra_params": {"evidence": [
                {"text": text, "source_uri": text},
                {"text": "user@example.com", "metadata": {"z": 1.5, "a": {"y": 1, "b": [text]}, key: text}},
            ]}},
            "evidence_refs": {
                "lake_text": ["t", {"lake_uri": "t", "chunk": true}, "none"],
                "lake_http": ["h"],
                "sql_results": [{"lake_uri": "r", "query_key": text}, {"lake_uri": "r", "split": true}],
                "sql_queries": [{"query_key": text, "query": text, "description": text}],
                "doc_chunks": [part],
            },
            "policy": {"enable_redaction": redact, "max_item_bytes": 100, "max_items": 9, "max_sql_rows": 1},
        });
        let http = json!({"body": text, "url": text, "status_code": 1e21}).to_string();
        let table = json!({"columns": [text], "rows": [[text], {"a": text}], "query": text}).to_string();
        let long = text.repeat(9);
        let lake = [("t", long.as_str()), ("h", http.as_str()), ("r", table.as_str())];
        let bundle = built(&request, &lake).bundle;
        let mut whole = serde_json::to_value(&bundle).unwrap();
        for item in whole["items"].as_array_mut().unwrap() {
            let item = item.as_object_mut().unwrap();
            item.retain(|name, _| name != "anchor" && name != "content");
        }
        let fields = whole.as_object_mut().unwrap();
        fields.retain(|name, _| ["cuts", "items", "policy", "problems", "summary"].contains(&name.as_str()));
        prop_assert_eq!(dalil_proof::canon::digest(&whole).unwrap(), bundle.bundle_sha256);
    }

    #[test]
    fn any_bytes_are_refused_or_built(bytes in any::<Vec<u8>>()) {
        if let Ok(request) = BundleRequest::parse(&bytes) {
            build(request, &FetchedArtifacts::new(), None).unwrap();
        }
    }

    #[test]
    fn any_artifact_is_an_item_or_a_problem(text in "[{}\\[\\]\":,a-z0-9]{0,40}") {
        let refs = json!({"lake_text": ["a"], "lake_http": ["a"], "sql_results": [{"lake_uri": "a"}]});
        let bundle = built(&json!({"evidence_refs": refs}), &[("a", &text)]).bundle;
        prop_assert_eq!(bundle.items.len() + bundle.problems.len(), 3);
    }
}
