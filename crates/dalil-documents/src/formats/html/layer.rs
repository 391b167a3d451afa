//! Layers of style: the open elements that change whether their text can be seen.
//!
//! Only these are kept, each with how many elements of its name are open inside
//! it, so that a page may nest as deep as it likes.

use std::collections::BTreeMap;

use html5gum::emitters::default::StartTag;

use crate::document::HiddenText;
use crate::formats::css::{self, StyleColour, StyleMarks, StyleRules};
use crate::formats::markup::{SELF_ENDING_ELEMENTS, VOID_ELEMENTS};
use implied::{HOLDER_ELEMENTS, ImpliedEnd, TABLE_PART_ELEMENTS};

mod implied;

/// The elements that are open and matter.
#[derive(Debug)]
pub(super) struct StyleLayers {
    rules: StyleRules,
    open: Vec<StyleLayer>,
    /// How many lists and tables of each kind are open.
    holders: BTreeMap<&'static str, usize>,
    /// Letters that were left out.
    pub(super) lost: usize,
}

#[derive(Debug)]
struct StyleLayer {
    name: String,
    /// Elements of its name that are open, itself included.
    depth: usize,
    /// Lists or tables that are open inside an element whose end may be left out.
    inside: usize,
    effect: LayerEffect,
    /// What the selectors of rules for elements inside it can call it.
    marks: StyleMarks,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum LayerEffect {
    /// Never text: a script.
    NoText,
    /// Text that the page itself hides.
    Drop,
    /// Text that cannot be seen.
    Hide(HiddenText),
    /// What is shown of a closed section.
    Summary,
    /// Other colours of text and background.
    Colours(Option<StyleColour>, Option<StyleColour>),
    /// None of its own; rules ask for it around others.
    Around,
}

impl StyleLayers {
    pub(super) fn new(page: &str) -> Self {
        let rules = StyleRules::of_page(page);
        Self { rules, open: Vec::new(), holders: BTreeMap::new(), lost: 0 }
    }

    /// Whether text is left out here.
    pub(super) fn drops(&self) -> bool {
        self.open
            .iter()
            .any(|layer| matches!(layer.effect, LayerEffect::NoText | LayerEffect::Drop))
    }

    /// Leaves a text out, if it is to be.
    pub(super) fn take(&mut self, text: &str) -> bool {
        let drops = self.drops();
        // Scripts are no text: nothing of them counts as lost.
        if drops && !self.open.iter().any(|layer| layer.effect == LayerEffect::NoText) {
            self.lost += text.chars().filter(|ch| !ch.is_whitespace()).count();
        }
        drops
    }

    /// Why text cannot be seen here.
    pub(super) fn unseen(&self) -> Option<HiddenText> {
        let opened = self.open.iter().rposition(|layer| layer.effect == LayerEffect::Summary);
        let mut colours = (None, StyleColour::WHITE);
        for (at, layer) in self.open.iter().enumerate() {
            match layer.effect {
                // The summary of a closed section is what a reader sees of it.
                LayerEffect::Hide(HiddenText::ClosedSection)
                    if opened.is_some_and(|opened| opened > at) => {}
                LayerEffect::Hide(reason) => return Some(reason),
                LayerEffect::Colours(text, behind) => {
                    colours.0 = text.or(colours.0);
                    // A transparent background lets the one around it through.
                    colours.1 = behind
                        .filter(|behind| *behind != StyleColour::Nothing)
                        .unwrap_or(colours.1);
                }
                LayerEffect::NoText
                | LayerEffect::Drop
                | LayerEffect::Summary
                | LayerEffect::Around => {}
            }
        }
        let (text, behind) = colours;
        text.filter(|text| text.is_like(behind)).map(|_| HiddenText::BackgroundColour)
    }

    pub(super) fn start(&mut self, name: &str, tag: &StartTag<usize>) {
        // One that has no end of its own ends where the next of its kind begins.
        let ends = |layer: &StyleLayer| {
            let implied = ImpliedEnd::of(&layer.name);
            layer.inside == 0 && implied.is_some_and(|implied| (implied.at)(name))
        };
        // Outside of a table, the tags of its parts are ignored.
        let is_ignored = TABLE_PART_ELEMENTS.contains(&name)
            && self.holders.get("table").is_none_or(|open| *open == 0);
        if let Some(at) = self.open.iter().position(ends).filter(|_| !is_ignored) {
            self.open.truncate(at);
        }
        let marks = self.marks(name, tag);
        // Only elements of pictures and formulas end themselves: a page hides what follows
        // `<div hidden/>`.
        let ends_itself = tag.self_closing && SELF_ENDING_ELEMENTS.contains(&name);
        if VOID_ELEMENTS.contains(&name) || ends_itself {
            return self.rules.pass(&marks);
        }
        if let Some(holder) = HOLDER_ELEMENTS.iter().find(|holder| **holder == name) {
            *self.holders.entry(*holder).or_default() += 1;
            self.held(name).for_each(|layer| layer.inside += 1);
        }
        let effect = self.effect(name, tag, &marks);
        self.rules.pass(&marks);
        let Some(effect) = effect else {
            let around = self.open.iter_mut().rev().find(|layer| layer.name == name);
            return around.into_iter().for_each(|layer| layer.depth += 1);
        };
        if self.open.len() < MAX_OPEN_LAYERS {
            let layer = StyleLayer { name: name.to_owned(), depth: 1, inside: 0, effect, marks };
            self.open.push(layer);
        } else if matches!(effect, LayerEffect::Drop | LayerEffect::Hide(_)) {
            // What hides must not be lost: all of the last layer is taken for hidden.
            self.open.last_mut().into_iter().for_each(|layer| layer.effect = effect);
        }
    }

    pub(super) fn end(&mut self, name: &str) {
        if let Some(open) = self.holders.get_mut(name).filter(|open| **open > 0) {
            *open -= 1;
            if let Some(at) = self.open.iter().position(|layer| {
                let implied = ImpliedEnd::of(&layer.name);
                layer.inside == 0 && implied.is_some_and(|implied| implied.within.contains(&name))
            }) {
                self.open.truncate(at);
            }
            self.held(name).for_each(|layer| layer.inside -= 1);
        }
        let Some(at) = self.open.iter().rposition(|layer| layer.name == name) else { return };
        let Some(layer) = self.open.get_mut(at) else { return };
        if ImpliedEnd::of(name).is_none() {
            layer.depth = layer.depth.saturating_sub(1);
        }
        // The end of one that may lack it is of another, while a list or a table is open in it.
        if layer.depth == 0 || ImpliedEnd::of(name).is_some() && layer.inside == 0 {
            self.open.truncate(at);
        }
    }

    /// The open layers inside of which a list or a table of this name keeps others apart.
    fn held(&mut self, name: &str) -> impl Iterator<Item = &mut StyleLayer> {
        self.open.iter_mut().filter(move |layer| {
            ImpliedEnd::of(&layer.name).is_some_and(|implied| implied.within.contains(&name))
        })
    }

    /// What selectors can call an element.
    fn marks(&self, name: &str, tag: &StartTag<usize>) -> StyleMarks {
        self.rules.marks(name, |key| {
            let found = tag.attributes.get(key.as_bytes());
            found.map(|found| String::from_utf8_lossy(found).into_owned())
        })
    }

    /// What an element does to its text.
    fn effect(
        &mut self,
        name: &str,
        tag: &StartTag<usize>,
        marks: &StyleMarks,
    ) -> Option<LayerEffect> {
        let own = self.own_effect(name, tag, marks);
        own.or_else(|| self.rules.ask_for(marks).then_some(LayerEffect::Around))
    }

    fn own_effect(
        &mut self,
        name: &str,
        tag: &StartTag<usize>,
        marks: &StyleMarks,
    ) -> Option<LayerEffect> {
        if NON_TEXT_ELEMENTS.contains(&name) {
            return Some(LayerEffect::NoText);
        }
        let value = |key: &str| {
            tag.attributes
                .get(key.as_bytes())
                .map(|found| String::from_utf8_lossy(found).into_owned())
        };
        if value("hidden").is_some_and(|value| value != "until-found") {
            return Some(LayerEffect::Drop);
        }
        let own = value("style").map(|style| css::declarations(&style));
        // An own style is certain and drops the text. A rule of a sheet is read without its
        // conditions, so what it hides is marked below and not dropped.
        if own.as_ref().and_then(css::unseen) == Some(HiddenText::MarkedHidden) {
            return Some(LayerEffect::Drop);
        }
        let around: Vec<_> = self.open.iter().map(|layer| &layer.marks).collect();
        let mut style = self.rules.of(marks, &around);
        style.extend(css::attribute_style(name, value));
        // Last, since an own style outweighs attributes and most rules.
        style.extend(own.into_iter().flatten());
        self.rules.resolve(&mut style);
        let closed = value("open").is_none();
        match name {
            "details" | "dialog" if closed => {
                return Some(LayerEffect::Hide(HiddenText::ClosedSection));
            }
            // A list that opens when it is chosen from; one of several lines is open.
            "select" if value("multiple").is_none() && value("size").is_none() => {
                return Some(LayerEffect::Hide(HiddenText::ClosedSection));
            }
            _ if value("popover").is_some() => {
                return Some(LayerEffect::Hide(HiddenText::ClosedSection));
            }
            "summary" => return Some(LayerEffect::Summary),
            "noscript" | "datalist" | "canvas" | "audio" | "video" => {
                return Some(LayerEffect::Hide(HiddenText::MarkedHidden));
            }
            _ => {}
        }
        if let Some(reason) = css::unseen(&style) {
            return Some(LayerEffect::Hide(reason));
        }
        match css::colours(&style) {
            (None, None) => None,
            (text, behind) => Some(LayerEffect::Colours(text, behind)),
        }
    }
}

const NON_TEXT_ELEMENTS: [&str; 12] = [
    "script",
    "style",
    "template",
    "title",
    "svg",
    "noframes",
    "noembed",
    "iframe",
    "object",
    // What stands in place of marks beside letters, and other spellings of a formula.
    "rp",
    "annotation",
    "annotation-xml",
];
/// Elements within one another that matter; a deeper one is read as what is around it.
const MAX_OPEN_LAYERS: usize = 64;
