//! Forms with files, read piece by piece within the room for bodies.
//!
//! Every byte takes its room before it is looked at. Files that are kept go to the disk, and
//! give their room back at once: whoever reads them waits for room of its own.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::{Body, Bytes};
use axum::extract::multipart::Field;
use axum::extract::{FromRequest, Multipart, Request};
use dalil_core::fault::Fault;
use futures_util::StreamExt as _;
use futures_util::stream::{try_unfold, unfold};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use super::super::View;
use super::super::visit::Visitor;
use super::super::wrong::Wrong;
use super::Fields;
use crate::app::App;
use crate::ask::{declared, too_large};
use crate::problem::{Kind, Problem};
use crate::room::Lease;

/// A form with files that is not read yet.
pub(in crate::viewer) struct Upload {
    form: Multipart,
    gate: Gate,
    /// The most bytes of its texts.
    texts: u64,
}

/// A file of a form.
pub(in crate::viewer) struct File {
    /// The field it is in.
    pub(in crate::viewer) field: String,
    pub(in crate::viewer) filename: String,
    /// Its bytes, unless it is on the disk.
    pub(in crate::viewer) bytes: Bytes,
    path: PathBuf,
}

/// What the form and the stream that it is read from share.
#[derive(Clone)]
struct Gate(Arc<Mutex<Inside>>);

struct Inside {
    lease: Lease,
    /// The bytes of files that are held, one after another.
    files: Vec<Vec<u8>>,
    problem: Option<Problem>,
}

/// The bytes of a file, and the room of its form.
struct Owned(Vec<u8>, #[expect(dead_code, reason = "held until the bytes are gone")] Arc<Lease>);

impl AsRef<[u8]> for Owned {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl FromRequest<View> for Upload {
    type Rejection = Wrong;

    async fn from_request(request: Request, view: &View) -> Result<Self, Wrong> {
        let limits = &view.app.config.limits;
        declared(request.headers(), limits.upload)?;
        let gate = Gate::new(&view.app);
        let bounded = request.map(|body| gate.bounded(body, limits.upload));
        let form = Multipart::from_request(bounded, &()).await.map_err(|_| malformed())?;
        Ok(Self { form, gate, texts: limits.body })
    }
}

impl Upload {
    /// Reads it and holds its files, which keep their room until they are gone.
    pub(in crate::viewer) async fn held(
        mut self,
        visitor: &Visitor,
    ) -> Result<(Fields, Vec<File>), Wrong> {
        let (fields, mut files) = self.read(visitor, None).await?;
        let (held, lease) = self.gate.end(&visitor.view.app);
        let lease = Arc::new(lease);
        for (file, bytes) in files.iter_mut().zip(held) {
            file.bytes = Bytes::from_owner(Owned(bytes, Arc::clone(&lease)));
        }
        Ok((fields, files))
    }

    /// Reads it and writes its files to a folder.
    pub(in crate::viewer) async fn stored(
        mut self,
        visitor: &Visitor,
        folder: &Path,
    ) -> Result<(Fields, Vec<File>), Wrong> {
        self.read(visitor, Some(folder)).await
    }

    /// The mark is the first field: nothing else is read without it.
    async fn read(
        &mut self,
        visitor: &Visitor,
        folder: Option<&Path>,
    ) -> Result<(Fields, Vec<File>), Wrong> {
        let gate = self.gate.clone();
        let (mut fields, mut files) = (Fields(Vec::new()), Vec::new());
        let mut left = self.texts;
        while let Some(part) = self.form.next_field().await.map_err(|_| gate.why())? {
            let field = part.name().unwrap_or_default().to_owned();
            if fields.0.is_empty() && field != "csrf" {
                return Err(Wrong::Form);
            }
            let Some(filename) = part.file_name().map(str::to_owned) else {
                let text = gate.text(part, left).await?;
                left = left.saturating_sub(text.len() as u64).saturating_sub(EACH);
                fields.0.push((field, text));
                if fields.0.len() == 1 {
                    visitor.marked(fields.one("csrf"))?;
                }
                continue;
            };
            if fields.0.is_empty() {
                return Err(Wrong::Form);
            }
            // A browser sends a file without a name when none was chosen.
            let to = match (filename.is_empty(), folder) {
                (true, _) => To::Nowhere,
                (false, Some(folder)) => To::Disk(folder.join(files.len().to_string())),
                (false, None) => To::Memory,
            };
            let path = gate.file(part, to).await?;
            left = left.checked_sub(EACH).ok_or_else(|| too_large(self.texts))?;
            if !filename.is_empty() {
                files.push(File { field, filename, bytes: Bytes::new(), path });
            }
        }
        visitor.marked(fields.one("csrf"))?;
        Ok((fields, files))
    }
}

/// Where the bytes of a file go.
enum To {
    Nowhere,
    Memory,
    Disk(PathBuf),
}

impl Gate {
    fn new(app: &App) -> Self {
        let inside = Inside { lease: app.room.lease(), files: Vec::new(), problem: None };
        Self(Arc::new(Mutex::new(inside)))
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A body that takes room for every piece, and ends where there is no more.
    fn bounded(&self, body: Body, limit: u64) -> Body {
        let pieces = (body.into_data_stream(), (0_u64, limit), self.clone());
        Body::from_stream(try_unfold(pieces, async |(mut pieces, (mut size, limit), gate)| {
            let Some(piece) = pieces.next().await else { return Ok(None) };
            let Ok(piece) = piece else {
                let cut = Fault::new("body", "body", "all of it", "a part");
                return Err(gate.refuse(Problem::fault(Kind::Malformed, cut)));
            };
            size += piece.len() as u64;
            if size > limit {
                return Err(gate.refuse(too_large(limit)));
            }
            let grown = gate.inside().lease.grow(piece.len());
            let Err(busy) = grown else {
                return Ok(Some((piece, (pieces, (size, limit), gate))));
            };
            // What is held is let go, and the rest is heard: who still sends hears no answer.
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

    fn refuse(&self, problem: Problem) -> std::io::Error {
        let mut inside = self.inside();
        inside.files = Vec::new();
        let all = usize::MAX;
        inside.lease.shrink(all);
        inside.problem = Some(problem);
        std::io::Error::other("refused")
    }

    /// Why the form could not be read on.
    fn why(&self) -> Wrong {
        self.inside().problem.take().unwrap_or_else(malformed).into()
    }

    async fn text(&self, mut part: Field<'_>, most: u64) -> Result<String, Wrong> {
        let mut text = Vec::new();
        while let Some(piece) = part.chunk().await.map_err(|_| self.why())? {
            text.extend_from_slice(&piece);
            if text.len() as u64 + EACH > most {
                return Err(too_large(most).into());
            }
        }
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    async fn file(&self, mut part: Field<'_>, to: To) -> Result<PathBuf, Wrong> {
        let is_held = matches!(to, To::Memory);
        let (mut file, path) = match to {
            To::Disk(path) => {
                let file = tokio::fs::File::create_new(&path).await;
                (Some(file.map_err(|_| Wrong::Internal)?), path)
            }
            To::Memory | To::Nowhere => (None, PathBuf::new()),
        };
        if is_held {
            self.inside().files.push(Vec::new());
        }
        while let Some(piece) = part.chunk().await.map_err(|_| self.why())? {
            if let Some(file) = &mut file {
                file.write_all(&piece).await.map_err(|_| Wrong::Internal)?;
            }
            let mut inside = self.inside();
            if !is_held {
                inside.lease.shrink(piece.len());
            } else if let Some(last) = inside.files.last_mut() {
                last.extend_from_slice(&piece);
            }
        }
        if let Some(file) = &mut file {
            file.flush().await.map_err(|_| Wrong::Internal)?;
        }
        Ok(path)
    }

    /// The files that are held, and their room.
    fn end(&self, app: &App) -> (Vec<Vec<u8>>, Lease) {
        let mut inside = self.inside();
        let lease = std::mem::replace(&mut inside.lease, app.room.lease());
        (std::mem::take(&mut inside.files), lease)
    }
}

impl File {
    /// The bytes of a file on the disk, piece by piece.
    pub(in crate::viewer) async fn body(&self) -> Result<Body, Wrong> {
        let file = tokio::fs::File::open(&self.path).await.map_err(|_| Wrong::Internal)?;
        Ok(Body::from_stream(unfold(file, async |mut file| {
            let mut piece = bytes::BytesMut::with_capacity(PIECE);
            match file.read_buf(&mut piece).await {
                Ok(0) => None,
                Ok(_) => Some((Ok(piece.freeze()), file)),
                Err(error) => Some((Err(error), file)),
            }
        })))
    }
}

fn malformed() -> Problem {
    let expected = "a form of `multipart/form-data`";
    Problem::fault(Kind::Malformed, Fault::new("form", "body", expected, "another form"))
}

/// What a field costs beside its text.
const EACH: u64 = 64;
const PIECE: usize = 64 << 10;
