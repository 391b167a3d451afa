//! Numbers, times and rules in words, in the language of a document.

use dalil_evidence::decision_class::{ApprovalClass, ReversibilityClass, SensitivityClass};
use dalil_evidence::pack::{PackDraft, PackFlag};
use dalil_evidence::policy::{self, PackReason};
use dalil_phrasebook::count::Numeral;
use dalil_phrasebook::{Phrase, judge_note, pack_field, page};
use dalil_proof::score::Score;
use dalil_proof::time::Time;

use super::glyphs::PageTextWriter;

#[cfg(test)]
mod tests;

impl PageTextWriter {
    /// A phrase in the language of the document.
    pub(super) fn said(&self, phrase: Phrase) -> String {
        phrase.into_text(self.language).into_owned()
    }

    /// A word of the press. It has no vowel signs: readers of PDF give those before or after
    /// their letter as they like, and a word that has one is not found.
    pub(super) fn label(&self, phrase: Phrase) -> String {
        without_vowel_signs(&self.said(phrase))
    }

    /// Figures of the press. Not for a phrase with a quotation: quotations stay as they are.
    fn counted(&self, phrase: Phrase) -> String {
        self.style.apply(self.said(phrase))
    }

    /// In the digits of the document: 3 or ٣.
    pub(super) fn number(&self, number: u64) -> String {
        self.counted(page::number(Numeral(number)))
    }

    /// `93%`, ٩٣٪.
    pub(super) fn percent(&self, score: Score) -> String {
        self.counted(percent(score))
    }

    /// `3 January 2026, 14:30:00 UTC`.
    pub(super) fn time(&self, time: Time) -> String {
        // A time has one spelling, so its parts are at fixed places.
        let stamp = time.to_string();
        let part = |range: std::ops::Range<usize>| stamp.get(range).unwrap_or_default();
        let month = page::month(part(5..7)).unwrap_or_else(|| Phrase::verbatim(part(5..7)));
        let day = part(8..10).trim_start_matches('0');
        let (year, clock) = (part(0..4), part(11..19));
        self.counted(page::time(Numeral(day), month, Numeral(year), Numeral(clock)))
    }

    /// Every reason why a pack is needed or not.
    pub(super) fn reasons(&self, draft: &PackDraft) -> Vec<String> {
        let (_, reasons) = policy::requirement(draft.classes, draft.confidence);
        reasons.iter().map(|reason| self.counted(reason_on_page(reason))).collect()
    }

    /// The text of a finding.
    pub(super) fn finding(&self, finding: &PackFlag, window: u64) -> String {
        let message = finding.message.clone();
        self.said(match finding.rule {
            "stale_source" => page::stale_source(message, self.number(window)),
            _ => message,
        })
    }

    /// The subject of a finding: `Source 1`.
    pub(super) fn place(&self, path: &str) -> String {
        let (list, rest) = path.split_once('[').unwrap_or((path, ""));
        let at = rest.split_once(']').and_then(|(number, _)| number.parse::<u64>().ok());
        let word = match list {
            "sources" => page::source(),
            "tool_calls" => page::tool_call(),
            "tenant_id" => return self.said(page::owner()),
            _ => return self.said(page::pack()),
        };
        self.counted(match at {
            Some(at) => pack_field::numbered(word, Numeral(at + 1)),
            None => word,
        })
    }

    /// The judge's words, where they are the program's own.
    pub(super) fn notes(&self, notes: &str, snippet: &str) -> Option<String> {
        // These repeat the verdict and the evidence, which stand beside them.
        let repeats = [
            judge_note::supported_by(snippet),
            judge_note::partially_supported_by(snippet),
            judge_note::may_conflict(snippet),
            judge_note::contradicted_by(snippet),
        ];
        if repeats.iter().any(|repeat| repeat.english() == notes) {
            return None;
        }
        let own = [judge_note::none_in_documents(), judge_note::not_adequately_supported()];
        match own.into_iter().find(|own| own.english() == notes) {
            Some(known) => Some(self.said(known)),
            None => (!notes.trim().is_empty()).then(|| notes.to_owned()),
        }
    }
}

/// A text without the vowel signs of Arabic.
pub(super) fn without_vowel_signs(text: &str) -> String {
    text.chars().filter(|ch| !('\u{64b}'..='\u{652}').contains(ch)).collect()
}

fn percent(score: Score) -> Phrase {
    page::percent(Numeral(score.percent()))
}

/// A reason, which names classes so that they keep their order inside Arabic.
fn reason_on_page(reason: &PackReason) -> Phrase {
    let told = reason.phrase();
    match reason {
        PackReason::Approval(class) => page::reason_approval(told, latin(&format!("{class:?}"))),
        PackReason::Irreversible => {
            page::reason_irreversible(told, latin(&format!("{:?}", ReversibilityClass::R3)))
        }
        PackReason::Regulated => {
            page::reason_regulated(told, latin(&format!("{:?}", SensitivityClass::S3)))
        }
        PackReason::LowConfidence(low) => {
            let least = percent(policy::MIN_HIGH_STAKES_CONFIDENCE);
            page::reason_low_confidence(told, percent(*low), least)
        }
        PackReason::Audit => page::reason_audit(told, latin(&format!("{:?}", ApprovalClass::A1))),
        PackReason::MoreThanRoutine(classes) => {
            page::reason_more_than_routine(told, latin(&classes.label()))
        }
        PackReason::Routine(classes) => page::reason_routine(told, latin(&classes.label())),
    }
}

/// Latin letters or digits inside Arabic, kept in their own order.
fn latin(text: &str) -> String {
    format!("\u{2066}{text}\u{2069}")
}
