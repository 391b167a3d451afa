use dalil_evidence::ledger::verdict::SupportLevel;
use expect_test::expect;

use super::{QuotedLine, ScoredPassage};
use crate::index::{CorpusIndex, WeightedQuery};
use crate::judge::odds::AnswerOdds;
use crate::judge::passage::DeepPassage;
use crate::judge::{ChunkJudgement, ClaimQuery, IndexedCorpus, ModelKind};

fn odds(supported: f32, partly: f32, contradicted: f32) -> AnswerOdds {
    let absent = 1.0 - supported - partly - contradicted;
    AnswerOdds { supported, partly, contradicted, absent }
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
fn a_large_model_alone_does_not_deny_values_that_are_only_written_otherwise() {
    let line = "وصلت برامج الماجستير في الجامعة إلى ستة عشر برنامجاً.";
    let accuses = |statement: &str, model: ModelKind| {
        let said = odds(0.0, 0.02, 0.95);
        let corpus = IndexedCorpus { sources: &[], index: &CorpusIndex::of(Vec::new()) };
        let question = ClaimQuery { statement: statement.to_owned(), ..ClaimQuery::default() };
        let shown = ScoredPassage::of(DeepPassage::of_lines(&[line]), said, statement);
        let quoted = Some(QuotedLine { line: 0, odds: said });
        shown.opinion(&corpus, &question, quoted, model).unwrap().opinion.reason.is_some()
    };
    let models = |statement| [ModelKind::Deep, ModelKind::External].map(|m| accuses(statement, m));
    assert_eq!(models("في الجامعة 16 برنامجاً للماجستير"), [false, false]);
    // The very words, or another value: then the model may well be right.
    assert_eq!(models("ليس في الجامعة ستة عشر برنامجاً للماجستير"), [true, true]);
    assert_eq!(models("في الجامعة 17 برنامجاً للماجستير"), [true, true]);
    // The small model has rules beside it that confirm such values.
    assert!(accuses("في الجامعة 17 برنامجاً للماجستير", ModelKind::Fast));
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
fn two_sentences_are_quoted_for_a_claim_unless_they_are_long() {
    let statement = "Laptops are managed with Kandji and lost ones are wiped by the security team";
    let first = "Laptops of the company are managed with Kandji.".to_owned();
    let second = "The security team can wipe lost ones.".to_owned();
    let quoted = |first: &str, second: &str, said: AnswerOdds| {
        let index = CorpusIndex::of(Vec::new());
        let corpus = IndexedCorpus { sources: &[], index: &index };
        let question = ClaimQuery { statement: statement.to_owned(), ..ClaimQuery::default() };
        let shown = ScoredPassage::of(DeepPassage::of_lines(&[first, second]), said, statement);
        let quoted = Some(QuotedLine { line: 0, odds: said });
        let judged = shown.opinion(&corpus, &question, quoted, ModelKind::Deep).unwrap();
        (judged.opinion.start, judged.opinion.end)
    };
    let (supported, contradicted) = (odds(0.95, 0.02, 0.0), odds(0.0, 0.02, 0.95));
    let both = first.len() + 1 + second.len();
    assert_eq!(quoted(&first, &second, supported), (0, both));
    assert_eq!(quoted(&first, &second, contradicted), (0, both));
    // One byte more than is quoted together.
    let long = |bytes: usize| format!("{second:.<0$}", bytes - first.len() - 1);
    assert_eq!(quoted(&first, &long(800), supported), (0, 800));
    assert_eq!(quoted(&first, &long(801), supported), (0, first.len()));
}

#[test]
fn a_question_is_never_the_line_that_decides() {
    let lines = [
        "Does the cover include bicycles?",
        "**Is a deposit due?**",
        "هل تُرد الوديعة؟",
        "Bicycles are covered up to 500 euros.",
        "Is it due? It is.",
    ];
    let index = CorpusIndex::of(Vec::new());
    let query = WeightedQuery::of("Bicycles are covered", &index);
    let passage = DeepPassage::of_lines(&lines);
    let mut near: Vec<usize> =
        passage.nearest_lines(&query, "Bicycles are covered").iter().map(|one| one.line).collect();
    near.sort_unstable();
    assert_eq!(near, [3, 4]);
}
