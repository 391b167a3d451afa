//! `dalil export`: packs and ledgers that leave the system.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};
use dalil::keep::approval::Approved;
use dalil::keep::export::{self, Export, Format, Subject};
use dalil_core::ledger::request::Language;

use crate::failure::{Answer, Failure};
use crate::keeping::Keeping;
use crate::reply::{Content, Output, Reply};
use crate::view;

/// Let a pack or a ledger leave the system, approved and recorded first
///
/// Somebody else than the exporter approves: a manager or above; for a pack of class S3, two of the
/// executives or the board. The record names who, why, the form and the digest of the bytes, and
/// stands before a byte is written.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Export a pack
    Pack {
        /// The pack
        pack: String,

        /// In which form
        #[arg(long, value_name = "FORMAT")]
        format: PackFormat,

        #[command(flatten)]
        order: Order,
    },
    /// Export the newest ledger of a session
    Ledger {
        /// The session
        session: String,

        /// In which form
        #[arg(long, value_name = "FORMAT")]
        format: LedgerFormat,

        #[command(flatten)]
        order: Order,
    },
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum PackFormat {
    /// Canonical JSON
    Json,
    /// Markdown, for people
    Markdown,
    /// Pages for people, with the sealed file attached; PDF/A-3
    #[cfg(feature = "pdf")]
    Pdf,
    /// A ZIP file with everything that the pack can be checked with
    Archive,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum LedgerFormat {
    /// Canonical JSON
    Json,
    /// Markdown, for people
    Markdown,
    /// Pages for people
    #[cfg(feature = "pdf")]
    Pdf,
    /// For code scanners
    Sarif,
    /// For continuous integration
    Junit,
}

/// What every export says.
#[derive(Debug, clap::Args)]
struct Order {
    /// The language, where the form has one: `en` or `ar`
    #[arg(long, value_name = "LANG", value_parser = view::language, default_value = "en")]
    lang: Language,

    /// A member who approves that it leaves; may be given more than once
    #[arg(long, value_name = "NAME")]
    approver: Vec<String>,

    /// Why it leaves
    #[arg(long, value_name = "TEXT")]
    reason: String,

    /// The file to write, which appears when it is whole; `-` writes to standard output
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    #[command(flatten)]
    keeping: Keeping,
}

pub(crate) fn run(args: &Args, reply: &Reply) -> Result<Answer, Failure> {
    let (subject, format, order) = match &args.what {
        What::Pack { pack, format, order } => {
            let format = match format {
                PackFormat::Json => Format::Json,
                PackFormat::Markdown => Format::Markdown,
                #[cfg(feature = "pdf")]
                PackFormat::Pdf => Format::Pdf,
                PackFormat::Archive => Format::Archive,
            };
            (Subject::Pack(pack.clone()), format, order)
        }
        What::Ledger { session, format, order } => {
            let format = match format {
                LedgerFormat::Json => Format::Json,
                LedgerFormat::Markdown => Format::Markdown,
                #[cfg(feature = "pdf")]
                LedgerFormat::Pdf => Format::Pdf,
                LedgerFormat::Sarif => Format::Sarif,
                LedgerFormat::Junit => Format::Junit,
            };
            (Subject::Ledger(session.clone()), format, order)
        }
    };
    let Order { lang, approver, reason, out, keeping } = order;
    let export = Export {
        subject,
        format,
        language: *lang,
        approved: Approved::Named(approver.clone()),
        reason: reason.clone(),
    };
    let content = match format {
        #[cfg(feature = "pdf")]
        Format::Pdf => Content::Bytes,
        Format::Archive => Content::Bytes,
        Format::Json | Format::Markdown | Format::Sarif | Format::Junit => Content::Text,
    };
    let deed = keeping.deed()?;
    let mut out = Output::open(out, content)?;
    let (made, bytes) =
        keeping.write(async |tenant| export::export(tenant, &export, &deed).await)?;
    out.write(&bytes).map_err(Failure::Write)?;
    reply.exported(out, &made)?;
    Ok(Answer::Holds)
}
