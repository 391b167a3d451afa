//! Found values: the second half of a fault.

use crate::phrase::phrases;

phrases! {
    a_boolean()
        en "a boolean"
        ar "قيمة منطقية"
    a_byte_that_is_not_utf_8_at_offset(offset)
        en "a byte that is not UTF-8 at offset {offset}"
        ar "بايت ليس من UTF-8 عند الموضع {offset}"
    a_field_it_does_not_know()
        en "a field it does not know"
        ar "حقل غير معروف"
    a_file_whose_verification_ended(exit)
        en "one whose verification {exit}"
        ar "ملف لم ينته التحقق منه", omits exit
    a_file_without_a_report()
        en "one whose verification gave no report"
        ar "ملف لم ينتج عن التحقق منه تقرير"
    a_form_of_ledgers()
        en "a form of ledgers"
        ar "صيغة لسجلات الادعاءات"
    a_form_of_packs()
        en "a form of packs"
        ar "صيغة للحزم"
    a_later_one()
        en "a later one"
        ar "وقت لاحق"
    a_link_that_leads_out()
        en "a link that leads out"
        ar "رابط يخرج منه"
    a_lower_one()
        en "a lower one"
        ar "فئة أدنى"
    a_number()
        en "a number"
        ar "عدد"
    a_number_larger_than_any_double()
        en "a number larger than any double"
        ar "عدد أكبر مما يسعه العدد العشري المزدوج"
    a_pack_that_nobody_has_signed()
        en "a pack that nobody has signed"
        ar "حزمة لم يوقّعها أحد"
    a_part()
        en "a part"
        ar "جزء منه"
    a_reference()
        en "a reference"
        ar "إحالة"
    a_rejection()
        en "a rejection"
        ar "رفض"
    a_string()
        en "a string"
        ar "نص"
    again(id)
        en "{id} again"
        ar "{id} ثانية"
    an_array()
        en "an array"
        ar "قائمة"
    an_erasure_since_in_record(index)
        en "an erasure since, in record {index}"
        ar "محو بعد ذلك، في القيد {index}"
    an_identity_provider_that_is_away()
        en "one that does not answer or is set up otherwise"
        ar "مزوّد لا يجيب أو إعداده مختلف"
    an_object()
        en "an object"
        ar "كائن"
    another()
        en "another"
        ar "غيره"
    another_file()
        en "another file"
        ar "ملف آخر"
    another_form()
        en "another form"
        ar "صيغة أخرى"
    another_json_value()
        en "another JSON value"
        ar "قيمة JSON أخرى"
    another_note()
        en "another note"
        ar "مذكرة أخرى"
    another_spelling()
        en "another spelling"
        ar "كتابة أخرى"
    another_spelling_of(name)
        en "another spelling of `{name}`"
        ar "كتابة أخرى لـ`{name}`"
    another_value()
        en "another value"
        ar "قيمة أخرى"
    approvals_so_far(count, more, missing)
        en "{count} so far, {more} more needed: {missing}"
        ar "{count} حتى الآن، ويلزم {more}: {missing}"
    as_the_parser_says(words)
        en "{words}"
        ar "ما لا تجيزه صيغة JSON ({words})"
    at_line(what, line, column)
        en "{what} at line {line} column {column}"
        ar "{what} في السطر {line} العمود {column}"
    both()
        en "both"
        ar "كلاهما"
    bytes(count)
        en "{count} bytes"
        ar "{count} بايت"
    bytes_that_it_did_not_sign()
        en "bytes that it did not sign"
        ar "بايتات لم يوقّعها"
    characters(count)
        en "{count} characters"
        ar "أحرف عددها {count}"
    citation_that_names_none(anchor)
        en "`[cite:{anchor}]`, one that names none"
        ar "`[cite:{anchor}]`، ولا يدل على مصدر"
    citation_that_names_several(anchor)
        en "`[cite:{anchor}]`, one that names several"
        ar "`[cite:{anchor}]`، ويدل على أكثر من مصدر"
    credential_with_scopes(scopes)
        en "one with `{scopes}`"
        ar "بيان له `{scopes}`"
    digest_not_recorded(digest)
        en "`{digest}`, which was not"
        ar "`{digest}`، ولم يُقيَّد"
    finding_at(rule, place)
        en "{rule} at {place}"
        ar "{rule} عند {place}"
    for_ever()
        en "for ever"
        ar "بلا نهاية"
    half_of_a_surrogate_pair()
        en "half of a surrogate pair"
        ar "نصف زوج بديل"
    hold_with_reason(id, reason)
        en "the hold {id}: {reason}"
        ar "الحجز {id}: {reason}"
    is_false()
        en "`false`"
        ar "`false`"
    is_true()
        en "`true`"
        ar "`true`"
    it_again()
        en "it again"
        ar "هو نفسه ثانية"
    key_revoked_at(key, at)
        en "{key}, which was revoked at {at}"
        ar "{key}، وقد أُلغي في {at}"
    kind_of_subject(kind, subject)
        en "`{kind}` of {subject}"
        ar "`{kind}` للموضوع {subject}"
    lacking_keys(keys)
        en "no {keys}"
        ar "خلوّه من {keys}"
    member_with_role(name, role)
        en "{name}, who is {role}"
        ar "{name}، ودوره {role}"
    member_with_titles(name, titles)
        en "{name}, who has {titles}"
        ar "{name}، وصفاته: {titles}"
    more()
        en "more"
        ar "أكثر من ذلك"
    more_text_after_it()
        en "more text after it"
        ar "نص آخر بعدها"
    more_than_are_listed(count)
        en "{count} more than are listed"
        ar "{count} غير المذكورة"
    mostly_letters_of_another_script()
        en "mostly letters of another script"
        ar "أحرف معظمها من كتابة أخرى"
    name_that_reads_as(name, other)
        en "{name}, which reads as {other}"
        ar "{name}، وهو يُقرأ مثل {other}"
    name_that_record_has(name, index)
        en "{name}, which record {index} has"
        ar "{name}، وهو للقيد {index}"
    neither()
        en "neither"
        ar "لا هذا ولا ذاك"
    nesting_deeper_than_127_levels()
        en "nesting deeper than 127 levels"
        ar "تداخل أعمق من 127 مستوى"
    no_content_type()
        en "no content type"
        ar "لا نوع محتوى"
    no_end()
        en "no end"
        ar "بلا نهاية"
    nobody()
        en "nobody"
        ar "لا أحد"
    none()
        en "none"
        ar "لا شيء"
    none_from(missing)
        en "none from {missing}"
        ar "لا اعتماد من {missing}"
    none_that_is_there_and_may_go()
        en "none that is there and may go"
        ar "ليس فيه ما هو موجود ويجوز محوه"
    nothing()
        en "nothing"
        ar "لا شيء"
    null()
        en "null"
        ar "null"
    one()
        en "one"
        ar "واحد"
    one_as_number()
        en "1"
        ar "1"
    one_by_somebody_who_administers_no_more(name)
        en "one by {name}, who is no admin any more"
        ar "دعوة من {name} الذي لم يعد مديرًا"
    one_from_size_root(size, root)
        en "one from size {size}, root `{root}`"
        ar "برهان من الحجم {size} والجذر `{root}`"
    one_of_size_which_it_did_not(size)
        en "one of size {size}, which it did not"
        ar "نقطة بالحجم {size} لم يوقّعها"
    one_that_counts(count, missing)
        en "{count} that counts; still needed: {missing}"
        ar "{count} معتبر؛ والباقي: {missing}"
    one_that_ended_at(at)
        en "one that ended at {at}"
        ar "دعوة انتهت في {at}"
    one_that_ended_or_none()
        en "one that ended, or none"
        ar "رابط انتهت مدته، أو لا رابط"
    one_that_has()
        en "one that has"
        ar "رمز انتهت مدته"
    one_that_is()
        en "one that is"
        ar "ملف موجود"
    one_that_is_kept_already()
        en "one that is kept already"
        ar "توقيع محفوظ من قبل"
    one_that_needs_more_than_bytes(limit)
        en "one that needs more than {limit} bytes"
        ar "تعبير يحتاج أكثر من {limit} بايت"
    one_that_record_erased(index)
        en "one that record {index} erased"
        ar "محتوى محاه القيد {index}"
    one_that_was_revoked()
        en "one that was revoked"
        ar "مفتاح أُلغي"
    one_twice()
        en "one twice"
        ar "مفتاح مرتين"
    one_used_at(at)
        en "one that was used at {at}"
        ar "دعوة استُعملت في {at}"
    one_whose_digest_is(digest)
        en "one whose digest is `{digest}`"
        ar "نص بصمته `{digest}`"
    one_whose_invitation_was_made_and_shown()
        en "one whose invitation was made and shown"
        ar "طلب أُنشئت دعوته وعُرضت"
    one_whose_key_was_made_and_shown()
        en "one whose key was made and shown"
        ar "طلب أُنشئ مفتاحه وعُرض"
    one_whose_time_is_over()
        en "one whose time is over"
        ar "مفتاح انقضت مدته"
    one_withdrawn_at(at)
        en "one that was withdrawn at {at}"
        ar "دعوة سُحبت في {at}"
    one_without()
        en "one without"
        ar "برنامج بدونها"
    one_without_it()
        en "one without it"
        ar "تاريخ بدونها"
    only_the_models_own_prose()
        en "only the model's own prose"
        ar "كلام النموذج وحده"
    other()
        en "other"
        ar "غيره"
    others()
        en "others"
        ar "غيرها"
    pack_erased_by(pack, index)
        en "{pack}, which record {index} erased"
        ar "{pack}، وقد محاها القيد {index}"
    pack_rejected(pack)
        en "{pack}, which was rejected"
        ar "{pack}، وقد رُفضت"
    pack_resolved(pack)
        en "{pack}, which is resolved"
        ar "{pack}، وقد اكتملت مراجعتها"
    person_in_record(person, index)
        en "{person}, in record {index}"
        ar "{person}، في القيد {index}"
    person_who_approved_in_record(person, index)
        en "{person}, who approved it in record {index}"
        ar "{person}، وقد اعتمده في القيد {index}"
    personal_data_at(rule, start)
        en "`{rule}` at byte {start}"
        ar "`{rule}` عند البايت {start}"
    record_erased(index)
        en "record {index}, which was erased"
        ar "القيد {index}، وقد مُحي"
    retention_that_runs(until)
        en "that it runs {until}"
        ar "أنها سارية {until}"
    scope_too(scope)
        en "`{scope}` too"
        ar "`{scope}` كذلك"
    several_that_count(count, missing)
        en "{count} that count; still needed: {missing}"
        ar "{count} معتبرة؛ والباقي: {missing}"
    something_else()
        en "something else"
        ar "شيء آخر"
    something_that_json_does_not_allow()
        en "something that JSON does not allow"
        ar "ما لا تجيزه صيغة JSON"
    system()
        en "`system`"
        ar "`system`"
    that_of(witness)
        en "that of {witness}"
        ar "ذاكرة {witness}"
    the_agent(name)
        en "the agent {name}"
        ar "الوكيل {name}"
    the_end_of_the_text()
        en "the end of the text"
        ar "نهاية النص"
    the_string(text)
        en "the string {text}"
        ar "النص {text}"
    two_sizes(old, new)
        en "{old} and {new}"
        ar "{old} و{new}"
    until(time)
        en "until {time}"
        ar "حتى {time}"
    value(value)
        en "`{value}`"
        ar "`{value}`"
    who_has_declined(name)
        en "{name}, who declined to decide"
        ar "{name}، وقد اعتذر عن القرار"
    who_has_reviewed_it(name)
        en "{name}, who has reviewed it"
        ar "{name}، وقد راجعها"
    words(count)
        en "{count} words"
        ar "كلمات عددها {count}"
    words_that_are_not()
        en "words that are not"
        ar "كلمات لا ترد فيه"
}
