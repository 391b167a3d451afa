//! The reasons in a pack against its decision: a reviewer looks at them before an approval.
//!
//! A concern is computed and is no part of a pack. A finding is about the pack itself, and is in
//! it.

use dalil_proof::json::Json;

use crate::pack::draft::PackContent;
use crate::pack::tool::ToolCallOutcome;

#[cfg(test)]
mod tests;

/// A part of a pack that a reviewer acknowledges on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackConcern {
    /// Why it speaks against the decision.
    pub kind: PackConcernKind,
    /// Which claim, call or source it is, from 0.
    pub number: usize,
}

/// Why a part of a pack speaks against its decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackConcernKind {
    /// A claim of the ledger is contradicted by its evidence.
    ContradictedClaim,
    /// A call did something else than was intended.
    ContradictedCall,
    /// A call did not succeed, or never reported back.
    FailedCall,
    /// A source was too old when the decision was made.
    StaleSource,
}

impl PackConcern {
    /// A short, stable name; that of the finding, where the concern is one as well.
    pub const fn rule(&self) -> &'static str {
        match self.kind {
            PackConcernKind::ContradictedClaim => "contradicted_claim",
            PackConcernKind::ContradictedCall => "contradicted_call",
            PackConcernKind::FailedCall => "failed_call",
            PackConcernKind::StaleSource => "stale_source",
        }
    }

    /// Where it is, as a path into the pack.
    pub fn path(&self) -> String {
        let list = match self.kind {
            PackConcernKind::ContradictedClaim => "ledger.entries",
            PackConcernKind::ContradictedCall | PackConcernKind::FailedCall => "tool_calls",
            PackConcernKind::StaleSource => "sources",
        };
        format!("{list}[{}]", self.number)
    }
}

/// The concerns of a pack: claims, then calls, then sources, each in their order.
pub fn concerns(pack: &PackContent) -> Vec<PackConcern> {
    use PackConcernKind::{ContradictedCall, ContradictedClaim, FailedCall, StaleSource};
    let mut found = Vec::new();
    let mut add = |kind, number| found.push(PackConcern { kind, number });
    for (number, entry) in entries(pack).iter().enumerate() {
        // The ledger may be another program's, so its verdicts are read as they are written.
        if matches!(entry.get("verdict"), Some(Json::Text(verdict)) if verdict == "contradicted") {
            add(ContradictedClaim, number);
        }
    }
    for (number, call) in pack.tool_calls.iter().enumerate() {
        if call.contradiction_flag {
            add(ContradictedCall, number);
        } else if call.outcome != Some(ToolCallOutcome::Succeeded) {
            add(FailedCall, number);
        }
    }
    for (number, source) in pack.sources.iter().enumerate() {
        if source.stale {
            add(StaleSource, number);
        }
    }
    found
}

fn entries(pack: &PackContent) -> &[Json<'static>] {
    match pack.ledger.as_ref().and_then(|ledger| ledger.get("entries")) {
        Some(Json::List(entries)) => entries,
        _ => &[],
    }
}
