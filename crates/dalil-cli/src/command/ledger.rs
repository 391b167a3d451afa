//! `dalil ledger`: claims and matches in, the ledger out.

use std::path::PathBuf;

use clap::ValueEnum;
use dalil_core::ledger::expanded::expanded;
use dalil_core::ledger::export::Export;
use dalil_core::ledger::gate::{self, Gate};
use dalil_core::ledger::markdown::markdown;
use dalil_core::ledger::request::Request;
use dalil_core::ledger::table::table;
use dalil_core::ledger::verdict::Verdict;
use dalil_core::ledger::{self, Ledger};
use dalil_core::report::{self, Report};
use dalil_core::score::Score;
use serde::Serialize;

use crate::failure::{Answer, Failure};
use crate::input;
use crate::reply::{Paint, Reply};

/// Make the ledger of an answer from its claims and their matches
///
/// Reads `{"session": {…}, "created_at", "claims": [{…, "matches": […]}], …}` and prints the
/// evidence ledger. With `--gate`, exits 1 unless the ledger reaches the minimums. See
/// spec/ledger.md.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The request, a file or `-` for standard input
    request: PathBuf,

    /// The shape of the reply
    #[arg(long, value_enum, default_value_t = Format::Ledger)]
    format: Format,

    /// Show one claim in full, by its number, or `all` of them
    #[arg(long, value_name = "N", value_parser = which, conflicts_with = "format")]
    expand: Option<Which>,

    /// Fail unless the ledger is good enough
    #[arg(long)]
    gate: bool,

    /// The least evidence coverage that passes the gate
    #[arg(long, value_name = "SHARE", value_parser = share, requires = "gate")]
    min_coverage: Option<Score>,

    /// The largest unsupported rate that passes the gate
    #[arg(long, value_name = "SHARE", value_parser = share, requires = "gate")]
    max_unsupported: Option<Score>,

    /// How many contradicted critical claims pass the gate
    #[arg(long, value_name = "COUNT", requires = "gate")]
    max_contradicted_critical: Option<usize>,
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
}

#[derive(Clone, Copy, Debug)]
enum Which {
    One(usize),
    All,
}

/// A ledger and whether it passed.
#[derive(Serialize)]
struct Gated<'r, T> {
    #[serde(flatten)]
    reply: T,
    #[serde(skip_serializing_if = "Option::is_none")]
    gate: Option<&'r Report>,
}

pub(crate) fn run(args: &Args, reply: &Reply) -> Result<Answer, Failure> {
    let request = Request::read(&input::bytes(&args.request)?)?;
    let ledger = ledger::check(&request)?;
    let report = args.gate.then(|| gate::report(&wanted(args, request.options.gate), &ledger));
    let report = report.as_ref();
    match (args.expand, args.format) {
        (Some(which), _) => {
            reply.bytes(painted(&views(&ledger, which)?, reply.paint()).as_bytes())?;
        }
        (None, Format::Ledger) => reply.value(&Gated { reply: &ledger, gate: report })?,
        (None, Format::Json) => reply.value(&Gated { reply: Export::of(&ledger), gate: report })?,
        (None, Format::Markdown) => reply.bytes(markdown(&ledger, &request.session).as_bytes())?,
        (None, Format::Table) => {
            reply.bytes(painted(&table(&ledger), reply.paint()).as_bytes())?;
        }
    }
    let failed = report.is_some_and(|report| report.verdict() == report::Verdict::Fail);
    for part in report.into_iter().flat_map(|report| &report.findings) {
        if part.verdict == report::Verdict::Fail {
            reply.warn(&format!("gate: {}: {}", part.part, part.message));
        }
    }
    Ok(if failed { Answer::DoesNotHold } else { Answer::Holds })
}

/// The gate of the request, with what the arguments say instead.
fn wanted(args: &Args, gate: Gate) -> Gate {
    Gate {
        min_coverage: args.min_coverage.unwrap_or(gate.min_coverage),
        max_unsupported: args.max_unsupported.unwrap_or(gate.max_unsupported),
        max_contradicted_critical: args
            .max_contradicted_critical
            .unwrap_or(gate.max_contradicted_critical),
    }
}

fn views(ledger: &Ledger, which: Which) -> Result<String, Failure> {
    let claims = ledger.content.entries.len();
    match which {
        Which::All => Ok((1..=claims).filter_map(|number| expanded(ledger, number)).collect()),
        Which::One(number) => {
            expanded(ledger, number).ok_or(Failure::NoSuchClaim { number, claims })
        }
    }
}

/// Colours the verdicts, as the seed does: green, amber, red, grey.
fn painted(view: &str, paint: Paint) -> String {
    if paint == Paint::Plain {
        return view.to_owned();
    }
    Verdict::ALL.into_iter().fold(view.to_owned(), |view, verdict| {
        let colour = match verdict {
            Verdict::Supported => 32,
            Verdict::Weak => 33,
            Verdict::Contradicted => 31,
            Verdict::NotFound => 90,
        };
        let small = format!("{} {}", verdict.sign(), verdict.label());
        let large = format!("Verdict: {}", verdict.label().to_uppercase());
        [small, large].into_iter().fold(view, |view, words| {
            view.replace(&words, &format!("\u{1b}[{colour}m{words}\u{1b}[0m"))
        })
    })
}

fn which(text: &str) -> Result<Which, String> {
    match text.parse() {
        _ if text == "all" => Ok(Which::All),
        Ok(number) => Ok(Which::One(number)),
        Err(_) => Err("expected the number of a claim, or `all`".to_owned()),
    }
}

fn share(text: &str) -> Result<Score, String> {
    let value = text.parse().ok().and_then(Score::new);
    value.ok_or_else(|| format!("expected {}", Score::EXPECTED))
}
