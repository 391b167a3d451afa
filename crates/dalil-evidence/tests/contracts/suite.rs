//! The cases of one contract, and how their numbers are compared.

use serde_json::{Value, json};

/// The cases of a contract, in order.
pub(crate) fn cases(seed: &str) -> Vec<Value> {
    let text = include_str!("../../../../suite/contracts.json");
    let all: Value = serde_json::from_str(text).unwrap();
    all[seed].as_array().unwrap().clone()
}

/// The same value with every number as a double, since `0` and `0.0` are one JSON number.
pub(crate) fn floats(value: &Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64().unwrap()),
        Value::Array(items) => items.iter().map(floats).collect(),
        Value::Object(members) => {
            members.iter().map(|(key, value)| (key.clone(), floats(value))).collect()
        }
        Value::Null | Value::Bool(_) | Value::String(_) => value.clone(),
    }
}
