//! The vectors of `spec/pdf.md`. `DALIL_BLESS=1` writes the output of the press; look at the pages.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use dalil_evidence::ledger;
use dalil_evidence::ledger::request::LedgerRequest;
use dalil_phrasebook::Language;
use dalil_proof::digest::Digest;
use dalil_proof::json::Json;
use serde_json::{Value, json};

use crate::pdf::{self, PackPrintout, PrintoutAnswer};

/// The inputs of accepted vectors, with their output.
const PRESSED: [&str; 3] = ["pdf/pack.en.json", "pdf/pack.ar.json", "pdf/ledger.ar.json"];
/// The refused inputs.
const REFUSED: [&str; 4] = [
    "pdf/bad-history.json",
    "pdf/bad-limits.json",
    "pdf/bad-other-pack.json",
    "pdf/bad-spelling.json",
];

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/vectors").join(name)
}

fn put(path: &Path, bytes: &[u8]) {
    File::create(path).unwrap().write_all(bytes).unwrap();
}

fn read(name: &str) -> Value {
    serde_json::from_slice(&fs::read(path(name)).unwrap()).unwrap()
}

fn text<'v>(vector: &'v Value, name: &str) -> &'v str {
    vector[name].as_str().unwrap()
}

fn blessed(name: &str, mut vector: Value, key: &str, value: Value) {
    vector[key] = value;
    vector["press"] = json!(pdf::PRESS_VERSION);
    put(&path(name), (serde_json::to_string_pretty(&vector).unwrap() + "\n").as_bytes());
}

#[test]
fn the_press_makes_these_files() {
    for name in PRESSED {
        let vector = read(name);
        let language =
            Language::WIRE_NAMES.into_iter().find(|(word, _)| *word == text(&vector, "language"));
        let language = language.unwrap().1;
        let made = match vector.get("request") {
            Some(request) => {
                let request = LedgerRequest::read(request.to_string().as_bytes()).unwrap();
                let about = PrintoutAnswer::parse(text(&vector, "answer").as_bytes()).unwrap();
                pdf::ledger(&ledger::check(&request).unwrap(), &about, language).unwrap()
            }
            None => {
                let (pack, history) = (text(&vector, "pack"), text(&vector, "history"));
                let sheet = PackPrintout::read(pack.as_bytes(), history.as_bytes()).unwrap();
                pdf::pack(&sheet, language).unwrap()
            }
        };
        let file = path(name).with_extension("pdf");
        let digest = Digest::of(&made).to_string();
        if std::env::var_os("DALIL_BLESS").is_some() {
            put(&file, &made);
            blessed(name, vector, "sha256", json!(digest));
        } else {
            assert_eq!(
                (digest.as_str(), fs::read(file).unwrap() == made),
                (text(&vector, "sha256"), true),
                "{name}"
            );
        }
    }
}

#[test]
fn these_are_refused_with_every_fault() {
    for name in REFUSED {
        let vector = read(name);
        let (pack, history) = (text(&vector, "pack"), text(&vector, "history"));
        let refused = PackPrintout::read(pack.as_bytes(), history.as_bytes()).unwrap_err();
        let refused = serde_json::to_value(&refused).unwrap()["refused"].clone();
        if std::env::var_os("DALIL_BLESS").is_some() {
            blessed(name, vector, "refused", refused);
        } else {
            assert_eq!(refused, vector["refused"], "{name}");
        }
    }
}

#[test]
fn the_ledger_of_a_vector_is_the_one_of_its_request() {
    let vector = read("pdf/ledger.ar.json");
    let request = LedgerRequest::read(vector["request"].to_string().as_bytes()).unwrap();
    let ledger = ledger::check(&request).unwrap();
    let given = Json::parse(text(&vector, "ledger").as_bytes()).unwrap();
    assert_eq!(
        dalil_proof::canon::bytes(&ledger).unwrap(),
        dalil_proof::canon::bytes(&given).unwrap()
    );
}
