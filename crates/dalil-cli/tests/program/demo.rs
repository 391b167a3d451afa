//! The walk through everything, pinned in `suite/demo.txt`, and the files that it leaves behind.

use std::fs;
use std::path::Path;

use crate::run::{dalil, pinned};

#[test]
fn the_walk_is_pinned() {
    let output = dalil(&["demo"], b"");
    assert_eq!((output.exit, output.stderr.as_str()), (0, ""));
    pinned("suite/demo.txt", &output.stdout);
}

#[test]
fn a_file_is_no_folder_to_write_to() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let output = dalil(&["demo", "--out", file], b"");
    let expected = format!("error: expected a folder to write to, found `{file}`: ");
    assert!(output.stderr.starts_with(&expected), "{}", output.stderr);
    assert_eq!((output.exit, output.stdout.as_str()), (2, ""));
}

#[test]
fn what_the_walk_writes_verifies_and_one_changed_byte_does_not() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("demo");
    let name = |file: &str| folder.join(file).to_str().unwrap().to_owned();
    let output = dalil(&["demo", "--out", folder.to_str().unwrap(), "--json"], b"");
    assert_eq!((output.exit, output.stderr.as_str()), (0, ""));

    let sealed = fs::read(name("sealed-pack.json")).unwrap();
    let trust = name("trust.json");
    let verify = |bytes: &[u8]| dalil(&["verify", "-", "--trust", &trust, "--json"], bytes);
    assert_eq!(verify(&sealed).exit, 0);
    for n in (0..sealed.len()).step_by(997) {
        let mut changed = sealed.clone();
        changed[n] ^= 1;
        assert_eq!(verify(&changed).exit, 1, "byte {n}");
    }
    assert_eq!(dalil(&["verify", &name("receipt.tlog-proof"), "--trust", &trust], b"").exit, 0);
    assert_eq!(dalil(&["verify", &name("checkpoint.txt"), "--trust", &trust], b"").exit, 0);
    // No keys are trusted by default.
    assert_eq!(dalil(&["verify", &name("sealed-pack.json")], b"").exit, 2);
}
