//! `dalil pack`: the evidence of one decision.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use clap::Subcommand;
use dalil_evidence::pack;
use dalil_evidence::pack::diff::PackDifference;
use dalil_evidence::pack::{PackDraft, SealedPack};
use dalil_phrasebook::Language;
use dalil_proof::id::PackId;
use dalil_service::index;
use dalil_service::pack::{PackState, PackVersionSummary};
use serde::Serialize;

use crate::error::{CliError, CommandOutcome};
use crate::input;
use crate::reply::ReplyWriter;
use crate::store_args::{ListFormatArgs, StoreArgs};
use crate::store_list::{ListColumns, StoreListArgs, minute};
use crate::view;

/// Put together the evidence of a decision, seal it, and review it
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: PackCommand,
}

#[derive(Debug, Subcommand)]
enum PackCommand {
    Assemble(PackAssembleArgs),
    /// Show what changed from one version of a pack to another
    Diff {
        /// The version before
        old: String,

        /// The version after
        new: String,

        /// The language of the text: `en` or `ar`
        #[arg(long, value_name = "LANG", value_parser = view::language, default_value = "en")]
        lang: Language,

        #[command(flatten)]
        form: ListFormatArgs,

        #[command(flatten)]
        keeping: StoreArgs,
    },
    /// List versions of packs, the newest first
    List(StoreListArgs),
    /// Record what a member says about a pack, and seal the version that the last approval makes
    ///
    /// The request is `{"pack_id","reviewer_id",
    /// "outcome"?:"approved"|"declined"|"escalated"|"rejected",
    /// "reason"?,"acknowledged"?:[{"rule","path"}],"new_pack_id"?}`. The reviewer is a member with
    /// the role and a title for the class, within 48 hours, and never the agent. Whoever declines
    /// says why, and has no vote. Prints who must still approve; after the last one, the sealed
    /// version. The one before stays as it is.
    Review(PackRequestArgs),
    /// Assemble a pack, seal it with the tenant's key, and record it
    ///
    /// The request is that of `pack assemble`; the calls that were recorded for the decision join
    /// it. Prints the file that `dalil verify` checks; on a terminal, which pack it is.
    Seal(PackRequestArgs),
    /// Show a pack that is kept
    Show {
        /// The pack
        pack: String,

        /// Print the sealed file that `dalil verify` checks
        #[arg(long)]
        sealed: bool,

        #[command(flatten)]
        keeping: StoreArgs,
    },
    /// List every version of a pack
    Versions {
        /// A version of the pack, or its decision
        pack: String,

        #[command(flatten)]
        keeping: StoreArgs,
    },
}

/// Assemble a pack from a decision, its tool calls, its prompts and a memo
///
/// Reads `{"decision": {…}, "tool_calls": […], "prompts": […], "memo"?: {…},
/// "ledger"?, "pack_id", "created_at", …}` and prints the pack, unsigned. If a
/// rule is broken, prints every fault with its path and exits with 1. See
/// spec/pack.md.
///
/// With `--decision`, takes all of it from the store: the decision, its tool calls, and the newest
/// ledger of the session that it names. Seals and records the pack, unresolved until it is
/// reviewed, and prints the file that `dalil verify` checks; on a terminal, which pack it is. A memo
/// that is not given is drafted.
#[derive(Debug, clap::Args)]
struct PackAssembleArgs {
    /// The request, as a JSON file; `-` reads standard input
    #[arg(required_unless_present = "decision", conflicts_with = "decision")]
    request: Option<PathBuf>,

    /// Assemble the pack of this decision from the store
    #[arg(long, value_name = "ID")]
    decision: Option<String>,

    /// The memo, as a JSON file; `-` reads standard input
    #[arg(long, value_name = "FILE", requires = "decision")]
    memo: Option<PathBuf>,

    /// The name of the pack; drawn when there is none
    #[arg(long, value_name = "ID", requires = "decision", value_parser = PackId::from_str)]
    pack_id: Option<PackId>,

    #[command(flatten)]
    keeping: StoreArgs,
}

#[derive(Debug, clap::Args)]
struct PackRequestArgs {
    /// The request, as a JSON file; `-` reads standard input
    request: PathBuf,

    #[command(flatten)]
    keeping: StoreArgs,
}

pub(crate) fn run(args: &Args, reply: &ReplyWriter) -> Result<CommandOutcome, CliError> {
    match &args.command {
        PackCommand::Assemble(args) => assemble(args, reply)?,
        PackCommand::Diff { old, new, lang, form, keeping } => {
            let difference =
                keeping.read(async |tenant| dalil_service::pack::diff(tenant, old, new).await)?;
            form.show(reply, &PackDiffOutput { difference, language: *lang })?;
        }
        PackCommand::List(list) => {
            let range = list.range();
            let found = list.keeping.read(async |tenant| index::packs(tenant, range).await)?;
            list.show(reply, found, PACK_COLUMNS)?;
        }
        PackCommand::Seal(PackRequestArgs { request, keeping }) => {
            let (request, deed) = (input::bytes(request)?, keeping.request_context()?);
            let sealed = keeping
                .write(async |tenant| dalil_service::pack::seal(tenant, &request, &deed).await)?;
            told(reply, &sealed)?;
        }
        PackCommand::Review(PackRequestArgs { request, keeping }) => {
            let request = input::bytes(request)?;
            // A review is by the member it names, unless `--actor` names another.
            let deed = keeping.request_context_of(dalil_service::pack::reviewer(&request))?;
            let reviewed = keeping
                .write(async |tenant| dalil_service::pack::review(tenant, &request, &deed).await)?;
            reply.value(&reviewed)?;
        }
        PackCommand::Show { pack, sealed: true, keeping } => {
            let sealed = keeping
                .read(async |tenant| dalil_service::pack::sealed_file(tenant, pack).await)?;
            reply.value(&sealed)?;
        }
        PackCommand::Show { pack, sealed: false, keeping } => {
            let shown =
                keeping.read(async |tenant| dalil_service::pack::show(tenant, pack).await)?;
            reply.value(&shown)?;
        }
        PackCommand::Versions { pack, keeping } => {
            let versions =
                keeping.read(async |tenant| dalil_service::pack::versions(tenant, pack).await)?;
            reply.value(&versions)?;
        }
    }
    Ok(CommandOutcome::Holds)
}

fn assemble(args: &PackAssembleArgs, reply: &ReplyWriter) -> Result<(), CliError> {
    let PackAssembleArgs { request, decision, memo, pack_id, keeping } = args;
    if let Some(request) = request {
        return reply.value(&pack::assemble(&input::bytes(request)?)?);
    }
    let order = dalil_service::pack::AssembleRequest {
        decision_id: decision.clone().unwrap_or_default(),
        memo: memo.as_deref().map(input::bytes).transpose()?,
        pack_id: pack_id.clone(),
    };
    let deed = keeping.request_context()?;
    let sealed =
        keeping.write(async |tenant| dalil_service::pack::assemble(tenant, &order, &deed).await)?;
    told(reply, &sealed)
}

/// Replies with a sealed file and the name of its pack. A person gets the name alone: the file is
/// for programs, and `pack show --sealed` prints it.
fn told(reply: &ReplyWriter, sealed: &SealedPack) -> Result<(), CliError> {
    let pack = PackDraft::parse(&sealed.envelope.payload)?;
    let id = &pack.pack_id;
    let said = format!("sealed {id}, the pack of decision {}", pack.decision_id);
    if reply.is_to_a_person() {
        return reply.view(&format!(
            "{said}\n  look at it: dalil pack show {id}\n  the file:   dalil pack show {id} --sealed > {id}.json\n"
        ));
    }
    reply.note(&said);
    reply.value(sealed)
}

/// A difference in the language that was asked for.
#[derive(Serialize)]
#[serde(transparent)]
struct PackDiffOutput {
    difference: PackDifference,
    #[serde(skip)]
    language: Language,
}

impl fmt::Display for PackDiffOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.difference.text(self.language))
    }
}

const PACK_COLUMNS: ListColumns<PackVersionSummary, 5> = ListColumns {
    heading: ["pack", "version", "made", "status", "decision"],
    cells: |one| {
        let state = match one.state {
            PackState::Unresolved => "unresolved",
            PackState::PartlyApproved => "partly approved",
            PackState::Rejected => "rejected",
            PackState::Resolved => "resolved",
            PackState::Superseded => "superseded",
        };
        let (version, at) = (one.version.to_string(), minute(&one.created_at));
        [one.pack_id.clone(), version, at, state.to_owned(), one.decision_id.clone()]
    },
};
