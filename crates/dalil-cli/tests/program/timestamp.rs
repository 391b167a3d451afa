//! `dalil trail timestamp` with a real authority: `openssl ts`, where `DALIL_TEST_TSA` names one
//! (`suite/servers/tsa` starts it).

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use expect_test::expect;
use serde_json::{Value, json};

use crate::run::{self, Output, dalil_in, put};

/// A store of two tenants, and an authority.
struct Home {
    folder: PathBuf,
    url: String,
    certificates: PathBuf,
}

impl Home {
    /// `None` without an authority.
    #[track_caller]
    fn new(name: &str) -> Option<Self> {
        let given = |name| std::env::var_os(name)?.into_string().ok();
        let (url, certificates) = (given("DALIL_TEST_TSA")?, given("DALIL_TEST_TSA_FOLDER")?);
        let folder = run::folder(&format!("timestamp/{name}"));
        let home = Self { folder, url, certificates: certificates.into() };
        for tenant in ["acme", "zenith"] {
            let origin = format!("dalil.example/{tenant}");
            home.done(&["tenant", "create", tenant, "--origin", &origin, "--at", CREATED]);
        }
        home.change("2026-03-15T09:30:00Z");
        Some(home)
    }

    #[track_caller]
    fn dalil(&self, args: &[&str]) -> Output {
        dalil_in(&self.folder, &[("DALIL_STORE", "file:data")], args, b"")
    }

    /// The output of a command that must succeed.
    #[track_caller]
    fn done(&self, args: &[&str]) -> String {
        let made = self.dalil(args);
        assert_eq!(made.exit, 0, "{args:?}: {}", made.stderr);
        made.stdout
    }

    /// Records something for `acme`.
    #[track_caller]
    fn change(&self, at: &str) {
        let status = r#"{"obligation_id":"ob-1","old_status":"ACTIVE","new_status":"TERMINATED","reason":"r"}"#;
        put(&self.folder.join("change.json"), status.as_bytes());
        self.done(&["record", "append", "change.json", "--tenant", "acme", "--at", at]);
    }

    /// Asks for a stamp for `acme` at a path, of an authority with the certificate of a kind.
    #[track_caller]
    fn stamp(&self, path: &str, kind: &str, rest: &[&str]) -> Output {
        let (url, file) = (format!("{}/{path}", self.url), self.certificate(kind));
        let name = format!("{kind}.example");
        let args = ["trail", "timestamp", "--tenant", "acme", "--url", &url, "--name", &name];
        self.dalil(&[args.as_slice(), &["--certificate", &file], rest].concat())
    }

    fn certificate(&self, kind: &str) -> String {
        self.certificates.join(format!("{kind}.pem")).to_str().unwrap().to_owned()
    }

    /// The trust file of `acme` with authorities added, each with the certificate of a kind.
    #[track_caller]
    fn trust(&self, authorities: &[(&str, &str)]) {
        let mut trust: Value =
            serde_json::from_str(&self.done(&["keys", "trust", "--tenant", "acme"])).unwrap();
        let named = authorities.iter().map(|(name, kind)| {
            let pem = fs::read_to_string(self.certificate(kind)).unwrap();
            let body: String = pem.lines().filter(|line| !line.starts_with('-')).collect();
            json!({"certificates": [body], "name": name})
        });
        trust["timestamp_authorities"] = named.collect();
        put(&self.folder.join("trust.json"), trust.to_string().as_bytes());
    }

    /// The result of `dalil verify` for the time stamps of a file, and its exit code.
    #[track_caller]
    fn verified(&self, file: &str) -> String {
        let args = ["verify", file, "--trust", "trust.json", "--at", "2040-01-01T00:00:00Z"];
        let made = self.dalil(&args);
        let report: Value = serde_json::from_str(&made.stdout).unwrap();
        let mut told = format!("{file}: exit {}\n", made.exit);
        for finding in report["findings"].as_array().unwrap() {
            if finding["part"] == "timestamps" {
                let (verdict, message) = (&finding["verdict"], &finding["message"]);
                let message = without_times(message.as_str().unwrap());
                writeln!(told, "  {}: {message}", verdict.as_str().unwrap()).unwrap();
            }
        }
        told
    }

    /// The result of `dalil fsck` for the time stamps of `acme`.
    #[track_caller]
    fn kept(&self) -> String {
        let report: Value = serde_json::from_str(&self.done(&["fsck", "--quiet"])).unwrap();
        let findings = report["findings"].as_array().unwrap();
        let is_own =
            |finding: &&Value| finding["part"] == "timestamps" && finding["tenant"] == "acme";
        findings.iter().find(is_own).unwrap()["message"].as_str().unwrap().to_owned()
    }
}

/// The text with every time of the authority's clock as `#`.
fn without_times(text: &str) -> String {
    let is_time = |word: &&str| {
        let word = word.trim_matches(|letter: char| letter.is_ascii_punctuation());
        word.len() == 24 && word.starts_with("20") && word.ends_with('Z')
    };
    let word = |word: &str| Some(word).filter(|word| !is_time(word)).unwrap_or("#").to_owned();
    let line = |line: &str| line.split(' ').map(word).collect::<Vec<_>>().join(" ") + "\n";
    text.lines().map(line).collect()
}

#[test]
fn what_an_authority_stamped_passes_with_its_root_and_is_incomplete_with_another() {
    let Some(home) = Home::new("stamped") else { return };
    assert_eq!(home.stamp("rsa/sha256", "rsa", &[]).exit, 0);
    for (path, kind) in [("p256/sha384", "p256"), ("p384/sha512", "p384")] {
        let made = home.stamp(path, kind, &["--size", "3"]);
        assert_eq!(made.exit, 0, "{}", made.stderr);
    }
    let mut told = home.kept();
    put(
        &home.folder.join("receipt.txt"),
        home.done(&["trail", "prove", "2", "--tenant", "acme"]).as_bytes(),
    );
    let note = home.done(&["trail", "checkpoint", "--size", "3", "--tenant", "acme"]);
    put(&home.folder.join("checkpoint.txt"), note.as_bytes());
    let all = [("p256.example", "p256"), ("p384.example", "p384"), ("rsa.example", "rsa")];
    let trusts = [all.as_slice(), &[("rsa.example", "p256")], &[("other.example", "rsa")], &[]];
    for authorities in trusts {
        home.trust(authorities);
        write!(told, "\n{authorities:?}\n").unwrap();
        for file in ["receipt.txt", "checkpoint.txt"] {
            told.push_str(&home.verified(file));
        }
    }
    // The other tenant has nothing of it.
    let other = home.done(&["trail", "checkpoint", "--tenant", "zenith"]);
    assert_eq!(other.lines().filter(|line| line.starts_with('\u{2014}')).count(), 1);
    expect![[r#"
        3, each in a record
        [("p256.example", "p256"), ("p384.example", "p384"), ("rsa.example", "rsa")]
        receipt.txt: exit 0
          pass: stamped by `p256.example` at # and `p384.example` at # and `rsa.example` at #

        checkpoint.txt: exit 0
          pass: stamped by `p256.example` at # and `p384.example` at # and `rsa.example` at #


        [("rsa.example", "p256")]
        receipt.txt: exit 2
          incomplete: `rsa.example`: its certificate leads to none that is trusted

        checkpoint.txt: exit 2
          incomplete: `rsa.example`: its certificate leads to none that is trusted


        [("other.example", "rsa")]
        receipt.txt: exit 2
          incomplete: no time stamp by an authority that is trusted

        checkpoint.txt: exit 2
          incomplete: no time stamp by an authority that is trusted


        []
        receipt.txt: exit 0
        checkpoint.txt: exit 0
    "#]]
    .assert_eq(&told);
}

#[test]
fn a_hostile_or_slow_authority_leaves_nothing() {
    let Some(home) = Home::new("hostile") else { return };
    let mut told = String::new();
    let paths = ["refuse", "old", "another", "cut", "page", "away", "missing", "large", "slow"];
    for path in paths {
        let made = home.stamp(path, "rsa", &["--size", "3"]);
        let said = made.stderr.replace(&home.url, "URL");
        writeln!(told, "{path}: exit {}\n{said}", made.exit).unwrap();
    }
    let made = home.stamp("rsa/sha256", "p256", &[]);
    writeln!(told, "another certificate: exit {}\n{}", made.exit, made.stderr).unwrap();
    let made = home.stamp("rsa/sha256", "rsa", &["--size", "7"]);
    writeln!(told, "no such size: exit {}\n{}", made.exit, made.stderr).unwrap();
    let made = home.stamp("rsa/sha256", "rsa", &["--certificate", "change.json"]);
    writeln!(told, "no certificate: exit {}\n{}", made.exit, made.stderr).unwrap();
    writeln!(told, "{}", home.kept()).unwrap();
    expect![[r#"
        refuse: exit 1
        error: `reply`: expected a time stamp, found a refusal with status 2, `Message digest algorithm is not supported.`

        old: exit 1
        error: `reply`: expected the answer to this query, found a token with another nonce or none

        another: exit 1
        error: `reply`: expected a time stamp of this checkpoint, found one of something else

        cut: exit 1
        error: `reply`: expected the reply of a time-stamping authority (RFC 3161), found other bytes

        page: exit 2
        error: cannot ask for a time stamp: `URL/page`: expected the reply of a time-stamping authority, found a reply of the type `text/html`

        away: exit 2
        error: cannot ask for a time stamp: `URL/away`: expected the reply of a time-stamping authority, found status 302

        missing: exit 2
        error: cannot ask for a time stamp: `URL/missing`: expected the reply of a time-stamping authority, found status 404

        large: exit 2
        error: cannot ask for a time stamp: `URL/large`: expected the reply of a time-stamping authority, found the response body is larger than request limit: 65536

        slow: exit 2
        error: cannot ask for a time stamp: `URL/slow`: expected the reply of a time-stamping authority, found timeout: global

        another certificate: exit 1
        error: `reply`: its certificate leads to none that is trusted

        no such size: exit 1
        error: `size`: expected a size that was signed, found 7
        hint: `dalil trail checkpoint` gives the newest; one is signed for every group of records

        no certificate: exit 1
        error: `--certificate`: expected one or more X.509 certificates with an RSA, P-256 or P-384 key, found none or another

        0, each in a record
    "#]].assert_eq(&told);
}

/// Without an authority: the address is refused before a request is sent.
#[test]
fn an_address_with_a_password_is_refused_and_not_shown() {
    let folder = run::folder("timestamp/password");
    let certificate: Value =
        serde_json::from_str(include_str!("../../../../spec/vectors/timestamp/trust/one.json"))
            .unwrap();
    let body = certificate["timestamp_authorities"][0]["certificates"][0].as_str().unwrap();
    let pem = format!("-----BEGIN CERTIFICATE-----\n{body}\n-----END CERTIFICATE-----\n");
    put(&folder.join("tsa.pem"), pem.as_bytes());
    let args = ["trail", "timestamp", "--tenant", "acme", "--name", "tsa.example"];
    let rest = ["--certificate", "tsa.pem", "--url", "https://ada:s3cret@tsa.example"];
    let args = [args.as_slice(), &rest].concat();
    let made = dalil_in(&folder, &[("DALIL_STORE", "file:data")], &args, b"");
    expect![[r#"
        exit 1
        error: `--url`: expected an `http` or `https` URL with a host, of printable ASCII characters, without user, query and fragment, found something else
    "#]].assert_eq(&format!("exit {}\n{}", made.exit, made.stderr));
}

#[test]
fn a_stamp_from_before_a_record_is_not_kept() {
    let Some(home) = Home::new("clock") else { return };
    let ahead = Command::new("date").args(["-u", "-d", "+50 seconds", "+%FT%TZ"]).output().unwrap();
    let ahead = String::from_utf8(ahead.stdout).unwrap();
    home.change(ahead.trim());
    let made = home.stamp("rsa/sha256", "rsa", &[]);
    expect![[r#"
        exit 1
        error: `clock`: expected a time stamp that is not before the newest record under the checkpoint, of # found #
        hint: compare the clock of this machine with the authority's, and ask again a little later
    "#]].assert_eq(&format!("exit {}\n{}", made.exit, without_times(&made.stderr)));
    assert_eq!(home.kept(), "0, each in a record");
}

#[test]
fn a_retry_with_the_same_key_gives_the_first_answer() {
    let Some(home) = Home::new("retry") else { return };
    let key = ["--key", "stamp-1"];
    let (first, second) =
        (home.stamp("rsa/sha256", "rsa", &key), home.stamp("rsa/sha256", "rsa", &key));
    assert_eq!(
        (first.exit, first.stdout.as_str()),
        (0, second.stdout.as_str()),
        "{}",
        first.stderr
    );
    let again = home.stamp("rsa/sha256", "rsa", &["--size", "3"]);
    expect![[r#"
        error: `size`: expected a checkpoint that `rsa.example` has not stamped, found one that is kept already
    "#]].assert_eq(&again.stderr);
    assert_eq!(home.kept(), "1, each in a record");
}

#[test]
fn a_kill_between_asking_and_keeping_leaves_nothing_and_the_next_try_is_kept() {
    let Some(home) = Home::new("kill") else { return };
    let asked = home.certificates.join("slow");
    drop(fs::remove_file(&asked));
    let mut child = Command::new(env!("CARGO_BIN_EXE_dalil"))
        .args(["trail", "timestamp", "--tenant", "acme", "--url", &format!("{}/slow", home.url)])
        .args(["--name", "rsa.example", "--certificate", &home.certificate("rsa")])
        .env("DALIL_STORE", "file:data")
        .current_dir(&home.folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while !asked.exists() {
        sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(home.kept(), "0, each in a record");
    assert_eq!(home.stamp("rsa/sha256", "rsa", &[]).exit, 0);
    assert_eq!(home.kept(), "1, each in a record");
}

/// Before the first record.
const CREATED: &str = "2026-03-01T09:00:00Z";
