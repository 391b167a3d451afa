//! Declarations: names, values and whether they are important.

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
        let value = if name.starts_with("--") { value.trim().to_owned() } else { plain(value) };
        Some(Self { name, value, is_important })
    }

    /// The declarations of a block without comments.
    pub(super) fn list(block: &str) -> Vec<Self> {
        let statements = syntax::items(block).into_iter().filter_map(|item| match item {
            SheetItem::Statement(text) => Self::of(text),
            SheetItem::Block { .. } => None,
        });
        statements.take(MAX_DECLARATIONS).collect()
    }

    /// The declarations of an attribute.
    pub(super) fn of_attribute(style: &str) -> Vec<Self> {
        Self::list(&syntax::uncommented(style))
    }
}

/// A value in lower case, with single spaces and without escapes.
pub(super) fn plain(value: &str) -> String {
    let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
    // The names of custom properties have case.
    if value.contains("var(") { value } else { syntax::unescaped(&value).to_ascii_lowercase() }
}

pub(super) const MAX_DECLARATIONS: usize = 400;
