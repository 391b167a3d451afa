//! The memory budget for bodies and files.
//!
//! A body reserves memory as it arrives and holds it until its bytes are dropped. If there is no
//! more, the client is told to retry; it does not wait, as other growing bodies would wait for it.
//!
//! No client can take all of it: anonymous requests have a budget apart from the members', and each
//! credential and each address has a share at most.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};

use crate::config::ServerLimits;
use crate::problem::{ApiProblem, ProblemKind};
use crate::request_owner::RequestOwner;

#[cfg(test)]
mod tests;

/// The remaining memory for bodies and files.
pub(crate) struct MemoryBudget {
    members: Arc<MemoryPool>,
    strangers: Arc<MemoryPool>,
    /// Forms without files of anonymous clients, so that signing in is always possible.
    forms: Arc<MemoryPool>,
}

/// Memory that several share.
struct MemoryPool {
    free: Arc<Semaphore>,
    /// All of it, in units.
    most: u32,
    /// The maximum of one owner, in units.
    share: usize,
    /// How many units each owner holds.
    used: Mutex<HashMap<String, usize>>,
}

/// Reserved memory of an owner.
pub(crate) struct MemoryReservation {
    pool: Arc<MemoryPool>,
    owner: String,
    room: Option<OwnedSemaphorePermit>,
    bytes: usize,
}

/// A body that is being read.
pub(crate) struct BufferedBody {
    lease: MemoryReservation,
    bytes: Vec<u8>,
}

impl MemoryBudget {
    /// Creates a budget with the sizes in the limits.
    pub(crate) fn new(limits: &ServerLimits) -> Self {
        // A share holds the largest file.
        let share = |all: u64, file: u64| (all / SHARES_PER_POOL).max(file);
        let (members, strangers) = (limits.memory, limits.anonymous_memory);
        Self {
            members: MemoryPool::new(members, share(members, limits.upload)),
            strangers: MemoryPool::new(strangers, share(strangers, limits.anonymous_upload)),
            forms: MemoryPool::new(FORMS_POOL_BYTES, MAX_FORMS_SHARE_BYTES),
        }
    }

    /// An empty body of an owner.
    pub(crate) fn hold(&self, owner: &RequestOwner) -> BufferedBody {
        BufferedBody { lease: self.lease(owner), bytes: Vec::new() }
    }

    /// An empty form of an owner.
    pub(crate) fn hold_form(&self, owner: &RequestOwner) -> BufferedBody {
        match owner {
            RequestOwner::Member(_) => self.hold(owner),
            RequestOwner::Stranger(address) => {
                BufferedBody { lease: MemoryPool::lease(&self.forms, address), bytes: Vec::new() }
            }
        }
    }

    /// An empty reservation of an owner.
    pub(crate) fn lease(&self, owner: &RequestOwner) -> MemoryReservation {
        let pool = match owner {
            RequestOwner::Member(_) => &self.members,
            RequestOwner::Stranger(_) => &self.strangers,
        };
        MemoryPool::lease(pool, owner.name())
    }

    /// Waits for memory for a member's file of a known size; a file larger than the budget
    /// gets all of it.
    pub(crate) async fn wait(&self, bytes: u64) -> Result<SemaphorePermit<'_>, ApiProblem> {
        let units = u32::try_from(bytes.div_ceil(BUDGET_UNIT_BYTES as u64))
            .unwrap_or(u32::MAX)
            .min(self.members.most);
        let room = self.members.free.acquire_many(units).await;
        room.map_err(|_| ApiProblem::new(ProblemKind::Internal))
    }
}

impl MemoryPool {
    fn new(bytes: u64, share: u64) -> Arc<Self> {
        let most = u32::try_from(bytes / BUDGET_UNIT_BYTES as u64).unwrap_or(u32::MAX).max(1);
        let share = usize::try_from(share.div_ceil(BUDGET_UNIT_BYTES as u64));
        Arc::new(Self {
            free: Arc::new(Semaphore::new(usize::try_from(most).unwrap_or(1))),
            most,
            share: share.unwrap_or(usize::MAX),
            used: Mutex::default(),
        })
    }

    fn lease(pool: &Arc<Self>, owner: &str) -> MemoryReservation {
        MemoryReservation { pool: Arc::clone(pool), owner: owner.to_owned(), room: None, bytes: 0 }
    }

    /// Takes units of an owner's share, if it has enough.
    fn take(&self, owner: &str, units: usize) -> Option<OwnedSemaphorePermit> {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let has = used.get(owner).map_or(0, |units| *units);
        if has.saturating_add(units) > self.share {
            return None;
        }
        let count = u32::try_from(units).ok()?;
        let room = Arc::clone(&self.free).try_acquire_many_owned(count).ok()?;
        used.insert(owner.to_owned(), has + units);
        Some(room)
    }

    /// Returns units to an owner's share.
    fn give_back(&self, owner: &str, units: usize) {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(has) = used.get_mut(owner) {
            *has = has.saturating_sub(units);
            if *has == 0 {
                used.remove(owner);
            }
        }
    }
}

impl MemoryReservation {
    /// Takes more, if there is more.
    pub(crate) fn grow(&mut self, more: usize) -> Result<(), ApiProblem> {
        let has = self.room.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        let needs = (self.bytes + more).div_ceil(BUDGET_UNIT_BYTES);
        if needs > has {
            let units = self.pool.take(&self.owner, needs - has).ok_or_else(|| ApiProblem {
                retry_after: Some(1),
                ..ApiProblem::new(ProblemKind::Busy)
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
            let units = room.num_permits().saturating_sub(needs);
            drop(room.split(units));
            self.pool.give_back(&self.owner, units);
        }
    }
}

impl Drop for MemoryReservation {
    fn drop(&mut self) {
        let all = usize::MAX;
        self.shrink(all);
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

/// The unit of the budget.
const BUDGET_UNIT_BYTES: usize = 4096;
/// Into how many shares a pool is divided: four owners that fill theirs leave nothing to a fifth.
const SHARES_PER_POOL: u64 = 4;
/// Forms are 64 KiB at most; a thousand connections with one each are 64 MiB, and most are small.
const FORMS_POOL_BYTES: u64 = 16 << 20;
/// Sixteen forms at a time of one address.
const MAX_FORMS_SHARE_BYTES: u64 = 1 << 20;
