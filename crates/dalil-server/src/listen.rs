//! Accepting connections, and stopping so that nothing begun is lost.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use dalil_proof::time::Time;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;

use crate::app::App;
use crate::job;
use crate::mcp;
use crate::peer::PeerAddress;
use crate::routes::RouteTable;
use crate::shutdown::ShutdownSignal;
use crate::timestamping;
use crate::tlog;
use crate::tls;
use crate::viewer;

mod answer_body;
mod connection_table;
mod http_connection;
mod timed_stream;

use connection_table::{ConnectionPlace, ConnectionTable};
use http_connection::{ConnectionEnd, HttpConnection, MAX_HEADER_WAIT};

/// Serves until the stop signal, and then finishes the open requests.
///
/// `bound` hears the address when connections are accepted.
///
/// # Errors
/// The address cannot be listened on, or the store cannot be closed.
pub async fn serve(
    app: App,
    mut stop: ShutdownSignal,
    bound: impl FnOnce(SocketAddr),
) -> Result<(), io::Error> {
    let now = app.now().map_err(|_| io::Error::other("expected a clock, found none"))?;
    let tls = app.config.tls.as_ref().map(|tls| tls::acceptor(tls, now)).transpose()?;
    let listener = TcpListener::bind(app.config.listen).await?;
    // The port may have been 0, and the kernel accepts connections from here on.
    bound(listener.local_addr()?);
    let api = mcp::router(&app, RouteTable::new().router(&app)?);
    let router = viewer::router(&app, tlog::router(&app, api))?;
    let tending = tokio::spawn(job::tend(app.clone(), stop.clone()));
    let stamping = tokio::spawn(timestamping::tend(app.clone(), stop.clone()));
    let fetching = tokio::spawn(fetch_keys(app.clone(), now));
    let limits = &app.config.limits;
    let most = |count: u64| usize::try_from(count).unwrap_or(1);
    let table =
        ConnectionTable::new(most(limits.connections), most(limits.connections_per_address));
    // Every connection holds a receiver, so that the sender hears when the last one has ended.
    let (connections, open) = watch::channel(());
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = stop.wait_for(|stop| *stop) => break,
        };
        let Ok((stream, peer)) = accepted else {
            // Out of descriptors, most of the time: others must end first.
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        // A connection without a place waits here, and later ones in the queue of the system.
        let place = tokio::select! {
            place = table.place(peer.ip()) => place,
            _ = stop.wait_for(|stop| *stop) => break,
        };
        let Some(place) = place else {
            app.metrics.evicted.add();
            continue;
        };
        let (app, router, tls) = (app.clone(), router.clone(), tls.clone());
        let connection = ClientConnection { app, router, tls, peer, stop: stop.clone() };
        let open = open.clone();
        tokio::spawn(async move {
            connection.run(stream, place).await;
            drop(open);
        });
    }
    // New connections are refused from here on, so that a balancer goes elsewhere.
    drop((listener, open));
    let most = Duration::from_secs(app.config.stop_seconds);
    let ended = timeout(most, async {
        connections.closed().await;
        app.jobs.ended().await;
    });
    if ended.await.is_err() {
        app.log.event("stop", "the time to stop was over before everything ended");
    }
    // Both hold the app, and the last holder closes the store.
    drop(router);
    fetching.abort();
    drop(fetching.await);
    // They get the same signal, and keep the store open until then.
    drop(tending.await);
    drop(stamping.await);
    app.log.event("stop", "stopped");
    app.close().await.map_err(io::Error::other)
}

/// Fetches the keys of the identity provider before the first token comes. The server serves
/// without them, and logs why.
async fn fetch_keys(app: App, now: Time) {
    if let Err(problem) = app.authority.fetch_keys(now).await {
        app.note(&problem);
    }
}

/// One connection, and the router that answers on it.
struct ClientConnection {
    app: App,
    router: Router,
    tls: Option<TlsAcceptor>,
    peer: SocketAddr,
    stop: ShutdownSignal,
}

impl ClientConnection {
    async fn run(self, stream: TcpStream, place: ConnectionPlace) {
        self.app.metrics.connections.up();
        match self.serve(stream, &place).await {
            ConnectionEnd::Closed => {}
            ConnectionEnd::Evicted => self.app.metrics.evicted.add(),
        }
        self.app.metrics.connections.down();
    }

    async fn serve(&self, stream: TcpStream, place: &ConnectionPlace) -> ConnectionEnd {
        // A reply of two pieces must not wait for the caller's acknowledgement.
        drop(stream.set_nodelay(true));
        let (router, peer) = (self.router.clone(), PeerAddress(self.peer.ip()));
        let connection = HttpConnection { router, peer, place, stop: self.stop.clone() };
        let Some(tls) = &self.tls else {
            return connection.serve(stream).await;
        };
        let accepted = tokio::select! {
            accepted = timeout(MAX_HEADER_WAIT, tls.accept(stream)) => accepted,
            () = place.evicted() => return ConnectionEnd::Evicted,
        };
        match accepted {
            Ok(Ok(stream)) => connection.serve(stream).await,
            // A client that speaks no TLS, or takes too long to begin, is disconnected.
            Ok(Err(_)) | Err(_) => ConnectionEnd::Closed,
        }
    }
}
