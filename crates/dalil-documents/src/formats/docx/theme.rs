//! Colours of a theme, by the names that runs and shapes have for them.

use std::collections::BTreeMap;

use crate::formats::css::{self, StyleColour};
use crate::formats::xml::{XmlNode, XmlNodes, XmlStartTag};

/// The colours of the theme of a text.
#[derive(Debug, Default)]
pub(super) struct ThemeColours(BTreeMap<String, StyleColour>);

impl ThemeColours {
    pub(super) fn parse(xml: &str) -> Self {
        let mut colours = BTreeMap::new();
        let mut name = String::new();
        for node in XmlNodes::of(xml) {
            let XmlNode::Open(tag) = node else { continue };
            match tag.name() {
                // The colour of a system is that of the machine; the file keeps the last one.
                "sysClr" | "srgbClr" => {
                    let hex = tag.get("lastClr").or_else(|| tag.get("val"));
                    if let Some(hex) = hex.filter(|_| is_slot(&name)) {
                        colours.entry(name.clone()).or_insert_with(|| css::from_hex(&hex));
                    }
                }
                other => other.clone_into(&mut name),
            }
        }
        Self(colours)
    }

    /// The colour that a name means, in the words of runs or of drawings.
    pub(super) fn named(&self, name: &str) -> Option<StyleColour> {
        let slot = match name {
            "background1" | "light1" | "bg1" => "lt1",
            "text1" | "dark1" | "tx1" => "dk1",
            "background2" | "light2" | "bg2" => "lt2",
            "text2" | "dark2" | "tx2" => "dk2",
            "hyperlink" => "hlink",
            "followedHyperlink" => "folHlink",
            other => other,
        };
        let usual = match slot {
            "lt1" => Some(StyleColour::WHITE),
            "dk1" => Some(StyleColour::BLACK),
            _ => None,
        };
        self.0.get(slot).copied().or(usual)
    }

    /// The colour of these attributes of an element: one of the theme goes before the other.
    pub(super) fn of(&self, tag: &XmlStartTag<'_>, [hex, theme]: [&str; 2]) -> Option<StyleColour> {
        // One that is tinted or shaded is kept beside, as it looks.
        let is_mixed =
            ["Tint", "Shade"].iter().any(|by| tag.get(&format!("{theme}{by}")).is_some())
                || ["themeTint", "themeShade"].iter().any(|by| tag.get(by).is_some());
        let named = tag.get(theme).filter(|_| !is_mixed).and_then(|name| self.named(&name));
        named.or_else(|| tag.get(hex).map(|hex| css::from_hex(&hex)))
    }
}

fn is_slot(name: &str) -> bool {
    matches!(name, "lt1" | "dk1" | "lt2" | "dk2" | "hlink" | "folHlink")
        || name.strip_prefix("accent").is_some_and(|number| number.len() == 1)
}
