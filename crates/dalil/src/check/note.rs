//! Notes: why a claim has its verdict, in the contract's words and the rules'.

use dalil_evidence::ledger::request::ClaimMatch;
use dalil_evidence::ledger::verdict::{self, Verdict};
use dalil_judge::judge::ChunkOpinion;
use dalil_judge::rule::RuleOutcome;
use dalil_phrasebook::{Language, Phrase, judge_note};

use super::snippet;
use crate::corpus::Corpus;

/// The note of a claim with these matches.
pub(super) fn note(
    matches: &[ClaimMatch],
    opinions: &[ChunkOpinion],
    corpus: &Corpus,
    language: Language,
) -> String {
    let assigned = verdict::assign(matches, verdict::min_weak_similarity());
    let snippet = assigned.evidence.first().map_or("", |best| best.snippet.as_str());
    let opening = match assigned.verdict {
        Verdict::Supported => judge_note::supported_by(snippet),
        // Weak also covers a passage that may conflict, which supports nothing in part.
        Verdict::Weak if assigned.passages.first().is_some_and(|best| !best.stance.is_for()) => {
            judge_note::may_conflict(snippet)
        }
        Verdict::Weak => judge_note::partially_supported_by(snippet),
        Verdict::Contradicted => judge_note::contradicted_by(snippet),
        Verdict::NotFound => return missing(opinions, corpus, language),
    };
    let mut note = opening.into_text(language).into_owned();
    if let Some(opinion) = opinions.first() {
        let telling = opinion.findings.iter().filter(|one| match assigned.verdict {
            Verdict::Supported => one.outcome == RuleOutcome::Agrees,
            _ => one.outcome != RuleOutcome::Agrees,
        });
        for finding in telling.take(MAX_NOTE_FINDINGS) {
            note.push(' ');
            note.push_str(finding.note().text(language));
        }
    }
    note
}

/// What came nearest, when nothing supports or contradicts the claim.
fn missing(opinions: &[ChunkOpinion], corpus: &Corpus, language: Language) -> String {
    let nearest = opinions.first().and_then(|opinion| {
        let held = corpus.held().get(opinion.place.source)?;
        let words = snippet(held, opinion);
        let page = held
            .chunks
            .get(opinion.place.chunk)
            .and_then(|chunk| held.document.blocks.get(chunk.block)?.page);
        let place = match page {
            Some(page) => judge_note::page_of(&held.name, page),
            None => Phrase::verbatim(&held.name),
        };
        Some(judge_note::nearest(&*words, place))
    });
    let none = judge_note::no_matching_evidence();
    match nearest {
        Some(nearest) => format!("{} {}", none.text(language), nearest.text(language)),
        None => none.into_text(language).into_owned(),
    }
}

/// How many findings a note holds.
const MAX_NOTE_FINDINGS: usize = 3;
