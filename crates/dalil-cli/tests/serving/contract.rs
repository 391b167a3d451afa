//! Every JSON body that passes through a test, held against the OpenAPI document.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, OnceLock};

use dalil_server::routes::RouteTable;
use jsonschema::{Draft, Validator};
use serde_json::{Map, Value, json};

use crate::server::Answer;

/// The document, as the routes make it.
pub(crate) fn document() -> Value {
    serde_json::to_value(RouteTable::new().document()).unwrap()
}

/// The document, with a validator for each body that was asked about.
pub(crate) struct ApiContract {
    document: Value,
    validators: Mutex<HashMap<String, Arc<Validator>>>,
}

/// The one document of this process.
pub(crate) fn contract() -> &'static ApiContract {
    static CONTRACT: OnceLock<ApiContract> = OnceLock::new();
    CONTRACT.get_or_init(|| {
        let mut document = document();
        close(&mut document["components"]["schemas"]);
        close(&mut document["paths"]);
        ApiContract { document, validators: Mutex::default() }
    })
}

/// Refuses fields that the document does not name, which readers of the document may get.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            let is_object = members.get("type") == Some(&json!("object"));
            if is_object && !members.contains_key("additionalProperties") {
                members.insert("additionalProperties".to_owned(), json!(false));
            }
            let inner = members.iter_mut().filter(|(name, _)| *name != "example");
            inner.for_each(|(_, value)| close(value));
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => (),
    }
}

impl ApiContract {
    /// Returns every place in which a value does not match the schema at a place.
    pub(crate) fn faults(&self, place: &str, value: &Value) -> Vec<String> {
        let validator = self.validator(place);
        let faults = validator.iter_errors(value);
        faults.map(|fault| format!("{}: {fault}", fault.instance_path())).collect()
    }

    fn validator(&self, place: &str) -> Arc<Validator> {
        let mut known = self.validators.lock().unwrap();
        let made = known.entry(place.to_owned()).or_insert_with(|| {
            let schema = json!({
                "components": {"schemas": self.document["components"]["schemas"]},
                "allOf": [self.document.pointer(place).unwrap()],
            });
            let options = jsonschema::options().with_draft(Draft::Draft202012);
            Arc::new(options.should_validate_formats(true).build(&schema).unwrap())
        });
        Arc::clone(made)
    }

    /// The place of the operation that answers a request, and the operation.
    fn operation(&self, method: &str, path: &str) -> Option<(String, &Value)> {
        let asked: Vec<&str> = path.split('/').collect();
        let is_name = |part: &str| part.starts_with('{');
        let fits = |known: &str| {
            let known: Vec<&str> = known.split('/').collect();
            let same = |(known, asked): (&&str, &&str)| is_name(known) || known == asked;
            known.len() == asked.len() && known.iter().zip(&asked).all(same)
        };
        let paths = self.document["paths"].as_object().unwrap();
        let method = method.to_ascii_lowercase();
        let found = paths.iter().filter(|(known, item)| fits(known) && item.get(&method).is_some());
        // `/packs/seal` before `/packs/{pack_id}`.
        let found =
            found.min_by_key(|(known, _)| known.split('/').filter(|part| is_name(part)).count());
        let (known, item) = found?;
        let place = known.replace('~', "~0").replace('/', "~1");
        Some((format!("/paths/{place}/{method}"), &item[&method]))
    }

    /// Fails for a body that the document does not describe.
    #[track_caller]
    pub(crate) fn check(
        &self,
        (method, path): (&str, &str),
        asked: Option<&[u8]>,
        answer: &Answer,
    ) {
        let path = path.split('?').next().unwrap_or_default();
        let Some((place, operation)) = self.operation(method, path) else { return };
        let status = answer.status.to_string();
        let kind = answer.header("content-type");
        if kind == "application/problem+json" {
            self.fits("/components/schemas/Problem", &answer.json(), (method, path));
            return;
        }
        let described = &operation["responses"][&status]["content"];
        if kind == "application/json" && described.get("*/*").is_none() {
            let place = format!("{place}/responses/{status}/content/application~1json/schema");
            assert!(
                self.document.pointer(&place).is_some(),
                "{method} {path}: {status} is not described"
            );
            self.fits(&place, &answer.json(), (method, path));
        }
        if kind == "text/event-stream" {
            let place = format!("{place}/responses/{status}/content/text~1event-stream/schema");
            for event in events(answer) {
                self.fits(&place, &event, (method, path));
            }
        }
        let request = format!("{place}/requestBody/content/application~1json/schema");
        let taken = (200..300).contains(&answer.status);
        let lines = format!("{place}/requestBody/content/application~1x-ndjson/schema");
        let is_described = |place: &str| self.document.pointer(place).is_some();
        let asked = asked.filter(|_| taken);
        let json = asked.filter(|_| is_described(&request));
        let json = json.map(|body| serde_json::from_slice(body).unwrap());
        if let Some(asked) = &json {
            self.fits(&request, asked, (method, path));
        }
        let lines = asked.filter(|_| is_described(&lines));
        let asked = json.or_else(|| lines.map(|body| json!(String::from_utf8_lossy(body))));
        if taken {
            record(operation, asked, answer);
        }
    }

    #[track_caller]
    fn fits(&self, place: &str, value: &Value, asked: (&str, &str)) {
        let faults = self.faults(place, value);
        assert!(faults.is_empty(), "{asked:?}, {place}: {faults:#?}\n{value:#}");
    }
}

/// The events of a stream, each as its fields.
fn events(answer: &Answer) -> Vec<Value> {
    let text = answer.text();
    let blocks = text.split_terminator("\n\n");
    let fields = |block: &str| {
        let fields = block.lines().filter_map(|line| line.split_once(": "));
        // The name before a colon at the beginning of a line is empty: a comment keeps alive.
        let fields = fields.filter(|(name, _)| !name.is_empty());
        fields.map(|(name, value)| (name.to_owned(), json!(value))).collect()
    };
    blocks.map(fields).filter(|fields: &Map<_, _>| !fields.is_empty()).map(Value::Object).collect()
}

thread_local! {
    /// The first request and reply of each operation, while a test asks for them.
    static RECORDED: RefCell<Option<BTreeMap<String, Value>>> = const { RefCell::new(None) };
}

fn record(operation: &Value, asked: Option<Value>, answer: &Answer) {
    RECORDED.with_borrow_mut(|recorded| {
        let Some(recorded) = recorded else { return };
        let id = operation["operationId"].as_str().unwrap();
        let example = recorded.entry(id.to_owned()).or_insert_with(|| json!({}));
        if let (Some(asked), None) = (asked, example.get("request")) {
            example["request"] = asked;
        }
        let kind = answer.header("content-type").split(';').next().unwrap_or_default();
        let status = answer.status.to_string();
        // Files may have any type, and pages are of no use as an example.
        if operation["responses"][&status]["content"].get(kind).is_none() {
            return;
        }
        let reply = match kind {
            "application/json" => answer.json(),
            "text/plain" | "application/x-ndjson" => json!(answer.text()),
            "text/event-stream" => events(answer).swap_remove(0),
            _ => return,
        };
        let replies = example.as_object_mut().unwrap().entry("replies").or_insert(json!({}));
        let replies: &mut Map<String, Value> = replies.as_object_mut().unwrap();
        replies.entry(status).or_insert(reply);
    });
}

/// Does something, and gives the first request and reply of each operation in it.
pub(crate) fn recorded(act: impl FnOnce()) -> BTreeMap<String, Value> {
    RECORDED.set(Some(BTreeMap::new()));
    act();
    RECORDED.take().unwrap_or_default()
}
