//! The reference page: the OpenAPI document as a list that people read.

use std::collections::BTreeMap;

use serde_json::Value;

/// The page of a document.
pub(super) fn html(document: &str) -> Result<String, serde_json::Error> {
    let document: Value = serde_json::from_str(document)?;
    let mut tags: BTreeMap<String, String> = BTreeMap::new();
    let paths = document.get("paths").and_then(Value::as_object);
    for (path, item) in paths.into_iter().flatten() {
        for (method, operation) in item.as_object().into_iter().flatten() {
            let tag = operation.pointer("/tags/0").and_then(Value::as_str).unwrap_or("other");
            tags.entry(tag.to_owned()).or_default().push_str(&route(path, method, operation));
        }
    }
    let body: String = tags
        .iter()
        .map(|(tag, routes)| format!("<section><h2>{}</h2>{routes}</section>", safe(tag)))
        .collect();
    Ok(format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Dalil API</title>\
         <meta name=\"viewport\" content=\"width=device-width\">\
         <link rel=\"stylesheet\" href=\"/api/v1/reference.css\"></head><body><main>\
         <h1>Dalil API</h1><p>The same as <a href=\"/api/v1/openapi.json\">OpenAPI</a>. \
         Credentials: <code>Authorization: Bearer …</code>. Errors: RFC 9457.</p>\
         {body}</main></body></html>"
    ))
}

fn route(path: &str, method: &str, operation: &Value) -> String {
    let text = |name| operation.get(name).and_then(Value::as_str).map_or_else(String::new, safe);
    let statuses = operation.get("responses").and_then(Value::as_object);
    let statuses: Vec<String> =
        statuses.into_iter().flatten().map(|(code, _)| safe(code)).collect();
    format!(
        "<article><h3><code>{} {}</code></h3><p>{}</p><p>{}</p><p class=\"codes\">{}</p></article>",
        safe(&method.to_uppercase()),
        safe(path),
        text("summary"),
        text("description"),
        statuses.join(" ")
    )
}

fn safe(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

/// How the page looks.
pub(super) const REFERENCE_CSS: &str = "body{font:16px/1.5 system-ui,sans-serif;margin:0;color-scheme:light dark}\
main{max-width:60rem;margin:auto;padding:1rem}article{border-top:1px solid;padding:.5rem 0}\
h3{margin:0}p{margin:.25rem 0}.codes{font-size:.85em}";
