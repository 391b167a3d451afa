//! `dalil run`: runs of models and their inputs.

use clap::Subcommand;
use dalil_service::bundle::{self, ModelRun};
use dalil_service::index::{self, BundleListEntry};

use crate::error::{CliError, CommandOutcome};
use crate::reply::ReplyWriter;
use crate::store_args::StoreArgs;
use crate::store_list::{ListColumns, StoreListArgs, minute};

/// Show saved bundles, the bundles that a run used, and the runs that used an artifact
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: RunCommand,
}

#[derive(Debug, Subcommand)]
enum RunCommand {
    /// Show a saved bundle
    Bundle {
        /// The id of the bundle
        bundle: String,

        #[command(flatten)]
        keeping: StoreArgs,
    },
    /// List saved bundles, the newest first
    Bundles(StoreListArgs),
    /// Record a model run and the bundles that it used
    Record {
        /// The id of the run
        run: String,

        /// The model that ran
        #[arg(long, value_name = "NAME")]
        model: String,

        /// The state of the run, in your words
        #[arg(long, value_name = "WORD", default_value = DEFAULT_RUN_STATUS)]
        status: String,

        /// The id of a bundle that it used; may be given several times
        #[arg(long, value_name = "ID")]
        bundle: Vec<String>,

        #[command(flatten)]
        keeping: StoreArgs,
    },
    /// List the runs, each in its latest state
    List {
        #[command(flatten)]
        keeping: StoreArgs,
    },
    /// Show a run and every bundle that it used
    Show {
        /// The id of the run
        run: String,

        #[command(flatten)]
        keeping: StoreArgs,
    },
    /// Show which runs used an artifact, and through which bundles
    Uses {
        /// The artifact: a digest, a path in a lake, or an evidence id
        artifact: String,

        #[command(flatten)]
        keeping: StoreArgs,
    },
    /// Print a full text or query result of a bundle, by the digest in its `full_ref`
    Artifact {
        /// The digest
        artifact: String,

        #[command(flatten)]
        keeping: StoreArgs,
    },
}

pub(crate) fn run(args: &Args, reply: &ReplyWriter) -> Result<CommandOutcome, CliError> {
    match &args.action {
        RunCommand::Bundle { bundle, keeping } => {
            let shown = keeping.read(async |tenant| index::show_bundle(tenant, bundle).await)?;
            reply.value(&shown)?;
        }
        RunCommand::Bundles(list) => {
            let range = list.range();
            let found = list.keeping.read(async |tenant| index::bundles(tenant, range).await)?;
            list.show(reply, found, BUNDLE_COLUMNS)?;
        }
        RunCommand::Record { run, model, status, bundle, keeping } => {
            let (run_id, model, status) = (run.clone(), model.clone(), status.clone());
            let (run, request_context) =
                (ModelRun { run_id, model, status }, keeping.request_context()?);
            let ack = keeping
                .write(async |tenant| bundle::run(tenant, &run, bundle, &request_context).await)?;
            reply.value(&ack)?;
        }
        RunCommand::List { keeping } => {
            reply.value(&keeping.read(async |tenant| bundle::runs(tenant).await)?)?;
        }
        RunCommand::Artifact { artifact, keeping } => {
            let whole = keeping.read(async |tenant| {
                let found = bundle::whole_artifact(tenant, artifact).await?;
                Ok(tenant.lake()?.get(&found.sha256).await?)
            })?;
            reply.file(&whole)?;
        }
        RunCommand::Show { run, keeping } => {
            let shown = keeping.read(async |tenant| bundle::show(tenant, run).await)?;
            reply.value(&shown)?;
        }
        RunCommand::Uses { artifact, keeping } => {
            let uses = keeping.read(async |tenant| bundle::uses(tenant, artifact).await)?;
            reply.value(&uses)?;
        }
    }
    Ok(CommandOutcome::Holds)
}

/// The status of a run that has no other.
pub(crate) const DEFAULT_RUN_STATUS: &str = "started";

const BUNDLE_COLUMNS: ListColumns<BundleListEntry, 4> = ListColumns {
    heading: ["bundle", "built", "items", "bytes"],
    cells: |one| {
        let (items, bytes) = (one.item_count.to_string(), one.total_bytes.to_string());
        [one.bundle_id.clone(), minute(&one.created_utc), items, bytes]
    },
};
