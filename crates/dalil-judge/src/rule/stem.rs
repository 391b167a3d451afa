//! Stems: the keys under which words of a claim and of evidence meet.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use super::word::{WordKind, WordToken, fold, spellings};

#[cfg(test)]
mod tests;

/// The key of a word that carries meaning; nothing for small words, numbers and marks.
pub(super) fn key(word: &WordToken) -> Option<String> {
    match word.kind {
        WordKind::Code => return Some(word.form.clone()),
        WordKind::Digits | WordKind::Mark(_) => return None,
        WordKind::Small | WordKind::Capital => {}
    }
    if STOP_WORDS_EN.contains(&word.form)
        || spellings(&word.form).iter().any(|form| STOP_WORDS_AR.contains(*form))
    {
        return None;
    }
    let stem = stem(&word.form);
    if stem.chars().count() < 2 {
        return None;
    }
    Some(SYNONYM_STEMS.get(&stem).cloned().unwrap_or(stem))
}

/// A word and its opposite share a key; the sign distinguishes them.
pub(super) fn signed(key: &str) -> (&str, bool) {
    match OPPOSITES.get(key) {
        Some(positive) => (positive, false),
        None => (key, true),
    }
}

/// The stem that a word shares with its other forms.
pub(super) fn stem(form: &str) -> String {
    if form.starts_with(|c| ('\u{0600}'..='\u{06FF}').contains(&c)) {
        arabic(form)
    } else {
        english(form)
    }
}

fn english(form: &str) -> String {
    let mut stem = IRREGULAR_STEMS_EN
        .iter()
        .find(|(from, _)| *from == form)
        .map_or(form, |(_, to)| to)
        .to_owned();
    // All rules in turn: `agreements` loses its plural first, then its ending.
    for (suffix, put, least) in SUFFIX_RULES_EN {
        if let Some(rest) = stem.strip_suffix(suffix)
            && rest.len() >= *least
        {
            stem = format!("{rest}{put}");
        }
    }
    let bytes = stem.as_bytes();
    // `stopp` is `stop`, but `sell` and `see` are whole.
    if let [.., a, b] = bytes
        && a == b
        && !matches!(b, b's' | b'l' | b'e' | b'o')
    {
        stem.pop();
    }
    stem
}

/// Strips the prefixes and suffixes of an Arabic word, then the long vowels inside.
fn arabic(form: &str) -> String {
    let mut stem = form;
    if let Some(rest) = form.strip_prefix('ف').filter(|rest| rest.chars().count() >= 4) {
        stem = rest;
    }
    // Once more after the article, so that a root in "و" has one stem with it and without it.
    for prefixes in [&["و"][..], &["بال", "كال", "لل", "ال"], &["و"]] {
        stem = without(stem, prefixes, |stem, prefix| stem.strip_prefix(prefix));
    }
    for suffixes in [PRONOUN_SUFFIXES_AR, PLURAL_SUFFIXES_AR, FINAL_LETTERS_AR] {
        stem = without(stem, suffixes, |stem, suffix| stem.strip_suffix(suffix));
    }
    stem = without(stem, &["ب", "ل", "س"], |stem, prefix| stem.strip_prefix(prefix));
    stem = without(stem, &["ي", "ت", "م", "ن", "ا"], |stem, prefix| stem.strip_prefix(prefix));
    // Long vowels change with the form of a word; the first letter may be of the root.
    let mut chars = stem.chars();
    let first: String = chars.next().into_iter().collect();
    let rest: String = chars.filter(|c| !matches!(c, 'ا' | 'و' | 'ي')).collect();
    if rest.is_empty() { stem.to_owned() } else { first + &rest }
}

/// Takes off the first ending that leaves three letters.
fn without<'a>(
    stem: &'a str,
    endings: &[&str],
    strip: impl Fn(&'a str, &str) -> Option<&'a str>,
) -> &'a str {
    let long = |rest: &&str| rest.chars().count() >= 3;
    endings.iter().find_map(|ending| strip(stem, ending).filter(long)).unwrap_or(stem)
}

/// A group of words under one key.
fn groups(groups: &[&str]) -> BTreeMap<String, String> {
    let mut table = BTreeMap::new();
    for group in groups {
        let mut stems = group.split_whitespace().map(|word| stem(&fold(word)));
        let Some(first) = stems.next() else { continue };
        for stem in stems {
            table.entry(stem).or_insert_with(|| first.clone());
        }
    }
    table
}

fn set(words: &str) -> BTreeSet<String> {
    words.split_whitespace().map(fold).collect()
}

const PRONOUN_SUFFIXES_AR: &[&str] = &["هما", "هم", "ها", "كم", "نا"];

const PLURAL_SUFFIXES_AR: &[&str] = &["ات", "ان", "ون", "ين", "يه", "وا", "ته"];

const FINAL_LETTERS_AR: &[&str] = &["ه", "ي", "ا", "ت"];

/// The endings taken off an English word, in order: the ending, its replacement, and the number of
/// letters that must be left.
const SUFFIX_RULES_EN: &[(&str, &str, usize)] = &[
    ("sses", "ss", 2),
    ("ies", "y", 2),
    ("ches", "ch", 2),
    ("shes", "sh", 2),
    ("s", "", 3),
    ("ly", "", 4),
    ("ments", "", 4),
    ("ment", "", 4),
    ("ing", "", 3),
    ("ied", "y", 2),
    ("ed", "", 3),
    ("ions", "", 4),
    ("ion", "", 4),
    ("al", "", 4),
    ("e", "", 3),
    ("y", "i", 2),
];

const IRREGULAR_STEMS_EN: &[(&str, &str)] = &[
    ("paid", "pay"),
    ("pays", "pay"),
    ("made", "make"),
    ("given", "give"),
    ("gave", "give"),
    ("taken", "take"),
    ("took", "take"),
    ("held", "hold"),
    ("sent", "send"),
    ("kept", "keep"),
    ("began", "begin"),
    ("begun", "begin"),
    ("sold", "sell"),
    ("bought", "buy"),
    ("written", "write"),
    ("rose", "rise"),
    ("risen", "rise"),
    ("fell", "fall"),
    ("fallen", "fall"),
    ("grew", "grow"),
    ("lost", "lose"),
    ("won", "win"),
    ("bound", "bind"),
];

static SYNONYM_STEMS: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    groups(&[
        "request application apply applications",
        "employee staff worker workers personnel",
        "forward carryover carried carry carrying",
        "submit file lodge",
        "fee charge",
        "terminate termination ends",
        "purchase buy procure",
        "firm company",
        "annual yearly",
        "start begin commence",
        "increase rise grow growth",
        "supplier vendor",
        "client customer",
        "obtain receive",
        "approve approval consent",
        "renew renewal",
        "allow permit",
        "salary wage pay",
        "advance before",
        "contract agreement",
        "fine penalty",
        "notify inform",
        "إجازة إجازات",
        "طلب طلبات",
        "زيادة ارتفع ارتفاع",
        "موظف عامل عمال موظفون",
        "يقدم تقديم قدم",
        "يدفع دفع تدفع يسدد سداد تسدد يؤدى",
        "شركة مؤسسة شركات",
        "عقد اتفاقية عقود",
        "راتب أجر رواتب أجور",
        "غرامة جزاء",
        "مورد موردون",
        "ينتهي انتهاء تنتهي",
        "يبدأ بدء تبدأ بداية",
        "موافقة اعتماد",
        "يخطر إخطار إشعار يبلغ إبلاغ",
    ])
});

/// Opposites: each group is a word, then the words that deny it.
const OPPOSITE_GROUPS: &[&str] = &[
    "increase decrease reduce reduction decline fall drop shrink",
    "accept reject refuse",
    "include exclude",
    "paid unpaid",
    "lawful unlawful",
    "valid invalid void",
    "available unavailable",
    "approved unapproved",
    "authorised unauthorised",
    "limited unlimited",
    "conditional unconditional",
    "renewable nonrenewable",
    "mandatory optional voluntary",
    "public private",
    "internal external",
    "permanent temporary",
    "surplus deficit",
    "open closed",
    "enable disable",
    "exclusive nonexclusive",
    "revocable irrevocable",
    "refundable nonrefundable",
    "taxable nontaxable",
    "liable exempt",
    "pass fail",
    "above below",
    "buyer seller",
    "debit credit",
    "import export",
    "زيادة نقص انخفاض تخفيض خفض انخفض هبط هبوط",
    "قبول رفض",
    "يشمل يستثني",
    "تشمل تستثني",
    "دائم مؤقت",
    "أرباح خسائر",
    "فائض عجز",
    "صالح باطل",
    "إلزامي اختياري",
    "إلزامية اختيارية",
    "داخلي خارجي",
    "مفتوح مغلق",
    "استيراد تصدير",
    "واردات صادرات",
    "محدود مطلق",
];

static OPPOSITES: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    let same = |stem: String| SYNONYM_STEMS.get(&stem).cloned().unwrap_or(stem);
    groups(OPPOSITE_GROUPS)
        .into_iter()
        .map(|(word, positive)| (same(word), same(positive)))
        .collect()
});

static STOP_WORDS_EN: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    set(
        "a an the of to in on at by for from with and or as is are was were be been being it its this that these \
         those their his her they he she we you i our your which who whom whose what there here than then so such \
         may can must shall should will would could might not no nor neither never only also any all each every some \
         most both either if unless where when while until before after within during per up out into onto upon under \
         over about between through has have had do does did get gets got make made makes give entitled right \
         least more less fewer much many other another same own subject provided case respect regard regarding \
         least maximum minimum total following required need needs allowed permitted prohibited obliged \
         one day days week weeks month months year years hour hours percent cent \
         able etc e g next",
    )
});

static STOP_WORDS_AR: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    set(
        "من إلى على في عن مع أو أن إن أنّ هذا هذه ذلك تلك التي الذي الذين هو هي هم كان كانت يكون تكون قد ما لا لم لن \
         ليس ليست غير كل جميع بعض أي كما ثم حتى عند عندما إذا إلا لو حيث بين بعد قبل خلال فوق تحت لدى له لها لهم به بها \
         فيه فيها عليه عليها منه منها عنه عنها إليه يجوز يجب يحق ينبغي يلزم يحظر يمكن يتعين فقط معظم نصف أحد أقل أكثر أقصى \
         أدنى حد كحد يوم أيام يوما شهر أشهر سنة سنوات عام أسبوع ساعة واحد واحدة وفق وفقا بموجب بما مدة لمدة مدتها مدته \
         ألا لكل تقويمي تقويميا ميلادي ميلادية يقل يزيد يتجاوز تقل تزيد تتجاوز أحدى كافة عدم دون سوى رهنا بشرط \
         التالي التالية موعد موعدها تاريخ يتم تم",
    )
});
