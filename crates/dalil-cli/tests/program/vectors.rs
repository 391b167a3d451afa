//! Every vector under `spec/vectors` that names a command, through the real program.
//!
//! A vector is `{"about", "args", "input" | "input_text" | "input_base64", "lake"?, "exit",
//! "output" | "output_text"}`. `lake` maps paths to texts; they are laid out in an empty folder
//! whose path replaces `LAKE` in `args`. `DALIL_BLESS=1` writes the outputs anew; read every line
//! that it changes.

use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::run::{dalil, put, root};

#[test]
fn the_program_gives_what_every_vector_says() {
    let bless = std::env::var_os("DALIL_BLESS").is_some();
    let wrong: Vec<String> = vectors().iter().filter_map(|path| check(path, bless)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Runs one vector; returns how the program differs from it.
fn check(path: &Path, bless: bool) -> Option<String> {
    let mut vector: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let args = vector.get("args")?;
    let lake = lay_lake(path, vector.get("lake"));
    let args: Vec<String> = args
        .as_array()
        .unwrap()
        .iter()
        .map(|arg| arg.as_str().unwrap().replace("LAKE", &lake))
        .collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let input = match (vector.get("input_base64"), vector.get("input_text")) {
        (Some(encoded), _) => STANDARD.decode(encoded.as_str().unwrap()).unwrap(),
        (None, Some(text)) => text.as_str().unwrap().as_bytes().to_vec(),
        (None, None) => vector.get("input").map(Value::to_string).unwrap_or_default().into_bytes(),
    };
    let output = dalil(&args, &input);
    let (key, actual) = match serde_json::from_str::<Value>(&output.stdout) {
        Ok(value) => ("output", value),
        Err(_) => ("output_text", Value::from(output.stdout)),
    };
    if vector["exit"] == output.exit && vector.get(key) == Some(&actual) {
        return None;
    }
    if bless {
        let fields = vector.as_object_mut().unwrap();
        fields.retain(|name, _| !name.starts_with("output"));
        fields.insert("exit".to_owned(), output.exit.into());
        fields.insert(key.to_owned(), actual);
        let written = serde_json::to_string_pretty(&vector).unwrap() + "\n";
        put(path, written.as_bytes());
        return None;
    }
    let shown = serde_json::to_string_pretty(&actual).unwrap();
    Some(format!("{}: exit {}\n{}\n{shown}", path.display(), output.exit, output.stderr))
}

/// Lays out a vector's lake in an empty folder and returns its path.
fn lay_lake(vector: &Path, files: Option<&Value>) -> String {
    let name = format!("lake-{}", vector.strip_prefix(root()).unwrap().display()).replace('/', "-");
    let lake = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if lake.exists() {
        fs::remove_dir_all(&lake).unwrap();
    }
    fs::create_dir_all(&lake).unwrap();
    for (path, text) in files.and_then(Value::as_object).into_iter().flatten() {
        let path = lake.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::File::create(&path)
            .and_then(|mut file| {
                std::io::Write::write_all(&mut file, text.as_str().unwrap().as_bytes())
            })
            .unwrap();
    }
    lake.to_str().unwrap().to_owned()
}

/// Every JSON file under `spec/vectors`, in order.
fn vectors() -> Vec<PathBuf> {
    let mut folders = vec![root().join("spec/vectors")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "json") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}
