//! Elements whose end a page may leave out, and what ends them instead.

/// What ends an element that has no end of its own.
pub(super) struct ImpliedEnd {
    /// The elements at whose beginning it ends.
    pub(super) at: &'static [&'static str],
    /// The elements whose end is its end too, and inside of which others of its kind are apart.
    pub(super) within: &'static [&'static str],
}

impl ImpliedEnd {
    pub(super) fn of(name: &str) -> Option<&'static Self> {
        match name {
            "li" => Some(&Self { at: &["li"], within: &["ul", "ol", "menu"] }),
            "dt" | "dd" => Some(&Self { at: &["dt", "dd"], within: &["dl"] }),
            "option" => Some(&Self { at: &["option", "optgroup"], within: &["select"] }),
            "td" | "th" => Some(&Self {
                at: &["td", "th", "tr", "tbody", "thead", "tfoot"],
                within: &["table"],
            }),
            "tr" => Some(&Self { at: &["tr", "tbody", "thead", "tfoot"], within: &["table"] }),
            // A table ends it in some pages and not in others; it is taken for a part of it.
            "p" => Some(&Self {
                at: &PARAGRAPH_ENDING_ELEMENTS,
                within: &["table", "button", "marquee", "object", "math"],
            }),
            _ => None,
        }
    }
}

/// The elements that others are within.
pub(super) const HOLDER_ELEMENTS: [&str; 10] =
    ["ul", "ol", "menu", "dl", "select", "table", "button", "marquee", "object", "math"];
/// The parts of a table, whose tags mean nothing outside of one.
pub(super) const TABLE_PART_ELEMENTS: [&str; 6] = ["td", "th", "tr", "tbody", "thead", "tfoot"];
/// Those of HTML, 13.2.6.4.7; a part of a table ends the cell around the paragraph.
const PARAGRAPH_ENDING_ELEMENTS: [&str; 46] = [
    "p",
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
    "plaintext",
    "pre",
    "search",
    "section",
    "summary",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "tr",
    "ul",
    "xmp",
];
