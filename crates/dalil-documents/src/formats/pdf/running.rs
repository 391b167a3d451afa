//! Running heads and feet: lines that repeat at the same place on consecutive pages.

use std::collections::BTreeMap;

use super::PlacedParagraph;

/// All paragraphs in order, those that run along marked: heads before the text of
/// their page, feet after it.
pub(super) fn mark(mut pages: Vec<Vec<PlacedParagraph>>) -> Vec<PlacedParagraph> {
    let mut seen: BTreeMap<(i32, String), usize> = BTreeMap::new();
    for page in &pages {
        let mut keys: Vec<_> = page.iter().filter_map(key).collect();
        // Once for each page: text that repeats within one page is no running line.
        keys.sort();
        keys.dedup();
        for key in keys {
            *seen.entry(key).or_default() += 1;
        }
    }
    let enough = if pages.len() < 4 { 2 } else { 3 };
    for laid in pages.iter_mut().flatten() {
        laid.running |=
            key(laid).and_then(|key| seen.get(&key)).is_some_and(|&times| times >= enough);
    }
    for page in &mut pages {
        // A stable sort: the text between heads and feet keeps its order.
        page.sort_by_key(|laid| match (laid.running, is_head(laid)) {
            (true, true) => 0,
            (false, _) => 1,
            (true, false) => 2,
        });
    }
    pages.into_iter().flatten().collect()
}

/// The key that a head or foot shares with that of the next page: its place, and
/// its words but for the number of the page.
fn key(laid: &PlacedParagraph) -> Option<(i32, String)> {
    let [_, top, _, bottom] = laid.edges;
    let foot = top > laid.height * (1.0 - HEADER_FOOTER_SHARE);
    if !(bottom < laid.height * HEADER_FOOTER_SHARE || foot) || laid.paragraph.lines > 3 {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "a place on a page is small")]
    let place = (top / SAME_PLACE_POINTS).round() as i32;
    let words = laid.paragraph.text.chars().map(|ch| if ch.is_numeric() { '0' } else { ch });
    let mut text: String = words.collect();
    // Page 9 and page 10 must have one key.
    while text.contains("00") {
        text = text.replace("00", "0");
    }
    Some((place, text))
}

fn is_head(laid: &PlacedParagraph) -> bool {
    laid.edges[1] < laid.height / 2.0
}

/// The part of a page that is its head, or its foot.
const HEADER_FOOTER_SHARE: f32 = 0.12;
/// In points.
const SAME_PLACE_POINTS: f32 = 4.0;
