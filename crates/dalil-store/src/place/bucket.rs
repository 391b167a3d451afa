//! `s3://bucket/prefix?endpoint=…&region=…`.

use std::fmt;

use dalil_proof::fault::quote;
use url::{Url, form_urlencoded};

use crate::error::Error;

/// A bucket, the part of it that is the lake, and the server that has it.
///
/// Credentials come from the environment, never from here: `AWS_ACCESS_KEY_ID`
/// and `AWS_SECRET_ACCESS_KEY`, or any other way that AWS defines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BucketPlace {
    pub(crate) bucket: String,
    /// Empty, or names between single slashes.
    pub(crate) prefix: String,
    /// The server; AWS when there is none.
    pub(crate) endpoint: Option<String>,
    pub(crate) region: Option<String>,
}

impl BucketPlace {
    pub(super) fn parse(text: &str) -> Result<Self, Error> {
        // Read by hand: what reads addresses would resolve `..`, and find another prefix.
        let rest = text
            .strip_prefix("s3://")
            .ok_or_else(|| refused("`s3://`, a bucket and a prefix", "no `//` after `s3:`"))?;
        let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (name, below) = path.split_once('/').unwrap_or((path, ""));
        if name.contains('@') {
            return Err(refused("no credentials in the address", "a user before `@`")
                .hint(CREDENTIALS_HINT));
        }
        if name.contains(':') || rest.contains('#') {
            let found = "a port, or a part after `#`";
            return Err(refused("a bucket, a prefix and parameters", found)
                .hint("the port belongs to the server: `?endpoint=http://HOST:PORT`"));
        }
        let (bucket, prefix) = (bucket(name)?, prefix(below)?);
        let mut place = Self { bucket, prefix, endpoint: None, region: None };
        for (key, value) in form_urlencoded::parse(query.as_bytes()) {
            let (slot, value) = match key.as_ref() {
                "endpoint" => (&mut place.endpoint, endpoint(&value)?),
                "region" => (&mut place.region, region(&value)?),
                other => {
                    let found = quote(other);
                    return Err(refused("the parameters `endpoint` and `region`", found)
                        .hint(CREDENTIALS_HINT));
                }
            };
            // Of two endpoints a reader could take either.
            if slot.replace(value).is_some() {
                return Err(refused("each parameter once", format!("{} twice", quote(&key))));
            }
        }
        Ok(place)
    }

    /// Whether the server is asked without encryption, which only its own address can say.
    #[cfg(feature = "s3")]
    pub(crate) fn is_plain(&self) -> bool {
        self.endpoint.as_ref().is_some_and(|endpoint| endpoint.starts_with("http:"))
    }
}

impl fmt::Display for BucketPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bucket, prefix, endpoint, region: _ } = self;
        write!(f, "s3://{bucket}")?;
        if !prefix.is_empty() {
            write!(f, "/{prefix}")?;
        }
        endpoint.as_ref().map_or(Ok(()), |endpoint| write!(f, " at {endpoint}"))
    }
}

fn bucket(name: &str) -> Result<String, Error> {
    let bytes = name.as_bytes();
    let ends = [bytes.first(), bytes.last()];
    let whole = (3..=63).contains(&bytes.len())
        && bytes.iter().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.'))
        && ends.into_iter().flatten().all(u8::is_ascii_alphanumeric)
        && !name.contains("..");
    let expected = "a bucket of 3 to 63 letters a–z, digits, `-` and `.`";
    if whole { Ok(name.to_owned()) } else { Err(refused(expected, quote(name))) }
}

fn prefix(path: &str) -> Result<String, Error> {
    let path = path.strip_suffix('/').unwrap_or(path);
    let named = |name: &str| {
        let shaped = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        !name.is_empty() && name.bytes().all(shaped) && !name.bytes().all(|byte| byte == b'.')
    };
    if path.is_empty() || (path.len() <= 256 && path.split('/').all(named)) {
        return Ok(path.to_owned());
    }
    let expected = "a prefix of names from letters, digits, `-`, `_` and `.`, 256 bytes at most";
    Err(refused(expected, quote(path)))
}

fn endpoint(text: &str) -> Result<String, Error> {
    // It is printed in messages, so nothing that could be a secret may be in it.
    let bare = Url::parse(text).ok().filter(|url| {
        matches!(url.scheme(), "http" | "https")
            && url.has_host()
            && matches!(url.path(), "" | "/")
            && url.query().is_none()
            && url.fragment().is_none()
            && url.username().is_empty()
            && url.password().is_none()
    });
    let expected = "an endpoint such as `https://s3.example.org:9000`";
    let found = "an endpoint that is none, or has a user, a path or parameters";
    bare.map(|_| text.trim_end_matches('/').to_owned()).ok_or_else(|| {
        refused(expected, found).hint(format!("give the server alone; {CREDENTIALS_HINT}"))
    })
}

fn region(text: &str) -> Result<String, Error> {
    let shaped = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if (1..=64).contains(&text.len()) && text.bytes().all(shaped) {
        return Ok(text.to_owned());
    }
    Err(refused("a region such as `eu-central-1`", quote(text)))
}

fn refused(expected: &str, found: impl fmt::Display) -> Error {
    Error::refused(super::READ_LAKE_PLACE, "the address of the bucket").saw(expected, found)
}

const CREDENTIALS_HINT: &str =
    "credentials are read from `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`";
