//! Marks of list items, and titles that stand at the beginning of a paragraph.

/// Whether a text begins as an item of a list does.
pub(super) fn is_item(text: &str) -> bool {
    if let Some((mark, rest)) = text.split_once(' ')
        && !rest.is_empty()
        && is_mark(mark)
        && (mark.ends_with('.') || !is_clause_number(mark))
    {
        return true;
    }
    // Arabic is often set without a space behind the mark.
    let bare = text.trim_start_matches(|ch: char| ch.is_numeric());
    let digits = text.strip_suffix(bare).map_or(0, |digits| digits.chars().count());
    let rest = bare.strip_prefix(['-', '–', '.', ')', '/']);
    digits <= 3
        && rest.and_then(|rest| rest.chars().next()).is_some_and(is_arabic)
        && (digits > 0 || bare.starts_with(['-', '–']))
}

/// Whether a word is a mark: a bullet, `1.`, `(a)`, `iv)`, `5.1.`, `أ-`, `٢.`
pub(super) fn is_mark(mark: &str) -> bool {
    let bullet = matches!(
        mark,
        "•" | "▪"
            | "◦"
            | "●"
            | "○"
            | "■"
            | "□"
            | "–"
            | "-"
            | "—"
            | "−"
            | "*"
            | "‣"
            | "➢"
            | "·"
    );
    bullet || is_numeral(mark) || is_clause_number(mark)
}

/// A title in front of a paragraph: `4.2 Payment. Customer will pay`. Its level counts the parts
/// of its number; `bold` is how many of the first bytes are set bold.
pub(super) fn run_in(text: &str, bold: usize) -> Option<(u8, &str)> {
    let (number, rest) = match text.split_once(' ') {
        Some((first, rest)) if is_clause_number(first) || is_numeral(first) => {
            (first, rest.trim_start())
        }
        _ => ("", text),
    };
    let from = text.len() - rest.len();
    let end = rest.find(['.', ':']).filter(|end| *end <= MAX_TITLE_BYTES)?;
    let title = rest.get(..end)?;
    let follows = rest.get(end + 1..)?;
    let first = title.chars().next()?;
    // A title of a clause that has clauses below it is followed by nothing.
    let alone = follows.is_empty() && !number.is_empty() && bold >= from + end;
    let starts =
        alone || follows.starts_with(' ') && follows.trim_start().chars().count() >= MIN_TEXT_CHARS;
    let words = title.split(' ').count();
    let capital =
        !first.is_lowercase() && first.is_alphabetic() && title.chars().count() >= MIN_TITLE_CHARS;
    if !starts || !capital || words > MAX_TITLE_WORDS {
        return None;
    }
    // The bold letters must end about where the title ends: a bold paragraph is no title.
    let is_bold =
        alone || bold > from && bold <= from + end + 2 + title.len() / 2 && bold + 2 >= from + end;
    let loud = title.chars().all(|ch| !ch.is_lowercase()) && title.chars().any(char::is_uppercase);
    // Here nothing but the number shows a title, so a new sentence must follow it.
    let numbered = !number.is_empty()
        && words <= MAX_PLAIN_TITLE_WORDS
        && rest.get(end..)?.starts_with(". ")
        && follows
            .trim_start()
            .starts_with(|ch: char| ch.is_uppercase() || matches!(ch, '“' | '"'));
    let title = text.get(..from + end)?;
    let parts = number.split('.').filter(|part| !part.is_empty()).count();
    let parts = u8::try_from(parts).unwrap_or(MAX_CLAUSE_PARTS).min(MAX_CLAUSE_PARTS);
    (is_bold || loud || numbered).then_some((parts, title))
}

/// `1.`, `(a)`, `iv)`, `أ-`, `٢.`
fn is_numeral(mark: &str) -> bool {
    let inner = mark.trim_start_matches('(').trim_end_matches([')', '.', '-', '–', '/']);
    let closed = inner.len() < mark.len();
    let digits =
        !inner.is_empty() && inner.chars().all(char::is_numeric) && inner.chars().count() <= 3;
    let letter = inner.chars().count() == 1 && inner.chars().all(char::is_alphabetic);
    let roman = !inner.is_empty() && inner.len() <= 5 && inner.chars().all(|ch| "ivx".contains(ch));
    closed && (digits || letter || roman)
}

/// `5.1`, `5.1.2.`: two parts or more.
fn is_clause_number(mark: &str) -> bool {
    let inner = mark.trim_end_matches('.');
    let mut parts = inner.split('.');
    inner.contains('.')
        && parts.all(|part| {
            (1..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
        })
}

pub(super) fn is_arabic(ch: char) -> bool {
    matches!(ch, '\u{620}'..='\u{64A}' | '\u{66E}'..='\u{6D3}')
}

/// Clauses below clauses; no clause number of a contract for readers has more parts.
const MAX_CLAUSE_PARTS: u8 = 32;
const MAX_TITLE_BYTES: usize = 90;
const MAX_TITLE_WORDS: usize = 12;
/// A title that nothing but its number shows has few words.
const MAX_PLAIN_TITLE_WORDS: usize = 6;
const MIN_TITLE_CHARS: usize = 3;
/// The text after a title is a sentence.
const MIN_TEXT_CHARS: usize = 3;
