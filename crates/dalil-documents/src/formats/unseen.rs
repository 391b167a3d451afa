//! Text that cannot be seen, noted for the document beside the blocks themselves.

use std::collections::BTreeMap;

use dalil_phrasebook::document_note;

use super::DocumentDraft;
use crate::document::{DocumentFormat, HiddenText, ParseProblem};

/// Marks text that any format can hide, and notes the marked parts.
pub(super) fn settle(draft: &mut DocumentDraft, format: DocumentFormat) {
    let mut counts: BTreeMap<HiddenText, usize> = BTreeMap::new();
    // Other formats fold white space, or place their blocks, and show no sign that steers.
    let is_plain = format == DocumentFormat::Text;
    let returns = is_plain && is_ended_by_feeds(&draft.text);
    let far = if is_plain { far_block(draft) } else { None };
    for (at, block) in draft.blocks.iter_mut().enumerate() {
        let text = draft.text.get(block.start..block.end).unwrap_or_default();
        let is_steered = is_plain && is_steered(text) || returns && is_overwritten(text);
        let reason = if is_interspersed(text) || is_steered {
            Some(HiddenText::InvisibleCharacters)
        } else {
            let is_far = far.is_some_and(|far| at >= far);
            (is_far || is_plain && is_beside(text)).then_some(HiddenText::OutsidePage)
        };
        // A reason that the parser gave is more exact and is kept.
        block.hidden = block.hidden.or(reason);
        if let Some(reason) = block.hidden {
            *counts.entry(reason).or_default() += 1;
        }
    }
    for (reason, count) in counts {
        let message = document_note::hidden_parts(count, reason.phrase());
        draft.problems.push(ParseProblem::new(None, &message));
    }
}

/// The block from which on all are far behind those before: more blank lines part them than a
/// reader passes over, and those behind have fewer words than those before, or very few.
///
/// With more words than that the text continues, and the blank lines are no more than a wide gap.
fn far_block(draft: &DocumentDraft) -> Option<usize> {
    let words = |text: &str| text.split_whitespace().count();
    let mut end = 0;
    let far = draft.blocks.iter().position(|block| {
        let gap = draft.text.get(end..block.start).unwrap_or_default();
        // There is nothing before the first block that it could be far from.
        let is_first = end == 0;
        end = block.end;
        !is_first && gap.matches(['\n', '\u{c}']).count() > MAX_BLANK_LINES
    })?;
    let (before, behind) = draft.text.split_at_checked(draft.blocks.get(far)?.start)?;
    let behind = words(behind);
    (behind < words(before) || behind < MIN_WORDS_THAT_GO_ON).then_some(far)
}

/// Whether line feeds end more lines of a text than returns do: some old systems end lines with
/// a return, and then it writes over nothing.
fn is_ended_by_feeds(text: &str) -> bool {
    let feeds = text.matches('\n').count();
    let pairs = text.matches("\r\n").count();
    feeds > text.matches('\r').count().saturating_sub(pairs)
}

/// Whether a text has enough invisible characters that they are there on purpose, or one that
/// reverses the order of the letters shown.
fn is_interspersed(text: &str) -> bool {
    if text.is_ascii() {
        return false;
    }
    let before = std::iter::once(' ').chain(text.chars());
    let shapeless = before.zip(text.chars()).filter(|(before, ch)| is_shapeless(*before, *ch));
    let flags: usize = TAGGED_FLAGS.iter().map(|flag| text.matches(flag).count()).sum();
    let shapeless = shapeless.count().saturating_sub(flags * TAGS_OF_A_FLAG);
    // LRO and RLO show letters in another order than that of the text (UAX #9).
    let turned = text.contains(['\u{202D}', '\u{202E}']);
    turned || shapeless >= MIN_INVISIBLE_CHARS && shapeless * 10 >= text.chars().count()
}

/// A joiner of letters has a use in Persian, and is left out here.
fn is_shapeless(before: char, ch: char) -> bool {
    match ch {
        // It parts the words of scripts that write no spaces.
        '\u{200B}' => !is_unspaced(before),
        '\u{2060}'..='\u{2064}'
        | '\u{206A}'..='\u{206F}'
        | '\u{FEFF}'
        | '\u{180E}'
        | '\u{034F}' => true,
        // Selectors choose how a sign or an ideograph looks, and have no use after other letters.
        // The last of them makes a key of a digit.
        '\u{FE0F}' => before.is_ascii_alphabetic(),
        '\u{FE00}'..='\u{FE0E}' | '\u{E0100}'..='\u{E01EF}' => before.is_ascii_alphanumeric(),
        // U+E0000 to U+E007F are tags: invisible copies of ASCII, in which a whole text can hide.
        '\u{E0000}'..='\u{E007F}' => true,
        _ => false,
    }
}

/// Whether a letter is of a script without spaces between words: Thai, Lao, Tibetan, Burmese or
/// Khmer.
fn is_unspaced(letter: char) -> bool {
    matches!(letter, '\u{0E00}'..='\u{109F}' | '\u{1780}'..='\u{17FF}')
}

/// Whether a text has control characters: to go back over letters, or the commands of a terminal.
pub(super) fn is_steered(text: &str) -> bool {
    text.contains(['\u{8}', '\u{1B}', '\u{7F}', '\u{9B}'])
}

/// Whether a line returns to its start, and other words are written over it.
fn is_overwritten(text: &str) -> bool {
    let mut behind = text.split('\r').skip(1);
    behind.any(|rest| rest.starts_with(|ch| ch != '\n'))
}

/// Whether words of a line stand beyond the edge of any window.
pub(super) fn is_beside(text: &str) -> bool {
    let mut blanks = 0_usize;
    for ch in text.chars() {
        match ch {
            '\n' | '\r' => blanks = 0,
            '\t' => blanks += COLUMNS_OF_A_TAB,
            ch if ch.is_whitespace() => blanks += 1,
            _ if blanks > MAX_BLANK_COLUMNS => return true,
            _ => blanks = 0,
        }
    }
    false
}

const COLUMNS_OF_A_TAB: usize = 8;
/// White space within a line, in columns; two columns of a wide table are closer.
const MAX_BLANK_COLUMNS: usize = 250;
/// Lines without words between two that have some: about five pages.
pub(super) const MAX_BLANK_LINES: usize = 250;
/// With fewer words no text continues, however short the one before is.
const MIN_WORDS_THAT_GO_ON: usize = 20;
/// Fewer than these come from copying and mean nothing.
const MIN_INVISIBLE_CHARS: usize = 3;
/// The flags of England, Scotland and Wales: a black flag with tags, and all that Unicode's list of
/// emoji has of the kind (UTS #51, emoji tag sequences).
const TAGGED_FLAGS: [&str; 3] = [
    "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
    "\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
    "\u{1F3F4}\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F}",
];
const TAGS_OF_A_FLAG: usize = 6;
