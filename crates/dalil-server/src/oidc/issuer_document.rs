//! The metadata of an issuer (OpenID Connect Discovery 1.0), and its keys.

use dalil_proof::fault::quote;
use serde_json::Value;

use super::jwk::Jwk;
use crate::http_client::agent;

/// The metadata that an issuer publishes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct IssuerDocument {
    /// The issuer as it spells itself, which is how its tokens spell it.
    pub(super) issuer: String,
    /// Where people sign in.
    authorization_endpoint: Option<String>,
    /// Where a code is exchanged for tokens.
    token_endpoint: Option<String>,
    /// Where people sign out.
    end_session_endpoint: Option<String>,
}

impl IssuerDocument {
    /// Where people sign in.
    ///
    /// # Errors
    /// There is no such place, or it is on another host.
    pub(super) fn authorization_endpoint(&self) -> Result<&str, String> {
        self.own("authorization_endpoint", self.authorization_endpoint.as_deref())
    }

    /// Where a code is exchanged for tokens.
    ///
    /// # Errors
    /// There is no such place, or it is on another host: the code would be given to a stranger.
    pub(super) fn token_endpoint(&self) -> Result<&str, String> {
        self.own("token_endpoint", self.token_endpoint.as_deref())
    }

    /// Where people sign out, if there is such a place.
    pub(super) fn end_session_endpoint(&self) -> Option<&str> {
        self.own("end_session_endpoint", self.end_session_endpoint.as_deref()).ok()
    }

    fn own<'d>(&self, name: &str, place: Option<&'d str>) -> Result<&'d str, String> {
        let place = place.ok_or_else(|| format!("its document has no `{name}`"))?;
        match origin(place) {
            Some(at) if Some(at) == origin(&self.issuer) => Ok(place),
            _ => Err(format!("its `{name}` is on another host, {}", quote(place))),
        }
    }
}

/// The metadata of an issuer, and its keys from the address in the metadata, on its own host.
pub(super) fn fetch(issuer: &str) -> Result<(IssuerDocument, Vec<Jwk>), String> {
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
    // Keys from another host would let the owner of that host sign.
    if origin(place).is_none() || origin(place) != origin(issuer) {
        return Err(format!("its keys are on another host, {}", quote(place)));
    }
    let set = get(place)?;
    let keys = set.get("keys").and_then(Value::as_array).ok_or("its set of keys has no `keys`")?;
    let keys: Vec<Jwk> = keys.iter().filter_map(Jwk::read).take(MAX_KEYS).collect();
    if keys.is_empty() {
        return Err("its set has no key that can be used".to_owned());
    }
    let place = |name: &str| document.get(name).and_then(Value::as_str).map(str::to_owned);
    let document = IssuerDocument {
        issuer: named.to_owned(),
        authorization_endpoint: place("authorization_endpoint"),
        token_endpoint: place("token_endpoint"),
        end_session_endpoint: place("end_session_endpoint"),
    };
    Ok((document, keys))
}

/// Scheme, host and port of a URL.
pub(super) fn origin(url: &str) -> Option<&str> {
    let start = url.find("://")? + 3;
    let end = url.get(start..)?.find('/').map_or(url.len(), |at| start + at);
    url.get(..end)
}

const MAX_KEYS: usize = 64;
pub(super) const MAX_REPLY_BYTES: u64 = 1 << 20;
