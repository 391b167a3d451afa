//! The kinds of record: a closed list, so that a reader knows every kind it may meet.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::decode::JsonReader;

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $word:literal,)*) => {
        /// What happened.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum RecordKind {
            $($(#[$doc])* $name,)*
        }

        impl RecordKind {
            /// Every kind with the word it is written as, in order of the words.
            pub const WORDS: &[(&'static str, Self)] = &[$(($word, Self::$name),)*];

            /// The word it is written as.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $word,)*
                }
            }
        }
    };
}

kinds! {
    /// Access was refused.
    AccessRefused = "access.refused",
    /// A key for the API was given out.
    ApikeyAdded = "apikey.added",
    /// A key for the API opens nothing any more.
    ApikeyRevoked = "apikey.revoked",
    /// A request for approval was made.
    ApprovalAsked = "approval.asked",
    /// A one-time action was approved.
    ApprovalGiven = "approval.given",
    /// An approved action was done, and its approvals count no more.
    ApprovalUsed = "approval.used",
    /// A bundle was given to a model.
    BundleBuilt = "bundle.built",
    /// A time-stamping authority stamped a checkpoint.
    CheckpointTimestamped = "checkpoint.timestamped",
    /// A witness cosigned a checkpoint.
    CheckpointWitnessed = "checkpoint.witnessed",
    /// A person reviewed a claim of a ledger.
    ClaimReviewed = "claim.reviewed",
    /// An agent decided.
    DecisionRecorded = "decision.recorded",
    /// A document came in.
    DocumentAdded = "document.added",
    /// A pack, ledger or trail left the system.
    ExportMade = "export.made",
    /// A legal hold was lifted.
    HoldLifted = "hold.lifted",
    /// A legal hold was placed: nothing under it may be erased.
    HoldPlaced = "hold.placed",
    /// A person was invited to be a member.
    InvitationMade = "invitation.made",
    /// The invitation was used, and cannot be used again.
    InvitationUsed = "invitation.used",
    /// An invitation opens nothing any more.
    InvitationWithdrawn = "invitation.withdrawn",
    /// Long work was accepted, and will be done.
    JobAccepted = "job.accepted",
    /// Long work was done, or could not be.
    JobEnded = "job.ended",
    /// A key may sign from here on.
    KeyAdded = "key.added",
    /// Dates of changes of keys were wrong, and are corrected.
    KeyRedated = "key.redated",
    /// A key stops signing; its signatures stay valid.
    KeyRetired = "key.retired",
    /// A key is no longer to be trusted without a trusted time.
    KeyRevoked = "key.revoked",
    /// A ledger was closed over an answer.
    LedgerClosed = "ledger.closed",
    /// A person became a member of the tenant.
    MemberAdded = "member.added",
    /// A person is no longer a member of the tenant.
    MemberRemoved = "member.removed",
    /// An obligation was recorded with its evidence.
    ObligationRecorded = "obligation.recorded",
    /// An obligation could not be recorded, and why.
    ObligationSkipped = "obligation.skipped",
    /// An obligation's status changed.
    ObligationStatusChanged = "obligation.status_changed",
    /// A pack was reviewed by a person.
    PackReviewed = "pack.reviewed",
    /// A pack was sealed and signed.
    PackSealed = "pack.sealed",
    /// A payload was destroyed, with its salt and key.
    PayloadErased = "payload.erased",
    /// A person answered a follow-up question of a ledger, or sent it on.
    QuestionReplied = "question.replied",
    /// A model was run over bundles.
    RunRecorded = "run.recorded",
    /// A question was asked, and an answer is to be checked.
    SessionOpened = "session.opened",
    /// A tenant was made, and its trail began.
    TenantCreated = "tenant.created",
    /// An agent is about to use a tool.
    ToolIntended = "tool.intended",
    /// A tool answered, failed or was blocked.
    ToolReported = "tool.reported",
}

impl RecordKind {
    pub(super) fn read(reader: JsonReader<'_, '_>) -> Option<Self> {
        reader.choice(Self::WORDS)
    }
}

impl fmt::Display for RecordKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for RecordKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
