//! A small index beside a small workspace.

use std::fs;

use super::{place, yanked};
use crate::packages::PackageGraph;
use crate::packages::tests::{METADATA, lock};

#[test]
fn a_version_that_was_taken_back_is_told() {
    let home = std::env::temp_dir().join(format!("dalil-xtask-index-{}", std::process::id()));
    let graph = PackageGraph::parse(METADATA.as_bytes(), &lock()).unwrap();
    let registry = graph.packages.values().filter(|package| package.source.is_some()).count();
    assert_eq!(yanked(&graph, &home).unwrap().unknown, registry, "no index, nothing known");
    let file = home.join("registry/index/index-1/.cache").join(place("fast"));
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let entry = |vers: &str, yanked: bool| {
        format!(r#"{{"name":"fast","vers":"{vers}","yanked":{yanked}}}"#)
    };
    let index = |gone: bool| {
        let entries = [entry("0.9.0", true), entry("1.0.0", gone)];
        let body = format!("0.9.0\0{}\x001.0.0\0{}\0", entries[0], entries[1]);
        [b"\x03\x02\0\0\0etag\0".as_slice(), body.as_bytes()].concat()
    };
    fs::File::create(&file)
        .and_then(|mut to| std::io::Write::write_all(&mut to, &index(false)))
        .unwrap();
    let report = yanked(&graph, &home).unwrap();
    assert_eq!((report.yanked, report.unknown), (Vec::new(), registry - 1));
    fs::File::create(&file)
        .and_then(|mut to| std::io::Write::write_all(&mut to, &index(true)))
        .unwrap();
    let report = yanked(&graph, &home).unwrap();
    fs::remove_dir_all(&home).unwrap();
    assert_eq!(report.yanked, ["fast 1.0.0: taken back by its authors (take another version)"]);
}

#[test]
fn the_place_of_a_package_is_made_from_its_name() {
    let places = ["a", "ab", "syn", "serde", "Inflector"].map(place);
    assert_eq!(places, ["1/a", "2/ab", "3/s/syn", "se/rd/serde", "in/fl/inflector"]);
}
