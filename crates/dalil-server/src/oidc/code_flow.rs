//! Signing in at the provider: the authorization code flow (OpenID Connect Core 1.0, section 3.1)
//! with PKCE (RFC 7636).
//!
//! ```text
//! browser ─▶ provider (state, nonce, challenge) ─▶ browser (code, state) ─▶ server
//! server  ─▶ provider (code, verifier) ─▶ ID token (nonce) ─▶ a person of a tenant
//! ```
//!
//! The browser keeps state, nonce and verifier, sealed; nothing of a sign-in that was begun is kept
//! here. Where people are led back to comes from the configuration, never from a request.

use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use dalil_proof::digest::Digest;
use dalil_proof::fault::quote;
use dalil_proof::id::is_given;
use dalil_proof::time::Time;
use form_urlencoded::Serializer;
use serde_json::Value;

use super::issuer_document::MAX_REPLY_BYTES;
use super::{MAX_CLOCK_SKEW_SECONDS, OidcProvider};
use crate::caller::AuthFailure;
use crate::config::OidcSignInConfig;
use crate::http_client::agent;
use crate::percent::seg;

#[cfg(test)]
mod tests;

/// The secrets that bind a sign-in to the browser that began it. Each part is 256 random bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PendingSignIn {
    /// Comes back with the code: a code that another site sends has another one, or none.
    pub(crate) state: String,
    /// Comes back in the ID token: one of another sign-in has another.
    pub(crate) nonce: String,
    /// Only the holder of the verifier can exchange the code; the provider knows its digest.
    pub(crate) verifier: String,
}

/// A person whom the provider named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ProviderPerson {
    pub(crate) tenant: String,
    pub(crate) name: String,
}

/// Why a sign-in at the provider failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SignInFailure {
    /// The provider does not answer, or not as providers do.
    Away(String),
    /// The provider does not take the code.
    Refused(String),
    /// The ID token is not one to trust.
    Untrusted(String),
    /// The ID token names no person and tenant.
    Nameless(String),
}

impl PendingSignIn {
    /// A sign-in that begins; none on a machine without randomness.
    pub(crate) fn draw() -> Option<Self> {
        let random = || {
            let mut bytes = [0; 32];
            getrandom::fill(&mut bytes).ok()?;
            Some(BASE64_URL_SAFE_NO_PAD.encode(bytes))
        };
        Some(Self { state: random()?, nonce: random()?, verifier: random()? })
    }

    /// The digest of the verifier that goes to the provider: `S256` of RFC 7636, section 4.2.
    fn challenge(&self) -> String {
        BASE64_URL_SAFE_NO_PAD.encode(Digest::of(self.verifier.as_bytes()).as_bytes())
    }

    /// Whether a reply is to this sign-in.
    pub(crate) fn is_answered_by(&self, state: &str) -> bool {
        // Digests are compared: the time that it takes reveals nothing about the state.
        Digest::of(state.as_bytes()) == Digest::of(self.state.as_bytes())
    }
}

impl OidcProvider {
    /// How people sign in, if they do.
    pub(crate) fn signin(&self) -> Option<&OidcSignInConfig> {
        self.config.signin.as_ref()
    }

    /// The name of the provider for people: its host.
    pub(crate) fn host(&self) -> &str {
        let issuer = &self.config.issuer;
        let rest = issuer.split_once("://").map_or(issuer.as_str(), |(_, rest)| rest);
        rest.split('/').next().unwrap_or(rest)
    }

    /// Whether a reply names this provider, as its document does (RFC 9207).
    pub(crate) fn is_issuer(&self, issuer: &str) -> bool {
        self.cached().known.is_some_and(|known| known.document.issuer == issuer)
    }

    /// The page of the provider where people sign out, if it has one.
    pub(crate) fn signout_address(&self) -> Option<String> {
        let client = seg(&self.signin()?.client_id);
        let known = self.cached().known?;
        let page = known.document.end_session_endpoint()?;
        Some(format!("{}client_id={client}", joined(page)))
    }

    /// The page of the provider where a sign-in begins.
    ///
    /// # Errors
    /// The provider cannot be asked where that is.
    pub(crate) async fn signin_address(
        &self,
        now: Time,
        redirect_uri: &str,
        pending: &PendingSignIn,
    ) -> Result<String, SignInFailure> {
        let config = self.signin().ok_or_else(unconfigured)?;
        let known = self.known(now).await.map_err(away)?;
        let page = known.document.authorization_endpoint().map_err(SignInFailure::Away)?;
        let mut query = Serializer::new(String::new());
        query
            .append_pair("response_type", "code")
            .append_pair("client_id", &config.client_id)
            .append_pair("redirect_uri", redirect_uri)
            .append_pair("scope", &config.scope)
            .append_pair("state", &pending.state)
            .append_pair("nonce", &pending.nonce)
            .append_pair("code_challenge", &pending.challenge())
            .append_pair("code_challenge_method", "S256");
        Ok(format!("{}{}", joined(page), query.finish()))
    }

    /// Whom a code names that the browser brought back.
    ///
    /// # Errors
    /// The provider is away, refuses the code, or gives an ID token that is not for this sign-in.
    pub(crate) async fn redeem(
        &self,
        now: Time,
        (redirect_uri, code): (&str, &str),
        pending: &PendingSignIn,
    ) -> Result<ProviderPerson, SignInFailure> {
        let config = self.signin().ok_or_else(unconfigured)?;
        let known = self.known(now).await.map_err(away)?;
        let place = known.document.token_endpoint().map_err(SignInFailure::Away)?.to_owned();
        let basic = self.client_secret.as_ref().map(|secret| basic(&config.client_id, secret));
        // In a block of its own: a serializer may not live while another thread is awaited.
        let form = {
            let mut form = Serializer::new(String::new());
            form.append_pair("grant_type", "authorization_code")
                .append_pair("code", code)
                .append_pair("redirect_uri", redirect_uri)
                .append_pair("code_verifier", &pending.verifier);
            // RFC 6749, section 4.1.3: a client that does not authenticate names itself.
            if basic.is_none() {
                form.append_pair("client_id", &config.client_id);
            }
            form.finish()
        };
        let asked = move || exchange(&place, basic.as_deref(), &form);
        let token = tokio::task::spawn_blocking(asked).await;
        let token = token.unwrap_or_else(|broken| Err(SignInFailure::Away(broken.to_string())))?;
        let (claims, known) =
            self.verified(now, &token).await.map_err(|failure| match failure {
                AuthFailure::Failed(_) => away(failure),
                AuthFailure::Unknown | AuthFailure::Ended(..) => {
                    SignInFailure::Untrusted("no key of the issuer signed it".to_owned())
                }
            })?;
        self.person(&known.document.issuer, &claims, now, &pending.nonce)
    }

    /// Whom an ID token names, by the rules of OpenID Connect Core 1.0, section 3.1.3.7.
    fn person(
        &self,
        issuer: &str,
        claims: &Value,
        now: Time,
        nonce: &str,
    ) -> Result<ProviderPerson, SignInFailure> {
        let client = self.signin().map_or("", |config| config.client_id.as_str());
        let text = |name: &str| claims.get(name).and_then(Value::as_str);
        let (is_for_client, is_for_others) = match claims.get("aud") {
            Some(Value::String(one)) => (one == client, false),
            Some(Value::Array(all)) => (all.iter().any(|one| *one == client), all.len() > 1),
            _ => (false, false),
        };
        let is_of_client = match claims.get("azp") {
            None => !is_for_others,
            Some(party) => party == client,
        };
        let second = now.millis() as f64 / 1000.0;
        let number = |name: &str| claims.get(name).and_then(Value::as_f64);
        let rules = [
            (text("iss") == Some(issuer), "iss"),
            (is_for_client, "aud"),
            (is_of_client, "azp"),
            (number("exp").is_some_and(|end| end > second - MAX_CLOCK_SKEW_SECONDS), "exp"),
            (number("iat").is_some_and(|at| at <= second + MAX_CLOCK_SKEW_SECONDS), "iat"),
            (text("nonce") == Some(nonce), "nonce"),
        ];
        if let Some((_, name)) = rules.iter().find(|(holds, _)| !holds) {
            return Err(SignInFailure::Untrusted(format!("its `{name}` is not as expected")));
        }
        let named = |name: &str| {
            let found = text(name).filter(|found| is_given(found)).map(str::to_owned);
            found.ok_or_else(|| SignInFailure::Nameless(format!("it has no `{name}`")))
        };
        Ok(ProviderPerson {
            tenant: named(&self.config.tenant_claim)?,
            name: named(&self.config.name_claim)?,
        })
    }
}

/// Exchanges a code for an ID token.
fn exchange(place: &str, basic: Option<&str>, form: &str) -> Result<String, SignInFailure> {
    let away =
        |error: &dyn std::fmt::Display| SignInFailure::Away(format!("{}: {error}", quote(place)));
    let mut request = agent()
        .post(place)
        .config()
        // A provider gives its reason for refusing a code in the body of a 400.
        .http_status_as_error(false)
        .build()
        .header("content-type", "application/x-www-form-urlencoded")
        .header("accept", "application/json");
    if let Some(basic) = basic {
        request = request.header("authorization", basic);
    }
    let mut reply = request.send(form.as_bytes()).map_err(|error| away(&error))?;
    let status = reply.status();
    let text = reply.body_mut().with_config().limit(MAX_REPLY_BYTES).read_to_string();
    let text = text.map_err(|error| away(&error))?;
    let json: Option<Value> = serde_json::from_str(&text).ok();
    let said = |name: &str| json.as_ref().and_then(|json| json.get(name)).and_then(Value::as_str);
    match (status.is_success(), said("id_token"), said("error")) {
        (true, Some(token), _) => Ok(token.to_owned()),
        (false, _, Some(error)) if status.is_client_error() => {
            Err(SignInFailure::Refused(format!("it answered the code with {}", quote(error))))
        }
        (true, None, _) => Err(away(&"a reply without an `id_token`")),
        _ => Err(away(&format!("http status: {}", status.as_u16()))),
    }
}

/// RFC 6749, section 2.3.1: both parts are encoded as in a form before they are joined.
fn basic(client_id: &str, secret: &str) -> String {
    let encoded = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    let pair = format!("{}:{}", encoded(client_id), encoded(secret));
    format!("Basic {}", BASE64_STANDARD.encode(pair))
}

/// The URL of a page, ready for further query parameters.
fn joined(page: &str) -> String {
    match page.split_once('?') {
        None => format!("{page}?"),
        Some(_) => format!("{page}&"),
    }
}

fn away(failure: AuthFailure) -> SignInFailure {
    SignInFailure::Away(match failure {
        AuthFailure::Failed(problem) => problem.cause.unwrap_or_default(),
        AuthFailure::Unknown | AuthFailure::Ended(..) => String::new(),
    })
}

fn unconfigured() -> SignInFailure {
    SignInFailure::Away("`oidc.signin` is not configured".to_owned())
}
