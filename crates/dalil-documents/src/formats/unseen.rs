//! Text that cannot be seen, noted for the document beside the blocks themselves.

use std::collections::BTreeMap;

use dalil_phrasebook::document_note;

use super::DocumentDraft;
use crate::document::{HiddenText, ParseProblem};

/// Marks what any format can hide, and notes what is marked.
pub(super) fn settle(draft: &mut DocumentDraft) {
    let mut counts: BTreeMap<HiddenText, usize> = BTreeMap::new();
    for block in &mut draft.blocks {
        let text = draft.text.get(block.start..block.end).unwrap_or_default();
        // A reason that the parser gave is more exact and is kept.
        if block.hidden.is_none() && is_interspersed(text) {
            block.hidden = Some(HiddenText::InvisibleCharacters);
        }
        if let Some(reason) = block.hidden {
            *counts.entry(reason).or_default() += 1;
        }
    }
    for (reason, count) in counts {
        let message = document_note::hidden_parts(count, reason.phrase());
        draft.problems.push(ParseProblem::new(None, &message));
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
