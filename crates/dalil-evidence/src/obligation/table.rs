//! A table by id that remembers which entries were never looked up.

#[cfg(test)]
mod tests;

/// Rows by id, in order of the ids.
///
/// Requests mostly list everything in one order, so the row after the last one
/// found is tried before the search.
pub(super) struct RowsById<'j, T> {
    rows: Vec<(&'j str, T)>,
    used: Vec<bool>,
    next: usize,
}

impl<'j, T> RowsById<'j, T> {
    /// A table of rows whose ids are all different.
    pub(super) fn new(mut rows: Vec<(&'j str, T)>) -> Self {
        rows.sort_unstable_by_key(|(id, _)| *id);
        let used = vec![false; rows.len()];
        Self { rows, used, next: 0 }
    }

    /// The row of an id.
    pub(super) fn find(&mut self, id: &str) -> Option<&T> {
        let before = self.next.checked_sub(1).and_then(|at| self.rows.get(at));
        let at = match self.rows.get(self.next) {
            Some((next, _)) if *next == id => self.next,
            // Between two neighbours there is no row.
            Some((next, _)) if id < *next && before.is_none_or(|(before, _)| *before < id) => {
                return None;
            }
            Some(_) | None => self.rows.binary_search_by_key(&id, |(id, _)| *id).ok()?,
        };
        if let Some(used) = self.used.get_mut(at) {
            *used = true;
        }
        self.next = at + 1;
        self.rows.get(at).map(|(_, row)| row)
    }

    /// The ids that were not asked for, in order.
    pub(super) fn unused(&self) -> impl Iterator<Item = &'j str> {
        let rows = self.rows.iter().zip(&self.used);
        rows.filter(|(_, used)| !**used).map(|((id, _), _)| *id)
    }
}
