//! Declarations: names, values and whether they are important.

use std::borrow::Cow;

use super::syntax::{self, SheetItem};

/// One declaration of a style.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Declaration {
    /// In lower case, but for a custom property.
    pub(super) name: String,
    /// In lower case and with single spaces, but for that of a custom property.
    pub(super) value: String,
    pub(super) is_important: bool,
}

impl Declaration {
    /// Reads `name: value`.
    pub(super) fn of(text: &str) -> Option<Self> {
        let (name, value) = text.split_once(':')?;
        let name = syntax::unescaped(name.trim());
        let name = if name.starts_with("--") { name } else { name.to_ascii_lowercase() };
        let is_name = |ch: char| ch.is_alphanumeric() || matches!(ch, '-' | '_');
        if name.is_empty() || !name.starts_with("--") && !name.chars().all(is_name) {
            return None;
        }
        let value = value.trim();
        let (value, is_important) = match value.rsplit_once('!') {
            Some((value, word)) if word.trim().eq_ignore_ascii_case("important") => (value, true),
            _ => (value, false),
        };
        let value = bounded(value);
        let value = if name.starts_with("--") { value.trim().to_owned() } else { plain(&value) };
        Some(Self { name, value, is_important })
    }

    /// The declarations of a block without comments.
    pub(super) fn list(block: &str) -> Vec<Self> {
        let statements = syntax::items(block).into_iter().filter_map(|item| match item {
            SheetItem::Statement(text) => Self::of(text),
            SheetItem::Block { .. } => None,
        });
        Self::bounded(statements.collect())
    }

    /// The declarations of one block as far as they are kept.
    pub(super) fn bounded(all: Vec<Self>) -> Vec<Self> {
        if all.len() <= MAX_DECLARATIONS {
            return all;
        }
        // A page of many colours names them all in one block.
        let (mut custom, mut plain): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|one| one.name.starts_with("--"));
        custom.truncate(MAX_CUSTOM_PROPERTIES);
        if plain.len() > MAX_DECLARATIONS {
            plain.truncate(MAX_DECLARATIONS);
            plain.push(Self::not_displayed());
        }
        plain.extend(custom);
        plain
    }

    /// What counts for an element of which more is said than is read: nobody writes so much by hand,
    /// and what hides the element may be in the rest.
    pub(super) fn not_displayed() -> Self {
        Self { name: "display".to_owned(), value: "none".to_owned(), is_important: true }
    }

    /// The declarations of an attribute.
    pub(super) fn of_attribute(style: &str) -> Vec<Self> {
        Self::list(&syntax::uncommented(style))
    }
}

/// A value without what is too long in it: a picture that is written down, as an address. Values
/// are copied to each element that has them.
fn bounded(value: &str) -> Cow<'_, str> {
    if value.len() <= MAX_VALUE_BYTES {
        return Cow::Borrowed(value);
    }
    let mut words = String::new();
    for word in syntax::words(value).into_iter().take(MAX_LONG_VALUE_WORDS) {
        let cut = word.len() > MAX_WORD_BYTES;
        let start = word.get(..word.floor_char_boundary(MAX_WORD_BYTES)).unwrap_or(word);
        words.push_str(start);
        words.push_str(if cut && word.ends_with(')') { ") " } else { " " });
    }
    Cow::Owned(words)
}

/// A value in lower case, with single spaces and without escapes.
pub(super) fn plain(value: &str) -> String {
    let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
    // The names of custom properties have case.
    if value.contains("var(") { value } else { syntax::unescaped(&value).to_ascii_lowercase() }
}

/// Declarations of one block, custom properties apart: a browser that writes down all it computed for
/// an element has about 400.
const MAX_DECLARATIONS: usize = 1_000;
/// Custom properties of one block and of one element; large sheets have a few hundred.
pub(super) const MAX_CUSTOM_PROPERTIES: usize = 1_000;
/// Longer values have a picture in them, or were written to cost memory.
const MAX_VALUE_BYTES: usize = 4_096;
/// Words of a longer value; with their length, no more than a value of the usual length.
const MAX_LONG_VALUE_WORDS: usize = 31;
const MAX_WORD_BYTES: usize = 128;
