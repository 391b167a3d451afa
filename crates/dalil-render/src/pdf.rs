//! Packs and ledgers as PDF, for people to hold: PDF/A-3 and PDF/UA-1, in English or in Arabic.
//!
//! ```text
//! sealed file, history ─▶ PackPrintout ─view─▶ JSON ─typeset─▶ PDF, with both attached
//! ledger, answer ───────────────────────────▶ JSON ─typeset─▶ PDF, with both attached
//! ```
//!
//! Everything on the pages follows from the attachments, so anyone who has the
//! file can render it again and compare: equal inputs give equal bytes, whatever
//! the machine, the time and the number of threads. Texts reach the typesetter
//! as data and never as markup. Characters that the typefaces do not have are
//! shown by their codes, and the pages say so.
//!
//! Out of scope: whether the pack is valid. The pages show the content of a file;
//! `dalil verify` checks it.

use dalil_evidence::ledger::Ledger;
use dalil_phrasebook::Language;
use dalil_proof::canon::{self, NotCanonical};
use dalil_proof::digest::Digest;
use dalil_proof::json::Json;
use thiserror::Error;

pub use self::answer::{ANSWER_ATTACHMENT, MAX_ANSWER_BYTES, PrintoutAnswer, PrintoutReview};
use self::digits::DigitStyle;
use self::font::EmbeddedFonts;
use self::glyphs::PageTextWriter;
pub use self::history::{
    PrintoutApproval, PrintoutApprovalOutcome, PrintoutHistory, PrintoutVersion,
    PrintoutVersionStatus,
};
pub use self::printout::PackPrintout;
use self::typeset::{PressAttachment, PressTemplate, TypesetJob};

mod answer;
mod attachment;
mod claims;
mod clusters;
mod digits;
mod font;
mod glyphs;
mod history;
mod locale;
mod printout;
mod qr;
#[cfg(test)]
mod tests;
mod typeset;
mod view;

/// The press that made a PDF, as the file names it: `dalil-press 0.1.0`.
pub const PRESS_VERSION: &str = concat!("dalil-press ", env!("CARGO_PKG_VERSION"));
/// The attachment that is the sealed file.
pub const PACK_ATTACHMENT: &str = "pack.json";
/// The attachment that has the versions and the approvals.
pub const HISTORY_ATTACHMENT: &str = "history.json";
/// The attachment that is the ledger.
pub const LEDGER_ATTACHMENT: &str = "ledger.json";

/// The most claims of a ledger in one PDF. The typesetter takes about 190 KB of memory for each:
/// 400 MB, and three seconds. No reader needs that many pages; the other forms have no limit.
pub const MAX_PDF_CLAIMS: usize = 2_000;

/// Presses a pack.
///
/// # Errors
/// More claims than [`MAX_PDF_CLAIMS`], or the typesetter's message, when it refuses the pages.
pub fn pack(sheet: &PackPrintout, language: Language) -> Result<Vec<u8>, PressError> {
    if let Some(Json::List(entries)) =
        sheet.draft().ledger.as_ref().and_then(|ledger| ledger.get("entries"))
    {
        bounded(entries.len())?;
    }
    let style = DigitStyle::of_pack(sheet.draft());
    let pen = PageTextWriter::new(EmbeddedFonts::embedded(), language, style);
    let view = view::pack(sheet, &pen);
    let verify_url = sheet.history().verify_url.as_deref();
    typeset::pdf(&TypesetJob {
        template: PressTemplate::Pack,
        language,
        view: canon::bytes(&view)?,
        qr: qr::svg(&attachment::code(verify_url, &sheet.digest().to_string()))?,
        made: sheet.draft().created_at,
        // Made from the content: a random document id would give other bytes each time.
        ident: format!("{} {}", sheet.draft().pack_id, sheet.digest()),
        attachments: vec![
            PressAttachment { name: PACK_ATTACHMENT, bytes: sheet.sealed().to_vec() },
            PressAttachment { name: HISTORY_ATTACHMENT, bytes: sheet.history_bytes().to_vec() },
        ],
    })
}

/// Presses a ledger, with the question and the answer as far as they are known.
///
/// # Errors
/// More claims than [`MAX_PDF_CLAIMS`], an answer longer than [`MAX_ANSWER_BYTES`], or the
/// typesetter's message, when it refuses the pages.
pub fn ledger(
    ledger: &Ledger,
    about: &PrintoutAnswer,
    language: Language,
) -> Result<Vec<u8>, PressError> {
    bounded(ledger.content.entries.len())?;
    let bytes = canon::bytes(ledger)?;
    let answer = about.attached()?;
    if let Some(found) = answer.as_ref().map(Vec::len).filter(|bytes| *bytes > MAX_ANSWER_BYTES) {
        return Err(PressError::LongAnswer { found });
    }
    let style = DigitStyle::of_ledger(ledger, [about.question.as_deref(), about.answer.as_deref()]);
    let pen = PageTextWriter::new(EmbeddedFonts::embedded(), language, style);
    // Through JSON, so that a ledger alone and one inside a pack are shown by the same code.
    let json =
        Json::parse(&bytes).map_err(|refused| PressError::Typesetter(refused.to_string()))?;
    let digest = Digest::of(&bytes).to_string();
    let claims = claims::of(&json, &pen);
    let view = view::ledger((ledger, about), &digest, claims, &pen);
    let mut attachments = vec![PressAttachment { name: LEDGER_ATTACHMENT, bytes }];
    attachments.extend(answer.map(|bytes| PressAttachment { name: ANSWER_ATTACHMENT, bytes }));
    typeset::pdf(&TypesetJob {
        template: PressTemplate::Ledger,
        language,
        view: canon::bytes(&view)?,
        qr: qr::svg(&attachment::code(about.verify_url.as_deref(), &digest))?,
        made: ledger.content.created_at,
        ident: ledger.id.to_string(),
        attachments,
    })
}

fn bounded(claims: usize) -> Result<(), PressError> {
    if claims > MAX_PDF_CLAIMS { Err(PressError::TooManyClaims { found: claims }) } else { Ok(()) }
}

/// Why there is no PDF.
#[derive(Debug, Error)]
pub enum PressError {
    /// The typesetter refused its input.
    #[error("the typesetter refused the pages: {0}")]
    Typesetter(String),
    /// A part has no canonical form.
    #[error(transparent)]
    Canonical(#[from] NotCanonical),
    /// The answer would take too many pages.
    #[error(
        "expected at most {MAX_ANSWER_BYTES} bytes of question and answer in one PDF, found {found}"
    )]
    LongAnswer {
        /// How many there are.
        found: usize,
    },
    /// The pages would take more memory than a program should.
    #[error("expected at most {MAX_PDF_CLAIMS} claims in one PDF, found {found}")]
    TooManyClaims {
        /// How many there are.
        found: usize,
    },
}
