//! Reasons for a verdict: the notes of rules and judges.

use crate::phrase::phrases;

phrases! {
    agrees(said, found)
        en "The claim says {said}, and so does the evidence: {found}."
        ar "الادعاء يقول {said}، والدليل كذلك: {found}."
    agrees_in_words(said, found)
        en "The claim and the evidence agree: “{said}”, “{found}”."
        ar "يتفق الادعاء والدليل: «{said}»، «{found}»."
    condition_added(said)
        en "The claim adds a condition that the evidence does not state: “{said}”."
        ar "يضيف الادعاء شرطاً لا يذكره الدليل: «{said}»."
    condition_conceded(found)
        en "The claim is said to hold whatever the evidence makes a condition: “{found}”."
        ar "يقول الادعاء إنه يصح أياً كان ما يشترطه الدليل: «{found}»."
    condition_kept(found)
        en "The claim keeps a condition of the evidence: “{found}”."
        ar "يحتفظ الادعاء بشرط الدليل: «{found}»."
    condition_left_out(found)
        en "The claim leaves out a condition of the evidence: “{found}”."
        ar "يُغفل الادعاء شرطاً في الدليل: «{found}»."
    contradicted_by(words)
        en "Evidence contradicts claim: \"{words}\""
        ar "الدليل يناقض الادعاء: «{words}»"
    denies_what_is_not_said(found)
        en "The claim denies what the evidence does not say: “{found}”."
        ar "ينفي الادعاء ما لا يقوله الدليل: «{found}»."
    differs(said, found)
        en "The claim says {said}, the evidence {found}."
        ar "الادعاء يقول {said}، والدليل {found}."
    differs_in_words(said, found)
        en "The claim says “{said}”, the evidence “{found}”."
        ar "الادعاء يقول «{said}»، والدليل «{found}»."
    may_conflict(words)
        en "May conflict: \"{words}\""
        ar "قد يتعارض: «{words}»"
    nearest(words, place)
        en "Nearest: \"{words}\" ({place})"
        ar "الأقرب: «{words}» ({place})"
    no_matching_evidence()
        en "No matching evidence found in provided documents."
        ar "لا يوجد دليل مطابق في الوثائق المقدَّمة."
    none_in_documents()
        en "No matching evidence found in provided documents"
        ar "لم يُعثر في الوثائق المقدَّمة على دليل مطابق"
    not_adequately_supported()
        en "Evidence does not adequately support claim"
        ar "لا تدعم الأدلة هذا الادعاء دعمًا كافيًا"
    not_in_evidence(said)
        en "The claim says {said}; the evidence does not."
        ar "الادعاء يقول {said}، ولا يذكر الدليل ذلك."
    not_in_what_was_kept(documents)
        en "No matching evidence: not found in what was kept of {documents}"
        ar "لا يوجد دليل مطابق فيما حُفظ من {documents}"
    one_denies_what_the_other_affirms(said, found)
        en "The claim says “{said}” where the evidence says “{found}”: one denies what the other affirms."
        ar "الادعاء يقول «{said}» والدليل يقول «{found}»: أحدهما ينفي ما يثبته الآخر."
    only(said, found)
        en "The claim says {said}, the evidence only {found}."
        ar "الادعاء يقول {said}، والدليل يقول {found} فقط."
    only_within(found)
        en "The evidence does not state this, but only within “{found}”."
        ar "لا يثبت الدليل ذلك، بل يذكره في سياق «{found}»."
    page_of(name, page)
        en "{name}, p.{page}"
        ar "{name}، ص {page}"
    partially_supported_by(words)
        en "Partially supported: \"{words}\""
        ar "مؤيَّد جزئيًّا بما يلي: «{words}»"
    says_less(said, found)
        en "The claim says “{said}”, which is less than the evidence: “{found}”."
        ar "الادعاء يقول «{said}»، وهو أقل مما يقوله الدليل: «{found}»."
    says_more(found)
        en "The claim says more than the evidence, which says “{found}”."
        ar "يقول الادعاء أكثر مما يقوله الدليل: «{found}»."
    says_otherwise(said, found)
        en "The claim says “{said}” where the evidence says “{found}”."
        ar "الادعاء يقول «{said}» والدليل يقول «{found}»."
    supported_by(words)
        en "Directly supported by: \"{words}\""
        ar "مؤيَّد مباشرةً بما يلي: «{words}»"
    wider(said, found)
        en "The claim says {said}, the evidence {found}: near, but not the same."
        ar "الادعاء يقول {said}، والدليل {found}: قريب منه، وليس هو نفسه."
}
