//! A document for the eye: the page of a PDF as it looks, anything else as headings, text and
//! tables, with the words that were quoted marked.

use std::sync::Arc;

use axum::body::Bytes;
use dalil::sandbox::{FileReadCause, InputFile, PageQuotation, QuotedArea, QuotedPage};
use dalil_evidence::ledger::ClaimFinding;
use dalil_phrasebook::Phrase;
use dalil_proof::digest::Digest;
use dalil_service::document::{self, DocumentSummary};
use dalil_service::document_view::{self, DocumentRendering, RenderingQuery, TextMark, TextRun};
use dalil_store::Tenant;

use super::error::{PageError, found};
use super::highlight::{self, HighlightSegment, MAX_PAGE_CONTEXT_BYTES};
use super::layout::escaped;
use crate::app::App;
use crate::page_pictures::PagePicture;
use crate::problem::{ApiProblem, ProblemKind};

#[cfg(test)]
mod tests;

/// The words to find in a document.
#[derive(Default)]
pub(super) struct QuotedWords {
    pub(super) words: String,
    /// The words among them that differ from the claim.
    pub(super) differing: String,
    /// Where they begin in the text of the document, in characters.
    offset: Option<usize>,
}

impl QuotedWords {
    /// The words of a document that a claim rests on, or those of another of its passages.
    pub(super) fn of(claim: &ClaimFinding, document: &str, passage: Option<usize>) -> Self {
        let passages = &claim.evidence_passages;
        let named = passage.and_then(|at| passages.get(at));
        let mut of_document = passages.iter().filter(|one| one.document.id == document);
        let Some(one) =
            named.filter(|one| one.document.id == document).or_else(|| of_document.next())
        else {
            return Self { words: claim.evidence_snippet.clone(), ..Self::default() };
        };
        let differing = one.reason.as_ref().map(|reason| reason.evidence_words.clone());
        Self {
            words: one.snippet.clone(),
            differing: differing.unwrap_or_default(),
            offset: one.offsets.and_then(|offsets| usize::try_from(offsets.start).ok()),
        }
    }
}

/// How much of a document a view shows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ViewExtent {
    /// The context of the words, beside a claim.
    Around,
    /// A page, or the document as far as a page of ours can be long.
    Whole,
}

/// A document, as far as a view shows it.
pub(super) struct PageView {
    pub(super) document_id: String,
    pub(super) filename: String,
    /// The title that the document gives itself.
    pub(super) title: Option<String>,
    /// The page, and how many there are.
    pub(super) page: Option<(u32, u32)>,
    pub(super) content: PageViewContent,
    pub(super) quoted: QuotedWords,
    pub(super) extent: ViewExtent,
    /// Whether the words are marked.
    pub(super) is_marked: bool,
}

/// How a document is shown.
pub(super) enum PageViewContent {
    /// The page as a picture, with its text for those who do not see it.
    Drawn(QuotedPage, Vec<HighlightSegment>),
    /// Headings, text and tables.
    Rendered(DocumentRendering),
    /// The text as it was read, and why there is no picture.
    Text(Vec<HighlightSegment>, Option<Phrase>),
}

impl PageView {
    /// A view of a document.
    pub(super) async fn of(
        app: &App,
        tenant: &Tenant,
        one: &DocumentSummary,
        (page, quoted): (Option<u32>, QuotedWords),
        extent: ViewExtent,
    ) -> Result<Self, PageError> {
        let view = |page, title, content, quoted| Self {
            document_id: one.document_id.clone(),
            filename: one.filename.clone(),
            title,
            page,
            content,
            quoted,
            extent,
            is_marked: false,
        };
        let Some(digest) = document_view::kept_digest(tenant, one).await? else {
            // An erased document is known, and nothing of it can be seen.
            return Ok(view(None, None, PageViewContent::Text(Vec::new(), None), quoted));
        };
        if one.media_type == PDF_MEDIA_TYPE {
            let asked = page.unwrap_or(1);
            let drawn = drawn(app, tenant, (one, &digest), (asked, &quoted)).await?;
            let number = drawn.as_ref().map_or(asked, |found| found.page);
            let text = page_text(tenant, one, (Some(number), &quoted)).await?;
            return Ok(match drawn {
                Ok(found) => {
                    let title = Some(found.title.clone()).filter(|title| !title.is_empty());
                    let page = Some((found.page, found.pages));
                    view(page, title, PageViewContent::Drawn(found, text), quoted).settled()
                }
                Err(why) => {
                    let pages = one.pages.and_then(|pages| u32::try_from(pages).ok());
                    let page = Some((asked, pages.unwrap_or(asked)));
                    let content = PageViewContent::Text(text, Some(why));
                    view(page, None, content, quoted).settled()
                }
            });
        }
        let number = page.zip(one.pages.and_then(|pages| u32::try_from(pages).ok()));
        let wanted = (page.filter(|_| extent == ViewExtent::Whole), &quoted, extent);
        let content = match rendered(app, tenant, (one, &digest), wanted).await? {
            Some(rendering) => PageViewContent::Rendered(rendering),
            None => PageViewContent::Text(page_text(tenant, one, (page, &quoted)).await?, None),
        };
        let title = match &content {
            PageViewContent::Rendered(rendering) => rendering.title.clone(),
            PageViewContent::Drawn(..) | PageViewContent::Text(..) => None,
        };
        Ok(view(number, title, content, quoted).settled())
    }

    fn settled(self) -> Self {
        let is_hit = |pieces: &[HighlightSegment]| pieces.iter().any(|piece| piece.is_hit);
        let is_marked = match &self.content {
            PageViewContent::Drawn(page, _) => !page.areas.is_empty(),
            PageViewContent::Rendered(rendering) => rendering.is_found,
            PageViewContent::Text(pieces, _) => is_hit(pieces),
        };
        Self { is_marked, ..self }
    }

    /// The name of the page above it.
    pub(super) fn name(&self) -> &str {
        self.title.as_deref().unwrap_or(&self.filename)
    }

    /// The element of its heading: on the page of a claim it is below another.
    pub(super) fn heading(&self) -> &'static str {
        match self.extent {
            ViewExtent::Around => "h3",
            ViewExtent::Whole => "h2",
        }
    }

    /// Whether there are words to look for.
    pub(super) fn is_quoting(&self) -> bool {
        !self.quoted.words.trim().is_empty()
    }

    /// The beginning of the words, for a text that is read out.
    pub(super) fn spoken(&self) -> String {
        let words = self.quoted.words.split_whitespace().take(MAX_SPOKEN_WORDS);
        words.collect::<Vec<&str>>().join(" ")
    }

    /// A box on the page: its left and top edges, its width and its height.
    pub(super) fn place(&self, area: &QuotedArea) -> [String; 4] {
        let [left, top, right, bottom] = area.edges;
        [left, top, right - left, bottom - top].map(|points| format!("{points:.1}"))
    }

    /// A text with the words, and among them those that differ, marked. HTML.
    pub(super) fn text(&self, pieces: &[HighlightSegment]) -> String {
        let differing = [(self.quoted.differing.as_str(), "differs")];
        let html = |piece: &HighlightSegment| match piece.is_hit {
            true => {
                let words = highlight::marked(&piece.text, &differing);
                format!("<mark{}>{words}</mark>", self.target(piece.is_first))
            }
            false => escaped(&piece.text),
        };
        pieces.iter().map(html).collect()
    }

    /// Words with their marks. HTML.
    pub(super) fn runs(&self, runs: &[TextRun]) -> String {
        let mut html = String::new();
        // A difference is a part of the quotation, so its mark is inside of the other.
        for quoted in runs.chunk_by(|a, b| a.is_marked() == b.is_marked()) {
            let text = |run: &TextRun| match run.mark {
                TextMark::Plain | TextMark::Quoted => escaped(&run.text),
                TextMark::Differs => {
                    format!("<mark class=\"differs\">{}</mark>", escaped(&run.text))
                }
            };
            let words: String = quoted.iter().map(text).collect();
            let is_first = quoted.iter().any(|run| run.is_first);
            html.push_str(&match quoted.iter().any(TextRun::is_marked) {
                true => format!("<mark{}>{words}</mark>", self.target(is_first)),
                false => words,
            });
        }
        html
    }

    /// The attribute that makes the first of the words the target of a link; on a picture its box
    /// is that.
    fn target(&self, is_first: bool) -> &'static str {
        let has_box =
            matches!(&self.content, PageViewContent::Drawn(page, _) if !page.areas.is_empty());
        if is_first && !has_box { " id=\"hit\"" } else { "" }
    }

    /// The level of a heading of the document below that of the view.
    pub(super) fn level(&self, level: &u8) -> u8 {
        let above = match self.extent {
            ViewExtent::Around => 3,
            ViewExtent::Whole => 2,
        };
        level.saturating_add(above).min(6)
    }
}

/// A page that can be drawn, with the places of the words; or why it cannot.
async fn drawn(
    app: &App,
    tenant: &Tenant,
    (one, digest): (&DocumentSummary, &Digest),
    (page, quoted): (u32, &QuotedWords),
) -> Result<Result<QuotedPage, Phrase>, PageError> {
    let wanted =
        PageQuotation { page, words: quoted.words.clone(), differing: quoted.differing.clone() };
    let name = one.filename.clone();
    let found = with_bytes(app, tenant, (digest, one.size), move |app, bytes| {
        app.tools.reader.quoted(InputFile { name: &name, bytes }, &wanted).map_err(|one| one.why)
    });
    let found = match found.await? {
        Ok(found) => found,
        Err(why) => return Ok(Err(why)),
    };
    // The page of the words may be the next one, so it is drawn after they were found.
    Ok(picture(app, tenant, one, found.page).await?.map(|_| found))
}

/// A page of a document as a picture, or why there is none.
pub(super) async fn picture(
    app: &App,
    tenant: &Tenant,
    one: &DocumentSummary,
    page: u32,
) -> Result<PagePicture, PageError> {
    // Each time: an erased document is not shown, though a server may still have a picture of it.
    let Some(digest) = document_view::kept_digest(tenant, one).await? else {
        return Err(PageError::Page);
    };
    if let Some(kept) = app.pictures.get(&digest, page) {
        return Ok(kept);
    }
    let name = one.filename.clone();
    let drawn = with_bytes(app, tenant, (&digest, one.size), move |app, bytes| {
        app.tools.reader.picture(InputFile { name: &name, bytes }, page).map_err(|one| one.why)
    });
    let drawn = drawn.await?.map(Bytes::from);
    // A page that brings a process down would do so again each time that it is looked at.
    app.pictures.put(&digest, page, drawn.clone());
    Ok(drawn)
}

/// Runs a blocking function on the bytes of a document; a fault of theirs is an
/// answer.
async fn with_bytes<T: Send + 'static>(
    app: &App,
    tenant: &Tenant,
    (digest, size): (&Digest, u64),
    work: impl FnOnce(&App, &[u8]) -> Result<T, FileReadCause> + Send + 'static,
) -> Result<Result<T, Phrase>, PageError> {
    let read = async || Ok::<_, PageError>(document_view::bytes(tenant, digest).await?);
    in_turn(app, size, read, work).await
}

/// Runs a blocking function on bytes that are a file; a fault of theirs is an answer.
pub(super) async fn on_bytes<T: Send + 'static>(
    app: &App,
    bytes: Vec<u8>,
    work: impl FnOnce(&App, &[u8]) -> Result<T, FileReadCause> + Send + 'static,
) -> Result<Result<T, Phrase>, PageError> {
    let size = bytes.len() as u64;
    in_turn(app, size, async || Ok(bytes), work).await
}

/// Runs a blocking function on bytes when it is their turn.
async fn in_turn<T: Send + 'static>(
    app: &App,
    size: u64,
    read: impl AsyncFnOnce() -> Result<Vec<u8>, PageError>,
    work: impl FnOnce(&App, &[u8]) -> Result<T, FileReadCause> + Send + 'static,
) -> Result<Result<T, Phrase>, PageError> {
    let internal = || PageError::from(ApiProblem::new(ProblemKind::Internal));
    // As for an upload: a limited number of files at a time, within the memory budget.
    let turn = Arc::clone(&app.files).acquire_owned().await.map_err(|_| internal())?;
    let _room = app.room.wait(size.saturating_mul(MAX_FILE_COPIES)).await?;
    let bytes = read().await?;
    let own = app.clone();
    let work = move || {
        // The work goes on when the client has left, and so it keeps its turn.
        let _turn = turn;
        work(&own, &bytes)
    };
    let done = tokio::task::spawn_blocking(work).await;
    match done.map_err(|_| internal())? {
        Ok(done) => Ok(Ok(done)),
        Err(FileReadCause::NotStarted(error)) => Err(ApiProblem::caused(&error).into()),
        Err(why) => Ok(Err(why.phrase())),
    }
}

/// A document that is no PDF, as headings, text and tables.
async fn rendered(
    app: &App,
    tenant: &Tenant,
    (one, digest): (&DocumentSummary, &Digest),
    (page, quoted, extent): (Option<u32>, &QuotedWords, ViewExtent),
) -> Result<Option<DocumentRendering>, PageError> {
    let (words, differing) = (quoted.words.clone(), quoted.differing.clone());
    let (offset, summary) = (quoted.offset, one.clone());
    let max_bytes = match extent {
        ViewExtent::Around => MAX_AROUND_BYTES,
        ViewExtent::Whole => MAX_WHOLE_BYTES,
    };
    let done = with_bytes(app, tenant, (digest, one.size), move |app, bytes| {
        let (words, differing) = (words.as_str(), differing.as_str());
        let wanted = RenderingQuery { words, differing, offset, page, max_bytes };
        let tools = (&app.tools.reader, &app.tools.cache);
        Ok(document_view::rendered(&summary, bytes.to_vec(), tools, &wanted))
    });
    Ok(done.await?.unwrap_or(None))
}

/// The text of a document as it was read, or of one of its pages, with the words marked.
async fn page_text(
    tenant: &Tenant,
    one: &DocumentSummary,
    (page, quoted): (Option<u32>, &QuotedWords),
) -> Result<Vec<HighlightSegment>, PageError> {
    // A document without text, or without text on that page, is still shown.
    let text = document::text(tenant, &one.document_id, page.map(u64::from)).await;
    let Some(text) = found(text)? else { return Ok(Vec::new()) };
    Ok(highlight::pieces(&text, &quoted.words, MAX_PAGE_CONTEXT_BYTES))
}

const PDF_MEDIA_TYPE: &str = "application/pdf";
/// How often the bytes of a file are in memory while it is looked at.
const MAX_FILE_COPIES: u64 = 3;
/// How much of a document is shown beside a claim: a screen or so.
const MAX_AROUND_BYTES: usize = 4_000;
/// How much of it a page of its own has, which stays below 300 kB so.
const MAX_WHOLE_BYTES: usize = 200_000;
/// How many words are read out with a picture.
const MAX_SPOKEN_WORDS: usize = 60;
