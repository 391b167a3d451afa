//! Styles: which paragraphs are headings, and which are numbered by their style.

use std::collections::BTreeMap;

use super::look::{self, RunProperties};
use super::numbering::NumberingRef;
use super::placing::ParagraphPlacing;
use super::theme::ThemeColours;
use crate::formats::css::StyleColour;
use crate::formats::xml::{XmlNode, XmlNodes, XmlStartTag};

/// The styles of a text.
#[derive(Debug, Default)]
pub(super) struct DocxStyles {
    by_id: BTreeMap<String, DocxStyle>,
    /// The look of letters where no style changes it.
    defaults: RunProperties,
    /// The style of paragraphs that name none.
    usual: Option<String>,
    /// The style of runs that name none.
    usual_letters: Option<String>,
}

#[derive(Debug, Default)]
struct DocxStyle {
    name: String,
    parent: Option<String>,
    outline: Option<u32>,
    numbered: NumberingRef,
    look: RunProperties,
    placing: ParagraphPlacing,
    /// The colour of the cells of a table.
    ground: Option<StyleColour>,
}

/// The part of a style that is open.
#[derive(Clone, Copy, Debug, PartialEq)]
enum StylePart {
    /// The look of all letters where no style changes it.
    Defaults,
    Letters,
    Paragraph,
    Cells,
    /// How some rows or columns of a table look.
    SomeCells,
    Other,
}

impl StylePart {
    fn inside(self, tag: &XmlStartTag<'_>) -> Self {
        match tag.name() {
            "tblStylePr" if tag.get("type").is_none_or(|kind| kind != "wholeTable") => {
                Self::SomeCells
            }
            _ if self == Self::SomeCells => self,
            "rPr" => Self::Letters,
            "pPr" => Self::Paragraph,
            "tcPr" | "tblPr" | "trPr" => Self::Cells,
            _ => self,
        }
    }

    fn outside(self, name: &str) -> Self {
        match name {
            "tblStylePr" | "rPrDefault" | "style" => Self::Other,
            "rPr" | "pPr" | "tcPr" | "tblPr" | "trPr"
                if !matches!(self, Self::SomeCells | Self::Defaults) =>
            {
                Self::Other
            }
            _ => self,
        }
    }
}

impl DocxStyle {
    fn take(&mut self, part: StylePart, tag: &XmlStartTag<'_>, theme: &ThemeColours) {
        match tag.name() {
            "name" => self.name.extend(tag.get("val").map(|name| name.to_lowercase())),
            "basedOn" => self.parent = tag.get("val"),
            "outlineLvl" => self.outline = tag.number("val"),
            "numId" => self.numbered.list = tag.get("val"),
            "ilvl" => self.numbered.level = tag.number("val"),
            "shd" if part == StylePart::Cells => {
                self.ground = look::shade(tag, theme).or(self.ground);
            }
            // Which cells these are is not followed: they may be any.
            "shd" if part == StylePart::SomeCells => self.ground = Some(StyleColour::Other),
            _ => match part {
                StylePart::Letters => self.look.take(tag, theme),
                StylePart::Paragraph => self.placing.take(tag, theme),
                StylePart::Defaults
                | StylePart::Cells
                | StylePart::SomeCells
                | StylePart::Other => {}
            },
        }
    }
}

impl DocxStyles {
    pub(super) fn parse(xml: &str, theme: &ThemeColours) -> Self {
        let mut styles = Self::default();
        let mut part = StylePart::Other;
        let mut open: Option<(String, DocxStyle)> = None;
        for node in XmlNodes::of(xml) {
            match node {
                XmlNode::Open(tag) if tag.name() == "style" => {
                    open = tag.get("styleId").map(|id| (id, DocxStyle::default()));
                    part = StylePart::Other;
                    styles.begin(&tag);
                }
                XmlNode::Open(tag) if tag.name() == "rPrDefault" => part = StylePart::Defaults,
                XmlNode::Open(tag) if part == StylePart::Defaults => {
                    styles.defaults.take(&tag, theme);
                }
                XmlNode::Open(tag) => {
                    if let Some((_, style)) = &mut open {
                        part = part.inside(&tag);
                        style.take(part, &tag, theme);
                    }
                }
                XmlNode::Close(end) => {
                    if end.name() == "style" {
                        styles.by_id.extend(open.take());
                    }
                    part = part.outside(end.name());
                }
                XmlNode::Text(_) => {}
            }
        }
        styles
    }

    /// Keeps which style is the usual one of its kind.
    fn begin(&mut self, tag: &XmlStartTag<'_>) {
        let is_usual =
            tag.get("default").is_some_and(|value| matches!(value.as_str(), "1" | "true" | "on"));
        match tag.get("type").as_deref().filter(|_| is_usual) {
            Some("paragraph") => self.usual = tag.get("styleId"),
            Some("character") => self.usual_letters = tag.get("styleId"),
            _ => {}
        }
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

    /// How the letters of a paragraph of this style look, or of one that names none, in a table
    /// whose letters look like this.
    pub(super) fn paragraph_look(&self, id: Option<&str>, table: RunProperties) -> RunProperties {
        let look = |id: &Option<String>| {
            id.as_deref().map_or_else(RunProperties::default, |id| self.look(id))
        };
        let own = id.map_or_else(|| look(&self.usual), |id| self.look(id));
        look(&self.usual_letters).over(own).over(table).over(self.defaults)
    }

    /// Where paragraphs of this style stand, or those that name none.
    pub(super) fn placing(&self, id: Option<&str>) -> ParagraphPlacing {
        let Some(id) = id.or(self.usual.as_deref()) else { return ParagraphPlacing::default() };
        self.chain(id)
            .fold(ParagraphPlacing::default(), |placing, style| placing.over(style.placing))
    }

    /// The colour that a style gives the cells of a table.
    pub(super) fn cell_ground(&self, id: &str) -> Option<StyleColour> {
        self.chain(id).find_map(|style| style.ground)
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

/// Word follows no more than ten; other programs follow all.
const MAX_STYLE_ANCESTORS: usize = 40;
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
