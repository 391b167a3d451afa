//! Hints: the next step after a fault.

use crate::phrase::phrases;

phrases! {
    a_memo_is_written_in_both_languages()
        en "a memo is written in both languages"
        ar "تُكتب المذكرة باللغتين"
    a_new_request_needs_a_new_key()
        en "a new request needs a new key"
        ar "الطلب الجديد يلزمه مفتاح جديد"
    a_record_of_the_future_would_hold_up_all_that_follow()
        en "a record of the future would hold up all that follow"
        ar "قيد بوقت مستقبل يوقف كل ما يليه"
    add_a_longer_text_as_a_document()
        en "add a longer text as a document, and check against that"
        ar "أضف النص الأطول وثيقةً وافحص مقابلها"
    add_a_member()
        en "`dalil member add` makes one"
        ar "الأمر `dalil member add` يضيف عضوًا"
    add_at_least_one_source_that_was_consulted()
        en "add at least one source that was consulted"
        ar "أضف مصدرًا واحدًا على الأقل مما رُجع إليه"
    an_agent_records_what_it_did_people_let_it_leave()
        en "an agent records what it did; people let it leave"
        ar "يقيّد الوكيل ما فعله؛ والإخراج بإذن الأشخاص"
    an_agent_records_what_it_did_people_review_it()
        en "an agent records what it did; people review it"
        ar "يقيّد الوكيل ما فعله؛ والمراجعة للأشخاص"
    an_edit_is_a_version_that_names_the_one_before()
        en "an edit is a version that names the one before"
        ar "التعديل إصدار يسمّي الإصدار الذي قبله"
    an_envelope_without_a_signature_proves_nothing()
        en "an envelope without a signature proves nothing"
        ar "المغلَّف بلا توقيع لا يثبت شيئًا"
    an_export_needs_approval()
        en "an export is an action of class A1 or above, and needs its approval"
        ar "التصدير إجراء من الفئة A1 أو أعلى، ويلزمه اعتمادها"
    another_answer_is_another_session()
        en "another answer is another session"
        ar "الإجابة الأخرى جلسة أخرى"
    another_decision_is_recorded_under_another_name()
        en "another decision is recorded under another name"
        ar "القرار الآخر يُقيَّد باسم آخر"
    another_question_is_another_session()
        en "another question is another session: give it a name of its own"
        ar "السؤال الآخر جلسة أخرى، فسمّها باسمها"
    assemble_again()
        en "assemble the pack again: a version that was not reviewed in time is superseded"
        ar "حرّر الحزمة ثانية: فالإصدار الذي لم يُراجع في وقته يحل محله غيره"
    assemble_the_version_that_follows()
        en "`dalil pack assemble` makes the version that follows"
        ar "الأمر `dalil pack assemble` ينشئ الإصدار التالي"
    begin_a_memory()
        en "`--begin` makes one for a witness that has never cosigned"
        ar "الخيار `--begin` ينشئ ذاكرة لشاهد لم يوقّع من قبل"
    check_again_a_new_check_names_the_ledger_before_it()
        en "check again; a new check names the ledger before it"
        ar "أعد الفحص؛ فالفحص الجديد يسمّي السجل الذي قبله"
    check_it_in_parts()
        en "check it in parts"
        ar "افحصها على أجزاء"
    check_it_with_a_json_linter()
        en "check it with a JSON linter"
        ar "افحصه بأداة لفحص JSON"
    cite_the_three_sources_with_the_highest_confidence()
        en "cite the three sources with the highest confidence"
        ar "استشهد بالمصادر الثلاثة الأعلى ثقة"
    cite_what_the_model_read_not_what_it_said()
        en "cite what the model read, not what it said"
        ar "استشهد بما قرأه النموذج لا بما قاله"
    commit_to_large_fields_instead_of_naming_them()
        en "commit to large fields instead of naming them"
        ar "التزم بالحقول الكبيرة بدلًا من ذكرها"
    compare_the_clock_with_the_authority()
        en "compare the clock of this machine with the authority's, and ask again a little later"
        ar "قارن ساعة هذا الجهاز بساعة الجهة، ثم أعد الطلب بعد قليل"
    correct_those_listed_and_send_the_request_again()
        en "correct those listed and send the request again"
        ar "صحّح المخالفات المذكورة وأرسل الطلب ثانية"
    dalil_bundle_has_the_limits_of_your_own_machine()
        en "`dalil bundle` has the limits of your own machine"
        ar "الأمر `dalil bundle` حدوده حدود جهازك"
    dalil_trail_show_names_the_subjects_of_records()
        en "`dalil trail show` names the subjects of records"
        ar "الأمر `dalil trail show` يذكر موضوعات القيود"
    dalil_verify_has_the_limits_of_your_own_machine()
        en "`dalil verify` has the limits of your own machine"
        ar "الأمر `dalil verify` حدوده حدود جهازك"
    each_concern_is_acknowledged_on_its_own()
        en "what speaks against the decision is acknowledged one by one"
        ar "يُقرّ بالاطلاع على كل ما يعارض القرار على حدة"
    each_reviewer_speaks_for_nobody_else()
        en "each reviewer speaks for nobody else"
        ar "كل مراجِع يتكلم عن نفسه وحده"
    earlier_legal_basis()
        en "a data subject's request or a court order can come before"
        ar "يجوز قبل ذلك بطلب صاحب البيانات أو بأمر محكمة"
    every_version_has_a_name_of_its_own()
        en "every version has a name of its own"
        ar "لكل إصدار اسم خاص به"
    export_it_again_under_another_key()
        en "export it again, under another key: what was erased is left out"
        ar "صدّره من جديد بمفتاح آخر: يُغفَل ما مُحي"
    export_it_as_json_or_markdown()
        en "export it as `json` or `markdown`"
        ar "صدِّره بصيغة `json` أو `markdown`"
    flatten_the_value()
        en "flatten the value"
        ar "قلّل تداخل القيمة"
    give_a_folder_with_lake_dir()
        en "give a folder with `--lake DIR`"
        ar "اذكر مجلدًا بالخيار `--lake DIR`"
    give_the_connection(upper, name)
        en "give its address in `DALIL_CONNECTION_{upper}`, or with `--connection {name}=URL`"
        ar "اذكر عنوانه في `DALIL_CONNECTION_{upper}`، أو بالخيار `--connection {name}=URL`"
    how_to_approve()
        en "whoever may approve sends `POST /api/v1/approvals` with their own credential, or approves it in the viewer; it counts once, for 48 hours, and for the same action, object, form, language and reason"
        ar "يرسل صاحب الصلاحية `POST /api/v1/approvals` ببيان اعتماده الخاص، أو يعتمد الطلب من صفحته؛ ويُحتسب الاعتماد مرة واحدة، لمدة 48 ساعة، وللإجراء والموضوع والصيغة واللغة والسبب نفسها"
    it_is_not_what_was_asked_for_any_more_ask_again()
        en "it is not what was asked for any more: ask again"
        ar "لم يعد هو المطلوب: اطلبه من جديد"
    leave_begin_out_the_witness_has_a_memory()
        en "leave `--begin` out: the witness has a memory"
        ar "لا تذكر `--begin`: فللشاهد ذاكرة"
    leave_out_what_does_not_help_to_find_the_chunk()
        en "leave out what does not help to find the chunk"
        ar "احذف ما لا يفيد في العثور على المقطع"
    leave_the_call_out()
        en "leave the call out: what was recorded of it is in the pack"
        ar "لا تذكر الاستدعاء: فما قُيِّد عنه موجود في الحزمة"
    leave_the_flag_out_it_is_computed()
        en "leave the flag out; it is computed"
        ar "لا تذكر العلامة؛ فهي محسوبة"
    leave_the_ledger_out()
        en "leave the ledger out: the one that was recorded is in the pack"
        ar "لا تذكر السجل: فالسجل المقيَّد موجود في الحزمة"
    look_at_the_newest_ledger()
        en "the answer was checked again: look at the newest ledger first"
        ar "أُعيد فحص الإجابة: اطّلع على أحدث سجل أولاً"
    lost_invitation_text()
        en "if its text was lost, withdraw that invitation and ask under another name"
        ar "إن فُقد نص الدعوة فاسحبها واطلب غيرها باسم طلب آخر"
    lost_key_text()
        en "if its text was lost, revoke that key and ask under another name"
        ar "إن فُقد نص المفتاح فألغه واطلب غيره باسم طلب آخر"
    newest_checkpoint()
        en "`dalil trail checkpoint` gives the newest; one is signed for every group of records"
        ar "الأمر `dalil trail checkpoint` يعطي أحدث نقطة؛ وتُوقَّع نقطة لكل مجموعة قيود"
    own_key()
        en "with somebody's key one acts in their name: they make it themselves, or whoever holds the store does, with `dalil apikey add`"
        ar "من يحمل مفتاح شخص يتصرف باسمه: فيُنشئه صاحبه، أو من بيده المستودع بالأمر `dalil apikey add`"
    pack_review()
        en "`dalil pack review` records a review and seals the version that it makes"
        ar "الأمر `dalil pack review` يقيّد المراجعة ويختم الإصدار الناتج عنها"
    parquet_files_are_reported_from_python()
        en "of Parquet files, `python -m dalil.parquet IN --out OUT --report FILE` makes the report"
        ar "لملفات Parquet يصنع التقرير `python -m dalil.parquet IN --out OUT --report FILE`"
    people_approve()
        en "people approve"
        ar "الاعتماد للأشخاص"
    point_to_the_source_and_give_its_digest_instead()
        en "point to the source and give its digest instead"
        ar "أحِل إلى المصدر واذكر بصمته بدلًا من ذلك"
    prove_from(size)
        en "`dalil trail prove --from {size}` on the trail's side gives one"
        ar "الأمر `dalil trail prove --from {size}` في جهة المسار يعطي برهانًا"
    quote_the_words_that_matter()
        en "quote the words that matter, and give the digest of the whole"
        ar "اقتبس الكلمات المهمة، واذكر بصمة النص كله"
    record_a_ledger()
        en "`dalil check --save` records a ledger; `dalil session show` gives it back"
        ar "الأمر `dalil check --save` يقيّد سجل ادعاءات؛ والأمر `dalil session show` يعيده"
    record_the_decision()
        en "`dalil decision record` records it; a pack is made of what was recorded"
        ar "الأمر `dalil decision record` يقيّده؛ والحزمة تُحرَّر مما قُيِّد"
    record_the_intention_before_the_tool_is_used()
        en "record the intention before the tool is used"
        ar "قيِّد القصد قبل استعمال الأداة"
    regex_syntax()
        en "the syntax is that of the regex crate: no look-around, no back-references"
        ar "الصيغة صيغة حزمة regex: بلا نظر إلى ما حولها وبلا إحالة إلى ما سبق"
    remove_the_field_or_correct_its_name()
        en "remove the field or correct its name"
        ar "احذف الحقل أو صحّح اسمه"
    repeat_under_its_key()
        en "repeat a request under its idempotency key to get the first answer"
        ar "كرِّر الطلب بمفتاح التكرار نفسه لتحصل على الرد الأول"
    say_where_a_reader_can_find_the_whole()
        en "say where a reader can find the whole"
        ar "اذكر أين يجد القارئ النص كله"
    seal_it_first_with_dalil_pack_seal()
        en "seal it first with `dalil pack seal`"
        ar "اختمها أولًا بالأمر `dalil pack seal`"
    set_reviewer_id_and_reviewed_at()
        en "set `reviewer_id` and `reviewed_at`"
        ar "اذكر `reviewer_id` و`reviewed_at`"
    sizes_without_a_value(item, total)
        en "without a value `max_item_bytes` is {item} and `max_total_bytes` {total}"
        ar "بلا قيمة يكون `max_item_bytes` بقيمة {item} و`max_total_bytes` بقيمة {total}"
    somebody_else_must_let_out_what_the_agent_decided()
        en "somebody else must let out what the agent decided"
        ar "ما قرره الوكيل لا يخرج إلا بإذن شخص آخر"
    somebody_else_must_review_what_the_agent_decided()
        en "somebody else must review what the agent decided"
        ar "ما قرره الوكيل يراجعه شخص آخر"
    state_the_class_or_an_action_type_that_has_one()
        en "state the class, or an `action_type` that has one"
        ar "اذكر الفئة، أو `action_type` له فئة"
    the_file_changed_in_the_meantime_try_again()
        en "the file changed in the meantime: try again"
        ar "تغيّر الملف في هذه الأثناء: حاول مرة أخرى"
    the_reviewer_must_say_that_the_finding_was_seen()
        en "the reviewer must say that the finding was seen"
        ar "على المراجِع أن يقرّ باطلاعه على الملاحظة"
    try_again_in_a_moment_or_use_an_api_key()
        en "try again in a moment, or use an API key; the log of the server says why"
        ar "حاول بعد قليل أو استعمل مفتاح API؛ وسجل الخادم يذكر السبب"
    two_readers_could_each_believe_a_different_one()
        en "two readers could each believe a different one"
        ar "قد يأخذ كل قارئ بقيمة مختلفة"
    use_a_mark_such_as_code_redacted()
        en "use a mark such as `[CODE_REDACTED]`"
        ar "استعمل علامة مثل `[CODE_REDACTED]`"
    use_first_only_first_last_or_stride()
        en "use `first_only`, `first_last` or `stride`"
        ar "استعمل `first_only` أو `first_last` أو `stride`"
    verify_the_stored_bytes_not_a_re_written_copy()
        en "verify the stored bytes, not a re-written copy"
        ar "تحقق من البايتات المحفوظة لا من نسخة أعيدت كتابتها"
    wait_until_the_other_has_cosigned()
        en "wait until the other has cosigned"
        ar "انتظر حتى يوقّع الآخر"
    what_an_anchor_is()
        en "an anchor is the first 8 or more digits of the digest of the source's excerpt"
        ar "علامة الاستشهاد هي أول 8 أرقام أو أكثر من بصمة مقتطف المصدر"
    who_holds_the_store_invites_a_member()
        en "a member is invited again by whoever holds the store, with `dalil invitation add` and the role and titles that they have"
        ar "يدعو العضوَ ثانيةً من بيده المخزن، بالأمر `dalil invitation add` وبدوره وصفاته كما هي"
    write_it_as_a_string()
        en "write it as a string"
        ar "اكتبه نصًّا"
    write_larger_numbers_as_strings()
        en "write larger numbers as strings"
        ar "اكتب الأعداد الأكبر نصوصًا"
    write_more_digits_of_the_anchor()
        en "write more digits of the anchor"
        ar "اكتب أرقامًا أكثر من علامة الاستشهاد"
    write_the_character_itself_or_both_halves()
        en "write the character itself, or both halves"
        ar "اكتب المحرف نفسه أو نصفيه معًا"
}
