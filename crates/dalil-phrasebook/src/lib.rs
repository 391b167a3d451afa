//! Every sentence that Dalil shows to a reader, in English and in Arabic.
//!
//! Rules return values and phrases; the code that shows one chooses the language. A phrase is
//! declared once, with its arguments and its text in every language, by one macro (see
//! [`Phrase`]): a missing translation does not compile, and no other crate words a sentence for
//! readers.
//!
//! In scope: words and sentences. Out of scope: which of them applies, and where it is shown.
//! Words that the program *reads* in a language, such as units and months, stay with the rules
//! that read them.
//!
//! 1. [`Language`], [`Phrase`].
//! 2. Faults: [`fault`], [`expected`], [`bound`], [`precondition`], [`found`], [`hint`],
//!    [`approval`], [`error`], [`problem`].
//! 3. Ledgers, packs and decisions: [`ledger`], [`judge_note`], [`ledger_view`], [`pack_flag`],
//!    [`pack_reason`], [`pack_field`], [`pack_change`], [`pack_view`],
//!    [`pack_preview`], [`memo`], [`count`].
//! 4. Documents: [`document_note`], [`document_place`], [`page_refusal`].
//! 5. Pages: [`page`] (PDF), [`dataset_report`], [`viewer`], [`viewer_term`], [`verify_page`].
//! 6. Verification: [`part`], [`proof_check`], [`trail_check`], [`pack_check`], [`ledger_check`],
//!    [`archive_check`], [`completeness_check`], [`file_check`].

pub mod approval;
pub mod archive_check;
pub mod bound;
pub mod completeness_check;
pub mod count;
pub mod dataset_report;
pub mod document_note;
pub mod document_place;
pub mod error;
pub mod expected;
pub mod fault;
pub mod file_check;
pub mod found;
pub mod hint;
pub mod judge_note;
mod language;
pub mod ledger;
pub mod ledger_check;
pub mod ledger_view;
pub mod mcp;
pub mod memo;
pub mod pack_change;
pub mod pack_check;
pub mod pack_field;
pub mod pack_flag;
pub mod pack_preview;
pub mod pack_reason;
pub mod pack_view;
pub mod page;
pub mod page_refusal;
pub mod part;
mod phrase;
pub mod precondition;
pub mod problem;
pub mod proof_check;
pub mod trail_check;
pub mod verify_page;
pub mod viewer;
pub mod viewer_term;

pub use language::Language;
pub use phrase::{Phrase, PhraseArgument};
