//! The body of an answer, which reports when hyper has taken the last of it.
//!
//! hyper may still buffer a large body then:
//! [`TimedStream`](super::timed_stream::TimedStream) reports when that is written.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use hyper::body::{Body as HttpBody, Frame, SizeHint};

use super::connection_table::ConnectionActivity;

/// A body that reports when it is dropped: hyper does so once it has the last of it.
pub(super) struct AnswerBody {
    body: Body,
    activity: ConnectionActivity,
}

impl AnswerBody {
    pub(super) fn new(body: Body, activity: ConnectionActivity) -> Self {
        Self { body, activity }
    }
}

impl HttpBody for AnswerBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for AnswerBody {
    fn drop(&mut self) {
        self.activity.answered();
    }
}
