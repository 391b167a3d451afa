//! Words without marks: as a reader sees them, and as phrases are compared.

use std::ops::Range;

use dalil_documents::sentence::{marker, note};

/// A text without emphasis, code marks, link targets and citations, its white space folded.
pub(super) fn plain(markdown: &str) -> String {
    let mut plain = String::with_capacity(markdown.len());
    for (n, line) in markdown.lines().enumerate() {
        let quoted = line.trim_start().trim_start_matches(['>', ' ']);
        // A span begins behind the mark of its quotation; only later lines still have theirs.
        let line = if n == 0 { line } else { quoted };
        let skip = marker(line.trim_start()).map_or(0, |marker| marker.len);
        push_line(&mut plain, line.trim_start().get(skip..).unwrap_or_default());
        plain.push(' ');
    }
    let mut folded = String::with_capacity(plain.len());
    for word in plain.split_whitespace() {
        let joins = folded.is_empty() || word.chars().all(|ch| ".,;:،؛".contains(ch));
        if !joins {
            folded.push(' ');
        }
        folded.push_str(word);
    }
    folded
}

fn push_line(plain: &mut String, line: &str) {
    let mut rest = line;
    while let Some(ch) = rest.chars().next() {
        let noted = if matches!(ch, '[' | '【') { note(rest) } else { None };
        if let Some(length) = noted {
            rest = rest.get(length..).unwrap_or_default();
            continue;
        }
        let skip = match ch {
            ']' if rest.starts_with("](") => target(rest),
            '*' | '`' | '[' | ']' => 1,
            '~' | '_' if rest.starts_with("~~") || rest.starts_with("__") => 2,
            // An underscore inside a word, as in `file_name`, is a letter of it.
            '_' if plain.ends_with(|ch: char| !ch.is_alphanumeric()) => 1,
            '_' if !rest.get(1..).unwrap_or_default().starts_with(char::is_alphanumeric) => 1,
            _ => {
                plain.push(ch);
                ch.len_utf8()
            }
        };
        rest = rest.get(skip..).unwrap_or_default();
    }
}

/// The length of `](target)`, or of its bracket where nothing closes it.
fn target(rest: &str) -> usize {
    // A space or bracket ends the search: many links that nothing closes cost no square.
    let inside = rest.get(2..).unwrap_or_default();
    let end =
        inside.find([')', '[', ']', ' ']).filter(|at| inside.as_bytes().get(*at) == Some(&b')'));
    end.map_or(1, |at| 2 + at + 1)
}

/// Lower case, without marks of emphasis, the optional marks of Arabic and its forms of alef.
pub(super) fn folded(text: &str) -> String {
    // ASCII needs no tables of Unicode, and most English answers are nothing else.
    if text.is_ascii() {
        let marks = |byte: &u8| !matches!(byte, b'*' | b'`');
        let letters = text.bytes().filter(marks).map(|byte| char::from(byte.to_ascii_lowercase()));
        return letters.collect();
    }
    let mut folded = String::with_capacity(text.len());
    for ch in text.chars() {
        match ch {
            '\u{64b}'..='\u{652}' | '\u{670}' | '\u{640}' | '*' | '`' => {}
            'أ' | 'إ' | 'آ' => folded.push('ا'),
            'ى' => folded.push('ي'),
            '’' | '‘' => folded.push('\''),
            '\u{600}'..='\u{6ff}' => folded.push(ch),
            other => folded.extend(other.to_lowercase()),
        }
    }
    folded
}

/// The words of a text: letters, digits and the signs inside words.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    spans(text).filter_map(|span| text.get(span))
}

/// Where the words of a text are.
pub(super) fn spans(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = text.get(at..)?;
        let start = at + rest.find(char::is_alphanumeric)?;
        let word = text.get(start..)?;
        let inside = |ch: char| ch.is_alphanumeric() || "'’ـ".contains(ch) || is_mark(ch);
        let end = start + word.find(|ch| !inside(ch)).unwrap_or(word.len());
        at = end;
        Some(start..end)
    })
}

fn is_mark(ch: char) -> bool {
    matches!(ch, '\u{64b}'..='\u{652}' | '\u{670}')
}
