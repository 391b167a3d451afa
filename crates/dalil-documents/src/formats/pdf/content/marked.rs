//! Marked content: spans that replace the text of their glyphs, or hide them.

use std::rc::Rc;

use hayro_syntax::object::dict::keys::ACTUAL_TEXT;
use hayro_syntax::object::{self, Dict, Object, dict_or_stream};
use hayro_syntax::page::Resources;

use super::ContentInterpreter;
use super::reach::GlyphExtent;
use crate::document::HiddenText;
use crate::formats::pdf::glyph::PdfGlyph;
use crate::formats::pdf::{fold, text, to_unicode};

/// The spans that are open, one inside the other.
#[derive(Default)]
pub(super) struct OpenSpans {
    open: Vec<MarkedContent>,
    /// Those that are too deep to be followed.
    unfollowed: usize,
    /// How many of the open ones are on layers that are not shown.
    hiding: usize,
}

/// Marked content, which may give the text of its glyphs.
struct MarkedContent {
    says: Option<String>,
    glyphs: usize,
    /// Whether it is on a layer that is not shown.
    hides: bool,
}

/// The spans that were open when a stream began.
#[derive(Clone, Copy)]
pub(super) struct SpanMark {
    open: usize,
    unfollowed: usize,
}

impl OpenSpans {
    /// The spans that are open now.
    pub(super) fn mark(&self) -> SpanMark {
        SpanMark { open: self.open.len(), unfollowed: self.unfollowed }
    }

    /// Closes the last span of those that a stream has begun, and no other.
    fn pop(&mut self, held: SpanMark) -> Option<MarkedContent> {
        if self.unfollowed > held.unfollowed {
            self.unfollowed -= 1;
            return None;
        }
        let span = if self.open.len() > held.open { self.open.pop() } else { None };
        self.hiding -= usize::from(span.as_ref().is_some_and(|span| span.hides));
        span
    }

    /// Whether what is drawn next is on a layer that is not shown.
    pub(super) fn hides(&self) -> bool {
        self.hiding > 0
    }
}

impl ContentInterpreter<'_, '_> {
    pub(super) fn begin(&mut self, says: Option<String>, hides: bool) {
        let OpenSpans { open, unfollowed, hiding } = &mut self.spans;
        if open.len() < MAX_MARKED_CONTENT_DEPTH {
            open.push(MarkedContent { says, glyphs: self.canvas.glyphs.len(), hides });
            *hiding += usize::from(hides);
            return;
        }
        *unfollowed += 1;
        if let Some(around) = open.last_mut().filter(|around| hides && !around.hides) {
            around.hides = true;
            *hiding += 1;
        }
    }

    /// Replaces the glyphs of a span by its text. An empty text hides nothing but a
    /// single glyph, such as the hyphen at the end of a line.
    pub(super) fn end(&mut self, held: SpanMark) {
        let Some(MarkedContent { says, glyphs, hides }) = self.spans.pop(held) else { return };
        if hides {
            self.hide(glyphs, HiddenText::MarkedHidden);
        }
        let Some(says) = says else { return };
        let drawn = self.canvas.glyphs.get(glyphs..).unwrap_or_default();
        let Some(first) = drawn.first() else { return };
        if says.is_empty() && drawn.len() > 1 {
            return;
        }
        let reach = GlyphExtent::of(first, drawn);
        let shown: String = drawn.iter().map(|glyph| &**glyph.text).collect();
        let lies = to_unicode::differs(&says, &shown).then_some(HiddenText::OtherLetters);
        let hidden = drawn.iter().find_map(|glyph| glyph.hidden).or(lies);
        let (from, to) = (reach.from, reach.to);
        let text = Rc::new(says.into());
        let whole = PdfGlyph { text, from, to, ink: None, hidden, ..first.clone() };
        self.canvas.glyphs.truncate(glyphs);
        if !whole.text.is_empty() {
            self.canvas.glyphs.push(whole);
        }
        self.shapes.recount(self.canvas.glyphs.len());
    }

    /// Ends the spans that a stream leaves open: they hide their glyphs, and give no text.
    pub(super) fn leave(&mut self, held: SpanMark) {
        self.spans.unfollowed = held.unfollowed;
        while let Some(span) = self.spans.pop(held) {
            if span.hides {
                self.hide(span.glyphs, HiddenText::MarkedHidden);
            }
        }
    }
}

/// The text that marked content gives its glyphs.
pub(super) fn said(properties: &Object<'_>, resources: &Resources<'_>) -> Option<String> {
    let named = properties.clone().into_name();
    let named = named.and_then(|name| resources.properties.get::<Dict<'_>>(name));
    match named {
        Some(dict) => actual(&dict),
        None => dict_or_stream(properties).and_then(|(dict, _)| actual(dict)),
    }
}

fn actual(properties: &Dict<'_>) -> Option<String> {
    let string = properties.get::<object::String<'_>>(ACTUAL_TEXT)?;
    Some(fold::glyph(&text::decode(string.as_bytes())))
}

/// Spans within spans; a deeper one is read like the span around it.
const MAX_MARKED_CONTENT_DEPTH: usize = 512;
