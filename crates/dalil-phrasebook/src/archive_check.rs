//! Results of verifying an archive.

use crate::phrase::phrases;

phrases! {
    archive_of_files(count)
        en "an archive of {count} files"
        ar "أرشيف من {count} ملفًا، كلها معروفة"
    bag_says_what_is_in_it()
        en "a bag that says what is in it"
        ar "حقيبة تبيّن ما فيها"
    call_payload_not_shown(about, index)
        en "{about}: what record {index} says of it is not shown"
        ar "{about}: ما يقوله عنه القيد {index} غير معروض"
    calls_as_recorded(count)
        en "{count}, as they were recorded"
        ar "عددها {count}، كما قُيّدت"
    decision_as_recorded(id)
        en "{id}, as it was recorded"
        ar "{id}، كما قُيّد"
    decision_differs_from_record(expected, digest)
        en "expected the decision `{expected}`, found `{digest}` on record"
        ar "المتوقع القرار `{expected}`، والمقيّد `{digest}`"
    earliest_record_before_any_key(count, at, begins)
        en "the earliest of {count} is of {at}, before the trail had a key, {begins}"
        ar "أول القيود وعددها {count} بتاريخ {at}، قبل أن يكون للمسار مفتاح، {begins}"
    field_differs_from_record(name)
        en "expected `{name}` as it was recorded, found another"
        ar "المتوقع `{name}` كما قُيّد، والموجود غيره"
    file_differs_from_the_rest(name)
        en "expected `{name}` as it follows from the rest, found another"
        ar "المتوقع `{name}` كما يترتب على غيره، والموجود خلافه"
    latest_record_in_the_future(count, latest, now)
        en "the latest of {count} is of {latest}, which is later than now, {now}"
        ar "آخر القيود وعددها {count} بتاريخ {latest}، وهو بعد وقت التحقق {now}"
    ledger_as_recorded(session)
        en "of {session}, as it was recorded"
        ar "من {session}، كما قُيّد"
    ledger_differs_from_record(session)
        en "expected a ledger of the session {session} that was recorded, found another"
        ar "المتوقع سجل ادعاءات مقيّد من الجلسة {session}، والموجود غيره"
    manifest_line_differs(name, n, file)
        en "`{name}`, line {n}: expected {file} as it is here, found another line"
        ar "`{name}`، السطر {n}: المتوقع {file} كما هو هنا، والموجود سطر آخر"
    manifest_lists_files(name, count)
        en "`{name}` lists {count} files with their digests"
        ar "يذكر `{name}` من الملفات {count} مع بصماتها"
    missing_file(name)
        en "expected a file `{name}`, found none"
        ar "المتوقع ملف `{name}`، ولا يوجد"
    no_checkpoint_for_receipt()
        en "there is no checkpoint to hold it under"
        ar "لا نقطة تحقق يُقاس عليها"
    no_record_of_call(about)
        en "{about}: expected a record of this call, found none"
        ar "{about}: المتوقع قيد لهذا الاستدعاء، ولا يوجد"
    no_record_of_decision(id)
        en "there is no record of {id} that shows what was decided"
        ar "لا قيد للقرار {id} يبيّن ما تقرر"
    no_record_of_seal(id)
        en "expected a record that {id} was sealed, found none"
        ar "المتوقع قيد بختم {id}، ولا يوجد"
    no_record_of_the_ledger(session)
        en "there is no record of a ledger of the session {session}"
        ar "لا قيد لسجل ادعاءات من الجلسة {session}"
    object_digest_differs(digest, found)
        en "expected an object with digest `{digest}`, found `{found}`"
        ar "المتوقع جسم بصمته `{digest}`، والموجود `{found}`"
    objects_as_their_digests_say(count)
        en "{count} attached, each as its digest says"
        ar "المرفق {count}، كل منها كما تبيّن بصمته"
    receipt_under_another_checkpoint()
        en "expected the receipt of every version under the archive's own, found another"
        ar "المتوقع أن يكون إيصال كل إصدار تحت نقطة تحقق الأرشيف، والموجود غيرها"
    receipts_under_one_checkpoint()
        en "every receipt is under the same one"
        ar "كل الإيصالات تحت نقطة تحقق واحدة"
    receipts_without_records(others)
        en "expected one receipt for each record, found {others} more"
        ar "المتوقع إيصال واحد لكل قيد، والزائد {others}"
    record_out_of_order(n, index)
        en "line {n}: expected a record after the one above, found record {index}"
        ar "السطر {n}: المتوقع قيد بعد سابقه، والموجود القيد {index}"
    record_receipt_under_another_checkpoint()
        en "expected its receipt under the archive's checkpoint, found another"
        ar "المتوقع إيصاله تحت نقطة تحقق الأرشيف، والموجود غيره"
    record_without_receipt()
        en "expected a receipt, found none"
        ar "المتوقع إيصال، ولا يوجد"
    recorded_call_missing(about)
        en "expected the call {about}, found none"
        ar "المتوقع الاستدعاء {about}، ولا يوجد"
    recorded_call_not_once(about, count)
        en "expected the call {about} once, found {count}"
        ar "المتوقع الاستدعاء {about} مرة واحدة، والموجود {count}"
    records_in_their_canonical_form(count)
        en "{count} records in their canonical form"
        ar "{count} من القيود بصيغتها المعتمدة"
    records_under_the_root(proved)
        en "{proved} records are under the root of the checkpoint"
        ar "{proved} من القيود مشمولة بجذر نقطة التحقق"
    report_differs_from_evidence()
        en "expected what follows from the evidence, found another"
        ar "المتوقع ما يترتب على الأدلة، والموجود خلافه"
    report_of_another_maker(maker)
        en "made by {maker}, whose words this version cannot compare"
        ar "أعده {maker}، ولا يستطيع هذا الإصدار مقارنة عباراته"
    report_says_what_was_found()
        en "says what was found when it was made"
        ar "يقول ما وُجد عند إعداده"
    report_title()
        en "Verification report"
        ar "تقرير التحقق"
    report_warning()
        en "Made with the archive, against the keys that the archive itself names. Believe your own check: dalil verify FILE --trust TRUST"
        ar "أُعد مع الأرشيف، على المفاتيح التي يسمّيها الأرشيف نفسه. العبرة بتحققك أنت: dalil verify FILE --trust TRUST --lang ar"
    unexpected_file(name)
        en "expected no file {name}, found one"
        ar "المتوقع ألا يوجد الملف {name}، وهو موجود"
    unnamed_object(digest)
        en "expected only objects that the pack or a record names, found `{digest}`"
        ar "المتوقع أجسام تسمّيها الحزمة أو قيد، والموجود `{digest}`"
    version_erased(erased, id, by)
        en "version {erased}, {id}: ERASED by record {by}"
        ar "الإصدار {erased}، {id}: ممحو بالقيد {by}"
    version_not_resolved()
        en "nobody has resolved this version in these records; what was said later cannot be told from this file"
        ar "لم تُحسم مراجعة هذا الإصدار في هذه القيود؛ وما قيل بعدها لا يُعرف من هذا الملف"
    version_out_of_order(n, id, version)
        en "expected version {n} after the one before it, found {id}, version {version}"
        ar "المتوقع الإصدار {n} بعد سابقه، والموجود {id}، الإصدار {version}"
    version_rejected(who, at, index)
        en "this version was rejected by {who} at {at}, record {index}"
        ar "رفض هذا الإصدار {who} في {at}، القيد {index}"
    version_reviewed(who)
        en "reviewed, the last by {who}"
        ar "تمت المراجعة، وآخر المراجعين {who}"
    versions_in_order(count)
        en "{count}, each after the one before, and each on record"
        ar "عددها {count}، كل منها بعد سابقه، ولكل منها قيد"
    versions_not_here(next, until)
        en "versions {next} to {until}: not here, and the one that named them is ERASED"
        ar "الإصدارات من {next} إلى {until}: ليست هنا، والإصدار الذي سمّاها ممحو"
    zip_checksum(name)
        en "expected {name} as its checksum says, found other bytes"
        ar "المتوقع {name} كما يبيّن مجموعه الاختباري، والموجود بايتات أخرى"
    zip_cut()
        en "expected more bytes, found the end"
        ar "المتوقع بايتات أخرى، والموجود النهاية"
    zip_directory()
        en "expected the directory of the files before it, found another"
        ar "المتوقع فهرس الملفات التي قبله، والموجود غيره"
    zip_encrypted()
        en "expected a file that is not encrypted, found one that is"
        ar "المتوقع ملف غير مشفّر، والموجود مشفّر"
    zip_extra_field()
        en "expected no extra field, found one"
        ar "المتوقع ألا توجد حقول إضافية، وهي موجودة"
    zip_header(name)
        en "expected the one header that {name} can have, found another"
        ar "المتوقع الترويسة الوحيدة الممكنة للملف {name}، والموجود غيرها"
    zip_large_sizes()
        en "expected sizes of a plain ZIP, found a promise of larger ones"
        ar "المتوقع أحجام ZIP العادية، والموجود إحالة إلى أكبر منها"
    zip_more_bytes()
        en "expected the end, found more bytes"
        ar "المتوقع النهاية، والموجود زيادة"
    zip_name(name)
        en "expected a plain name in a folder of the archive, found {name}"
        ar "المتوقع اسم بسيط داخل مجلدات الأرشيف، والموجود {name}"
    zip_name_order(name)
        en "expected each name once, in ascending order, found {name}"
        ar "المتوقع كل اسم مرة واحدة بترتيب تصاعدي، والموجود {name}"
    zip_packed()
        en "expected a file that is stored as it is, found a packed one"
        ar "المتوقع ملف مخزّن كما هو، والموجود مضغوط"
    zip_time()
        en "expected the time that every file of an archive has, found another"
        ar "المتوقع الوقت الثابت لكل ملفات الأرشيف، والموجود غيره"
    zip_too_large()
        en "expected less than 4 GiB, found more"
        ar "المتوقع أقل من 4 غيغابايت، والموجود أكثر"
    zip_too_many_files()
        en "expected at most 65534 files, found more"
        ar "المتوقع 65534 ملفًا على الأكثر، والموجود أكثر"
}
