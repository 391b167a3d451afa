//! Sources: 2,000 candidates and 10,000 chunks.

use std::error::Error;

use dalil_core::canon;
use dalil_core::json::Json;
use dalil_core::source::event::Event;
use dalil_core::source::request::{Input, Request};
use dalil_core::source::{Options, select};

use crate::measure::{Figures, median};

pub(crate) fn measure(input: &[u8]) -> Result<(Figures, Vec<u8>), Box<dyn Error>> {
    let json = Json::parse(input)?;
    let request = Request::read(&json)?;
    let Input::Sound { candidates, chunks } = &request.input else {
        return Err("expected candidates and chunks that can be used".into());
    };
    let few = Options::SEED;
    let many = Options { max_sources: candidates.len(), ..Options::SEED };
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
    let request = Request::read(&json)?;
    Ok(canon::bytes(&Event::of(&request))?)
}
