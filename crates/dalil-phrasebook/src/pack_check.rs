//! Results of verifying a pack.

use crate::phrase::phrases;

phrases! {
    a_pack()
        en "a pack"
        ar "حزمة"
    canonical_bytes()
        en "the bytes are canonical JSON"
        ar "البايتات بصيغة JSON المعتمدة"
    commitment_to_other_bytes()
        en "expected a commitment to these bytes, found another"
        ar "المتوقع التزام بهذه البايتات، والموجود غيره"
    computed_field_differs(name)
        en "expected {name} as it follows from the rest, found another"
        ar "المتوقع {name} كما يترتب على غيره، والموجود خلافه"
    computed_fields_follow()
        en "every computed field is what follows from the rest"
        ar "كل حقل محسوب يوافق ما يترتب على غيره"
    every_rule_holds()
        en "every rule of a pack holds"
        ar "كل قواعد الحزمة مستوفاة"
    ledger_export()
        en "what other programs take of a ledger: its ids and bands cannot be computed again"
        ar "ما تأخذه البرامج الأخرى من سجل الادعاءات: لا تُحسب منه معرّفاته ونطاقاته ثانية"
    ledger_sums_follow()
        en "every sum, band and id is what follows from the claims"
        ar "كل مجموع ونطاق ومعرّف يوافق ما يترتب على الادعاءات"
    made_at(made)
        en "made at {made}"
        ar "حُررت في {made}"
    made_in_the_future(made, now)
        en "made at {made}, which is later than now, {now}"
        ar "حُررت في {made}، وهو بعد وقت التحقق {now}"
    no_commitment()
        en "expected a commitment to a pack, found none"
        ar "المتوقع التزام بحزمة، ولا يوجد"
    no_receipt()
        en "there is no receipt that a trail holds this pack"
        ar "لا إيصال يثبت أن مسارًا يضم هذه الحزمة"
    no_salt()
        en "there is no salt to open it with"
        ar "لا توجد قيمة الملح لفتح الالتزام"
    no_trusted_key(names)
        en "no trusted key to check it with; it names {names}"
        ar "لا مفتاح موثوق للتحقق به؛ وهي تسمّي {names}"
    no_trusted_signature()
        en "expected a signature by a trusted key over these bytes, found none"
        ar "المتوقع توقيع بمفتاح موثوق على هذه البايتات، ولا يوجد"
    not_canonical()
        en "expected canonical JSON (RFC 8785), found another spelling"
        ar "المتوقع صيغة JSON المعتمدة (RFC 8785)، والموجود كتابة أخرى"
    pack_unreadable_time_unknown()
        en "the pack is unreadable, so its time is not known"
        ar "تعذرت قراءة الحزمة، فوقتها غير معروف"
    pack_without_seal()
        en "this file is the pack alone, without a seal: nobody has signed it"
        ar "هذا الملف هو الحزمة وحدها بلا ختم: لم يوقّعها أحد"
    record_about_another(found)
        en "expected a record about this pack, found one about {found}"
        ar "المتوقع قيد عن هذه الحزمة، والموجود عن {found}"
    record_before_the_pack(made, at)
        en "expected a record of {made} or later, found one of {at}"
        ar "المتوقع قيد بتاريخ {made} أو بعده، والموجود بتاريخ {at}"
    record_commits_to_these_bytes()
        en "the record commits to these bytes"
        ar "القيد ملتزم بهذه البايتات"
    record_of_another_kind(kind)
        en "expected a `pack.sealed` record, found `{kind}`"
        ar "المتوقع قيد `pack.sealed`، والموجود `{kind}`"
    reviewed_before_any_key(said, begins)
        en "reviewed at {said}, which is before the trail had a key, {begins}"
        ar "رُوجعت في {said}، وهو قبل أن يكون للمسار مفتاح، {begins}"
    signed_by(names)
        en "signed by {names}"
        ar "وقّعها {names}"
    statement_about_another()
        en "expected a statement about this pack, found one about another"
        ar "المتوقع بيان عن هذه الحزمة، والموجود بيان عن غيرها"
    statement_about_this_pack(made)
        en "an in-toto statement about this pack, made at {made}"
        ar "بيان in-toto عن هذه الحزمة، حُرر في {made}"
}
