//! Resources: ledgers and packs, each under the address that a template gives it.

use serde_json::{Value, json};

use super::door::ApiCall;
use crate::percent::seg;

/// The addresses that resources have.
pub(super) fn templates() -> Value {
    json!({"resourceTemplates": [
        {"uriTemplate": "dalil://sessions/{session_id}/ledger", "name": "ledger",
         "mimeType": JSON_MEDIA_TYPE},
        {"uriTemplate": "dalil://packs/{pack_id}", "name": "pack", "mimeType": JSON_MEDIA_TYPE},
    ]})
}

/// The address of the ledger of a session.
pub(super) fn ledger_uri(session_id: &str) -> String {
    format!("dalil://sessions/{}/ledger", seg(session_id))
}

/// The request of the API that shows a resource; none where an address names none.
pub(super) fn call(uri: &str) -> Option<ApiCall> {
    let parts: Vec<&str> = uri.strip_prefix("dalil://")?.split('/').collect();
    let path = match parts.as_slice() {
        ["sessions", id, "ledger"] => format!("/api/v1/sessions/{}/ledger", plain(id)?),
        ["packs", id] => format!("/api/v1/packs/{}", plain(id)?),
        _ => return None,
    };
    Some(ApiCall::get(path))
}

/// A part of an address that has nothing in it but itself.
fn plain(part: &str) -> Option<&str> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~%".contains(&byte);
    (!part.is_empty() && part.bytes().all(is_plain)).then_some(part)
}

/// The requests that list the newest sessions and packs.
pub(super) fn list_calls() -> [ApiCall; 2] {
    ["sessions", "packs"].map(|noun| ApiCall::get(format!("/api/v1/{noun}?order=newest&limit=50")))
}

/// A session or a pack of a list as a resource.
pub(super) fn listed(item: &Value) -> Option<Value> {
    let resource = |uri: String, name: &str, title: &Value| {
        let mut told = json!({"uri": uri, "name": name, "mimeType": JSON_MEDIA_TYPE});
        if let (Value::String(_), Some(fields)) = (title, told.as_object_mut()) {
            fields.insert("title".to_owned(), title.clone());
        }
        told
    };
    if let Some(id) = item["pack_id"].as_str() {
        return Some(resource(format!("dalil://packs/{}", seg(id)), id, &item["status"]));
    }
    let id = item["session_id"].as_str()?;
    Some(resource(ledger_uri(id), id, &item["query"]))
}

pub(super) const JSON_MEDIA_TYPE: &str = "application/json";
