//! Documents, the evidence that answers are checked against.

use std::path::{Path, PathBuf};

use axum::body::{Body, BodyDataStream};
use axum::extract::{DefaultBodyLimit, FromRequest as _, Multipart, Request, State};
use axum::http::HeaderMap;
use axum::response::Response;
use bytes::Bytes;
use dalil::corpus::{Corpus, CorpusCache};
use dalil_phrasebook::{bound, expected, found};
use dalil_proof::digest::Digest;
use dalil_proof::fault::{Fault, quoted};
use dalil_service::document::{self, AddedDocument};
use dalil_store::Tenant;
use futures_util::StreamExt as _;
use serde::{Deserialize, Serialize};
use tokio::fs::File;
use tokio::io::AsyncWriteExt as _;

use super::schema;
use crate::app::App;
use crate::caller::Caller;
use crate::extract::{ApiPath, ApiQuery, check_content_length, media_type, too_large};
use crate::page::{CursorPage, PageQuery};
use crate::problem::{ApiProblem, ProblemKind};
use crate::reply;
use crate::scratch_folder::{ScratchFolder, create_private};

/// The documents of the tenant, in the order in which they were added
#[utoipa::path(get, path = "/api/v1/documents", operation_id = "list_documents", tag = "documents", params(PageQuery),
    responses((status = 200, description = "A page of documents.", body = schema::document::DocumentPageBody)))]
pub(crate) async fn list(
    caller: Caller,
    ApiQuery(wanted): ApiQuery<PageQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let part = wanted.place()?;
    let items = document::page(&caller.tenant, part).await?;
    reply::json(&headers, &CursorPage::of(items, part, |one| one.index))
}

/// The name of a document, when its body does not state one.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct DocumentUploadQuery {
    /// The name of the file; required unless the body is `multipart/form-data`.
    #[param(example = "policy.pdf", max_length = 255)]
    filename: Option<String>,
}

/// Adds a document: PDF, DOCX, XLSX, HTML, Markdown, text, CSV or EML
///
/// The body is the file itself, or one file in `multipart/form-data`. It is parsed in a separate
/// process, within limits; its bytes are stored even if parts cannot be read.
#[utoipa::path(post, path = "/api/v1/documents", operation_id = "upload_document", tag = "documents", params(DocumentUploadQuery),
    request_body(content((schema::scalar::FileBytes = "application/octet-stream"),
                         (schema::document::DocumentFormBody = "multipart/form-data"))),
    responses((status = 201, description = "The stored document, with its record.", body = schema::document::DocumentUploadResponseBody),
              (status = 200, description = "It already existed.", body = schema::document::DocumentUploadResponseBody)))]
pub(crate) async fn upload(
    State(app): State<App>,
    caller: Caller,
    ApiQuery(named): ApiQuery<DocumentUploadQuery>,
    request: Request,
) -> Result<Response, ApiProblem> {
    let limit = app.config.limits.upload;
    // An upload with a declared length above the limit costs nothing.
    check_content_length(request.headers(), limit)?;
    // The body goes to the disk, so that a slow upload holds no memory while it lasts.
    let folder = ScratchFolder::new(&app.scratch).await?;
    let path = if media_type(request.headers()).as_deref() == Some("multipart/form-data") {
        from_form(&folder, request, limit).await?
    } else {
        let path = folder.path().join(plain(named.filename.as_deref())?);
        write(&path, request.into_body(), limit).await?;
        path
    };
    let kept = keep(&app, &caller, path).await?;
    let location = format!("/api/v1/documents/{}", kept.added.document_id);
    if kept.added.is_new {
        reply::created(&location, &kept)
    } else {
        reply::status(axum::http::StatusCode::OK, &kept)
    }
}

/// A stored document, and the parts of it that could not be read.
#[derive(Serialize)]
struct DocumentUploadResponse {
    #[serde(flatten)]
    added: AddedDocument,
    /// Why nothing could be read from it.
    #[serde(skip_serializing_if = "Option::is_none")]
    unread: Option<String>,
    /// The parts that could not be read, with their places.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<String>,
}

/// A document of the tenant
#[utoipa::path(get, path = "/api/v1/documents/{document_id}", operation_id = "show_document", tag = "documents",
    params(("document_id" = String, Path, description = "The document.")),
    responses((status = 200, description = "Its details.", body = schema::document::DocumentSummaryBody)))]
pub(crate) async fn show(
    caller: Caller,
    ApiPath(id): ApiPath<String>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    reply::json(&headers, &document::show(&caller.tenant, &id).await?)
}

/// Which page of a document.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct DocumentTextQuery {
    /// Only this page.
    #[param(minimum = 1)]
    page: Option<u32>,
}

/// The text that was read from a document, or from one of its pages
#[utoipa::path(get, path = "/api/v1/documents/{document_id}/text", operation_id = "document_text", tag = "documents",
    params(("document_id" = String, Path, description = "The document."), DocumentTextQuery),
    responses((status = 200, description = "The text.", body = String, content_type = "text/plain")))]
pub(crate) async fn text(
    caller: Caller,
    ApiPath(id): ApiPath<String>,
    ApiQuery(paged): ApiQuery<DocumentTextQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let text = document::text(&caller.tenant, &id, paged.page.map(u64::from)).await?;
    Ok(reply::text(&headers, text))
}

/// The original bytes of a document
#[utoipa::path(get, path = "/api/v1/documents/{document_id}/original", operation_id = "document_original", tag = "documents",
    params(("document_id" = String, Path, description = "The document.")),
    responses((status = 200, description = "The bytes.", body = schema::scalar::FileBytes, content_type = "*/*")))]
pub(crate) async fn original(
    caller: Caller,
    ApiPath(id): ApiPath<String>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    original_bytes(&caller.tenant, &id, &headers).await
}

/// The bytes of a document as they came, to be saved.
pub(crate) async fn original_bytes(
    tenant: &Tenant,
    id: &str,
    headers: &HeaderMap,
) -> Result<Response, ApiProblem> {
    let listed = document::show(tenant, id).await?;
    let digest: Digest =
        listed.sha256.parse().map_err(|_| ApiProblem::new(ProblemKind::Internal))?;
    let about = (listed.media_type.as_str(), listed.filename.as_str());
    reply::object(headers, tenant, (&digest, listed.size), about).await
}

/// Reads a file that is on the disk, and keeps it.
async fn keep(
    app: &App,
    caller: &Caller,
    path: PathBuf,
) -> Result<DocumentUploadResponse, ApiProblem> {
    let internal = |_| ApiProblem::new(ProblemKind::Internal);
    // A file is held whole while it is read, so both the number of files and their memory are
    // limited.
    let _turn = app.files.acquire().await.map_err(|_| ApiProblem::new(ProblemKind::Internal))?;
    // After the turn, and not before: room that waits for a turn would be kept from others.
    let size = tokio::fs::metadata(&path).await.map_err(internal)?.len();
    let _room = app.room.wait(size.saturating_mul(MAX_FILE_COPIES)).await?;
    let tools = std::sync::Arc::clone(&app.tools);
    let read = tokio::task::spawn_blocking(move || {
        Corpus::open(&[path], &[], &tools.reader, &CorpusCache::none(), &|_| ())
    });
    let corpus =
        read.await.ok().and_then(Result::ok).ok_or(ApiProblem::new(ProblemKind::Internal))?;
    let problems = corpus.held().iter().flat_map(|held| &held.document.problems);
    let problems: Vec<String> = problems.map(ToString::to_string).collect();
    // A scan without text parses well and has nothing to check against; the caller must hear it.
    let is_empty = corpus.held().iter().all(|held| held.chunks.is_empty());
    let unread = match corpus.unread().first() {
        Some(unread) => Some(unread.message.clone()),
        None => is_empty.then(|| "expected a document with text, found none".to_owned()),
    };
    let (request_context, tenant) = (app.request_context(caller)?, caller.tenant.clone());
    let added =
        app.verbs.run(async move || document::add(&tenant, &corpus, &request_context).await);
    let added = added.await?.into_iter().next().ok_or_else(|| {
        let fault =
            Fault::new("empty", "body", bound::a_file_with_at_least_one_byte(), found::none());
        ApiProblem::fault(ProblemKind::Refused, fault)
    })?;
    Ok(DocumentUploadResponse { added, unread, problems })
}

/// The one file of a form.
async fn from_form(
    folder: &ScratchFolder,
    mut request: Request,
    limit: u64,
) -> Result<PathBuf, ApiProblem> {
    let malformed = || {
        let expected = expected::one_file_in_multipart_form_data();
        ApiProblem::fault(
            ProblemKind::Malformed,
            Fault::new("form", "body", expected, found::another_form()),
        )
    };
    // The file has a limit of its own.
    DefaultBodyLimit::disable().apply(&mut request);
    let mut form = Multipart::from_request(request, &()).await.map_err(|_| malformed())?;
    let mut field = form.next_field().await.map_err(|_| malformed())?.ok_or_else(malformed)?;
    // The name comes from the caller and becomes part of a path.
    let path = folder.path().join(plain(field.file_name())?);
    let mut file = SizeLimitedFile::create(&path, limit).await?;
    while let Some(piece) = field.chunk().await.map_err(|_| malformed())? {
        file.write(&piece).await?;
    }
    file.end().await?;
    Ok(path)
}

async fn write(path: &Path, body: Body, limit: u64) -> Result<(), ApiProblem> {
    let mut file = SizeLimitedFile::create(path, limit).await?;
    let mut pieces: BodyDataStream = body.into_data_stream();
    while let Some(piece) = pieces.next().await {
        let cut = || {
            ApiProblem::fault(
                ProblemKind::Malformed,
                Fault::new("body", "body", expected::all_of_it(), found::a_part()),
            )
        };
        file.write(&piece.map_err(|_| cut())?).await?;
    }
    file.end().await
}

/// Stores a file that is on the disk, under the name that the caller gave it.
pub(crate) async fn keep_file(
    app: &App,
    caller: &Caller,
    file: &Path,
    filename: &str,
) -> Result<AddedDocument, ApiProblem> {
    // A folder of its own: the name of a file becomes the name of the document.
    let folder = ScratchFolder::new(&app.scratch).await?;
    let path = folder.path().join(plain(Some(filename))?);
    tokio::fs::rename(file, &path).await.map_err(|error| ApiProblem::unwritten(&error))?;
    Ok(keep(app, caller, path).await?.added)
}

/// A name that is a name and no path.
fn plain(name: Option<&str>) -> Result<&str, ApiProblem> {
    // None is as wrong as an empty one.
    let name = name.unwrap_or("");
    let steers =
        |ch: char| ch.is_control() || matches!(ch, '/' | '\\') || dalil_proof::fault::steers(ch);
    // No slash and no leading dot: neither `..` nor a hidden file. Characters that
    // steer a terminal, or the direction of text, could make a name look like another.
    let fits = (1..=255).contains(&name.len()) && !name.contains(steers) && !name.starts_with('.');
    if fits && name.trim() == name {
        return Ok(name);
    }
    let expected = expected::file_name();
    Err(ApiProblem::fault(
        ProblemKind::Malformed,
        Fault::new("filename", "filename", expected, quoted(name)),
    ))
}

/// A file that grows up to a limit.
struct SizeLimitedFile {
    file: File,
    left: u64,
    limit: u64,
}

impl SizeLimitedFile {
    async fn create(path: &Path, limit: u64) -> Result<Self, ApiProblem> {
        let file = create_private(path).await.map_err(|error| ApiProblem::caused(&error))?;
        Ok(Self { file, left: limit, limit })
    }

    async fn write(&mut self, piece: &Bytes) -> Result<(), ApiProblem> {
        let left = self.left.checked_sub(piece.len() as u64);
        self.left = left.ok_or_else(|| too_large(self.limit))?;
        self.file.write_all(piece).await.map_err(|error| ApiProblem::unwritten(&error))
    }

    async fn end(mut self) -> Result<(), ApiProblem> {
        if self.left == self.limit {
            let fault =
                Fault::new("empty", "body", bound::a_file_with_at_least_one_byte(), found::none());
            return Err(ApiProblem::fault(ProblemKind::Refused, fault));
        }
        self.file.flush().await.map_err(|error| ApiProblem::unwritten(&error))
    }
}

/// How often the bytes of a file are in memory while it is read: here, on the way to its
/// reader, and as the text that comes back.
const MAX_FILE_COPIES: u64 = 3;
