//! The vectors of trees, keys, notes, envelopes, custody and erasures that no command answers.

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use dalil_proof::digest::{Digest, hex};
    use dalil_proof::erasure::{self, ErasureRequest, ErasureTarget, LegalBasis};
    use dalil_proof::hold::{Hold, HoldSet};
    use dalil_proof::key::PublicKey;
    use dalil_proof::note::UnverifiedNote;
    use dalil_proof::record::{Commitment, Record, RecordKind, lineage};
    use dalil_proof::trail::custody::{self, CustodyLink};
    use dalil_proof::tree::{MerkleTree, TreeHead, leaf, proof};
    use dalil_proof::trust::Trust;
    use serde_json::Value;

    fn vector(name: &str) -> Value {
        serde_json::from_slice(&fs::read(root().join(name)).unwrap()).unwrap()
    }

    fn root() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
    }

    /// The cases under a name; a vector without any would test nothing.
    fn cases<'v>(vector: &'v Value, name: &str) -> &'v [Value] {
        let cases = vector[name].as_array().unwrap();
        assert!(!cases.is_empty());
        cases
    }

    fn text<'v>(case: &'v Value, name: &str) -> &'v str {
        case[name].as_str().unwrap()
    }

    fn number(case: &Value, name: &str) -> u64 {
        case[name].as_u64().unwrap()
    }

    fn digest(case: &Value, name: &str) -> Digest {
        text(case, name).parse().unwrap()
    }

    fn path(case: &Value) -> Vec<Digest> {
        let path = case["path"].as_array().unwrap();
        path.iter().map(|hash| hash.as_str().unwrap().parse().unwrap()).collect()
    }

    fn head(case: &Value) -> TreeHead {
        TreeHead { size: number(case, "size"), root: digest(case, "root") }
    }

    fn keys(case: &Value) -> Vec<PublicKey> {
        let keys = case["keys"].as_array().unwrap();
        keys.iter().map(|key| key.as_str().unwrap().parse().unwrap()).collect()
    }

    fn unhex(text: &str) -> Vec<u8> {
        let digit = |byte: u8| u8::try_from(char::from(byte).to_digit(16).unwrap()).unwrap();
        text.as_bytes().chunks(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect()
    }

    #[test]
    fn trees_have_the_roots_and_proofs_of_the_vectors() {
        let vector = vector("spec/vectors/checkpoint/tree.json");
        let leaves = cases(&vector, "leaves").iter().map(|bytes| bytes.as_str().unwrap());
        let leaves: Vec<Digest> = leaves.map(|bytes| leaf(&unhex(bytes))).collect();
        let tree: MerkleTree = leaves.iter().copied().collect();
        for case in cases(&vector, "roots") {
            assert_eq!(tree.head_at(number(case, "size")), Some(head(case)));
        }
        for case in cases(&vector, "inclusion") {
            let (index, size) = (number(case, "index"), number(case, "size"));
            assert_eq!(tree.inclusion(index, size), Some(path(case)), "{case}");
            let this = leaves[usize::try_from(index).unwrap()];
            let head = tree.head_at(size).unwrap();
            proof::inclusion(&this, index, &path(case), &head).unwrap();
        }
        for case in cases(&vector, "consistency") {
            let (old, new) = (number(case, "old"), number(case, "new"));
            assert_eq!(tree.consistency(old, new), Some(path(case)), "{case}");
            let (old, new) = (tree.head_at(old).unwrap(), tree.head_at(new).unwrap());
            proof::consistency(&old, &new, &path(case)).unwrap();
        }
    }

    #[test]
    fn refused_proofs_prove_nothing() {
        let vector = vector("spec/vectors/checkpoint/proofs-refused.json");
        for case in cases(&vector, "refused_inclusion") {
            let (this, index) = (digest(case, "leaf"), number(case, "index"));
            let proved = proof::inclusion(&this, index, &path(case), &head(case));
            assert!(proved.is_err(), "{case}");
        }
        for case in cases(&vector, "refused_consistency") {
            let (old, new) = (head(&case["old"]), head(&case["new"]));
            assert!(proof::consistency(&old, &new, &path(case)).is_err(), "{case}");
        }
    }

    #[test]
    fn keys_read_and_write_as_the_vectors_say() {
        let vector = vector("spec/vectors/checkpoint/keys.json");
        for case in cases(&vector, "keys") {
            let key: PublicKey = text(case, "key").parse().unwrap();
            let found = (key.name(), hex(key.as_bytes()), key.to_string());
            let public = text(case, "public").to_owned();
            assert_eq!(found, (text(case, "name"), public, text(case, "key").to_owned()));
        }
        for case in cases(&vector, "refused_keys") {
            assert!(text(case, "key").parse::<PublicKey>().is_err(), "{case}");
        }
    }

    #[test]
    fn notes_open_as_the_vectors_say() {
        let vector = vector("spec/vectors/checkpoint/notes.json");
        for case in cases(&vector, "notes") {
            let note = UnverifiedNote::parse(text(case, "note").as_bytes()).unwrap();
            assert_eq!(note.to_string(), text(case, "note"));
            let keys = keys(case);
            let opened = note.open(&keys).unwrap();
            let verified: Vec<_> = opened.verified.iter().map(|(key, _)| key.name()).collect();
            let unknown: Vec<_> = opened.unknown.iter().map(|line| line.name.as_str()).collect();
            assert_eq!(Value::from(verified), case["verified"]);
            assert_eq!(Value::from(unknown), case["unknown"]);
        }
        for case in cases(&vector, "refused_notes") {
            assert!(UnverifiedNote::parse(text(case, "note").as_bytes()).is_err(), "{case}");
        }
        for case in cases(&vector, "unopened_notes") {
            let note = UnverifiedNote::parse(text(case, "note").as_bytes()).unwrap();
            assert!(note.open(&keys(case)).is_err(), "{case}");
        }
    }

    #[test]
    fn every_trust_that_the_vectors_use_is_readable() {
        let files = fs::read_dir(root().join("spec/vectors/checkpoint/trust")).unwrap();
        let trusts = files.map(|file| Trust::parse(&fs::read(file.unwrap().path()).unwrap()));
        let origins: Vec<String> = trusts.map(|trust| trust.unwrap().origin).collect();
        assert_eq!(origins.len(), 15);
    }

    #[test]
    fn envelopes_have_the_leaves_and_commitments_of_the_vectors() {
        for case in cases(&vector("spec/vectors/record/envelopes.json"), "envelopes") {
            let record = Record::parse(text(case, "text").as_bytes()).unwrap();
            assert_eq!(record.leaf(), digest(case, "leaf"));
            for (name, commitment) in &record.envelope().commitments {
                let field = &case["payload"][name];
                let salt = unhex(text(field, "salt")).try_into().unwrap();
                let bytes = text(field, "text").as_bytes();
                assert!(commitment.opens(name, &salt, bytes));
                assert_eq!(*commitment, Commitment::of(name, &salt, bytes));
            }
        }
    }

    #[test]
    fn refused_envelopes_are_refused_for_the_field_at_fault() {
        for case in
            cases(&vector("spec/vectors/record/envelopes-refused.json"), "refused_envelopes")
        {
            let refused = Record::parse(text(case, "text").as_bytes()).unwrap_err();
            let field = |path: &str| path.split(['.', '[']).next().unwrap().to_owned();
            let mut paths: Vec<String> =
                refused.refused.iter().map(|fault| field(&fault.path)).collect();
            paths.dedup();
            assert_eq!(Value::from(paths), case["paths"], "{}", case["why"]);
        }
    }

    #[test]
    fn lineages_hold_or_break_as_the_vectors_say() {
        for case in cases(&vector("spec/vectors/record/lineages.json"), "lineages") {
            let records = case["records"].as_array().unwrap().iter();
            let records: Vec<Record> = records
                .map(|text| Record::parse(text.as_str().unwrap().as_bytes()).unwrap())
                .collect();
            let verdict = lineage::check(&records).verdict().to_string().to_lowercase();
            assert_eq!(verdict, text(case, "verdict"), "{}", case["why"]);
        }
    }

    #[test]
    fn exports_are_a_chain_or_not_as_the_vectors_say() {
        for case in cases(&vector("spec/vectors/trail/custody.json"), "chains") {
            let exports = case["exports"].as_array().unwrap().iter();
            let exports: Vec<CustodyLink> = exports
                .map(|export| CustodyLink {
                    origin: text(export, "origin").to_owned(),
                    first: number(export, "first"),
                    head: head(export),
                    previous: Some(&export["previous"]).filter(|head| !head.is_null()).map(head),
                })
                .collect();
            let findings = custody::check(&exports).findings;
            let found: Value = findings
                .iter()
                .map(|one| vec![one.part.to_owned(), one.verdict.to_string().to_lowercase()])
                .collect();
            assert_eq!(found, case["findings"], "{}", case["why"]);
        }
    }

    fn word<T: Copy>(case: &Value, name: &str, words: &[(&str, T)]) -> T {
        words.iter().find(|(word, _)| *word == text(case, name)).unwrap().1
    }

    fn target(case: &Value) -> ErasureTarget {
        ErasureTarget {
            index: number(case, "index"),
            kind: word(case, "kind", RecordKind::WORDS),
            subject: text(case, "subject").to_owned(),
            at: text(case, "at").parse().unwrap(),
            erased_by: case["erased_by"].as_u64(),
        }
    }

    #[test]
    fn payloads_may_be_erased_or_not_as_the_vectors_say() {
        for case in cases(&vector("spec/vectors/trail/erasures.json"), "erasures") {
            let mut holds = HoldSet::default();
            for change in case["holds"].as_array().unwrap() {
                let hold = Hold::parse(change[1].to_string().as_bytes()).unwrap();
                match change[0].as_str().unwrap() {
                    "placed" => holds.place(hold).unwrap(),
                    _ => drop(holds.lift(&hold.hold_id).unwrap()),
                }
            }
            let request = ErasureRequest {
                scope: text(&case["request"], "scope").parse().unwrap(),
                legal_basis: word(&case["request"], "legal_basis", LegalBasis::WIRE_NAMES),
                approver: text(&case["request"], "approver").to_owned(),
            };
            let targets: Vec<ErasureTarget> =
                case["targets"].as_array().unwrap().iter().map(target).collect();
            let now = text(case, "now").parse().unwrap();
            let (name, found) = match erasure::decide(&request, &targets, &holds, now) {
                Ok(erasure) => ("erasure", String::from_utf8(erasure.bytes()).unwrap().into()),
                Err(refused) => {
                    let faults = refused.refused.iter();
                    let faults =
                        faults.map(|fault| vec![fault.path.clone(), fault.rule.to_owned()]);
                    ("refused", faults.collect::<Value>())
                }
            };
            assert_eq!(found, case[name], "{}", case["why"]);
        }
    }
}
