//! Exports: files that leave the system.

use serde::Serialize;
use utoipa::ToSchema;

use super::scalar::{DigestText, LanguageCode, TimeText};

/// A part of a list.
#[derive(Serialize, ToSchema)]
#[schema(as = ExportPage)]
pub(crate) struct ExportPageBody {
    /// The items.
    items: Vec<ExportSummaryBody>,
    /// Where the next part begins; absent on the last.
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// In which form something leaves, and why.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ExportOrder)]
pub(crate) struct ExportOrderBody {
    /// In which form.
    format: ExportFormatBody,
    /// In which language, where the form has one; English when absent.
    language: Option<LanguageCode>,
    /// Why.
    #[schema(min_length = 1, max_length = 2048)]
    reason: String,
}

/// In which form a ledger leaves, and why.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = LedgerExportOrder)]
pub(crate) struct LedgerExportOrderBody {
    /// In which form.
    format: ExportFormatBody,
    /// In which language, where the form has one; English when absent.
    language: Option<LanguageCode>,
    /// The reason; the record shows when none was given.
    #[schema(min_length = 1, max_length = 2048)]
    reason: Option<String>,
}

/// In which form something leaves.
#[derive(Serialize, ToSchema)]
#[schema(as = ExportFormat, rename_all = "lowercase")]
pub(crate) enum ExportFormatBody {
    /// Canonical JSON (RFC 8785): a pack, or the export of a ledger for other programs.
    Json,
    /// The signed file that a stranger verifies: envelope, receipt, salt; packs only.
    Sealed,
    /// The same as an in-toto statement, signed anew; packs only.
    #[schema(rename = "in-toto")]
    #[serde(rename = "in-toto")]
    InToto,
    /// Markdown, for people.
    Markdown,
    /// Pages for people, with the pack attached: PDF/A-3.
    Pdf,
    /// A pack with everything that it can be checked with.
    Archive,
    /// SARIF, for code scanners; ledgers only.
    Sarif,
    /// `JUnit`, for continuous integration; ledgers only.
    Junit,
    /// The whole ledger, as canonical JSON that can be verified; ledgers only.
    Ledger,
}

/// An export, as a list shows it.
#[derive(Serialize, ToSchema)]
#[schema(as = ExportSummary)]
pub(crate) struct ExportSummaryBody {
    /// Its name.
    export_id: String,
    /// The exported object.
    subject: String,
    /// In which form.
    format: String,
    /// The digest of its bytes, when they were known beforehand.
    #[schema(nullable = false)]
    sha256: Option<DigestText>,
    /// Who exported it.
    #[schema(nullable = false)]
    exported_by: Option<String>,
    /// Who approved it.
    #[schema(required = true)]
    approved_by: Option<String>,
    /// Why.
    #[schema(required = true)]
    reason: Option<String>,
    /// When.
    at: TimeText,
    /// Its record.
    index: u64,
}
