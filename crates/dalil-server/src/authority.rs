//! Whether somebody may do something: what the credential is for, and what its owner may.

use dalil_core::fault::Fault;

use crate::app::App;
use crate::caller::{Caller, Stranger};
use crate::config::Config;
use crate::problem::Problem;
use crate::table::Need;

/// Who decides.
#[derive(Debug)]
pub(crate) struct Authority {}

/// Why somebody may not.
pub(crate) enum Denied {
    /// They may not.
    Refused(Fault),
    /// Whoever decides could not be asked, so they may not.
    Failed(Problem),
}

impl Authority {
    pub(crate) fn new(_: &Config) -> Result<Self, std::io::Error> {
        Ok(Self {})
    }

    /// Who calls by a token of an identity provider.
    pub(crate) async fn by_token(&self, _: &App, _: &str) -> Result<Caller, Stranger> {
        Err(Stranger::Unknown)
    }

    /// Lets somebody go on who may.
    pub(crate) async fn may(&self, caller: &Caller, need: Need) -> Result<(), Denied> {
        let Some(scope) = need.scope() else { return Ok(()) };
        if caller.scopes.contains(&scope) {
            return Ok(());
        }
        let words: Vec<&str> = caller.scopes.iter().map(|scope| scope.as_str()).collect();
        let expected = format!("a credential with the scope `{}`", scope.as_str());
        let found = format!("one with `{}`", words.join("`, `"));
        Err(Denied::Refused(Fault::new("scope", "header:authorization", expected, found)))
    }
}
