//! Verdicts of matches that a person can check, cannot see, or that disagree.

use dalil_proof::canon;
use expect_test::{Expect, expect};

use crate::ledger::request::LedgerRequest;
use crate::ledger::risk::RiskKind;
use crate::ledger::{Ledger, check};

/// A match of a document: its similarity, its stance, and any further fields.
fn one(document: &str, similarity: f64, says: &str, rest: &str) -> String {
    let (support, contradicts) = if says == "against" { ("none", true) } else { (says, false) };
    format!(
        r#"{{"chunk_id":"k-{document}","document":{{"id":"{document}","filename":"{document}.pdf"}},"similarity":{similarity},"support":"{support}","contradicts":{contradicts},"snippet":"Words of {document}"{rest}}}"#
    )
}

const REASON: &str = r#","reason":{"claim_words":"60 days","evidence_words":"10 days"}"#;

fn ledger_of(matches: &[String], rest: &str) -> Ledger {
    let text = format!(
        r#"{{"session":{{"id":"s"}},"created_at":"2026-01-03T14:30:00Z","claims":[{{"claim_id":"c","claim_text":"Leave is 60 days","claim_type":"numeric","importance":"critical","matches":[{}]}}]{rest}}}"#,
        matches.join(",")
    );
    let request =
        LedgerRequest::read(text.as_bytes()).unwrap_or_else(|refused| panic!("{refused}"));
    let ledger = check(&request).unwrap();
    assert_eq!(Ledger::parse(&canon::bytes(&ledger).unwrap()).unwrap(), ledger);
    ledger
}

/// The verdict, its evidence, the note, every passage, every finding, every flag.
#[track_caller]
fn verdict(matches: &[String], expected: &Expect) {
    expected.assert_eq(&told(&ledger_of(matches, "")));
}

fn told(ledger: &Ledger) -> String {
    let finding = &ledger.content.entries[0].finding;
    let mut lines = vec![format!(
        "{} {} {:?} {}",
        finding.verdict.label().english(),
        finding.confidence_score,
        finding.evidence_chunk_ids,
        finding.notes
    )];
    let passages = finding.evidence_passages.iter();
    lines.extend(passages.map(|one| format!("- {} {:?}", one.chunk_id, one.stance)));
    lines.extend(finding.issues.iter().map(|issue| format!("! {}", issue.message)));
    let flags = ledger.content.risk_flags.iter().filter(|flag| {
        !matches!(flag.risk.kind, RiskKind::MissingEvidence | RiskKind::LowConfidence)
    });
    lines.extend(flags.map(|flag| format!("# {}", flag.risk.kind.label().english())));
    lines.join("\n")
}

#[test]
fn a_contradiction_needs_words_that_cannot_both_be_true() {
    verdict(
        &[one("d", 0.9, "against", REASON)],
        &expect![[r#"
            Contradicted 0.9 ["k-d"] Evidence contradicts claim: "Words of d"
            - k-d Contradicts
            # Contradiction"#]],
    );
    verdict(
        &[one("d", 0.9, "against", "")],
        &expect![[r#"
            Weak 0.72 ["k-d"] May conflict: "Words of d"
            - k-d MayConflict
            ! May conflict: d.pdf; the judge names no words that cannot both be true"#]],
    );
}

#[test]
fn a_doubt_outweighs_only_support_that_is_less_similar() {
    verdict(
        &[one("d", 0.95, "full", ""), one("e", 0.9, "against", "")],
        &expect![[r#"
            Supported 0.95 ["k-d"] Directly supported by: "Words of d"
            - k-d Supports
            - k-e MayConflict
            ! May conflict: e.pdf; the judge names no words that cannot both be true"#]],
    );
    verdict(
        &[one("d", 0.9, "full", ""), one("e", 0.95, "against", "")],
        &expect![[r#"
            Weak 0.76 ["k-e", "k-d"] May conflict: "Words of e"
            - k-e MayConflict
            - k-d Supports
            ! May conflict: e.pdf; the judge names no words that cannot both be true"#]],
    );
}

#[test]
fn weak_has_a_floor_that_a_request_may_set() {
    verdict(
        &[one("d", 0.4999, "partial", "")],
        &expect!["Not Found 0 [] Evidence does not adequately support claim"],
    );
    verdict(
        &[one("d", 0.5, "partial", r#","missing":"the year""#)],
        &expect![[r#"
        Weak 0.4 ["k-d"] Partially supported: "Words of d"
        - k-d SupportsInPart
        ! The evidence does not state: the year"#]],
    );
    verdict(
        &[one("d", 0.49, "full", ""), one("e", 0.49, "against", "")],
        &expect!["Not Found 0 [] Evidence does not adequately support claim"],
    );
    let low =
        ledger_of(&[one("d", 0.2, "partial", "")], r#","options":{"min_weak_similarity":0.2}"#);
    expect![[r#"
        Weak 0.16 ["k-d"] Partially supported: "Words of d"
        - k-d SupportsInPart"#]]
    .assert_eq(&told(&low));
}

#[test]
fn evidence_that_cannot_be_seen_is_weak_and_contradicts_nothing_alone() {
    let hidden = r#","hidden":"white text""#;
    verdict(
        &[one("d", 0.99, "full", hidden)],
        &expect![[r#"
        Weak 0.792 ["k-d"] Partially supported: "Words of d"
        - k-d SupportsInPart
        ! A reader of d.pdf cannot see this evidence: white text"#]],
    );
    verdict(
        &[one("d", 0.99, "against", &format!("{hidden}{REASON}"))],
        &expect![[r#"
            Weak 0.792 ["k-d"] May conflict: "Words of d"
            - k-d MayConflict
            ! May conflict: d.pdf, in words that a reader cannot see
            ! A reader of d.pdf cannot see this evidence: white text"#]],
    );
    verdict(
        &[one("d", 0.99, "partial", hidden), one("e", 0.9, "full", "")],
        &expect![[r#"
            Supported 0.9 ["k-e"] Directly supported by: "Words of e"
            - k-e Supports
            - k-d SupportsInPart
            ! A reader of d.pdf cannot see this evidence: white text"#]],
    );
    verdict(
        &[one("d", 0.99, "full", hidden), one("e", 0.7, "against", REASON)],
        &expect![[r#"
            Contradicted 0.7 ["k-e"] Evidence contradicts claim: "Words of e"
            - k-e Contradicts
            - k-d SupportsInPart
            ! A reader of d.pdf cannot see this evidence: white text
            # Contradiction"#]],
    );
}

#[test]
fn of_documents_that_disagree_the_one_that_the_answer_names_decides() {
    let named = r#","named":true"#;
    verdict(
        &[one("d", 0.9, "full", named), one("e", 0.95, "against", REASON)],
        &expect![[r#"
            Supported 0.9 ["k-d"] Directly supported by: "Words of d"
            - k-d Supports
            - k-e Contradicts
            ! Documents disagree: e.pdf contradicts the claim; the verdict is that of the document that the answer cites or names
            # Conflicting Sources"#]],
    );
    verdict(
        &[one("d", 0.9, "full", ""), one("e", 0.8, "against", &format!("{named}{REASON}"))],
        &expect![[r#"
            Contradicted 0.8 ["k-e"] Evidence contradicts claim: "Words of e"
            - k-e Contradicts
            - k-d Supports
            ! Documents disagree: d.pdf supports the claim; the verdict is that of the document that the answer cites or names
            # Contradiction
            # Conflicting Sources"#]],
    );
    verdict(
        &[one("d", 0.9, "full", named), one("e", 0.8, "against", &format!("{named}{REASON}"))],
        &expect![[r#"
            Contradicted 0.8 ["k-e"] Evidence contradicts claim: "Words of e"
            - k-e Contradicts
            - k-d Supports
            ! Documents disagree: d.pdf supports the claim; nothing says which document prevails
            # Contradiction
            # Conflicting Sources"#]],
    );
}

#[test]
fn of_documents_that_disagree_the_one_that_amends_decides() {
    let dated = |text: String, date: &str| {
        text.replace(r#""filename""#, &format!(r#""date":"{date}","filename""#))
    };
    let amends = r#","amends":["e"]"#;
    verdict(
        &[one("d", 0.9, "full", amends), one("e", 0.95, "against", REASON)],
        &expect![[r#"
            Supported 0.9 ["k-d"] Directly supported by: "Words of d"
            - k-d Supports
            - k-e Contradicts
            ! Documents disagree: e.pdf contradicts the claim; the verdict is that of the later document, which amends it"#]],
    );
    // The document that claims to amend is dated before the other.
    verdict(
        &[
            dated(one("d", 0.9, "full", amends), "2020-01-01"),
            dated(one("e", 0.95, "against", REASON), "2021-01-01"),
        ],
        &expect![[r#"
            Contradicted 0.95 ["k-e"] Evidence contradicts claim: "Words of e"
            - k-e Contradicts
            - k-d Supports
            ! Documents disagree: d.pdf supports the claim; nothing says which document prevails
            # Contradiction
            # Outdated Source
            # Conflicting Sources"#]],
    );
    // Each claims to amend the other.
    verdict(
        &[
            one("d", 0.9, "full", amends),
            one("e", 0.95, "against", &format!(r#","amends":["d"]{REASON}"#)),
        ],
        &expect![[r#"
            Contradicted 0.95 ["k-e"] Evidence contradicts claim: "Words of e"
            - k-e Contradicts
            - k-d Supports
            ! Documents disagree: d.pdf supports the claim; nothing says which document prevails
            # Contradiction
            # Conflicting Sources"#]],
    );
}

#[test]
fn one_document_that_says_both_is_no_conflict_of_documents() {
    verdict(
        &[one("d", 0.95, "full", ""), one("d", 0.6, "against", REASON)],
        &expect![[r#"
            Contradicted 0.6 ["k-d"] Evidence contradicts claim: "Words of d"
            - k-d Contradicts
            - k-d Supports
            # Contradiction"#]],
    );
}

#[test]
fn the_judge_of_a_verdict_is_that_of_its_best_match_or_of_the_claim() {
    let judge = r#","judge":{"kind":"deep","name":"large/2"}"#;
    let ledger = ledger_of(&[one("d", 0.9, "full", judge), one("e", 0.6, "partial", "")], "");
    let judge = ledger.content.entries[0].finding.judge.clone().unwrap();
    assert_eq!(judge.label(), "deep, large/2");
}
