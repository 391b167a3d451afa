//! `dalil ledger`: claims and matches in, the ledger out.

use std::path::PathBuf;

use clap::ValueEnum;
use clap::builder::ArgPredicate;
use dalil_evidence::ledger::export::LedgerExport;
use dalil_evidence::ledger::request::LedgerRequest;
use dalil_evidence::ledger::{self, Ledger};
use dalil_phrasebook::Language;
use dalil_proof::report::VerificationReport;
use dalil_render::ledger::markdown::markdown;
use dalil_render::ledger::table::{TABLE_WIDTH, fitted};
#[cfg(feature = "pdf")]
use dalil_render::pdf::PrintoutAnswer;
use dalil_render::{AnswerLedger, junit, sarif};

use crate::error::{CliError, CommandOutcome};
use crate::input;
use crate::reply::ReplyWriter;
use crate::view::{self, ClaimSelection, GateArgs, GatedOutput};

/// Make the ledger of an answer from its claims and their matches
///
/// Reads `{"session": {…}, "created_at", "claims": [{…, "matches": […]}], …}` and prints the
/// evidence ledger. With `--gate`, exits 1 unless the ledger reaches the minimums, and 2
/// when it has no claim. See spec/ledger.md.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The request, a file or `-` for standard input
    request: PathBuf,

    /// The output format
    #[arg(
        long,
        value_enum,
        default_value = "ledger",
        default_value_if("expand", ArgPredicate::IsPresent, "table")
    )]
    format: LedgerOutputFormat,

    /// Show one claim in full, by its number, or `all` of them; for the table
    #[arg(long, value_name = "N", value_parser = view::claim_selection)]
    expand: Option<ClaimSelection>,

    /// The language of the views for people: `en` or `ar`
    #[arg(long, value_name = "LANG", value_parser = view::language, default_value = "en")]
    lang: Language,

    #[command(flatten)]
    gate: GateArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum LedgerOutputFormat {
    /// The whole ledger, JSON
    Ledger,
    /// The export for other programs, JSON
    Json,
    /// Markdown for people
    Markdown,
    /// A table for a terminal
    Table,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// `JUnit` XML, for continuous integration
    Junit,
    /// PDF/A-3 for people, with the ledger attached
    #[cfg(feature = "pdf")]
    Pdf,
}

pub(crate) fn run(args: &Args, reply: &ReplyWriter) -> Result<CommandOutcome, CliError> {
    let request = LedgerRequest::read(&input::bytes(&args.request)?)?;
    let ledger = ledger::check(&request)?;
    let report = args.gate.report(request.options.gate, &ledger);
    match args.expand {
        Some(_) if !matches!(args.format, LedgerOutputFormat::Table) => {
            return Err(CliError::ExpandedFormat);
        }
        Some(which) => {
            let claims = view::claims(&ledger, which, args.lang)?;
            view::show(&claims, args.lang, reply)?;
        }
        None => show(args, &request, &ledger, report.as_ref(), reply)?,
    }
    Ok(view::answer(report.as_ref(), reply))
}

fn show(
    args: &Args,
    request: &LedgerRequest,
    ledger: &Ledger,
    gate: Option<&VerificationReport>,
    reply: &ReplyWriter,
) -> Result<(), CliError> {
    let text = request.answer.as_deref().unwrap_or("");
    let checked = AnswerLedger { name: &request.session.id, text, ledger };
    match args.format {
        LedgerOutputFormat::Ledger => reply.value(&GatedOutput { reply: ledger, gate }),
        LedgerOutputFormat::Json => {
            reply.value(&GatedOutput { reply: LedgerExport::of(ledger), gate })
        }
        LedgerOutputFormat::Markdown => reply.view(&markdown(ledger, &request.session, args.lang)),
        LedgerOutputFormat::Table => {
            let columns = view::columns(args.lang, reply).unwrap_or(TABLE_WIDTH);
            view::show(&fitted(ledger, args.lang, columns), args.lang, reply)
        }
        LedgerOutputFormat::Sarif => reply.value(&sarif::log(&[checked], &|_| None)),
        LedgerOutputFormat::Junit => reply.bytes(junit::xml(&[checked]).as_bytes()),
        #[cfg(feature = "pdf")]
        LedgerOutputFormat::Pdf => {
            let about = PrintoutAnswer::new(request.session.query.as_deref(), text);
            reply.file(&dalil_render::pdf::ledger(ledger, &about, args.lang)?)
        }
    }
}
