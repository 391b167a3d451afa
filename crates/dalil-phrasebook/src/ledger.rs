//! Issues, risk flags and questions of a ledger.

use crate::phrase::phrases;

phrases! {
    band_good()
        en "Good"
        ar "جيدة"
    band_high()
        en "High"
        ar "عالية"
    band_low()
        en "Low"
        ar "منخفضة"
    band_moderate()
        en "Moderate"
        ar "متوسطة"
    band_very_low()
        en "Very Low"
        ar "ضئيلة"
    cannot_both_be_true(claim_words, evidence_words)
        en "the claim says “{claim_words}”, the evidence says “{evidence_words}”"
        ar "في الادعاء «{claim_words}»، وفي الدليل «{evidence_words}»"
    importance_critical()
        en "Critical"
        ar "حاسم"
    importance_material()
        en "Material"
        ar "مهم"
    importance_minor()
        en "Minor"
        ar "ثانوي"
    isolated_section(heading)
        en "Section {heading}"
        ar "القسم \u{2068}{heading}\u{2069}"
    issue_ambiguous_citation(citation)
        en "{citation} names more than one passage of the documents"
        ar "الاستشهاد {citation} يدل على أكثر من مقطع في الوثائق"
    issue_conflicting_sources(place, says, ruling)
        en "Documents disagree: {place} {says} the claim; {ruling}"
        ar "الوثائق متعارضة: {place} {says} الادعاء؛ {ruling}"
    issue_hidden_evidence(place, why)
        en "A reader of {place} cannot see this evidence: {why}"
        ar "لا يرى قارئ {place} هذا الدليل: {why}"
    issue_may_conflict(place)
        en "May conflict: {place}; the judge names no words that cannot both be true"
        ar "قد يتعارض: {place}؛ ولم يذكر الحَكَم كلمات لا يصح الجمع بينها"
    issue_may_conflict_hidden(place)
        en "May conflict: {place}, in words that a reader cannot see"
        ar "قد يتعارض: {place}، في كلمات لا يراها القارئ"
    issue_missing_part(missing)
        en "The evidence does not state: {missing}"
        ar "لا يذكر الدليل: {missing}"
    issue_unrelated_citation(citation)
        en "{citation} names a passage that does not bear on the claim"
        ar "الاستشهاد {citation} يدل على مقطع لا صلة له بالادعاء"
    issue_unrelated_citation_at(citation, place)
        en "{citation} names a passage that does not bear on the claim ({place})"
        ar "الاستشهاد {citation} يدل على مقطع لا صلة له بالادعاء ({place})"
    issue_unresolved_citation(citation)
        en "{citation} names no passage of the documents"
        ar "الاستشهاد {citation} لا يدل على أي مقطع في الوثائق"
    kind_definition()
        en "Definition"
        ar "تعريف"
    kind_fact()
        en "Fact"
        ar "واقعة"
    kind_numeric()
        en "Numeric"
        ar "رقم"
    kind_policy()
        en "Policy"
        ar "سياسة"
    mitigation_ambiguous_evidence()
        en "Seek clarification or additional sources"
        ar "اطلب توضيحًا أو مصادر إضافية"
    mitigation_conflicting_sources()
        en "Determine authoritative source"
        ar "حدّد المصدر المعتمد"
    mitigation_contradiction()
        en "Review and correct the contradicted claims"
        ar "راجع الادعاءات المناقَضة وصحّحها"
    mitigation_low_confidence()
        en "Consider qualifying or removing claim"
        ar "قيّد الادعاء أو احذفه"
    mitigation_missing_evidence()
        en "Upload relevant documents or revise response"
        ar "أضف الوثائق ذات الصلة أو عدّل الإجابة"
    mitigation_outdated_source()
        en "Verify with current documentation"
        ar "تحقّق من الوثائق السارية"
    mitigation_unrelated_citation()
        en "Cite the passage that supports the claim"
        ar "استشهد بالمقطع الذي يسند الادعاء"
    mitigation_unresolved_citation()
        en "Remove or correct the citation"
        ar "احذف الاستشهاد أو صحّحه"
    page(number)
        en "Page {number}"
        ar "الصفحة {number}"
    page_in_short(number)
        en "p.{number}"
        ar "ص {number}"
    passage(stance, words, place)
        en "{stance}: \"{words}\" ({place})"
        ar "{stance}: «{words}» ({place})"
    passage_with_reason(passage, reason)
        en "{passage}; {reason}"
        ar "{passage}؛ {reason}"
    question_definition(claim)
        en "Which document defines this term: \"{claim}\"?"
        ar "ما الوثيقة التي ورد فيها التعريف الآتي: «{claim}»؟"
    question_fact(claim)
        en "Which document shows that this is so: \"{claim}\"?"
        ar "ما الوثيقة التي تُثبت صحة ما يلي: «{claim}»؟"
    question_numeric(claim)
        en "Which document gives this figure: \"{claim}\"?"
        ar "ما الوثيقة التي ورد فيها الرقم المذكور فيما يلي: «{claim}»؟"
    question_policy(claim)
        en "Which policy or clause sets this rule: \"{claim}\"?"
        ar "ما السياسة أو المادة التي تنصّ على ما يلي: «{claim}»؟"
    question_weak(claim, place)
        en "Is there a document that directly states: \"{claim}\"? {place} supports it only in part."
        ar "هل توجد وثيقة تنصّ صراحةً على ما يلي: «{claim}»؟ فالمصدر ({place}) لا يؤيّده إلا جزئيًّا."
    risk_ambiguous_evidence()
        en "Ambiguous Evidence"
        ar "دليل ملتبس"
    risk_conflicting_sources()
        en "Conflicting Sources"
        ar "مصادر متعارضة"
    risk_contradiction()
        en "Contradiction"
        ar "تناقض"
    risk_low_confidence()
        en "Low Confidence"
        ar "ثقة منخفضة"
    risk_missing_evidence()
        en "Missing Evidence"
        ar "دليل مفقود"
    risk_of_claims(claims)
        en "Claims: {claims}"
        ar "الادعاءات المعنية: {claims}"
    risk_outdated_source()
        en "Outdated Source"
        ar "مصدر قديم"
    risk_unrelated_citation()
        en "Unrelated Citation"
        ar "استشهاد لا صلة له"
    risk_unresolved_citation()
        en "Unresolved Citation"
        ar "استشهاد بلا مصدر"
    ruling_amended()
        en "the verdict is that of the later document, which amends it"
        ar "والحكم للوثيقة اللاحقة التي تعدّلها"
    ruling_named()
        en "the verdict is that of the document that the answer cites or names"
        ar "والحكم للوثيقة التي تستشهد بها الإجابة أو تسمّيها"
    ruling_open()
        en "nothing says which document prevails"
        ar "ولا شيء يبيّن أيّ الوثيقتين تُقدَّم"
    section(heading)
        en "Section {heading}"
        ar "القسم {heading}"
    severity_high()
        en "High"
        ar "مرتفعة"
    severity_low()
        en "Low"
        ar "منخفضة"
    severity_medium()
        en "Medium"
        ar "متوسطة"
    stance_contradicts()
        en "contradicts"
        ar "يناقض"
    stance_may_conflict()
        en "may conflict"
        ar "قد يتعارض"
    stance_supports()
        en "supports"
        ar "يؤيّد"
    stance_supports_in_part()
        en "supports in part"
        ar "يؤيّد جزئيًّا"
    verdict_contradicted()
        en "Contradicted"
        ar "مناقَض"
    verdict_not_found()
        en "Not Found"
        ar "غير موجود"
    verdict_supported()
        en "Supported"
        ar "مؤيَّد"
    verdict_weak()
        en "Weak"
        ar "ضعيف"
}
