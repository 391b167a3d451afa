//! Text that cannot be seen, noted for the document beside the blocks themselves.

use std::collections::BTreeMap;
use std::ops::Range;

use super::markdown::UnshownMarkup;
use super::{DocumentDraft, markup};
use crate::document::{DocumentFormat, HiddenText, ParseProblem};

/// Marks what any format can hide, and notes what is marked.
pub(super) fn settle(draft: &mut DocumentDraft, format: DocumentFormat) {
    let mut counts: BTreeMap<HiddenText, usize> = BTreeMap::new();
    let mut unread = Vec::new();
    let parts = draft.blocks.iter().map(|block| block.start..block.end);
    let unshown = UnshownMarkup::of_document(&draft.text, format, parts);
    for block in &mut draft.blocks {
        let text = draft.text.get(block.start..block.end).unwrap_or_default();
        // A reason that the parser gave is more exact and is kept.
        if block.hidden.is_none() && is_interspersed(text) {
            block.hidden = Some(HiddenText::InvisibleCharacters);
        }
        if block.hidden.is_none() && format == DocumentFormat::Markdown && markup::hides(text) {
            block.hidden = Some(HiddenText::MarkedHidden);
        }
        if block.hidden.is_none() {
            match hidden_words(&draft.text, &(block.start..block.end), &unshown) {
                HiddenWords::None => {}
                HiddenWords::All(reason) => block.hidden = Some(reason),
                // What is seen of it is evidence, and the rest is not read.
                HiddenWords::Some(parts) => unread.extend(parts),
            }
        }
        if let Some(reason) = block.hidden {
            *counts.entry(reason).or_default() += 1;
        }
    }
    for (reason, count) in counts {
        let message = format!("parts that a reader does not see: {count}, because {reason}");
        draft.problems.push(ParseProblem { place: None, message });
    }
    draft.unshown = unshown.unjudged(&unread);
}

/// What of a block's words is not shown.
pub(super) enum HiddenWords {
    None,
    Some(Vec<Range<usize>>),
    All(HiddenText),
}

pub(super) fn hidden_words(
    text: &str,
    block: &Range<usize>,
    unshown: &UnshownMarkup,
) -> HiddenWords {
    let first = unshown.hidden.partition_point(|(part, _)| part.end <= block.start);
    let touched = unshown.hidden.iter().skip(first).take_while(|(part, _)| part.start < block.end);
    let mut at = block.start;
    let mut reason = None;
    let mut is_seen = false;
    let mut parts = Vec::new();
    for (part, why) in touched {
        let hidden = part.start.max(block.start)..part.end.min(block.end);
        is_seen |= unshown.has_words(text, &(at..hidden.start));
        if unshown.has_words(text, &hidden) {
            reason = reason.or(Some(*why));
        }
        at = hidden.end;
        parts.push(hidden);
    }
    is_seen |= unshown.has_words(text, &(at..block.end));
    match reason {
        None => HiddenWords::None,
        Some(reason) if !is_seen => HiddenWords::All(reason),
        Some(_) => HiddenWords::Some(parts),
    }
}

/// Whether so many characters without a shape stand in a text that they are there on purpose, or
/// one that turns the order of what is shown around.
fn is_interspersed(text: &str) -> bool {
    if text.is_ascii() {
        return false;
    }
    let shapeless = text.chars().filter(|ch| is_shapeless(*ch)).count();
    // LRO and RLO show letters in another order than that of the text (UAX #9).
    let turned = text.contains(['\u{202D}', '\u{202E}']);
    turned || shapeless >= MIN_INVISIBLE_CHARS && shapeless * 10 >= text.chars().count()
}

/// A joiner of letters has a use in Persian, and is left out here.
fn is_shapeless(ch: char) -> bool {
    // U+E0000 to U+E007F are tags: invisible copies of ASCII, in which a whole text can hide.
    matches!(ch, '\u{200B}' | '\u{2060}'..='\u{2064}' | '\u{FEFF}' | '\u{180E}' | '\u{E0000}'..='\u{E007F}')
}

/// Fewer than these come from copying and mean nothing.
const MIN_INVISIBLE_CHARS: usize = 3;
