//! Sources: 2,000 candidates and 10,000 chunks.

use std::error::Error;

use dalil_evidence::citation_source::event::SourcesEvent;
use dalil_evidence::citation_source::request::SourcesRequest;
use dalil_evidence::citation_source::{SourceOptions, select};
use dalil_proof::canon;
use dalil_proof::json::Json;

use crate::measure::{BenchFigures, median};

pub(crate) fn measure(input: &[u8]) -> Result<(BenchFigures, Vec<u8>), Box<dyn Error>> {
    let json = Json::parse(input)?;
    let request = SourcesRequest::read(&json)?;
    if !request.input.problems.is_empty() {
        return Err("expected candidates and chunks that can be used".into());
    }
    let (candidates, chunks) = (&request.input.candidates, &request.input.chunks);
    let few = SourceOptions::CONTRACT_DEFAULTS;
    let many = SourceOptions { max_sources: candidates.len(), ..SourceOptions::CONTRACT_DEFAULTS };
    let (six, _) = median(201, || select(candidates, chunks, &few));
    let (all, made) = median(101, || select(candidates, chunks, &many));
    let (whole, written) = median(21, || whole(input));
    drop(written?);
    let figures = vec![("six", six), ("all", all), ("whole", whole)];
    Ok((figures, canon::bytes(&made.sources)?))
}

/// The command `dalil sources`, from the request's bytes to the reply's.
fn whole(input: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let json = Json::parse(input)?;
    let request = SourcesRequest::read(&json)?;
    Ok(canon::bytes(&SourcesEvent::of(&request))?)
}
