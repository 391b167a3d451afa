//! Negation: which words a text denies.

use std::sync::LazyLock;

use super::bound;
use super::word::{Phrases, Word};

#[cfg(test)]
mod tests;

/// For each word, whether it is denied.
pub(super) fn denied(words: &[Word]) -> Vec<bool> {
    let mut denied = vec![false; words.len()];
    let bounds = bound::places(words);
    for (at, length, reach) in NEGATORS.all(words) {
        let after = at + length;
        let bounded = bounds.iter().any(|range| range.start < after && at < range.end);
        let reach = match reach {
            Reach::None => continue,
            _ if bounded => continue,
            Reach::Clause if excepted(words, after) || waived(words, after) => continue,
            Reach::Clause => CLAUSE_REACH,
            Reach::Word => 2,
        };
        let mut left = reach;
        for (offset, word) in words.iter().enumerate().skip(after) {
            if left == 0 || word.breaks() || ENDS.contains(&word.form.as_str()) {
                break;
            }
            if word.letters() {
                left -= 1;
                if let Some(slot) = denied.get_mut(offset) {
                    *slot = !*slot;
                }
            }
        }
    }
    denied
}

/// `not … unless`, `لا … إلا`: what is denied is affirmed under a condition.
pub(super) fn excepted(words: &[Word], at: usize) -> bool {
    let clause = words.iter().skip(at).take_while(|word| !word.is(".") && !word.is("\n")).take(25);
    clause.into_iter().any(|word| EXCEPT.contains(&word.form.as_str()))
}

/// `no approval is required`: nothing is denied but a duty.
fn waived(words: &[Word], at: usize) -> bool {
    let clause = words.iter().skip(at).take_while(|word| !word.breaks()).take(6);
    clause.into_iter().any(|word| WAIVED.contains(&word.form.as_str()))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Not a negation, though it looks like one.
    None,
    Word,
    Clause,
}

/// How many words after a negation it denies.
const CLAUSE_REACH: usize = 6;

/// Folded words at which a negation ends.
const ENDS: &[&str] = &[
    "but",
    "however",
    "although",
    "though",
    "because",
    "while",
    "whereas",
    "unless",
    "except",
    "بل",
    "لكن",
    "ولكن",
    "الا",
    "انما",
    "وانما",
    "اذا",
    "if",
];

const EXCEPT: &[&str] = &["unless", "except", "until", "without", "الا", "سوي"];

const WAIVED: &[&str] =
    &["required", "needed", "necessary", "need", "يشترط", "مطلوب", "مطلوبه", "لازم"];

static NEGATORS: LazyLock<Phrases<Reach>> = LazyLock::new(|| {
    Phrases::of(&[
        (
            "not only|whether or not|not necessarily|not required|not obliged|not need|no need|no obligation|no doubt|not limited to|no later|no more than|no less|no fewer|if not|لا سيما|ليس فقط|لا فقط|لا يلزم|لا يشترط|لا يجب|غير ملزم|غير مطلوب|لا حاجة|لا مانع|need not",
            Reach::None,
        ),
        (
            "not|no|never|nor|neither|cannot|can't|won't|don't|doesn't|isn't|aren't|didn't|wasn't|weren't|hasn't|haven't|shouldn't|mustn't|nobody|none|nothing|hardly|fails to|failed to|prohibited from|forbidden|barred from|refuses to|ceased to",
            Reach::Clause,
        ),
        (
            "لا|لم|لن|ليس|ليست|ليسوا|ما من|لا أحد|يحظر|تحظر|يمنع|ممنوع|محظور|لا يجوز|لا يحق|وليس|يُحظر",
            Reach::Clause,
        ),
        ("without|غير|بدون|دون|عدم|بلا|بعدم", Reach::Word),
    ])
});
