//! Notes: why a claim has its verdict, in the contract's words and the rules'.

use dalil_evidence::ledger::request::ClaimMatch;
use dalil_evidence::ledger::verdict::{self, Verdict};
use dalil_judge::judge::ChunkOpinion;
use dalil_judge::rule::RuleOutcome;
use dalil_phrasebook::Language;

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
        Verdict::Supported => language.pick("Directly supported by", "مؤيَّد مباشرةً بما يلي"),
        // Weak also covers a passage that may conflict, which supports nothing in part.
        Verdict::Weak if assigned.passages.first().is_some_and(|best| !best.stance.is_for()) => {
            language.pick("May conflict", "قد يتعارض")
        }
        Verdict::Weak => language.pick("Partially supported", "مؤيَّد جزئيًّا بما يلي"),
        Verdict::Contradicted => language.pick("Evidence contradicts claim", "الدليل يناقض الادعاء"),
        Verdict::NotFound => return missing(opinions, corpus, language),
    };
    let mut note = quoted(opening, snippet, language);
    if let Some(opinion) = opinions.first() {
        let telling = opinion.findings.iter().filter(|one| match assigned.verdict {
            Verdict::Supported => one.outcome == RuleOutcome::Agrees,
            _ => one.outcome != RuleOutcome::Agrees,
        });
        for finding in telling.take(MAX_NOTE_FINDINGS) {
            note.push(' ');
            note.push_str(&finding.note(language));
        }
    }
    note
}

/// What came nearest, when nothing supports or contradicts the claim.
fn missing(opinions: &[ChunkOpinion], corpus: &Corpus, language: Language) -> String {
    let none = language.pick(
        "No matching evidence found in provided documents.",
        "لا يوجد دليل مطابق في الوثائق المقدَّمة.",
    );
    let nearest = opinions.first().and_then(|opinion| {
        let held = corpus.held().get(opinion.place.source)?;
        let words = held.document.text.get(opinion.start..opinion.end)?;
        let page = held
            .chunks
            .get(opinion.place.chunk)
            .and_then(|chunk| held.document.blocks.get(chunk.block)?.page)
            .map_or_else(String::new, |page| format!("{}{page}", language.pick(", p.", "، ص ")));
        let opening = language.pick("Nearest", "الأقرب");
        Some(format!("{} ({}{page})", quoted(opening, words, language), held.name))
    });
    nearest.map_or_else(|| none.to_owned(), |nearest| format!("{none} {nearest}"))
}

fn quoted(opening: &str, words: &str, language: Language) -> String {
    match language {
        Language::English => format!("{opening}: \"{words}\""),
        Language::Arabic => format!("{opening}: «{words}»"),
    }
}

/// How many findings a note holds.
const MAX_NOTE_FINDINGS: usize = 3;
