//! A look at the file that will leave: pages as pictures, texts, and the names in an archive.

use std::sync::Arc;

use askama::Template;
use axum::Extension;
use axum::body::Bytes;
use axum::extract::{Path, Query};
use axum::http::HeaderMap;
use axum::response::Response;
use dalil::sandbox::{FileReadCause, InputFile, PageQuotation};
use dalil_phrasebook::{Language, Phrase, pack_preview};
use dalil_proof::digest::Digest;
use dalil_service::export::{ExportFormat, ExportPreview, newest_erasure, preview};
use dalil_service::pack;
use serde::Deserialize;

use super::error::PageError;
use super::filing_name::filing_name;
use super::layout::{PageLayout, shown};
use super::page_view::on_bytes;
use super::visitor::WebVisitor;
use crate::app::App;
use crate::caller::Caller;
use crate::guard;
use crate::percent::seg;
use crate::permission::Permission;
use crate::problem::{ApiProblem, ProblemKind};
use crate::reply;

#[cfg(test)]
mod tests;

/// Which form of the pack to look at.
#[derive(Deserialize)]
pub(super) struct PackPreviewQuery {
    #[serde(default)]
    format: String,
    #[serde(default)]
    language: String,
}

#[derive(Template)]
#[template(path = "preview.html")]
struct PackPreviewPage {
    page: PageLayout,
    pack_id: String,
    title: String,
    /// The name that the file will be saved under.
    filename: String,
    /// The form that is shown, and every other.
    format: ExportFormat,
    formats: Vec<&'static str>,
    language: Language,
    content: PreviewContent,
}

/// The content of a preview.
enum PreviewContent {
    /// The addresses of the drawn pages, and how many pages there are.
    Drawn(Vec<String>, u32),
    /// Why the pages cannot be drawn.
    Undrawn(Phrase),
    /// A text, and whether it is longer than the shown part.
    Text(String, bool),
    /// The same of a file for programs, which will be signed.
    Content(String, bool),
    /// The files of an archive: name, purpose and size in bytes.
    Files(Vec<(String, Option<Phrase>, u64)>),
}

impl PackPreviewPage {
    /// Whether the form is written in a language.
    fn has_language(&self) -> bool {
        matches!(
            self.content,
            PreviewContent::Drawn(..) | PreviewContent::Undrawn(_) | PreviewContent::Text(..)
        )
    }

    fn in_form(&self, format: &str) -> String {
        self.address(format, self.language.tag())
    }

    fn in_language(&self, language: &str) -> String {
        self.address(&self.page.word(&self.format), language)
    }

    fn address(&self, format: &str, language: &str) -> String {
        format!("/packs/{}/preview?format={format}&language={language}", seg(&self.pack_id))
    }
}

pub(super) async fn show(
    Extension(visitor): Extension<WebVisitor>,
    Path(id): Path<String>,
    Query(asked): Query<PackPreviewQuery>,
) -> Result<Response, PageError> {
    let (app, caller) = admitted(&visitor, &id).await?;
    let page = PageLayout::new(&visitor, "packs", visitor.w.preview);
    let formats = page.pack_formats();
    let known = |word: &str| ExportFormat::WIRE_NAMES.iter().find(|(name, _)| *name == word);
    let first = formats.first().copied().unwrap_or("json");
    let wanted = if asked.format.is_empty() { first } else { asked.format.as_str() };
    let (_, format) = known(wanted).ok_or(PageError::Page)?;
    let language = match asked.language.as_str() {
        "ar" => Language::Arabic,
        "en" => Language::English,
        _ => visitor.language,
    };
    let title = pack::show(&caller.tenant, &id).await?.pack;
    let title = title.memo.texts(visitor.language).title.to_owned();
    let content = content(app, &caller, &id, (*format, language)).await?;
    let filename = filing_name("pack", &title, app.now()?, *format);
    let (pack_id, format) = (id, *format);
    Ok(shown(&PackPreviewPage {
        page,
        pack_id,
        title,
        filename,
        format,
        formats,
        language,
        content,
    }))
}

/// A page of the file as a picture.
pub(super) async fn picture(
    Extension(visitor): Extension<WebVisitor>,
    Path((id, picture)): Path<(String, String)>,
    asked: HeaderMap,
) -> Result<Response, PageError> {
    let (app, caller) = admitted(&visitor, &id).await?;
    // Each time: a pack that was erased is not shown, though its pages may still be kept.
    pack::show(&caller.tenant, &id).await?;
    let (file, number) = PictureName::parse(&picture).ok_or(PageError::Page)?;
    let erasure = newest_erasure(&caller.tenant).await?;
    let key = file.key(caller.tenant.name(), &id, erasure);
    if app.pictures.get(&key, number).is_none() {
        // Other pages needed the room, or something was erased.
        let bytes = printed(app, &caller, &id, file.language).await?;
        // Nothing is drawn for a name that is not of this file.
        if file.digest != short(&Digest::of(&bytes)) {
            return Err(PageError::Page);
        }
        drawn(app, (bytes, format!("{id}.pdf")), key, Some(number)).await?.ok();
    }
    match app.pictures.get(&key, number) {
        Some(Ok(png)) => Ok(reply::picture(&asked, png)),
        Some(Err(_)) | None => Err(PageError::Page),
    }
}

/// Admits a caller who may see the pack and every version of it: the pages and the archive contain
/// other versions and documents as well.
async fn admitted<'v>(visitor: &'v WebVisitor, id: &str) -> Result<(&'v App, Caller), PageError> {
    let app = &visitor.view.app;
    guard::view_pack(app, &visitor.admit(Permission::ViewPack).await?, id).await?;
    let caller = visitor.admit(Permission::View).await?;
    let versions = pack::versions(&caller.tenant, id).await?;
    let all = versions.len();
    let seen = guard::without_hidden_versions(app, &caller, versions).await?;
    if seen.len() < all {
        return Err(PageError::Page);
    }
    Ok((app, caller))
}

/// Makes the preview when it is its turn, off the threads that answer.
async fn made(
    app: &App,
    caller: &Caller,
    id: &str,
    form: (ExportFormat, Language),
) -> Result<ExportPreview, PageError> {
    let internal = || ApiProblem::new(ProblemKind::Internal);
    let turn = Arc::clone(&app.files).acquire_owned().await.map_err(|_| internal())?;
    let (tenant, id) = (caller.tenant.clone(), id.to_owned());
    let beside = (app.config.verify_url(), app.now()?);
    let handle = tokio::runtime::Handle::current();
    let work = move || {
        // The work goes on when the client has left, and so it keeps its turn.
        let _turn = turn;
        handle.block_on(preview(&tenant, &id, form, beside))
    };
    let made = tokio::task::spawn_blocking(work).await.map_err(|_| internal())?;
    Ok(made?)
}

async fn content(
    app: &App,
    caller: &Caller,
    id: &str,
    (format, language): (ExportFormat, Language),
) -> Result<PreviewContent, PageError> {
    if format.media_type().1 == "pdf" {
        return pages(app, caller, id, language).await;
    }
    Ok(match made(app, caller, id, (format, language)).await? {
        ExportPreview::Pages(_) => return Err(PageError::Page),
        ExportPreview::Text(text) => {
            let (text, is_cut) = cut(text);
            PreviewContent::Text(text, is_cut)
        }
        ExportPreview::Content(json) => {
            let json: serde_json::Value =
                serde_json::from_slice(&json).map_err(|error| ApiProblem::caused(&error))?;
            let (text, is_cut) = cut(format!("{json:#}"));
            PreviewContent::Content(text, is_cut)
        }
        ExportPreview::Files(files) => {
            let told = |(name, size): (String, usize)| {
                let what = purpose(&name);
                (name, what, size as u64)
            };
            PreviewContent::Files(files.into_iter().map(told).collect())
        }
    })
}

/// The printed pack, whose bytes are drawn and never given away.
async fn printed(
    app: &App,
    caller: &Caller,
    id: &str,
    language: Language,
) -> Result<Vec<u8>, PageError> {
    let (_, format) =
        ExportFormat::WIRE_NAMES.iter().find(|(name, _)| *name == "pdf").ok_or(PageError::Page)?;
    match made(app, caller, id, (*format, language)).await? {
        ExportPreview::Pages(bytes) => Ok(bytes),
        _ => Err(PageError::Page),
    }
}

/// The pages of the printed pack, drawn and kept where `picture` finds them.
async fn pages(
    app: &App,
    caller: &Caller,
    id: &str,
    language: Language,
) -> Result<PreviewContent, PageError> {
    // Before the pages are made: an erasure that comes meanwhile must count.
    let erasure = newest_erasure(&caller.tenant).await?;
    let bytes = printed(app, caller, id, language).await?;
    let file = PictureName { language, digest: short(&Digest::of(&bytes)) };
    let key = file.key(caller.tenant.name(), id, erasure);
    Ok(match drawn(app, (bytes, format!("{id}.pdf")), key, None).await? {
        Ok(pages) => {
            let numbers = 1..=pages.min(MAX_PREVIEW_PAGES);
            let address = |number| format!("/packs/{}/preview/{}", seg(id), file.of_page(number));
            PreviewContent::Drawn(numbers.map(address).collect(), pages)
        }
        Err(why) => PreviewContent::Undrawn(why),
    })
}

/// Draws one page of a file, or as many as are shown; how many pages it has.
async fn drawn(
    app: &App,
    (bytes, name): (Vec<u8>, String),
    key: Digest,
    only: Option<u32>,
) -> Result<Result<u32, Phrase>, PageError> {
    let pages = on_bytes(app, bytes, move |app, bytes| {
        let file = InputFile { name: &name, bytes };
        let wanted = PageQuotation { page: 1, words: String::new(), differing: String::new() };
        let pages = app.tools.reader.quoted(file, &wanted).map_err(|one| one.why)?.pages;
        let is_wanted = |number: &u32| only.is_none_or(|one| one == *number);
        for number in (1..=pages.min(MAX_PREVIEW_PAGES)).filter(is_wanted) {
            if app.pictures.get(&key, number).is_none() {
                let picture = match app.tools.reader.picture(file, number) {
                    Ok(picture) => Ok(Bytes::from(picture)),
                    Err(failed) if matches!(failed.why, FileReadCause::NotStarted(_)) => {
                        return Err(failed.why);
                    }
                    // A page that cannot be drawn is not tried again.
                    Err(failed) => Err(failed.why.phrase()),
                };
                app.pictures.put(&key, number, picture);
            }
        }
        Ok(pages)
    });
    pages.await
}

/// The name of a picture: the file that it is a page of, and the page.
#[derive(Debug, PartialEq, Eq)]
struct PictureName {
    language: Language,
    /// The beginning of the digest of the file: another one has other pages.
    digest: String,
}

impl PictureName {
    fn of_page(&self, page: u32) -> String {
        format!("{}-{}-{page}.png", self.language.tag(), self.digest)
    }

    /// Reads what `of_page` wrote, and nothing else.
    fn parse(picture: &str) -> Option<(Self, u32)> {
        let (language, rest) = picture.strip_suffix(".png")?.split_once('-')?;
        let (digest, page) = rest.split_once('-')?;
        let language = match language {
            "ar" => Language::Arabic,
            "en" => Language::English,
            _ => return None,
        };
        let (file, page) = (Self { language, digest: digest.to_owned() }, page.parse().ok()?);
        let is_ours = (1..=MAX_PREVIEW_PAGES).contains(&page) && file.of_page(page) == picture;
        is_ours.then_some((file, page))
    }

    /// Where its pictures are kept: never where those of a document are, and after an erasure not
    /// where they were before. Another server, or the command line, may have erased.
    fn key(&self, tenant: &str, pack_id: &str, erasure: Option<u64>) -> Digest {
        let Self { language, digest } = self;
        let erasure = erasure.map_or_else(String::new, |index| index.to_string());
        let parts = ["preview of a pack", tenant, pack_id, language.tag(), digest, &erasure];
        Digest::of(parts.join("\n").as_bytes())
    }
}

fn short(digest: &Digest) -> String {
    digest.hex().chars().take(MAX_DIGEST_CHARS).collect()
}

/// The purpose of a file of an archive; spec/archive.md.
fn purpose(name: &str) -> Option<Phrase> {
    let known = [
        ("data/pack.json", pack_preview::the_pack()),
        ("data/versions/", pack_preview::an_earlier_version()),
        ("data/records.", pack_preview::the_records()),
        ("data/receipts/", pack_preview::a_receipt()),
        ("data/checkpoint.", pack_preview::the_checkpoint()),
        ("data/keys.", pack_preview::the_keys()),
        ("data/previous.", pack_preview::the_earlier_archive()),
        ("data/objects/", pack_preview::a_document()),
        ("data/report.", pack_preview::the_report()),
        ("bag", pack_preview::digests()),
        ("manifest-", pack_preview::digests()),
        ("tagmanifest-", pack_preview::digests()),
    ];
    let found = known.into_iter().find(|(start, _)| name.starts_with(start));
    found.map(|(_, phrase)| phrase)
}

/// As much of a text as a page of ours has room for, and whether that is less than all.
fn cut(mut text: String) -> (String, bool) {
    let end = text.floor_char_boundary(MAX_TEXT_BYTES);
    let is_cut = end < text.len();
    text.truncate(end);
    (text, is_cut)
}

/// How many pages are drawn: a pack has about six.
const MAX_PREVIEW_PAGES: u32 = 12;
/// How much of a text is shown: a page of ours stays below 300 kB.
const MAX_TEXT_BYTES: usize = 100_000;
/// How many characters of a digest distinguish one file from another.
const MAX_DIGEST_CHARS: usize = 16;
