//! Notes: a finding as a sentence that a lawyer can read, English and Arabic.

use dalil_core::ledger::request::Language;

use super::{Finding, Kind, Outcome};

#[cfg(test)]
mod tests;

impl Finding {
    /// What was found, as a sentence.
    pub fn note(&self, language: Language) -> String {
        match language {
            Language::English => english(self),
            Language::Arabic => arabic(self),
        }
    }
}

fn english(finding: &Finding) -> String {
    let said = &finding.said;
    let Some(found) = &finding.found else {
        return match (finding.kind, finding.outcome) {
            (Kind::Condition, Outcome::Narrower) => {
                format!("The claim adds a condition that the evidence does not state: “{said}”.")
            }
            _ => format!("The claim says {said}; the evidence does not."),
        };
    };
    match (finding.kind, finding.outcome) {
        (Kind::Condition, Outcome::Wider) => {
            format!("The claim leaves out a condition of the evidence: “{found}”.")
        }
        (Kind::Condition, _) => format!("The claim keeps a condition of the evidence: “{found}”."),
        (Kind::Frame, Outcome::Missing) => {
            format!("The evidence does not state this, but only within “{found}”.")
        }
        (Kind::Frame, Outcome::Conflicts) => {
            format!("The claim says “{said}” where the evidence says “{found}”.")
        }
        (Kind::Frame, _) => format!("The claim denies what the evidence does not say: “{found}”."),
        (Kind::Negation, Outcome::Conflicts) => format!(
            "The claim says “{said}” where the evidence says “{found}”: one denies what the other affirms."
        ),
        (Kind::Modality | Kind::Quantifier, Outcome::Wider) => {
            format!("The claim says more than the evidence, which says “{found}”.")
        }
        (Kind::Modality | Kind::Quantifier, Outcome::Narrower) => {
            format!("The claim says “{said}”, which is less than the evidence: “{found}”.")
        }
        (Kind::Modality | Kind::Quantifier | Kind::Negation, Outcome::Agrees) => {
            format!("The claim and the evidence agree: “{said}”, “{found}”.")
        }
        (Kind::Modality | Kind::Quantifier, _) => {
            format!("The claim says “{said}”, the evidence “{found}”.")
        }
        (_, Outcome::Agrees) => {
            format!("The claim says {said}, and so does the evidence: {found}.")
        }
        (_, Outcome::Narrower) => format!("The claim says {said}, the evidence only {found}."),
        (_, Outcome::Wider) => {
            format!("The claim says {said}, the evidence {found}: near, but not the same.")
        }
        (_, Outcome::Conflicts | Outcome::Missing) => {
            format!("The claim says {said}, the evidence {found}.")
        }
    }
}

fn arabic(finding: &Finding) -> String {
    let said = &finding.said;
    let Some(found) = &finding.found else {
        return match (finding.kind, finding.outcome) {
            (Kind::Condition, Outcome::Narrower) => {
                format!("يضيف الادعاء شرطاً لا يذكره الدليل: «{said}».")
            }
            _ => format!("الادعاء يقول {said}، ولا يذكر الدليل ذلك."),
        };
    };
    match (finding.kind, finding.outcome) {
        (Kind::Condition, Outcome::Wider) => format!("يُغفل الادعاء شرطاً في الدليل: «{found}»."),
        (Kind::Condition, _) => format!("يحتفظ الادعاء بشرط الدليل: «{found}»."),
        (Kind::Frame, Outcome::Missing) => {
            format!("لا يثبت الدليل ذلك، بل يذكره في سياق «{found}».")
        }
        (Kind::Frame, Outcome::Conflicts) => {
            format!("الادعاء يقول «{said}» والدليل يقول «{found}».")
        }
        (Kind::Frame, _) => format!("ينفي الادعاء ما لا يقوله الدليل: «{found}»."),
        (Kind::Negation, Outcome::Conflicts) => {
            format!("الادعاء يقول «{said}» والدليل يقول «{found}»: أحدهما ينفي ما يثبته الآخر.")
        }
        (Kind::Modality | Kind::Quantifier, Outcome::Wider) => {
            format!("يقول الادعاء أكثر مما يقوله الدليل: «{found}».")
        }
        (Kind::Modality | Kind::Quantifier, Outcome::Narrower) => {
            format!("الادعاء يقول «{said}»، وهو أقل مما يقوله الدليل: «{found}».")
        }
        (Kind::Modality | Kind::Quantifier | Kind::Negation, Outcome::Agrees) => {
            format!("يتفق الادعاء والدليل: «{said}»، «{found}».")
        }
        (Kind::Modality | Kind::Quantifier, _) => {
            format!("الادعاء يقول «{said}»، والدليل «{found}».")
        }
        (_, Outcome::Agrees) => format!("الادعاء يقول {said}، والدليل كذلك: {found}."),
        (_, Outcome::Narrower) => format!("الادعاء يقول {said}، والدليل يقول {found} فقط."),
        (_, Outcome::Wider) => {
            format!("الادعاء يقول {said}، والدليل {found}: قريب منه، وليس هو نفسه.")
        }
        (_, Outcome::Conflicts | Outcome::Missing) => {
            format!("الادعاء يقول {said}، والدليل {found}.")
        }
    }
}

/// Words of a text for a note: on one line, without control characters, and not long.
pub(super) fn excerpt(text: &str) -> String {
    let plain = |c: char| if c.is_control() || c.is_whitespace() { ' ' } else { c };
    let steers = |c: &char| !matches!(c, '\u{061C}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}');
    let words: String = text.chars().map(plain).filter(steers).collect();
    let mut kept = words.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = kept.char_indices().nth(SHOWN) {
        kept.truncate(end);
        kept.push('…');
    }
    kept
}

/// How many characters of an excerpt are shown.
const SHOWN: usize = 120;
