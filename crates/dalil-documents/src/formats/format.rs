//! Detects the format of a file, by its content first and by its name second.

use std::fmt;

use dalil_evidence::chunk_set::ChunkSet;
use dalil_phrasebook::{Phrase, document_note};
use dalil_proof::fault::quote;

use crate::document::{DocumentFormat, ParseProblem};
use crate::page_refusal::PageRefusal;

/// A file that cannot be read at all, or a page of it that cannot be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct UnreadableFile {
    /// The expected and the found, as one message.
    pub message: String,
    /// The next step.
    pub hint: Option<String>,
    /// The reason, where it has a text in every language: for a page, and for a PDF that
    /// cannot be opened.
    pub page: Option<PageRefusal>,
}

impl UnreadableFile {
    pub(super) fn new(message: impl Into<String>, hint: Option<&str>) -> Self {
        Self { message: message.into(), hint: hint.map(str::to_owned), page: None }
    }

    /// The problem, in every language where it is known.
    pub fn phrase(&self) -> Phrase {
        self.page.map_or_else(|| Phrase::verbatim(&self.message), PageRefusal::phrase)
    }
}

impl From<PageRefusal> for UnreadableFile {
    fn from(page: PageRefusal) -> Self {
        Self { message: page.to_string(), hint: None, page: Some(page) }
    }
}

impl fmt::Display for UnreadableFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for UnreadableFile {}

impl DocumentFormat {
    /// File extensions with their formats.
    pub const FILE_EXTENSIONS: [(&'static str, Self); 15] = [
        ("csv", Self::Csv),
        ("docx", Self::Docx),
        ("eml", Self::Eml),
        ("htm", Self::Html),
        ("html", Self::Html),
        ("log", Self::Text),
        ("markdown", Self::Markdown),
        ("md", Self::Markdown),
        ("mht", Self::Eml),
        ("pdf", Self::Pdf),
        ("text", Self::Text),
        ("tsv", Self::Csv),
        ("txt", Self::Text),
        ("xhtml", Self::Html),
        ("xlsx", Self::Xlsx),
    ];

    /// The format that a file's name suggests.
    pub fn of(name: &str) -> Option<Self> {
        let (_, ending) = name.rsplit_once('.')?;
        let ending = ending.to_ascii_lowercase();
        Self::FILE_EXTENSIONS.iter().find(|(known, _)| *known == ending).map(|(_, format)| *format)
    }

    /// Its name for readers.
    pub fn name(self) -> Phrase {
        match self {
            Self::Pdf => Phrase::verbatim("PDF"),
            Self::Docx => document_note::format_docx(),
            Self::Html => Phrase::verbatim("HTML"),
            Self::Markdown => Phrase::verbatim("Markdown"),
            Self::Text => document_note::format_text(),
            Self::Csv => Phrase::verbatim("CSV"),
            Self::Xlsx => document_note::format_xlsx(),
            Self::Eml => document_note::format_eml(),
            Self::Chunks => document_note::format_chunks(),
        }
    }

    /// One lower-case word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pdf => "pdf",
            Self::Docx => "docx",
            Self::Html => "html",
            Self::Markdown => "markdown",
            Self::Text => "text",
            Self::Csv => "csv",
            Self::Xlsx => "xlsx",
            Self::Eml => "eml",
            Self::Chunks => "chunks",
        }
    }

    /// Whether its parser is simple enough to run beside everything else.
    ///
    /// The others unpack, nest or refer, and run in a process of their own.
    pub fn is_plain(self) -> bool {
        match self {
            Self::Markdown | Self::Text | Self::Csv | Self::Chunks => true,
            Self::Pdf | Self::Docx | Self::Html | Self::Xlsx | Self::Eml => false,
        }
    }
}

/// The format of a file, and a problem if its name suggests another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DetectedFormat {
    /// The format to parse it as.
    pub format: DocumentFormat,
    /// Why that differs from the one that its name suggests.
    pub problem: Option<ParseProblem>,
}

impl DetectedFormat {
    /// Looks at the content, and at the name where the content does not say.
    ///
    /// # Errors
    /// Bytes that are no format that can be read.
    pub fn of(bytes: &[u8], name: &str) -> Result<Self, UnreadableFile> {
        let named = DocumentFormat::of(name);
        // First, and by its content alone: the words of a chunk may be those that a PDF begins with.
        if ChunkSet::of_canonical(bytes).is_some() {
            return Ok(Self { format: DocumentFormat::Chunks, problem: None });
        }
        let format = match binary(bytes)? {
            Some(format) => format,
            None => text(bytes, named),
        };
        let differs = named.is_some_and(|named| named != format);
        Ok(Self { format, problem: differs.then(|| misnamed(name, format)) })
    }
}

/// The problem of a file whose content does not fit its name.
fn misnamed(name: &str, format: DocumentFormat) -> ParseProblem {
    ParseProblem::new(None, &document_note::misnamed(quote(name), format.name()))
}

/// The format of bytes that are no text.
fn binary(bytes: &[u8]) -> Result<Option<DocumentFormat>, UnreadableFile> {
    let head = bytes.get(..bytes.len().min(MAX_SNIFF_BYTES)).unwrap_or_default();
    // Viewers accept the header anywhere in the first 1024 bytes (PDF Reference 1.7, H.3, note 13).
    if has(head, b"%PDF-") {
        return Ok(Some(DocumentFormat::Pdf));
    }
    // The second signature is that of an archive without files.
    if head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06") {
        return package(bytes).map(Some);
    }
    for (magic, found, hint) in REFUSED_MAGIC {
        if head.starts_with(magic) {
            return Err(UnreadableFile::new(
                format!("expected a document, found {found}"),
                Some(hint),
            ));
        }
    }
    let marked = head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff");
    // A zero byte is no text but in UTF-16; of other control characters one in a hundred may be.
    let odd = |byte: &&u8| **byte < 0x20 && !matches!(**byte, 0x09..=0x0d | 0x1b);
    let odd_bytes = bytes.iter().filter(odd).count();
    if !marked && (bytes.contains(&0) || odd_bytes > bytes.len() / 100) {
        return Err(UnreadableFile::new(
            "expected a document, found bytes that are no text",
            Some(KNOWN_FORMATS_HINT),
        ));
    }
    Ok(None)
}

/// The format of a compressed package, by the file names in it.
fn package(bytes: &[u8]) -> Result<DocumentFormat, UnreadableFile> {
    // Names are not compressed in a ZIP file, so they are found without unpacking anything.
    let holds = |name: &[u8]| has(bytes, name);
    match (holds(b"word/"), holds(b"xl/")) {
        // A file of one kind may embed one of the other: the name of the main part decides.
        (true, _) if !holds(b"xl/workbook") || holds(b"word/document") => Ok(DocumentFormat::Docx),
        (_, true) => Ok(DocumentFormat::Xlsx),
        _ => {
            let found = "expected a document, found an archive of other files";
            Err(UnreadableFile::new(found, Some("unpack it and give the documents in it")))
        }
    }
}

/// The format of a text: by its first bytes, then by its name.
fn text(bytes: &[u8], named: Option<DocumentFormat>) -> DocumentFormat {
    let head = bytes.get(..bytes.len().min(MAX_SNIFF_BYTES)).unwrap_or_default();
    let head = super::encoding::decode(head).text;
    let begins = head.trim_start().to_ascii_lowercase();
    let page = begins.starts_with("<!doctype html")
        || begins.starts_with("<html")
        || begins.starts_with("<?xml") && begins.contains("<html");
    match named {
        _ if page => DocumentFormat::Html,
        // Before the check for a message: Markdown may begin with lines such as `Date:`.
        Some(format @ (DocumentFormat::Html | DocumentFormat::Markdown | DocumentFormat::Csv)) => {
            format
        }
        _ if is_message(&head) => DocumentFormat::Eml,
        Some(
            DocumentFormat::Text
            | DocumentFormat::Pdf
            | DocumentFormat::Docx
            | DocumentFormat::Xlsx
            | DocumentFormat::Eml
            | DocumentFormat::Chunks,
        )
        | None => DocumentFormat::Text,
    }
}

/// Whether a text begins with the header fields of a message: two known ones in the first lines.
fn is_message(head: &str) -> bool {
    let mut known = 0;
    for line in head.lines() {
        let folded = line.starts_with([' ', '\t']);
        let field = line.split_once(':').map(|(field, _)| field.to_ascii_lowercase());
        match field.filter(|field| !field.contains(' ')) {
            _ if folded => {}
            Some(field) => known += usize::from(EMAIL_HEADER_FIELDS.contains(&field.as_str())),
            // The line that separates messages in an mbox file.
            None if line.starts_with("From ") && known == 0 => {}
            None => break,
        }
    }
    known >= 2
}

fn has(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// The length of the prefix that decides the format.
const MAX_SNIFF_BYTES: usize = 1024;
const KNOWN_FORMATS_HINT: &str = "documents are PDF, DOCX, XLSX, HTML, Markdown, text, CSV and EML";
const OLD_OFFICE_HINT: &str = "save it as DOCX, XLSX or PDF";
const PICTURE_HINT: &str = "recognise its text first, and give that";
const REFUSED_MAGIC: [(&[u8], &str, &str); 8] = [
    (
        b"\xd0\xcf\x11\xe0",
        "an Office file of the old kind, or one with a password",
        OLD_OFFICE_HINT,
    ),
    (b"{\\rtf", "rich text", OLD_OFFICE_HINT),
    (b"\x89PNG", "a picture", PICTURE_HINT),
    (b"\xff\xd8\xff", "a picture", PICTURE_HINT),
    (b"GIF8", "a picture", PICTURE_HINT),
    (b"II*\0", "a picture", PICTURE_HINT),
    (b"MM\0*", "a picture", PICTURE_HINT),
    (b"\x1f\x8b", "compressed bytes", "unpack it first"),
];
const EMAIL_HEADER_FIELDS: [&str; 14] = [
    "from",
    "to",
    "cc",
    "subject",
    "date",
    "received",
    "return-path",
    "message-id",
    "mime-version",
    "content-type",
    "content-transfer-encoding",
    "delivered-to",
    "reply-to",
    "sender",
];
