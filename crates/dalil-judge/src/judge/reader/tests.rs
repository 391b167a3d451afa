use dalil_evidence::ledger::verdict::SupportLevel;
use dalil_proof::score::Score;
use expect_test::expect;

use super::{
    AnswerCalibration, AnswerOdds, JudgedPassage, PassageAnswer, PassageReading, QuotedLine,
    ScoredPassage, leaning, leaning_less, nearest_decides, settled, telling,
};
use crate::index::CorpusIndex;
use crate::judge::passage::DeepPassage;
use crate::judge::{
    ChunkJudgement, ChunkOpinion, ChunkRef, ClaimQuery, ConflictingWords, IndexedCorpus, ModelKind,
};
use crate::rule::{self, RuleFinding, RuleOutcome};

fn odds(supported: f32, partly: f32, contradicted: f32) -> AnswerOdds {
    let absent = 1.0 - supported - partly - contradicted;
    AnswerOdds { supported, partly, contradicted, absent }
}

fn shown(odds: AnswerOdds) -> ScoredPassage {
    ScoredPassage { passage: DeepPassage::empty(), odds, holds_figures: true }
}

#[test]
fn logits_become_odds_that_add_up_to_one() {
    let calibration = AnswerCalibration { temperature: 2.0, bias: [0.0, 1.0, 0.0, 0.0] };
    let odds = calibration.odds(&[2.0, 1.0, -2.0, 0.0]);
    let sum = odds.supported + odds.partly + odds.contradicted + odds.absent;
    assert!((sum - 1.0).abs() < 1e-5, "{odds:?}");
    assert!((odds.supported - odds.partly).abs() < 1e-6, "the bias makes them equal: {odds:?}");
    assert_eq!(calibration.odds(&[0.0, 0.0, 9.0, 0.0]).answer(), PassageAnswer::Contradicted);
}

#[test]
fn odds_become_a_judgement() {
    let judged = |odds: AnswerOdds| {
        let ChunkJudgement { support, contradiction, level, contradicts, .. } =
            PassageReading::of(&odds, &odds).judgement(&[]);
        format!("{level:?} {support} / {contradicts} {contradiction}\n")
    };
    let cases = [
        odds(0.99, 0.0, 0.0),
        odds(0.85, 0.1, 0.0),
        odds(0.5, 0.3, 0.1),
        odds(0.4, 0.3, 0.1),
        odds(0.1, 0.2, 0.6),
        odds(0.1, 0.1, 0.2),
    ];
    expect![[r#"
        Full 0.9183 / false 0
        Full 0.8938 / false 0
        Partial 0.8 / false 0.1
        Partial 0.7 / false 0.1
        None 0.3 / true 0.6
        None 0.2 / false 0.2
    "#]]
    .assert_eq(&cases.map(judged).concat());
}

#[test]
fn a_passage_weighs_more_than_its_line() {
    let near = |found: f32, expected: f32| assert!((found - expected).abs() < 1e-3, "{found}");
    near(leaning(0.5, 0.5), 0.5);
    near(leaning(0.9, 0.1), 0.634);
    near(leaning(0.5, 0.9999), 0.9693);
    near(leaning(1.0, 0.0), 0.9468);
    near(leaning_less(0.5, 0.5), 0.5);
    near(leaning_less(0.9, 0.1), 0.75);
    near(leaning_less(0.1, 0.9), 0.25);
}

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
    JudgedPassage { opinion, reading }
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
    check(vec![judged(1, 0.45, 0.0), judged(2, 0.0, 0.95)], "2 true false; 1 false false; ");
    check(vec![judged(1, 0.35, 0.0), judged(2, 0.0, 0.95)], "2 true true; 1 false false; ");
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

#[test]
fn the_small_model_gives_two_sentences_as_the_reason_from_a_lower_bar_on() {
    let statement = "The hall is closed to visitors";
    let reason = |contradicted: f32, model: ModelKind| {
        let passage = DeepPassage::of_lines(&["Everybody may walk in."]);
        let shown = ScoredPassage::of(passage, odds(0.0, 0.0, contradicted), statement);
        shown.reason(statement, shown.passage.lines.first().unwrap(), model).is_some()
    };
    let told = [0.7, 0.8, 0.9].map(|share| {
        [ModelKind::Fast, ModelKind::Deep, ModelKind::External].map(|m| reason(share, m))
    });
    assert_eq!(told, [[false, false, false], [true, false, false], [true, true, true]]);
}

#[test]
fn a_quoted_line_with_another_figure_supports_in_part() {
    let lines = ["The fee is 5% in the first year.", "It is 6% in every year after that."];
    let passage = DeepPassage::of_lines(&lines);
    let told = |statement: &str, line: usize| {
        let said = odds(0.97, 0.02, 0.0);
        let index = CorpusIndex::of(Vec::new());
        let corpus = IndexedCorpus { sources: &[], index: &index };
        let question = ClaimQuery { statement: statement.to_owned(), ..ClaimQuery::default() };
        let shown = ScoredPassage::of(passage.clone(), said, statement);
        let quoted = Some(QuotedLine { line, odds: said });
        let judged = shown.opinion(&corpus, &question, quoted, ModelKind::Deep).unwrap();
        judged.opinion.judgement.level
    };
    assert_eq!(told("The fee of the first year is 5%", 0), SupportLevel::Full);
    assert_eq!(told("The fee of the first year is 5%", 1), SupportLevel::Partial);
}

#[test]
fn a_line_that_has_another_value_supports_in_part_whatever_else_agrees() {
    let lines = [
        "Daily meals inside the EU are refunded up to 60 euros.",
        "Daily meals outside the EU are refunded up to 75 euros.",
    ];
    let told = |statement: &str| {
        let said = odds(0.9, 0.05, 0.0);
        let index = CorpusIndex::of(Vec::new());
        let corpus = IndexedCorpus { sources: &[], index: &index };
        let question = ClaimQuery { statement: statement.to_owned(), ..ClaimQuery::default() };
        let shown = ScoredPassage::of(DeepPassage::of_lines(&lines), said, statement);
        let quoted = Some(QuotedLine { line: 1, odds: said });
        let judged = shown.opinion(&corpus, &question, quoted, ModelKind::Fast).unwrap();
        let ChunkJudgement { support, level, contradicts, .. } = judged.opinion.judgement;
        format!("{level:?} {support} {contradicts}; ")
    };
    // 60 euros is in the passage, so nothing is denied; that both say *daily* confirms nothing.
    let cases = [75, 60, 70]
        .map(|euros| format!("Expense: Daily meals outside the EU; Limit: {euros} euros"));
    expect!["Full 0.874 false; Partial 0.85 false; Partial 0.85 false; "]
        .assert_eq(&cases.map(|claim| told(&claim)).concat());
}

#[test]
fn a_passage_without_a_figure_of_the_claim_does_not_support_it() {
    let supports = |statement: &str| {
        let text = "The company matches up to 6% of your salary.";
        ScoredPassage::of(DeepPassage::of_lines(&[text]), odds(0.99, 0.0, 0.0), statement).support()
            > 0.0
    };
    assert!(!supports("A match of up to 5% of your salary"));
    assert!(supports("A match of up to 6% of your salary"));
}

#[test]
fn lines_are_looked_for_in_the_passages_that_say_most() {
    let weak = odds(0.01, 0.01, 0.01);
    let all = [weak, odds(0.6, 0.0, 0.1), weak, odds(0.0, 0.1, 0.7), odds(0.1, 0.8, 0.0)];
    assert_eq!(telling(&all.map(shown)), [1, 3, 4]);
    assert_eq!(telling(&[shown(odds(0.2, 0.2, 0.2))]), [0]);
    assert_eq!(telling(&[]), [0_usize; 0]);
}
