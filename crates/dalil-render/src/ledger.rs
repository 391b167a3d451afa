//! A ledger for people: a table and a box for a terminal, and Markdown.

pub mod cell;
mod evidence_words;
pub mod expanded;
mod list;
pub mod markdown;
pub mod problems;
pub mod remark;
pub mod table;
#[cfg(test)]
mod tests;
