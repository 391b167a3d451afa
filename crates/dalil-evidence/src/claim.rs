//! Claims: the kind and importance of a statement, and the words that carry a citation.
//!
//! The rules are those of the contract, to the letter where one of its cases pins
//! them, and read Arabic as well. Their input is statements that were found before;
//! `dalil-judge` finds the statements of an answer.

use dalil_phrasebook::{Phrase, ledger};
use serde::Serialize;

use crate::anchor::{self, Anchor};

#[cfg(test)]
mod tests;

/// The kind of a claim's statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ClaimKind {
    /// Something about the world.
    Fact,
    /// A rule: an obligation, a permission or a prohibition.
    Policy,
    /// A number, an amount, a date or a duration.
    Numeric,
    /// The meaning of a term.
    Definition,
}

impl ClaimKind {
    /// The published words.
    pub const WIRE_NAMES: [(&'static str, Self); 4] = [
        ("fact", Self::Fact),
        ("policy", Self::Policy),
        ("numeric", Self::Numeric),
        ("definition", Self::Definition),
    ];

    /// Classifies a statement.
    ///
    /// A rule stays one when it names a number ("entitled to 15 days"). Among the
    /// others a number outweighs a definition; a definition outweighs a rule.
    pub fn of(text: &str) -> Self {
        let plain = plain(text);
        let defines = defines(&plain);
        if !defines && rules(text, &plain) {
            Self::Policy
        } else if has_number(&plain) {
            Self::Numeric
        } else if defines {
            Self::Definition
        } else {
            Self::Fact
        }
    }

    /// The word a person reads.
    pub const fn label(self) -> Phrase {
        match self {
            Self::Fact => ledger::kind_fact(),
            Self::Policy => ledger::kind_policy(),
            Self::Numeric => ledger::kind_numeric(),
            Self::Definition => ledger::kind_definition(),
        }
    }
}

/// How much a claim matters to the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ClaimImportance {
    /// Background.
    Minor,
    /// Supports the answer.
    Material,
    /// Is the answer.
    Critical,
}

impl ClaimImportance {
    /// The published words.
    pub const WIRE_NAMES: [(&'static str, Self); 3] =
        [("critical", Self::Critical), ("material", Self::Material), ("minor", Self::Minor)];

    /// The word a person reads.
    pub const fn label(self) -> Phrase {
        match self {
            Self::Minor => ledger::importance_minor(),
            Self::Material => ledger::importance_material(),
            Self::Critical => ledger::importance_critical(),
        }
    }
}

/// Whether a sentence makes an assertion: not a question, a connector or a remark about itself.
pub fn is_claim_like(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    let connects =
        |word: &&str| lower.strip_prefix(*word).is_some_and(|rest| rest.starts_with(','));
    if sentence.trim_end().ends_with(['?', '؟'])
        || CONNECTORS_EN.iter().any(connects)
        || FILLER_PHRASES_EN.iter().any(|remark| lower.contains(remark))
    {
        return false;
    }
    STATEMENT_VERBS_EN.iter().any(|verb| lower.contains(verb))
}

/// A statement and the citations that follow it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CitedStatement<'a> {
    /// The statement, trimmed.
    pub text: &'a str,
    /// Where it begins in the text, in bytes, white space included.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// Its citations.
    pub anchors: Vec<Anchor>,
}

/// The statements of a text that carry citations.
///
/// A statement reaches back to the citation or the end of sentence before it;
/// a point between two digits ends nothing.
pub fn cited(text: &str) -> Vec<CitedStatement<'_>> {
    let mut found: Vec<CitedStatement<'_>> = Vec::new();
    let mut from = 0;
    // Whether the citation before belongs to the last statement.
    let mut is_attached = false;
    for citation in anchor::citations(text) {
        let between = text.get(from..citation.start).unwrap_or_default();
        let start = from + last_sentence(between);
        let statement = text.get(start..citation.start).unwrap_or_default();
        match found.last_mut() {
            // `[cite:a] [cite:b]` after one statement: both are its citations.
            Some(last) if is_attached && between.trim().is_empty() => {
                last.anchors.push(citation.anchor);
            }
            _ if statement.trim().is_empty() => is_attached = false,
            _ => {
                is_attached = true;
                found.push(CitedStatement {
                    text: statement.trim(),
                    start,
                    end: citation.start,
                    anchors: vec![citation.anchor],
                });
            }
        }
        from = citation.end;
    }
    found
}

/// A claim that is not judged yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimDraft {
    /// The statement.
    pub text: String,
    /// Where it begins.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// The kind of its statement.
    pub kind: ClaimKind,
    /// How much it matters.
    pub importance: ClaimImportance,
    /// Its citations.
    pub anchors: Vec<Anchor>,
}

/// Joins claims of one kind that are less than 50 characters apart; the weightier importance
/// stays, and so do all citations.
pub fn merge(drafts: impl IntoIterator<Item = ClaimDraft>) -> Vec<ClaimDraft> {
    let mut merged: Vec<ClaimDraft> = Vec::new();
    for draft in drafts {
        match merged.last_mut() {
            Some(last) if last.kind == draft.kind && draft.start < last.end + MAX_MERGE_GAP => {
                last.text.push(' ');
                last.text.push_str(&draft.text);
                last.end = draft.end;
                last.importance = last.importance.max(draft.importance);
                last.anchors.extend(draft.anchors);
            }
            _ => merged.push(draft),
        }
    }
    merged
}

/// Lower case, without the marks that Arabic words may or may not be written with.
fn plain(text: &str) -> String {
    let mark = |ch: &char| matches!(ch, '\u{64b}'..='\u{652}' | '\u{670}' | '\u{640}');
    text.chars().filter(|ch| !mark(ch)).flat_map(char::to_lowercase).collect()
}

/// Whether a number is a word of its own, is an amount or a share, or counts a unit of time.
fn has_number(plain: &str) -> bool {
    let mut rest = plain;
    let mut before = None;
    while let Some(start) = rest.find(is_digit) {
        let before_it = rest.get(..start).and_then(|text| text.chars().next_back()).or(before);
        let number = rest.get(start..).unwrap_or_default();
        let after = number.trim_start_matches(is_digit);
        let next = after.chars().next();
        // A digit within a word belongs to a name: `A4`, `Q3`.
        let alone = !before_it.is_some_and(is_word) && !next.is_some_and(is_word);
        let unit = after.trim_start();
        if alone
            || before_it == Some('$')
            || matches!(next, Some('%' | '٪'))
            || UNIT_WORD_STEMS.iter().any(|word| unit.starts_with(word))
        {
            return true;
        }
        before = number.chars().next();
        rest = after;
    }
    counts_in_words(plain)
}

/// Whether a number in words counts a unit of time or is a share: `ten percent`, `شهرين`.
fn counts_in_words(plain: &str) -> bool {
    let mut before = "";
    plain.split(|ch: char| !is_word(ch)).filter(|word| !word.is_empty()).any(|word| {
        let counted = NUMBER_WORDS.contains(&before)
            && (PERCENT_WORDS.contains(&word)
                || UNIT_WORD_STEMS.iter().any(|unit| word.starts_with(unit)));
        before = word;
        counted || TIME_DUALS_AR.contains(&word)
    })
}

/// Whether a statement expresses an obligation, a permission or a prohibition.
fn rules(text: &str, plain: &str) -> bool {
    // In small letters only: `May` is a month.
    PERMISSION_VERBS_EN.iter().any(|word| has_words(text, word))
        || RULE_WORD_PARTS.iter().any(|word| plain.contains(word))
}

fn defines(plain: &str) -> bool {
    DEFINITION_PHRASES.iter().any(|words| has_words(plain, words))
        || names_a_quoted_term(plain)
        || names_a_genus(plain)
        || names_a_genus_in_arabic(plain)
}

/// `A business trip is any journey …`, `Seniority is the period that …`: a term that no article
/// points out, and the kind of thing that it is.
fn names_a_genus(plain: &str) -> bool {
    let found = [" is ", " are "].iter().find_map(|verb| plain.split_once(verb));
    let Some((term, rest)) = found else { return false };
    // `The fee is a sum …` states something of one known fee; `A fee is a sum …` defines.
    let mut words = term.split_whitespace();
    let Some(first) = words.next() else { return false };
    if term.contains([',', ':'])
        || DEFINITE_SUBJECT_WORDS.contains(&first)
        || words.count() >= MAX_TERM_WORDS
    {
        return false;
    }
    let mut rest = rest.split_whitespace();
    match (rest.next(), rest.next()) {
        (Some("any"), _) => true,
        (Some("a" | "an" | "the"), Some(genus)) if GENUS_NOUNS_EN.contains(&genus) => {
            rest.next().is_some()
        }
        (Some("a" | "an"), _) => matches!(first, "a" | "an"),
        _ => false,
    }
}

/// `الإجازة العارضة هي كل غياب …`.
fn names_a_genus_in_arabic(plain: &str) -> bool {
    let words: Vec<&str> = plain.split_whitespace().take(MAX_TERM_WORDS + 2).collect();
    // A pronoun that begins the sentence has no term before it to define.
    words.windows(2).skip(1).any(|pair| match pair {
        ["هو" | "هي", genus] => GENUS_NOUNS_AR.contains(genus),
        _ => false,
    })
}

/// Whether `words` occur as whole words.
fn has_words(plain: &str, words: &str) -> bool {
    plain.match_indices(words).any(|(at, _)| {
        let before = plain.get(..at).and_then(|text| text.chars().next_back());
        let after = plain.get(at + words.len()..).and_then(|text| text.chars().next());
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    })
}

/// `"term" is …`, `"term" means …`, `"term" refers …`.
fn names_a_quoted_term(plain: &str) -> bool {
    // The first piece is before the quotes, the second within them.
    let after_quotes = plain.split('"').skip(2);
    let mut verbs = after_quotes.filter(|text| text.starts_with(char::is_whitespace));
    verbs.any(|text| {
        ["is", "means", "refers"].iter().any(|verb| text.trim_start().starts_with(verb))
    })
}

/// Where the last sentence of a text begins.
fn last_sentence(text: &str) -> usize {
    let ends = |(at, mark): &(usize, &str)| {
        let before = text.get(..*at).and_then(|text| text.chars().next_back());
        let after = text.get(at + mark.len()..).and_then(|text| text.chars().next());
        *mark != "." || !(before.is_some_and(is_digit) && after.is_some_and(is_digit))
    };
    let mut marks = text.rmatch_indices(['.', '!', '?', '؟']);
    marks.find(ends).map_or(0, |(at, mark)| at + mark.len())
}

fn is_digit(ch: char) -> bool {
    ch.is_ascii_digit() || matches!(ch, '٠'..='٩' | '۰'..='۹')
}

fn is_word(ch: char) -> bool {
    ch.is_alphanumeric() || ch == '_'
}

/// How near two claims must be to be one, in the unit of their offsets.
const MAX_MERGE_GAP: usize = 50;

/// Parts of words that make a statement a rule. The first implementation matched parts, so mustard
/// is a rule.
const RULE_WORD_PARTS: [&str; 23] = [
    "must",
    "shall",
    "required",
    "mandatory",
    "should",
    "permitted",
    "allowed",
    "prohibited",
    "eligible",
    "entitled",
    "obligation",
    "يجب",
    "يتعين",
    "يلزم",
    "ينبغي",
    "يجوز",
    "يحظر",
    "يمنع",
    "يسمح",
    "يحق",
    "يستحق",
    "إلزامي",
    "يمكن",
];

/// Whole words that give leave.
const PERMISSION_VERBS_EN: [&str; 3] = ["may", "can", "cannot"];

const DEFINITION_PHRASES: [&str; 13] = [
    "means",
    "refers to",
    "is defined as",
    "in this context",
    "يعني",
    "تعني",
    "يقصد",
    "يعرف بأنه",
    "تعرف بأنها",
    "المقصود",
    "يراد",
    "عبارة عن",
    "يقصد به",
];

/// The length of a defined term: longer subjects state facts.
const MAX_TERM_WORDS: usize = 5;

/// First words of a subject that is one thing, already known.
const DEFINITE_SUBJECT_WORDS: [&str; 22] = [
    "the", "this", "that", "these", "those", "it", "there", "here", "he", "she", "they", "we",
    "you", "i", "his", "her", "its", "their", "our", "your", "my", "what",
];

/// Kinds of things that definitions name.
const GENUS_NOUNS_EN: [&str; 39] = [
    "period",
    "sum",
    "amount",
    "person",
    "individual",
    "payment",
    "process",
    "procedure",
    "document",
    "record",
    "right",
    "form",
    "type",
    "kind",
    "method",
    "measure",
    "time",
    "day",
    "place",
    "term",
    "date",
    "event",
    "act",
    "set",
    "statement",
    "rate",
    "ratio",
    "agreement",
    "contract",
    "journey",
    "trip",
    "absence",
    "system",
    "service",
    "party",
    "body",
    "company",
    "fee",
    "allowance",
];

const GENUS_NOUNS_AR: [&str; 30] = [
    "كل",
    "أي",
    "عبارة",
    "مجموع",
    "مبلغ",
    "مدة",
    "المدة",
    "الفترة",
    "فترة",
    "شخص",
    "الشخص",
    "المبلغ",
    "جهة",
    "الجهة",
    "وثيقة",
    "عقد",
    "اتفاق",
    "حق",
    "إجراء",
    "عملية",
    "غياب",
    "أجر",
    "ما",
    "المقابل",
    "مقابل",
    "نسبة",
    "اليوم",
    "تاريخ",
    "منشأة",
    "شركة",
];

const UNIT_WORD_STEMS: [&str; 15] = [
    "day",
    "week",
    "month",
    "year",
    "hour",
    "يوم",
    "أيام",
    "أسبوع",
    "أسابيع",
    "شهر",
    "أشهر",
    "سنة",
    "سنوات",
    "ساعة",
    "ساعات",
];

/// Numbers in words, without `one`, which is more often a pronoun.
const NUMBER_WORDS: [&str; 35] = [
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "fifteen",
    "twenty",
    "thirty",
    "forty",
    "fifty",
    "sixty",
    "ninety",
    "hundred",
    "ثلاثة",
    "ثلاث",
    "أربعة",
    "أربع",
    "خمسة",
    "خمس",
    "ستة",
    "ست",
    "سبعة",
    "سبع",
    "ثمانية",
    "تسعة",
    "عشرة",
    "عشر",
    "عشرون",
    "ثلاثون",
];

const PERCENT_WORDS: [&str; 4] = ["percent", "percentage", "بالمئة", "بالمائة"];

/// The Arabic dual: two of a unit of time in one word.
const TIME_DUALS_AR: [&str; 10] =
    ["يومين", "يومان", "أسبوعين", "أسبوعان", "شهرين", "شهران", "سنتين", "سنتان", "ساعتين", "عامين"];

const CONNECTORS_EN: [&str; 4] = ["however", "therefore", "additionally", "furthermore"];

const FILLER_PHRASES_EN: [&str; 4] =
    ["i understand", "based on your question", "let me explain", "to summarize"];

const STATEMENT_VERBS_EN: [&str; 8] =
    [" is ", " are ", " was ", " were ", " has ", " have ", " must ", " shall "];
