//! Tokens of an OpenID Connect provider: their subject, if the whole token is valid.
//!
//! Keys come from the configured issuer and from nowhere else, are cached,
//! and are fetched again when a token names an unknown one. If the issuer is
//! unreachable, cached keys stay valid for a day; the fetch is retried
//! every few seconds, by one request at a time. An algorithm is one of a short list
//! and must fit the key; `none` and shared secrets are not among them.

use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use dalil_evidence::apikey::ApiKeyScope;
use dalil_phrasebook::{found, hint, precondition};
use dalil_proof::fault::Fault;
use dalil_proof::id::is_given;
use dalil_proof::record::Actor;
use dalil_proof::time::Time;
use dalil_store::Tenant;
use serde_json::Value;

use self::issuer_document::{IssuerDocument, fetch};
use self::jwk::Jwk;
use crate::access_denial::AUTHORIZATION_FAULT_PATH;
use crate::caller::{AuthFailure, Caller};
use crate::config::{self, first_line};
use crate::problem::{ApiProblem, ProblemKind};
use crate::tenant_directory::TenantDirectory;

pub(crate) mod code_flow;
mod issuer_document;
mod jwk;
#[cfg(test)]
mod tests;

/// A provider.
pub(crate) struct OidcProvider {
    config: config::OidcConfig,
    /// The secret of the viewer as a client of the provider, if it has one.
    client_secret: Option<String>,
    cache: Mutex<JwkCache>,
    /// Held during a fetch; waiting requests use its result.
    fetching: tokio::sync::Mutex<()>,
}

/// The cached keys of a provider.
#[derive(Clone, Debug, Default)]
struct JwkCache {
    known: Option<CachedJwkSet>,
    /// When they were asked for last, in vain.
    failed_at: Option<Time>,
}

/// The keys of a provider, and when they were fetched.
#[derive(Clone, Debug)]
struct CachedJwkSet {
    at: Time,
    document: Arc<IssuerDocument>,
    keys: Arc<[Jwk]>,
}

/// The content of a token with a valid signature.
#[derive(Debug, PartialEq, Eq)]
struct OidcClaims {
    tenant: String,
    name: String,
    /// When it ends by its own word.
    ends: Time,
    has_ended: bool,
}

impl OidcProvider {
    /// # Errors
    /// The file of the client's secret cannot be read.
    pub(crate) fn new(config: config::OidcConfig) -> Result<Self, io::Error> {
        let file = config.signin.as_ref().and_then(|signin| signin.client_secret_file.as_deref());
        let secret = file.map(|file| first_line("client_secret_file", file));
        let client_secret = secret.transpose()?;
        let (cache, fetching) = (Mutex::default(), tokio::sync::Mutex::default());
        Ok(Self { config, client_secret, cache, fetching })
    }

    /// Fetches the keys, if they are not known.
    ///
    /// # Errors
    /// The issuer gives none.
    pub(crate) async fn fetch_keys(&self, now: Time) -> Result<(), ApiProblem> {
        self.refreshed(now, None).await.map(|_| ())
    }

    /// The caller whom a token names.
    pub(crate) async fn identify(
        &self,
        tenants: &TenantDirectory,
        now: Time,
        token: &str,
    ) -> Result<Caller, AuthFailure> {
        let (claims, known) = self.verified(now, token).await?;
        let issuer = &known.document.issuer;
        let claims = self.claims(issuer, &claims, now).ok_or(AuthFailure::Unknown)?;
        // Only now: a claim means nothing before the signature holds.
        let tenant = tenants.find(&claims.tenant).await.ok_or(AuthFailure::Unknown)?;
        let caller = self.caller(tenant, claims.name, claims.ends);
        if claims.has_ended {
            let expected = precondition::a_token_that_has_not_ended();
            let fault =
                Fault::new("expired", "header:authorization", expected, found::one_that_has());
            return Err(AuthFailure::Ended(Box::new(caller), fault));
        }
        Ok(caller)
    }

    /// A person of a tenant whom the provider named.
    pub(crate) fn caller(&self, tenant: Tenant, name: String, ends: Time) -> Caller {
        Caller {
            tenant,
            credential: format!("oidc:{name}"),
            actor: Actor::Person(name),
            scopes: self.scopes(),
            ends: Some(ends),
            key: None,
        }
    }

    /// The claims of a token with a valid signature, and the keys that it was checked with.
    async fn verified(&self, now: Time, token: &str) -> Result<(Value, CachedJwkSet), AuthFailure> {
        let (header, claims, signed, signature) = parts(token).ok_or(AuthFailure::Unknown)?;
        let kid = header.get("kid").and_then(Value::as_str);
        let mut known = self.known(now).await?;
        // An issuer may have a new key. The pause keeps invented key ids from sending a request
        // each to the issuer.
        if !known.keys.iter().any(|key| key.is(kid))
            && now.millis() - known.at.millis() > MIN_KEY_REFETCH_MS
        {
            known = self.refreshed(now, Some(known.at)).await.map_err(AuthFailure::Failed)?;
        }
        let alg = header.get("alg").and_then(Value::as_str).ok_or(AuthFailure::Unknown)?;
        // RFC 7515, section 4.1.11: a token with critical extensions that are not understood is
        // invalid, and none is understood here.
        let holds = header.get("crit").is_none()
            && known.keys.iter().any(|key| key.is(kid) && key.verifies(alg, signed, &signature));
        if holds { Ok((claims, known)) } else { Err(AuthFailure::Unknown) }
    }

    /// The content of an access token, if it is of this issuer, for this audience, and valid now.
    fn claims(&self, issuer: &str, claims: &Value, now: Time) -> Option<OidcClaims> {
        let text = |name: &str| claims.get(name).and_then(Value::as_str);
        let audience = match claims.get("aud")? {
            Value::String(one) => *one == self.config.audience,
            Value::Array(all) => all.iter().any(|one| *one == self.config.audience.as_str()),
            _ => false,
        };
        let now = now.millis() as f64 / 1000.0;
        let begun = match claims.get("nbf") {
            None => true,
            // A time that is none has not come.
            Some(begin) => {
                begin.as_f64().is_some_and(|begin| begin <= now + MAX_CLOCK_SKEW_SECONDS)
            }
        };
        // An id token authenticates a browser and must not authorise API calls.
        let is_id_token = ID_TOKEN_CLAIMS.iter().any(|name| claims.get(name).is_some());
        let name = text(&self.config.name_claim).filter(|name| is_given(name))?;
        let tenant = text(&self.config.tenant_claim)?;
        let holds = text("iss") == Some(issuer) && audience && begun && !is_id_token;
        // A token without an end is refused: it could never be withdrawn.
        let end = claims.get("exp").and_then(Value::as_f64)?;
        holds.then_some(OidcClaims {
            tenant: tenant.to_owned(),
            name: name.to_owned(),
            ends: whole_second(end)?,
            has_ended: end <= now - MAX_CLOCK_SKEW_SECONDS,
        })
    }

    fn scopes(&self) -> BTreeSet<ApiKeyScope> {
        let named = |word: &str| match &self.config.scopes {
            Some(scopes) => scopes.iter().any(|one| one == word),
            None => true,
        };
        let all = ApiKeyScope::WIRE_NAMES.iter().filter(|(word, _)| named(word));
        all.map(|(_, scope)| *scope).collect()
    }

    /// The keys of the issuer, fetched if they are not known or are old. While the issuer is away,
    /// old ones count for a day.
    async fn known(&self, now: Time) -> Result<CachedJwkSet, AuthFailure> {
        let known = self.cached().known;
        let age = |known: &CachedJwkSet| now.millis() - known.at.millis();
        if let Some(known) = known.as_ref().filter(|known| age(known) <= MAX_KEY_AGE_MS) {
            return Ok(known.clone());
        }
        let than = known.as_ref().map(|known| known.at);
        let usable = known.filter(|known| age(known) <= MAX_STALE_KEY_AGE_MS);
        // An issuer that does not answer must not delay callers whose key is cached.
        if let Some(known) = usable.as_ref().filter(|_| self.fetching.try_lock().is_err()) {
            return Ok(known.clone());
        }
        let refreshed = self.refreshed(now, than).await;
        refreshed.or_else(|problem| usable.ok_or(AuthFailure::Failed(problem)))
    }

    /// The keys of the issuer, fetched after a given time.
    ///
    /// # Errors
    /// The issuer gives none. The first caller logs the reason; one who comes a moment later does
    /// not fetch again.
    async fn refreshed(&self, now: Time, than: Option<Time>) -> Result<CachedJwkSet, ApiProblem> {
        let _turn = self.fetching.lock().await;
        let JwkCache { known, failed_at } = self.cached();
        if let Some(known) = known.filter(|known| than.is_none_or(|than| known.at > than)) {
            return Ok(known);
        }
        if failed_at.is_some_and(|at| now.millis() - at.millis() < MIN_RETRY_MS) {
            return Err(away(None));
        }
        let issuer = self.config.issuer.clone();
        let fetched = tokio::task::spawn_blocking(move || fetch(&issuer)).await;
        let fetched = fetched.unwrap_or_else(|broken| Err(broken.to_string()));
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        match fetched {
            Ok((document, keys)) => {
                let known = CachedJwkSet { at: now, document: document.into(), keys: keys.into() };
                *cache = JwkCache { known: Some(known.clone()), failed_at: None };
                Ok(known)
            }
            Err(found) => {
                cache.failed_at = Some(now);
                let issuer = &self.config.issuer;
                Err(away(Some(format!("the keys of the issuer `{issuer}`: {found}"))))
            }
        }
    }

    fn cached(&self) -> JwkCache {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl fmt::Debug for OidcProvider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OidcProvider").field("config", &self.config).finish_non_exhaustive()
    }
}

/// The problem for a caller whose token cannot be checked at the moment.
fn away(cause: Option<String>) -> ApiProblem {
    let expected = precondition::an_identity_provider_that_gives_its_keys();
    let fault = Fault::new(
        "identity_provider",
        AUTHORIZATION_FAULT_PATH,
        expected,
        found::an_identity_provider_that_is_away(),
    );
    let fault = fault.hint(hint::try_again_in_a_moment_or_use_an_api_key());
    ApiProblem { retry_after: Some(5), cause, ..ApiProblem::fault(ProblemKind::Busy, fault) }
}

/// Header, claims, signed bytes, and signature of a token.
fn parts(token: &str) -> Option<(Value, Value, &[u8], Vec<u8>)> {
    // The token is decoded before authentication.
    if token.len() > MAX_TOKEN_BYTES {
        return None;
    }
    let (signed, signature) = token.rsplit_once('.')?;
    let (header, claims) = signed.split_once('.')?;
    let json = |part: &str| {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(part).ok()?;
        // A name that is there twice may be read in two ways.
        dalil_proof::json::Json::parse_foreign(&bytes).ok()?;
        serde_json::from_slice(&bytes).ok()
    };
    let signature = BASE64_URL_SAFE_NO_PAD.decode(signature).ok()?;
    Some((json(header)?, json(claims)?, signed.as_bytes(), signature))
}

/// The second of a `NumericDate` (RFC 7519, section 2), if it is one that a time can have.
fn whole_second(date: f64) -> Option<Time> {
    if !(0.0..=MAX_NUMERIC_DATE).contains(&date) {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "between 0 and the end of the year 9999")]
    Time::from_millis(date as i64 * 1000)
}

/// Claims that only ID tokens have (OpenID Connect Core 1.0, 2 and 3.3.2.11).
const ID_TOKEN_CLAIMS: [&str; 3] = ["nonce", "at_hash", "c_hash"];
/// How many seconds clocks may differ.
const MAX_CLOCK_SKEW_SECONDS: f64 = 60.0;
/// After how many milliseconds keys are fetched again for a name that is not known, and anyway.
const MIN_KEY_REFETCH_MS: i64 = 10_000;
const MAX_KEY_AGE_MS: i64 = 3_600_000;
/// For how many milliseconds keys count while the issuer cannot be asked: a day, as an outage may
/// last a night, and a key that the issuer withdrew meanwhile must not count for long.
const MAX_STALE_KEY_AGE_MS: i64 = 24 * 3_600_000;
/// How many milliseconds an issuer that gave no keys is left alone.
const MIN_RETRY_MS: i64 = 2_000;
/// The last second that RFC 3339 can write.
const MAX_NUMERIC_DATE: f64 = 253_402_300_799.0;
const MAX_TOKEN_BYTES: usize = 16 << 10;
