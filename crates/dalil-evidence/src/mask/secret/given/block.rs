//! Values that start on the line after their name, as YAML and letters have them.

/// Where the value ends that is given to the name whose colon is here, when it
/// starts on the next line: a block (`|`, `>-`), or one word that is no name.
pub(super) fn end(text: &str, at: usize) -> Option<usize> {
    let rest = text.get(at..)?.strip_prefix(':')?;
    let near = rest.get(..rest.floor_char_boundary(MAX_BLOCK_HEADER_BYTES))?;
    let header_end = near.find('\n')?;
    let header = near.get(..header_end)?.trim();
    let body_at = at + 1 + header_end + 1;
    if header.is_empty() {
        return word(text, body_at);
    }
    let sign = header.trim_start_matches(['|', '>']);
    let is_block = sign.len() + 1 == header.len()
        && sign.bytes().all(|byte| matches!(byte, b'+' | b'-' | b'0'..=b'9'));
    is_block.then(|| block(text, body_at, key_indent(text, at)?))?
}

/// The end of the lines that are deeper than the name.
fn block(text: &str, from: usize, deeper: usize) -> Option<usize> {
    let mut end = None;
    let mut at = from;
    for line in text.get(from..)?.split_inclusive('\n') {
        let is_blank = line.trim().is_empty();
        if !is_blank && indent(line) <= deeper {
            break;
        }
        if !is_blank {
            end = Some(at + line.trim_end().len());
        }
        at += line.len();
    }
    end
}

/// The end of a line that is one word, with what words do not have.
pub(super) fn word(text: &str, from: usize) -> Option<usize> {
    let line = text.get(from..)?.split('\n').next()?;
    let word = line.trim();
    let told =
        word.chars().any(char::is_numeric) || word.chars().any(|ch| "!@#$%^&*+?~".contains(ch));
    let fits = (MIN_SECRET_WORD_BYTES..=MAX_SECRET_WORD_BYTES).contains(&word.len())
        && told
        && !word.contains(char::is_whitespace)
        && !word.contains([':', '=', '[', '{', '<']);
    fits.then(|| from + line.trim_end().len())
}

/// The indentation of the line with a name; a list's mark is a part of it.
fn key_indent(text: &str, at: usize) -> Option<usize> {
    let from = text.ceil_char_boundary(at.saturating_sub(MAX_LINE_BYTES));
    let head = text.get(from..at)?;
    match head.rfind('\n') {
        Some(end) => head.get(end + 1..).map(indent),
        None => (from == 0).then(|| indent(head)),
    }
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

/// The limits of the search for the sign and the end of a block: the work stays linear in the text.
const MAX_BLOCK_HEADER_BYTES: usize = 16;
const MAX_LINE_BYTES: usize = 256;
/// A shorter word in a block is a word of a sentence; a longer one is data.
const MIN_SECRET_WORD_BYTES: usize = 6;
const MAX_SECRET_WORD_BYTES: usize = 128;
