//! The example files, as part of the program.

use dalil_core::bundle::{LakeUri, Unread};

/// A request for `dalil bundle`.
pub(super) const BUNDLE: &[u8] = include_bytes!("../../../../../examples/requests/bundle.json");
/// A request for `dalil ledger`.
pub(super) const LEDGER: &[u8] =
    include_bytes!("../../../../../examples/requests/ledger-agreement.json");
/// A request for `dalil sources`.
pub(super) const SOURCES: &[u8] = include_bytes!("../../../../../examples/requests/sources.json");
/// A request for `dalil record package`.
pub(super) const RECORDS: &[u8] =
    include_bytes!("../../../../../examples/requests/record-package.json");
/// A request for `dalil record validate`.
pub(super) const VALIDATE: &[u8] =
    include_bytes!("../../../../../examples/requests/record-validate-gaps.json");
/// A decision.
pub(super) const DECISION: &[u8] = include_bytes!("../../../../../examples/decision/decision.json");
/// A request for `dalil pack assemble`.
pub(super) const PACK: &[u8] = include_bytes!("../../../../../examples/decision/pack.json");

/// The same request without an Arabic body, and with a contradiction denied.
pub(super) const REFUSED: &[u8] =
    include_bytes!("../../../../../examples/decision/pack-refused.json");

/// What the example's lake holds under `uri`.
pub(super) fn lake(uri: &LakeUri) -> Result<Vec<u8>, Unread> {
    let file = CORPUS.iter().find(|(path, _)| *path == uri.as_str());
    file.map(|(_, bytes)| bytes.to_vec()).ok_or(Unread::Missing)
}

/// The same bytes with one bit of the middle one changed.
pub(super) fn altered(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let middle = bytes.len() / 2;
    if let Some(byte) = bytes.get_mut(middle) {
        *byte ^= 1;
    }
    bytes
}

macro_rules! corpus {
    ($($path:literal),* $(,)?) => {
        [$(($path, include_bytes!(concat!("../../../../../examples/corpus/", $path)).as_slice())),*]
    };
}

const CORPUS: [(&str, &[u8]); 6] = corpus![
    "company-profile.en.md",
    "lake/http/supplier-register-V204.json",
    "lake/sql/invoice-ageing.json",
    "services-agreement-amendment-2.en.md",
    "services-agreement.ar.md",
    "services-agreement.en.md",
];
