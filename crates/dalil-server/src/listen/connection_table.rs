//! The open connections: limited in all and for each address, so that silent or idle clients
//! keep no others out.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::peer::network;

#[cfg(test)]
mod tests;

/// The connections that are open.
pub(super) struct ConnectionTable {
    most: usize,
    most_per_address: usize,
    open: Mutex<OpenConnections>,
    /// A connection ended, or has nothing more to do.
    freed: Notify,
    /// Counts connections and answers. One clock for both, so that a new connection does not make
    /// way before one that has been idle for an hour.
    clock: AtomicU64,
}

#[derive(Default)]
struct OpenConnections {
    /// By the time at which they were opened.
    all: BTreeMap<u64, Arc<OpenConnection>>,
}

struct OpenConnection {
    network: IpAddr,
    /// Since when nothing is asked over it: since it was opened, or since the last answer was
    /// written. [`BUSY`] while something is.
    idle_since: AtomicU64,
    /// An answer is complete, and not yet written.
    is_answered: AtomicBool,
    /// It has to make room.
    evicted: Notify,
}

/// The place of one connection, free again when this is gone.
pub(super) struct ConnectionPlace {
    table: Arc<ConnectionTable>,
    opened_at: u64,
    connection: Arc<OpenConnection>,
}

/// The outcome for a connection that wants a place.
enum PlaceOutcome {
    Given(Arc<OpenConnection>, u64),
    /// Its address has as many as it may, and each of them asks something.
    Refused,
    /// Every place is taken by a busy connection.
    Full,
}

impl ConnectionTable {
    pub(super) fn new(most: usize, most_per_address: usize) -> Arc<Self> {
        let (open, freed, clock) = (Mutex::default(), Notify::new(), AtomicU64::new(0));
        Arc::new(Self { most, most_per_address, open, freed, clock })
    }

    /// A place for a connection, once there is one; none when its address has too many.
    ///
    /// Where there is no more room, the connection makes way that has been idle for the longest
    /// time, whether it has ever asked something or not.
    pub(super) async fn place(self: &Arc<Self>, address: IpAddr) -> Option<ConnectionPlace> {
        loop {
            match self.add(network(address)) {
                PlaceOutcome::Given(connection, opened_at) => {
                    let table = Arc::clone(self);
                    return Some(ConnectionPlace { table, opened_at, connection });
                }
                PlaceOutcome::Refused => return None,
                PlaceOutcome::Full => {}
            }
            self.freed.notified().await;
        }
    }

    fn add(&self, network: IpAddr) -> PlaceOutcome {
        let mut open = self.open();
        let same = open.all.values().filter(|one| one.network == network).count();
        if same >= self.most_per_address && !open.evict(|one| one.network == network) {
            return PlaceOutcome::Refused;
        }
        if open.all.len() >= self.most && !open.evict(|_| true) {
            return PlaceOutcome::Full;
        }
        let opened_at = self.tick();
        let (idle_since, is_answered) = (AtomicU64::new(opened_at), AtomicBool::new(false));
        let evicted = Notify::new();
        let connection = Arc::new(OpenConnection { network, idle_since, is_answered, evicted });
        open.all.insert(opened_at, Arc::clone(&connection));
        PlaceOutcome::Given(connection, opened_at)
    }

    /// The next time; no two are the same.
    fn tick(&self) -> u64 {
        self.clock.fetch_add(1, Ordering::Relaxed)
    }

    fn open(&self) -> MutexGuard<'_, OpenConnections> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpenConnections {
    /// Ends the connection among these that has been idle for the longest time; false if none is
    /// idle.
    fn evict(&mut self, is_one: impl Fn(&OpenConnection) -> bool) -> bool {
        let idle_since = |one: &OpenConnection| one.idle_since.load(Ordering::Relaxed);
        let idle = self.all.iter().filter(|(_, one)| !one.is_busy() && is_one(one));
        let found = idle.min_by_key(|(_, one)| idle_since(one)).map(|(opened_at, _)| *opened_at);
        let Some(opened_at) = found else { return false };
        if let Some(connection) = self.all.remove(&opened_at) {
            connection.evicted.notify_one();
        }
        true
    }
}

impl OpenConnection {
    fn is_busy(&self) -> bool {
        self.idle_since.load(Ordering::Relaxed) == BUSY
    }
}

impl ConnectionPlace {
    /// Reports requests and answers to the table, however long the connection lives.
    pub(super) fn activity(&self) -> ConnectionActivity {
        let (table, connection) = (Arc::clone(&self.table), Arc::clone(&self.connection));
        ConnectionActivity { table, connection }
    }

    /// Waits until the connection has to make way.
    pub(super) async fn evicted(&self) {
        self.connection.evicted.notified().await;
    }

    /// Whether something is asked over it, or an answer is not yet written. One that has to make way
    /// was idle then; a request may have come since.
    pub(super) fn is_busy(&self) -> bool {
        self.connection.is_busy()
    }
}

/// Whether something is asked over a connection. HTTP/1 has one request at a time.
#[derive(Clone)]
pub(super) struct ConnectionActivity {
    table: Arc<ConnectionTable>,
    connection: Arc<OpenConnection>,
}

impl ConnectionActivity {
    /// The head of a request came.
    pub(super) fn asked(&self) {
        self.connection.is_answered.store(false, Ordering::Relaxed);
        self.connection.idle_since.store(BUSY, Ordering::Relaxed);
    }

    /// hyper has the whole answer. Much of it may still be in its buffer.
    pub(super) fn answered(&self) {
        self.connection.is_answered.store(true, Ordering::Relaxed);
    }

    /// Everything in hyper's buffer was written.
    pub(super) fn flushed(&self) {
        if self.connection.is_answered.swap(false, Ordering::Relaxed) {
            self.connection.idle_since.store(self.table.tick(), Ordering::Relaxed);
            self.table.freed.notify_one();
        }
    }
}

impl Drop for ConnectionPlace {
    fn drop(&mut self) {
        self.table.open().all.remove(&self.opened_at);
        self.table.freed.notify_one();
    }
}

/// In the place of a time, for a connection that is not idle.
const BUSY: u64 = u64::MAX;
