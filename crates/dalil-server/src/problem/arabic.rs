//! What faults say in Arabic: a sentence for each rule, with the values that the fault names.
//!
//! Core says a fault in English, `expected …, found …`. What stands in it between
//! backticks, and its numbers, are the same in every language, and are kept.

use dalil_proof::fault::Fault;

/// A fault in Arabic, unless its rule has no sentence.
pub(crate) fn told(fault: &Fault) -> Option<Fault> {
    let (_, sentence) = RULE_SENTENCES_AR.iter().find(|(rule, _)| *rule == fault.rule)?;
    let mut message = (*sentence).to_owned();
    // `Fault::new` made the two halves; a message without them is taken whole.
    let (expected, found) = fault.message.split_once(", found ").unwrap_or((&fault.message, ""));
    for (label, text) in [("المتوقع", expected), ("الموجود", found)] {
        let values = values(text);
        if !values.is_empty() {
            message.push_str(&format!("؛ {label}: {}", values.join("، ")));
        }
    }
    let hint = RULE_HINTS_AR.iter().find(|(rule, _)| *rule == fault.rule);
    let hint = hint.map(|(_, hint)| (*hint).to_owned()).or_else(|| fault.hint.clone());
    Some(Fault { message, hint, ..fault.clone() })
}

/// The parts of a message that belong to no language: what is quoted, numbers, times and classes.
fn values(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    for (n, part) in text.split('`').enumerate() {
        if n % 2 == 1 {
            all.push(format!("`{part}`"));
            continue;
        }
        let words = part.split(|ch: char| ch.is_whitespace() || "(),;".contains(ch));
        let words = words.map(|word| word.trim_matches(|ch: char| !ch.is_ascii_alphanumeric()));
        all.extend(words.filter(|word| is_value(word)).map(str::to_owned));
    }
    all
}

fn is_value(word: &str) -> bool {
    let mut chars = word.chars();
    match (chars.next(), chars.next(), chars.next()) {
        (Some('A' | 'R' | 'S'), Some('0'..='3'), None) => true,
        (Some(first), ..) => first.is_ascii_digit(),
        (None, ..) => false,
    }
}

/// What to do next, where it is always the same.
const RULE_HINTS_AR: &[(&str, &str)] = &[(
    "approvals",
    "يرسل صاحب الصلاحية `POST /api/v1/approvals` ببيان اعتماده الخاص، أو يعتمد الطلب من صفحته؛ \
     ويُحتسب الاعتماد مرة واحدة، لمدة 48 ساعة، وللإجراء والموضوع والصيغة واللغة والسبب نفسها",
)];

/// A sentence for each rule that a request over HTTP can break.
pub(super) const RULE_SENTENCES_AR: &[(&str, &str)] = &[
    ("acknowledgement", "الإقرار لا يخص ملاحظة قائمة في الحزمة"),
    ("actor", "المنفِّذ شخص أو وكيل يُذكر باسمه"),
    ("address", "عنوان الاستماع غير صالح"),
    ("ambiguous_anchor", "علامة الاستشهاد تنطبق على أكثر من مصدر"),
    ("ambiguous_citation", "الاستشهاد ينطبق على أكثر من مصدر"),
    ("amendment_history", "سلسلة التعديلات غير متصلة"),
    ("anchor", "علامة الاستشهاد غير صالحة"),
    ("approvals", "عدد الاعتمادات المعتبرة أقل من المطلوب"),
    ("archive", "الأرشيف يتجاوز ما يمكن حفظه"),
    ("body", "محتوى الطلب غير مكتمل"),
    ("canonical", "النص ليس بالصيغة القانونية لترميز JSON"),
    ("changed", "تغيّر المحتوى عمّا ذكره الطلب"),
    ("checkpoint", "نقطة التحقق غير صالحة أو لا توافق المسار"),
    ("choice", "القيمة ليست من القيم المسموح بها"),
    ("claims", "عدد الادعاءات يتجاوز الحد"),
    ("clock", "تعذّرت قراءة الوقت"),
    ("commitment", "الالتزام التشفيري باسم الحقل غير صالح"),
    ("connection", "اسم الاتصال بقاعدة البيانات غير معروف أو غير صالح"),
    ("contradiction_flag", "علامة التعارض لا توافق ما قُصد وما نُفّذ"),
    ("cosignature", "توقيع الشاهد غير صالح"),
    ("count", "العدد يتجاوز الحد"),
    ("cursor", "مؤشر الصفحة غير صالح"),
    ("decided", "القرار مقيَّد من قبل"),
    ("digest", "البصمة الرقمية غير صالحة"),
    ("document", "الوثيقة غير معروفة في الطلب"),
    ("duplicate", "المعرّف مكرر"),
    ("duplicate_key", "اسم الحقل مكرر في الكائن نفسه"),
    ("empty", "القيمة فارغة"),
    ("erased", "المحتوى مُحي بموجب قيد"),
    ("evidence_required", "القرار يلزمه دليل"),
    ("excerpt_length", "طول المقتطف خارج الحدود"),
    ("expired", "انتهت مدة بيان الاعتماد"),
    ("filename", "اسم الملف غير صالح"),
    ("first", "أول قيد في التصدير غير صالح"),
    ("foreign_call", "استدعاء الأداة يخص قراراً آخر"),
    ("form", "النموذج المرسل غير صالح"),
    ("format", "الصيغة غير متاحة لهذا الموضوع"),
    ("freshness_window", "نافذة الحداثة مذكورة بقيمتين مختلفتين"),
    ("frontier", "حدود الشجرة لا توافق موضع البداية"),
    ("growth", "المسار لا يمتد إلى نقطة التحقق المذكورة"),
    ("history", "تسلسل إصدارات الحزمة غير مكتمل"),
    ("hold", "حجز قانوني يمنع الإجراء أو رقمه غير متاح"),
    ("id", "المعرّف غير صالح"),
    ("idempotency_key", "اسم الطلب في الترويسة غير صالح"),
    ("identity_provider", "مزوّد الهوية لا يعطي مفاتيحه للتحقق من الرمز"),
    ("json", "النص ليس JSON سليماً"),
    ("judge", "القاضي نموذج على هذا الخادم أو عنوان خارجي، لا كلاهما"),
    ("key", "المفتاح غير صالح أو غير معروف"),
    ("key_history", "سجل المفاتيح غير صالح"),
    ("keys", "المفاتيح المذكورة غير صالحة"),
    ("kind", "نوع القيد غير مقبول هنا"),
    ("lake_uri", "عنوان الكائن في مستودع البيانات غير صالح"),
    ("last_admin", "لا بد أن يبقى مسؤول واحد على الأقل"),
    ("ledger", "السجل غير صالح"),
    ("ledger_sum", "مجاميع السجل لا توافق بنوده"),
    ("length", "طول النص خارج الحدود"),
    ("line", "السطر غير صالح"),
    ("lineage", "تسلسل القيد غير صالح"),
    ("lower_class", "لا يجوز خفض الفئة في إصدار لاحق"),
    ("media_type", "نوع المحتوى غير مقبول"),
    ("memo_language", "المذكرة تلزمها اللغتان العربية والإنجليزية"),
    ("memo_length", "عدد كلمات المذكرة خارج الحدود"),
    ("memo_size", "حجم المذكرة خارج الحدود"),
    ("missing_citation", "الاستشهاد بمصدر لازم"),
    ("missing_field", "حقل لازم غير موجود"),
    ("more", "مخالفات أخرى غير مذكورة"),
    ("name", "الاسم غير صالح"),
    ("never_intended", "لم يُقيَّد قصد استدعاء الأداة قبل نتيجته"),
    ("not_a_member", "الاسم ليس لعضو في الجهة"),
    ("not_found", "لا يوجد شيء بهذا المعرّف"),
    ("not_recorded", "لم يُقيَّد هذا القرار من قبل"),
    ("not_sealed", "الحزمة غير مختومة"),
    ("not_verbatim", "المقتطف لا يرد بنصه في المصدر"),
    ("note", "البيان الموقَّع غير صالح"),
    ("order", "الترتيب غير صحيح"),
    ("origin", "المنشأ لا يوافق المتوقع"),
    ("other_answer", "الجلسة مفتوحة من قبل بإجابة أخرى"),
    ("other_decision", "المحتوى يخص قراراً آخر"),
    ("other_ledger", "سجل الادعاءات غير مقيّد لهذه الجلسة"),
    ("other_model", "التشغيل مقيَّد من قبل بنموذج آخر"),
    ("other_reviewer", "يراجع كل شخص باسمه وحده"),
    ("other_tenant", "المحتوى يخص جهة أخرى"),
    ("own_key", "لا يُنشئ مفتاح الشخص إلا هو، أو من بيده المستودع بالأمر `dalil apikey add`"),
    ("own_prose", "المقتطف من كلام الوكيل لا من مصدر"),
    ("path", "مسار الطلب غير صالح"),
    ("pattern", "نمط الحجب غير صالح"),
    ("personal_data", "النص يتضمن بيانات شخصية أو سرية"),
    ("policy", "سياسة الحزمة غير صالحة"),
    ("query", "معاملات الطلب غير صالحة"),
    ("range", "القيمة خارج المدى"),
    ("recorded_call", "الاستدعاء مقيّد من قبل على خلاف ما ذُكر"),
    ("reference", "المرجع غير متاح عبر الواجهة"),
    ("rejected", "رفض الحزمةَ أحد المراجعين"),
    ("relation", "خدمة الصلاحيات لا تجيز هذا الإجراء"),
    ("replacement", "نص الاستبدال غير صالح"),
    ("reserved_field", "اسم الحقل محجوز"),
    ("resolved", "اكتملت مراجعة الحزمة"),
    ("retained_digest", "بصمة النص المحفوظ لا توافق المذكور"),
    ("retention", "مدة الحفظ لم تنقضِ"),
    ("review", "بيانات المراجعة غير مكتملة أو غير متسقة"),
    ("review_time", "المراجعة خارج مهلة 48 ساعة"),
    ("revoked", "المفتاح أُلغي"),
    ("role", "الدور لا يجيز هذا الإجراء"),
    ("salt", "قيمة التمليح غير صالحة"),
    ("same_approver", "سبق أن اعتمد الشخص نفسه هذا الطلب، ويُحتسب كل شخص مرة واحدة"),
    ("same_reviewer", "سبق أن راجع الشخص نفسه هذه الحزمة، ويُحتسب كل شخص مرة واحدة"),
    ("scope", "النطاق غير صالح أو لا يجيز هذا الإجراء"),
    ("scopes", "المفتاح يلزمه نطاق واحد على الأقل"),
    ("self_approval", "لا يعتمد الشخص ما يطلبه أو ينفذه بنفسه، ولا الوكيل عمله"),
    ("self_review", "لا يراجع الوكيل قراره"),
    ("signatures", "التوقيعات غير صالحة"),
    ("size", "الحجم خارج الحدود"),
    ("source_location", "موضع المصدر غير مذكور"),
    ("stale_source", "المصدر متقادم"),
    ("store", "الطلب لا يوافق ما في المخزن"),
    ("superseded", "يوجد إصدار أحدث من هذا"),
    ("supersedes", "الإصدار لا يلي الإصدار السابق له"),
    ("taken", "الاسم مستعمل من قبل"),
    ("time", "الوقت غير صالح"),
    ("time_order", "الأوقات ليست بالترتيب"),
    ("title", "صفة العضو لا تجيز هذا الاعتماد"),
    ("type", "نوع القيمة غير مقبول"),
    ("unacknowledged", "ملاحظة لم يُقرّ المراجِع بالاطلاع عليها"),
    ("unapproved", "الإجراء يلزمه اعتماد"),
    ("unknown_citation", "الاستشهاد لا يخص مصدراً لهذا القرار"),
    ("unknown_field", "حقل غير معروف"),
    ("unread", "تعذّرت قراءة الوثيقة"),
    ("unreadable", "تعذّرت قراءة القيمة"),
    ("unused_chain", "سلسلة تعديلات لا يخصها التزام"),
    ("unused_verification", "تحقق لا يخصه التزام"),
    ("url", "العنوان غير صالح"),
    ("verification", "التحقق من هذا الملف يحتاج أكثر مما يتاح هنا"),
    ("version", "رقم الإصدار لا يلي ما قبله"),
    ("witness", "ذاكرة الشاهد غير موجودة أو ليست له أو قيد الاستعمال"),
    ("witnesses", "الشهود المذكورون غير صالحين"),
];
