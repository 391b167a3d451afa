//! Headings and labels in a view of a ledger.

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
    against_one(name)
        en "against {name}"
        ar "على {name}"
    against_some(name, count)
        en "against {name} and {count} more"
        ar "على {name} و{count} غيرها"
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
    claims_need_a_person(count)
        en "{count} claims need a person"
        ar "ادعاءات تحتاج إلى نظر شخص: {count}"
    claims_need_correction(count)
        en "{count} claims do not hold"
        ar "ادعاءات لا تصح: {count}"
    confidences_that_reach(reached, count, gate)
        en "{reached} of {count} reach {gate}, which a decision with high stakes must have"
        ar "بلغ {reached} من {count} نسبة {gate} التي يجب أن يبلغها قرار عالي الأثر"
    counted_chunks()
        en "chunks"
        ar "مقطعًا"
    counted_documents()
        en "documents"
        ar "وثيقة"
    coverage()
        en "coverage"
        ar "التغطية"
    coverage_of_checks(count, first, last, gate)
        en "{count} checks: {first} at first, {last} now; the gate asks for {gate}"
        ar "عمليات الفحص {count}: كانت {first} في البداية، وهي الآن {last}، والحد المطلوب {gate}"
    days_ago(count)
        en "{count} d ago"
        ar "قبل {count} ي"
    evidence()
        en "Evidence"
        ar "الدليل"
    evidence_coverage()
        en "Evidence Coverage"
        ar "تغطية الأدلة"
    evidence_differs(words, claim, snippet)
        en "“{words}”, not “{claim}”: {snippet}"
        ar "«{words}» لا «{claim}»: {snippet}"
    evidence_ledger()
        en "Evidence Ledger"
        ar "سجل الأدلة"
    evidence_says(snippet)
        en "The evidence says: {snippet}"
        ar "نص الدليل: {snippet}"
    evidence_snippet()
        en "Evidence Snippet"
        ar "نص الدليل"
    expand_hint()
        en "More about a claim: --expand N"
        ar "المزيد عن ادعاء: --expand N"
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
    hours_ago(count)
        en "{count} h ago"
        ar "قبل {count} س"
    importance()
        en "Importance"
        ar "الأهمية"
    judge()
        en "Judge"
        ar "الحَكَم"
    judges_notes()
        en "Judge's Notes"
        ar "ملاحظات الحَكَم"
    just_now()
        en "just now"
        ar "الآن"
    kind()
        en "Type"
        ar "النوع"
    may_conflict()
        en "may conflict"
        ar "قد يتعارض"
    minutes_ago(count)
        en "{count} min ago"
        ar "قبل {count} د"
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
    nothing_to_check()
        en "Nothing to check: the answer makes no claim"
        ar "لا شيء يُفحص: ليس في الإجابة ادعاء"
    one_claim_needs_a_person()
        en "1 claim needs a person"
        ar "ادعاء واحد يحتاج إلى نظر شخص"
    one_claim_needs_correction()
        en "1 claim does not hold"
        ar "ادعاء واحد لا يصح"
    other_evidence()
        en "Other evidence"
        ar "دليل آخر"
    other_evidence_title()
        en "Other Evidence"
        ar "دليل آخر"
    partial_match()
        en "partial match"
        ar "تطابق جزئي"
    questions_answered(answered, count)
        en "{answered} of {count} answered"
        ar "أُجيب عن {answered} من {count}"
    ready_to_rely_on()
        en "Ready to rely on: every claim is supported or was resolved by a person"
        ar "يمكن الاعتماد عليها: كل ادعاء مؤيَّد أو حسمه شخص"
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
    standing_after_reviews(standing, count)
        en "{standing} (reviews that count: {count})"
        ar "{standing} (المراجعات المحتسبة: {count})"
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
