//! `dalil index` and `dalil check` with a corpus in a database.

use std::process::Command;

use crate::run::{self, Output, dalil};

/// The address of a database with pgvector, if the tests were given one.
fn address(names: &str) -> Option<String> {
    let server = std::env::var_os("DALIL_TEST_PGVECTOR")?.into_string().ok()?;
    Some(format!("{server}#{names}"))
}

fn check(answer: &str, against: &[&str], more: &[&str]) -> Output {
    let answer = run::root().join("examples/answers").join(answer);
    let args = ["check", answer.to_str().unwrap(), "--no-index", "--judge", "fast", "--against"];
    dalil(&[&args, against, &["--at", "2026-03-15T09:30:00Z"], more].concat(), b"")
}

#[test]
fn a_check_says_the_same_from_a_database_as_from_the_folder() {
    let Some(address) = address("program/same") else { return };
    let docs = run::root().join("examples/corpus");
    let docs = docs.to_str().unwrap();
    let written = dalil(&["index", docs, "--into", &address], b"");
    assert_eq!(written.exit, 0, "{}", written.stderr);
    let answers = run::root().join("examples/answers").read_dir().unwrap();
    for answer in answers.map(|entry| entry.unwrap().file_name().into_string().unwrap()) {
        for format in ["ledger", "json", "table", "markdown", "junit"] {
            let more = ["--format", format];
            let (files, database) =
                (check(&answer, &[docs], &more), check(&answer, &[&address], &more));
            assert_eq!(
                (database.exit, database.stdout),
                (files.exit, files.stdout),
                "{answer}, {format}: {}",
                database.stderr
            );
        }
    }
    let removed = dalil(&["index", "--remove", "--into", &address], b"");
    assert_eq!((removed.exit, removed.stdout.as_str()), (0, ""), "{}", removed.stderr);
    let gone = check("leave.en.md", &[&address], &[]);
    assert_eq!(
        (gone.exit, gone.stderr.as_str()),
        (
            2,
            "error: expected a corpus `same` of the tenant `program` in the database, found none\n\
             hint: `dalil index PATH --into ADDRESS` makes one\n"
        )
    );
}

#[test]
fn what_is_no_address_or_needs_the_files_is_refused_without_a_word_of_the_address() {
    let folder = run::folder("database-corpus");
    run::put(&folder.join("a.md"), b"The notice is 30 days.");
    let docs = folder.to_str().unwrap();
    let answer = folder.join("a.md");
    let answer = answer.to_str().unwrap();
    let secret = "postgres://u:s3cret@127.0.0.1:9/d";
    let corpus = format!("{secret}#acme/hr");
    let expected = "expected `postgres://USER@HOST/DATABASE#TENANT/CORPUS`, found another address";
    let several = "expected files and folders, or one corpus in a database, found several things";
    for (args, said) in [
        (vec!["check", answer, "--against", secret], expected),
        (vec!["check", answer, "--against", docs, &corpus], several),
        (vec!["check", answer, "--against", &corpus, &corpus], several),
        (vec!["check", answer, "--against", &corpus], "expected to enter the database, found"),
        (vec!["index", docs, "--into", secret], expected),
        (vec!["index", docs, "--into", "s3cret"], expected),
        (vec!["index", docs, "--into", &corpus], "expected to enter the database, found"),
        (vec!["index", "--remove", "--into", &corpus], "expected to enter the database, found"),
    ] {
        let output = dalil(&args, b"");
        assert_eq!((output.exit, output.stdout.as_str()), (2, ""), "{args:?}");
        assert!(output.stderr.starts_with(&format!("error: {said}")), "{}", output.stderr);
        assert!(!output.stderr.contains("s3cret"), "{}", output.stderr);
    }
    let Some(address) = address("program/needs") else { return };
    assert_eq!(dalil(&["index", docs, "--into", &address], b"").exit, 0);
    for option in ["--save", "--stream"] {
        let output = dalil(&["check", "-", "--against", &address, option], b"It is 30 days.");
        let said = format!(
            "error: expected files or folders with `{option}`, found a corpus in a database\n\
             hint: leave the option out, or give the documents themselves\n"
        );
        assert_eq!((output.exit, output.stderr), (2, said));
    }
    assert_eq!(dalil(&["index", "--remove", "--into", &address], b"").exit, 0);
}

/// A writer that is killed leaves the corpus that was there, and no table of its own.
#[test]
fn a_writer_that_is_killed_leaves_nothing() {
    let Some(address) = address("program/killed") else { return };
    let folder = run::folder("database-corpus-killed");
    run::put(&folder.join("old/a.md"), b"The notice is 30 days.");
    for n in 0..400 {
        let text = format!("# Policy {n}\n\n{}", format!("The notice is {n} days.\n\n").repeat(60));
        run::put(&folder.join(format!("new/{n}.md")), text.as_bytes());
    }
    let old = folder.join("old");
    assert_eq!(dalil(&["index", old.to_str().unwrap(), "--into", &address], b"").exit, 0);
    for millis in [50, 200, 600] {
        let mut writer = Command::new(env!("CARGO_BIN_EXE_dalil"));
        let new = folder.join("new");
        let mut writer = writer.arg("index").arg(new).args(["--into", &address]).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(millis));
        writer.kill().unwrap();
        // One that was done before it was killed has replaced the corpus.
        if writer.wait().unwrap().success() {
            continue;
        }
        let answer = folder.join("old/a.md");
        let args = ["check", answer.to_str().unwrap(), "--against", &address, "--format", "ledger"];
        let output = dalil(&args, b"");
        assert!(output.stdout.contains("a.md"), "{}{}", output.stdout, output.stderr);
    }
    assert_eq!(dalil(&["index", "--remove", "--into", &address], b"").exit, 0);
}
