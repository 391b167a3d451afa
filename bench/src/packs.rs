//! Packs: a request of about 10 kB, read and held against every rule.

use std::error::Error;

use dalil_evidence::pack;
use dalil_proof::canon;
use dalil_proof::json::Json;

use crate::measure::{BenchFigures, median};

pub(crate) fn measure(input: &[u8]) -> Result<(BenchFigures, Vec<u8>), Box<dyn Error>> {
    let Json::List(requests) = Json::parse(input)? else {
        return Err("expected an array of requests".into());
    };
    let texts = requests.iter().map(serde_json::to_vec).collect::<Result<Vec<_>, _>>()?;
    drop(requests);
    let (json, _) = median(21, || texts.iter().filter_map(|text| Json::parse(text).ok()).count());
    let (rule, drafts) =
        median(9, || texts.iter().map(|text| pack::assemble(text)).collect::<Result<Vec<_>, _>>());
    let drafts = drafts?;
    let names: Vec<String> = drafts.iter().map(|draft| draft.pack_id.to_string()).collect();
    let each = |seconds: f64| seconds / texts.len() as f64;
    let figures = vec![("json", each(json)), ("rule", each(rule))];
    Ok((figures, canon::bytes(&names)?))
}
