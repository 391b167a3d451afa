//! The elements that are around a whole page, whether it has tags of them or not.

use super::element::{ElementEffect, TagAttributes};
use crate::formats::css::StyleRules;

/// What the tags of `html` and `body` say, wherever in the page they stand.
#[derive(Debug, Default)]
pub(super) struct PageRoot {
    html: TagAttributes,
    body: TagAttributes,
}

impl PageRoot {
    /// Takes a tag; of an attribute that is there already only the first counts (HTML, 13.2.6.4.7).
    pub(super) fn take(&mut self, name: &str, attributes: &TagAttributes) {
        let known = if name == "html" { &mut self.html } else { &mut self.body };
        for (key, value) in attributes {
            known.entry(key.clone()).or_insert_with(|| value.clone());
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.html.is_empty() && self.body.is_empty()
    }

    /// What the two do to the text of the page, the outer one first.
    pub(super) fn effects(&self, rules: &mut StyleRules) -> [ElementEffect; 2] {
        let html = ElementEffect::of("html", &self.html, rules, &[]);
        let body = ElementEffect::of("body", &self.body, rules, &[&html.marks]);
        [html, body]
    }
}
