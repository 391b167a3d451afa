//! Every vector of `spec/vectors` that verifies a file, through the functions of the module.
//!
//! `suite/npm` gives the same vectors to the module itself, in Node and in Chromium.

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fs;
    use std::path::{Path, PathBuf};

    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use dalil_proof::digest::Digest;
    use dalil_wasm::verification::{self, VerifyInput};
    use expect_test::expect;
    use serde_json::{Value, json};

    #[test]
    fn every_vector_has_the_verdict_of_the_program() {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let mut wrong = Vec::new();
        for path in vectors() {
            let vector: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
            let is_verified = vector["args"][0] == "verify" && vector.get("output").is_some();
            if !is_verified {
                continue;
            }
            let folder = path.parent().and_then(Path::file_name).unwrap().to_string_lossy();
            *counts.entry(folder.into_owned()).or_default() += 1;
            let found = verified(&vector);
            if found != vector["output"] {
                wrong.push(format!("{}\n{found:#}", path.display()));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
        let counts: Vec<String> =
            counts.iter().map(|(name, count)| format!("{name} {count}")).collect();
        expect![[r#"
            archive 50
            checkpoint 46
            completeness 9
            in-toto 18
            pack 32
            timestamp 38
            trail 88"#]]
        .assert_eq(&counts.join("\n"));
    }

    #[test]
    fn a_request_with_faults_is_refused_with_all_of_them() {
        let request = json!({"at": "yesterday", "lang": "fr", "keys": ["k"], "tenant": "acme"});
        expect![[r#"
            {
              "refused": [
                {
                  "message": "expected an RFC 3339 time such as `2026-01-03T14:30:00Z`, found `yesterday`",
                  "path": "at",
                  "rule": "time"
                },
                {
                  "message": "expected one of `en`, `ar`, found `fr`",
                  "path": "lang",
                  "rule": "choice"
                },
                {
                  "message": "expected a verifier key `name+hash+base64`, found `k`",
                  "path": "keys[0]",
                  "rule": "key"
                },
                {
                  "hint": "remove the field or correct its name",
                  "message": "expected only at, lang, trust, own_trust, growth, keys, witnesses, origin, found a field it does not know",
                  "path": "tenant",
                  "rule": "unknown_field"
                }
              ]
            }"#]].assert_eq(&format!("{:#}", asked(&request, b"{}", None, None)));
        let request = json!({"at": AT});
        expect![[r#"
            {
              "refused": [
                {
                  "message": "expected a statement of completeness, found another file",
                  "path": "trail",
                  "rule": "statement"
                }
              ]
            }"#]]
        .assert_eq(&format!("{:#}", asked(&request, b"{}", Some(b""), None)));
    }

    #[test]
    fn the_keys_of_ones_own_trail_say_nothing_about_a_file_of_another() {
        let keys = |vector: &Value| {
            let args = vector["args"].as_array().unwrap();
            vec![args[args.iter().position(|one| one == "--key").unwrap() + 1].clone()]
        };
        let told = |name: &str, trust: &str, origin: &str| {
            let path = root().join("spec/vectors/pack").join(name);
            let vector: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
            // Of another trail the keys are others, too.
            let keys = if origin == OWN { keys(&vector) } else { vec![json!(OTHER_KEY)] };
            let mut request = json!({"at": AT});
            request[trust] = json!({"origin": origin, "keys": keys});
            let file = vector["input"].to_string();
            asked(&request, file.as_bytes(), None, None)["verdict"].as_str().unwrap().to_owned()
        };
        let mut lines = Vec::new();
        for name in ["sealed.json", "sealed-without-receipt.json", "bad-seal-stranger.json"] {
            for origin in [OWN, "dalil.example/other"] {
                let verdicts = ["trust", "own_trust"].map(|trust| told(name, trust, origin));
                lines.push(format!("{name} {origin}: {}", verdicts.join(", ")));
            }
        }
        expect![[r#"
            sealed.json dalil.example/tenant-1: pass, pass
            sealed.json dalil.example/other: fail, incomplete
            sealed-without-receipt.json dalil.example/tenant-1: incomplete, incomplete
            sealed-without-receipt.json dalil.example/other: fail, incomplete
            bad-seal-stranger.json dalil.example/tenant-1: fail, fail
            bad-seal-stranger.json dalil.example/other: fail, incomplete"#]]
        .assert_eq(&lines.join("\n"));
    }

    #[test]
    fn proofs_beside_a_trust_file_count_whoever_it_is_about() {
        let folder = root().join("spec/vectors/checkpoint");
        let json = |name: &str| -> Value {
            serde_json::from_slice(&fs::read(folder.join(name)).unwrap()).unwrap()
        };
        let receipt = json("receipt-seen-grown.json")["input_text"].as_str().unwrap().to_owned();
        let mut trust = json("trust/seen-grown.json");
        let growth = trust.as_object_mut().unwrap().remove("growth").unwrap();
        let told = |name: &str, growth: &Value| {
            let mut request = json!({"at": AT, "growth": growth});
            request[name] = trust.clone();
            asked(&request, receipt.as_bytes(), None, None)["verdict"].clone()
        };
        for name in ["trust", "own_trust"] {
            let verdicts = [told(name, &json!([])), told(name, &growth)];
            assert_eq!(verdicts, [json!("incomplete"), json!("pass")], "{name}");
        }
    }

    #[test]
    fn a_report_has_the_digest_that_the_code_on_the_pages_has() {
        let file = |name: &str| fs::read(root().join("spec/vectors").join(name)).unwrap();
        let text = |name: &str, part: &str| {
            let vector: Value = serde_json::from_slice(&file(name)).unwrap();
            vector[part].as_str().unwrap().to_owned()
        };
        let digest = |file: &[u8]| asked(&json!({"at": AT}), file, None, None)["digest"].clone();
        // Of a pack the code has the digest of the bytes that are signed, of a ledger that of its own.
        let of_pack = |sealed: &str| {
            let sealed: Value = serde_json::from_str(sealed).unwrap();
            let payload = STANDARD.decode(sealed["envelope"]["payload"].as_str().unwrap());
            json!(Digest::of(&payload.unwrap()).to_string())
        };
        let pack = text("pdf/pack.en.json", "pack");
        assert_eq!(digest(&file("pdf/pack.en.pdf")), of_pack(&pack));
        assert_eq!(digest(pack.as_bytes()), of_pack(&pack));
        let ledger = text("pdf/ledger.ar.json", "ledger");
        let of_ledger = json!(Digest::of(ledger.as_bytes()).to_string());
        assert_eq!(digest(&file("pdf/ledger.ar.pdf")), of_ledger);
        assert_eq!(digest(ledger.as_bytes()), of_ledger);
        let archive = STANDARD.decode(text("archive/archive.json", "input_base64")).unwrap();
        let files = dalil_render::zip::read(&archive).unwrap();
        let sealed = std::str::from_utf8(files.get("data/pack.json").unwrap()).unwrap();
        assert_eq!(digest(&archive), of_pack(sealed));
        assert_eq!(digest(b"nothing"), Value::Null);
    }

    #[test]
    fn a_report_names_its_parts_in_its_language() {
        let request = json!({"at": AT, "lang": "ar"});
        expect![[r#"
            {
              "findings": [
                {
                  "message": "المتوقع حزمة أو سجل ادعاءات أو ملف PDF أو أرشيف أو إيصال أو نقطة تحقق أو مستخرج من المسار، والموجود شيء آخر",
                  "part": "format",
                  "verdict": "fail"
                }
              ],
              "names": {
                "fail": "غير صحيح",
                "format": "الصيغة",
                "incomplete": "غير مكتمل",
                "pass": "صحيح"
              },
              "verdict": "fail"
            }"#]].assert_eq(&format!("{:#}", asked(&request, b"nothing", None, None)));
    }

    /// The module's report on a vector, without the names of parts and the digest.
    fn verified(vector: &Value) -> Value {
        let mut request = serde_json::Map::new();
        let (mut keys, mut trail, mut expected) = (Vec::new(), None, None);
        let args: Vec<&str> =
            vector["args"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        for option in args[2..].chunks(2) {
            let [name, value] = option else { panic!("{args:?}") };
            let file = || fs::read(root().join(value)).unwrap();
            match *name {
                "--key" => keys.push(Value::from(*value)),
                "--trust" => {
                    request.insert("trust".to_owned(), serde_json::from_slice(&file()).unwrap());
                }
                "--at" | "--lang" => {
                    request.insert(name.trim_start_matches('-').to_owned(), Value::from(*value));
                }
                "--trail" => trail = Some(file()),
                "--expected" => expected = Some(file()),
                other => panic!("{other}"),
            }
        }
        if !keys.is_empty() {
            request.insert("keys".to_owned(), keys.into());
        }
        let input = match (vector.get("input_base64"), vector.get("input_text")) {
            (Some(encoded), _) => STANDARD.decode(encoded.as_str().unwrap()).unwrap(),
            (None, Some(text)) => text.as_str().unwrap().as_bytes().to_vec(),
            (None, None) => vector["input"].to_string().into_bytes(),
        };
        let mut found = asked(&request.into(), &input, trail.as_deref(), expected.as_deref());
        for own in ["names", "digest"] {
            found.as_object_mut().unwrap().remove(own);
        }
        found
    }

    fn asked(request: &Value, file: &[u8], trail: Option<&[u8]>, expected: Option<&[u8]>) -> Value {
        let request = request.to_string();
        let input = VerifyInput { request: request.as_bytes(), file, trail, expected };
        let made = match verification::run(&input) {
            Ok(report) => report.json().unwrap(),
            Err(refused) => serde_json::to_vec(&refused).unwrap(),
        };
        serde_json::from_slice(&made).unwrap()
    }

    fn vectors() -> Vec<PathBuf> {
        let mut files = Vec::new();
        for folder in fs::read_dir(root().join("spec/vectors")).unwrap() {
            let Ok(folder) = fs::read_dir(folder.unwrap().path()) else { continue };
            files.extend(folder.map(|entry| entry.unwrap().path()));
        }
        files.retain(|path| path.extension().is_some_and(|end| end == "json"));
        files.sort();
        files
    }

    fn root() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
    }

    const OWN: &str = "dalil.example/tenant-1";
    /// A key of the vectors of checkpoints.
    const OTHER_KEY: &str =
        "dalil.example/acme+c43343db+AROY9ixtGkV8UbpqS189vS9p/KkyFiGNyJl+QWvRfZPK";
    const AT: &str = "2026-02-01T00:00:00Z";
}
