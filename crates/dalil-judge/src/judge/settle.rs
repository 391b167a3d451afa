//! Settling: the opinions of several passages about one claim, held against each other.

use dalil_evidence::ledger::verdict::SupportLevel;
use dalil_proof::score::Score;

use super::odds::{MIN_SUPPORT_PROBABILITY, MIN_SUPPORTED_SIMILARITY, PassageReading};
use super::opinion::{ChunkOpinion, ModelKind};
use super::scored_passage::JudgedPassage;
use crate::rule::RuleOutcome;

#[cfg(test)]
mod tests;

/// The opinions about a claim, the most telling first, one of each chunk.
///
/// A false accusation is the worst error. A contradiction beside a support that is as sure speaks
/// about something else, unless another document states another value: that, and a contradiction
/// beside a support that is only likely, are conflicts that a person looks at.
pub(super) fn settled(judged: Vec<JudgedPassage>) -> Vec<ChunkOpinion> {
    let most = |of: fn(&PassageReading) -> f32| {
        judged.iter().map(|one| of(&one.reading)).fold(0.0, f32::max)
    };
    let (supported, contradicted) = (most(|one| one.supported), most(|one| one.contradicted));
    let is_supported = supported >= MIN_SUPPORT_PROBABILITY && supported >= contradicted;
    let mut opinions: Vec<ChunkOpinion> = judged.into_iter().map(|one| one.opinion).collect();
    nearest_decides(&mut opinions);
    let supporting: Vec<usize> = opinions
        .iter()
        .filter(|one| one.judgement.level == SupportLevel::Full)
        .map(|one| one.place.source)
        .collect();
    for opinion in &mut opinions {
        if is_supported && opinion.judgement.contradicts && !opinion.judgement.is_ruled {
            let is_rival =
                opinion.states_another_value() && !supporting.contains(&opinion.place.source);
            opinion.judgement.contradicts = is_rival;
            // Below the bar of a support, so that the verdict rests on that and names the conflict.
            let most = Score::clamped(f64::from(MIN_SUPPORTED_SIMILARITY));
            opinion.judgement.contradiction = opinion.judgement.contradiction.min(most);
        }
        if supported >= MIN_DOUBT_PROBABILITY && !opinion.judgement.is_ruled {
            opinion.reason = None;
        }
    }
    // Across languages the small model confuses names: its opinion counts there only where
    // no chunk in the claim's own language gives one.
    let is_heard = opinions.iter().any(|one| !one.is_foreign && one.tells());
    opinions.retain(|one| one.model != ModelKind::Fast || !one.is_foreign || !is_heard);
    // Of passages that say as much, the one in the claim's own language is read more easily.
    opinions.sort_by_key(|one| {
        let judgement = &one.judgement;
        std::cmp::Reverse((
            judgement.contradicts,
            judgement.level,
            !one.is_foreign,
            one.similarity(),
        ))
    });
    let mut kept: Vec<ChunkOpinion> = Vec::new();
    for opinion in opinions {
        if !kept.iter().any(|one| one.place == opinion.place) {
            kept.push(opinion);
        }
    }
    kept
}

/// For the small model, a sentence that supports a claim with its value is heard before one of the
/// same document that shares fewer of its words: that one is about another case.
fn nearest_decides(opinions: &mut [ChunkOpinion]) {
    let agrees = |one: &ChunkOpinion| {
        let mut values = one.findings.iter().filter(|finding| finding.kind.counted());
        one.judgement.level == SupportLevel::Full
            && values.any(|finding| finding.outcome == RuleOutcome::Agrees)
    };
    let nearest: Vec<(usize, Score)> = opinions
        .iter()
        .filter(|one| one.model == ModelKind::Fast && agrees(one))
        .map(|one| (one.place.source, one.overlap))
        .collect();
    for opinion in opinions.iter_mut().filter(|one| one.judgement.contradicts) {
        let is_nearer = |&(source, overlap): &(usize, Score)| {
            source == opinion.place.source && opinion.overlap <= overlap
        };
        opinion.judgement.contradicts = !nearest.iter().any(is_nearer);
    }
}

/// No contradiction is stated beside a support that is so likely. Chosen on answers about real
/// documents (`docs/quality.md`, *How the bars were set*): with 0.4 or 0.3 fewer contradictions are
/// found, with 0.6 more true claims are accused.
const MIN_DOUBT_PROBABILITY: f32 = 0.5;
