//! The permissions that routes need.

use dalil_evidence::access::AccessAction;
use dalil_evidence::apikey::ApiKeyScope;

/// What a route needs of whoever calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    /// Nothing: anybody may call it.
    Open,
    /// To look.
    View,
    /// To look at one pack, about which the route asks by itself.
    ViewPack,
    /// To leave evidence.
    Record,
    /// To review packs, and to approve what others do.
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

    /// What a member's role must allow.
    ///
    /// Who leaves evidence must be more than somebody who looks.
    pub(crate) const fn action(self) -> Option<AccessAction> {
        match self {
            Self::Open => None,
            // Who exports must be let by others, whose role the approval asks for.
            Self::View | Self::ViewPack | Self::Export => Some(AccessAction::View),
            Self::Record | Self::Review => Some(AccessAction::Review),
            Self::Administer => Some(AccessAction::Administer),
        }
    }
}
