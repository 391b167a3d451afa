//! Forms with files, read in pieces within the memory budget.
//!
//! Every byte is reserved before it is read. Files are written to disk and release
//! their memory at once; a later reader reserves its own.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::{Body, Bytes};
use axum::extract::multipart::Field;
use axum::extract::{FromRequest, Multipart, Request};
use dalil_phrasebook::{expected, found};
use dalil_proof::fault::Fault;
use futures_util::StreamExt as _;
use futures_util::stream::try_unfold;
use tokio::io::AsyncWriteExt as _;

use super::super::error::PageError;
use super::super::state::ViewerState;
use super::super::visitor::WebVisitor;
use super::FormFields;
use crate::app::App;
use crate::extract::{check_content_length, too_large};
use crate::memory_budget::MemoryReservation;
use crate::problem::{ApiProblem, ProblemKind};
use crate::request_owner::RequestOwner;
use crate::scratch_folder::create_private;

/// A form with files that is not read yet.
pub(in crate::viewer) struct UploadForm {
    form: Multipart,
    gate: SharedUploadState,
    /// The most bytes of its texts.
    texts: u64,
}

/// A file of a form.
pub(in crate::viewer) struct UploadedFile {
    /// The field it is in.
    pub(in crate::viewer) field: String,
    pub(in crate::viewer) filename: String,
    /// Its bytes, unless it is on the disk.
    pub(in crate::viewer) bytes: Bytes,
    /// Where it is, if it is on the disk.
    pub(in crate::viewer) path: PathBuf,
}

/// The state that the form shares with the stream that it is read from.
#[derive(Clone)]
struct SharedUploadState(Arc<Mutex<UploadState>>);

struct UploadState {
    lease: MemoryReservation,
    /// The bytes of files that are held, one after another.
    files: Vec<Vec<u8>>,
    problem: Option<ApiProblem>,
}

/// The bytes of a file, and the room of its form.
struct ReservedBytes(
    Vec<u8>,
    #[expect(dead_code, reason = "held until the bytes are gone")] Arc<MemoryReservation>,
);

impl AsRef<[u8]> for ReservedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl FromRequest<ViewerState> for UploadForm {
    type Rejection = PageError;

    async fn from_request(request: Request, view: &ViewerState) -> Result<Self, PageError> {
        let (limits, owner) = (&view.app.config.limits, RequestOwner::of(request.extensions()));
        let most = match owner {
            RequestOwner::Member(_) => limits.upload,
            RequestOwner::Stranger(_) => limits.anonymous_upload,
        };
        check_content_length(request.headers(), most)?;
        let gate = SharedUploadState::new(&view.app, &owner);
        let bounded = request.map(|body| gate.bounded(body, most));
        let form = Multipart::from_request(bounded, &()).await.map_err(|_| malformed())?;
        Ok(Self { form, gate, texts: limits.body })
    }
}

impl UploadForm {
    /// Reads it and holds its files, which keep their room until they are gone.
    pub(in crate::viewer) async fn held(
        mut self,
        visitor: &WebVisitor,
    ) -> Result<(FormFields, Vec<UploadedFile>), PageError> {
        let (fields, mut files) = self.read(visitor, None).await?;
        let (held, lease) = self.gate.end(visitor);
        let lease = Arc::new(lease);
        for (file, bytes) in files.iter_mut().zip(held) {
            file.bytes = Bytes::from_owner(ReservedBytes(bytes, Arc::clone(&lease)));
        }
        Ok((fields, files))
    }

    /// Reads it and writes its files to a folder.
    pub(in crate::viewer) async fn stored(
        mut self,
        visitor: &WebVisitor,
        folder: &Path,
    ) -> Result<(FormFields, Vec<UploadedFile>), PageError> {
        self.read(visitor, Some(folder)).await
    }

    /// The mark is the first field: nothing else is read without it.
    async fn read(
        &mut self,
        visitor: &WebVisitor,
        folder: Option<&Path>,
    ) -> Result<(FormFields, Vec<UploadedFile>), PageError> {
        let gate = self.gate.clone();
        let (mut fields, mut files) = (FormFields(Vec::new()), Vec::new());
        let mut left = self.texts;
        while let Some(part) = self.form.next_field().await.map_err(|_| gate.why())? {
            let field = part.name().ok_or_else(malformed)?.to_owned();
            // A form of another site is turned away before any of its files are read.
            if fields.0.is_empty() && field != "csrf" {
                return Err(PageError::Form);
            }
            let Some(filename) = part.file_name().map(str::to_owned) else {
                let text = gate.text(part, left).await?;
                // Each field costs something: a million empty ones would be a form of no size.
                left = left.saturating_sub(text.len() as u64).saturating_sub(FIELD_OVERHEAD_BYTES);
                fields.0.push((field, text));
                if fields.0.len() == 1 {
                    visitor.check_csrf_token(fields.one("csrf"))?;
                }
                continue;
            };
            // A file that calls itself `csrf` is no token.
            if fields.0.is_empty() {
                return Err(PageError::Form);
            }
            // A browser sends a file without a name when none was chosen.
            let to = match (filename.is_empty(), folder) {
                (true, _) => FileDestination::Nowhere,
                (false, Some(folder)) => {
                    // Named by number: the name that the browser gives never becomes a path.
                    FileDestination::Disk(folder.join(files.len().to_string()))
                }
                (false, None) => FileDestination::Memory,
            };
            let path = gate.file(part, to).await?;
            left = left.checked_sub(FIELD_OVERHEAD_BYTES).ok_or_else(|| too_large(self.texts))?;
            if !filename.is_empty() {
                files.push(UploadedFile { field, filename, bytes: Bytes::new(), path });
            }
        }
        visitor.check_csrf_token(fields.one("csrf"))?;
        Ok((fields, files))
    }
}

/// Where the bytes of a file go.
enum FileDestination {
    Nowhere,
    Memory,
    Disk(PathBuf),
}

impl SharedUploadState {
    fn new(app: &App, owner: &RequestOwner) -> Self {
        let inside = UploadState { lease: app.room.lease(owner), files: Vec::new(), problem: None };
        Self(Arc::new(Mutex::new(inside)))
    }

    fn inside(&self) -> MutexGuard<'_, UploadState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A body that takes room for every piece, and ends where there is no more.
    fn bounded(&self, body: Body, limit: u64) -> Body {
        let pieces = (body.into_data_stream(), (0_u64, limit), self.clone());
        Body::from_stream(try_unfold(pieces, async |(mut pieces, (mut size, limit), gate)| {
            let Some(piece) = pieces.next().await else { return Ok(None) };
            let Ok(piece) = piece else {
                let cut = Fault::new("body", "body", expected::all_of_it(), found::a_part());
                return Err(gate.refuse(ApiProblem::fault(ProblemKind::Malformed, cut)));
            };
            size += piece.len() as u64;
            if size > limit {
                return Err(gate.refuse(too_large(limit)));
            }
            let grown = gate.inside().lease.grow(piece.len());
            let Err(busy) = grown else {
                return Ok(Some((piece, (pieces, (size, limit), gate))));
            };
            // The memory is released, and the rest is read: a client that still sends reads no
            // answer.
            let refused = gate.refuse(busy);
            while let Some(Ok(piece)) = pieces.next().await {
                size += piece.len() as u64;
                if size > limit {
                    break;
                }
            }
            Err(refused)
        }))
    }

    fn refuse(&self, problem: ApiProblem) -> std::io::Error {
        let mut inside = self.inside();
        inside.files = Vec::new();
        let all = usize::MAX;
        inside.lease.shrink(all);
        inside.problem = Some(problem);
        std::io::Error::other("refused")
    }

    /// Why the form could not be read on.
    fn why(&self) -> PageError {
        self.inside().problem.take().unwrap_or_else(malformed).into()
    }

    async fn text(&self, mut part: Field<'_>, most: u64) -> Result<String, PageError> {
        let mut text = Vec::new();
        while let Some(piece) = part.chunk().await.map_err(|_| self.why())? {
            text.extend_from_slice(&piece);
            if text.len() as u64 + FIELD_OVERHEAD_BYTES > most {
                return Err(too_large(most).into());
            }
        }
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    async fn file(&self, mut part: Field<'_>, to: FileDestination) -> Result<PathBuf, PageError> {
        let is_held = matches!(to, FileDestination::Memory);
        let (mut file, path) = match to {
            FileDestination::Disk(path) => {
                let file = create_private(&path).await;
                (Some(file.map_err(|error| ApiProblem::unwritten(&error))?), path)
            }
            FileDestination::Memory | FileDestination::Nowhere => (None, PathBuf::new()),
        };
        if is_held {
            self.inside().files.push(Vec::new());
        }
        while let Some(piece) = part.chunk().await.map_err(|_| self.why())? {
            if let Some(file) = &mut file {
                file.write_all(&piece).await.map_err(|error| ApiProblem::unwritten(&error))?;
            }
            let mut inside = self.inside();
            if !is_held {
                // On the disk it needs no memory any more.
                inside.lease.shrink(piece.len());
            } else if let Some(last) = inside.files.last_mut() {
                last.extend_from_slice(&piece);
            }
        }
        if let Some(file) = &mut file {
            file.flush().await.map_err(|error| ApiProblem::unwritten(&error))?;
        }
        Ok(path)
    }

    /// The files that are held, and their room.
    fn end(&self, visitor: &WebVisitor) -> (Vec<Vec<u8>>, MemoryReservation) {
        let mut inside = self.inside();
        let none = visitor.view.app.room.lease(&visitor.owner());
        let lease = std::mem::replace(&mut inside.lease, none);
        (std::mem::take(&mut inside.files), lease)
    }
}

fn malformed() -> ApiProblem {
    let expected = expected::a_form_of_multipart_form_data();
    ApiProblem::fault(
        ProblemKind::Malformed,
        Fault::new("form", "body", expected, found::another_form()),
    )
}

/// How many bytes a field costs beside its text.
const FIELD_OVERHEAD_BYTES: u64 = 64;
