//! How much of bodies and files is in memory at a time.
//!
//! A body takes its room as it comes and keeps it until its bytes are gone. One that finds no
//! more is told to come again; it does not wait, as others that grow would wait for it.

use std::sync::Arc;

use axum::body::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};

use crate::problem::{ApiProblem, ProblemKind};

#[cfg(test)]
mod tests;

/// What is left of the memory for bodies and files.
pub(crate) struct MemoryBudget {
    free: Arc<Semaphore>,
    /// All of it, in units.
    most: u32,
}

/// Room that somebody has.
pub(crate) struct MemoryReservation {
    free: Arc<Semaphore>,
    room: Option<OwnedSemaphorePermit>,
    bytes: usize,
}

/// A body that is being read.
pub(crate) struct BufferedBody {
    lease: MemoryReservation,
    bytes: Vec<u8>,
}

impl MemoryBudget {
    /// So many bytes.
    pub(crate) fn new(bytes: u64) -> Self {
        let most = u32::try_from(bytes / BUDGET_UNIT_BYTES as u64).unwrap_or(u32::MAX).max(1);
        let free = Semaphore::new(usize::try_from(most).unwrap_or(1));
        Self { free: Arc::new(free), most }
    }

    /// A body without a byte yet.
    pub(crate) fn hold(&self) -> BufferedBody {
        BufferedBody { lease: self.lease(), bytes: Vec::new() }
    }

    /// Room for nothing yet.
    pub(crate) fn lease(&self) -> MemoryReservation {
        MemoryReservation { free: Arc::clone(&self.free), room: None, bytes: 0 }
    }

    /// Waits for room for something of a known size; what is larger than all there is has all
    /// of it.
    pub(crate) async fn wait(&self, bytes: u64) -> Result<SemaphorePermit<'_>, ApiProblem> {
        let units = u32::try_from(bytes.div_ceil(BUDGET_UNIT_BYTES as u64))
            .unwrap_or(u32::MAX)
            .min(self.most);
        self.free.acquire_many(units).await.map_err(|_| ApiProblem::new(ProblemKind::Internal))
    }
}

impl MemoryReservation {
    /// Takes more, if there is more.
    pub(crate) fn grow(&mut self, more: usize) -> Result<(), ApiProblem> {
        let has = self.room.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        let needs = (self.bytes + more).div_ceil(BUDGET_UNIT_BYTES);
        if needs > has {
            let units = u32::try_from(needs - has).unwrap_or(u32::MAX);
            let units = Arc::clone(&self.free).try_acquire_many_owned(units).map_err(|_| {
                ApiProblem { retry_after: Some(1), ..ApiProblem::new(ProblemKind::Busy) }
            })?;
            match &mut self.room {
                Some(room) => room.merge(units),
                none => *none = Some(units),
            }
        }
        self.bytes += more;
        Ok(())
    }

    /// Gives some back.
    pub(crate) fn shrink(&mut self, less: usize) {
        self.bytes = self.bytes.saturating_sub(less);
        let needs = self.bytes.div_ceil(BUDGET_UNIT_BYTES);
        if let Some(room) = &mut self.room {
            // Dropping a permit gives its units back.
            drop(room.split(room.num_permits().saturating_sub(needs)));
        }
    }
}

impl BufferedBody {
    /// It and some more, if there is room.
    pub(crate) fn and(mut self, piece: &[u8]) -> Result<Self, ApiProblem> {
        self.lease.grow(piece.len())?;
        self.bytes.extend_from_slice(piece);
        Ok(self)
    }

    /// The bytes; their room is free when the last of them is gone.
    pub(crate) fn done(self) -> Bytes {
        // The reservation lives as long as any slice of the bytes, wherever they are passed on.
        Bytes::from_owner(self)
    }
}

impl AsRef<[u8]> for BufferedBody {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Room is counted in pieces of so many bytes.
const BUDGET_UNIT_BYTES: usize = 4096;
