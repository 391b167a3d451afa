//! Notes: a finding as a sentence that a lawyer can read.

use dalil_phrasebook::{Phrase, judge_note};

use super::finding::{RuleFinding, RuleKind, RuleOutcome};

#[cfg(test)]
mod tests;

impl RuleFinding {
    /// The finding as a sentence.
    pub fn note(&self) -> Phrase {
        let said = &self.said;
        let Some(found) = &self.found else {
            return match (self.kind, self.outcome) {
                (RuleKind::Condition, RuleOutcome::Narrower) => judge_note::condition_added(said),
                _ => judge_note::not_in_evidence(said),
            };
        };
        match (self.kind, self.outcome) {
            (RuleKind::Condition, RuleOutcome::Wider) => judge_note::condition_left_out(found),
            (RuleKind::Condition, RuleOutcome::Conflicts) => judge_note::condition_conceded(found),
            (RuleKind::Condition, _) => judge_note::condition_kept(found),
            (RuleKind::Frame, RuleOutcome::Missing) => judge_note::only_within(found),
            (RuleKind::Frame, RuleOutcome::Conflicts) => judge_note::says_otherwise(said, found),
            (RuleKind::Frame, _) => judge_note::denies_what_is_not_said(found),
            (RuleKind::Negation, RuleOutcome::Conflicts) => {
                judge_note::one_denies_what_the_other_affirms(said, found)
            }
            (RuleKind::Modality | RuleKind::Quantifier, RuleOutcome::Wider) => {
                judge_note::says_more(found)
            }
            (RuleKind::Modality | RuleKind::Quantifier, RuleOutcome::Narrower) => {
                judge_note::says_less(said, found)
            }
            (
                RuleKind::Modality | RuleKind::Quantifier | RuleKind::Negation,
                RuleOutcome::Agrees,
            ) => judge_note::agrees_in_words(said, found),
            (RuleKind::Modality | RuleKind::Quantifier, _) => {
                judge_note::differs_in_words(said, found)
            }
            (_, RuleOutcome::Agrees) => judge_note::agrees(said, found),
            (_, RuleOutcome::Narrower) => judge_note::only(said, found),
            (_, RuleOutcome::Wider) => judge_note::wider(said, found),
            (_, RuleOutcome::Conflicts | RuleOutcome::Missing) => judge_note::differs(said, found),
        }
    }
}

/// Words of a text for a note: on one line, without control characters, and not long.
pub(super) fn excerpt(text: &str) -> String {
    let plain = |c: char| if c.is_control() || c.is_whitespace() { ' ' } else { c };
    // Direction marks could make a quotation look like other words than it has.
    let steers = |c: &char| !matches!(c, '\u{061C}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}');
    let words: String = text.chars().map(plain).filter(steers).collect();
    let mut kept = words.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = kept.char_indices().nth(MAX_EXCERPT_CHARS) {
        kept.truncate(end);
        kept.push('…');
    }
    kept
}

/// How many characters of an excerpt are shown.
const MAX_EXCERPT_CHARS: usize = 120;
