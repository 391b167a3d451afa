//! The extent of glyphs along their line.

use crate::formats::pdf::glyph::PdfGlyph;

/// The first and the last place of the glyphs on one line with the first.
pub(super) struct GlyphExtent {
    pub(super) from: [f32; 2],
    pub(super) to: [f32; 2],
}

impl GlyphExtent {
    pub(super) fn of(first: &PdfGlyph, drawn: &[PdfGlyph]) -> Self {
        let [ux, uy] = first.up;
        // Along the line is across the arrow `up`. Both lengths are multiplied by that of `up`, so
        // that half an em is half of its square.
        let along = |[x, y]: [f32; 2]| x * -uy + y * ux;
        let across = |[x, y]: [f32; 2]| x * ux + y * uy;
        let square = ux * ux + uy * uy;
        let mut reach = Self { from: first.from, to: first.from };
        for glyph in drawn {
            if (across(glyph.from) - across(first.from)).abs() > square / 2.0 {
                continue;
            }
            for end in [glyph.from, glyph.to] {
                if along(end) < along(reach.from) {
                    reach.from = end;
                }
                if along(end) > along(reach.to) {
                    reach.to = end;
                }
            }
        }
        reach
    }
}
