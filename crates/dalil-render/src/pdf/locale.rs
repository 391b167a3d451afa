//! Numbers, times and rules in words, in the language of a document.

use dalil_evidence::decision_class::{
    ApprovalClass, DecisionClasses, ReversibilityClass, SensitivityClass,
};
use dalil_evidence::pack::{PackDraft, PackFlag};
use dalil_phrasebook::Language;
use dalil_proof::score::Score;
use dalil_proof::time::Time;

use super::glyphs::PageTextWriter;
use crate::pack::finding_in_arabic;

#[cfg(test)]
mod tests;

impl PageTextWriter {
    /// Digits of the document's language: ٣ in Arabic.
    pub(super) fn digits(&self, text: &str) -> String {
        match self.language {
            Language::English => text.to_owned(),
            Language::Arabic => text.chars().map(arabic_digit).collect(),
        }
    }

    pub(super) fn number(&self, number: u64) -> String {
        self.digits(&number.to_string())
    }

    /// `93%`, ٩٣٪.
    pub(super) fn percent(&self, score: Score) -> String {
        self.digits(&format!("{}{}", score.percent(), self.language.pick("%", "٪")))
    }

    /// `3 January 2026, 14:30:00 UTC`.
    pub(super) fn time(&self, time: Time) -> String {
        // A time has one spelling, so its parts are at fixed places.
        let stamp = time.to_string();
        let part = |range: std::ops::Range<usize>| stamp.get(range).unwrap_or_default();
        let month: usize = part(5..7).parse().unwrap_or(1);
        let (english, arabic) = MONTHS.get(month.saturating_sub(1)).copied().unwrap_or(("", ""));
        let day = part(8..10).trim_start_matches('0');
        let (year, clock) = (part(0..4), part(11..19));
        match self.language {
            Language::English => format!("{day} {english} {year}, {clock} UTC"),
            Language::Arabic => self.digits(&format!("{day} {arabic} {year}، {clock} غرينتش")),
        }
    }

    /// Every reason why a pack is needed or not.
    pub(super) fn reasons(&self, draft: &PackDraft) -> Vec<String> {
        match self.language {
            Language::English => draft.reasons.clone(),
            Language::Arabic => arabic_reasons(self, draft.classes, draft.confidence),
        }
    }

    /// What a finding says.
    pub(super) fn finding(&self, finding: &PackFlag, window: u64) -> String {
        let arabic = finding_in_arabic(finding.rule).filter(|_| self.language == Language::Arabic);
        match arabic {
            Some(words) if finding.rule == "stale_source" => {
                format!("{words} بالساعات: {}", self.number(window))
            }
            Some(words) => words.to_owned(),
            None => finding.message.clone(),
        }
    }

    /// What a finding is about: `Source 1`.
    pub(super) fn place(&self, path: &str) -> String {
        let (list, rest) = path.split_once('[').unwrap_or((path, ""));
        let at = rest.split_once(']').and_then(|(number, _)| number.parse::<u64>().ok());
        let word = match list {
            "sources" => self.language.pick("Source", "المصدر"),
            "tool_calls" => self.language.pick("Tool call", "الاستدعاء"),
            "tenant_id" => return self.language.pick("Owner", "الجهة المالكة").to_owned(),
            _ => return self.language.pick("Pack", "الحزمة").to_owned(),
        };
        match at {
            Some(at) => format!("{word} {}", self.number(at + 1)),
            None => word.to_owned(),
        }
    }

    /// The judge's words, where they are the program's own.
    pub(super) fn notes(&self, notes: &str, snippet: &str) -> Option<String> {
        let quoted = format!("\"{snippet}\"");
        // These repeat the verdict and the evidence, which stand beside them.
        let repeats = [
            "Directly supported by: ",
            "Partially supported: ",
            "May conflict: ",
            "Evidence contradicts claim: ",
        ];
        if repeats.iter().any(|start| notes.strip_prefix(start) == Some(quoted.as_str())) {
            return None;
        }
        let known = JUDGE_NOTES.iter().find(|(english, _)| *english == notes);
        match (self.language, known) {
            (Language::Arabic, Some((_, arabic))) => Some((*arabic).to_owned()),
            (Language::Arabic | Language::English, _) => {
                (!notes.trim().is_empty()).then(|| notes.to_owned())
            }
        }
    }
}

fn arabic_reasons(
    pen: &PageTextWriter,
    classes: DecisionClasses,
    confidence: Option<Score>,
) -> Vec<String> {
    let DecisionClasses { approval, reversibility, sensitivity } = classes;
    let mut reasons = Vec::new();
    if approval >= ApprovalClass::A2 {
        reasons
            .push(format!("فئة الاعتماد {} توجب إعداد حزمة أدلة", latin(&format!("{approval:?}"))));
    }
    if reversibility == ReversibilityClass::R3 {
        reasons.push(format!("فئة إمكانية التراجع {} توجب إعداد حزمة أدلة", latin("R3")));
    }
    if sensitivity == SensitivityClass::S3 {
        reasons.push(format!("فئة الحساسية {} توجب إعداد حزمة أدلة", latin("S3")));
    }
    if let Some(low) = confidence
        .filter(|score| classes.high_stakes() && score.units() < MIN_HIGH_STAKES_CONFIDENCE_UNITS)
    {
        let low = pen.percent(low);
        reasons
            .push(format!("درجة الثقة {low} دون الحد الأدنى {} لقرار بالغ الأثر", pen.digits("70٪")));
    }
    if !reasons.is_empty() {
        return reasons;
    }
    let all = latin(&format!("{approval:?} {reversibility:?} {sensitivity:?}"));
    vec![match (approval, all.contains("A0 R0 S0")) {
        (_, true) => format!("القرار اعتيادي ({all})"),
        (ApprovalClass::A0, false) => format!("القرار يتجاوز المعتاد ({all})"),
        (ApprovalClass::A1 | ApprovalClass::A2 | ApprovalClass::A3, false) => {
            format!("فئة الاعتماد {}: قد يرغب المدير في تدقيقه", latin("A1"))
        }
    }]
}

/// Latin letters or digits inside Arabic, kept in their own order.
fn latin(text: &str) -> String {
    format!("\u{2066}{text}\u{2069}")
}

fn arabic_digit(ch: char) -> char {
    let digit = ch.to_digit(10).filter(|_| ch.is_ascii_digit());
    digit.and_then(|digit| char::from_u32(0x660 + digit)).unwrap_or(ch)
}

/// 0.7 in ten-thousandths.
const MIN_HIGH_STAKES_CONFIDENCE_UNITS: u16 = 7_000;

/// In the Gulf the months have these names.
const MONTHS: [(&str, &str); 12] = [
    ("January", "يناير"),
    ("February", "فبراير"),
    ("March", "مارس"),
    ("April", "أبريل"),
    ("May", "مايو"),
    ("June", "يونيو"),
    ("July", "يوليو"),
    ("August", "أغسطس"),
    ("September", "سبتمبر"),
    ("October", "أكتوبر"),
    ("November", "نوفمبر"),
    ("December", "ديسمبر"),
];

const JUDGE_NOTES: [(&str, &str); 2] = [
    (
        "No matching evidence found in provided documents",
        "لم يُعثر في الوثائق المقدَّمة على دليل مطابق",
    ),
    ("Evidence does not adequately support claim", "لا تدعم الأدلة هذا الادعاء دعمًا كافيًا"),
];
