//! Clauses: splits a sentence that makes two independent statements.
//!
//! Conservative: a part is cut off only when both parts have a verb and a
//! subject of their own and nothing in the sentence ties them together.

use std::ops::Range;

use dalil_documents::sentence::{is_arabic, is_digit};

use super::plain::{folded, spans};
use super::verb;

/// The parts of a sentence that stand alone, in order; the sentence itself when it is one.
pub(super) fn clauses(sentence: &str) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    for part in semicolons(sentence) {
        let text = sentence.get(part.clone()).unwrap_or_default();
        parts.extend(
            joined(text).into_iter().map(|one| part.start + one.start..part.start + one.end),
        );
    }
    parts
}

/// The parts between semicolons, when each of them states something.
fn semicolons(sentence: &str) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut from = 0;
    for (at, mark) in sentence.match_indices([';', '؛']) {
        parts.push(from..at);
        from = at + mark.len();
    }
    parts.push(from..sentence.len());
    let alone = |part: &Range<usize>| stands_alone(sentence.get(part.clone()).unwrap_or_default());
    // If one part states nothing, the sentence is a list and stays whole.
    if parts.iter().all(alone) { parts } else { whole(sentence) }
}

fn stands_alone(part: &str) -> bool {
    let folded = folded(part);
    verb::states(&folded) && spans(&folded).nth(1).is_some() && !is_tied(&folded)
}

/// The two parts around a conjunction, when each is a clause of its own.
fn joined(sentence: &str) -> Vec<Range<usize>> {
    // The search below costs the square of the number of words.
    if sentence.len() > MAX_SENTENCE_BYTES {
        return whole(sentence);
    }
    let words: Vec<ClauseWord> = spans(sentence)
        .filter_map(|span| {
            let text = folded(sentence.get(span.clone())?);
            Some(ClauseWord { span, text })
        })
        .collect();
    if opens_wide(sentence, &words) {
        return whole(sentence);
    }
    // Before the first verb a conjunction joins names, not clauses.
    let Some(verb) = words.iter().position(|word| verb::is_finite(&word.text)) else {
        return whole(sentence);
    };
    let cut = (verb + 1..words.len()).find_map(|at| join(sentence, &words, at));
    cut.map_or_else(|| whole(sentence), |(end, start)| vec![0..end, start..sentence.len()])
}

struct ClauseWord {
    span: Range<usize>,
    text: String,
}

/// Where the first part ends and the second begins, when the word at `at` joins two clauses.
/// A verb precedes it.
fn join(sentence: &str, words: &[ClauseWord], at: usize) -> Option<(usize, usize)> {
    let (before, rest) = words.split_at_checked(at)?;
    let (word, after) = rest.split_first()?;
    let last = before.last()?;
    let gap = sentence.get(last.span.end..word.span.start)?;
    let comma = gap.contains([',', '،']);
    if word.text.starts_with(is_arabic) {
        let start = arabic_join(word, after, comma)?;
        return (!are_tied(before, rest)).then_some((last.span.end, start));
    }
    // Without a comma `while` is about time, and `but` may mean `except`.
    let contrasts = comma && ["but", "while", "whereas"].contains(&word.text.as_str());
    let joins = word.text == "and" || contrasts;
    let first = after.first()?;
    // A contrast has two sides, whatever case the sentence opens with.
    let loose = |word: &ClauseWord| !comma && LOOSE_SUBORDINATORS.contains(&word.text.as_str());
    let tied = if contrasts {
        are_tied(&[], after)
    } else {
        are_tied(before, after) || before.iter().any(loose)
    };
    let second = joins && !tied && has_subject(sentence, after);
    second.then_some((last.span.end, first.span.start))
}

/// Where the second clause begins: `ويجوز للمدير`, `، وتدفع الشركة`, `، بينما يدفع المشتري`.
fn arabic_join(word: &ClauseWord, after: &[ClauseWord], comma: bool) -> Option<usize> {
    let definite = |word: Option<&ClauseWord>| {
        word.is_some_and(|word| ["ال", "لل"].iter().any(|start| word.text.starts_with(start)))
    };
    if comma && CONTRAST_WORDS_AR.contains(&word.text.as_str()) {
        let first = after.first()?;
        let stands =
            verb::is_finite(&first.text) && definite(after.get(1)) || definite(Some(first));
        let states = after.iter().take(MAX_SUBJECT_WORDS).any(|word| verb::is_finite(&word.text));
        return (stands && states && after.len() >= 3).then_some(first.span.start);
    }
    let bare = word.text.strip_prefix('و')?;
    let negated = bare == "لا" && after.first().is_some_and(|next| verb::is_impersonal(&next.text));
    let impersonal = verb::is_impersonal(bare) && after.len() >= 2 || negated && after.len() >= 3;
    // A verb with a subject of its own, after a comma: `، وتدفع الشركة الرسوم`.
    let personal = comma
        && bare != "لا"
        && verb::is_finite(bare)
        && definite(after.first())
        && after.len() >= 3;
    (impersonal || personal).then_some(word.span.start)
}

/// Whether a word on either side ties the parts together. Words after the second verb do not.
fn are_tied(before: &[ClauseWord], after: &[ClauseWord]) -> bool {
    let verb = after.iter().position(|word| is_certain(&word.text)).unwrap_or(after.len());
    (0..before.len()).any(|at| ties(before, at)) || (0..verb).any(|at| ties(after, at))
}

/// Whether a word ties parts together; `either party` is no `either … or`.
fn ties(words: &[ClauseWord], at: usize) -> bool {
    let text = words.get(at).map_or("", |word| word.text.as_str());
    let pairs =
        |other: &str| words.iter().skip(at).take(MAX_SUBJECT_WORDS).any(|word| word.text == other);
    match text {
        "either" => pairs("or"),
        "neither" => pairs("nor"),
        "both" => true,
        text => SUBORDINATORS.contains(&text),
    }
}

/// Whether words begin with a subject and a verb that is beyond doubt, and go on after it.
fn has_subject(sentence: &str, words: &[ClauseWord]) -> bool {
    let Some(at) = words.iter().take(MAX_SUBJECT_WORDS).position(|word| is_certain(&word.text))
    else {
        return false;
    };
    let (Some(subject), Some(first)) = (words.get(..at), words.first()) else { return false };
    let named = sentence
        .get(first.span.clone())
        .is_some_and(|word| word.starts_with(|ch: char| ch.is_uppercase() || is_digit(ch)));
    let determined = DETERMINERS.contains(&first.text.as_str());
    let plural = subject.last().is_some_and(|word| word.text.ends_with('s'));
    let prepared = subject.iter().any(|word| PREPOSITIONS.contains(&word.text.as_str()));
    at >= 1 && (named || determined || plural) && !prepared && words.len() > at + 1
}

/// Whether a verb cannot be a noun: an auxiliary, or the third person of few verbs.
fn is_certain(word: &str) -> bool {
    verb::AUXILIARIES.contains(&word)
        || [
            "receives", "receive", "requires", "require", "gets", "get", "applies", "apply",
            "expires", "expire", "includes", "include", "pays", "becomes", "become", "remains",
            "remain", "earns",
        ]
        .contains(&word)
}

/// Whether a sentence opens with words that hold for all of it: `In 2024, …`.
fn opens_wide(sentence: &str, words: &[ClauseWord]) -> bool {
    let Some(first) = words.first() else { return false };
    PREPOSITIONS.contains(&first.text.as_str())
        && sentence.get(first.span.end..).is_some_and(|rest| rest.contains(','))
}

/// Whether a part leans on another: `if`, `who`, `بشرط`.
fn is_tied(folded: &str) -> bool {
    let first = spans(folded).next().and_then(|span| folded.get(span));
    first.is_some_and(|first| DEPENDENT_CLAUSE_STARTS.contains(&first))
}

fn whole(sentence: &str) -> Vec<Range<usize>> {
    std::iter::once(0..sentence.len()).collect()
}

/// A longer sentence is left whole.
const MAX_SENTENCE_BYTES: usize = 600;
/// How many words a subject may have, its verb included.
const MAX_SUBJECT_WORDS: usize = 6;

/// Words that tie the parts of a sentence together.
const SUBORDINATORS: &[&str] = &[
    "if",
    "unless",
    "when",
    "whenever",
    "whether",
    "until",
    "who",
    "whom",
    "whose",
    "which",
    "that",
    "because",
    "although",
    "though",
    "since",
    "where",
    "provided",
    "so",
    "nor",
    "between",
    "once",
    "respectively",
    "اذا",
    "الذي",
    "التي",
    "الذين",
    "بشرط",
    "عندما",
    "حيث",
    "لان",
    "ان",
    "ما",
    "كلما",
];

/// Words that tie the parts together where no comma is between them.
const LOOSE_SUBORDINATORS: &[&str] = &["than", "only", "before", "after"];

/// Arabic words that set a second clause against the first.
const CONTRAST_WORDS_AR: &[&str] = &["لكن", "ولكن", "بينما", "فيما"];

const DEPENDENT_CLAUSE_STARTS: &[&str] = &[
    "if",
    "unless",
    "provided",
    "otherwise",
    "including",
    "such",
    "whether",
    "except",
    "اذا",
    "بشرط",
    "الا",
    "والا",
];

const DETERMINERS: &[&str] = &[
    "the",
    "a",
    "an",
    "this",
    "these",
    "those",
    "it",
    "they",
    "he",
    "she",
    "we",
    "you",
    "i",
    "all",
    "any",
    "each",
    "either",
    "neither",
    "every",
    "no",
    "some",
    "most",
    "many",
    "its",
    "their",
    "his",
    "her",
    "our",
    "your",
    "another",
    "other",
    "unused",
    "such",
    "there",
    "both",
    "employees",
    "annual",
    "maximum",
    "one",
    "several",
    "certain",
    "anyone",
    "everyone",
    "nobody",
    "nothing",
    "that",
];

const PREPOSITIONS: &[&str] = &[
    "in",
    "on",
    "at",
    "by",
    "for",
    "from",
    "to",
    "with",
    "without",
    "under",
    "during",
    "within",
    "through",
    "according",
    "as",
    "upon",
    "subject",
    "per",
    "after",
    "before",
    "over",
    "into",
    "about",
];
