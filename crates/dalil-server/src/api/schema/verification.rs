//! Verification: a file in, a report out.

use serde::Serialize;
use utoipa::ToSchema;

/// Every finding about a file, and the verdict.
#[derive(Serialize, ToSchema)]
#[schema(as = VerificationReport)]
pub(crate) struct VerificationReportBody {
    /// The worst of all findings.
    verdict: CheckStatusBody,
    /// The checks that were made.
    findings: Vec<VerificationFindingBody>,
}

/// One part that was checked.
#[derive(Serialize, ToSchema)]
#[schema(as = VerificationFinding)]
pub(crate) struct VerificationFindingBody {
    /// The part, such as `inclusion`.
    part: String,
    /// Whether it holds.
    verdict: CheckStatusBody,
    /// Why, in one sentence.
    message: String,
}

/// The verdict about one part, or about the whole.
#[derive(Serialize, ToSchema)]
#[schema(as = CheckStatus, rename_all = "lowercase")]
pub(crate) enum CheckStatusBody {
    /// Checked, and it holds.
    Pass,
    /// Checked, and it does not hold.
    Fail,
    /// Could not be checked with the given trust and files.
    Incomplete,
}
