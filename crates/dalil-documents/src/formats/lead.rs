//! Leads of lists: which block introduces the list that an item is in.
//!
//! An item of an inner list is introduced by the item around it, one of an outer
//! list by the paragraph directly before the list, where that reads like one. A
//! format that does not say how deep an item is has marks that do: after `1.`, the
//! mark `(a)` begins an inner list, and `2.` ends it.

use crate::document::BlockKind;

/// The lists that are open.
#[derive(Debug, Default)]
pub(super) struct ListLeads {
    /// The paragraph that introduces the outermost list.
    intro: Option<usize>,
    /// The open items, the outermost first.
    items: Vec<OpenItem>,
    /// The last outermost mark, for a list that continues after a paragraph.
    last: Option<(ItemMark, u32, Option<usize>)>,
}

/// An item that others may be inside of.
#[derive(Clone, Copy, Debug)]
struct OpenItem {
    nest: ItemNest,
    block: usize,
    /// Its place in the count.
    count: u32,
}

/// How an item is known to be inside another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ItemNest {
    Depth(u8),
    Mark(ItemMark),
}

/// The kinds of marks that items begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ItemMark {
    Number,
    ClosedNumber,
    Letter,
    ArabicLetter,
    Roman,
    Bullet(char),
}

impl ListLeads {
    /// The lead of the next block. `depth` counts the lists around an item, where that is known.
    pub(super) fn next(
        &mut self,
        kind: BlockKind,
        depth: Option<u8>,
        block: usize,
        text: &str,
    ) -> Option<usize> {
        match kind {
            BlockKind::Heading(_) => {
                *self = Self::default();
                None
            }
            BlockKind::Paragraph | BlockKind::Quote => {
                self.items.clear();
                self.intro = introduces(text).then_some(block);
                None
            }
            // Rows and code inside a list leave it open.
            BlockKind::Row | BlockKind::Code => None,
            BlockKind::Item => self.item(depth, block, text),
        }
    }

    fn item(&mut self, depth: Option<u8>, block: usize, text: &str) -> Option<usize> {
        let marked = mark(text).map(|marked| self.told(marked));
        let nest = match (depth, marked) {
            (Some(depth), _) => ItemNest::Depth(depth),
            (None, Some((mark, _))) => ItemNest::Mark(mark),
            (None, None) => return self.items.last().map(|item| item.block).or(self.intro),
        };
        // An item closes the open one of its depth or mark, and all that are inside that one.
        let around = match nest {
            ItemNest::Depth(depth) => self.items.iter().position(|other| match other.nest {
                ItemNest::Depth(other) => other >= depth,
                ItemNest::Mark(_) => true,
            }),
            ItemNest::Mark(_) => self.items.iter().position(|other| other.nest == nest),
        };
        self.items.truncate(around.unwrap_or(self.items.len()).min(MAX_NESTED_LISTS));
        let outermost = self.items.is_empty();
        // A list that counts on after a paragraph is the same list.
        let goes_on = match (self.last, marked) {
            (Some((kind, count, lead)), Some((own, next))) => {
                (outermost && self.intro.is_none() && kind == own && next == count + 1)
                    .then_some(lead)
            }
            _ => None,
        };
        let lead =
            self.items.last().map(|item| item.block).or_else(|| goes_on.unwrap_or(self.intro));
        if outermost {
            self.intro = lead;
            self.last = marked.map(|(mark, count)| (mark, count, lead));
        }
        let count = marked.map_or(0, |(_, count)| count);
        self.items.push(OpenItem { nest, block, count });
        lead
    }
}

impl ListLeads {
    /// `(i)` after `(h)` is a letter, and `(v)` after `(iv)` is a number.
    fn told(&self, (mark, count): (ItemMark, u32)) -> (ItemMark, u32) {
        let after = |mark: ItemMark, count: u32| {
            let same = |item: &&OpenItem| item.nest == ItemNest::Mark(mark);
            self.items.iter().rfind(same).is_some_and(|item| item.count == count)
        };
        match (mark, count) {
            (ItemMark::Roman, 1) if after(ItemMark::Letter, 8) => (ItemMark::Letter, 9),
            (ItemMark::Letter, 22) if after(ItemMark::Roman, 4) => (ItemMark::Roman, 5),
            (ItemMark::Letter, 24) if after(ItemMark::Roman, 9) => (ItemMark::Roman, 10),
            told => told,
        }
    }
}

/// Whether a paragraph reads like the beginning of a list.
fn introduces(text: &str) -> bool {
    let bare = text.trim_end_matches(|ch: char| ch.is_whitespace() || "\"'”’»)]*_`".contains(ch));
    let Some(last) = bare.chars().next_back() else { return false };
    // A text that does not end like a sentence continues in the list. A semicolon ends a part of
    // an enumeration, which introduces nothing.
    if !matches!(last, '.' | '!' | '?' | '؟' | '…' | '۔' | '。') {
        return last != ';' && last != '؛';
    }
    let bare = bare.trim_end_matches('.');
    let sentence = bare.rsplit_once(['.', '!', '?', '؟']).map_or(bare, |(_, last)| last);
    let lower = sentence.to_lowercase();
    lower.split(|ch: char| !ch.is_alphanumeric()).any(|word| LIST_PROMISE_WORDS.contains(&word))
}

/// The mark of an item, and its place in the count.
fn mark(text: &str) -> Option<(ItemMark, u32)> {
    let text = text.trim_start();
    let first = text.chars().next()?;
    if BULLETS.contains(first) {
        return Some((ItemMark::Bullet(first), 0));
    }
    let opened = text.trim_start_matches(['(', '[', '.']);
    let end = opened.find(|ch: char| !ch.is_alphanumeric())?;
    let (label, rest) = opened.split_at_checked(end)?;
    if label.chars().count() > MAX_LABEL_CHARS
        || !rest.starts_with([')', ']', '.', '-', '–', '/', ' '])
    {
        return None;
    }
    let closed = opened.len() < text.len() || rest.starts_with([')', ']']);
    // At most four digits, so that the number cannot overflow.
    let mut number = 0_u32;
    if label.chars().all(|ch| digit(ch).map(|digit| number = number * 10 + digit).is_some()) {
        return Some((if closed { ItemMark::ClosedNumber } else { ItemMark::Number }, number));
    }
    let lower = label.to_lowercase();
    let mut chars = lower.chars();
    match (chars.next()?, chars.next()) {
        ('i' | 'v' | 'x', Some('i' | 'v' | 'x')) | ('i', None) => {
            Some((ItemMark::Roman, roman(&lower)))
        }
        (letter @ 'a'..='z', None) => {
            Some((ItemMark::Letter, u32::from(letter) - u32::from('a') + 1))
        }
        (letter, None) => {
            let place = ABJAD.chars().position(|other| other == letter)?;
            Some((ItemMark::ArabicLetter, u32::try_from(place).ok()? + 1))
        }
        _ => None,
    }
}

fn roman(text: &str) -> u32 {
    let values: Vec<u32> = text
        .chars()
        .map(|ch| {
            if ch == 'x' {
                10
            } else if ch == 'v' {
                5
            } else {
                1
            }
        })
        .collect();
    // `iv` is -1 + 5: the sum wraps for a moment and comes back.
    let mut sum = 0_u32;
    for (at, value) in values.iter().enumerate() {
        let less = values.get(at + 1).is_some_and(|next| next > value);
        sum = if less { sum.wrapping_sub(*value) } else { sum.wrapping_add(*value) };
    }
    sum
}

fn digit(ch: char) -> Option<u32> {
    match ch {
        '0'..='9' => ch.to_digit(10),
        '\u{660}'..='\u{669}' => Some(u32::from(ch) - 0x660),
        '\u{6F0}'..='\u{6F9}' => Some(u32::from(ch) - 0x6F0),
        _ => None,
    }
}

/// Lists within lists; a deeper one is read as one of the deepest.
const MAX_NESTED_LISTS: usize = 16;
const MAX_LABEL_CHARS: usize = 4;
const BULLETS: &str = "-−*+•▪◦●○■□–—‣➢·";
/// Letters in the order in which Arabic lists count with them.
const ABJAD: &str = "أبجدهوزحطيكلمنسعفصقرشتثخذضظغ";
/// Words that promise a list, even before a full stop.
const LIST_PROMISE_WORDS: [&str; 8] =
    ["following", "follows", "below", "التالية", "الآتية", "الآتي", "التالي", "يلي"];
