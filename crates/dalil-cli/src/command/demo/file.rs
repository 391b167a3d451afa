//! The example files, as part of the program.

use dalil_evidence::bundle::{ArtifactReadError, LakeUri};

/// A request for `dalil bundle`.
pub(in crate::command) const BUNDLE_REQUEST: &[u8] =
    include_bytes!("../../../../../examples/requests/bundle.json");
/// A request for `dalil ledger`.
pub(in crate::command) const LEDGER_REQUEST: &[u8] =
    include_bytes!("../../../../../examples/requests/ledger-agreement.json");
/// A request for `dalil sources`.
pub(in crate::command) const SOURCES_REQUEST: &[u8] =
    include_bytes!("../../../../../examples/requests/sources.json");
/// A request for `dalil record package`.
pub(in crate::command) const PACKAGE_REQUEST: &[u8] =
    include_bytes!("../../../../../examples/requests/record-package.json");
/// A request for `dalil record status`.
#[cfg(feature = "serve")]
pub(in crate::command) const STATUS_REQUEST: &[u8] =
    include_bytes!("../../../../../examples/requests/record-status.json");
/// A request for `dalil record validate`.
pub(in crate::command) const VALIDATE_REQUEST: &[u8] =
    include_bytes!("../../../../../examples/requests/record-validate-gaps.json");
/// A decision.
pub(in crate::command) const DECISION: &[u8] =
    include_bytes!("../../../../../examples/decision/decision.json");
/// A request for `dalil pack assemble`.
pub(in crate::command) const PACK_REQUEST: &[u8] =
    include_bytes!("../../../../../examples/decision/pack.json");

/// The same request without an Arabic body, and with a contradiction denied.
pub(in crate::command) const REFUSED_PACK_REQUEST: &[u8] =
    include_bytes!("../../../../../examples/decision/pack-refused.json");

#[cfg(feature = "serve")]
macro_rules! session {
    ($name:literal, $example:literal) => {
        (
            $name,
            include_str!(concat!("../../../../../examples/questions/", $example, ".txt"))
                .trim_ascii(),
            include_str!(concat!("../../../../../examples/answers/", $example, ".md")),
        )
    };
}

/// Questions, in sessions of these names, and a model's answers.
#[cfg(feature = "serve")]
pub(in crate::command) const SESSION_ANSWERS: [(&str, &str, &str); 4] = [
    session!("ses_leave_en", "leave.en"),
    session!("ses_leave_ar", "leave.ar"),
    session!("ses_leave_wrong", "leave-wrong.en"),
    session!("ses_agreement", "agreement.en"),
];

/// The content of the example's lake under `uri`.
pub(in crate::command) fn lake(uri: &LakeUri) -> Result<Vec<u8>, ArtifactReadError> {
    let file = CORPUS.iter().find(|(path, _)| *path == uri.as_str());
    file.map(|(_, bytes)| bytes.to_vec()).ok_or(ArtifactReadError::Missing)
}

/// The same bytes with one bit of the middle one changed.
pub(in crate::command) fn altered(bytes: &[u8]) -> Vec<u8> {
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

/// The documents, by their names.
pub(in crate::command) const CORPUS: [(&str, &[u8]); 9] = corpus![
    "company-profile.en.md",
    "hr-leave-policy.ar.md",
    "hr-leave-policy.en.md",
    "lake/http/supplier-register-V204.json",
    "lake/sql/invoice-ageing.json",
    "services-agreement-amendment-1.en.md",
    "services-agreement-amendment-2.en.md",
    "services-agreement.ar.md",
    "services-agreement.en.md",
];
