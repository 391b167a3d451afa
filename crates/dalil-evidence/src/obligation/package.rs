//! Packaging: one piece of evidence for each obligation, and a reason for each skip.

use std::borrow::Cow;
use std::fmt;
use std::mem;

use dalil_phrasebook::expected;
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::digest::Digest;
use dalil_proof::fault::{Refused, quote};
use dalil_proof::json::Json;
use dalil_proof::score::Score;
use serde::{Serialize, Serializer};

use super::table::RowsById;
use super::{
    ObligationCheckOutcome, ObligationEvidence, confidence, given, history, page, written,
};

/// What packaging gave.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ObligationPackage<'j> {
    /// The evidence, in the order of the obligations.
    pub records: Vec<ObligationEvidence<'j>>,
    /// The obligations without evidence, in their order.
    pub skipped: Vec<UnpackagedObligation<'j>>,
    /// Irregularities in the rest.
    pub findings: Vec<PackagingFinding<'j>>,
    /// What else is known of those with evidence, in their order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub terms: Vec<ObligationTerms<'j>>,
}

/// The terms of an obligation in a request, beside its evidence, word for word.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ObligationTerms<'j> {
    /// The obligation.
    pub obligation_id: &'j str,
    /// What kind of obligation it is, in the extractor's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub obligation_type: Option<&'j Json<'j>>,
    /// The action that is due.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub obligation_text: Option<&'j Json<'j>>,
    /// Who must do it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub responsible_party: Option<&'j Json<'j>>,
    /// Whom it is owed to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counterparty: Option<&'j Json<'j>>,
    /// How often.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frequency: Option<&'j Json<'j>>,
    /// Until when.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deadline: Option<&'j Json<'j>>,
    /// The parties of the document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parties: Option<&'j Json<'j>>,
    /// From when on the document is in force.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effective_date: Option<&'j Json<'j>>,
    /// The reason for the verification's result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verification_reason: Option<&'j Json<'j>>,
    /// The digest of the document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_hash: Option<Digest>,
}

/// An obligation that could not be packaged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnpackagedObligation<'j> {
    /// The obligation.
    pub obligation_id: &'j str,
    /// Why.
    pub reason: ObligationSkipReason<'j>,
}

/// Why an obligation could not be packaged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObligationSkipReason<'j> {
    /// Its document is not in the request.
    MissingDocument {
        /// The document.
        doc_id: Cow<'j, str>,
    },
    /// The request does not name a verifier.
    MissingVerification,
}

impl ObligationSkipReason<'_> {
    /// The word of the contract, for logs and figures.
    pub const fn event(&self) -> &'static str {
        match self {
            Self::MissingDocument { .. } => MISSING_DOCUMENT_EVENT,
            Self::MissingVerification => MISSING_VERIFICATION_EVENT,
        }
    }

    /// The same without the request that it was found in.
    pub fn into_owned(self) -> ObligationSkipReason<'static> {
        match self {
            Self::MissingDocument { doc_id } => {
                ObligationSkipReason::MissingDocument { doc_id: Cow::Owned(doc_id.into_owned()) }
            }
            Self::MissingVerification => ObligationSkipReason::MissingVerification,
        }
    }
}

impl fmt::Display for ObligationSkipReason<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MissingDocument { doc_id } => write!(f, "missing document {doc_id}"),
            Self::MissingVerification => f.write_str("missing verification"),
        }
    }
}

impl Serialize for ObligationSkipReason<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Something about a package that a reader should know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PackagingFinding<'j> {
    /// The obligation it is about.
    pub obligation_id: &'j str,
    /// The rule that found it: a short, stable name.
    pub rule: &'static str,
    /// The sentence a person reads.
    pub message: &'static str,
}

/// Packages a request: `{"obligations","documents","verifications","amendment_chains"?}`.
///
/// # Errors
/// Every fault in the request.
pub fn package<'j>(request: &'j Json<'j>) -> Result<ObligationPackage<'j>, Refused> {
    decode::value(request, ObligationPackageRequest::read).map(ObligationPackageRequest::package)
}

struct ObligationPackageRequest<'j> {
    obligations: Vec<ExtractedObligation<'j>>,
    documents: RowsById<'j, Option<ObligationDocument<'j>>>,
    verifications: RowsById<'j, Option<ObligationVerification<'j>>>,
    chains: RowsById<'j, Option<&'j [Json<'j>]>>,
}

struct ExtractedObligation<'j> {
    obligation_id: &'j str,
    doc_id: &'j str,
    source_clause: &'j str,
    extraction_model: &'j str,
    source_page: Option<u64>,
    section_reference: Option<&'j str>,
    confidence: Option<Score>,
    obligation_type: Option<&'j Json<'j>>,
    obligation_text: Option<&'j Json<'j>>,
    responsible_party: Option<&'j Json<'j>>,
    counterparty: Option<&'j Json<'j>>,
    frequency: Option<&'j Json<'j>>,
    deadline: Option<&'j Json<'j>>,
}

struct ObligationDocument<'j> {
    filename: &'j str,
    parties: Option<&'j Json<'j>>,
    effective_date: Option<&'j Json<'j>>,
    content_hash: Option<Digest>,
}

struct ObligationVerification<'j> {
    verification_model: &'j str,
    outcome: ObligationCheckOutcome,
    confidence: Option<Score>,
    reason: Option<&'j Json<'j>>,
}

impl<'j> ObligationPackageRequest<'j> {
    fn read(reader: JsonReader<'_, 'j>) -> Option<Self> {
        let mut fields = reader.object()?;
        let obligations = fields.required("obligations", |list| list.list(obligation));
        let documents = fields.required("documents", |map| {
            map.members(|key, one| one.nullable(|one| document(key, one)))
        });
        let verifications = fields
            .required("verifications", |map| map.members(|_, one| one.nullable(verification)));
        let chains = fields.or("amendment_chains", Vec::new(), |map| {
            map.members(|_, chain| chain.nullable(history::read))
        });
        fields.done()?;
        Some(Self {
            obligations: obligations?,
            documents: RowsById::new(documents?),
            verifications: RowsById::new(verifications?),
            chains: RowsById::new(chains?),
        })
    }

    fn package(mut self) -> ObligationPackage<'j> {
        let mut package = ObligationPackage {
            records: Vec::with_capacity(self.obligations.len()),
            skipped: Vec::new(),
            findings: Vec::new(),
            terms: Vec::new(),
        };
        // Taken out, because `add` borrows the tables mutably: finding a row marks it as used.
        for obligation in mem::take(&mut self.obligations) {
            self.add(&obligation, &mut package);
        }
        for obligation_id in self.verifications.unused() {
            let message = "a verification without an obligation was left out";
            package.findings.push(PackagingFinding {
                obligation_id,
                rule: "unused_verification",
                message,
            });
        }
        for obligation_id in self.chains.unused() {
            let message = "an amendment chain without an obligation was left out";
            package.findings.push(PackagingFinding {
                obligation_id,
                rule: "unused_chain",
                message,
            });
        }
        package
    }

    fn add(&mut self, obligation: &ExtractedObligation<'j>, package: &mut ObligationPackage<'j>) {
        let ExtractedObligation { obligation_id, doc_id, .. } = *obligation;
        // All three are looked up before anything is
        // skipped, so that none of them counts as unused.
        let verification = self.verifications.find(obligation_id).and_then(Option::as_ref);
        let amendment_history = self.chains.find(obligation_id).copied().flatten();
        let document = self.documents.find(doc_id).and_then(Option::as_ref);
        let reason = match (document, verification) {
            (Some(document), Some(verification)) => {
                let given = verification.confidence.or(obligation.confidence);
                let confidence = given.unwrap_or_else(|| {
                    let message =
                        "neither the verifier nor the extractor gave a confidence; 0 stands in";
                    let rule = "missing_confidence";
                    package.findings.push(PackagingFinding { obligation_id, rule, message });
                    Score::ZERO
                });
                package.terms.extend(terms(obligation, document, verification));
                package.records.push(ObligationEvidence {
                    obligation_id,
                    doc_id,
                    doc_filename: document.filename,
                    page_number: obligation.source_page,
                    section_reference: obligation.section_reference,
                    source_clause: obligation.source_clause,
                    extraction_model: obligation.extraction_model,
                    verification_model: verification.verification_model,
                    verification_result: verification.outcome,
                    confidence,
                    amendment_history,
                });
                return;
            }
            // Both may be missing; spec/record.md, "Package", names the document first.
            (None, _) => ObligationSkipReason::MissingDocument { doc_id: Cow::Borrowed(doc_id) },
            (Some(_), None) => ObligationSkipReason::MissingVerification,
        };
        package.skipped.push(UnpackagedObligation { obligation_id, reason });
    }
}

/// The terms in the request beside the evidence; `None` where there are none.
fn terms<'j>(
    obligation: &ExtractedObligation<'j>,
    document: &ObligationDocument<'j>,
    verification: &ObligationVerification<'j>,
) -> Option<ObligationTerms<'j>> {
    let terms = ObligationTerms {
        obligation_id: obligation.obligation_id,
        obligation_type: obligation.obligation_type,
        obligation_text: obligation.obligation_text,
        responsible_party: obligation.responsible_party,
        counterparty: obligation.counterparty,
        frequency: obligation.frequency,
        deadline: obligation.deadline,
        parties: document.parties,
        effective_date: document.effective_date,
        verification_reason: verification.reason,
        content_hash: document.content_hash,
    };
    let said = [
        terms.obligation_type,
        terms.obligation_text,
        terms.responsible_party,
        terms.counterparty,
        terms.frequency,
        terms.deadline,
        terms.parties,
        terms.effective_date,
        terms.verification_reason,
    ];
    let is_empty = said.iter().all(Option::is_none) && terms.content_hash.is_none();
    (!is_empty).then_some(terms)
}

/// A value that is kept as it came.
#[expect(clippy::unnecessary_wraps, reason = "readers of fields give an option")]
fn verbatim<'j>(reader: JsonReader<'_, 'j>) -> Option<&'j Json<'j>> {
    Some(reader.json)
}

fn obligation<'j>(reader: JsonReader<'_, 'j>) -> Option<ExtractedObligation<'j>> {
    let mut fields = reader.object()?;
    let obligation_id = fields.required("obligation_id", given);
    let doc_id = fields.required("doc_id", given);
    let source_clause = fields.required("source_clause", written);
    let extraction_model = fields.required("extraction_model", written);
    let source_page = fields.optional("source_page", page);
    let section_reference = fields.optional("section_reference", decode::text);
    let confidence = fields.given("confidence", confidence);
    let [obligation_type, obligation_text, responsible_party, counterparty, frequency, deadline] =
        [
            "obligation_type",
            "obligation_text",
            "responsible_party",
            "counterparty",
            "frequency",
            "deadline",
        ]
        .map(|name| fields.optional(name, verbatim).flatten());
    fields.ignored(&IGNORED_OBLIGATION_FIELDS);
    fields.done()?;
    Some(ExtractedObligation {
        obligation_id: obligation_id?,
        doc_id: doc_id?,
        source_clause: source_clause?,
        extraction_model: extraction_model?,
        source_page: source_page?,
        section_reference: section_reference?,
        confidence: confidence?,
        obligation_type,
        obligation_text,
        responsible_party,
        counterparty,
        frequency,
        deadline,
    })
}

fn document<'j>(key: &'j str, reader: JsonReader<'_, 'j>) -> Option<ObligationDocument<'j>> {
    // A document under another's key would support the other's obligations.
    let same = |doc_id: JsonReader<'_, 'j>| {
        let found = decode::text(doc_id)?;
        let expected = expected::key_it_stands_under(quote(key));
        if found == key { Some(()) } else { doc_id.refuse("document", expected) }
    };
    let mut fields = reader.object()?;
    let doc_id = fields.optional("doc_id", same);
    let filename = fields.required("filename", written);
    let content_hash = fields.optional("content_hash", decode::digest);
    let [parties, effective_date] =
        ["parties", "effective_date"].map(|name| fields.optional(name, verbatim).flatten());
    fields.ignored(&IGNORED_DOCUMENT_FIELDS);
    fields.done()?;
    doc_id?;
    let (filename, content_hash) = (filename?, content_hash?);
    Some(ObligationDocument { filename, parties, effective_date, content_hash })
}

fn verification<'j>(reader: JsonReader<'_, 'j>) -> Option<ObligationVerification<'j>> {
    let mut fields = reader.object()?;
    let verification_model = fields.required("verification_model", written);
    let result = fields.optional("result", explicit);
    let verified = fields.optional("verified", decode::flag);
    let confidence = fields.given("confidence", confidence);
    let reason = fields.optional("reason", verbatim).flatten();
    fields.done()?;
    // An explicit result wins over the flag. With neither, it is unconfirmed.
    let outcome = match (result?, verified?) {
        (Some(ExplicitOutcome::Outcome(outcome)), _) => outcome,
        (None | Some(ExplicitOutcome::Nothing), Some(true)) => ObligationCheckOutcome::Confirmed,
        (None | Some(ExplicitOutcome::Nothing), Some(false)) => ObligationCheckOutcome::Disputed,
        (None | Some(ExplicitOutcome::Nothing), None) => ObligationCheckOutcome::Unverified,
    };
    Some(ObligationVerification {
        verification_model: verification_model?,
        outcome,
        confidence: confidence?,
        reason,
    })
}

/// The value of a verification's `result`.
enum ExplicitOutcome {
    Outcome(ObligationCheckOutcome),
    /// An empty string means no result, as in the contract.
    Nothing,
}

fn explicit(reader: JsonReader<'_, '_>) -> Option<ExplicitOutcome> {
    if matches!(reader.json, Json::Text(text) if text.is_empty()) {
        return Some(ExplicitOutcome::Nothing);
    }
    reader.choice(ObligationCheckOutcome::WIRE_NAMES).map(ExplicitOutcome::Outcome)
}

/// The words of the contract for obligations without evidence.
pub const MISSING_DOCUMENT_EVENT: &str = "evidence_missing_document";
/// The same for obligations without a verification.
pub const MISSING_VERIFICATION_EVENT: &str = "evidence_missing_verification";
/// Fields of an obligation from the contract's origin that duplicate others.
const IGNORED_OBLIGATION_FIELDS: [&str; 4] = ["id", "status", "source_doc_id", "amendment_history"];
/// Fields of a document from the contract's origin that no obligation needs.
const IGNORED_DOCUMENT_FIELDS: [&str; 9] = [
    "id",
    "org_id",
    "doc_type",
    "file_path",
    "file_size_bytes",
    "status",
    "parent_reference_raw",
    "classification_confidence",
    "obligations",
];
