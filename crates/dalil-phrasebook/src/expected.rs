//! Expected values: the first half of a fault.

use crate::phrase::phrases;

phrases! {
    a_call_of_decision(decision)
        en "a call of decision {decision}"
        ar "استدعاء يخص القرار {decision}"
    a_canonical_form()
        en "a canonical form"
        ar "صيغة معتمدة"
    a_change()
        en "a change"
        ar "تغيير"
    a_checkpoint()
        en "a checkpoint"
        ar "نقطة تحقق"
    a_checkpoint_with_this_size_and_root()
        en "a checkpoint with this size and root"
        ar "نقطة تحقق بهذا الحجم وهذا الجذر"
    a_citation_of_one_source_of_this_decision()
        en "a citation of one source of this decision"
        ar "استشهاد بمصدر واحد لهذا القرار"
    a_class()
        en "a class"
        ar "فئة"
    a_finding_that_is_open()
        en "a finding that is open"
        ar "ملاحظة قائمة"
    a_form_of_multipart_form_data()
        en "a form of `multipart/form-data`"
        ar "نموذج من نوع `multipart/form-data`"
    a_history_with_the_pack(pack)
        en "a history with the pack `{pack}`"
        ar "تاريخ فيه الحزمة `{pack}`"
    a_key_name()
        en "a key name"
        ar "اسم مفتاح"
    a_kind_of_record()
        en "a kind of record"
        ar "نوع من أنواع القيود"
    a_kind_that_may_be_erased()
        en "a kind that may be erased"
        ar "نوع يجوز محوه"
    a_ledger_or_why_there_is_none()
        en "a ledger in `ledger`, or why there is none in `error`"
        ar "سجل ادعاءات في `ledger`، أو سبب عدمه في `error`"
    a_letter_or_a_digit_and_no_control_of_direction()
        en "a letter or a digit, and no control of direction"
        ar "حرف أو رقم، وبلا محارف تغيّر الاتجاه"
    a_line_by(key)
        en "a line by `{key}`"
        ar "سطر للمفتاح `{key}`"
    a_line_end()
        en "a line end"
        ar "نهاية سطر"
    a_link_that_leads_somewhere()
        en "a link that leads somewhere"
        ar "رابط يوصل إلى شيء"
    a_member_of_the_tenant()
        en "a member of the tenant"
        ar "عضو في الجهة"
    a_name()
        en "a name"
        ar "اسم"
    a_name_that_the_bundle_does_not_use_itself()
        en "a name that the bundle does not use itself"
        ar "اسم لا تستعمله الحزمة السياقية نفسها"
    a_pack()
        en "a pack"
        ar "حزمة"
    a_page_with_text()
        en "a page with text"
        ar "صفحة فيها نص"
    a_path_of_the_documented_form()
        en "a path of the documented form"
        ar "مسار بالصيغة الموثقة"
    a_payload_that_is_there()
        en "a payload that is there"
        ar "محتوى موجود"
    a_person()
        en "a person"
        ar "شخص"
    a_readable_value()
        en "a readable value"
        ar "قيمة تُقرأ"
    a_record_in_the_scope(scope)
        en "a record in the scope {scope}"
        ar "قيد ضمن النطاق {scope}"
    a_regular_expression()
        en "a regular expression"
        ar "تعبير نمطي"
    a_replacement_that_no_rule_would_mask_again()
        en "a replacement that no rule would mask again"
        ar "بديل لا تحجبه قاعدة ثانية"
    a_review_within_hours_until(hours, last)
        en "a review within {hours} hours, until {last}"
        ar "مراجعة خلال {hours} ساعة، أي حتى {last}"
    a_reviewer_who_acknowledges()
        en "a reviewer who acknowledges"
        ar "مراجِع يُقرّ بالاطلاع"
    a_reviewer_who_is_not_the_agent()
        en "a reviewer who is not the agent"
        ar "مراجِع غير الوكيل"
    a_scope_with_openid()
        en "a scope with `openid`"
        ar "نطاق فيه `openid`"
    a_sealed_pack()
        en "a sealed pack"
        ar "حزمة مختومة"
    a_sealed_pack_a_dsse_envelope_a_pack_or_a_ledger()
        en "a sealed pack, a DSSE envelope, a pack or a ledger"
        ar "حزمة مختومة أو مغلَّف DSSE أو حزمة أو سجل ادعاءات"
    a_source_outside_the_model()
        en "a source outside the model"
        ar "مصدر من خارج النموذج"
    a_start_and_an_end()
        en "a start and an end"
        ar "بداية ونهاية"
    a_status()
        en "a status"
        ar "حالة"
    a_string()
        en "a string"
        ar "نص"
    a_text()
        en "a text"
        ar "نص"
    a_text_or_an_object()
        en "a text or an object"
        ar "نص أو كائن"
    a_time_such_as()
        en "a time such as `2026-03-15T09:30:00Z`"
        ar "وقت مثل `2026-03-15T09:30:00Z`"
    a_uri_or_a_reference()
        en "a `uri` or a `reference`"
        ar "`uri` أو `reference`"
    a_value()
        en "a value"
        ar "قيمة"
    a_verifier_key_name_hash_base64()
        en "a verifier key `name+hash+base64`"
        ar "مفتاح تحقق بصيغة `name+hash+base64`"
    all_of_it()
        en "all of it"
        ar "المحتوى كله"
    an_acknowledgement_of_at(rule, path)
        en "an acknowledgement of `{rule}` at `{path}`"
        ar "إقرار بالملاحظة `{rule}` عند `{path}`"
    an_archive()
        en "an archive"
        ar "أرشيف"
    an_array()
        en "an array"
        ar "قائمة"
    an_artifact_inside_the_lake()
        en "an artifact inside the lake"
        ar "ملف داخل مستودع البيانات"
    an_endpoint_or_a_mode_and_a_model_file()
        en "an `endpoint`, or a `mode` and a `model_file`"
        ar "`endpoint`، أو `mode` مع `model_file`"
    an_object()
        en "an object"
        ar "كائن"
    anchor_digits()
        en "8 to 64 hex digits"
        ar "من 8 إلى 64 رقمًا ستَّ عشريًّا"
    application_json()
        en "`application/json`"
        ar "`application/json`"
    application_x_ndjson()
        en "`application/x-ndjson`"
        ar "`application/x-ndjson`"
    approval_for_class(who, class)
        en "the approval of {who}, for {class}"
        ar "اعتماد {who}، للفئة {class}"
    approvals_in_order_of_time_that_of_the_reviewer_last()
        en "approvals in order of time, that of the reviewer last"
        ar "اعتمادات مرتبة بالوقت، آخرها اعتماد المراجِع"
    approver_for_class(who, class)
        en "{who}, for class {class}"
        ar "{who}، للفئة {class}"
    canonical_json()
        en "canonical JSON"
        ar "صيغة JSON المعتمدة"
    canonical_json_rfc_8785()
        en "canonical JSON (RFC 8785)"
        ar "صيغة JSON المعتمدة (RFC 8785)"
    citation_of_source(anchor, number)
        en "a citation `[cite:{anchor}]` of source {number}"
        ar "استشهاد `[cite:{anchor}]` بالمصدر {number}"
    citation_such_as(anchor)
        en "a citation of a source, such as `[cite:{anchor}]`"
        ar "استشهاد بمصدر، مثل `[cite:{anchor}]`"
    commitment_names()
        en "names of 1 to 64 lower-case letters, digits, `_` and `.`"
        ar "أسماء من حرف إلى 64 من الأحرف اللاتينية الصغيرة والأرقام و`_` و`.`"
    connection_name()
        en "the name of a connection: letters, digits and `_`, a letter first"
        ar "اسم اتصال: أحرف لاتينية وأرقام و`_`، أولها حرف"
    count_of_roots(count)
        en "{count} roots"
        ar "جذور عددها {count}"
    date_or_time()
        en "a date such as `2024-01-31`, or an RFC 3339 time"
        ar "تاريخ مثل `2024-01-31`، أو وقت بصيغة RFC 3339"
    digest()
        en "`sha256:` and 64 lower-case hex digits"
        ar "`sha256:` ثم 64 رقمًا ستَّ عشريًّا بأحرف صغيرة"
    each_call_once()
        en "each call once"
        ar "كل استدعاء مرة واحدة"
    each_claim_once()
        en "each claim once"
        ar "كل ادعاء مرة واحدة"
    each_id_once()
        en "each id once"
        ar "كل معرّف مرة واحدة"
    each_id_once_in_found_or_in_missing_in_order()
        en "each id once, in `found` or in `missing`, in order"
        ar "كل معرّف مرة واحدة، في `found` أو في `missing`، بالترتيب"
    each_key_once()
        en "each key once"
        ar "كل مفتاح مرة واحدة"
    en_or_ar()
        en "`en` or `ar`"
        ar "`en` أو `ar`"
    evidence_or_base64()
        en "`evidence` as text or an object, or `base64`"
        ar "`evidence` نصًّا أو كائنًا، أو `base64`"
    evidence_for_high_stakes(approval, reversibility, sensitivity)
        en "evidence for a high-stakes decision ({approval} {reversibility} {sensitivity})"
        ar "دليل لقرار عالي الأثر ({approval} {reversibility} {sensitivity})"
    false_the_actions_agree()
        en "`false`: the actions agree"
        ar "`false`: الإجراءان متفقان"
    file_name()
        en "the name of a file, without folders and control characters, of 1 to 255 bytes"
        ar "اسم ملف بلا مجلدات ولا محارف تحكم، من بايت واحد إلى 255"
    files_of_ledgers()
        en "ledgers, or rows with ledgers"
        ar "سجلات ادعاءات، أو صفوف فيها سجلات"
    form_of_a_ledger()
        en "`json`, `ledger`, `markdown`, `pdf`, `sarif` or `junit`"
        ar "`json` أو `ledger` أو `markdown` أو `pdf` أو `sarif` أو `junit`"
    form_of_a_pack()
        en "`json`, `sealed`, `in-toto`, `markdown`, `pdf` or `archive`"
        ar "`json` أو `sealed` أو `in-toto` أو `markdown` أو `pdf` أو `archive`"
    given_id()
        en "1 to 200 characters without controls or outer spaces"
        ar "نص من حرف إلى 200 بلا محارف تحكم ولا فراغ في طرفيه"
    heads_with_a_canonical_form()
        en "heads with a canonical form"
        ar "رؤوس بصيغة معتمدة"
    hex_digits_of_a_digest()
        en "64 lower-case hex digits"
        ar "64 رقمًا ستَّ عشريًّا بأحرف صغيرة"
    idempotency_key()
        en "one name of 1 to 200 visible ASCII characters"
        ar "اسم واحد من حرف إلى 200 من محارف ASCII الظاهرة"
    items_in_the_request_itself()
        en "items in the request itself"
        ar "عناصر في الطلب نفسه"
    items_with_text()
        en "items with text"
        ar "عناصر لها نص"
    judge_choice()
        en "`fast`, `deep`, `auto` or an address"
        ar "`fast` أو `deep` أو `auto` أو عنوان"
    key_it_stands_under(key)
        en "{key}, the key it stands under"
        ar "{key}، وهو المفتاح الذي وردت تحته"
    lake_path()
        en "a relative path inside the lake, such as `docs/policy.md`"
        ar "مسار نسبي داخل مستودع البيانات، مثل `docs/policy.md`"
    letters_digits_dash()
        en "letters, digits, `-` and `_`"
        ar "أحرف لاتينية وأرقام و`-` و`_`"
    listen_address()
        en "an address such as `[::1]:8700`"
        ar "عنوان مثل `[::1]:8700`"
    metadata_with_a_canonical_form()
        en "metadata with a canonical form"
        ar "بيانات وصفية لها صيغة معتمدة"
    no_faults()
        en "no faults"
        ar "بلا مخالفات"
    no_hold()
        en "no hold"
        ar "بلا حجز"
    no_parameters()
        en "no parameters"
        ar "بلا معاملات"
    no_personal_data_or_secrets()
        en "no personal data or secrets"
        ar "نص بلا بيانات شخصية أو أسرار"
    no_title_a_viewer_approves_nothing()
        en "no title: a viewer approves nothing"
        ar "ألا تُذكر صفة: فالمطّلِع لا يعتمد شيئًا"
    nobody_unless_assigned()
        en "nobody, unless the action is `assigned`"
        ar "ألا يُذكر أحد، ما لم يكن الإجراء `assigned`"
    nobody_unless_sent_on()
        en "nobody, unless the action is `sent_on`"
        ar "ألا يُذكر أحد، ما لم يكن الإجراء `sent_on`"
    nothing_from_a_member_who_declines()
        en "nothing from a member who declines"
        ar "ألا يُذكر شيء مع الاعتذار"
    null_true_false_a_number_or_a_string()
        en "null, `true`, `false`, a number or a string"
        ar "null أو `true` أو `false` أو عدد أو نص"
    one_file_in_multipart_form_data()
        en "one file in `multipart/form-data`"
        ar "ملف واحد في `multipart/form-data`"
    one_json_value()
        en "one JSON value"
        ar "قيمة JSON واحدة"
    one_of(choices)
        en "one of {choices}"
        ar "إحدى القيم {choices}"
    one_of_chunks_bundle_id_and_documents()
        en "one of `chunks`, `bundle_id` and `documents`"
        ar "واحد من `chunks` و`bundle_id` و`documents`"
    one_or_more_indices_in_ascending_order()
        en "one or more indices in ascending order"
        ar "رقم أو أكثر بترتيب تصاعدي"
    one_value()
        en "one value"
        ar "قيمة واحدة"
    only(fields)
        en "only {fields}"
        ar "هذه الحقول وحدها: {fields}"
    only_reviews_that_count()
        en "of each claim only its last decision and an assignment after it"
        ar "لكل ادعاء آخر مراجعة تحسمه والإسناد بعدها وحدهما"
    only_the_parameters(names)
        en "only the parameters {names}"
        ar "هذه المعاملات وحدها: {names}"
    pack_id()
        en "`pack_` and 16 lower-case hex digits"
        ar "`pack_` ثم 16 رقمًا ستَّ عشريًّا بأحرف صغيرة"
    person_or_agent()
        en "`person:NAME` or `agent:NAME`"
        ar "`person:NAME` أو `agent:NAME`"
    plain_url()
        en "an `http` or `https` URL with a host, of printable ASCII characters, without user, query and fragment"
        ar "عنوان `http` أو `https` فيه مضيف، من حروف ASCII قابلة للطباعة، بلا اسم مستخدم ولا استعلام ولا مقطع"
    plain_url_of_at_most(most)
        en "an `http` or `https` URL with a host, of at most {most} printable ASCII characters, without user, query and fragment"
        ar "عنوان `http` أو `https` فيه مضيف، من حروف ASCII قابلة للطباعة لا تزيد على {most}، بلا اسم مستخدم ولا استعلام ولا مقطع"
    previous_in_every_record()
        en "`previous` in every record but the first of its subject"
        ar "`previous` في كل قيد إلا أول قيد لموضوعه"
    random_seed()
        en "32 random bytes"
        ar "32 بايت عشوائية"
    record_id()
        en "`rec_` and 16 lower-case hex digits"
        ar "`rec_` ثم 16 رقمًا ستَّ عشريًّا بأحرف صغيرة"
    record_scope()
        en "`all`, `kind:` and a kind of record, or `subject:` and an id"
        ar "`all`، أو `kind:` ونوع قيد، أو `subject:` ومعرّف"
    rfc_3339_time()
        en "an RFC 3339 time such as `2026-01-03T14:30:00Z`"
        ar "وقت بصيغة RFC 3339 مثل `2026-01-03T14:30:00Z`"
    salt_digits()
        en "64 lower-case hex digits"
        ar "64 رقمًا ستَّ عشريًّا بأحرف صغيرة"
    size_of_the_checkpoint(size)
        en "the checkpoint's {size}"
        ar "{size} كما في نقطة التحقق"
    some_text()
        en "some text"
        ar "نص غير فارغ"
    standard_base64()
        en "standard base64 with padding and no bits left over"
        ar "ترميز base64 المعياري بحشوه وبلا بتّات زائدة"
    sum_as_the_entries_give(sum)
        en "`{sum}`, as the entries give"
        ar "`{sum}`، كما تعطيه البنود"
    sums_and_ids_that_follow_from_its_claims()
        en "sums and ids that follow from its claims"
        ar "مجاميع ومعرّفات تترتب على ادعاءاته"
    text_in_arabic()
        en "text in Arabic"
        ar "نص بالعربية"
    text_in_english()
        en "text in English"
        ar "نص بالإنجليزية"
    the_address_of_the_viewer_for_signing_in()
        en "the address of the viewer, to which `oidc.signin` leads back"
        ar "عنوان العارض الذي يعيد `oidc.signin` إليه"
    the_address_of_this_server()
        en "the address of this server"
        ar "عنوان هذا الخادم"
    the_answer_of_the_claims(end)
        en "the answer of the claims, with {end} characters or more"
        ar "إجابة الادعاءات، وفيها {end} من الأحرف أو أكثر"
    the_class_of_the_old_version_or_a_higher_one()
        en "the class of the old version, or a higher one"
        ar "فئة الإصدار السابق أو أعلى منها"
    the_content_of_content_sha256()
        en "the content of `content_sha256`"
        ar "المحتوى الذي بصمته `content_sha256`"
    the_decision_of_the_old_version(decision)
        en "the decision {decision} of the old version"
        ar "القرار {decision} في الإصدار السابق"
    the_keys(keys)
        en "the keys {keys}"
        ar "المفاتيح {keys}"
    the_ledgers_entries()
        en "the ledger's entries"
        ar "بنود سجل الادعاءات"
    the_ledgers_summary()
        en "the ledger's summary"
        ar "ملخص سجل الادعاءات"
    the_name_of_another_version()
        en "the name of another version"
        ar "اسم إصدار آخر"
    the_next_cursor_of_the_page_before_of_the_same_order()
        en "the `next_cursor` of the page before, of the same order"
        ar "قيمة `next_cursor` من الصفحة السابقة وبالترتيب نفسه"
    the_number_and_the_digest_of_the_ids_that_are_here()
        en "the number and the digest of the ids that are here"
        ar "عدد المعرّفات المذكورة هنا وبصمتها"
    the_path_of_a_program()
        en "the path of a program"
        ar "مسار برنامج"
    the_path_of_a_tile()
        en "`L/N` or `entries/N`, with `.p/W` for a part"
        ar "`L/N` أو `entries/N`، مع `.p/W` للجزء"
    the_retention_time_to_be_over_at(now)
        en "the retention time to be over at {now}"
        ar "أن تكون مدة الحفظ منقضية في {now}"
    the_role_or_above(least)
        en "the role {least} or above"
        ar "الدور {least} أو أعلى"
    the_tenant_of_the_old_version()
        en "the tenant of the old version"
        ar "جهة الإصدار السابق"
    the_text_that_has_this_digest()
        en "the text that has this digest"
        ar "النص الذي له هذه البصمة"
    the_time_of_the_review()
        en "the time of the review"
        ar "وقت المراجعة"
    the_version_before()
        en "the version before"
        ar "الإصدار السابق"
    true_or_false()
        en "`true` or `false`"
        ar "`true` أو `false`"
    true_the_actions_differ(paths)
        en "`true`: the actions differ at {paths}"
        ar "`true`: الإجراءان مختلفان عند {paths}"
    utf_8_text()
        en "UTF-8 text"
        ar "نص بترميز UTF-8"
    version_as_the_pack_says(pack)
        en "`{pack}` as the pack says itself, once"
        ar "`{pack}` كما تذكره الحزمة نفسها، مرة واحدة"
    version_before_once(pack, number)
        en "`{pack}` as version {number}, once"
        ar "`{pack}` بوصفها الإصدار {number}، مرة واحدة"
    version_that_supersedes()
        en "2 or more for a pack that supersedes another"
        ar "رقم 2 أو أكثر لحزمة تحل محل غيرها"
    version_that_was_reviewed()
        en "the version that was reviewed: a review makes a version of its own"
        ar "الإصدار الذي روجع: فالمراجعة تنشئ إصدارًا خاصًّا بها"
    what_a_verifier_believes()
        en "what a verifier believes"
        ar "ما يثق به المتحقق"
    who_is_asked_to_answer()
        en "who is asked to answer"
        ar "اسم من تُطلب منه الإجابة"
    who_is_asked_to_look()
        en "who is asked to look"
        ar "اسم من يُطلب منه النظر"
    who_reviewed_it()
        en "who reviewed it"
        ar "من راجعها"
    why_it_leaves()
        en "why it leaves"
        ar "سبب الإخراج"
    why_the_member_declines()
        en "why the member declines"
        ar "سبب الاعتذار"
    words_that_are_in_the_retained_text()
        en "words that are in the retained text"
        ar "كلمات ترد في النص المحفوظ"
    words_that_others_can_follow()
        en "words that others can follow"
        ar "كلمات يفهمها غيرك"
}
