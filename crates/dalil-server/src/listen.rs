//! Accepting connections, and stopping so that nothing begun is lost.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::response::Response;
use dalil_proof::time::Time;
use hyper::body::Incoming;
use hyper::server::conn::http1::Builder;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tower::ServiceExt as _;

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
mod timed_stream;

use answer_body::AnswerBody;
use connection_table::{ConnectionPlace, ConnectionTable};
use timed_stream::TimedStream;

/// Serves until it is told to stop, and then finishes what it began.
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
    let graceful = GracefulShutdown::new();
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
        // Whoever has no place yet waits, and the others in the queue of the system.
        let place = tokio::select! {
            place = table.place(peer.ip()) => place,
            _ = stop.wait_for(|stop| *stop) => break,
        };
        let Some(place) = place else {
            app.metrics.evicted.add();
            continue;
        };
        let connection =
            ClientConnection { app: app.clone(), router: router.clone(), tls: tls.clone(), peer };
        tokio::spawn(connection.run(stream, place, graceful.watcher()));
    }
    // New connections are refused from here on, so that a balancer goes elsewhere.
    drop(listener);
    let most = Duration::from_secs(app.config.stop_seconds);
    let ended = tokio::time::timeout(most, async {
        graceful.shutdown().await;
        app.jobs.ended().await;
    });
    if ended.await.is_err() {
        app.log.event("stop", "the time to stop was over before everything ended");
    }
    // Both hold the app, and the last holder closes the store.
    drop(router);
    fetching.abort();
    drop(fetching.await);
    // They hear the same word, and hold on to the store until then.
    drop(tending.await);
    drop(stamping.await);
    app.log.event("stop", "stopped");
    app.close().await.map_err(io::Error::other)
}

/// Fetches the keys of the identity provider before the first token comes. The server serves without
/// them, and the log says why.
async fn fetch_keys(app: App, now: Time) {
    if let Err(problem) = app.authority.fetch_keys(now).await {
        app.note(&problem);
    }
}

/// One connection and what answers on it.
struct ClientConnection {
    app: App,
    router: Router,
    tls: Option<TlsAcceptor>,
    peer: SocketAddr,
}

impl ClientConnection {
    async fn run(self, stream: TcpStream, place: ConnectionPlace, watcher: Watcher) {
        self.app.metrics.connections.up();
        tokio::select! {
            () = self.serve(stream, &place, watcher) => (),
            () = place.evicted() => self.app.metrics.evicted.add(),
        }
        self.app.metrics.connections.down();
    }

    async fn serve(&self, stream: TcpStream, place: &ConnectionPlace, watcher: Watcher) {
        // A reply of two pieces must not wait for the caller's acknowledgement.
        drop(stream.set_nodelay(true));
        let Some(tls) = &self.tls else {
            return self.answer(stream, place, watcher).await;
        };
        // Whoever speaks no TLS, or takes too long to begin, is hung up on.
        if let Ok(Ok(stream)) = tokio::time::timeout(MAX_HEADER_WAIT, tls.accept(stream)).await {
            self.answer(stream, place, watcher).await;
        }
    }

    async fn answer<S>(&self, stream: S, place: &ConnectionPlace, watcher: Watcher)
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let (peer, activity) = (PeerAddress(self.peer.ip()), place.activity());
        let answering = activity.clone();
        let service = self.router.clone().map_request(move |request: Request<Incoming>| {
            activity.asked();
            let mut request = request.map(axum::body::Body::new);
            request.extensions_mut().insert(peer);
            request
        });
        let answered =
            move |response: Response| response.map(|body| AnswerBody::new(body, answering.clone()));
        let service = tower::ServiceExt::<Request<Incoming>>::map_response(service, answered);
        // HTTP/1.1 alone: hyper times neither the headers of HTTP/2 nor the pause between two of its
        // requests, so a silent client would stay.
        let mut builder = Builder::new();
        builder
            .timer(TokioTimer::new())
            // Against callers that send their headers a byte at a time to hold a connection.
            .header_read_timeout(MAX_HEADER_WAIT)
            .max_buf_size(MAX_HEADER_BYTES);
        let stream = TokioIo::new(TimedStream::new(stream, MAX_STALL));
        let connection = builder.serve_connection(stream, TowerToHyperService::new(service));
        // Whoever hangs up in the middle has only itself to tell.
        drop(watcher.watch(connection).await);
    }
}

/// How long a caller may take to say what it wants.
const MAX_HEADER_WAIT: Duration = Duration::from_secs(20);
/// How long a client may say nothing at first, or take nothing of a reply. Chosen, not measured: a
/// network that loses packets recovers within a few seconds.
const MAX_STALL: Duration = Duration::from_secs(10);
const MAX_HEADER_BYTES: usize = 64 << 10;
