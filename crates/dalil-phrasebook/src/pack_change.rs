//! Sentences about the differences between two versions of a pack.

use crate::phrase::phrases;

phrases! {
    acknowledged(finding)
        en "A reviewer acknowledged the finding: {finding}"
        ar "أقرّ مراجِع بالاطلاع على الملاحظة: {finding}"
    added(what)
        en "{what} was added."
        ar "أُضيف: {what}."
    another_ledger()
        en "The ledger is another one, with the same claims and verdicts."
        ar "حلّ سجل أدلة آخر محل السابق، وفيه الادعاءات نفسها والأحكام نفسها."
    changed(what, before, after)
        en "{what}: was {before}, is now {after}."
        ar "{what}: كان {before}، وأصبح {after}."
    claim_added(claim, verdict)
        en "A claim was added to the ledger, {verdict}: {claim}"
        ar "أُضيف إلى سجل الأدلة ادعاء، {verdict}: {claim}"
    claim_changed(claim, before, after)
        en "The verdict on a claim was {before} and is now {after}: {claim}"
        ar "كان الحكم على ادعاء {before} وأصبح {after}: {claim}"
    claim_removed(claim, verdict)
        en "A claim is no longer in the ledger, it was {verdict}: {claim}"
        ar "لم يعد في سجل الأدلة ادعاء كان {verdict}: {claim}"
    finding_added(finding)
        en "There is a new finding: {finding}"
        ar "ظهرت ملاحظة جديدة: {finding}"
    finding_open(finding)
        en "The finding waits for an acknowledgement again: {finding}"
        ar "تنتظر الملاحظة إقرارًا بالاطلاع من جديد: {finding}"
    finding_removed(finding)
        en "A finding is gone: {finding}"
        ar "زالت ملاحظة: {finding}"
    named(what, name)
        en "{what} ({name})"
        ar "{what} ({name})"
    new_value(what, value)
        en "{what}: {value} was added."
        ar "{what}: أُضيف {value}."
    not_shown(count)
        en "Changes that are not shown here: {count}"
        ar "تغييرات لا تُعرض هنا: {count}"
    old_value(what, value)
        en "{what}: {value} was taken out."
        ar "{what}: حُذف {value}."
    removed(what)
        en "{what} was taken out."
        ar "حُذف: {what}."
    reworded(what)
        en "{what} reads differently."
        ar "تغيّر النص: {what}."
    vote(approver, titles, outcome)
        en "{approver} ({titles}) {outcome}."
        ar "{approver} ({titles}): {outcome}."
    votes_gone()
        en "The reviews of the version before are not those of this one."
        ar "مراجعات الإصدار السابق ليست مراجعات هذا الإصدار."
}
