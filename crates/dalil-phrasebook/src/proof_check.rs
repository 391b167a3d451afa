//! Results of verifying keys, checkpoints, receipts and heads seen before.

use crate::phrase::phrases;

phrases! {
    about(subject, message)
        en "{subject}: {message}"
        ar "{subject}: {message}"
    and(first, second)
        en "{first} and {second}"
        ar "{first} و{second}"
    at_byte(at)
        en "at byte {at}"
        ar "عند البايت {at}"
    canonical_note()
        en "a signed note in its canonical form"
        ar "مذكرة موقعة بصيغتها المعتمدة"
    canonical_receipt()
        en "a receipt in its canonical form"
        ar "إيصال بصيغته المعتمدة"
    checkpoint_at_size(origin, size)
        en "of {origin} at size {size}"
        ar "للمسار {origin} عند الحجم {size}"
    cosigned_of_quorum(count, quorum)
        en "{count} cosigned, {quorum} needed"
        ar "وقّع {count} من الشهود، والمطلوب {quorum}"
    fail()
        en "FAIL"
        ar "غير صحيح"
    incomplete()
        en "INCOMPLETE"
        ar "غير مكتمل"
    key_added_after_now(name, now)
        en "{name} is added only after now, {now}, by the key history"
        ar "{name} لا يُضاف إلا بعد وقت التحقق {now}، بحسب تاريخ المفاتيح"
    key_added_later(name, added, claimed)
        en "{name} was added at {added}, but signed what is dated {claimed}"
        ar "أُضيف {name} في {added}، لكنه وقّع ما تاريخه {claimed}"
    key_in_use(name)
        en "{name} is in use"
        ar "{name} قيد الاستعمال"
    key_retired_after(name, retired)
        en "{name} was retired at {retired}, after this"
        ar "أُوقف استعمال {name} في {retired}، بعد هذا"
    key_retired_seen_before(name, retired)
        en "{name} was retired at {retired}, and this was seen only later"
        ar "أُوقف استعمال {name} في {retired}، ولم يُشاهد هذا إلا بعد ذلك"
    key_retired_signed_later(name, retired, time)
        en "{name} was retired at {retired}, but signed a record of {time}"
        ar "أُوقف استعمال {name} في {retired}، لكنه وقّع قيدًا بتاريخ {time}"
    key_retired_time_unknown(name, retired)
        en "{name} was retired at {retired}, and nothing says when this was signed"
        ar "أُوقف استعمال {name} في {retired}، ولا شيء يبيّن متى وُقّع هذا"
    key_revoked_after_seen(name, revoked, seen)
        en "{name} was revoked at {revoked}, but this was seen at {seen}, before"
        ar "أُلغي {name} في {revoked}، وقد شوهد هذا قبل ذلك في {seen}"
    key_revoked_before_seen(name, revoked, seen)
        en "{name} was revoked at {revoked}, and this was seen only at {seen}"
        ar "أُلغي {name} في {revoked}، ولم يُشاهد هذا إلا في {seen}"
    key_revoked_time_unknown(name, revoked)
        en "{name} was revoked at {revoked}, and no trusted time shows that this is older"
        ar "أُلغي {name} في {revoked}، ولا وقت موثوق يثبت أن هذا أقدم"
    line(number)
        en "line {number}"
        ar "السطر {number}"
    list(first, second)
        en "{first}, {second}"
        ar "{first}، {second}"
    list_of_lists(first, second)
        en "{first}; {second}"
        ar "{first}؛ {second}"
    more_than_are_listed(more)
        en "{more} more than are listed"
        ar "و{more} غير المذكورة"
    no_pinned_key()
        en "no key of this trail is pinned to check it with"
        ar "لا مفتاح موثوق لهذا المسار للتحقق به"
    no_trusted_stamp()
        en "no time stamp by an authority that is trusted"
        ar "لا ختم زمنيًّا من جهة موثوقة"
    not_a_key_of_this_trail(name)
        en "expected a key of this trail, found {name}"
        ar "المتوقع مفتاح من مفاتيح هذا المسار، والموجود {name}"
    not_signed()
        en "no key signed it"
        ar "لم يوقّعه أي مفتاح"
    part_head()
        en "Part"
        ar "الجزء"
    part_of_version(number, part)
        en "version {number}, {part}"
        ar "الإصدار {number}، {part}"
    pass()
        en "PASS"
        ar "صحيح"
    record(index)
        en "record {index}"
        ar "القيد {index}"
    record_after_its_stamp(claimed, name, at)
        en "a record is dated {claimed}, but {name} stamped the checkpoint over it by {at}"
        ar "تاريخ أحد القيود {claimed}، لكن {name} ختمت نقطة التحقق التي تشمله زمنيًّا بحلول {at}"
    record_before_any_key(id, kind, at, begins)
        en "`{id}`, `{kind}` of {at}, which is before the trail had a key, {begins}"
        ar "`{id}`، من نوع `{kind}` بتاريخ {at}، وهو قبل أن يكون للمسار مفتاح، {begins}"
    record_in_the_future(id, kind, at, now)
        en "`{id}`, `{kind}` of {at}, which is later than now, {now}"
        ar "`{id}`، من نوع `{kind}` بتاريخ {at}، وهو بعد وقت التحقق {now}"
    record_of_time(id, kind, at)
        en "`{id}`, `{kind}` of {at}"
        ar "`{id}`، من نوع `{kind}` بتاريخ {at}"
    record_under_the_root(index)
        en "record {index} is under the root"
        ar "القيد {index} مشمول بجذر الشجرة"
    report_does_not_hold(parts)
        en "FAIL: do not rely on this file. What does not hold: {parts}"
        ar "غير سليم: لا تعتمد على هذا الملف. الأجزاء غير السليمة: {parts}"
    report_holds(count)
        en "PASS: all {count} parts that were checked hold"
        ar "سليم: جميع الأجزاء المفحوصة سليمة، وعددها {count}"
    report_not_checked(parts)
        en "INCOMPLETE: nothing is wrong, but not everything could be checked: {parts}"
        ar "غير مكتمل: لم يظهر خلل، وتعذّر التحقق من: {parts}"
    root_of_empty_tree()
        en "expected the root of the empty tree at size 0, found another"
        ar "المتوقع جذر الشجرة الفارغة عند الحجم 0، والموجود غيره"
    seen_head_adds(at, size)
        en "the head seen at {at}, of size {size}, only adds to it"
        ar "الرأس الذي شوهد في {at} بحجم {size} لا يفعل إلا أن يزيد عليه"
    seen_head_is_in_it(at, size)
        en "the head seen at {at}, of size {size}, is in it"
        ar "الرأس الذي شوهد في {at} بحجم {size} داخل فيه"
    seen_head_is_larger(size, at, end)
        en "size {size} was seen at {at}, and this ends at {end}: older, or cut; `dalil trail prove --from {end} --to {size}` gives the proof that relates them"
        ar "شوهد الحجم {size} في {at}، وهذا ينتهي عند {end}: أقدم، أو مقطوع؛ والبرهان الذي يربط بينهما يعطيه `dalil trail prove --from {end} --to {size}`"
    seen_root_differs(expected, size, at, found)
        en "expected root `{expected}` at size {size}, as seen at {at}, found `{found}`"
        ar "الجذر المتوقع `{expected}` عند الحجم {size} كما شوهد في {at}، والموجود `{found}`"
    seen_root_not_computable(size, at, end)
        en "the root at size {size}, seen at {at}, cannot be computed from this file; `dalil trail prove --from {size} --to {end}` gives the proof that relates them"
        ar "الجذر عند الحجم {size}، الذي شوهد في {at}، لا يُحسب من هذا الملف؛ والبرهان الذي يربط بينهما يعطيه `dalil trail prove --from {size} --to {end}`"
    signed_by(names)
        en "signed by {names}"
        ar "وقّعه {names}"
    stamp_at(name, at)
        en "{name} at {at}"
        ar "{name} في {at}"
    stamped_by(stamps)
        en "stamped by {stamps}"
        ar "ختمتها زمنيًّا {stamps}"
    verdict_head()
        en "Verdict"
        ar "النتيجة"
    why_head()
        en "Why"
        ar "السبب"
}
