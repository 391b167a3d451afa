//! The blocks of a style sheet, with those inside of others and inside of conditions laid open.

use super::selector;

/// The declarations of a block, and the selectors they are for.
#[derive(Debug, Default)]
pub(super) struct StyleBlock {
    pub(super) selectors: Vec<String>,
    pub(super) body: String,
}

/// A block that is open.
#[derive(Debug, Default)]
struct OpenBlock {
    block: StyleBlock,
    /// Whether it holds on paper alone.
    is_for_paper: bool,
}

/// The blocks of a sheet without comments, but for those that are for paper alone.
pub(super) fn blocks(sheet: &str) -> Vec<StyleBlock> {
    let mut found = Vec::new();
    let mut open: Vec<OpenBlock> = Vec::new();
    let mut from = 0;
    let mut at = 0;
    while let Some(byte) = sheet.as_bytes().get(at) {
        let piece = sheet.get(from..at).unwrap_or_default();
        match byte {
            b'"' | b'\'' => at = string_end(sheet, at),
            // An escaped character is none of those below.
            b'\\' => at += 1,
            b';' => {
                keep(&mut open, piece);
                from = at + 1;
            }
            b'{' => {
                let inner = begin(piece.trim(), open.last());
                if open.len() < MAX_OPEN_BLOCKS {
                    open.push(inner);
                }
                from = at + 1;
            }
            b'}' => {
                keep(&mut open, piece);
                let ended = open.pop().filter(|ended| !ended.is_for_paper);
                let has_effect =
                    |block: &StyleBlock| !block.selectors.is_empty() && !block.body.is_empty();
                found.extend(ended.map(|ended| ended.block).filter(has_effect));
                from = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    // A browser closes what a sheet leaves open.
    keep(&mut open, sheet.get(from..).unwrap_or_default());
    let left = open.into_iter().rev().filter(|left| !left.is_for_paper);
    found.extend(left.map(|left| left.block).filter(|block| !block.selectors.is_empty()));
    found
}

/// Adds a declaration to the innermost block that is open.
fn keep(open: &mut [OpenBlock], declaration: &str) {
    let Some(OpenBlock { block, .. }) = open.last_mut() else { return };
    block.body.push_str(declaration);
    block.body.push(';');
}

/// The block that begins behind a selector or a condition, inside of another.
fn begin(before: &str, around: Option<&OpenBlock>) -> OpenBlock {
    let is_inside_paper = around.is_some_and(|around| around.is_for_paper);
    let outer = around.map_or(&[][..], |around| &around.block.selectors);
    if before.starts_with('@') {
        // The rules inside another condition are read as if they always held.
        let block = StyleBlock { selectors: outer.to_vec(), body: String::new() };
        return OpenBlock { block, is_for_paper: is_inside_paper || is_for_paper(before) };
    }
    let inner = selector::list(before).into_iter().flat_map(selector::alternatives);
    let inner = inner.take(MAX_SELECTORS);
    let selectors = if outer.is_empty() {
        inner.collect()
    } else {
        // `&` stands for what is around; without it the selector is for what is inside of that.
        let nested = |inner: String| {
            outer.iter().map(move |outer| {
                if inner.contains('&') {
                    inner.replace('&', outer)
                } else {
                    format!("{outer} {inner}")
                }
            })
        };
        let short = |selector: &String| selector.len() <= MAX_SELECTOR_BYTES;
        inner.flat_map(nested).filter(short).take(MAX_SELECTORS).collect()
    };
    let block = StyleBlock { selectors, body: String::new() };
    OpenBlock { block, is_for_paper: is_inside_paper }
}

/// Where a string ends that begins here: at its quotation mark, or with its line.
fn string_end(text: &str, start: usize) -> usize {
    let quote = text.as_bytes().get(start).copied();
    let mut at = start + 1;
    while let Some(byte) = text.as_bytes().get(at).copied() {
        match byte {
            b'\\' => at += 1,
            b'\n' => return at,
            byte if Some(byte) == quote => return at,
            _ => {}
        }
        at += 1;
    }
    at
}

/// Whether a condition holds on paper alone: each of its media is print.
fn is_for_paper(condition: &str) -> bool {
    let condition = condition.to_ascii_lowercase();
    let Some(media) = condition.strip_prefix("@media") else { return false };
    media.split(',').all(|one| {
        let mut words = one
            .split(|ch: char| !ch.is_ascii_alphabetic())
            .filter(|word| !word.is_empty() && *word != "only");
        words.next() == Some("print")
    })
}

/// The selectors of one block.
pub(super) const MAX_SELECTORS: usize = 50;
/// Blocks within blocks; deeper ones are read as those around them.
const MAX_OPEN_BLOCKS: usize = 32;
/// Selectors of nested blocks grow with each level.
const MAX_SELECTOR_BYTES: usize = 4096;
