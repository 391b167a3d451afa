//! The elements of a page of HTML, as a browser makes them of its tags, and what a reader sees of
//! the text in each.
//!
//! A page is read twice: once for its elements and its sheets, since a rule may stand below what it
//! hides and ask for what comes later, and once for its text.

mod element_name;
mod end_tag;
mod formatting;
mod open_elements;
mod page_token;
mod sight;
mod start_tag;
mod table_part;
pub(in crate::formats) mod tree;

pub(in crate::formats) use page_token::PageTokens;
pub(in crate::formats) use sight::{PageSight, TextSight};
pub(in crate::formats) use tree::ElementTree;
