//! The words of frames, English and Arabic.

use std::sync::LazyLock;

use super::word::{PhraseTable, WordTable};

/// The effect of a frame on the words that it governs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrameSort {
    /// Denies them.
    Denied,
    /// Reports a refusal of them.
    Rejected,
    /// Repeals them.
    Repealed,
    /// Proposes them.
    Proposed,
    /// Asks.
    Asked,
    /// Reports them as the statement of another.
    Reported,
    /// Is crossed out.
    Struck,
    /// Is marked as not in force.
    Draft,
}

/// Phrases that govern the words after them.
pub(super) static FORWARD_FRAMES: LazyLock<PhraseTable<FrameSort>> = LazyLock::new(|| {
    PhraseTable::of(&[
        (
            "it is false that|is false that|it is untrue that|it is not true that|is not true that|it is not correct that|it is incorrect that|it is wrong that|it is wrong to say that|it is wrong to say|it is wrong to claim that|it is wrong to think that|it is incorrect to say that|it would be wrong to say that|it is a mistake to say that|it is a mistake to think that|it is not the case that|it is a myth that|it was false that|it was never the case that|it is not so that|it is untrue to say that",
            FrameSort::Denied,
        ),
        (
            "nobody ever agreed that|nobody agreed that|no one agreed that|never agreed that|never promised that|never said that|never stated that|never confirmed that|no basis for the statement that|no basis for the claim that|no basis for saying that|no basis for the view that|no truth in the claim that|no truth in the rumour that|no truth in reports that|there is no truth in the claim that|contrary to the claim that|contrary to the rumour that|did not agree that|does not agree that|do not agree that|did not promise that",
            FrameSort::Denied,
        ),
        (
            "من الخطأ القول إن|من الخطأ القول بأن|من الخطأ أن|من غير الصحيح أن|من غير الصحيح القول إن|ليس صحيحا أن|ليس صحيحا القول إن|ليس من الصحيح أن|غير صحيح أن|غير صحيح القول إن|ليس صحيحا ما يقال من أن|غير صحيح ما يقال من أن|غير صحيح ما يشاع من أن|لا صحة لما يقال من أن|لا صحة لما يشاع من أن|لا صحة لما تردد من أن|لا صحة للقول إن|لا صحة للقول بأن|لا صحة لأن|لا أساس للقول إن|لا أساس للقول بأن|لا أساس لما يقال من أن|ليس هناك أساس للقول إن",
            FrameSort::Denied,
        ),
        (
            "proposed that|proposes that|the proposal that|a proposal that|proposal is that|a proposal to|proposals to|proposes to|proposing to|suggested that|it has been suggested that|demanded that|demands that|requested that|moved that|motion that|a bill that would|it is proposed that|it was proposed that|it is proposed to|an amendment that would|is planned that|it is planned to",
            FrameSort::Proposed,
        ),
        (
            "يقترح أن|اقترح أن|اقترحت أن|يقترح المشروع أن|مقترح بأن|اقتراح بأن|اقتراح أن|مقترح أن|من المقترح أن|طالب بأن|طالبت بأن|من المزمع أن",
            FrameSort::Proposed,
        ),
        (
            "considering whether|consider whether|considers whether|considered whether|asked whether|asks whether|ask whether|unclear whether|not known whether|not clear whether|question whether|question of whether|undecided whether|decided whether|decide whether|discuss whether|discussed whether|discussing whether|debating whether|examining whether|reviewing whether|consulting on whether|wondered whether|inquired whether|enquired whether|true or false|is it true that|considering if|asked if",
            FrameSort::Asked,
        ),
        (
            "ما إذا كان|ما إذا كانت|فيما إذا كان|فيما إذا كانت|تساءل عما إذا كان|سأل عما إذا كان|سأل إن كان|هل صحيح أن",
            FrameSort::Asked,
        ),
        (
            "it is rumoured that|it is rumored that|rumoured that|rumored that|rumour has it that|rumor has it that|it is alleged that|alleged that|alleges that|it is said that|some say that|some believe that|people say that|contends that|contended that|claims that|claimed that|leaflet states that|allegedly",
            FrameSort::Reported,
        ),
        (
            "يشاع أن|أشيع أن|يزعم أن|تزعم أن|زعم أن|زعمت أن|يقال إن|يقال أن|ادعى أن|ادعت أن|يدعي أن|تدعي أن|تردد أن|وفقا لشائعات",
            FrameSort::Reported,
        ),
        (
            "the former policy said|the former policy stated|the former policy provided|the old policy said|the old policy stated|the old policy provided|the previous policy said|the previous policy stated|the previous policy provided|the former rule said|the former rule provided|the old rule said|the old rule was that|an earlier draft said|an earlier draft stated|an earlier draft provided|an earlier version said|an earlier version stated|an earlier version provided|the earlier version said|the earlier draft said|the previous version said|the previous version stated|a previous version said|the first draft said|the repealed clause said|the repealed provision said|the superseded policy said|the superseded version said|the withdrawn version said|the former clause said",
            FrameSort::Repealed,
        ),
        (
            "كانت السياسة السابقة تنص على أن|نصت السياسة السابقة على أن|كان النظام السابق ينص على أن|نص النظام السابق على أن|كانت المسودة السابقة تنص على أن|نصت المسودة السابقة على أن|نصت مسودة سابقة على أن|نصت النسخة السابقة على أن|كانت اللائحة السابقة تنص على أن|نصت اللائحة السابقة على أن|نصت اللائحة الملغاة على أن|كان البند الملغى ينص على أن",
            FrameSort::Repealed,
        ),
        (
            "not in force|not yet in force|not yet adopted|for discussion only|not yet approved|draft for comment|draft for consultation|غير سارية|غير ساري|غير نافذة|غير نافذ|لم تعتمد بعد|لم يعتمد بعد|للنقاش فقط",
            FrameSort::Draft,
        ),
    ])
});

/// Phrases that govern the words before them.
pub(super) static BACKWARD_FRAMES: LazyLock<PhraseTable<FrameSort>> = LazyLock::new(|| {
    PhraseTable::of(&[
        (
            "this was abolished|this is abolished|was abolished|were abolished|has been abolished|have been abolished|was repealed|were repealed|is repealed|are repealed|has been repealed|have been repealed|was withdrawn|were withdrawn|has been withdrawn|have been withdrawn|was revoked|were revoked|has been revoked|was rescinded|has been rescinded|is no longer in force|are no longer in force|no longer applies|no longer apply|ceased to apply|was superseded|has been superseded|was struck out|was deleted from the policy|was scrapped|were scrapped|has been scrapped",
            FrameSort::Repealed,
        ),
        (
            "was rejected|were rejected|was refused|were refused|was turned down|were turned down|was voted down|was defeated|did not pass|was not adopted|were not adopted|was not approved|was not accepted|has not been adopted|has been rejected",
            FrameSort::Rejected,
        ),
        (
            "وقد ألغي ذلك|وقد ألغي هذا|ثم ألغي ذلك|ثم ألغي|ألغي ذلك|ألغي هذا|وقد سحب ذلك|ثم سحب|ولم يعد معمولا به|لم يعد معمولا به|لم يعد ساريا|لم تعد سارية|ولم يعد ساريا",
            FrameSort::Repealed,
        ),
        (
            "ورفض الاقتراح|رفض الاقتراح|ورفض الطلب|فرفض الطلب|فرفضت الشركة|ورفضت الشركة|ورفضت الإدارة|فرفضت الإدارة|ورفض المجلس|فرفض المجلس|قوبل بالرفض",
            FrameSort::Rejected,
        ),
        (
            "is not true|is untrue|which is untrue|which is false|which is not true|وهذا غير صحيح|هذا غير صحيح|وهو غير صحيح|وهو أمر غير صحيح|لا أساس له من الصحة|عار من الصحة|عار عن الصحة|ليس صحيحا",
            FrameSort::Denied,
        ),
    ])
});

/// Heads of reported statements.
pub(super) static ASSERTION_HEADS: LazyLock<PhraseTable<FrameSort>> = LazyLock::new(|| {
    PhraseTable::of(&[
        (
            "claim that|claims that|statement that|assertion that|allegation that|suggestion that|belief that|idea that|report that|reports that|view that|story that|notion that|argument that|القول إن|القول بأن|الادعاء بأن|الزعم بأن|ما يقال من أن|ما يشاع من أن|ما قيل من أن",
            FrameSort::Asked,
        ),
        (
            "rumour that|rumor that|rumours that|rumors that|الشائعة بأن|شائعة بأن|شائعات بأن|إشاعة أن",
            FrameSort::Reported,
        ),
    ])
});

/// Predicates about reported statements.
pub(super) static ASSERTION_TAILS: LazyLock<PhraseTable<FrameSort>> = LazyLock::new(|| {
    PhraseTable::of(&[
        (
            "is incorrect|is false|is untrue|is wrong|is mistaken|is unfounded|is baseless|is without foundation|is a myth|was false|was untrue|was incorrect|was unfounded|was wrong|is not correct|is not true|are false|are untrue|are incorrect|are unfounded|are wrong|has no basis|have no basis",
            FrameSort::Denied,
        ),
        (
            "غير صحيح|غير صحيحة|خاطئ|خاطئة|خطأ|لا أساس له|لا أساس لها|عار من الصحة|عار عن الصحة|باطل",
            FrameSort::Denied,
        ),
        ("was rejected|was dismissed|fails|failed|مرفوض|مردود", FrameSort::Rejected),
    ])
});

/// Verbs that govern their object.
pub(super) static FRAMING_VERBS: LazyLock<PhraseTable<FrameSort>> = LazyLock::new(|| {
    PhraseTable::of(&[
        ("denies|denied|deny|denying", FrameSort::Denied),
        (
            "ينفي|تنفي|نفى|نفت|ينكر|تنكر|أنكر|أنكرت|لم توافق|لم يوافق|لم تتعهد|لم يتعهد|لم تعد",
            FrameSort::Denied,
        ),
        (
            "rejected the|rejected a|rejects the|rejected|refused|declined|dismissed the|voted against the|voted against a|turned down the|vetoed the|opposed the",
            FrameSort::Rejected,
        ),
        ("رفض|رفضت|ردت|استبعد|استبعدت", FrameSort::Rejected),
        (
            "ألغي البند|ألغيت المادة|ألغي الحكم|ألغي النص|ألغيت الفقرة|ألغي القرار|ألغي القيد|سحب المقترح|سحب البند",
            FrameSort::Repealed,
        ),
    ])
});

/// Words that make a frame only possible.
pub(super) static MODAL_WORDS: LazyLock<WordTable<()>> = LazyLock::new(|| {
    WordTable::of(&[(
        "may can must shall should will would could might to if unless where when whether cannot يجوز يمكن يحق إذا قد أن متى",
        (),
    )])
});

/// Words of a claim that is itself about a frame.
pub(super) static FRAME_TOPIC_WORDS: LazyLock<WordTable<()>> = LazyLock::new(|| {
    WordTable::of(&[
        (
            "propose proposes proposed proposal proposals proposing draft drafts reject rejects rejected rejection refuse refuses refused refusal deny denies denied denial repeal repealed abolish abolished abolition withdrawn withdrew revoked rescinded whether would former formerly previously earlier rumour rumor alleged allegedly false untrue incorrect wrong suggested demanded requested asked considering considered superseded old used argued argument claimed claim claims contended voted never nobody turned planned plans failed myth",
            (),
        ),
        (
            "اقترح اقتراح مقترح مقترحات يقترح تقترح مسودة مشروع رفض رفضت يرفض ترفض مرفوض نفى تنفي ينفي ألغي ألغيت إلغاء ملغى ملغاة سابق سابقة سابقا كان كانت شائعة إشاعة يشاع يزعم زعم ادعى خطأ خاطئ صحيح صحيحا طلب طالب سحب درس تدرس",
            (),
        ),
    ])
});
