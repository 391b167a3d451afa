//! Visits that were ended by signing out: a copy of their cookie opens nothing any more.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// The visits, and until when their cookies could be shown.
#[derive(Default)]
pub(crate) struct EndedVisits(Mutex<HashMap<String, i64>>);

impl EndedVisits {
    /// Ends a visit whose cookies are no good after `until` anyway, in milliseconds.
    pub(super) fn end(&self, visit: &str, until: i64, now: i64) {
        let mut ended = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        ended.retain(|_, until| *until > now);
        ended.insert(visit.to_owned(), until);
    }

    /// Whether a visit was ended.
    pub(super) fn has(&self, visit: &str) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains_key(visit)
    }
}
