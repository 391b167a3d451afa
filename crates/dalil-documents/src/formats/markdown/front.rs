//! Front matter: metadata of Markdown between two lines of dashes.

use dalil_evidence::ledger::request::DocumentDate;

/// The title and date of a document, and where its text begins.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::formats) struct FrontMatter {
    /// `title:`.
    pub(in crate::formats) title: Option<String>,
    /// `date:`, where it is a day or a moment.
    pub(in crate::formats) date: Option<DocumentDate>,
    /// One after the closing line; 0 without front matter.
    pub(in crate::formats) end: usize,
}

impl FrontMatter {
    pub(in crate::formats) fn of(text: &str) -> Self {
        Self::between_dashes(text).unwrap_or_default()
    }

    /// All lines must look like front matter: a rule may begin a text too.
    fn between_dashes(text: &str) -> Option<Self> {
        let mut lines = text.split_inclusive('\n');
        let first = lines.next().filter(|line| line.trim_end() == "---")?;
        let mut front = Self { end: first.len(), ..Self::default() };
        for (at, line) in lines.take(MAX_FRONT_MATTER_LINES).enumerate() {
            front.end += line.len();
            let line = line.trim_end();
            // A rule is followed by a blank line; front matter begins at once.
            if at == 0 && line.is_empty() {
                return None;
            }
            if matches!(line, "---" | "...") {
                return Some(front);
            }
            // Values of YAML that go on: nested keys, items, comments.
            let nested = line.is_empty() || line.starts_with([' ', '\t', '-', '#']);
            match line.split_once(':') {
                Some((key, value)) if is_key(key) => front.take(key, value),
                Some(_) | None if nested => {}
                Some(_) | None => return None,
            }
        }
        None
    }

    fn take(&mut self, key: &str, value: &str) {
        let value = value.trim();
        let bare = ['"', '\''].iter().find_map(|quote| {
            value.strip_prefix(*quote).and_then(|value| value.strip_suffix(*quote))
        });
        let value = bare.unwrap_or(value);
        match key.to_ascii_lowercase().as_str() {
            "title" if !value.is_empty() => self.title = Some(value.to_owned()),
            "date" => self.date = value.parse().ok(),
            _ => {}
        }
    }
}

fn is_key(key: &str) -> bool {
    let mut chars = key.chars();
    chars.next().is_some_and(char::is_alphabetic)
        && chars.all(|ch| ch.is_alphanumeric() || matches!(ch, '_' | '-'))
}

const MAX_FRONT_MATTER_LINES: usize = 200;
