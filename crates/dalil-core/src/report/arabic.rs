//! The Arabic of parts, and of errors that a report passes on.

use super::Message;
use crate::checkpoint::{NotACheckpoint, Unopened as UnopenedCheckpoint};
use crate::fault::quote;
use crate::note::{NotANote, Unopened};
use crate::receipt::NotAReceipt;
use crate::scan::Unexpected;
use crate::trail::NotALine;
use crate::tree::proof::Unproven;
use crate::witness::Forged;

/// Every error that can be a finding, with the function that says it in Arabic.
macro_rules! findings {
    ($($error:ty = $arabic:ident,)*) => {
        $(impl From<&$error> for Message {
            fn from(error: &$error) -> Self {
                Self::new(error.to_string(), $arabic(error))
            }
        })*
    };
}

findings! {
    Forged = forged,
    NotACheckpoint = not_a_checkpoint,
    NotALine = not_a_line,
    NotANote = not_a_note,
    NotAReceipt = not_a_receipt,
    Unexpected = unexpected,
    Unopened = unopened,
    UnopenedCheckpoint = unopened_checkpoint,
    Unproven = unproven,
}

fn forged(Forged { name }: &Forged) -> String {
    let name = quote(name);
    format!("المتوقع توقيع الشاهد {name}، والموجود بايتات لم يوقّعها")
}

fn not_a_checkpoint(NotACheckpoint: &NotACheckpoint) -> String {
    "المتوقع اسم المسار والحجم والجذر، كل في سطر، والموجود نص آخر".to_owned()
}

fn not_a_line(error: &NotALine) -> String {
    match error {
        NotALine::Size => "المتوقع سطر ضمن الحد، والموجود أطول منه".to_owned(),
        NotALine::Shape(error) => unexpected(error),
        NotALine::Record(refused) => {
            let fault = refused.refused.first();
            let (path, rule) = fault.map_or(("", ""), |fault| (fault.path.as_str(), fault.rule));
            format!("في الظرف، `{path}`: لم تُستوفَ القاعدة `{rule}`")
        }
    }
}

fn unexpected(Unexpected { at, .. }: &Unexpected) -> String {
    format!("عند البايت {at}: الموجود غير ما تقتضيه الصيغة")
}

fn not_a_note(error: &NotANote) -> String {
    match error {
        NotANote::Size => "المتوقع مذكرة ضمن الحد، والموجود أكبر منه",
        NotANote::Utf8 => "المتوقع نص UTF-8، والموجود بايتات أخرى",
        NotANote::Control => "المتوقع نص بلا محارف تحكم غير نهايات الأسطر، والموجود محرف منها",
        NotANote::Blank => "المتوقع سطر فارغ قبل التواقيع، ولا يوجد",
        NotANote::Text => "المتوقع نص ينتهي بنهاية سطر، والموجود لا ينتهي بها",
        NotANote::Unsigned => "المتوقع سطر توقيع كامل أو أكثر، ولا يوجد كاملًا",
        NotANote::Many => "المتوقع تواقيع ضمن الحد، والموجود أكثر",
        NotANote::Line => "المتوقع سطر توقيع من شرطة واسم مفتاح وbase64، والموجود سطر آخر",
    }
    .to_owned()
}

fn not_a_receipt(error: &NotAReceipt) -> String {
    match error {
        NotAReceipt::Size => "المتوقع إيصال ضمن الحد، والموجود أكبر منه".to_owned(),
        NotAReceipt::Utf8 => not_a_note(&NotANote::Utf8),
        NotAReceipt::Version => "السطر الأول غير سطر صيغة الإيصال".to_owned(),
        NotAReceipt::Extra => "المتوقع `extra` والقيد في السطر الثاني، والموجود غيره".to_owned(),
        NotAReceipt::Index => "المتوقع `index` ورقم بلا أصفار قبله، والموجود غيره".to_owned(),
        NotAReceipt::Path => {
            "المتوقع أسطر في كل منها بصمة واحدة ضمن الحد، والموجود غيرها".to_owned()
        }
        NotAReceipt::Other => "المتوقع إيصال تحت نقطة التحقق نفسها، والموجود تحت غيرها".to_owned(),
        NotAReceipt::Blank => "المتوقع سطر فارغ قبل نقطة التحقق، ولا يوجد".to_owned(),
        NotAReceipt::Checkpoint(error) => format!("في نقطة التحقق: {}", not_a_note(error)),
    }
}

fn unopened(error: &Unopened) -> String {
    match error {
        Unopened::Forged { name } => {
            let name = quote(name);
            format!("المتوقع توقيع المفتاح {name}، والموجود بايتات لم يوقّعها")
        }
        Unopened::Unsigned => "المتوقع توقيع بمفتاح معروف، ولا يوجد".to_owned(),
    }
}

fn unopened_checkpoint(error: &UnopenedCheckpoint) -> String {
    match error {
        UnopenedCheckpoint::Note(error) => not_a_note(error),
        UnopenedCheckpoint::Signature(error) => unopened(error),
        UnopenedCheckpoint::Text(error) => not_a_checkpoint(error),
        UnopenedCheckpoint::Origin { expected, found } => {
            let (expected, found) = (quote(expected), quote(found));
            format!("المتوقع نقطة تحقق للمسار {expected}، والموجود للمسار {found}")
        }
    }
}

fn unproven(error: &Unproven) -> String {
    match error {
        Unproven::Index { index, size } => {
            format!("المتوقع رقم قيد دون الحجم {size}، والموجود {index}")
        }
        Unproven::Order { old, new } => {
            format!("المتوقع حجم سابق لا يزيد على {new}، والموجود {old}")
        }
        Unproven::Length { found } => {
            format!("المتوقع برهان بطول ما تحتاجه الشجرة، والموجود من {found} بصمة")
        }
        Unproven::Root { expected, found } => {
            format!("المتوقع أن يفضي البرهان إلى الجذر `{expected}`، والموجود `{found}`")
        }
        Unproven::OldRoot { expected, found } => {
            format!("المتوقع أن يفضي البرهان إلى الجذر السابق `{expected}`، والموجود `{found}`")
        }
    }
}

/// What people call the parts.
pub(super) const PARTS: &[(&str, &str)] = &[
    ("archive", "الأرشيف"),
    ("attachments", "المرفقات"),
    ("bag", "الحقيبة"),
    ("canonical", "الصيغة المعتمدة"),
    ("checkpoint", "نقطة التحقق"),
    ("checkpoint signature", "توقيع نقطة التحقق"),
    ("commitment", "الالتزام"),
    ("computed", "المحسوب"),
    ("consistency", "الاتساق"),
    ("contradicted_critical", "جوهري مناقَض"),
    ("custody", "الحيازة"),
    ("decision", "القرار"),
    ("end", "الختام"),
    ("erasures", "المحو"),
    ("evidence_coverage", "تغطية الأدلة"),
    ("excerpts", "المقتطفات"),
    ("format", "الصيغة"),
    ("gate", "البوابة"),
    ("history", "ما رُوي"),
    ("inclusion", "الشمول"),
    ("key history", "تاريخ المفاتيح"),
    ("key status", "حال المفتاح"),
    ("lineage", "التسلسل"),
    ("manifest", "البيان"),
    ("objects", "الأجسام"),
    ("order", "الترتيب"),
    ("origin", "المسار"),
    ("pack key", "مفتاح الحزمة"),
    ("pages", "الصفحات"),
    ("payloads", "المحتويات"),
    ("range", "النطاق"),
    ("receipt", "الإيصال"),
    ("receipts", "الإيصالات"),
    ("record", "القيد"),
    ("records", "القيود"),
    ("report", "التقرير"),
    ("rollback", "التراجع"),
    ("root", "الجذر"),
    ("rules", "القواعد"),
    ("signature", "التوقيع"),
    ("store", "المستودع"),
    ("time", "الوقت"),
    ("unsupported_rate", "نسبة ما لا سند له"),
    ("verdicts", "الأحكام"),
    ("versions", "الإصدارات"),
    ("witnesses", "الشهود"),
];
