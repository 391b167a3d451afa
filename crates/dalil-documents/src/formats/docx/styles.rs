//! Styles: which paragraphs are headings, and which are numbered by their style.

use std::collections::BTreeMap;

use super::look::RunProperties;
use super::numbering::NumberingRef;
use crate::formats::xml::{XmlNode, XmlNodes};

/// The styles of a text.
#[derive(Debug, Default)]
pub(super) struct DocxStyles {
    by_id: BTreeMap<String, DocxStyle>,
    /// How letters look where no style says otherwise.
    defaults: RunProperties,
    /// The style of paragraphs that name none.
    usual: Option<String>,
}

#[derive(Debug, Default)]
struct DocxStyle {
    name: String,
    parent: Option<String>,
    outline: Option<u32>,
    numbered: NumberingRef,
    look: RunProperties,
}

impl DocxStyles {
    pub(super) fn parse(xml: &str) -> Self {
        let mut styles = Self::default();
        let mut in_defaults = false;
        let mut open: Option<(String, DocxStyle)> = None;
        for node in XmlNodes::of(xml) {
            match node {
                XmlNode::Open(tag) if tag.name() == "style" => {
                    open = tag.get("styleId").map(|id| (id, DocxStyle::default()));
                    let is = |name: &str, values: &[&str]| {
                        tag.get(name).is_some_and(|value| values.contains(&value.as_str()))
                    };
                    if is("type", &["paragraph"]) && is("default", &["1", "true", "on"]) {
                        styles.usual = open.as_ref().map(|(id, _)| id.clone());
                    }
                }
                XmlNode::Open(tag) if tag.name() == "rPrDefault" => in_defaults = true,
                XmlNode::Open(tag) if in_defaults => styles.defaults.take(&tag),
                XmlNode::Open(tag) => {
                    let Some((_, style)) = &mut open else { continue };
                    match tag.name() {
                        "name" => style.name.extend(tag.get("val").map(|name| name.to_lowercase())),
                        "basedOn" => style.parent = tag.get("val"),
                        "outlineLvl" => style.outline = tag.number("val"),
                        "numId" => style.numbered.list = tag.get("val"),
                        "ilvl" => style.numbered.level = tag.number("val"),
                        _ => style.look.take(&tag),
                    }
                }
                XmlNode::Close(end) if end.name() == "style" => styles.by_id.extend(open.take()),
                XmlNode::Close(end) if end.name() == "rPrDefault" => in_defaults = false,
                XmlNode::Close(_) | XmlNode::Text(_) => {}
            }
        }
        styles
    }

    /// The level of the heading that a style makes, from 1.
    pub(super) fn heading(&self, id: &str) -> Option<u8> {
        self.chain(id).find_map(|style| {
            let outline =
                style.outline.and_then(|level| u8::try_from(level.saturating_add(1)).ok());
            outline.or_else(|| named(&style.name))
        })
    }

    /// How a style makes its letters look.
    pub(super) fn look(&self, id: &str) -> RunProperties {
        self.chain(id).fold(RunProperties::default(), |look, style| look.over(style.look))
    }

    /// How the letters of a paragraph of this style look, or of one that names none.
    pub(super) fn paragraph_look(&self, id: Option<&str>) -> RunProperties {
        let style = id.or(self.usual.as_deref()).map(|id| self.look(id));
        style.map_or(self.defaults, |style| style.over(self.defaults))
    }

    /// How a style numbers its paragraphs.
    pub(super) fn numbered(&self, id: &str) -> NumberingRef {
        let list = self.chain(id).find_map(|style| style.numbered.list.clone());
        let level = self.chain(id).find_map(|style| style.numbered.level);
        NumberingRef { list, level }
    }

    /// A style and those it is based on; a circle ends somewhere.
    fn chain(&self, id: &str) -> impl Iterator<Item = &DocxStyle> {
        let next = |style: &&DocxStyle| style.parent.as_ref().and_then(|id| self.by_id.get(id));
        std::iter::successors(self.by_id.get(id), next).take(MAX_STYLE_ANCESTORS)
    }
}

/// The level in the name of a heading style, in the languages that writers name them in.
fn named(name: &str) -> Option<u8> {
    if TITLE_STYLE_NAMES.contains(&name) {
        return Some(1);
    }
    let (word, number) = name.rsplit_once(' ')?;
    let level: u8 = number.parse().ok().filter(|level| (1..=9).contains(level))?;
    HEADING_STYLE_NAMES.contains(&word).then_some(level)
}

const MAX_STYLE_ANCESTORS: usize = 16;
const TITLE_STYLE_NAMES: [&str; 2] = ["title", "العنوان"];
const HEADING_STYLE_NAMES: [&str; 9] = [
    "heading",
    "überschrift",
    "titre",
    "título",
    "titolo",
    "заголовок",
    "عنوان",
    "العنوان",
    "başlık",
];
