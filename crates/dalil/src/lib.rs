//! The product as a library: one module for each verb.
//!
//! [`check`] takes an answer and a [`corpus`] and gives the ledger; a
//! [`panel`] judges, with the model in this program or an [`external`] one.
//! [`eval`] measures the judge on labelled sets. [`reader`] reads documents in
//! processes of their own. What people and other tools read is in [`press`].

pub mod check;
pub mod corpus;
pub mod eval;
pub mod external;
pub mod panel;
pub mod reader;

pub use dalil_engine::model::{Damaged, Model};
pub use dalil_press as press;
