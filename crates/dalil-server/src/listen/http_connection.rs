//! HTTP over one connection, until its client, a stop or an eviction ends it.

use std::pin::pin;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1::Builder;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::watch;
use tokio::time::sleep;
use tower::ServiceExt as _;

use super::answer_body::AnswerBody;
use super::connection_table::ConnectionPlace;
use super::timed_stream::TimedStream;
use crate::peer::PeerAddress;
use crate::shutdown::ShutdownSignal;

#[cfg(test)]
mod tests;

/// The router of a connection, and the signals that end it.
pub(super) struct HttpConnection<'c> {
    pub(super) router: Router,
    pub(super) peer: PeerAddress,
    pub(super) place: &'c ConnectionPlace,
    pub(super) stop: ShutdownSignal,
}

/// How a connection ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ConnectionEnd {
    /// Its client hung up, or the server stopped.
    Closed,
    /// It made way for another one.
    Evicted,
}

impl HttpConnection<'_> {
    pub(super) async fn serve<S>(self, stream: S) -> ConnectionEnd
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let Self { router, peer, place, mut stop } = self;
        let activity = place.activity();
        let stream = TokioIo::new(TimedStream::new(stream, MAX_STALL, activity.clone()));
        let answering = activity.clone();
        let (begun, replying) = watch::channel(false);
        let asked = begun.clone();
        let service = router.map_request(move |request: Request<Incoming>| {
            activity.asked();
            asked.send_replace(false);
            let mut request = request.map(axum::body::Body::new);
            request.extensions_mut().insert(peer);
            request
        });
        let answered = move |response: Response| {
            begun.send_replace(true);
            response.map(|body| AnswerBody::new(body, answering.clone()))
        };
        let service = tower::ServiceExt::<Request<Incoming>>::map_response(service, answered);
        // HTTP/1.1 alone: hyper times neither the headers of HTTP/2 nor the pause between two of its
        // requests, so a silent client would stay.
        let mut builder = Builder::new();
        builder
            .timer(TokioTimer::new())
            // Against callers that send their headers a byte at a time to hold a connection.
            .header_read_timeout(MAX_HEADER_WAIT)
            .max_buf_size(MAX_HEADER_BYTES);
        let service = TowerToHyperService::new(service);
        let mut connection = pin!(builder.serve_connection(stream, service));
        let stopped = async move { drop(stop.wait_for(|stop| *stop).await) };
        tokio::select! {
            // The connection first: a request that is there when it has to make way is answered.
            biased;
            // A client that hangs up mid-request gets no answer.
            _ = connection.as_mut() => return ConnectionEnd::Closed,
            () = stopped => {
                connection.as_mut().graceful_shutdown();
                drop(connection.await);
                return ConnectionEnd::Closed;
            }
            () = place.evicted() => {}
        }
        // An idle connection has nothing left to write, and half a request head is not waited for.
        if place.is_busy() {
            connection.as_mut().graceful_shutdown();
            drop(last_answer(connection, replying, MAX_LAST_ANSWER).await);
        }
        ConnectionEnd::Evicted
    }
}

/// Waits for the end of a connection; nothing if its answer took longer than it may.
///
/// The time begins with the answer: until then the request has its own, which `telemetry` keeps. It
/// does not begin anew with every byte: a client that takes one now and then could keep as many
/// connections without a place as it likes.
async fn last_answer<C: Future>(
    connection: C,
    mut replying: watch::Receiver<bool>,
    most: Duration,
) -> Option<C::Output> {
    let over = async move {
        drop(replying.wait_for(|is_replying| *is_replying).await);
        sleep(most).await;
    };
    tokio::select! {
        biased;
        ended = connection => Some(ended),
        () = over => None,
    }
}

/// How long a client may take to send the head of a request.
pub(super) const MAX_HEADER_WAIT: Duration = Duration::from_secs(20);
/// How long a client may send nothing at first, or take nothing of a reply. Chosen, not measured: a
/// network that loses packets recovers within a few seconds.
const MAX_STALL: Duration = Duration::from_secs(10);
/// How long the last answer of a connection may take to be sent, to a request that came while it had
/// to make way. It has no place in the table any more. Chosen, not measured.
const MAX_LAST_ANSWER: Duration = Duration::from_secs(60);
const MAX_HEADER_BYTES: usize = 64 << 10;
