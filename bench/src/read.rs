//! Reading: the PDFs of a list, one after the other in this process, on one thread.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;

use dalil_documents::formats::read;
use dalil_proof::canon;

use crate::measure::{BenchFigures, median};

pub(crate) fn measure(input: &[u8]) -> Result<(BenchFigures, Vec<u8>), Box<dyn Error>> {
    let names: Vec<String> = serde_json::from_slice(input)?;
    let files = names.iter().map(fs::read).collect::<Result<Vec<_>, _>>()?;
    let (seconds, documents) = median(5, || {
        names.iter().zip(&files).map(|(name, bytes)| read(bytes, name)).collect::<Vec<_>>()
    });
    let mut texts = BTreeMap::new();
    for (name, document) in names.iter().zip(documents) {
        texts.insert(name.as_str(), document?.text);
    }
    Ok((vec![("seconds", seconds)], canon::bytes(&texts)?))
}
