//! Real requests to start from: the examples, and the inputs of the vectors.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// The JSON files under a path from the repository's root whose names start with `start`.
pub(crate) fn examples(folder: &str, start: &str) -> Vec<Vec<u8>> {
    let wanted = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap();
        name.starts_with(start) && name.ends_with(".json")
    };
    files(folder).iter().filter(|path| wanted(path)).map(|path| fs::read(path).unwrap()).collect()
}

/// The inputs of the vectors of one format whose arguments start with `args`.
pub(crate) fn inputs(format: &str, args: &[&str]) -> Vec<Vec<u8>> {
    let mut inputs = Vec::new();
    for path in files(&format!("spec/vectors/{format}")) {
        let vector: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
        let runs = vector["args"].as_array().is_some_and(|given| {
            given.len() >= args.len() && args.iter().zip(given).all(|(a, b)| *a == b)
        });
        if let Some(input) = vector.get("input").filter(|_| runs) {
            inputs.push(input.to_string().into_bytes());
        }
    }
    inputs
}

/// The input texts of the vectors of one format.
pub(crate) fn texts(format: &str) -> Vec<Vec<u8>> {
    let mut texts = Vec::new();
    for path in files(&format!("spec/vectors/{format}")).iter().filter(|path| path.is_file()) {
        let vector: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
        texts.extend(vector["input_text"].as_str().map(|text| text.as_bytes().to_vec()));
    }
    texts
}

/// The requests of a corpus, each with one of its arrays made very long.
///
/// Work that grows faster than its input shows only here.
pub(crate) fn grown(corpus: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for bytes in corpus {
        let Ok(mut request) = serde_json::from_slice::<Value>(bytes) else { continue };
        for n in 0..arrays(&mut request).len() {
            let mut request = request.clone();
            let array = arrays(&mut request).swap_remove(n);
            let size = Value::Array(array.clone()).to_string().len();
            *array = array.iter().cycle().take(array.len() * (GROWN / size)).cloned().collect();
            all.push(request.to_string().into_bytes());
        }
    }
    all
}

/// Every array that is in no other array.
fn arrays(value: &mut Value) -> Vec<&mut Vec<Value>> {
    match value {
        Value::Array(items) => vec![items],
        Value::Object(members) => members.values_mut().flat_map(arrays).collect(),
        _ => Vec::new(),
    }
}

/// The files of a folder, in order; none when it is not there.
fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// How many bytes of items a grown array has, about.
const GROWN: usize = 200_000;
