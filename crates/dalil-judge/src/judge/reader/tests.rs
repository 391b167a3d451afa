use super::{PassageJudge, telling};
use crate::judge::ClaimQuery;
use crate::judge::odds::AnswerOdds;
use crate::judge::passage::DeepPassage;
use crate::judge::scored_passage::ScoredPassage;
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
