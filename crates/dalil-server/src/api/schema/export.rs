//! Exports: files that leave the system.

use serde::Serialize;
use utoipa::ToSchema;

use super::scalar::{DigestText, LanguageCode, TimeText};

/// A page of a list.
#[derive(Serialize, ToSchema)]
#[schema(as = ExportPage)]
pub(crate) struct ExportPageBody {
    /// The items.
    items: Vec<ExportSummaryBody>,
    /// The cursor of the next page; absent on the last page.
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// The format of an export, and the reason for it.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ExportOrder)]
pub(crate) struct ExportOrderBody {
    /// The format.
    format: ExportFormatBody,
    /// The language, for formats that have one; English when absent.
    language: Option<LanguageCode>,
    /// The reason.
    #[schema(min_length = 1, max_length = 2048)]
    reason: String,
}

/// The format of the export of a ledger, and the reason for it.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = LedgerExportOrder)]
pub(crate) struct LedgerExportOrderBody {
    /// The format.
    format: ExportFormatBody,
    /// The language, for formats that have one; English when absent.
    language: Option<LanguageCode>,
    /// The reason; the record shows when none was given.
    #[schema(min_length = 1, max_length = 2048)]
    reason: Option<String>,
}

/// The format of an export.
#[derive(Serialize, ToSchema)]
#[schema(as = ExportFormat, rename_all = "lowercase")]
pub(crate) enum ExportFormatBody {
    /// Canonical JSON (RFC 8785): a pack, or the export of a ledger for other programs.
    Json,
    /// The signed file that `dalil verify` takes: envelope, receipt, salt; packs only.
    Sealed,
    /// The same as an in-toto statement, signed anew; packs only.
    #[schema(rename = "in-toto")]
    #[serde(rename = "in-toto")]
    InToto,
    /// Markdown, for people.
    Markdown,
    /// Pages for people, with the pack attached: PDF/A-3.
    Pdf,
    /// A pack with everything needed to verify it.
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
    /// Its id.
    export_id: String,
    /// The exported object.
    subject: String,
    /// The format.
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
    /// The reason.
    #[schema(required = true)]
    reason: Option<String>,
    /// When.
    at: TimeText,
    /// The index of its record.
    index: u64,
}
