//! The queries that several screens have.

use serde::Deserialize;

use crate::page::{ListOrder, PageQuery};

/// Which part of a list is looked at.
#[derive(Deserialize)]
pub(super) struct ListCursorQuery {
    cursor: Option<String>,
}

impl ListCursorQuery {
    /// The page of the API that it is, the newest first.
    pub(super) fn page(self) -> PageQuery {
        newest(MAX_ITEMS_PER_PAGE, self.cursor)
    }
}

/// A page of a list, the newest first.
pub(super) fn newest(limit: u32, cursor: Option<String>) -> PageQuery {
    PageQuery { limit: Some(limit), cursor, order: Some(ListOrder::Newest) }
}

/// The result of the form before this page.
#[derive(Deserialize)]
pub(super) struct FormResultQuery {
    #[serde(default)]
    pub(super) done: Option<String>,
}

const MAX_ITEMS_PER_PAGE: u32 = 50;
