//! The fields of a schema, one under the other.

use serde_json::Value;

use super::operation::text;

/// A field of a body.
pub(in crate::viewer) struct ReferenceField {
    /// With the names of the fields around it: `claims[].text`.
    pub(in crate::viewer) name: String,
    pub(in crate::viewer) kind: String,
    pub(in crate::viewer) is_required: bool,
    pub(in crate::viewer) description: String,
}

/// The fields of a schema and of those inside it, as far as a page can show them.
pub(super) fn fields(document: &Value, schema: &Value) -> Vec<ReferenceField> {
    let mut found = Vec::new();
    put(document, schema, &mut FieldPlace { prefix: String::new(), depth: 0 }, &mut found);
    found
}

/// The place of fields in a schema.
struct FieldPlace {
    prefix: String,
    depth: usize,
}

fn put(document: &Value, schema: &Value, at: &mut FieldPlace, found: &mut Vec<ReferenceField>) {
    let schema = resolved(document, plain(schema));
    if let Some(items) = schema.get("items") {
        let prefix = format!("{}[]", at.prefix);
        return put(document, items, &mut FieldPlace { prefix, depth: at.depth }, found);
    }
    for variant in schema.get("oneOf").and_then(Value::as_array).into_iter().flatten() {
        put(document, variant, at, found);
    }
    let required = schema.get("required").and_then(Value::as_array);
    let is_required =
        |name: &str| required.is_some_and(|names| names.iter().any(|one| one == name));
    for (name, inner) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let dot = if at.prefix.is_empty() { "" } else { "." };
        let name_here = format!("{}{dot}{name}", at.prefix);
        // Variants of one shape repeat their shared fields.
        if found.len() >= MAX_FIELDS || found.iter().any(|one| one.name == name_here) {
            continue;
        }
        found.push(ReferenceField {
            kind: kind(document, inner),
            is_required: is_required(name),
            description: description(document, inner),
            name: name_here.clone(),
        });
        if at.depth < MAX_DEPTH {
            let mut inside = FieldPlace { prefix: name_here, depth: at.depth + 1 };
            put(document, inner, &mut inside, found);
        }
    }
}

/// The type of a value: `string`, `integer`, `array of string`, the words that it can be.
pub(super) fn kind(document: &Value, schema: &Value) -> String {
    let schema = resolved(document, plain(schema));
    let words = schema.get("enum").and_then(Value::as_array);
    if let Some(words) = words.filter(|words| words.len() <= MAX_WORDS) {
        let words = words.iter().filter_map(Value::as_str).map(|word| format!("`{word}`"));
        return words.collect::<Vec<_>>().join(" | ");
    }
    if let Some(items) = schema.get("items") {
        return format!("array of {}", kind(document, items));
    }
    match schema.get("type") {
        Some(Value::String(kind)) => kind.clone(),
        Some(Value::Array(kinds)) => {
            let kinds = kinds.iter().filter_map(Value::as_str).filter(|kind| *kind != "null");
            kinds.collect::<Vec<_>>().join(" | ")
        }
        _ if schema.get("oneOf").is_some() => "object".to_owned(),
        _ => "any".to_owned(),
    }
}

/// The description of a field, or else of its schema.
fn description(document: &Value, schema: &Value) -> String {
    let own = text(plain(schema), "description");
    if own.is_empty() { text(resolved(document, plain(schema)), "description") } else { own }
}

/// A schema without the `null` of a value which may be missing.
fn plain(schema: &Value) -> &Value {
    let Some(Value::Array(variants)) = schema.get("oneOf") else { return schema };
    let is_null = |one: &&Value| one.get("type").is_some_and(|kind| kind == "null");
    match variants.iter().filter(|one| !is_null(one)).collect::<Vec<_>>().as_slice() {
        [only] => only,
        _ => schema,
    }
}

/// The target of a reference, or the value itself.
pub(super) fn resolved<'d>(document: &'d Value, value: &'d Value) -> &'d Value {
    let place = value.get("$ref").and_then(Value::as_str).and_then(|place| place.strip_prefix('#'));
    place.and_then(|place| document.pointer(place)).unwrap_or(value)
}

/// Deeper, and beyond this many, the document itself is read.
const MAX_DEPTH: usize = 2;
const MAX_FIELDS: usize = 60;
/// More words than these are described where they are defined.
const MAX_WORDS: usize = 12;
