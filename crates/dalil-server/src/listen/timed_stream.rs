//! A connection with a deadline for the first byte and for stalled writes, which reports progress.
//!
//! hyper times the headers of a request, but not a client that reads nothing of a reply.
//! `tokio-io-timeout` times every read: an event stream, whose client sends nothing, would end.

use std::future::Future as _;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use super::connection_table::ConnectionActivity;

/// A stream that ends with an error when the first byte does not come, or when no byte can be
/// written, within `wait`.
pub(super) struct TimedStream<S> {
    stream: S,
    wait: Duration,
    /// Until when the first byte must come.
    first_byte: Option<Pin<Box<Sleep>>>,
    /// Until when a write that waits must go on.
    write: Option<Pin<Box<Sleep>>>,
    /// Notified when everything was written.
    activity: ConnectionActivity,
}

impl<S> TimedStream<S> {
    /// The time for the first byte begins now.
    pub(super) fn new(stream: S, wait: Duration, activity: ConnectionActivity) -> Self {
        Self { stream, wait, first_byte: Some(Box::pin(sleep(wait))), write: None, activity }
    }

    /// The result of a write: progress stops its timer; a write that waits starts or continues it.
    fn timed<T>(
        &mut self,
        cx: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.write = None;
            return written;
        }
        let wait = self.wait;
        let timer = self.write.get_or_insert_with(|| Box::pin(sleep(wait)));
        timer.as_mut().poll(cx).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for TimedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let read = Pin::new(&mut self.stream).poll_read(cx, buf);
        if read.is_ready() {
            self.first_byte = None;
            return read;
        }
        match &mut self.first_byte {
            Some(timer) => timer.as_mut().poll(cx).map(|()| Err(io::ErrorKind::TimedOut.into())),
            None => Poll::Pending,
        }
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for TimedStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.timed(cx, written)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(cx);
        // hyper flushes when its own buffer is empty, and after every body that has ended.
        if matches!(flushed, Poll::Ready(Ok(()))) {
            self.activity.flushed();
        }
        self.timed(cx, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let shut = Pin::new(&mut self.stream).poll_shutdown(cx);
        self.timed(cx, shut)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, pieces);
        self.timed(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
