//! Who is connected: so many in all, so many from each address, and nobody who says nothing keeps
//! somebody else out.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
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
    /// A connection ended.
    freed: Notify,
}

#[derive(Default)]
struct OpenConnections {
    next: u64,
    /// By number: the oldest first.
    all: BTreeMap<u64, Arc<OpenConnection>>,
}

struct OpenConnection {
    network: IpAddr,
    /// Whether a whole request came over it.
    has_asked: AtomicBool,
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
    /// Its address has as many as it may, and each of them asked something.
    Refused,
    /// There is no place for anybody.
    Full,
}

impl ConnectionTable {
    pub(super) fn new(most: usize, most_per_address: usize) -> Arc<Self> {
        let (open, freed) = (Mutex::default(), Notify::new());
        Arc::new(Self { most, most_per_address, open, freed })
    }

    /// A place for a connection, once there is one; none when its address has too many.
    ///
    /// Where there is no more room, the oldest connection that has asked nothing makes way.
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
        let (has_asked, evicted) = (AtomicBool::new(false), Notify::new());
        let connection = Arc::new(OpenConnection { network, has_asked, evicted });
        let number = self.next;
        self.next += 1;
        self.all.insert(number, Arc::clone(&connection));
        PlaceOutcome::Given(connection, number)
    }

    /// Ends the oldest of these that has asked nothing, if there is one.
    fn evict(&mut self, is_one: impl Fn(&OpenConnection) -> bool) -> bool {
        let is_silent = |one: &OpenConnection| !one.has_asked.load(Ordering::Relaxed);
        let found = self.all.iter().find(|(_, one)| is_silent(one) && is_one(one));
        let Some(number) = found.map(|(number, _)| *number) else { return false };
        if let Some(connection) = self.all.remove(&number) {
            connection.evicted.notify_one();
        }
        true
    }
}

impl ConnectionPlace {
    /// A whole request came: what says so, however long the connection lives.
    pub(super) fn asked(&self) -> impl Fn() + Clone + Send + 'static {
        let connection = Arc::clone(&self.connection);
        move || connection.has_asked.store(true, Ordering::Relaxed)
    }

    /// Waits until the connection has to make way.
    pub(super) async fn evicted(&self) {
        self.connection.evicted.notified().await;
    }
}

impl Drop for ConnectionPlace {
    fn drop(&mut self) {
        self.table.open().all.remove(&self.number);
        self.table.freed.notify_one();
    }
}
