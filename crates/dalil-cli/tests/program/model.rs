//! The model of the deep judge: a file that is not one is refused, and leaves nothing behind.

use std::fs;

use crate::run::{dalil, dalil_in, folder, put};

/// Checks that the program could not run, with this message and a hint.
#[track_caller]
fn check(args: &[&str], environment: &[(&str, &str)], expected: &[&str]) {
    let output = dalil_in(&std::env::temp_dir(), environment, args, b"");
    assert_eq!((output.exit, output.stdout.as_str()), (2, ""), "{}", output.stderr);
    for part in expected {
        assert!(output.stderr.contains(part), "{part}: {}", output.stderr);
    }
}

#[test]
fn a_model_that_is_not_there_is_looked_for_in_the_folder_for_data() {
    let missing = "/nowhere/data/dalil/judge-deep.model";
    check(
        &["model", "show"],
        &[("XDG_DATA_HOME", "/nowhere/data")],
        &[missing, "hint: `dalil model import BASE.gguf`"],
    );
    let home = [("XDG_DATA_HOME", ""), ("HOME", "/nowhere")];
    check(&["model", "show"], &home, &["/nowhere/.local/share/dalil/judge-deep.model"]);
}

#[test]
fn another_base_is_refused_and_leaves_no_file() {
    let folder = folder("model-import");
    let (base, out) = (folder.join("base.gguf"), folder.join("out.model"));
    let (base, out) = (base.to_str().unwrap(), out.to_str().unwrap());
    put(&folder.join("base.gguf"), b"");
    check(
        &["model", "import", base, "--out", out],
        &[],
        &[
            "base: expected the file with digest sha256:",
            "found sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        ],
    );
    let left: Vec<_> = fs::read_dir(&folder).unwrap().collect();
    assert_eq!(left.len(), 1);
    check(&["model", "show", base], &[], &["expected a file of a model, found 0 bytes"]);
    assert_eq!(dalil(&["model"], b"").exit, 2);
}
