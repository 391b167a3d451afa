//! A body that is read line by line while its caller still writes it.

use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use axum::extract::{FromRequest, Request};
use bytes::{Bytes, BytesMut};
use dalil_phrasebook::{expected, found};
use dalil_proof::fault::Fault;
use futures_util::StreamExt as _;
use tokio::time::timeout;

use crate::app::App;
use crate::extract::{check_content_length, check_media_type, check_value_count, too_large};
use crate::memory_budget::MemoryReservation;
use crate::problem::{ApiProblem, ProblemKind};
use crate::request_owner::RequestOwner;

/// Lines of JSON that come one after the other.
pub(crate) struct LineBody {
    pieces: BodyDataStream,
    /// Memory for the whole body: its reader keeps the lines that it read.
    lease: MemoryReservation,
    /// The bytes of lines that are not returned yet, and how many of them contain no line end.
    pending: BytesMut,
    searched: usize,
    size: u64,
    limit: u64,
    /// How long a caller may write nothing.
    patience: Duration,
}

impl FromRequest<App> for LineBody {
    type Rejection = ApiProblem;

    async fn from_request(request: Request, app: &App) -> Result<Self, ApiProblem> {
        let (parts, body) = request.into_parts();
        let expected = expected::application_x_ndjson();
        check_media_type(&parts.headers, "application/x-ndjson", expected)?;
        let limits = &app.config.limits;
        check_content_length(&parts.headers, limits.body)?;
        Ok(Self {
            pieces: Body::into_data_stream(body),
            lease: app.room.lease(&RequestOwner::of(&parts.extensions)),
            pending: BytesMut::new(),
            searched: 0,
            size: 0,
            limit: limits.body,
            patience: Duration::from_secs(limits.seconds),
        })
    }
}

impl LineBody {
    /// The next line that is not blank; none at the end of the body.
    pub(crate) async fn next(&mut self) -> Result<Option<Bytes>, ApiProblem> {
        loop {
            while let Some(line) = self.line() {
                if !line.trim_ascii().is_empty() {
                    check_value_count(&line)?;
                    return Ok(Some(line));
                }
            }
            let Some(piece) = self.piece().await? else {
                let last = self.pending.split().freeze();
                check_value_count(&last)?;
                return Ok((!last.trim_ascii().is_empty()).then_some(last));
            };
            self.pending.extend_from_slice(&piece);
        }
    }

    /// The memory that the lines take.
    pub(crate) fn into_lease(self) -> MemoryReservation {
        self.lease
    }

    /// A complete line of the bytes that have arrived.
    fn line(&mut self) -> Option<Bytes> {
        let rest = self.pending.get(self.searched..)?;
        let Some(end) = rest.iter().position(|byte| *byte == b'\n') else {
            self.searched = self.pending.len();
            return None;
        };
        let line = self.pending.split_to(self.searched + end + 1).freeze();
        self.searched = 0;
        Some(line)
    }

    async fn piece(&mut self) -> Result<Option<Bytes>, ApiProblem> {
        let slow = |_| ApiProblem::new(ProblemKind::Timeout);
        let Some(piece) = timeout(self.patience, self.pieces.next()).await.map_err(slow)? else {
            return Ok(None);
        };
        let cut = |_| {
            let fault = Fault::new("body", "body", expected::all_of_it(), found::a_part());
            ApiProblem::fault(ProblemKind::Malformed, fault)
        };
        let piece = piece.map_err(cut)?;
        self.size += piece.len() as u64;
        if self.size > self.limit {
            return Err(too_large(self.limit));
        }
        self.lease.grow(piece.len())?;
        Ok(Some(piece))
    }
}
