//! The help of the program, pinned in `suite/help.txt`.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use expect_test::expect;

use crate::run::{dalil, folder, pinned};

#[test]
fn help_of_every_command_is_pinned() {
    let mut actual = String::new();
    for command in commands(&[]) {
        let args: Vec<&str> = command.iter().map(String::as_str).chain(["--help"]).collect();
        let output = dalil(&args, b"");
        assert_eq!((output.exit, output.stderr.as_str()), (0, ""), "{args:?}");
        writeln!(actual, "$ dalil {}\n{}", args.join(" "), output.stdout).unwrap();
    }
    pinned("suite/help.txt", &actual);
}

/// `command`, and every command below it, as its help lists them.
fn commands(command: &[String]) -> Vec<Vec<String>> {
    let args: Vec<&str> = command.iter().map(String::as_str).chain(["-h"]).collect();
    let help = dalil(&args, b"").stdout;
    let listed = help.split_once("\nCommands:\n").map_or("", |(_, rest)| rest);
    let names = listed.lines().take_while(|line| line.starts_with(' '));
    let mut all = vec![command.to_vec()];
    // A line that is less indented is the heading of a group; one that is more indented continues
    // the one above.
    let names = names.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    for name in names.filter_map(|line| line.split_whitespace().next()) {
        all.extend(commands(&[command, &[name.to_owned()]].concat()));
    }
    all
}

#[test]
fn version_is_the_crates() {
    let output = dalil(&["--version"], b"");
    assert_eq!(
        (output.exit, output.stdout.as_str()),
        (0, concat!("dalil ", env!("CARGO_PKG_VERSION"), "\n"))
    );
}

#[test]
fn every_shell_has_a_completion_script() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = dalil(&["completions", shell], b"");
        assert_eq!((output.exit, output.stderr.as_str()), (0, ""), "{shell}");
        assert!(output.stdout.contains("completions"), "{shell}");
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = folder("man");
    let output = dalil(&["man", folder.to_str().unwrap()], b"");
    assert_eq!((output.exit, output.stdout.as_str(), output.stderr.as_str()), (0, "", ""));
    let pages: BTreeSet<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|page| page.unwrap().file_name().into_string().unwrap())
        .collect();
    let page = |words: Vec<String>| {
        let words: Vec<String> = ["dalil".to_owned()].into_iter().chain(words).collect();
        words.join("-") + ".1"
    };
    assert_eq!(pages, commands(&[]).into_iter().map(page).collect());
    let shown = std::fs::read_to_string(folder.join("dalil-verify.1")).unwrap();
    assert!(shown.contains("Trust this key"), "{shown}");
}

#[test]
fn a_mistyped_command_could_not_run() {
    let output = dalil(&["bundel"], b"");
    assert_eq!((output.exit, output.stdout.as_str()), (2, ""));
    assert_eq!(output.stderr.lines().next(), Some("error: unrecognized subcommand 'bundel'"));
}

#[test]
fn a_receipt_has_no_other_size() {
    let output = dalil(&["trail", "prove", "5", "--to", "303"], b"");
    assert_eq!((output.exit, output.stdout.as_str()), (2, ""));
    expect![[r#"
        error: the argument '[INDEX]' cannot be used with '--to <SIZE>'

        Usage: dalil trail prove <INDEX>

        For more information, try '--help'.
    "#]]
    .assert_eq(&output.stderr);
}
