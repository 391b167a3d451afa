//! Headings and labels of the report over a data set.

use crate::phrase::phrases;

phrases! {
    answer()
        en "Answer"
        ar "الإجابة"
    answers()
        en "Answers"
        ar "الإجابات"
    answers_not_shown(count, wrong)
        en "Not shown: {count} more answers, with {wrong} wrong claims; the figures above count them"
        ar "لم يُعرض: إجابات أخرى عددها {count}، وفيها من الادعاءات الخاطئة {wrong}؛ والأرقام أعلاه تشملها"
    checked_answers()
        en "Checked answers"
        ar "إجابات فُحصت"
    checked_at(time)
        en "Checked at {time}"
        ar "فُحصت في {time}"
    checked_between(first, last)
        en "Checked from {first} to {last}"
        ar "فُحصت من {first} إلى {last}"
    claims()
        en "Claims"
        ar "الادعاءات"
    how_to_verify()
        en "Every verdict is that of a ledger. `dalil verify` computes the sums and ids of a ledger again."
        ar "كل حكم هنا من سجل ادعاءات، ويعيد `dalil verify` حساب مجاميع السجل ومعرّفاته."
    judged_by()
        en "Judged by"
        ar "الحَكَم"
    ledger()
        en "Ledger"
        ar "سجل الادعاءات"
    more_not_shown(count)
        en "and {count} more"
        ar "و{count} غيرها"
    name_of_arabic()
        en "العربية"
        ar "العربية"
    name_of_english()
        en "English"
        ar "English"
    no_wrong_claim()
        en "No claim is contradicted, and none was not found."
        ar "لا ادعاء يخالف الوثائق، ولا ادعاء لم يوجد فيها."
    not_checked()
        en "Answers that could not be checked"
        ar "إجابات تعذّر فحصها"
    question()
        en "Question"
        ar "السؤال"
    the_claim_says(words)
        en "the claim says “{words}”"
        ar "يقول الادعاء «{words}»"
    unsupported()
        en "Unsupported"
        ar "بلا دليل"
    why()
        en "What the documents say"
        ar "ما تقوله الوثائق"
    wrong_claims()
        en "Wrong claims"
        ar "الادعاءات الخاطئة"
    wrong_claims_lead()
        en "Contradicted by the documents, or not found in them; the most important first."
        ar "تخالفها الوثائق أو لا توجد فيها؛ والأهم أولًا."
}
