//! Layers of style: the open elements that change whether their text can be seen.
//!
//! Only these are kept, each with how many elements of its name are open inside
//! it, so that a page may nest as deep as it likes.

use html5gum::emitters::default::StartTag;

use crate::document::HiddenText;
use crate::formats::css::{self, StyleColour, StyleRules};

/// The elements that are open and matter.
#[derive(Debug)]
pub(super) struct StyleLayers {
    rules: StyleRules,
    open: Vec<StyleLayer>,
    /// Letters that were left out.
    pub(super) lost: usize,
}

#[derive(Debug)]
struct StyleLayer {
    name: String,
    /// Elements of its name that are open, itself included.
    depth: usize,
    effect: LayerEffect,
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
}

impl StyleLayers {
    /// For a page, whose style sheets are read first: a rule may stand below what it hides.
    pub(super) fn new(page: &str) -> Self {
        let mut rules = StyleRules::default();
        // ASCII case does not change lengths, so places in the copy are places in the page.
        let lower = page.to_ascii_lowercase();
        let mut at = 0;
        while let Some(found) = lower.get(at..).and_then(|rest| rest.find("<style")) {
            let start = at + found;
            let end = lower.get(start..).and_then(|rest| rest.find("</style"));
            let end = end.map_or(page.len(), |end| start + end);
            let element = page.get(start..end).unwrap_or_default();
            rules.add(element.split_once('>').map_or("", |(_, sheet)| sheet));
            at = end;
        }
        Self { rules, open: Vec::new(), lost: 0 }
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
                LayerEffect::NoText | LayerEffect::Drop | LayerEffect::Summary => {}
            }
        }
        let (text, behind) = colours;
        text.filter(|text| text.is_like(behind)).map(|_| HiddenText::BackgroundColour)
    }

    pub(super) fn start(&mut self, name: &str, tag: &StartTag<usize>) {
        if let Some(at) = self.open.iter().rposition(|layer| layer.name == name) {
            // One that has no end of its own ends where the next of its kind begins.
            match self.open.get_mut(at) {
                Some(layer) if layer.depth == 1 && OPTIONAL_END_ELEMENTS.contains(&name) => {
                    self.open.truncate(at);
                }
                Some(layer) => layer.depth += usize::from(!VOID_ELEMENTS.contains(&name)),
                None => {}
            }
        }
        if VOID_ELEMENTS.contains(&name) || tag.self_closing && !NON_TEXT_ELEMENTS.contains(&name) {
            return;
        }
        if let Some(effect) = self.effect(name, tag)
            && self.open.len() < MAX_OPEN_LAYERS
        {
            let below = self.open.iter_mut().rev().find(|layer| layer.name == name);
            // It was counted above as an element inside the layer of its name, and now has its own.
            below.into_iter().for_each(|layer| layer.depth -= 1);
            self.open.push(StyleLayer { name: name.to_owned(), depth: 1, effect });
        }
    }

    pub(super) fn end(&mut self, name: &str) {
        let Some(at) = self.open.iter().rposition(|layer| layer.name == name) else { return };
        let Some(layer) = self.open.get_mut(at) else { return };
        layer.depth = layer.depth.saturating_sub(1);
        if layer.depth == 0 {
            self.open.truncate(at);
        }
    }

    fn effect(&self, name: &str, tag: &StartTag<usize>) -> Option<LayerEffect> {
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
        let own = css::declarations(&value("style").unwrap_or_default());
        // An own style is certain and drops the text. A rule of a sheet is read without its
        // conditions, so what it hides is marked below and not dropped.
        if css::unseen(&own) == Some(HiddenText::MarkedHidden) {
            return Some(LayerEffect::Drop);
        }
        let (classes, id) = (value("class").unwrap_or_default(), value("id").unwrap_or_default());
        let mut style = self.rules.of(name, &classes, &id);
        for (key, attribute) in [("color", "color"), ("background-color", "bgcolor")] {
            style
                .extend(value(attribute).map(|value| (key.to_owned(), value.to_ascii_lowercase())));
        }
        // Last, since an own style outweighs attributes and most rules.
        style.extend(own);
        let closed = value("open").is_none();
        match name {
            "details" | "dialog" if closed => {
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

const NON_TEXT_ELEMENTS: [&str; 8] =
    ["script", "style", "template", "title", "svg", "noframes", "iframe", "object"];
const OPTIONAL_END_ELEMENTS: [&str; 8] = ["p", "li", "td", "th", "tr", "dt", "dd", "option"];
const VOID_ELEMENTS: [&str; 14] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
];
/// Elements within one another that matter; a deeper one is read as what is around it.
const MAX_OPEN_LAYERS: usize = 64;
