//! Object lock: the server keeps an object from everybody until a time.

use bytes::Bytes;
use dalil_core::time::Time;
use object_store::client::{HttpClient, HttpConnector};
use object_store::path::Path;
use object_store::{ClientOptions, HeaderMap, HeaderValue, ObjectStore as _, PutMode};
use reqwest::{Method, Response};

use super::answer::{code, tag, unavailable};
use super::version::Signed;
use super::{Bucket, builder, shown};
use crate::error::Error;
use crate::lake::Guards;
use crate::lake::key::{Key, PUT};

impl Bucket {
    /// Puts an object with a lock; says whether the bucket knows locks.
    ///
    /// Over an object that is there it lays the same bytes: such a bucket keeps
    /// versions, and this one is locked.
    pub(super) async fn put_locked(
        &self,
        key: &Key,
        bytes: Bytes,
        until: Time,
    ) -> Result<bool, Error> {
        let failed = |error| unavailable(PUT, &self.shown(key), &error);
        // Headers of a client are signed; those of a request would not be.
        let mut headers = HeaderMap::new();
        headers.insert(MODE, HeaderValue::from_static(COMPLIANCE));
        if let Ok(date) = HeaderValue::from_str(&until.to_string()) {
            headers.insert(DATE, date);
        }
        let store = builder(&self.place, ClientOptions::new().with_default_headers(headers))
            .with_credentials(self.store.credentials().clone())
            .with_http_connector(Shared(HttpClient::new(self.client.clone())))
            .build()
            .map_err(failed)?;
        match store.put_opts(&self.path(key), bytes.into(), PutMode::Overwrite.into()).await {
            Ok(_) => Ok(true),
            Err(error) if !code(&error).starts_with("Invalid") => Err(failed(error)),
            Err(_) if !self.has_locks(self.shown(key)).await? => Ok(false),
            Err(_) => Err(Error::refused(PUT, self.shown(key))
                .saw("a time to come until which the object is locked", until)
                .hint("a lock begins when it is made; give a later time")),
        }
    }

    /// Whether the bucket was made with object lock.
    async fn has_locks(&self, place: String) -> Result<bool, Error> {
        Ok(self.about("object-lock", place).await?.status().is_success())
    }

    /// What the server says about the bucket's locks and versions.
    pub(in crate::lake) async fn guards(&self) -> Result<Guards, Error> {
        let place = shown(&self.place);
        let (is_told, text) = read(self.about("object-lock", place.clone()).await?).await;
        let word = |name| tag(&text, name).map(str::to_owned);
        let object_lock = match (is_told, word("ObjectLockEnabled"), word("Code")) {
            (true, Some(state), _) => state,
            (true, None, _) => OFF.to_owned(),
            (false, _, Some(code)) if code == NO_LOCKS => OFF.to_owned(),
            (false, _, code) => code.unwrap_or_else(|| UNTOLD.to_owned()),
        };
        let length = [("Days", "days"), ("Years", "years")];
        let length = length.iter().find_map(|(name, unit)| Some(format!("{} {unit}", word(name)?)));
        let retention = word("Mode").zip(length).map(|(mode, length)| format!("{mode}, {length}"));
        let (is_told, text) = read(self.about("versioning", place).await?).await;
        let said = tag(&text, if is_told { "Status" } else { "Code" }).map(str::to_owned);
        let unsaid = if is_told { OFF } else { UNTOLD };
        let versioning = said.unwrap_or_else(|| unsaid.to_owned());
        Ok(Guards { object_lock, retention, versioning })
    }

    /// Asks for a setting of the bucket.
    async fn about(&self, setting: &'static str, place: String) -> Result<Response, Error> {
        let (path, query) = (Path::default(), vec![(setting, String::new())]);
        self.send(Signed { what: PUT, place, method: Method::GET, path: &path, query }).await
    }

    /// Whether the server says that the object is locked until then or longer.
    pub(super) async fn is_locked(&self, key: &Key, until: Time) -> Result<bool, Error> {
        let answer = self
            .send(Signed {
                what: PUT,
                place: self.shown(key),
                method: Method::HEAD,
                path: &self.path(key),
                query: Vec::new(),
            })
            .await?;
        let header = |name| answer.headers().get(name).and_then(|value| value.to_str().ok());
        let date = header(DATE).and_then(|date| date.parse::<Time>().ok());
        // Servers may drop what is finer than a second.
        let enough = |date: Time| date.millis() / 1000 >= until.millis() / 1000;
        Ok(header(MODE) == Some(COMPLIANCE) && date.is_some_and(enough))
    }
}

/// Whether the server did as it was asked, and its words.
async fn read(answer: Response) -> (bool, String) {
    (answer.status().is_success(), answer.text().await.unwrap_or_default())
}

/// Gives every S3 client the one HTTP client, with its connections.
#[derive(Debug)]
struct Shared(HttpClient);

impl HttpConnector for Shared {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(self.0.clone())
    }
}

const MODE: &str = "x-amz-object-lock-mode";
const DATE: &str = "x-amz-object-lock-retain-until-date";
const COMPLIANCE: &str = "COMPLIANCE";
/// How a server says that a bucket was made without locks.
const NO_LOCKS: &str = "ObjectLockConfigurationNotFoundError";
const OFF: &str = "Off";
const UNTOLD: &str = "not told";
