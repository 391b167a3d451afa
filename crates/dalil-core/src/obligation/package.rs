//! Packaging: one piece of evidence for each obligation, and a reason for each skip.

use std::mem;

use serde::Serialize;

use super::table::Table;
use super::{Evidence, Outcome, confidence, given, history, page};
use crate::fault::{Refused, quote};
use crate::json::Json;
use crate::read::{self, Reader};
use crate::score::Score;

/// What packaging gave.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Package<'j> {
    /// The evidence, in the order of the obligations.
    pub records: Vec<Evidence<'j>>,
    /// The obligations without evidence, in their order.
    pub skipped: Vec<Skip<'j>>,
    /// What is odd about the rest.
    pub findings: Vec<Finding<'j>>,
}

/// An obligation that could not be packaged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Skip<'j> {
    /// The obligation.
    pub obligation_id: &'j str,
    /// Why.
    pub reason: String,
}

/// Something about a package that a reader should know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding<'j> {
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
pub fn package<'j>(request: &'j Json<'j>) -> Result<Package<'j>, Refused> {
    read::value(request, Request::read).map(Request::package)
}

struct Request<'j> {
    obligations: Vec<Obligation<'j>>,
    documents: Table<'j, Option<Document<'j>>>,
    verifications: Table<'j, Option<Verification<'j>>>,
    chains: Table<'j, Option<&'j [Json<'j>]>>,
}

struct Obligation<'j> {
    obligation_id: &'j str,
    doc_id: &'j str,
    source_clause: &'j str,
    extraction_model: &'j str,
    source_page: Option<u64>,
    section_reference: Option<&'j str>,
    confidence: Option<Score>,
}

struct Document<'j> {
    filename: &'j str,
}

struct Verification<'j> {
    verification_model: &'j str,
    outcome: Outcome,
    confidence: Option<Score>,
}

impl<'j> Request<'j> {
    fn read(reader: Reader<'_, 'j>) -> Option<Self> {
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
            documents: Table::new(documents?),
            verifications: Table::new(verifications?),
            chains: Table::new(chains?),
        })
    }

    fn package(mut self) -> Package<'j> {
        let mut package = Package {
            records: Vec::with_capacity(self.obligations.len()),
            skipped: Vec::new(),
            findings: Vec::new(),
        };
        for obligation in mem::take(&mut self.obligations) {
            self.add(&obligation, &mut package);
        }
        for obligation_id in self.verifications.unused() {
            let message = "a verification without an obligation was left out";
            package.findings.push(Finding { obligation_id, rule: "unused_verification", message });
        }
        for obligation_id in self.chains.unused() {
            let message = "an amendment chain without an obligation was left out";
            package.findings.push(Finding { obligation_id, rule: "unused_chain", message });
        }
        package
    }

    fn add(&mut self, obligation: &Obligation<'j>, package: &mut Package<'j>) {
        let Obligation { obligation_id, doc_id, .. } = *obligation;
        let verification = self.verifications.find(obligation_id).and_then(Option::as_ref);
        let amendment_history = self.chains.find(obligation_id).copied().flatten();
        let document = self.documents.find(doc_id).and_then(Option::as_ref);
        let reason = match (document, verification) {
            (Some(document), Some(verification)) => {
                let confidence = verification.confidence.or(obligation.confidence);
                if confidence.is_none() {
                    let message =
                        "neither the verifier nor the extractor gave a confidence; 0 stands in";
                    let rule = "missing_confidence";
                    package.findings.push(Finding { obligation_id, rule, message });
                }
                package.records.push(Evidence {
                    obligation_id,
                    doc_id,
                    doc_filename: document.filename,
                    page_number: obligation.source_page,
                    section_reference: obligation.section_reference,
                    source_clause: obligation.source_clause,
                    extraction_model: obligation.extraction_model,
                    verification_model: verification.verification_model,
                    verification_result: verification.outcome,
                    confidence: confidence.unwrap_or_default(),
                    amendment_history,
                });
                return;
            }
            (None, _) => format!("missing document {doc_id}"),
            (Some(_), None) => "missing verification".to_owned(),
        };
        package.skipped.push(Skip { obligation_id, reason });
    }
}

fn obligation<'j>(reader: Reader<'_, 'j>) -> Option<Obligation<'j>> {
    let mut fields = reader.object()?;
    let obligation_id = fields.required("obligation_id", given);
    let doc_id = fields.required("doc_id", given);
    let source_clause = fields.required("source_clause", read::text);
    let extraction_model = fields.required("extraction_model", read::text);
    let source_page = fields.optional("source_page", page);
    let section_reference = fields.optional("section_reference", read::text);
    let confidence = fields.given("confidence", confidence);
    fields.ignored(&OBLIGATION_IGNORED);
    fields.done()?;
    Some(Obligation {
        obligation_id: obligation_id?,
        doc_id: doc_id?,
        source_clause: source_clause?,
        extraction_model: extraction_model?,
        source_page: source_page?,
        section_reference: section_reference?,
        confidence: confidence?,
    })
}

fn document<'j>(key: &'j str, reader: Reader<'_, 'j>) -> Option<Document<'j>> {
    // A document under another's key would stand behind the other's obligations.
    let same = |doc_id: Reader<'_, 'j>| {
        let found = read::text(doc_id)?;
        let expected = format!("{}, the key it stands under", quote(key));
        if found == key { Some(()) } else { doc_id.refuse("document", expected) }
    };
    let mut fields = reader.object()?;
    let doc_id = fields.optional("doc_id", same);
    let filename = fields.required("filename", read::text);
    fields.ignored(&DOCUMENT_IGNORED);
    fields.done()?;
    doc_id?;
    Some(Document { filename: filename? })
}

fn verification<'j>(reader: Reader<'_, 'j>) -> Option<Verification<'j>> {
    let mut fields = reader.object()?;
    let verification_model = fields.required("verification_model", read::text);
    let result = fields.optional("result", explicit);
    let verified = fields.optional("verified", read::flag);
    let confidence = fields.given("confidence", confidence);
    fields.ignored(&["reason"]);
    fields.done()?;
    let outcome = match (result?, verified?) {
        (Some(Explicit::Outcome(outcome)), _) => outcome,
        (None | Some(Explicit::Nothing), Some(true)) => Outcome::Confirmed,
        (None | Some(Explicit::Nothing), Some(false)) => Outcome::Disputed,
        (None | Some(Explicit::Nothing), None) => Outcome::Unverified,
    };
    Some(Verification { verification_model: verification_model?, outcome, confidence: confidence? })
}

/// What a verification's `result` says.
enum Explicit {
    Outcome(Outcome),
    /// An empty string says nothing, as in the seed.
    Nothing,
}

fn explicit(reader: Reader<'_, '_>) -> Option<Explicit> {
    if matches!(reader.json, Json::Text(text) if text.is_empty()) {
        return Some(Explicit::Nothing);
    }
    reader.choice(Outcome::WORDS).map(Explicit::Outcome)
}

/// What the seed's origin says about an obligation beside its evidence.
const OBLIGATION_IGNORED: [&str; 10] = [
    "id",
    "obligation_text",
    "obligation_type",
    "responsible_party",
    "counterparty",
    "frequency",
    "deadline",
    "status",
    "source_doc_id",
    "amendment_history",
];
/// What the seed's origin says about a document beside its name.
const DOCUMENT_IGNORED: [&str; 11] = [
    "id",
    "org_id",
    "doc_type",
    "file_path",
    "file_size_bytes",
    "status",
    "parties",
    "effective_date",
    "parent_reference_raw",
    "classification_confidence",
    "obligations",
];
