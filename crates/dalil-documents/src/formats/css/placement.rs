//! Boxes that cut their text off, stand where nobody sees them, or lie over others.

use super::length::{LengthBasis, WINDOW_HEIGHT, WINDOW_WIDTH, share};
use super::syntax;
use super::values::{BoxKind, StyleValues, TakenValue};
use crate::document::hidden::HiddenText;

/// Where the text of an element is put, by its boxes and those around them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BoxPlace {
    pub(super) shape: BoxKind,
    /// Whether a box without room cuts the text off.
    cut: Option<CutBox>,
    /// Whether a box around it cuts off what is moved out of it.
    frame: Option<CutBox>,
    /// How far the first line of a block is moved, in pixels.
    indent: f32,
    /// What is painted between the text and the layer that it is in.
    beneath: LayerPaint,
    /// Whether lines have no height.
    is_lineless: bool,
    /// Whether parts of the element itself may grow.
    rest: InnerRest,
    /// Whether the element itself places those in it that are taken out of the flow.
    pub(super) is_placing: bool,
    /// Whether it may lie over others.
    pub(super) is_raised: bool,
}

/// A box that cuts off what is outside of it, but for what is placed by a box around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CutBox {
    Free,
    /// Elements in it are placed by it.
    Placing,
    /// The window, in which a reader scrolls down.
    Window,
}

/// The room of a flexible box that its parts leave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum InnerRest {
    #[default]
    Unshared,
    /// Parts that grow become wider.
    Wide,
    /// Parts that grow become higher.
    High,
}

impl InnerRest {
    fn of(values: &StyleValues<'_>, basis: LengthBasis) -> Self {
        let is_flexible = values.own("display").contains("flex");
        if !is_flexible || (BoxRoom { values, basis }).flat_sides().contains(&true) {
            return Self::Unshared;
        }
        let is_column =
            ["flex-direction", "flex-flow"].iter().any(|name| values.own(name).contains("column"));
        if is_column { Self::High } else { Self::Wide }
    }
}

/// What an element behind others would be behind of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum LayerPaint {
    #[default]
    Nothing,
    Paint,
}

/// What an element with a background lies over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::formats) enum CoveredArea {
    /// The element that it is placed by.
    Around,
    Window,
}

impl BoxPlace {
    /// Takes the style of an element inside of one with this place; tells whether it hides all
    /// that is in it.
    pub(super) fn take(
        &mut self,
        around: &Self,
        shape: BoxKind,
        values: &StyleValues<'_>,
        basis: LengthBasis,
    ) -> Option<HiddenText> {
        self.shape = shape;
        self.is_placing = is_placing(values);
        let is_layered =
            !values.is("z-index", &["", "auto", "0"]) && !values.own("z-index").starts_with('-');
        self.is_raised = is_layered && !values.is("position", &["", "static"]);
        let is_taken_out = values.is("position", &["absolute", "fixed"]);
        if is_taken_out {
            // A box that places nothing does not cut off what is placed by others.
            self.cut = self.cut.filter(|cut| *cut == CutBox::Placing);
            self.frame = self.frame.filter(|frame| *frame == CutBox::Placing);
        }
        if values.is("position", &["fixed"]) {
            (self.cut, self.frame) = (None, None);
        }
        match values.taken("line-height") {
            TakenValue::Taken => {}
            TakenValue::Initial => self.is_lineless = false,
            TakenValue::Own(value) => {
                self.is_lineless =
                    basis.of(basis.font).pixels(value).is_some_and(|high| high < 0.2);
            }
        }
        self.rest = InnerRest::of(values, basis);
        let cuts = cuts(values);
        self.indent(values, basis, cuts);
        if self.is_outside(values, basis) || is_clipped(values, basis) {
            return Some(HiddenText::OutsidePage);
        }
        if values.own("z-index").starts_with('-')
            && !values.is("position", &["", "static"])
            && around.beneath == LayerPaint::Paint
        {
            return Some(HiddenText::CoveredByShape);
        }
        if matches!(shape, BoxKind::Inline | BoxKind::TablePart) {
            return None;
        }
        let kind = if self.is_placing { CutBox::Placing } else { CutBox::Free };
        if self.has_no_room(around, values, basis, cuts) {
            self.cut = Some(kind);
        }
        if cuts != [false; 2] {
            self.frame = Some(kind);
        }
        None
    }

    /// Leaves what holds for the element itself and not for those in it.
    pub(super) fn hand_on(&mut self) {
        self.shape = BoxKind::Block;
        self.rest = InnerRest::Unshared;
        (self.is_placing, self.is_raised) = (false, false);
    }

    /// Takes note of what an element paints behind those in it, and of the window of a page.
    pub(super) fn layer(&mut self, values: &StyleValues<'_>, paints: bool, is_page: bool) {
        // A page scrolls, unless it cuts off what is too high.
        let is_open = !values.is("overflow-y", &["hidden", "clip"]);
        if is_page && is_open && cuts(values) != [false; 2] {
            self.frame = Some(CutBox::Window);
        }
        let is_layer = !values.is("z-index", &["", "auto"])
            && !values.is("position", &["", "static"])
            || values.is("position", &["fixed", "sticky"])
            || values.is("isolation", &["isolate"])
            || !values.is("transform", &["", "none"])
            || !values.is("filter", &["", "none"])
            || share(values.own("opacity")).is_some_and(|opacity| opacity < 1.0)
            || !values.is("mix-blend-mode", &["", "normal"]);
        if is_layer {
            self.beneath = LayerPaint::Nothing;
        } else if paints && !is_page {
            self.beneath = LayerPaint::Paint;
        }
    }

    pub(super) fn reason(&self) -> Option<HiddenText> {
        let is_far = is_far(self.indent) && self.shape != BoxKind::Contents;
        (self.cut.is_some() || is_far).then_some(HiddenText::OutsidePage)
    }

    fn indent(&mut self, values: &StyleValues<'_>, basis: LengthBasis, cuts: [bool; 2]) {
        match values.taken("text-indent") {
            TakenValue::Taken => {}
            TakenValue::Initial => self.indent = 0.0,
            TakenValue::Own(value) => {
                let indent = syntax::words(value)
                    .into_iter()
                    .find_map(|word| basis.of(WINDOW_WIDTH).pixels(word));
                self.indent = indent.unwrap_or(0.0);
            }
        }
        // The line begins where its box ends, and goes no further.
        if self.indent >= WINDOW_WIDTH && cuts != [false; 2] {
            self.cut = Some(CutBox::Placing);
        }
    }

    /// Whether the box is moved to where nobody scrolls.
    fn is_outside(&self, values: &StyleValues<'_>, basis: LengthBasis) -> bool {
        let wide = |name: &str| basis.of(WINDOW_WIDTH).pixels(values.own(name)).unwrap_or(0.0);
        let high = |name: &str| basis.of(WINDOW_HEIGHT).pixels(values.own(name)).unwrap_or(0.0);
        let position = values.own("position");
        let is_moved =
            !values.is("transform", &["", "none"]) || !values.is("translate", &["", "none"]);
        if !matches!(position, "" | "static") {
            let sides = [wide("left"), high("top"), wide("right"), high("bottom")];
            if sides.into_iter().any(is_far) {
                return true;
            }
            let beyond =
                sides.into_iter().zip([WINDOW_WIDTH, WINDOW_HEIGHT, WINDOW_WIDTH, WINDOW_HEIGHT]);
            // What is fixed to the window, or cut off, cannot be scrolled to.
            let is_bound = position == "fixed"
                || position == "absolute" && self.frame == Some(CutBox::Placing)
                || position == "relative" && self.frame.is_some();
            let scrolls = position == "relative" && self.frame == Some(CutBox::Window);
            let is_beyond = |(at, whole): (f32, f32)| at >= whole || at <= -whole;
            // The sides of the width are the first and the third.
            let mut bounds = beyond.step_by(if scrolls { 2 } else { 1 });
            if is_bound && !is_moved && bounds.any(is_beyond) {
                return true;
            }
        }
        let is_inline = self.shape == BoxKind::Inline;
        let margin_left = wide("margin-left") + wide("padding-left");
        // One that is as wide to the right as to the left is for a background from edge to edge.
        let is_beside = is_far(margin_left) && !is_far(wide("margin-right"));
        let is_above = !is_inline && is_far(high("margin-top") + high("padding-top"));
        let is_framed = self.frame.is_some();
        let frames = [is_framed, is_framed && self.frame != Some(CutBox::Window)];
        is_beside || is_above || !is_inline && is_translated(values, basis, frames)
    }

    /// Whether the box has no room for a line, and cuts off what it has no room for.
    fn has_no_room(
        &self,
        around: &Self,
        values: &StyleValues<'_>,
        basis: LengthBasis,
        [cuts_wide, cuts_high]: [bool; 2],
    ) -> bool {
        let room = BoxRoom { values, basis };
        let contains = syntax::words(values.own("contain"));
        let is_empty_for_layout = contains.iter().any(|word| matches!(*word, "size" | "strict"))
            && room.pixels("height", None).is_none();
        let cuts_high = cuts_high
            || contains.iter().any(|word| matches!(*word, "paint" | "strict" | "content"));
        // A part of a flexible box may take the room that is left in that.
        let rest = if grows(values) { around.rest } else { InnerRest::Unshared };
        let [is_narrow, is_low] = room.flat_sides();
        let is_narrow = is_narrow && rest != InnerRest::Wide;
        let is_low = is_low && rest != InnerRest::High;
        let wide = (is_narrow || room.is_flat("max-width", Some(WINDOW_WIDTH)))
            && !room.is_held_open(room.pixels("min-width", Some(WINDOW_WIDTH)), "padding-right");
        let high = (is_low
            || room.is_flat("max-height", None)
            || is_empty_for_layout
            || self.is_lineless && room.pixels("height", None).is_none())
            && !room.is_held_open(room.pixels("min-height", None), "padding-bottom");
        cuts_wide && wide || cuts_high && high
    }
}

/// The lengths that are said of a box.
#[derive(Clone, Copy)]
struct BoxRoom<'s> {
    values: &'s StyleValues<'s>,
    basis: LengthBasis,
}

impl BoxRoom<'_> {
    fn pixels(self, name: &str, whole: Option<f32>) -> Option<f32> {
        LengthBasis { whole, ..self.basis }.pixels(self.values.own(name))
    }

    /// The room that a line needs.
    fn least(self) -> f32 {
        (self.basis.font * MIN_ROOM).max(MIN_ROOM_PIXELS)
    }

    fn is_flat(self, name: &str, whole: Option<f32>) -> bool {
        self.pixels(name, whole).is_some_and(|size| size < self.least())
    }

    /// Whether it has no width, and whether it has no height. What a height is a share of is not
    /// known, where no height is said.
    fn flat_sides(self) -> [bool; 2] {
        [self.is_flat("width", Some(WINDOW_WIDTH)), self.is_flat("height", None)]
    }

    /// Whether its least size or a padding leaves room. A padding is a share of the width, on all
    /// sides.
    fn is_held_open(self, least: Option<f32>, padding: &str) -> bool {
        let sizes = [least, self.pixels(padding, Some(WINDOW_WIDTH))];
        sizes.into_iter().flatten().any(|size| size >= self.least())
    }
}

/// Whether a part of a flexible box takes room that is left.
fn grows(values: &StyleValues<'_>) -> bool {
    let share = match values.own("flex-grow") {
        "" => syntax::words(values.own("flex")).first().copied().unwrap_or(""),
        share => share,
    };
    !values.is("position", &["absolute", "fixed"])
        && (share == "auto" || share.parse::<f32>().is_ok_and(|share| share > 0.0))
}

/// What an element with a background lies over, if it is as large as what it is placed by.
pub(super) fn covered(values: &StyleValues<'_>, basis: LengthBasis) -> Option<CoveredArea> {
    let area = match values.own("position") {
        "fixed" => CoveredArea::Window,
        "absolute" => CoveredArea::Around,
        _ => return None,
    };
    if values.own("z-index").starts_with('-') {
        return None;
    }
    let at = |name: &str| basis.of(WINDOW_WIDTH).pixels(values.own(name));
    let size = |name: &str, whole: f32| basis.of(whole).pixels(values.own(name));
    let spans = |start: &str, end: &str, side: &str, whole: f32| {
        let begins = at(start).is_some_and(|at| at <= 0.0);
        let is_sized = size(side, whole).is_some();
        begins
            && (at(end).is_some_and(|at| at <= 0.0) && !is_sized
                || size(side, whole).is_some_and(|size| size >= whole * 0.99))
    };
    let is_whole = spans("left", "right", "width", WINDOW_WIDTH)
        && spans("top", "bottom", "height", WINDOW_HEIGHT);
    is_whole.then_some(area)
}

/// Whether a box places those in it that are taken out of the flow.
fn is_placing(values: &StyleValues<'_>) -> bool {
    !values.is("position", &["", "static"])
        || !values.is("transform", &["", "none"])
        || !values.is("filter", &["", "none"])
        || values.own("contain").contains("paint")
        || values.is("contain", &["strict", "content", "layout"])
}

/// Whether what is too wide and what is too high for a box is cut off.
fn cuts(values: &StyleValues<'_>) -> [bool; 2] {
    let [wide, high] = ["overflow-x", "overflow-y"].map(|name| values.own(name));
    let is_open = |word: &str| matches!(word, "" | "visible");
    // One that scrolls or hides in one direction does so in both.
    let is_clip = |word: &str| word == "clip";
    let both = |one: &str, other: &str| !is_open(one) || !is_open(other) && !is_clip(other);
    [both(wide, high), both(high, wide)]
}

fn is_translated(
    values: &StyleValues<'_>,
    basis: LengthBasis,
    [is_framed_wide, is_framed_high]: [bool; 2],
) -> bool {
    // By shares of the box itself, whose size is not known: of a line, or of a page.
    let is_away = |(by, is_framed): (&str, bool)| {
        let by = by.trim();
        if by.ends_with('%') {
            let share = share(by).unwrap_or(0.0);
            return share.abs() >= MIN_FAR_SHARE || is_framed && share.abs() >= 1.0;
        }
        basis.pixels(by).is_some_and(|by| is_far(by) || is_framed && by.abs() >= WINDOW_WIDTH)
    };
    let are_away = |parts: Vec<&str>, from: usize| {
        parts.into_iter().skip(from).zip([is_framed_wide, is_framed_high]).any(is_away)
    };
    let mut functions = syntax::functions(values.own("transform"));
    functions.any(|(name, inside)| match name {
        "translate" | "translate3d" => are_away(syntax::split(inside, b','), 0),
        "translatex" => is_away((inside, is_framed_wide)),
        "translatey" => is_away((inside, is_framed_high)),
        "matrix" => are_away(syntax::split(inside, b','), 4),
        _ => false,
    }) || are_away(syntax::words(values.own("translate")), 0)
}

/// Whether a clip leaves nothing.
fn is_clipped(values: &StyleValues<'_>, basis: LengthBasis) -> bool {
    if values.is("position", &["absolute", "fixed"])
        && let Some(("rect", inside)) = syntax::function(values.own("clip"))
    {
        let sides: Vec<Option<f32>> = inside
            .split([',', ' '])
            .filter(|side| !side.is_empty())
            .map(|side| basis.pixels(side))
            .collect();
        if let [top, right, bottom, left] = sides.as_slice() {
            let is_flat = |start: &Option<f32>, end: &Option<f32>| {
                end.is_some_and(|end| end - start.unwrap_or(0.0) < MIN_ROOM_PIXELS)
            };
            return is_flat(top, bottom) || is_flat(left, right);
        }
    }
    let path = values.own("clip-path");
    let Some((name, inside)) = syntax::functions(path).next() else { return false };
    clips_all(name, inside, basis.of(CLIPPED_PIXELS))
}

/// Whether a shape leaves nothing of a box of a usual size.
fn clips_all(name: &str, inside: &str, basis: LengthBasis) -> bool {
    let shape = inside.split(" round ").next().unwrap_or("");
    let sizes: Vec<f32> =
        syntax::words(shape).into_iter().map_while(|word| basis.pixels(word)).collect();
    let whole = CLIPPED_PIXELS;
    match (name, sizes.as_slice()) {
        ("inset", [all]) => all * 2.0 >= whole,
        ("inset", [high, wide]) => high.max(*wide) * 2.0 >= whole,
        ("inset", [top, wide, bottom]) => top + bottom >= whole || wide * 2.0 >= whole,
        ("inset", [top, right, bottom, left]) => top + bottom >= whole || right + left >= whole,
        ("rect", [top, right, bottom, left]) => bottom - top < 2.0 || right - left < 2.0,
        ("xywh", [x, y, width, height]) => {
            *width < 2.0
                || *height < 2.0
                || x.min(*y) >= whole
                || x + width <= 0.0
                || y + height <= 0.0
        }
        ("circle", [radius, ..]) => *radius < 2.0 || is_beyond(shape, *radius, basis),
        ("ellipse", [wide, high, ..]) => {
            wide.min(*high) < 2.0 || is_beyond(shape, wide.max(*high), basis)
        }
        ("polygon", _) => is_empty_polygon(inside, basis),
        ("path", _) => !inside.contains(|ch: char| {
            matches!(
                ch,
                'L' | 'l'
                    | 'H'
                    | 'h'
                    | 'V'
                    | 'v'
                    | 'C'
                    | 'c'
                    | 'Q'
                    | 'q'
                    | 'A'
                    | 'a'
                    | 'S'
                    | 's'
                    | 'T'
                    | 't'
            )
        }),
        _ => false,
    }
}

/// Whether a circle is beside the box that it clips.
fn is_beyond(shape: &str, radius: f32, basis: LengthBasis) -> bool {
    let centre = shape.split_once("at ").map_or("", |(_, centre)| centre);
    let mut at = syntax::words(centre).into_iter().filter_map(|word| basis.pixels(word));
    at.any(|at| at + radius <= 0.0 || at - radius >= CLIPPED_PIXELS)
}

/// Whether a polygon has no area, or none in the box.
fn is_empty_polygon(inside: &str, basis: LengthBasis) -> bool {
    let points: Option<Vec<(f32, f32)>> = syntax::split(inside, b',')
        .into_iter()
        .filter(|point| !matches!(point.trim(), "nonzero" | "evenodd"))
        .map(|point| match syntax::words(point).as_slice() {
            [x, y] => Some((basis.pixels(x)?, basis.pixels(y)?)),
            _ => None,
        })
        .collect();
    let Some(points) = points.filter(|points| !points.is_empty()) else { return false };
    let around = points.iter().zip(points.iter().cycle().skip(1));
    let area: f32 = around.map(|((x, y), (next_x, next_y))| x * next_y - next_x * y).sum();
    let is_away = |side: fn(&(f32, f32)) -> f32| {
        points.iter().all(|point| side(point) <= 0.0)
            || points.iter().all(|point| side(point) >= CLIPPED_PIXELS)
    };
    area.abs() / 2.0 < 8.0 || is_away(|(x, _)| *x) || is_away(|(_, y)| *y)
}

/// Whether nobody scrolls to a place so far away; to the left of a page and above it nobody can.
fn is_far(at: f32) -> bool {
    !(-MIN_FAR_PIXELS..=MAX_SCROLLED_PIXELS).contains(&at)
}

/// Farther than the width of a narrow page.
const MIN_FAR_PIXELS: f32 = 400.0;
/// More than six windows without a word.
const MAX_SCROLLED_PIXELS: f32 = 5_000.0;
/// Moved by so many times its own size, a box is no more where it was.
const MIN_FAR_SHARE: f32 = 10.0;
/// A line in less than a third of its height cannot be read.
const MIN_ROOM: f32 = 0.3;
const MIN_ROOM_PIXELS: f32 = 2.0;
/// The size of a box that is clipped.
const CLIPPED_PIXELS: f32 = 600.0;
