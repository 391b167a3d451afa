//! Words: letters, digits and marks of a text, with their places and a folded form.

use std::collections::BTreeMap;
use std::ops::Range;

#[cfg(test)]
mod tests;

/// One word, number, code or mark of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WordToken {
    pub(super) span: Range<usize>,
    /// Lower case, Arabic letters in their plain shape, digits in ASCII.
    pub(super) form: String,
    pub(super) kind: WordKind,
    /// Which sentence it is in, from 0.
    pub(super) sentence: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WordKind {
    /// Letters in lower or no case.
    Small,
    /// Letters that begin with a capital.
    Capital,
    Digits,
    /// Letters and digits as one name: `V204`, `HR-B-04`.
    Code,
    Mark(char),
}

impl WordToken {
    pub(super) fn is(&self, form: &str) -> bool {
        self.form == form
    }

    pub(super) fn letters(&self) -> bool {
        matches!(self.kind, WordKind::Small | WordKind::Capital)
    }

    pub(super) fn arabic(&self) -> bool {
        self.form.starts_with(|c| ('\u{0600}'..='\u{06FF}').contains(&c))
    }

    /// A mark that ends a clause.
    pub(super) fn breaks(&self) -> bool {
        matches!(
            self.kind,
            WordKind::Mark(',' | '،' | ';' | '؛' | ':' | '.' | '!' | '?' | '؟' | '\n' | '|')
        )
    }
}

/// Cuts a text into words. Beyond [`MAX_WORDS`] the rest is not read.
pub(super) fn words(text: &str) -> Vec<WordToken> {
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let mut words: Vec<WordToken> = Vec::new();
    let mut sentence = 0;
    let mut at = 0;
    while let Some(&(_, first)) = chars.get(at)
        && words.len() < MAX_WORDS
    {
        let end = match class(first) {
            WordCharClass::Space => {
                at += 1;
                continue;
            }
            WordCharClass::Letter => run(&chars, at, letter_goes_on),
            WordCharClass::Digit => run(&chars, at, digit_goes_on),
            WordCharClass::Mark => at + 1,
        };
        let span = place(&chars, at, text.len())..place(&chars, end, text.len());
        let raw = text.get(span.clone()).unwrap_or_default();
        let word = WordToken { form: form(raw), kind: kind(raw, first), span, sentence };
        let next = chars.get(end).map(|&(_, c)| c);
        if ends_sentence(&word, words.last(), next) {
            sentence += 1;
        }
        words.push(word);
        at = end;
    }
    codes(words)
}

/// Folds a text to the form in which words are compared.
pub(super) fn fold(text: &str) -> String {
    text.chars().flat_map(fold_char).collect()
}

/// The spellings under which a word may be in a table: itself, and without its Arabic prefixes.
pub(super) fn spellings(form: &str) -> Vec<&str> {
    let mut found = vec![form];
    if !form.starts_with(|c| ('\u{0600}'..='\u{06FF}').contains(&c)) {
        return found;
    }
    let long = |rest: &&str| rest.chars().count() >= 2;
    let joined = form.strip_prefix(['و', 'ف']).filter(long);
    found.extend(joined);
    for base in [Some(form), joined].into_iter().flatten() {
        for prefix in ["ال", "بال", "كال", "لل", "ب", "ل", "ك"] {
            found.extend(base.strip_prefix(prefix).filter(long));
        }
    }
    found
}

/// A table of folded words.
#[derive(Debug)]
pub(super) struct WordTable<T>(BTreeMap<String, T>);

impl<T: Copy> WordTable<T> {
    /// Each entry is a list of words, separated by spaces, and their meaning.
    pub(super) fn of(entries: &[(&str, T)]) -> Self {
        let each = |&(words, value): &(&str, T)| -> Vec<(String, T)> {
            words.split_whitespace().map(|word| (fold(word), value)).collect()
        };
        Self(entries.iter().flat_map(each).collect())
    }

    pub(super) fn find(&self, form: &str) -> Option<T> {
        spellings(form).into_iter().find_map(|spelling| self.exact(spelling))
    }

    pub(super) fn exact(&self, form: &str) -> Option<T> {
        self.0.get(form).copied()
    }
}

/// A table of phrases, the longest first.
#[derive(Debug)]
pub(super) struct PhraseTable<T>(BTreeMap<String, Vec<(Vec<String>, T)>>);

impl<T: Copy> PhraseTable<T> {
    /// Each entry is a list of phrases, separated by `|`, and their meaning.
    pub(super) fn of(entries: &[(&str, T)]) -> Self {
        let mut table: BTreeMap<String, Vec<(Vec<String>, T)>> = BTreeMap::new();
        for &(phrases, value) in entries {
            for phrase in phrases.split('|') {
                let mut words = phrase.split_whitespace().map(fold);
                let Some(first) = words.next() else { continue };
                table.entry(first).or_default().push((words.collect(), value));
            }
        }
        // The longest first: `no more than` must be found before `no`.
        for rest in table.values_mut() {
            rest.sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
        }
        Self(table)
    }

    /// The phrase that begins at a word: its number of words and its meaning.
    pub(super) fn at(&self, words: &[WordToken], at: usize) -> Option<(usize, T)> {
        let first = words.get(at).filter(|word| word.letters())?;
        // Arabic writes `and` onto the first word of a phrase.
        let joined = first.form.strip_prefix(['و', 'ف']);
        [Some(first.form.as_str()), joined].into_iter().flatten().find_map(|form| {
            self.0.get(form)?.iter().find_map(|(rest, value)| {
                let here = words.iter().skip(at + 1).map(|word| word.form.as_str());
                let same = here.take(rest.len()).eq(rest.iter().map(String::as_str));
                same.then_some((rest.len() + 1, *value))
            })
        })
    }

    /// Every phrase of a text, none inside another: its place, length and meaning.
    pub(super) fn all(&self, words: &[WordToken]) -> Vec<(usize, usize, T)> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < words.len() {
            match self.at(words, at) {
                Some((length, value)) => {
                    found.push((at, length, value));
                    at += length;
                }
                None => at += 1,
            }
        }
        found
    }
}

#[derive(PartialEq, Eq)]
enum WordCharClass {
    Space,
    Letter,
    Digit,
    Mark,
}

fn class(c: char) -> WordCharClass {
    // A line end is no space here: it ends a clause and a sentence.
    if c == '\n' {
        WordCharClass::Mark
    } else if c.is_whitespace() || hidden(c) {
        WordCharClass::Space
    } else if digit(c).is_some() {
        WordCharClass::Digit
    } else if c.is_alphabetic() || mark_of_letter(c) {
        WordCharClass::Letter
    } else {
        WordCharClass::Mark
    }
}

/// Direction marks and other characters without a shape.
fn hidden(c: char) -> bool {
    matches!(c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}' | '*' | '_' | '`')
}

fn mark_of_letter(c: char) -> bool {
    matches!(c, '\u{0610}'..='\u{061A}' | '\u{0640}' | '\u{064B}'..='\u{065F}' | '\u{0670}' | '\u{0300}'..='\u{036F}')
}

fn run(
    chars: &[(usize, char)],
    start: usize,
    goes_on: fn(char, Option<char>, char) -> bool,
) -> usize {
    let mut at = start + 1;
    while let (Some(&(_, before)), Some(&(_, c))) = (chars.get(at - 1), chars.get(at)) {
        if !goes_on(c, chars.get(at + 1).map(|&(_, next)| next), before) {
            break;
        }
        at += 1;
    }
    at
}

fn letter_goes_on(c: char, next: Option<char>, before: char) -> bool {
    let inner = |c| matches!(c, '\'' | '’');
    let more = next.is_some_and(|next| class(next) == WordCharClass::Letter);
    // Digits continue Latin letters (`V204`) but not Arabic ones: `و١٠` is two words.
    let code = class(c) == WordCharClass::Digit && before.is_ascii_alphanumeric();
    class(c) == WordCharClass::Letter || code || (inner(c) && more)
}

fn digit_goes_on(c: char, next: Option<char>, before: char) -> bool {
    let separator = matches!(c, '.' | ',' | '٫' | '٬' | '،');
    let more = next.is_some_and(|next| digit(next).is_some());
    digit(c).is_some() || (separator && more && digit(before).is_some())
}

fn digit(c: char) -> Option<u32> {
    match c {
        '0'..='9' => Some(c as u32 - '0' as u32),
        '\u{0660}'..='\u{0669}' => Some(c as u32 - 0x0660),
        '\u{06F0}'..='\u{06F9}' => Some(c as u32 - 0x06F0),
        _ => None,
    }
}

fn fold_char(c: char) -> Vec<char> {
    if let Some(digit) = digit(c) {
        return char::from_digit(digit, 10).into_iter().collect();
    }
    match c {
        'أ' | 'إ' | 'آ' | 'ٱ' => vec!['ا'],
        'ى' | 'ئ' | 'ی' => vec!['ي'],
        'ک' => vec!['ك'],
        'ة' => vec!['ه'],
        'ؤ' => vec!['و'],
        // Hamza by itself is often left out in writing.
        'ء' => Vec::new(),
        '٫' => vec!['.'],
        '٬' | '،' => vec![','],
        '’' => vec!['\''],
        c if mark_of_letter(c) => Vec::new(),
        c => c.to_lowercase().collect(),
    }
}

fn form(raw: &str) -> String {
    let folded = fold(raw);
    // Without its hamza a word can be another: `ألا` denies and `إلا` excepts, `أثناء` is no number.
    let kept = || -> String { raw.chars().filter(|c| !mark_of_letter(*c)).collect() };
    match folded.as_str() {
        "الا" if kept() == "ألا" => "لا".to_owned(),
        "والا" if kept() == "وألا" => "ولا".to_owned(),
        "اثنا" | "واثنا" if kept().ends_with('ء') => folded + "ء",
        _ => match folded.strip_suffix("'s") {
            Some(owner) => owner.to_owned(),
            None => folded,
        },
    }
}

fn kind(raw: &str, first: char) -> WordKind {
    let digits = raw.chars().any(|c| digit(c).is_some());
    match class(first) {
        WordCharClass::Digit => WordKind::Digits,
        WordCharClass::Letter if digits => WordKind::Code,
        WordCharClass::Letter if first.is_uppercase() => WordKind::Capital,
        WordCharClass::Letter => WordKind::Small,
        WordCharClass::Mark | WordCharClass::Space => WordKind::Mark(first),
    }
}

fn place(chars: &[(usize, char)], at: usize, end: usize) -> usize {
    chars.get(at).map_or(end, |&(start, _)| start)
}

fn ends_sentence(word: &WordToken, before: Option<&WordToken>, next: Option<char>) -> bool {
    match word.kind {
        WordKind::Mark('!' | '?' | '؟' | '\n') => true,
        WordKind::Mark('.') => {
            let short = |word: &WordToken| ABBREVIATIONS.contains(&word.form.as_str());
            // The stop inside of `e.g` is followed by no space.
            next.is_none_or(char::is_whitespace) && !before.is_some_and(short)
        }
        _ => false,
    }
}

/// Joins `HR`, `-`, `B`, `-`, `04` into one code.
fn codes(words: Vec<WordToken>) -> Vec<WordToken> {
    let mut joined: Vec<WordToken> = Vec::with_capacity(words.len());
    let mut rest = words.into_iter().peekable();
    while let Some(mut word) = rest.next() {
        let mut parts = Vec::new();
        if matches!(word.kind, WordKind::Capital | WordKind::Code) {
            let mut end = word.span.end;
            while let Some(part) = rest.next_if(|next| {
                next.span.start == end && (code_part(next) || next.kind == WordKind::Mark('-'))
            }) {
                end = part.span.end;
                parts.push(part);
            }
        }
        // Without a digit it is a hyphenated name, and its words stay apart.
        let digits =
            parts.iter().any(|part| matches!(part.kind, WordKind::Digits | WordKind::Code));
        if digits {
            word.kind = WordKind::Code;
            for part in parts {
                word.span.end = part.span.end;
                word.form.push_str(&part.form);
            }
            joined.push(word);
        } else {
            joined.push(word);
            joined.extend(parts);
        }
    }
    joined
}

fn code_part(word: &WordToken) -> bool {
    matches!(word.kind, WordKind::Capital | WordKind::Digits | WordKind::Code)
}

/// How many words of one text are read.
pub(super) const MAX_WORDS: usize = 4000;

const ABBREVIATIONS: &[&str] = &[
    "mr", "mrs", "ms", "dr", "eng", "no", "nos", "art", "st", "vs", "e", "g", "i", "inc", "ltd",
    "co",
];
