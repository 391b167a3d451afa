//! The digits of a document: those that its texts have.
//!
//! Contracts in Arabic are written with 24 as often as with ٢٤. Pages that have one in a text and
//! the other beside it look as if a third party had added the figures.

use dalil_evidence::ledger::Ledger;
use dalil_evidence::pack::PackDraft;
use serde::Serialize;

#[cfg(test)]
mod tests;

/// Which digits a document in Arabic has. English has its own, whatever digits the texts have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum DigitStyle {
    /// 24.
    Latin,
    /// ٢٤.
    ArabicIndic,
}

impl DigitStyle {
    /// Those of a pack: of its memo in Arabic.
    pub(super) fn of_pack(draft: &PackDraft) -> Self {
        let memo = &draft.memo;
        Self::of([memo.title_ar.as_str(), &memo.executive_summary_ar, &memo.body_ar])
    }

    /// Those of a ledger: of its claims, its question and its answer.
    pub(super) fn of_ledger(ledger: &Ledger, asked: [Option<&str>; 2]) -> Self {
        let claims = ledger.content.entries.iter().map(|entry| entry.finding.claim_text.as_str());
        Self::of(claims.chain(asked.into_iter().flatten()))
    }

    /// Those that most digits of the texts have; of texts without any, the language's own.
    fn of<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        let (mut latin, mut indic) = (0_usize, 0_usize);
        for ch in texts.into_iter().flat_map(str::chars) {
            latin += usize::from(ch.is_ascii_digit());
            indic += usize::from(ARABIC_DIGITS.contains(&ch));
        }
        if latin > indic { Self::Latin } else { Self::ArabicIndic }
    }

    /// Words of the press, which have the language's own digits, with those of the document.
    pub(super) fn apply(self, words: String) -> String {
        if self == Self::ArabicIndic || !words.contains(|ch| ARABIC_DIGITS.contains(&ch)) {
            return words;
        }
        words.chars().map(latin).collect()
    }
}

fn latin(ch: char) -> char {
    let zero = u32::from(*ARABIC_DIGITS.start());
    match ch {
        _ if ARABIC_DIGITS.contains(&ch) => {
            char::from_digit(u32::from(ch) - zero, 10).unwrap_or(ch)
        }
        '٪' => '%',
        '٫' => '.',
        '٬' => ',',
        other => other,
    }
}

const ARABIC_DIGITS: std::ops::RangeInclusive<char> = '٠'..='٩';
