//! Commands over a store, from the first tenant to a rollback that is found.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use expect_test::{Expect, expect};

use crate::run::{dalil_in, folder, put};

/// A folder in which commands are run, and their output.
struct Session {
    folder: PathBuf,
    said: String,
    minute: u32,
}

impl Session {
    fn new(name: &str) -> Self {
        Self { folder: folder(name), said: String::new(), minute: 0 }
    }

    /// Runs a command a minute after the last, and keeps its whole output.
    #[track_caller]
    fn run(&mut self, command: &str) -> String {
        self.minute += 1;
        let at = format!("2026-03-01T09:{:02}:00.000Z", self.minute);
        let mut args: Vec<&str> = command.split(' ').collect();
        if !command.contains("--at ") {
            args.extend(["--at", &at]);
        }
        let output = dalil_in(&self.folder, &[("USER", "ada")], &args, b"");
        writeln!(self.said, "$ dalil {}", scrubbed(command)).unwrap();
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

/// The same text with random values as `#`.
fn scrubbed(text: &str) -> String {
    let is_hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let is_drawn = |run: &str| run.len() >= 40 || run.len() >= 8 && run.bytes().all(is_hex);
    let mut shown = String::new();
    let mut run = String::new();
    for ch in text.chars().chain(['\n']) {
        if ch.is_ascii_alphanumeric() || matches!(ch, '+' | '/' | '=') {
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
fn a_store_is_its_owners_to_read() {
    let mut session = Session::new("store-modes");
    session.run("tenant create acme --origin dalil.example/acme");
    let mode = |name: &str| fs::metadata(session.path(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("dalil-data"), mode("dalil-data/identity")), (0o700, 0o600));
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
    session.check(&expect![[r#"
        $ dalil tenant list
        error: cannot open the store: `file:./dalil-data`: expected a store, found none
        hint: `dalil tenant create` makes one
        exit 2
        $ dalil hold list
        error: cannot open the store: `file:./dalil-data`: expected a store, found none
        hint: `dalil tenant create` makes one
        exit 2
        $ dalil keys add
        error: cannot open the store: `file:./dalil-data`: expected a store, found none
        hint: `dalil tenant create` makes one
        exit 2
        $ dalil tenant create Acme --origin dalil.example/acme
        error: cannot make a tenant: name: expected 1 to 63 lower-case letters, digits and `-`, found "Acme"
        exit 1
        $ dalil tenant create acme --origin dalil.example/acme
        {"created_at":"2026-03-01T09:05:00.000Z","origin":"dalil.example/acme","root":"sha256:#","size":2,"tenant":"acme"}
        $ dalil tenant create acme --origin dalil.example/acme
        error: cannot make a tenant: tenant `acme`: expected a name that is new, found a tenant of that name
        exit 1
        $ dalil tenant create beta --origin dalil.example/beta
        {"created_at":"2026-03-01T09:07:00.000Z","origin":"dalil.example/beta","root":"sha256:#","size":2,"tenant":"beta"}
        $ dalil tenant list --format table
        tenant  origin              records  created
        acme    dalil.example/acme  2        2026-03-01T09:05:00.000Z
        beta    dalil.example/beta  2        2026-03-01T09:07:00.000Z
        $ dalil tenant show
        error: cannot find a tenant: `file:./dalil-data`: expected `--tenant NAME`, found 2 tenants to choose from
        hint: name one of acme, beta
        exit 1
        $ dalil tenant show --tenant beta
        {"created_at":"2026-03-01T09:07:00.000Z","origin":"dalil.example/beta","root":"sha256:#","size":2,"tenant":"beta"}
        $ dalil tenant show --tenant gamma
        error: cannot find a tenant: `file:./dalil-data`: expected a tenant of the store, found `gamma`
        hint: `dalil tenant list` names those that there are
        exit 1
    "#]]);
}

#[test]
fn keys_are_added_retired_and_trusted() {
    let mut session = Session::new("store-keys");
    session.run("tenant create acme --origin dalil.example/acme");
    session.run("keys add --name dalil.example/acme-2");
    let keys = session.quietly(&["keys", "list"]);
    let first = keys.split("\"key_id\":\"").nth(1).unwrap().get(..8).unwrap().to_owned();
    session.run(&format!("keys retire {first}"));
    session.run(&format!("keys revoke {first}"));
    session.run("keys list --format table");
    session.run("keys trust --seen");
    session.check(&expect![[r##"
        $ dalil tenant create acme --origin dalil.example/acme
        {"created_at":"2026-03-01T09:01:00.000Z","origin":"dalil.example/acme","root":"sha256:#","size":2,"tenant":"acme"}
        $ dalil keys add --name dalil.example/acme-2
        {"at":"2026-03-01T09:02:00.000Z","change":"added","index":2,"key":"dalil.example/acme-#","key_id":"#"}
        $ dalil keys retire #
        {"id":"rec_#","index":3,"leaf":"sha256:#"}
        $ dalil keys revoke #
        error: cannot change a key: `keys`: expected a key in use, found `#`
        exit 1
        $ dalil keys list --format table
        record  at                        change   id        key
        1       2026-03-01T09:01:00.000Z  added    #  dalil.#
        2       2026-03-01T09:02:00.000Z  added    #  dalil.example/acme-#
        3       2026-03-01T09:03:00.000Z  retired  #  dalil.#
        $ dalil keys trust --seen
        {"key_history":[{"at":"2026-03-01T09:01:00.000Z","change":"added","key":"dalil.#"},{"at":"2026-03-01T09:02:00.000Z","change":"added","key":"dalil.example/acme-#"},{"at":"2026-03-01T09:03:00.000Z","change":"retired","key":"dalil.#"}],"origin":"dalil.example/acme","seen":[{"at":"2026-03-01T09:06:00.000Z","root":"sha256:#","size":4}]}
    "##]]);
}

#[test]
fn a_time_of_the_future_is_refused_and_nothing_is_recorded() {
    let mut session = Session::new("store-future");
    session.run("tenant create acme --origin example.org/acme");
    let before = session.quietly(&["trail", "checkpoint"]);
    for command in [
        "keys add",
        "member add ada --role admin",
        "hold place h1 --scope subject:x --reason audit",
    ] {
        let late = format!("{command} --at 2126-03-01T09:00:00Z");
        let late: Vec<&str> = late.split(' ').collect();
        let output = dalil_in(&session.folder, &[("USER", "ada")], &late, b"");
        let (said, now) = output.stdout.split_once("within a minute of ").unwrap();
        let told = format!(
            "{} {said}{}",
            output.exit,
            now.get("2026-03-01T09:00:00.000Z".len()..).unwrap()
        );
        expect![[r#"
            1 {"refused":[{"hint":"a record of the future would hold up all that follow","message":"expected a time that is past, or , found `2126-03-01T09:00:00.000Z`","path":"--at","rule":"future"}]}
        "#]]
        .assert_eq(&told);
    }
    assert_eq!(session.quietly(&["trail", "checkpoint"]), before);
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
    let erase = "erase --scope kind:export.made --legal-basis court_order --approver dpo-1";
    for more in [" --dry-run", " --key e", " --key e", ""] {
        session.run(&format!("{erase}{more}"));
    }
    session.run("erase --scope all --legal-basis court_order --approver dpo-1 --record 0");
    session.run("trail show --format table");
    session.run("fsck");
    session.check(&expect![[r#"
        $ dalil tenant create acme --origin dalil.example/acme
        {"created_at":"2026-03-01T09:01:00.000Z","origin":"dalil.example/acme","root":"sha256:#","size":2,"tenant":"acme"}
        $ dalil trail export --out one.jsonl --approver dpo-1 --reason audit
        {"first":0,"head":{"root":"sha256:#","size":3},"previous":null,"record":{"id":"rec_#","index":2,"leaf":"sha256:#"},"sha256":"sha256:#"}
        $ dalil hold place case-7 --scope kind:export.made --reason lawsuit
        {"covers":{"records":1,"rests_on":[]},"id":"rec_#","index":3,"leaf":"sha256:#"}
        $ dalil hold place case-7 --scope all --reason again
        {"refused":[{"message":"expected the id of a hold that is not in place, found `case-7`","path":"hold_id","rule":"hold"}]}
        error: `hold_id`: expected the id of a hold that is not in place, found `case-7`
        exit 1
        $ dalil hold list --format table
        hold    scope             records  reason
        case-7  kind:export.made  1        lawsuit
        $ dalil erase --scope kind:export.made --legal-basis retention_expired --approver dpo-1
        {"refused":[{"message":"expected no hold, found the hold `case-7`: `lawsuit`","path":"record 2","rule":"hold"},{"hint":"a data subject's request or a court order can come before","message":"expected the retention time to be over at 2026-03-01T09:06:00.000Z, found that it runs until 2033-03-01T09:02:00.000Z","path":"record 2","rule":"retention"}]}
        error: `record 2`: expected no hold, found the hold `case-7`: `lawsuit`
        error: `record 2`: expected the retention time to be over at 2026-03-01T09:06:00.000Z, found that it runs until 2033-03-01T09:02:00.000Z
        hint: a data subject's request or a court order can come before
        exit 1
        $ dalil hold lift case-8 --reason settled
        {"refused":[{"message":"expected the id of a hold that is in place, found `case-8`","path":"hold_id","rule":"hold"}]}
        error: `hold_id`: expected the id of a hold that is in place, found `case-8`
        exit 1
        $ dalil hold lift case-7 --reason settled
        {"id":"rec_#","index":4,"leaf":"sha256:#"}
        $ dalil erase --scope kind:export.made --legal-basis court_order --approver dpo-1 --dry-run
        {"erased":[2]}
        would go: 0 objects of the lake; 0 stay, needed by other records or locked
        $ dalil erase --scope kind:export.made --legal-basis court_order --approver dpo-1 --key e
        {"erased":[2],"record":{"id":"rec_#","index":5,"leaf":"sha256:#"}}
        went: 0 objects of the lake; 0 stay, needed by other records or locked
        $ dalil erase --scope kind:export.made --legal-basis court_order --approver dpo-1 --key e
        {"erased":[2],"record":{"id":"rec_#","index":5,"leaf":"sha256:#"}}
        went: 0 objects of the lake; 0 stay, needed by other records or locked
        $ dalil erase --scope kind:export.made --legal-basis court_order --approver dpo-1
        {"refused":[{"message":"expected a record with a payload, found none that is there and may go","path":"scope","rule":"scope"}]}
        error: `scope`: expected a record with a payload, found none that is there and may go
        exit 1
        $ dalil erase --scope all --legal-basis court_order --approver dpo-1 --record 0
        {"refused":[{"message":"expected a kind that may be erased, found `tenant.created`","path":"record 0","rule":"kind"}]}
        error: `record 0`: expected a kind that may be erased, found `tenant.created`
        exit 1
        $ dalil trail show --format table
        record  at                        kind            subject             actor       payload
        0       2026-03-01T09:01:00.000Z  tenant.created  acme                person:ada  rows PRESENT
        1       2026-03-01T09:01:00.000Z  key.added       key_#        person:ada  key PRESENT, rows PRESENT
        2       2026-03-01T09:02:00.000Z  export.made     dalil.example/acme  person:ada  export ERASED by 5, rows ERASED by 5
        3       2026-03-01T09:03:00.000Z  hold.placed     case-7              person:ada  hold PRESENT, rows PRESENT
        4       2026-03-01T09:08:00.000Z  hold.lifted     case-7              person:ada  hold PRESENT, rows PRESENT
        5       2026-03-01T09:10:00.000Z  payload.erased  export.made         person:ada  erasure PRESENT, rows PRESENT
        $ dalil fsck
        {"findings":[{"message":"SQLite finds its pages sound","part":"database","verdict":"pass"},{"message":"262 tables, indices and triggers as the migrations make them","part":"schema","verdict":"pass"},{"message":"6 in order, each in its own bytes","part":"records","tenant":"acme","verdict":"pass"},{"message":"5 subjects, each record after the one before","part":"lineage","tenant":"acme","verdict":"pass"},{"message":"9 fields PRESENT, 2 ERASED","part":"payloads","tenant":"acme","verdict":"pass"},{"message":"5 as the records commit to them","part":"rows","tenant":"acme","verdict":"pass"},{"message":"2 fields went, each by a record","part":"erasures","tenant":"acme","verdict":"pass"},{"message":"each is the hash of its envelope","part":"leaves","tenant":"acme","verdict":"pass"},{"message":"each repeats its envelope","part":"columns","tenant":"acme","verdict":"pass"},{"message":"0 as the records make them","part":"tiles","tenant":"acme","verdict":"pass"},{"message":"5 signed, each over the root of its records","part":"checkpoints","tenant":"acme","verdict":"pass"},{"message":"1 answered, by records that are there","part":"requests","tenant":"acme","verdict":"pass"},{"message":"0, each in a record","part":"cosignatures","tenant":"acme","verdict":"pass"},{"message":"0, each in a record","part":"timestamps","tenant":"acme","verdict":"pass"},{"message":"1 recorded, as their records say","part":"keys","tenant":"acme","verdict":"pass"},{"message":"each opens with the identity, and is its key's own","part":"secrets","tenant":"acme","verdict":"pass"},{"message":"0 objects of 0 bytes, each with its digest","part":"lake","tenant":"acme","verdict":"pass"}],"verdict":"pass"}
    "#]]);
}

#[test]
fn a_trail_is_exported_and_verified() {
    let mut session = Session::new("store-trail");
    session.run("tenant create acme --origin dalil.example/acme");
    let trust = session.quietly(&["keys", "trust", "--seen", "--at", "2026-03-01T09:30:00.000Z"]);
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
    session.quietly(&["trail", "show", "--subject", "acme", "--format", "table"]);
    session.run("trail prove 99");
    session.run("trail prove --from 2 --to 3");
    session.run("trail verify --trust trust.json");
    session.check(&expect![[r#"
        $ dalil tenant create acme --origin dalil.example/acme
        {"created_at":"2026-03-01T09:01:00.000Z","origin":"dalil.example/acme","root":"sha256:#","size":2,"tenant":"acme"}
        $ dalil trail export --out one.jsonl --approver dpo-1 --reason audit
        {"first":0,"head":{"root":"sha256:#","size":3},"previous":null,"record":{"id":"rec_#","index":2,"leaf":"sha256:#"},"sha256":"sha256:#"}
        $ dalil trail export --out two.jsonl --approver dpo-1 --reason audit --from 2 --withhold export
        {"first":2,"head":{"root":"sha256:#","size":4},"previous":{"root":"sha256:#","size":3},"record":{"id":"rec_#","index":3,"leaf":"sha256:#"},"sha256":"sha256:#"}
        $ dalil trail export --out three.jsonl --approver dpo-1 --reason audit --from 9
        {"refused":[{"message":"expected at most 4, found 9","path":"from","rule":"range"}]}
        error: `from`: expected at most 4, found 9
        exit 1
        $ dalil verify one.jsonl --trust trust.json
        {"findings":[{"message":"a trail export from record 0 to size 3","part":"format","verdict":"pass"},{"message":"of `dalil.example/acme` at size 3","part":"checkpoint","verdict":"pass"},{"message":"3 records in their canonical form","part":"records","verdict":"pass"},{"message":"every record is there once, in its place","part":"order","verdict":"pass"},{"message":"3 subjects, unbroken","part":"lineage","verdict":"pass"},{"message":"the records give the root at size 3","part":"root","verdict":"pass"},{"message":"the head seen at 2026-03-01T09:30:00.000Z, of size 2, is in it","part":"consistency","verdict":"pass"},{"message":"5 PRESENT (0 in the lake), 0 ERASED, 0 WITHHELD, 0 MISSING, 0 ALTERED","part":"payloads","verdict":"pass"},{"message":"1 changes, as the records tell them","part":"key history","verdict":"pass"},{"message":"whole: 3 records and their digest","part":"end","verdict":"pass"},{"message":"signed by `dalil.example/acme`","part":"checkpoint signature","verdict":"pass"},{"message":"`dalil.example/acme` is in use","part":"key status","verdict":"pass"}],"verdict":"pass"}
        $ dalil verify two.jsonl --trust trust.json
        {"findings":[{"message":"a trail export from record 2 to size 4","part":"format","verdict":"pass"},{"message":"of `dalil.example/acme` at size 4","part":"checkpoint","verdict":"pass"},{"message":"2 records in their canonical form","part":"records","verdict":"pass"},{"message":"every record is there once, in its place","part":"order","verdict":"pass"},{"message":"1 subjects, unbroken","part":"lineage","verdict":"pass"},{"message":"the records give the root at size 4","part":"root","verdict":"pass"},{"message":"adds to the export of size 3 before it","part":"consistency","verdict":"pass"},{"message":"the head seen at 2026-03-01T09:30:00.000Z, of size 2, is in it","part":"consistency","verdict":"pass"},{"message":"2 PRESENT (0 in the lake), 0 ERASED, 2 WITHHELD, 0 MISSING, 0 ALTERED","part":"payloads","verdict":"incomplete"},{"message":"1 of 1 changes came before this file, by its word only","part":"key history","verdict":"incomplete"},{"message":"whole: 2 records and their digest","part":"end","verdict":"pass"},{"message":"signed by `dalil.example/acme`","part":"checkpoint signature","verdict":"pass"},{"message":"`dalil.example/acme` is in use","part":"key status","verdict":"pass"}],"verdict":"incomplete"}
        exit 2
        $ dalil trail checkpoint
        dalil.example/acme
        4
        #

        — dalil.example/acme #
        $ dalil trail checkpoint --size 99
        {"refused":[{"hint":"`dalil trail checkpoint` gives the newest; one is signed for every group of records","message":"expected a size that was signed, found 99","path":"size","rule":"checkpoint"}]}
        error: `size`: expected a size that was signed, found 99
        hint: `dalil trail checkpoint` gives the newest; one is signed for every group of records
        exit 1
        $ dalil verify receipt.txt --trust trust.json
        {"findings":[{"message":"a receipt in its canonical form","part":"format","verdict":"pass"},{"message":"`rec_#`, `export.made` of 2026-03-01T09:02:00.000Z","part":"record","verdict":"pass"},{"message":"of `dalil.example/acme` at size 4","part":"checkpoint","verdict":"pass"},{"message":"record 2 is under the root","part":"inclusion","verdict":"pass"},{"message":"the root at size 2, seen at 2026-03-01T09:30:00.000Z, cannot be computed from this file; `dalil trail prove --from 2 --to 4` gives the proof that relates them","part":"consistency","verdict":"incomplete"},{"message":"signed by `dalil.example/acme`","part":"checkpoint signature","verdict":"pass"},{"message":"`dalil.example/acme` is in use","part":"key status","verdict":"pass"}],"verdict":"incomplete"}
        exit 2
        $ dalil trail prove 99
        error: cannot prove a record: tenant `acme`: expected an index below 4, found 99
        exit 1
        $ dalil trail prove --from 2 --to 3
        {"new":{"root":"sha256:#","size":3},"old":{"root":"sha256:#","size":2},"proof":["sha256:#"]}
        $ dalil trail verify --trust trust.json
        {"findings":[{"message":"a trail export from record 0 to size 4","part":"format","verdict":"pass"},{"message":"of `dalil.example/acme` at size 4","part":"checkpoint","verdict":"pass"},{"message":"4 records in their canonical form","part":"records","verdict":"pass"},{"message":"every record is there once, in its place","part":"order","verdict":"pass"},{"message":"3 subjects, unbroken","part":"lineage","verdict":"pass"},{"message":"the records give the root at size 4","part":"root","verdict":"pass"},{"message":"the head seen at 2026-03-01T09:30:00.000Z, of size 2, is in it","part":"consistency","verdict":"pass"},{"message":"7 PRESENT (0 in the lake), 0 ERASED, 0 WITHHELD, 0 MISSING, 0 ALTERED","part":"payloads","verdict":"pass"},{"message":"1 changes, as the records tell them","part":"key history","verdict":"pass"},{"message":"whole: 4 records and their digest","part":"end","verdict":"pass"},{"message":"signed by `dalil.example/acme`","part":"checkpoint signature","verdict":"pass"},{"message":"`dalil.example/acme` is in use","part":"key status","verdict":"pass"}],"verdict":"pass"}
    "#]]);
}

#[test]
fn a_rollback_of_the_folder_is_found_by_a_head_that_was_seen() {
    let mut session = Session::new("store-rollback");
    session.run("tenant create acme --origin dalil.example/acme");
    copy(&session.path("dalil-data"), &session.path("old"));
    let why = ["--approver", "dpo-1", "--reason", "an audit", "--at", "2026-03-01T09:10:00Z"];
    session.quietly(&[&["trail", "export", "--out", "one.jsonl"], why.as_slice()].concat());
    let trust = session.quietly(&["keys", "trust", "--seen", "--at", "2026-03-01T09:30:00.000Z"]);
    put(&session.path("trust.json"), trust.as_bytes());
    session.run("fsck --store file:old");
    session.run("trail verify --trust trust.json --store file:old");
    session.check(&expect![[r#"
        $ dalil tenant create acme --origin dalil.example/acme
        {"created_at":"2026-03-01T09:01:00.000Z","origin":"dalil.example/acme","root":"sha256:#","size":2,"tenant":"acme"}
        $ dalil fsck --store file:old
        {"findings":[{"message":"SQLite finds its pages sound","part":"database","verdict":"pass"},{"message":"262 tables, indices and triggers as the migrations make them","part":"schema","verdict":"pass"},{"message":"2 in order, each in its own bytes","part":"records","tenant":"acme","verdict":"pass"},{"message":"2 subjects, each record after the one before","part":"lineage","tenant":"acme","verdict":"pass"},{"message":"3 fields PRESENT, 0 ERASED","part":"payloads","tenant":"acme","verdict":"pass"},{"message":"2 as the records commit to them","part":"rows","tenant":"acme","verdict":"pass"},{"message":"0 fields went, each by a record","part":"erasures","tenant":"acme","verdict":"pass"},{"message":"each is the hash of its envelope","part":"leaves","tenant":"acme","verdict":"pass"},{"message":"each repeats its envelope","part":"columns","tenant":"acme","verdict":"pass"},{"message":"0 as the records make them","part":"tiles","tenant":"acme","verdict":"pass"},{"message":"1 signed, each over the root of its records","part":"checkpoints","tenant":"acme","verdict":"pass"},{"message":"0 answered, by records that are there","part":"requests","tenant":"acme","verdict":"pass"},{"message":"0, each in a record","part":"cosignatures","tenant":"acme","verdict":"pass"},{"message":"0, each in a record","part":"timestamps","tenant":"acme","verdict":"pass"},{"message":"1 recorded, as their records say","part":"keys","tenant":"acme","verdict":"pass"},{"message":"each opens with the identity, and is its key's own","part":"secrets","tenant":"acme","verdict":"pass"},{"message":"0 objects of 0 bytes, each with its digest","part":"lake","tenant":"acme","verdict":"pass"}],"verdict":"pass"}
        $ dalil trail verify --trust trust.json --store file:old
        {"findings":[{"message":"a trail export from record 0 to size 2","part":"format","verdict":"pass"},{"message":"of `dalil.example/acme` at size 2","part":"checkpoint","verdict":"pass"},{"message":"2 records in their canonical form","part":"records","verdict":"pass"},{"message":"every record is there once, in its place","part":"order","verdict":"pass"},{"message":"2 subjects, unbroken","part":"lineage","verdict":"pass"},{"message":"the records give the root at size 2","part":"root","verdict":"pass"},{"message":"size 3 was seen at 2026-03-01T09:30:00.000Z, and this ends at 2: older, or cut; `dalil trail prove --from 2 --to 3` gives the proof that relates them","part":"consistency","verdict":"incomplete"},{"message":"3 PRESENT (0 in the lake), 0 ERASED, 0 WITHHELD, 0 MISSING, 0 ALTERED","part":"payloads","verdict":"pass"},{"message":"1 changes, as the records tell them","part":"key history","verdict":"pass"},{"message":"whole: 2 records and their digest","part":"end","verdict":"pass"},{"message":"signed by `dalil.example/acme`","part":"checkpoint signature","verdict":"pass"},{"message":"`dalil.example/acme` is in use","part":"key status","verdict":"pass"},{"message":"expected at least 3 records, which were seen at 2026-03-01T09:30:00.000Z, found 2: the store was rolled back, or its tail was cut","part":"rollback","verdict":"fail"}],"verdict":"fail"}
        exit 1
    "#]]);
}

#[test]
fn a_head_that_was_changed_is_damage_and_no_rollback() {
    let mut session = Session::new("store-head");
    session.run("tenant create acme --origin dalil.example/acme");
    let trust = session.quietly(&["keys", "trust", "--seen", "--at", "2026-03-01T09:30:00.000Z"]);
    put(&session.path("trust.json"), trust.as_bytes());
    let catalog = session.path("dalil-data/catalog.sqlite");
    let changed = Command::new("python3").args(["-c", CHANGED_HEAD]).arg(catalog).status();
    assert!(changed.unwrap().success());
    session.run("trail verify --trust trust.json");
    session.check(&expect![[r#"
        $ dalil tenant create acme --origin dalil.example/acme
        {"created_at":"2026-03-01T09:01:00.000Z","origin":"dalil.example/acme","root":"sha256:#","size":2,"tenant":"acme"}
        $ dalil trail verify --trust trust.json
        {"findings":[{"message":"cannot read the trail: tenant `acme`: expected the checkpoint's root sha256:#, found records with the root sha256:# at 2\nhint: `dalil fsck` says what else is not as it was","part":"store","verdict":"fail"}],"verdict":"fail"}
        exit 1
    "#]]);
}

/// Makes the size in the newest checkpoint another, past the trigger that forbids it.
const CHANGED_HEAD: &str = "
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
guard = db.execute(\"SELECT sql FROM sqlite_master WHERE name = 'checkpoints_no_update'\").fetchone()[0]
db.execute('DROP TRIGGER checkpoints_no_update')
db.execute(\"UPDATE checkpoints SET note = replace(note, char(10) || '2' || char(10), char(10) || '9' || char(10))\")
db.execute(guard)
";

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
            "trail witness cosign --checkpoint note.txt --trail-key {key} --name w.example --seed-file seed --seen seen.json{extra}"
        )
    };
    session.run(&cosign(" --proof none.json"));
    let words = ["trail", "witness", "cosign", "--checkpoint", "note.txt", "--trail-key", &key];
    let own =
        ["--name", "w.example", "--seed-file", "seed", "--at", "2026-03-01T09:10:00Z", "--quiet"];
    let first = ["--seen", "seen.json", "--begin"];
    let cosigned = session.quietly(&[words.as_slice(), own.as_slice(), first.as_slice()].concat());
    put(&session.path("cosigned.txt"), cosigned.as_bytes());
    let witness = "w.example+e1c3420e+BP0XJDhaoMdbZPt4zWAvodmR/ev3axPFjtcC6sg16fYY";
    session.run(&format!("trail witness add cosigned.txt --witness {witness}"));
    session.run(&format!("trail witness add note.txt --witness {witness}"));
    session.run("trail checkpoint --size 2");
    let forged = cosigned.replace("acme\n2\n", "acme\n3\n");
    put(&session.path("forged.txt"), forged.as_bytes());
    session.run(&format!("trail witness add forged.txt --witness {witness}"));
    session.run("fsck --quiet");
    session.check(&expect![[r#"
        $ dalil tenant create acme --origin dalil.example/acme
        {"created_at":"2026-03-01T09:01:00.000Z","origin":"dalil.example/acme","root":"sha256:#","size":2,"tenant":"acme"}
        $ dalil trail witness cosign --checkpoint note.txt --trail-key dalil.# --name w.example --seed-file seed --seen seen.json --proof none.json
        error: expected a readable file, found `none.json`: No such file or directory (os error 2)
        hint: give the path of a file, or `-` for standard input
        exit 2
        $ dalil trail witness add cosigned.txt --witness w.#
        {"id":"rec_#","index":2,"leaf":"sha256:#"}
        $ dalil trail witness add note.txt --witness w.#
        {"refused":[{"message":"expected a line by `w.example`, found none","path":"file","rule":"cosignature"}]}
        error: `file`: expected a line by `w.example`, found none
        exit 1
        $ dalil trail checkpoint --size 2
        dalil.example/acme
        2
        #

        — dalil.example/acme #
        — w.example #
        $ dalil trail witness add forged.txt --witness w.#
        {"refused":[{"message":"expected a checkpoint that this trail signed, found one of size 3, which it did not","path":"file","rule":"checkpoint"}]}
        error: `file`: expected a checkpoint that this trail signed, found one of size 3, which it did not
        exit 1
        $ dalil fsck --quiet
        {"findings":[{"message":"SQLite finds its pages sound","part":"database","verdict":"pass"},{"message":"262 tables, indices and triggers as the migrations make them","part":"schema","verdict":"pass"},{"message":"3 in order, each in its own bytes","part":"records","tenant":"acme","verdict":"pass"},{"message":"3 subjects, each record after the one before","part":"lineage","tenant":"acme","verdict":"pass"},{"message":"4 fields PRESENT, 0 ERASED","part":"payloads","tenant":"acme","verdict":"pass"},{"message":"2 as the records commit to them","part":"rows","tenant":"acme","verdict":"pass"},{"message":"0 fields went, each by a record","part":"erasures","tenant":"acme","verdict":"pass"},{"message":"each is the hash of its envelope","part":"leaves","tenant":"acme","verdict":"pass"},{"message":"each repeats its envelope","part":"columns","tenant":"acme","verdict":"pass"},{"message":"0 as the records make them","part":"tiles","tenant":"acme","verdict":"pass"},{"message":"2 signed, each over the root of its records","part":"checkpoints","tenant":"acme","verdict":"pass"},{"message":"0 answered, by records that are there","part":"requests","tenant":"acme","verdict":"pass"},{"message":"1, each in a record","part":"cosignatures","tenant":"acme","verdict":"pass"},{"message":"0, each in a record","part":"timestamps","tenant":"acme","verdict":"pass"},{"message":"1 recorded, as their records say","part":"keys","tenant":"acme","verdict":"pass"},{"message":"each opens with the identity, and is its key's own","part":"secrets","tenant":"acme","verdict":"pass"},{"message":"0 objects of 0 bytes, each with its digest","part":"lake","tenant":"acme","verdict":"pass"}],"verdict":"pass"}
    "#]]);
}

/// A trail of one key, and a fork of it that went on otherwise; and that key.
fn forked(session: &Session) -> String {
    session.quietly(&["tenant", "create", "acme", "--origin", "dalil.example/acme"]);
    put(&session.path("seed"), &[9; 32]);
    let keys = session.quietly(&["keys", "list"]);
    copy(&session.path("dalil-data"), &session.path("fork"));
    let status = r#"{"obligation_id":"ob-1","old_status":"ACTIVE","new_status":"TERMINATED","reason":"REASON"}"#;
    for (store, reason) in [("file:dalil-data", "one"), ("file:fork", "other")] {
        put(&session.path("change.json"), status.replace("REASON", reason).as_bytes());
        session.quietly(&["record", "append", "change.json", "--store", store]);
    }
    keys.split("\"key\":\"").nth(1).unwrap().split('"').next().unwrap().to_owned()
}

/// The caller writes the proof; the witness itself knows the head that it cosigned last.
#[test]
fn a_witness_remembers_what_it_cosigned_and_cosigns_one_history() {
    let mut session = Session::new("store-witness-memory");
    let key = forked(&session);
    let note = |session: &mut Session, store: &str, size: &str| {
        let note = session.quietly(&["trail", "checkpoint", "--size", size, "--store", store]);
        put(&session.path("note.txt"), note.as_bytes());
        let proof = session.quietly(&["trail", "prove", "--from", "2", "--store", store]);
        put(&session.path("proof.json"), proof.as_bytes());
    };
    let cosign = format!(
        "trail witness cosign --checkpoint note.txt --trail-key {key} --name w.example --seed-file seed --seen seen.json"
    );
    note(&mut session, "file:dalil-data", "2");
    session.run(&cosign);
    session.run(&format!("{cosign} --begin"));
    session.run(&format!("{cosign} --begin"));
    session.run(&cosign);
    note(&mut session, "file:dalil-data", "3");
    session.run(&cosign);
    session.run(&format!("{cosign} --proof proof.json"));
    note(&mut session, "file:fork", "3");
    session.run(&cosign);
    session.run(&format!("{cosign} --proof proof.json"));
    session.check(&expect![[r#"
        $ dalil trail witness cosign --checkpoint note.txt --trail-key dalil.# --name w.example --seed-file seed --seen seen.json
        {"refused":[{"hint":"`--begin` makes one for a witness that has never cosigned","message":"expected the file that this witness remembers heads in, found No such file or directory (os error 2)","path":"seen.json","rule":"witness"}]}
        error: `seen.json`: expected the file that this witness remembers heads in, found No such file or directory (os error 2)
        hint: `--begin` makes one for a witness that has never cosigned
        exit 1
        $ dalil trail witness cosign --checkpoint note.txt --trail-key dalil.# --name w.example --seed-file seed --seen seen.json --begin
        dalil.example/acme
        2
        #

        — dalil.example/acme #
        — w.example #
        witness key: w.#
        $ dalil trail witness cosign --checkpoint note.txt --trail-key dalil.# --name w.example --seed-file seed --seen seen.json --begin
        {"refused":[{"hint":"leave `--begin` out: the witness has a memory","message":"expected a file that is not there yet, found one that is","path":"seen.json","rule":"witness"}]}
        error: `seen.json`: expected a file that is not there yet, found one that is
        hint: leave `--begin` out: the witness has a memory
        exit 1
        $ dalil trail witness cosign --checkpoint note.txt --trail-key dalil.# --name w.example --seed-file seed --seen seen.json
        dalil.example/acme
        2
        #

        — dalil.example/acme #
        — w.example #
        witness key: w.#
        $ dalil trail witness cosign --checkpoint note.txt --trail-key dalil.# --name w.example --seed-file seed --seen seen.json
        {"refused":[{"hint":"`dalil trail prove --from 2` on the trail's side gives one","message":"expected a proof from size 2, root `sha256:#`, which was cosigned last, found none","path":"proof","rule":"growth"}]}
        error: `proof`: expected a proof from size 2, root `sha256:#`, which was cosigned last, found none
        hint: `dalil trail prove --from 2` on the trail's side gives one
        exit 1
        $ dalil trail witness cosign --checkpoint note.txt --trail-key dalil.# --name w.example --seed-file seed --seen seen.json --proof proof.json
        dalil.example/acme
        3
        #

        — dalil.example/acme #
        — w.example #
        witness key: w.#
        $ dalil trail witness cosign --checkpoint note.txt --trail-key dalil.# --name w.example --seed-file seed --seen seen.json
        {"refused":[{"hint":"`dalil trail prove --from 3` on the trail's side gives one","message":"expected a proof from size 3, root `sha256:#`, which was cosigned last, found none","path":"proof","rule":"growth"}]}
        error: `proof`: expected a proof from size 3, root `sha256:#`, which was cosigned last, found none
        hint: `dalil trail prove --from 3` on the trail's side gives one
        exit 1
        $ dalil trail witness cosign --checkpoint note.txt --trail-key dalil.# --name w.example --seed-file seed --seen seen.json --proof proof.json
        {"refused":[{"hint":"`dalil trail prove --from 3` on the trail's side gives one","message":"expected a proof from size 3, root `sha256:#`, which was cosigned last, found one from size 2, root `sha256:#`","path":"proof","rule":"growth"}]}
        error: `proof`: expected a proof from size 3, root `sha256:#`, which was cosigned last, found one from size 2, root `sha256:#`
        hint: `dalil trail prove --from 3` on the trail's side gives one
        exit 1
    "#]]);
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
    let scope =
        ["--scope", "subject:nobody", "--legal-basis", "court_order", "--approver", "dpo-1"];
    let nobody = dalil_in(&session.folder, &[], &[&["erase"], scope.as_slice()].concat(), b"");
    assert_eq!(nobody.exit, 1);
    put(&session.path("word"), b"open sesame\n");
    session.run("doctor --passphrase-file word");
    let free = session
        .said
        .split(" MiB free")
        .map(|part| part.trim_end_matches(|ch: char| ch.is_ascii_digit()));
    session.said = free.collect::<Vec<_>>().join("# MiB free");
    session.check(&expect![[r##"
        $ dalil doctor
        {"checks":[{"hint":"`dalil tenant create` makes the store","mark":"fail","message":"`./dalil-data`: No such file or directory (os error 2)","part":"folder"},{"hint":"without it nothing can be signed","mark":"fail","message":"cannot open the identity: `./dalil-data/identity`: expected a file that can be read, found No such file or directory (os error 2)\nhint: make one with the store, or name the file where it is","part":"identity"},{"mark":"fail","message":"cannot open the store: `file:./dalil-data`: expected a store, found none\nhint: `dalil tenant create` makes one","part":"store"},{"mark":"fail","message":"cannot open the lake: lake `file:./dalil-data/lake`: expected a folder that can be read, found No such file or directory (os error 2)\nhint: name the folder where the lake is, and run as a user that may read it","part":"lake"}]}
        exit 1
        $ dalil tenant create acme --origin dalil.example/acme
        {"created_at":"2026-03-01T09:02:00.000Z","origin":"dalil.example/acme","root":"sha256:#","size":2,"tenant":"acme"}
        $ dalil doctor --at 2026-01-01T00:00:00.000Z
        {"checks":[{"mark":"ok","message":"for its owner only, mode 700","part":"folder"},{"mark":"ok","message":"it can be written","part":"permission"},{"mark":"ok","message":"# MiB free","part":"disk"},{"mark":"ok","message":"opens","part":"identity"},{"mark":"ok","message":"`file:./dalil-data` opens, of this version","part":"store"},{"mark":"ok","message":"version = 3.51.3","part":"settings"},{"mark":"ok","message":"journal_mode = wal","part":"settings"},{"mark":"ok","message":"1","part":"tenants"},{"hint":"set the clock: records of one subject are in the order of time","mark":"warn","message":"2026-01-01T00:00:00.000Z is before the newest record of `acme`, 2026-03-01T09:02:00.000Z","part":"clock"},{"mark":"ok","message":"`file:./dalil-data/lake` can be written and read","part":"lake"}]}
        $ dalil doctor --passphrase-file word
        {"checks":[{"mark":"ok","message":"for its owner only, mode 700","part":"folder"},{"mark":"ok","message":"it can be written","part":"permission"},{"mark":"ok","message":"# MiB free","part":"disk"},{"hint":"without it nothing can be signed","mark":"fail","message":"cannot open the identity: `./dalil-data/identity`: expected no passphrase, for the identity is plain, found a passphrase\nhint: leave the passphrase out","part":"identity"},{"mark":"ok","message":"`file:./dalil-data` opens, of this version","part":"store"},{"mark":"ok","message":"version = 3.51.3","part":"settings"},{"mark":"ok","message":"journal_mode = wal","part":"settings"},{"mark":"ok","message":"1","part":"tenants"},{"mark":"ok","message":"after the newest record of `acme`","part":"clock"},{"mark":"ok","message":"`file:./dalil-data/lake` can be written and read","part":"lake"}]}
        exit 1
    "##]]);
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
