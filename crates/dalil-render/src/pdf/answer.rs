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

/// A question, its answer, the reviews of the claims, and the address of a page that verifies.
///
/// It is unsigned. Claims are located by their offsets in the answer, so an answer with other words
/// gives other pages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PrintoutAnswer {
    /// The answer that was checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// The question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// The reviews that decide the states of the claims, in order of time.
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

    /// The same, with the reviews of the ledger's claims. `reviews` are in order of
    /// time; for each claim only those are kept that decide its state.
    #[must_use]
    pub fn reviewed(self, ledger: &Ledger, reviews: &[ClaimReview]) -> Self {
        let entries = ledger.content.entries.iter();
        let claims: BTreeSet<&str> = entries.map(|entry| entry.finding.claim_id.as_str()).collect();
        let counted = counted(reviews, &ledger.id.to_string());
        let counted = counted.filter(|one| claims.contains(one.claim_id.as_str()));
        Self { reviews: counted.map(PrintoutReview::of).collect(), ..self }
    }

    /// The same, with the address of the page that verifies.
    ///
    /// # Errors
    /// An address that a reader of the attachment would refuse.
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

/// The reviews of a ledger that decide the states of its claims, in order of time.
fn counted<'r>(
    reviews: &'r [ClaimReview],
    ledger_id: &str,
) -> impl Iterator<Item = &'r ClaimReview> + use<'r> {
    let standings = ClaimStandings::new(reviews, ledger_id);
    // A review that a person repeated in the same words counts once.
    let counts = move |one: &&ClaimReview| {
        standings.of(&one.claim_id).counted().any(|other| std::ptr::eq(*one, other))
    };
    reviews.iter().filter(counts)
}

/// Parses reviews. A comment, and a decision with a later one, do not affect the state of a
/// claim: counting them would make it look as if more people had reviewed it.
fn reviews(reader: JsonReader<'_, '_>) -> Option<Vec<PrintoutReview>> {
    let reviews = reader.short_list(MAX_PRINTOUT_REVIEWS, PrintoutReview::read)?;
    let of_ledger: Vec<ClaimReview> = reviews.iter().map(|one| one.of_ledger("")).collect();
    if counted(&of_ledger, "").count() == reviews.len() {
        return Some(reviews);
    }
    let expected = expected::only_reviews_that_count();
    reader.push(Fault::new("reviews", reader.path(), expected, found::others()))
}

/// One person's review of a claim, without their words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PrintoutReview {
    /// The action.
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
/// The size of an answer with its question, which a verifier of the file renders again.
pub const MAX_ANSWER_BYTES: usize = 1 << 20;
