//! The errors of a store.

use std::fmt;

use dalil_proof::fault::Refused;

#[cfg(test)]
mod tests;

/// Why something was not done: what, where, expected, found, and a hint.
///
/// Whatever the kind, nothing is half done: a record is in the store whole, or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// Whose fault it is, which decides how a program ends.
    pub kind: ErrorKind,
    /// The operation: `open the store`.
    pub what: Box<str>,
    /// Where: a store, a table, a record.
    pub place: Box<str>,
    /// The expected state.
    pub expected: Box<str>,
    /// The found state.
    pub found: Box<str>,
    /// The next step, when there is one.
    pub hint: Option<Box<str>>,
}

/// Whose fault an error is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The caller's: the same request fails again.
    Refused,
    /// No fault: the data that the caller had read has changed since, and the caller may read
    /// again.
    Outdated,
    /// The environment's: a disk, a server, a permission.
    Unavailable,
    /// No fault: the queue is full, and the caller decides whether to wait.
    Busy,
    /// The evidence is damaged.
    Damaged,
}

impl Error {
    /// The caller asked for what cannot be.
    pub fn refused(what: &str, place: impl fmt::Display) -> Self {
        Self::new(ErrorKind::Refused, what, place)
    }

    /// The data that the caller had read has changed since.
    pub fn outdated(what: &str, place: impl fmt::Display) -> Self {
        Self::new(ErrorKind::Outdated, what, place)
    }

    /// The environment did not do its part.
    pub fn unavailable(what: &str, place: impl fmt::Display) -> Self {
        Self::new(ErrorKind::Unavailable, what, place)
    }

    /// There is more work waiting than the store takes on.
    pub fn busy(what: &str, place: impl fmt::Display) -> Self {
        Self::new(ErrorKind::Busy, what, place)
    }

    /// Stored bytes are damaged.
    pub fn damaged(what: &str, place: impl fmt::Display) -> Self {
        Self::new(ErrorKind::Damaged, what, place)
    }

    fn new(kind: ErrorKind, what: &str, place: impl fmt::Display) -> Self {
        let (what, place) = (what.into(), place.to_string().into());
        Self { kind, what, place, expected: "".into(), found: "".into(), hint: None }
    }

    /// Adds the expected and the found state.
    #[must_use]
    pub fn saw(self, expected: impl fmt::Display, found: impl fmt::Display) -> Self {
        Self { expected: expected.to_string().into(), found: found.to_string().into(), ..self }
    }

    /// Adds the next step.
    #[must_use]
    pub fn hint(self, hint: impl Into<Box<str>>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    /// Whether the caller had looked at a trail that has grown since, and may look again.
    pub fn is_outdated(&self) -> bool {
        self.kind == ErrorKind::Outdated
    }

    /// A record that breaks the format, with every fault of it.
    pub(crate) fn bad_record(place: impl fmt::Display, refused: &Refused) -> Self {
        Self::refused("append a record", place).saw("a record that keeps the format", refused)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind: _, what, place, expected, found, hint } = self;
        write!(f, "cannot {what}: {place}: expected {expected}, found {found}")?;
        hint.as_ref().map_or(Ok(()), |hint| write!(f, "\nhint: {hint}"))
    }
}

impl std::error::Error for Error {}
