//! Names of the fields and values of a pack, for comparing two versions.

use crate::phrase::{phrases, terms};

phrases! {
    field_of(whole, field)
        en "{whole}, {field}"
        ar "{whole}، {field}"
    no()
        en "no"
        ar "لا"
    nothing_else_changed()
        en "Nothing else changed."
        ar "لا تغيير غير ذلك."
    numbered(field, number)
        en "{field} {number}"
        ar "{field} {number}"
    version(pack, number)
        en "{pack} (version {number})"
        ar "{pack} (الإصدار {number})"
    vote(approver, titles, outcome, at)
        en "{approver} ({titles}): {outcome}, {at}"
        ar "{approver} ({titles}): {outcome}، {at}"
    yes()
        en "yes"
        ar "نعم"
}

terms! {
    /// A field of a pack; of one that is a list, an item.
    field
    "agent_name" en "Agent" ar "الوكيل"
    "approval_class" en "Approval class" ar "فئة الاعتماد"
    "approvals" en "Approval" ar "الاعتماد"
    "confidence" en "Confidence" ar "درجة الثقة"
    "created_at" en "Made at" ar "تاريخ الإعداد"
    "data_freshness_window_hours" en "Freshness window (hours)" ar "مدة الصلاحية (بالساعات)"
    "decided_at" en "Decided at" ar "تاريخ القرار"
    "decision_hash" en "Digest of the decision" ar "بصمة القرار"
    "decision_id" en "Decision" ar "القرار"
    "entity_id" en "Entity" ar "الجهة"
    "findings" en "Finding" ar "الملاحظة"
    "ledger" en "Ledger" ar "سجل الأدلة"
    "memo" en "Memo" ar "المذكرة"
    "model" en "Model" ar "النموذج"
    "model_version" en "Model version" ar "إصدار النموذج"
    "objective" en "Objective" ar "الهدف"
    "options_considered" en "Option considered" ar "الخيار المدروس"
    "prompts" en "Prompt" ar "القالب"
    "rationale" en "Rationale" ar "المبررات"
    "reasons" en "Reasons" ar "الأسباب"
    "recommendation" en "Recommendation" ar "التوصية"
    "requirement" en "Requirement" ar "الإلزام"
    "reversibility_class" en "Reversibility class" ar "فئة إمكان التراجع"
    "reviewed_at" en "Reviewed at" ar "تاريخ المراجعة"
    "reviewer_id" en "Reviewer" ar "المراجع"
    "sensitivity_class" en "Sensitivity class" ar "فئة الحساسية"
    "sources" en "Source" ar "المصدر"
    "status" en "Status" ar "الحالة"
    "tenant_id" en "Tenant" ar "المستأجر"
    "tool_calls" en "Tool call" ar "استدعاء الأداة"
    "trace_id" en "Trace" ar "مسار التتبع"
}

terms! {
    /// A field inside of a field.
    inner_field
    "actual_action" en "actual action" ar "الإجراء الفعلي"
    "body_ar" en "Arabic body" ar "النص العربي"
    "body_en" en "English body" ar "النص الإنجليزي"
    "confidence" en "confidence" ar "درجة الثقة"
    "content_hash" en "digest of the whole" ar "بصمة الأصل"
    "contradiction_flag" en "contradiction" ar "التناقض"
    "contradictions" en "where it differs" ar "مواضع التناقض"
    "executive_summary_ar" en "Arabic summary" ar "الملخص العربي"
    "executive_summary_en" en "English summary" ar "الملخص الإنجليزي"
    "inputs" en "inputs" ar "المدخلات"
    "intended_action" en "intended action" ar "الإجراء المعلن"
    "message" en "message" ar "نص الملاحظة"
    "outcome" en "outcome" ar "النتيجة"
    "outputs" en "outputs" ar "المخرجات"
    "reference" en "reference" ar "المرجع"
    "retrieved_at" en "retrieved at" ar "تاريخ الاسترجاع"
    "side_effects" en "side effects" ar "الآثار"
    "stale" en "stale" ar "تجاوز الصلاحية"
    "state" en "state" ar "الحالة"
    "template_version" en "version" ar "الإصدار"
    "title_ar" en "Arabic title" ar "العنوان العربي"
    "title_en" en "English title" ar "العنوان الإنجليزي"
    "translated_from" en "translated from" ar "لغة الأصل"
    "uri" en "address" ar "العنوان"
    "verification_status" en "verification" ar "التحقق"
}

terms! {
    /// A value that is a word of the format.
    value
    "acknowledged" en "acknowledged" ar "أُقرّ بها"
    "approved" en "approved" ar "اعتمد"
    "blocked" en "blocked" ar "مُنع"
    "contradicted" en "contradicted" ar "مناقَض"
    "escalated" en "escalated" ar "رفع إلى جهة أعلى"
    "failed" en "failed" ar "أخفق"
    "mandatory" en "mandatory" ar "إلزامي"
    "note" en "note" ar "للعلم"
    "open" en "open" ar "مفتوحة"
    "pending" en "pending" ar "قيد الانتظار"
    "recommended" en "recommended" ar "مستحسن"
    "rejected" en "rejected" ar "رفض"
    "resolved" en "resolved" ar "تمت مراجعتها"
    "skip" en "skip" ar "غير لازم"
    "succeeded" en "succeeded" ar "نجح"
    "unresolved" en "unresolved" ar "بانتظار المراجعة"
    "verified" en "verified" ar "متحقَّق منه"
}
