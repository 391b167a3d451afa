//! Notes: a finding as a sentence that a lawyer can read, English and Arabic.

use dalil_phrasebook::Language;

use super::finding::{RuleFinding, RuleKind, RuleOutcome};

#[cfg(test)]
mod tests;

impl RuleFinding {
    /// What was found, as a sentence.
    pub fn note(&self, language: Language) -> String {
        match language {
            Language::English => english(self),
            Language::Arabic => arabic(self),
        }
    }
}

fn english(finding: &RuleFinding) -> String {
    let said = &finding.said;
    let Some(found) = &finding.found else {
        return match (finding.kind, finding.outcome) {
            (RuleKind::Condition, RuleOutcome::Narrower) => {
                format!("The claim adds a condition that the evidence does not state: “{said}”.")
            }
            _ => format!("The claim says {said}; the evidence does not."),
        };
    };
    match (finding.kind, finding.outcome) {
        (RuleKind::Condition, RuleOutcome::Wider) => {
            format!("The claim leaves out a condition of the evidence: “{found}”.")
        }
        (RuleKind::Condition, _) => {
            format!("The claim keeps a condition of the evidence: “{found}”.")
        }
        (RuleKind::Frame, RuleOutcome::Missing) => {
            format!("The evidence does not state this, but only within “{found}”.")
        }
        (RuleKind::Frame, RuleOutcome::Conflicts) => {
            format!("The claim says “{said}” where the evidence says “{found}”.")
        }
        (RuleKind::Frame, _) => {
            format!("The claim denies what the evidence does not say: “{found}”.")
        }
        (RuleKind::Negation, RuleOutcome::Conflicts) => format!(
            "The claim says “{said}” where the evidence says “{found}”: one denies what the other affirms."
        ),
        (RuleKind::Modality | RuleKind::Quantifier, RuleOutcome::Wider) => {
            format!("The claim says more than the evidence, which says “{found}”.")
        }
        (RuleKind::Modality | RuleKind::Quantifier, RuleOutcome::Narrower) => {
            format!("The claim says “{said}”, which is less than the evidence: “{found}”.")
        }
        (RuleKind::Modality | RuleKind::Quantifier | RuleKind::Negation, RuleOutcome::Agrees) => {
            format!("The claim and the evidence agree: “{said}”, “{found}”.")
        }
        (RuleKind::Modality | RuleKind::Quantifier, _) => {
            format!("The claim says “{said}”, the evidence “{found}”.")
        }
        (_, RuleOutcome::Agrees) => {
            format!("The claim says {said}, and so does the evidence: {found}.")
        }
        (_, RuleOutcome::Narrower) => format!("The claim says {said}, the evidence only {found}."),
        (_, RuleOutcome::Wider) => {
            format!("The claim says {said}, the evidence {found}: near, but not the same.")
        }
        (_, RuleOutcome::Conflicts | RuleOutcome::Missing) => {
            format!("The claim says {said}, the evidence {found}.")
        }
    }
}

fn arabic(finding: &RuleFinding) -> String {
    let said = &finding.said;
    let Some(found) = &finding.found else {
        return match (finding.kind, finding.outcome) {
            (RuleKind::Condition, RuleOutcome::Narrower) => {
                format!("يضيف الادعاء شرطاً لا يذكره الدليل: «{said}».")
            }
            _ => format!("الادعاء يقول {said}، ولا يذكر الدليل ذلك."),
        };
    };
    match (finding.kind, finding.outcome) {
        (RuleKind::Condition, RuleOutcome::Wider) => {
            format!("يُغفل الادعاء شرطاً في الدليل: «{found}».")
        }
        (RuleKind::Condition, _) => format!("يحتفظ الادعاء بشرط الدليل: «{found}»."),
        (RuleKind::Frame, RuleOutcome::Missing) => {
            format!("لا يثبت الدليل ذلك، بل يذكره في سياق «{found}».")
        }
        (RuleKind::Frame, RuleOutcome::Conflicts) => {
            format!("الادعاء يقول «{said}» والدليل يقول «{found}».")
        }
        (RuleKind::Frame, _) => format!("ينفي الادعاء ما لا يقوله الدليل: «{found}»."),
        (RuleKind::Negation, RuleOutcome::Conflicts) => {
            format!("الادعاء يقول «{said}» والدليل يقول «{found}»: أحدهما ينفي ما يثبته الآخر.")
        }
        (RuleKind::Modality | RuleKind::Quantifier, RuleOutcome::Wider) => {
            format!("يقول الادعاء أكثر مما يقوله الدليل: «{found}».")
        }
        (RuleKind::Modality | RuleKind::Quantifier, RuleOutcome::Narrower) => {
            format!("الادعاء يقول «{said}»، وهو أقل مما يقوله الدليل: «{found}».")
        }
        (RuleKind::Modality | RuleKind::Quantifier | RuleKind::Negation, RuleOutcome::Agrees) => {
            format!("يتفق الادعاء والدليل: «{said}»، «{found}».")
        }
        (RuleKind::Modality | RuleKind::Quantifier, _) => {
            format!("الادعاء يقول «{said}»، والدليل «{found}».")
        }
        (_, RuleOutcome::Agrees) => format!("الادعاء يقول {said}، والدليل كذلك: {found}."),
        (_, RuleOutcome::Narrower) => format!("الادعاء يقول {said}، والدليل يقول {found} فقط."),
        (_, RuleOutcome::Wider) => {
            format!("الادعاء يقول {said}، والدليل {found}: قريب منه، وليس هو نفسه.")
        }
        (_, RuleOutcome::Conflicts | RuleOutcome::Missing) => {
            format!("الادعاء يقول {said}، والدليل {found}.")
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
