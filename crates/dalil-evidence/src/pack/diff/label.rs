//! What the fields of a pack are called, in English and in Arabic.

use dalil_phrasebook::Language;

/// What the place at a path is called: `sources[1].confidence` is `Source 2, confidence`.
pub(super) fn of(path: &str, language: Language) -> String {
    let (field, rest) = match path.find(['[', '.']) {
        Some(end) => path.split_at(end),
        None => (path, ""),
    };
    let known = FIELD_LABELS.iter().find(|(name, _, _)| *name == field);
    let mut label =
        known.map_or(field, |(_, english, arabic)| language.pick(english, arabic)).to_owned();
    let inner = match rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((number, inner)) => {
            let number = number.parse::<usize>().map_or(0, |number| number + 1);
            label.push_str(&format!(" {number}"));
            inner
        }
        None => rest,
    };
    match inner.strip_prefix('.') {
        Some(inner) => {
            let known = INNER_FIELD_LABELS.iter().find(|(name, _, _)| *name == inner);
            let inner = known.map_or(inner, |(_, english, arabic)| language.pick(english, arabic));
            format!("{label}{}{inner}", language.pick(", ", "، "))
        }
        None => label,
    }
}

/// A word of the program, in a language.
pub(super) fn word(word: &str, language: Language) -> Option<&'static str> {
    let known = VALUE_LABELS_AR.iter().find(|(known, _)| *known == word);
    known.map(|(english, arabic)| language.pick(english, arabic))
}

const VALUE_LABELS_AR: [(&str, &str); 17] = [
    ("acknowledged", "أُقرّ بها"),
    ("approved", "اعتمد"),
    ("blocked", "مُنع"),
    ("contradicted", "مناقَض"),
    ("escalated", "رفع إلى جهة أعلى"),
    ("failed", "أخفق"),
    ("mandatory", "إلزامي"),
    ("note", "للعلم"),
    ("open", "مفتوحة"),
    ("pending", "قيد الانتظار"),
    ("recommended", "مستحسن"),
    ("rejected", "رفض"),
    ("resolved", "تمت مراجعتها"),
    ("skip", "غير لازم"),
    ("succeeded", "نجح"),
    ("unresolved", "بانتظار المراجعة"),
    ("verified", "متحقَّق منه"),
];

/// The fields; of those that are lists, one item.
const FIELD_LABELS: [(&str, &str, &str); 31] = [
    ("agent_name", "Agent", "الوكيل"),
    ("approval_class", "Approval class", "فئة الاعتماد"),
    ("approvals", "Approval", "الاعتماد"),
    ("confidence", "Confidence", "درجة الثقة"),
    ("created_at", "Made at", "تاريخ الإعداد"),
    ("data_freshness_window_hours", "Freshness window (hours)", "مدة الصلاحية (بالساعات)"),
    ("decided_at", "Decided at", "تاريخ القرار"),
    ("decision_hash", "Digest of the decision", "بصمة القرار"),
    ("decision_id", "Decision", "القرار"),
    ("entity_id", "Entity", "الجهة"),
    ("findings", "Finding", "الملاحظة"),
    ("ledger", "Ledger", "سجل الأدلة"),
    ("memo", "Memo", "المذكرة"),
    ("model", "Model", "النموذج"),
    ("model_version", "Model version", "إصدار النموذج"),
    ("objective", "Objective", "الهدف"),
    ("options_considered", "Option considered", "الخيار المدروس"),
    ("prompts", "Prompt", "القالب"),
    ("rationale", "Rationale", "المبررات"),
    ("reasons", "Reasons", "الأسباب"),
    ("recommendation", "Recommendation", "التوصية"),
    ("requirement", "Requirement", "الإلزام"),
    ("reversibility_class", "Reversibility class", "فئة إمكان التراجع"),
    ("reviewed_at", "Reviewed at", "تاريخ المراجعة"),
    ("reviewer_id", "Reviewer", "المراجع"),
    ("sensitivity_class", "Sensitivity class", "فئة الحساسية"),
    ("sources", "Source", "المصدر"),
    ("status", "Status", "الحالة"),
    ("tenant_id", "Tenant", "المستأجر"),
    ("tool_calls", "Tool call", "استدعاء الأداة"),
    ("trace_id", "Trace", "مسار التتبع"),
];

/// What is in them.
const INNER_FIELD_LABELS: [(&str, &str, &str); 25] = [
    ("actual_action", "actual action", "الإجراء الفعلي"),
    ("body_ar", "Arabic body", "النص العربي"),
    ("body_en", "English body", "النص الإنجليزي"),
    ("confidence", "confidence", "درجة الثقة"),
    ("content_hash", "digest of the whole", "بصمة الأصل"),
    ("contradiction_flag", "contradiction", "التناقض"),
    ("contradictions", "where it differs", "مواضع التناقض"),
    ("executive_summary_ar", "Arabic summary", "الملخص العربي"),
    ("executive_summary_en", "English summary", "الملخص الإنجليزي"),
    ("inputs", "inputs", "المدخلات"),
    ("intended_action", "intended action", "الإجراء المعلن"),
    ("message", "message", "نص الملاحظة"),
    ("outcome", "outcome", "النتيجة"),
    ("outputs", "outputs", "المخرجات"),
    ("reference", "reference", "المرجع"),
    ("retrieved_at", "retrieved at", "تاريخ الاسترجاع"),
    ("side_effects", "side effects", "الآثار"),
    ("stale", "stale", "تجاوز الصلاحية"),
    ("state", "state", "الحالة"),
    ("template_version", "version", "الإصدار"),
    ("title_ar", "Arabic title", "العنوان العربي"),
    ("title_en", "English title", "العنوان الإنجليزي"),
    ("translated_from", "translated from", "لغة الأصل"),
    ("uri", "address", "العنوان"),
    ("verification_status", "verification", "التحقق"),
];
