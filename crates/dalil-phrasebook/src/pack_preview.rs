//! Descriptions of an archive's files, for a member who previews it before export.

use crate::phrase::phrases;

phrases! {
    a_document()
        en "A document or file that the pack rests on"
        ar "وثيقة أو ملف تستند إليه الحزمة"
    a_receipt()
        en "The proof that a record is in the trail"
        ar "إثبات أن قيدًا موجود في المسار"
    an_earlier_version()
        en "An earlier version of the pack"
        ar "إصدار سابق من الحزمة"
    digests()
        en "The digests of the other files"
        ar "بصمات الملفات الأخرى"
    the_checkpoint()
        en "The signed statement over the whole trail"
        ar "البيان الموقَّع عن المسار كله"
    the_earlier_archive()
        en "The proof that the trail only grew since the archive before"
        ar "إثبات أن المسار لم يزد إلا إضافةً منذ الأرشيف السابق"
    the_keys()
        en "The signing keys, and when each was in use"
        ar "مفاتيح التوقيع ومدد استعمالها"
    the_pack()
        en "The sealed pack, with its proof"
        ar "الحزمة المختومة مع إثباتها"
    the_records()
        en "The records of the decision, its calls, reviews and exports"
        ar "قيود القرار واستدعاءاته ومراجعاته وتصديراته"
    the_report()
        en "What a verification of the archive found"
        ar "نتيجة التحقق من الأرشيف"
}
