//! Follow-up questions: what to ask when the evidence is missing or weak.

use super::place::long;
use super::request::Language;
use super::verdict::Verdict;
use super::{Entry, Finding};
use crate::claim::{Importance, Kind};

/// One question for each critical or material claim that is not found or weak.
pub(super) fn follow_ups(entries: &[Entry], language: Option<Language>) -> Vec<String> {
    let weighty = |one: &&Finding| one.claim_importance != Importance::Minor;
    entries
        .iter()
        .map(|entry| &entry.finding)
        .filter(weighty)
        .filter_map(|one| question(one, language.unwrap_or_else(|| Language::of(&one.claim_text))))
        .collect()
}

fn question(one: &Finding, language: Language) -> Option<String> {
    let claim = one.claim_text.trim().trim_end_matches(['.', '。']);
    match (one.verdict, language) {
        (Verdict::NotFound, Language::English) => Some(missing(one.claim_type, claim)),
        (Verdict::NotFound, Language::Arabic) => Some(missing_arabic(one.claim_type, claim)),
        (Verdict::Weak, Language::English) => Some(format!(
            "Is there a document that directly states: \"{claim}\"? {} supports it only in part.",
            one.source_document
                .as_ref()
                .map(|document| long(document, language))
                .unwrap_or_default(),
        )),
        (Verdict::Weak, Language::Arabic) => Some(format!(
            "هل توجد وثيقة تنصّ صراحةً على ما يلي: «{claim}»؟ فالمصدر ({}) لا يؤيّده إلا جزئيًّا.",
            one.source_document
                .as_ref()
                .map(|document| long(document, language))
                .unwrap_or_default(),
        )),
        (Verdict::Supported | Verdict::Contradicted, _) => None,
    }
}

fn missing(kind: Kind, claim: &str) -> String {
    match kind {
        Kind::Fact => format!("Which document shows that this is so: \"{claim}\"?"),
        Kind::Policy => format!("Which policy or clause sets this rule: \"{claim}\"?"),
        Kind::Numeric => format!("Which document gives this figure: \"{claim}\"?"),
        Kind::Definition => format!("Which document defines this term: \"{claim}\"?"),
    }
}

fn missing_arabic(kind: Kind, claim: &str) -> String {
    match kind {
        Kind::Fact => format!("ما الوثيقة التي تُثبت صحة ما يلي: «{claim}»؟"),
        Kind::Policy => format!("ما السياسة أو المادة التي تنصّ على ما يلي: «{claim}»؟"),
        Kind::Numeric => format!("ما الوثيقة التي ورد فيها الرقم المذكور فيما يلي: «{claim}»؟"),
        Kind::Definition => format!("ما الوثيقة التي ورد فيها التعريف الآتي: «{claim}»؟"),
    }
}
