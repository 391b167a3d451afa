//! The lineage that the erasures of a scope make.

use dalil_proof::hold::RecordScope;

/// Erasures of one scope are one lineage.
pub(crate) fn lineage(scope: &RecordScope) -> String {
    match scope {
        RecordScope::All => "all".to_owned(),
        RecordScope::Kind(kind) => kind.to_string(),
        RecordScope::Subject(subject) => subject.clone(),
    }
}
