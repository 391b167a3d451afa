//! The typesetter: data and templates in, PDF out.
//!
//! Everything it can read is in the program or in the [`TypesetJob`]; it knows no
//! files, no network, no clock and no typefaces of the machine.

use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;

use dalil_phrasebook::Language;
use dalil_phrasebook::page::PageTexts;
use dalil_proof::canon;
use dalil_proof::time::Time;
use typst::diag::{FileError, FileResult, SourceDiagnostic};
use typst::foundations::{Bytes, Datetime, Duration, Smart};
use typst::syntax::{FileId, RootedPath, Source, VirtualPath, VirtualRoot};
use typst::text::{Font, FontBook};
use typst::utils::LazyHash;
use typst::{Library, LibraryExt as _, World, comemo};
use typst_layout::PagedDocument;
use typst_pdf::{PdfOptions, PdfStandard, PdfStandards, Timestamp};

use super::font::EmbeddedFonts;
use super::locale::without_vowel_signs;
use super::{PRESS_VERSION, PressError, clusters};

/// A document to be typeset.
#[derive(Debug)]
pub(super) struct TypesetJob {
    pub(super) template: PressTemplate,
    pub(super) language: Language,
    /// The data of the template, as JSON.
    pub(super) view: Vec<u8>,
    /// The QR code, as SVG.
    pub(super) qr: Vec<u8>,
    /// The time that the document is dated.
    pub(super) made: Time,
    /// The identifier of the document.
    pub(super) ident: String,
    pub(super) attachments: Vec<PressAttachment>,
}

/// A file inside the PDF.
#[derive(Debug)]
pub(super) struct PressAttachment {
    pub(super) name: &'static str,
    pub(super) bytes: Vec<u8>,
}

/// The kind of document.
#[derive(Clone, Copy, Debug)]
pub(super) enum PressTemplate {
    Pack,
    Ledger,
}

/// Makes the PDF; one at a time in a process, as each takes much memory.
pub(super) fn pdf(job: &TypesetJob) -> Result<Vec<u8>, PressError> {
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let world = PressWorld::new(job)?;
    let made = made(&world, job);
    // The memoized results of one document are of no use to the next, and would never be evicted.
    // The pages need not wait for the eviction.
    thread::spawn(|| comemo::evict(0));
    made
}

fn made(world: &PressWorld<'_>, job: &TypesetJob) -> Result<Vec<u8>, PressError> {
    let document: PagedDocument =
        typst::compile(world).output.map_err(|errors| refused(world, &errors))?;
    let document = clusters::joined(&document);
    let standards = PdfStandards::new(&[PdfStandard::A_3a, PdfStandard::Ua_1])
        .map_err(|error| PressError::Typesetter(error.message().to_string()))?;
    let options = PdfOptions {
        ident: Smart::Custom(job.ident.clone()),
        creator: Smart::Custom(Some(PRESS_VERSION.to_owned())),
        timestamp: stamp(job.made),
        page_ranges: None,
        standards,
        tagged: true,
        pretty: false,
    };
    typst_pdf::pdf(&document, &options).map_err(|errors| refused(world, &errors))
}

/// The typesetter's errors, with the places in its templates.
fn refused(world: &PressWorld<'_>, errors: &[SourceDiagnostic]) -> PressError {
    let said = errors.iter().map(|error| match typst::WorldExt::range(world, error.span) {
        Some(range) => format!("{} (template, byte {})", error.message, range.start),
        None => error.message.to_string(),
    });
    PressError::Typesetter(said.collect::<Vec<_>>().join("; "))
}

fn stamp(time: Time) -> Option<Timestamp> {
    let text = time.to_string();
    let part = |range: std::ops::Range<usize>| text.get(range)?.parse::<u8>().ok();
    let year: i32 = text.get(..4)?.parse().ok()?;
    let (month, day) = (part(5..7)?, part(8..10)?);
    let (hour, minute, second) = (part(11..13)?, part(14..16)?, part(17..19)?);
    Datetime::from_ymd_hms(year, month, day, hour, minute, second).map(Timestamp::new_utc)
}

/// The typesetter's whole world.
struct PressWorld<'j> {
    job: &'j TypesetJob,
    faces: &'static EmbeddedFonts,
    main: FileId,
}

impl<'j> PressWorld<'j> {
    fn new(job: &'j TypesetJob) -> Result<Self, PressError> {
        let path = VirtualPath::new("/main.typ")
            .map_err(|error| PressError::Typesetter(format!("{error:?}")))?;
        let main = RootedPath::new(VirtualRoot::Project, path).intern();
        Ok(Self { job, faces: EmbeddedFonts::embedded(), main })
    }

    fn bytes(&self, name: &str) -> Option<Bytes> {
        let job = self.job;
        let template = |text: &'static str| Some(Bytes::from_string(text));
        match name {
            "main.typ" => template(match job.template {
                PressTemplate::Pack => include_str!("pack.typ"),
                PressTemplate::Ledger => include_str!("ledger.typ"),
            }),
            "layout.typ" => template(include_str!("layout.typ")),
            "claims.typ" => template(include_str!("claims.typ")),
            "words.typ" => template(include_str!("words.typ")),
            "words.json" => {
                let words = canon::bytes(PageTexts::in_language(job.language)).ok()?;
                let words = without_vowel_signs(&String::from_utf8(words).ok()?);
                Some(Bytes::from_string(words))
            }
            "view.json" => Some(Bytes::new(job.view.clone())),
            "qr.svg" => Some(Bytes::new(job.qr.clone())),
            _ => {
                let attached = job.attachments.iter().find(|one| one.name == name)?;
                Some(Bytes::new(attached.bytes.clone()))
            }
        }
    }
}

impl World for PressWorld<'_> {
    fn library(&self) -> &LazyHash<Library> {
        static LIBRARY: OnceLock<LazyHash<Library>> = OnceLock::new();
        LIBRARY.get_or_init(|| LazyHash::new(Library::default()))
    }

    fn book(&self) -> &LazyHash<FontBook> {
        self.faces.book()
    }

    fn main(&self) -> FileId {
        self.main
    }

    fn source(&self, id: FileId) -> FileResult<Source> {
        let bytes = self.file(id)?;
        let text = bytes.as_str().map_err(|_| FileError::InvalidUtf8)?;
        Ok(Source::new(id, text.to_owned()))
    }

    fn file(&self, id: FileId) -> FileResult<Bytes> {
        let name = id.get().vpath().get_without_slash();
        // No other name is found, so that a template cannot reach the machine.
        self.bytes(name).ok_or_else(|| FileError::NotFound(name.into()))
    }

    fn font(&self, index: usize) -> Option<Font> {
        self.faces.font(index)
    }

    fn today(&self, _: Option<Duration>) -> Option<Datetime> {
        // A template that printed the date would make the bytes depend on the day.
        None
    }
}
