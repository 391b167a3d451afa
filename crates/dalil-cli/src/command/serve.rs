//! `dalil serve`: the product over HTTP.

use std::io::{self, IsTerminal as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use dalil::external::ExternalJudge;
use dalil::judges::{JudgeMode, JudgeModels, Judges};
use dalil_server::config::{JudgeConfig, ModelChoice};
use dalil_server::{App, ScratchDir, ServeConfig, ServerSetup};
use dalil_store::{Store, StorePlace, Vault};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::env::{self, setting};
use crate::error::{CliError, CommandOutcome};
use crate::input;
use crate::reply::ReplyWriter;
use crate::store_args::{StoreAccess, StoreArgs, block_on};

mod demo;

/// Serve a store over HTTP, with a viewer for people
///
/// Serves the viewer at `/`, and the API under `/api/v1`, with its OpenAPI document at
/// `/api/v1/openapi.json`. Callers authenticate with a key of `dalil apikey add` or a token of the
/// configured OpenID Connect provider, either of which names the tenant. On SIGTERM or Ctrl-C,
/// finishes the work in progress and stops. See docs/server.md and docs/viewer.md.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The configuration, a JSON file
    ///
    /// Without it, `DALIL_CONFIG` from the environment.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Where to listen: an address and a port; port 0 takes any
    ///
    /// Without it, `DALIL_LISTEN` from the environment, then the configuration, then
    /// `127.0.0.1:8700`.
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<SocketAddr>,

    /// Where to create the private folder for uploads in progress, which is deleted at the end
    ///
    /// Without it, `scratch` in the folder of the store; for a store on a server, the temporary
    /// folder of the system.
    #[arg(long, value_name = "DIR")]
    scratch: Option<PathBuf>,

    /// Serve the example corpus, checked and sealed, from a temporary store
    ///
    /// Prints a sign-in link and an API key for each of four people.
    #[arg(long, conflicts_with_all = ["store", "lake", "tenant", "identity", "config"])]
    demo: bool,

    #[command(flatten)]
    keeping: StoreArgs,
}

pub(crate) fn run(args: &Args, reply: &ReplyWriter) -> Result<CommandOutcome, CliError> {
    let config = configured(args)?;
    allow_open_files();
    block_on(async {
        if args.demo {
            let scratch = scratch(args, None)?;
            let opened = demo::make(&scratch.path().join("demo"), env::itself()?).await?;
            return serve(opened, config, &scratch, reply).await;
        }
        let place = args.keeping.place()?;
        let opened = ServedStore {
            store: args.keeping.store(StoreAccess::Write).await?,
            vault: args.keeping.vault(&place)?,
            people: Vec::new(),
        };
        serve(opened, config, &scratch(args, Some(&place))?, reply).await
    })?;
    Ok(CommandOutcome::Holds)
}

/// Takes as many open files as the system gives. Many begin a process with 1,024, which the
/// connections alone can take; then none is accepted, and no document can be opened.
fn allow_open_files() {
    let limit = getrlimit(Resource::Nofile);
    // After a refusal the limit stays as it was: the server works, with fewer connections.
    setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }).ok();
}

/// A folder for uploads on their way: where it was asked for, beside a store in a folder, or in the
/// temporary folder of the system.
fn scratch(args: &Args, place: Option<&StorePlace>) -> Result<ScratchDir, CliError> {
    let parent = match (&args.scratch, place) {
        (Some(folder), _) => folder.clone(),
        (None, Some(StorePlace::File { dir })) => dir.join("scratch"),
        (None, _) => std::env::temp_dir(),
    };
    ScratchDir::make(&parent).map_err(|error| CliError::NoFolder { path: parent, error })
}

/// A store that is to be served.
struct ServedStore {
    store: Store,
    vault: Vault,
    /// The people of a demonstration, and the key of each.
    people: Vec<(&'static str, String)>,
}

async fn serve(
    opened: ServedStore,
    config: ServeConfig,
    scratch: &ScratchDir,
    reply: &ReplyWriter,
) -> Result<(), CliError> {
    let ServedStore { store, vault, people } = opened;
    // The links would scroll away under a line for every request.
    let is_quiet = !people.is_empty() && io::stderr().is_terminal();
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
        log: if is_quiet { Box::new(io::sink()) } else { Box::new(io::stderr()) },
    };
    // Before the server starts, so that an early signal is not lost.
    let stop = dalil_server::signals().map_err(CliError::Serve)?;
    let app = App::new(setup).map_err(CliError::Serve)?;
    let scheme = app.scheme();
    let links: Vec<Option<String>> = people.iter().map(|(_, key)| app.signin_link(key)).collect();
    let bound = |address: SocketAddr| {
        reply.note(&format!("listening on {scheme}://{address}"));
        if !people.is_empty() {
            // A user who has closed the standard output still has a server.
            let welcome = welcome(&format!("{scheme}://{address}"), &people, &links);
            drop(reply.view(&welcome));
        }
    };
    dalil_server::serve(app, stop, bound).await.map_err(CliError::Serve)
}

/// The judges that a configuration names, and the file of the deep model.
pub(super) fn judges(
    config: &JudgeConfig,
    replies: &Path,
) -> Result<(Judges, Option<PathBuf>), CliError> {
    let (mode, named, is_asked) = match config {
        JudgeConfig::Models { choice, file } => {
            let mode = match choice {
                ModelChoice::Auto => JudgeMode::Auto,
                ModelChoice::Fast => JudgeMode::Fast,
                ModelChoice::Deep => JudgeMode::Deep,
            };
            // A named model must exist; `auto` by itself continues without the large model.
            (mode, file.as_ref(), file.is_some() || *choice == ModelChoice::Deep)
        }
        JudgeConfig::Endpoint(endpoint) => {
            let key = endpoint.key_file.as_deref().map(input::first_line).transpose()?;
            let judge = ExternalJudge::new(&endpoint.url, &endpoint.model, key, replies.to_owned());
            let judge = if endpoint.mask { judge.masking(Vec::new()) } else { judge };
            (JudgeMode::External(Box::new(judge)), None, true)
        }
    };
    let file = super::model::needed(&mode, named, is_asked)?;
    // A process of its own reads it from another folder.
    let file = file.map(std::path::absolute).transpose().map_err(CliError::Serve)?;
    Ok((Judges { models: JudgeModels::open(file.as_deref())?, mode }, file))
}

/// The instructions for the user of a demonstration.
fn welcome(address: &str, people: &[(&str, String)], links: &[Option<String>]) -> String {
    // Without randomness there is no link; the page of the address asks for the key then.
    let path = |link: &Option<String>| link.clone().unwrap_or_else(|| "/signin".to_owned());
    let people = || people.iter().zip(links);
    let links = people().map(|((who, _), link)| format!("  {who}\n    {address}{}\n", path(link)));
    let keys = people().map(|((_, key), _)| format!("  {key}\n"));
    format!(
        "Open a link to look around as one of these people. It signs you in by itself.\n\n\
         {}\nKeys for the API, in the same order:\n{}\nEverything is gone after Ctrl-C.\n",
        links.collect::<Vec<_>>().join("\n"),
        keys.collect::<String>()
    )
}

/// The file, then the environment, then the flags: the later one wins.
pub(crate) fn configured(args: &Args) -> Result<ServeConfig, CliError> {
    let file = args.config.clone().or_else(|| setting("DALIL_CONFIG").map(PathBuf::from));
    let mut config = match file {
        Some(path) => ServeConfig::parse(&input::bytes(&path)?)?,
        None => ServeConfig::usual(),
    };
    let named = setting("DALIL_LISTEN").map(|text| text.parse::<SocketAddr>());
    let named = named.transpose().map_err(|_| CliError::Listen)?;
    if let Some(listen) = args.listen.or(named) {
        config.listen = listen;
    }
    Ok(config)
}
