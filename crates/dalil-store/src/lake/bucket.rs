//! A lake in a bucket of an S3-compatible server.
//!
//! A small object is one conditional request, a large one is uploaded in parts
//! and appears when the last request says so; the server checks a digest of each
//! part. Requests that fail are tried again for a while. When an answer is lost,
//! the object is looked for before the put is called a failure.

use std::io::{Read as _, Seek as _};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use dalil_core::digest::Digest;
use dalil_core::time::Time;
use futures_util::{StreamExt as _, TryStreamExt as _};
use object_store::aws::{AmazonS3, AmazonS3Builder, Checksum, S3ConditionalPut};
use object_store::client::HttpErrorKind;
use object_store::path::Path;
use object_store::{
    BackoffConfig, ClientOptions, ObjectStore as _, ObjectStoreExt as _, PutMode, RetryConfig,
    WriteMultipart,
};
use tokio::io::AsyncRead;

use super::key::{Key, LIST, Name, OPEN, PUT, READ};
use super::reader::{Opened, Source, UncheckedReader};
use super::spool::{blocking, fill, unwritten};
use super::{Foreign, Listed, Listing, Retention, SMALL};
use crate::error::Error;
use crate::place::BucketPlace;

mod answer;
mod lock;
mod version;

use answer::{transport, unavailable};

/// An open bucket.
#[derive(Debug)]
pub(super) struct Bucket {
    place: BucketPlace,
    pub(super) store: AmazonS3,
    /// For what the S3 client has no words for; it sends what the client signs.
    client: reqwest::Client,
}

impl Bucket {
    pub(super) async fn open(place: &BucketPlace) -> Result<Self, Error> {
        // The first in the process decides; any provider will do.
        rustls::crypto::ring::default_provider().install_default().unwrap_or_default();
        let shown = shown(place);
        let store = builder(place, ClientOptions::new())
            .build()
            .map_err(|error| unavailable(OPEN, &shown, &error))?;
        store.credentials().get_credential().await.map_err(|_| {
            Error::unavailable(OPEN, &shown)
                .saw("credentials", "none that can be had")
                .hint("set `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`")
        })?;
        let client =
            reqwest::Client::builder()
                .timeout(TIMEOUT)
                .connect_timeout(CONNECT)
                .build()
                .map_err(|error| Error::unavailable(OPEN, &shown).saw("an HTTP client", error))?;
        let bucket = Self { place: place.clone(), store, client };
        let prefix = Path::from(place.prefix.as_str());
        let first = bucket.store.list(Some(&prefix)).next().await.transpose();
        first.map_err(|error| unavailable(OPEN, &shown, &error))?;
        Ok(bucket)
    }

    pub(super) async fn put(&self, key: &Key, bytes: Bytes) -> Result<(), Error> {
        let size = bytes.len() as u64;
        if size > SMALL {
            return self.put_large(key, size, Pieces::Memory(bytes)).await;
        }
        let path = self.path(key);
        for _ in 0..TRIES {
            let put = self.store.put_opts(&path, bytes.clone().into(), PutMode::Create.into());
            match put.await {
                Ok(_) => return Ok(()),
                Err(object_store::Error::AlreadyExists { .. }) => {
                    if self.is_there(key, size).await? {
                        return Ok(());
                    }
                    // Another put of it was under way and came to nothing.
                }
                Err(error) => return self.settle(key, size, &error).await,
            }
        }
        let found = "another writer that began and did not finish, several times";
        Err(Error::unavailable(PUT, self.shown(key)).saw("a name that is free or taken", found))
    }

    pub(super) async fn put_stream(
        &self,
        tenant: &Name,
        source: impl AsyncRead + Unpin,
    ) -> Result<(Digest, u64), Error> {
        let place = format!("{}, tenant `{}`", shown(&self.place), tenant.as_str());
        let file = nameless(&place).await?;
        let (mut file, digest, size) = fill(file, source, &place).await?;
        let key = Key::new(tenant, digest);
        file.rewind().map_err(|error| unwritten(&place, &error))?;
        if size <= SMALL {
            let bytes = Pieces::File(Some(file), SMALL).next(&place).await?.unwrap_or_default();
            self.put(&key, bytes).await?;
        } else {
            self.put_large(&key, size, Pieces::File(Some(file), part(size))).await?;
        }
        Ok((digest, size))
    }

    /// Keeps bytes under a lock of the server, if it has locks.
    pub(super) async fn put_retained(
        &self,
        key: &Key,
        bytes: Bytes,
        until: Time,
    ) -> Result<Retention, Error> {
        // What is there is checked first, for a locked object lies over it.
        let there = self.is_there(key, bytes.len() as u64).await?;
        if there && self.is_locked(key, until).await? {
            return Ok(Retention::Locked);
        }
        if self.put_locked(key, bytes.clone(), until).await? && self.is_locked(key, until).await? {
            return Ok(Retention::Locked);
        }
        self.put(key, bytes).await?;
        Ok(Retention::Trail)
    }

    pub(super) async fn get(&self, key: &Key) -> Result<Opened, Error> {
        let place = self.shown(key);
        match self.store.get(&self.path(key)).await {
            Ok(result) => {
                let at = place.clone();
                let stream = result.into_stream();
                let stream = stream.map_err(move |error| unavailable(READ, &at, &error)).boxed();
                let source = Source::Stream(stream);
                Ok(Opened::Object(UncheckedReader::new(source, key.digest, place)))
            }
            Err(object_store::Error::NotFound { .. }) => Ok(Opened::Missing),
            Err(error) => Err(unavailable(READ, &place, &error)),
        }
    }

    /// How many bytes the object has, if it is there.
    pub(super) async fn size(&self, key: &Key) -> Result<Option<u64>, Error> {
        match self.store.head(&self.path(key)).await {
            Ok(meta) => Ok(Some(meta.size)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(unavailable(READ, &self.shown(key), &error)),
        }
    }

    pub(super) async fn tenants(&self) -> Result<(Vec<String>, Vec<Foreign>), Error> {
        let prefix = Path::from(self.place.prefix.as_str());
        let listed = self.store.list_with_delimiter(Some(&prefix)).await;
        let listed = listed.map_err(|error| unavailable(LIST, &shown(&self.place), &error))?;
        let (mut tenants, mut foreign) = (Vec::new(), Vec::new());
        for path in listed.common_prefixes {
            let name = path.filename().unwrap_or_default().to_owned();
            if Name::is_name(&name) {
                tenants.push(name);
            } else {
                foreign.push(Foreign { path: name, what: "a folder" });
            }
        }
        foreign.extend(listed.objects.iter().map(|object| {
            let path = object.location.filename().unwrap_or_default().to_owned();
            Foreign { path, what: "a file" }
        }));
        tenants.sort();
        foreign.sort_by(|a, b| a.path.cmp(&b.path));
        Ok((tenants, foreign))
    }

    pub(super) fn list(bucket: &Arc<Self>, tenant: &Name) -> Listing {
        let (found, listing) = Listing::channel();
        let (bucket, tenant) = (Arc::clone(bucket), tenant.clone());
        tokio::spawn(async move {
            let prefix = bucket.under(tenant.as_str());
            let mut objects = bucket.store.list(Some(&prefix));
            while let Some(object) = objects.next().await {
                let listed = object.map(|object| {
                    let path = object.location.as_ref();
                    let below = path.get(prefix.as_ref().len() + 1..).unwrap_or_default();
                    Listed::file(tenant.as_str(), below, object.size)
                });
                let listed =
                    listed.map_err(|error| unavailable(LIST, &shown(&bucket.place), &error));
                let last = listed.is_err();
                if found.send(listed).await.is_err() || last {
                    return;
                }
            }
        });
        listing
    }

    pub(super) fn shown(&self, key: &Key) -> String {
        format!("{}, tenant `{}`, `{}`", shown(&self.place), key.tenant.as_str(), key.digest)
    }

    /// Uploads in parts, unless an object of that size is there.
    async fn put_large(&self, key: &Key, size: u64, mut pieces: Pieces) -> Result<(), Error> {
        if self.is_there(key, size).await? {
            return Ok(());
        }
        let place = self.shown(key);
        let path = self.path(key);
        let failed = |error| unavailable(PUT, &place, &error);
        let upload = self.store.put_multipart(&path).await.map_err(failed)?;
        let chunk = usize::try_from(part(size)).unwrap_or(usize::MAX);
        let mut upload = WriteMultipart::new_with_chunk_size(upload, chunk);
        while let Some(piece) = pieces.next(&place).await? {
            if let Err(error) = upload.wait_for_capacity(AT_ONCE).await {
                // Parts without an end are no object; the server drops them in time.
                upload.abort().await.unwrap_or_default();
                return Err(failed(error));
            }
            upload.put(piece);
        }
        match upload.finish().await {
            Ok(_) if self.size(key).await? == Some(size) => Ok(()),
            Ok(_) => Err(Error::unavailable(PUT, &place)
                .saw(format!("{size} bytes after the upload"), "another size")),
            Err(error) => self.settle(key, size, &error).await,
        }
    }

    /// After a failed put: the answer may be all that was lost.
    async fn settle(&self, key: &Key, size: u64, error: &object_store::Error) -> Result<(), Error> {
        let reached = transport(error) != Some(HttpErrorKind::Connect);
        if reached && matches!(self.is_there(key, size).await, Ok(true)) {
            return Ok(());
        }
        Err(unavailable(PUT, &self.shown(key), error))
    }

    /// Whether the object is there, whole as far as a put looks.
    async fn is_there(&self, key: &Key, size: u64) -> Result<bool, Error> {
        let damaged = |expected: String, found: String| {
            let hint = "it is not what the lake wrote; move it away and restore the object";
            Err(Error::damaged(PUT, self.shown(key)).saw(expected, found).hint(hint))
        };
        match self.size(key).await? {
            None => Ok(false),
            Some(found) if found != size => {
                damaged(format!("an object of {size} bytes"), format!("one of {found} bytes"))
            }
            Some(_) if size > SMALL => Ok(true),
            Some(_) => match self.get(key).await?.state().await? {
                super::State::Whole { .. } => Ok(true),
                super::State::Altered { found, .. } => {
                    damaged("bytes of that digest".into(), format!("bytes of `{found}`"))
                }
                super::State::Missing | super::State::Strange => Ok(false),
            },
        }
    }

    pub(super) fn path(&self, key: &Key) -> Path {
        self.under(&key.path())
    }

    pub(super) fn under(&self, path: &str) -> Path {
        Path::from(format!("{}/{path}", self.place.prefix))
    }
}

/// The bytes of an upload, a part at a time.
enum Pieces {
    Memory(Bytes),
    File(Option<std::fs::File>, u64),
}

impl Pieces {
    async fn next(&mut self, place: &str) -> Result<Option<Bytes>, Error> {
        match self {
            Self::Memory(bytes) => {
                let size = usize::try_from(part(bytes.len() as u64)).unwrap_or(usize::MAX);
                let piece = bytes.split_to(size.min(bytes.len()));
                Ok((!piece.is_empty()).then_some(piece))
            }
            Self::File(slot, size) => {
                let Some(mut file) = slot.take() else { return Ok(None) };
                let (size, place) = (*size, place.to_owned());
                let (file, piece) = blocking(PUT, move || {
                    let mut piece = Vec::new();
                    let read = (&mut file).take(size).read_to_end(&mut piece);
                    read.map_err(|error| unwritten(&place, &error))?;
                    Ok((file, piece))
                })
                .await?;
                *slot = Some(file);
                Ok((!piece.is_empty()).then(|| piece.into()))
            }
        }
    }
}

/// A file in the folder for temporary files that has lost its name already, so
/// that a crash leaves nothing.
async fn nameless(place: &str) -> Result<std::fs::File, Error> {
    use std::os::unix::fs::OpenOptionsExt as _;
    let place = place.to_owned();
    blocking(PUT, move || {
        let mut random = [0; 16];
        let filled = getrandom::fill(&mut random).map_err(std::io::Error::other);
        let name = format!("dalil-{}.part", dalil_core::digest::hex(&random));
        let path = std::env::temp_dir().join(name);
        let mut options = std::fs::OpenOptions::new();
        options.read(true).write(true).create_new(true).mode(0o600);
        filled
            .and_then(|()| options.open(&path))
            .and_then(|file| std::fs::remove_file(&path).map(|()| file))
            .map_err(|error| unwritten(&place, &error))
    })
    .await
}

fn builder(place: &BucketPlace, options: ClientOptions) -> AmazonS3Builder {
    let options = options.with_timeout(TIMEOUT).with_connect_timeout(CONNECT);
    let backoff = BackoffConfig {
        init_backoff: Duration::from_millis(100),
        max_backoff: Duration::from_secs(3),
        base: 2.0,
    };
    let retry = RetryConfig { backoff, max_retries: 100, retry_timeout: Duration::from_secs(20) };
    let mut builder = AmazonS3Builder::from_env()
        .with_client_options(options)
        .with_allow_http(place.is_plain())
        .with_bucket_name(&place.bucket)
        .with_retry(retry)
        .with_checksum_algorithm(Checksum::SHA256)
        .with_conditional_put(S3ConditionalPut::ETagMatch);
    if let Some(endpoint) = &place.endpoint {
        builder = builder.with_endpoint(endpoint);
    }
    if let Some(region) = &place.region {
        builder = builder.with_region(region);
    }
    builder
}

/// How large a part is: a server takes 10,000 of them.
fn part(size: u64) -> u64 {
    SMALL.max(size.div_ceil(9_000))
}

fn shown(place: &BucketPlace) -> String {
    format!("lake `{place}`")
}

const TIMEOUT: Duration = Duration::from_secs(60);
const CONNECT: Duration = Duration::from_secs(5);
/// How often a put begins again when another writer stood in its way.
const TRIES: usize = 3;
/// How many parts are on their way at once.
const AT_ONCE: usize = 4;
