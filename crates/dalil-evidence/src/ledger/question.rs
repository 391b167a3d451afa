//! Follow-up questions for a claim whose evidence is missing or weak.

use dalil_phrasebook::{Language, Phrase, ledger};

use super::place::long;
use super::verdict::Verdict;
use super::{ClaimFinding, LedgerEntry};
use crate::claim::{ClaimImportance, ClaimKind};

/// One question for each critical or material claim that is not found or weak.
pub(super) fn follow_ups(entries: &[LedgerEntry], language: Option<Language>) -> Vec<String> {
    let weighty = |one: &&ClaimFinding| one.claim_importance != ClaimImportance::Minor;
    entries
        .iter()
        .map(|entry| &entry.finding)
        .filter(weighty)
        .filter_map(|one| {
            let language = language.unwrap_or_else(|| Language::of(&one.claim_text));
            Some(question(one)?.into_text(language).into_owned())
        })
        .collect()
}

fn question(one: &ClaimFinding) -> Option<Phrase> {
    // The claim is in quotation marks inside the question, where its full stop would look wrong.
    let claim = one.claim_text.trim().trim_end_matches(['.', '。']);
    match one.verdict {
        Verdict::NotFound => Some(match one.claim_type {
            ClaimKind::Fact => ledger::question_fact(claim),
            ClaimKind::Policy => ledger::question_policy(claim),
            ClaimKind::Numeric => ledger::question_numeric(claim),
            ClaimKind::Definition => ledger::question_definition(claim),
        }),
        // A weak claim has a document, which supports it in part; without one there is nothing to ask.
        Verdict::Weak => {
            let document = one.source_document.as_ref()?;
            Some(ledger::question_weak(claim, long(document)))
        }
        Verdict::Supported | Verdict::Contradicted => None,
    }
}
