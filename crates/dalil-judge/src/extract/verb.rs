//! Verbs, as far as a list knows them: whether words state something, and where a clause can begin.

use dalil_documents::sentence::is_arabic;

pub(super) use self::known::VERBS_EN;
use super::plain::words;

mod known;

/// Whether a folded text has a verb that states something.
pub(super) fn states(folded: &str) -> bool {
    words(folded).any(is_finite)
}

/// Whether a folded text may have a verb: also words that only look like one.
pub(super) fn may_have_verb(folded: &str) -> bool {
    let past = |word: &str| word.len() > 4 && word.ends_with("ed");
    words(folded).any(|word| is_finite(word) || past(word))
}

/// Whether a folded word is a verb that a clause can rest on.
pub(super) fn is_finite(word: &str) -> bool {
    if word.starts_with(is_arabic) {
        return is_arabic_verb(word);
    }
    let contracted = ["'re", "n't", "'ll", "'ve"].iter().any(|end| word.ends_with(end));
    // `it's` is a verb, `the company's` is an owner.
    let is =
        word.strip_suffix("'s").is_some_and(|subject| CONTRACTIBLE_SUBJECTS.contains(&subject));
    contracted || is || AUXILIARIES.contains(&word) || is_known(word)
}

fn is_known(word: &str) -> bool {
    // The list is sorted, which a test checks.
    let known = |stem: &str| VERBS_EN.binary_search(&stem).is_ok();
    known(word)
        || IRREGULAR_VERBS_EN.contains(&word)
        || word.strip_suffix("ies").is_some_and(is_known_y)
        || word.strip_suffix("ied").is_some_and(is_known_y)
        || ["s", "es", "d", "ed"].iter().any(|end| word.strip_suffix(end).is_some_and(known))
}

fn is_known_y(stem: &str) -> bool {
    VERBS_EN.binary_search(&format!("{stem}y").as_str()).is_ok()
}

/// A known Arabic verb, or a word in the shape of the third person, also behind `و` and `ف`.
fn is_arabic_verb(word: &str) -> bool {
    let bare = word.strip_prefix(['و', 'ف']).unwrap_or(word);
    let known = |word: &str| VERBS_AR.contains(&word);
    let shaped = |word: &str| {
        word.starts_with('ي') && word.chars().count() >= 4 && !NOT_VERBS_AR.contains(&word)
    };
    known(word) || known(bare) || shaped(word) || shaped(bare)
}

/// Whether a folded Arabic word is an impersonal verb, which needs no subject before it.
pub(super) fn is_impersonal(word: &str) -> bool {
    IMPERSONAL_VERBS_AR.contains(&word)
}

pub(super) const AUXILIARIES: &[&str] = &[
    "is", "are", "was", "were", "am", "be", "been", "has", "have", "had", "do", "does", "did",
    "will", "would", "shall", "should", "can", "could", "may", "might", "must", "cannot", "ought",
    "isn't", "aren't", "won't", "can't", "ain't", "needn't",
];

/// Words that `'s` makes a clause of.
const CONTRACTIBLE_SUBJECTS: &[&str] =
    &["it", "he", "she", "that", "there", "here", "what", "who", "where", "this", "how", "let"];

const IRREGULAR_VERBS_EN: &[&str] = &[
    "got",
    "gave",
    "given",
    "took",
    "taken",
    "made",
    "paid",
    "went",
    "came",
    "rose",
    "risen",
    "fell",
    "grew",
    "grown",
    "began",
    "became",
    "brought",
    "bought",
    "built",
    "kept",
    "left",
    "lost",
    "met",
    "said",
    "sold",
    "sent",
    "spent",
    "stood",
    "told",
    "won",
    "wrote",
    "written",
    "held",
    "led",
    "ran",
    "saw",
    "sought",
    "undertook",
    "bore",
    "broke",
];

const IMPERSONAL_VERBS_AR: &[&str] = &[
    "يجب",
    "يجوز",
    "يحظر",
    "يمكن",
    "يتعين",
    "ينبغي",
    "يلزم",
    "يشترط",
    "يمنع",
    "يسمح",
    "يبلغ",
    "تبلغ",
];

const VERBS_AR: &[&str] = &[
    "يجب",
    "يحق",
    "كان",
    "كانت",
    "تم",
    "تمت",
    "ليس",
    "ليست",
    "تبلغ",
    "تكون",
    "تشمل",
    "تتضمن",
    "تسري",
    "تنتهي",
    "تبدا",
    "تلتزم",
    "تدفع",
    "تقدم",
    "تمنح",
    "تستحق",
    "تحدد",
    "تنص",
    "تغطي",
    "تتحمل",
    "تحتسب",
    "تصرف",
    "تخصم",
    "تعتبر",
    "تعد",
    "تعني",
    "تتطلب",
    "توجد",
    "هو",
    "هي",
    "هناك",
    "بلغ",
    "بلغت",
    "ارتفع",
    "ارتفعت",
    "انخفض",
    "انخفضت",
    "حدد",
    "حددت",
    "وقع",
    "وقعت",
    "اعلن",
    "اعلنت",
    "لا",
];

/// Nouns and adverbs in the shape of a verb.
const NOT_VERBS_AR: &[&str] =
    &["يوميا", "يومين", "يومان", "يونيو", "يوليو", "يناير", "يدويا", "يمين", "يسار", "يومًا"];
