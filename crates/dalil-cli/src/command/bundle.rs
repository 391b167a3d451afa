//! `dalil bundle`: selects the evidence that a model may see.

use std::path::PathBuf;
#[cfg(feature = "live-sql")]
use std::time::Duration;

use clap::ValueEnum;
use dalil::bundle::{ChunkSelection, documents};
use dalil::corpus::Corpus;
use dalil_evidence::bundle::{
    BuiltBundle, Bundle, BundleProblem, BundleProblemSubject, BundleRequest, FetchedArtifacts,
    LakeWrite, build, prompt,
};
use dalil_evidence::mask::MaskKey;
use dalil_phrasebook::{found, hint, precondition};
use dalil_proof::fault::{Fault, Refused, quote};
use dalil_service::bundle::{self, BundleInputs, ModelRun, SavedBundle};
use serde::Serialize;

use crate::command::run::DEFAULT_RUN_STATUS;
use crate::error::{CliError, CommandOutcome};
use crate::lake::LakeFolder;
#[cfg(feature = "live-sql")]
use crate::live;
use crate::reply::ReplyWriter;
use crate::store_args::{LakelessStoreArgs, to_save};
use crate::{corpus, env, input};

/// Build a bundle: ordered, bounded evidence for a model, with every cut recorded
///
/// The request holds inline evidence, references and a policy. With `--against`, documents are read
/// as `dalil check` reads them, and their chunks follow those of the request: all of them, or the
/// best ones for `--query`. A reference that cannot be read becomes a problem in the bundle. Live
/// queries run read-only, and their full results are written to the lake first. A request that
/// breaks a rule or points outside the lake is refused with all its faults.
#[derive(Debug, clap::Args)]
#[command(group = to_save(["at"]))]
pub(crate) struct Args {
    /// The request as JSON; `-` reads standard input
    request: PathBuf,

    /// The folder that references point into, and where full texts are stored
    #[arg(long, value_name = "DIR")]
    lake: Option<PathBuf>,

    /// Documents whose chunks to include, files or folders
    #[arg(long, value_name = "PATH", num_args = 1..)]
    against: Vec<PathBuf>,

    /// Take only the chunks that match this text best, best first
    #[arg(long, value_name = "TEXT", requires = "against", value_parser = words)]
    query: Option<String>,

    /// How many chunks to take for the query
    #[arg(long, value_name = "N", requires = "query", default_value = "20",
        value_parser = clap::value_parser!(u16).range(1..=10_000))]
    top: u16,

    /// The folder of the cache for parsed documents
    #[arg(long, value_name = "DIR", requires = "against", default_value = ".dalil")]
    index: PathBuf,

    /// Do not cache parsed documents
    #[arg(long, requires = "against", conflicts_with = "index")]
    no_index: bool,

    /// A database that live queries may use: its name, `=`, its address. Put an address with a
    /// password in the variable `DALIL_CONNECTION_NAME`, where no other user sees it
    #[cfg(feature = "live-sql")]
    #[arg(long, value_name = "NAME=URL")]
    connection: Vec<String>,

    /// The time limit of a live query
    #[cfg(feature = "live-sql")]
    #[arg(long, value_name = "SECONDS", default_value = "30",
        value_parser = clap::value_parser!(u16).range(1..=3600))]
    query_timeout: u16,

    /// A secret of at least 16 bytes; masks then carry a keyed digest of what they hide
    #[arg(long, value_name = "FILE")]
    mask_key: Option<PathBuf>,

    /// The bundle, or its items as text for a prompt: unchanged, except that control characters are
    /// printed as `\u{…}` on a terminal
    #[arg(long, value_enum, default_value = "json")]
    format: BundleOutputFormat,

    /// Exit 1 when a query, a reference or a document could not be used
    #[arg(long)]
    strict: bool,

    /// Save the bundle and all its inputs in a store
    #[arg(long)]
    save: bool,

    /// The model run that uses the bundle
    #[arg(long, value_name = "ID", requires_all = ["save", "model"])]
    run: Option<String>,

    /// The model of that run
    #[arg(long, value_name = "NAME", requires = "run")]
    model: Option<String>,

    #[command(flatten)]
    keeping: LakelessStoreArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum BundleOutputFormat {
    Json,
    Prompt,
}

pub(crate) fn run(args: &Args, reply: &ReplyWriter) -> Result<CommandOutcome, CliError> {
    let request = BundleRequest::parse_at(&input::bytes(&args.request)?, env::now()?)?;
    let lake = args.lake.as_deref().map(LakeFolder::open).transpose()?;
    let key = args.mask_key.as_deref().map(key).transpose()?;
    // Queries first: their results become references into the lake, which are read below.
    let request = answered(args, request, lake.as_ref())?;
    let artifacts = read(&request, lake.as_ref())?;
    let corpus = corpus(args, reply)?;
    let request = match &corpus {
        Some(corpus) => request.with(documents(corpus, &wanted(args))),
        None => request,
    };
    let built = build(request, &artifacts, key.as_ref())?;
    let BuiltBundle { bundle, keep } = &built;
    // Before whole texts are written: a request that leads out of the lake is refused.
    bundle.check_inside_lake()?;
    // With `--save` the store keeps the whole texts, so a lake folder is not needed.
    if lake.is_some() || !args.save {
        keep_all(keep, lake.as_ref())?;
    }
    for problem in &bundle.problems {
        reply.note(&told(problem));
    }
    let making = (&built, &artifacts, corpus.as_ref());
    let saved = args.save.then(|| save(args, making)).transpose()?;
    match args.format {
        BundleOutputFormat::Prompt if !reply.is_json() => reply.prompt(&prompt::render(bundle))?,
        BundleOutputFormat::Prompt | BundleOutputFormat::Json => match &saved {
            Some(saved) => reply.value(&SavedBundleOutput { bundle, saved })?,
            None => reply.value(bundle)?,
        },
    }
    let is_whole = bundle.problems.is_empty() || !args.strict;
    Ok(if is_whole { CommandOutcome::Holds } else { CommandOutcome::DoesNotHold })
}

/// Reads a query: a text without a word would rank nothing.
fn words(text: &str) -> Result<String, String> {
    let has_words = text.contains(char::is_alphanumeric);
    has_words.then(|| text.to_owned()).ok_or_else(|| "expected words to look for".to_owned())
}

/// A bundle and where it is kept, as the API replies.
#[derive(Serialize)]
struct SavedBundleOutput<'b> {
    bundle: &'b Bundle,
    saved: &'b SavedBundle,
}

fn save(
    args: &Args,
    (built, artifacts, corpus): (&BuiltBundle, &FetchedArtifacts, Option<&Corpus>),
) -> Result<SavedBundle, CliError> {
    let run = args.run.as_ref().zip(args.model.as_ref()).map(|(run_id, model)| ModelRun {
        run_id: run_id.clone(),
        model: model.clone(),
        status: DEFAULT_RUN_STATUS.to_owned(),
    });
    let making = BundleInputs { built, artifacts, corpus, run: run.as_ref() };
    let keeping = args.keeping.with_env_lake();
    let request_context = keeping.request_context()?;
    keeping.write(async |tenant| bundle::save(tenant, making, &request_context).await)
}

fn key(path: &std::path::Path) -> Result<MaskKey, CliError> {
    let bytes = input::bytes(path)?;
    let short = || CliError::ShortKey { path: path.to_owned(), found: bytes.len() };
    MaskKey::new(&bytes).ok_or_else(short)
}

/// The request with the results of its live queries, which are in the lake by then.
fn answered(
    args: &Args,
    request: BundleRequest,
    lake: Option<&LakeFolder>,
) -> Result<BundleRequest, CliError> {
    if request.live_queries().is_empty() {
        return Ok(request);
    }
    let lake = lake.ok_or_else(|| no_lake(["evidence_refs.sql_live".to_owned()]))?;
    run_live(args, request, lake)
}

#[cfg(feature = "live-sql")]
fn run_live(
    args: &Args,
    request: BundleRequest,
    lake: &LakeFolder,
) -> Result<BundleRequest, CliError> {
    let limit = Duration::from_secs(args.query_timeout.into());
    live::answered(request, &args.connection, limit, lake)
}

#[cfg(not(feature = "live-sql"))]
fn run_live(_: &Args, _: BundleRequest, _: &LakeFolder) -> Result<BundleRequest, CliError> {
    Err(without_live_queries().into())
}

/// Refuses live queries where they cannot be run.
pub(crate) fn without_live_queries() -> Refused {
    let path = "evidence_refs.sql_live";
    let expected = precondition::a_program_built_with_live_sql();
    Fault::new("live_sql", path, expected, found::one_without()).into()
}

/// The documents whose chunks enter the bundle.
fn corpus(args: &Args, reply: &ReplyWriter) -> Result<Option<Corpus>, CliError> {
    if args.against.is_empty() {
        return Ok(None);
    }
    let index = (!args.no_index).then_some(args.index.as_path());
    corpus::open(&args.against, &[], index, reply).map(Some)
}

fn wanted(args: &Args) -> ChunkSelection {
    match &args.query {
        Some(query) => ChunkSelection::Ranked { query: query.clone(), top: usize::from(args.top) },
        None => ChunkSelection::All,
    }
}

fn told(problem: &BundleProblem) -> String {
    match &problem.about {
        BundleProblemSubject::Artifact { .. } => {
            format!("problem: `{}`: {}", problem.path, problem.message)
        }
        BundleProblemSubject::Query { query_key } => {
            format!("problem: {}: {}", quote(query_key), problem.message)
        }
        BundleProblemSubject::Document { document_id } => {
            format!("problem: {}: {}", quote(document_id), problem.message)
        }
    }
}

/// Everything that the request needs from the lake.
pub(crate) fn read(
    request: &BundleRequest,
    lake: Option<&LakeFolder>,
) -> Result<FetchedArtifacts, CliError> {
    let uris = request.lake_uris();
    match lake {
        Some(lake) => Ok(uris.into_iter().map(|uri| (uri.clone(), lake.read(uri))).collect()),
        None if uris.is_empty() => Ok(FetchedArtifacts::new()),
        None => Err(no_lake(["evidence_refs".to_owned()]).into()),
    }
}

/// Keeps whole texts before the bundle that names them is seen.
pub(crate) fn keep_all(keep: &[LakeWrite], lake: Option<&LakeFolder>) -> Result<(), CliError> {
    match lake {
        Some(lake) => keep.iter().try_for_each(|keep| lake.keep(keep)),
        None if keep.is_empty() => Ok(()),
        None => Err(no_lake(keep.iter().map(|keep| keep.path.clone())).into()),
    }
}

fn no_lake(paths: impl IntoIterator<Item = String>) -> Refused {
    let fault = |path| {
        Fault::new(
            "needs_lake",
            path,
            precondition::a_lake_for_what_is_referred_to_or_shortened(),
            found::none(),
        )
        .hint(hint::give_a_folder_with_lake_dir())
    };
    Refused { refused: paths.into_iter().map(fault).collect() }
}
