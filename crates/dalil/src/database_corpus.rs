//! Corpora in PostgreSQL: chunks, terms and vectors in tables, for corpora beyond one machine.
//!
//! ```text
//! paths ─read, split─▶ documents, vectors, postings, anchors ─copy─▶ tables of one corpus
//! answer ─claims─▶ postings, nearest vectors ─shortlist─▶ documents ─▶ Corpus ─▶ check
//! ```
//!
//! The documents that are [selected](DatabaseCorpus::select) for an answer are a [`Corpus`]: those
//! that may bear on its claims, with the ranking statistics of the whole and the titles of all. The
//! rest of the check does not depend on the origin, so a claim with the same candidates has the
//! same entry.
//!
//! The database is trusted with the texts of documents, as the owner of a folder is. Its replies
//! can be wrong and do no other harm: everything is decoded with checks, and bounded.

use std::path::PathBuf;
use std::time::Duration;

use dalil_judge::extract;
use dalil_proof::digest::Digest;
use serde::Serialize;
use sqlx::postgres::PgConnection;
use thiserror::Error;
use tokio::runtime::{Builder, Runtime};

pub use self::address::{CorpusAddress, NoCorpusAddress};
use self::listing::CorpusListing;
use crate::corpus::{
    Corpus, CorpusCache, CorpusFailure, CorpusProgress, READERS_VERSION, UnreadCorpusFile,
};
use crate::sandbox::SandboxReader;

mod address;
mod copy;
mod listing;
mod reading;
mod session;
mod tables;
#[cfg(test)]
mod tests;
mod writing;

/// A corpus in a database, as it was when it was opened.
#[derive(Debug)]
pub struct DatabaseCorpus {
    runtime: Runtime,
    address: CorpusAddress,
    connection: PgConnection,
    listing: CorpusListing,
}

/// The size of an index that was written to a database.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct IndexedTotals {
    /// Documents that were read.
    pub documents: u64,
    /// Their chunks.
    pub chunks: u64,
    /// Files that could not be read, with the reasons.
    pub unread: Vec<UnreadCorpusFile>,
    /// Corpora that were replaced and whose tables are still there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub undropped: Vec<UndroppedCorpus>,
}

/// A corpus that was replaced or removed, and whose tables could not be dropped. The next writer
/// tries again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UndroppedCorpus {
    /// Its number, which names its tables; none where the numbers could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<i32>,
    /// Why.
    pub message: String,
}

/// Why a corpus in a database cannot be used.
#[derive(Debug, Error)]
pub enum DatabaseCorpusFailure {
    /// There was no way in.
    #[error("expected to enter the database, found {0}")]
    Unreachable(String),
    /// The database has no vectors.
    #[error("expected the extension `vector` from version 0.7 on in the database, found {0}")]
    NoExtension(String),
    /// The database has no such corpus.
    #[error("expected a corpus {name} of the tenant {tenant} in the database, found none")]
    NoCorpus {
        /// Whose it was to be, quoted.
        tenant: String,
        /// The intended name, quoted.
        name: String,
    },
    /// The tables are not those of this version.
    #[error("expected the tables of corpora in version {version}, found {0}", version = tables::LAYOUT_VERSION)]
    OtherTables(String),
    /// The corpus was indexed by other rules or another ranking model.
    #[error(
        "expected a corpus that dalil {version} indexed with its ranking model, found one by {0}",
        version = READERS_VERSION
    )]
    OtherAnalysis(String),
    /// A value in a table differs from the one that was written.
    #[error("expected what was indexed, found {0} that is damaged")]
    Damaged(String),
    /// A chunk set is no document.
    #[error("expected documents, found the chunk set {0}")]
    ChunkSet(String),
    /// The file list of a corpus is larger than memory should take.
    #[error("expected at most {limit} bytes of names, titles and outlines, found more")]
    LongListing {
        /// The limit.
        limit: u64,
    },
    /// The documents for one answer are larger than memory should take.
    #[error("expected at most {limit} bytes of documents for an answer, found more")]
    TooMuch {
        /// The limit.
        limit: usize,
    },
    /// The database gave no reply.
    #[error("expected a reply of the database within {} s, found none", .0.as_secs())]
    TimedOut(Duration),
    /// The database cancelled a statement: it took too long, or an administrator stopped it.
    #[error("expected the database to finish, found {0}")]
    Canceled(String),
    /// Another session holds a lock.
    #[error("expected a lock in the database within {} s, found that another has it", .0.as_secs())]
    Locked(Duration),
    /// The database did not do it.
    #[error("expected the database to do it, found {0}")]
    Failed(String),
    /// There are no documents to index.
    #[error(transparent)]
    Corpus(#[from] CorpusFailure),
    /// The system gives no means to wait on a network.
    #[error("expected to wait on a network, found {0}")]
    Runtime(#[source] std::io::Error),
}

impl DatabaseCorpusFailure {
    /// The next step.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Unreachable(_) => Some("look at the address, the account and the server"),
            Self::NoExtension(_) => {
                Some("install pgvector and run `CREATE EXTENSION vector` in the database")
            }
            Self::NoCorpus { .. } => Some("`dalil index PATH --into ADDRESS` makes one"),
            Self::OtherTables(_) => {
                Some("drop the schema `dalil_corpora`, and index its corpora again")
            }
            Self::OtherAnalysis(_) | Self::Damaged(_) => {
                Some("index it again: `dalil index PATH --into ADDRESS`")
            }
            Self::ChunkSet(_) => Some("index the documents that its chunks are from"),
            Self::LongListing { .. } => Some("split the documents into several corpora"),
            Self::TooMuch { .. } => Some("check the answer in parts, or split long documents"),
            Self::TimedOut(_) | Self::Canceled(_) => {
                Some("look at what else the server is doing, and try again")
            }
            Self::Locked(_) => Some("wait until nobody else writes, and try again"),
            Self::Failed(_) => Some("look at the server and the rights of the account"),
            Self::Corpus(CorpusFailure::Unread(_)) => {
                Some("`dalil read FILE` says why a document cannot be read")
            }
            Self::Corpus(CorpusFailure::LeftOut(_)) => {
                Some("index the documents that the answer is to be checked against")
            }
            Self::Corpus(CorpusFailure::Walk { .. } | CorpusFailure::Empty(_)) => {
                Some("give files or folders with documents")
            }
            Self::Runtime(_) => None,
        }
    }
}

impl DatabaseCorpus {
    /// Opens a corpus without the documents whose bytes have one of the digests in `apart`. It is a
    /// snapshot: a replacement does not change it.
    ///
    /// # Errors
    /// No connection, no extension, no such corpus, one of another version, or one without
    /// other documents.
    pub fn open(address: &CorpusAddress, apart: &[Digest]) -> Result<Self, DatabaseCorpusFailure> {
        let runtime = runtime()?;
        let opened = runtime.block_on(listing::open(address, apart));
        let (connection, listing) = opened.map_err(|error| error.hide(address))?;
        Ok(Self { runtime, address: address.clone(), connection, listing })
    }

    /// The files that could not be read when they were indexed.
    pub fn unread(&self) -> &[UnreadCorpusFile] {
        &self.listing.unread
    }

    /// The names of the documents that were left out.
    pub fn left_out(&self) -> Vec<String> {
        self.listing.left_out_names()
    }

    /// The documents that may speak about the claims of an answer, as a corpus.
    ///
    /// # Errors
    /// Errors of the database, and tables with values that were not written there.
    pub fn select(
        &mut self,
        answer: &str,
        question: Option<&str>,
    ) -> Result<Corpus, DatabaseCorpusFailure> {
        let extracted = extract::claims(answer, question);
        let Self { runtime, address, connection, listing } = self;
        let selected = runtime.block_on(reading::select(connection, listing, answer, &extracted));
        selected.map_err(|error| error.hide(address))
    }
}

/// Reads documents and writes them to a database, in place of the corpus of this name if there is
/// one. Current readers of that one are not disturbed.
///
/// Old tables that could not be dropped are reported, and are no error: the new corpus is there.
///
/// # Errors
/// No documents, a chunk set among them, and errors of the database. Then nothing has changed,
/// unless the reply to the last statement was lost.
pub fn index(
    paths: &[PathBuf],
    address: &CorpusAddress,
    (reader, cache): (&SandboxReader, &CorpusCache),
    progress: &dyn Fn(CorpusProgress),
) -> Result<IndexedTotals, DatabaseCorpusFailure> {
    let runtime = runtime()?;
    let written = writing::index(&runtime, paths, address, (reader, cache), progress);
    written.map_err(|error| error.hide(address))
}

/// Removes a corpus from a database; returns those whose tables could not be dropped.
///
/// # Errors
/// No such corpus, and errors of the database.
pub fn remove(address: &CorpusAddress) -> Result<Vec<UndroppedCorpus>, DatabaseCorpusFailure> {
    runtime()?.block_on(writing::remove(address)).map_err(|error| error.hide(address))
}

fn runtime() -> Result<Runtime, DatabaseCorpusFailure> {
    Builder::new_current_thread().enable_all().build().map_err(DatabaseCorpusFailure::Runtime)
}
