//! `dalil mcp`: tools for agents, over standard input and output.

use std::io::{self, BufRead as _, Write as _};
use std::path::Path;

use dalil_phrasebook::Language;
use dalil_proof::record::Actor;
use dalil_server::config::ServeConfig;
use dalil_server::mcp::stdio::{self, LocalAgent};
use dalil_server::{App, ScratchDir, ServerSetup};
use dalil_service::{RequestContext, tenant};
use dalil_store::{Store, StoreOptions, StorePlace, TimeSource, Vault};
use tokio::sync::mpsc;

use super::serve::judges;
use crate::env;
use crate::error::{CliError, CommandOutcome};
use crate::store_args::{StoreAccess, StoreArgs, block_on};
use crate::view;

/// Serve tools for agents (Model Context Protocol) over standard input and output
///
/// Tools: check an answer, build a bundle, find sources, record decisions and tool calls before and
/// after they happen, verify evidence. Resources: ledgers and packs. The host that starts the
/// program acts as the agent that `--actor` names, which may only view and record. `dalil serve`
/// has the same tools at `/mcp`, for agents with a key. See docs/agents.md.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Use a temporary store, which is deleted at the end
    #[arg(long, conflicts_with_all = ["store", "lake", "tenant", "identity"])]
    temporary: bool,

    /// The language of descriptions and refusals: `en` or `ar`
    #[arg(long, value_name = "LANG", value_parser = view::language)]
    lang: Option<Language>,

    #[command(flatten)]
    keeping: StoreArgs,
}

pub(crate) fn run(args: &Args) -> Result<CommandOutcome, CliError> {
    let Actor::Agent(name) = args.keeping.request_context()?.actor else {
        return Err(CliError::NoAgent);
    };
    block_on(async {
        let scratch = scratch(args)?;
        let (store, vault) = opened(args, scratch.path()).await?;
        let tenant = match args.temporary {
            true => store.tenant(TEMPORARY_TENANT).await?,
            false => args.keeping.tenant(&store).await?,
        };
        let language = args.lang.unwrap_or(Language::English);
        let agent = LocalAgent { tenant, name, language };
        let config = local_config();
        let (judges, model_file) = judges(&config.judge, &scratch.path().join("replies"))?;
        let setup = ServerSetup {
            config,
            store,
            vault,
            judges,
            model_file,
            now: || env::now().ok(),
            program: env::itself()?,
            scratch: scratch.path().to_owned(),
            // Standard error is the host's log; a line for each call would fill it.
            log: Box::new(io::sink()),
        };
        let app = App::new(setup).map_err(CliError::Serve)?;
        let told = stdio::serve(app, agent, messages(), write);
        told.await.map_err(CliError::Serve)
    })?;
    Ok(CommandOutcome::Holds)
}

/// The configuration of a server with one user: a long check delays no one else.
fn local_config() -> ServeConfig {
    let mut config = ServeConfig::usual();
    config.limits.seconds = MAX_CALL_SECONDS;
    (config.limits.rate, config.limits.burst) = (MAX_CALLS_A_SECOND, MAX_CALLS_A_SECOND);
    config.limits.threads = u64::try_from(env::threads()).unwrap_or(1);
    config
}

fn scratch(args: &Args) -> Result<ScratchDir, CliError> {
    let parent = match (args.temporary, args.keeping.place()) {
        (false, Ok(StorePlace::File { dir })) => dir.join("scratch"),
        _ => std::env::temp_dir(),
    };
    ScratchDir::make(&parent).map_err(|error| CliError::NoFolder { path: parent, error })
}

/// The store, and the vault that the secrets of the server are derived from.
async fn opened(args: &Args, scratch: &Path) -> Result<(Store, Vault), CliError> {
    if !args.temporary {
        let place = args.keeping.place()?;
        return Ok((args.keeping.store(StoreAccess::Write).await?, args.keeping.vault(&place)?));
    }
    let identity = scratch.join("identity");
    let place = StorePlace::File { dir: scratch.join("store") };
    let at = env::now()?;
    let vault = Vault::create(&identity, None)?;
    let store = Store::open(&place, vault, StoreOptions::writing(at)).await?;
    let time_source = TimeSource::Clock;
    let request_context = RequestContext { at, time_source, actor: Actor::System, key: None };
    tenant::create(&store, TEMPORARY_TENANT, TEMPORARY_ORIGIN, &request_context).await?;
    Ok((store, Vault::load(&identity, None)?))
}

/// The lines of standard input, read by a thread of its own.
fn messages() -> mpsc::Receiver<Vec<u8>> {
    let (said, heard) = mpsc::channel(1);
    std::thread::spawn(move || {
        let mut lines = io::stdin().lock();
        loop {
            let mut line = Vec::new();
            // A host that hangs up, or a pipe that breaks, ends the program.
            match io::Read::take(&mut lines, MAX_MESSAGE_BYTES).read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => return,
                Ok(_) if line.trim_ascii().is_empty() => (),
                Ok(_) => {
                    if said.blocking_send(line).is_err() {
                        return;
                    }
                }
            }
        }
    });
    heard
}

fn write(answer: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    output.write_all(answer.as_bytes())?;
    output.write_all(b"\n")?;
    output.flush()
}

const TEMPORARY_TENANT: &str = "temporary";
const TEMPORARY_ORIGIN: &str = "dalil.invalid/temporary";
/// A deep judge takes minutes for a long answer.
const MAX_CALL_SECONDS: u64 = 900;
const MAX_CALLS_A_SECOND: u64 = 1_000_000;
/// As much as a body of the API, with room for JSON escapes.
const MAX_MESSAGE_BYTES: u64 = 64 << 20;
