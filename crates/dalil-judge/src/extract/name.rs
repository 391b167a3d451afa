//! Names: the words by which an answer names the documents that it speaks about.
//!
//! A name is a run of capitals, a word with a digit in it, a Latin word in an
//! Arabic sentence, a file name, or the words around a word for a document:
//! `the travel policy`, «نظام العمل». The index matches names to documents.

use dalil_documents::sentence::{is_arabic, is_digit, note};

use super::plain::{folded, plain};
use super::{ClaimExtraction, ContextRole, ExtractedClaim};

/// For each claim the words that name or cite a document, the nearest first.
pub(super) fn named(extracted: &ClaimExtraction, answer: &str) -> Vec<Vec<String>> {
    let references = references(answer);
    extracted.claims.iter().map(|claim| of_claim(claim, answer, &references)).collect()
}

/// Whether a text names something that could be a document or whose it is.
pub(super) fn has_name(text: &str) -> bool {
    names(text).contains(char::is_alphabetic)
}

fn of_claim(claim: &ExtractedClaim, answer: &str, references: &[(&str, &str)]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for mark in marks(claim, answer) {
        let cited = references.iter().filter(|(name, _)| *name == mark);
        all.extend(cited.map(|(_, title)| plain(title)));
    }
    all.push(names(claim.text(answer)));
    // Leads stand from the outermost to the nearest, so this takes the nearest first.
    for lead in claim.leads.iter().rev() {
        let text = answer.get(lead.start..lead.end).unwrap_or_default();
        match lead.role {
            ContextRole::Before | ContextRole::Scope | ContextRole::Speaker => {
                all.push(names(text));
            }
            ContextRole::Heading | ContextRole::Label | ContextRole::Opening => {
                all.push(plain(text));
            }
            ContextRole::Column => {}
        }
    }
    all.retain(|words| !words.is_empty());
    let mut seen: Vec<String> = Vec::new();
    for words in all {
        if !seen.contains(&words) {
            seen.push(words);
        }
    }
    seen
}

/// The numbers of the notes in a claim and right after it: `[1, 2]`.
fn marks<'a>(claim: &ExtractedClaim, answer: &'a str) -> Vec<&'a str> {
    let inside = answer.get(claim.start..claim.end).unwrap_or_default();
    let mut after = answer.get(claim.end..).unwrap_or_default();
    let mut found = Vec::new();
    for (at, _) in inside.match_indices('[') {
        found.extend(inside.get(at..).and_then(noted));
    }
    loop {
        let rest = after.trim_start_matches(|ch: char| ch == ' ' || ".,;:!*|".contains(ch));
        // Several notes may follow one another: `[1][2]`.
        let Some(len) = note(rest) else { break };
        found.extend(noted(rest));
        after = rest.get(len..).unwrap_or_default();
    }
    let split =
        |name: &'a str| name.split([',', '،']).map(|one| one.trim().trim_start_matches('^'));
    found.into_iter().flat_map(split).collect()
}

/// The text between the brackets of a note that a text begins with.
fn noted(text: &str) -> Option<&str> {
    let len = note(text)?;
    text.get(1..len)?.strip_suffix(']')
}

/// The lines that define a note: `[1] Handbook`, `[^1]: Handbook`.
fn references(answer: &str) -> Vec<(&str, &str)> {
    let reference = |line: &'_ str| -> Option<(usize, usize)> {
        let inside = line.strip_prefix('[')?;
        let (name, title) = inside.split_once(']')?;
        let number = name.trim_start_matches('^');
        let numbered = !number.is_empty() && number.chars().all(is_digit);
        let title = title.trim_start_matches([':', ' ']);
        let titled = numbered && title.starts_with(char::is_alphanumeric);
        titled.then_some((number.len(), title.len()))
    };
    let lines = answer.lines().map(|line| line.trim().trim_start_matches(['-', '*', ' ']));
    lines
        .filter_map(|line| {
            let (number, title) = reference(line)?;
            let start = line.len() - title;
            let inside = line.get(1..)?.trim_start_matches('^');
            Some((inside.get(..number)?, line.get(start..)?))
        })
        .collect()
}

/// The words of a text that name something, in order.
fn names(text: &str) -> String {
    let plain = plain(text);
    // Arabic letters have two bytes: this compares their bytes with half of all.
    let arabic = plain.chars().filter(|ch| is_arabic(*ch)).count() * 2 > plain.len() / 2;
    let all: Vec<&str> = plain.split_whitespace().map(bare).collect();
    let kept = (0..all.len()).filter(|at| is_name(&all, *at, arabic));
    let kept: Vec<&str> = kept.filter_map(|at| all.get(at).copied()).collect();
    kept.join(" ")
}

fn bare(word: &str) -> &str {
    let word = word.trim_matches(|ch: char| !ch.is_alphanumeric());
    word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(word)
}

fn is_name(all: &[&str], at: usize, arabic: bool) -> bool {
    let word = |at: usize| all.get(at).copied();
    let Some(this) = word(at) else { return false };
    let before = at.checked_sub(1).and_then(word);
    let mixed = this.contains(is_digit) && this.contains(char::is_alphabetic);
    let file = this.split_once('.').is_some_and(|(_, end)| FILE_EXTENSIONS.contains(&end));
    let number = this.chars().all(is_digit) && !this.is_empty();
    let counts = |before: &str| NUMBERED_DOCUMENT_WORDS.contains(&folded(before).as_str());
    let numbered = number && (before.is_some_and(counts) || is_year(this));
    let coded = this.contains('/') && this.contains(is_digit);
    if mixed || file || numbered || coded {
        return true;
    }
    let is_document =
        |at: usize| word(at).is_some_and(|word| DOCUMENT_NOUNS.contains(&folded(word).as_str()));
    if arabic {
        let latin = this.starts_with(|ch: char| ch.is_ascii_alphabetic());
        // The words after `نظام` say which: `نظام العمل السعودي`.
        return latin || (at.saturating_sub(3)..=at).any(is_document);
    }
    let capital = |word: &str| word.starts_with(char::is_uppercase);
    let inner = this.chars().skip(1).any(char::is_uppercase);
    // The first word of a sentence has a capital anyway; a second capital makes it a name.
    let begins = at == 0 && !inner && !word(1).is_some_and(capital);
    let common = |at: usize| {
        word(at).is_none_or(|word| COMMON_WORDS.contains(&folded(word).as_str()) || word.is_empty())
    };
    // `the travel policy`: the words between the article and the noun, and the noun.
    let end = (at..at + 3).find(|one| is_document(*one));
    let described = end.is_some_and(|end| {
        let modified = end > at || at > 0 && !common(at - 1);
        modified && (at..=end).all(|one| !common(one))
    });
    capital(this) && !begins && !common(at) || described
}

fn is_year(number: &str) -> bool {
    let century = ["19", "20", "14", "١٩", "٢٠", "١٤"];
    number.chars().count() == 4 && century.iter().any(|start| number.starts_with(start))
}

/// Words that name nothing, also with a capital: small words, months and currencies.
const COMMON_WORDS: &[&str] = &[
    "the",
    "a",
    "an",
    "this",
    "that",
    "these",
    "those",
    "its",
    "their",
    "your",
    "our",
    "his",
    "her",
    "any",
    "each",
    "every",
    "no",
    "all",
    "some",
    "such",
    "same",
    "of",
    "in",
    "on",
    "at",
    "to",
    "by",
    "for",
    "from",
    "with",
    "without",
    "under",
    "after",
    "before",
    "up",
    "as",
    "and",
    "or",
    "but",
    "if",
    "when",
    "is",
    "are",
    "was",
    "were",
    "be",
    "has",
    "have",
    "may",
    "can",
    "must",
    "shall",
    "will",
    "should",
    "not",
    "it",
    "they",
    "he",
    "she",
    "you",
    "we",
    "i",
    "keeps",
    "ends",
    "end",
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "usd",
    "eur",
    "gbp",
    "sek",
    "sar",
    "aed",
    "egp",
    "vat",
];

const FILE_EXTENSIONS: &[&str] =
    &["pdf", "docx", "doc", "xlsx", "xls", "csv", "txt", "md", "html", "htm", "eml", "pptx"];

const NUMBERED_DOCUMENT_WORDS: &[&str] = &[
    "no",
    "nr",
    "number",
    "law",
    "act",
    "decree-law",
    "decree",
    "rfc",
    "regulation",
    "رقم",
    "لسنة",
];

/// Words for documents, in folded form.
const DOCUMENT_NOUNS: &[&str] = &[
    "law",
    "act",
    "code",
    "policy",
    "policies",
    "handbook",
    "regulation",
    "regulations",
    "decree",
    "agreement",
    "contract",
    "guide",
    "guidelines",
    "manual",
    "charter",
    "directive",
    "standard",
    "statute",
    "terms",
    "report",
    "playbook",
    "memo",
    "نظام",
    "لنظام",
    "النظام",
    "بنظام",
    "قانون",
    "لقانون",
    "القانون",
    "بقانون",
    "لائحة",
    "اللائحة",
    "لائحه",
    "سياسة",
    "لسياسة",
    "دليل",
    "لدليل",
    "عقد",
    "اتفاقية",
    "مرسوم",
    "المرسوم",
    "ميثاق",
    "تقرير",
];
