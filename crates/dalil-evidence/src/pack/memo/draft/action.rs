//! What the known types of action are called in a memo.

/// What a type of action is called, in English and in Arabic. A type that is not
/// known is not quoted: it is the agent's own text.
pub(super) fn label(action_type: Option<&str>) -> (&'static str, &'static str) {
    let known =
        action_type.and_then(|name| ACTION_LABELS.iter().find(|(known, _, _)| *known == name));
    known.map_or(UNKNOWN_ACTION_LABEL, |(_, english, arabic)| (english, arabic))
}

const UNKNOWN_ACTION_LABEL: (&str, &str) = ("an action that needs approval", "إجراء يتطلب الاعتماد");

/// The types of action of `class::ACTIONS`, and the one that is only on the list of
/// what is never automatic.
pub(super) const ACTION_LABELS: [(&str, &str, &str); 25] = [
    ("lead_intake", "taking in a lead", "تسجيل عميل محتمل"),
    ("icp_match", "matching a customer profile", "مطابقة ملف العميل المستهدف"),
    ("pain_extract", "extracting a customer's needs", "استخلاص احتياجات العميل"),
    ("qualification_questions", "preparing qualification questions", "إعداد أسئلة التأهيل"),
    ("booking_schedule", "scheduling a meeting", "جدولة اجتماع"),
    ("crm_contact_upsert", "updating a contact", "تحديث بيانات جهة اتصال"),
    ("crm_deal_create", "opening a deal", "فتح صفقة"),
    ("proposal_generate_draft", "drafting a proposal", "إعداد مسودة عرض"),
    ("proposal_send", "sending a proposal", "إرسال عرض"),
    ("outreach_send", "sending an outreach message", "إرسال رسالة تواصل"),
    ("followup_send", "sending a follow-up", "إرسال رسالة متابعة"),
    ("sector_intel_query", "a query about a sector", "استعلام عن قطاع"),
    ("content_generate_draft", "drafting content", "إعداد مسودة محتوى"),
    ("content_publish", "publishing content", "نشر محتوى"),
    ("enrichment_query", "enriching data", "استكمال بيانات"),
    ("competitor_analyze", "analysing a competitor", "تحليل منافس"),
    ("market_research_query", "a query about the market", "استعلام عن السوق"),
    ("pricing_offer_commit", "committing to a price offer", "الالتزام بعرض سعر"),
    ("contract_change", "changing a contract", "تعديل عقد"),
    ("nda_send", "sending a non-disclosure agreement", "إرسال اتفاقية عدم إفصاح"),
    ("payment_terms_change", "changing payment terms", "تعديل شروط السداد"),
    ("regulator_communication", "writing to a regulator", "مخاطبة جهة رقابية"),
    ("dataroom_access_grant", "granting access to a data room", "منح صلاحية دخول غرفة البيانات"),
    ("sensitive_data_export", "exporting sensitive data", "تصدير بيانات حساسة"),
    ("market_facing_statement", "a statement to the market", "الإدلاء بتصريح للسوق"),
];
