//! A program without the feature `s3`: no bucket can be opened, so there is none to work with.

use std::sync::Arc;

use bytes::Bytes;
use dalil_core::digest::Digest;
use dalil_core::time::Time;
use tokio::io::AsyncRead;

use super::key::{LakeTenantName, ObjectKey};
use super::listing::{ForeignLakeEntry, LakeListing};
use super::reader::OpenedObject;
use super::{BucketProtection, RetentionEnforcement};
use crate::error::Error;
use crate::place::BucketPlace;

/// A bucket that was opened: never, in this program.
#[derive(Debug)]
pub(super) enum BucketLake {}

impl BucketLake {
    pub(super) async fn open(place: &BucketPlace) -> Result<Self, Error> {
        let found = "one that was built without the feature `s3`";
        Err(Error::refused("open the lake", place).saw("a program that speaks to buckets", found))
    }

    pub(super) async fn probe(&self) -> Result<(), Error> {
        match *self {}
    }

    pub(super) async fn put(&self, _: &ObjectKey, _: Bytes) -> Result<(), Error> {
        match *self {}
    }

    pub(super) async fn put_stream(
        &self,
        _: &LakeTenantName,
        _: impl AsyncRead + Unpin,
    ) -> Result<(Digest, u64), Error> {
        match *self {}
    }

    pub(super) async fn put_retained(
        &self,
        _: &ObjectKey,
        _: Bytes,
        _: Time,
    ) -> Result<RetentionEnforcement, Error> {
        match *self {}
    }

    pub(super) async fn get(&self, _: &ObjectKey) -> Result<OpenedObject, Error> {
        match *self {}
    }

    pub(super) async fn size(&self, _: &ObjectKey) -> Result<Option<u64>, Error> {
        match *self {}
    }

    pub(super) async fn delete(&self, _: &ObjectKey) -> Result<bool, Error> {
        match *self {}
    }

    pub(super) async fn tenants(&self) -> Result<(Vec<String>, Vec<ForeignLakeEntry>), Error> {
        match *self {}
    }

    pub(super) async fn guards(&self) -> Result<BucketProtection, Error> {
        match *self {}
    }

    pub(super) fn list(bucket: &Arc<Self>, _: &LakeTenantName) -> LakeListing {
        match **bucket {}
    }

    pub(super) fn shown(&self, _: &ObjectKey) -> String {
        match *self {}
    }
}
