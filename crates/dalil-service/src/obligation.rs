//! Obligations: records of evidence, changes of status, and history.

use dalil_evidence::completeness::expected_ids;
use dalil_evidence::obligation::package::{self, ObligationSkipReason, PackagingFinding};
use dalil_evidence::obligation::status;
use dalil_phrasebook::{expected, found};
use dalil_proof::canon;
use dalil_proof::digest::Digest;
use dalil_proof::fault::{Fault, quote};
use dalil_proof::id::RecordId;
use dalil_proof::json::Json;
use dalil_proof::record::{Actor, RecordKind};
use dalil_proof::time::Time;
use dalil_store::catalog::ObligationRow;
use dalil_store::trail::{StoredFieldState, StoredRecord};
use dalil_store::{Error, NewRecord, Tenant};
use serde::Serialize;

use crate::operation::{
    OperationFailure, RecordAck, RequestContext, append, bytes, held, held_bytes, one, text,
};

mod clause;
mod completeness;
mod stored;
#[cfg(test)]
mod tests;

pub use completeness::{MissingObligation, ObligationCoverage, completeness, missing};
pub use stored::{StoredValidation, resolve, validate};

/// What became of a package.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RecordedPackage {
    /// The obligations with evidence, in their order.
    pub records: Vec<RecordedObligation>,
    /// Those without, in theirs; a skip is a record as well.
    pub skipped: Vec<SkippedObligation>,
    /// Irregularities in the rest.
    pub findings: Vec<ObligationPackageFinding>,
}

/// An obligation whose evidence was recorded, or whose status was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecordedObligation {
    /// The obligation.
    pub obligation_id: String,
    /// Its record.
    #[serde(flatten)]
    pub ack: RecordAck,
    /// Irregularities in a change of its status.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<StatusFinding>,
}

/// An obligation without evidence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SkippedObligation {
    /// The obligation.
    pub obligation_id: String,
    /// Why.
    pub reason: ObligationSkipReason<'static>,
    /// The record of it.
    #[serde(flatten)]
    pub ack: RecordAck,
}

/// Something that a reader of a package should know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ObligationPackageFinding {
    /// The obligation it is about.
    pub obligation_id: String,
    /// The rule that found it.
    pub rule: &'static str,
    /// The sentence a person reads.
    pub message: &'static str,
}

/// Something that a reader of a change of status should know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StatusFinding {
    /// The rule that found it.
    pub rule: &'static str,
    /// The sentence a person reads.
    pub message: String,
}

/// A finding as the record of its obligation keeps it.
#[derive(Serialize)]
struct RecordedFinding {
    rule: &'static str,
    message: &'static str,
}

impl RecordedPackage {
    /// How many were recorded and how many skipped, for logs: without a name.
    pub fn tally(&self) -> String {
        tally(self.records.len(), self.skipped.iter().map(|skip| &skip.reason))
    }
}

/// How many obligations have evidence, and how many were skipped for these reasons.
pub fn tally<'s, 'j: 's>(
    recorded: usize,
    reasons: impl Iterator<Item = &'s ObligationSkipReason<'j>>,
) -> String {
    let (mut documents, mut checks) = (0, 0);
    for reason in reasons {
        match reason {
            ObligationSkipReason::MissingDocument { .. } => documents += 1,
            ObligationSkipReason::MissingVerification => checks += 1,
        }
    }
    let skipped = documents + checks;
    let (document, check) = (package::MISSING_DOCUMENT_EVENT, package::MISSING_VERIFICATION_EVENT);
    format!("{recorded} recorded, {skipped} skipped: {document} {documents}, {check} {checks}")
}

/// Packages a request, and records every obligation of it: those with evidence, then those without.
///
/// # Errors
/// Every fault in the request, and what keeps the store from appending.
pub async fn package(
    tenant: &Tenant,
    request: &[u8],
    context: &RequestContext,
) -> Result<RecordedPackage, OperationFailure> {
    let json = Json::parse(request)?;
    let mut package = package::package(&json)?;
    let absent = clause::not_in_documents(tenant, &package).await?;
    let absent: Vec<PackagingFinding<'_>> = package
        .records
        .iter()
        .filter(|evidence| absent.contains(evidence.obligation_id))
        .map(|evidence| PackagingFinding {
            obligation_id: evidence.obligation_id,
            rule: ABSENT_CLAUSE_RULE,
            message: "the clause is not in the text of the document that the store has",
        })
        .collect();
    package.findings.extend(absent);
    let key = context.idempotency_key("record package", &canon::bytes(&json)?)?;
    let mut drafts = Vec::with_capacity(package.records.len() + package.skipped.len());
    for evidence in &package.records {
        let mut draft = evidenced(ObligationEvent::Recorded, evidence, context)?;
        let own: Vec<RecordedFinding> = package
            .findings
            .iter()
            .filter(|finding| finding.obligation_id == evidence.obligation_id)
            .map(|finding| RecordedFinding { rule: finding.rule, message: finding.message })
            .collect();
        // Kept with the evidence, to distinguish a missing confidence from one of 0.
        if !own.is_empty() {
            draft.fields.push(bytes(FINDINGS_FIELD, canon::bytes(&own)?));
        }
        let terms = package.terms.iter().find(|one| one.obligation_id == evidence.obligation_id);
        if let Some(terms) = terms {
            draft.fields.push(bytes(TERMS_FIELD, canon::bytes(terms)?));
        }
        drafts.push(draft);
    }
    for skip in &package.skipped {
        let rows = vec![skipped_row(skip.obligation_id, context).into()];
        let fields = vec![bytes(SKIP_FIELD, canon::bytes(skip)?)];
        drafts.push(context.draft(RecordKind::ObligationSkipped, skip.obligation_id, fields, rows));
    }
    let acks = if drafts.is_empty() { Vec::new() } else { append(tenant, drafts, key).await? };
    // Acks come in the order of the drafts: first those with evidence, then the skipped ones.
    let mut acks = acks.into_iter();
    let recorded = package.records.iter().zip(&mut acks).map(|(evidence, ack)| {
        let (obligation_id, findings) = (evidence.obligation_id.to_owned(), Vec::new());
        RecordedObligation { obligation_id, ack, findings }
    });
    let records = recorded.collect();
    let skipped = package.skipped.iter().zip(acks).map(|(skip, ack)| SkippedObligation {
        obligation_id: skip.obligation_id.to_owned(),
        reason: skip.reason.clone().into_owned(),
        ack,
    });
    let findings = package.findings.iter().map(|finding| ObligationPackageFinding {
        obligation_id: finding.obligation_id.to_owned(),
        rule: finding.rule,
        message: finding.message,
    });
    Ok(RecordedPackage { records, skipped: skipped.collect(), findings: findings.collect() })
}

/// Records a change of status; nothing that was recorded before is touched.
///
/// # Errors
/// Every fault in the request, and what keeps the store from appending.
pub async fn status(
    tenant: &Tenant,
    request: &[u8],
    context: &RequestContext,
) -> Result<RecordedObligation, OperationFailure> {
    let json = Json::parse(request)?;
    let change = status::change(&json)?;
    let key = context.idempotency_key("record status", &canon::bytes(&json)?)?;
    let draft = evidenced(ObligationEvent::StatusChanged, &change, context)?;
    let obligation_id = change.obligation_id.to_owned();
    let ack = one(append(tenant, vec![draft], key).await?)?;
    // After the append: only the sequencer knows which change came before this one.
    let history = history(tenant, &obligation_id, None).await?;
    let findings = history.status_findings(ack.index)?;
    Ok(RecordedObligation { obligation_id, ack, findings })
}

/// The record of evidence in the contract's fields.
fn evidenced(
    event: ObligationEvent,
    evidence: &impl Serialize,
    context: &RequestContext,
) -> Result<NewRecord, OperationFailure> {
    let content = canon::bytes(evidence)?;
    // Columns come from the committed bytes, so a row cannot differ from them.
    let json = Json::parse(&content)?;
    let text_of = |name: &str| match json.get(name) {
        Some(Json::Text(text)) => Some(text.to_string()),
        _ => None,
    };
    let number_of = |name: &str| match json.get(name) {
        Some(Json::Number(number)) => Some(*number),
        _ => None,
    };
    let page = number_of("page_number").and_then(dalil_proof::json::integer);
    let history = json.get("amendment_history").filter(|history| **history != Json::Null);
    let unnamed =
        || Fault::new("missing_field", "obligation_id", expected::a_text(), found::another_value());
    let row = ObligationRow {
        obligation_id: text_of("obligation_id").ok_or_else(unnamed)?,
        event: event.as_str().to_owned(),
        doc_id: text_of("doc_id"),
        doc_filename: text_of("doc_filename"),
        page_number: page.and_then(|page| u64::try_from(page).ok()),
        section_reference: text_of("section_reference"),
        source_clause: text_of("source_clause"),
        extraction_model: text_of("extraction_model"),
        verification_model: text_of("verification_model"),
        verification_result: text_of("verification_result"),
        confidence: number_of("confidence"),
        amendment_history: history.map(text).transpose()?,
        recorded_at: context.at,
    };
    let obligation_id = row.obligation_id.clone();
    let rows = vec![row.into()];
    let kind = match event {
        ObligationEvent::Recorded => RecordKind::ObligationRecorded,
        ObligationEvent::Skipped => RecordKind::ObligationSkipped,
        ObligationEvent::StatusChanged => RecordKind::ObligationStatusChanged,
    };
    drop(json);
    Ok(context.draft(kind, &obligation_id, vec![bytes(EVIDENCE_FIELD, content)], rows))
}

/// The row of a skip, which has no evidence.
fn skipped_row(obligation_id: &str, context: &RequestContext) -> ObligationRow {
    ObligationRow {
        obligation_id: obligation_id.to_owned(),
        event: ObligationEvent::Skipped.as_str().to_owned(),
        doc_id: None,
        doc_filename: None,
        page_number: None,
        section_reference: None,
        source_clause: None,
        extraction_model: None,
        verification_model: None,
        verification_result: None,
        confidence: None,
        amendment_history: None,
        recorded_at: context.at,
    }
}

/// All events of an obligation, and its status.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ObligationHistory {
    /// The obligation.
    pub obligation_id: String,
    /// The moment that is asked about; everything after it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of: Option<Time>,
    /// The status that it was last changed to.
    pub status: Option<String>,
    /// The evidence that was recorded last.
    pub evidence: Option<Json<'static>>,
    /// Its records, in order.
    pub records: Vec<ObligationRecord>,
}

/// One record of an obligation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ObligationRecord {
    /// Its place in the trail.
    pub index: u64,
    /// Its name.
    pub id: RecordId,
    /// Its leaf hash.
    pub leaf: Digest,
    /// When it happened.
    pub at: Time,
    /// Who acted.
    pub actor: Actor,
    /// What happened.
    pub event: ObligationEvent,
    /// The remaining content.
    pub content: ObligationContent,
    /// The other terms: who must do it, until when, why it was confirmed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terms: Option<Json<'static>>,
    /// Irregularities found when it was recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub findings: Option<Json<'static>>,
    /// Irregularities after the records before it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub status_findings: Vec<StatusFinding>,
}

impl ObligationHistory {
    /// Irregularities in the change of status at this index.
    fn status_findings(self, index: u64) -> Result<Vec<StatusFinding>, Error> {
        let found = self.records.into_iter().find(|one| one.index == index);
        found.map(|one| one.status_findings).ok_or_else(|| {
            Error::damaged("read an obligation", format!("record {index}"))
                .saw("the change of status that was appended", "none")
        })
    }
}

/// The events of an obligation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ObligationEvent {
    /// Its evidence was recorded.
    Recorded,
    /// It had no evidence, and that was recorded.
    Skipped,
    /// Its status changed.
    StatusChanged,
}

/// The remaining content of a record.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ObligationContent {
    /// All of it.
    Present(Json<'static>),
    /// Nothing: it was erased by this record.
    Erased {
        /// The index of the `payload.erased` record.
        by: u64,
    },
    /// Missing, and no record explains it.
    Missing,
    /// Something that the record does not commit to.
    Altered,
}

impl ObligationEvent {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Recorded => "recorded",
            Self::Skipped => "skipped",
            Self::StatusChanged => "status_changed",
        }
    }

    /// The event of a record kind; records of other kinds may have its name as their subject.
    const fn of(kind: RecordKind) -> Option<Self> {
        match kind {
            RecordKind::ObligationRecorded => Some(Self::Recorded),
            RecordKind::ObligationSkipped => Some(Self::Skipped),
            RecordKind::ObligationStatusChanged => Some(Self::StatusChanged),
            _ => None,
        }
    }
}

/// The history of an obligation: all of it, or up to a time.
///
/// # Errors
/// The store cannot be read.
pub async fn history(
    tenant: &Tenant,
    obligation_id: &str,
    as_of: Option<Time>,
) -> Result<ObligationHistory, OperationFailure> {
    let stored = tenant.history(obligation_id).await?;
    let mut records: Vec<ObligationRecord> = stored
        .iter()
        .filter(|one| as_of.is_none_or(|as_of| one.record.envelope().at <= as_of))
        .filter_map(|one| {
            ObligationEvent::of(one.record.envelope().kind).map(|event| happened(one, event))
        })
        .collect();
    contradict(&mut records);
    let last = |event: ObligationEvent| {
        let of = records.iter().rev().find(|one| one.event == event);
        of.and_then(|one| match &one.content {
            // Only the newest one counts: if it was erased, an older one does not take its place.
            ObligationContent::Present(json) => Some(json),
            ObligationContent::Erased { .. }
            | ObligationContent::Missing
            | ObligationContent::Altered => None,
        })
    };
    let evidence = last(ObligationEvent::Recorded).cloned();
    let status = last(ObligationEvent::StatusChanged).and_then(new_status);
    let obligation_id = obligation_id.to_owned();
    Ok(ObligationHistory { obligation_id, as_of, status, evidence, records })
}

fn happened(stored: &StoredRecord, event: ObligationEvent) -> ObligationRecord {
    let envelope = stored.record.envelope();
    let name = if event == ObligationEvent::Skipped { SKIP_FIELD } else { EVIDENCE_FIELD };
    let parsed = held_bytes(stored, name).and_then(|bytes| Json::parse(bytes).ok());
    let content = match (parsed, held(stored, name)) {
        (Some(json), _) => ObligationContent::Present(json.into_owned()),
        (None, Some(StoredFieldState::Erased { by })) => ObligationContent::Erased { by: *by },
        (None, Some(StoredFieldState::Missing) | None) => ObligationContent::Missing,
        (None, Some(StoredFieldState::Altered | StoredFieldState::Present(_, _))) => {
            ObligationContent::Altered
        }
    };
    ObligationRecord {
        index: stored.index,
        id: envelope.id.clone(),
        leaf: stored.record.leaf(),
        at: envelope.at,
        actor: envelope.actor.clone(),
        event,
        content,
        terms: parsed_field(stored, TERMS_FIELD),
        findings: parsed_field(stored, FINDINGS_FIELD),
        status_findings: Vec::new(),
    }
}

/// A field of JSON in a record, which may be absent.
fn parsed_field(stored: &StoredRecord, name: &str) -> Option<Json<'static>> {
    held_bytes(stored, name).and_then(|bytes| Json::parse(bytes).ok()).map(Json::into_owned)
}

/// Finds the changes that begin at another status than the one on record.
fn contradict(records: &mut [ObligationRecord]) {
    let mut on_record: Option<String> = None;
    for record in records.iter_mut().filter(|one| one.event == ObligationEvent::StatusChanged) {
        // Erased or damaged content has no status to compare with.
        let (old, new) = match &record.content {
            ObligationContent::Present(change) => (old_status(change), new_status(change)),
            _ => (None, None),
        };
        if let (Some(old), Some(known)) = (old, on_record)
            && old != known
        {
            let (known, old) = (quote(&known), quote(&old));
            let message = format!("the status on record was {known}, and the change is from {old}");
            record.status_findings.push(StatusFinding { rule: STATUS_MISMATCH_RULE, message });
        }
        on_record = new;
    }
}

fn old_status(change: &Json<'static>) -> Option<String> {
    status_of(change, "old_status")
}

fn new_status(change: &Json<'static>) -> Option<String> {
    status_of(change, "new_status")
}

fn status_of(change: &Json<'static>, name: &str) -> Option<String> {
    let Some(Json::List(entries)) = change.get("amendment_history") else { return None };
    match entries.first()?.get(name)? {
        Json::Text(status) => Some(status.to_string()),
        _ => None,
    }
}

/// Reads `{"expected_obligation_ids":[…]}`.
///
/// # Errors
/// Every fault in the request.
pub fn expected(request: &[u8]) -> Result<Vec<String>, OperationFailure> {
    Ok(expected_ids(request)?)
}

/// Why an obligation has no evidence, by the last record with a reason.
fn why(history: &ObligationHistory) -> String {
    let told = history.records.iter().rev().find_map(|one| match (&one.content, one.event) {
        (ObligationContent::Erased { by }, ObligationEvent::Recorded) => {
            Some(format!("erased by record {by}"))
        }
        (ObligationContent::Present(skip), ObligationEvent::Skipped) => match skip.get("reason") {
            Some(Json::Text(reason)) => Some(format!("skipped: {reason}")),
            _ => None,
        },
        _ => None,
    });
    match told {
        Some(reason) => reason,
        None if history.records.is_empty() => "never recorded".to_owned(),
        None => "only its status was recorded".to_owned(),
    }
}

/// The names of what records of obligations commit to.
const EVIDENCE_FIELD: &str = "evidence";
const SKIP_FIELD: &str = "skip";
const FINDINGS_FIELD: &str = "findings";
const TERMS_FIELD: &str = "terms";
/// A clause that is not in the stored text of its document.
const ABSENT_CLAUSE_RULE: &str = "clause_not_in_document";
/// A change of status from another than the one on record.
const STATUS_MISMATCH_RULE: &str = "status_mismatch";
