//! What stands around the claims in a view of a ledger: headings, and names of what is shown.

use crate::phrase::phrases;

phrases! {
    action_contradicted(number)
        en "Correct or remove claim #{number}"
        ar "صحّح الادعاء #{number} أو احذفه"
    action_not_found(number)
        en "Review claim #{number} and consider removing or qualifying it"
        ar "راجع الادعاء #{number} وانظر في حذفه أو تقييده"
    action_weak(number)
        en "Review claim #{number} and consider qualifying it"
        ar "راجع الادعاء #{number} وانظر في تقييده"
    cannot_both_be_true()
        en "Cannot both be true"
        ar "لا يصحان معًا"
    chunks()
        en "Chunks"
        ar "المقاطع"
    claim()
        en "Claim"
        ar "الادعاء"
    claim_withdrawn(claim)
        en "{claim} withdrawn"
        ar "سُحب {claim}"
    claims_detail()
        en "Claims Detail"
        ar "تفصيل الادعاءات"
    counted_chunks()
        en "chunks"
        ar "مقطعًا"
    counted_documents()
        en "documents"
        ar "وثيقة"
    coverage()
        en "coverage"
        ar "التغطية"
    evidence()
        en "Evidence"
        ar "الدليل"
    evidence_coverage()
        en "Evidence Coverage"
        ar "تغطية الأدلة"
    evidence_ledger()
        en "Evidence Ledger"
        ar "سجل الأدلة"
    evidence_snippet()
        en "Evidence Snippet"
        ar "نص الدليل"
    finding()
        en "Finding"
        ar "ملاحظة على الأدلة"
    findings()
        en "Findings"
        ar "ملاحظات على الأدلة"
    follow_up_questions()
        en "Follow-up questions"
        ar "أسئلة المتابعة"
    follow_up_questions_title()
        en "Follow-up Questions"
        ar "أسئلة المتابعة"
    generated()
        en "Generated"
        ar "أُنشئ في"
    hidden_text()
        en "hidden text"
        ar "نص مخفي"
    importance()
        en "Importance"
        ar "الأهمية"
    judge()
        en "Judge"
        ar "الحَكَم"
    judges_notes()
        en "Judge's Notes"
        ar "ملاحظات الحَكَم"
    kind()
        en "Type"
        ar "النوع"
    may_conflict()
        en "may conflict"
        ar "قد يتعارض"
    no_checkable_claim()
        en "No checkable claim"
        ar "لا ادعاء يمكن التحقق منه"
    none()
        en "None"
        ar "لا يوجد"
    not_read()
        en "Not read, or not visible to a reader of the document"
        ar "ما تعذّرت قراءته، أو لا يراه قارئ الوثيقة"
    notes()
        en "Notes"
        ar "ملاحظات"
    other_evidence()
        en "Other evidence"
        ar "دليل آخر"
    other_evidence_title()
        en "Other Evidence"
        ar "دليل آخر"
    partial_match()
        en "partial match"
        ar "تطابق جزئي"
    recommended_actions()
        en "Recommended Actions"
        ar "الإجراءات الموصى بها"
    risk_flags()
        en "Risk flags"
        ar "مؤشرات الخطر"
    risk_flags_title()
        en "Risk Flags"
        ar "مؤشرات الخطر"
    session()
        en "Session"
        ar "الجلسة"
    source()
        en "Source"
        ar "المصدر"
    summary()
        en "Summary"
        ar "الملخص"
    unsupported()
        en "unsupported"
        ar "بلا دليل"
    verdict()
        en "Verdict"
        ar "الحكم"
    verdict_and_count()
        en "| Verdict | Count |"
        ar "| الحكم | العدد |"
    verdict_with_confidence(verdict, percent, sign, band)
        en "{verdict} (Confidence: {percent}%, {sign} {band})"
        ar "{verdict} (الثقة: {percent}%، {sign} {band})"
    verdict_with_formula(verdict, percent, sign, band, formula)
        en "{verdict} (Confidence: {percent}%, {sign} {band}; by formula {formula}%)"
        ar "{verdict} (الثقة: {percent}%، {sign} {band}؛ وبالمعادلة {formula}%)"
    with_problems()
        en "with problems"
        ar "فيها مشكلات"
}
