//! `dalil ledger`: claims and matches in, the ledger out.

use std::path::PathBuf;

use clap::ValueEnum;
use dalil::press::{Checked, junit, sarif};
use dalil_core::ledger::export::Export;
use dalil_core::ledger::markdown::markdown;
use dalil_core::ledger::request::{Language, Request};
use dalil_core::ledger::table::table;
use dalil_core::ledger::{self, Ledger};
use dalil_core::report::Report;

use crate::failure::{Answer, Failure};
use crate::input;
use crate::reply::Reply;
use crate::view::{self, GateArgs, Gated, Which};

/// Make the ledger of an answer from its claims and their matches
///
/// Reads `{"session": {…}, "created_at", "claims": [{…, "matches": […]}], …}` and prints the
/// evidence ledger. With `--gate`, exits 1 unless the ledger reaches the minimums, and 2
/// when it has no claim. See spec/ledger.md.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The request, a file or `-` for standard input
    request: PathBuf,

    /// The shape of the reply
    #[arg(long, value_enum, default_value_t = Format::Ledger)]
    format: Format,

    /// Show one claim in full, by its number, or `all` of them
    #[arg(long, value_name = "N", value_parser = view::which, conflicts_with = "format")]
    expand: Option<Which>,

    /// The language of the views for people: `en` or `ar`
    #[arg(long, value_name = "LANG", value_parser = view::language, default_value = "en")]
    lang: Language,

    #[command(flatten)]
    gate: GateArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// The whole ledger, as JSON
    Ledger,
    /// The export for other programs, as JSON
    Json,
    /// The export for people
    Markdown,
    /// A table for a terminal
    Table,
    /// A log for code scanners, SARIF 2.1.0
    Sarif,
    /// A report for continuous integration
    Junit,
    /// Pages for people, with the ledger attached; PDF/A-3
    #[cfg(feature = "pdf")]
    Pdf,
}

pub(crate) fn run(args: &Args, reply: &Reply) -> Result<Answer, Failure> {
    let request = Request::read(&input::bytes(&args.request)?)?;
    let ledger = ledger::check(&request)?;
    let report = args.gate.report(request.options.gate, &ledger);
    match args.expand {
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
    request: &Request,
    ledger: &Ledger,
    gate: Option<&Report>,
    reply: &Reply,
) -> Result<(), Failure> {
    let text = request.answer.as_deref().unwrap_or_default();
    let checked = Checked { name: &request.session.id, text, ledger };
    match args.format {
        Format::Ledger => reply.value(&Gated { reply: ledger, gate }),
        Format::Json => reply.value(&Gated { reply: Export::of(ledger), gate }),
        Format::Markdown => reply.view(&markdown(ledger, &request.session, args.lang)),
        Format::Table => view::show(&table(ledger, args.lang), args.lang, reply),
        Format::Sarif => reply.value(&sarif::log(&[checked])),
        Format::Junit => reply.bytes(junit::xml(&[checked]).as_bytes()),
        #[cfg(feature = "pdf")]
        Format::Pdf => reply.file(&dalil::press::pdf::ledger(ledger, args.lang)?),
    }
}
