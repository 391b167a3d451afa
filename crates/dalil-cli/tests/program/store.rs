//! Commands over a store, from the first tenant to a rollback that is found.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use expect_test::{Expect, expect};

use crate::run::{dalil_in, folder, put};

/// A folder in which commands are run, and what they said.
struct Session {
    folder: PathBuf,
    said: String,
    hour: u32,
}

impl Session {
    fn new(name: &str) -> Self {
        Self { folder: folder(name), said: String::new(), hour: 8 }
    }

    /// Runs a command an hour after the last, and keeps everything it says.
    #[track_caller]
    fn run(&mut self, command: &str) -> String {
        self.hour += 1;
        let at = format!("2026-03-01T{:02}:00:00.000Z", self.hour);
        let mut args: Vec<&str> = command.split(' ').collect();
        if !command.contains("--at ") {
            args.extend(["--at", &at]);
        }
        let output = dalil_in(&self.folder, &[("USER", "ada")], &args, b"");
        writeln!(self.said, "$ dalil {command}").unwrap();
        for text in [&output.stdout, &output.stderr] {
            self.said.push_str(&scrubbed(text));
        }
        if output.exit != 0 {
            writeln!(self.said, "exit {}", output.exit).unwrap();
        }
        output.stdout
    }

    /// Runs a command whose words may hold spaces, and keeps nothing.
    #[track_caller]
    fn quietly(&self, args: &[&str]) -> String {
        let output = dalil_in(&self.folder, &[("USER", "ada")], args, b"");
        assert_eq!((output.exit, output.stderr.as_str()), (0, ""), "{args:?}");
        output.stdout
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    #[track_caller]
    fn check(&self, expected: &Expect) {
        expected.assert_eq(&self.said);
    }
}

/// The same text with what is drawn at random as `#`.
fn scrubbed(text: &str) -> String {
    let is_drawn = |run: &str| {
        let hex = run.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let digits = run.bytes().all(|byte| byte.is_ascii_digit());
        (hex && run.len() >= 8 && !digits) || run.len() >= 40
    };
    let mut shown = String::new();
    let mut run = String::new();
    for ch in text.chars().chain(['\n']) {
        if ch.is_ascii_alphanumeric() || matches!(ch, '/' | '=') && run.len() >= 20 {
            run.push(ch);
            continue;
        }
        shown.push_str(if is_drawn(&run) { "#" } else { &run });
        run.clear();
        shown.push(ch);
    }
    shown.pop();
    shown
}

#[test]
fn tenants_and_keys() {
    let mut session = Session::new("store-tenants");
    session.run("tenant list");
    session.run("hold list");
    session.run("keys add");
    session.run("tenant create Acme --origin dalil.example/acme");
    session.run("tenant create acme --origin dalil.example/acme");
    session.run("tenant create acme --origin dalil.example/acme");
    session.run("tenant create beta --origin dalil.example/beta");
    session.run("tenant list --format table");
    session.run("tenant show");
    session.run("tenant show --tenant beta");
    session.run("tenant show --tenant gamma");
    session.run("keys add --tenant acme --name dalil.example/acme-2");
    let keys = session.quietly(&["keys", "list", "--tenant", "acme"]);
    let first = keys.split("\"key_id\":\"").nth(1).unwrap().get(..8).unwrap().to_owned();
    session.run(&format!("keys retire {first} --tenant acme"));
    session.run(&format!("keys revoke {first} --tenant acme"));
    session.run("keys list --tenant acme --format table");
    session.run("keys trust --tenant acme --seen");
    session.check(&expect![[""]]);
}

#[test]
fn holds_stand_in_the_way_of_erasure() {
    let mut session = Session::new("store-holds");
    session.run("tenant create acme --origin dalil.example/acme");
    session.run("trail export --out one.jsonl --approver dpo-1 --reason audit");
    session.run("hold place case-7 --scope kind:export.made --reason lawsuit");
    session.run("hold place case-7 --scope all --reason again");
    session.run("hold list --format table");
    session.run("erase --scope kind:export.made --legal-basis retention_expired --approver dpo-1");
    session.run("hold lift case-8 --reason settled");
    session.run("hold lift case-7 --reason settled");
    session
        .run("erase --scope kind:export.made --legal-basis court_order --approver dpo-1 --dry-run");
    session.run("erase --scope kind:export.made --legal-basis court_order --approver dpo-1");
    session.run("erase --scope kind:export.made --legal-basis court_order --approver dpo-1");
    session.run("erase --scope all --legal-basis court_order --approver dpo-1 --record 0");
    session.run("trail show --format table");
    session.run("trail show --subject case-7 --format table");
    session.run("fsck");
    session.check(&expect![[""]]);
}

#[test]
fn a_trail_is_exported_and_verified() {
    let mut session = Session::new("store-trail");
    session.run("tenant create acme --origin dalil.example/acme");
    let trust = session.quietly(&["keys", "trust", "--seen", "--at", "2026-03-01T10:30:00.000Z"]);
    put(&session.path("trust.json"), trust.as_bytes());
    session.run("trail export --out one.jsonl --approver dpo-1 --reason audit");
    session.run(
        "trail export --out two.jsonl --approver dpo-1 --reason audit --from 2 --withhold export",
    );
    session.run("trail export --out three.jsonl --approver dpo-1 --reason audit --from 9");
    for file in ["one.jsonl", "two.jsonl"] {
        session.run(&format!("verify {file} --trust trust.json"));
    }
    session.run("trail checkpoint");
    session.run("trail checkpoint --size 99");
    let receipt = session.quietly(&["trail", "prove", "2"]);
    put(&session.path("receipt.txt"), receipt.as_bytes());
    session.run("verify receipt.txt --trust trust.json");
    session.run("trail prove 99");
    session.run("trail prove --from 2 --to 3");
    session.run("trail verify --trust trust.json");
    session.check(&expect![[""]]);
}

#[test]
fn a_rollback_of_the_folder_is_found_by_a_head_that_was_seen() {
    let mut session = Session::new("store-rollback");
    session.run("tenant create acme --origin dalil.example/acme");
    copy(&session.path("dalil-data"), &session.path("old"));
    session.run("trail export --out one.jsonl --approver dpo-1 --reason audit");
    let trust = session.quietly(&["keys", "trust", "--seen", "--at", "2026-03-01T10:30:00.000Z"]);
    put(&session.path("trust.json"), trust.as_bytes());
    session.run("fsck --store file:old");
    session.run("trail verify --trust trust.json --store file:old");
    session.check(&expect![[""]]);
}

#[test]
fn a_witness_cosigns_by_file() {
    let mut session = Session::new("store-witness");
    session.run("tenant create acme --origin dalil.example/acme");
    let keys = session.quietly(&["keys", "list"]);
    let key = keys.split("\"key\":\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let note = session.quietly(&["trail", "checkpoint"]);
    put(&session.path("note.txt"), note.as_bytes());
    put(&session.path("seed"), &[9; 32]);
    let cosign = |extra: &str| {
        format!(
            "trail witness cosign --checkpoint note.txt --trail-key {key} --name w.example --seed-file seed{extra}"
        )
    };
    let cosigned = session.run(&cosign(""));
    put(&session.path("cosigned.txt"), cosigned.as_bytes());
    let witness = "w.example+3ecb6463+BP0XJOOFrd5p7lIv+9Wk5gqUkuMNxPSFdrLyY0Ri8C4Y";
    session.run(&format!("trail witness add cosigned.txt --witness {witness}"));
    session.run(&format!("trail witness add note.txt --witness {witness}"));
    session.run("trail checkpoint --size 2");
    let forged = cosigned.replace("acme\n2\n", "acme\n3\n");
    put(&session.path("forged.txt"), forged.as_bytes());
    session.run(&format!("trail witness add forged.txt --witness {witness}"));
    session.run("fsck --quiet");
    session.check(&expect![[""]]);
}

#[test]
fn a_store_is_examined() {
    let mut session = Session::new("store-doctor");
    session.run("doctor");
    session.run("tenant create acme --origin dalil.example/acme");
    fs::set_permissions(
        session.path("dalil-data"),
        std::os::unix::fs::PermissionsExt::from_mode(0o700),
    )
    .unwrap();
    session.run("doctor --at 2026-01-01T00:00:00.000Z");
    put(&session.path("word"), b"open sesame\n");
    session.run("doctor --passphrase-file word");
    let free = session
        .said
        .split(" MiB free")
        .map(|part| part.trim_end_matches(|ch: char| ch.is_ascii_digit()));
    session.said = free.collect::<Vec<_>>().join("# MiB free");
    session.check(&expect![[""]]);
}

/// Copies a folder.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), &target).unwrap();
        }
    }
}
