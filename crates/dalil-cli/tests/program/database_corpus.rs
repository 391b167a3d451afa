//! `dalil index` and `dalil check` with a corpus in a database.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::run::{self, Output, dalil};

/// The address of a database with pgvector, if the tests were given one.
fn address(names: &str) -> Option<String> {
    let server = std::env::var_os("DALIL_TEST_PGVECTOR")?.into_string().ok()?;
    Some(format!("{server}#{names}"))
}

/// Runs a statement, and returns its output.
#[track_caller]
fn sql(database: &str, statement: &str) -> String {
    let mut psql = Command::new("psql");
    psql.args([database, "--quiet", "--tuples-only", "--no-align", "--command", statement]);
    let done = psql.env("PGOPTIONS", "--client-min-messages=warning").output().unwrap();
    assert!(done.status.success(), "{done:?}");
    String::from_utf8(done.stdout).unwrap().trim().to_owned()
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
    let mut answers: Vec<String> =
        answers.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    answers.sort();
    for (n, answer) in answers.iter().enumerate() {
        // The other forms are made of the ledger.
        let formats = ["ledger", "json", "table", "markdown", "junit"];
        for format in formats.iter().take(if n == 0 { formats.len() } else { 1 }) {
            let more = ["--format", format];
            let (files, database) =
                (check(answer, &[docs], &more), check(answer, &[&address], &more));
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
        (
            vec!["check", answer, "--against", &corpus, "--save"],
            "expected files or folders with `--save`, found a corpus in a database\n\
             hint: leave the option out, or give the documents themselves\n",
        ),
        (
            vec!["check", "-", "--against", &corpus, "--stream"],
            "expected files or folders with `--stream`, found a corpus in a database\n\
             hint: leave the option out, or give the documents themselves\n",
        ),
        (
            vec!["check", secret, "--against", docs],
            "expected a readable file, found `postgres://…`: No such file or directory",
        ),
        (
            vec!["read", secret],
            "expected a readable file, found `postgres://…`: No such file or directory",
        ),
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
    let output = dalil(&["index", secret, "--into", &address], b"");
    let said = "error: expected a file or folder, found `postgres://…`: \
                No such file or directory (os error 2)\n\
                hint: give files or folders with documents\n";
    assert_eq!((output.exit, output.stderr.as_str()), (2, said));
}

#[test]
fn what_is_not_read_or_left_out_is_told_from_a_database_too() {
    let Some(address) = address("program/notes") else { return };
    let folder = run::folder("database-corpus-notes");
    run::put(&folder.join("docs/a.md"), b"The notice is 30 days.");
    run::put(&folder.join("docs/answer.md"), b"The notice is 60 days.");
    run::put(&folder.join("docs/picture.png"), b"\x89PNG\r\n\x1a\n");
    let (docs, answer) = (folder.join("docs"), folder.join("docs/answer.md"));
    let (docs, answer) = (docs.to_str().unwrap(), answer.to_str().unwrap());
    let notes = "left out: `answer.md` is an answer, and no evidence for it\n\
                 not read: `picture.png`: expected a document, found a picture\n";
    let written = dalil(&["index", docs, "--into", &address], b"");
    let picture = "not read: `picture.png`: expected a document, found a picture\n";
    assert_eq!((written.exit, written.stderr.as_str()), (0, picture));
    for against in [docs, &address] {
        let args = ["check", answer, "--no-index", "--judge", "fast", "--against", against];
        let output = dalil(&[&args[..], &["--format", "ledger"]].concat(), b"");
        assert_eq!((output.exit, output.stderr.as_str()), (0, notes), "{against}");
        assert!(output.stdout.contains(r#""contradicted":1"#), "{}", output.stdout);
    }
    assert_eq!(dalil(&["index", "--remove", "--into", &address], b"").exit, 0);
}

/// A database of its own, with a corpus of one document, and many documents to write in its place.
struct KilledWriter {
    database: String,
    address: String,
    folder: std::path::PathBuf,
}

impl KilledWriter {
    fn new() -> Option<Self> {
        let server = std::env::var_os("DALIL_TEST_PGVECTOR")?.into_string().ok()?;
        sql(&server, "DROP DATABASE IF EXISTS dalil_program_killed WITH (FORCE)");
        sql(&server, "CREATE DATABASE dalil_program_killed");
        let database = format!("{}/dalil_program_killed", server.rsplit_once('/')?.0);
        let address = format!("{database}#program/killed");
        let folder = run::folder("database-corpus-killed");
        run::put(&folder.join("old/a.md"), b"The notice is 30 days.");
        run::put(&folder.join("answer.md"), b"The notice is 60 days.");
        for n in 0..60 {
            let line = |at: usize| format!("The notice of grade {n}-{at} is {} days.", n * at);
            let text = (0..50).map(line).collect::<Vec<_>>().join("\n\n");
            run::put(&folder.join(format!("new/{n}.md")), text.as_bytes());
        }
        Some(Self { database, address, folder })
    }

    fn write(&self, name: &str) -> Child {
        let mut writer = Command::new(env!("CARGO_BIN_EXE_dalil"));
        writer.arg("index").arg(self.folder.join(name)).args(["--into", &self.address]);
        writer.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    fn ledger(&self) -> String {
        let answer = self.folder.join("answer.md");
        let args = ["check", answer.to_str().unwrap(), "--no-index", "--judge", "fast"];
        let more = ["--against", &self.address, "--at", "2026-03-15T09:30:00Z"];
        let output = dalil(&[&args[..], &more, &["--format", "ledger"]].concat(), b"");
        assert_eq!(output.exit, 0, "{}", output.stderr);
        output.stdout
    }

    fn tables(&self) -> String {
        let names = "SELECT string_agg(tablename, ' ' ORDER BY tablename) FROM pg_tables \
                     WHERE schemaname = 'dalil_corpora'";
        sql(&self.database, names)
    }

    /// How many sessions of the program are in such a state.
    fn sessions(&self, state: &str) -> String {
        let count = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() \
                     AND application_name = 'dalil'";
        sql(&self.database, &format!("{count} AND {state}"))
    }

    /// Has every command of a kind wait, so that its writer can be killed there on any machine. The
    /// server looks after its clients meanwhile.
    fn hold(&self, event: &str, tag: &str) {
        for statement in [
            "ALTER DATABASE dalil_program_killed SET client_connection_check_interval = '100ms'",
            "CREATE OR REPLACE FUNCTION public.held() RETURNS event_trigger LANGUAGE plpgsql \
             AS $$ BEGIN PERFORM pg_sleep(20); END $$",
            &format!(
                "CREATE EVENT TRIGGER held ON {event} WHEN TAG IN ('{tag}') \
                 EXECUTE FUNCTION public.held()"
            ),
        ] {
            sql(&self.database, statement);
        }
    }

    fn release(&self) {
        sql(&self.database, "DROP EVENT TRIGGER held");
    }
}

/// A writer that is killed leaves the corpus that was there, and no table of its own.
#[test]
fn a_writer_that_is_killed_leaves_nothing() {
    let Some(killed) = KilledWriter::new() else { return };
    assert!(killed.write("old").wait().unwrap().success());
    let before = (killed.tables(), killed.ledger());
    // Once a table of its own is there, and while it makes their indexes.
    for (event, tag) in [("ddl_command_end", "CREATE TABLE"), ("ddl_command_start", "ALTER TABLE")]
    {
        killed.hold(event, tag);
        let mut writer = killed.write("new");
        while killed.sessions("wait_event = 'PgSleep'") == "0" {
            assert_eq!(writer.try_wait().unwrap(), None, "done before {tag}");
        }
        writer.kill().unwrap();
        assert!(!writer.wait().unwrap().success(), "{tag}");
        let is_gone = || killed.sessions("true") == "0";
        let gone = (0..600).any(|_| {
            std::thread::sleep(Duration::from_millis(100));
            is_gone()
        });
        assert!(gone, "{tag}: still there");
        killed.release();
        assert_eq!((killed.tables(), killed.ledger()), before, "{tag}");
    }
    // The next writer takes the place of the old tables, and drops them.
    assert!(killed.write("new").wait().unwrap().success());
    let (tables, ledger) = (killed.tables(), killed.ledger());
    assert_eq!(tables.split(' ').count(), before.0.split(' ').count(), "{tables}");
    assert!(!tables.contains("document_1 "), "{tables}");
    assert_ne!(ledger, before.1);
}
