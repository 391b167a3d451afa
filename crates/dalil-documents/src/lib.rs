//! Documents of hostile formats to text with places.
//!
//! ```text
//! bytes ─formats─▶ ParsedDocument ─split─▶ DocumentChunk
//! ```
//!
//! All parsers of untrusted files are in this crate, so that the process which runs
//! them links nothing else. Everything is a function of its arguments: files,
//! processes, the network and the clock are the caller's.
//!
//! In reading order: [`document`], [`formats`], [`sentence`], [`split`], [`quotable_text`], [`excerpts`],
//! [`attached`], [`quotation`], [`page_refusal`], [`rendering`].

pub mod attached;
pub mod document;
pub mod excerpts;
pub mod formats;
pub mod page_refusal;
pub mod quotable_text;
pub mod quotation;
pub mod rendering;
pub mod sentence;
pub mod split;
