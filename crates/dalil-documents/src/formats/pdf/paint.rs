//! Painting, as far as it decides whether a letter can be seen.
//!
//! Shapes are remembered by their edges and by how many letters came before them.
//! A letter in white needs something that is not white behind it; a letter that a
//! box is painted over later is covered; one that no paint touches needs an image
//! around it, of which a scanner recognised it.

use std::rc::Rc;

use super::glyph::PdfGlyph;
use super::ink::{GlyphInk, InkBlend, InkColour, InkSpace};
use super::matrix::length;
use super::outline::PathOutline;
use crate::document::HiddenText;

/// How the next letter or shape is painted.
#[derive(Clone, Debug)]
pub(super) struct PaintState {
    pub(super) fill: InkColour,
    pub(super) stroke: InkColour,
    /// The colour space in use for fills.
    pub(super) space: InkSpace,
    /// The same for strokes.
    pub(super) stroke_space: InkSpace,
    pub(super) alpha: f32,
    /// The same for strokes.
    pub(super) stroke_alpha: f32,
    pub(super) blend: InkBlend,
    /// How opaque the group is that all of it is in.
    pub(super) group_alpha: f32,
    /// Whether a mask lets nothing of it through.
    pub(super) is_masked: bool,
    /// How wide strokes are, in the space in use.
    pub(super) stroke_width: f32,
    /// The clip's box.
    pub(super) clip: Option<[f32; 4]>,
    /// The paths that were made clips and are more than a box.
    pub(super) clip_paths: Vec<Rc<PathOutline>>,
    /// The text rendering mode.
    pub(super) mode: i64,
}

impl Default for PaintState {
    fn default() -> Self {
        Self {
            fill: InkColour::BLACK,
            stroke: InkColour::BLACK,
            space: InkSpace::Light,
            stroke_space: InkSpace::Light,
            alpha: 1.0,
            stroke_alpha: 1.0,
            blend: InkBlend::Normal,
            group_alpha: 1.0,
            is_masked: false,
            stroke_width: 1.0,
            clip: None,
            clip_paths: Vec::new(),
            mode: 0,
        }
    }
}

impl PaintState {
    /// Why a letter that is drawn in this state cannot be seen, before its surroundings are known.
    pub(super) fn unseen(&self) -> Option<HiddenText> {
        let is_clear = !self.is_unpainted() && self.inks().next().is_none();
        is_clear.then_some(HiddenText::FullTransparency)
    }

    /// The colours that a letter is painted in and that can be seen.
    fn inks(&self) -> impl Iterator<Item = InkColour> {
        // Modes 1 and 5 stroke the outline, 2 and 6 fill it as well (PDF 32000, 9.3.6).
        let fills = matches!(self.mode, 0 | 2 | 4 | 6).then_some((self.fill, self.alpha));
        let strokes =
            matches!(self.mode, 1 | 2 | 5 | 6).then_some((self.stroke, self.stroke_alpha));
        let seen = |(ink, alpha): &(InkColour, f32)| {
            *alpha * self.group_alpha >= MIN_ALPHA && *ink != InkColour::Clear && !self.is_masked
        };
        fills.into_iter().chain(strokes).filter(seen).map(|(ink, _)| ink)
    }

    /// Whether anything of a fill can be seen.
    fn fills(&self) -> bool {
        self.alpha * self.group_alpha >= MIN_ALPHA
            && self.fill != InkColour::Clear
            && !self.is_masked
    }

    /// Whether nothing below a fill can be seen.
    pub(super) fn is_opaque(&self) -> bool {
        self.alpha * self.group_alpha >= MIN_OPAQUE_ALPHA
            && !self.is_masked
            && self.fill != InkColour::Clear
            && self.blend == InkBlend::Normal
            && self.clip_paths.is_empty()
    }

    /// The paint of a letter.
    pub(super) fn glyph_ink(&self) -> GlyphInk {
        let mut inks = self.inks();
        let (first, second) = (inks.next(), inks.next());
        let colour = match (first, second) {
            (Some(one), None) => one,
            (Some(one), Some(other)) if one == other => one,
            _ => InkColour::Unknown,
        };
        GlyphInk { colour, blend: self.blend }
    }

    pub(super) fn is_unpainted(&self) -> bool {
        // 3 neither fills nor strokes; 7 does no more than add to the clip.
        matches!(self.mode, 3 | 7)
    }

    /// Cuts the clip to these edges.
    pub(super) fn cut(&mut self, edges: [f32; 4]) {
        let [left, top, right, bottom] =
            self.clip.unwrap_or([f32::MIN, f32::MIN, f32::MAX, f32::MAX]);
        self.clip = Some([
            left.max(edges[0]),
            top.max(edges[1]),
            right.min(edges[2]),
            bottom.min(edges[3]),
        ]);
    }
}

/// The path that is being made.
#[derive(Debug, Default)]
pub(super) struct PathDraft {
    outline: PathOutline,
    edges: Option<[f32; 4]>,
    /// How the path is to be a clip.
    pub(super) clip: Option<PathClip>,
}

/// How a path becomes a clip.
#[derive(Clone, Copy, Debug)]
pub(super) struct PathClip {
    pub(super) even_odd: bool,
}

impl PathDraft {
    /// Begins a line at a point.
    pub(super) fn start(&mut self, [x, y]: [f32; 2]) {
        self.edges = Some(around(self.edges, [x, y, x, y]));
        self.outline.start([x, y]);
    }

    pub(super) fn point(&mut self, [x, y]: [f32; 2]) {
        self.edges = Some(around(self.edges, [x, y, x, y]));
        self.outline.go([x, y]);
    }

    /// A curve; without a first point it bends from where the line has come to.
    pub(super) fn curve(&mut self, one: Option<[f32; 2]>, two: [f32; 2], end: [f32; 2]) {
        let one = one.or_else(|| self.outline.last()).unwrap_or(two);
        for [x, y] in [one, two, end] {
            self.edges = Some(around(self.edges, [x, y, x, y]));
        }
        self.outline.curve([one, two, end]);
    }

    /// A rectangle, which may be turned on the page.
    pub(super) fn rectangle(&mut self, [first, rest @ ..]: [[f32; 2]; 4]) {
        self.start(first);
        rest.into_iter().for_each(|corner| self.point(corner));
    }

    pub(super) fn edges(&self) -> Option<[f32; 4]> {
        self.edges
    }

    /// The outline, where it is more than a box.
    pub(super) fn outline(&self, even_odd: bool) -> Option<Rc<PathOutline>> {
        let mut outline = self.outline.clone();
        outline.even_odd = even_odd;
        (!outline.is_box()).then(|| Rc::new(outline))
    }
}

/// The shapes of a page.
#[derive(Debug, Default)]
pub(super) struct PaintedShapes {
    shapes: Vec<PaintedShape>,
    images: Vec<PlacedImage>,
    /// How many letters were drawn before the first shape that is not kept, if there is one.
    cut_after: Option<usize>,
}

#[derive(Debug)]
struct PaintedShape {
    edges: [f32; 4],
    /// Its outline, where that is more than a box.
    outline: Option<Rc<PathOutline>>,
    /// How many letters were drawn before it.
    after: usize,
    colour: InkColour,
    /// Whether nothing below it can be seen.
    covers: bool,
}

impl PaintedShape {
    fn holds(&self, point: [f32; 2]) -> bool {
        holds(self.edges, point) && self.outline.as_ref().is_none_or(|outline| outline.holds(point))
    }

    fn cost(&self) -> usize {
        self.outline.as_ref().map_or(1, |outline| outline.cost())
    }
}

/// An image on a page.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedImage {
    pub(super) edges: [f32; 4],
    /// Whether nothing below it can be seen.
    pub(super) covers: bool,
    /// How many pixels it has.
    pub(super) pixels: u64,
}

impl PlacedImage {
    /// Whether words can be read in it: a scan has many pixels for each of them.
    fn is_scan(&self) -> bool {
        let [left, top, right, bottom] = self.edges.map(f64::from);
        let area = (right - left) * (bottom - top);
        #[expect(clippy::cast_precision_loss, reason = "no image has that many pixels")]
        let pixels = self.pixels as f64;
        area > 0.0 && pixels / area >= MIN_SCAN_PIXELS
    }
}

impl PaintedShapes {
    /// Fills a path over the first `after` letters.
    pub(super) fn fill(
        &mut self,
        path: &PathDraft,
        outline: Option<Rc<PathOutline>>,
        paint: &PaintState,
        after: usize,
    ) {
        let Some(edges) = path.edges.filter(|_| paint.fills()) else { return };
        if !self.has_room(after) {
            return;
        }
        let edges = paint.clip.map_or(edges, |clip| inside(edges, clip));
        let is_known = outline.as_ref().is_none_or(|outline| !outline.is_unknown());
        // A clip is not followed further than its box.
        let covers = paint.is_opaque() && is_known && paint.fill != InkColour::Unknown;
        self.shapes.push(PaintedShape { edges, outline, after, colour: paint.fill, covers });
    }

    /// Strokes the straight parts of a path over the first `after` letters.
    pub(super) fn stroke(
        &mut self,
        path: &PathDraft,
        paint: &PaintState,
        width: f32,
        after: usize,
    ) {
        if width < MIN_COVERING_STROKE_POINTS
            || paint.stroke_alpha * paint.group_alpha < MIN_OPAQUE_ALPHA
            || paint.is_masked
            || paint.stroke == InkColour::Clear
        {
            return;
        }
        for [a, b] in path.outline.segments().take(MAX_PATH_STROKES) {
            if !self.has_room(after) {
                return;
            }
            let along = [b[0] - a[0], b[1] - a[1]];
            let long = length(along).max(f32::MIN_POSITIVE);
            let aside = [-along[1] / long * width / 2.0, along[0] / long * width / 2.0];
            let mut outline = PathOutline::default();
            let corner =
                |at: [f32; 2], side: f32| [at[0] + aside[0] * side, at[1] + aside[1] * side];
            let corners = [corner(a, 1.0), corner(b, 1.0), corner(b, -1.0), corner(a, -1.0)];
            let mut edges = None;
            for [x, y] in corners {
                edges = Some(around(edges, [x, y, x, y]));
                outline.go([x, y]);
            }
            let Some(edges) = edges else { continue };
            let edges = paint.clip.map_or(edges, |clip| inside(edges, clip));
            let covers = paint.blend == InkBlend::Normal
                && paint.clip_paths.is_empty()
                && paint.stroke != InkColour::Unknown;
            let outline = Some(Rc::new(outline));
            self.shapes.push(PaintedShape { edges, outline, after, colour: paint.stroke, covers });
        }
    }

    /// Something of many colours.
    pub(super) fn image(&mut self, image: PlacedImage, after: usize) {
        if self.images.len() == MAX_PAGE_SHAPES {
            self.cut_after.get_or_insert(after);
            return;
        }
        let PlacedImage { edges, covers, .. } = image;
        self.images.push(image);
        // Words under a scan were recognised in it.
        let covers = covers && !image.is_scan();
        let colour = InkColour::Unknown;
        self.shapes.push(PaintedShape { edges, outline: None, after, colour, covers });
    }

    /// Whether one more shape is kept.
    fn has_room(&mut self, after: usize) -> bool {
        let has_room = self.shapes.len() < MAX_PAGE_SHAPES;
        if !has_room {
            self.cut_after.get_or_insert(after);
        }
        has_room
    }

    /// Takes note that of the letters so far only these many are left: shapes stay in their order.
    pub(super) fn recount(&mut self, letters: usize) {
        let later = self.shapes.iter_mut().rev().take_while(|shape| shape.after > letters);
        later.for_each(|shape| shape.after = letters);
        self.cut_after = self.cut_after.map(|cut| cut.min(letters));
    }

    /// Sets for every letter of a page of this size why it cannot be seen. `unit`
    /// is the points of one unit of the page.
    pub(super) fn settle(&self, glyphs: &mut [PdfGlyph], size: (f32, f32), unit: f32) {
        let mut search = ShapeSearch {
            page: [0.0, 0.0, size.0, size.1],
            room: MAX_COMPARISONS,
            cost: self.shapes.iter().map(PaintedShape::cost).sum(),
        };
        for (at, glyph) in glyphs.iter_mut().enumerate() {
            let tiny =
                || (glyph.height * unit < MIN_READABLE_POINTS).then_some(HiddenText::TinySize);
            let unseen = || self.unseen(glyph, at, &mut search);
            glyph.hidden = glyph.hidden.or_else(unseen).or_else(tiny);
        }
    }

    fn unseen(&self, glyph: &PdfGlyph, at: usize, search: &mut ShapeSearch) -> Option<HiddenText> {
        let middle = point(glyph, 0.5);
        if !holds(search.page, middle)
            && points(glyph).iter().all(|point| !holds(search.page, *point))
        {
            return Some(HiddenText::OutsidePage);
        }
        if glyph.height < MIN_READABLE_POINTS {
            return Some(HiddenText::TinySize);
        }
        let room = &mut search.room;
        if *room == 0 {
            return None;
        }
        // Words that were recognised in a scan are drawn without paint over its image.
        if glyph.unpainted {
            *room = room.saturating_sub(self.images.len());
            let scanned =
                self.images.iter().any(|image| holds(image.edges, middle) && image.is_scan());
            return (!scanned).then_some(HiddenText::MarkedHidden);
        }
        // Shapes are in the order of drawing: one bisection parts those below from those above.
        let (before, later) =
            self.shapes.split_at_checked(self.shapes.partition_point(|shape| shape.after <= at))?;
        *room = room.saturating_sub(search.cost);
        if *room == 0 {
            return None;
        }
        if !later.is_empty() && is_covered(glyph, later) {
            return Some(HiddenText::CoveredByShape);
        }
        // A shape that is not kept may be behind it.
        if self.cut_after.is_some_and(|cut| cut <= at) {
            return None;
        }
        glyph
            .paint
            .vanishes_on(ground(before, middle, glyph.paint.colour))
            .then_some(HiddenText::BackgroundColour)
    }
}

/// What the shapes of a page cost that are compared with each of its letters.
struct ShapeSearch {
    page: [f32; 4],
    /// How many comparisons are left.
    room: usize,
    /// How many of them a letter takes.
    cost: usize,
}

/// The height of a letter over its line, or the width of its font, where that is less: by an em
/// from its foot to its head, and one along the line.
pub(super) fn glyph_height(up: [f32; 2], along: [f32; 2]) -> f32 {
    let across = (along[0] * up[1] - along[1] * up[0]).abs();
    let high = across / length(along).max(f32::MIN_POSITIVE);
    length(up).min(length(along)).min(high)
}

/// Whether shapes that are painted later cover all of a letter: one that is covered in part can
/// still be read.
fn is_covered(glyph: &PdfGlyph, later: &[PaintedShape]) -> bool {
    let samples = samples(glyph);
    let mut own = None;
    for [x, y] in samples {
        own = Some(around(own, [x, y, x, y]));
    }
    let Some(own) = own else { return false };
    let near: Vec<_> =
        later.iter().filter(|shape| shape.covers && touches(shape.edges, own)).collect();
    !near.is_empty() && samples.iter().all(|point| near.iter().any(|shape| shape.holds(*point)))
}

/// The colour behind a point, under letters of another: the paper is white.
fn ground(before: &[PaintedShape], point: [f32; 2], ink: InkColour) -> InkColour {
    for shape in before.iter().rev().filter(|shape| shape.holds(point)) {
        if shape.covers {
            return shape.colour;
        }
        // A shape that is transparent or has holes hides letters of its own colour no less.
        if shape.colour != ink {
            return InkColour::Unknown;
        }
    }
    InkColour::WHITE
}

/// Whether a letter lies outside of a clip. Outlines take some of the room, and without room they
/// cut nothing away.
pub(super) fn is_cut(glyph: &PdfGlyph, paint: &PaintState, room: &mut usize) -> bool {
    if paint.clip.is_none() && paint.clip_paths.is_empty() {
        return false;
    }
    let points = points(glyph);
    if paint.clip.is_some_and(|clip| points.iter().all(|point| !holds(clip, *point))) {
        return true;
    }
    let costs = paint.clip_paths.iter().map(|path| path.cost());
    *room = room.saturating_sub(costs.sum());
    *room > 0
        && paint
            .clip_paths
            .iter()
            .any(|path| !path.is_unknown() && points.iter().all(|point| !path.holds(*point)))
}

/// Nine points of a letter, at the foot, in the middle and at the height of a small one: a line
/// through it leaves most of them.
fn samples(glyph: &PdfGlyph) -> [[f32; 2]; 9] {
    let along = [glyph.to[0] - glyph.from[0], glyph.to[1] - glyph.from[1]];
    let mut samples = [[0.0; 2]; 9];
    let shares = [0.06, 0.25, 0.45].iter().flat_map(|up| [0.2, 0.5, 0.8].map(|side| (*up, side)));
    for (sample, (up, side)) in samples.iter_mut().zip(shares) {
        *sample = [
            glyph.from[0] + along[0] * side + glyph.up[0] * up,
            glyph.from[1] + along[1] * side + glyph.up[1] * up,
        ];
    }
    samples
}

/// Whether two boxes have a point in common.
fn touches(one: [f32; 4], other: [f32; 4]) -> bool {
    let both = inside(other, one);
    both[0] <= both[2] && both[1] <= both[3]
}

/// Three points of a letter: near its beginning, its middle, and near its end.
fn points(glyph: &PdfGlyph) -> [[f32; 2]; 3] {
    [0.2, 0.5, 0.8].map(|share| point(glyph, share))
}

/// A point of a letter, by its share of the width.
fn point(glyph: &PdfGlyph, share: f32) -> [f32; 2] {
    let along = [glyph.to[0] - glyph.from[0], glyph.to[1] - glyph.from[1]];
    [
        glyph.from[0] + along[0] * share + glyph.up[0] * LETTER_MIDDLE_EMS,
        glyph.from[1] + along[1] * share + glyph.up[1] * LETTER_MIDDLE_EMS,
    ]
}

fn holds([left, top, right, bottom]: [f32; 4], [x, y]: [f32; 2]) -> bool {
    x >= left && x <= right && y >= top && y <= bottom
}

fn around(one: Option<[f32; 4]>, other: [f32; 4]) -> [f32; 4] {
    let [left, top, right, bottom] = one.unwrap_or(other);
    [left.min(other[0]), top.min(other[1]), right.max(other[2]), bottom.max(other[3])]
}

pub(super) fn inside(one: [f32; 4], other: [f32; 4]) -> [f32; 4] {
    [one[0].max(other[0]), one[1].max(other[1]), one[2].min(other[2]), one[3].min(other[3])]
}

/// Letters smaller than this, in points, cannot be read; the smallest print has about four.
const MIN_READABLE_POINTS: f32 = 2.5;
/// A twentieth of full paint cannot be seen on paper.
const MIN_ALPHA: f32 = 0.05;
const MIN_OPAQUE_ALPHA: f32 = 0.95;
/// Where the middle of a letter is above its foot, in ems.
const LETTER_MIDDLE_EMS: f32 = 0.3;
/// Thinner strokes cover no letter, in points.
const MIN_COVERING_STROKE_POINTS: f32 = 3.0;
const MAX_PATH_STROKES: usize = 64;
/// Pixels for each square point: a coarse scan of 36 pixels to the inch.
const MIN_SCAN_PIXELS: f64 = 0.25;
const MAX_PAGE_SHAPES: usize = 20_000;
/// A page whose letters and shapes make more is read as if all could be seen.
pub(super) const MAX_COMPARISONS: usize = 50_000_000;
