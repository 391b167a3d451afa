//! Rules that format cells by their values, as far as it is known whether they apply.

use super::area::CellArea;
use crate::formats::css::{self, StyleColour};
use crate::formats::xml::{XmlNode, XmlNodes, XmlStartTag};

/// The look that a rule gives cells; none for a property that is not stated.
#[derive(Clone, Debug, Default)]
pub(super) struct RuleLook {
    pub(super) ink: Option<StyleColour>,
    pub(super) ground: Option<StyleColour>,
    pub(super) code: Option<String>,
}

/// A rule of a sheet.
#[derive(Debug)]
pub(super) struct CellRule {
    areas: Vec<CellArea>,
    test: RuleTest,
    look: RuleLook,
}

/// When a rule applies.
#[derive(Debug)]
enum RuleTest {
    Always,
    Contains(String),
    Lacks(String),
    Begins(String),
    Ends(String),
    /// Its formula is not computed here.
    Unknown,
}

/// The rules that apply to a cell.
#[derive(Debug, Default)]
pub(super) struct AppliedRules {
    pub(super) look: RuleLook,
    /// Whether an unknown rule may fill the cell.
    pub(super) may_fill: bool,
}

impl CellRule {
    /// Reads a rule for these areas; its formula follows.
    pub(super) fn of(areas: &[CellArea], tag: &XmlStartTag<'_>, looks: &[RuleLook]) -> Self {
        let index = tag.number("dxfId").and_then(|index| usize::try_from(index).ok());
        let mut look = index.and_then(|index| looks.get(index)).cloned().unwrap_or_default();
        let words = || tag.value("text").to_lowercase();
        let test = match tag.get("type").as_deref() {
            Some("notContainsBlanks" | "notContainsErrors") => RuleTest::Always,
            Some("containsText") => RuleTest::Contains(words()),
            Some("notContainsText") => RuleTest::Lacks(words()),
            Some("beginsWith") => RuleTest::Begins(words()),
            Some("endsWith") => RuleTest::Ends(words()),
            // Scales and bars paint cells in colours of their own.
            Some("colorScale" | "dataBar") => {
                look.ground = Some(StyleColour::Other);
                RuleTest::Unknown
            }
            _ => RuleTest::Unknown,
        };
        Self { areas: areas.to_vec(), test, look }
    }

    /// Takes the formula of a rule.
    pub(super) fn formula(&mut self, formula: &str) {
        if matches!(self.test, RuleTest::Unknown) && is_always(formula) {
            self.test = RuleTest::Always;
        }
    }

    /// The effect of the rules that apply to a cell with this text; an earlier rule takes
    /// precedence.
    pub(super) fn applied(rules: &[Self], at: (u32, u32), text: &str) -> AppliedRules {
        let mut applied = AppliedRules::default();
        if rules.is_empty() {
            return applied;
        }
        let text = text.to_lowercase();
        for rule in rules.iter().filter(|rule| rule.areas.iter().any(|area| area.holds(at))) {
            match rule.holds(&text) {
                Some(true) => {
                    let RuleLook { ink, ground, code } = &mut applied.look;
                    *ink = ink.or(rule.look.ink);
                    *ground = ground.or(rule.look.ground);
                    if code.is_none() {
                        code.clone_from(&rule.look.code);
                    }
                }
                Some(false) => {}
                None => applied.may_fill |= rule.look.ground.is_some(),
            }
        }
        applied
    }

    fn holds(&self, text: &str) -> Option<bool> {
        Some(match &self.test {
            RuleTest::Always => true,
            RuleTest::Contains(words) => text.contains(words.as_str()),
            RuleTest::Lacks(words) => !text.contains(words.as_str()),
            RuleTest::Begins(words) => text.starts_with(words.as_str()),
            RuleTest::Ends(words) => text.ends_with(words.as_str()),
            RuleTest::Unknown => return None,
        })
    }
}

/// Whether a formula is true for any values of the cells.
fn is_always(formula: &str) -> bool {
    let formula: String = formula.split_whitespace().collect::<String>().to_ascii_uppercase();
    let formula = formula.trim_start_matches('=');
    let number = |text: &str| text.parse::<f64>().ok();
    let equal =
        formula.split_once('=').and_then(|(one, other)| Some((number(one)?, number(other)?)));
    matches!(formula, "TRUE" | "TRUE()" | "NOT(FALSE)" | "NOT(FALSE())")
        || number(formula).is_some_and(|number| number.abs() > f64::EPSILON)
        || equal.is_some_and(|(one, other)| (one - other).abs() < f64::EPSILON)
}

/// The looks that rules refer to by their places, and the styles of cells whose fill is a gradient.
#[derive(Debug, Default)]
pub(super) struct SheetStyles {
    pub(super) looks: Vec<RuleLook>,
    gradients: Vec<bool>,
    cells: Vec<Option<usize>>,
}

impl SheetStyles {
    pub(super) fn parse(xml: &str) -> Self {
        let mut styles = Self::default();
        let mut part = String::new();
        for node in XmlNodes::of(xml) {
            let XmlNode::Open(tag) = node else { continue };
            match tag.name() {
                name @ ("fonts" | "fills" | "cellXfs" | "cellStyleXfs" | "dxfs" | "borders"
                | "cellStyles") => name.clone_into(&mut part),
                _ => styles.take(&part, &tag),
            }
        }
        styles
    }

    fn take(&mut self, part: &str, tag: &XmlStartTag<'_>) {
        match (part, tag.name()) {
            ("fills", "fill") => self.gradients.push(false),
            ("fills", "gradientFill") => {
                self.gradients.last_mut().into_iter().for_each(|is_gradient| *is_gradient = true);
            }
            ("cellXfs", "xf") => {
                self.cells.push(tag.number("fillId").and_then(|id| usize::try_from(id).ok()));
            }
            ("dxfs", "dxf") => self.looks.push(RuleLook::default()),
            ("dxfs", name) => {
                let Some(look) = self.looks.last_mut() else { return };
                match name {
                    "color" => look.ink = look.ink.or_else(|| colour(tag)),
                    "bgColor" => look.ground = colour(tag),
                    // A solid fill of a rule has its colour in the background.
                    "gradientFill" => look.ground = Some(StyleColour::Other),
                    "border" => look.ink = look.ink.or(Some(StyleColour::Other)),
                    "numFmt" => look.code = tag.get("formatCode"),
                    _ => {}
                }
            }
            _ => {}
        }
    }

    /// Whether cells of a style are filled with a gradient.
    pub(super) fn is_gradient(&self, style: usize) -> bool {
        let fill = self.cells.get(style).copied().flatten();
        fill.and_then(|fill| self.gradients.get(fill)).is_some_and(|is_gradient| *is_gradient)
    }
}

/// The colour that an element names.
pub(super) fn colour(tag: &XmlStartTag<'_>) -> Option<StyleColour> {
    if let Some(hex) = tag.get("rgb") {
        // Eight digits begin with how opaque it is, which no sheet obeys.
        let hex = hex.get(hex.len().saturating_sub(6)..).unwrap_or_default().to_owned();
        return Some(css::from_hex(&hex));
    }
    let is_tinted = tag
        .get("tint")
        .and_then(|tint| tint.parse().ok())
        .is_some_and(|tint: f32| tint.abs() > f32::EPSILON);
    if let Some(theme) = tag.number("theme") {
        return Some(match theme {
            0 if !is_tinted => StyleColour::WHITE,
            1 if !is_tinted => StyleColour::BLACK,
            _ => StyleColour::Other,
        });
    }
    tag.number("indexed").map(|index| match index {
        // The palette of ECMA-376-1, 18.8.27, as far as it is black or white; 65 is the paper.
        1 | 9 | 65 => StyleColour::WHITE,
        0 | 8 | 64 => StyleColour::BLACK,
        _ => StyleColour::Other,
    })
}
