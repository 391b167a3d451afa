//! Content streams: the glyphs of a page with their places, and thin rules.
//!
//! Only operators that affect text are followed: fonts, text operators, transforms, forms,
//! marked content and thin lines. Everything is counted against a budget, because
//! a form that draws itself twice would otherwise draw for ever.

use std::collections::HashMap;
use std::rc::Rc;

use hayro_syntax::content::TypedIter;
use hayro_syntax::content::ops::TypedInstruction as Op;
use hayro_syntax::object::dict::keys::{
    ANNOTS, AP, AS, BBOX, BM, CA, CA_NS, CONTENTS, F, FONT, FORM, HEIGHT, IMAGE, MATRIX, N, OC,
    RECT, RESOURCES, S, SUBTYPE, WIDTH,
};
use hayro_syntax::object::{Array, Dict, Name, Number, Object, Rect, Stream};
use hayro_syntax::page::{Page, Resources};

use super::font::PdfFonts;
use super::glyph::PdfGlyph;
use super::ink::{InkBlend, InkColour};
use super::matrix::{AffineMatrix, narrow};
use super::optional::OptionalLayers;
use super::paint::{MAX_COMPARISONS, PaintState, PaintedShapes, PathDraft, glyph_height, is_cut};
use super::pattern;
use super::unpack::{self, UnpackFailure};
use crate::document::HiddenText;
use marked::{OpenSpans, said};
use shown::{ShownParts, TextOperand};

mod marked;
mod reach;
mod shape;
mod shown;

/// The drawing of one page.
#[derive(Default)]
pub(super) struct PdfCanvas {
    pub(super) glyphs: Vec<PdfGlyph>,
    pub(super) rules: Vec<RuledLine>,
    /// How many images it draws.
    pub(super) images: usize,
    /// How many pixels the largest of them has.
    pub(super) image_pixels: u64,
    /// Whether a limit stopped the reading of it.
    pub(super) cut: bool,
    /// Whether it has contents that could not be unpacked.
    pub(super) broken: bool,
}

/// A thin line or the edge of a box: its left, top, right and bottom.
pub(super) type RuledLine = [f32; 4];

/// The remaining budget of a document.
pub(super) struct PdfReadBudget {
    pub(super) operators: usize,
    pub(super) bytes: usize,
}

pub(super) fn draw<'a>(
    page: &Page<'a>,
    faces: &mut PdfFonts<'a>,
    layers: &OptionalLayers,
    budget: &mut PdfReadBudget,
) -> PdfCanvas {
    let start = AffineMatrix(page.initial_transform(true).as_coeffs());
    let mut pen = ContentInterpreter {
        faces,
        layers,
        budget,
        canvas: PdfCanvas::default(),
        shapes: PaintedShapes::default(),
        path: PathDraft::default(),
        state: GraphicsState::new(start),
        saved: Vec::new(),
        spans: OpenSpans::default(),
        operators: MAX_PAGE_OPERATORS,
        bytes: MAX_PAGE_CONTENT_BYTES,
        depth: 0,
        lookups: MAX_PAGE_LOOKUPS,
        clip_room: MAX_COMPARISONS,
        shown: ShownParts::default(),
    };
    pen.contents(page);
    pen.annotations(page, start);
    let unit = page.raw().get::<f64>(&b"UserUnit"[..]).map_or(1.0, narrow);
    pen.shapes.settle(&mut pen.canvas.glyphs, page.render_dimensions(), unit);
    pen.canvas
}

struct ContentInterpreter<'p, 'a> {
    faces: &'p mut PdfFonts<'a>,
    layers: &'p OptionalLayers,
    budget: &'p mut PdfReadBudget,
    canvas: PdfCanvas,
    shapes: PaintedShapes,
    path: PathDraft,
    state: GraphicsState,
    saved: Vec<GraphicsState>,
    spans: OpenSpans,
    operators: usize,
    bytes: usize,
    depth: usize,
    /// How many colour spaces, patterns and masks may still be looked up.
    lookups: usize,
    /// How many points of clips letters may still be compared with.
    clip_room: usize,
    /// The array that was shown last, kept for its room.
    shown: ShownParts,
}

#[derive(Clone)]
struct GraphicsState {
    page: AffineMatrix,
    face: Option<usize>,
    size: f64,
    apart: f64,
    words: f64,
    stretch: f64,
    leading: f64,
    rise: f64,
    paint: PaintState,
    line: AffineMatrix,
    text: AffineMatrix,
}

/// The fonts that one stream has named.
type StreamFonts = HashMap<Vec<u8>, Option<usize>>;

impl GraphicsState {
    fn new(page: AffineMatrix) -> Self {
        Self {
            page,
            face: None,
            size: 1.0,
            apart: 0.0,
            words: 0.0,
            stretch: 1.0,
            leading: 0.0,
            rise: 0.0,
            paint: PaintState::default(),
            line: AffineMatrix::IDENTITY,
            text: AffineMatrix::IDENTITY,
        }
    }

    fn next_line(&mut self, x: f64, y: f64) {
        self.line = self.line.moved(x, y);
        self.text = self.line;
    }
}

impl<'a> ContentInterpreter<'_, 'a> {
    fn contents(&mut self, page: &Page<'a>) {
        let mut bytes = Vec::new();
        let raw = page.raw();
        if let Some(stream) = raw.get::<Stream<'_>>(CONTENTS) {
            self.unpack(&stream, &mut bytes);
        } else if let Some(parts) = raw.get::<Array<'_>>(CONTENTS) {
            for part in parts.iter::<Stream<'_>>() {
                self.unpack(&part, &mut bytes);
            }
        }
        self.run(&bytes, page.resources());
    }

    fn unpack(&mut self, stream: &Stream<'_>, into: &mut Vec<u8>) {
        if self.canvas.cut {
            return;
        }
        let most = self.bytes.min(self.budget.bytes);
        match unpack::stream(stream, most) {
            Ok(bytes) => {
                self.bytes = self.bytes.saturating_sub(bytes.len());
                self.budget.bytes = self.budget.bytes.saturating_sub(bytes.len());
                into.extend_from_slice(&bytes);
                // The parts of a content stream meet between two tokens (PDF 32000, 7.8.2).
                into.push(b' ');
            }
            Err(UnpackFailure::Broken) => self.canvas.broken = true,
            Err(UnpackFailure::Large) => self.canvas.cut = true,
        }
    }

    /// Filled-in fields and notes are drawn by forms of their own.
    fn annotations(&mut self, page: &Page<'a>, start: AffineMatrix) {
        let Some(notes) = page.raw().get::<Array<'_>>(ANNOTS) else { return };
        for note in notes.iter::<Dict<'_>>().take(MAX_PAGE_ANNOTATIONS) {
            let hidden =
                note.get::<u32>(F).is_some_and(|flags| flags & HIDDEN_ANNOTATION_FLAGS != 0);
            let (Some(form), Some(area)) = (appearance(&note), note.get::<Rect>(RECT)) else {
                continue;
            };
            let kind = note.get::<Name<'_>>(SUBTYPE);
            // The first flag hides notes of a kind that a viewer does not know.
            let is_first = note.get::<u32>(F).is_some_and(|flags| flags & 1 != 0);
            let is_known = kind.as_ref().is_some_and(|kind| KNOWN_ANNOTATIONS.contains(&&**kind));
            let hidden = hidden || is_first && !is_known;
            if hidden || kind.is_some_and(|kind| *kind == *b"Popup") || self.layers.hide(&note, OC)
            {
                continue;
            }
            self.state = GraphicsState::new(start.after(placed(&form, area)));
            self.form(&form, page.resources());
        }
    }

    fn run(&mut self, bytes: &[u8], resources: &Resources<'a>) {
        let mut ops = TypedIter::new(bytes);
        // The name of a font means something only within the resources of one stream.
        let mut named = StreamFonts::new();
        let mut at = None;
        let (held, held_spans) = (self.saved.len(), self.spans.mark());
        while let Some(op) = ops.next() {
            if self.spent() {
                break;
            }
            match op {
                Op::SaveState(_) if self.saved.len() < MAX_SAVED_STATES => {
                    self.saved.push(self.state.clone());
                }
                Op::RestoreState(_) if self.saved.len() > held => {
                    if let Some(state) = self.saved.pop() {
                        self.state = state;
                    }
                }
                Op::Transform(m) => {
                    let inner = numbers([&m.0, &m.1, &m.2, &m.3, &m.4, &m.5]);
                    self.state.page = self.state.page.after(inner);
                }
                Op::XObject(name) => self.object(name.0, resources),
                Op::InlineImage(image) => self.image(image.0.dict()),
                Op::BeginMarkedContent(_) => self.begin(None, false),
                Op::BeginMarkedContentWithProperties(marked) => {
                    // Only the tag `OC` makes the named properties a layer (PDF 32000, 8.11.3.2).
                    let named = marked.1.clone().into_name().filter(|_| **marked.0 == *b"OC");
                    let hides =
                        named.is_some_and(|name| self.layers.hide(&resources.properties, &name));
                    self.begin(said(marked.1, resources), hides);
                }
                Op::EndMarkedContent(_) => self.end(held_spans),
                Op::SetGraphicsState(name) => self.graphics(name.0, resources),
                Op::TextFont(font) => {
                    self.state.face = self.font(font.0, resources, &mut named);
                    self.state.size = font.1.as_f64();
                }
                Op::MoveTo(to) => {
                    at = Some((to.0.as_f64(), to.1.as_f64()));
                    self.path.start(self.state.page.point(to.0.as_f64(), to.1.as_f64()));
                }
                Op::LineTo(to) => {
                    let to = (to.0.as_f64(), to.1.as_f64());
                    self.path.point(self.state.page.point(to.0, to.1));
                    if let Some(from) = at.replace(to) {
                        self.rule(from, to);
                    }
                }
                Op::RectPath(rect) => self.rectangle(
                    (rect.0.as_f64(), rect.1.as_f64()),
                    (rect.2.as_f64(), rect.3.as_f64()),
                ),
                op => self.paint(op, resources),
            }
        }
        self.saved.truncate(held);
        self.leave(held_spans);
    }

    fn spent(&mut self) -> bool {
        let left = self.operators.checked_sub(1).zip(self.budget.operators.checked_sub(1));
        match left {
            Some((operators, all)) if self.canvas.glyphs.len() < MAX_PAGE_GLYPHS => {
                self.operators = operators;
                self.budget.operators = all;
            }
            Some(_) | None => self.canvas.cut = true,
        }
        self.canvas.cut
    }

    fn object(&mut self, name: &Name<'_>, resources: &Resources<'a>) {
        let Some(stream) = resources.get_x_object(name) else { return };
        let hides = self.layers.hide(stream.dict(), OC);
        match stream.dict().get::<Name<'_>>(SUBTYPE).as_deref() {
            Some(IMAGE) if !hides => {
                let side = |key: &[u8]| stream.dict().get::<u32>(key).map_or(0, u64::from);
                let pixels = side(WIDTH).saturating_mul(side(HEIGHT));
                self.canvas.image_pixels = self.canvas.image_pixels.max(pixels);
                self.image(stream.dict());
            }
            Some(FORM) => {
                let state = self.state.clone();
                // A hidden form is read all the same: its text is kept, and marked.
                let held = self.spans.mark();
                if hides {
                    self.begin(None, true);
                }
                self.form(&stream, resources);
                self.leave(held);
                self.state = state;
            }
            _ => {}
        }
    }

    fn form(&mut self, stream: &Stream<'a>, resources: &Resources<'a>) {
        if self.depth == MAX_FORM_DEPTH {
            self.canvas.cut = true;
            return;
        }
        let mut bytes = Vec::new();
        self.unpack(stream, &mut bytes);
        if let Some(matrix) = stream.dict().get::<[f64; 6]>(MATRIX) {
            self.state.page = self.state.page.after(AffineMatrix(matrix));
        }
        // A form paints inside of its box only (PDF 32000, 8.10.1).
        if let Some(area) = stream.dict().get::<Rect>(BBOX) {
            let edges = self.square((area.x0, area.y0), (area.x1 - area.x0, area.y1 - area.y0));
            self.state.paint.cut(edges);
        }
        // A group is painted as a whole (PDF 32000, 11.6.6).
        if stream.dict().contains_key(b"Group") {
            let paint = &mut self.state.paint;
            paint.group_alpha *= std::mem::replace(&mut paint.alpha, 1.0);
            paint.stroke_alpha = 1.0;
        }
        // Old files leave the resources out, and then those of the page hold (PDF 32000, 7.8.3).
        let own = stream.dict().get::<Dict<'_>>(RESOURCES).map(Resources::new);
        self.depth += 1;
        self.run(&bytes, own.as_ref().unwrap_or(resources));
        self.depth -= 1;
    }

    fn graphics(&mut self, name: &Name<'_>, resources: &Resources<'a>) {
        let Some(graphics) = resources.get_ext_g_state(name) else { return };
        if let Some(alpha) = graphics.get::<f64>(CA_NS) {
            self.state.paint.alpha = narrow(alpha);
        }
        if let Some(alpha) = graphics.get::<f64>(CA) {
            self.state.paint.stroke_alpha = narrow(alpha);
        }
        if let Some(mask) = graphics.get::<Object<'_>>(&b"SMask"[..]) {
            self.state.paint.is_masked = is_empty_mask(&mask, resources, &mut self.lookups);
        }
        if let Some(blend) = graphics.get::<Name<'_>>(BM) {
            self.state.paint.blend = InkBlend::named(&blend).unwrap_or(InkBlend::Normal);
        } else if let Some(blends) = graphics.get::<Array<'_>>(BM) {
            // The first that is known (PDF 32000, table 58).
            let known = blends.iter::<Name<'_>>().find_map(|name| InkBlend::named(&name));
            self.state.paint.blend = known.unwrap_or(InkBlend::Normal);
        }
        let Some(font) = graphics.get::<Array<'_>>(FONT) else { return };
        let mut parts = font.iter::<Object<'_>>();
        if let Some(dict) = parts.next().and_then(Object::into_dict) {
            self.state.face = self.face(&dict);
        }
        if let Some(size) = parts.next().and_then(Object::into_number) {
            self.state.size = size.as_f64();
        }
    }

    fn font(
        &mut self,
        name: &Name<'_>,
        resources: &Resources<'a>,
        named: &mut StreamFonts,
    ) -> Option<usize> {
        if let Some(face) = named.get(name.as_ref()) {
            return *face;
        }
        let face = match resources.get_font(name) {
            Some(dict) => self.face(&dict),
            None => self.faces.fallback(),
        };
        named.insert(name.to_vec(), face);
        face
    }

    /// The face of a font; a page with one that is refused lacks some of its text.
    fn face(&mut self, font: &Dict<'a>) -> Option<usize> {
        let refused = self.faces.refused;
        let face = self.faces.find(font);
        self.canvas.broken |= self.faces.refused > refused;
        face
    }

    fn write(&mut self, op: Op<'_, '_>) {
        let state = &mut self.state;
        match op {
            Op::BeginText(_) => {
                state.text = AffineMatrix::IDENTITY;
                state.line = AffineMatrix::IDENTITY;
            }
            Op::SetTextMatrix(m) => {
                state.line = numbers([&m.0, &m.1, &m.2, &m.3, &m.4, &m.5]);
                state.text = state.line;
            }
            Op::CharacterSpacing(by) => state.apart = by.0.as_f64(),
            Op::WordSpacing(by) => state.words = by.0.as_f64(),
            Op::HorizontalScaling(by) => state.stretch = by.0.as_f64() / 100.0,
            Op::TextLeading(by) => state.leading = by.0.as_f64(),
            Op::TextRise(by) => state.rise = by.0.as_f64(),
            Op::TextRenderingMode(mode) => state.paint.mode = mode.0.as_i64(),
            Op::NextLine(by) => state.next_line(by.0.as_f64(), by.1.as_f64()),
            Op::NextLineAndSetLeading(by) => {
                state.leading = -by.1.as_f64();
                state.next_line(by.0.as_f64(), by.1.as_f64());
            }
            Op::NextLineUsingLeading(_) => state.next_line(0.0, -state.leading),
            Op::NextLineAndShowText(text) => {
                state.next_line(0.0, -state.leading);
                self.show(text.0.as_bytes());
            }
            Op::ShowTextWithParameters(shown) => {
                state.words = shown.0.as_f64();
                state.apart = shown.1.as_f64();
                state.next_line(0.0, -state.leading);
                self.show(shown.2.as_bytes());
            }
            Op::ShowText(text) => self.show(text.0.as_bytes()),
            Op::ShowTexts(parts) => self.show_parts(parts.0),
            _ => {}
        }
    }

    fn show_parts(&mut self, parts: &Array<'_>) {
        let mut shown = std::mem::take(&mut self.shown);
        if shown.read(parts.data()).is_some() {
            for part in shown.iter() {
                match part {
                    TextOperand::Number(by) => self.skip(by),
                    TextOperand::Codes(codes) => self.show(codes),
                }
            }
            self.shown = shown;
            return;
        }
        for part in parts.iter::<Object<'_>>() {
            match part {
                Object::Number(by) => self.skip(by.as_f64()),
                Object::String(text) => self.show(text.as_bytes()),
                _ => {}
            }
        }
    }

    fn skip(&mut self, by: f64) {
        // Numbers between strings are thousandths of an em to go back by (PDF 32000, 9.4.3).
        let by = -by / 1000.0 * self.state.size;
        let upright = self
            .state
            .face
            .and_then(|face| self.faces.get(face))
            .is_none_or(|face| face.is_upright());
        let (x, y) = if upright { (by * self.state.stretch, 0.0) } else { (0.0, by) };
        self.state.text = self.state.text.moved(x, y);
    }

    fn show(&mut self, codes: &[u8]) {
        if self.state.face.is_none() {
            self.state.face = self.faces.fallback();
        }
        let Some(face) = self.state.face.and_then(|face| self.faces.get(face)) else { return };
        let state = &mut self.state;
        let (upright, bold) = (face.is_upright(), face.bold);
        // The glyphs of a string are turned, scaled and painted alike.
        let turned = state.page.after(state.text);
        let up = turned.arrow(0.0, state.size);
        let height = glyph_height(up, turned.arrow(state.size * state.stretch, 0.0));
        let (unpainted, paint) = (state.paint.is_unpainted(), state.paint.glyph_ink());
        let unseen = state.paint.unseen();
        let mut rest = codes;
        while let Some((code, taken, said)) = face.next(rest) {
            rest = rest.get(taken..).unwrap_or_default();
            // Word spacing holds for the code 32 of one byte alone (PDF 32000, 9.3.3).
            let word = if code == 32 && taken == 1 { state.words } else { 0.0 };
            let by = f64::from(said.advance) * state.size + state.apart + word;
            let next = if upright { (by * state.stretch, 0.0) } else { (0.0, by) };
            if !said.text.is_empty() && self.canvas.glyphs.len() < MAX_PAGE_GLYPHS {
                let place = state.page.after_like(state.text, turned).moved(0.0, state.rise);
                // Arabic is drawn from the right with spacing that takes the pen back over the
                // letter; the letter reaches as far as it is wide all the same.
                let wide = if upright {
                    let by = f64::from(said.advance) * state.size + (state.apart + word).max(0.0);
                    (by * state.stretch, 0.0)
                } else {
                    next
                };
                let mut glyph = PdfGlyph {
                    from: place.point(0.0, 0.0),
                    to: place.point(wide.0, wide.1),
                    up,
                    ink: said
                        .ink
                        .map(|ink| place.point(f64::from(ink) * state.size * state.stretch, 0.0)),
                    text: Rc::clone(&said.text),
                    bold,
                    unpainted,
                    paint,
                    height,
                    hidden: unseen.or(said.lies.then_some(HiddenText::OtherLetters)),
                };
                if is_cut(&glyph, &state.paint, &mut self.clip_room) {
                    glyph.hidden = glyph.hidden.or(Some(HiddenText::OutsidePage));
                }
                self.canvas.glyphs.push(glyph);
            }
            state.text = state.text.moved(next.0, next.1);
        }
    }
}

/// Whether a mask lets nothing through: its group paints nothing, or black where light counts.
fn is_empty_mask(mask: &Object<'_>, resources: &Resources<'_>, lookups: &mut usize) -> bool {
    let Object::Dict(mask) = mask else { return false };
    // A function may turn it around, and a colour behind the group may be light.
    let is_plain = !mask.contains_key(b"TR") && !mask.contains_key(b"BC");
    let Some(group) = mask.get::<Stream<'_>>(&b"G"[..]).filter(|_| is_plain) else { return false };
    let by_light = mask.get::<Name<'_>>(S).is_some_and(|kind| *kind == *b"Luminosity");
    match pattern::painted(&group, resources, lookups) {
        InkColour::Clear => true,
        painted => by_light && painted == InkColour::BLACK,
    }
}

/// How the box of an appearance becomes the rectangle of its annotation (PDF 32000, 12.5.5).
fn placed(form: &Stream<'_>, area: Rect) -> AffineMatrix {
    let moved = AffineMatrix::shift(area.x0, area.y0);
    let Some(own) = form.dict().get::<Rect>(BBOX) else { return moved };
    let matrix = form.dict().get::<[f64; 6]>(MATRIX).map_or(AffineMatrix::IDENTITY, AffineMatrix);
    let corners = [(own.x0, own.y0), (own.x1, own.y0), (own.x0, own.y1), (own.x1, own.y1)];
    let corners = corners.map(|(x, y)| matrix.point(x, y).map(f64::from));
    let side = |at: usize| corners.map(|corner| corner.into_iter().nth(at).unwrap_or(0.0));
    let least = |at: usize| side(at).into_iter().fold(f64::MAX, f64::min);
    let span = |at: usize| side(at).into_iter().fold(f64::MIN, f64::max) - least(at);
    let share = |long: f64, own: f64| if own > 0.0 { long / own } else { 1.0 };
    let (x, y) = (share(area.x1 - area.x0, span(0)), share(area.y1 - area.y0, span(1)));
    moved.after(AffineMatrix([x, 0.0, 0.0, y, -least(0) * x, -least(1) * y]))
}

fn appearance<'a>(note: &Dict<'a>) -> Option<Stream<'a>> {
    match note.get::<Dict<'_>>(AP)?.get::<Object<'_>>(N)? {
        Object::Stream(stream) => Some(stream),
        // A check box has an appearance for each of its states; `AS` names the one that shows.
        Object::Dict(states) => states.get::<Stream<'_>>(note.get::<Name<'_>>(AS)?),
        _ => None,
    }
}

fn numbers(of: [&Number; 6]) -> AffineMatrix {
    AffineMatrix(of.map(Number::as_f64))
}

/// The operators of one page: a map of a whole country has about two million.
const MAX_PAGE_OPERATORS: usize = 4_000_000;
/// The size that the contents of one page may unpack to.
const MAX_PAGE_CONTENT_BYTES: usize = 64 << 20;
/// The glyphs of one page: a dense one has about ten thousand.
const MAX_PAGE_GLYPHS: usize = 400_000;
const MAX_PAGE_RULES: usize = 50_000;
/// Colour spaces, patterns and masks that one page names, with the cost of large ones; further
/// ones are unknown, and hide nothing.
const MAX_PAGE_LOOKUPS: usize = 20_000;
const MAX_PAGE_ANNOTATIONS: usize = 10_000;
/// Forms within forms.
const MAX_FORM_DEPTH: usize = 16;
/// Saved states; deeper ones are not followed.
const MAX_SAVED_STATES: usize = 512;
/// Hidden, or not to be viewed.
const HIDDEN_ANNOTATION_FLAGS: u32 = 1 << 1 | 1 << 5;
/// The kinds of annotations (PDF 32000, table 169).
const KNOWN_ANNOTATIONS: [&[u8]; 14] = [
    b"Text",
    b"Link",
    b"FreeText",
    b"Line",
    b"Square",
    b"Circle",
    b"Polygon",
    b"PolyLine",
    b"Highlight",
    b"Underline",
    b"Stamp",
    b"Ink",
    b"Widget",
    b"Watermark",
];
/// Thicker than this it is a box, shorter it is a dash.
const MAX_RULE_THICKNESS_POINTS: f32 = 2.5;
const MIN_RULE_LENGTH_POINTS: f32 = 8.0;
