//! Every sentence of the contract of packs, sections 2 to 10, and a
//! test that would fail without it.

use std::path::Path;

/// A sentence, and the test that holds it, in the file that it is listed under.
type Held = (&'static str, &'static str);

const ACCESS: [Held; 2] = [
    (
        "7 can_view_evidence_pack(user, pack)",
        "a_pack_is_seen_by_every_member_of_its_tenant_and_by_nobody_else",
    ),
    ("7 viewer, approver, admin on the tenant", "each_role_may_do_what_the_one_before_it_may"),
];

const POLICY: [Held; 5] = [
    ("3 mandatory: A2, A3, R3, S3, confidence below 0.7 on high stakes", "every_reason_is_listed"),
    ("3 below 0.7, not at it", "a_confidence_of_exactly_the_threshold_is_enough"),
    (
        "3 on a high-stakes decision only",
        "a_low_confidence_does_not_matter_where_little_is_at_stake",
    ),
    ("3 recommended for A1", "an_a1_decision_is_recommended"),
    ("3 skip for A0 R0 S0", "a_routine_decision_is_skipped"),
];

const PACK: [Held; 3] = [
    ("2 prompts", "prompts_of_the_decision_are_the_packs_when_the_request_has_none"),
    ("2 the fields of a pack", "a_pack_has_the_published_names"),
    ("4 unresolved until reviewer_id is set", "a_sound_request_becomes_an_unresolved_pack"),
];

const EDITS: [Held; 13] = [
    (
        "2 decision_id, entity_id, agent_name",
        "a_decision_must_say_whose_it_is_and_what_class_it_has",
    ),
    ("2 data_freshness_window_hours", "a_source_exactly_as_old_as_the_window_is_fresh"),
    ("4 tool calls of the same decision", "a_call_of_another_decision_is_refused"),
    ("5.1 name, URI or reference, time, confidence", "a_source_must_say_what_where_and_when"),
    ("5.1 at most 2000 characters", "an_excerpt_has_at_most_2000_characters"),
    ("5.1 SHOULD have a content hash", "a_source_without_a_content_hash_is_a_finding"),
    ("5.2 intended and actual action", "a_call_must_say_what_was_intended_and_what_was_done"),
    ("5.2 contradictions are flagged", "a_contradiction_flag_that_lies_is_refused"),
    ("5.3 the top three inline", "a_memo_cites_the_top_three_sources_in_both_languages"),
    ("5.3 in the summary as well", "a_summary_that_cites_nothing_is_refused"),
    (
        "10 not from nothing but the model's own prose",
        "a_pack_from_nothing_but_the_models_own_prose_is_refused",
    ),
    ("10 no memo in one language", "a_memo_in_one_language_is_refused"),
    ("10 no raw S3 content in the memo", "a_memo_holds_no_personal_data"),
];

const VERSIONS: [Held; 4] = [
    ("2 reviewer_id, reviewed_at", "a_request_must_be_whole_about_its_version"),
    (
        "2 created_at is that of the version",
        "a_reviewed_pack_reads_back_as_it_is_and_names_the_old_one",
    ),
    ("4 by somebody else than the agent", "the_agent_cannot_review_its_own_decision"),
    ("9 an edit is a new version", "an_edit_is_a_new_version_of_the_same_decision"),
];

const DRAFT: [Held; 2] = [
    (
        "5.3 bilingual, board-grade, Gulf business register",
        "a_memo_that_is_not_given_is_drafted_in_both_languages",
    ),
    ("5.3 at most 120 and 600 words, drafted", "every_draft_keeps_the_rules_of_memos"),
];

const KEPT: [Held; 6] = [
    ("2 tenant_id", "a_pack_belongs_to_its_tenant_alone"),
    ("9 a key of each tenant's own", "a_pack_belongs_to_its_tenant_alone"),
    ("9 pack_id is immutable", "an_edit_names_the_newest_version_and_follows_it"),
    ("4 tool calls from the tool ledger", "calls_that_were_recorded_cannot_be_left_out"),
    (
        "6 persisted, with a row that points to the object",
        "a_sealed_pack_passes_verification_by_a_stranger",
    ),
    ("10 no review in place", "a_pack_is_not_reviewed_by_the_way"),
];

const GATHER: [Held; 4] = [
    ("4 a decision with a list of evidence", "a_decision_says_what_it_requires_and_why"),
    ("4 evidence becomes sources", "a_pack_is_made_of_what_the_store_has"),
    ("5.1 verbatim", "an_excerpt_must_be_in_the_text_that_the_lake_has"),
    ("10 failures are evidence too", "a_pack_is_made_of_what_the_store_has"),
];

const ERASED: [Held; 1] =
    [("9 an edit is a new version", "the_number_of_an_erased_version_is_not_used_again")];

const APPROVE: [Held; 5] = [
    ("2 created_at is immutable", "the_last_approval_that_is_needed_makes_the_version"),
    ("4 resolved when reviewer_id is set", "the_last_approval_that_is_needed_makes_the_version"),
    ("4 the agent itself never", "the_agent_reviews_nothing_even_as_a_member"),
    ("4 by the approvers of the class", "each_class_asks_for_its_own_approvers"),
    (
        "7, 9 read by pack_id; the old one remains accessible",
        "the_last_approval_that_is_needed_makes_the_version",
    ),
];

const PAGES: [Held; 3] = [
    ("8 PDF on demand, with everything that it says", "what_is_attached_is_what_was_given"),
    ("8 Arabic from the right, in a board document's layout", "text_is_read_in_logical_order"),
    ("8 pages that other programs can read", "other_programs_find_nothing_wrong"),
];

const EXPORT: [Held; 4] = [
    (
        "8 PDF is an export like the others",
        "the_pages_of_a_pack_are_the_same_whatever_the_trail_has_grown_to",
    ),
    ("8 requires approval", "an_export_without_approval_leaves_a_refusal_and_no_byte"),
    ("8 is logged; JSON is canonical", "an_export_is_recorded_with_who_why_form_and_digest"),
    (
        "8 personal data more than that",
        "personal_data_leaves_with_two_of_the_executives_or_the_board",
    ),
];

/// Files under `crates/` and what they hold.
const FILES: [(&str, &[Held]); 18] = [
    ("dalil-evidence/src/access/tests.rs", &ACCESS),
    ("dalil-evidence/src/policy/tests.rs", &POLICY),
    ("dalil-evidence/src/pack/tests.rs", &PACK),
    ("dalil-evidence/src/pack/tests/edits.rs", &EDITS),
    ("dalil-evidence/src/pack/tests/versions.rs", &VERSIONS),
    ("dalil-evidence/src/pack/memo/draft/tests.rs", &DRAFT),
    ("dalil-service/src/pack/tests.rs", &KEPT),
    ("dalil-service/src/pack/tests/gather.rs", &GATHER),
    ("dalil-service/src/pack/tests/approve.rs", &APPROVE),
    ("dalil-service/src/pack/tests/erased.rs", &ERASED),
    ("dalil-render/src/pdf/tests.rs", &PAGES),
    ("dalil-service/src/export/tests.rs", &EXPORT),
    (
        "dalil-proof/src/id/tests.rs",
        &[("2 pack_<16 hex>", "event_ids_are_a_prefix_and_sixteen_digits")],
    ),
    (
        "dalil-evidence/src/pack/memo/tests.rs",
        &[
            ("5.3 at most 120 words", "a_summary_has_at_most_120_words_by_unicode_rules"),
            ("5.3 at most 600 words", "a_body_has_at_most_600_words_in_each_language"),
        ],
    ),
    ("dalil-render/src/pack/tests.rs", &[("5.2 side effects, plainly", "a_pack_reads_in_english")]),
    (
        "dalil-proof/src/erasure/tests.rs",
        &[(
            "6 seven years and legal hold",
            "a_refusal_names_every_record_that_is_in_the_way_and_its_hold",
        )],
    ),
    (
        "dalil-evidence/src/approval/tests.rs",
        &[(
            "8 an S2+ action of class A1 or above",
            "an_export_needs_a1_at_least_and_personal_data_a3",
        )],
    ),
    (
        "dalil-evidence/src/pack/open/tests.rs",
        &[("9 signed with a per-tenant key", "changing_any_one_byte_is_detected")],
    ),
];

#[test]
fn every_sentence_has_a_test_that_is_there() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut sections = std::collections::BTreeSet::new();
    for (file, held) in FILES {
        let text = std::fs::read_to_string(crates.join(file)).unwrap();
        for (sentence, test) in held {
            assert!(is_run(&text, test), "{sentence}: {file} has no test {test} that is run");
            let section = sentence.split(['.', ' ', ',']).next().unwrap();
            sections.insert(section.parse::<u8>().unwrap());
        }
    }
    assert_eq!(sections.into_iter().collect::<Vec<_>>(), [2, 3, 4, 5, 6, 7, 8, 9, 10]);
}

/// Whether a file has a test of this name, and nothing keeps it from being run.
fn is_run(text: &str, name: &str) -> bool {
    let Some((before, _)) = text.split_once(&format!("fn {name}(")) else { return false };
    let attributes = before.lines().rev().map(str::trim);
    let mut attributes = attributes
        .skip_while(|line| matches!(*line, "" | "async"))
        .take_while(|line| line.starts_with("#["));
    let is_test = |line: &str| line == "#[test]" || line == "#[tokio::test]";
    attributes.clone().any(is_test) && !attributes.any(|line| line.contains("ignore"))
}
