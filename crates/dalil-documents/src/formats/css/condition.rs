//! Conditions of rules: which media, features and containers hold for a page in a window on a
//! light screen, with a mouse.

use super::length::{LengthBasis, WINDOW_HEIGHT, WINDOW_WIDTH};
use super::syntax;

/// Whether one of these media queries holds.
pub(super) fn media_hold(text: &str) -> bool {
    let text = text.trim().to_ascii_lowercase();
    text.is_empty() || syntax::split(&text, b',').into_iter().any(media_holds)
}

fn media_holds(query: &str) -> bool {
    let query = query.trim();
    // A type of medium may stand before what else is asked.
    let (is_negated, rest) = match query.strip_prefix("not ") {
        Some(rest) if !rest.trim_start().starts_with('(') => (true, rest.trim_start()),
        _ => (false, query.strip_prefix("only ").unwrap_or(query).trim_start()),
    };
    if rest.starts_with('(') || rest.starts_with("not") {
        return all(rest, 0, &|feature| media_feature(feature));
    }
    let (medium, rest) = rest.split_once(|ch: char| ch.is_whitespace()).unwrap_or((rest, ""));
    let is_here = matches!(medium, "all" | "screen");
    let rest = rest.trim().strip_prefix("and").unwrap_or(rest).trim();
    let holds = is_here && (rest.is_empty() || all(rest, 0, &|feature| media_feature(feature)));
    holds != is_negated
}

/// Whether the features that a rule asks for are there.
pub(super) fn supports(text: &str) -> bool {
    all(&text.trim().to_ascii_lowercase(), 0, &|feature| {
        let Some((name, value)) = feature.split_once(':') else { return Some(false) };
        let (name, value) = (name.trim(), value.trim());
        let is_own =
            name.starts_with("-moz-") || name.starts_with("-ms-") || name.starts_with("-o-");
        let is_known = name.starts_with("--")
            || name.starts_with("-webkit-")
            || KNOWN_PROPERTIES.contains(&name);
        let is_odd = name == "display" && !super::shorthand::is_valid(name, value);
        Some(is_known && !is_own && !is_odd && !value.is_empty())
    })
}

/// Whether a container is as a rule asks for. All are taken to be as wide as the window.
pub(super) fn container_holds(text: &str) -> bool {
    let text = text.trim().to_ascii_lowercase();
    // Its name may stand before the condition.
    let from = text.find('(').unwrap_or(0);
    let name = text.get(..from).unwrap_or_default().trim_end();
    let from = if name.ends_with("not") || name.ends_with("style") { 0 } else { from };
    all(text.get(from..).unwrap_or_default(), 0, &|feature| media_feature(feature))
}

/// Whether a condition holds of which `one` tells the innermost parts. What is not understood
/// neither holds nor does its opposite (Media Queries 4, 3.1).
fn all(text: &str, depth: usize, one: &dyn Fn(&str) -> Option<bool>) -> bool {
    condition(text, depth, one) == Some(true)
}

fn condition(text: &str, depth: usize, one: &dyn Fn(&str) -> Option<bool>) -> Option<bool> {
    let text = text.trim();
    if depth >= MAX_CONDITION_DEPTH {
        return None;
    }
    if let Some(rest) = text.strip_prefix("not").filter(|rest| rest.starts_with([' ', '('])) {
        return condition(rest, depth + 1, one).map(|holds| !holds);
    }
    let words = syntax::words(text);
    let joined = |word: &str| words.contains(&word);
    let parts = || words.iter().filter(|word| !matches!(**word, "and" | "or"));
    if joined("or") {
        let found: Vec<_> = parts().map(|part| condition(part, depth + 1, one)).collect();
        return if found.contains(&Some(true)) {
            Some(true)
        } else {
            found.into_iter().collect::<Option<Vec<_>>>().map(|_| false)
        };
    }
    if joined("and") {
        let found: Vec<_> = parts().map(|part| condition(part, depth + 1, one)).collect();
        return if found.contains(&Some(false)) {
            Some(false)
        } else {
            found.into_iter().collect::<Option<Vec<_>>>().map(|_| true)
        };
    }
    if text.starts_with("selector(") {
        let inside = text.strip_prefix("selector(").and_then(|rest| rest.strip_suffix(')'));
        return Some(
            inside.is_some_and(|inside| super::selector::SelectorList::of(inside, None).is_some()),
        );
    }
    let inside = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'))?.trim();
    if inside.starts_with('(')
        || inside.starts_with("not ")
        || inside.starts_with("not(")
        || inside.starts_with("selector(")
    {
        return condition(inside, depth + 1, one);
    }
    one(inside)
}

/// Whether one feature of a window on a light screen is as asked.
fn media_feature(feature: &str) -> Option<bool> {
    if let Some(range) = range(feature) {
        return Some(range);
    }
    let Some((name, value)) = feature.split_once(':') else {
        return match feature.trim() {
            "monochrome"
            | "grid"
            | "inverted-colors"
            | "prefers-reduced-motion"
            | "prefers-reduced-transparency"
            | "prefers-contrast"
            | "forced-colors"
            | "prefers-reduced-data" => Some(false),
            "width"
            | "height"
            | "color"
            | "hover"
            | "any-hover"
            | "pointer"
            | "any-pointer"
            | "update"
            | "resolution"
            | "aspect-ratio"
            | "orientation"
            | "scripting"
            | "color-gamut"
            | "prefers-color-scheme"
            | "overflow-block"
            | "overflow-inline"
            | "display-mode"
            | "device-width"
            | "device-height"
            | "scan"
            | "dynamic-range" => Some(true),
            _ => None,
        };
    };
    let (name, value) = (name.trim(), value.trim());
    if let Some((bound, name)) =
        name.split_once('-').filter(|(bound, _)| matches!(*bound, "min" | "max"))
    {
        let (own, asked) = (measure(name)?, asked(name, value)?);
        return Some(if bound == "min" { own >= asked } else { own <= asked });
    }
    if let Some(own) = measure(name) {
        return Some((own - asked(name, value)?).abs() < 0.01);
    }
    let own: &[&str] = match name {
        "orientation" => &["landscape"],
        "prefers-color-scheme" => &["light"],
        "prefers-reduced-motion"
        | "prefers-contrast"
        | "prefers-reduced-transparency"
        | "prefers-reduced-data" => &["no-preference"],
        "hover" | "any-hover" => &["hover"],
        "pointer" | "any-pointer" => &["fine"],
        "scripting" => &["enabled"],
        "display-mode" => &["browser"],
        "update" => &["fast"],
        "forced-colors" | "inverted-colors" => &["none"],
        "color-gamut" => &["srgb"],
        "overflow-block" | "overflow-inline" => &["scroll"],
        "dynamic-range" | "video-dynamic-range" => &["standard"],
        "scan" => &["progressive"],
        _ => return None,
    };
    Some(own.contains(&value))
}

/// `400px <= width < 700px`
fn range(feature: &str) -> Option<bool> {
    let mut parts: Vec<&str> = Vec::new();
    let mut signs: Vec<&str> = Vec::new();
    let mut rest = feature;
    while let Some(at) = rest.find(['<', '>', '=']) {
        let (before, from) = rest.split_at_checked(at)?;
        let sign = ["<=", ">=", "<", ">", "="].into_iter().find(|sign| from.starts_with(sign))?;
        parts.push(before.trim());
        signs.push(sign);
        rest = from.get(sign.len()..)?;
    }
    parts.push(rest.trim());
    let name = parts.iter().copied().find(|part| measure(part).is_some())?;
    let number = |part: &str| if part == name { measure(name) } else { asked(name, part) };
    let sides = parts.iter().zip(parts.iter().skip(1)).zip(&signs);
    let mut holds = !signs.is_empty();
    for ((left, right), sign) in sides {
        let (left, right) = (number(left)?, number(right)?);
        holds &= match *sign {
            "<=" => left <= right,
            ">=" => left >= right,
            "<" => left < right,
            ">" => left > right,
            _ => (left - right).abs() < 0.01,
        };
    }
    Some(holds)
}

fn measure(name: &str) -> Option<f32> {
    Some(match name {
        "width" | "device-width" | "inline-size" => WINDOW_WIDTH,
        "height" | "device-height" | "block-size" => WINDOW_HEIGHT,
        "aspect-ratio" | "device-aspect-ratio" => WINDOW_WIDTH / WINDOW_HEIGHT,
        "resolution" => 1.0,
        "color" => 8.0,
        "color-index" | "monochrome" | "grid" => 0.0,
        _ => return None,
    })
}

fn asked(name: &str, value: &str) -> Option<f32> {
    if name.ends_with("aspect-ratio") {
        let (wide, high) = value.split_once('/').unwrap_or((value, "1"));
        return Some(wide.trim().parse::<f32>().ok()? / high.trim().parse::<f32>().ok()?);
    }
    if name == "resolution" {
        let number =
            |unit, scale: f32| Some(value.strip_suffix(unit)?.parse::<f32>().ok()? * scale);
        return number("dppx", 1.0)
            .or_else(|| number("dpi", 1.0 / 96.0))
            .or_else(|| number("dpcm", 0.0265))
            .or_else(|| number("x", 1.0));
    }
    LengthBasis::PAGE.pixels(value)
}

const MAX_CONDITION_DEPTH: usize = 16;
/// Properties that rules ask for with `@supports`, all known to browsers.
const KNOWN_PROPERTIES: [&str; 58] = [
    "accent-color",
    "align-items",
    "anchor-name",
    "animation",
    "animation-timeline",
    "appearance",
    "aspect-ratio",
    "backdrop-filter",
    "background",
    "background-clip",
    "background-color",
    "border-radius",
    "clip-path",
    "color",
    "color-scheme",
    "column-count",
    "contain",
    "container-type",
    "content-visibility",
    "cursor",
    "display",
    "filter",
    "flex",
    "float",
    "font-size",
    "font-variation-settings",
    "gap",
    "grid",
    "grid-template-columns",
    "height",
    "hyphens",
    "inset",
    "isolation",
    "justify-content",
    "line-height",
    "margin",
    "mask",
    "mask-image",
    "mix-blend-mode",
    "object-fit",
    "opacity",
    "overflow",
    "overflow-wrap",
    "padding",
    "position",
    "scroll-behavior",
    "scroll-snap-type",
    "shape-outside",
    "text-decoration",
    "text-wrap",
    "top",
    "transform",
    "transition",
    "translate",
    "view-transition-name",
    "visibility",
    "width",
    "z-index",
];
