//! The permissions that routes need.

use dalil_evidence::access::AccessAction;
use dalil_evidence::apikey::ApiKeyScope;

/// The permission that a route needs of its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    /// None: any caller may use it.
    Open,
    /// To look.
    View,
    /// To look at one pack, about which the route asks by itself.
    ViewPack,
    /// To leave evidence.
    Record,
    /// To review packs, and to approve the requests of others.
    Review,
    /// To let evidence leave the system, once others approved it.
    Export,
    /// To change members, keys and holds, and to erase.
    Administer,
}

impl Permission {
    /// The scope that a credential must have.
    pub(crate) const fn scope(self) -> Option<ApiKeyScope> {
        match self {
            Self::Open => None,
            Self::View | Self::ViewPack => Some(ApiKeyScope::View),
            Self::Record => Some(ApiKeyScope::Record),
            Self::Review => Some(ApiKeyScope::Review),
            Self::Export => Some(ApiKeyScope::Export),
            Self::Administer => Some(ApiKeyScope::Administer),
        }
    }

    /// The action that a member's role must allow.
    ///
    /// To leave evidence, a member must be more than a viewer.
    pub(crate) const fn action(self) -> Option<AccessAction> {
        match self {
            Self::Open => None,
            // An export needs the approval of others, which asks for their role.
            Self::View | Self::ViewPack | Self::Export => Some(AccessAction::View),
            Self::Record | Self::Review => Some(AccessAction::Review),
            Self::Administer => Some(AccessAction::Administer),
        }
    }
}
