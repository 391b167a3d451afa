//! A lake in a bucket of an S3-compatible server.
//!
//! A small object is one conditional request, a large one is uploaded in parts and appears with the
//! last request; the server checks a digest of each part. Requests that fail are tried again for a
//! while. When an answer is lost, the object is looked for before the put is called a failure.

use std::io::{Read as _, Seek as _};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use dalil_proof::digest::Digest;
use dalil_proof::time::Time;
use futures_util::{StreamExt as _, TryStreamExt as _};
use object_store::aws::{AmazonS3, AmazonS3Builder, Checksum, S3ConditionalPut};
use object_store::client::HttpErrorKind;
use object_store::path::Path;
use object_store::{
    BackoffConfig, ClientOptions, ObjectStore as _, ObjectStoreExt as _, PutMode, RetryConfig,
    WriteMultipart,
};
use tokio::io::AsyncRead;

use super::key::{LIST_OBJECTS, LakeTenantName, OPEN_LAKE, ObjectKey, PUT_OBJECT, READ_OBJECT};
use super::listing::{ForeignLakeEntry, LakeEntry, LakeListing};
use super::object::{MAX_SINGLE_PUT_BYTES, RetentionEnforcement};
use super::reader::{ObjectByteSource, OpenedObject, UncheckedReader};
use super::spool::{blocking, fill, unwritten};
use crate::error::Error;
use crate::place::BucketPlace;

mod answer;
mod lock;
mod version;

use answer::{transport, unavailable};

/// An open bucket.
#[derive(Debug)]
pub(super) struct BucketLake {
    place: BucketPlace,
    pub(super) store: AmazonS3,
    /// For requests that the S3 client cannot make; the S3 client signs them.
    client: reqwest::Client,
}

impl BucketLake {
    pub(super) async fn open(place: &BucketPlace) -> Result<Self, Error> {
        // The first in the process decides; any provider will do.
        drop(rustls::crypto::ring::default_provider().install_default());
        let shown = shown(place);
        let store = builder(place, ClientOptions::new())
            .build()
            .map_err(|error| unavailable(OPEN_LAKE, &shown, &error))?;
        store.credentials().get_credential().await.map_err(|_| {
            Error::unavailable(OPEN_LAKE, &shown)
                .saw("credentials", "none that can be had")
                .hint("set `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`")
        })?;
        let client = reqwest::Client::builder()
            .timeout(MAX_REQUEST_TIME)
            .connect_timeout(MAX_CONNECT_TIME)
            .build()
            .map_err(|error| Error::unavailable(OPEN_LAKE, &shown).saw("an HTTP client", error))?;
        let bucket = Self { place: place.clone(), store, client };
        // A wrong bucket, key or region fails here and not at the first put.
        bucket.probe().await?;
        Ok(bucket)
    }

    /// Asks for the first object, whichever it is.
    pub(super) async fn probe(&self) -> Result<(), Error> {
        let prefix = Path::from(self.place.prefix.as_str());
        let first = self.store.list(Some(&prefix)).next().await.transpose();
        let failed = |error| unavailable(OPEN_LAKE, &shown(&self.place), &error);
        first.map(drop).map_err(failed)
    }

    pub(super) async fn put(&self, key: &ObjectKey, bytes: Bytes) -> Result<(), Error> {
        let size = bytes.len() as u64;
        if size > MAX_SINGLE_PUT_BYTES {
            return self.put_large(key, size, UploadParts::Memory(bytes)).await;
        }
        let path = self.path(key);
        for _ in 0..MAX_PUT_TRIES {
            // `If-None-Match: *`: of two writers one creates the object, and none replaces it.
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
        Err(Error::unavailable(PUT_OBJECT, self.shown(key))
            .saw("a name that is free or taken", found))
    }

    pub(super) async fn put_stream(
        &self,
        tenant: &LakeTenantName,
        source: impl AsyncRead + Unpin,
    ) -> Result<(Digest, u64), Error> {
        let place = format!("{}, tenant `{}`", shown(&self.place), tenant.as_str());
        let file = nameless(&place).await?;
        let (mut file, digest, size) = fill(file, source, &place).await?;
        let key = ObjectKey::new(tenant, digest);
        file.rewind().map_err(|error| unwritten(&place, &error))?;
        if size <= MAX_SINGLE_PUT_BYTES {
            let bytes = UploadParts::File(Some(file), MAX_SINGLE_PUT_BYTES)
                .next(&place)
                .await?
                .unwrap_or_else(Bytes::new);
            self.put(&key, bytes).await?;
        } else {
            self.put_large(&key, size, UploadParts::File(Some(file), part(size))).await?;
        }
        Ok((digest, size))
    }

    /// Keeps bytes under a lock of the server, if it has locks.
    pub(super) async fn put_retained(
        &self,
        key: &ObjectKey,
        bytes: Bytes,
        until: Time,
    ) -> Result<RetentionEnforcement, Error> {
        // An existing object is checked first, because a locked one cannot be replaced.
        let there = self.is_there(key, bytes.len() as u64).await?;
        // A lock cannot be shortened, so one that lasts long enough is left as it is.
        if there && self.is_locked(key, until).await? {
            return Ok(RetentionEnforcement::Locked);
        }
        // A server may accept the headers and lock nothing, so its later answer counts.
        if self.put_locked(key, bytes.clone(), until).await? && self.is_locked(key, until).await? {
            return Ok(RetentionEnforcement::Locked);
        }
        self.put(key, bytes).await?;
        Ok(RetentionEnforcement::Trail)
    }

    pub(super) async fn get(&self, key: &ObjectKey) -> Result<OpenedObject, Error> {
        let place = self.shown(key);
        match self.store.get(&self.path(key)).await {
            Ok(result) => {
                let at = place.clone();
                let stream = result.into_stream();
                let stream =
                    stream.map_err(move |error| unavailable(READ_OBJECT, &at, &error)).boxed();
                let source = ObjectByteSource::Stream(stream);
                Ok(OpenedObject::Object(UncheckedReader::new(source, key.digest, place)))
            }
            Err(object_store::Error::NotFound { .. }) => Ok(OpenedObject::Missing),
            Err(error) => Err(unavailable(READ_OBJECT, &place, &error)),
        }
    }

    /// How many bytes the object has, if it is there.
    pub(super) async fn size(&self, key: &ObjectKey) -> Result<Option<u64>, Error> {
        match self.store.head(&self.path(key)).await {
            Ok(meta) => Ok(Some(meta.size)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(unavailable(READ_OBJECT, &self.shown(key), &error)),
        }
    }

    pub(super) async fn tenants(&self) -> Result<(Vec<String>, Vec<ForeignLakeEntry>), Error> {
        let prefix = Path::from(self.place.prefix.as_str());
        let listed = self.store.list_with_delimiter(Some(&prefix)).await;
        let listed =
            listed.map_err(|error| unavailable(LIST_OBJECTS, &shown(&self.place), &error))?;
        let (mut tenants, mut foreign) = (Vec::new(), Vec::new());
        for path in listed.common_prefixes {
            let name = path.filename().map_or_else(|| path.to_string(), str::to_owned);
            if LakeTenantName::is_name(&name) {
                tenants.push(name);
            } else {
                foreign.push(ForeignLakeEntry { path: name, what: "a folder" });
            }
        }
        foreign.extend(listed.objects.iter().map(|object| {
            let path = &object.location;
            let path = path.filename().map_or_else(|| path.to_string(), str::to_owned);
            ForeignLakeEntry { path, what: "a file" }
        }));
        tenants.sort();
        foreign.sort_by(|a, b| a.path.cmp(&b.path));
        Ok((tenants, foreign))
    }

    pub(super) fn list(bucket: &Arc<Self>, tenant: &LakeTenantName) -> LakeListing {
        let (found, listing) = LakeListing::channel();
        let (bucket, tenant) = (Arc::clone(bucket), tenant.clone());
        tokio::spawn(async move {
            let prefix = bucket.under(tenant.as_str());
            let mut objects = bucket.store.list(Some(&prefix));
            while let Some(object) = objects.next().await {
                let listed = object.map(|object| {
                    let path = object.location.as_ref();
                    // The prefix is a whole name and a slash follows it.
                    let below = path.get(prefix.as_ref().len() + 1..).unwrap_or_default();
                    LakeEntry::file(tenant.as_str(), below, object.size)
                });
                let listed = listed
                    .map_err(|error| unavailable(LIST_OBJECTS, &shown(&bucket.place), &error));
                let last = listed.is_err();
                if found.send(listed).await.is_err() || last {
                    return;
                }
            }
        });
        listing
    }

    pub(super) fn shown(&self, key: &ObjectKey) -> String {
        format!("{}, tenant `{}`, `{}`", shown(&self.place), key.tenant.as_str(), key.digest)
    }

    /// Uploads in parts, unless an object of that size is there.
    async fn put_large(
        &self,
        key: &ObjectKey,
        size: u64,
        mut pieces: UploadParts,
    ) -> Result<(), Error> {
        if self.is_there(key, size).await? {
            return Ok(());
        }
        let place = self.shown(key);
        let path = self.path(key);
        let failed = |error| unavailable(PUT_OBJECT, &place, &error);
        let upload = self.store.put_multipart(&path).await.map_err(failed)?;
        let chunk = usize::try_from(part(size)).unwrap_or(usize::MAX);
        let mut upload = WriteMultipart::new_with_chunk_size(upload, chunk);
        while let Some(piece) = pieces.next(&place).await? {
            if let Err(error) = upload.wait_for_capacity(MAX_PARALLEL_PARTS).await {
                // Parts without an end are no object; the server drops them in time.
                drop(upload.abort().await);
                return Err(failed(error));
            }
            upload.put(piece);
        }
        match upload.finish().await {
            // The server checked a digest of each part; the size shows that all of them are there.
            Ok(_) if self.size(key).await? == Some(size) => Ok(()),
            Ok(_) => Err(Error::unavailable(PUT_OBJECT, &place)
                .saw(format!("{size} bytes after the upload"), "another size")),
            Err(error) => self.settle(key, size, &error).await,
        }
    }

    /// After a failed put: the answer may be all that was lost.
    async fn settle(
        &self,
        key: &ObjectKey,
        size: u64,
        error: &object_store::Error,
    ) -> Result<(), Error> {
        // Without a connection nothing was sent, and asking would only fail once more.
        let reached = transport(error) != Some(HttpErrorKind::Connect);
        if reached && matches!(self.is_there(key, size).await, Ok(true)) {
            return Ok(());
        }
        Err(unavailable(PUT_OBJECT, &self.shown(key), error))
    }

    /// Whether the object is there, whole as far as a put looks.
    async fn is_there(&self, key: &ObjectKey, size: u64) -> Result<bool, Error> {
        let damaged = |expected: String, found: String| {
            let hint = "it is not what the lake wrote; move it away and restore the object";
            Err(Error::damaged(PUT_OBJECT, self.shown(key)).saw(expected, found).hint(hint))
        };
        match self.size(key).await? {
            None => Ok(false),
            Some(found) if found != size => {
                damaged(format!("an object of {size} bytes"), format!("one of {found} bytes"))
            }
            // A large object is not read back for every put; each reader checks its digest.
            Some(_) if size > MAX_SINGLE_PUT_BYTES => Ok(true),
            Some(_) => match self.get(key).await?.state().await? {
                super::LakeObjectState::Whole { .. } => Ok(true),
                super::LakeObjectState::Altered { found, .. } => {
                    damaged("bytes of that digest".into(), format!("bytes of `{found}`"))
                }
                super::LakeObjectState::Missing | super::LakeObjectState::Strange => Ok(false),
            },
        }
    }

    pub(super) fn path(&self, key: &ObjectKey) -> Path {
        self.under(&key.path())
    }

    pub(super) fn under(&self, path: &str) -> Path {
        Path::from(format!("{}/{path}", self.place.prefix))
    }
}

/// The bytes of an upload, a part at a time.
enum UploadParts {
    Memory(Bytes),
    File(Option<std::fs::File>, u64),
}

impl UploadParts {
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
                let (file, piece) = blocking(PUT_OBJECT, move || {
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
    blocking(PUT_OBJECT, move || {
        let mut random = [0; 16];
        let filled = getrandom::fill(&mut random).map_err(std::io::Error::other);
        let name = format!("dalil-{}.part", dalil_proof::digest::hex(&random));
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
    let options = options.with_timeout(MAX_REQUEST_TIME).with_connect_timeout(MAX_CONNECT_TIME);
    let backoff = BackoffConfig {
        init_backoff: Duration::from_millis(100),
        max_backoff: Duration::from_secs(3),
        base: 2.0,
    };
    let retry = RetryConfig { backoff, max_retries: 100, retry_timeout: Duration::from_secs(20) };
    let mut builder = AmazonS3Builder::from_env()
        .with_client_options(options)
        // Only an endpoint with an `http:` URL is asked without encryption.
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
    MAX_SINGLE_PUT_BYTES.max(size.div_ceil(9_000))
}

fn shown(place: &BucketPlace) -> String {
    format!("lake `{place}`")
}

const MAX_REQUEST_TIME: Duration = Duration::from_secs(60);
const MAX_CONNECT_TIME: Duration = Duration::from_secs(5);
/// How often a put begins again after a conflict with another writer.
const MAX_PUT_TRIES: usize = 3;
/// How many parts are on their way at once.
const MAX_PARALLEL_PARTS: usize = 4;
