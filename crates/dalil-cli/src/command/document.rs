//! `dalil document`: documents, kept whole with their text and their chunks.

use std::path::PathBuf;

use clap::Subcommand;
use dalil_proof::fault::quote;
use dalil_service::document;

use crate::corpus;
use crate::error::{CliError, CommandOutcome};
use crate::reply::ReplyWriter;
use crate::store_args::StoreArgs;

/// Store documents, and show stored ones
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: DocumentCommand,
}

#[derive(Debug, Subcommand)]
enum DocumentCommand {
    /// Store documents: their bytes, their text and its chunks
    ///
    /// A document that is already stored under the same name is not recorded again.
    Add {
        /// The documents, files or folders
        #[arg(required = true)]
        paths: Vec<PathBuf>,

        #[command(flatten)]
        keeping: StoreArgs,
    },
    /// List the documents of a tenant
    List {
        #[command(flatten)]
        keeping: StoreArgs,
    },
    /// Print the text that was read from a document
    Text {
        /// The id of the document
        document: String,

        /// Only this page
        #[arg(long, value_name = "N")]
        page: Option<u64>,

        #[command(flatten)]
        keeping: StoreArgs,
    },
}

pub(crate) fn run(args: &Args, reply: &ReplyWriter) -> Result<CommandOutcome, CliError> {
    match &args.action {
        DocumentCommand::Add { paths, keeping } => {
            let corpus = corpus::open(paths, &[], None, reply)?;
            for unread in corpus.unread() {
                reply.note(&format!("not read: {}: {}", quote(&unread.name), unread.message));
            }
            let request_context = keeping.request_context()?;
            let added = keeping
                .write(async |tenant| document::add(tenant, &corpus, &request_context).await)?;
            reply.value(&added)?;
        }
        DocumentCommand::List { keeping } => {
            let listed = keeping.read(async |tenant| document::list(tenant).await)?;
            reply.value(&listed)?;
        }
        DocumentCommand::Text { document, page, keeping } => {
            let text =
                keeping.read(async |tenant| document::text(tenant, document, *page).await)?;
            reply.view(&text)?;
        }
    }
    Ok(CommandOutcome::Holds)
}
