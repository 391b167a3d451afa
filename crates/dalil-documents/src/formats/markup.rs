//! Words without their markup: tags and entities in Markdown, quotation marks in CSV.
//!
//! The text of such a document is the original, tags included; this module gives the
//! visible words of a part of it. Only elements of HTML are tags: `<name>` in a
//! manual stays, as does everything in a code span.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::css;

/// A part of Markdown without tags, comments and entities, and without the text that they hide.
pub(crate) fn words(text: &str) -> Cow<'_, str> {
    if !text.contains(['<', '&']) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    // The element that hides its content, and how many of its name are open.
    let mut hiding: Option<(&str, usize)> = None;
    let mut rest = text;
    while let Some(at) = rest.find(['<', '&', '`']) {
        let (before, from) = rest.split_at_checked(at).unwrap_or((rest, ""));
        let mut put = |words: &str| {
            if hiding.is_none() {
                shown.push_str(words);
            }
        };
        put(before);
        let Some(mark) = InlineMark::at(from) else {
            let one = from.chars().next().map_or(0, char::len_utf8);
            put(from.get(..one).unwrap_or_default());
            rest = from.get(one..).unwrap_or_default();
            continue;
        };
        rest = from.get(mark.len()..).unwrap_or_default();
        match mark {
            InlineMark::Words(words, _) => put(&words),
            InlineMark::Comment(_) => {}
            InlineMark::Tag(tag) => {
                if SPACING_ELEMENTS.contains(&tag.name.to_ascii_lowercase().as_str()) {
                    put(" ");
                }
                hiding = tag.step(hiding);
            }
        }
    }
    if hiding.is_none() {
        shown.push_str(rest);
    }
    Cow::Owned(super::outline::folded(&shown))
}

/// Whether a part of Markdown holds words that its tags hide.
pub(super) fn hides(text: &str) -> bool {
    let mut rest = text;
    while let Some(from) = rest.find(['<', '`']).and_then(|at| rest.get(at..)) {
        let taken = match InlineMark::at(from) {
            Some(InlineMark::Tag(tag)) if tag.step(None).is_some() => return true,
            Some(mark) => mark.len(),
            // Both signs that are looked for have one byte.
            None => 1,
        };
        rest = from.get(taken..).unwrap_or_default();
    }
    false
}

/// Whether a text is one tag of an element that Markdown is written with.
pub(crate) fn is_tag(text: &str) -> bool {
    InlineTag::at(text).is_some_and(|tag| tag.len == text.len())
}

/// A cell of CSV without the quotation marks around it.
pub(crate) fn unquoted(cell: &str) -> Cow<'_, str> {
    let inside = cell.strip_prefix('"').and_then(|cell| cell.strip_suffix('"'));
    match inside {
        Some(inside) if inside.contains("\"\"") => Cow::Owned(inside.replace("\"\"", "\"")),
        Some(inside) => Cow::Borrowed(inside),
        None => Cow::Borrowed(cell),
    }
}

/// The markup that begins at a sign.
enum InlineMark<'t> {
    Tag(InlineTag<'t>),
    /// A comment, and how long it is.
    Comment(usize),
    /// A code span or an entity: its visible text and its length.
    Words(Cow<'t, str>, usize),
}

impl<'t> InlineMark<'t> {
    fn at(text: &'t str) -> Option<Self> {
        match text.as_bytes().first()? {
            // A browser hides everything behind a comment that nothing closes.
            b'<' if text.starts_with("<!--") => {
                Some(Self::Comment(text.find("-->").map_or(text.len(), |at| at + 3)))
            }
            b'<' => InlineTag::at(text).map(Self::Tag),
            b'`' => {
                let ticks = text.len() - text.trim_start_matches('`').len();
                let fence = text.get(..ticks)?;
                // Bounded: a text of many lone runs would otherwise cost its square.
                let near = text.get(ticks..text.floor_char_boundary(ticks + MAX_TAG_BYTES))?;
                // A run that nothing closes is a run of signs.
                let end = near.find(fence).map_or(ticks, |at| at + 2 * ticks);
                Some(Self::Words(Cow::Borrowed(text.get(..end)?), end))
            }
            _ => entity(text),
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Tag(tag) => tag.len,
            Self::Comment(len) | Self::Words(_, len) => *len,
        }
    }
}

/// A tag of an element of HTML.
pub(super) struct InlineTag<'t> {
    pub(super) name: &'t str,
    pub(super) closes: bool,
    pub(super) attributes: &'t str,
    pub(super) len: usize,
}

impl<'t> InlineTag<'t> {
    /// The tag that a text begins with.
    pub(super) fn at(text: &'t str) -> Option<Self> {
        let inside = text.strip_prefix('<')?;
        let closes = inside.starts_with('/');
        let inside = inside.strip_prefix('/').unwrap_or(inside);
        let named = inside.find(|ch: char| !ch.is_ascii_alphanumeric())?;
        let (name, rest) = inside.split_at_checked(named)?;
        let known = MARKDOWN_HTML_ELEMENTS.contains(&name.to_ascii_lowercase().as_str());
        if !known || !rest.starts_with([' ', '\t', '\n', '\r', '/', '>']) {
            return None;
        }
        let mut quote = None;
        let end = rest.bytes().take(MAX_TAG_BYTES).position(|byte| match (quote, byte) {
            (Some(open), _) => {
                quote = (open != byte).then_some(open);
                false
            }
            (None, b'"' | b'\'') => {
                quote = Some(byte);
                false
            }
            (None, byte) => matches!(byte, b'>' | b'<'),
        });
        // A second `<` before the `>` means that the first began no tag.
        let end = end.filter(|end| rest.as_bytes().get(*end) == Some(&b'>'))?;
        let len = text.len() - rest.len() + end + 1;
        Some(Self { name, closes, attributes: rest.get(..end)?, len })
    }

    /// The value of an attribute; empty where it has none.
    fn attribute(&self, name: &str) -> Option<&'t str> {
        let mut rest = self.attributes;
        loop {
            rest = rest.trim_start_matches(|ch: char| ch.is_ascii_whitespace() || ch == '/');
            let end = rest.find(|ch: char| ch.is_ascii_whitespace() || ch == '=' || ch == '/');
            let (key, after) = rest.split_at_checked(end.unwrap_or(rest.len()))?;
            let bare = after.trim_start();
            let (value, after) = match bare.strip_prefix('=').map(str::trim_start) {
                Some(value) => {
                    let quote = value.chars().next().filter(|ch| matches!(ch, '"' | '\''));
                    let inside = quote.map_or(value, |_| value.get(1..).unwrap_or_default());
                    let end = match quote {
                        Some(quote) => inside.find(quote),
                        None => inside.find(|ch: char| ch.is_ascii_whitespace()),
                    };
                    inside.split_at_checked(end.unwrap_or(inside.len()))?
                }
                None => ("", after),
            };
            if key.eq_ignore_ascii_case(name) {
                return Some(value);
            }
            // Nothing is left, or nothing was taken: the loop must end.
            if key.is_empty() && after.len() == rest.len() || after.is_empty() {
                return None;
            }
            rest = after.trim_start_matches(['"', '\'']);
        }
    }

    /// The element that hides the text after this tag, if any.
    pub(super) fn step<'h>(&self, hiding: Option<(&'h str, usize)>) -> Option<(&'h str, usize)>
    where
        't: 'h,
    {
        let name = self.name.to_ascii_lowercase();
        // Only elements of pictures and formulas end themselves: a page hides the text
        // after `<div hidden/>`.
        let is_slashed = self.attributes.trim_end().ends_with('/');
        let ends_itself = VOID_ELEMENTS.contains(&name.as_str())
            || is_slashed && SELF_ENDING_ELEMENTS.contains(&name.as_str());
        match hiding {
            Some((name, depth)) if name.eq_ignore_ascii_case(self.name) => {
                let depth = if self.closes { depth.saturating_sub(1) } else { depth + 1 };
                (depth > 0).then_some((name, depth))
            }
            // Elements of other names inside it neither end the hiding nor deepen it.
            Some(hiding) => Some(hiding),
            None if self.closes || ends_itself => None,
            None => {
                let style = self.attribute("style").map_or_else(BTreeMap::new, css::declarations);
                // What else hides may be taken back inside: the page as a whole tells it.
                let display = style.get("display").map_or("", String::as_str);
                let hides = display == "none"
                    || self.attribute("hidden").is_some() && display.is_empty()
                    || UNSHOWN_ELEMENTS.contains(&name.as_str());
                hides.then_some((self.name, 1))
            }
        }
    }
}

/// The character of an entity that writers use.
fn entity<'t>(text: &'t str) -> Option<InlineMark<'t>> {
    let end = text.bytes().take(MAX_ENTITY_BYTES).position(|byte| byte == b';')?;
    let name = text.get(1..end)?;
    let plain = match name {
        "amp" => "&",
        "lt" => "<",
        "gt" => ">",
        "quot" => "\"",
        "apos" => "'",
        "nbsp" => " ",
        "ndash" => "–",
        "mdash" => "—",
        "lsquo" => "‘",
        "rsquo" => "’",
        "ldquo" => "“",
        "rdquo" => "”",
        "hellip" => "…",
        "bull" => "•",
        "middot" => "·",
        "sect" => "§",
        "euro" => "€",
        "pound" => "£",
        "copy" => "©",
        "le" => "≤",
        "ge" => "≥",
        "times" => "×",
        _ => return numeric(name).map(|ch| InlineMark::Words(Cow::Owned(ch.to_string()), end + 1)),
    };
    Some(InlineMark::Words(Cow::Borrowed(plain), end + 1))
}

fn numeric(name: &str) -> Option<char> {
    let digits = name.strip_prefix('#')?;
    let code = match digits.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    // An entity must not bring in a control character.
    char::from_u32(code).filter(|ch| !ch.is_control())
}

/// No writer makes a longer tag by hand, and a search for its end must end.
const MAX_TAG_BYTES: usize = 4096;
const MAX_ENTITY_BYTES: usize = 10;
const UNSHOWN_ELEMENTS: [&str; 4] = ["script", "style", "template", "noscript"];
/// Elements that have no end (HTML, 13.1.2).
pub(super) const VOID_ELEMENTS: [&str; 14] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
];
/// Elements that a slash ends.
pub(super) const SELF_ENDING_ELEMENTS: [&str; 2] = ["svg", "math"];
/// Elements between which a reader sees a space.
const SPACING_ELEMENTS: [&str; 32] = [
    "br",
    "p",
    "div",
    "td",
    "th",
    "tr",
    "table",
    "thead",
    "tbody",
    "tfoot",
    "caption",
    "ul",
    "ol",
    "li",
    "dl",
    "dt",
    "dd",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "blockquote",
    "pre",
    "section",
    "article",
    "details",
    "summary",
    "figure",
    "figcaption",
];
/// The elements of HTML that Markdown is written with.
const MARKDOWN_HTML_ELEMENTS: [&str; 75] = [
    "a",
    "abbr",
    "article",
    "aside",
    "b",
    "bdi",
    "bdo",
    "big",
    "blockquote",
    "br",
    "caption",
    "center",
    "cite",
    "code",
    "col",
    "colgroup",
    "dd",
    "del",
    "details",
    "dfn",
    "div",
    "dl",
    "dt",
    "em",
    "figcaption",
    "figure",
    "font",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "i",
    "img",
    "input",
    "ins",
    "kbd",
    "li",
    "main",
    "mark",
    "nav",
    "noscript",
    "ol",
    "p",
    "picture",
    "pre",
    "q",
    "s",
    "samp",
    "script",
    "section",
    "small",
    "source",
    "span",
    "strong",
    "style",
    "sub",
    "summary",
    "sup",
    "table",
    "tbody",
    "td",
    "template",
    "tfoot",
    "th",
    "thead",
    "tr",
    "u",
    "ul",
    "var",
    "wbr",
];
/// Elements that end the paragraph before them (HTML, 13.2.6.4.7).
pub(super) const PARAGRAPH_ENDING_ELEMENTS: [&str; 41] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "center",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hgroup",
    "hr",
    "li",
    "listing",
    "main",
    "menu",
    "nav",
    "ol",
    "p",
    "plaintext",
    "pre",
    "search",
    "section",
    "summary",
    "table",
    "ul",
    "xmp",
];
