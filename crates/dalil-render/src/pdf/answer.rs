//! The answer that a ledger is about, as it is attached to the ledger's pages.

use dalil_phrasebook::{bound, found};
use dalil_proof::canon::{self, NotCanonical};
use dalil_proof::decode;
use dalil_proof::fault::{Fault, Refused};
use serde::Serialize;

use super::attachment::{canonical, plain_url, verify_url};

/// The attachment that has the question and the answer of a ledger.
pub const ANSWER_ATTACHMENT: &str = "answer.json";

/// A question, its answer, and where a reader verifies the pages.
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
    /// The page that verifies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verify_url: Option<String>,
}

impl PrintoutAnswer {
    /// An answer and its question, where they are known; texts without words are none.
    pub fn new(question: Option<&str>, answer: &str) -> Self {
        let filled = |text: &str| (!text.trim().is_empty()).then(|| text.to_owned());
        let (answer, question) = (filled(answer), question.and_then(filled));
        Self { answer, question, verify_url: None }
    }

    /// The same, with the page that verifies.
    ///
    /// # Errors
    /// An address that whoever reads the attachment would refuse.
    pub fn verified_at(self, url: Option<&str>) -> Result<Self, Fault> {
        if let Some(url) = url {
            plain_url(url, "verify_url")?;
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
            let verify_url = fields.optional("verify_url", verify_url);
            fields.done()?;
            Some(Self { answer: answer?, question: question?, verify_url: verify_url? })
        })
    }

    /// The bytes that are attached; none, where nothing is known.
    pub(super) fn attached(&self) -> Result<Option<Vec<u8>>, NotCanonical> {
        if *self == Self::default() {
            return Ok(None);
        }
        canon::bytes(self).map(Some)
    }
}

/// The most bytes of an answer with its question. Whoever checks a file presses it again.
pub const MAX_ANSWER_BYTES: usize = 1 << 20;
