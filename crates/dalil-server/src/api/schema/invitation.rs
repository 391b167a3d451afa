//! Invitations.

use serde::Serialize;
use utoipa::ToSchema;

use super::member::{MemberRoleBody, MemberTitleBody};
use super::scalar::{RecordAckBody, TimeText};

/// A request for an invitation.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewInvitation)]
pub(crate) struct NewInvitationBody {
    /// The invited person: a name that no member has.
    #[schema(min_length = 1)]
    name: String,
    /// The person's role.
    role: MemberRoleBody,
    /// The person's titles, which decide what they may approve.
    titles: Option<Vec<MemberTitleBody>>,
    /// When it expires, at most thirty days from now; after a week when absent.
    expires_at: Option<TimeText>,
}

/// Whether an invitation can be used.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = InvitationState)]
pub(crate) enum InvitationStateName {
    /// It can be used.
    Open,
    /// It was used.
    Used,
    /// It was withdrawn.
    Withdrawn,
    /// It expired unused.
    Expired,
}

/// The stored part of an invitation.
#[derive(Serialize, ToSchema)]
#[schema(as = StoredInvitation)]
pub(crate) struct StoredInvitationBody {
    /// Its id.
    invitation_id: String,
    /// The invited person.
    name: String,
    /// The person's role.
    role: MemberRoleBody,
    /// The person's titles, which decide what they may approve.
    titles: Vec<MemberTitleBody>,
    /// Who made it: `person:NAME`, or `system`.
    invited_by: String,
    /// When it was made.
    created_at: TimeText,
    /// When it expires.
    expires_at: TimeText,
    /// Whether it can be used.
    state: InvitationStateName,
    /// When it was used.
    #[schema(nullable = false)]
    used_at: Option<TimeText>,
    /// When it was withdrawn.
    #[schema(nullable = false)]
    withdrawn_at: Option<TimeText>,
}

/// The invitations of a tenant, the newest first.
#[derive(Serialize, ToSchema)]
#[schema(as = InvitationList)]
pub(crate) struct InvitationListBody {
    /// The invitations.
    invitations: Vec<StoredInvitationBody>,
}

/// A new invitation. Its link is in this reply only, and is not shown again.
#[derive(Serialize, ToSchema)]
#[schema(as = IssuedInvitation)]
pub(crate) struct IssuedInvitationBody {
    /// Its id.
    invitation_id: String,
    /// The invited person.
    name: String,
    /// The person's role.
    role: MemberRoleBody,
    /// The person's titles, which decide what they may approve.
    titles: Vec<MemberTitleBody>,
    /// Who made it: `person:NAME`, or `system`.
    invited_by: String,
    /// When it was made.
    created_at: TimeText,
    /// When it expires.
    expires_at: TimeText,
    /// Whether it can be used.
    state: InvitationStateName,
    /// The token at the end of its link.
    token: String,
    /// The link; without `public_url` in the settings, its path.
    link: String,
    /// Its record.
    record: RecordAckBody,
}
