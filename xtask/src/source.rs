//! Rust text, line by line: code, comments, tests, and the ends of functions.
//!
//! A scanner, not a parser. It knows comments, strings, raw strings and
//! character literals, and counts braces. It does not expand macros, and takes
//! every `fn name` that opens a brace for a function.

#[cfg(test)]
mod tests;

/// A Rust file, scanned.
#[derive(Debug)]
pub(crate) struct RustSource {
    pub(crate) lines: Vec<RustLine>,
}

/// One line of a Rust file.
#[derive(Debug, Default)]
pub(crate) struct RustLine {
    /// The code, with `"` in place of every character of a literal.
    pub(crate) code: String,
    /// The text of the comment on this line, `//` included.
    pub(crate) comment: String,
    /// Whether this line belongs to an item of `#[cfg(test)]`, or the whole file to a test.
    pub(crate) in_test: bool,
}

impl RustLine {
    /// Whether anything is here but comments and space.
    pub(crate) fn has_code(&self) -> bool {
        !self.code.trim().is_empty()
    }

    /// Whether an item that is seen outside of its module begins here.
    pub(crate) fn is_public(&self) -> bool {
        split_at_word(&self.code, "pub").is_some_and(|(before, _)| before.trim().is_empty())
    }

    /// Whether a comment is alone on this line and is not documentation.
    pub(crate) fn is_inner_comment(&self) -> bool {
        let documents = ["///", "//!", "/**", "/*!"];
        let comment = self.comment.trim_start();
        !self.has_code()
            && !comment.is_empty()
            && !documents.iter().any(|start| comment.starts_with(start))
    }
}

/// A function: its name, where it starts, and how long it is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RustFunction {
    pub(crate) name: String,
    pub(crate) line: usize,
    /// The lines of code in its body.
    pub(crate) body: usize,
    /// All lines, from `fn` to the closing brace.
    pub(crate) length: usize,
}

impl RustSource {
    /// Scans a file.
    pub(crate) fn scan(text: &str) -> Self {
        let mut state = ScannerState::Code;
        let mut lines: Vec<_> = text.lines().map(|line| scan_line(line, &mut state)).collect();
        mark_tests(&mut lines);
        Self { lines }
    }

    /// Marks the whole file as part of a test.
    pub(crate) fn mark_as_test(&mut self) {
        self.lines.iter_mut().for_each(|line| line.in_test = true);
    }

    /// Whether nothing in the file is part of the program.
    pub(crate) fn is_test(&self) -> bool {
        self.lines.iter().all(|line| line.in_test)
    }

    /// Whether a line, counted from one, is part of a test.
    pub(crate) fn is_test_line(&self, line: usize) -> bool {
        self.line(line).is_some_and(|line| line.in_test)
    }

    /// A line, counted from one.
    pub(crate) fn line(&self, line: usize) -> Option<&RustLine> {
        self.lines.get(line.checked_sub(1)?)
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

    /// The words, literals and marks of the code, each with its line number; a mark is one
    /// character.
    pub(crate) fn tokens(&self) -> Vec<(usize, &str)> {
        let mut tokens = Vec::new();
        for (n, line) in self.lines.iter().enumerate() {
            let mut rest = line.code.trim_start();
            while let Some(first) = rest.chars().next() {
                let goes_on = |ch: char| if first == '"' { ch == '"' } else { is_word(ch) };
                let end = rest.find(|ch| !goes_on(ch)).unwrap_or(rest.len());
                let (token, after) = rest.split_at(end.max(first.len_utf8()));
                tokens.push((n + 1, token));
                rest = after.trim_start();
            }
        }
        tokens
    }

    /// Every function with a body.
    pub(crate) fn functions(&self) -> Vec<RustFunction> {
        let heads = self.lines.iter().enumerate().filter_map(|(n, line)| {
            let (_, after) = split_at_word(&line.code, "fn")?;
            let name: String = after.trim_start().chars().take_while(|ch| is_word(*ch)).collect();
            (!name.is_empty()).then_some((n, name))
        });
        heads
            .filter_map(|(n, name)| {
                let (body, end) = self.body_from(n)?;
                Some(RustFunction { name, line: n + 1, body, length: end + 1 - n })
            })
            .collect()
    }

    /// The lines of code inside the first block that opens at or after line `start`, and the
    /// line that closes it, both lines counted from zero.
    fn body_from(&self, start: usize) -> Option<(usize, usize)> {
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
                    // A declaration without a body; the `;` of `[u8; 4]` is inside brackets.
                    ';' if braces == 0 && brackets == 0 => return None,
                    '{' => braces += 1,
                    '}' if braces <= 1 => return Some((body, n)),
                    '}' => braces -= 1,
                    _ => {}
                }
            }
            body += usize::from(!outside && line.has_code());
        }
        None
    }
}

/// Marks the items under `#[cfg(test)]`.
fn mark_tests(lines: &mut [RustLine]) {
    let mut open = None;
    for line in lines {
        if open.is_none() && line.code.trim_start().starts_with("#[cfg(test)]") {
            open = Some(0);
        }
        if let Some(brackets) = open {
            line.in_test = true;
            open = brackets_after(&line.code, brackets);
        }
    }
}

/// How many brackets of an item are open after a line, unless the item ends in it.
fn brackets_after(code: &str, mut brackets: i32) -> Option<i32> {
    for ch in code.chars() {
        match ch {
            '(' | '[' | '{' => brackets += 1,
            ')' | ']' => brackets -= 1,
            '}' if brackets <= 1 => return None,
            '}' => brackets -= 1,
            ';' if brackets == 0 => return None,
            _ => {}
        }
    }
    Some(brackets)
}

/// The kind of text that the scanner is inside of.
#[derive(Clone, Copy)]
enum ScannerState {
    Code,
    /// A block comment, with its depth.
    Comment(usize),
    /// A string with escapes.
    Text,
    /// A raw string, with the number of `#` that close it.
    Raw(usize),
}

fn scan_line(text: &str, state: &mut ScannerState) -> RustLine {
    let mut line = RustLine::default();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let taken = match *state {
            ScannerState::Code => scan_code(rest, state, &mut line),
            ScannerState::Comment(depth) => scan_comment(rest, depth, state, &mut line),
            ScannerState::Text => scan_text(rest, state, &mut line),
            ScannerState::Raw(hashes) => scan_raw(rest, hashes, state, &mut line),
        };
        rest = rest.get(taken.max(first.len_utf8())..).unwrap_or_default();
    }
    line
}

/// Takes one piece of code, or the start of something else; returns how many bytes it took.
fn scan_code(rest: &str, state: &mut ScannerState, line: &mut RustLine) -> usize {
    if rest.starts_with("//") {
        line.comment.push_str(rest);
        return rest.len();
    }
    if rest.starts_with("/*") {
        *state = ScannerState::Comment(1);
        line.comment.push_str("/*");
        return 2;
    }
    // An `r` that ends an identifier begins no raw string.
    let in_word = line.code.ends_with(is_word);
    if let Some(hashes) = raw_start(rest).filter(|_| !in_word) {
        *state = ScannerState::Raw(hashes);
        line.code.push('"');
        return rest.find('"').map_or(1, |quote| quote + 1);
    }
    if rest.starts_with('"') {
        *state = ScannerState::Text;
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

fn scan_comment(rest: &str, depth: usize, state: &mut ScannerState, line: &mut RustLine) -> usize {
    if rest.starts_with("*/") {
        *state = if depth == 1 { ScannerState::Code } else { ScannerState::Comment(depth - 1) };
        return 2;
    }
    if rest.starts_with("/*") {
        *state = ScannerState::Comment(depth + 1);
        return 2;
    }
    line.comment.extend(rest.chars().next());
    1
}

fn scan_text(rest: &str, state: &mut ScannerState, line: &mut RustLine) -> usize {
    line.code.push(if rest.starts_with(' ') { ' ' } else { '"' });
    if rest.starts_with('\\') {
        return rest.chars().take(2).map(char::len_utf8).sum();
    }
    if rest.starts_with('"') {
        *state = ScannerState::Code;
    }
    1
}

fn scan_raw(rest: &str, hashes: usize, state: &mut ScannerState, line: &mut RustLine) -> usize {
    line.code.push(if rest.starts_with(' ') { ' ' } else { '"' });
    let closes = rest
        .strip_prefix('"')
        .is_some_and(|after| after.bytes().take_while(|byte| *byte == b'#').count() >= hashes);
    if closes {
        *state = ScannerState::Code;
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
    // `'a'` is a character, `'a` a lifetime: the quote after the letter decides.
    (chars.next()? == '\'').then(|| 1 + first.len_utf8() + 1)
}

/// Splits at a whole word.
pub(crate) fn split_at_word<'t>(text: &'t str, word: &str) -> Option<(&'t str, &'t str)> {
    text.match_indices(word).find_map(|(start, _)| {
        let (before, from) = text.split_at_checked(start)?;
        let after = from.get(word.len()..)?;
        (!before.ends_with(is_word) && !after.starts_with(is_word)).then_some((before, after))
    })
}

fn is_word(ch: char) -> bool {
    ch.is_alphanumeric() || ch == '_'
}
