//! Approvals: one-time permissions by members.

use serde::Serialize;
use utoipa::ToSchema;

use super::decision::ApprovalClassBody;
use super::export::ExportFormatBody;
use super::member::MemberTitleBody;
use super::scalar::{DigestText, LanguageCode, TimeText};

/// A page of a list.
#[derive(Serialize, ToSchema)]
#[schema(as = ApprovalPage)]
pub(crate) struct ApprovalPageBody {
    /// The items.
    items: Vec<ApprovalSummaryBody>,
    /// The cursor of the next page; absent on the last page.
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// A page of a list.
#[derive(Serialize, ToSchema)]
#[schema(as = ApprovalRequestPage)]
pub(crate) struct ApprovalRequestPageBody {
    /// The items.
    items: Vec<ApprovalRequestSummaryBody>,
    /// The cursor of the next page; absent on the last page.
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

/// The export of a pack or a ledger.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ExportApprovalOrder)]
pub(crate) struct ExportApprovalOrderBody {
    /// The kind of export.
    action: ExportActionName,
    /// The pack, or the session of the ledger.
    #[schema(min_length = 1, max_length = 256)]
    object: String,
    /// The format.
    format: ExportFormatBody,
    /// The language, for formats that have one; English when absent.
    language: Option<LanguageCode>,
    /// The reason.
    #[schema(min_length = 1, max_length = 2048)]
    reason: String,
    /// The expected digest of the object: another version is refused.
    content: Option<DigestText>,
}

/// The export of the trail.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = TrailApprovalOrder)]
pub(crate) struct TrailApprovalOrderBody {
    /// The action.
    action: TrailActionName,
    /// The record to begin with; the first when absent.
    from: Option<u64>,
    /// Names of fields to withhold.
    withhold: Option<Vec<String>>,
    /// The reason.
    #[schema(min_length = 1, max_length = 2048)]
    reason: String,
}

/// The erasure of payloads.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ErasureApprovalOrder)]
pub(crate) struct ErasureApprovalOrderBody {
    /// The action.
    action: EraseActionName,
    /// The scope: `all`, `kind:…` or `subject:…`.
    scope: String,
    /// The legal basis.
    legal_basis: LegalBasisBody,
    /// Only these records; all of the scope when absent.
    records: Option<Vec<u64>>,
}

/// The exact action to approve (spec/record.md). It is also the body of an approval of it.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = ApprovalMatter)]
pub(crate) enum ApprovalMatterBody {
    /// The export of a pack or a ledger.
    Export(ExportMatterBody),
    /// The export of the trail.
    Trail(TrailMatterBody),
    /// The erasure of payloads.
    Erasure(ErasureMatterBody),
}

/// The export of a pack or a ledger.
#[derive(Serialize, ToSchema)]
#[schema(as = ExportMatter)]
pub(crate) struct ExportMatterBody {
    /// The kind of export.
    action: ExportActionName,
    /// The digest of its canonical JSON. Whoever approves may leave it out.
    #[schema(required = false)]
    content: DigestText,
    /// The format.
    format: ExportFormatBody,
    /// The language, for formats that have one.
    #[schema(nullable = false)]
    language: Option<LanguageCode>,
    /// The pack, or the session of the ledger.
    object: String,
    /// The reason.
    reason: String,
}

/// The export of the trail.
#[derive(Serialize, ToSchema)]
#[schema(as = TrailMatter)]
pub(crate) struct TrailMatterBody {
    /// The action.
    action: TrailActionName,
    /// The record to begin with; the first when absent.
    #[schema(required = false)]
    from: u64,
    /// The reason.
    reason: String,
    /// Names of fields to withhold, in order; none when absent.
    #[schema(required = false)]
    withhold: Vec<String>,
}

/// The erasure of payloads.
#[derive(Serialize, ToSchema)]
#[schema(as = ErasureMatter)]
pub(crate) struct ErasureMatterBody {
    /// The action.
    action: EraseActionName,
    /// The legal basis.
    legal_basis: LegalBasisBody,
    /// Only these records, in order; empty or absent for all of the scope.
    #[schema(required = false)]
    records: Vec<u64>,
    /// The scope: `all`, `kind:…` or `subject:…`.
    scope: String,
}

/// The kind of export.
#[derive(Serialize, ToSchema)]
#[schema(as = ExportActionName)]
pub(crate) enum ExportActionName {
    /// Export of a pack.
    #[schema(rename = "export_pack")]
    Pack,
    /// Export of the ledger of a session.
    #[schema(rename = "export_ledger")]
    Ledger,
}

/// The export of the trail.
#[derive(Serialize, ToSchema)]
#[schema(as = TrailActionName)]
pub(crate) enum TrailActionName {
    /// Export of the trail.
    #[schema(rename = "export_trail")]
    Trail,
}

/// An erasure.
#[derive(Serialize, ToSchema)]
#[schema(as = EraseActionName)]
pub(crate) enum EraseActionName {
    /// Erasure of payloads.
    #[schema(rename = "erase")]
    Erase,
}

/// The state of a request or an approval.
#[derive(Serialize, ToSchema)]
#[schema(as = ApprovalLifecycle, rename_all = "lowercase")]
pub(crate) enum ApprovalLifecycleBody {
    /// Others must still approve it.
    Waiting,
    /// The action may be done.
    Approved,
    /// The action was done.
    Used,
    /// It expired.
    Expired,
    /// Its object is gone or has changed, or the approver may no longer approve.
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
    /// When it expires.
    expires_at: TimeText,
}

/// A request for approval.
#[derive(Serialize, ToSchema)]
#[schema(as = ApprovalRequestSummary)]
pub(crate) struct ApprovalRequestSummaryBody {
    /// Its id.
    request_id: String,
    /// Its object: a pack, a session, the trail or a scope.
    object: String,
    /// The exact action in question: the body of an approval of it.
    matter: ApprovalMatterBody,
    /// Who asked.
    asked_by: String,
    /// When.
    asked_at: TimeText,
    /// When the request expires.
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
    /// The index of its record.
    index: u64,
}

/// A member's approval.
#[derive(Serialize, ToSchema)]
#[schema(as = ApprovalSummary)]
pub(crate) struct ApprovalSummaryBody {
    /// Its id.
    approval_id: String,
    /// Its object: a pack, a session, the trail or a scope.
    object: String,
    /// The exact action that was approved.
    matter: ApprovalMatterBody,
    /// Who approved.
    approver: String,
    /// The approver's titles.
    titles: String,
    /// The id of the credential that was used, which is not secret.
    credential: String,
    /// When.
    given_at: TimeText,
    /// When it expires.
    expires_at: TimeText,
    /// Its state.
    state: ApprovalLifecycleBody,
    /// The record of its use.
    #[schema(nullable = false)]
    used_by: Option<u64>,
    /// The index of its record.
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
