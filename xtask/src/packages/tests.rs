//! A small workspace as cargo describes it, for the tests of every reader of one.

use expect_test::expect;

use super::PackageGraph;

/// A program `dalil-cli` that runs with `fast`, builds with `maker`, derives with `derive`, which
/// runs with `syn`, and tests with `tester`.
pub(crate) const METADATA: &str = r#"{
  "packages": [
    {"id": "path+dalil-cli", "name": "dalil-cli", "version": "0.1.0", "license": "Apache-2.0",
     "source": null, "targets": [{"kind": ["bin"]}]},
    {"id": "r#fast@1.0.0", "name": "fast", "version": "1.0.0", "license": "MIT/Apache-2.0",
     "source": "registry+index", "targets": [{"kind": ["lib"]}]},
    {"id": "r#maker@2.0.0", "name": "maker", "version": "2.0.0", "license": "MIT",
     "source": "registry+index", "targets": [{"kind": ["lib"]}]},
    {"id": "r#derive@3.0.0", "name": "derive", "version": "3.0.0", "license": "MIT",
     "source": "registry+index", "targets": [{"kind": ["proc-macro"]}]},
    {"id": "r#syn@2.0.0", "name": "syn", "version": "2.0.0", "license": "MIT",
     "source": "registry+index", "targets": [{"kind": ["lib"]}]},
    {"id": "r#tester@1.0.0", "name": "tester", "version": "1.0.0", "license": "ISC",
     "source": "registry+index", "targets": [{"kind": ["lib"]}]}
  ],
  "resolve": {"nodes": [
    {"id": "path+dalil-cli", "deps": [
      {"pkg": "r#fast@1.0.0", "dep_kinds": [{"kind": null}, {"kind": "dev"}]},
      {"pkg": "r#maker@2.0.0", "dep_kinds": [{"kind": "build"}]},
      {"pkg": "r#derive@3.0.0", "dep_kinds": [{"kind": null}]},
      {"pkg": "r#tester@1.0.0", "dep_kinds": [{"kind": "dev"}]}
    ]},
    {"id": "r#derive@3.0.0", "deps": [{"pkg": "r#syn@2.0.0", "dep_kinds": [{"kind": null}]}]}
  ]}
}"#;

/// The lock file of it: archives whose digests are their numbers.
pub(crate) fn lock() -> String {
    let packages = [
        ("fast", "1.0.0"),
        ("maker", "2.0.0"),
        ("derive", "3.0.0"),
        ("syn", "2.0.0"),
        ("tester", "1.0.0"),
    ];
    let entry = |(n, (name, version)): (usize, &(&str, &str))| {
        format!(
            "[[package]]\nname = \"{name}\"\nversion = \"{version}\"\nsource = \"registry+index\"\n\
             checksum = \"{n:064x}\"\n"
        )
    };
    let own = "[[package]]\nname = \"dalil-cli\"\nversion = \"0.1.0\"\n";
    packages.iter().enumerate().map(entry).chain([own.to_owned()]).collect()
}

pub(crate) fn graph() -> PackageGraph {
    PackageGraph::parse(METADATA.as_bytes(), &lock()).unwrap()
}

#[test]
fn what_only_tests_need_is_no_link() {
    let graph = graph();
    let package = &graph.packages[graph.own("dalil-cli").unwrap()];
    expect![[r#"
        ({"r#derive@3.0.0", "r#fast@1.0.0"}, {"r#maker@2.0.0"})"#]]
    .assert_eq(&format!("({:?}, {:?})", package.runs_with, package.builds_with));
}

#[test]
fn digests_come_from_the_lock_file() {
    let lock = lock().replace("maker", "marker");
    let graph = PackageGraph::parse(METADATA.as_bytes(), &lock).unwrap();
    let shown: Vec<_> = graph
        .packages
        .values()
        .map(|package| (package.name.as_str(), package.checksum.as_deref().map(str::len)))
        .collect();
    let expected = [
        ("dalil-cli", None),
        ("derive", Some(64)),
        ("fast", Some(64)),
        ("maker", None),
        ("syn", Some(64)),
        ("tester", Some(64)),
    ];
    assert_eq!(shown, expected);
}
