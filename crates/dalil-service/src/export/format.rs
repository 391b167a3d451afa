//! The content and the format of an export.

use dalil_phrasebook::{expected, found};
use dalil_proof::fault::Fault;
use serde::Serialize;

/// What leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExportSubject {
    /// A pack, by its id.
    Pack(String),
    /// The newest ledger of a session, by the session's id.
    Ledger(String),
}

/// In which form something leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ExportFormat {
    /// Canonical JSON (RFC 8785): a pack, or the export of a ledger for other programs.
    Json,
    /// The signed file that a stranger verifies: envelope, receipt, salt; packs only.
    Sealed,
    /// The same as an in-toto statement, signed anew; packs only.
    #[serde(rename = "in-toto")]
    InToto,
    /// Markdown, for people.
    Markdown,
    /// Pages for people, with the pack attached: PDF/A-3.
    #[cfg(feature = "pdf")]
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

impl ExportFormat {
    /// Every form with the word it is written as.
    pub const WIRE_NAMES: &[(&'static str, Self)] = &[
        ("json", Self::Json),
        ("sealed", Self::Sealed),
        ("in-toto", Self::InToto),
        ("markdown", Self::Markdown),
        #[cfg(feature = "pdf")]
        ("pdf", Self::Pdf),
        ("archive", Self::Archive),
        ("sarif", Self::Sarif),
        ("junit", Self::Junit),
        ("ledger", Self::Ledger),
    ];

    /// Whether it is written in a language.
    pub(crate) const fn has_language(self) -> bool {
        match self {
            Self::Markdown => true,
            #[cfg(feature = "pdf")]
            Self::Pdf => true,
            Self::Json
            | Self::Sealed
            | Self::InToto
            | Self::Archive
            | Self::Sarif
            | Self::Junit
            | Self::Ledger => false,
        }
    }

    /// The media type, and the file name's extension.
    pub const fn media_type(self) -> (&'static str, &'static str) {
        match self {
            Self::Json | Self::Sealed | Self::Ledger => ("application/json", "json"),
            Self::InToto => ("application/vnd.dsse.envelope.v1+json", "intoto.json"),
            Self::Markdown => ("text/markdown; charset=utf-8", "md"),
            #[cfg(feature = "pdf")]
            Self::Pdf => ("application/pdf", "pdf"),
            Self::Archive => ("application/zip", "zip"),
            Self::Sarif => ("application/sarif+json", "sarif"),
            Self::Junit => ("application/xml", "xml"),
        }
    }
}

impl ExportSubject {
    /// Refuses a form that it does not have.
    pub(crate) fn has(&self, format: ExportFormat) -> Result<(), Fault> {
        match (self, format) {
            (Self::Pack(_), ExportFormat::Sarif | ExportFormat::Junit | ExportFormat::Ledger)
            | (
                Self::Ledger(_),
                ExportFormat::Sealed | ExportFormat::InToto | ExportFormat::Archive,
            ) => Err(no_form(self)),
            _ => Ok(()),
        }
    }

    pub(crate) fn id(&self) -> &str {
        match self {
            Self::Pack(id) | Self::Ledger(id) => id,
        }
    }

    pub(super) const fn kind(&self) -> &'static str {
        match self {
            Self::Pack(_) => "pack",
            Self::Ledger(_) => "ledger",
        }
    }
}

pub(super) fn no_form(subject: &ExportSubject) -> Fault {
    let (expected, found) = match subject {
        ExportSubject::Pack(_) => (expected::form_of_a_pack(), found::a_form_of_ledgers()),
        ExportSubject::Ledger(_) => (expected::form_of_a_ledger(), found::a_form_of_packs()),
    };
    Fault::new("format", "format", expected, found)
}
