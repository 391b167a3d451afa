//! Letters with their marks in one run of text, so that other programs read each word once.
//!
//! The typesetter splits a run of text where glyphs stand at different heights, even between an
//! Arabic letter and the mark above it. Both parts then carry the text of both, and a search
//! or a copy of the PDF's text finds it twice. A PDF can give the text of several glyphs once
//! (`ActualText`), but only within a run; a glyph of a run can be raised as well. So the parts
//! are joined again before the PDF is written. Nothing moves on the page.

use typst::layout::{Abs, Em, Frame, FrameItem, GroupItem, Point};
use typst::model::Document as _;
use typst::text::{Glyph, TextItem};
use typst_layout::{Page, PagedDocument};

/// The document, with every letter and its marks in one run.
pub(super) fn joined(document: &PagedDocument) -> PagedDocument {
    let pages = document.pages().iter();
    let pages = pages.map(|page| Page { frame: joined_frame(&page.frame), ..page.clone() });
    PagedDocument::new(pages.collect(), document.info().clone())
}

fn joined_frame(frame: &Frame) -> Frame {
    let mut items: Vec<(Point, FrameItem)> = Vec::new();
    for (at, item) in frame.items() {
        let item = match item {
            FrameItem::Group(group) => {
                let frame = joined_frame(&group.frame);
                FrameItem::Group(GroupItem { frame, ..group.clone() })
            }
            FrameItem::Text(text) => {
                if let Some((begin, FrameItem::Text(last))) = items.last_mut()
                    && let Some(whole) = join((*begin, last), (*at, text))
                {
                    *last = whole;
                    continue;
                }
                FrameItem::Text(text.clone())
            }
            other => other.clone(),
        };
        items.push((*at, item));
    }
    let mut joined = Frame::new(frame.size(), frame.kind());
    if frame.has_baseline() {
        joined.set_baseline(frame.baseline());
    }
    joined.push_multiple(items);
    joined
}

/// One run of two, if a cluster was split between them.
fn join((at, first): (Point, &TextItem), (next, second): (Point, &TextItem)) -> Option<TextItem> {
    let (last, begin) = (first.glyphs.last()?, second.glyphs.first()?);
    let cluster = first.text.get(last.range())?;
    let is_one_cluster = last.span == begin.span && second.text.get(begin.range()) == Some(cluster);
    let is_beside = (at.x + first.width() - next.x).abs() < MAX_GAP;
    if !is_one_cluster || !is_beside || !is_set_alike(first, second) {
        return None;
    }
    // Arabic is set from its end to its beginning: the second run is read before the first.
    let is_reversed = last.range.start == 0 && begin.range().end == second.text.len();
    let is_forward = begin.range.start == 0 && last.range().end == first.text.len();
    let (said_first, said_last) = match (is_reversed, is_forward) {
        (true, _) => (&second.text, &first.text),
        (false, true) => (&first.text, &second.text),
        (false, false) => return None,
    };
    let mut text = said_first.clone();
    text.push_str(said_last.get(cluster.len()..)?);
    let shift = u16::try_from(said_first.len() - cluster.len()).ok()?;
    // Ranges are of 16 bits; a run that is too long for them stays in two.
    u16::try_from(text.len()).ok()?;
    let (shift_first, shift_second) = if is_reversed { (shift, 0) } else { (0, shift) };
    let raised = Em::from_abs(at.y - next.y, first.size);
    let head = first.glyphs.iter().map(|glyph| moved(glyph, shift_first, Em::zero()));
    let tail = second.glyphs.iter().map(|glyph| moved(glyph, shift_second, raised));
    Some(TextItem { text, glyphs: head.chain(tail).collect(), ..first.clone() })
}

fn is_set_alike(first: &TextItem, second: &TextItem) -> bool {
    let bare =
        |item: &TextItem| TextItem { text: Default::default(), glyphs: Vec::new(), ..item.clone() };
    bare(first) == bare(second)
}

/// A glyph whose text begins `shift` bytes later, and which is raised.
fn moved(glyph: &Glyph, shift: u16, raised: Em) -> Glyph {
    let range = glyph.range.start + shift..glyph.range.end + shift;
    Glyph { range, y_offset: glyph.y_offset + raised, ..glyph.clone() }
}

/// The largest gap between two parts of a run by errors of rounding alone.
const MAX_GAP: Abs = Abs::raw(0.001);
