//! The contract of ledgers. Inputs were not recorded; they are rebuilt from names and outputs.

use dalil_evidence::anchor::{Anchor, citations, text_digest};
use dalil_evidence::claim::{ClaimDraft, ClaimImportance, ClaimKind, cited, is_claim_like, merge};
use dalil_evidence::ledger::confidence::{ConfidenceComponents, calculate};
use dalil_evidence::ledger::request::LedgerRequest;
use dalil_evidence::ledger::{Ledger, check};
use dalil_proof::score::Score;
use serde_json::{Value, json};

use crate::suite::{cases, floats};

/// Plain cases that are ruled otherwise; each has a test of its own.
const RULED: [&str; 3] = ["assignVerdict none30", "assignVerdict unsorted", "convex hash"];

/// Cases that nothing here can replay, and why.
const NOT_REPLAYABLE: [(&str, &str); 5] = [
    ("segment", "replayed by the tests of dalil-documents' `sentence`, verbatim"),
    ("tokens", "input not recorded; dalil-documents counts no tokens when it splits"),
    ("v1 chunks", "input not recorded; dalil-documents' chunks do not overlap"),
    ("convex chunks", "input not recorded; dalil-documents' chunks do not overlap"),
    ("short page dropped?", "short pages are kept, by the tests of dalil-documents' `split`"),
];

#[test]
fn every_case_is_replayed_ruled_or_named() {
    for case in cases("ledgers") {
        let name = case["name"].as_str().unwrap();
        assert_eq!((&case["input"], case.get("deviate")), (&Value::Null, None), "{name}");
        let elsewhere = RULED.contains(&name) || NOT_REPLAYABLE.iter().any(|(one, _)| *one == name);
        match replayed(name) {
            Some(actual) => assert_eq!(floats(&actual), floats(&case["observed"]), "{name}"),
            None => assert!(elsewhere, "{name} has no test"),
        }
    }
}

/// Ruling: matches whose support is none do not count, however similar they are. The
/// first implementation gave a weak verdict for a chunk that supports nothing.
#[test]
fn a_match_that_supports_nothing_is_no_evidence() {
    assert_eq!(verdict(&[found(0.3, "none", false)]), json!(["not_found", 0]));
}

/// Ruling: the best match decides. The first implementation took the first and trusted it to be
/// the best, so the order of matches changed the verdict.
#[test]
fn unsorted_matches_give_the_verdict_of_the_best() {
    let matches = [found(0.2, "full", false), found(0.95, "full", false)];
    assert_eq!(verdict(&matches), json!(["supported", 0.95]));
}

/// Ruling: anchors are prefixes of SHA-256. The second implementation used a 32-bit
/// sum of characters (`abc` gave `17862`), in which anyone can make two texts collide.
#[test]
fn anchors_are_digests_and_not_sums() {
    assert_eq!(anchor("abc"), json!("ba7816bf"));
}

/// What we give for a case whose input can be rebuilt.
fn replayed(name: &str) -> Option<Value> {
    if let Some(text) = name.strip_prefix("type ") {
        return Some(json!(ClaimKind::of(text)));
    }
    if let Some(text) = name.strip_prefix("claimLike ") {
        return Some(json!(is_claim_like(text)));
    }
    Some(match name {
        "assignVerdict none" => verdict(&[]),
        "assignVerdict full90" => verdict(&[found(0.9, "full", false)]),
        "assignVerdict full85" => verdict(&[found(0.85, "full", false)]),
        "assignVerdict full86" => verdict(&[found(0.86, "full", false)]),
        "assignVerdict partial95" => verdict(&[found(0.95, "partial", false)]),
        "assignVerdict none90" => verdict(&[found(0.9, "none", false)]),
        "assignVerdict contra_second" => {
            verdict(&[found(0.9, "full", false), found(0.2, "none", true)])
        }
        "confidence max" => confidence(1.0, 4, 1.0, 1.0),
        "count9" => confidence(1.0, 9, 1.0, 1.0),
        "count0" => confidence(0.5, 0, 0.0, 0.0),
        "0.8/1/1/0.5" => confidence(0.8, 1, 1.0, 0.5),
        "flags empty" => flags(&[]),
        "flags nf-critical" => flags(&[NONE, SURE, SURE]),
        "flags all" => flags(&[NONE, AGAINST, UNSURE]),
        "nf material only" => flags(&[("material", None), SURE, SURE]),
        "avg .6 exactly" => json!(flags(&[MIDDLING, MIDDLING]).as_array().unwrap().len()),
        "hash ex" => anchor("All permanent employees shall receive 15 days of paid annual leave."),
        "hash norm eq" => json!([anchor("a b"), anchor("  A\n\tB ")]),
        "hash empty" => anchor(""),
        "identical chunks same hash (UNIQUE(document_id,chunk_hash) violation)" => {
            json!([anchor(&"x".repeat(200)), anchor(&"X".repeat(200))])
        }
        "anchors" => anchors(),
        "citations ctx" => json!(distinct("a [cite:deadbeef] b [cite:deadbeef], [cite:short]")),
        "spans" => spans(),
        "merge" => merged(),
        _ => return None,
    })
}

type Found = (f64, &'static str, bool);

const fn found(similarity: f64, support: &'static str, contradicts: bool) -> Found {
    (similarity, support, contradicts)
}

type Checked = (&'static str, Option<Found>);
const NONE: Checked = ("critical", None);
const SURE: Checked = ("material", Some(found(0.9, "full", false)));
const AGAINST: Checked = ("material", Some(found(0.9, "none", true)));
const UNSURE: Checked = ("material", Some(found(0.375, "partial", false)));
const MIDDLING: Checked = ("material", Some(found(0.75, "partial", false)));

fn ledger(claims: &[(&str, &[Found])]) -> Ledger {
    let one = |(n, (similarity, support, contradicts)): (usize, &Found)| {
        json!({
            "chunk_id": format!("k{n}"),
            "document": {"id": "d", "filename": "d.pdf"},
            "similarity": similarity, "support": support, "contradicts": contradicts,
            "snippet": "words", "reason": {"claim_words": "yes", "evidence_words": "no"},
        })
    };
    let claim = |(n, (importance, matches)): (usize, &(&str, &[Found]))| {
        json!({
            "claim_id": format!("c{n}"), "claim_text": "A claim", "claim_type": "fact",
            "importance": importance,
            "matches": matches.iter().enumerate().map(one).collect::<Vec<_>>(),
        })
    };
    let request = json!({
        "session": {"id": "s"}, "created_at": "2026-01-03T14:30:00Z",
        "claims": claims.iter().enumerate().map(claim).collect::<Vec<_>>(),
        // The first implementation had no floor under weak, and asked no words of a contradiction.
        "options": {"min_weak_similarity": 0},
    });
    check(&LedgerRequest::read(request.to_string().as_bytes()).unwrap()).unwrap()
}

fn verdict(matches: &[Found]) -> Value {
    let ledger = ledger(&[("minor", matches)]);
    let finding = &ledger.content.entries[0].finding;
    json!([finding.verdict, finding.confidence_score])
}

fn flags(claims: &[Checked]) -> Value {
    let claims: Vec<(&str, Vec<Found>)> = claims
        .iter()
        .map(|(importance, one)| (*importance, one.iter().copied().collect()))
        .collect();
    let claims: Vec<(&str, &[Found])> =
        claims.iter().map(|(importance, found)| (*importance, found.as_slice())).collect();
    let flags = ledger(&claims).content.risk_flags;
    let told = flags
        .iter()
        .map(|flag| &flag.risk)
        .map(|risk| json!([risk.kind, risk.severity, risk.affected_claim_ids, risk.description]));
    told.collect()
}

fn confidence(similarity: f64, evidence_count: u64, directness: f64, quality: f64) -> Value {
    let score = |value| Score::new(value).unwrap();
    json!(calculate(ConfidenceComponents {
        semantic_similarity: score(similarity),
        evidence_count,
        directness: score(directness),
        source_quality: score(quality),
    }))
}

fn anchor(text: &str) -> Value {
    json!(Anchor::shortest(&text_digest(text), []))
}

fn anchors() -> Value {
    let answer = "a [cite:A1B2C3D4]. [cite:short]  [cite:deadbeef][cite:12345678]";
    let found = citations(answer).into_iter().map(|one| {
        json!({"anchor": answer.get(one.start..one.end), "chunkHash": one.anchor, "position": one.start})
    });
    found.collect()
}

fn distinct(answer: &str) -> Vec<Anchor> {
    let mut found: Vec<Anchor> = citations(answer).into_iter().map(|one| one.anchor).collect();
    found.dedup();
    found
}

fn spans() -> Value {
    let text = "The fee is $150 [cite:abc12345] and so it is decided. 5 days[cite:ffff0000]";
    let found = cited(text).into_iter().map(|one| {
        let [anchor] = one.anchors.as_slice() else { panic!("one citation") };
        json!({"text": one.text, "start": one.start, "end": one.end, "citationAnchor": anchor})
    });
    found.collect()
}

/// The contract's citations were `x` and `y`; ours must be hex, and are shown as theirs.
fn merged() -> Value {
    let draft = |text: &str, (start, end), kind, importance, anchor: Option<&str>| ClaimDraft {
        text: text.to_owned(),
        start,
        end,
        kind,
        importance,
        anchors: anchor.into_iter().map(|digits| digits.parse().unwrap()).collect(),
    };
    let drafts = [
        draft("A", (0, 20), ClaimKind::Fact, ClaimImportance::Minor, Some("aaaaaaaa")),
        draft("B", (30, 50), ClaimKind::Fact, ClaimImportance::Critical, Some("bbbbbbbb")),
        draft("C", (60, 70), ClaimKind::Policy, ClaimImportance::Minor, None),
    ];
    let letter = |anchor: &Anchor| if anchor.as_str() == "aaaaaaaa" { "x" } else { "y" };
    let shown = merge(drafts).into_iter().map(|one| {
        json!({
            "text": one.text, "start_offset": one.start, "end_offset": one.end, "type": one.kind,
            "importance": one.importance,
            "citation_anchors": one.anchors.iter().map(letter).collect::<Vec<_>>(),
        })
    });
    shown.collect()
}
