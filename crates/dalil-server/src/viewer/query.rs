//! The queries that several screens have.

use serde::Deserialize;

use crate::percent::seg;

/// Which part of a list is looked at.
#[derive(Deserialize)]
pub(super) struct ListCursorQuery {
    cursor: Option<String>,
}

impl ListCursorQuery {
    /// The query that asks the API for it.
    pub(super) fn query(&self) -> String {
        let cursor = self.cursor.as_deref().map(|cursor| format!("&cursor={}", seg(cursor)));
        format!("order=newest&limit=50{}", cursor.unwrap_or_default())
    }
}

/// What the form before this page did.
#[derive(Deserialize)]
pub(super) struct FormResultQuery {
    #[serde(default)]
    pub(super) done: Option<String>,
}
