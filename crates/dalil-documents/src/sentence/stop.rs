//! Stops: which of them end a sentence.

use super::abbreviation::{self, AbbreviationKind};
use super::{is_arabic, is_digit, is_direction, marker};

/// Where the sentences of a paragraph end, the last one left out, in order.
pub(super) fn ends(text: &str) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut start = opening(text);
    // Stops before this place are inside an aside in brackets.
    let mut shield = 0;
    let mut closes = 0;
    let mut skip = 0;
    for (at, ch) in text.char_indices() {
        if at < skip {
            continue;
        }
        if ch == '(' && at > start {
            // A bracket is looked for only beyond the last one found, so all searches are linear.
            closes = if closes < at { next_close(text, at) } else { closes };
            shield = if closes - at <= MAX_ASIDE_BYTES { closes } else { shield };
        }
        if at < shield || at < start || !is_stop(ch) {
            continue;
        }
        let end = after_stop(text, at);
        skip = end;
        let stop = SentenceStop { text, start, at, end };
        // The end of the text is left to the caller, who closes the last sentence.
        if end < text.len() && stop.ends() {
            ends.push(end);
            start = end + leading_space(text.get(end..).unwrap_or_default());
        }
    }
    ends
}

/// Where the words of a paragraph begin: behind its marker, whose stop ends nothing.
fn opening(text: &str) -> usize {
    let space = leading_space(text);
    let inside = text.get(space..).unwrap_or_default();
    let marked = marker(inside).map_or(0, |marker| marker.len);
    space + marked + leading_space(inside.get(marked..).unwrap_or_default())
}

/// One run of stops with the signs that belong to it.
struct SentenceStop<'t> {
    text: &'t str,
    /// Where the sentence begins.
    start: usize,
    /// The first stop.
    at: usize,
    /// Behind the stops, closing marks and citations.
    end: usize,
}

impl SentenceStop<'_> {
    fn ends(&self) -> bool {
        let rest = self.text.get(self.end..).unwrap_or_default();
        let next = rest.trim_start();
        let run = self.text.get(self.at..self.end).unwrap_or_default();
        let first = run.chars().next().unwrap_or('.');
        let Some(letter) =
            next.chars().find(|ch| !OPENING_MARKS.contains(*ch) && !is_direction(*ch))
        else {
            return false;
        };
        if !rest.starts_with(char::is_whitespace) {
            return self.ends_without_space(first, letter);
        }
        // A small letter or a comma continues the sentence after any stop.
        if letter.is_lowercase() || next.starts_with([',', ';', ':', ')', '،', '؛']) {
            return false;
        }
        // Dots of omission end a sentence only before a capital; Arabic has none.
        if first == '…' || run.starts_with("..") {
            return letter.is_uppercase();
        }
        first != '.' || self.full_stop_ends(next)
    }

    /// Arabic is often written without a space after the stop, and Chinese always.
    fn ends_without_space(&self, first: char, letter: char) -> bool {
        if "。！？".contains(first) {
            return true;
        }
        let before = self.text.get(self.start..self.at).unwrap_or_default();
        // Fewer than three Arabic letters may be an initial: `د.`
        let word = before.chars().rev().take(3).filter(|ch| is_arabic(*ch)).count();
        is_arabic(letter) && (word == 3 || first != '.' && word > 0)
    }

    /// Whether one full stop before white space ends the sentence; `next` is the text after it.
    fn full_stop_ends(&self, next: &str) -> bool {
        let before = self.text.get(self.start..self.at).unwrap_or_default();
        let word = last_word(before);
        let first = next.split_once(char::is_whitespace).map_or(next, |(first, _)| first);
        let first = first.trim_matches(|ch: char| !ch.is_alphanumeric());
        let earlier = before.get(..before.len() - word.len()).unwrap_or_default().trim_end();
        match abbreviation::meaning(word) {
            AbbreviationKind::Word => true,
            AbbreviationKind::Title => false,
            AbbreviationKind::Reference => !first.starts_with(is_digit) && !is_roman(first),
            AbbreviationKind::Name => abbreviation::begins_sentence(first),
            AbbreviationKind::Closing => !first.starts_with(is_digit),
            AbbreviationKind::Initial => {
                abbreviation::is_lettered(last_word(earlier))
                    || abbreviation::begins_sentence(first)
            }
            AbbreviationKind::ArabicLetter => {
                // After a year it is the era, after fewer digits the time of day.
                last_word(earlier).chars().filter(|ch| is_digit(*ch)).count() > 2
                    && !is_arabic_initial(first)
            }
        }
    }
}

/// The citation, footnote mark or source mark that a text begins with: its length.
pub fn note(text: &str) -> Option<usize> {
    let (open, close) = if text.starts_with('【') { ('【', '】') } else { ('[', ']') };
    let inside = text.strip_prefix(open)?;
    // Bounded, so that a text of open brackets still takes linear time.
    let end = inside.char_indices().take(80).find(|(_, ch)| *ch == close)?.0;
    let name = inside.get(..end)?;
    let is_mark = |name: &str| {
        let name = name.trim().trim_start_matches('^');
        !name.is_empty() && name.chars().all(is_digit)
    };
    let is_list = name.split([',', '،', '-', '–']).all(is_mark);
    let end = open.len_utf8() + end + close.len_utf8();
    // `[1](…)` and `[1]: …` are links of Markdown and no citations.
    let links = text.get(end..).is_some_and(|rest| rest.starts_with(['(', ':']));
    (open == '【' || name.starts_with("cite:") || is_list && !links).then_some(end)
}

/// Behind a run of stops, the closing marks after it, and citations.
fn after_stop(text: &str, at: usize) -> usize {
    let mut end = at;
    loop {
        let rest = text.get(end..).unwrap_or_default();
        let marks = rest.trim_start_matches(|ch: char| {
            is_stop(ch) || CLOSING_MARKS.contains(ch) || is_direction(ch)
        });
        end += rest.len() - marks.len();
        // A citation may follow after a space and still belongs to this sentence.
        let noted = leading_space(marks);
        match note(marks.get(noted..).unwrap_or_default()) {
            Some(len) => end += noted + len,
            None => return end,
        }
    }
}

/// Where the next bracket closes.
fn next_close(text: &str, from: usize) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    rest.find(')').map_or(usize::MAX, |at| from + at)
}

/// The last word before a place, with the stops inside it: `e.g`, `U.S`, `4.2`.
fn last_word(before: &str) -> &str {
    let mut letters = before.char_indices().rev().take(MAX_ABBREVIATION_CHARS);
    let cut = letters.find(|(_, ch)| !(ch.is_alphanumeric() || *ch == '.' || is_joiner(*ch)));
    // No border in reach: the text is that short, or the word is too long to be an abbreviation.
    let start = match cut {
        Some((at, ch)) => at + ch.len_utf8(),
        None if before.chars().nth(MAX_ABBREVIATION_CHARS).is_none() => 0,
        None => before.len(),
    };
    before.get(start..).unwrap_or_default()
}

/// Tatweel and marks, which stand inside Arabic words.
fn is_joiner(ch: char) -> bool {
    matches!(ch, '\u{640}' | '\u{64b}'..='\u{652}')
}

fn leading_space(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

fn is_roman(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|ch| "IVXLC".contains(ch))
}

fn is_arabic_initial(word: &str) -> bool {
    word.chars().filter(|ch| is_arabic(*ch)).count() == 1
}

fn is_stop(ch: char) -> bool {
    matches!(ch, '.' | '!' | '?') || !ch.is_ascii() && "؟۔…。！？।‼⁇⁈⁉".contains(ch)
}

const CLOSING_MARKS: &str = "\"'”’»)]}*_`~›】";
const OPENING_MARKS: &str = "\"'“‘«([{*_`~‹¿¡-–—•";

/// How many bytes an aside in brackets may have; in a longer one sentences end.
const MAX_ASIDE_BYTES: usize = 400;
/// No abbreviation is longer.
const MAX_ABBREVIATION_CHARS: usize = 16;
