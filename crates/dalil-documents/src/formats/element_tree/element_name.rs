//! Elements of HTML by name: how a browser handles their tags.

use html5gum::State;

use crate::formats::markup::PARAGRAPH_ENDING_ELEMENTS;

/// The tokenizer state in which a browser reads the text after the start tag of an element.
pub(super) fn text_state(name: &str) -> Option<State> {
    match name {
        "textarea" | "title" => Some(State::RcData),
        "script" => Some(State::ScriptData),
        "style" | "iframe" | "xmp" | "noembed" | "noframes" | "noscript" => Some(State::RawText),
        // `plaintext` is left out: programs that do not know it would show its tags as such.
        _ => None,
    }
}

/// The level of a part of a table; those of a deeper level are in it.
pub(super) fn table_level(name: &str) -> Option<u8> {
    match name {
        "table" => Some(0),
        "caption" | "tbody" | "thead" | "tfoot" => Some(1),
        "tr" => Some(2),
        "td" | "th" => Some(3),
        _ => None,
    }
}

/// Elements whose end tag ends the innermost of their name in scope.
pub(super) fn ends_in_scope(name: &str) -> bool {
    const ALSO: [&str; 5] = ["button", "applet", "marquee", "object", "select"];
    const NOT: [&str; 14] = [
        "p",
        "dd",
        "dt",
        "li",
        "form",
        "hr",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "xmp",
        "plaintext",
    ];
    ALSO.contains(&name)
        || PARAGRAPH_ENDING_ELEMENTS.contains(&name) && !NOT.contains(&name) && name != "table"
}

pub(super) fn is_heading(name: &str) -> bool {
    matches!(name, "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
}

/// Elements that end, without an end tag, where others end or begin.
pub(super) const IMPLIED_END_ELEMENTS: [&str; 10] =
    ["dd", "dt", "li", "optgroup", "option", "p", "rb", "rp", "rt", "rtc"];
/// Elements that go on in the next paragraph, if nothing ends them.
pub(super) const FORMATTING_ELEMENTS: [&str; 14] = [
    "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u",
];
/// Elements inside of which formatting begins anew.
pub(super) const MARKER_ELEMENTS: [&str; 7] =
    ["applet", "caption", "marquee", "object", "td", "template", "th"];
/// Elements that end tags do not reach through.
pub(super) const SCOPE_ELEMENTS: [&str; 9] =
    ["applet", "caption", "table", "td", "th", "marquee", "object", "select", "template"];
/// Elements of pictures and formulas in which HTML begins again, in small letters.
pub(super) const INTEGRATION_ELEMENTS: [&str; 9] =
    ["foreignobject", "desc", "title", "mi", "mo", "mn", "ms", "mtext", "annotation-xml"];
/// Elements that end a picture or a formula in which they begin (HTML, 13.2.6.5).
pub(super) const BREAKOUT_ELEMENTS: [&str; 44] = [
    "b",
    "big",
    "blockquote",
    "body",
    "br",
    "center",
    "code",
    "dd",
    "div",
    "dl",
    "dt",
    "em",
    "embed",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "hr",
    "i",
    "img",
    "li",
    "listing",
    "menu",
    "meta",
    "nobr",
    "ol",
    "p",
    "pre",
    "ruby",
    "s",
    "small",
    "span",
    "strong",
    "strike",
    "sub",
    "sup",
    "table",
    "tt",
    "u",
    "ul",
    "var",
];
/// Elements that the end tag of another does not end (HTML, 13.2.4.2).
pub(super) const SPECIAL_ELEMENTS: [&str; 83] = [
    "address",
    "applet",
    "area",
    "article",
    "aside",
    "base",
    "basefont",
    "bgsound",
    "blockquote",
    "body",
    "br",
    "button",
    "caption",
    "center",
    "col",
    "colgroup",
    "dd",
    "details",
    "dir",
    "div",
    "dl",
    "dt",
    "embed",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "frame",
    "frameset",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hgroup",
    "hr",
    "html",
    "iframe",
    "img",
    "input",
    "keygen",
    "li",
    "link",
    "listing",
    "main",
    "marquee",
    "menu",
    "meta",
    "nav",
    "noembed",
    "noframes",
    "noscript",
    "object",
    "ol",
    "p",
    "param",
    "plaintext",
    "pre",
    "script",
    "search",
    "section",
    "select",
    "source",
    "style",
    "summary",
    "table",
    "tbody",
    "td",
    "template",
    "textarea",
    "tfoot",
    "th",
    "thead",
    "title",
    "tr",
    "track",
    "ul",
    "wbr",
    "xmp",
];
/// Elements that stand in the head of a page, until another begins its body.
pub(super) const HEAD_ELEMENTS: [&str; 13] = [
    "base", "basefont", "bgsound", "head", "html", "link", "meta", "noframes", "noscript",
    "script", "style", "template", "title",
];
