//! The tenant and its members.

use serde::Serialize;
use utoipa::ToSchema;

use super::scalar::{DigestText, TimeText};

/// A member to add.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewMember)]
pub(crate) struct NewMemberBody {
    /// The member's name.
    #[schema(min_length = 1)]
    name: String,
    /// The role, which decides the permitted actions.
    role: MemberRoleBody,
    /// The titles, which decide what the member may approve.
    titles: Option<Vec<MemberTitleBody>>,
}

/// The members of a tenant, by name.
#[derive(Serialize, ToSchema)]
#[schema(as = MemberList)]
pub(crate) struct MemberListBody {
    /// The members.
    members: Vec<MemberBody>,
}

/// A member of a tenant: the field `member` of the records that add and remove it.
#[derive(Serialize, ToSchema)]
#[schema(as = Member)]
pub(crate) struct MemberBody {
    /// The member's name: a given id.
    name: String,
    /// The role, which decides the permitted actions.
    role: MemberRoleBody,
    /// The titles, which decide what the member may approve.
    titles: Vec<MemberTitleBody>,
}

/// The role of a member, from the least: each includes the permissions of the one before it.
#[derive(Serialize, ToSchema)]
#[schema(as = MemberRole, rename_all = "lowercase")]
pub(crate) enum MemberRoleBody {
    /// View.
    Viewer,
    /// View, review packs and approve exports.
    Approver,
    /// All of that, and manage the members.
    Admin,
}

/// The title of a member, which decides what the member may approve.
#[derive(Serialize, ToSchema)]
#[schema(as = MemberTitle, rename_all = "snake_case")]
pub(crate) enum MemberTitleBody {
    /// A manager.
    Manager,
    /// The head of a department.
    DepartmentHead,
    /// Of the legal department.
    Legal,
    /// Of the finance department.
    Finance,
    /// An executive.
    Executive,
    /// A member of the board.
    Board,
}

/// A tenant, with the state of its trail.
#[derive(Serialize, ToSchema)]
#[schema(as = TenantSummary)]
pub(crate) struct TenantSummaryBody {
    /// Its name.
    tenant: String,
    /// The origin of its trail.
    origin: String,
    /// When it was made.
    created_at: TimeText,
    /// How many records it has.
    size: u64,
    /// The root over them.
    root: DigestText,
}
