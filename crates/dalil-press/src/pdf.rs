//! Packs and ledgers as PDF, for people to hold: PDF/A-3 and PDF/UA-1, in English or in Arabic.
//!
//! ```text
//! sealed file, history ─▶ PackSheet ─view─▶ JSON ─typeset─▶ PDF, with both attached
//! ledger ──────────────────────────────────▶ JSON ─typeset─▶ PDF, with it attached
//! ```
//!
//! Everything on the pages follows from what is attached, so whoever has the
//! file can press it again and compare: equal inputs give equal bytes, whatever
//! the machine, the time and the number of threads. Texts reach the typesetter
//! as data and never as markup. Characters that the typefaces do not have are
//! shown by their codes, and the pages say so.
//!
//! Out of scope: whether the pack holds. Pages are made of what a file says;
//! `dalil verify` says whether to believe it.

use dalil_core::canon::{self, NotCanonical};
use dalil_core::json::Json;
use dalil_core::ledger::Ledger;
use dalil_core::ledger::request::Language;
use thiserror::Error;

pub use self::history::{Approval, History, Outcome, Status, Version};
pub use self::sheet::PackSheet;

use self::font::Faces;
use self::pen::Pen;
use self::typeset::{Attachment, Job, Template};

mod claims;
mod font;
mod history;
mod pen;
mod qr;
mod say;
mod sheet;
#[cfg(test)]
mod tests;
mod typeset;
mod view;

/// The press that made a PDF, as the file names it: `dalil-press 0.1.0`.
pub const PRESS: &str = concat!("dalil-press ", env!("CARGO_PKG_VERSION"));
/// The attachment that is the sealed file.
pub const PACK: &str = "pack.json";
/// The attachment that has the versions and the approvals.
pub const HISTORY: &str = "history.json";
/// The attachment that is the ledger.
pub const LEDGER: &str = "ledger.json";

/// Presses a pack.
///
/// # Errors
/// The typesetter's message, when it refuses the pages.
pub fn pack(sheet: &PackSheet, language: Language) -> Result<Vec<u8>, Unpressed> {
    let pen = Pen::new(Faces::embedded(), language);
    let view = view::pack(sheet, &pen);
    typeset::pdf(&Job {
        template: Template::Pack,
        language,
        view: canon::bytes(&view)?,
        qr: Some(qr::svg(&sheet.digest().to_string())?),
        made: sheet.draft().created_at,
        ident: format!("{} {}", sheet.draft().pack_id, sheet.digest()),
        attachments: vec![
            Attachment { name: PACK, bytes: sheet.sealed().to_vec() },
            Attachment { name: HISTORY, bytes: sheet.history_bytes().to_vec() },
        ],
    })
}

/// Presses a ledger.
///
/// # Errors
/// The typesetter's message, when it refuses the pages.
pub fn ledger(ledger: &Ledger, language: Language) -> Result<Vec<u8>, Unpressed> {
    let bytes = canon::bytes(ledger)?;
    let pen = Pen::new(Faces::embedded(), language);
    let json = Json::parse(&bytes).map_err(|refused| Unpressed::Typesetter(refused.to_string()))?;
    let view = view::ledger(ledger, claims::of(&json, &pen), &pen);
    typeset::pdf(&Job {
        template: Template::Ledger,
        language,
        view: canon::bytes(&view)?,
        qr: None,
        made: ledger.content.created_at,
        ident: ledger.id.to_string(),
        attachments: vec![Attachment { name: LEDGER, bytes }],
    })
}

/// Why there is no PDF.
#[derive(Debug, Error)]
pub enum Unpressed {
    /// The typesetter refused its input.
    #[error("the typesetter refused the pages: {0}")]
    Typesetter(String),
    /// A part has no canonical form.
    #[error(transparent)]
    Canonical(#[from] NotCanonical),
}
