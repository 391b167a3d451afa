//! Status changes: evidence of their own, so that nothing is ever updated.

use dalil_phrasebook::expected;
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::fault::Refused;
use dalil_proof::json::Json;
use serde::{Serialize, Serializer};

use super::{ObligationCheckOutcome, given, written};

/// An obligation went from one status to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusChange<'j> {
    /// The obligation.
    pub obligation_id: &'j str,
    /// The status before.
    pub old_status: &'j str,
    /// The status now.
    pub new_status: &'j str,
    /// Why, for people.
    pub reason: &'j str,
    /// The document that changed it; none when a date or a rule did.
    pub changed_by_doc_id: Option<&'j str>,
}

/// Reads `{"obligation_id","old_status","new_status","reason","changed_by_doc_id"?}`.
///
/// # Errors
/// Every fault in the request.
pub fn change<'j>(request: &'j Json<'j>) -> Result<StatusChange<'j>, Refused> {
    decode::value(request, read_change)
}

fn read_change<'j>(reader: JsonReader<'_, 'j>) -> Option<StatusChange<'j>> {
    let mut fields = reader.object()?;
    let obligation_id = fields.required("obligation_id", given);
    let old_status = fields.required("old_status", status);
    let new_status = fields.required("new_status", status);
    let reason = fields.required("reason", written);
    let changed_by_doc_id = fields.optional("changed_by_doc_id", given);
    fields.done()?;
    Some(StatusChange {
        obligation_id: obligation_id?,
        old_status: old_status?,
        new_status: new_status?,
        reason: reason?,
        changed_by_doc_id: changed_by_doc_id?,
    })
}

/// A word for the status of an obligation: resolution knows four, other systems have their own.
fn status<'j>(reader: JsonReader<'_, 'j>) -> Option<&'j str> {
    let word = decode::text(reader)?;
    if word.trim().is_empty() { reader.refuse("empty", expected::a_status()) } else { Some(word) }
}

impl Serialize for StatusChange<'_> {
    /// Writes the contract's shape: an evidence record whose sentinels mark it as a change.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { obligation_id, old_status, new_status, reason, changed_by_doc_id } = *self;
        StatusChangeWire {
            obligation_id,
            doc_id: changed_by_doc_id.unwrap_or(SYSTEM_ACTOR),
            doc_filename: STATUS_CHANGE_FILENAME,
            page_number: None,
            section_reference: None,
            source_clause: format!("Status changed from {old_status} to {new_status}: {reason}"),
            extraction_model: SYSTEM_ACTOR,
            verification_model: SYSTEM_ACTOR,
            verification_result: ObligationCheckOutcome::Unverified,
            confidence: 1,
            amendment_history: [StatusHistoryEntry {
                old_status,
                new_status,
                reason,
                changed_by_doc_id,
            }],
        }
        .serialize(serializer)
    }
}

#[derive(Serialize)]
struct StatusChangeWire<'j> {
    obligation_id: &'j str,
    doc_id: &'j str,
    doc_filename: &'static str,
    page_number: Option<u64>,
    section_reference: Option<&'j str>,
    source_clause: String,
    extraction_model: &'static str,
    verification_model: &'static str,
    verification_result: ObligationCheckOutcome,
    confidence: u8,
    amendment_history: [StatusHistoryEntry<'j>; 1],
}

#[derive(Serialize)]
struct StatusHistoryEntry<'j> {
    old_status: &'j str,
    new_status: &'j str,
    reason: &'j str,
    changed_by_doc_id: Option<&'j str>,
}

/// The name that marks a status change on the wire.
pub(super) const STATUS_CHANGE_FILENAME: &str = "status_change";
/// The model and the document of a change that no model and no document made.
pub(super) const SYSTEM_ACTOR: &str = "SYSTEM";
/// The keys of a status change's one history entry, sorted.
pub(super) const STATUS_CHANGE_KEYS: [&str; 4] =
    ["changed_by_doc_id", "new_status", "old_status", "reason"];
