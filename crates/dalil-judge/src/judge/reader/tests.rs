use super::{PassageJudge, telling};
use crate::deep::tests::calibrated;
use crate::index::CorpusIndex;
use crate::judge::odds::AnswerOdds;
use crate::judge::passage::DeepPassage;
use crate::judge::scored_passage::{QuotedLine, ScoredPassage};
use crate::judge::{ClaimQuery, IndexedCorpus, ModelKind};
use crate::model::FastModel;

fn odds(supported: f32, partly: f32, contradicted: f32) -> AnswerOdds {
    let absent = 1.0 - supported - partly - contradicted;
    AnswerOdds { supported, partly, contradicted, absent }
}

fn shown(odds: AnswerOdds) -> ScoredPassage {
    ScoredPassage { passage: DeepPassage::empty(), odds, holds_figures: true }
}

#[test]
fn lines_are_looked_for_in_the_passages_that_say_most() {
    let weak = odds(0.01, 0.01, 0.01);
    let all = [weak, odds(0.6, 0.0, 0.1), weak, odds(0.0, 0.1, 0.7), odds(0.1, 0.8, 0.0)];
    assert_eq!(telling(&all.map(shown)), [1, 3, 4]);
    assert_eq!(telling(&[shown(odds(0.2, 0.2, 0.2))]), [0]);
    assert_eq!(telling(&[]), [0_usize; 0]);
}

#[test]
fn what_stands_before_a_claim_does_not_hide_a_line_with_a_word_against_it() {
    let model = FastModel::shipped().unwrap();
    let judge = PassageJudge::fast(&model, 2).unwrap();
    let asked = |context: Option<&str>, line: &str| {
        let question = ClaimQuery {
            statement: "The office is open on Fridays".to_owned(),
            context: context.map(str::to_owned),
            ..ClaimQuery::default()
        };
        let odds = judge.ask(&[question], &[((0, 0), line.to_owned())]);
        odds.get(&(0, 0)).copied().unwrap_or_default()
    };
    let before = Some("What does the agreement say about termination?");
    let closed = "The office is closed on Fridays.";
    assert!(asked(None, closed).contradicted > 0.9);
    assert_eq!(asked(before, closed), asked(None, closed));
    // A line without a word against the claim is read with the claim's context.
    let absent = "The canteen serves lunch on Fridays.";
    assert_ne!(asked(before, absent), asked(None, absent));
}

#[test]
fn a_line_that_supports_a_claim_by_itself_does_not_contradict_it_for_the_deep_model_either() {
    let statement = "The limit is £2,500";
    let question = ClaimQuery { statement: statement.to_owned(), ..ClaimQuery::default() };
    let corpus = IndexedCorpus { sources: &[], index: &CorpusIndex::of(Vec::new()) };
    // The model gives every pair one answer, whatever it reads.
    let has_reason = |bias: &str| {
        let model = calibrated(&format!(r#"{{"temperature":1.0,"bias":{bias}}}"#));
        let judge = PassageJudge::deep(&model, 2).unwrap();
        let said = odds(0.0, 0.0, 0.95);
        let passage = DeepPassage::of_lines(&["A limit of £2500 applies."]);
        let shown = ScoredPassage::of(passage, said, statement);
        let quoted = Some(QuotedLine { line: 0, odds: said });
        let one = shown.opinion(&corpus, &question, quoted, ModelKind::Deep).unwrap();
        assert!(one.opinion.judgement.contradicts && one.opinion.reason.is_some());
        let mut judged = vec![vec![one]];
        judge.reconsider(std::slice::from_ref(&question), &mut judged);
        judged[0][0].opinion.reason.is_some()
    };
    assert!(!has_reason("[100,0,0,0]"));
    assert!(has_reason("[0,100,0,0]"));
    assert!(has_reason("[0,0,100,0]"));
    assert!(has_reason("[0,0,0,100]"));
}
