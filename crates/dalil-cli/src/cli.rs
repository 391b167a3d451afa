//! The grammar of the command line: the commands and the options they share.

use clap::{Parser, Subcommand};

#[cfg(feature = "live-sql")]
use crate::command::index;
use crate::command::{
    apikey, bundle, check, completions, decision, demo, doctor, document, erase, eval, export,
    fsck, hold, invitation, keys, ledger, man, member, model, pack, policy, read, record, report,
    run, session, sources, tenant, tool, trail, verify,
};
#[cfg(feature = "serve")]
use crate::command::{mcp, serve};
use crate::error::{CliError, CommandOutcome};
use crate::reply::ReplyWriter;

/// Evidence for AI answers and decisions that people must be able to check
///
/// Exit codes: 0 passed, 1 failed or refused, 2 could not run or could not check everything.
#[derive(Debug, Parser)]
#[command(name = "dalil", version, max_term_width = 100, disable_help_subcommand = true)]
pub(crate) struct Cli {
    /// Print canonical JSON (RFC 8785), even on a terminal
    #[arg(long, global = true)]
    pub(crate) json: bool,

    /// Print only errors on standard error
    #[arg(long, global = true)]
    pub(crate) quiet: bool,

    #[command(subcommand)]
    pub(crate) command: CliCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CliCommand {
    Apikey(apikey::Args),
    Bundle(bundle::Args),
    Check(check::Args),
    Completions(completions::Args),
    Decision(decision::Args),
    Demo(demo::Args),
    Doctor(doctor::Args),
    Document(document::Args),
    Erase(erase::Args),
    Eval(eval::Args),
    Export(export::Args),
    Fsck(fsck::Args),
    Hold(hold::Args),
    #[cfg(feature = "live-sql")]
    Index(index::Args),
    Invitation(invitation::Args),
    Keys(keys::Args),
    Ledger(ledger::Args),
    Man(man::Args),
    #[cfg(feature = "serve")]
    Mcp(mcp::Args),
    Member(member::Args),
    Model(model::Args),
    Pack(pack::Args),
    Policy(policy::Args),
    Read(read::Args),
    Record(record::Args),
    Report(report::Args),
    Run(run::Args),
    #[cfg(feature = "serve")]
    Serve(serve::Args),
    Session(session::Args),
    Sources(sources::Args),
    Tenant(tenant::Args),
    Tool(tool::Args),
    Trail(trail::Args),
    Verify(verify::Args),
}

impl CliCommand {
    pub(crate) fn run(self, reply: &ReplyWriter) -> Result<CommandOutcome, CliError> {
        match self {
            Self::Apikey(args) => apikey::run(&args, reply),
            Self::Bundle(args) => bundle::run(&args, reply),
            Self::Check(args) => check::run(&args, reply),
            Self::Completions(args) => completions::run(&args, reply),
            Self::Decision(args) => decision::run(&args, reply),
            Self::Demo(args) => demo::run(&args, reply),
            Self::Doctor(args) => doctor::run(&args, reply),
            Self::Document(args) => document::run(&args, reply),
            Self::Erase(args) => erase::run(&args, reply),
            Self::Eval(args) => eval::run(&args, reply),
            Self::Export(args) => export::run(&args, reply),
            Self::Fsck(args) => fsck::run(&args, reply),
            Self::Hold(args) => hold::run(&args, reply),
            #[cfg(feature = "live-sql")]
            Self::Index(args) => index::run(&args, reply),
            Self::Invitation(args) => invitation::run(&args, reply),
            Self::Keys(args) => keys::run(&args, reply),
            Self::Ledger(args) => ledger::run(&args, reply),
            #[cfg(feature = "serve")]
            Self::Mcp(args) => mcp::run(&args),
            Self::Man(args) => man::run(&args),
            Self::Member(args) => member::run(&args, reply),
            Self::Model(args) => model::run(&args, reply),
            Self::Pack(args) => pack::run(&args, reply),
            Self::Policy(args) => policy::run(&args, reply),
            Self::Read(args) => read::run(&args, reply),
            Self::Record(args) => record::run(&args, reply),
            Self::Report(args) => report::run(&args, reply),
            Self::Run(args) => run::run(&args, reply),
            #[cfg(feature = "serve")]
            Self::Serve(args) => serve::run(&args, reply),
            Self::Session(args) => session::run(&args, reply),
            Self::Sources(args) => sources::run(&args, reply),
            Self::Tenant(args) => tenant::run(&args, reply),
            Self::Tool(args) => tool::run(&args, reply),
            Self::Trail(args) => trail::run(&args, reply),
            Self::Verify(args) => verify::run(&args, reply),
        }
    }
}
