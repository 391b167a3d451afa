//! Conditions on the attributes of an element: `[lang]`, `[type=hidden]`, `[class^="ad-"]`.

/// What a selector asks of one attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AttributeTest {
    pub(super) name: String,
    /// The sign before the equals sign, where there is one, and the value.
    asked: Option<(Option<char>, String)>,
}

impl AttributeTest {
    /// Reads what is between the brackets.
    pub(super) fn of(inside: &str) -> Option<Self> {
        let (name, asked) = match inside.split_once('=') {
            Some((name, value)) => {
                let sign = name.trim().chars().next_back().filter(|sign| "~|^$*".contains(*sign));
                let name = sign.map_or(name.trim(), |sign| name.trim().trim_end_matches(sign));
                let value = value.trim();
                let quote = value.chars().next().filter(|ch| matches!(ch, '"' | '\''));
                let value = match quote {
                    Some(quote) => value.trim_start_matches(quote).split(quote).next(),
                    // A letter behind the value says whether case counts.
                    None => value.split(' ').next(),
                };
                (name, Some((sign, value.unwrap_or_default().to_owned())))
            }
            None => (inside, None),
        };
        let name = name.trim().to_ascii_lowercase();
        let is_name = |ch: char| ch.is_alphanumeric() || matches!(ch, '-' | '_' | ':');
        (!name.is_empty() && name.chars().all(is_name)).then_some(Self { name, asked })
    }

    /// The mark of an element for which it holds.
    pub(super) fn mark(&self) -> String {
        let Self { name, asked } = self;
        match asked {
            None => format!("[{name}]"),
            Some((sign, value)) => {
                format!("[{name}{}={value}]", sign.map(String::from).unwrap_or_default())
            }
        }
    }

    /// Whether it holds for a value. Case never counts: it rarely does in HTML.
    pub(super) fn holds(&self, value: &str) -> bool {
        let Some((sign, asked)) = &self.asked else { return true };
        let (value, asked) = (value.to_ascii_lowercase(), asked.to_ascii_lowercase());
        match sign {
            None => value == asked,
            // No value begins with nothing, ends with it or contains it (Selectors 4, 6.2).
            Some(_) if asked.is_empty() => false,
            Some('~') => value.split_ascii_whitespace().any(|word| word == asked),
            Some('|') => value
                .strip_prefix(&asked)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('-')),
            Some('^') => value.starts_with(&asked),
            Some('$') => value.ends_with(&asked),
            Some(_) => value.contains(&asked),
        }
    }
}
