use std::fs;
use std::os::unix::fs::MetadataExt as _;

use super::PrivateFolder;
use crate::scratch::TestCorpusFolder;

#[test]
fn who_began_before_a_clearing_writes_nothing_after_it() {
    let scratch = TestCorpusFolder::with("private-folder", &[]);
    let folder = PrivateFolder::new(scratch.path("copies"));
    let names = || {
        let entries = fs::read_dir(folder.path()).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    folder.clear().unwrap();
    let early = folder.epoch();
    folder.write(early, "a", &[b"one ", b"text"]).unwrap();
    folder.write_durably(early, "b.json", b"another").unwrap();
    assert_eq!(names(), ["a", "b.json"]);
    assert_eq!(fs::read(folder.path().join("a")).unwrap(), b"one text");
    let mode = |path| fs::metadata(path).unwrap().mode() & 0o777;
    assert_eq!(mode(folder.path().to_owned()), 0o700);
    assert_eq!(names().iter().map(|name| mode(folder.path().join(name))).max(), Some(0o600));
    folder.clear().unwrap();
    folder.write(early, "a", &[b"again"]).unwrap();
    folder.write_durably(early, "b.json", b"again").unwrap();
    assert_eq!(names(), [""; 0]);
    folder.write(folder.epoch(), "c", &[b"new"]).unwrap();
    assert_eq!(names(), ["c"]);
}
