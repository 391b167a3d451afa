//! The visitor of a page.

use std::sync::{Arc, OnceLock};

use dalil_phrasebook::Language;
use dalil_phrasebook::viewer::ViewerTexts;

use super::ability::PageAbilities;
use super::error::PageError;
use super::state::ViewerState;
use crate::oidc::code_flow::ProviderPerson;
use crate::peer::PeerAddress;
use crate::request_owner::RequestOwner;
use crate::telemetry::RequestTelemetry;

/// A visitor of a page.
#[derive(Clone)]
pub(super) struct WebVisitor {
    pub(super) view: ViewerState,
    pub(super) language: Language,
    pub(super) w: &'static ViewerTexts,
    pub(super) theme: Option<&'static str>,
    /// The session of a signed-in user.
    pub(super) session: Option<WebSession>,
    /// The path and the query of the page.
    pub(super) address: String,
    /// The name of the request in a record of its refusal.
    pub(super) asked: String,
    pub(super) peer: Option<PeerAddress>,
    /// Whether their cookies only travel encrypted, which is in the names of the cookies.
    pub(super) is_secure: bool,
    /// The request that the page answers.
    pub(super) outside: RequestTelemetry,
    /// The id of this visit, in its cookie and in the marks of its forms.
    pub(super) visit: String,
    /// The permissions of the visitor, once admitted. Shared with the page of an error.
    pub(super) abilities: Arc<OnceLock<PageAbilities>>,
}

/// A signed-in user.
#[derive(Clone)]
pub(super) struct WebSession {
    /// The name to show.
    pub(super) who: String,
    /// The credential that began it.
    pub(super) credential: WebCredential,
    /// The name of the credential, which is no secret.
    pub(super) credential_name: String,
    /// When it began, in milliseconds.
    pub(super) begun: i64,
    /// When it ends unless it is used, in milliseconds.
    pub(super) ends: i64,
}

/// The credential that began a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum WebCredential {
    /// A key of the API, or an access token of the identity provider.
    Bearer(String),
    /// The word of the identity provider, given when the session began.
    Provider(ProviderPerson),
}

impl WebSession {
    /// A session that lasts for one request.
    pub(super) fn of(credential: WebCredential) -> Self {
        let (who, credential_name) = (String::new(), String::new());
        Self { who, credential, credential_name, begun: 0, ends: 0 }
    }

    /// When it ends however much it is used.
    pub(super) fn last_end(&self) -> i64 {
        let most = match self.credential {
            WebCredential::Bearer(_) => MAX_SESSION_MS,
            WebCredential::Provider(_) => MAX_PROVIDER_SESSION_MS,
        };
        self.begun.saturating_add(most)
    }
}

impl WebVisitor {
    /// The session of the visitor, or the error that leads to the sign-in.
    pub(super) fn signed_in(&self) -> Result<&WebSession, PageError> {
        self.session.as_ref().ok_or(PageError::SignIn)
    }

    /// Whose the requests of this visitor are, by the name that the API has for them.
    pub(super) fn owner(&self) -> RequestOwner {
        match &self.session {
            Some(session) => RequestOwner::Member(session.credential_name.clone()),
            None => RequestOwner::Stranger(self.network()),
        }
    }

    /// The address that the visitor is at, as far as it counts.
    pub(super) fn network(&self) -> String {
        PeerAddress::name(self.peer)
    }

    /// The mark that forms of this visit carry.
    pub(super) fn csrf_token(&self) -> String {
        self.view.app.viewer.csrf_token(&self.visit)
    }

    /// Refuses a form that does not carry the mark of this visit.
    pub(super) fn check_csrf_token(&self, mark: Option<&str>) -> Result<(), PageError> {
        let is_own = mark.is_some_and(|mark| self.view.app.viewer.is_csrf_token(&self.visit, mark));
        if is_own { Ok(()) } else { Err(PageError::Form) }
    }
}

/// How long a session lasts however much it is used: a working day.
const MAX_SESSION_MS: i64 = 12 * 60 * 60 * 1000;
/// The same for a session on the word of the identity provider. An hour: a provider does not report
/// that it shut a user out, and a copy of the cookie that another server of the store accepts after
/// signing out here ends with it. Signing in again takes a click where the person is still signed
/// in at the provider.
const MAX_PROVIDER_SESSION_MS: i64 = 60 * 60 * 1000;
