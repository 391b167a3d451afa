//! Elements with an optional end tag, and the tags that end them implicitly.

use crate::formats::markup::PARAGRAPH_ENDING_ELEMENTS;

/// What ends an element that has no end of its own.
pub(super) struct ImpliedEnd {
    /// Whether it ends where an element of a name begins.
    pub(super) at: fn(&str) -> bool,
    /// The elements whose end is its end too, and inside of which others of its kind are apart.
    pub(super) within: &'static [&'static str],
}

impl ImpliedEnd {
    pub(super) fn of(name: &str) -> Option<&'static Self> {
        match name {
            "li" => Some(&Self { at: |name| name == "li", within: &["ul", "ol", "menu"] }),
            "dt" | "dd" => Some(&Self { at: |name| matches!(name, "dt" | "dd"), within: &["dl"] }),
            "option" => Some(&Self {
                at: |name| matches!(name, "option" | "optgroup"),
                within: &["select"],
            }),
            "td" | "th" => {
                Some(&Self { at: |name| TABLE_PART_ELEMENTS.contains(&name), within: &["table"] })
            }
            "tr" => Some(&Self {
                at: |name| matches!(name, "tr" | "tbody" | "thead" | "tfoot"),
                within: &["table"],
            }),
            // A table ends it in some pages and not in others; it is taken for a part of it. A part of
            // a table ends the cell around it.
            "p" => Some(&Self {
                at: |name| {
                    TABLE_PART_ELEMENTS.contains(&name)
                        || name != "table" && PARAGRAPH_ENDING_ELEMENTS.contains(&name)
                },
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
