//! Shapes that a page paints, and the text that they cover.

use hayro_syntax::content::ops::TypedInstruction as Op;
use hayro_syntax::object::dict::keys::{HEIGHT, WIDTH};
use hayro_syntax::object::{Dict, Number, Stream};
use hayro_syntax::page::Resources;

use super::{
    ContentInterpreter, MAX_PAGE_RULES, MAX_RULE_THICKNESS_POINTS, MIN_RULE_LENGTH_POINTS,
};
use crate::document::HiddenText;
use crate::formats::pdf::ink;
use crate::formats::pdf::matrix::narrow;
use crate::formats::pdf::paint::{PathClip, PlacedImage, inside};

impl<'a> ContentInterpreter<'_, 'a> {
    /// An image fills the unit square of the page's space.
    pub(super) fn image(&mut self, dict: &Dict<'_>) {
        self.canvas.images += 1;
        let edges = self.square((0.0, 0.0), (1.0, 1.0));
        let paint = &self.state.paint;
        let edges = paint.clip.map_or(edges, |clip| inside(edges, clip));
        // A mask lets the ground through; some of these names are those of images in contents.
        let is_mask =
            [&b"ImageMask"[..], b"IM"].iter().any(|key| dict.get::<bool>(*key) == Some(true));
        let has_mask = [&b"SMask"[..], b"Mask"].iter().any(|key| dict.contains_key(*key));
        // The edges of one that is turned are those around it, and hold more than it covers.
        let covers = !is_mask && !has_mask && paint.is_opaque() && self.state.page.keeps_upright();
        // A scan may be of layers, of which a mask has the letters.
        let masks = [&b"SMask"[..], b"Mask"].map(|key| dict.get::<Stream<'_>>(key));
        let masks = masks.iter().flatten().map(|mask| pixels(mask.dict()));
        let pixels = masks.fold(pixels(dict), u64::max);
        self.paint_image(PlacedImage { edges, covers, pixels });
    }

    /// Paints an image, unless it is on a layer that is not shown.
    fn paint_image(&mut self, image: PlacedImage) {
        if !self.spans.hides() {
            self.shapes.image(image, self.canvas.glyphs.len());
        }
    }

    /// The edges on the page of a square of the space in use.
    pub(super) fn square(&self, (x, y): (f64, f64), (width, height): (f64, f64)) -> [f32; 4] {
        let corners = [(x, y), (x + width, y), (x, y + height), (x + width, y + height)];
        let points = corners.map(|(x, y)| self.state.page.point(x, y));
        let mut edges = [f32::MAX, f32::MAX, f32::MIN, f32::MIN];
        for [x, y] in points {
            edges = [edges[0].min(x), edges[1].min(y), edges[2].max(x), edges[3].max(y)];
        }
        edges
    }

    /// Marks the glyphs from one on as hidden.
    pub(super) fn hide(&mut self, from: usize, why: HiddenText) {
        for glyph in self.canvas.glyphs.get_mut(from..).unwrap_or_default() {
            glyph.hidden = glyph.hidden.or(Some(why));
        }
    }

    /// Applies an operator that paints or sets a colour.
    pub(super) fn paint(&mut self, op: Op<'_, '_>, resources: &Resources<'a>) {
        let point =
            |pen: &Self, x: &Number, y: &Number| pen.state.page.point(x.as_f64(), y.as_f64());
        match op {
            Op::CubicTo(to) => {
                let one = point(self, &to.0, &to.1);
                let (two, end) = (point(self, &to.2, &to.3), point(self, &to.4, &to.5));
                self.path.curve(Some(one), two, end);
            }
            Op::CubicStartTo(to) => {
                let (two, end) = (point(self, &to.0, &to.1), point(self, &to.2, &to.3));
                self.path.curve(None, two, end);
            }
            Op::CubicEndTo(to) => {
                let (one, end) = (point(self, &to.0, &to.1), point(self, &to.2, &to.3));
                self.path.curve(Some(one), end, end);
            }
            // A clip holds only behind the operator that paints the path (PDF 32000, 8.5.4).
            Op::ClipNonZero(_) => self.path.clip = Some(PathClip { even_odd: false }),
            Op::ClipEvenOdd(_) => self.path.clip = Some(PathClip { even_odd: true }),
            Op::FillPathNonZero(_)
            | Op::FillPathNonZeroCompatibility(_)
            | Op::FillAndStrokeNonZero(_)
            | Op::CloseFillAndStrokeNonZero(_) => self.fill_path(false),
            Op::FillPathEvenOdd(_)
            | Op::FillAndStrokeEvenOdd(_)
            | Op::CloseFillAndStrokeEvenOdd(_) => self.fill_path(true),
            Op::StrokePath(_) | Op::CloseAndStrokePath(_) => {
                let width = self.state.paint.stroke_width * self.state.page.scale();
                if !self.spans.hides() {
                    let after = self.canvas.glyphs.len();
                    self.shapes.stroke(&self.path, &self.state.paint, width, after);
                }
                self.end_path();
            }
            Op::LineWidth(width) => self.state.paint.stroke_width = narrow(width.0.as_f64()),
            Op::EndPath(_) => self.end_path(),
            Op::Shading(_) => {
                // A shading fills all that the clip leaves, in colours that are not computed here.
                let everywhere = [f32::MIN, f32::MIN, f32::MAX, f32::MAX];
                let edges = self.state.paint.clip.unwrap_or(everywhere);
                // It may end somewhere, and be clear beyond.
                self.paint_image(PlacedImage { edges, covers: false, pixels: 0 });
            }
            op => {
                if !ink::set(&op, &mut self.state.paint, resources, &mut self.lookups) {
                    self.write(op);
                }
            }
        }
    }

    fn fill_path(&mut self, even_odd: bool) {
        if !self.spans.hides() {
            let outline = self.path.outline(even_odd);
            let after = self.canvas.glyphs.len();
            self.shapes.fill(&self.path, outline, &self.state.paint, after);
        }
        self.end_path();
    }

    pub(super) fn end_path(&mut self) {
        let path = std::mem::take(&mut self.path);
        let Some((clip, edges)) = path.clip.zip(path.edges()) else { return };
        self.state.paint.cut(edges);
        let outline = path.outline(clip.even_odd);
        let paths = &mut self.state.paint.clip_paths;
        paths.extend(outline.filter(|_| paths.len() < MAX_CLIP_PATHS));
    }

    pub(super) fn rectangle(&mut self, (x, y): (f64, f64), (width, height): (f64, f64)) {
        let (right, top) = (x + width, y + height);
        let corners = [(x, y), (right, y), (right, top), (x, top)];
        self.path.rectangle(corners.map(|(x, y)| self.state.page.point(x, y)));
        self.rule((x, y), (right, y));
        self.rule((x, top), (right, top));
        self.rule((x, y), (x, top));
        self.rule((right, y), (right, top));
    }

    pub(super) fn rule(&mut self, from: (f64, f64), to: (f64, f64)) {
        if self.canvas.rules.len() >= MAX_PAGE_RULES {
            return;
        }
        let [x0, y0] = self.state.page.point(from.0, from.1);
        let [x1, y1] = self.state.page.point(to.0, to.1);
        let rule = [x0.min(x1), y0.min(y1), x0.max(x1), y0.max(y1)];
        let [left, top, right, bottom] = rule;
        let (wide, high) = (right - left, bottom - top);
        if (high < MAX_RULE_THICKNESS_POINTS && wide > MIN_RULE_LENGTH_POINTS)
            || (wide < MAX_RULE_THICKNESS_POINTS && high > MIN_RULE_LENGTH_POINTS)
        {
            self.canvas.rules.push(rule);
        }
    }
}

/// How many pixels an image has.
fn pixels(image: &Dict<'_>) -> u64 {
    let side = |long: &[u8], short: &[u8]| {
        image.get::<u32>(long).or_else(|| image.get::<u32>(short)).map_or(0, u64::from)
    };
    side(WIDTH, b"W").saturating_mul(side(HEIGHT, b"H"))
}

/// Clips within clips that are more than boxes.
const MAX_CLIP_PATHS: usize = 16;
