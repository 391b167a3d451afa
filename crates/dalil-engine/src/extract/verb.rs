//! Verbs, as far as a list knows them: whether words state something, and where a clause can begin.

use super::plain::words;
use crate::sentence::is_arabic;

/// Whether a folded text has a verb that states something.
pub(super) fn states(folded: &str) -> bool {
    words(folded).any(is_finite)
}

/// Whether a folded text may have a verb: also words that only look like one.
pub(super) fn perhaps(folded: &str) -> bool {
    let past = |word: &str| word.len() > 4 && word.ends_with("ed");
    words(folded).any(|word| is_finite(word) || past(word))
}

/// Whether a folded word is a verb that a clause can rest on.
pub(super) fn is_finite(word: &str) -> bool {
    if word.starts_with(is_arabic) {
        return is_arabic_verb(word);
    }
    let contracted = ["'s", "'re", "n't", "'ll", "'ve"].iter().any(|end| word.ends_with(end));
    contracted || AUXILIARIES.contains(&word) || is_known(word)
}

fn is_known(word: &str) -> bool {
    let known = |stem: &str| VERBS.binary_search(&stem).is_ok();
    known(word)
        || IRREGULAR.contains(&word)
        || word.strip_suffix("ies").is_some_and(is_known_y)
        || word.strip_suffix("ied").is_some_and(is_known_y)
        || ["s", "es", "d", "ed"].iter().any(|end| word.strip_suffix(end).is_some_and(known))
}

fn is_known_y(stem: &str) -> bool {
    VERBS.binary_search(&format!("{stem}y").as_str()).is_ok()
}

/// A known Arabic verb, or a word in the shape of the third person, also behind `و` and `ف`.
fn is_arabic_verb(word: &str) -> bool {
    let bare = word.strip_prefix(['و', 'ف']).unwrap_or(word);
    let known = |word: &str| ARABIC.contains(&word);
    let shaped = |word: &str| {
        word.starts_with('ي') && word.chars().count() >= 4 && !NOT_VERBS.contains(&word)
    };
    known(word) || known(bare) || shaped(word) || shaped(bare)
}

/// Whether a folded Arabic word is an impersonal verb, which needs no subject before it.
pub(super) fn is_impersonal(word: &str) -> bool {
    IMPERSONAL.contains(&word)
}

pub(super) const AUXILIARIES: &[&str] = &[
    "is", "are", "was", "were", "am", "be", "been", "has", "have", "had", "do", "does", "did",
    "will", "would", "shall", "should", "can", "could", "may", "might", "must", "cannot", "ought",
    "isn't", "aren't", "won't", "can't", "ain't", "needn't",
];

const IRREGULAR: &[&str] = &[
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

/// In order, to be found quickly.
pub(super) const VERBS: &[&str] = &[
    "accept",
    "accrue",
    "acquire",
    "act",
    "add",
    "adopt",
    "affect",
    "agree",
    "allow",
    "amend",
    "announce",
    "appear",
    "apply",
    "appoint",
    "approve",
    "arise",
    "ask",
    "assign",
    "attach",
    "attend",
    "award",
    "base",
    "bear",
    "become",
    "begin",
    "belong",
    "bind",
    "bring",
    "build",
    "buy",
    "calculate",
    "carry",
    "cease",
    "charge",
    "check",
    "choose",
    "close",
    "come",
    "commence",
    "complete",
    "comply",
    "comprise",
    "confirm",
    "consist",
    "constitute",
    "contact",
    "contain",
    "continue",
    "convert",
    "cost",
    "cover",
    "create",
    "decide",
    "deduct",
    "define",
    "deliver",
    "depend",
    "describe",
    "determine",
    "divide",
    "earn",
    "employ",
    "enable",
    "end",
    "ensure",
    "enter",
    "entitle",
    "equal",
    "establish",
    "exceed",
    "exclude",
    "exist",
    "expire",
    "extend",
    "fall",
    "file",
    "fill",
    "follow",
    "forbid",
    "forfeit",
    "get",
    "give",
    "go",
    "govern",
    "grant",
    "grow",
    "happen",
    "hold",
    "impose",
    "include",
    "increase",
    "indemnify",
    "inform",
    "invoice",
    "involve",
    "issue",
    "keep",
    "know",
    "lapse",
    "lead",
    "let",
    "live",
    "lose",
    "maintain",
    "make",
    "mean",
    "need",
    "notify",
    "obtain",
    "occur",
    "offer",
    "open",
    "operate",
    "outline",
    "owe",
    "own",
    "pay",
    "permit",
    "prevent",
    "prohibit",
    "prove",
    "provide",
    "publish",
    "qualify",
    "reach",
    "receive",
    "recommend",
    "reduce",
    "refer",
    "refuse",
    "reimburse",
    "reject",
    "remain",
    "renew",
    "repay",
    "replace",
    "report",
    "represent",
    "require",
    "reserve",
    "reside",
    "resign",
    "rest",
    "retain",
    "return",
    "review",
    "rise",
    "run",
    "say",
    "see",
    "seem",
    "sell",
    "send",
    "serve",
    "set",
    "settle",
    "show",
    "sign",
    "specify",
    "spend",
    "stand",
    "start",
    "state",
    "stay",
    "stipulate",
    "stop",
    "submit",
    "suspend",
    "take",
    "tell",
    "terminate",
    "transfer",
    "treat",
    "turn",
    "use",
    "vary",
    "visit",
    "want",
    "warrant",
    "work",
    "write",
];

const IMPERSONAL: &[&str] = &[
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

const ARABIC: &[&str] = &[
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
const NOT_VERBS: &[&str] =
    &["يوميا", "يومين", "يومان", "يونيو", "يوليو", "يناير", "يدويا", "يمين", "يسار", "يومًا"];
