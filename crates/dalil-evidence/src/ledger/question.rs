//! Follow-up questions: what to ask when the evidence is missing or weak.

use dalil_phrasebook::Language;

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
        .filter_map(|one| question(one, language.unwrap_or_else(|| Language::of(&one.claim_text))))
        .collect()
}

fn question(one: &ClaimFinding, language: Language) -> Option<String> {
    // The claim stands in quotation marks inside the
    // question, where its full stop would look wrong.
    let claim = one.claim_text.trim().trim_end_matches(['.', '。']);
    // A weak claim has a document, which supports it in part; without one there is nothing to ask.
    let place = one.source_document.as_ref().map(|document| long(document, language));
    match (one.verdict, language) {
        (Verdict::NotFound, Language::English) => Some(missing(one.claim_type, claim)),
        (Verdict::NotFound, Language::Arabic) => Some(missing_arabic(one.claim_type, claim)),
        (Verdict::Weak, Language::English) => place.map(|place| {
            format!(
                "Is there a document that directly states: \"{claim}\"? \
                 {place} supports it only in part."
            )
        }),
        (Verdict::Weak, Language::Arabic) => place.map(|place| {
            format!(
                "هل توجد وثيقة تنصّ صراحةً على ما يلي: «{claim}»؟ \
                 فالمصدر ({place}) لا يؤيّده إلا جزئيًّا."
            )
        }),
        (Verdict::Supported | Verdict::Contradicted, _) => None,
    }
}

fn missing(kind: ClaimKind, claim: &str) -> String {
    match kind {
        ClaimKind::Fact => format!("Which document shows that this is so: \"{claim}\"?"),
        ClaimKind::Policy => format!("Which policy or clause sets this rule: \"{claim}\"?"),
        ClaimKind::Numeric => format!("Which document gives this figure: \"{claim}\"?"),
        ClaimKind::Definition => format!("Which document defines this term: \"{claim}\"?"),
    }
}

fn missing_arabic(kind: ClaimKind, claim: &str) -> String {
    match kind {
        ClaimKind::Fact => format!("ما الوثيقة التي تُثبت صحة ما يلي: «{claim}»؟"),
        ClaimKind::Policy => format!("ما السياسة أو المادة التي تنصّ على ما يلي: «{claim}»؟"),
        ClaimKind::Numeric => {
            format!("ما الوثيقة التي ورد فيها الرقم المذكور فيما يلي: «{claim}»؟")
        }
        ClaimKind::Definition => format!("ما الوثيقة التي ورد فيها التعريف الآتي: «{claim}»؟"),
    }
}
