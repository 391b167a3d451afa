//! A newcomer's first pack: the commands of docs/install.md, run as written.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::run::{folder, root};

#[test]
fn six_commands_lead_from_nothing_to_a_verified_pack() {
    let page = fs::read_to_string(root().join("docs/install.md")).unwrap();
    let (_, part) = page.split_once("## Your first pack").unwrap();
    let (_, block) = part.split_once("```sh\n").unwrap();
    let (block, _) = block.split_once("```").unwrap();
    let commands: Vec<&str> = block.lines().collect();
    assert!(commands.len() <= 6, "{} commands", commands.len());

    let home = folder("newcomer");
    std::os::unix::fs::symlink(root().join("examples"), home.join("examples")).unwrap();
    for command in commands {
        let output = shell(command, &home);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "$ {command}\n{said}");
    }
    let reply = shell("dalil verify pack.json --trust trust.json --json", &home).stdout;
    let report: serde_json::Value = serde_json::from_slice(&reply).unwrap();
    let parts = report["findings"].as_array().unwrap().iter();
    assert!(parts.clone().all(|part| part["verdict"] == "pass"), "{report:#}");
    let parts: Vec<&str> = parts.filter_map(|part| part["part"].as_str()).collect();
    assert!(parts.contains(&"signature") && parts.contains(&"inclusion"), "{parts:?}");
    let pack = shell("dalil pack show pack_0000000000000002 --json", &home).stdout;
    let pack: serde_json::Value = serde_json::from_slice(&pack).unwrap();
    assert_eq!(
        (&pack["pack"]["status"], &pack["pack"]["reviewer_id"]),
        (&"resolved".into(), &"amal".into())
    );
}

/// Runs a line in a shell with this program as `dalil`, as a user without any settings.
fn shell(command: &str, folder: &Path) -> std::process::Output {
    let own = Path::new(env!("CARGO_BIN_EXE_dalil")).parent().unwrap();
    let known = std::env::var_os("PATH").unwrap_or_default();
    let places = [own.to_owned()].into_iter().chain(std::env::split_paths(&known));
    let mut shell = Command::new("sh");
    for name in ["DALIL_STORE", "DALIL_TENANT", "DALIL_IDENTITY", "DALIL_PASSPHRASE"] {
        shell.env_remove(name);
    }
    shell
        .args(["-c", command])
        .env("PATH", std::env::join_paths(places).unwrap())
        .env("USER", "newcomer")
        .env("XDG_DATA_HOME", "/nowhere")
        .current_dir(folder)
        .output()
        .unwrap()
}
