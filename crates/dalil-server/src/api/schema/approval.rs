//! Approvals: one-time permissions by members.

use serde::Serialize;
use utoipa::ToSchema;

use super::decision::ApprovalClassBody;
use super::export::ExportFormatBody;
use super::member::MemberTitleBody;
use super::scalar::{DigestText, LanguageCode, TimeText};

/// A part of a list.
#[derive(Serialize, ToSchema)]
#[schema(as = ApprovalPage)]
pub(crate) struct ApprovalPageBody {
    /// The items.
    items: Vec<ApprovalSummaryBody>,
    /// Where the next part begins; absent on the last.
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// A part of a list.
#[derive(Serialize, ToSchema)]
#[schema(as = ApprovalRequestPage)]
pub(crate) struct ApprovalRequestPageBody {
    /// The items.
    items: Vec<ApprovalRequestSummaryBody>,
    /// Where the next part begins; absent on the last.
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// The requested action.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = ApprovalOrder)]
pub(crate) enum ApprovalOrderBody {
    /// To export a pack or a ledger.
    Export(Box<ExportApprovalOrderBody>),
    /// To export the trail.
    Trail(TrailApprovalOrderBody),
    /// To erase payloads.
    Erasure(ErasureApprovalOrderBody),
}

/// That a pack or a ledger leaves.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ExportApprovalOrder)]
pub(crate) struct ExportApprovalOrderBody {
    /// Which of them.
    action: ExportActionName,
    /// The pack, or the session of the ledger.
    #[schema(min_length = 1, max_length = 256)]
    object: String,
    /// In which form.
    format: ExportFormatBody,
    /// In which language, where the form has one; English when absent.
    language: Option<LanguageCode>,
    /// Why.
    #[schema(min_length = 1, max_length = 2048)]
    reason: String,
    /// The expected digest of the object: another version is refused.
    content: Option<DigestText>,
}

/// That the trail leaves.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = TrailApprovalOrder)]
pub(crate) struct TrailApprovalOrderBody {
    /// The action.
    action: TrailActionName,
    /// From this record on; the first when absent.
    from: Option<u64>,
    /// Names of fields that stay.
    withhold: Option<Vec<String>>,
    /// Why.
    #[schema(min_length = 1, max_length = 2048)]
    reason: String,
}

/// That payloads are destroyed.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ErasureApprovalOrder)]
pub(crate) struct ErasureApprovalOrderBody {
    /// The action.
    action: EraseActionName,
    /// Which: `all`, `kind:…` or `subject:…`.
    scope: String,
    /// On which basis.
    legal_basis: LegalBasisBody,
    /// Only these records; all of the scope when absent.
    records: Option<Vec<u64>>,
}

/// The exact action to approve (spec/record.md). It is also the body of an approval of it.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = ApprovalMatter)]
pub(crate) enum ApprovalMatterBody {
    /// That a pack or a ledger leaves.
    Export(ExportMatterBody),
    /// That the trail leaves.
    Trail(TrailMatterBody),
    /// That payloads are destroyed.
    Erasure(ErasureMatterBody),
}

/// A pack or a ledger that leaves.
#[derive(Serialize, ToSchema)]
#[schema(as = ExportMatter)]
pub(crate) struct ExportMatterBody {
    /// Which of them.
    action: ExportActionName,
    /// The digest of its canonical JSON.
    content: DigestText,
    /// In which form.
    format: ExportFormatBody,
    /// In which language, where the form has one.
    #[schema(nullable = false)]
    language: Option<LanguageCode>,
    /// The pack, or the session of the ledger.
    object: String,
    /// Why.
    reason: String,
}

/// The trail that leaves.
#[derive(Serialize, ToSchema)]
#[schema(as = TrailMatter)]
pub(crate) struct TrailMatterBody {
    /// The action.
    action: TrailActionName,
    /// From this record on.
    from: u64,
    /// Why.
    reason: String,
    /// Names of fields that stay, in order.
    withhold: Vec<String>,
}

/// Payloads that are destroyed.
#[derive(Serialize, ToSchema)]
#[schema(as = ErasureMatter)]
pub(crate) struct ErasureMatterBody {
    /// The action.
    action: EraseActionName,
    /// On which basis.
    legal_basis: LegalBasisBody,
    /// Only these records, in order; empty for all of the scope.
    records: Vec<u64>,
    /// Which: `all`, `kind:…` or `subject:…`.
    scope: String,
}

/// Which of the exports.
#[derive(Serialize, ToSchema)]
#[schema(as = ExportActionName)]
pub(crate) enum ExportActionName {
    /// A pack leaves.
    #[schema(rename = "export_pack")]
    Pack,
    /// The ledger of a session leaves.
    #[schema(rename = "export_ledger")]
    Ledger,
}

/// The export of the trail.
#[derive(Serialize, ToSchema)]
#[schema(as = TrailActionName)]
pub(crate) enum TrailActionName {
    /// The trail leaves.
    #[schema(rename = "export_trail")]
    Trail,
}

/// An erasure.
#[derive(Serialize, ToSchema)]
#[schema(as = EraseActionName)]
pub(crate) enum EraseActionName {
    /// Payloads are destroyed.
    #[schema(rename = "erase")]
    Erase,
}

/// The state of a request or an approval.
#[derive(Serialize, ToSchema)]
#[schema(as = ApprovalLifecycle, rename_all = "lowercase")]
pub(crate) enum ApprovalLifecycleBody {
    /// Others must still approve it.
    Waiting,
    /// It may be done.
    Approved,
    /// It was done.
    Used,
    /// Its time is over.
    Expired,
    /// It is not there any more, or is another; or the approver may not approve any more.
    Void,
}

/// Who approved something.
#[derive(Serialize, ToSchema)]
#[schema(as = ApproverSummary)]
pub(crate) struct ApproverSummaryBody {
    /// The member.
    name: String,
    /// The member's titles.
    titles: Vec<MemberTitleBody>,
    /// When.
    at: TimeText,
    /// Until when it counts.
    expires_at: TimeText,
}

/// A request for approval.
#[derive(Serialize, ToSchema)]
#[schema(as = ApprovalRequestSummary)]
pub(crate) struct ApprovalRequestSummaryBody {
    /// Its name.
    request_id: String,
    /// Its object: a pack, a session, the trail or a scope.
    object: String,
    /// The exact action in question: the body of an approval of it.
    matter: ApprovalMatterBody,
    /// Who asked.
    asked_by: String,
    /// When.
    asked_at: TimeText,
    /// Until when it can be approved.
    expires_at: TimeText,
    /// Its state.
    state: ApprovalLifecycleBody,
    /// The class of the approval.
    #[schema(nullable = false)]
    approval_class: Option<ApprovalClassBody>,
    /// How many must approve.
    required_approvers: u8,
    /// The approvers that count; of a used approval, those that counted.
    approved_by: Vec<ApproverSummaryBody>,
    /// Who must still approve.
    missing: Vec<String>,
    /// Its record.
    index: u64,
}

/// A member's approval.
#[derive(Serialize, ToSchema)]
#[schema(as = ApprovalSummary)]
pub(crate) struct ApprovalSummaryBody {
    /// Its name.
    approval_id: String,
    /// Its object: a pack, a session, the trail or a scope.
    object: String,
    /// The exact action that was approved.
    matter: ApprovalMatterBody,
    /// Who approved.
    approver: String,
    /// With which titles.
    titles: String,
    /// With which credential: its name, which is no secret.
    credential: String,
    /// When.
    given_at: TimeText,
    /// Until when it counts.
    expires_at: TimeText,
    /// Its state.
    state: ApprovalLifecycleBody,
    /// The record of its use.
    #[schema(nullable = false)]
    used_by: Option<u64>,
    /// Its record.
    index: u64,
}

/// The legal basis of an erasure.
#[derive(Serialize, ToSchema)]
#[schema(as = LegalBasis, rename_all = "snake_case")]
pub(crate) enum LegalBasisBody {
    /// The retention time is over.
    RetentionExpired,
    /// The person whom the data is about asked for it.
    DataSubjectRequest,
    /// A court ordered it.
    CourtOrder,
}
