//! The filter of a ledger page: kept in the address, so that it can be shared.

use serde::Deserialize;

use crate::percent::seg;

/// The filter, the claim and the question that are open, and the result of the form before.
#[derive(Default, Deserialize)]
pub(in super::super) struct LedgerQuery {
    #[serde(default)]
    pub(super) show: String,
    #[serde(default)]
    pub(super) text: String,
    #[serde(default)]
    pub(super) claim: Option<String>,
    #[serde(default)]
    pub(super) part: Option<usize>,
    /// The number of the follow-up question that is open, from 1.
    #[serde(default)]
    pub(super) question: Option<usize>,
    /// The part of a long list of questions.
    #[serde(default)]
    pub(super) questions: Option<usize>,
    #[serde(default)]
    pub(super) job: Option<String>,
    #[serde(default)]
    pub(super) done: Option<String>,
}

impl LedgerQuery {
    /// The address of the same filter with a claim open.
    pub(super) fn of_claim(&self, claim: &str) -> String {
        format!("{}claim={}", self.kept(), seg(claim))
    }

    /// The address of another filter.
    pub(super) fn of_show(&self, show: &str) -> String {
        match show {
            "" => "?".to_owned(),
            show => format!("?show={}", seg(show)),
        }
    }

    /// The address of another part of the list.
    pub(super) fn of_part(&self, part: &usize) -> String {
        format!("{}part={part}", self.kept())
    }

    /// The address of the same filter with a question open.
    pub(super) fn of_question(&self, number: &usize) -> String {
        format!("{}question={number}", self.kept())
    }

    /// The part of all questions that is shown.
    pub(super) fn question_part(&self, all: usize) -> ClaimPart {
        let open = self.question.map_or(0, |number| number.saturating_sub(1));
        ClaimPart::of(self.questions, open, all)
    }

    /// The address of another part of the questions.
    pub(super) fn of_questions(&self, part: &usize) -> String {
        format!("{}questions={part}", self.kept())
    }

    fn kept(&self) -> String {
        let mut kept = "?".to_owned();
        for (name, value) in [("show", self.show.as_str()), ("text", self.text.trim())] {
            if !value.is_empty() {
                kept.push_str(&format!("{name}={}&", seg(value)));
            }
        }
        kept
    }
}

/// A part of a long list of claims or questions.
pub(super) struct ClaimPart {
    /// Where it begins.
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) before: Option<usize>,
    pub(super) after: Option<usize>,
}

impl ClaimPart {
    /// The part that was asked for, or the one with the item at `open`.
    pub(super) fn of(asked: Option<usize>, open: usize, all: usize) -> Self {
        let last = all.saturating_sub(1) / MAX_LISTED_CLAIMS;
        let part = asked.unwrap_or(open / MAX_LISTED_CLAIMS).min(last);
        let from = part * MAX_LISTED_CLAIMS;
        Self {
            from,
            to: (from + MAX_LISTED_CLAIMS).min(all),
            before: part.checked_sub(1),
            after: Some(part + 1).filter(|next| *next <= last),
        }
    }
}

/// How many claims or questions a page lists, and claims of the answer: with 100 the page of a
/// thousand claims stays below 300 kB, which a test holds.
pub(super) const MAX_LISTED_CLAIMS: usize = 100;
