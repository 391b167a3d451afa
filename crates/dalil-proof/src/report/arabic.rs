//! The Arabic of parts, and of errors that a report passes on.

use super::BilingualMessage;
use crate::canon_scan::UnexpectedBytes;
use crate::checkpoint::{CheckpointOpenError, NotACheckpoint};
use crate::fault::quote;
use crate::note::{NotANote, NoteOpenError};
use crate::receipt::NotAReceipt;
use crate::trail::NotALine;
use crate::tree::proof::MerkleProofError;
use crate::witness::ForgedCosignature;

/// Every error that can be a finding, with the function that says it in Arabic.
macro_rules! findings {
    ($($error:ty = $arabic:ident,)*) => {
        $(impl From<&$error> for BilingualMessage {
            fn from(error: &$error) -> Self {
                Self::new(error.to_string(), $arabic(error))
            }
        })*
    };
}

findings! {
    ForgedCosignature = forged,
    NotACheckpoint = not_a_checkpoint,
    NotALine = not_a_line,
    NotANote = not_a_note,
    NotAReceipt = not_a_receipt,
    UnexpectedBytes = unexpected,
    NoteOpenError = unopened,
    CheckpointOpenError = unopened_checkpoint,
    MerkleProofError = unproven,
}

fn forged(ForgedCosignature { name }: &ForgedCosignature) -> String {
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

fn unexpected(UnexpectedBytes { at, .. }: &UnexpectedBytes) -> String {
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
        NotAReceipt::Blank => "المتوقع سطر فارغ قبل نقطة التحقق، ولا يوجد".to_owned(),
        NotAReceipt::Checkpoint(error) => format!("في نقطة التحقق: {}", not_a_note(error)),
    }
}

fn unopened(error: &NoteOpenError) -> String {
    match error {
        NoteOpenError::Forged { name } => {
            let name = quote(name);
            format!("المتوقع توقيع المفتاح {name}، والموجود بايتات لم يوقّعها")
        }
        NoteOpenError::Unsigned => "المتوقع توقيع بمفتاح معروف، ولا يوجد".to_owned(),
    }
}

fn unopened_checkpoint(error: &CheckpointOpenError) -> String {
    match error {
        CheckpointOpenError::Note(error) => not_a_note(error),
        CheckpointOpenError::Signature(error) => unopened(error),
        CheckpointOpenError::Text(error) => not_a_checkpoint(error),
        CheckpointOpenError::Origin { expected, found } => {
            let (expected, found) = (quote(expected), quote(found));
            format!("المتوقع نقطة تحقق للمسار {expected}، والموجود للمسار {found}")
        }
    }
}

fn unproven(error: &MerkleProofError) -> String {
    match error {
        MerkleProofError::Index { index, size } => {
            format!("المتوقع رقم قيد دون الحجم {size}، والموجود {index}")
        }
        MerkleProofError::Order { old, new } => {
            format!("المتوقع حجم سابق لا يزيد على {new}، والموجود {old}")
        }
        MerkleProofError::Length { found } => {
            format!("المتوقع برهان بطول ما تحتاجه الشجرة، والموجود من {found} بصمة")
        }
        MerkleProofError::Root { expected, found } => {
            format!("المتوقع أن يفضي البرهان إلى الجذر `{expected}`، والموجود `{found}`")
        }
        MerkleProofError::OldRoot { expected, found } => {
            format!("المتوقع أن يفضي البرهان إلى الجذر السابق `{expected}`، والموجود `{found}`")
        }
    }
}

/// What people call the parts.
pub(super) const PART_NAMES_AR: &[(&str, &str)] = &[
    ("archive", "الأرشيف"),
    ("attachments", "المرفقات"),
    ("bag", "الحقيبة"),
    ("calls", "الاستدعاءات"),
    ("canonical", "الصيغة المعتمدة"),
    ("checkpoint", "نقطة التحقق"),
    ("checkpoint signature", "توقيع نقطة التحقق"),
    ("commitment", "الالتزام"),
    ("completeness", "الاكتمال"),
    ("computed", "المحسوب"),
    ("consistency", "الاتساق"),
    ("contradicted_critical", "جوهري مناقَض"),
    ("custody", "الحيازة"),
    ("decision", "القرار"),
    ("end", "الختام"),
    ("erasures", "المحو"),
    ("evidence_coverage", "تغطية الأدلة"),
    ("excerpts", "المقتطفات"),
    ("expected", "المتوقع"),
    ("format", "الصيغة"),
    ("gate", "البوابة"),
    ("history", "ما رُوي"),
    ("inclusion", "الشمول"),
    ("key history", "تاريخ المفاتيح"),
    ("key status", "حال المفتاح"),
    ("ledger", "سجل الادعاءات"),
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
    ("review", "المراجعة"),
    ("rollback", "التراجع"),
    ("root", "الجذر"),
    ("rules", "القواعد"),
    ("saved", "مكان الحفظ"),
    ("signature", "التوقيع"),
    ("statement key", "مفتاح البيان"),
    ("store", "المستودع"),
    ("time", "الوقت"),
    ("trail", "المسار ومستخرجه"),
    ("unsupported_rate", "نسبة ما لا سند له"),
    ("verdicts", "الأحكام"),
    ("versions", "الإصدارات"),
    ("witnesses", "الشهود"),
];
