//! The operations of an OpenAPI document.

use serde_json::Value;

use super::schema::{self, ReferenceField};

/// One operation.
pub(in crate::viewer) struct ReferenceOperation {
    pub(in crate::viewer) id: String,
    /// In upper case.
    pub(in crate::viewer) method: String,
    pub(in crate::viewer) path: String,
    pub(in crate::viewer) summary: String,
    pub(in crate::viewer) description: String,
    /// Whether it needs no credential.
    pub(in crate::viewer) is_open: bool,
    pub(in crate::viewer) parameters: Vec<ReferenceParameter>,
    pub(in crate::viewer) body: Option<ReferenceBody>,
    pub(in crate::viewer) replies: Vec<ReferenceReply>,
}

/// A part of the path or of the query.
pub(in crate::viewer) struct ReferenceParameter {
    pub(in crate::viewer) name: String,
    /// `path`, `query` or `header`.
    pub(in crate::viewer) place: String,
    pub(in crate::viewer) kind: String,
    pub(in crate::viewer) is_required: bool,
    pub(in crate::viewer) description: String,
    pub(in crate::viewer) example: String,
}

/// The body of a request or of a reply.
pub(in crate::viewer) struct ReferenceBody {
    pub(in crate::viewer) media_type: String,
    pub(in crate::viewer) kind: String,
    pub(in crate::viewer) fields: Vec<ReferenceField>,
    pub(in crate::viewer) example: Option<String>,
}

/// One status.
pub(in crate::viewer) struct ReferenceReply {
    pub(in crate::viewer) status: String,
    pub(in crate::viewer) description: String,
    pub(in crate::viewer) body: Option<ReferenceBody>,
}

impl ReferenceOperation {
    /// Whether it takes JSON, which can be typed.
    pub(in crate::viewer) fn takes_json(&self) -> bool {
        self.body.as_ref().is_some_and(|body| body.media_type == JSON)
    }

    /// Whether it takes a file.
    pub(in crate::viewer) fn takes_file(&self) -> bool {
        self.body.as_ref().is_some_and(|body| body.media_type != JSON)
    }

    /// Where the chosen file is named.
    pub(in crate::viewer) fn chosen_id(&self) -> String {
        format!("{}-chosen", self.id)
    }

    /// The same in a shell.
    pub(in crate::viewer) fn curl(&self) -> String {
        let Self { method, path, .. } = self;
        let key = if self.is_open { "" } else { " --header \"Authorization: Bearer $DALIL_KEY\"" };
        let body = match &self.body {
            Some(body) if body.media_type == JSON => {
                format!(" --header 'Content-Type: {JSON}' --data @request.json")
            }
            Some(body) => {
                format!(" --header 'Content-Type: {}' --data-binary @FILE", body.media_type)
            }
            None => String::new(),
        };
        format!("curl --request {method}{key}{body} \"$DALIL_URL{path}\"")
    }
}

/// Every operation with its tag, in the order of the document.
pub(super) fn all(document: &Value) -> Vec<(String, ReferenceOperation)> {
    let paths = document.get("paths").and_then(Value::as_object);
    let items = paths.into_iter().flatten();
    let operations = items.flat_map(|(path, item)| {
        item.as_object().into_iter().flatten().map(move |(method, told)| (path, method, told))
    });
    let read = |(path, method, told): (&String, &String, &Value)| {
        let tag = told.pointer("/tags/0").and_then(Value::as_str).unwrap_or("server");
        (tag.to_owned(), operation(document, (path, method), told))
    };
    operations.map(read).collect()
}

fn operation(document: &Value, (path, method): (&str, &str), told: &Value) -> ReferenceOperation {
    let list = |name: &str| told.get(name).and_then(Value::as_array).into_iter().flatten();
    let replies = told.get("responses").and_then(Value::as_object).into_iter().flatten();
    ReferenceOperation {
        id: text(told, "operationId"),
        method: method.to_uppercase(),
        path: path.to_owned(),
        summary: text(told, "summary"),
        description: text(told, "description"),
        is_open: list("security").next().is_none(),
        parameters: list("parameters").map(|one| parameter(document, one)).collect(),
        body: told.get("requestBody").and_then(|body| content(document, body)),
        replies: replies.map(|(status, one)| reply(document, status, one)).collect(),
    }
}

fn parameter(document: &Value, told: &Value) -> ReferenceParameter {
    let schema = told.get("schema").unwrap_or(&Value::Null);
    let example = told.get("example").or_else(|| schema.get("default"));
    ReferenceParameter {
        name: text(told, "name"),
        place: text(told, "in"),
        kind: schema::kind(document, schema),
        is_required: told.get("required") == Some(&Value::Bool(true)),
        description: text(told, "description"),
        example: match example {
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
            None => String::new(),
        },
    }
}

fn reply(document: &Value, status: &str, told: &Value) -> ReferenceReply {
    let told = schema::resolved(document, told);
    // A problem has the same body everywhere, which the first page describes.
    let body = content(document, told).filter(|body| body.media_type != PROBLEM);
    ReferenceReply { status: status.to_owned(), description: text(told, "description"), body }
}

/// The first form of a body: JSON where there is any.
fn content(document: &Value, told: &Value) -> Option<ReferenceBody> {
    let forms = told.get("content")?.as_object()?;
    let (media_type, form) = forms.get_key_value(JSON).or_else(|| forms.iter().next())?;
    let schema = form.get("schema").unwrap_or(&Value::Null);
    let example = form.get("example").filter(|example| !example.is_null());
    let example = example.map(|example| match example {
        Value::String(text) => text.clone(),
        other => serde_json::to_string_pretty(other).unwrap_or_else(|_| other.to_string()),
    });
    Some(ReferenceBody {
        media_type: media_type.clone(),
        kind: schema::kind(document, schema),
        fields: schema::fields(document, schema),
        example,
    })
}

pub(super) fn text(told: &Value, name: &str) -> String {
    told.get(name).and_then(Value::as_str).map_or_else(String::new, str::to_owned)
}

const JSON: &str = "application/json";
const PROBLEM: &str = "application/problem+json";
