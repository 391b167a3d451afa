//! Requests about obligations (spec/record.md).

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use super::obligation::AmendmentEntryBody;
use super::scalar::{DigestText, FreeValueBody, ScoreNumber};

/// Obligations and their evidence.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ObligationPackageOrder)]
pub(crate) struct ObligationPackageOrderBody {
    /// The obligations that were found.
    obligations: Vec<ExtractedObligationBody>,
    /// The documents, by their ids.
    documents: BTreeMap<String, DocumentOrNullBody>,
    /// The result of a second model for each obligation, by its id.
    verifications: BTreeMap<String, VerificationOrNullBody>,
    /// The amendments of each obligation, by its id, the oldest first.
    amendment_chains: Option<BTreeMap<String, AmendmentsOrNullBody>>,
}

/// An obligation as a model found it, with the fields of its origin: some are stored as its terms.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ExtractedObligation)]
pub(crate) struct ExtractedObligationBody {
    /// The obligation.
    #[schema(min_length = 1)]
    obligation_id: String,
    /// The document that it was found in.
    #[schema(min_length = 1)]
    doc_id: String,
    /// The exact words.
    source_clause: String,
    /// The model that found it.
    extraction_model: String,
    /// The page.
    #[schema(maximum = 1000000000)]
    source_page: Option<u64>,
    /// The section.
    section_reference: Option<String>,
    /// The extractor's confidence.
    #[schema(nullable = false)]
    confidence: Option<ScoreOrTextBody>,
    /// Accepted, not stored.
    #[schema(nullable = false)]
    id: Option<FreeValueBody>,
    /// The action that is due.
    #[schema(nullable = false)]
    obligation_text: Option<FreeValueBody>,
    /// The kind of obligation.
    #[schema(nullable = false)]
    obligation_type: Option<FreeValueBody>,
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
    /// Accepted, not stored.
    #[schema(nullable = false)]
    status: Option<FreeValueBody>,
    /// Accepted, not stored.
    #[schema(nullable = false)]
    source_doc_id: Option<FreeValueBody>,
    /// Accepted, not stored.
    #[schema(nullable = false)]
    amendment_history: Option<FreeValueBody>,
}

/// A number from 0 to 1, or its digits as a text.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = ScoreOrText)]
pub(crate) enum ScoreOrTextBody {
    /// A number.
    Number(ScoreNumber),
    /// Its digits.
    Text(String),
}

/// A document, with the fields of its origin: some are stored as terms of its obligations.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ObligationDocument)]
pub(crate) struct ObligationDocumentBody {
    /// The key of its entry.
    doc_id: Option<String>,
    /// Its file name.
    filename: String,
    /// The digest of its bytes; clauses are looked for in a document that the store has.
    content_hash: Option<DigestText>,
    /// Accepted, not stored.
    #[schema(nullable = false)]
    id: Option<FreeValueBody>,
    /// Accepted, not stored.
    #[schema(nullable = false)]
    org_id: Option<FreeValueBody>,
    /// Accepted, not stored.
    #[schema(nullable = false)]
    doc_type: Option<FreeValueBody>,
    /// Accepted, not stored.
    #[schema(nullable = false)]
    file_path: Option<FreeValueBody>,
    /// Accepted, not stored.
    #[schema(nullable = false)]
    file_size_bytes: Option<FreeValueBody>,
    /// Accepted, not stored.
    #[schema(nullable = false)]
    status: Option<FreeValueBody>,
    /// The parties of the document.
    #[schema(nullable = false)]
    parties: Option<FreeValueBody>,
    /// When it takes effect.
    #[schema(nullable = false)]
    effective_date: Option<FreeValueBody>,
    /// Accepted, not stored.
    #[schema(nullable = false)]
    parent_reference_raw: Option<FreeValueBody>,
    /// Accepted, not stored.
    #[schema(nullable = false)]
    classification_confidence: Option<FreeValueBody>,
    /// Accepted, not stored.
    #[schema(nullable = false)]
    obligations: Option<FreeValueBody>,
}

/// A document, or nothing.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = DocumentOrNull)]
pub(crate) enum DocumentOrNullBody {
    /// The document.
    Document(Box<ObligationDocumentBody>),
    /// `null`.
    Nothing,
}

/// A verification, or nothing.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = VerificationOrNull)]
pub(crate) enum VerificationOrNullBody {
    /// The verification.
    Verification(Box<ObligationVerificationBody>),
    /// `null`.
    Nothing,
}

/// Amendments, or nothing.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = AmendmentsOrNull)]
pub(crate) enum AmendmentsOrNullBody {
    /// The amendments, the oldest first.
    Amendments(Vec<AmendmentEntryBody>),
    /// `null`.
    Nothing,
}

/// The result of a second model for an obligation.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ObligationVerification)]
pub(crate) struct ObligationVerificationBody {
    /// The model.
    verification_model: String,
    /// Its result; empty is the same as absent.
    #[schema(pattern = "^(CONFIRMED|DISPUTED|UNVERIFIED)?$")]
    result: Option<String>,
    /// Whether it is there, when `result` is not given.
    verified: Option<bool>,
    /// Its confidence.
    #[schema(nullable = false)]
    confidence: Option<ScoreOrTextBody>,
    /// The model's reason.
    #[schema(nullable = false)]
    reason: Option<FreeValueBody>,
}

/// A change of the status of an obligation.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = StatusChangeOrder)]
pub(crate) struct StatusChangeOrderBody {
    /// The obligation.
    #[schema(min_length = 1)]
    obligation_id: String,
    /// The old status.
    #[schema(min_length = 1)]
    old_status: String,
    /// The new status.
    #[schema(min_length = 1)]
    new_status: String,
    /// The reason.
    reason: String,
    /// The document that changed it.
    changed_by_doc_id: Option<String>,
}

/// Obligations that should have evidence.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ExpectedObligations)]
pub(crate) struct ExpectedObligationsBody {
    /// Their ids.
    expected_obligation_ids: Vec<String>,
}

/// Obligations that should have evidence, or nothing.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = StoredValidationOrder)]
pub(crate) struct StoredValidationOrderBody {
    /// Their ids.
    expected_obligation_ids: Option<Vec<String>>,
}

/// Obligations to resolve; all when absent.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = StoredResolveOrder)]
pub(crate) struct StoredResolveOrderBody {
    /// Their ids.
    obligation_ids: Option<Vec<String>>,
}
