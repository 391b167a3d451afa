//! The trail: records and proofs (spec/trail.md, spec/checkpoint.md).

use serde::Serialize;
use utoipa::ToSchema;

use super::scalar::{DigestText, TimeText};

/// A page of a list.
#[derive(Serialize, ToSchema)]
#[schema(as = RecordPage)]
pub(crate) struct RecordPageBody {
    /// The items.
    items: Vec<RecordSummaryBody>,
    /// The cursor of the next page; absent on the last page.
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// The part of the trail to export, and the reason.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = TrailExportOrder)]
pub(crate) struct TrailExportOrderBody {
    /// The reason.
    #[schema(min_length = 1, max_length = 2048)]
    reason: String,
    /// The record to begin with; the first when absent.
    from: Option<u64>,
    /// Names of fields to withhold.
    withhold: Option<Vec<String>>,
}

/// One record.
#[derive(Serialize, ToSchema)]
#[schema(as = RecordSummary)]
pub(crate) struct RecordSummaryBody {
    /// Its index in the trail.
    index: u64,
    /// Its id.
    id: String,
    /// The kind of event.
    kind: RecordKindName,
    /// When.
    at: TimeText,
    /// Who acted.
    actor: String,
    /// Its subject.
    subject: String,
    /// How many records of the subject came before.
    sequence: u64,
    /// Its leaf hash.
    leaf: DigestText,
    /// The states of its payload fields.
    payload: Vec<PayloadFieldStatusBody>,
}

/// The kind of event of a record.
#[derive(Serialize, ToSchema)]
#[schema(as = RecordKind)]
pub(crate) enum RecordKindName {
    /// Access was refused.
    #[schema(rename = "access.refused")]
    AccessRefused,
    /// An API key was created.
    #[schema(rename = "apikey.added")]
    ApikeyAdded,
    /// An API key was revoked.
    #[schema(rename = "apikey.revoked")]
    ApikeyRevoked,
    /// A request for approval was made.
    #[schema(rename = "approval.asked")]
    ApprovalAsked,
    /// A one-time action was approved.
    #[schema(rename = "approval.given")]
    ApprovalGiven,
    /// An approved action was done, which used up its approvals.
    #[schema(rename = "approval.used")]
    ApprovalUsed,
    /// A bundle was given to a model.
    #[schema(rename = "bundle.built")]
    BundleBuilt,
    /// A time-stamping authority stamped a checkpoint.
    #[schema(rename = "checkpoint.timestamped")]
    CheckpointTimestamped,
    /// A witness cosigned a checkpoint.
    #[schema(rename = "checkpoint.witnessed")]
    CheckpointWitnessed,
    /// A person reviewed a claim of a ledger.
    #[schema(rename = "claim.reviewed")]
    ClaimReviewed,
    /// An agent decided.
    #[schema(rename = "decision.recorded")]
    DecisionRecorded,
    /// A document was added.
    #[schema(rename = "document.added")]
    DocumentAdded,
    /// A pack, ledger or trail left the system.
    #[schema(rename = "export.made")]
    ExportMade,
    /// A legal hold was lifted.
    #[schema(rename = "hold.lifted")]
    HoldLifted,
    /// A legal hold was placed: nothing under it may be erased.
    #[schema(rename = "hold.placed")]
    HoldPlaced,
    /// A person was invited to be a member.
    #[schema(rename = "invitation.made")]
    InvitationMade,
    /// The invitation was used, and cannot be used again.
    #[schema(rename = "invitation.used")]
    InvitationUsed,
    /// An invitation was withdrawn.
    #[schema(rename = "invitation.withdrawn")]
    InvitationWithdrawn,
    /// A job was accepted.
    #[schema(rename = "job.accepted")]
    JobAccepted,
    /// A job ended: it was done or failed.
    #[schema(rename = "job.ended")]
    JobEnded,
    /// A signing key was added.
    #[schema(rename = "key.added")]
    KeyAdded,
    /// Wrong dates of key changes were corrected.
    #[schema(rename = "key.redated")]
    KeyRedated,
    /// A key stops signing; its signatures stay valid.
    #[schema(rename = "key.retired")]
    KeyRetired,
    /// A key was revoked: its signatures need a trusted time.
    #[schema(rename = "key.revoked")]
    KeyRevoked,
    /// A ledger was closed over an answer.
    #[schema(rename = "ledger.closed")]
    LedgerClosed,
    /// A person became a member of the tenant.
    #[schema(rename = "member.added")]
    MemberAdded,
    /// A person is no longer a member of the tenant.
    #[schema(rename = "member.removed")]
    MemberRemoved,
    /// An obligation was recorded with its evidence.
    #[schema(rename = "obligation.recorded")]
    ObligationRecorded,
    /// An obligation could not be recorded, and why.
    #[schema(rename = "obligation.skipped")]
    ObligationSkipped,
    /// An obligation's status changed.
    #[schema(rename = "obligation.status_changed")]
    ObligationStatusChanged,
    /// A pack was reviewed by a person.
    #[schema(rename = "pack.reviewed")]
    PackReviewed,
    /// A pack was sealed and signed.
    #[schema(rename = "pack.sealed")]
    PackSealed,
    /// A payload was destroyed, with its salt and key.
    #[schema(rename = "payload.erased")]
    PayloadErased,
    /// A person answered a follow-up question of a ledger, or sent it on.
    #[schema(rename = "question.replied")]
    QuestionReplied,
    /// A model was run over bundles.
    #[schema(rename = "run.recorded")]
    RunRecorded,
    /// A question was asked, and an answer is to be checked.
    #[schema(rename = "session.opened")]
    SessionOpened,
    /// A tenant was made, and its trail began.
    #[schema(rename = "tenant.created")]
    TenantCreated,
    /// An agent is about to use a tool.
    #[schema(rename = "tool.intended")]
    ToolIntended,
    /// A tool answered, failed or was blocked.
    #[schema(rename = "tool.reported")]
    ToolReported,
}

/// The state of a payload field.
#[derive(Serialize, ToSchema)]
#[schema(as = PayloadFieldStatus)]
pub(crate) struct PayloadFieldStatusBody {
    /// Its name.
    name: String,
    /// PRESENT, ERASED, MISSING or ALTERED.
    verdict: PayloadVerdictName,
    /// The record that erased it.
    #[schema(nullable = false)]
    by: Option<u64>,
    /// The lake object that holds it.
    #[schema(nullable = false)]
    object: Option<DigestText>,
}

/// The state of a payload field.
#[derive(Serialize, ToSchema)]
#[schema(as = PayloadVerdictName)]
pub(crate) enum PayloadVerdictName {
    /// It is there.
    #[schema(rename = "PRESENT")]
    Present,
    /// A record erased it.
    #[schema(rename = "ERASED")]
    Erased,
    /// It is missing, and no record explains it.
    #[schema(rename = "MISSING")]
    Missing,
    /// It differs from the record's commitment.
    #[schema(rename = "ALTERED")]
    Altered,
}

/// The proof that a trail only grew.
#[derive(Serialize, ToSchema)]
#[schema(as = ConsistencyProof)]
pub(crate) struct ConsistencyProofBody {
    /// The earlier head.
    old: ProvedHeadBody,
    /// The later head.
    new: ProvedHeadBody,
    /// The proof from one to the other.
    proof: Vec<DigestText>,
}

/// A size and its root.
#[derive(Serialize, ToSchema)]
#[schema(as = ProvedHead)]
pub(crate) struct ProvedHeadBody {
    /// How many records.
    size: u64,
    /// The root over them.
    root: DigestText,
}
