//! The `rag.sources` event, and the envelope that a protocol may put around it.

use dalil_proof::time::Time;
use serde::Serialize;

use super::request::SourcesRequest;
use super::{CitationSource, SelectionAccount, SourceSelection, select};

/// The event that a user interface receives.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SourcesEvent<'a> {
    /// The envelope, when the request has one.
    #[serde(flatten)]
    pub envelope: Option<SourcesEnvelope<'a>>,
    /// Always `rag.sources`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The sources.
    pub payload: SourcesPayload<'a>,
    /// The parts left out, when they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub debug: Option<SelectionAccount<'a>>,
}

/// The payload of the event.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SourcesPayload<'a> {
    /// The sources, best first.
    pub sources: Vec<CitationSource<'a>>,
}

/// Which message of which exchange this is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SourcesEnvelope<'a> {
    /// The version of the protocol.
    pub protocol_version: &'a str,
    /// The exchange.
    pub request_id: &'a str,
    /// The message's place in the exchange.
    pub seq: u64,
    /// When the message was made.
    pub ts: Time,
}

impl<'a> SourcesEvent<'a> {
    /// Answers a request. Candidates and chunks that cannot be used are passed over.
    pub fn of(request: &SourcesRequest<'a>) -> Self {
        let input = &request.input;
        let SourceSelection { sources, mut debug } =
            select(&input.candidates, &input.chunks, &request.options);
        if let Some(account) = &mut debug {
            account.complete(input);
        }
        let payload = SourcesPayload { sources };
        Self { envelope: request.envelope, kind: "rag.sources", payload, debug }
    }
}
