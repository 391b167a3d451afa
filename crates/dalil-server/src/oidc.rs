//! Tokens of an OpenID Connect provider: who they are about, if everything in them holds.
//!
//! Keys come from the configured issuer and from nowhere else, are remembered,
//! and are fetched again when a token names one that is not known. An issuer that
//! is away stops nobody whose key is remembered, for a day; it is asked again
//! every few seconds, by one request at a time. An algorithm is one of a short list
//! and must fit the key; `none` and secrets that are shared are not among them.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use dalil_evidence::apikey::ApiKeyScope;
use dalil_phrasebook::{found, hint, precondition};
use dalil_proof::fault::{Fault, quote};
use dalil_proof::id::is_given;
use dalil_proof::record::Actor;
use dalil_proof::time::Time;
use serde_json::Value;

use self::jwk::Jwk;
use crate::access_denial::AUTHORIZATION_FAULT_PATH;
use crate::caller::{AuthFailure, Caller};
use crate::config;
use crate::http_client::agent;
use crate::problem::{ApiProblem, ProblemKind};
use crate::tenant_directory::TenantDirectory;

mod jwk;
#[cfg(test)]
mod tests;

/// A provider.
#[derive(Debug)]
pub(crate) struct OidcProvider {
    config: config::OidcConfig,
    cache: Mutex<JwkCache>,
    /// Held by whoever fetches; who waits for it takes what was fetched.
    fetching: tokio::sync::Mutex<()>,
}

/// What is known of a provider's keys.
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
    /// The issuer as its own document spells it, which is how tokens spell it.
    issuer: Arc<str>,
    keys: Arc<[Jwk]>,
}

/// What a token says, once its signature holds.
#[derive(Debug, PartialEq, Eq)]
struct OidcClaims {
    tenant: String,
    name: String,
    /// When it ends by its own word.
    ends: Time,
    has_ended: bool,
}

impl OidcProvider {
    pub(crate) fn new(config: config::OidcConfig) -> Self {
        Self { config, cache: Mutex::default(), fetching: tokio::sync::Mutex::default() }
    }

    /// Fetches the keys, if they are not known.
    ///
    /// # Errors
    /// The issuer gives none.
    pub(crate) async fn fetch_keys(&self, now: Time) -> Result<(), ApiProblem> {
        self.refreshed(now, None).await.map(|_| ())
    }

    /// Who a token is about.
    pub(crate) async fn identify(
        &self,
        tenants: &TenantDirectory,
        now: Time,
        token: &str,
    ) -> Result<Caller, AuthFailure> {
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
        if !holds {
            return Err(AuthFailure::Unknown);
        }
        let claims = self.claims(&known.issuer, &claims, now).ok_or(AuthFailure::Unknown)?;
        // Only now: a claim means nothing before the signature holds.
        let tenant = tenants.find(&claims.tenant).await.ok_or(AuthFailure::Unknown)?;
        let caller = Caller {
            tenant,
            credential: format!("oidc:{}", claims.name),
            actor: Actor::Person(claims.name),
            scopes: self.scopes(),
            ends: Some(claims.ends),
            key: None,
        };
        if claims.has_ended {
            let expected = precondition::a_token_that_has_not_ended();
            let fault =
                Fault::new("expired", "header:authorization", expected, found::one_that_has());
            return Err(AuthFailure::Ended(Box::new(caller), fault));
        }
        Ok(caller)
    }

    /// What a token says, if it is of this issuer, for this audience, and of its time.
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
        // What a browser got to know who somebody is must not open what they may do.
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
        // An issuer that does not answer must not keep waiting whoever has a key that counts.
        if let Some(known) = usable.as_ref().filter(|_| self.fetching.try_lock().is_err()) {
            return Ok(known.clone());
        }
        let refreshed = self.refreshed(now, than).await;
        refreshed.or_else(|problem| usable.ok_or(AuthFailure::Failed(problem)))
    }

    /// The keys of the issuer, newer than those of a time.
    ///
    /// # Errors
    /// The issuer gives none. Whoever has asked says why in the log; who comes a moment later does
    /// not ask again.
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
            Ok((issuer, keys)) => {
                let known = CachedJwkSet { at: now, issuer: issuer.into(), keys: keys.into() };
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

/// What a caller is told while nobody can say whether a token holds.
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

/// Header, claims, what is signed, and the signature of a token.
fn parts(token: &str) -> Option<(Value, Value, &[u8], Vec<u8>)> {
    // Nobody has been authenticated when this is decoded.
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

/// An issuer as it spells itself, and its keys, from where its own document says, on its own host.
fn fetch(issuer: &str) -> Result<(String, Vec<Jwk>), String> {
    let agent = agent();
    let get = |url: &str| -> Result<Value, String> {
        let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", quote(url));
        let mut reply = agent.get(url).call().map_err(|error| failed(&error))?;
        let text = reply.body_mut().with_config().limit(MAX_REPLY_BYTES).read_to_string();
        serde_json::from_str(&text.map_err(|error| failed(&error))?).map_err(|error| failed(&error))
    };
    // OpenID Connect Discovery 1.0, section 4: a slash at the end is not doubled.
    let issuer = issuer.trim_end_matches('/');
    let document = get(&format!("{issuer}/.well-known/openid-configuration"))?;
    let text = |name: &str| {
        let found = document.get(name).and_then(Value::as_str);
        found.ok_or_else(|| format!("its document has no `{name}`"))
    };
    let (named, place) = (text("issuer")?, text("jwks_uri")?);
    // Section 4.3: the document names the issuer that was asked, with a slash at its end or without.
    if named.strip_suffix('/').unwrap_or(named) != issuer {
        return Err(format!("its document names another issuer, {}", quote(named)));
    }
    // Keys from another host would let whoever controls it sign.
    if origin(place).is_none() || origin(place) != origin(issuer) {
        return Err(format!("its keys are on another host, {}", quote(place)));
    }
    let set = get(place)?;
    let keys = set.get("keys").and_then(Value::as_array).ok_or("its set of keys has no `keys`")?;
    let keys: Vec<Jwk> = keys.iter().filter_map(Jwk::read).take(MAX_KEYS).collect();
    if keys.is_empty() {
        return Err("its set has no key that can be used".to_owned());
    }
    Ok((named.to_owned(), keys))
}

/// Scheme, host and port of a URL.
fn origin(url: &str) -> Option<&str> {
    let start = url.find("://")? + 3;
    let end = url.get(start..)?.find('/').map_or(url.len(), |at| start + at);
    url.get(..end)
}

/// What only ID tokens have (OpenID Connect Core 1.0, 2 and 3.3.2.11).
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
const MAX_KEYS: usize = 64;
const MAX_REPLY_BYTES: u64 = 1 << 20;
