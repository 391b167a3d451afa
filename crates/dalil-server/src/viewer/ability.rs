//! The permitted actions of a person, so that pages offer nothing else.
//!
//! An offer is not a permission: every form is authorised again when it is sent. Asking here
//! records no refusal, since nothing was attempted.

use super::error::PageError;
use super::visitor::WebVisitor;
use crate::access_denial::AccessDenial;
use crate::caller::Caller;
use crate::permission::Permission;

/// The permissions of the signed-in user beside viewing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PageAbilities(Vec<Permission>);

impl PageAbilities {
    /// Whether a form that needs this is offered.
    pub(super) fn has(&self, need: Permission) -> bool {
        self.0.contains(&need)
    }
}

impl WebVisitor {
    /// Finds the permissions of an admitted caller, once for each request.
    pub(super) async fn note_abilities(&self, caller: &Caller) -> Result<(), PageError> {
        if self.abilities.get().is_some() {
            return Ok(());
        }
        let mut found = Vec::new();
        for need in OFFERED_PERMISSIONS {
            match self.view.app.authority.may(caller, need).await {
                Ok(()) => found.push(need),
                Err(AccessDenial::Refused(_)) => {}
                Err(AccessDenial::Failed(problem)) => return Err(problem.into()),
            }
        }
        // Another part of the same request may have been quicker, with the same answer.
        drop(self.abilities.set(PageAbilities(found)));
        Ok(())
    }
}

/// The permissions that forms of the viewer need.
const OFFERED_PERMISSIONS: [Permission; 4] =
    [Permission::Record, Permission::Review, Permission::Export, Permission::Administer];
