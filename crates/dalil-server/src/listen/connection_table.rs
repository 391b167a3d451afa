//! Who is connected: so many in all, so many from each address, and nobody who says nothing, or
//! nothing more, keeps somebody else out.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
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
    /// How many requests were answered.
    answered: AtomicU64,
}

#[derive(Default)]
struct OpenConnections {
    next: u64,
    /// By number: the oldest first.
    all: BTreeMap<u64, Arc<OpenConnection>>,
}

struct OpenConnection {
    network: IpAddr,
    /// Since when nothing is asked over it, as the number of requests that were answered by then:
    /// 0 where none ever was, and [`BUSY`] while one is.
    idle_since: AtomicU64,
    /// It has to make room.
    evicted: Notify,
}

/// The place of one connection, free again when this is gone.
pub(super) struct ConnectionPlace {
    table: Arc<ConnectionTable>,
    number: u64,
    connection: Arc<OpenConnection>,
}

/// What became of a connection that wants a place.
enum PlaceOutcome {
    Given(Arc<OpenConnection>, u64),
    /// Its address has as many as it may, and each of them asks something.
    Refused,
    /// There is no place for anybody.
    Full,
}

impl ConnectionTable {
    pub(super) fn new(most: usize, most_per_address: usize) -> Arc<Self> {
        let (open, freed, answered) = (Mutex::default(), Notify::new(), AtomicU64::new(0));
        Arc::new(Self { most, most_per_address, open, freed, answered })
    }

    /// A place for a connection, once there is one; none when its address has too many.
    ///
    /// Where there is no more room, the oldest connection that has asked nothing makes way, or the
    /// one that has asked nothing more for the longest time.
    pub(super) async fn place(self: &Arc<Self>, address: IpAddr) -> Option<ConnectionPlace> {
        loop {
            match self.open().add(network(address), self.most, self.most_per_address) {
                PlaceOutcome::Given(connection, number) => {
                    return Some(ConnectionPlace { table: Arc::clone(self), number, connection });
                }
                PlaceOutcome::Refused => return None,
                PlaceOutcome::Full => {}
            }
            self.freed.notified().await;
        }
    }

    fn open(&self) -> MutexGuard<'_, OpenConnections> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpenConnections {
    fn add(&mut self, network: IpAddr, most: usize, most_per_address: usize) -> PlaceOutcome {
        let same = self.all.values().filter(|one| one.network == network).count();
        if same >= most_per_address && !self.evict(|one| one.network == network) {
            return PlaceOutcome::Refused;
        }
        if self.all.len() >= most && !self.evict(|_| true) {
            return PlaceOutcome::Full;
        }
        let (idle_since, evicted) = (AtomicU64::new(0), Notify::new());
        let connection = Arc::new(OpenConnection { network, idle_since, evicted });
        let number = self.next;
        self.next += 1;
        self.all.insert(number, Arc::clone(&connection));
        PlaceOutcome::Given(connection, number)
    }

    /// Ends the one of these that asks nothing for the longest time, if there is one.
    fn evict(&mut self, is_one: impl Fn(&OpenConnection) -> bool) -> bool {
        let idle_since = |one: &OpenConnection| one.idle_since.load(Ordering::Relaxed);
        let idle = self.all.iter().filter(|(_, one)| idle_since(one) != BUSY && is_one(one));
        let found = idle.min_by_key(|(_, one)| idle_since(one)).map(|(number, _)| *number);
        let Some(number) = found else { return false };
        if let Some(connection) = self.all.remove(&number) {
            connection.evicted.notify_one();
        }
        true
    }
}

impl ConnectionPlace {
    /// What is told when requests come and are answered, however long the connection lives.
    pub(super) fn activity(&self) -> ConnectionActivity {
        let (table, connection) = (Arc::clone(&self.table), Arc::clone(&self.connection));
        ConnectionActivity { table, connection }
    }

    /// Waits until the connection has to make way.
    pub(super) async fn evicted(&self) {
        self.connection.evicted.notified().await;
    }
}

/// Whether something is asked over a connection. HTTP/1 has one request at a time.
#[derive(Clone)]
pub(super) struct ConnectionActivity {
    table: Arc<ConnectionTable>,
    connection: Arc<OpenConnection>,
}

impl ConnectionActivity {
    /// A whole request came.
    pub(super) fn asked(&self) {
        self.connection.idle_since.store(BUSY, Ordering::Relaxed);
    }

    /// It was answered to the last byte.
    pub(super) fn answered(&self) {
        let count = self.table.answered.fetch_add(1, Ordering::Relaxed) + 1;
        self.connection.idle_since.store(count, Ordering::Relaxed);
        self.table.freed.notify_one();
    }
}

impl Drop for ConnectionPlace {
    fn drop(&mut self) {
        self.table.open().all.remove(&self.number);
        self.table.freed.notify_one();
    }
}

/// Since when a connection is idle that is not.
const BUSY: u64 = u64::MAX;
