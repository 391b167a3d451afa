//! Metadata: what of it may be shown.

use std::borrow::Cow;

use serde::{Serialize, Serializer};

use super::Options;
use crate::json::Json;

/// The metadata that a source shows, in the order it came.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metadata<'a>(pub Vec<(&'a str, &'a Json<'a>)>);

impl Metadata<'_> {
    /// The value under `key`, when it is shown.
    pub fn get(&self, key: &str) -> Option<&Json<'_>> {
        self.0.iter().find_map(|(name, value)| (*name == key).then_some(*value))
    }
}

impl Serialize for Metadata<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// Applies the include filter, then the exclude filter; with neither, the rule for safe metadata.
pub(super) fn shown<'a>(
    metadata: &'a [(Cow<'a, str>, Json<'a>)],
    options: &Options<'_>,
) -> Metadata<'a> {
    let Options { include_metadata_keys: include, exclude_metadata_keys: exclude, .. } = options;
    let shows = |name: &str, value: &Json<'_>| match (include, exclude) {
        (None, None) => is_safe(value) && !looks_secret(name),
        _ => {
            include.as_ref().is_none_or(|keys| keys.contains(name))
                && !exclude.as_ref().is_some_and(|keys| keys.contains(name))
        }
    };
    let pairs = metadata.iter().map(|(name, value)| (name.as_ref(), value));
    Metadata(pairs.filter(|(name, value)| shows(name, value)).collect())
}

/// Small scalars: a source holds no large or nested content.
fn is_safe(value: &Json<'_>) -> bool {
    match value {
        Json::Null | Json::Bool(_) | Json::Number(_) => true,
        Json::Text(text) => text.chars().nth(MAX_CHARS).is_none(),
        Json::List(_) | Json::Object(_) => false,
    }
}

/// Whether a name could hold a secret. Errs on the safe side: `token_count` is withheld too.
fn looks_secret(name: &str) -> bool {
    let folded: String =
        name.chars().filter(|ch| ch.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    SECRETS.iter().any(|secret| folded.contains(secret))
}

/// The most characters of a value that is shown without being asked for.
const MAX_CHARS: usize = 256;

/// Parts of names under which people keep secrets, lower case, without separators.
const SECRETS: [&str; 19] = [
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "pwd",
    "secret",
    "token",
    "apikey",
    "accesskey",
    "privatekey",
    "signingkey",
    "encryptionkey",
    "credential",
    "authorization",
    "cookie",
    "bearer",
    "connectionstring",
    "كلمةالمرور",
    "كلمةالسر",
];
