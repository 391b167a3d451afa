//! Obligation records: the evidence for each obligation of a contract (spec/record.md).
//!
//! ```text
//! obligations, documents, verifications, amendments ─package─▶ evidence, skips, findings
//! a change of status ─▶ evidence of its own: nothing is updated
//! amendments ─resolve─▶ ACTIVE | SUPERSEDED | TERMINATED | UNRESOLVED
//! evidence ─validate─▶ gaps, missing obligations
//! ```
//!
//! Everything borrows from the parsed request: packaging copies no text.

use dalil_phrasebook::expected;
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::id::{EXPECTED_GIVEN_ID, is_given};
use dalil_proof::json::Json;
use dalil_proof::score::Score;
use serde::Serialize;

mod history;
pub mod package;
pub mod resolve;
pub mod status;
mod table;
#[cfg(test)]
mod tests;
pub mod validate;

/// The evidence of one obligation in one document, in the contract's fields.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ObligationEvidence<'j> {
    /// The obligation.
    pub obligation_id: &'j str,
    /// The document it was found in.
    pub doc_id: &'j str,
    /// The document's name, for people.
    pub doc_filename: &'j str,
    /// The page, where it is known.
    pub page_number: Option<u64>,
    /// The section, where it is known.
    pub section_reference: Option<&'j str>,
    /// The exact words.
    pub source_clause: &'j str,
    /// What found it.
    pub extraction_model: &'j str,
    /// What checked it.
    pub verification_model: &'j str,
    /// The result of the check.
    pub verification_result: ObligationCheckOutcome,
    /// How sure the verifier is, or else the extractor.
    pub confidence: Score,
    /// The amendments that touched it, oldest first, every key kept.
    pub amendment_history: Option<&'j [Json<'j>]>,
}

/// The result of a second look at an obligation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum ObligationCheckOutcome {
    /// It is there.
    Confirmed,
    /// It is not there.
    Disputed,
    /// No second look, or one without a result.
    Unverified,
}

impl ObligationCheckOutcome {
    /// Every outcome with the word it is written as.
    pub const WIRE_NAMES: &[(&'static str, Self)] = &[
        ("CONFIRMED", Self::Confirmed),
        ("DISPUTED", Self::Disputed),
        ("UNVERIFIED", Self::Unverified),
    ];
}

/// The status of an obligation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum ObligationStatus {
    /// In force.
    Active,
    /// Replaced by an amendment.
    Superseded,
    /// Deleted by an amendment, or ended.
    Terminated,
    /// Its document is not linked to any contract, so its status is unknown.
    Unresolved,
}

impl ObligationStatus {
    /// The word it is written as.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Active => "ACTIVE",
            Self::Superseded => "SUPERSEDED",
            Self::Terminated => "TERMINATED",
            Self::Unresolved => "UNRESOLVED",
        }
    }
}

/// An id that another system gave.
fn given<'j>(reader: JsonReader<'_, 'j>) -> Option<&'j str> {
    let text = decode::text(reader)?;
    if is_given(text) { Some(text) } else { reader.refuse("id", EXPECTED_GIVEN_ID) }
}

/// A text that is not blank: an unreadable clause, model, file or reason proves nothing.
fn written<'j>(reader: JsonReader<'_, 'j>) -> Option<&'j str> {
    let text = decode::text(reader)?;
    if text.trim().is_empty() { reader.refuse("empty", expected::some_text()) } else { Some(text) }
}

/// A score, as a number or, as some extractors write it, as a string.
fn confidence(reader: JsonReader<'_, '_>) -> Option<Score> {
    let Json::Text(text) = reader.json else { return decode::score(reader) };
    // Rust also parses `inf`, `nan` and `infinity`, which are no JSON numbers.
    let decimal = |byte: u8| byte.is_ascii_digit() || b"+-.eE".contains(&byte);
    let number = text.parse().ok().filter(|_| text.bytes().all(decimal));
    number.and_then(Score::new).or_else(|| reader.refuse("range", Score::EXPECTED))
}

fn page(reader: JsonReader<'_, '_>) -> Option<u64> {
    reader.whole(0..=MAX_PAGE_NUMBER)
}

/// More pages than any document has.
const MAX_PAGE_NUMBER: u64 = 1_000_000_000;
