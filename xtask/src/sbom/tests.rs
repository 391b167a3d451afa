//! The bill of a small workspace, and the requirements of the schema on the repository's own.

use std::collections::BTreeSet;

use dalil_proof::canon;
use dalil_proof::json::Json;
use expect_test::expect;

use super::{bill, document, shipped_file};
use crate::packages::PackageGraph;
use crate::packages::tests::{METADATA, graph, lock};
use crate::tree::RepositoryTree;

#[test]
fn the_bill_of_a_small_workspace() {
    let bytes = canon::bytes(&bill(&graph(), Vec::new()).unwrap()).unwrap();
    // A line for each component and each dependency.
    let lines = String::from_utf8(bytes).unwrap().replace(",{", ",\n{").replace(":[{", ":[\n{");
    expect![[r#"
        {"bomFormat":"CycloneDX","components":[
        {"bom-ref":"pkg:cargo/derive@3.0.0","hashes":[
        {"alg":"SHA-256","content":"0000000000000000000000000000000000000000000000000000000000000002"}],"licenses":[
        {"expression":"MIT"}],"name":"derive","purl":"pkg:cargo/derive@3.0.0","scope":"excluded","type":"library","version":"3.0.0"},
        {"bom-ref":"pkg:cargo/fast@1.0.0","hashes":[
        {"alg":"SHA-256","content":"0000000000000000000000000000000000000000000000000000000000000000"}],"licenses":[
        {"expression":"MIT OR Apache-2.0"}],"name":"fast","purl":"pkg:cargo/fast@1.0.0","scope":"required","type":"library","version":"1.0.0"},
        {"bom-ref":"pkg:cargo/maker@2.0.0","hashes":[
        {"alg":"SHA-256","content":"0000000000000000000000000000000000000000000000000000000000000001"}],"licenses":[
        {"expression":"MIT"}],"name":"maker","purl":"pkg:cargo/maker@2.0.0","scope":"excluded","type":"library","version":"2.0.0"},
        {"bom-ref":"pkg:cargo/syn@2.0.0","hashes":[
        {"alg":"SHA-256","content":"0000000000000000000000000000000000000000000000000000000000000003"}],"licenses":[
        {"expression":"MIT"}],"name":"syn","purl":"pkg:cargo/syn@2.0.0","scope":"excluded","type":"library","version":"2.0.0"}],"dependencies":[
        {"dependsOn":["pkg:cargo/derive@3.0.0","pkg:cargo/fast@1.0.0","pkg:cargo/maker@2.0.0"],"ref":"dalil-cli@0.1.0"},
        {"dependsOn":["pkg:cargo/syn@2.0.0"],"ref":"pkg:cargo/derive@3.0.0"},
        {"dependsOn":[],"ref":"pkg:cargo/fast@1.0.0"},
        {"dependsOn":[],"ref":"pkg:cargo/maker@2.0.0"},
        {"dependsOn":[],"ref":"pkg:cargo/syn@2.0.0"}],"metadata":{"component":{"bom-ref":"dalil-cli@0.1.0","licenses":[
        {"expression":"Apache-2.0"}],"name":"dalil-cli","scope":"required","type":"application","version":"0.1.0"},"lifecycles":[
        {"phase":"pre-build"}]},"specVersion":"1.5","version":1}"#]].assert_eq(&lines);
}

#[test]
fn the_order_in_which_cargo_tells_packages_does_not_matter() {
    let mut lines: Vec<&str> = METADATA.lines().collect();
    // Two packages of two lines each change places.
    lines[2..6].rotate_left(2);
    let lines: Vec<String> = lines.iter().map(|line| format!("{line}\n")).collect();
    let text = lines.concat();
    assert_ne!(text.trim(), METADATA.trim());
    let tree = RepositoryTree::of_repository().unwrap();
    let turned = PackageGraph::parse(text.as_bytes(), &lock()).unwrap();
    assert_eq!(document(&turned, &tree).unwrap(), document(&graph(), &tree).unwrap());
}

#[test]
fn a_file_that_is_gone_is_refused() {
    let gone = document(&graph(), &RepositoryTree::default()).unwrap_err();
    expect!["expected a file `crates/dalil-judge/model/judge.safetensors`, found none"]
        .assert_eq(&gone.to_string());
}

/// A font, weights or a script missing from the list would ship without its licence.
#[test]
fn every_file_of_others_is_listed() {
    let tree = RepositoryTree::of_repository().unwrap();
    let listed = shipped_file::SHIPPED_FILES.map(|file| file.path);
    let unlisted: Vec<&str> = tree
        .bytes()
        .map(|(path, _)| path)
        .filter(|path| FOLDERS_WITH_OTHERS.iter().any(|folder| path.starts_with(folder)))
        .filter(|path| !listed.contains(path))
        .collect();
    assert_eq!(unlisted, OWN_OR_NOT_IN_THE_PROGRAM);
}

/// The bill leaves with every release: it must agree with NOTICE about the weights.
#[test]
fn no_weights_are_said_to_be_for_non_commercial_use() {
    let tree = RepositoryTree::of_repository().unwrap();
    let notice = tree.text("crates/dalil-judge/model/NOTICE").unwrap();
    assert!(notice.contains("No set for non-commercial use is behind these weights (not SICK,"));
    let said = |path: &str| {
        let mut files = shipped_file::SHIPPED_FILES.iter();
        files.find(|file| file.path.ends_with(path)).map(|file| file.description)
    };
    let (judge, adapter) = (said("/judge.safetensors"), said("/deep-adapter.safetensors"));
    expect![[r#"
        Derived from gte-small (MIT), taught by the deep judge. No set that its owner gives for non-commercial use only is behind it: crates/dalil-judge/model/NOTICE
        For Qwen2.5-Coder-1.5B-Instruct (Apache-2.0), which is not in the program. No set that its owner gives for non-commercial use only is behind it: crates/dalil-judge/model/NOTICE
    "#]]
    .assert_eq(&format!("{}\n{}\n", judge.unwrap(), adapter.unwrap()));
}

/// The fields that `CycloneDX` 1.5 requires, and the references that must resolve.
#[test]
fn the_bill_of_the_repository_has_what_the_schema_requires() {
    let graph = PackageGraph::of_repository(&[]).unwrap();
    let bytes = document(&graph, &RepositoryTree::of_repository().unwrap()).unwrap();
    let bill = Json::parse(&bytes).unwrap();
    assert_eq!(text(&bill, "bomFormat"), "CycloneDX");
    assert_eq!(text(&bill, "specVersion"), "1.5");
    let serial = text(&bill, "serialNumber").strip_prefix("urn:uuid:").unwrap();
    let lengths: Vec<usize> = serial.split('-').map(str::len).collect();
    assert_eq!(lengths, [8, 4, 4, 4, 12]);
    assert!(serial.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f' | b'-')));

    let program = bill.get("metadata").and_then(|metadata| metadata.get("component")).unwrap();
    let mut refs = BTreeSet::new();
    for component in list(&bill, "components").iter().chain([program]) {
        assert!(KINDS.contains(&text(component, "type")), "{component:?}");
        assert!(!text(component, "name").is_empty(), "{component:?}");
        assert!(SCOPES.contains(&text(component, "scope")), "{component:?}");
        assert!(refs.insert(text(component, "bom-ref")), "twice: {component:?}");
        let [licence] = list(component, "licenses") else { panic!("one licence: {component:?}") };
        assert!(!text(licence, "expression").contains('/'), "{component:?}");
        // Packages of this repository have no archive; everything else is known by its bytes.
        let is_own = component.get("purl").is_none() && !text(component, "bom-ref").contains('/');
        assert_eq!(component.get("hashes").is_none(), is_own, "{component:?}");
        for hash in component.get("hashes").map(|_| list(component, "hashes")).unwrap_or_default() {
            assert_eq!(text(hash, "alg"), "SHA-256");
            assert_eq!(text(hash, "content").len(), 64);
        }
    }
    let mut told = BTreeSet::new();
    for dependency in list(&bill, "dependencies") {
        assert!(told.insert(text(dependency, "ref")), "twice: {dependency:?}");
        for needed in list(dependency, "dependsOn") {
            assert!(matches!(needed, Json::Text(needed) if refs.contains(needed.as_ref())));
        }
    }
    assert_eq!(told, refs);
}

fn text<'j>(json: &'j Json<'_>, key: &str) -> &'j str {
    let Some(Json::Text(text)) = json.get(key) else { panic!("no text `{key}` in {json:?}") };
    text
}

fn list<'j, 'a>(json: &'j Json<'a>, key: &str) -> &'j [Json<'a>] {
    let Some(Json::List(list)) = json.get(key) else { panic!("no list `{key}` in {json:?}") };
    list
}

const KINDS: [&str; 5] = ["application", "data", "file", "library", "machine-learning-model"];
const SCOPES: [&str; 2] = ["required", "excluded"];
const FOLDERS_WITH_OTHERS: [&str; 3] =
    ["crates/dalil-judge/model/", "crates/dalil-render/fonts/", "crates/dalil-server/assets/"];
const OWN_OR_NOT_IN_THE_PROGRAM: [&str; 11] = [
    "crates/dalil-judge/model/NOTICE",
    "crates/dalil-judge/model/reference.json",
    "crates/dalil-render/fonts/Amiri-OFL.txt",
    "crates/dalil-render/fonts/IBMPlex-OFL.txt",
    "crates/dalil-server/assets/dalil.css",
    "crates/dalil-server/assets/dalil.js",
    "crates/dalil-server/assets/favicon.svg",
    "crates/dalil-server/assets/htmx.LICENSE",
    "crates/dalil-server/assets/icons.svg",
    "crates/dalil-server/assets/reference.js",
    "crates/dalil-server/assets/verify.js",
];
