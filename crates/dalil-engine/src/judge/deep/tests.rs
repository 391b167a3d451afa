use dalil_core::ledger::verdict::SupportLevel;
use dalil_core::score::Score;
use expect_test::expect;

use super::{AnswerOdds, DeepCalibration, PassageAnswer, ScoredPassage, settled, telling};
use crate::judge::passage::DeepPassage;
use crate::judge::{ChunkJudgement, ChunkOpinion, ChunkRef, ModelKind};

fn odds(supported: f32, partly: f32, contradicted: f32) -> AnswerOdds {
    let absent = 1.0 - supported - partly - contradicted;
    AnswerOdds { supported, partly, contradicted, absent }
}

fn shown(odds: AnswerOdds) -> ScoredPassage {
    ScoredPassage { passage: DeepPassage::empty(), odds }
}

#[test]
fn logits_become_odds_that_add_up_to_one() {
    let calibration = DeepCalibration { temperature: 2.0, bias: [0.0, 1.0, 0.0, 0.0] };
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
            shown(odds).judgement(&[]);
        format!("{level:?} {support} / {contradicts} {contradiction}\n")
    };
    let cases = [
        odds(0.99, 0.0, 0.0),
        odds(0.5, 0.3, 0.1),
        odds(0.4, 0.3, 0.1),
        odds(0.1, 0.2, 0.6),
        odds(0.1, 0.1, 0.2),
    ];
    expect![[r#"
        Full 0.997 / false 0
        Full 0.8515 / false 0.1
        Partial 0.7 / false 0.1
        None 0.3 / true 0.6
        None 0.2 / false 0.2
    "#]]
    .assert_eq(&cases.map(judged).concat());
}

#[test]
fn a_contradiction_that_is_less_sure_than_a_support_is_not_one() {
    let opinion = |chunk: usize, support: f64, contradiction: f64| ChunkOpinion {
        place: ChunkRef { source: 0, chunk },
        start: 0,
        end: 0,
        judgement: ChunkJudgement {
            support: Score::new(support).unwrap(),
            contradiction: Score::new(contradiction).unwrap(),
            level: if support > contradiction { SupportLevel::Full } else { SupportLevel::None },
            contradicts: contradiction > support,
            is_ruled: false,
        },
        overlap: Score::ZERO,
        is_direct: false,
        is_foreign: false,
        is_windowed: true,
        hidden: None,
        reason: None,
        model: ModelKind::Deep,
        findings: Vec::new(),
    };
    let chunks = |opinions: Vec<ChunkOpinion>| {
        let told =
            |one: &ChunkOpinion| format!("{} {}; ", one.place.chunk, one.judgement.contradicts);
        settled(opinions).iter().map(told).collect::<String>()
    };
    assert_eq!(chunks(vec![opinion(1, 0.1, 0.8), opinion(2, 0.9, 0.0)]), "2 false; 1 false; ");
    assert_eq!(chunks(vec![opinion(1, 0.9, 0.0), opinion(2, 0.0, 0.95)]), "2 true; 1 false; ");
    assert_eq!(chunks(vec![opinion(3, 0.0, 0.8)]), "3 true; ");
}

#[test]
fn lines_are_looked_for_in_the_passages_that_say_most() {
    let all = [odds(0.1, 0.0, 0.1), odds(0.6, 0.0, 0.1), odds(0.0, 0.1, 0.7)];
    assert_eq!(telling(&all.map(shown)), [1, 2]);
    assert_eq!(telling(&[shown(odds(0.2, 0.2, 0.2))]), [0]);
    assert_eq!(telling(&[]), [0_usize; 0]);
}
