use super::*;
use crate::scratch::TestCorpusFolder;

#[test]
fn the_model_is_in_the_folder_for_data() {
    let place = |data, home| deep_place(data, home).map(|path| path.display().to_string());
    let expected = |path: &str| Some(path.to_owned());
    assert_eq!(place(Some("/data"), Some("/home/x")), expected("/data/dalil/judge-deep.model"));
    let at_home = expected("/home/x/.local/share/dalil/judge-deep.model");
    assert_eq!(place(None, Some("/home/x")), at_home);
    assert_eq!(place(Some("data"), Some("/home/x")), at_home);
    assert_eq!(place(None, None), None);
    assert_eq!(place(None, Some("x")), None);
}

#[track_caller]
fn check_open(bytes: &[u8], expected: &str) {
    let scratch = TestCorpusFolder::with("models-open", &[("file", bytes)]);
    let path = scratch.path("file");
    let message = open_deep(&path).unwrap_err().to_string();
    assert_eq!(message.replace(&path.display().to_string(), "FILE"), expected);
}

#[test]
fn a_file_that_is_no_model_is_refused() {
    check_open(b"", "`FILE`: model: expected a file of a model, found 0 bytes");
    let missing = open_deep(Path::new("/nowhere/model")).unwrap_err().to_string();
    assert!(missing.starts_with("expected a readable file, found `/nowhere/model`"), "{missing}");
    let folder = open_deep(&std::env::temp_dir()).unwrap_err().to_string();
    assert!(folder.ends_with("it is no file"), "{folder}");
}

#[test]
fn a_failed_import_leaves_nothing() {
    let scratch =
        TestCorpusFolder::with("models-import", &[("base.gguf", b"GGUF"), ("adapter", b"")]);
    let (base, out) = (scratch.path("base.gguf"), scratch.path("new/judge.model"));
    let failed = import_deep(&base, None, &out, &|_, _| ()).unwrap_err().to_string();
    assert!(failed.contains("expected the file with digest sha256:"), "{failed}");
    assert_eq!(fs::read_dir(scratch.path("new")).unwrap().count(), 0);
    let adapter = scratch.path("adapter");
    let failed = import_deep(&base, Some(&adapter), &out, &|_, _| ()).unwrap_err().to_string();
    assert!(failed.contains("adapter`: weights: expected a header"), "{failed}");
    let failed = import_deep(&base, None, &std::env::temp_dir(), &|_, _| ()).unwrap_err();
    assert!(matches!(failed, ModelFailure::Unwritten { .. }), "{failed}");
}
