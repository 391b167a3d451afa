//! The product without a store: one module for each verb.
//!
//! [`check`] takes an answer and a [`corpus`] and returns the ledger; a
//! [`panel`] judges, with models of [`judges`] or an [`external`] one;
//! [`model_file`] makes and opens the file of the deep one.
//! [`bundle`] chooses chunks of a corpus for a bundle; `query`, with the feature
//! `live-sql`, asks databases for it, and `database_corpus` keeps corpora in one. [`eval`]
//! measures the judge on labelled sets. [`sandbox`] reads documents in processes of their own;
//! [`timestamp_call`] asks a time-stamping authority; [`verify`] checks any file
//! of evidence.

pub mod bundle;
pub mod check;
pub mod corpus;
#[cfg(feature = "live-sql")]
pub mod database_corpus;
pub mod eval;
pub mod external;
pub mod judges;
pub mod model_file;
pub mod panel;
mod private_folder;
#[cfg(feature = "live-sql")]
pub mod query;
pub mod sandbox;
#[cfg(test)]
mod scratch;
pub mod timestamp_call;
pub mod verify;

pub use dalil_judge::model::{FastModel, ModelFileError};
