//! Ledgers: whole ledgers for whole requests, and the laws they keep.

use dalil_proof::canon;
use dalil_proof::score::Score;
use expect_test::{Expect, expect};
use proptest::prelude::{any, proptest};
use proptest::{collection, prop_assert, prop_assert_eq};

use self::sample::{arbitrary, claim, one, request};
use super::confidence::{ConfidenceBand, ConfidenceComponents, calculate};
use super::gate;
use super::request::{ConflictReason, LedgerGate, LedgerRequest};
use super::verdict::SupportLevel;
use super::{Ledger, LedgerEntry, check};
use crate::claim::{ClaimImportance, ClaimKind};

mod sample;

fn ledger(claims: &[String], rest: &str) -> Ledger {
    check(&request(&claims.join(","), rest)).unwrap()
}

/// The verdicts, their evidence and the notes.
#[track_caller]
fn verdicts(matches: &[String], expected: &Expect) {
    let ledger = ledger(&[claim("c", "critical", &matches.join(","))], "");
    let finding = &ledger.content.entries[0].finding;
    expected.assert_eq(&format!(
        "{} {} {:?} {}",
        finding.verdict.label().english(),
        finding.confidence_score,
        finding.evidence_chunk_ids,
        finding.notes
    ));
}

#[test]
fn the_best_match_decides_in_whatever_order() {
    verdicts(
        &[one("a", "d", 0.3, "partial"), one("b", "d", 0.95, "full"), one("c", "d", 0.99, "none")],
        &expect![[r#"Supported 0.95 ["b"] Directly supported by: "Words of b""#]],
    );
    verdicts(
        &[one("a", "d", 0.9, "partial"), one("b", "d", 0.9, "full")],
        &expect![[r#"Supported 0.9 ["b", "a"] Directly supported by: "Words of b""#]],
    );
    verdicts(
        &[one("a", "d", 0.95, "partial"), one("b", "d", 0.9, "full")],
        &expect![[r#"Weak 0.76 ["a", "b"] Partially supported: "Words of a""#]],
    );
}

#[test]
fn any_contradiction_decides_and_the_highest_is_shown() {
    verdicts(
        &[
            one("a", "d", 0.99, "full"),
            one("b", "d", 0.2, "against"),
            one("c", "e", 0.7, "against"),
        ],
        &expect![[r#"Contradicted 0.7 ["c", "b"] Evidence contradicts claim: "Words of c""#]],
    );
}

#[test]
fn matches_that_support_nothing_do_not_count() {
    verdicts(
        &[one("a", "d", 0.3, "none"), one("b", "d", 0.9, "none")],
        &expect!["Not Found 0 [] Evidence does not adequately support claim"],
    );
    verdicts(&[], &expect!["Not Found 0 [] No matching evidence found in provided documents"]);
}

#[test]
fn not_found_in_a_cut_document_says_so() {
    let cut = ledger(&[claim("c", "minor", "")], r#","truncated":["a.pdf","b.pdf","a.pdf"]"#);
    let notes = &cut.content.entries[0].finding.notes;
    assert_eq!(notes, "No matching evidence: not found in what was kept of a.pdf, b.pdf");
}

/// The flags, one line each.
#[track_caller]
fn flags(claims: &[String], rest: &str, expected: &Expect) {
    let lines: Vec<String> = ledger(claims, rest)
        .content
        .risk_flags
        .iter()
        .map(|flag| &flag.risk)
        .map(|risk| {
            let (kind, severity) = (risk.kind.label(), risk.severity.label());
            let (kind, severity) = (kind.english(), severity.english());
            format!("{kind}, {severity}, {:?}: {}", risk.affected_claim_ids, risk.description)
        })
        .collect();
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn ambiguous_evidence_is_two_close_partial_matches_of_different_chunks() {
    let pair = |a: &str, b: &str, other: f64| {
        [claim(
            "c",
            "minor",
            &[one(a, "d", 0.9, "partial"), one(b, "e", other, "partial")].join(","),
        )]
    };
    flags(
        &pair("a", "b", 0.85),
        "",
        &expect![[
            r#"Ambiguous Evidence, Medium, ["c"]: 1 claim(s) rest on evidence that is open to interpretation"#
        ]],
    );
    flags(&pair("a", "b", 0.8499), "", &expect![""]);
    flags(&pair("a", "a", 0.9), "", &expect![""]);
}

#[test]
fn conflicting_sources_are_two_documents() {
    let pair = |for_it: &str, against: &str| {
        [claim(
            "c",
            "minor",
            &[one("a", for_it, 0.9, "full"), one("b", against, 0.8, "against")].join(","),
        )]
    };
    flags(
        &pair("d", "e"),
        "",
        &expect![[r#"
            Contradiction, High, ["c"]: 1 claim(s) contradict the source documents
            Conflicting Sources, High, ["c"]: 1 claim(s) are supported by one document and contradicted by another"#]],
    );
    flags(
        &pair("d", "d"),
        "",
        &expect![[r#"Contradiction, High, ["c"]: 1 claim(s) contradict the source documents"#]],
    );
}

#[test]
fn outdated_is_more_days_than_allowed() {
    let dated = |date: &str| {
        let found = one("a", "d", 0.9, "full");
        let found = found.replace(r#""filename""#, &format!(r#""date":"{date}","filename""#));
        [claim("c", "minor", &found)]
    };
    flags(&dated("2025-01-03"), "", &expect![""]);
    flags(
        &dated("2025-01-02"),
        "",
        &expect![[
            r#"Outdated Source, Medium, ["c"]: 1 claim(s) rest on a source that may be outdated"#
        ]],
    );
    flags(&dated("2027-01-01T00:00:00+03:00"), "", &expect![""]);
    flags(&dated("2025-01-03T14:30:00Z"), "", &expect![""]);
    flags(
        &dated("2025-01-03T14:29:59.999Z"),
        "",
        &expect![[
            r#"Outdated Source, Medium, ["c"]: 1 claim(s) rest on a source that may be outdated"#
        ]],
    );
    flags(
        &dated("2026-01-01"),
        r#","options":{"outdated_days":1}"#,
        &expect![[
            r#"Outdated Source, Medium, ["c"]: 1 claim(s) rest on a source that may be outdated"#
        ]],
    );
}

#[test]
fn minor_claims_count_neither_above_nor_below_the_line() {
    let found = one("a", "d", 0.9, "full");
    let summary = ledger(
        &[
            claim("a", "critical", &found),
            claim("b", "material", ""),
            claim("c", "material", &found),
            claim("d", "minor", ""),
        ],
        "",
    )
    .content
    .summary;
    expect![[r#"{"by_importance":{"critical":1,"material":2,"minor":1},"by_verdict":{"contradicted":0,"not_found":2,"supported":2,"weak":0},"coverage_any_evidence":0.6667,"evidence_coverage":0.6667,"state":"checked","total_claims":4,"unsupported_rate":0.3333}"#]]
    .assert_eq(&String::from_utf8(canon::bytes(&summary).unwrap()).unwrap());
}

#[test]
fn an_answer_without_claims_is_a_state_of_its_own() {
    let empty = ledger(&[], "");
    expect![[r#"{"created_at":"2026-01-03T14:30:00.000Z","entries":[],"follow_up_questions":[],"id":"91c14dbc-38ab-84aa-8365-d996db000afc","risk_flags":[],"session_id":"ses_1","summary":{"by_importance":{"critical":0,"material":0,"minor":0},"by_verdict":{"contradicted":0,"not_found":0,"supported":0,"weak":0},"coverage_any_evidence":null,"evidence_coverage":null,"state":"no_checkable_claim","total_claims":0,"unsupported_rate":0},"updated_at":"2026-01-03T14:30:00.000Z"}"#]]
    .assert_eq(&String::from_utf8(canon::bytes(&empty).unwrap()).unwrap());
    let only_minor = ledger(&[claim("a", "minor", "")], "").content.summary;
    assert_eq!((only_minor.evidence_coverage, only_minor.unsupported_rate), (None, Score::ZERO));
}

#[test]
fn bands_begin_where_the_contract_says() {
    let band = |units| ConfidenceBand::of(Score::from_units(units).unwrap());
    let bands = [10_000, 8_500, 8_499, 7_000, 6_999, 5_000, 4_999, 3_000, 2_999, 0].map(band);
    let [h, g, m, l, v] = [
        ConfidenceBand::High,
        ConfidenceBand::Good,
        ConfidenceBand::Moderate,
        ConfidenceBand::Low,
        ConfidenceBand::VeryLow,
    ];
    assert_eq!(bands, [h, h, g, g, m, m, l, l, v, v]);
}

#[test]
fn a_new_check_names_the_one_before_it_and_is_another() {
    let first = ledger(&[claim("a", "minor", "")], "");
    let next =
        ledger(&[claim("a", "minor", "")], &format!(r#","previous_ledger_id":"{}""#, first.id));
    assert_eq!(next.content.previous_ledger_id, Some(first.id.to_string()));
    assert_ne!((next.id, next.content.entries[0].id), (first.id, first.content.entries[0].id));
    assert_eq!(first, ledger(&[claim("a", "minor", "")], ""));
}

#[test]
fn questions_are_asked_in_the_language_of_the_claim_or_as_told() {
    let arabic = r#"{"claim_id":"x","claim_text":"مدة الإجازة ١٥ يومًا.","claim_type":"numeric","importance":"material","matches":[]}"#;
    let claims = [
        claim("a", "critical", ""),
        arabic.to_owned(),
        claim("w", "material", &one("a", "d", 0.7, "partial")),
        claim("m", "minor", ""),
        claim("s", "critical", &one("a", "d", 0.9, "full")),
    ];
    expect![[r#"
        Which document shows that this is so: "Claim a"?
        ما الوثيقة التي ورد فيها الرقم المذكور فيما يلي: «مدة الإجازة ١٥ يومًا»؟
        Is there a document that directly states: "Claim w"? d.pdf supports it only in part."#]]
    .assert_eq(&ledger(&claims, "").content.follow_up_questions.join("\n"));
    expect![[r#"
        ما الوثيقة التي تُثبت صحة ما يلي: «Claim a»؟
        ما الوثيقة التي ورد فيها الرقم المذكور فيما يلي: «مدة الإجازة ١٥ يومًا»؟
        هل توجد وثيقة تنصّ صراحةً على ما يلي: «Claim w»؟ فالمصدر (d.pdf) لا يؤيّده إلا جزئيًّا."#]]
    .assert_eq(
        &ledger(&claims, r#","options":{"language":"ar"}"#).content.follow_up_questions.join("\n"),
    );
}

#[test]
fn citations_of_the_answer_are_resolved_or_explained() {
    let rest = r#","answer":"إجازة [cite:C8687A08] و [cite:00000000].","chunks":[{"chunk_id":"k1","text":"A  b"}]"#;
    let resolved = ledger(&[], rest).content.citations.unwrap();
    expect![[r#"[{"chunk":{"chunk_id":"k1","text":"A  b"},"chunk_hash":"c8687a08","position":6,"resolved":true},{"chunk_hash":"00000000","error":"Citation references deleted or unavailable chunk","position":24,"resolved":false}]"#]]
    .assert_eq(&String::from_utf8(canon::bytes(&resolved).unwrap()).unwrap());
}

#[test]
fn the_formula_is_reached_through_the_best_match() {
    let found = one("a", "d", 0.9, "full").replace(
        r#""snippet""#,
        r#""components":{"semantic_similarity":0.9,"evidence_count":2,"directness":1,"source_quality":0.5},"snippet""#,
    );
    let finding = ledger(&[claim("a", "minor", &found)], "").content.entries[0].finding.clone();
    assert_eq!(finding.calculated_confidence, Score::new(0.79));
}

#[track_caller]
fn refused(request: &str, expected: &Expect) {
    expected.assert_eq(&LedgerRequest::read(request.as_bytes()).unwrap_err().to_string());
}

#[test]
fn a_bad_request_is_refused_with_every_fault() {
    refused(
        r#"{"session":{"id":" ","colour":1},"created_at":"yesterday","previous_ledger_id":7,"answer":"short","claims":[
            {"claim_id":"a","claim_text":"t","claim_type":"guess","importance":"big","start_offset":4,"end_offset":2,
             "citation_anchors":["xyz"],"matches":[{"chunk_id":"k","document":{"id":"d","filename":"f","page_number":0,"date":"2024-13-01"},
             "similarity":1.5,"support":"some","contradicts":"no","snippet":1}]},
            {"claim_id":"a","claim_text":"t","claim_type":"fact","importance":"minor","end_offset":6}],
            "options":{"language":"fr","gate":{"min_coverage":-0.1}}}"#,
        &expect![[r#"
            `session.id`: expected some text, found ` `
            `session.colour`: expected only id, query, mode, found a field it does not know
            hint: remove the field or correct its name
            `created_at`: expected an RFC 3339 time such as `2026-01-03T14:30:00Z`, found `yesterday`
            `previous_ledger_id`: expected a string, found `7`
            `claims[0].claim_type`: expected one of `fact`, `policy`, `numeric`, `definition`, found `guess`
            `claims[0].importance`: expected one of `critical`, `material`, `minor`, found `big`
            `claims[0].end_offset`: expected an offset from 4, where the claim starts, found `2`
            `claims[0].matches[0].document.page_number`: expected a whole number from 1 to 9007199254740991, found `0`
            `claims[0].matches[0].document.date`: expected a date such as `2024-01-31`, or an RFC 3339 time, found `2024-13-01`
            `claims[0].matches[0].similarity`: expected a number from 0 to 1, found `1.5`
            `claims[0].matches[0].support`: expected one of `full`, `partial`, `none`, found `some`
            `claims[0].matches[0].contradicts`: expected `true` or `false`, found the string `no`
            `claims[0].matches[0].snippet`: expected a string, found `1`
            `claims[0].citation_anchors[0]`: expected 8 to 64 hex digits, found `xyz`
            `claims[1].end_offset`: expected a whole number from 0 to 5, found `6`
            `claims[1].claim_id`: expected each claim once, found `a` again
            `options.language`: expected one of `en`, `ar`, found `fr`
            `options.gate.min_coverage`: expected a number from 0 to 1, found `-0.1`"#]],
    );
    refused(
        r#"{"session":{"id":"s"},"created_at":"2026-01-03T14:30:00Z","claims":[
            {"claim_id":"a","claim_text":"t","claim_type":"fact","importance":"minor"},
            {"claim_id":"a","claim_text":"t","claim_type":"fact","importance":"minor"}]}"#,
        &expect!["`claims[1].claim_id`: expected each claim once, found `a` again"],
    );
}

/// The failed parts of the usual gate, changed by `change`.
#[track_caller]
fn gated(claims: &[String], change: impl FnOnce(&mut LedgerGate), expected: &Expect) {
    let mut wanted = LedgerGate::usual();
    change(&mut wanted);
    let report = gate::report(&wanted, &ledger(claims, ""));
    let lines: Vec<String> = report
        .findings
        .iter()
        .map(|part| format!("{:?} {}", part.verdict, part.message.english()))
        .collect();
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn the_gate_says_which_part_failed_and_why() {
    let found = one("a", "d", 0.9, "full");
    let against = one("a", "d", 0.9, "against");
    gated(
        &[claim("a", "critical", &against), claim("b", "material", "")],
        |_| (),
        &expect![[r#"
            Fail expected evidence coverage of at least 0.85, found 0 supported and 0 weak of 2 critical and material claims
            Fail expected an unsupported rate of at most 0.05, found 1 of 2 critical and material claims not found
            Fail expected at most 0 contradicted critical claims, found 1: `a`"#]],
    );
    let mut many: Vec<String> =
        (0..17).map(|n| claim(&format!("s{n}"), "material", &found)).collect();
    many.extend((0..3).map(|n| claim(&format!("x{n}"), "material", &against)));
    gated(
        &many,
        |_| (),
        &expect![[r#"
            Pass expected evidence coverage of at least 0.85, found 17 supported and 0 weak of 20 critical and material claims
            Pass expected an unsupported rate of at most 0.05, found 0 of 20 critical and material claims not found
            Pass expected at most 0 contradicted critical claims, found 0"#]],
    );
    gated(
        &[],
        |_| (),
        &expect![[r#"
        Incomplete expected evidence coverage of at least 0.85, found no checkable claim
        Pass expected an unsupported rate of at most 0.05, found 0 of 0 critical and material claims not found
        Pass expected at most 0 contradicted critical claims, found 0"#]],
    );
    gated(
        &[claim("a", "critical", &against)],
        |gate| {
            *gate = LedgerGate { min_coverage: Score::ZERO, max_contradicted_critical: 1, ..*gate }
        },
        &expect![[r#"
            Pass expected evidence coverage of at least 0, found 0 supported and 0 weak of 1 critical and material claims
            Pass expected an unsupported rate of at most 0.05, found 0 of 1 critical and material claims not found
            Pass expected at most 1 contradicted critical claims, found 1: `a`"#]],
    );
}

proptest! {
    #[test]
    fn equal_requests_give_equal_bytes_and_shares_stay_shares(request in arbitrary()) {
        let ledger = check(&request).unwrap();
        prop_assert_eq!(canon::bytes(&ledger).unwrap(), canon::bytes(&check(&request).unwrap()).unwrap());
        let summary = ledger.content.summary;
        let coverage = summary.evidence_coverage.unwrap_or_default();
        prop_assert!(coverage.units() + summary.unsupported_rate.units() <= 10_001);
        let weighty = request.claims.iter().any(|claim| claim.importance != ClaimImportance::Minor);
        prop_assert_eq!(summary.evidence_coverage.is_some(), weighty);
        prop_assert_eq!(Ledger::parse(&canon::bytes(&ledger).unwrap()).unwrap(), ledger);
        let counts = summary.by_verdict;
        prop_assert_eq!(counts.supported + counts.weak + counts.contradicted + counts.not_found, request.claims.len());
    }

    #[test]
    fn the_order_of_matches_changes_no_verdict(request in arbitrary()) {
        let mut other = request.clone();
        for claim in &mut other.claims {
            claim.matches.reverse();
        }
        let verdicts = |request| {
            let entries = check(request).unwrap().content.entries;
            let told = |one: LedgerEntry| (one.finding.verdict, one.finding.confidence_score);
            entries.into_iter().map(told).collect::<Vec<_>>()
        };
        prop_assert_eq!(verdicts(&request), verdicts(&other));
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(LedgerRequest::read(&bytes).is_err());
    }
}

#[test]
fn low_confidence_names_the_claims_below_its_limit() {
    let claims = [
        claim("at", "minor", &one("a", "d", 0.75, "partial")),
        claim("below", "minor", &one("b", "d", 0.5, "partial")),
    ];
    let expected =
        expect![[r#"Low Confidence, Medium, ["below"]: Overall confidence is low (50%)"#]];
    flags(&claims, "", &expected);
}

#[test]
fn more_than_four_sources_make_a_claim_no_surer() {
    let sure = |evidence_count| {
        calculate(ConfidenceComponents {
            semantic_similarity: Score::new(0.5).unwrap(),
            evidence_count,
            directness: Score::ZERO,
            source_quality: Score::ZERO,
        })
        .units()
    };
    assert_eq!([0, 1, 4, 5, u64::MAX].map(sure), [2_500, 3_000, 4_500, 4_500, 4_500]);
}

#[test]
fn a_claim_of_as_many_arabic_letters_as_others_is_asked_about_in_arabic() {
    let asked = |text: &str| {
        let claims = [claim("a", "critical", "").replace("Claim a", text)];
        ledger(&claims, "").content.follow_up_questions.concat()
    };
    assert_eq!(asked("SLA سنة"), "ما الوثيقة التي تُثبت صحة ما يلي: «SLA سنة»؟");
    assert_eq!(asked("SLAs سنة"), "Which document shows that this is so: \"SLAs سنة\"?");
}
