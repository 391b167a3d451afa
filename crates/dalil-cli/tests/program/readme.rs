//! The README's session, run as written.
//!
//! In a ```` ```console ```` block a line `$ command` is run by a shell in the repository's root,
//! and the lines below it are its output. `DALIL_BLESS=1` writes them anew.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::run::root;

#[test]
fn the_readme_shows_what_the_program_prints() {
    let path = root().join("README.md");
    let written = fs::read_to_string(&path).unwrap();
    let printed = replay(&written);
    assert!(written.contains("\n$ dalil "), "the README has no session");
    if std::env::var_os("DALIL_BLESS").is_some() {
        fs::File::create(&path)
            .and_then(|mut file| std::io::Write::write_all(&mut file, printed.as_bytes()))
            .unwrap();
    } else {
        assert_eq!(printed, written);
    }
}

/// The same text with every session's output as it is printed.
fn replay(text: &str) -> String {
    let mut lines = Vec::new();
    let mut in_session = false;
    for line in text.lines() {
        let fence = line.starts_with("```");
        if in_session && !fence && !line.starts_with("$ ") {
            continue;
        }
        lines.push(line.to_owned());
        if fence {
            in_session = line == "```console";
        }
        if let Some(command) = line.strip_prefix("$ ").filter(|_| in_session) {
            lines.extend(shell(command).lines().map(str::to_owned));
        }
    }
    lines.join("\n") + "\n"
}

/// The output of a command, errors included, with this program as `dalil`.
fn shell(command: &str) -> String {
    let folder = Path::new(env!("CARGO_BIN_EXE_dalil")).parent().unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path =
        std::env::join_paths([folder.to_owned()].into_iter().chain(std::env::split_paths(&path)))
            .unwrap();
    let output = Command::new("sh")
        .args(["-c", &format!("{{ {command}; }} 2>&1")])
        .env("PATH", path)
        .env("NO_COLOR", "1")
        .env("XDG_DATA_HOME", "/nowhere")
        .current_dir(root())
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}
