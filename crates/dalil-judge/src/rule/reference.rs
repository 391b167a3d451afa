//! References: numbers that name a place, a law, a note or an item of a list, and measure nothing.

use std::sync::LazyLock;

use super::ordinal;
use super::unit::unit;
use super::word::{WordKind, WordTable, WordToken};

#[cfg(test)]
mod tests;

/// How many words from here on are a reference.
pub(super) fn reference(words: &[WordToken], at: usize) -> Option<usize> {
    law(words, at)
        .or_else(|| place(words, at))
        .or_else(|| titled_year(words, at))
        .or_else(|| mark(words, at))
}

/// `section 3.2`, `pages 9 to 17`, `المادة ٥`, `المادة الخامسة`.
fn place(words: &[WordToken], at: usize) -> Option<usize> {
    REFERENCE_NOUNS.find(&words.get(at)?.form)?;
    let form = |at: usize| words.get(at).map_or("", |word| word.form.as_str());
    let mut next = at + 1;
    while ["(", ".", "رقم", "من", "from", "no", "number"].contains(&form(next)) {
        next += 1;
    }
    if !numbered(words, next) {
        let ordinal = form(next).starts_with("ال") && ordinal::place(form(next)).is_some();
        return ordinal.then_some(next + 1 - at);
    }
    next += 1;
    next += sections(words, next);
    while REFERENCE_LINKS.contains(&form(next)) && numbered(words, next + 1) {
        next += 2 + sections(words, next + 2);
    }
    Some(next - at)
}

/// The number of words that name a part of the reference: `(1)(b)` of `Article 9(1)(b)`.
fn sections(words: &[WordToken], at: usize) -> usize {
    let form = |at: usize| words.get(at).map_or("", |word| word.form.as_str());
    let mut next = at;
    while form(next) == "(" && form(next + 2) == ")" && form(next + 1).chars().count() <= 4 {
        next += 3;
    }
    next - at
}

fn numbered(words: &[WordToken], at: usize) -> bool {
    words.get(at).is_some_and(|word| matches!(word.kind, WordKind::Digits | WordKind::Code))
}

/// `No. 33 of 2021`, `رقم (١٤) لسنة ٢٠٢٥`, and a bare `No. 33`.
fn law(words: &[WordToken], at: usize) -> Option<usize> {
    let form = |at: usize| words.get(at).map_or("", |word| word.form.as_str());
    if !["no", "nos", "number", "رقم", "ترقيم"].contains(&form(at)) {
        return None;
    }
    let mut next = at + 1;
    while [".", "(", ":"].contains(&form(next)) {
        next += 1;
    }
    numbered(words, next).then_some(())?;
    next += 1;
    next += usize::from(form(next) == ")");
    if ["of", "لسنه", "لعام", "/"].contains(&form(next)) && numbered(words, next + 1) {
        next += 2;
    }
    Some(next - at)
}

/// `the Companies Act 2006`, `Vision 2030`: a year that ends a title.
fn titled_year(words: &[WordToken], at: usize) -> Option<usize> {
    let title = words.get(at).filter(|word| word.kind == WordKind::Capital)?;
    let known = TITLE_NOUNS.exact(&title.form).is_some();
    let mut next = at + 1;
    next += usize::from(words.get(next).is_some_and(|word| word.is("of") || word.is(",")));
    let year = words.get(next).is_some_and(|word| {
        word.kind == WordKind::Digits && word.form.len() == 4 && word.form.starts_with(['1', '2'])
    });
    (known && year).then_some(next + 1 - at)
}

/// `(3) The Lessee …`, `2. Fees`, `.١ يستحق`, `1- 15 days`: the mark of an item; `leave.3 The`, `fee[12]`: of a note.
fn mark(words: &[WordToken], at: usize) -> Option<usize> {
    let form = |at: usize| words.get(at).map_or("", |word| word.form.as_str());
    let before = at.checked_sub(1).and_then(|before| words.get(before));
    let begins = before.is_none_or(|word| {
        word.breaks() && !word.is(",") || word.is("|") || word.is("/") || word.is("•")
    });
    let digits = |at: usize| words.get(at).is_some_and(|word| word.kind == WordKind::Digits);
    let small = |at: usize| digits(at) && form(at).len() <= 2;
    let close = |at: usize| [".", ")", "-", "/"].contains(&form(at));
    let text = |at: usize| words.get(at).is_some_and(|word| word.letters() || word.is("/"));
    // The note of a word is right after it.
    let touches = |a: usize, b: usize| match (words.get(a), words.get(b)) {
        (Some(a), Some(b)) => a.span.end == b.span.start,
        _ => false,
    };
    if begins && form(at) == "(" && small(at + 1) && form(at + 2) == ")" {
        return Some(3);
    }
    if begins && small(at) && close(at + 1) && text(at + 2) && !touches(at + 1, at + 2) {
        return Some(2);
    }
    // "9.1 The Tenant", "7-3 لا تحسب": the number of a clause.
    let numbered = words.get(at).is_some_and(|word| {
        word.kind == WordKind::Digits && word.form.len() <= 5 && word.form.contains('.')
    });
    let capital = |at: usize| {
        words.get(at).is_some_and(|word| word.kind == WordKind::Capital || word.arabic())
    };
    if begins && numbered && capital(at + 1) {
        return Some(1);
    }
    // "١- ١٥ موظفاً": the dash belongs to the mark alone, and the number after it counts.
    let marked = touches(at, at + 1) && !touches(at + 1, at + 2);
    if begins && small(at) && form(at + 1) == "-" && marked && digits(at + 2) {
        return Some(2);
    }
    // "١-١٥ يوماً" is a range.
    let measured = unit(words, at + 3).is_some();
    if begins && small(at) && form(at + 1) == "-" && small(at + 2) && capital(at + 3) && !measured {
        return Some(3);
    }
    if begins && form(at) == "." && small(at + 1) {
        return Some(2);
    }
    let after = before.is_some_and(|word| word.letters() || word.breaks() || word.is(")"));
    // `after` needs a word before, so `at - 1` does not underflow.
    if form(at) == "[" && small(at + 1) && form(at + 2) == "]" && after && touches(at - 1, at) {
        return Some(3);
    }
    let ended = at.checked_sub(2).is_some_and(|first| touches(first, at - 1))
        && before.is_some_and(|word| word.is("."))
        && at.checked_sub(2).and_then(|first| words.get(first)).is_some_and(WordToken::letters);
    (ended && small(at) && touches(at - 1, at)).then_some(1)
}

const REFERENCE_LINKS: &[&str] = &["to", "-", "–", "—", "الي", "through", "and", "or", "و", ","];

static REFERENCE_NOUNS: LazyLock<WordTable<()>> = LazyLock::new(|| {
    WordTable::of(&[
        (
            "section sections clause clauses article articles page pages annex appendix schedule chapter paragraph paragraphs item part figure table form rule rfc step version footnote exhibit recital formula phase level tier grade band stage type class category group zone priority",
            (),
        ),
        ("مادة مواد بند بنود فقرة صفحة صفحات ملحق فصل قسم جزء جدول رقم باب نموذج", ()),
    ])
});

/// Words that a year makes a title of.
static TITLE_NOUNS: LazyLock<WordTable<()>> = LazyLock::new(|| {
    WordTable::of(&[(
        "act regulations regulation law code order rules vision agenda directive convention treaty agreement plan edition version programme program",
        (),
    )])
});
