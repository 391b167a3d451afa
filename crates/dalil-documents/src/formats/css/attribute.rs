//! Conditions on the attributes of an element: `[lang]`, `[type=hidden]`, `[class^="ad-"]`.

use super::syntax;

/// The test of one attribute in a selector.
#[derive(Clone, Debug)]
pub(super) struct AttributeTest {
    pub(super) name: String,
    asked: Option<AskedValue>,
}

/// The test of its value.
#[derive(Clone, Debug)]
struct AskedValue {
    /// The sign before the equals sign, where there is one.
    sign: Option<char>,
    value: String,
    is_caseless: bool,
}

impl AttributeTest {
    /// Reads the text between the brackets.
    pub(super) fn of(inside: &str) -> Option<Self> {
        let is_name = |ch: char| ch.is_alphanumeric() || matches!(ch, '-' | '_' | ':');
        let named = |name: &str| {
            let name = syntax::unescaped(name.trim().trim_start_matches(['*', '|']));
            let name = name.to_ascii_lowercase();
            (!name.is_empty() && name.chars().all(is_name)).then_some(name)
        };
        let Some((name, value)) = inside.split_once('=') else {
            return Some(Self { name: named(inside)?, asked: None });
        };
        let name = name.trim();
        let sign = name.chars().next_back().filter(|sign| "~|^$*".contains(*sign));
        let name = named(sign.map_or(name, |sign| name.trim_end_matches(sign)))?;
        let value = value.trim();
        let quote = value.chars().next().filter(|ch| matches!(ch, '"' | '\''));
        let (value, flag) = match quote {
            Some(quote) => value.get(1..)?.rsplit_once(quote)?,
            None => value.split_once(' ').unwrap_or((value, "")),
        };
        let is_caseless = match flag.trim() {
            "" => CASELESS_ATTRIBUTES.contains(&name.as_str()),
            "i" | "I" => true,
            "s" | "S" => false,
            _ => return None,
        };
        let value = syntax::unescaped(value);
        Some(Self { name, asked: Some(AskedValue { sign, value, is_caseless }) })
    }

    /// Whether it holds for a value.
    pub(super) fn holds(&self, value: &str) -> bool {
        match &self.asked {
            None => true,
            Some(asked) if asked.is_caseless => {
                asked.holds(&value.to_ascii_lowercase(), &asked.value.to_ascii_lowercase())
            }
            Some(asked) => asked.holds(value, &asked.value),
        }
    }
}

impl AskedValue {
    fn holds(&self, value: &str, asked: &str) -> bool {
        match self.sign {
            None => value == asked,
            // No value begins with nothing, ends with it or contains it (Selectors 4, 6.2).
            Some('^' | '$' | '*' | '~') if asked.is_empty() => false,
            Some('~') => value.split_ascii_whitespace().any(|word| word == asked),
            Some('|') => value
                .strip_prefix(asked)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('-')),
            Some('^') => value.starts_with(asked),
            Some('$') => value.ends_with(asked),
            Some(_) => value.contains(asked),
        }
    }
}

/// Attributes of HTML in whose values case does not count (HTML, 4.16.2), as far as pages ask
/// for them.
const CASELESS_ATTRIBUTES: [&str; 22] = [
    "align",
    "bgcolor",
    "checked",
    "clear",
    "color",
    "dir",
    "direction",
    "disabled",
    "face",
    "hidden",
    "http-equiv",
    "lang",
    "language",
    "media",
    "method",
    "multiple",
    "nowrap",
    "readonly",
    "rel",
    "selected",
    "type",
    "valign",
];
