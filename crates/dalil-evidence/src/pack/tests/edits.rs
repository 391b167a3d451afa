//! Every rule of assembly, each broken by an edit of a sound request.

use dalil_proof::canon;
use dalil_proof::json::Json;
use expect_test::expect;

use super::{REQUEST, check, edited, shown};
use crate::anchor::text_digest;
use crate::pack::{PackDraft, assemble};

#[test]
fn a_source_must_say_what_where_and_when() {
    check(
        &[
            (r#""source": "crm.hubspot.contact""#, r#""source": " ""#),
            (r#""uri": "hubspot://contacts/456","#, ""),
            (r#""retrieved_at": "2026-01-03T10:05:00Z","#, ""),
            ("\"confidence\": 0.8\n", "\"confidence\": 1.2\n"),
            (r#""reference": "minutes/2025-12""#, r#""reference": null, "uri": """#),
        ],
        &expect![[r#"
            empty `decision.evidence[0].source`: expected some text, found ` `
            source_location `decision.evidence[0].uri`: expected a `uri` or a `reference`, found neither
            hint: say where a reader can find the whole
            missing_field `decision.evidence[1].retrieved_at`: expected a value, found nothing
            empty `decision.evidence[2].uri`: expected some text, found ``
            range `decision.evidence[2].confidence`: expected a number from 0 to 1, found `1.2`
        "#]],
    );
}

#[test]
fn what_a_source_or_a_call_leaves_out_is_named() {
    check(
        &[
            (
                r#""evidence": ["#,
                r#""evidence": [{"source": "crm", "reference": "r", "retrieved_at": "2026-01-03T10:00:00Z"},"#,
            ),
            (r#""actual_action": "no meeting was booked: the calendar did not answer","#, ""),
        ],
        &expect![[r#"
            missing_field `decision.evidence[0].excerpt`: expected a value, found nothing
            missing_field `decision.evidence[0].confidence`: expected a value, found nothing
            missing_field `tool_calls[2].actual_action`: expected a value, found nothing
        "#]],
    );
}

#[test]
fn a_source_without_a_content_hash_is_a_finding() {
    let from = r#""content_hash": "sha256:93cfb5ae9160fca34112915aad198132ac9834203bf89396b0b1023da6027f70","#;
    check(
        &[(from, "")],
        &expect![[r#"
        Unresolved, version 1
        Note no_content_hash `sources[0].content_hash`: the whole that the excerpt is from has no digest
    "#]],
    );
    check(
        &[(from, r#""content_hash": "sha256:...","#)],
        &expect![[r#"
        digest `decision.evidence[0].content_hash`: expected `sha256:` and 64 lower-case hex digits, found `sha256:...`
    "#]],
    );
    check(
        &[(r#""sha256:93cfb5ae"#, r#""93cfb5ae"#)],
        &expect![[r#"
        Unresolved, version 1
    "#]],
    );
}

#[test]
fn an_excerpt_has_at_most_2000_characters() {
    let excerpt = |length: usize| {
        let excerpt = "ش".repeat(length);
        let digest = text_digest(&excerpt).hex();
        let (anchor, _) = digest.split_at(8);
        let request =
            edited(REQUEST, &[("Company size: 120 employees; industry: healthcare", &excerpt)]);
        shown(assemble(request.replace("fe915eaf", anchor).as_bytes()))
    };
    expect![[r#"
        Unresolved, version 1
    "#]]
    .assert_eq(&excerpt(2000));
    expect![[r#"
        excerpt_length `decision.evidence[0].excerpt`: expected at most 2000 characters, found 2001
        hint: quote the words that matter, and give the digest of the whole
    "#]]
    .assert_eq(&excerpt(2001));
}

#[test]
fn a_high_stakes_decision_without_evidence_is_refused() {
    for (a, r, s) in
        [("A2", "R0", "S0"), ("A3", "R0", "S0"), ("A0", "R3", "S0"), ("A0", "R0", "S3")]
    {
        let refused = assemble(without_evidence(a, r, s).as_bytes()).unwrap_err();
        assert_eq!(refused.refused[0].rule, "evidence_required", "{a} {r} {s}");
        assert_eq!(refused.refused[0].path, "decision.evidence", "{a} {r} {s}");
        assert_eq!(refused.refused.len(), 1, "{a} {r} {s}");
    }
    expect![[r#"
        Unresolved, version 1
        Note no_sources `sources`: the decision names no source
    "#]]
    .assert_eq(&shown(assemble(without_evidence("A1", "R2", "S2").as_bytes())));
}

fn without_evidence(a: &str, r: &str, s: &str) -> String {
    let (head, rest) = REQUEST.split_once(r#""evidence": ["#).unwrap();
    let (_, tail) = rest.split_once("    ],").unwrap();
    let mut request = format!(r#"{head}"evidence": [],{tail}"#);
    for anchor in ["fe915eaf", "7a325b01", "2fdf6c31"] {
        request = request.replace(&format!(" [cite:{anchor}]"), "");
    }
    let classes = [
        (r#""approval_class": "A2""#, format!(r#""approval_class": "{a}""#)),
        (r#""reversibility_class": "R2""#, format!(r#""reversibility_class": "{r}""#)),
        (r#""sensitivity_class": "S2""#, format!(r#""sensitivity_class": "{s}""#)),
    ];
    classes.iter().fold(request, |request, (from, to)| edited(&request, &[(from, to)]))
}

#[test]
fn a_pack_from_nothing_but_the_models_own_prose_is_refused() {
    check(
        &[
            (r#""source": "crm.hubspot.contact""#, r#""source": "LLM.summary""#),
            (r#""source": "web.news""#, r#""source": "Claude-Sonnet-4-5""#),
            (r#""source": "board.minutes""#, r#""source": "icp_matcher""#),
        ],
        &expect![[r#"
            own_prose `decision.evidence`: expected a source outside the model, found only the model's own prose
            hint: cite what the model read, not what it said
        "#]],
    );
    check(
        &[
            (r#""source": "crm.hubspot.contact""#, r#""source": "chatgpt answer""#),
            (r#""source": "web.news""#, r#""source": "AI assistant""#),
            (r#""source": "board.minutes""#, r#""source": "GPT-4 says""#),
        ],
        &expect![[r#"
            own_prose `decision.evidence`: expected a source outside the model, found only the model's own prose
            hint: cite what the model read, not what it said
        "#]],
    );
}

#[test]
fn names_of_models_in_use_are_no_sources() {
    for own in [
        "claude",
        "claude.output",
        "claude sonnet 4.5 answer",
        "anthropic.messages",
        "openai.responses",
        "gemini-2.5-pro",
        "llama-3",
        "mistral",
        "deepseek",
        "gpt4o",
        "reasoner",
        "نموذج",
        "نموذج لغوي",
        "الذكاء الاصطناعي",
        "ذكاء اصطناعي",
    ] {
        let own = format!(r#""source": "{own}""#);
        check(
            &[
                (r#""source": "crm.hubspot.contact""#, &own),
                (r#""source": "web.news""#, &own),
                (r#""source": "board.minutes""#, &own),
            ],
            &expect![[r#"
                own_prose `decision.evidence`: expected a source outside the model, found only the model's own prose
                hint: cite what the model read, not what it said
            "#]],
        );
    }
    check(
        &[
            (r#""source": "crm.hubspot.contact""#, r#""source": "نموذج طلب إجازة""#),
            (r#""source": "web.news""#, r#""source": "llm""#),
            (r#""source": "board.minutes""#, r#""source": "claude""#),
        ],
        &expect![[r#"
            Unresolved, version 1
        "#]],
    );
}

#[test]
fn one_source_outside_of_the_model_is_enough() {
    check(
        &[
            (r#""source": "crm.hubspot.contact""#, r#""source": "AI Act, article 5""#),
            (r#""source": "web.news""#, r#""source": "аssistant""#),
            (r#""source": "board.minutes""#, r#""source": "icp-matchér""#),
        ],
        &expect![[r#"
            Unresolved, version 1
        "#]],
    );
    check(
        &[
            (r#""source": "crm.hubspot.contact""#, r#""source": "llm""#),
            (r#""source": "web.news""#, r#""source": "assistant""#),
        ],
        &expect![[r#"
            Unresolved, version 1
        "#]],
    );
}

#[test]
fn names_ids_and_places_have_a_greatest_length() {
    let long = |field: &str, length: usize| format!(r#""{field}": "{}""#, "ش".repeat(length));
    let edits = |name: usize, place: usize| {
        [
            (r#""source": "web.news""#, long("source", name)),
            (r#""uri": "hubspot://contacts/456""#, long("uri", place)),
            (r#""reference": "minutes/2025-12""#, long("reference", place)),
            (r#""entity_id": "lead_xyz789""#, long("entity_id", name)),
        ]
    };
    let tried = |edits: &[(&str, String)]| {
        let edits: Vec<_> = edits.iter().map(|(from, to)| (*from, to.as_str())).collect();
        shown(assemble(edited(REQUEST, &edits).as_bytes()))
    };
    expect![[r#"
        Unresolved, version 1
    "#]]
    .assert_eq(&tried(&edits(256, 2048)));
    expect![[r#"
        length `decision.entity_id`: expected at most 256 characters, found 257
        length `decision.evidence[0].uri`: expected at most 2048 characters, found 2049
        length `decision.evidence[1].source`: expected at most 256 characters, found 257
        length `decision.evidence[2].reference`: expected at most 2048 characters, found 2049
    "#]]
    .assert_eq(&tried(&edits(257, 2049)));
}

#[test]
fn a_source_exactly_as_old_as_the_window_is_fresh() {
    check(
        &[(r#""2026-01-02T10:05:00Z""#, r#""2026-01-01T12:00:00Z""#)],
        &expect![[r#"
        Unresolved, version 1
    "#]],
    );
    check(
        &[(r#""2026-01-02T10:05:00Z""#, r#""2026-01-01T11:59:59.999Z""#)],
        &expect![[r#"
        Unresolved, version 1
        Open stale_source `sources[2]`: the source was retrieved more than 48 hours before the decision
    "#]],
    );
}

#[test]
fn a_source_retrieved_after_the_decision_is_a_finding() {
    check(
        &[(r#""2026-01-02T10:05:00Z""#, r#""2026-01-03T12:00:01Z""#)],
        &expect![[r#"
        Unresolved, version 1
        Note late_source `sources[2].retrieved_at`: the source was retrieved after the decision
    "#]],
    );
}

#[test]
fn an_excerpt_is_checked_against_the_retained_text() {
    let text = "Company profile. Company size: 120 employees; industry: healthcare. Founded 2004.";
    let hash = "sha256:93cfb5ae9160fca34112915aad198132ac9834203bf89396b0b1023da6027f70";
    let retained = format!(r#""retained": {{"{hash}": "{text}"}}, "pack_id""#);
    check(
        &[(r#""pack_id""#, &retained)],
        &expect![[r#"
        Unresolved, version 1
    "#]],
    );
    check(
        &[(r#""pack_id""#, &retained), ("industry: healthcare\"", "industry: hospitals\"")],
        &expect![[r#"
            unknown_citation `memo.body_ar`: expected a citation of one source of this decision, found `[cite:fe915eaf]`, one that names none
            hint: an anchor is the first 8 or more digits of the digest of the source's excerpt
            unknown_citation `memo.executive_summary_ar`: expected a citation of one source of this decision, found `[cite:fe915eaf]`, one that names none
            hint: an anchor is the first 8 or more digits of the digest of the source's excerpt
            missing_citation `memo.body_ar`: expected a citation `[cite:e3ead9e1]` of source 1, found none
            hint: cite the three sources with the highest confidence
            unknown_citation `memo.body_en`: expected a citation of one source of this decision, found `[cite:fe915eaf]`, one that names none
            hint: an anchor is the first 8 or more digits of the digest of the source's excerpt
            unknown_citation `memo.executive_summary_en`: expected a citation of one source of this decision, found `[cite:fe915eaf]`, one that names none
            hint: an anchor is the first 8 or more digits of the digest of the source's excerpt
            missing_citation `memo.body_en`: expected a citation `[cite:e3ead9e1]` of source 1, found none
            hint: cite the three sources with the highest confidence
            not_verbatim `decision.evidence[0].excerpt`: expected words that are in the retained text, found words that are not
        "#]],
    );
    check(
        &[(r#""pack_id""#, &retained), ("Founded 2004", "Founded 2005")],
        &expect![[r#"
        retained_digest `retained[`sha256:93cfb5ae9160fca34112915aad198132ac9834203bf89396b0b10…`]`: expected the text that has this digest, found one whose digest is `sha256:3b804a9e38bf0a0975fbddc7eb8a51d1d5b9ddfe3535410fca791454de7068e0`
    "#]],
    );
}

#[test]
fn a_contradiction_flag_that_lies_is_refused() {
    check(
        &[(r#""contradiction_flag": false"#, r#""contradiction_flag": true"#)],
        &expect![[r#"
        contradiction_flag `tool_calls[0].contradiction_flag`: expected `false`: the actions agree, found `true`
        hint: leave the flag out; it is computed
    "#]],
    );
    check(
        &[(
            r#""tool_name": "email.send""#,
            r#""tool_name": "email.send", "contradiction_flag": false"#,
        )],
        &expect![[r#"
            contradiction_flag `tool_calls[1].contradiction_flag`: expected `true`: the actions differ at `amount`, found `false`
            hint: leave the flag out; it is computed
        "#]],
    );
}

#[test]
fn a_call_must_say_what_was_intended_and_what_was_done() {
    check(
        &[
            (r#""intended_action": "retrieve contact 456 read-only","#, ""),
            (
                r#""actual_action": "no meeting was booked: the calendar did not answer""#,
                r#""actual_action": 7"#,
            ),
            (r#""outcome": "failed""#, r#""outcome": "meh", "side_effects": [""]"#),
            (
                r#""side_effects": [],
      "outcome": "meh""#,
                r#""outcome": "meh""#,
            ),
            (r#""verification_status": "verified""#, r#""verification_status": "sure""#),
        ],
        &expect![[r#"
            missing_field `tool_calls[0].intended_action`: expected a value, found nothing
            choice `tool_calls[0].verification_status`: expected one of `pending`, `verified`, `contradicted`, `blocked`, found `sure`
            type `tool_calls[2].actual_action`: expected a text or an object, found `7`
            empty `tool_calls[2].side_effects[0]`: expected some text, found ``
            choice `tool_calls[2].outcome`: expected one of `succeeded`, `failed`, `blocked`, found `meh`
        "#]],
    );
}

#[test]
fn a_call_of_another_decision_is_refused() {
    check(
        &[(
            r#""tool_name": "email.send""#,
            r#""tool_name": "email.send", "decision_id": "dec_other""#,
        )],
        &expect![[r#"
            foreign_call `tool_calls[1].decision_id`: expected a call of decision `dec_abc123`, found `dec_other`
        "#]],
    );
    check(
        &[(
            r#""tool_name": "email.send""#,
            r#""tool_name": "email.send", "decision_id": "dec_abc123""#,
        )],
        &expect![[r#"
            Unresolved, version 1
        "#]],
    );
}

#[test]
fn a_call_that_does_not_say_how_it_ended_is_a_finding() {
    check(
        &[
            (r#""outcome": "failed","#, ""),
            (r#""verification_status": "contradicted""#, r#""verification_status": "verified""#),
        ],
        &expect![[r#"
            Unresolved, version 1
            Note contradicted_call `tool_calls[1].verification_status`: the call is said to be verified, but its actions differ
            Note no_outcome `tool_calls[2].outcome`: how the call ended is not said
        "#]],
    );
}

#[test]
fn a_call_that_does_not_say_what_it_changed_is_a_finding() {
    check(
        &[(
            "      \"side_effects\": [],\n      \"outcome\": \"failed\",",
            "\"outcome\": \"failed\",",
        )],
        &expect![[r#"
            Unresolved, version 1
            Note no_side_effects `tool_calls[2].side_effects`: what the call changed is not said
        "#]],
    );
}

#[test]
fn a_memo_in_one_language_is_refused() {
    check(
        &[
            (r#""title_ar": "توصية الملاءمة - مستشفى الرياض""#, r#""title_ar": "Fit""#),
            (
                r#""executive_summary_ar": "الشركة تطابق ملفنا المستهدف بدرجة 0.84 (Tier A). [cite:fe915eaf]""#,
                r#""executive_summary_ar": """#,
            ),
            ("توصي اللجنة بإرسال العرض إلى المستشفى.", "..."),
        ],
        &expect![[r#"
            memo_language `memo.title_ar`: expected text in Arabic, found none
            hint: a memo is written in both languages
            memo_language `memo.body_ar`: expected text in Arabic, found none
            hint: a memo is written in both languages
            empty `memo.executive_summary_ar`: expected some text, found ``
        "#]],
    );
    check(
        &[("We recommend sending the proposal to the hospital.", "نوصي")],
        &expect![[r#"
        memo_language `memo.body_en`: expected text in English, found none
        hint: a memo is written in both languages
    "#]],
    );
}

#[test]
fn a_memo_cites_the_top_three_sources_in_both_languages() {
    check(
        &[(" [cite:2fdf6c31]\"", "\"")],
        &expect![[r#"
        missing_citation `memo.body_ar`: expected a citation `[cite:2fdf6c31]` of source 3, found none
        hint: cite the three sources with the highest confidence
    "#]],
    );
    check(
        &[("[cite:2fdf6c31]\"", "[cite:2FDF6C31]\"")],
        &expect![[r#"
        Unresolved, version 1
    "#]],
    );
    check(
        &[("[cite:2fdf6c31]\"", "[cite:00000000]\"")],
        &expect![[r#"
        unknown_citation `memo.body_ar`: expected a citation of one source of this decision, found `[cite:00000000]`, one that names none
        hint: an anchor is the first 8 or more digits of the digest of the source's excerpt
        missing_citation `memo.body_ar`: expected a citation `[cite:2fdf6c31]` of source 3, found none
        hint: cite the three sources with the highest confidence
    "#]],
    );
}

#[test]
fn a_summary_may_cite_what_its_body_does_not() {
    check(
        &[
            (" [cite:2fdf6c31]\"", "\""),
            ("بدرجة 0.84 (Tier A).", "بدرجة 0.84 (Tier A). [cite:2fdf6c31]"),
        ],
        &expect![[r#"
        Unresolved, version 1
    "#]],
    );
    check(
        &[
            (" [cite:2fdf6c31]\"", "\""),
            ("ICP at 0.84 (Tier A).", "ICP at 0.84 (Tier A). [cite:2fdf6c31]"),
        ],
        &expect![[r#"
        missing_citation `memo.body_ar`: expected a citation `[cite:2fdf6c31]` of source 3, found none
        hint: cite the three sources with the highest confidence
    "#]],
    );
}

#[test]
fn a_title_without_a_letter_stands_in_both_languages() {
    check(
        &[
            ("توصية الملاءمة - مستشفى الرياض", "2026/14"),
            ("Fit Recommendation — Riyadh Hospital", "2026/14"),
        ],
        &expect![[r#"
        Unresolved, version 1
    "#]],
    );
}

/// The digests of both clauses begin with `fca8aac8`.
#[test]
fn a_citation_that_could_mean_two_sources_is_refused() {
    let (one, other) = ("Clause 57151.", "Clause 68423.");
    let clauses = [
        ("Company size: 120 employees; industry: healthcare", one),
        ("The hospital plans to replace its records system in 2026.", other),
        ("[cite:fe915eaf] [cite:7a325b01]", "[cite:fca8aac8afee] [cite:fca8aac8c9]"),
        ("[cite:fe915eaf] [cite:7a325b01]", "[cite:fca8aac8]"),
    ];
    check(
        &clauses,
        &expect![[r#"
            unknown_citation `memo.executive_summary_ar`: expected a citation of one source of this decision, found `[cite:fe915eaf]`, one that names none
            hint: an anchor is the first 8 or more digits of the digest of the source's excerpt
            ambiguous_citation `memo.body_en`: expected a citation of one source of this decision, found `[cite:fca8aac8]`, one that names several
            hint: an anchor is the first 8 or more digits of the digest of the source's excerpt
            unknown_citation `memo.executive_summary_en`: expected a citation of one source of this decision, found `[cite:fe915eaf]`, one that names none
            hint: an anchor is the first 8 or more digits of the digest of the source's excerpt
            missing_citation `memo.body_en`: expected a citation `[cite:fca8aac8c]` of source 1, found none
            hint: cite the three sources with the highest confidence
            missing_citation `memo.body_en`: expected a citation `[cite:fca8aac8a]` of source 2, found none
            hint: cite the three sources with the highest confidence
        "#]],
    );
}

#[test]
fn only_the_three_sources_relied_on_most_must_be_cited() {
    let fourth = r#""evidence": [{"source":"crm","reference":"r","excerpt":"A fourth source.",
        "content_hash":"93cfb5ae9160fca34112915aad198132ac9834203bf89396b0b1023da6027f70",
        "retrieved_at":"2026-01-03T10:00:00Z","confidence":CONFIDENCE},"#;
    check(
        &[(r#""evidence": ["#, &fourth.replace("CONFIDENCE", "0.79"))],
        &expect![[r#"
        Unresolved, version 1
    "#]],
    );
    // A tie goes to the one that comes first.
    check(
        &[(r#""evidence": ["#, &fourth.replace("CONFIDENCE", "0.8"))],
        &expect![[r#"
        missing_citation `memo.body_ar`: expected a citation `[cite:f210e691]` of source 1, found none
        hint: cite the three sources with the highest confidence
        missing_citation `memo.body_en`: expected a citation `[cite:f210e691]` of source 1, found none
        hint: cite the three sources with the highest confidence
    "#]],
    );
}

#[test]
fn a_memo_holds_no_personal_data() {
    check(
        &[
            ("We recommend sending", "We (sales@example.com, +966 50 123 4567) recommend sending"),
            (
                "(Tier A). [cite:fe915eaf]\",\n    \"executive_summary_en\"",
                "(Tier A) سجل 4111 1111 1111 1111. [cite:fe915eaf]\",\n    \"executive_summary_en\"",
            ),
        ],
        &expect![[r#"
            personal_data `memo.body_en`: expected no personal data or secrets, found `email` at byte 4
            hint: point to the source and give its digest instead
            personal_data `memo.body_en`: expected no personal data or secrets, found `phone` at byte 23
            hint: point to the source and give its digest instead
            personal_data `memo.executive_summary_ar`: expected no personal data or secrets, found `credit_card` at byte 84
            hint: point to the source and give its digest instead
        "#]],
    );
}

#[test]
fn a_ledger_must_add_up() {
    let ledger = r#""ledger": {"entries":[{"verdict":"supported","claim_importance":"critical"},
        {"verdict":"not_found","claim_importance":"material"},
        {"verdict":"weak","claim_importance":"minor"},
        {"verdict":"weak","claim_importance":"material"}],
        "summary":{"total_claims":4,"by_verdict":{"supported":1,"weak":2,"contradicted":0,
        "not_found":1},"by_importance":{"critical":1,"material":2,"minor":1},
        "evidence_coverage":0.6667,"unsupported_rate":0.3333}}, "pack_id""#;
    check(
        &[(r#""pack_id""#, ledger)],
        &expect![[r#"
        Unresolved, version 1
    "#]],
    );
    check(
        &[(r#""pack_id""#, &edited(ledger, &[("0.6667", "0.6668"), ("0.3333", "0.3334")]))],
        &expect![[r#"
        ledger_sum `ledger.summary.evidence_coverage`: expected `0.6666666666666666`, as the entries give, found `0.6668`
        ledger_sum `ledger.summary.unsupported_rate`: expected `0.3333333333333333`, as the entries give, found `0.3334`
    "#]],
    );
    let wrong = edited(
        ledger,
        &[
            ("0.6667", "0.9"),
            (r#""total_claims":4"#, r#""total_claims":5"#),
            (r#""weak":2"#, r#""weak":"two""#),
        ],
    );
    check(
        &[(r#""pack_id""#, &wrong)],
        &expect![[r#"
        ledger_sum `ledger.summary.total_claims`: expected `4`, as the entries give, found `5`
        ledger_sum `ledger.summary.evidence_coverage`: expected `0.6666666666666666`, as the entries give, found `0.9`
        ledger_sum `ledger.summary.by_verdict.weak`: expected `2`, as the entries give, found `two`
    "#]],
    );
    check(
        &[(r#""pack_id""#, r#""ledger": {}, "pack_id""#)],
        &expect![[r#"
        type `ledger.entries`: expected the ledger's entries, found nothing
    "#]],
    );
    check(
        &[(r#""pack_id""#, r#""ledger": "led_1", "pack_id""#)],
        &expect![[r#"
        type `ledger.entries`: expected the ledger's entries, found nothing
    "#]],
    );
}

#[test]
fn a_ledger_that_states_both_coverages_counts_a_weak_claim_half() {
    let ledger = r#""ledger": {"entries":[{"verdict":"supported","claim_importance":"critical"},
        {"verdict":"weak","claim_importance":"material"}],
        "summary":{"evidence_coverage":0.75,"coverage_any_evidence":1}}, "pack_id""#;
    check(
        &[(r#""pack_id""#, ledger)],
        &expect![[r#"
        Unresolved, version 1
    "#]],
    );
    check(
        &[(r#""pack_id""#, &edited(ledger, &[("0.75", "1")]))],
        &expect![[r#"
        ledger_sum `ledger.summary.evidence_coverage`: expected `0.75`, as the entries give, found `1`
    "#]],
    );
    let none = r#""ledger": {"entries":[],
        "summary":{"evidence_coverage":null,"coverage_any_evidence":null}}, "pack_id""#;
    check(
        &[(r#""pack_id""#, none)],
        &expect![[r#"
        Unresolved, version 1
    "#]],
    );
    check(
        &[(
            r#""pack_id""#,
            &edited(none, &[(r#""evidence_coverage":null"#, r#""evidence_coverage":1"#)]),
        )],
        &expect![[r#"
        ledger_sum `ledger.summary.evidence_coverage`: expected `null`, as the entries give, found `1`
    "#]],
    );
}

#[test]
fn a_decision_must_say_whose_it_is_and_what_class_it_has() {
    check(
        &[
            (r#""decision_id": "dec_abc123","#, ""),
            (r#""entity_id": "lead_xyz789","#, r#""entity_id": null,"#),
            (r#""agent_name": "icp_matcher","#, ""),
            (r#""approval_class": "A2","#, ""),
            (r#""pack_id": "pack_00000000000000a1""#, r#""pack_id": "pack_A1""#),
            (r#""created_at": "2026-01-03T12:30:00Z""#, r#""created_at": "today""#),
        ],
        &expect![[r#"
            missing_field `decision.decision_id`: expected a value, found nothing
            missing_field `decision.entity_id`: expected a value, found nothing
            missing_field `decision.agent_name`: expected a value, found nothing
            missing_field `decision.approval_class`: expected a class, found nothing
            hint: state the class, or an `action_type` that has one
            id `pack_id`: expected `pack_` and 16 lower-case hex digits, found `pack_A1`
            time `created_at`: expected an RFC 3339 time such as `2026-01-03T14:30:00Z`, found `today`
        "#]],
    );
    check(
        &[(r#""approval_class": "A2","#, r#""action_type": "proposal_send","#)],
        &expect![[r#"
        Unresolved, version 1
    "#]],
    );
    check(
        &[(r#""tenant_id": "tenant-1","#, "")],
        &expect![[r#"
        Unresolved, version 1
        Note default_tenant `tenant_id`: the decision names no tenant of its own
    "#]],
    );
}

#[test]
fn everything_wrong_with_a_request_is_said_at_once() {
    let long = "x".repeat(5000);
    check(
        &[
            ("The hospital plans to replace its records system in 2026.", &long),
            (r#""title_en": "Fit Recommendation — Riyadh Hospital","#, ""),
            (r#""contradiction_flag": false"#, r#""contradiction_flag": true"#),
            (r#""approval_class": "A2""#, r#""approval_class": "B2""#),
            (r#""template_name": "icp_reasoning""#, r#""name": "icp_reasoning""#),
            (r#""pack_id""#, r#""reviewer_id": "ICP_Matcher", "pack_id""#),
            (" [cite:fe915eaf]", ""),
        ],
        &expect![[r#"
            excerpt_length `decision.evidence[1].excerpt`: expected at most 2000 characters, found 5000
            hint: quote the words that matter, and give the digest of the whole
            choice `decision.approval_class`: expected one of `A0`, `A1`, `A2`, `A3`, found `B2`
            contradiction_flag `tool_calls[0].contradiction_flag`: expected `false`: the actions agree, found `true`
            hint: leave the flag out; it is computed
            missing_field `prompts[0].template_name`: expected a value, found nothing
            unknown_field `prompts[0].name`: expected only template_name, template_version, rendered_length, system_prompt_present, found a field it does not know
            hint: remove the field or correct its name
            missing_field `memo.title_en`: expected a value, found nothing
            unknown_citation `memo.body_ar`: expected a citation of one source of this decision, found `[cite:7a325b01]`, one that names none
            hint: an anchor is the first 8 or more digits of the digest of the source's excerpt
            missing_citation `memo.body_ar`: expected a citation `[cite:c59d3c04]` of source 2, found none
            hint: cite the three sources with the highest confidence
            unknown_citation `memo.body_en`: expected a citation of one source of this decision, found `[cite:7a325b01]`, one that names none
            hint: an anchor is the first 8 or more digits of the digest of the source's excerpt
            missing_citation `memo.body_en`: expected a citation `[cite:c59d3c04]` of source 2, found none
            hint: cite the three sources with the highest confidence
            review `reviewed_at`: expected the time of the review, found none
            review `supersedes`: expected the version that was reviewed: a review makes a version of its own, found none
            self_review `reviewer_id`: expected a reviewer who is not the agent, found `ICP_Matcher`
            hint: somebody else must review what the agent decided
        "#]],
    );
}

#[test]
fn a_summary_that_cites_nothing_is_refused() {
    check(
        &[
            (
                "(Tier A). [cite:fe915eaf]\",\n    \"executive_summary_en\"",
                "(Tier A).\",\n    \"executive_summary_en\"",
            ),
            ("ICP at 0.84 (Tier A). [cite:fe915eaf]", "ICP at 0.84 (Tier A)."),
        ],
        &expect![[r#"
            missing_citation `memo.executive_summary_ar`: expected a citation of a source, such as `[cite:fe915eaf]`, found none
            missing_citation `memo.executive_summary_en`: expected a citation of a source, such as `[cite:fe915eaf]`, found none
        "#]],
    );
}

/// A field as canonical JSON.
fn text_of(json: &Json<'_>, name: &str) -> String {
    String::from_utf8(canon::bytes(json.get(name).unwrap()).unwrap()).unwrap()
}

#[test]
fn a_pack_says_what_was_decided() {
    let request = edited(
        REQUEST,
        &[(
            r#""objective": "recommend_proposal","#,
            r#""objective": "recommend_proposal", "options_considered": ["Wait", {"b": 1, "a": 2}],"#,
        )],
    );
    let draft = assemble(request.as_bytes()).unwrap();
    let bytes = canon::bytes(&draft).unwrap();
    let json = Json::parse(&bytes).unwrap();
    let names = ["objective", "recommendation", "rationale", "options_considered"];
    let said: Vec<String> = names.iter().map(|name| text_of(&json, name)).collect();
    expect![[r#"
        "recommend_proposal"
        {"action":"send_proposal"}
        "The company matches the profile."
        ["Wait",{"a":2,"b":1}]"#]]
    .assert_eq(&said.join("\n"));
    assert_eq!(PackDraft::parse(&bytes).unwrap(), draft);
}
