//! The lake: objects named by the digest of their bytes.
//!
//! An object is `TENANT/sha256/ab/cd/` and the 64 hex digits of its digest, in a
//! folder or in a bucket. It is whole and durable when a put returns, and never
//! changes: a put of the same bytes finds them there. The lake is not trusted.
//! Reading computes the digest again, so an attacker who controls the lake can remove objects,
//! which is noticed, and cannot replace them. No name comes from a
//! request: tenants are checked names, and all else is a digest.
//!
//! The lake does not know which objects are needed; the trail does.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use dalil_proof::digest::Digest;
use dalil_proof::time::Time;
use tokio::io::AsyncRead;

use crate::error::Error;
use crate::place::LakePlace;

#[cfg(feature = "s3")]
mod bucket;
mod folder;
mod key;
mod listing;
mod object;
mod reader;
mod spool;
#[cfg(test)]
mod tests;

pub use object::{LakeObjectState, RetentionEnforcement};

#[cfg(feature = "s3")]
use bucket::BucketLake;
use folder::FolderLake;
use key::{LakeTenantName, ObjectKey};
pub use listing::{ForeignLakeEntry, LakeEntry, LakeListing};
use reader::OpenedObject;
pub use reader::UncheckedReader;

/// All the objects of a store.
#[derive(Clone, Debug)]
pub struct Lake {
    engine: LakeBackend,
}

/// The objects of one tenant; no other tenant's can be reached from it.
#[derive(Clone, Debug)]
pub struct TenantLake {
    engine: LakeBackend,
    tenant: LakeTenantName,
}

/// The two kinds of lake.
#[derive(Clone, Debug)]
enum LakeBackend {
    Folder(Arc<FolderLake>),
    #[cfg(feature = "s3")]
    Bucket(Arc<BucketLake>),
}

/// The server's own description of a bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BucketProtection {
    /// Whether objects can be locked: `Enabled`, `Off`, or why it does not tell.
    pub object_lock: String,
    /// How long every object is locked without being asked for: a mode and a time.
    pub retention: Option<String>,
    /// Whether versions are kept: `Enabled`, `Suspended`, `Off`, or why it does not tell.
    pub versioning: String,
}

impl BucketProtection {
    /// The value for a feature that is on.
    pub const ENABLED: &'static str = "Enabled";
}

/// The record that permits the deletion of objects.
///
/// Make one only when that record is durable: deleting is the one thing that
/// cannot be undone.
#[derive(Clone, Debug)]
pub struct ErasureAuthorization {
    tenant: String,
    record: u64,
}

impl Lake {
    /// Opens a lake that is there, and asks it something.
    ///
    /// # Errors
    /// Unavailable: no such folder or bucket, no permission, no answer.
    pub async fn open(place: &LakePlace) -> Result<Self, Error> {
        let engine = match place {
            LakePlace::Folder(dir) => LakeBackend::Folder(Arc::new(FolderLake::open(dir).await?)),
            #[cfg(feature = "s3")]
            LakePlace::Bucket(place) => {
                LakeBackend::Bucket(Arc::new(BucketLake::open(place).await?))
            }
            #[cfg(not(feature = "s3"))]
            LakePlace::Bucket(place) => {
                let found = "one that was built without the feature `s3`";
                return Err(Error::refused("open the lake", place)
                    .saw("a program that speaks to buckets", found));
            }
        };
        Ok(Self { engine })
    }

    /// Makes the folder of a lake if it is not there, and opens it.
    ///
    /// A bucket is not made: its owner decides about versions and locks.
    ///
    /// # Errors
    /// As [`Lake::open`].
    pub async fn create(place: &LakePlace) -> Result<Self, Error> {
        if let LakePlace::Folder(dir) = place {
            folder::create(dir).await?;
        }
        Self::open(place).await
    }

    /// The objects of a tenant.
    ///
    /// # Errors
    /// Refused: a name that is not 1 to 63 of a–z, 0–9 and `-`.
    pub fn tenant(&self, name: &str) -> Result<TenantLake, Error> {
        Ok(TenantLake { engine: self.engine.clone(), tenant: LakeTenantName::parse(name)? })
    }

    /// The tenants with objects in the lake, and entries that belong to no tenant.
    ///
    /// # Errors
    /// Unavailable: the lake cannot be read.
    pub async fn tenants(&self) -> Result<(Vec<String>, Vec<ForeignLakeEntry>), Error> {
        match &self.engine {
            LakeBackend::Folder(folder) => folder.tenants().await,
            #[cfg(feature = "s3")]
            LakeBackend::Bucket(bucket) => bucket.tenants().await,
        }
    }

    /// What keeps objects from being deleted or overwritten; `None` in a folder.
    ///
    /// # Errors
    /// Unavailable: the server does not answer.
    pub async fn guards(&self) -> Result<Option<BucketProtection>, Error> {
        match &self.engine {
            LakeBackend::Folder(_) => Ok(None),
            #[cfg(feature = "s3")]
            LakeBackend::Bucket(bucket) => bucket.guards().await.map(Some),
        }
    }

    /// Writes a file that is no object to a folder, and asks a bucket something.
    ///
    /// # Errors
    /// Unavailable: the folder cannot be written to, or the bucket does not answer.
    pub async fn probe(&self) -> Result<(), Error> {
        match &self.engine {
            LakeBackend::Folder(folder) => folder.probe().await,
            #[cfg(feature = "s3")]
            LakeBackend::Bucket(bucket) => bucket.probe().await,
        }
    }

    /// Removes leftovers of crashed writers, and returns the number of files.
    ///
    /// A leftover is never an object. Files of active writers stay. A bucket has
    /// none: an unfinished upload is no object, and a rule of the
    /// bucket ends it.
    ///
    /// # Errors
    /// Unavailable: a leftover cannot be removed.
    pub async fn sweep(&self) -> Result<u64, Error> {
        match &self.engine {
            LakeBackend::Folder(folder) => folder.sweep().await,
            #[cfg(feature = "s3")]
            LakeBackend::Bucket(_) => Ok(0),
        }
    }
}

impl TenantLake {
    /// Keeps bytes: when this returns, they are durable under their digest.
    ///
    /// Bytes that are there already are left as they are. Up to 8 MiB the
    /// object is compared with them; above, its size is.
    ///
    /// # Errors
    /// Damaged: the object is there with other bytes. Unavailable: nothing was
    /// kept, or it is not known to be; doing it again is safe.
    pub async fn put(&self, bytes: impl Into<Bytes>) -> Result<Digest, Error> {
        let bytes = bytes.into();
        let key = ObjectKey::new(&self.tenant, Digest::of(&bytes));
        match &self.engine {
            LakeBackend::Folder(folder) => folder.put(&key, bytes).await?,
            #[cfg(feature = "s3")]
            LakeBackend::Bucket(bucket) => bucket.put(&key, bytes).await?,
        }
        Ok(key.digest)
    }

    /// Stores the bytes of a reader, in bounded memory; returns their digest and size.
    ///
    /// The bytes go to a temporary file first, for their digest is not known
    /// before the last of them.
    ///
    /// # Errors
    /// As [`TenantLake::put`]; unavailable also when the reader fails.
    pub async fn put_stream(
        &self,
        source: impl AsyncRead + Send + Unpin,
    ) -> Result<(Digest, u64), Error> {
        match &self.engine {
            LakeBackend::Folder(folder) => folder.put_stream(&self.tenant, source).await,
            #[cfg(feature = "s3")]
            LakeBackend::Bucket(bucket) => bucket.put_stream(&self.tenant, source).await,
        }
    }

    /// Stores bytes that must not be deleted before a time, and returns what enforces that.
    ///
    /// A bucket with object lock gets `COMPLIANCE` until then, also for an existing
    /// object. Without object lock, and in a folder, only the
    /// trail refuses to erase early.
    ///
    /// # Errors
    /// As [`TenantLake::put`].
    pub async fn put_retained(
        &self,
        bytes: impl Into<Bytes>,
        #[cfg_attr(
            not(feature = "s3"),
            expect(unused_variables, reason = "a folder has no locks")
        )]
        until: Time,
    ) -> Result<(Digest, RetentionEnforcement), Error> {
        let bytes = bytes.into();
        #[cfg(feature = "s3")]
        if let LakeBackend::Bucket(bucket) = &self.engine {
            let key = ObjectKey::new(&self.tenant, Digest::of(&bytes));
            let retention = bucket.put_retained(&key, bytes, until).await?;
            return Ok((key.digest, retention));
        }
        Ok((self.put(bytes).await?, RetentionEnforcement::Trail))
    }

    /// All the bytes of an object, checked.
    ///
    /// # Errors
    /// Damaged: it is missing, or its bytes have another digest. Unavailable:
    /// it cannot be read.
    pub async fn get(&self, digest: &Digest) -> Result<Vec<u8>, Error> {
        let mut reader = self.get_stream(digest).await?;
        let mut bytes = Vec::new();
        while let Some(chunk) = reader.next().await? {
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes)
    }

    /// The bytes of an object in pieces, which are checked only at the end.
    ///
    /// # Errors
    /// As [`TenantLake::get`], except that other bytes show in the last call of
    /// [`UncheckedReader::next`].
    pub async fn get_stream(&self, digest: &Digest) -> Result<UncheckedReader, Error> {
        let key = ObjectKey::new(&self.tenant, *digest);
        self.opened(&key).await?.reader(self.shown(&key))
    }

    /// Whether there is an object of this name; its bytes are not looked at.
    ///
    /// # Errors
    /// Unavailable: the lake cannot be asked. Damaged: something that is no
    /// file has its name.
    pub async fn has(&self, digest: &Digest) -> Result<bool, Error> {
        let key = ObjectKey::new(&self.tenant, *digest);
        let size = match &self.engine {
            LakeBackend::Folder(folder) => folder.size(&key).await?,
            #[cfg(feature = "s3")]
            LakeBackend::Bucket(bucket) => bucket.size(&key).await?,
        };
        Ok(size.is_some())
    }

    /// The state of an object: every byte of it is read.
    ///
    /// # Errors
    /// Unavailable: it cannot be read.
    pub async fn check(&self, digest: &Digest) -> Result<LakeObjectState, Error> {
        self.opened(&ObjectKey::new(&self.tenant, *digest)).await?.state().await
    }

    /// Deletes an object for good, permitted by a record.
    ///
    /// Every version of it, where a bucket keeps several. Returns whether it existed.
    ///
    /// # Errors
    /// Refused: the record is of another tenant, or the object is locked.
    /// Unavailable: it cannot be deleted, or the result is unknown; a retry
    /// is safe.
    pub async fn delete(
        &self,
        digest: &Digest,
        erasure: &ErasureAuthorization,
    ) -> Result<bool, Error> {
        let key = ObjectKey::new(&self.tenant, *digest);
        // Equal bytes have equal names for every tenant; one tenant's erasure is no other's.
        if erasure.tenant != self.tenant.as_str() {
            let ErasureAuthorization { tenant, record } = erasure;
            let expected = "an erasure of this tenant's trail";
            return Err(Error::refused(key::DELETE_OBJECT, self.shown(&key))
                .saw(expected, format!("record {record} of tenant `{tenant}`")));
        }
        match &self.engine {
            LakeBackend::Folder(folder) => folder.delete(&key).await,
            #[cfg(feature = "s3")]
            LakeBackend::Bucket(bucket) => bucket.delete(&key).await,
        }
    }

    /// Everything under the tenant's name: objects and other files.
    pub fn list(&self) -> LakeListing {
        match &self.engine {
            LakeBackend::Folder(folder) => FolderLake::list(folder, &self.tenant),
            #[cfg(feature = "s3")]
            LakeBackend::Bucket(bucket) => BucketLake::list(bucket, &self.tenant),
        }
    }

    async fn opened(&self, key: &ObjectKey) -> Result<OpenedObject, Error> {
        match &self.engine {
            LakeBackend::Folder(folder) => folder.get(key).await,
            #[cfg(feature = "s3")]
            LakeBackend::Bucket(bucket) => bucket.get(key).await,
        }
    }

    fn shown(&self, key: &ObjectKey) -> String {
        match &self.engine {
            LakeBackend::Folder(folder) => folder.shown(key),
            #[cfg(feature = "s3")]
            LakeBackend::Bucket(bucket) => bucket.shown(key),
        }
    }
}

impl ErasureAuthorization {
    /// The erasure that a durable record of a tenant's trail orders.
    pub fn recorded(tenant: &str, record: u64) -> Self {
        Self { tenant: tenant.to_owned(), record }
    }
}

impl fmt::Display for LakeObjectState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole { size } => write!(f, "whole, {size} bytes"),
            Self::Missing => write!(f, "missing"),
            Self::Altered { found, size } => write!(f, "altered: {size} bytes of `{found}`"),
            Self::Strange => write!(f, "no file"),
        }
    }
}
