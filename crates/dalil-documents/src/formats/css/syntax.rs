//! The outer shape of style sheets: comments, strings, escapes, brackets and blocks.

/// A part of a sheet, or of a block in it.
#[derive(Clone, Copy, Debug)]
pub(super) enum SheetItem<'s> {
    /// What a semicolon ends: a declaration, or a rule without a block.
    Statement(&'s str),
    Block {
        before: &'s str,
        body: &'s str,
    },
}

/// The bytes of a text that are outside of strings and escapes, each with how many brackets are
/// open around it.
struct PlainBytes<'t> {
    text: &'t str,
    at: usize,
    open: Vec<u8>,
}

impl<'t> PlainBytes<'t> {
    fn new(text: &'t str) -> Self {
        Self { text, at: 0, open: Vec::new() }
    }

    /// Where an address without quotation marks ends, if one begins in the parenthesis here.
    fn address_end(&self, at: usize) -> Option<usize> {
        let word = self.text.as_bytes().get(at.checked_sub(3)?..at)?;
        let inside = self.text.get(at + 1..)?;
        let is_quoted = inside.trim_start().starts_with(['"', '\'']);
        (word.eq_ignore_ascii_case(b"url") && !is_quoted)
            .then(|| inside.find(')').map_or(self.text.len(), |end| at + 1 + end))
    }
}

impl Iterator for PlainBytes<'_> {
    type Item = (usize, u8, usize);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let at = self.at;
            let byte = *self.text.as_bytes().get(at)?;
            self.at += 1;
            let depth = self.open.len();
            match byte {
                b'\\' => self.at += 1,
                b'"' | b'\'' => self.at = string_end(self.text, at) + 1,
                b'(' | b'[' | b'{' => {
                    // Only a parenthesis begins an address: the search for its end goes far.
                    if byte == b'('
                        && let Some(end) = self.address_end(at)
                    {
                        self.at = end;
                    }
                    self.open.push(byte);
                    return Some((at, byte, depth));
                }
                b')' | b']' | b'}' => {
                    let opening = match byte {
                        b')' => b'(',
                        b']' => b'[',
                        _ => b'{',
                    };
                    // One that closes nothing stands for itself.
                    if self.open.last() == Some(&opening) {
                        self.open.pop();
                    }
                    return Some((at, byte, self.open.len()));
                }
                byte => return Some((at, byte, depth)),
            }
        }
    }
}

/// The parts of a sheet without comments; a browser closes what it leaves open.
pub(super) fn items(text: &str) -> Vec<SheetItem<'_>> {
    let mut found = Vec::new();
    let mut from = 0;
    let mut block: Option<usize> = None;
    for (at, byte, depth) in PlainBytes::new(text) {
        if depth > 0 {
            continue;
        }
        match (byte, block) {
            (b'{', None) => block = Some(at),
            (b'}', Some(open)) => {
                found.extend(block_item(text, (from, open, at)));
                (from, block) = (at + 1, None);
            }
            // One that closes nothing ends nothing either, but parts what is around it.
            (b';' | b'}', None) => {
                found.extend(statement(text.get(from..at)));
                from = at + 1;
            }
            _ => {}
        }
    }
    match block {
        Some(open) => found.extend(block_item(text, (from, open, text.len()))),
        None => found.extend(statement(text.get(from..))),
    }
    found
}

fn statement(text: Option<&str>) -> Option<SheetItem<'_>> {
    text.map(str::trim).filter(|text| !text.is_empty()).map(SheetItem::Statement)
}

fn block_item(text: &str, (from, open, end): (usize, usize, usize)) -> Option<SheetItem<'_>> {
    let before = text.get(from..open)?.trim();
    // The marks of an HTML comment around a sheet are skipped (CSS Syntax 3, 5.4.1).
    let before = before.trim_start_matches("<!--").trim_start_matches("-->").trim();
    Some(SheetItem::Block { before, body: text.get(open + 1..end)? })
}

/// The parts of a text between these signs; one in a string or in brackets parts nothing.
pub(super) fn split(text: &str, sign: u8) -> Vec<&str> {
    let mut found = Vec::new();
    let mut from = 0;
    for (at, byte, depth) in PlainBytes::new(text) {
        if byte == sign && depth == 0 {
            found.extend(text.get(from..at));
            from = at + 1;
        }
    }
    found.extend(text.get(from..));
    found
}

/// The words of a value; a function is one, with all that is in it.
pub(super) fn words(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut from = 0;
    for (at, byte, depth) in PlainBytes::new(text) {
        if depth == 0 && byte.is_ascii_whitespace() {
            found.extend(text.get(from..at).filter(|word| !word.is_empty()));
            from = at + 1;
        }
    }
    found.extend(text.get(from..).filter(|word| !word.is_empty()));
    found
}

/// The name of the function that a text is, and what is inside of it.
pub(super) fn function(text: &str) -> Option<(&str, &str)> {
    let (name, inside) = text.trim().strip_suffix(')')?.split_once('(')?;
    Some((name.trim(), inside))
}

/// The functions of a value, by name.
pub(super) fn functions(text: &str) -> impl Iterator<Item = (&str, &str)> {
    words(text).into_iter().filter_map(function)
}

/// What is inside of the parenthesis that is open where a text begins, and what follows it.
pub(super) fn enclosed(text: &str) -> (&str, &str) {
    let mut open = 1_usize;
    for (at, byte, _) in PlainBytes::new(text) {
        match byte {
            b'(' => open += 1,
            b')' => open -= 1,
            _ => {}
        }
        if open == 0 {
            let (inside, after) = text.split_at_checked(at).unwrap_or((text, ""));
            return (inside, after.get(1..).unwrap_or_default());
        }
    }
    (text, "")
}

/// Where a string ends that begins here: at its quotation mark, or with its line.
fn string_end(text: &str, start: usize) -> usize {
    let quote = text.as_bytes().get(start).copied();
    let mut at = start + 1;
    while let Some(byte) = text.as_bytes().get(at).copied() {
        match byte {
            b'\\' => at += 1,
            b'\n' => return at,
            byte if Some(byte) == quote => return at,
            _ => {}
        }
        at += 1;
    }
    at
}

/// A text without the comments in it; in a string there are none.
pub(super) fn uncommented(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let (mut from, mut at) = (0, 0);
    while let Some(byte) = text.as_bytes().get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' | b'\'' => at = string_end(text, at) + 1,
            b'/' if text.as_bytes().get(at + 1) == Some(&b'*') => {
                plain.push_str(text.get(from..at).unwrap_or_default());
                // A comment that nothing closes takes the rest (CSS Syntax 3, 4.3.2).
                let end = text.get(at + 2..).and_then(|rest| rest.find("*/"));
                at = end.map_or(text.len(), |end| at + end + 4);
                from = at;
            }
            _ => at += 1,
        }
    }
    plain.push_str(text.get(from..).unwrap_or_default());
    plain
}

/// A word whose letters may be written by their codes: `\6e one` is `none`.
pub(super) fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(ch) = chars.next() {
        if ch != '\\' {
            plain.push(ch);
            continue;
        }
        // One to six digits, then one space that belongs to them (CSS Syntax 3, 4.3.7).
        let mut code = 0;
        let mut digits = 0;
        while digits < 6
            && let Some(digit) = chars.peek().and_then(|ch| ch.to_digit(16))
        {
            code = code * 16 + digit;
            digits += 1;
            chars.next();
        }
        if digits > 0 {
            chars.next_if(|ch| ch.is_ascii_whitespace());
            plain.extend(char::from_u32(code));
        } else {
            plain.extend(chars.next());
        }
    }
    plain
}
