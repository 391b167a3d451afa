//! Tokens of an OpenID Connect provider: who they are about, if everything in them holds.
//!
//! Keys come from the configured issuer and from nowhere else, are remembered,
//! and are fetched again when a token names one that is not known. An algorithm
//! is one of a short list and must fit the key; `none` and secrets that are
//! shared are not among them.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use dalil_core::apikey::Scope;
use dalil_core::fault::Fault;
use dalil_core::id::is_given;
use dalil_core::record::Actor;
use dalil_core::time::Time;
use serde_json::Value;

use self::jwk::Jwk;
use crate::app::App;
use crate::authority::openfga::agent;
use crate::caller::{Caller, Stranger};
use crate::config;
use crate::problem::{Kind, Problem};

mod jwk;
#[cfg(test)]
mod tests;

/// A provider.
#[derive(Debug)]
pub(crate) struct Oidc {
    config: config::Oidc,
    keys: Mutex<Option<Known>>,
}

/// The keys of a provider, and when they were fetched.
#[derive(Clone, Debug)]
struct Known {
    at: Time,
    keys: Arc<[Jwk]>,
}

/// What a token says, once its signature holds.
#[derive(Debug, PartialEq, Eq)]
struct Claims {
    tenant: String,
    name: String,
    has_ended: bool,
}

impl Oidc {
    pub(crate) fn new(config: config::Oidc) -> Self {
        Self { config, keys: Mutex::default() }
    }

    /// Who a token is about.
    pub(crate) async fn identify(&self, app: &App, token: &str) -> Result<Caller, Stranger> {
        let now = app.now().map_err(Stranger::Failed)?;
        let (header, claims, signed, signature) = parts(token).ok_or(Stranger::Unknown)?;
        let kid = header.get("kid").and_then(Value::as_str);
        let mut known = self.known(now, false).await?;
        if !known.keys.iter().any(|key| key.is(kid)) && now.millis() - known.at.millis() > AGAIN {
            known = self.known(now, true).await?;
        }
        let alg = header.get("alg").and_then(Value::as_str).unwrap_or_default();
        let holds = header.get("crit").is_none()
            && known.keys.iter().any(|key| key.is(kid) && key.verifies(alg, signed, &signature));
        if !holds {
            return Err(Stranger::Unknown);
        }
        let claims = self.claims(&claims, now).ok_or(Stranger::Unknown)?;
        let tenant = app.tenant(&claims.tenant).await.ok_or(Stranger::Unknown)?;
        let caller = Caller {
            tenant,
            credential: format!("oidc:{}", claims.name),
            actor: Actor::Person(claims.name),
            scopes: self.scopes(),
            key: None,
        };
        if claims.has_ended {
            let expected = "a token that has not ended";
            let fault = Fault::new("expired", "header:authorization", expected, "one that has");
            return Err(Stranger::Ended(Box::new(caller), fault));
        }
        Ok(caller)
    }

    /// What a token says, if it is of this issuer, for this audience, and of its time.
    fn claims(&self, claims: &Value, now: Time) -> Option<Claims> {
        let text = |name: &str| claims.get(name).and_then(Value::as_str);
        let audience = match claims.get("aud")? {
            Value::String(one) => *one == self.config.audience,
            Value::Array(all) => all.iter().any(|one| *one == self.config.audience.as_str()),
            _ => false,
        };
        let second = |name: &str| claims.get(name).and_then(Value::as_f64);
        let now = now.millis() as f64 / 1000.0;
        let begun = second("nbf").is_none_or(|begin| begin <= now + LEEWAY);
        let name = text(&self.config.name_claim).filter(|name| is_given(name))?;
        let tenant = text(&self.config.tenant_claim)?;
        let holds = text("iss") == Some(self.config.issuer.as_str()) && audience && begun;
        holds.then_some(Claims {
            tenant: tenant.to_owned(),
            name: name.to_owned(),
            has_ended: second("exp")? <= now - LEEWAY,
        })
    }

    fn scopes(&self) -> BTreeSet<Scope> {
        let named = |word: &str| match &self.config.scopes {
            Some(scopes) => scopes.iter().any(|one| one == word),
            None => true,
        };
        let all = Scope::WORDS.iter().filter(|(word, _)| named(word));
        all.map(|(_, scope)| *scope).collect()
    }

    /// The keys of the issuer, fetched if they are not known or are to be fetched again.
    async fn known(&self, now: Time, again: bool) -> Result<Known, Stranger> {
        let known = self.keys.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let old = known.as_ref().is_some_and(|known| now.millis() - known.at.millis() > OLD);
        if let Some(known) = known.filter(|_| !again && !old) {
            return Ok(known);
        }
        let issuer = self.config.issuer.clone();
        let fetched = tokio::task::spawn_blocking(move || fetch(&issuer)).await;
        let keys = fetched.ok().flatten().ok_or_else(|| {
            let problem = Problem { retry_after: Some(5), ..Problem::new(Kind::Busy) };
            Stranger::Failed(problem)
        })?;
        let known = Known { at: now, keys: keys.into() };
        *self.keys.lock().unwrap_or_else(PoisonError::into_inner) = Some(known.clone());
        Ok(known)
    }
}

/// Header, claims, what is signed, and the signature of a token.
fn parts(token: &str) -> Option<(Value, Value, &[u8], Vec<u8>)> {
    if token.len() > MAX_TOKEN {
        return None;
    }
    let (signed, signature) = token.rsplit_once('.')?;
    let (header, claims) = signed.split_once('.')?;
    let json = |part: &str| {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(part).ok()?;
        // A name that is there twice may be read in two ways.
        dalil_core::json::Json::parse_foreign(&bytes).ok()?;
        serde_json::from_slice(&bytes).ok()
    };
    let signature = BASE64_URL_SAFE_NO_PAD.decode(signature).ok()?;
    Some((json(header)?, json(claims)?, signed.as_bytes(), signature))
}

/// The keys of an issuer, from where its own document says, on its own host.
fn fetch(issuer: &str) -> Option<Vec<Jwk>> {
    let agent = agent();
    let get = |url: &str| -> Option<Value> {
        let mut reply = agent.get(url).call().ok()?;
        let text = reply.body_mut().with_config().limit(MOST).read_to_string().ok()?;
        serde_json::from_str(&text).ok()
    };
    let document = get(&format!("{issuer}/.well-known/openid-configuration"))?;
    let named = document.get("issuer").and_then(Value::as_str)?;
    let place = document.get("jwks_uri").and_then(Value::as_str)?;
    if named.trim_end_matches('/') != issuer || origin(place)? != origin(issuer)? {
        return None;
    }
    let set = get(place)?;
    let keys = set.get("keys")?.as_array()?.iter().filter_map(Jwk::read).take(MAX_KEYS);
    Some(keys.collect())
}

/// Scheme, host and port of a URL.
fn origin(url: &str) -> Option<&str> {
    let start = url.find("://")? + 3;
    let end = url.get(start..)?.find('/').map_or(url.len(), |at| start + at);
    url.get(..end)
}

/// How many seconds clocks may differ.
const LEEWAY: f64 = 60.0;
/// After how many milliseconds keys are fetched again for a name that is not known, and anyway.
const AGAIN: i64 = 10_000;
const OLD: i64 = 3_600_000;
const MAX_TOKEN: usize = 16 << 10;
const MAX_KEYS: usize = 64;
const MOST: u64 = 1 << 20;
