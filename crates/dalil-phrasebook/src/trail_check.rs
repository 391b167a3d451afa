//! Results of verifying a trail export and its records.

use crate::phrase::phrases;

phrases! {
    adds_to_the_export_before(size)
        en "adds to the export of size {size} before it"
        ar "يزيد على المستخرج السابق بحجم {size}"
    canonical_records(read)
        en "{read} records in their canonical form"
        ar "{read} من القيود بصيغتها المعتمدة"
    canonical_records_dated_back(read, back)
        en "{read} records in their canonical form; {back} are dated more than a minute before one that is recorded earlier"
        ar "{read} من القيود بصيغتها المعتمدة؛ و{back} منها بتاريخ يسبق قيدًا قبله بأكثر من دقيقة"
    count_of_exports(count, of)
        en "{count} exports of {of}"
        ar "{count} من مستخرجات {of}"
    does_not_show_whether_it_is_erased()
        en "does not show whether it is erased"
        ar "لا يبيّن هل مُحي"
    erasure_not_shown(index)
        en "record {index} does not show what it erased"
        ar "القيد {index} لا يبيّن ما محاه"
    erasure_unreadable(index)
        en "record {index}: expected a readable field `erasure`"
        ar "القيد {index}: المتوقع حقل `erasure` مقروء"
    every_record_once()
        en "every record is there once, in its place"
        ar "كل قيد موجود مرة واحدة في مكانه"
    export_before_not_here(size)
        en "the export before, of size {size}, is not here"
        ar "المستخرج السابق بحجم {size} ليس هنا"
    export_follows(new, size)
        en "the export of size {new} follows the one of size {size}"
        ar "المستخرج بحجم {new} يلي المستخرج بحجم {size}"
    export_names_another(new, size, root, other, found)
        en "expected the export of size {new} to name size {size} and root `{root}`, found {other} and `{found}`"
        ar "المتوقع أن يسمّي المستخرج بحجم {new} الحجم {size} والجذر `{root}`، والموجود {other} و`{found}`"
    export_names_none_before(new)
        en "the export of size {new} names none before it"
        ar "المستخرج بحجم {new} لا يسمّي مستخرجًا قبله"
    export_of_another_trail(expected, found)
        en "expected exports of {expected}, found one of {found}"
        ar "المتوقع مستخرجات من {expected}، والموجود واحد من {found}"
    fields_not_erased_by(unnamed, by)
        en "{unnamed} fields MISSING, said to be erased by record {by}, which did not"
        ar "{unnamed} من الحقول مفقودة، ويقال إن القيد {by} محاها، ولم يفعل"
    file_digest_differs(expected, digest)
        en "expected the file to have digest `{expected}`, found `{digest}`"
        ar "البصمة المتوقعة للملف `{expected}`، والموجودة `{digest}`"
    first_export_names_none()
        en "the first export names none before it"
        ar "المستخرج الأول لا يسمّي مستخرجًا قبله"
    is_not_before_it()
        en "is not before it"
        ar "ليس قبله"
    key_change_differs(index, key, at)
        en "record {index}: expected the change to `{key}` at {at}, found another"
        ar "القيد {index}: المتوقع تغيير `{key}` في {at}، والموجود غيره"
    key_change_redated(change, key, at, redated, reason)
        en "`{change}` of `{key}`, dated {at}, is taken as of {redated}: {reason}"
        ar "`{change}` للمفتاح `{key}` بتاريخ {at} يُعتد به من {redated}: {reason}"
    key_changes_as_recorded(changes)
        en "{changes} changes, as the records tell them"
        ar "عدد التغييرات {changes}، كما ترويها القيود"
    key_changes_before_this_file(earlier, changes)
        en "{earlier} of {changes} changes came before this file, by its word only"
        ar "{earlier} من {changes} من التغييرات سبقت هذا الملف، ولا يشهد عليها غيره"
    key_changes_differ_in_number(expected, found)
        en "expected {expected} changes, as the header has, found {found}"
        ar "عدد التغييرات المتوقع {expected} كما في تاريخ المفاتيح، والموجود {found}"
    key_changes_not_shown(hidden)
        en "{hidden} records do not show which key they change"
        ar "{hidden} من القيود لا تبيّن أي مفتاح تغيّره"
    key_changes_without_record(earlier)
        en "expected a record for every change, found {earlier} too few"
        ar "المتوقع قيد لكل تغيير، والناقص {earlier}"
    more_after_the_end(n)
        en "line {n}: expected the end of the file, found more"
        ar "السطر {n}: المتوقع نهاية الملف، والموجود زيادة"
    no_closing_line()
        en "expected a closing line, found none: the file is cut"
        ar "المتوقع سطر ختامي، ولا يوجد: الملف مقطوع"
    no_header()
        en "expected a header, found nothing"
        ar "المتوقع سطر الترويسة، ولا شيء هناك"
    payload_counts(present, erased, withheld, missing, altered)
        en "{present}, {erased} ERASED, {withheld} WITHHELD, {missing} MISSING, {altered} ALTERED"
        ar "{present}، {erased} ممحو، {withheld} محجوب، {missing} مفقود، {altered} محرّف"
    payloads_present(present, lake)
        en "{present} PRESENT ({lake} in the lake)"
        ar "{present} حاضر ({lake} منها في المخزن)"
    payload_does_not_open_commitment(index, name)
        en "record {index}, `{name}`: ALTERED, does not open its commitment"
        ar "القيد {index}، `{name}`: محرّف، لا يطابق التزامه"
    payload_erased_in_no_way(index)
        en "record {index}: MISSING, said to be erased in a way that no record erases"
        ar "القيد {index}: مفقود، ويقال إنه محي على وجه لا يمحو به أي قيد"
    payload_missing_without_reason(index, name)
        en "record {index}, `{name}`: MISSING, without a reason"
        ar "القيد {index}، `{name}`: مفقود بلا سبب"
    payload_nothing_commits_to(index, name)
        en "record {index}, `{name}`: ALTERED, nothing commits to it"
        ar "القيد {index}، `{name}`: محرّف، لا التزام به"
    payloads_not_all_followed(max_runs)
        en "payloads come and go more than {max_runs} times, and not all was followed"
        ar "تتناوب المحتويات أكثر من {max_runs} مرة، ولم تُتبع كلها"
    previous_before_this_file(before, first)
        en "{before} records name one before record {first}, not in this file"
        ar "{before} من القيود تسمّي قيدًا قبل القيد {first}، وليس في هذا الملف"
    previous_differs(sequence, expected, previous)
        en "expected sequence {sequence} to name `{expected}`, found `{previous}`"
        ar "المتوقع أن يسمّي الترتيب {sequence} القيد `{expected}`، والموجود `{previous}`"
    previous_leaf_differs(sequence, leaf, previous)
        en "expected sequence {sequence} to name `{leaf}`, found `{previous}`"
        ar "المتوقع أن يسمّي الترتيب {sequence} القيد `{leaf}`، والموجود `{previous}`"
    record_before_the_first(line, first, index)
        en "line {line}: expected record {first} or a later one, found record {index}"
        ar "السطر {line}: المتوقع القيد {first} أو ما بعده، والموجود القيد {index}"
    record_beyond_the_size(line, size, index)
        en "line {line}: expected a record before the size {size}, found record {index}"
        ar "السطر {line}: المتوقع قيد قبل الحجم {size}، والموجود القيد {index}"
    record_count_differs(said, found)
        en "expected {said} records, found {found}"
        ar "عدد القيود المتوقع {said}، والموجود {found}"
    record_erased_payloads(index, count, basis, approver)
        en "record {index} erased {count} payloads, `{basis}`, approved by {approver}"
        ar "محا القيد {index} من المحتويات {count}، بسند `{basis}`، بموافقة {approver}"
    record_erased_record(index, erased, what)
        en "record {index} erased record {erased}, which {what}"
        ar "محا القيد {index} القيد {erased}، وهو {what}"
    record_not_there(start)
        en "record {start} is not there"
        ar "القيد {start} غير موجود"
    record_out_of_order(line, index, last)
        en "line {line}: record {index} stands after record {last}, out of order"
        ar "السطر {line}: القيد {index} بعد القيد {last}، في غير ترتيبه"
    record_twice(line, index)
        en "line {line}: record {index} stands a second time"
        ar "السطر {line}: القيد {index} مكرر"
    record_without_key(index)
        en "record {index}: expected a verifier key, found another text"
        ar "القيد {index}: المتوقع مفتاح تحقق، والموجود نص آخر"
    record_without_redating(index)
        en "record {index}: expected a readable field `redating`"
        ar "القيد {index}: المتوقع حقل `redating` مقروء"
    records_before_any_key(early, read, begins)
        en "{early} of {read} are dated before the trail had a key, {begins}"
        ar "{early} من {read} بتاريخ قبل أن يكون للمسار مفتاح، {begins}"
    records_give_the_root(size)
        en "the records give the root at size {size}"
        ar "القيود تعطي الجذر عند الحجم {size}"
    records_in_neither(size, last)
        en "records {size} to {last} are in neither"
        ar "القيود من {size} إلى {last} ليست في أي منهما"
    records_in_the_future(future, read, now)
        en "{future} of {read} are dated later than now, {now}"
        ar "{future} من {read} بتاريخ بعد وقت التحقق {now}"
    records_not_there(start, last)
        en "records {start} to {last} are not there"
        ar "القيود من {start} إلى {last} غير موجودة"
    redating_not_allowed(index, key, why)
        en "record {index}: expected a correction that may be made of `{key}`, found {why}"
        ar "القيد {index}: المتوقع تصحيح جائز للمفتاح `{key}`، والموجود {why}"
    redating_not_in_history(index, key)
        en "record {index}: expected its correction of `{key}` in the key history, found another, or none"
        ar "القيد {index}: المتوقع تصحيحه للمفتاح `{key}` في تاريخ المفاتيح، والموجود غيره أو لا شيء"
    redating_without_record(key, redated)
        en "no record here says that a change of `{key}` is taken as of {redated}"
        ar "لا يقول قيد هنا إن تغييرًا للمفتاح `{key}` يُعتد به من {redated}"
    redatings_not_shown(hidden)
        en "{hidden} records do not show which dates they correct"
        ar "{hidden} من القيود لا تبيّن أي تواريخ تصححها"
    redatings_without_change(more)
        en "expected a change of a key for every correction, found {more} too many"
        ar "المتوقع تغيير مفتاح لكل تصحيح، والزائد {more}"
    root_differs(expected, found)
        en "expected root `{expected}`, found `{found}`"
        ar "الجذر المتوقع `{expected}`، والموجود `{found}`"
    root_not_computed(unread)
        en "not computed, as {unread} lines could not be read"
        ar "لم يُحسب، لتعذر قراءة {unread} من الأسطر"
    says_that_another_erased_it()
        en "says that another one erased it"
        ar "يقول إن قيدًا آخر محاه"
    sequence_differs(expected, sequence)
        en "expected sequence {expected}, found {sequence}"
        ar "الترتيب المتوقع {expected}، والموجود {sequence}"
    sequence_does_not_start(subject, sequence)
        en "{subject}: expected sequence 0, found {sequence}"
        ar "{subject}: الترتيب المتوقع 0، والموجود {sequence}"
    sequence_starts_again(expected)
        en "expected sequence {expected}, found 0"
        ar "الترتيب المتوقع {expected}، والموجود 0"
    several_records_at_sequence(sequence, found)
        en "expected one record at sequence {sequence}, found {found}"
        ar "المتوقع قيد واحد عند الترتيب {sequence}، والموجود {found}"
    starts_without_gap(first)
        en "starts at record {first}, with no gap"
        ar "يبدأ عند القيد {first} بلا فجوة"
    still_has_its_payload()
        en "still has its payload"
        ar "ما زال محتواه موجودًا"
    subject_unbroken(subject, count)
        en "{subject}: {count} records, unbroken"
        ar "{subject}: عدد القيود {count}، متصلة بلا انقطاع"
    subjects_not_followed(unfollowed, most)
        en "{unfollowed} records of subjects beyond {most} not followed"
        ar "{unfollowed} من القيود لم تُتبع، لأن موضوعاتها تجاوزت {most}"
    subjects_unbroken(subjects)
        en "{subjects} subjects, unbroken"
        ar "عدد الموضوعات {subjects}، متصلة بلا انقطاع"
    time_runs_back(sequence, earlier, found)
        en "expected sequence {sequence} at {earlier} or later, found {found}"
        ar "المتوقع أن يكون الترتيب {sequence} في {earlier} أو بعده، والموجود {found}"
    trail_export(first, size)
        en "a trail export from record {first} to size {size}"
        ar "مستخرج من المسار من القيد {first} إلى الحجم {size}"
    whole_file(found)
        en "whole: {found} records and their digest"
        ar "كامل: {found} من القيود وبصمتها"
}
