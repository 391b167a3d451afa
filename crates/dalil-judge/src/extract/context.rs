//! Leads: which headings, openings, labels and sentences a claim is read with.

use std::ops::Range;

use dalil_documents::sentence::{is_arabic, is_digit};
use dalil_evidence::anchor::Anchor;

use super::plain::{folded, plain, words};
use super::unit::AnswerUnit;
use super::{ContextRole, ContextSpan, skip, value, verb};

/// Words that open a list, a table or a quotation.
pub(super) struct OpeningPhrase {
    pub(super) depth: usize,
    pub(super) span: Range<usize>,
    pub(super) anchors: Vec<Anchor>,
    pub(super) reach: OpeningReach,
}

/// Which claims are read with an opening.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum OpeningReach {
    /// None: `Here is a list:` has nothing that they continue, and they do not state the year
    /// or the country in `Leave under Act 12 of 2020:`.
    None,
    /// Those that state nothing by themselves.
    Fragments,
    /// All: it names their subject, limits them or breaks off before them.
    All,
}

impl OpeningReach {
    /// The reach of an opening at some depth, by its words; none when there are none.
    pub(super) fn of(words: &str, depth: usize) -> Self {
        let titled = names_a_subject(words);
        let words = folded(words);
        let states = verb::states(&words);
        if words.is_empty() || titled && depth == 0 && !states {
            Self::None
        } else if depth > 0 && !states || limits(&words, titled) || is_unfinished(&words) {
            Self::All
        } else {
            Self::Fragments
        }
    }
}

/// A lead over a span.
pub(super) const fn lead(span: &Range<usize>, role: ContextRole) -> ContextSpan {
    ContextSpan { start: span.start, end: span.end, role }
}

/// The openings that an item needs to be understood, the outermost first.
pub(super) fn needed(openings: &[OpeningPhrase], item: &str) -> Vec<ContextSpan> {
    let continues = !verb::states(&folded(item)) || item.starts_with(char::is_lowercase);
    let needs = |opening: &&OpeningPhrase| match opening.reach {
        OpeningReach::None => false,
        OpeningReach::Fragments => continues,
        OpeningReach::All => true,
    };
    // From the innermost: an opening that is not needed shuts off those around it.
    let needed = openings.iter().rev().take(MAX_OPENINGS_PER_CLAIM).take_while(needs);
    let mut leads: Vec<ContextSpan> =
        needed.map(|one| lead(&one.span, ContextRole::Opening)).collect();
    leads.reverse();
    leads
}

/// A label and the statement after it: `**Notice:** Either party …`.
pub(super) fn label(
    answer: &str,
    body: &Range<usize>,
    depth: usize,
) -> (Option<Range<usize>>, Range<usize>) {
    let none = (None, body.clone());
    let text = answer.get(body.clone()).unwrap_or_default();
    let Some((name, after)) = split_label(text) else { return none };
    let bold = text.starts_with("**") || text.starts_with("__");
    let rest = after.trim_start_matches(['*', '_', ' ', '\u{a0}', '\n', '\t']);
    let capital = rest.starts_with(|ch: char| ch.is_uppercase() || is_arabic(ch));
    let short = || words(name).take(MAX_LABEL_WORDS + 1).count() <= MAX_LABEL_WORDS;
    // `Term: two years` is one statement; a label needs a statement of its own behind it.
    let states = || verb::states(&folded(&plain(rest))) && !verb::states(&folded(name));
    if !(capital && (bold || depth > 0) && short() && states()) {
        return none;
    }
    let name_start = body.start + (text.len() - text.trim_start_matches(['*', '_']).len());
    let name_end = body.start + name.trim_end_matches(['*', '_', ' ']).len();
    (Some(name_start..name_end.max(name_start)), body.end - rest.len()..body.end)
}

/// The words before and after the first colon, or a dash after a bold name.
fn split_label(text: &str) -> Option<(&str, &str)> {
    let colon = text.split_once(':').filter(|(_, after)| after.starts_with([' ', '*', '_']));
    let dash = || {
        text.split_once(" – ").or_else(|| text.split_once(" — ")).or_else(|| text.split_once(" - "))
    };
    let bold = |(name, after): (&'_ str, &'_ str)| {
        name.ends_with("**").then_some((name.len(), after.len()))
    };
    match colon {
        Some(found) => Some(found),
        None => {
            let (name, after) = dash().and_then(bold)?;
            Some((text.get(..name)?, text.get(text.len() - after..)?))
        }
    }
}

/// Whether a paragraph is one line in bold that names the part after it.
pub(super) fn is_bold_heading(answer: &str, unit: &AnswerUnit, next: Option<&AnswerUnit>) -> bool {
    let text = answer.get(unit.span.clone()).unwrap_or_default();
    let inside =
        text.strip_prefix("**").and_then(|text| text.trim_end_matches(':').strip_suffix("**"));
    let Some(inside) = inside.filter(|inside| !inside.contains("**")) else { return false };
    let folded = folded(&plain(inside));
    // The last line of an answer heads nothing.
    unit.depth == 0
        && next.is_some()
        && !inside.ends_with(['.', '!', '?', '؟'])
        && !value::counts(&folded)
        && words(&folded).take(MAX_HEADING_WORDS + 1).count() <= MAX_HEADING_WORDS
        && !verb::states(&folded)
}

/// Whether a paragraph is one line without a stop that names the part after it.
pub(super) fn is_title(answer: &str, unit: &AnswerUnit, next: Option<&AnswerUnit>) -> bool {
    let text = answer.get(unit.span.clone()).unwrap_or_default();
    let folded = folded(&plain(text));
    unit.depth == 0
        && next.is_some()
        && skip::why(&folded).is_none()
        && !text.contains(['\n', '|'])
        && !text.trim_end_matches('*').ends_with(['.', '!', '?', '؟', ':', ';', ']', '…'])
        && !folded.contains(": ")
        && !value::counts(&folded)
        && words(&folded).take(MAX_HEADING_WORDS + 1).count() <= MAX_HEADING_WORDS
        && !verb::may_have_verb(&folded)
}

/// Whether a sentence in bold opens a paragraph and names its subject: `**Travel.** …`.
pub(super) fn is_bold_opening(sentence: &str) -> bool {
    let bare = sentence.trim();
    let inside = bare.strip_prefix("**").and_then(|text| text.strip_suffix("**"));
    let Some(inside) = inside.filter(|inside| !inside.contains("**")) else { return false };
    let folded = folded(&plain(inside));
    !inside.ends_with(['?', '؟'])
        && words(&folded).take(MAX_LABEL_WORDS + 1).count() <= MAX_LABEL_WORDS
        && !value::counts(&folded)
        && !verb::may_have_verb(&folded)
}

/// Whether a sentence at the head of an answer only names the subject of the
/// answer: `Renting a flat, the short version.`
pub(super) fn is_naming(folded: &str) -> bool {
    let is_gerund = words(folded).next().is_some_and(|first| first.ends_with("ing"));
    (is_gerund || NAMING_STARTS.iter().any(|start| folded.starts_with(start)))
        && !folded.contains(": ")
        && words(folded).take(MAX_HEADING_WORDS + 1).count() <= MAX_HEADING_WORDS
        && !value::counts(folded)
        && !verb::may_have_verb(folded)
}

/// Whether a heading is that of a list of sources.
pub(super) fn lists_sources(heading: &str) -> bool {
    let folded = folded(heading);
    let name = folded.trim_matches(|ch: char| !ch.is_alphanumeric());
    [
        "sources",
        "source",
        "references",
        "reference",
        "citations",
        "bibliography",
        "المصادر",
        "المصدر",
        "المراجع",
        "المرجع",
    ]
    .contains(&name)
}

/// Whether an opening holds only in a case: `If you resign:`, `For contractors:`.
fn limits(opening: &str, titled: bool) -> bool {
    let limits =
        |first: &str| LIMITING_WORDS.contains(&first) || PLACING_WORDS.contains(&first) && !titled;
    words(opening).next().is_some_and(limits)
}

/// Whether an opening names the subject of a whole answer, rather than begins its list's sentences.
pub(super) fn is_entitling(opening: &str) -> bool {
    names_a_subject(opening) || !verb::states(&folded(opening)) && !limits(&folded(opening), false)
}

/// Whether an opening names something by a number, a capital or a word for a law: a title.
fn names_a_subject(opening: &str) -> bool {
    let mut all = words(opening);
    let first = all.next();
    let capital = |word: &str| word.starts_with(char::is_uppercase);
    opening.contains(is_digit)
        || first.is_some_and(|first| first.chars().skip(1).any(char::is_uppercase))
        || all.any(capital)
        || words(&folded(opening)).any(|word| LAW_WORDS_AR.contains(&word))
}

/// Whether an opening breaks off before its last word's object: `Employees must:`.
fn is_unfinished(opening: &str) -> bool {
    let wants_more = |last: &str| {
        verb::AUXILIARIES.contains(&last)
            || ["to", "by", "for", "of", "that", "with"].contains(&last)
    };
    words(opening).last().is_some_and(wants_more)
}

/// How many openings a claim is read with at most.
const MAX_OPENINGS_PER_CLAIM: usize = 2;
/// How many words a label has at most.
const MAX_LABEL_WORDS: usize = 5;
/// How many words a line has at most to be a heading.
const MAX_HEADING_WORDS: usize = 14;

/// How a sentence begins that only names its subject.
const NAMING_STARTS: &[&str] = &[
    "a few ",
    "some ",
    "more on ",
    "key ",
    "main ",
    "summary ",
    "overview ",
    "notes ",
    "about ",
    "on ",
    "regarding ",
    "concerning ",
    "بخصوص ",
    "بشان ",
    "حول ",
    "ملخص ",
    "نبذة ",
    "اهم ",
    "بالنسبة ",
];

const LIMITING_WORDS: &[&str] = &[
    "if", "when", "unless", "during", "after", "before", "where", "while", "upon", "اذا", "عند",
    "خلال", "بعد", "قبل",
];

/// Words that limit an opening to a case, or say which document or place it is about.
const PLACING_WORDS: &[&str] = &["for", "in", "under", "في"];

/// Arabic words for a law, which a title names.
const LAW_WORDS_AR: &[&str] = &[
    "نظام",
    "النظام",
    "قانون",
    "القانون",
    "لقانون",
    "لنظام",
    "لائحة",
    "اللائحة",
    "سياسة",
    "السياسة",
    "لسياسة",
    "مرسوم",
    "المرسوم",
    "اتفاقية",
    "الاتفاقية",
    "دليل",
];
