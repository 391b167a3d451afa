//! Whether the letters of a cell can be seen.

use calamine::{Color, DataRef, FillPattern, Style};

use super::concealed::{ConcealedCells, WorkbookLooks};
use super::rule::{AppliedRules, CellRule};
use super::section::{FormatEffect, FormattedValue};
use super::text_run::MIN_VISIBLE_POINTS;
use crate::document::HiddenText;
use crate::formats::css::StyleColour;

/// A cell with the place of its style.
pub(super) struct StyledCell<'c> {
    pub(super) at: (u32, u32),
    pub(super) value: &'c DataRef<'c>,
    /// The text that the sheet would show if nothing were hidden.
    pub(super) text: &'c str,
    pub(super) style: Option<&'c Style>,
    pub(super) is_gradient: bool,
}

/// The number format of a style.
pub(super) fn code(style: Option<&Style>) -> &str {
    let format = style.and_then(|style| style.number_format.as_ref());
    format.map_or("General", |format| format.format_code.as_str())
}

impl StyledCell<'_> {
    /// Why a reader of the sheet does not see it.
    pub(super) fn unseen(
        &self,
        concealed: &ConcealedCells,
        looks: &WorkbookLooks,
    ) -> Option<HiddenText> {
        let (row, column) = self.at;
        if looks.is_hidden || concealed.has_row(row) || concealed.has_column(column) {
            return Some(HiddenText::MarkedHidden);
        }
        if concealed.covers(self.at) {
            return Some(HiddenText::CoveredByShape);
        }
        let rules = CellRule::applied(&concealed.rules, self.at, self.text);
        let code = rules.look.code.as_deref().unwrap_or_else(|| code(self.style));
        let format = FormatEffect::of(code, self.formatted());
        if format.hidden.is_some() {
            return format.hidden;
        }
        let font = self.style.and_then(|style| style.font.as_ref());
        let runs = concealed.runs(self.at);
        let is_tiny = font.and_then(|font| font.size).is_some_and(|size| size < MIN_VISIBLE_POINTS);
        if is_tiny || runs.iter().any(|run| run.tiny) {
            return Some(HiddenText::TinySize);
        }
        let own = font.and_then(|font| font.color).map(paint);
        let ink = format.ink.or(rules.look.ink).or(own);
        let ground = self.ground(concealed, &rules);
        let mut inks = runs.iter().filter_map(|run| run.ink).chain(ink);
        if inks.any(|ink| ink.is_like(ground)) {
            return Some(HiddenText::BackgroundColour);
        }
        let alignment = self.style.and_then(|style| style.alignment.as_ref());
        let indent = alignment.and_then(|alignment| alignment.indent);
        indent.is_some_and(|steps| steps > MAX_INDENT_STEPS).then_some(HiddenText::OutsidePage)
    }

    fn formatted(&self) -> FormattedValue {
        match self.value {
            #[expect(clippy::cast_precision_loss, reason = "a sheet has no other numbers")]
            DataRef::Int(number) => FormattedValue::Number(*number as f64),
            DataRef::Float(number) => FormattedValue::Number(*number),
            DataRef::DateTime(time) => FormattedValue::Number(time.as_f64()),
            _ => FormattedValue::Text,
        }
    }

    /// The colour behind it; an unknown one is like no other.
    fn ground(&self, concealed: &ConcealedCells, rules: &AppliedRules) -> StyleColour {
        if let Some(ground) = rules.look.ground {
            return ground;
        }
        let is_styled = concealed.tables.iter().any(|area| area.holds(self.at));
        let may_fill = rules.may_fill || concealed.are_rules_cut;
        if may_fill || is_styled || self.is_gradient {
            return StyleColour::Other;
        }
        let fill = self.style.and_then(|style| style.fill.as_ref());
        match fill.map(|fill| (&fill.pattern, fill.foreground_color)) {
            None | Some((FillPattern::None, _)) => StyleColour::WHITE,
            Some((FillPattern::Solid, colour)) => colour.map_or(StyleColour::Other, paint),
            Some(_) => StyleColour::Other,
        }
    }
}

fn paint(colour: Color) -> StyleColour {
    StyleColour::Paint([colour.red, colour.green, colour.blue])
}

/// A step is as wide as three characters: beyond any window.
const MAX_INDENT_STEPS: u8 = 60;
