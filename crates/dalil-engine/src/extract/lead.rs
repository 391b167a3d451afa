//! Leads: which headings, openings, labels and sentences a claim is read with.

use std::ops::Range;

use dalil_core::anchor::Anchor;

use super::plain::{folded, plain, words};
use super::unit::Unit;
use super::{Lead, Role, verb};
use crate::sentence::{is_arabic, is_digit};

/// Words that open a list, a table or a quotation.
pub(super) struct Opening {
    pub(super) depth: usize,
    pub(super) span: Range<usize>,
    pub(super) anchors: Vec<Anchor>,
    pub(super) reach: Reach,
}

/// Which claims are read with an opening.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// None: `Here is a list:` says nothing that they continue.
    None,
    /// Those that state nothing by themselves.
    Fragments,
    /// All: it names what they are about, limits them or breaks off before them.
    All,
}

impl Reach {
    /// The reach of an opening at some depth, by its words; none when there are none.
    pub(super) fn of(words: &str, depth: usize) -> Self {
        let words = folded(words);
        let names = depth > 0 && !verb::states(&words);
        if words.is_empty() {
            Self::None
        } else if names || limits(&words) || is_unfinished(&words) {
            Self::All
        } else {
            Self::Fragments
        }
    }
}

/// A lead over a span.
pub(super) const fn lead(span: &Range<usize>, role: Role) -> Lead {
    Lead { start: span.start, end: span.end, role }
}

/// The openings that an item needs to be understood, the outermost first.
pub(super) fn needed(openings: &[Opening], item: &str) -> Vec<Lead> {
    let continues = !verb::states(&folded(item)) || item.starts_with(char::is_lowercase);
    let needs = |opening: &&Opening| match opening.reach {
        Reach::None => false,
        Reach::Fragments => continues,
        Reach::All => true,
    };
    let needed = openings.iter().rev().take(NESTED).take_while(needs);
    let mut leads: Vec<Lead> = needed.map(|one| lead(&one.span, Role::Opening)).collect();
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
    let short = || words(name).take(LABEL + 1).count() <= LABEL;
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

/// Whether a claim begins with a word that points to the sentence before it.
pub(super) fn points_back(claim: &str) -> bool {
    let first = words(claim).next().unwrap_or_default();
    let bare = first.strip_prefix(['و', 'ف']).unwrap_or(first);
    POINTING.contains(&first) || POINTING.contains(&bare)
}

/// Whether a paragraph is one line in bold that names what follows.
pub(super) fn is_bold_heading(answer: &str, unit: &Unit, next: Option<&Unit>) -> bool {
    let text = answer.get(unit.span.clone()).unwrap_or_default();
    let inside =
        text.strip_prefix("**").and_then(|text| text.trim_end_matches(':').strip_suffix("**"));
    let Some(inside) = inside.filter(|inside| !inside.contains("**")) else { return false };
    let folded = folded(&plain(inside));
    unit.depth == 0
        && next.is_some()
        && !inside.ends_with(['.', '!', '?', '؟'])
        && !folded.contains(is_digit)
        && words(&folded).take(TITLE + 1).count() <= TITLE
        && !verb::states(&folded)
}

/// Whether what stands under a heading names sources.
pub(super) fn lists_sources(heading: &str) -> bool {
    let folded = folded(heading);
    let name = folded.trim_matches(|ch: char| !ch.is_alphanumeric());
    ["sources", "references", "citations", "المصادر", "المراجع"].contains(&name)
}

/// Whether an opening holds only in a case: `If you resign:`.
fn limits(opening: &str) -> bool {
    let first = words(opening).next().unwrap_or_default();
    LIMITING.contains(&first)
}

/// Whether an opening breaks off before its last word's object: `Employees must:`.
fn is_unfinished(opening: &str) -> bool {
    let last = words(opening).last().unwrap_or_default();
    verb::AUXILIARIES.contains(&last) || ["to", "by", "for", "of", "that", "with"].contains(&last)
}

/// How many openings a claim is read with at most.
const NESTED: usize = 2;
/// How many words a label has at most.
const LABEL: usize = 5;
/// How many words a line in bold has at most to be a heading.
const TITLE: usize = 10;

const POINTING: &[&str] = &[
    "it", "its", "they", "their", "them", "this", "these", "those", "that", "he", "she", "his",
    "her", "such", "also", "هو", "هي", "هم", "هذا", "هذه", "ذلك", "تلك", "كما", "كذلك", "ايضا",
    "لها",
];

const LIMITING: &[&str] = &[
    "if", "when", "unless", "for", "in", "under", "during", "after", "before", "where", "while",
    "upon", "اذا", "عند", "في", "خلال", "بعد", "قبل",
];
