//! Metadata: the keys that may be shown.

use std::collections::HashMap;

use dalil_proof::json::{Json, JsonMembers};
use serde::{Serialize, Serializer};

use super::options::{MAX_SHOWN_CHARS, SourceOptions};

/// The metadata that a source shows, in the order it came.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SourceMetadata<'a>(pub Vec<(&'a str, &'a Json<'a>)>);

impl SourceMetadata<'_> {
    /// The value under `key`, when it is shown.
    pub fn get(&self, key: &str) -> Option<&Json<'_>> {
        self.0.iter().find_map(|(name, value)| (*name == key).then_some(*value))
    }
}

impl Serialize for SourceMetadata<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// Selects the metadata that may be shown. Remembers which names look like secrets: candidates
/// share their names.
#[derive(Debug)]
pub(super) struct MetadataFilter<'o, 'a> {
    pub(super) options: &'o SourceOptions<'a>,
    secret: HashMap<&'a str, bool>,
}

impl<'o, 'a> MetadataFilter<'o, 'a> {
    pub(super) fn new(options: &'o SourceOptions<'a>) -> Self {
        Self { options, secret: HashMap::new() }
    }

    /// Applies the include filter, or the rule for safe metadata without one, then the exclude
    /// filter.
    pub(super) fn shown(&mut self, metadata: &'a JsonMembers<'a>) -> SourceMetadata<'a> {
        let pairs = metadata.iter().map(|(name, value)| (name.as_ref(), value));
        SourceMetadata(pairs.filter(|(name, value)| self.shows(name, value)).collect())
    }

    fn shows(&mut self, name: &'a str, value: &Json<'_>) -> bool {
        let include = self.options.include_metadata_keys.as_ref();
        let exclude = self.options.exclude_metadata_keys.as_ref();
        if exclude.is_some_and(|keys| keys.contains(name)) {
            return false;
        }
        // Only a key that is named is the caller's own choice: an exclude filter takes away and
        // lets nothing through (spec/sources.md, rule 6).
        match include {
            Some(keys) => keys.contains(name) && content_left(value, MAX_SHOWN_CHARS).is_some(),
            None => {
                is_safe(value) && !*self.secret.entry(name).or_insert_with(|| looks_secret(name))
            }
        }
    }
}

/// The rest of `limit` after a value; `None` when the value is larger.
///
/// Every value counts one; strings and the names in objects also count their characters.
fn content_left(value: &Json<'_>, limit: u64) -> Option<u64> {
    let text = |text: &str, limit: u64| limit.checked_sub(text.chars().count() as u64);
    let limit = limit.checked_sub(1)?;
    match value {
        Json::Null | Json::Bool(_) | Json::Number(_) => Some(limit),
        Json::Text(content) => text(content, limit),
        Json::List(items) => items.iter().try_fold(limit, |left, item| content_left(item, left)),
        Json::Object(members) => members
            .iter()
            .try_fold(limit, |left, (name, item)| content_left(item, text(name, left)?)),
    }
}

/// Small scalars: a source holds no large or nested content.
fn is_safe(value: &Json<'_>) -> bool {
    match value {
        Json::Null | Json::Bool(_) | Json::Number(_) => true,
        Json::Text(text) => text.chars().nth(MAX_METADATA_VALUE_CHARS).is_none(),
        Json::List(_) | Json::Object(_) => false,
    }
}

/// Whether a name could hold a secret. Errs on the safe side: `token_count` is withheld too.
fn looks_secret(name: &str) -> bool {
    // `api_key`, `api-key` and `apiKey` are one name.
    let folded: String =
        name.chars().filter(|ch| ch.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    SECRET_NAME_PARTS.iter().any(|secret| folded.contains(secret))
}

/// The most characters of a value that is shown without being asked for.
const MAX_METADATA_VALUE_CHARS: usize = 256;

/// Parts of names under which people keep secrets, lower case, without separators.
const SECRET_NAME_PARTS: [&str; 19] = [
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
