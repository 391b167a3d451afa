//! Documents.

use serde::Serialize;
use utoipa::ToSchema;

use super::scalar::{DigestText, FileBytes, TimeText};

/// A page of a list.
#[derive(Serialize, ToSchema)]
#[schema(as = DocumentPage)]
pub(crate) struct DocumentPageBody {
    /// The items.
    items: Vec<DocumentSummaryBody>,
    /// The cursor of the next page; absent on the last page.
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// A document, as a list shows it.
#[derive(Serialize, ToSchema)]
#[schema(as = DocumentSummary)]
pub(crate) struct DocumentSummaryBody {
    /// Its id.
    document_id: String,
    /// Its file name.
    filename: String,
    /// Its media type.
    media_type: String,
    /// The digest of its bytes.
    sha256: DigestText,
    /// How many bytes it has.
    size: u64,
    /// When it was read.
    retrieved_at: TimeText,
    /// The date that it states.
    #[schema(nullable = false)]
    document_date: Option<String>,
    /// How many pages it has.
    #[schema(nullable = false)]
    pages: Option<u64>,
    /// The index of its record.
    index: u64,
}

/// A stored document, and the parts of it that could not be read.
#[derive(Serialize, ToSchema)]
#[schema(as = DocumentUploadResponse)]
pub(crate) struct DocumentUploadResponseBody {
    /// Its id: the short digest.
    document_id: String,
    /// Its file name.
    filename: String,
    /// The digest of its bytes.
    sha256: DigestText,
    /// How many chunks it has.
    chunks: u64,
    /// Whether it is new under this name.
    is_new: bool,
    /// The index of its record.
    index: u64,
    /// Why nothing could be read from it.
    #[schema(nullable = false)]
    unread: Option<String>,
    /// The parts that could not be read, with their places.
    #[schema(nullable = false)]
    problems: Option<Vec<String>>,
}

/// A document of the store.
#[derive(Serialize, ToSchema)]
#[schema(as = AddedDocument)]
pub(crate) struct AddedDocumentBody {
    /// Its id: the short digest.
    document_id: String,
    /// Its file name.
    filename: String,
    /// The digest of its bytes.
    sha256: DigestText,
    /// How many chunks it has.
    chunks: u64,
    /// Whether it is new under this name.
    is_new: bool,
    /// The index of its record.
    index: u64,
}

/// A document in a form.
#[derive(Serialize, ToSchema)]
#[schema(as = DocumentForm)]
pub(crate) struct DocumentFormBody {
    /// The file, with its name.
    file: FileBytes,
}
