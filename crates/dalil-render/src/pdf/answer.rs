//! The answer that a ledger is about, as it is attached to the ledger's pages.

use std::collections::BTreeSet;

use dalil_evidence::ledger::Ledger;
use dalil_evidence::ledger::review::{ClaimReview, ClaimReviewAction, ClaimStandings};
use dalil_evidence::page_url;
use dalil_phrasebook::{bound, expected, found};
use dalil_proof::canon::{self, NotCanonical};
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::fault::{Fault, Refused};
use dalil_proof::time::Time;
use serde::Serialize;

use super::MAX_PDF_CLAIMS;
use super::attachment::{canonical, verify_url};

/// The attachment that has the question and the answer of a ledger, and its reviews that count.
pub const ANSWER_ATTACHMENT: &str = "answer.json";

/// A question, its answer, what people said about the claims, and where a reader verifies the pages.
///
/// Nobody signs it. Claims are looked for at their places in the answer, so one with other words
/// has other pages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PrintoutAnswer {
    /// The answer that was checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// The question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// The reviews that say how the claims stand, in order of time.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reviews: Vec<PrintoutReview>,
    /// The page that verifies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verify_url: Option<String>,
}

impl PrintoutAnswer {
    /// An answer and its question, where they are known; texts without words are none.
    pub fn new(question: Option<&str>, answer: &str) -> Self {
        let filled = |text: &str| (!text.trim().is_empty()).then(|| text.to_owned());
        let (answer, question) = (filled(answer), question.and_then(filled));
        Self { answer, question, reviews: Vec::new(), verify_url: None }
    }

    /// The same, with what people said about the claims of the ledger. `reviews` are in order of
    /// time; of each claim those are taken that say how it stands.
    #[must_use]
    pub fn reviewed(self, ledger: &Ledger, reviews: &[ClaimReview]) -> Self {
        let entries = ledger.content.entries.iter();
        let claims: BTreeSet<&str> = entries.map(|entry| entry.finding.claim_id.as_str()).collect();
        let counted = counted(reviews, &ledger.id.to_string());
        let counted = counted.filter(|one| claims.contains(one.claim_id.as_str()));
        Self { reviews: counted.map(PrintoutReview::of).collect(), ..self }
    }

    /// The same, with the page that verifies.
    ///
    /// # Errors
    /// An address that whoever reads the attachment would refuse.
    pub fn verified_at(self, url: Option<&str>) -> Result<Self, Fault> {
        if let Some(url) = url {
            page_url::check(url, "verify_url")?;
        }
        Ok(Self { verify_url: url.map(str::to_owned), ..self })
    }

    /// Reads an attachment.
    ///
    /// # Errors
    /// One that is too large or not canonical, and every fault in it.
    pub fn parse(text: &[u8]) -> Result<Self, Refused> {
        if text.len() > MAX_ANSWER_BYTES {
            let expected = bound::an_answer_of_at_most_bytes(MAX_ANSWER_BYTES);
            return Err(Fault::new("size", "$", expected, found::bytes(text.len())).into());
        }
        canonical(text, ANSWER_ATTACHMENT)?;
        decode::request(text, |reader| {
            let mut fields = reader.object()?;
            let answer = fields.optional("answer", decode::filled);
            let question = fields.optional("question", decode::filled);
            let reviews = fields.or("reviews", Vec::new(), reviews);
            let verify_url = fields.optional("verify_url", verify_url);
            fields.done()?;
            let (answer, question) = (answer?, question?);
            Some(Self { answer, question, reviews: reviews?, verify_url: verify_url? })
        })
    }

    /// The reviews, as those of a ledger.
    pub(super) fn claim_reviews(&self, ledger_id: &str) -> Vec<ClaimReview> {
        self.reviews.iter().map(|one| one.of_ledger(ledger_id)).collect()
    }

    /// The bytes that are attached; none, where nothing is known.
    pub(super) fn attached(&self) -> Result<Option<Vec<u8>>, NotCanonical> {
        if *self == Self::default() {
            return Ok(None);
        }
        canon::bytes(self).map(Some)
    }
}

/// The reviews of a ledger that say how its claims stand, in the order in which they were said.
fn counted<'r>(
    reviews: &'r [ClaimReview],
    ledger_id: &str,
) -> impl Iterator<Item = &'r ClaimReview> + use<'r> {
    let standings = ClaimStandings::new(reviews, ledger_id);
    // One that somebody said twice, in the same words, counts once.
    let counts = move |one: &&ClaimReview| {
        standings.of(&one.claim_id).counted().any(|other| std::ptr::eq(*one, other))
    };
    reviews.iter().filter(counts)
}

/// Reads reviews. A comment, and a decision that another one has followed, say nothing about how a
/// claim stands: counted among the others, they would make it look as if more people had looked.
fn reviews(reader: JsonReader<'_, '_>) -> Option<Vec<PrintoutReview>> {
    let reviews = reader.short_list(MAX_PRINTOUT_REVIEWS, PrintoutReview::read)?;
    let of_ledger: Vec<ClaimReview> = reviews.iter().map(|one| one.of_ledger("")).collect();
    if counted(&of_ledger, "").count() == reviews.len() {
        return Some(reviews);
    }
    let expected = expected::only_reviews_that_count();
    reader.push(Fault::new("reviews", reader.path(), expected, found::others()))
}

/// What one person said about a claim, without their words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PrintoutReview {
    /// What was done about it.
    pub action: ClaimReviewAction,
    /// When.
    pub at: Time,
    /// The claim.
    pub claim_id: String,
    /// Who.
    pub reviewer: String,
}

impl PrintoutReview {
    fn of(review: &ClaimReview) -> Self {
        let ClaimReview { action, at, claim_id, reviewer, .. } = review;
        let (claim_id, reviewer) = (claim_id.clone(), reviewer.clone());
        Self { action: *action, at: *at, claim_id, reviewer }
    }

    fn read(reader: JsonReader<'_, '_>) -> Option<Self> {
        let mut fields = reader.object()?;
        let action = fields.required("action", |word| word.choice(ClaimReviewAction::WIRE_NAMES));
        let at = fields.required("at", decode::time);
        let claim_id = fields.required("claim_id", decode::label);
        let reviewer = fields.required("reviewer", decode::label);
        fields.done()?;
        Some(Self { action: action?, at: at?, claim_id: claim_id?, reviewer: reviewer? })
    }

    fn of_ledger(&self, ledger_id: &str) -> ClaimReview {
        let Self { action, at, claim_id, reviewer } = self.clone();
        let ledger_id = ledger_id.to_owned();
        ClaimReview { ledger_id, claim_id, action, reviewer, at, assigned_to: None, reason: None }
    }
}

/// The most reviews of a ledger that count: of each claim one that decides, and an assignment after
/// it.
const MAX_PRINTOUT_REVIEWS: usize = 2 * MAX_PDF_CLAIMS;
/// The most bytes of an answer with its question. Whoever checks a file presses it again.
pub const MAX_ANSWER_BYTES: usize = 1 << 20;
