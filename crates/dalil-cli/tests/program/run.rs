//! Starts the program with an input and takes its output.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The output of the program.
pub(crate) struct Output {
    pub(crate) exit: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs `dalil` in the repository's root, with `input` on standard input.
#[track_caller]
pub(crate) fn dalil(args: &[&str], input: &[u8]) -> Output {
    dalil_in(&root(), &[], args, input)
}

/// Runs `dalil` in a folder, with more in its environment.
#[track_caller]
pub(crate) fn dalil_in(
    folder: &Path,
    environment: &[(&str, &str)],
    args: &[&str],
    input: &[u8],
) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_dalil"))
        .args(args)
        .env("XDG_DATA_HOME", "/nowhere")
        .envs(environment.iter().copied())
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // The program may answer and leave before it has read everything.
    let feed = std::thread::spawn(move || stdin.write_all(&input).unwrap_or_default());
    let output = child.wait_with_output().unwrap();
    feed.join().unwrap();
    Output {
        exit: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The exit code of `dalil` when its reply has no reader.
#[track_caller]
pub(crate) fn unread(args: &[&str], input: &[u8]) -> i32 {
    let mut child = Command::new(env!("CARGO_BIN_EXE_dalil"))
        .args(args)
        .env("XDG_DATA_HOME", "/nowhere")
        .current_dir(root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait().unwrap().code().unwrap()
}

/// An empty folder under the build folder.
#[track_caller]
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Writes a file and the folders above it.
#[track_caller]
pub(crate) fn put(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    File::create(path).and_then(|mut file| file.write_all(bytes)).unwrap();
}

/// The repository's root.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Compares with a file of the repository; `DALIL_BLESS=1` writes it anew.
#[track_caller]
pub(crate) fn pinned(file: &str, actual: &str) {
    let path = root().join(file);
    if std::env::var_os("DALIL_BLESS").is_some() {
        File::create(&path).and_then(|mut file| file.write_all(actual.as_bytes())).unwrap();
    }
    let expected = fs::read_to_string(path).unwrap_or_default();
    let differs =
        (1..).zip(expected.lines().zip(actual.lines())).find(|(_, (one, other))| one != other);
    assert_eq!(differs, None, "the first line of {file} that differs");
    assert_eq!(expected.len(), actual.len(), "the length of {file}");
}
