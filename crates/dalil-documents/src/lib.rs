//! Documents of hostile formats to text with places.
//!
//! ```text
//! bytes ─formats─▶ ParsedDocument ─split─▶ DocumentChunk
//! ```
//!
//! Everything that parses what others wrote is here, so that the process which
//! does it needs nothing else. Everything is a function of its arguments: files,
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
