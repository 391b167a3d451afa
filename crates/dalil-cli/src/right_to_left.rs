//! Views in Arabic for terminals that reorder text, such as those on VTE: they lay every line out from
//! left to right, and turn only the runs of Arabic in it, so that numbers, signs and columns change
//! places. Here each line is one isolate from right to left, at the right edge of the window.

use dalil_render::ledger::cell::width;

#[cfg(test)]
mod tests;

/// A view whose lines and tables run from right to left in a terminal of `columns` columns. A line
/// that is as wide as the terminal stays as it is: the mark that turns it needs a column before it.
pub(crate) fn laid_out(view: &str, columns: usize) -> String {
    let lines = view.split_inclusive('\n').map(|line| {
        let text = line.trim_end_matches('\n');
        let end = line.get(text.len()..).unwrap_or("");
        format!("{}{end}", turned(text, columns))
    });
    lines.collect()
}

/// How many columns there are for the text of a line, beside the mark that turns it.
pub(crate) fn room(columns: usize) -> usize {
    columns.saturating_sub(1)
}

fn turned(line: &str, columns: usize) -> String {
    let line = line.trim_end();
    let used = width(line);
    if line.is_empty() || used >= columns {
        // Marks on both sides of a border at least keep the letters of a cell inside it.
        return line.replace('│', "\u{200e}│\u{200e}");
    }
    // A terminal drops a mark that no column comes before, so one space at least.
    let space = " ".repeat(columns - used);
    let mirrored: String = line.chars().map(mirrored).collect();
    // A border between two Latin words is as Latin as they are, and would be reordered with them.
    let text = isolated(&mirrored).replace('│', "\u{200f}│\u{200f}");
    format!("{space}{START_RIGHT_TO_LEFT}{text}{END}")
}

/// The counterpart of a character at the other end of a line that runs the other way; brackets are
/// mirrored by terminals.
fn mirrored(ch: char) -> char {
    match ch {
        '┌' => '┐',
        '┐' => '┌',
        '├' => '┤',
        '┤' => '├',
        '└' => '┘',
        '┘' => '└',
        '↳' => '↲',
        '→' => '←',
        '←' => '→',
        other => other,
    }
}

/// A line with its runs of Latin words isolated, so that a number or a sign beside a name is not taken
/// for a part of it.
fn isolated(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let mut text = String::with_capacity(line.len());
    let mut at = 0;
    while at < words.len() {
        let run = latin_run(words.get(at..).unwrap_or(&[]));
        if at > 0 {
            text.push(' ');
        }
        if run == 0 {
            text.push_str(words.get(at).copied().unwrap_or(""));
            at += 1;
            continue;
        }
        let own = words.get(at..at + run).unwrap_or(&[]).join(" ");
        let start = own.find(is_latin).unwrap_or(0);
        let last = own.rfind(is_latin).map_or(own.len(), |last| last + 1);
        // An option begins with its hyphens, an abbreviated digest ends with its dots.
        let start = own.get(..start).map_or(0, |before| before.trim_end_matches(['-', '/']).len());
        let tail = own.get(last..).unwrap_or("");
        let last = last + tail.len() - tail.trim_start_matches(['…', '/']).len();
        let (before, rest) = own.split_at(start);
        let (inside, after) = rest.split_at(last - start);
        text.push_str(&format!("{before}{START_LEFT_TO_RIGHT}{inside}{END}{after}"));
        at += run;
    }
    text
}

/// How many words from the first on are of one Latin text: words with a Latin letter, and the words
/// between them.
fn latin_run(words: &[&str]) -> usize {
    let has_letter = |word: &&str| word.contains(|ch: char| ch.is_ascii_alphabetic());
    let is_between = |word: &&str| !word.is_empty() && word.is_ascii();
    let mut run = 0;
    for (n, word) in words.iter().enumerate() {
        if has_letter(word) {
            run = n + 1;
            // An Arabic comma beside a Latin word ends the run with it.
            if word.contains(is_arabic) {
                break;
            }
        } else if run == 0 || !is_between(word) {
            break;
        }
    }
    run
}

/// Letters and digits, with which a run of Latin text begins and ends.
fn is_latin(ch: char) -> bool {
    ch.is_ascii_alphanumeric()
}

fn is_arabic(ch: char) -> bool {
    matches!(ch, '\u{600}'..='\u{6ff}' | '\u{750}'..='\u{77f}' | '\u{8a0}'..='\u{8ff}')
}

const START_RIGHT_TO_LEFT: char = '\u{2067}';
const START_LEFT_TO_RIGHT: char = '\u{2066}';
const END: char = '\u{2069}';
