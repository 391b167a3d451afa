//! Rust text, line by line: what is code, what is comment, where functions end.
//!
//! A scanner, not a parser. It knows comments, strings, raw strings and
//! character literals, and counts braces. It does not expand macros, and takes
//! every `fn name` that opens a brace for a function.

#[cfg(test)]
mod tests;

/// A Rust file, scanned.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) lines: Vec<Line>,
}

/// One line of a Rust file.
#[derive(Debug, Default)]
pub(crate) struct Line {
    /// The code, with `"` in place of every character of a literal.
    pub(crate) code: String,
    /// The text of the comment on this line, `//` included.
    pub(crate) comment: String,
}

impl Line {
    /// Whether anything is here but comments and space.
    pub(crate) fn has_code(&self) -> bool {
        !self.code.trim().is_empty()
    }

    /// Whether a comment stands alone on this line and is not documentation.
    pub(crate) fn is_inner_comment(&self) -> bool {
        let documents = ["///", "//!", "/**", "/*!"];
        let comment = self.comment.trim_start();
        !self.has_code()
            && !comment.is_empty()
            && !documents.iter().any(|start| comment.starts_with(start))
    }
}

/// A function: its name, where it starts, and how many lines of code its body has.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) line: usize,
    pub(crate) body: usize,
}

impl Source {
    /// Scans a file.
    pub(crate) fn scan(text: &str) -> Self {
        let mut state = State::Code;
        let lines = text.lines().map(|line| scan_line(line, &mut state)).collect();
        Self { lines }
    }

    /// How many lines have code.
    pub(crate) fn code_lines(&self) -> usize {
        self.lines.iter().filter(|line| line.has_code()).count()
    }

    /// The words of the code, each with its line number, punctuation apart.
    pub(crate) fn words(&self) -> impl Iterator<Item = (usize, &str)> {
        let is_word = |ch: char| ch.is_alphanumeric() || ch == '_' || ch == '!';
        self.lines.iter().enumerate().flat_map(move |(n, line)| {
            let words = line.code.split(move |ch| !is_word(ch));
            words.filter(|word| !word.is_empty()).map(move |word| (n + 1, word))
        })
    }

    /// Every function with a body.
    pub(crate) fn functions(&self) -> Vec<Function> {
        let heads = self.lines.iter().enumerate().filter_map(|(n, line)| {
            let (_, after) = split_at_word(&line.code, "fn")?;
            let name: String = after
                .trim_start()
                .chars()
                .take_while(|ch| ch.is_alphanumeric() || *ch == '_')
                .collect();
            (!name.is_empty()).then_some((n, name))
        });
        heads
            .filter_map(|(n, name)| Some(Function { name, line: n + 1, body: self.body_from(n)? }))
            .collect()
    }

    /// The lines of code inside the first block that opens at or after line `start`.
    fn body_from(&self, start: usize) -> Option<usize> {
        let mut braces = 0_usize;
        let mut brackets = 0_i32;
        let mut body = 0;
        for (n, line) in self.lines.iter().enumerate().skip(start) {
            let outside = braces == 0;
            let skip = if n == start { line.code.find("fn ").unwrap_or(0) } else { 0 };
            for ch in line.code.chars().skip(skip) {
                match ch {
                    '(' | '[' => brackets += 1,
                    ')' | ']' => brackets -= 1,
                    ';' if braces == 0 && brackets == 0 => return None,
                    '{' => braces += 1,
                    '}' if braces <= 1 => return Some(body),
                    '}' => braces -= 1,
                    _ => {}
                }
            }
            body += usize::from(!outside && line.has_code());
        }
        None
    }
}

/// What the scanner is inside of.
#[derive(Clone, Copy)]
enum State {
    Code,
    /// A block comment, so many deep.
    Comment(usize),
    /// A string with escapes.
    Text,
    /// A raw string that so many `#` close.
    Raw(usize),
}

fn scan_line(text: &str, state: &mut State) -> Line {
    let mut line = Line::default();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let taken = match *state {
            State::Code => scan_code(rest, state, &mut line),
            State::Comment(depth) => scan_comment(rest, depth, state, &mut line),
            State::Text => scan_text(rest, state, &mut line),
            State::Raw(hashes) => scan_raw(rest, hashes, state, &mut line),
        };
        rest = rest.get(taken.max(first.len_utf8())..).unwrap_or_default();
    }
    line
}

/// Takes one piece of code, or the start of something else; says how many bytes it took.
fn scan_code(rest: &str, state: &mut State, line: &mut Line) -> usize {
    if rest.starts_with("//") {
        line.comment.push_str(rest);
        return rest.len();
    }
    if rest.starts_with("/*") {
        *state = State::Comment(1);
        line.comment.push_str("/*");
        return 2;
    }
    let in_word = line.code.ends_with(|ch: char| ch.is_alphanumeric() || ch == '_');
    if let Some(hashes) = raw_start(rest).filter(|_| !in_word) {
        *state = State::Raw(hashes);
        line.code.push('"');
        return rest.find('"').map_or(1, |quote| quote + 1);
    }
    if rest.starts_with('"') {
        *state = State::Text;
        line.code.push('"');
        return 1;
    }
    if let Some(length) = char_literal(rest) {
        line.code.push('"');
        return length;
    }
    line.code.extend(rest.chars().next());
    1
}

fn scan_comment(rest: &str, depth: usize, state: &mut State, line: &mut Line) -> usize {
    if rest.starts_with("*/") {
        *state = if depth == 1 { State::Code } else { State::Comment(depth - 1) };
        return 2;
    }
    if rest.starts_with("/*") {
        *state = State::Comment(depth + 1);
        return 2;
    }
    line.comment.extend(rest.chars().next());
    1
}

fn scan_text(rest: &str, state: &mut State, line: &mut Line) -> usize {
    line.code.push(if rest.starts_with(' ') { ' ' } else { '"' });
    if rest.starts_with('\\') {
        return rest.chars().take(2).map(char::len_utf8).sum();
    }
    if rest.starts_with('"') {
        *state = State::Code;
    }
    1
}

fn scan_raw(rest: &str, hashes: usize, state: &mut State, line: &mut Line) -> usize {
    line.code.push(if rest.starts_with(' ') { ' ' } else { '"' });
    let closes = rest
        .strip_prefix('"')
        .is_some_and(|after| after.bytes().take_while(|byte| *byte == b'#').count() >= hashes);
    if closes {
        *state = State::Code;
        return 1 + hashes;
    }
    1
}

/// How many `#` a raw string that starts here has, if one does.
fn raw_start(rest: &str) -> Option<usize> {
    let after = ["r", "br", "cr"].iter().find_map(|prefix| {
        rest.strip_prefix(prefix).filter(|after| after.starts_with(['#', '"']))
    })?;
    let hashes = after.bytes().take_while(|byte| *byte == b'#').count();
    after.get(hashes..)?.starts_with('"').then_some(hashes)
}

/// The length of a character literal that starts here; a lifetime is none.
fn char_literal(rest: &str) -> Option<usize> {
    let inside = rest.strip_prefix('\'')?;
    let mut chars = inside.chars();
    let first = chars.next()?;
    if first == '\\' {
        let escaped = chars.next()?.len_utf8();
        let end = inside.get(1 + escaped..)?.find('\'')?;
        return Some(1 + 1 + escaped + end + 1);
    }
    (chars.next()? == '\'').then(|| 1 + first.len_utf8() + 1)
}

/// Splits at a word that stands alone.
pub(crate) fn split_at_word<'t>(text: &'t str, word: &str) -> Option<(&'t str, &'t str)> {
    let is_word = |ch: char| ch.is_alphanumeric() || ch == '_';
    text.match_indices(word).find_map(|(start, _)| {
        let (before, from) = text.split_at_checked(start)?;
        let after = from.get(word.len()..)?;
        (!before.ends_with(is_word) && !after.starts_with(is_word)).then_some((before, after))
    })
}
