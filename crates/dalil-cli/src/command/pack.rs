//! `dalil pack`: the evidence of one decision.

use std::path::PathBuf;

use clap::Subcommand;
use dalil::keep::pack as kept;
#[cfg(feature = "pdf")]
use dalil::keep::print;
#[cfg(feature = "pdf")]
use dalil::press::pdf;
#[cfg(feature = "pdf")]
use dalil_core::ledger::request::Language;
use dalil_core::pack;

use crate::failure::{Answer, Failure};
use crate::input;
use crate::keeping::Keeping;
use crate::reply::Reply;
#[cfg(feature = "pdf")]
use crate::view;

/// Put together the evidence of a decision, seal it, and review it
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Assemble(Assemble),
    /// Record a person's review, and seal the version that it makes
    ///
    /// The request is `{"pack_id","reviewer_id","reason"?,"acknowledged"?:[{"rule","path"}],
    /// "new_pack_id"?}`. Prints the sealed version; the one before stays as it is.
    Review(Request),
    /// Assemble a pack, seal it with the tenant's key, and record it
    ///
    /// The request is that of `pack assemble`; the calls that were recorded for the decision join
    /// it. Prints the file that `dalil verify` checks.
    Seal(Request),
    /// Show a pack that is kept
    Show {
        /// The pack
        pack: String,

        /// Print the sealed file that `dalil verify` checks
        #[arg(long)]
        sealed: bool,

        /// The shape of the reply
        #[cfg(feature = "pdf")]
        #[arg(long, value_enum, default_value_t = Format::Json, conflicts_with = "sealed")]
        format: Format,

        /// The language of pages: `en` or `ar`
        #[cfg(feature = "pdf")]
        #[arg(long, value_name = "LANG", value_parser = view::language, default_value = "en")]
        lang: Language,

        #[command(flatten)]
        keeping: Keeping,
    },
    /// List every version of a pack
    Versions {
        /// A version of the pack, or its decision
        pack: String,

        #[command(flatten)]
        keeping: Keeping,
    },
}

#[cfg(feature = "pdf")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// The pack and where it stands, as JSON
    Json,
    /// Pages for people, with the sealed file attached; PDF/A-3
    Pdf,
}

/// Assemble a pack from a decision, its tool calls, its prompts and a memo
///
/// Reads `{"decision": {…}, "tool_calls": […], "prompts": […], "memo": {…},
/// "ledger"?, "pack_id", "created_at", …}` and prints the pack, unsigned. If a
/// rule is broken, prints every fault with its path and exits with 1. See
/// spec/pack.md.
#[derive(Debug, clap::Args)]
struct Assemble {
    /// The request, as a JSON file; `-` reads standard input
    request: PathBuf,
}

#[derive(Debug, clap::Args)]
struct Request {
    /// The request, as a JSON file; `-` reads standard input
    request: PathBuf,

    #[command(flatten)]
    keeping: Keeping,
}

pub(crate) fn run(args: &Args, reply: &Reply) -> Result<Answer, Failure> {
    match &args.command {
        Command::Assemble(Assemble { request }) => {
            reply.value(&pack::assemble(&input::bytes(request)?)?)?;
        }
        Command::Seal(Request { request, keeping }) => {
            let (request, deed) = (input::bytes(request)?, keeping.deed()?);
            let sealed = keeping.write(async |tenant| kept::seal(tenant, &request, &deed).await)?;
            reply.value(&sealed)?;
        }
        Command::Review(Request { request, keeping }) => {
            let (request, deed) = (input::bytes(request)?, keeping.deed()?);
            let sealed =
                keeping.write(async |tenant| kept::review(tenant, &request, &deed).await)?;
            reply.value(&sealed)?;
        }
        #[cfg(feature = "pdf")]
        Command::Show { pack, format: Format::Pdf, lang, keeping, .. } => {
            let sheet = keeping.read(async |tenant| print::sheet(tenant, pack).await)?;
            reply.file(&pdf::pack(&sheet, *lang)?)?;
        }
        Command::Show { pack, sealed: true, keeping, .. } => {
            let sealed = keeping.read(async |tenant| kept::sealed_file(tenant, pack).await)?;
            reply.value(&sealed)?;
        }
        Command::Show { pack, sealed: false, keeping, .. } => {
            let shown = keeping.read(async |tenant| kept::show(tenant, pack).await)?;
            reply.value(&shown)?;
        }
        Command::Versions { pack, keeping } => {
            let versions = keeping.read(async |tenant| kept::versions(tenant, pack).await)?;
            reply.value(&versions)?;
        }
    }
    Ok(Answer::Holds)
}
