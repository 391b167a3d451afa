//! Validates evidence: whether it is consistent, and whether it covers the expected obligations.

use std::collections::BTreeSet;

use dalil_proof::decode::{self, JsonReader};
use dalil_proof::fault::Refused;
use dalil_proof::json::{Json, JsonMembers};
use serde::Serialize;

use super::history;
use super::{ObligationCheckOutcome, confidence, given, page, status};

/// What validating found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EvidenceValidation<'j> {
    /// Whether nothing was found.
    pub valid: bool,
    /// Expected obligations without evidence, in the order asked, each once.
    pub missing_evidence: Vec<&'j str>,
    /// Amendment histories with holes, in the order of the records.
    pub gaps: Vec<String>,
}

/// Validates a request: `{"records":[…],"expected_obligation_ids"?:[…]}`.
///
/// The records may be from other systems: a history entry that lacks keys is a gap, not a fault of
/// the request.
///
/// # Errors
/// Every fault in the request.
pub fn validate<'j>(request: &'j Json<'j>) -> Result<EvidenceValidation<'j>, Refused> {
    decode::value(request, EvidenceValidationRequest::read).map(|request| request.validate())
}

struct EvidenceValidationRequest<'j> {
    records: Vec<ForeignEvidence<'j>>,
    expected: Vec<&'j str>,
}

/// An evidence record of another system, as far as validating needs it.
struct ForeignEvidence<'j> {
    obligation_id: &'j str,
    history: Vec<&'j JsonMembers<'j>>,
    is_change: bool,
}

impl<'j> EvidenceValidationRequest<'j> {
    fn read(reader: JsonReader<'_, 'j>) -> Option<Self> {
        let mut fields = reader.object()?;
        let records = fields.required("records", |list| list.list(record));
        let expected = fields.or("expected_obligation_ids", Vec::new(), |list| list.list(given));
        fields.done()?;
        Some(Self { records: records?, expected: expected? })
    }

    fn validate(&self) -> EvidenceValidation<'j> {
        let gaps: Vec<String> = self.records.iter().flat_map(gaps).collect();
        let mut covered: BTreeSet<&str> =
            self.records.iter().map(|record| record.obligation_id).collect();
        let mut missing_evidence = self.expected.clone();
        // Inserting returns whether the id is new, so each is named once.
        missing_evidence.retain(|id| covered.insert(id));
        let valid = gaps.is_empty() && missing_evidence.is_empty();
        EvidenceValidation { valid, missing_evidence, gaps }
    }
}

fn gaps(record: &ForeignEvidence<'_>) -> Vec<String> {
    let lacking = |entry: &JsonMembers<'_>| {
        if record.is_change {
            history::missing(entry, &status::STATUS_CHANGE_KEYS)
        } else {
            history::missing_keys(entry)
        }
    };
    let mut gaps = Vec::new();
    for (n, entry) in record.history.iter().enumerate() {
        let keys = lacking(entry);
        if !keys.is_empty() {
            let (id, keys) = (record.obligation_id, keys.join(", "));
            gaps.push(format!("obligation {id}: amendment_history[{n}] missing keys {keys}"));
        }
    }
    gaps
}

fn record<'j>(reader: JsonReader<'_, 'j>) -> Option<ForeignEvidence<'j>> {
    let mut fields = reader.object()?;
    let obligation_id = fields.required("obligation_id", given);
    // These are read for their types alone; validating looks at none of their values.
    let texts = ["doc_id", "source_clause", "verification_model"]
        .map(|name| fields.required(name, decode::text).is_some());
    let doc_filename = fields.required("doc_filename", decode::text);
    let extraction_model = fields.required("extraction_model", decode::text);
    let page_number = fields.optional("page_number", page).is_some();
    let section = fields.optional("section_reference", decode::text).is_some();
    let result = fields.required("verification_result", |result| {
        result.choice(ObligationCheckOutcome::WIRE_NAMES)
    });
    let confidence = fields.required("confidence", confidence).is_some();
    let history = fields.or("amendment_history", Vec::new(), |list| list.list(decode::object));
    // What else a foreign record holds is its maker's business.
    let whole = texts == [true; 3] && page_number && section && result.is_some() && confidence;
    let is_change = doc_filename? == status::STATUS_CHANGE_FILENAME
        && extraction_model? == status::SYSTEM_ACTOR
        && whole;
    let mut history = history?;
    // A status change must have an entry; an empty one is then a gap with every key missing.
    if is_change && history.is_empty() {
        history.push(&[]);
    }
    whole.then_some(ForeignEvidence { obligation_id: obligation_id?, history, is_change })
}
