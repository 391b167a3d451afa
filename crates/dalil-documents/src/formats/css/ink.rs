//! The colour of letters and of what is behind them.

use super::colour::{self, ColourValue, Paint, StyleColour};
use super::length::LengthBasis;
use super::syntax;
use super::values::{StyleValues, TakenValue};
use crate::document::hidden::HiddenText;

/// The colours of letters, and of what is behind them.
#[derive(Clone, Copy, Debug)]
pub(super) struct LetterInk {
    /// The colour that is said; nothing where it is not understood.
    colour: Option<Paint>,
    /// What letters are filled with, where this is something else.
    fill: Option<ColourValue>,
    behind: StyleColour,
    /// What shows through letters that a background is cut to.
    through: Option<ColourValue>,
    edges: LetterEdges,
    /// Whether the element itself paints all that is behind it.
    paints: bool,
    /// Whether any element paints what is behind it.
    is_painted: bool,
}

/// What is drawn around letters.
#[derive(Clone, Copy, Debug, Default)]
struct LetterEdges {
    shadow: Option<ColourValue>,
    outline: Option<ColourValue>,
}

impl Default for LetterInk {
    fn default() -> Self {
        Self {
            colour: Some(Paint::BLACK),
            fill: None,
            behind: StyleColour::WHITE,
            through: None,
            edges: LetterEdges::default(),
            paints: false,
            is_painted: false,
        }
    }
}

impl LetterInk {
    pub(super) fn paints(&self) -> bool {
        self.paints
    }

    pub(super) fn hand_on(&mut self) {
        self.paints = false;
    }

    pub(super) fn is_usual(&self) -> bool {
        self.colour == Some(Paint::BLACK)
            && self.behind == StyleColour::WHITE
            && self.fill.is_none()
    }

    /// The canvas of a page that says it is dark, and its letters.
    pub(super) fn darken(&mut self) {
        self.behind = StyleColour::Paint([18, 18, 18]);
        self.colour = Some(Paint::WHITE);
    }

    /// Takes what is handed on to text.
    pub(super) fn take_letters(&mut self, values: &StyleValues<'_>) {
        self.paints = false;
        match values.taken("color") {
            TakenValue::Taken | TakenValue::Own("currentcolor") => {}
            TakenValue::Initial => self.colour = Some(Paint::BLACK),
            TakenValue::Own(value) => {
                self.colour = ColourValue::of(value).and_then(|value| value.paint(self.colour));
            }
        }
        match values.taken("-webkit-text-fill-color") {
            TakenValue::Taken => {}
            TakenValue::Initial => self.fill = None,
            TakenValue::Own(value) => self.fill = ColourValue::of(value),
        }
        match values.taken("text-shadow") {
            TakenValue::Taken => {}
            TakenValue::Initial | TakenValue::Own("none") => self.edges.shadow = None,
            TakenValue::Own(value) => {
                let colour = syntax::split(value, b',')
                    .into_iter()
                    .flat_map(syntax::words)
                    .find_map(ColourValue::of);
                self.edges.shadow = Some(colour.unwrap_or(ColourValue::Current));
            }
        }
        match values.taken("-webkit-text-stroke-width") {
            TakenValue::Taken => {}
            TakenValue::Initial => self.edges.outline = None,
            TakenValue::Own(value) => {
                let is_flat = LengthBasis::PAGE.pixels(value).is_some_and(|width| width < 0.3);
                let colour = ColourValue::of(values.own("-webkit-text-stroke-color"));
                self.edges.outline = (!is_flat).then(|| colour.unwrap_or(ColourValue::Current));
            }
        }
    }

    /// Takes the style of an element with a box.
    pub(super) fn take(&mut self, values: &StyleValues<'_>, is_page: bool) {
        self.take_letters(values);
        let inverts = syntax::functions(values.own("filter"))
            .any(|(name, inside)| name == "invert" && !inside.trim().starts_with(['0', '.']));
        // Letters that are turned around are as well told from a background that is.
        if inverts && let (StyleColour::Paint(paint), false) = (self.behind, is_page) {
            self.behind = StyleColour::Paint(paint.map(|one| 255 - one));
        }
        self.blend(values.own("mix-blend-mode"));
        let colour = ColourValue::of(values.own("background-color"));
        let picture = picture(values);
        if values.is("background-clip", &["text"]) {
            self.through = picture.or(colour).or(self.through).or(Some(ColourValue::Unknown));
            return;
        }
        for layer in [colour, picture].into_iter().flatten() {
            self.through = None;
            self.is_painted = true;
            self.behind = match layer.paint(self.colour) {
                Some(paint) => {
                    self.paints |= paint.is_opaque();
                    paint.over(self.behind)
                }
                None => StyleColour::Other,
            };
        }
    }

    /// What is blended with what is behind it may have any colour. The canvas of a page is not
    /// behind: where nothing is painted, there is nothing to blend with.
    fn blend(&mut self, mode: &str) {
        if self.is_painted && !matches!(mode, "" | "normal") {
            self.behind = StyleColour::Other;
        }
    }

    /// Why letters cannot be told from what is behind them.
    pub(super) fn reason(&self) -> Option<HiddenText> {
        let paint = |value: ColourValue| value.paint(self.colour);
        let letters = match self.fill {
            Some(fill) => paint(fill)?,
            None => self.colour?,
        };
        let is_seen = |edge: Option<ColourValue>| {
            edge.is_some_and(|edge| {
                paint(edge).is_none_or(|edge| {
                    !edge.is_clear() && !edge.over(self.behind).is_like(self.behind)
                })
            })
        };
        if is_seen(self.edges.shadow) || is_seen(self.edges.outline) {
            return None;
        }
        if !letters.is_clear() {
            let is_alike = letters.over(self.behind).is_like(self.behind);
            return is_alike.then_some(HiddenText::BackgroundColour);
        }
        match self.through {
            None => Some(HiddenText::FullTransparency),
            Some(through) => {
                let is_alike = paint(through)
                    .is_some_and(|paint| paint.over(self.behind).is_like(self.behind));
                is_alike.then_some(HiddenText::BackgroundColour)
            }
        }
    }
}

/// The picture behind an element: a gradient of one colour is that colour.
fn picture(values: &StyleValues<'_>) -> Option<ColourValue> {
    let image = values.own("background-image");
    if image.is_empty() || image == "none" {
        return None;
    }
    let is_flat =
        |word: &&str| LengthBasis::PAGE.of(100.0).pixels(word).is_some_and(|size| size < 1.0);
    if syntax::words(values.own("background-size")).iter().any(is_flat) {
        return None;
    }
    let stops = syntax::function(image)
        .filter(|(name, _)| name.ends_with("gradient"))
        .and_then(|(_, inside)| colour::gradient_stops(inside));
    let Some(stops) = stops else { return Some(ColourValue::Unknown) };
    let paint = |value: &ColourValue| match value {
        ColourValue::Paint(paint) => Some(*paint),
        ColourValue::Current | ColourValue::Unknown => None,
    };
    let first = stops.first().and_then(paint);
    let is_one = first.is_some_and(|first| {
        let seen = first.over(StyleColour::WHITE);
        stops.iter().all(|stop| {
            paint(stop).is_some_and(|one| {
                one.is_opaque() == first.is_opaque() && one.over(StyleColour::WHITE).is_like(seen)
            })
        })
    });
    Some(first.filter(|_| is_one).map_or(ColourValue::Unknown, ColourValue::Paint))
}
