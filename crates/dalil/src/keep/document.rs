//! Documents: their bytes and their text in the lake, their chunks in the catalog.

use std::fs;
use std::path::Path;

use dalil_core::anchor::{Anchor, text_digest};
use dalil_core::digest::Digest;
use dalil_core::fault::{Fault, quote};
use dalil_core::record::Kind;
use dalil_engine::document::Format;
use dalil_store::trail::{Held as Kept, State};
use dalil_store::{Draft, Error, Row, Select, Table, Tenant};
use serde::Serialize;

use super::index::Part;
use super::line::{Line, artifact, equal, lines, row, whole};
use super::{Ack, Deed, Failure, append, held, looking, none, object, text as json_text};
use crate::corpus::{Corpus, Held};

#[cfg(test)]
mod tests;

/// A document of the store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Added {
    /// What names it: its digest, short.
    pub document_id: String,
    /// What it is called.
    pub filename: String,
    /// The digest of its bytes.
    pub sha256: String,
    /// How many chunks it has.
    pub chunks: usize,
    /// Whether it was not there before under this name.
    pub is_new: bool,
    /// Its record.
    pub index: u64,
}

/// Keeps every document of a corpus that the store does not have under its name.
///
/// # Errors
/// A file that changed since it was read, and what keeps the store from appending.
pub async fn add(tenant: &Tenant, corpus: &Corpus, deed: &Deed) -> Result<Vec<Added>, Failure> {
    looking(tenant, &[], async |_| {
        let Prepared { mut added, drafts } = prepare(tenant, corpus, deed).await?;
        if !drafts.is_empty() {
            let request = json_text(&added.iter().map(|one| &one.sha256).collect::<Vec<_>>())?;
            let key = deed.named("document add", request.as_bytes())?;
            place(&mut added, &append(tenant, drafts, key).await?);
        }
        Ok(added)
    })
    .await
}

/// Documents that are in the lake, and the records that will say so.
pub(super) struct Prepared {
    /// Every document; a new one has no record yet.
    pub(super) added: Vec<Added>,
    /// One record for each new one, in their order.
    pub(super) drafts: Vec<Draft>,
}

/// Gives the new documents the places of their records, which are the first.
pub(super) fn place(added: &mut [Added], acks: &[Ack]) {
    for (one, ack) in added.iter_mut().filter(|one| one.is_new).zip(acks) {
        one.index = ack.index;
    }
}

/// Puts the new documents of a corpus into the lake.
pub(super) async fn prepare(
    tenant: &Tenant,
    corpus: &Corpus,
    deed: &Deed,
) -> Result<Prepared, Failure> {
    let mut prepared = Prepared { added: Vec::new(), drafts: Vec::new() };
    for held in corpus.held() {
        let about = About { name: &held.name, digest: held.document.digest, read: Some(held) };
        prepared.take(tenant, corpus, &about, deed).await?;
    }
    for unread in corpus.unread().iter().filter(|one| one.digest != Digest::of(&[])) {
        let about = About { name: &unread.name, digest: unread.digest, read: None };
        prepared.take(tenant, corpus, &about, deed).await?;
    }
    Ok(prepared)
}

/// A document on its way into the store.
struct About<'d> {
    name: &'d str,
    digest: Digest,
    /// What was read of it, unless nothing could be.
    read: Option<&'d Held>,
}

impl Prepared {
    async fn take(
        &mut self,
        tenant: &Tenant,
        corpus: &Corpus,
        about: &About<'_>,
        deed: &Deed,
    ) -> Result<(), Failure> {
        let About { name, digest, read } = about;
        let sha256 = digest.to_string();
        let known = equal(tenant, Table::Documents, "sha256", &sha256).await?;
        let known = known.iter().find(|line| line.text("filename") == Some(*name));
        let document_id = crate::corpus::id(digest);
        let chunks = read.map_or(0, |held| held.chunks.len());
        let (is_new, index) = known.map_or((true, 0), |line| (false, line.index()));
        let filename = (*name).to_owned();
        self.added.push(Added { document_id, filename, sha256, chunks, is_new, index });
        if is_new {
            let size = original(tenant, corpus, about).await?;
            self.drafts.push(draft(tenant, about, size, deed).await?);
        }
        Ok(())
    }
}

/// Puts the bytes of a document into the lake, and says how many they are.
async fn original(tenant: &Tenant, corpus: &Corpus, about: &About<'_>) -> Result<usize, Failure> {
    let path = corpus.path(about.name).unwrap_or(Path::new(about.name));
    let place = quote(about.name);
    let bytes = fs::read(path).map_err(|error| {
        Error::unavailable("keep a document", &place).saw("a readable file", error)
    })?;
    if Digest::of(&bytes) != about.digest {
        let fault = Fault::new("changed", about.name, "the file that was read", "another");
        return Err(fault.hint("the file changed in the meantime: try again").into());
    }
    let size = bytes.len();
    tenant.lake()?.put(bytes).await?;
    Ok(size)
}

async fn draft(
    tenant: &Tenant,
    about: &About<'_>,
    size: usize,
    deed: &Deed,
) -> Result<Draft, Failure> {
    let About { name, digest, read } = about;
    let id = crate::corpus::id(digest);
    let media_type = read.map_or(UNKNOWN, |held| media_type(held.document.format));
    let pages = read.and_then(|held| held.document.blocks.iter().filter_map(|one| one.page).max());
    let date = read.and_then(|held| held.document.date.as_ref());
    let values = [
        id.as_str().into(),
        (*name).into(),
        media_type.into(),
        digest.to_string().into(),
        whole(size as u64),
        (*name).into(),
        deed.at.to_string().into(),
        date.map(ToString::to_string).into(),
        pages.map(i64::from).into(),
    ];
    let mut rows = vec![row(Table::Documents, values)];
    let mut fields = vec![object(DOCUMENT, *digest)];
    let mut artifacts = vec![artifact(digest, size, media_type, DOCUMENT)];
    if let Some(held) = read {
        rows.extend(chunks(&id, held)?);
        let text = held.document.text.as_bytes();
        let digest = tenant.lake()?.put(text.to_vec()).await?;
        fields.push(object(TEXT, digest));
        artifacts.push(artifact(&digest, text.len(), "text/plain; charset=utf-8", TEXT));
    }
    rows.extend(artifacts);
    Ok(deed.draft(Kind::DocumentAdded, &id, fields, rows))
}

/// The chunks of a document; their offsets are bytes of its text.
fn chunks(id: &str, held: &Held) -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::with_capacity(held.chunks.len());
    for (n, chunk) in held.chunks.iter().enumerate() {
        let block = held.document.blocks.get(chunk.block);
        let digest = text_digest(held.words(chunk));
        let headings = block.map(|block| &block.headings).filter(|path| !path.is_empty());
        let values = [
            Anchor::shortest(&digest, []).as_str().into(),
            id.into(),
            whole(n as u64),
            block.and_then(|block| block.page).map(i64::from).into(),
            headings.map(json_text).transpose()?.into(),
            whole(chunk.start as u64),
            whole(chunk.end as u64),
            digest.hex().into(),
        ];
        rows.push(row(Table::Chunks, values));
    }
    Ok(rows)
}

/// A document, as a list shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Listed {
    /// What names it.
    pub document_id: String,
    /// What it is called.
    pub filename: String,
    /// What it is.
    pub media_type: String,
    /// The digest of its bytes.
    pub sha256: String,
    /// How many bytes it has.
    pub size: u64,
    /// When it was read.
    pub retrieved_at: String,
    /// The date that it gives itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document_date: Option<String>,
    /// How many pages it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pages: Option<u64>,
    /// Its record.
    pub index: u64,
}

/// Every document of a tenant, in the order in which they came.
///
/// # Errors
/// The store cannot be read.
pub async fn list(tenant: &Tenant) -> Result<Vec<Listed>, Failure> {
    let found = lines(tenant, &Select::all(Table::Documents)).await?;
    Ok(found.iter().map(listed).collect())
}

fn listed(line: &Line) -> Listed {
    Listed {
        document_id: line.owned("id"),
        filename: line.owned("filename"),
        media_type: line.owned("media_type"),
        sha256: line.owned("sha256"),
        size: line.whole("size").unwrap_or_default(),
        retrieved_at: line.owned("retrieved_at"),
        document_date: line.text("document_date").map(str::to_owned),
        pages: line.whole("pages"),
        index: line.index(),
    }
}

/// A part of the documents, by when they came.
///
/// # Errors
/// The store cannot be read.
pub async fn page(tenant: &Tenant, part: Part) -> Result<Vec<Listed>, Failure> {
    Ok(lines(tenant, &part.of(Select::all(Table::Documents))).await?.iter().map(listed).collect())
}

/// One document, the newest of its id.
///
/// # Errors
/// There is no such document.
pub async fn show(tenant: &Tenant, id: &str) -> Result<Listed, Failure> {
    let found = equal(tenant, Table::Documents, "id", id).await?;
    found.last().map(listed).ok_or_else(|| none("a document of this tenant", "document_id", id))
}

/// The text of a document as it was read, or of one of its pages.
///
/// # Errors
/// No such document or page, nothing that could be read of it, or a lake that
/// does not have it any more.
pub async fn text(tenant: &Tenant, id: &str, page: Option<u64>) -> Result<String, Failure> {
    let found = equal(tenant, Table::Documents, "id", id).await?;
    let line = found.last().ok_or_else(|| none("a document of this tenant", "document_id", id))?;
    let stored = tenant.record(line.index()).await?;
    let digest = match stored.as_ref().and_then(|stored| held(stored, TEXT)) {
        Some(State::Present(_, Kept::Lake(digest))) => *digest,
        _ => return Err(none("a document that could be read", "document_id", id)),
    };
    let bytes = tenant.lake()?.get(&digest).await?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let Some(page) = page else { return Ok(text) };
    let chunks = equal(tenant, Table::Chunks, "document_id", id).await?;
    let on =
        |chunk: &&Line| chunk.index() == line.index() && chunk.whole("page_number") == Some(page);
    let on: Vec<&Line> = chunks.iter().filter(on).collect();
    let offset =
        |chunk: &&Line, column| chunk.whole(column).and_then(|at| usize::try_from(at).ok());
    let start = on.iter().filter_map(|chunk| offset(chunk, "start_offset")).min();
    let end = on.iter().filter_map(|chunk| offset(chunk, "end_offset")).max();
    let part = start.zip(end).and_then(|(start, end)| text.get(start..end));
    part.map(str::to_owned).ok_or_else(|| none("a page with text", "page", &page.to_string()))
}

const fn media_type(format: Format) -> &'static str {
    match format {
        Format::Pdf => "application/pdf",
        Format::Docx => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        Format::Html => "text/html",
        Format::Markdown => "text/markdown",
        Format::Text => "text/plain",
        Format::Csv => "text/csv",
        Format::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        Format::Eml => "message/rfc822",
    }
}

const UNKNOWN: &str = "application/octet-stream";
/// The names of what a document's record commits to.
const DOCUMENT: &str = "document";
const TEXT: &str = "text";
