//! Deleting for good, where a bucket keeps versions.

use std::time::Duration;

use object_store::path::Path;
use object_store::signer::{SignedUrlOptions, Signer as _};
use quick_xml::events::Event;
use reqwest::{Method, Response, StatusCode};

use super::BucketLake;
use super::answer::{bracketed, tag, unavailable};
use crate::error::Error;
use crate::lake::key::{DELETE_OBJECT, ObjectKey};

impl BucketLake {
    /// Deletes every version of an object; returns whether it existed.
    pub(in crate::lake) async fn delete(&self, key: &ObjectKey) -> Result<bool, Error> {
        let was_there = self.size(key).await?.is_some();
        let path = self.path(key);
        for version in self.versions(key, &path).await? {
            let (place, query) = (self.shown(key), vec![("versionId", version)]);
            let answer = self
                .send(PresignedRequest {
                    what: DELETE_OBJECT,
                    place,
                    method: Method::DELETE,
                    path: &path,
                    query,
                })
                .await?;
            let status = answer.status();
            if !status.is_success() && status != StatusCode::NOT_FOUND {
                return Err(refused(answer, self.shown(key)).await);
            }
        }
        // A success for each version does not say that there was no other meanwhile.
        if self.size(key).await?.is_some() {
            return Err(Error::unavailable(DELETE_OBJECT, self.shown(key))
                .saw("no object after it was deleted", "one")
                .hint("another writer put it again, or the server keeps it; do it again"));
        }
        Ok(was_there)
    }

    /// The versions of an object, the marks of deletion among them.
    pub(in crate::lake) async fn versions(
        &self,
        key: &ObjectKey,
        path: &Path,
    ) -> Result<Vec<String>, Error> {
        // Marks of deletion are versions too; left behind, they would keep the name.
        let query = vec![("versions", String::new()), ("prefix", path.to_string())];
        let (place, path_of_all) = (self.shown(key), Path::default());
        let answer = self
            .send(PresignedRequest {
                what: DELETE_OBJECT,
                place,
                method: Method::GET,
                path: &path_of_all,
                query,
            })
            .await?;
        if !answer.status().is_success() {
            return Err(refused(answer, self.shown(key)).await);
        }
        let failed = |found: String| {
            Error::unavailable(DELETE_OBJECT, self.shown(key)).saw("a list of versions", found)
        };
        let text = answer.text().await.map_err(|error| failed(error.to_string()))?;
        // Half an erasure must not look like a whole one.
        if tag(&text, "IsTruncated") == Some("true") {
            return Err(failed("more than a thousand".to_owned()));
        }
        versions(&text, path.as_ref()).ok_or_else(|| failed("another answer".to_owned()))
    }

    /// Sends a request that the S3 client signs but has no method for.
    pub(super) async fn send(&self, request: PresignedRequest<'_>) -> Result<Response, Error> {
        let PresignedRequest { what, place, method, path, query } = request;
        let options = SignedUrlOptions::default().with_query(query);
        let signed =
            self.store.signed_url_opts(method.clone(), path, MAX_SIGNATURE_AGE, &options).await;
        let url = signed.map_err(|error| unavailable(what, &place, &error))?;
        self.client.request(method, url).send().await.map_err(|error| {
            let found = if error.is_timeout() { "no answer in time" } else { "no connection" };
            Error::unavailable(what, &place)
                .saw("an answer of the server", found)
                .hint("see that the server runs and can be reached; doing it again is safe")
        })
    }
}

/// A request to the path of an object or of the bucket, and what messages say it is about.
pub(super) struct PresignedRequest<'k> {
    pub(super) what: &'static str,
    pub(super) place: String,
    pub(super) method: Method,
    pub(super) path: &'k Path,
    pub(super) query: Vec<(&'static str, String)>,
}

/// The version ids that a list has for one key.
fn versions(text: &str, key: &str) -> Option<Vec<String>> {
    let mut reader = quick_xml::Reader::from_str(text);
    let (mut versions, mut element) = (Vec::new(), String::new());
    let (mut named, mut id) = (String::new(), String::new());
    loop {
        match reader.read_event().ok()? {
            Event::Start(start) => element = start.local_name().as_ref().to_owned(),
            Event::Text(text) => match element.as_str() {
                "Key" => named.push_str(&text),
                "VersionId" => id.push_str(&text),
                _ => {}
            },
            Event::End(end) => {
                element.clear();
                if matches!(end.local_name().as_ref(), "Version" | "DeleteMarker") {
                    // A prefix also matches longer names.
                    if named == key {
                        versions.push(std::mem::take(&mut id));
                    }
                    (named, id) = Default::default();
                }
            }
            Event::Eof => return Some(versions),
            _ => {}
        }
    }
}

async fn refused(answer: Response, place: String) -> Error {
    let status = answer.status();
    let text = answer.text().await.ok();
    let code = text.as_deref().and_then(|text| tag(text, "Code"));
    let code = code.map_or_else(String::new, bracketed);
    if status == StatusCode::FORBIDDEN {
        return Error::refused(DELETE_OBJECT, place)
            .saw("an object that may be deleted", format!("a server that refuses{code}"))
            .hint("it is locked until its retention ends, or the credentials may not delete");
    }
    Error::unavailable(DELETE_OBJECT, place)
        .saw("an answer of the server", format!("status {}{code}", status.as_u16()))
        .hint("the object is still there, or may be; doing it again is safe")
}

/// How long a signature holds.
const MAX_SIGNATURE_AGE: Duration = Duration::from_secs(60);
