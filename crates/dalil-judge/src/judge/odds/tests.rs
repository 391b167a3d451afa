use expect_test::expect;

use super::{AnswerCalibration, AnswerOdds, PassageAnswer, PassageReading, leaning, leaning_less};
use crate::judge::ChunkJudgement;

fn odds(supported: f32, partly: f32, contradicted: f32) -> AnswerOdds {
    let absent = 1.0 - supported - partly - contradicted;
    AnswerOdds { supported, partly, contradicted, absent }
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

#[test]
fn a_claim_bears_out_a_line_that_it_supports_and_does_not_deny() {
    assert!(odds(0.4, 0.2, 0.29).bears_out());
    assert!(!odds(0.4, 0.19, 0.1).bears_out());
    assert!(!odds(0.5, 0.2, 0.3).bears_out());
}
