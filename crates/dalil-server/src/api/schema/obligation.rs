//! Obligations and their records (spec/record.md).

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use super::scalar::{DigestText, FreeValueBody, ScoreNumber, TimeText};

/// A page of a list.
#[derive(Serialize, ToSchema)]
#[schema(as = ObligationPage)]
pub(crate) struct ObligationPageBody {
    /// The items.
    items: Vec<ObligationSummaryBody>,
    /// The cursor of the next page; absent on the last page.
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// An obligation as a list shows it: its last record.
#[derive(Serialize, ToSchema)]
#[schema(as = ObligationSummary)]
pub(crate) struct ObligationSummaryBody {
    /// Its id.
    obligation_id: String,
    /// The recorded event.
    event: ObligationEventBody,
    /// The contract.
    #[schema(nullable = false)]
    doc_filename: Option<String>,
    /// The result of a second model.
    #[schema(nullable = false)]
    verification_result: Option<ObligationCheckOutcomeBody>,
    /// The confidence of the finder or the verifier.
    #[schema(nullable = false)]
    confidence: Option<ScoreNumber>,
    /// When.
    #[schema(nullable = false)]
    recorded_at: Option<TimeText>,
    /// The index of its record.
    index: u64,
}

/// The result of packaging.
#[derive(Serialize, ToSchema)]
#[schema(as = RecordedPackage)]
pub(crate) struct RecordedPackageBody {
    /// The obligations with evidence, in their order.
    records: Vec<RecordedObligationBody>,
    /// The obligations without evidence, in their order; a skip is also recorded.
    skipped: Vec<SkippedObligationBody>,
    /// Irregularities in the rest.
    findings: Vec<ObligationPackageFindingBody>,
}

/// An obligation whose evidence or status was recorded.
#[derive(Serialize, ToSchema)]
#[schema(as = RecordedObligation)]
pub(crate) struct RecordedObligationBody {
    /// The obligation.
    obligation_id: String,
    /// Its index in the trail, from 0.
    index: u64,
    /// Its id.
    id: String,
    /// Its leaf hash.
    leaf: DigestText,
    /// Irregularities in a change of its status.
    #[schema(nullable = false)]
    findings: Option<Vec<StatusFindingBody>>,
}

/// An irregularity in a change of status.
#[derive(Serialize, ToSchema)]
#[schema(as = StatusFinding)]
pub(crate) struct StatusFindingBody {
    /// The rule that found it.
    rule: String,
    /// The message for people.
    message: String,
}

/// An obligation without evidence.
#[derive(Serialize, ToSchema)]
#[schema(as = SkippedObligation)]
pub(crate) struct SkippedObligationBody {
    /// The obligation.
    obligation_id: String,
    /// The reason.
    reason: String,
    /// Its index in the trail, from 0.
    index: u64,
    /// Its id.
    id: String,
    /// Its leaf hash.
    leaf: DigestText,
}

/// Something that a reader of a package should know.
#[derive(Serialize, ToSchema)]
#[schema(as = ObligationPackageFinding)]
pub(crate) struct ObligationPackageFindingBody {
    /// The obligation it is about.
    obligation_id: String,
    /// The rule that found it.
    rule: String,
    /// The message for people.
    message: String,
}

/// Which obligations of a list have no evidence.
#[derive(Serialize, ToSchema)]
#[schema(as = ObligationCoverage)]
pub(crate) struct ObligationCoverageBody {
    /// How many different obligations were asked about.
    expected: u64,
    /// Those without evidence, in the order asked, each once.
    missing: Vec<MissingObligationBody>,
    /// The root of the trail that this was read from.
    root: String,
    /// How many records that trail has.
    size: u64,
}

/// An obligation without evidence.
#[derive(Serialize, ToSchema)]
#[schema(as = MissingObligation)]
pub(crate) struct MissingObligationBody {
    /// The obligation.
    obligation_id: String,
    /// The reason.
    reason: String,
}

/// All events of an obligation, and its status.
#[derive(Serialize, ToSchema)]
#[schema(as = ObligationHistory)]
pub(crate) struct ObligationHistoryBody {
    /// The obligation.
    obligation_id: String,
    /// The requested time; later records are left out.
    #[schema(nullable = false)]
    as_of: Option<TimeText>,
    /// Its newest status.
    #[schema(required = true)]
    status: Option<String>,
    /// Its newest evidence.
    #[schema(required = true)]
    evidence: Option<ObligationEvidenceBody>,
    /// Its records, in order.
    records: Vec<ObligationRecordBody>,
}

/// One record of an obligation.
#[derive(Serialize, ToSchema)]
#[schema(as = ObligationRecord)]
pub(crate) struct ObligationRecordBody {
    /// Its index in the trail.
    index: u64,
    /// Its id.
    id: String,
    /// Its leaf hash.
    leaf: DigestText,
    /// When it happened.
    at: TimeText,
    /// Who acted.
    actor: ActorBody,
    /// The event.
    event: ObligationEventBody,
    /// The remaining content.
    content: ObligationContentBody,
    /// Its other terms.
    #[schema(nullable = false)]
    terms: Option<ObligationTermsBody>,
    /// Irregularities found when it was recorded.
    #[schema(nullable = false)]
    findings: Option<Vec<RecordedFindingBody>>,
    /// Irregularities after the records before it.
    #[schema(nullable = false)]
    status_findings: Option<Vec<StatusFindingBody>>,
}

/// The other terms of an obligation, unchanged.
#[derive(Serialize, ToSchema)]
#[schema(as = ObligationTerms)]
pub(crate) struct ObligationTermsBody {
    /// The obligation.
    obligation_id: String,
    /// The kind of obligation.
    #[schema(nullable = false)]
    obligation_type: Option<FreeValueBody>,
    /// The action that is due.
    #[schema(nullable = false)]
    obligation_text: Option<FreeValueBody>,
    /// Who must do it.
    #[schema(nullable = false)]
    responsible_party: Option<FreeValueBody>,
    /// Whom it is owed to.
    #[schema(nullable = false)]
    counterparty: Option<FreeValueBody>,
    /// How often.
    #[schema(nullable = false)]
    frequency: Option<FreeValueBody>,
    /// Until when.
    #[schema(nullable = false)]
    deadline: Option<FreeValueBody>,
    /// The parties of the document.
    #[schema(nullable = false)]
    parties: Option<FreeValueBody>,
    /// When the document takes effect.
    #[schema(nullable = false)]
    effective_date: Option<FreeValueBody>,
    /// The reason for the verification's result.
    #[schema(nullable = false)]
    verification_reason: Option<FreeValueBody>,
    /// The digest of the document.
    #[schema(nullable = false)]
    content_hash: Option<DigestText>,
}

/// The result of validating the records of a store.
#[derive(Serialize, ToSchema)]
#[schema(as = StoredValidation)]
pub(crate) struct StoredValidationBody {
    /// Whether nothing was found.
    valid: bool,
    /// Expected obligations without evidence, in the order asked, each once.
    missing_evidence: Vec<String>,
    /// Amendment histories with holes, in the order of the records.
    gaps: Vec<String>,
    /// How many records were validated.
    records: u64,
}

/// The states of obligations.
#[derive(Serialize, ToSchema)]
#[schema(as = ResolvedObligations)]
pub(crate) struct ResolvedObligationsBody {
    /// The listed ones in their order, each once.
    resolved: Vec<ObligationResolutionBody>,
}

/// The state of one obligation, and the amendments that led to it.
#[derive(Serialize, ToSchema)]
#[schema(as = ObligationResolution)]
pub(crate) struct ObligationResolutionBody {
    /// The obligation.
    obligation_id: String,
    /// Its status.
    status: ObligationStatusBody,
    /// The amendments that were evaluated, oldest first.
    amendment_history: Vec<AmendmentEntryBody>,
    /// How many were not evaluated because an earlier one had deleted the obligation.
    unwalked: u64,
}

/// The status of an obligation.
#[derive(Serialize, ToSchema)]
#[schema(as = ObligationStatus, rename_all = "UPPERCASE")]
pub(crate) enum ObligationStatusBody {
    /// In force.
    Active,
    /// Replaced by an amendment.
    Superseded,
    /// Deleted by an amendment, or ended.
    Terminated,
    /// Its document is not linked to any contract, so the status is unknown.
    Unresolved,
}

/// The events of an obligation.
#[derive(Serialize, ToSchema)]
#[schema(as = ObligationEvent, rename_all = "snake_case")]
pub(crate) enum ObligationEventBody {
    /// Its evidence was recorded.
    Recorded,
    /// It had no evidence, and that was recorded.
    Skipped,
    /// Its status changed.
    StatusChanged,
}

/// The remaining content of a record.
#[derive(Serialize, ToSchema)]
#[schema(as = ObligationContent, rename_all = "snake_case")]
pub(crate) enum ObligationContentBody {
    /// All of it.
    Present(ObligationStatementBody),
    /// Nothing: it was erased.
    Erased {
        /// The record that erased it.
        by: u64,
    },
    /// Missing, and no record explains it.
    Missing,
    /// Content that differs from the record's commitment.
    Altered,
}

/// The content of an obligation's record.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = ObligationStatement)]
pub(crate) enum ObligationStatementBody {
    /// Its evidence, or the change of its status.
    Evidence(Box<ObligationEvidenceBody>),
    /// The statement that it has no evidence.
    Skip(ObligationSkipBody),
}

/// An obligation without evidence.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ObligationSkip)]
pub(crate) struct ObligationSkipBody {
    /// The obligation.
    obligation_id: String,
    /// The reason.
    reason: String,
}

/// A finding as the record of its obligation keeps it.
#[derive(Serialize, ToSchema)]
#[schema(as = RecordedFinding)]
pub(crate) struct RecordedFindingBody {
    rule: String,
    message: String,
}

/// The evidence that one document contains one obligation, in the contract's fields.
#[derive(Serialize, ToSchema)]
#[schema(as = ObligationEvidence)]
pub(crate) struct ObligationEvidenceBody {
    /// The obligation.
    obligation_id: String,
    /// The document it was found in.
    doc_id: String,
    /// The document's name, for people.
    doc_filename: String,
    /// The page, where it is known.
    #[schema(required = true)]
    page_number: Option<u64>,
    /// The section, where it is known.
    #[schema(required = true)]
    section_reference: Option<String>,
    /// The exact words.
    source_clause: String,
    /// The model that found it.
    extraction_model: String,
    /// The model that checked it.
    verification_model: String,
    /// The result of the check.
    verification_result: ObligationCheckOutcomeBody,
    /// The confidence of the verifier, or else of the extractor.
    confidence: ScoreNumber,
    /// The amendments that touched it, oldest first, every key kept.
    #[schema(required = true)]
    amendment_history: Option<Vec<AmendmentEntryBody>>,
}

/// The result of verifying an obligation.
#[derive(Serialize, ToSchema)]
#[schema(as = ObligationCheckOutcome, rename_all = "UPPERCASE")]
pub(crate) enum ObligationCheckOutcomeBody {
    /// It is there.
    Confirmed,
    /// It is not there.
    Disputed,
    /// Not verified, or without a result.
    Unverified,
}

/// An amendment, in the form of the contract, of its origin or of a change of status. Other keys
/// are kept.
#[derive(Serialize, ToSchema)]
#[schema(as = AmendmentEntry)]
pub(crate) struct AmendmentEntryBody {
    /// The document.
    doc_id: Option<String>,
    /// The clause.
    clause: Option<String>,
    /// The status of the obligation at the time.
    status: Option<String>,
    /// The change: `REPLACE`, `MODIFY`, `UNCHANGED` or `DELETE`.
    action: Option<String>,
    /// The words of the amendment.
    amendment_source_clause: Option<String>,
    /// Which amendment it is.
    amendment_number: Option<u64>,
    /// The other fields, unchanged.
    #[serde(flatten)]
    rest: BTreeMap<String, serde_json::Value>,
}

/// Who acted.
#[derive(Serialize, ToSchema)]
#[schema(as = Actor)]
pub(crate) struct ActorBody {
    /// Its kind.
    kind: ActorKindName,
    /// Its name; the system has none.
    #[schema(nullable = false)]
    id: Option<String>,
}

/// The kind of actor.
#[derive(Serialize, ToSchema)]
#[schema(as = ActorKindName)]
pub(crate) enum ActorKindName {
    /// An agent.
    #[schema(rename = "agent")]
    Agent,
    /// A person.
    #[schema(rename = "person")]
    Person,
    /// The system.
    #[schema(rename = "system")]
    System,
}
