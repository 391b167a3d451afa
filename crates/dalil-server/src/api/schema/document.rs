//! Documents.

use serde::Serialize;
use utoipa::ToSchema;

use super::scalar::{DigestText, FileBytes, TimeText};

/// A part of a list.
#[derive(Serialize, ToSchema)]
#[schema(as = DocumentPage)]
pub(crate) struct DocumentPageBody {
    /// The items.
    items: Vec<DocumentSummaryBody>,
    /// Where the next part begins; absent on the last.
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
    /// The date that it gives itself.
    #[schema(nullable = false)]
    document_date: Option<String>,
    /// How many pages it has.
    #[schema(nullable = false)]
    pages: Option<u64>,
    /// Its record.
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
    /// Whether it was not there before under this name.
    is_new: bool,
    /// Its record.
    index: u64,
    /// Why nothing of it could be read.
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
    /// Whether it was not there before under this name.
    is_new: bool,
    /// Its record.
    index: u64,
}

/// A document in a form.
#[derive(Serialize, ToSchema)]
#[schema(as = DocumentForm)]
pub(crate) struct DocumentFormBody {
    /// The file, with its name.
    file: FileBytes,
}
