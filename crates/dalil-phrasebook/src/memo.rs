//! The memo of a decision, drafted from its records.
//!
//! Each language has its own sentences; neither is a translation of the other. A sentence that
//! follows another in Arabic begins with `and`, which the first of a paragraph does not have.

use crate::phrase::{phrases, terms};

phrases! {
    and()
        en ""
        ar "و"
    approval_due(and, who)
        en "Review is due within 48 hours, by {who}.", omits and
        ar "{and}يلزم اعتماده خلال ٤٨ ساعة {who}."
    approver_a0()
        en "a reviewer"
        ar "من أحد المراجعين المخولين"
    approver_a1()
        en "a manager"
        ar "من المدير المسؤول"
    approver_a2()
        en "a department head, and legal or finance"
        ar "من رئيس الإدارة المعنية، ومن الشؤون القانونية أو المالية"
    approver_a3()
        en "two of the executives or the board"
        ar "من اثنين من الإدارة التنفيذية أو مجلس الإدارة"
    calls_as_announced(and, calls)
        en "{calls} on record, all as announced.", omits and
        ar "{and}في السجل من استخدام الأدوات {calls}، وكلها وفق المعلن."
    calls_blocked(calls)
        en "{calls} blocked"
        ar "ما مُنع تنفيذه: {calls}"
    calls_contradicted(calls)
        en "{calls} did something other than announced"
        ar "ما خالف المعلن: {calls}"
    calls_failed(calls)
        en "{calls} failed"
        ar "ما تعذر تنفيذه: {calls}"
    calls_not_all_as_announced(and, calls, others)
        en "{calls} on record: {others}.", omits and
        ar "{and}في السجل من استخدام الأدوات {calls}؛ {others}."
    calls_unreported(calls)
        en "{calls} never reported back"
        ar "ما لم ترد نتيجته: {calls}"
    claims(and, claims, verdicts)
        en "The evidence ledger counts {claims}: {verdicts}.", omits and
        ar "{and}يضم سجل الأدلة {claims}: {verdicts}."
    claims_by_verdict(supported, weak, contradicted, not_found)
        en "{supported} supported, {weak} weak, {contradicted} contradicted, {not_found} not found"
        ar "المؤيَّد منها {supported}، والضعيف {weak}، والمناقَض {contradicted}، وما لا دليل عليه {not_found}"
    classed(classes, need)
        en "It is classed {classes}: {need}."
        ar "وقد صُنّف القرار {classes}، {need}."
    classes(approval, reversibility, sensitivity)
        en "{approval} {reversibility} {sensitivity}"
        ar "{approval} و{reversibility} و{sensitivity}"
    concerns(action)
        en "This decision concerns {action} and is submitted for approval."
        ar "نرفع لاعتمادكم القرار الآتي، وموضوعه: {action}."
    confidence(percent)
        en "The agent states a confidence of {percent}%."
        ar "وتبلغ درجة الثقة المعلنة {percent}٪."
    further_sources(sources)
        en "{sources} can be found in the pack."
        ar "وفي حزمة الأدلة إضافةً إلى ما سبق {sources}."
    link_calls(first, second)
        en "{first}, {second}"
        ar "{first}، و{second}"
    link_paragraphs(first, second)
        en "{first}\n\n{second}"
        ar "{first}\n\n{second}"
    link_sentences(first, second)
        en "{first} {second}"
        ar "{first} {second}"
    names_no_source()
        en "It names no source."
        ar "ولم يُذكر له أي مصدر."
    need_mandatory()
        en "an evidence pack is mandatory"
        ar "وتلزم له حزمة أدلة"
    need_none()
        en "no evidence pack is required"
        ar "ولا تلزم له حزمة أدلة"
    need_recommended()
        en "an evidence pack is recommended"
        ar "وتُستحسن له حزمة أدلة"
    no_call(and)
        en "No tool was used.", omits and
        ar "{and}لم تُستخدم أي أداة."
    no_claim(and)
        en "The evidence ledger counts 0 claims: 0 supported, 0 weak, 0 contradicted, 0 not found.", omits and
        ar "{and}يخلو سجل الأدلة من الادعاءات."
    no_confidence()
        en "The agent states no confidence."
        ar "ولم تُعلن درجة للثقة."
    no_source()
        en "No source is named."
        ar "لم يُذكر أي مصدر."
    paragraph_approver(approval)
        en "For the approver. {approval} This memo was drafted from the records of the decision and quotes none of them; the exact words are in the sources that it cites."
        ar "خامسًا: المطلوب من جهة الاعتماد. {approval} وقد أُعدت هذه المذكرة آليًا من سجلات القرار دون اقتباس منها، والنصوص الحرفية محفوظة في المصادر المشار إليها."
    paragraph_basis(sources)
        en "Basis. {sources}"
        ar "ثانيًا: الأسانيد. {sources}"
    paragraph_calls(calls)
        en "Actions taken. {calls}"
        ar "ثالثًا: الإجراءات المنفذة. {calls}"
    paragraph_claims(claims)
        en "Claims checked. {claims}"
        ar "رابعًا: الادعاءات المدققة. {claims}"
    paragraph_decision(id, action, classes, confidence)
        en "Decision. Decision{id} concerns {action}. It is classed {classes}. {confidence}"
        ar "أولًا: القرار. موضوع القرار{id}: {action}، وتصنيفه {classes}. {confidence}"
    paragraph_no_ledger()
        en "Claims checked. The decision names no ledger."
        ar "رابعًا: الادعاءات المدققة. لم يُربط القرار بسجل أدلة."
    rests_on(sources, citations)
        en "It rests on {sources} {citations}."
        ar "ويستند إلى {sources} {citations}."
    source(number, citation, percent)
        en "Source {number} {citation} has a confidence of {percent}%."
        ar "المصدر رقم {number} {citation} ودرجة الثقة به {percent}٪."
    stale_sources(sources, hours)
        en "{sources} older than {hours} h when the decision was made."
        ar "وما تجاوز منها مدة الصلاحية عند اتخاذ القرار: {sources}.", omits hours
    title(action)
        en "Decision: {action}"
        ar "مذكرة بشأن القرار: {action}"
    title_with_id(id, action)
        en "Decision {id}: {action}"
        ar "مذكرة بشأن القرار {id}: {action}"
    unknown_action()
        en "an action that needs approval"
        ar "إجراء يتطلب الاعتماد"
}

terms! {
    /// The name of a known type of action.
    action
    "lead_intake" en "taking in a lead" ar "تسجيل عميل محتمل"
    "icp_match" en "matching a customer profile" ar "مطابقة ملف العميل المستهدف"
    "pain_extract" en "extracting a customer's needs" ar "استخلاص احتياجات العميل"
    "qualification_questions" en "preparing qualification questions" ar "إعداد أسئلة التأهيل"
    "booking_schedule" en "scheduling a meeting" ar "جدولة اجتماع"
    "crm_contact_upsert" en "updating a contact" ar "تحديث بيانات جهة اتصال"
    "crm_deal_create" en "opening a deal" ar "فتح صفقة"
    "proposal_generate_draft" en "drafting a proposal" ar "إعداد مسودة عرض"
    "proposal_send" en "sending a proposal" ar "إرسال عرض"
    "outreach_send" en "sending an outreach message" ar "إرسال رسالة تواصل"
    "followup_send" en "sending a follow-up" ar "إرسال رسالة متابعة"
    "sector_intel_query" en "a query about a sector" ar "استعلام عن قطاع"
    "content_generate_draft" en "drafting content" ar "إعداد مسودة محتوى"
    "content_publish" en "publishing content" ar "نشر محتوى"
    "enrichment_query" en "enriching data" ar "استكمال بيانات"
    "competitor_analyze" en "analysing a competitor" ar "تحليل منافس"
    "market_research_query" en "a query about the market" ar "استعلام عن السوق"
    "pricing_offer_commit" en "committing to a price offer" ar "الالتزام بعرض سعر"
    "contract_change" en "changing a contract" ar "تعديل عقد"
    "nda_send" en "sending a non-disclosure agreement" ar "إرسال اتفاقية عدم إفصاح"
    "payment_terms_change" en "changing payment terms" ar "تعديل شروط السداد"
    "regulator_communication" en "writing to a regulator" ar "مخاطبة جهة رقابية"
    "dataroom_access_grant" en "granting access to a data room" ar "منح صلاحية دخول غرفة البيانات"
    "sensitive_data_export" en "exporting sensitive data" ar "تصدير بيانات حساسة"
    "market_facing_statement" en "a statement to the market" ar "الإدلاء بتصريح للسوق"
}
