//! Text in boxes of fixed width: measured as terminals show it, wrapped on words, made harmless.

use dalil_proof::fault::steers;
use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

/// How many columns a visible text takes.
///
/// Graphemes are measured one by one, as terminals advance: a ligature of two
/// letters takes the columns of two.
pub fn width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.graphemes(true).map(|one| one.width()).sum() }
}

/// The text with spaces up to `columns`.
pub fn padded(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// The lines of a text, each within `columns`: broken between words, inside a word only when
/// it is wider than a line, and never inside a grapheme. At least one line.
pub fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut used = 0;
    // Escaped before it is measured: an escape takes columns that the character did not take.
    for word in visible(text).split_whitespace() {
        let needs = width(word);
        if !line.is_empty() && used + 1 + needs <= columns {
            line.push(' ');
            line.push_str(word);
            used += 1 + needs;
            continue;
        }
        if !line.is_empty() {
            lines.push(std::mem::take(&mut line));
            used = 0;
        }
        // A word that fits passes through whole; only one wider than a line meets the break inside.
        for grapheme in word.graphemes(true) {
            let needs = grapheme.width();
            if used + needs > columns && !line.is_empty() {
                lines.push(std::mem::take(&mut line));
                used = 0;
            }
            line.push_str(grapheme);
            used += needs;
        }
    }
    if !line.is_empty() || lines.is_empty() {
        lines.push(line);
    }
    lines
}

/// The text with white space as it is, and every other character that a terminal would obey
/// instead of show written as an escape.
pub(crate) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for ch in text.chars() {
        if steers(ch) && !ch.is_whitespace() {
            shown.extend(ch.escape_unicode());
        } else {
            shown.push(ch);
        }
    }
    shown
}
