//! Plain text: a sentence without the marks of Markdown.

use std::borrow::Cow;

#[cfg(test)]
mod tests;

/// The words of a sentence, without marks of emphasis, code, headings, items, links and comments.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    let text = unmarked(text);
    if !text.contains(MARKDOWN_MARKS) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(MARKDOWN_MARKS) {
        let (before, from) = rest.split_at_checked(at).unwrap_or((rest, ""));
        shown.push_str(before);
        rest = marked(from, &mut shown);
    }
    shown.push_str(rest);
    Cow::Owned(shown)
}

/// A line without what makes it a heading, an item, a quotation or a row.
fn unmarked(text: &str) -> &str {
    let mut rest = text;
    // Marks nest: an item may stand in a quotation.
    loop {
        let line = rest.trim_start().trim_start_matches('#');
        let item = ["- ", "* ", "+ ", "> ", "| "].iter().find_map(|mark| line.strip_prefix(mark));
        match item {
            Some(inside) => rest = inside,
            None => return line.trim_start(),
        }
    }
}

/// Takes one mark, and says what is left behind it.
fn marked<'t>(text: &'t str, shown: &mut String) -> &'t str {
    if let Some(comment) = text.strip_prefix("<!--") {
        // An open comment hides the rest, as it does in a browser.
        return comment.find("-->").and_then(|at| comment.get(at + 3..)).unwrap_or("");
    }
    let mut chars = text.chars();
    let mark = chars.next();
    let rest = chars.as_str();
    match mark {
        Some(']') if rest.starts_with('(') => {
            // A target has no space: brackets around words are text.
            match rest.find([')', ' ', '\n']).and_then(|end| rest.get(end..)) {
                Some(after) if after.starts_with(')') => after.get(1..).unwrap_or(""),
                _ => rest,
            }
        }
        Some('*' | '`' | '[' | ']') => rest,
        Some('_') => {
            // Between letters it is part of a name such as `file_name`.
            let word = |ch: Option<char>| ch.is_some_and(char::is_alphanumeric);
            if word(shown.chars().next_back()) && word(rest.chars().next()) {
                shown.push('_');
            }
            rest
        }
        Some('|') => {
            // So that two cells do not run into one phrase.
            shown.push(',');
            rest
        }
        Some(other) => {
            shown.push(other);
            rest
        }
        None => "",
    }
}

const MARKDOWN_MARKS: [char; 9] = ['*', '_', '`', '[', ']', '|', '#', '>', '<'];
