//! `dalil export`: packs and ledgers that leave the system.

use std::path::{Path, PathBuf, absolute};

use clap::{Subcommand, ValueEnum};
use dalil_phrasebook::Language;
use dalil_proof::canon;
use dalil_service::approval::ApprovalBasis;
use dalil_service::export::{self, ExportFormat, ExportRequest, ExportSubject};
use dalil_service::keys;

use crate::error::{CliError, CommandOutcome};
use crate::reply::{ExportContent, ExportTarget, ReplyWriter};
use crate::store_args::StoreArgs;
use crate::view;

/// Export a pack or a ledger, recorded first
///
/// A pack needs an approver other than the exporter: a manager or above; for class S3, two
/// executives or board members. A ledger needs a reason but no approval. The record holds the
/// exporter, the reason, the format and the digest of the bytes, and is made before a byte is
/// written.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: ExportCommand,
}

#[derive(Debug, Subcommand)]
enum ExportCommand {
    /// Export a pack
    Pack {
        /// The id of the pack
        pack: String,

        /// The export format
        #[arg(long, value_name = "FORMAT")]
        format: PackExportFormat,

        #[command(flatten)]
        order: ExportArgs,
    },
    /// Export the newest ledger of a session
    Ledger {
        /// The id of the session
        session: String,

        /// The export format
        #[arg(long, value_name = "FORMAT")]
        format: LedgerExportFormat,

        #[command(flatten)]
        order: ExportArgs,
    },
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum PackExportFormat {
    /// Canonical JSON
    Json,
    /// The signed file that `dalil verify` takes: envelope, receipt, salt
    Sealed,
    /// The same as an in-toto statement in a DSSE envelope, signed anew
    InToto,
    /// Markdown, for people
    Markdown,
    /// PDF/A-3 for people, with the sealed file attached
    #[cfg(feature = "pdf")]
    Pdf,
    /// A ZIP file with everything needed to verify the pack
    Archive,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum LedgerExportFormat {
    /// The export for other programs, JSON
    Json,
    /// The whole ledger, JSON
    Ledger,
    /// Markdown, for people
    Markdown,
    /// PDF, for people
    #[cfg(feature = "pdf")]
    Pdf,
    /// SARIF, for code scanning
    Sarif,
    /// `JUnit` XML, for continuous integration
    Junit,
}

/// What every export says.
#[derive(Debug, clap::Args)]
struct ExportArgs {
    /// The language, for formats that have one: `en` or `ar`
    #[arg(long, value_name = "LANG", value_parser = view::language, default_value = "en")]
    lang: Language,

    /// A member who approves the export; may be given more than once
    #[arg(long, value_name = "NAME")]
    approver: Vec<String>,

    /// The reason for the export
    #[arg(long, value_name = "TEXT")]
    reason: String,

    /// The file to write, which appears only when it is complete; `-` writes to standard output
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Also write the trust file that `dalil verify --trust` reads; send it through another channel
    /// than the export
    #[arg(long, value_name = "FILE")]
    trust_out: Option<PathBuf>,

    #[command(flatten)]
    keeping: StoreArgs,
}

pub(crate) fn run(args: &Args, reply: &ReplyWriter) -> Result<CommandOutcome, CliError> {
    let (subject, format, order) = match &args.what {
        ExportCommand::Pack { pack, format, order } => {
            let format = match format {
                PackExportFormat::Json => ExportFormat::Json,
                PackExportFormat::Sealed => ExportFormat::Sealed,
                PackExportFormat::InToto => ExportFormat::InToto,
                PackExportFormat::Markdown => ExportFormat::Markdown,
                #[cfg(feature = "pdf")]
                PackExportFormat::Pdf => ExportFormat::Pdf,
                PackExportFormat::Archive => ExportFormat::Archive,
            };
            (ExportSubject::Pack(pack.clone()), format, order)
        }
        ExportCommand::Ledger { session, format, order } => {
            let format = match format {
                LedgerExportFormat::Json => ExportFormat::Json,
                LedgerExportFormat::Ledger => ExportFormat::Ledger,
                LedgerExportFormat::Markdown => ExportFormat::Markdown,
                #[cfg(feature = "pdf")]
                LedgerExportFormat::Pdf => ExportFormat::Pdf,
                LedgerExportFormat::Sarif => ExportFormat::Sarif,
                LedgerExportFormat::Junit => ExportFormat::Junit,
            };
            (ExportSubject::Ledger(session.clone()), format, order)
        }
    };
    let ExportArgs { lang, approver, reason, out, trust_out, keeping } = order;
    let export = ExportRequest {
        subject,
        format,
        language: *lang,
        approved: ApprovalBasis::Named(approver.clone()),
        reason: reason.clone(),
        // A folder has no page; a server of the store states where its own is.
        verify_url: None,
    };
    let content = match format {
        #[cfg(feature = "pdf")]
        ExportFormat::Pdf => ExportContent::Bytes,
        ExportFormat::Archive => ExportContent::Bytes,
        ExportFormat::Json
        | ExportFormat::Sealed
        | ExportFormat::InToto
        | ExportFormat::Markdown
        | ExportFormat::Sarif
        | ExportFormat::Junit
        | ExportFormat::Ledger => ExportContent::Text,
    };
    let request_context = keeping.request_context()?;
    // Before anything is recorded: an output that cannot be written to must not leave a record.
    let beside = trust_out.as_deref().map(|path| apart(path, out)).transpose()?;
    let mut out = ExportTarget::open(out, content)?;
    let open = |path| ExportTarget::open(path, ExportContent::Text);
    let mut beside = beside.map(open).transpose()?;
    let ((made, bytes), trust) = keeping.write(async |tenant| {
        // Before the record as well: nothing may fail after it but the writing.
        let trust = match &beside {
            Some(_) => canon::bytes(&keys::trust(tenant, None).await?)?,
            None => Vec::new(),
        };
        Ok((export::export(tenant, &export, &request_context).await?, trust))
    })?;
    out.write(&bytes).map_err(CliError::Write)?;
    if let Some(beside) = &mut beside {
        beside.write(&trust).map_err(CliError::Write)?;
    }
    // The export first: the record states that it has left.
    reply.exported(out, &made)?;
    if let Some(beside) = beside {
        beside.finish()?;
    }
    Ok(CommandOutcome::Holds)
}

/// Where a trust file goes, if neither the export nor the reply goes there.
fn apart<'p>(path: &'p Path, export: &Path) -> Result<&'p Path, CliError> {
    // By meaning, not by spelling: `pack.json` is `./pack.json`.
    let is_same = match (absolute(path), absolute(export)) {
        (Ok(path), Ok(export)) => path == export,
        _ => path == export,
    };
    if is_same || path == Path::new("-") {
        return Err(CliError::SharedFile { path: path.to_owned() });
    }
    Ok(path)
}
