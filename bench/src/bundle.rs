//! Bundles: 2,000 inline items of 9 kB, against SHA-256 alone over the same bytes.

use std::error::Error;

use dalil_evidence::bundle::{BuiltBundle, BundleRequest, FetchedArtifacts, build};
use dalil_proof::canon;
use dalil_proof::digest::Digest;

use crate::measure::{BenchFigures, median, median_of};

pub(crate) fn measure(input: &[u8]) -> Result<(BenchFigures, Vec<u8>), Box<dyn Error>> {
    let none = FetchedArtifacts::new();
    let BuiltBundle { bundle, .. } = build(BundleRequest::parse(input)?, &none, None)?;
    let contents: Vec<&[u8]> = bundle.items.iter().map(|item| item.content.as_bytes()).collect();
    let (sha256, _) =
        median(21, || contents.iter().map(|content| Digest::of(content)).collect::<Vec<_>>());
    drop(contents);
    drop(bundle);
    let (rule, built) = median_of(
        21,
        || BundleRequest::parse(input),
        |request| request.map(|request| build(request, &none, None)),
    );
    drop(built??);
    let (whole, written) = median(9, || whole(input, &none));
    Ok((vec![("rule", rule), ("whole", whole), ("sha256", sha256)], written?))
}

/// The command `dalil bundle`, from the request's bytes to the reply's.
fn whole(input: &[u8], none: &FetchedArtifacts) -> Result<Vec<u8>, Box<dyn Error>> {
    let BuiltBundle { bundle, .. } = build(BundleRequest::parse(input)?, none, None)?;
    Ok(canon::bytes(&bundle)?)
}
