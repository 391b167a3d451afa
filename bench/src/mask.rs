//! Masking: every text of the labelled sets, and the findings in it.

use std::collections::BTreeMap;
use std::error::Error;

use dalil_evidence::mask;
use dalil_proof::canon;

use crate::measure::{BenchFigures, median};

type MaskSpans = Vec<(String, usize, usize)>;

pub(crate) fn measure(input: &[u8]) -> Result<(BenchFigures, Vec<u8>), Box<dyn Error>> {
    let sets: BTreeMap<String, Vec<String>> = serde_json::from_slice(input)?;
    let mut figures = Vec::new();
    let mut found: BTreeMap<&str, Vec<MaskSpans>> = BTreeMap::new();
    for name in ["gulf", "pii"] {
        let Some(texts) = sets.get(name) else { continue };
        let (seconds, _) = median(21, || {
            texts.iter().map(|text| mask::apply(text, &[], None)).collect::<Vec<_>>()
        });
        figures.push((name, seconds));
        found.insert(name, texts.iter().map(|text| spans(text)).collect());
    }
    Ok((figures, canon::bytes(&found)?))
}

fn spans(text: &str) -> MaskSpans {
    mask::find(text, &[])
        .into_iter()
        .map(|found| (found.rule.to_owned(), found.start, found.end))
        .collect()
}
