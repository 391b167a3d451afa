//! Properties that show the text of an element without paint, shrunk, or far from the page.

use std::collections::BTreeMap;

use super::colour::{self, StyleColour};
use super::{MIN_OPACITY, MIN_VISIBLE_POINTS, number, points};

/// Whether nothing of the text is painted.
pub(super) fn is_transparent(style: &BTreeMap<String, String>) -> bool {
    let value = |name: &str| style.get(name).map_or("", String::as_str);
    let is_faint = |share: &str| number(share).is_some_and(|share| share < MIN_OPACITY);
    if is_faint(value("opacity"))
        || arguments(value("filter"), "opacity").any(|share| is_faint(share.trim()))
    {
        return true;
    }
    let masks = ["mask", "mask-image", "-webkit-mask", "-webkit-mask-image"];
    if masks.iter().any(|name| is_empty_mask(value(name))) {
        return true;
    }
    // Letters without paint of their own let through a background that is cut to their shapes.
    let is_cut_out = ["background-clip", "-webkit-background-clip", "background"]
        .iter()
        .any(|name| value(name).split(' ').any(|word| word == "text"));
    colour::text(style) == Some(StyleColour::Nothing) && !is_cut_out
}

/// Whether the letters are scaled to specks.
pub(super) fn is_shrunk(style: &BTreeMap<String, String>) -> bool {
    let value = |name: &str| style.get(name).map_or("", String::as_str);
    // A font of 12 points stands in for one that is not known here.
    let is_speck = |share: f32| share.abs() * 12.0 < MIN_VISIBLE_POINTS;
    let scaled = ["scale", "scalex", "scaley", "scale3d"].iter().any(|function| {
        let mut shares =
            arguments(value("transform"), function).flat_map(|inside| inside.split(',').take(2));
        shares.any(|share| number(share.trim()).is_some_and(is_speck))
    });
    scaled
        || value("scale").split(' ').take(2).any(|share| number(share).is_some_and(is_speck))
        // No zoom at all means the usual one.
        || number(value("zoom")).is_some_and(|zoom| zoom > 0.0 && is_speck(zoom))
}

/// Whether the text stands where nobody can scroll to, or is moved out of its box and cut off.
pub(super) fn is_far(style: &BTreeMap<String, String>) -> bool {
    let value = |name: &str| style.get(name).map_or("", String::as_str);
    let is_beside = |at: &str| points(at).is_some_and(|at| at < -MIN_OFF_PAGE_POINTS);
    // `left: -9999px` takes text off the screen without any word for hiding.
    let sides = ["left", "top", "right", "bottom", "text-indent", "margin-left", "margin-top"];
    let moves = ["translate", "translatex", "translatey", "translate3d"].iter().any(|function| {
        arguments(value("transform"), function)
            .flat_map(|inside| inside.split(','))
            .any(|by| is_beside(by.trim()))
    });
    let margins: Vec<&str> = value("margin").split(' ').collect();
    // One that is as wide to the right as to the left is for a background from edge to edge.
    let margin = match margins.as_slice() {
        [all] => is_beside(all),
        [top, _] | [top, _, _] => is_beside(top),
        [top, right, _, left] => is_beside(top) || is_beside(left) && !is_beside(right),
        _ => false,
    };
    if sides.iter().any(|side| is_beside(value(side)))
        || value("inset").split(' ').any(is_beside)
        || value("translate").split(' ').any(is_beside)
        || moves
        || margin
    {
        return true;
    }
    // What is fixed to the window cannot be scrolled to.
    let is_beyond = |at: &str| {
        ["vh", "vw", "%"]
            .iter()
            .any(|unit| at.strip_suffix(unit).and_then(number).is_some_and(|at| at >= 100.0))
    };
    let edges = ["left", "top", "right", "bottom"];
    let is_moved = !value("transform").is_empty() || !value("translate").is_empty();
    let is_fixed = value("position") == "fixed" && !is_moved;
    let cuts =
        ["overflow", "overflow-x"].iter().any(|name| matches!(value(name), "hidden" | "clip"));
    is_fixed
        && (edges.iter().any(|edge| is_beyond(value(edge)))
            || value("inset").split(' ').any(is_beyond))
        || cuts && is_beyond(value("text-indent")) && value("text-indent").ends_with('%')
}

/// The arguments of each use of a function in a value.
fn arguments<'v>(value: &'v str, function: &str) -> impl Iterator<Item = &'v str> {
    value.split(')').filter_map(move |part| {
        let (name, inside) = part.split_once('(')?;
        (name.trim() == function).then_some(inside)
    })
}

/// Whether a mask is a gradient from nothing to nothing.
fn is_empty_mask(value: &str) -> bool {
    let Some((_, inside)) = value.split_once("gradient(") else { return false };
    let stops = inside.rsplit_once(')').map_or(inside, |(inside, _)| inside);
    let mut colours = 0;
    for stop in stops.split(',') {
        let word = stop.trim().split(' ').next().unwrap_or_default();
        match word {
            "transparent" => colours += 1,
            "to" => {}
            _ if word.ends_with("deg") || word.ends_with("turn") => {}
            _ => return false,
        }
    }
    colours > 0
}

/// Farther than the width of a page to the left of it.
const MIN_OFF_PAGE_POINTS: f32 = 300.0;
