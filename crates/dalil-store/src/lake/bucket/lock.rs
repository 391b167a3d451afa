//! Object lock: the server refuses to delete an object until a time.

use bytes::Bytes;
use dalil_proof::time::Time;
use object_store::client::{HttpClient, HttpConnector};
use object_store::path::Path;
use object_store::{ClientOptions, HeaderMap, HeaderValue, ObjectStore as _, PutMode};
use reqwest::{Method, Response};

use super::answer::{code, tag, unavailable};
use super::version::PresignedRequest;
use super::{BucketLake, builder, shown};
use crate::error::Error;
use crate::lake::BucketProtection;
use crate::lake::key::{ObjectKey, PUT_OBJECT};

impl BucketLake {
    /// Puts an object with a lock; returns whether the bucket supports locks.
    ///
    /// Over an object that is there it lays the same bytes: such a bucket keeps
    /// versions, and this one is locked.
    pub(super) async fn put_locked(
        &self,
        key: &ObjectKey,
        bytes: Bytes,
        until: Time,
    ) -> Result<bool, Error> {
        let failed = |error| unavailable(PUT_OBJECT, &self.shown(key), &error);
        // Headers of a client are signed; those of a request would not be.
        let mut headers = HeaderMap::new();
        headers.insert(LOCK_MODE_HEADER, HeaderValue::from_static(COMPLIANCE_MODE));
        if let Ok(date) = HeaderValue::from_str(&until.to_string()) {
            headers.insert(LOCK_UNTIL_HEADER, date);
        }
        let store = builder(&self.place, ClientOptions::new().with_default_headers(headers))
            .with_credentials(self.store.credentials().clone())
            .with_http_connector(SharedHttpConnector(HttpClient::new(self.client.clone())))
            .build()
            .map_err(failed)?;
        match store.put_opts(&self.path(key), bytes.into(), PutMode::Overwrite.into()).await {
            Ok(_) => Ok(true),
            // `InvalidRequest`, `InvalidArgument`: the bucket has no locks, or the date is over.
            // The bucket is asked which of the two it is.
            Err(error) if !code(&error).starts_with("Invalid") => Err(failed(error)),
            Err(_) if !self.has_locks(self.shown(key)).await? => Ok(false),
            Err(_) => Err(Error::refused(PUT_OBJECT, self.shown(key))
                .saw("a time to come until which the object is locked", until)
                .hint("a lock begins when it is made; give a later time")),
        }
    }

    /// Whether the bucket was made with object lock.
    async fn has_locks(&self, place: String) -> Result<bool, Error> {
        Ok(self.about("object-lock", place).await?.status().is_success())
    }

    /// The settings of the bucket's locks and versions, as the server reports them.
    pub(in crate::lake) async fn guards(&self) -> Result<BucketProtection, Error> {
        let place = shown(&self.place);
        let (is_told, text) = read(self.about("object-lock", place.clone()).await?).await;
        let word = |name| tag(&text, name).map(str::to_owned);
        let object_lock = match (is_told, word("ObjectLockEnabled"), word("Code")) {
            (true, Some(state), _) => state,
            (true, None, _) => SETTING_OFF.to_owned(),
            (false, _, Some(code)) if code == NO_OBJECT_LOCK_CODE => SETTING_OFF.to_owned(),
            (false, _, code) => code.unwrap_or_else(|| SETTING_UNKNOWN.to_owned()),
        };
        let length = [("Days", "days"), ("Years", "years")];
        let length = length.iter().find_map(|(name, unit)| Some(format!("{} {unit}", word(name)?)));
        let retention = word("Mode").zip(length).map(|(mode, length)| format!("{mode}, {length}"));
        let (is_told, text) = read(self.about("versioning", place).await?).await;
        let said = tag(&text, if is_told { "Status" } else { "Code" }).map(str::to_owned);
        let unsaid = if is_told { SETTING_OFF } else { SETTING_UNKNOWN };
        let versioning = said.unwrap_or_else(|| unsaid.to_owned());
        Ok(BucketProtection { object_lock, retention, versioning })
    }

    /// Asks for a setting of the bucket.
    async fn about(&self, setting: &'static str, place: String) -> Result<Response, Error> {
        let (path, query) = (Path::default(), vec![(setting, String::new())]);
        self.send(PresignedRequest {
            what: PUT_OBJECT,
            place,
            method: Method::GET,
            path: &path,
            query,
        })
        .await
    }

    /// Whether the server reports that the object is locked until `until` or longer.
    pub(super) async fn is_locked(&self, key: &ObjectKey, until: Time) -> Result<bool, Error> {
        let answer = self
            .send(PresignedRequest {
                what: PUT_OBJECT,
                place: self.shown(key),
                method: Method::HEAD,
                path: &self.path(key),
                query: Vec::new(),
            })
            .await?;
        let header = |name| answer.headers().get(name).and_then(|value| value.to_str().ok());
        let date = header(LOCK_UNTIL_HEADER).and_then(|date| date.parse::<Time>().ok());
        // Servers may drop fractions of a second.
        let enough = |date: Time| date.millis() / 1000 >= until.millis() / 1000;
        Ok(header(LOCK_MODE_HEADER) == Some(COMPLIANCE_MODE) && date.is_some_and(enough))
    }
}

/// Whether the server did as it was asked, and its words.
async fn read(answer: Response) -> (bool, String) {
    let is_success = answer.status().is_success();
    match answer.text().await {
        Ok(text) => (is_success, text),
        Err(error) => (false, error.to_string()),
    }
}

/// Gives every S3 client the one HTTP client, with its connections.
#[derive(Debug)]
struct SharedHttpConnector(HttpClient);

impl HttpConnector for SharedHttpConnector {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(self.0.clone())
    }
}

const LOCK_MODE_HEADER: &str = "x-amz-object-lock-mode";
const LOCK_UNTIL_HEADER: &str = "x-amz-object-lock-retain-until-date";
const COMPLIANCE_MODE: &str = "COMPLIANCE";
/// The error code of a bucket that was made without locks.
const NO_OBJECT_LOCK_CODE: &str = "ObjectLockConfigurationNotFoundError";
const SETTING_OFF: &str = "Off";
const SETTING_UNKNOWN: &str = "not told";
