use dalil_proof::score::Score;

use super::{nearest_decides, settled};
use crate::judge::odds::PassageReading;
use crate::judge::scored_passage::JudgedPassage;
use crate::judge::{ChunkJudgement, ChunkOpinion, ChunkRef, ConflictingWords, ModelKind};
use crate::rule::{self, RuleFinding, RuleOutcome};

fn judged(chunk: usize, supported: f32, contradicted: f32) -> JudgedPassage {
    let reading = PassageReading { supported, at_least_partly: supported, contradicted };
    let words = ConflictingWords { claim: "a".to_owned(), evidence: "b".to_owned() };
    let opinion = ChunkOpinion {
        place: ChunkRef { source: 0, chunk },
        start: 0,
        end: 0,
        judgement: reading.judgement(&[]),
        overlap: Score::ZERO,
        is_direct: false,
        is_foreign: false,
        hidden: None,
        reason: Some(words),
        model: ModelKind::Deep,
        findings: Vec::new(),
    };
    JudgedPassage { opinion, reading, line: String::new() }
}

#[test]
fn a_contradiction_stands_only_where_nothing_is_likely_to_support() {
    let check = |judged: Vec<JudgedPassage>, expected: &str| {
        let told = |one: &ChunkOpinion| {
            let stated = one.judgement.contradicts && one.reason.is_some();
            format!("{} {} {stated}; ", one.place.chunk, one.judgement.contradicts)
        };
        assert_eq!(settled(judged).iter().map(told).collect::<String>(), expected);
    };
    // A sure support: the other passage speaks about something else.
    check(vec![judged(1, 0.1, 0.8), judged(2, 0.9, 0.0)], "2 false false; 1 false false; ");
    // A surer contradiction, beside a support: a conflict to look at, and no accusation.
    check(vec![judged(1, 0.9, 0.0), judged(2, 0.0, 0.95)], "2 true false; 1 false false; ");
    check(vec![judged(1, 0.65, 0.0), judged(2, 0.0, 0.95)], "2 true false; 1 false false; ");
    check(vec![judged(1, 0.55, 0.0), judged(2, 0.0, 0.95)], "2 true false; 1 false false; ");
    check(vec![judged(1, 0.45, 0.0), judged(2, 0.0, 0.95)], "2 true true; 1 false false; ");
    check(vec![judged(1, 0.2, 0.0), judged(3, 0.0, 0.8)], "3 true true; 1 false false; ");
}

#[test]
fn another_value_in_another_document_stands_beside_a_sure_support() {
    let check = |source: usize, findings: Vec<RuleFinding>, expected: &str| {
        let mut other = judged(2, 0.05, 0.8);
        other.opinion.place.source = source;
        other.opinion.findings = findings;
        let told = |one: &ChunkOpinion| {
            let ChunkJudgement { support, contradiction, contradicts, .. } = one.judgement;
            let reason = one.reason.is_some();
            format!("{} {support} / {contradicts} {contradiction} {reason}; ", one.place.chunk)
        };
        let opinions = settled(vec![judged(1, 0.9, 0.0), other]);
        assert_eq!(opinions.iter().map(told).collect::<String>(), expected);
    };
    let value =
        || rule::compare("The deposit is 15 days of rent", "The deposit is 30 days of rent");
    assert!(value().iter().any(|one| one.outcome == RuleOutcome::Conflicts), "{:?}", value());
    check(1, value(), "2 0.05 / true 0.8 false; 1 0.9025 / false 0 false; ");
    // In one document the other value is of another case.
    let dropped = "1 0.9025 / false 0 false; 2 0.05 / false 0.8 false; ";
    check(0, value(), dropped);
    check(1, Vec::new(), dropped);
}

#[test]
fn of_one_document_the_sentence_nearest_to_the_claim_decides_about_its_value() {
    let claim = "The allowance for trips abroad is 60 euros";
    let check = |model: ModelKind, source: usize, overlap: f64, nearer: &str, expected: bool| {
        let mut near = judged(1, 0.9, 0.0);
        near.opinion.overlap = Score::clamped(0.8);
        near.opinion.findings = rule::compare(claim, nearer);
        let mut other = judged(2, 0.05, 0.95);
        other.opinion.place.source = source;
        other.opinion.overlap = Score::clamped(overlap);
        other.opinion.judgement.is_ruled = true;
        let mut opinions = [near.opinion, other.opinion].map(|one| ChunkOpinion { model, ..one });
        nearest_decides(&mut opinions);
        let found = opinions.map(|one| one.judgement.contradicts);
        assert_eq!(found, [false, expected], "{model:?} {source} {overlap} {nearer}");
    };
    let agrees = "For trips abroad the allowance is 60 euros.";
    check(ModelKind::Fast, 0, 0.5, agrees, false);
    check(ModelKind::Fast, 0, 0.8, agrees, false);
    check(ModelKind::Fast, 0, 0.9, agrees, true);
    // Another document may state another value.
    check(ModelKind::Fast, 1, 0.5, agrees, true);
    // Nothing of the claim's value is confirmed.
    check(ModelKind::Fast, 0, 0.5, "There is an allowance for trips abroad.", true);
    check(ModelKind::Deep, 0, 0.5, agrees, true);
}
