//! `dalil document`: documents, kept whole with their text and their chunks.

use std::path::PathBuf;

use clap::Subcommand;
use dalil::keep::document;
use dalil_core::fault::quote;

use crate::failure::{Answer, Failure};
use crate::keeping::Keeping;
use crate::reply::Reply;
use crate::shelf;

/// Keep documents, and show what is kept
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Keep documents: their bytes, the text that was read, and its chunks
    ///
    /// A document that is there under the same name is not recorded again.
    Add {
        /// The documents, files or folders
        #[arg(required = true)]
        paths: Vec<PathBuf>,

        #[command(flatten)]
        keeping: Keeping,
    },
    /// List the documents of a tenant
    List {
        #[command(flatten)]
        keeping: Keeping,
    },
    /// Print the text of a document as it was read
    Text {
        /// The document, by its id
        document: String,

        /// Only this page
        #[arg(long, value_name = "N")]
        page: Option<u64>,

        #[command(flatten)]
        keeping: Keeping,
    },
}

pub(crate) fn run(args: &Args, reply: &Reply) -> Result<Answer, Failure> {
    match &args.action {
        Action::Add { paths, keeping } => {
            let corpus = shelf::open(paths, &[], None, reply)?;
            for unread in corpus.unread() {
                reply.note(&format!("not read: {}: {}", quote(&unread.name), unread.message));
            }
            let deed = keeping.deed()?;
            let added =
                keeping.write(async |tenant| document::add(tenant, &corpus, &deed).await)?;
            reply.value(&added)?;
        }
        Action::List { keeping } => {
            let listed = keeping.read(async |tenant| document::list(tenant).await)?;
            reply.value(&listed)?;
        }
        Action::Text { document, page, keeping } => {
            let text =
                keeping.read(async |tenant| document::text(tenant, document, *page).await)?;
            reply.view(&text)?;
        }
    }
    Ok(Answer::Holds)
}
