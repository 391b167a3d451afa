//! Headings and labels in the Markdown of a pack.

use crate::phrase::phrases;

phrases! {
    actual()
        en "Actual"
        ar "الفعلي"
    agent()
        en "Agent"
        ar "الوكيل"
    claim_and_verdict()
        en "| Claim | Verdict |"
        ar "| الادعاء | الحكم |"
    claims()
        en "Claims"
        ar "الادعاءات"
    classes()
        en "Classes"
        ar "التصنيف"
    confidence()
        en "Confidence"
        ar "درجة الثقة"
    contradiction_at()
        en "Contradiction at"
        ar "تناقض في"
    decided_at()
        en "Decided at"
        ar "تاريخ القرار"
    decision()
        en "Decision"
        ar "القرار"
    digest_of_the_decision()
        en "Digest of the decision"
        ar "بصمة القرار"
    digest_of_the_whole()
        en "Digest of the whole"
        ar "بصمة الأصل"
    entity()
        en "Entity"
        ar "الجهة"
    evidence_pack()
        en "Evidence pack"
        ar "حزمة الأدلة"
    executive_summary()
        en "Executive summary"
        ar "الملخص التنفيذي"
    findings()
        en "Findings"
        ar "الملاحظات"
    found_at()
        en "Where"
        ar "الموضع"
    intended()
        en "Intended"
        ar "المعلن"
    made_at()
        en "Made at"
        ar "تاريخ الإعداد"
    memo()
        en "Memo"
        ar "المذكرة"
    model()
        en "Model"
        ar "النموذج"
    none()
        en "None."
        ar "لا يوجد."
    not_reviewed()
        en "Nobody has reviewed this version."
        ar "لم يُراجع هذا الإصدار بعد."
    objective()
        en "Objective"
        ar "الهدف"
    option_considered()
        en "Option considered"
        ar "خيار مدروس"
    outcome()
        en "Outcome"
        ar "النتيجة"
    outcome_blocked()
        en "blocked"
        ar "مُنع"
    outcome_failed()
        en "failed"
        ar "أخفق"
    outcome_not_reported()
        en "not reported"
        ar "لم ترد نتيجته"
    outcome_succeeded()
        en "succeeded"
        ar "نجح"
    pack()
        en "Pack"
        ar "حزمة الأدلة"
    packs_not_reviewed_in_time(count, hours)
        en "Packs whose review was not finished within {hours} hours, and that must be assembled again: {count}"
        ar "حزم لم تكتمل مراجعتها خلال {hours} ساعة ويلزم تحريرها ثانية: {count}"
    rationale()
        en "Rationale"
        ar "المبررات"
    recommendation()
        en "Recommendation"
        ar "التوصية"
    requirement_mandatory()
        en "mandatory"
        ar "إلزامي"
    requirement_recommended()
        en "recommended"
        ar "مستحسن"
    requirement_skip()
        en "not needed"
        ar "غير لازم"
    retrieved_at()
        en "Retrieved at"
        ar "تاريخ الاسترجاع"
    review()
        en "Review"
        ar "المراجعة"
    reviewed_by(reviewer, at)
        en "{reviewer}, {at}"
        ar "{reviewer}، {at}"
    side_effect()
        en "Side effect"
        ar "أثر"
    sources()
        en "Sources"
        ar "المصادر"
    stale()
        en "**Stale: older than the freshness window.**"
        ar "**متقادم: تجاوز مدة الصلاحية.**"
    state_acknowledged()
        en "acknowledged"
        ar "أُقرّ بها"
    state_note()
        en "note"
        ar "للعلم"
    state_open()
        en "open"
        ar "مفتوحة"
    status()
        en "Status"
        ar "الحالة"
    status_rejected()
        en "rejected"
        ar "مرفوض"
    status_resolved()
        en "resolved"
        ar "تمت مراجعته"
    status_unresolved()
        en "unresolved"
        ar "بانتظار المراجعة"
    supersedes()
        en "Supersedes"
        ar "يحل محل"
    tenant()
        en "Tenant"
        ar "المستأجر"
    the_whole_action()
        en "the whole action"
        ar "الإجراء كله"
    tool_calls()
        en "Tool calls"
        ar "استدعاءات الأدوات"
    unreported_action()
        en "nothing was reported"
        ar "لم يرد عنه شيء"
    vote(approver, titles, outcome, at)
        en "{approver} ({titles}): {outcome}, {at}"
        ar "{approver} ({titles}): {outcome}، {at}"
    vote_approved()
        en "approved"
        ar "اعتمد"
    vote_escalated()
        en "escalated"
        ar "رفع إلى جهة أعلى"
    vote_rejected()
        en "rejected"
        ar "رفض"
    what_was_decided()
        en "What was decided"
        ar "ما تقرر"
    why_a_pack()
        en "Why a pack"
        ar "سبب إعداد الملف"
}
