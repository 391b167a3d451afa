//! Painting, as far as it decides whether a letter can be seen.
//!
//! Shapes are remembered by their edges and by how many letters came before them.
//! A letter in white needs something that is not white behind it; a letter that a
//! box is painted over later is covered; one that no paint touches needs an image
//! around it, of which a scanner recognised it.

use super::glyph::PdfGlyph;
use super::ink::{InkColour, InkSpace};
use super::matrix::length;
use crate::document::HiddenText;

/// How the next letter or shape is painted.
#[derive(Clone, Debug)]
pub(super) struct PaintState {
    pub(super) fill: InkColour,
    pub(super) stroke: InkColour,
    /// Which numbers mean white in the colour space in use for what is filled.
    pub(super) space: InkSpace,
    /// The same for strokes.
    pub(super) stroke_space: InkSpace,
    pub(super) alpha: f32,
    pub(super) blends: bool,
    /// What is left to paint on.
    pub(super) clip: Option<[f32; 4]>,
    /// The text rendering mode.
    pub(super) mode: i64,
}

impl Default for PaintState {
    fn default() -> Self {
        Self {
            fill: InkColour::Other,
            stroke: InkColour::Other,
            space: InkSpace::Light,
            stroke_space: InkSpace::Light,
            alpha: 1.0,
            blends: false,
            clip: None,
            mode: 0,
        }
    }
}

impl PaintState {
    /// Why a letter that is drawn in this state cannot be seen, before its surroundings are known.
    pub(super) fn unseen(&self) -> Option<HiddenText> {
        (self.alpha < MIN_ALPHA).then_some(HiddenText::FullTransparency)
    }

    pub(super) fn is_white(&self) -> bool {
        // Mode 1 strokes the outline, 2 fills it as well (PDF 32000, 9.3.6).
        match self.mode {
            1 => self.stroke == InkColour::White,
            2 => self.stroke == InkColour::White && self.fill == InkColour::White,
            _ => self.fill == InkColour::White,
        }
    }

    pub(super) fn is_unpainted(&self) -> bool {
        // 3 neither fills nor strokes; 7 does no more than add to the clip.
        matches!(self.mode, 3 | 7)
    }

    /// Leaves of the clip what is inside of these edges.
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
    points: Vec<[f32; 2]>,
    boxes: Vec<[f32; 4]>,
    edges: Option<[f32; 4]>,
    curved: bool,
    /// Whether the path is to be a clip.
    pub(super) clips: bool,
}

impl PathDraft {
    pub(super) fn point(&mut self, [x, y]: [f32; 2]) {
        self.edges = Some(around(self.edges, [x, y, x, y]));
        if self.points.len() < MAX_PATH_POINTS {
            self.points.push([x, y]);
        } else {
            self.curved = true;
        }
    }

    pub(super) fn curve(&mut self, points: &[[f32; 2]]) {
        self.curved = true;
        for [x, y] in points {
            self.edges = Some(around(self.edges, [*x, *y, *x, *y]));
        }
    }

    pub(super) fn rectangle(&mut self, edges: [f32; 4]) {
        self.edges = Some(around(self.edges, edges));
        if self.boxes.len() < MAX_PATH_BOXES {
            self.boxes.push(edges);
        }
    }

    pub(super) fn edges(&self) -> Option<[f32; 4]> {
        self.edges
    }

    /// The boxes that the path is made of; nothing where it is made of anything else.
    fn boxes(&self) -> Vec<[f32; 4]> {
        // A box that is drawn by lines has four corners, or five where it returns to the first.
        let square = |pair: &[[f32; 2]]| matches!(pair, [a, b] if (a[0] - b[0]).abs() < MAX_EDGE_DRIFT_POINTS || (a[1] - b[1]).abs() < MAX_EDGE_DRIFT_POINTS);
        if self.curved {
            Vec::new()
        } else if self.points.is_empty() {
            self.boxes.clone()
        } else if matches!(self.points.len(), 4 | 5)
            && self.points.windows(2).all(square)
            && self.boxes.is_empty()
        {
            self.edges.into_iter().collect()
        } else {
            Vec::new()
        }
    }
}

/// The shapes of a page.
#[derive(Debug, Default)]
pub(super) struct PaintedShapes {
    shapes: Vec<PaintedShape>,
    images: Vec<[f32; 4]>,
}

#[derive(Debug)]
struct PaintedShape {
    edges: [f32; 4],
    /// How many letters were drawn before it.
    after: usize,
    is_white: bool,
    covers: bool,
}

impl PaintedShapes {
    /// Fills a path after so many letters.
    pub(super) fn fill(&mut self, path: &PathDraft, paint: &PaintState, after: usize) {
        let Some(edges) =
            path.edges.filter(|_| self.shapes.len() < MAX_PAGE_SHAPES && paint.alpha >= MIN_ALPHA)
        else {
            return;
        };
        let is_white = paint.fill == InkColour::White;
        let boxes = path.boxes();
        let opaque = paint.alpha >= MIN_OPAQUE_ALPHA && !paint.blends;
        // Another shape may have holes: it is a ground for white letters, and covers nothing.
        if boxes.is_empty() {
            self.shapes.push(PaintedShape { edges, after, is_white, covers: false });
        }
        for edges in boxes {
            let edges = paint.clip.map_or(edges, |clip| inside(edges, clip));
            self.shapes.push(PaintedShape { edges, after, is_white, covers: opaque });
        }
    }

    /// Something of many colours that may let through what is behind it.
    pub(super) fn image(&mut self, edges: [f32; 4], after: usize) {
        if self.images.len() < MAX_PAGE_SHAPES {
            self.images.push(edges);
            self.shapes.push(PaintedShape { edges, after, is_white: false, covers: false });
        }
    }

    /// Says of every letter of a page of this size why it cannot be seen.
    pub(super) fn settle(&self, glyphs: &mut [PdfGlyph], size: (f32, f32)) {
        let mut room = MAX_COMPARISONS;
        for (at, glyph) in glyphs.iter_mut().enumerate() {
            glyph.hidden = glyph.hidden.or_else(|| self.unseen(glyph, at, size, &mut room));
        }
    }

    fn unseen(
        &self,
        glyph: &PdfGlyph,
        at: usize,
        (width, height): (f32, f32),
        room: &mut usize,
    ) -> Option<HiddenText> {
        let points = points(glyph);
        let page = [0.0, 0.0, width, height];
        if points.iter().all(|point| !holds(page, *point)) {
            return Some(HiddenText::OutsidePage);
        }
        if length(glyph.up) < MIN_READABLE_POINTS {
            return Some(HiddenText::TinySize);
        }
        let [_, middle, _] = points;
        // Words that were recognised in a scan are drawn without paint over its image.
        if glyph.unpainted {
            let scanned = self.images.iter().any(|image| holds(*image, middle));
            return (!scanned).then_some(HiddenText::MarkedHidden);
        }
        // Shapes are in the order of drawing: one bisection parts those below from those above.
        let (before, later) =
            self.shapes.split_at_checked(self.shapes.partition_point(|shape| shape.after <= at))?;
        *room = room.saturating_sub(later.len());
        if glyph.white {
            *room = room.saturating_sub(before.len());
        }
        if *room == 0 {
            return None;
        }
        // A letter that is covered in part can still be read.
        if later
            .iter()
            .any(|shape| shape.covers && points.iter().all(|point| holds(shape.edges, *point)))
        {
            return Some(HiddenText::CoveredByShape);
        }
        let alone = glyph.white
            && !before.iter().any(|shape| !shape.is_white && holds(shape.edges, middle));
        alone.then_some(HiddenText::BackgroundColour)
    }
}

/// Whether a letter lies outside of a clip.
pub(super) fn is_cut(glyph: &PdfGlyph, clip: Option<[f32; 4]>) -> bool {
    clip.is_some_and(|clip| points(glyph).iter().all(|point| !holds(clip, *point)))
}

/// Three points of a letter: near its beginning, its middle, and near its end.
fn points(glyph: &PdfGlyph) -> [[f32; 2]; 3] {
    let along = [glyph.to[0] - glyph.from[0], glyph.to[1] - glyph.from[1]];
    let point = |share: f32| {
        [
            glyph.from[0] + along[0] * share + glyph.up[0] * LETTER_MIDDLE_EMS,
            glyph.from[1] + along[1] * share + glyph.up[1] * LETTER_MIDDLE_EMS,
        ]
    };
    [point(0.2), point(0.5), point(0.8)]
}

fn holds([left, top, right, bottom]: [f32; 4], [x, y]: [f32; 2]) -> bool {
    x >= left && x <= right && y >= top && y <= bottom
}

fn around(one: Option<[f32; 4]>, other: [f32; 4]) -> [f32; 4] {
    let [left, top, right, bottom] = one.unwrap_or(other);
    [left.min(other[0]), top.min(other[1]), right.max(other[2]), bottom.max(other[3])]
}

fn inside(one: [f32; 4], other: [f32; 4]) -> [f32; 4] {
    [one[0].max(other[0]), one[1].max(other[1]), one[2].min(other[2]), one[3].min(other[3])]
}

/// Letters smaller than this, in points, cannot be read; the smallest print has about four.
const MIN_READABLE_POINTS: f32 = 2.5;
/// A twentieth of full paint cannot be seen on paper.
const MIN_ALPHA: f32 = 0.05;
const MIN_OPAQUE_ALPHA: f32 = 0.95;
/// Where the middle of a letter is above its foot, in ems.
const LETTER_MIDDLE_EMS: f32 = 0.3;
/// Points that lie on one line, in points of the page.
const MAX_EDGE_DRIFT_POINTS: f32 = 0.1;
const MAX_PATH_POINTS: usize = 16;
const MAX_PATH_BOXES: usize = 64;
const MAX_PAGE_SHAPES: usize = 20_000;
/// A page whose letters and shapes make more is read as if all could be seen.
const MAX_COMPARISONS: usize = 50_000_000;
