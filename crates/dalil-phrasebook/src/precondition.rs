//! Preconditions of an operation: the first half of a fault.

use crate::phrase::phrases;

phrases! {
    a_bundle_of_this_tenant()
        en "a bundle of this tenant"
        ar "حزمة سياقية لهذه الجهة"
    a_call_that_was_recorded_as_intended()
        en "a call that was recorded as intended"
        ar "استدعاء قُيِّد قصده"
    a_checkpoint_that_this_trail_signed()
        en "a checkpoint that this trail signed"
        ar "نقطة تحقق وقّعها هذا المسار"
    a_checkpoint_without_a_stamp_by(name)
        en "a checkpoint that `{name}` has not stamped"
        ar "نقطة تحقق لم تختمها `{name}` زمنيًّا"
    a_chunk_set_that_can_be_read()
        en "a chunk set that can be read"
        ar "مجموعة مقاطع تمكن قراءتها"
    a_claim_of_the_newest_ledger()
        en "a claim of the newest ledger of the session"
        ar "ادعاء من أحدث سجل للجلسة"
    a_clock_that_says_a_time()
        en "a clock that says a time"
        ar "ساعة تذكر الوقت"
    a_connection_that_was_set_up()
        en "a connection that was set up"
        ar "اتصال جرى إعداده"
    a_cosignature_by_the_key()
        en "a cosignature by the key"
        ar "توقيع شاهد بهذا المفتاح"
    a_cosignature_that_is_new()
        en "a cosignature that is new"
        ar "توقيع شاهد جديد"
    a_credential_with_the_scope(scope)
        en "a credential with the scope `{scope}`"
        ar "بيان اعتماد له النطاق `{scope}`"
    a_decision_of_this_tenant()
        en "a decision of this tenant"
        ar "قرار لهذه الجهة"
    a_decision_that_was_recorded()
        en "a decision that was recorded"
        ar "قرار مقيَّد"
    a_document_of_this_tenant()
        en "a document of this tenant"
        ar "وثيقة لهذه الجهة"
    a_document_that_could_be_read()
        en "a document that could be read"
        ar "وثيقة أمكنت قراءتها"
    a_document_to_check_against()
        en "a document to check against"
        ar "وثيقة يُفحص عليها"
    a_document_with_text_that_can_be_read()
        en "a document with text that can be read"
        ar "وثيقة فيها نص يُقرأ"
    a_file_that_can_be_verified_here()
        en "a file that can be verified here"
        ar "ملف يمكن التحقق منه هنا"
    a_file_that_can_be_written()
        en "a file that can be written"
        ar "ملف يمكن كتابته"
    a_file_that_is_not_there_yet()
        en "a file that is not there yet"
        ar "ملف لم يوجد بعد"
    a_hold_that_is_in_place()
        en "a hold that is in place"
        ar "حجز قائم"
    a_job_of_this_tenant()
        en "a job of this tenant"
        ar "مهمة لهذه الجهة"
    a_job_that_can_be_done()
        en "a job that can be done"
        ar "مهمة يمكن تنفيذها"
    a_key_of_this_tenant()
        en "a key of this tenant"
        ar "مفتاح لهذه الجهة"
    a_key_that_opens_something()
        en "a key that opens something"
        ar "مفتاح يفتح شيئًا"
    a_lake_for_what_is_referred_to_or_shortened()
        en "a lake for what is referred to or shortened"
        ar "مستودع بيانات لما يُحال إليه أو يُختصر"
    a_ledger_that_was_not_erased()
        en "a ledger that was not erased"
        ar "سجل ادعاءات لم يُمحَ"
    a_ledger_that_was_recorded_of_the_session(session)
        en "a ledger that was recorded of the session {session}"
        ar "سجل ادعاءات مقيَّد للجلسة {session}"
    a_lock_that_can_be_taken()
        en "a lock that can be taken"
        ar "قفل يمكن أخذه"
    a_memory_that_nobody_else_uses()
        en "a memory that nobody else uses"
        ar "ذاكرة لا يستعملها أحد غيره"
    a_name_that_is_new()
        en "a name that is new"
        ar "اسم لم يُستعمل من قبل"
    a_new_name()
        en "a name that no member has"
        ar "اسم ليس لعضو"
    a_pack_of_this_tenant()
        en "a pack of this tenant"
        ar "حزمة لهذه الجهة"
    a_pack_that_nobody_rejected()
        en "a pack that nobody rejected"
        ar "حزمة لم يرفضها أحد"
    a_pack_that_waits_for_its_review()
        en "a pack that waits for its review"
        ar "حزمة تنتظر مراجعتها"
    a_person_who_is_admin()
        en "a person who is admin"
        ar "شخص دوره مسؤول"
    a_program_built_with_live_sql()
        en "a program built with `live-sql`"
        ar "برنامج بُني بالخاصية `live-sql`"
    a_question_of_the_newest_ledger()
        en "a follow-up question of the newest ledger of the session"
        ar "سؤال متابعة من أحدث سجل للجلسة"
    a_record()
        en "a record"
        ar "قيد"
    a_record_with_a_payload()
        en "a record with a payload"
        ar "قيد له محتوى"
    a_reply_that_was_not_erased()
        en "a reply that was not erased"
        ar "رد لم يُمحَ"
    a_request_that_has_not_made_a_key_yet()
        en "a request that has not made a key yet"
        ar "طلب لم يُنشأ به مفتاح بعد"
    a_request_that_has_not_made_an_invitation_yet()
        en "a request that has not made an invitation yet"
        ar "طلب لم تُنشأ به دعوة بعد"
    a_review_that_was_not_erased()
        en "a review that was not erased"
        ar "مراجعة لم تُمحَ"
    a_run_of_this_tenant()
        en "a run of this tenant"
        ar "تشغيل لهذه الجهة"
    a_session_of_this_tenant()
        en "a session of this tenant"
        ar "جلسة لهذه الجهة"
    a_session_of_this_tenant_with_an_answer()
        en "a session of this tenant with an answer"
        ar "جلسة لهذه الجهة فيها إجابة"
    a_session_that_was_checked()
        en "a session that was checked"
        ar "جلسة جرى فحصها"
    a_session_with_a_ledger()
        en "a session with a ledger"
        ar "جلسة لها سجل ادعاءات"
    a_size_that_was_signed()
        en "a size that was signed"
        ar "حجم وُقِّع"
    a_stamp_not_after(now)
        en "a time stamp that is not after {now}, when it was asked for"
        ar "ختم زمني لا يلي {now}، وقت طلبه"
    a_stamp_not_before(latest)
        en "a time stamp that is not before the newest record under the checkpoint, of {latest}"
        ar "ختم زمني لا يسبق أحدث قيد تشمله نقطة التحقق، وتاريخه {latest}"
    a_statement_of_completeness()
        en "a statement of completeness"
        ar "بيان اكتمال"
    a_subject_that_a_record_of_this_tenant_is_about()
        en "a subject that a record of this tenant is about"
        ar "موضوع عنه قيد لهذه الجهة"
    a_time_at_or_after_when_the_key_that_seals_was_added(added)
        en "a time at or after {added}, when the key that seals was added"
        ar "وقت لا يسبق {added}، حين أُضيف مفتاح الختم"
    a_time_at_or_before_when_it_is_sealed(at)
        en "a time at or before {at}, when it is sealed"
        ar "وقت لا يلي {at}، حين تُختم"
    a_time_not_before_when_was_added(added, member)
        en "a time not before {added}, when {member} was added"
        ar "وقت لا يسبق {added}، حين أُضيف {member}"
    a_time_that_is_past_or_within_a_minute_of(now)
        en "a time that is past, or within a minute of {now}"
        ar "وقت مضى أو لا يتجاوز {now} بأكثر من دقيقة"
    a_time_up_to_when_this_credential_ends(end)
        en "a time up to `{end}`, when this credential ends"
        ar "وقت لا يتجاوز `{end}`، حين ينتهي بيان الاعتماد هذا"
    a_token_that_has_not_ended()
        en "a token that has not ended"
        ar "رمز لم تنته مدته"
    a_trail_that_is_read_here()
        en "a trail that is read here"
        ar "مسار يُقرأ هنا"
    a_version_of_this_decisions_pack()
        en "a version of this decision's pack"
        ar "إصدار لحزمة هذا القرار"
    an_agent_or_itself(name)
        en "an agent, or {name} itself"
        ar "وكيل، أو {name} نفسه"
    an_approval_of_this_tenant()
        en "an approval of this tenant"
        ar "اعتماد لهذه الجهة"
    an_artifact_of_this_tenant()
        en "an artifact of this tenant"
        ar "ملف لهذه الجهة"
    an_export_of_this_tenant()
        en "an export of this tenant"
        ar "تصدير لهذه الجهة"
    an_export_that_can_be_given_again()
        en "an export that can be given again"
        ar "تصدير يمكن تسليمه ثانية"
    an_export_that_can_be_made_again()
        en "an export that can be made again"
        ar "تصدير يمكن إنشاؤه ثانية"
    an_identity_provider_that_gives_its_keys()
        en "an identity provider that gives its keys, to check the token"
        ar "مزوّد هوية يعطي مفاتيحه للتحقق من الرمز"
    an_invitation_of_this_tenant()
        en "an invitation of this tenant"
        ar "دعوة لهذه الجهة"
    an_invitation_that_is_open()
        en "an invitation that is open"
        ar "دعوة مفتوحة"
    an_obligation_of_this_tenant()
        en "an obligation of this tenant"
        ar "التزام لهذه الجهة"
    another_approver_each_counts_once()
        en "another approver: each counts once"
        ar "معتمِد آخر: يُحتسب كل شخص مرة واحدة"
    another_reviewer_each_counts_once()
        en "another reviewer: each counts once"
        ar "مراجِع آخر: يُحتسب كل شخص مرة واحدة"
    approvals_of_exactly_this(needed, who)
        en "{needed} approvals of exactly this, of {who}"
        ar "{needed} من الاعتمادات لهذا بعينه، من {who}"
    at_most_the_scopes_of_this_credential(scopes)
        en "at most the scopes of this credential, `{scopes}`"
        ar "نطاقات لا تتجاوز نطاقات بيان الاعتماد هذا، `{scopes}`"
    documents_that_were_not_erased()
        en "documents that were not erased"
        ar "وثائق لم تُمحَ"
    model_of_run(model, run)
        en "{model}, the model of run {run}"
        ar "{model}، نموذج التشغيل {run}"
    newest_pack(pack)
        en "{pack}, the newest pack of this decision"
        ar "{pack}، أحدث حزمة لهذا القرار"
    newest_pack_erased(pack)
        en "{pack}, the newest pack of this decision, which was erased"
        ar "{pack}، أحدث حزمة لهذا القرار، وقد مُحيت"
    newest_version(pack)
        en "{pack}, the newest version"
        ar "{pack}، وهي أحدث إصدار"
    newest_version_erased(pack)
        en "{pack}, the newest version, which was erased"
        ar "{pack}، وهي أحدث إصدار، وقد مُحيت"
    no_such_field_it_is_known_already()
        en "no such field: it is known already"
        ar "ألا يُذكر هذا الحقل: فهو معروف من قبل"
    nothing_as_it_was_recorded()
        en "nothing, as it was recorded"
        ar "لا شيء، كما قُيِّد"
    one_approval_of_exactly_this(needed, who)
        en "{needed} approval of exactly this, of {who}"
        ar "{needed} اعتماد لهذا بعينه، من {who}"
    proof_from_last_cosigned(size, root)
        en "a proof from size {size}, root `{root}`, which was cosigned last"
        ar "برهان من الحجم {size} والجذر `{root}`، وهما آخر ما وقّعه الشاهد"
    somebody_else_than_who_asked_for_it()
        en "somebody else than who asked for it"
        ar "شخص غير من طلبه"
    somebody_else_than_who_does_it()
        en "somebody else than who does it"
        ar "شخص غير من ينفذه"
    somebody_who_is_neither_the_exporter_nor_the_agent()
        en "somebody who is neither the exporter nor the agent"
        ar "شخص غير المصدِّر وغير الوكيل"
    somebody_who_is_not_the_agent()
        en "somebody who is not the agent"
        ar "شخص غير الوكيل"
    somebody_with_on(relation, object)
        en "somebody with `{relation}` on {object}"
        ar "من له العلاقة `{relation}` مع {object}"
    tenant_that_keeps_it(tenant)
        en "{tenant}, the tenant that keeps it"
        ar "{tenant}، الجهة التي تحفظه"
    the_answer_of_session(session)
        en "the answer of session {session}"
        ar "إجابة الجلسة {session}"
    the_approval_of(who)
        en "the approval of {who}"
        ar "اعتماد {who}"
    the_decision_that_was_recorded(recorded)
        en "the decision that was recorded, {recorded}"
        ar "القرار المقيَّد، {recorded}"
    the_decision_which_says_whose_approval_it_needs()
        en "the decision, which says whose approval it needs"
        ar "القرار الذي يبيّن اعتماد من يلزمه"
    the_exact_name_of_a_member()
        en "the exact name of a member"
        ar "اسم عضو بحروفه"
    the_file_that_this_witness_remembers_heads_in()
        en "the file that this witness remembers heads in"
        ar "الملف الذي يتذكر فيه هذا الشاهد الرؤوس"
    the_file_that_was_read()
        en "the file that was read"
        ar "الملف الذي قُرئ"
    the_memory_of(witness)
        en "the memory of {witness}"
        ar "ذاكرة {witness}"
    the_newest_ledger_of_the_session(ledger)
        en "the newest ledger of the session, {ledger}"
        ar "أحدث سجل ادعاءات للجلسة، {ledger}"
    the_question_of_session(session)
        en "the question of session {session}"
        ar "سؤال الجلسة {session}"
    value_as_it_was_recorded(value)
        en "{value}, as it was recorded"
        ar "{value}، كما قُيِّد"
    version_that_follows(version)
        en "`{version}`, the version that follows"
        ar "`{version}`، الإصدار التالي"
    what_was_recorded_of_a_call()
        en "what was recorded of a call"
        ar "ما قُيِّد عن استدعاء"
    who_does_this(name)
        en "{name}, who does this"
        ar "{name}، وهو من ينفذ هذا"
    words_that_are_in_the_text_of_the_document()
        en "words that are in the text of the document"
        ar "كلمات ترد في نص الوثيقة"
}
