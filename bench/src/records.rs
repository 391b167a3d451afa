//! Records: 100,000 obligations packaged as evidence.

use std::error::Error;

use dalil_evidence::obligation::package::package;
use dalil_proof::canon;
use dalil_proof::json::Json;

use crate::measure::{BenchFigures, median};

pub(crate) fn measure(input: &[u8]) -> Result<(BenchFigures, Vec<u8>), Box<dyn Error>> {
    let json = Json::parse(input)?;
    let (rule, packaged) = median(9, || package(&json));
    drop(packaged?);
    drop(json);
    let (whole, written) = median(5, || whole(input));
    Ok((vec![("rule", rule), ("whole", whole)], written?))
}

/// The command `dalil record package`, from the request's bytes to the reply's.
fn whole(input: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let json = Json::parse(input)?;
    Ok(canon::bytes(&package(&json)?)?)
}
