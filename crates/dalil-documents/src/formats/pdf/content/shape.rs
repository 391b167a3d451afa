//! Shapes that a page paints, and the text that they cover.

use hayro_syntax::content::ops::TypedInstruction as Op;
use hayro_syntax::object::Number;
use hayro_syntax::page::Resources;

use super::{
    ContentInterpreter, MAX_PAGE_RULES, MAX_RULE_THICKNESS_POINTS, MIN_RULE_LENGTH_POINTS,
};
use crate::document::HiddenText;
use crate::formats::pdf::ink;

impl<'a> ContentInterpreter<'_, 'a> {
    /// An image fills the unit square of the page's space.
    pub(super) fn image(&mut self) {
        self.canvas.images += 1;
        let edges = self.square((0.0, 0.0), (1.0, 1.0));
        self.shapes.image(edges, self.canvas.glyphs.len());
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

    /// Says of the glyphs from one on that they cannot be seen.
    pub(super) fn hide(&mut self, from: usize, why: HiddenText) {
        for glyph in self.canvas.glyphs.get_mut(from..).unwrap_or_default() {
            glyph.hidden = glyph.hidden.or(Some(why));
        }
    }

    /// What is painted, and in which colour.
    pub(super) fn paint(&mut self, op: Op<'_, '_>, resources: &Resources<'a>) {
        let point =
            |pen: &Self, x: &Number, y: &Number| pen.state.page.point(x.as_f64(), y.as_f64());
        match op {
            Op::CubicTo(to) => {
                let points = [
                    point(self, &to.0, &to.1),
                    point(self, &to.2, &to.3),
                    point(self, &to.4, &to.5),
                ];
                self.path.curve(&points);
            }
            Op::CubicStartTo(to) => {
                self.path.curve(&[point(self, &to.0, &to.1), point(self, &to.2, &to.3)]);
            }
            Op::CubicEndTo(to) => {
                self.path.curve(&[point(self, &to.0, &to.1), point(self, &to.2, &to.3)]);
            }
            // A clip holds only behind the operator that paints the path (PDF 32000, 8.5.4).
            Op::ClipNonZero(_) | Op::ClipEvenOdd(_) => self.path.clips = true,
            Op::FillPathNonZero(_)
            | Op::FillPathNonZeroCompatibility(_)
            | Op::FillPathEvenOdd(_)
            | Op::FillAndStrokeNonZero(_)
            | Op::FillAndStrokeEvenOdd(_)
            | Op::CloseFillAndStrokeNonZero(_)
            | Op::CloseFillAndStrokeEvenOdd(_) => {
                self.shapes.fill(&self.path, &self.state.paint, self.canvas.glyphs.len());
                self.end_path();
            }
            Op::EndPath(_) | Op::StrokePath(_) | Op::CloseAndStrokePath(_) => self.end_path(),
            Op::Shading(_) => {
                // A shading fills all that the clip leaves, in colours that nobody computes here.
                let everywhere = [f32::MIN, f32::MIN, f32::MAX, f32::MAX];
                let edges = self.state.paint.clip.unwrap_or(everywhere);
                self.shapes.image(edges, self.canvas.glyphs.len());
            }
            op => match ink::after(&op, &self.state.paint, resources) {
                Some(paint) => self.state.paint = paint,
                None => self.write(op),
            },
        }
    }

    pub(super) fn end_path(&mut self) {
        let path = std::mem::take(&mut self.path);
        // The box around the path stands for it: what lies outside of the box is surely cut away.
        if path.clips
            && let Some(edges) = path.edges()
        {
            self.state.paint.cut(edges);
        }
    }

    pub(super) fn rectangle(&mut self, (x, y): (f64, f64), (width, height): (f64, f64)) {
        let (right, top) = (x + width, y + height);
        self.path.rectangle(self.square((x, y), (width, height)));
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
