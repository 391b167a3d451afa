//! Why a sign-in at the identity provider failed.

use dalil_phrasebook::viewer::ViewerTexts;

use crate::app::App;
use crate::oidc::code_flow::SignInFailure;
use crate::percent::seg;

#[cfg(test)]
mod tests;

/// Why the sign-in at the identity provider failed, as users see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProviderSignInError {
    /// The provider does not answer.
    Away,
    /// The provider did not sign the person in, or they turned back.
    Denied,
    /// No sign-in was begun in this browser, or too long ago, or the code was used.
    Expired,
    /// The provider's word cannot be trusted.
    Untrusted,
    /// The provider names no member, or the named member does not exist.
    Stranger,
}

impl ProviderSignInError {
    /// Every reason with its word in an address.
    const WORDS: [(&'static str, Self); 5] = [
        ("away", Self::Away),
        ("denied", Self::Denied),
        ("expired", Self::Expired),
        ("untrusted", Self::Untrusted),
        ("stranger", Self::Stranger),
    ];

    /// The reason that an address names.
    pub(super) fn of_word(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(known, _)| *known == word).map(|(_, error)| *error)
    }

    /// The text for users.
    pub(super) fn text(self, w: &'static ViewerTexts) -> &'static str {
        match self {
            Self::Away => w.provider_away,
            Self::Denied => w.provider_denied,
            Self::Expired => w.provider_expired,
            Self::Untrusted => w.provider_untrusted,
            Self::Stranger => w.provider_stranger,
        }
    }

    /// The address of the page that shows it.
    pub(super) fn address(self, back: &str) -> String {
        let word =
            Self::WORDS.iter().find(|(_, error)| *error == self).map_or("", |(word, _)| word);
        format!("/signin?failed={word}&back={}", seg(back))
    }

    /// The error that users see; the log gets the cause.
    pub(super) fn of(app: &App, failure: &SignInFailure) -> Self {
        let (error, cause) = match failure {
            SignInFailure::Away(cause) => (Self::Away, cause),
            SignInFailure::Refused(cause) => (Self::Expired, cause),
            SignInFailure::Untrusted(cause) => (Self::Untrusted, cause),
            SignInFailure::Nameless(cause) => (Self::Stranger, cause),
        };
        app.log.event("signin", &format!("the identity provider signed nobody in: {cause}"));
        error
    }
}
