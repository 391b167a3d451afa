//! Results of verifying a file, its attachments, and a store.

use crate::phrase::phrases;

phrases! {
    answer_not_attached()
        en "the answer that was checked is not attached"
        ar "الإجابة التي فُحصت غير مرفقة"
    answer_not_signed()
        en "the question and the answer on the pages are told by whoever made them, and are in no signature; the ledger has the claims"
        ar "السؤال والإجابة في الصفحات رواهما من أعدّها ولا يشملهما توقيع، والادعاءات في السجل"
    attachments_not_extracted(why)
        en "{why}"
        ar "تعذر استخراج المرفقات من ملف PDF: {why}"
    built_without_press()
        en "this program was built without a press, so the pages were not compared with the pack"
        ar "بُني هذا البرنامج بلا مطبعة، فلم تُقارن الصفحات بالحزمة"
    claim_count_differs(expected, found)
        en "expected {expected} claims, as the answer has, found {found}"
        ar "عدد الادعاءات المتوقع {expected} كما في الإجابة، والموجود {found}"
    claim_field_judged_otherwise(n, name)
        en "claim {n}: expected the `{name}` that it is judged again with, found another"
        ar "الادعاء {n}: المتوقع `{name}` كما حُكم ثانية، والموجود غيره"
    claim_judged_otherwise(n, expected, found)
        en "claim {n}: expected {expected} as it is judged again, found {found}"
        ar "الادعاء {n}: المتوقع {expected} كما حُكم ثانية، والموجود {found}"
    claims_judged_the_same(count)
        en "{count} claims, judged again with the same model: the same"
        ar "عدد الادعاءات {count}، حُكم عليها ثانية بالنموذج نفسه: النتيجة نفسها"
    consulted_document_not_attached(name)
        en "{name}, which was consulted, is not attached"
        ar "{name}، وقد رُجع إليه، غير مرفق"
    container_file()
        en "a file that holds others, which are to be taken out first"
        ar "ملف يضم ملفات أخرى، تُستخرج منه أولًا"
    could_not_be_judged_again()
        en "it could not be judged again"
        ar "تعذر الحكم عليها ثانية"
    document_not_attached()
        en "its document is not attached"
        ar "وثيقته غير مرفقة"
    document_unread(why)
        en "its document could not be read: {why}"
        ar "تعذرت قراءة وثيقته: {why}"
    excerpt_not_found()
        en "expected the excerpt in its document, found it nowhere"
        ar "المتوقع أن يكون المقتطف في وثيقته، ولا وجود له فيها"
    excerpt_not_found_in_part(count)
        en "not found, but the document could not be read whole: {count} problems"
        ar "لم يوجد، لكن تعذرت قراءة الوثيقة كاملةً: عدد المشكلات {count}"
    excerpt_only_in_hidden_text()
        en "only in text that is hidden from a reader of the document"
        ar "لا يوجد إلا في نص مخفي عن قارئ الوثيقة"
    excerpts_in_their_documents(found)
        en "{found}, each in the document that it is from"
        ar "عددها {found}، كل منها في الوثيقة المأخوذ منها"
    history_not_signed(told)
        en "{told} reviews, reasons or versions are told by whoever made the pages, and are in no signature; the archive or the trail proves them"
        ar "عدد {told} من المراجعات أو أسبابها أو الإصدارات رواه من أعدّ الصفحات ولا يشمله توقيع، ويثبته الأرشيف أو المسار"
    judge_model_not_here()
        en "its judge's model is not here"
        ar "نموذج الحَكَم غير متاح هنا"
    judged_by_another_engine(engine, engine_name)
        en "judged by {engine}, and this is `{engine_name}`"
        ar "حكم بها {engine}، وهذا `{engine_name}`"
    ledger_names_no_documents()
        en "the ledger names no documents"
        ar "لا يسمّي السجل وثائق"
    ledger_names_no_judge()
        en "the ledger names no judge"
        ar "لا يسمّي السجل حَكَمًا"
    names_no_document()
        en "it names no document by its digest"
        ar "لا يسمّي وثيقة ببصمتها"
    no_evidence_file()
        en "expected a pack, a ledger, a PDF document, an archive, a receipt, a checkpoint or a trail export, found something else"
        ar "المتوقع حزمة أو سجل ادعاءات أو ملف PDF أو أرشيف أو إيصال أو نقطة تحقق أو مستخرج من المسار، والموجود شيء آخر"
    not_judged_again_many_claims(claims, most)
        en "not judged again, as {claims} claims are more than {most}: `dalil verify` judges them"
        ar "لم يُحكم عليها ثانية، لأن عدد الادعاءات {claims} أكثر من {most}؛ ويحكم عليها `dalil verify`"
    not_judged_again_not_vouched_for()
        en "not read or judged again, as nothing that is trusted vouches for the archive"
        ar "لم تُقرأ ولم يُحكم عليها ثانية، إذ لا يشهد للأرشيف ما هو موثوق"
    not_one_attached_file(pack_file, ledger_file, found)
        en "expected one attached file `{pack_file}` or `{ledger_file}`, found {found}"
        ar "المتوقع مرفق واحد باسم `{pack_file}` أو `{ledger_file}`، والموجود {found}"
    nothing_to_press(pack_attachment, history_attachment, ledger_attachment)
        en "expected `{pack_attachment}` and `{history_attachment}`, or `{ledger_attachment}`, that can be pressed, found others"
        ar "المتوقع `{pack_attachment}` و`{history_attachment}`، أو `{ledger_attachment}`، مما يمكن طبعه، والموجود غير ذلك"
    pages_differ()
        en "expected the pages that the attachments give, found others"
        ar "المتوقع الصفحات التي تعطيها المرفقات، والموجود غيرها"
    pages_not_compared_attachments_fail()
        en "not compared, as what is attached does not hold"
        ar "لم تُقارن، لأن المرفق غير صحيح"
    pages_not_compared_many_claims(claims, most)
        en "not compared, as {claims} claims are more than the {most} that are pressed"
        ar "لم تُقارن، لأن عدد الادعاءات {claims} أكثر من {most}، وهو أقصى ما يُطبع"
    pages_of_another_press(press, press_version)
        en "made by {press}, and this is `{press_version}`, whose pages may differ"
        ar "طبعها {press}، وهذا `{press_version}`، وقد تختلف صفحاته"
    pages_same_bytes()
        en "pressed again from the attachments: the same bytes"
        ar "طُبعت ثانية من المرفقات: البايتات نفسها"
    reviews_not_signed(count)
        en "{count} reviews of claims are told by whoever made the pages, and are in no signature; the trail proves them"
        ar "مراجعات الادعاءات وعددها {count} رواها من أعدّ الصفحات ولا يشملها توقيع، والمسار يثبتها"
    risks_differ()
        en "expected the risks that follow as it is judged again, found others"
        ar "المتوقع المخاطر التي تترتب على الحكم ثانية، والموجود غيرها"
    sealed_before_resolved()
        en "this version was sealed before anybody resolved it; whether somebody approved or rejected it since cannot be told from this file"
        ar "خُتم هذا الإصدار قبل أن تُحسم مراجعته، ولا يُعرف من هذا الملف هل أُقر بعد ذلك أو رُفض"
    several_attachments(count, name)
        en "{count}, `{name}` among them"
        ar "عددها {count}، وبينها `{name}`"
    signed_checkpoint_missing(size)
        en "the signed checkpoint of size {size} is missing from the store"
        ar "نقطة التحقق الموقعة بحجم {size} غير موجودة في المستودع"
    source(number, name)
        en "source {number}, {name}"
        ar "المصدر {number}، {name}"
    store_not_as_it_was(error)
        en "{error}"
        ar "المستودع ليس كما كان: {error}"
    store_rolled_back(larger, at, size)
        en "expected at least {larger} records, which were seen at {at}, found {size}: the store was rolled back, or its tail was cut"
        ar "المتوقع {larger} من القيود على الأقل، وقد شوهدت في {at}، والموجود {size}: أُعيد المستودع إلى حال سابقة، أو قُطع آخره"
}
