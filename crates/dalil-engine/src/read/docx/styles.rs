//! Styles: which paragraphs are headings, and which are numbered by their style.

use std::collections::BTreeMap;

use super::look::RunLook;
use super::numbering::Numbered;
use crate::read::xml::{Node, Nodes};

/// The paragraph styles of a text, by id.
#[derive(Debug, Default)]
pub(super) struct Styles(BTreeMap<String, Style>);

#[derive(Debug, Default)]
struct Style {
    name: String,
    parent: Option<String>,
    outline: Option<u32>,
    numbered: Numbered,
    look: RunLook,
}

impl Styles {
    pub(super) fn parse(xml: &str) -> Self {
        let mut styles = BTreeMap::new();
        let mut open: Option<(String, Style)> = None;
        for node in Nodes::of(xml) {
            match node {
                Node::Open(tag) if tag.name() == "style" => {
                    open = tag.get("styleId").map(|id| (id, Style::default()));
                }
                Node::Open(tag) => {
                    let Some((_, style)) = &mut open else { continue };
                    match tag.name() {
                        "name" => style.name = tag.get("val").unwrap_or_default().to_lowercase(),
                        "basedOn" => style.parent = tag.get("val"),
                        "outlineLvl" => style.outline = tag.number("val"),
                        "numId" => style.numbered.list = tag.get("val"),
                        "ilvl" => style.numbered.level = tag.number("val"),
                        _ => style.look.take(&tag),
                    }
                }
                Node::Close(end) if end.name() == "style" => styles.extend(open.take()),
                Node::Close(_) | Node::Text(_) => {}
            }
        }
        Self(styles)
    }

    /// The level of the heading that a style makes, from 1.
    pub(super) fn heading(&self, id: &str) -> Option<u8> {
        self.chain(id).find_map(|style| {
            let outline = style.outline.and_then(|level| u8::try_from(level + 1).ok());
            outline.or_else(|| named(&style.name))
        })
    }

    /// How a style makes its letters look.
    pub(super) fn look(&self, id: &str) -> RunLook {
        self.chain(id).fold(RunLook::default(), |look, style| look.over(style.look))
    }

    /// How a style numbers its paragraphs.
    pub(super) fn numbered(&self, id: &str) -> Numbered {
        let list = self.chain(id).find_map(|style| style.numbered.list.clone());
        let level = self.chain(id).find_map(|style| style.numbered.level);
        Numbered { list, level }
    }

    /// A style and those it is based on; a circle ends somewhere.
    fn chain(&self, id: &str) -> impl Iterator<Item = &Style> {
        let next = |style: &&Style| style.parent.as_ref().and_then(|id| self.0.get(id));
        std::iter::successors(self.0.get(id), next).take(MAX_CHAIN)
    }
}

/// The level in the name of a heading style, in the languages that writers name them in.
fn named(name: &str) -> Option<u8> {
    if NAMES_OF_TITLES.contains(&name) {
        return Some(1);
    }
    let (word, number) = name.rsplit_once(' ')?;
    let level: u8 = number.parse().ok().filter(|level| (1..=9).contains(level))?;
    NAMES_OF_HEADINGS.contains(&word).then_some(level)
}

const MAX_CHAIN: usize = 16;
const NAMES_OF_TITLES: [&str; 2] = ["title", "العنوان"];
const NAMES_OF_HEADINGS: [&str; 9] = [
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
