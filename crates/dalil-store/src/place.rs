//! Where a store is: a folder, or a server with a lake beside it.
//!
//! A place is typed by a person. It is parsed strictly, and shown without
//! its secrets: [`StorePlace`] and [`LakePlace`] print no password.

use std::fmt;
use std::path::PathBuf;

use dalil_proof::fault::{quote, steers};
use url::Url;

use crate::error::Error;

mod bucket;
#[cfg(test)]
mod tests;

pub use bucket::BucketPlace;

/// A folder that holds everything, or a PostgreSQL with a lake beside it.
#[derive(Clone, PartialEq, Eq)]
pub enum StorePlace {
    /// Catalog, lake and keys in one folder.
    File {
        /// The folder.
        dir: PathBuf,
    },
    /// The catalog on a server.
    Postgres {
        /// Server, database, user and password. Print the place, never this.
        url: String,
        /// Where the objects are.
        lake: LakePlace,
    },
}

/// Where the objects of a store are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LakePlace {
    /// A folder.
    Folder(PathBuf),
    /// A bucket of an S3-compatible server.
    Bucket(BucketPlace),
}

impl StorePlace {
    /// Reads where a store and its lake are.
    ///
    /// A store is `file:DIR`, which has its lake inside, or `postgres://…`,
    /// which needs one: `s3://bucket/prefix?endpoint=…&region=…` or `file:DIR`.
    ///
    /// # Errors
    /// Refused: any other form, a lake beside a folder, a server without a lake.
    pub fn parse(store: &str, lake: Option<&str>) -> Result<Self, Error> {
        match (scheme(store), lake) {
            (Some(("file", path)), None) => Ok(Self::File { dir: folder(READ_STORE_PLACE, path)? }),
            (Some(("file", _)), Some(_)) => Err(Error::refused(READ_STORE_PLACE, "the lake")
                .saw("no lake beside `file:`, which has its own inside", "a lake")
                .hint("leave the lake out, or keep the catalog in `postgres://…`")),
            (Some(("postgres" | "postgresql", _)), lake) => {
                let url = server(store)?;
                let lake = lake.ok_or_else(|| {
                    Error::refused(READ_STORE_PLACE, "the lake")
                        .saw(LakePlace::EXPECTED, "none")
                        .hint("PostgreSQL keeps records; say where the objects go")
                })?;
                Ok(Self::Postgres { url, lake: LakePlace::parse(lake)? })
            }
            (other, _) => Err(Error::refused(READ_STORE_PLACE, "the store")
                .saw("`file:DIR` or `postgres://USER@HOST/DATABASE`", named(store, other))
                .hint(hint(store, other))),
        }
    }

    /// Where the objects are.
    pub fn lake(&self) -> LakePlace {
        match self {
            Self::File { dir } => LakePlace::Folder(dir.join("lake")),
            Self::Postgres { url: _, lake } => lake.clone(),
        }
    }
}

impl LakePlace {
    /// The form of a lake's address, for messages.
    const EXPECTED: &str = "`s3://BUCKET/PREFIX?endpoint=URL&region=NAME` or `file:DIR`";

    /// Reads where a lake is.
    ///
    /// # Errors
    /// Refused: any form but `s3://…` and `file:DIR`.
    pub fn parse(text: &str) -> Result<Self, Error> {
        match scheme(text) {
            Some(("file", path)) => Ok(Self::Folder(folder(READ_LAKE_PLACE, path)?)),
            Some(("s3", _)) => Ok(Self::Bucket(BucketPlace::parse(text)?)),
            other => Err(Error::refused(READ_LAKE_PLACE, "the lake")
                .saw(Self::EXPECTED, named(text, other))
                .hint(hint(text, other))),
        }
    }
}

impl fmt::Display for StorePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { dir } => write!(f, "file:{}", dir.display()),
            Self::Postgres { url, lake: _ } => f.write_str(&without_secrets(url)),
        }
    }
}

impl fmt::Debug for StorePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { .. } => write!(f, "{self}"),
            Self::Postgres { url: _, lake } => write!(f, "{self} with {lake}"),
        }
    }
}

impl fmt::Display for LakePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(dir) => write!(f, "file:{}", dir.display()),
            Self::Bucket(bucket) => bucket.fmt(f),
        }
    }
}

/// The scheme and the text after its colon.
fn scheme(text: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = text.split_once(':')?;
    let shaped = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    (!scheme.is_empty() && scheme.bytes().all(shaped)).then_some((scheme, rest))
}

/// The form of a text that is safe in a message. Anything after a scheme may hold a password.
fn named(text: &str, scheme: Option<(&str, &str)>) -> String {
    match scheme {
        Some((scheme, _)) => format!("a place that begins {}", quote(&format!("{scheme}:"))),
        None if text.is_empty() => "nothing".to_owned(),
        None => "a text without `file:`, `postgres:` or `s3:`".to_owned(),
    }
}

fn hint(text: &str, scheme: Option<(&str, &str)>) -> String {
    match scheme {
        // A text with `@` or `=` may hold a password, as `host=db password=…` does, which a hint
        // must not repeat.
        None if !text.is_empty() && !text.contains(['@', '=']) => {
            format!("for a folder write {}", quote(&format!("file:{text}")))
        }
        Some(_) | None => "for a folder write `file:./dalil-data`".to_owned(),
    }
}

/// The folder of `file:DIR`, `file:/DIR` and `file:///DIR`.
fn folder(what: &str, path: &str) -> Result<PathBuf, Error> {
    // Text after `//` or with an `@` may be the address of a server, with its password.
    let is_showable = !path.starts_with("//") && !path.contains('@');
    let shown = if is_showable { quote(&format!("file:{path}")) } else { "`file:…`".to_owned() };
    let refused = |found: &str| {
        Error::refused(what, &shown)
            .saw("`file:` and the path of a folder", found)
            .hint("write `file:./dalil-data`, or `file:/srv/dalil` for a whole path")
    };
    let path = match path.strip_prefix("//") {
        Some(rest) if rest.starts_with('/') => rest,
        Some(_) => return Err(refused("the name of a host")),
        None => path,
    };
    match path {
        "" => Err(refused("no path")),
        path if path.chars().any(steers) => Err(refused("a control character")),
        path if path.contains("://") => Err(refused("the address of a server")),
        path => Ok(PathBuf::from(path)),
    }
}

/// A PostgreSQL address that can be read; it is never quoted, for it holds a password.
fn server(text: &str) -> Result<String, Error> {
    let refused = |found: &str| {
        Error::refused(READ_STORE_PLACE, "the address of PostgreSQL")
            .saw("`postgres://USER:PASSWORD@HOST:PORT/DATABASE`", found)
            .hint("write `%40` for `@`, `%3A` for `:` and `%2F` for `/` inside a password")
    };
    let url = Url::parse(text).map_err(|error| refused(&format!("an address with {error}")))?;
    // A Unix socket is given as `?host=/path`, with no host in the address.
    let socket = url.query_pairs().any(|(key, _)| key == "host");
    match url.path().trim_start_matches('/') {
        _ if !text.contains("://") => Err(refused("no `//` after `postgres:`")),
        _ if url.host_str().is_none_or(str::is_empty) && !socket => Err(refused("no host")),
        _ if url.fragment().is_some() => Err(refused("a part after `#`")),
        "" => Err(refused("no name of a database")),
        name if name.contains('/') => Err(refused("more than one name of a database")),
        // Of `user:12/3@host` everything after the slash would be a database, and be shown.
        name if name.contains('@') => Err(refused("an `@` in the name of a database")),
        _ => Ok(text.to_owned()),
    }
}

/// The address as it may be shown. Parameters stay out: one of them can be a password.
fn without_secrets(address: &str) -> String {
    let user = Url::parse(address).map(|url| url.username().to_owned()).unwrap_or_default();
    let shown = server_label(address);
    // An encoded `:` may separate a password from the user.
    match shown.strip_prefix("postgres://") {
        Some(rest) if !user.is_empty() && !user.contains('%') => {
            format!("postgres://{user}@{rest}")
        }
        Some(_) | None => shown,
    }
}

/// The host, the port and the database of an address, which is how messages name its store.
pub(crate) fn server_label(address: &str) -> String {
    let Ok(url) = Url::parse(address) else { return "postgres:…".to_owned() };
    let port = url.port().map_or(String::new(), |port| format!(":{port}"));
    format!("postgres://{}{port}{}", url.host_str().unwrap_or(""), url.path())
}

const READ_STORE_PLACE: &str = "read where the store is";
const READ_LAKE_PLACE: &str = "read where the lake is";
