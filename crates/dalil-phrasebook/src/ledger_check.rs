//! Results of verifying a ledger, and of its gate.

use crate::phrase::phrases;

phrases! {
    a_ledger()
        en "a ledger"
        ar "سجل ادعاءات"
    beside_the_ledger()
        en "stands beside the ledger, and was not checked"
        ar "ملحقة بسجل الادعاءات، ولم يُتحقق منها"
    citations_name_no_passage(count, names)
        en "{count} citation(s) name no passage of the documents: {names}"
        ar "{count} من الاستشهادات لا تسمّي أي مقطع من الوثائق: {names}"
    export_without_id_parts()
        en "what other programs take of a ledger, which leaves out what its id is made of; `--format ledger` gives the whole of it"
        ar "ما تأخذه البرامج الأخرى من سجل الادعاءات، وليس فيه كل ما يُحسب منه معرّفه؛ ويعطيه كاملًا `--format ledger`"
    high_unsupported_rate(most, unsupported, claims)
        en "expected an unsupported rate of at most {most}, found {unsupported} of {claims} critical and material claims not found"
        ar "الحد الأعلى لنسبة ما لا سند له {most}، والموجود: {unsupported} من {claims} من الادعاءات الجوهرية والمهمة بلا سند"
    ledger_not_signed()
        en "a ledger is not signed; a pack that holds it is"
        ar "سجل الادعاءات غير موقّع؛ والموقّعة هي الحزمة التي تضمه"
    low_coverage(least, found)
        en "expected evidence coverage of at least {least}, found {found}"
        ar "الحد الأدنى لتغطية الأدلة {least}، والموجود: {found}"
    made_at(made)
        en "made at {made}"
        ar "حُرر في {made}"
    made_in_the_future(made, now)
        en "made at {made}, which is later than now, {now}"
        ar "حُرر في {made}، وهو بعد وقت التحقق {now}"
    many_contradicted_claims(most, found, named)
        en "expected at most {most} contradicted critical claims, found {found}{named}"
        ar "الحد الأعلى للادعاءات الجوهرية المناقَضة {most}، والموجود {found}{named}"
    no_checkable_claim()
        en "no checkable claim"
        ar "لا ادعاء يمكن التحقق منه"
    no_critical_or_material_claim()
        en "no critical or material claim"
        ar "لا ادعاء جوهري ولا مهم"
    sums_follow_from_claims()
        en "every sum, band and id is what follows from the claims"
        ar "كل مجموع ونطاق ومعرّف يوافق ما يترتب على الادعاءات"
    supported_and_weak_claims(supported, weak, claims)
        en "{supported} supported and {weak} weak of {claims} critical and material claims"
        ar "{supported} مؤيَّد و{weak} ضعيف من {claims} من الادعاءات الجوهرية والمهمة"
}
