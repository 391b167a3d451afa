//! `dalil export pack --format archive`, and `dalil verify` of the archive by a holder of one key.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use dalil_phrasebook::Language;
use dalil_proof::canon;
use dalil_proof::digest::Digest;
use dalil_render::pdf::{self, PackPrintout};
use dalil_render::zip;
use expect_test::expect;
use serde_json::{Value, json};

use crate::run;

const PACK: &str = "pack_00000000000000b1";
const POLICY: &[u8] =
    b"# Leave\n\nAll permanent employees shall receive 15 days of paid annual leave.\n";

/// A store with one pack, whose document is in the lake.
struct Home {
    folder: PathBuf,
}

impl Home {
    #[track_caller]
    fn new(name: &str) -> Self {
        let home = Self { folder: run::folder(name) };
        home.done(&["tenant", "create", "acme", "--origin", "dalil.example/acme"]);
        home.done(&["member", "add", "the_manager", "--role", "approver", "--title", "manager"]);
        home.done(&["member", "add", "the_clerk", "--role", "viewer"]);
        home.put("policy.md", POLICY);
        home.done(&["document", "add", "policy.md"]);
        let decision = json!({
            "decision_id": "dec-1", "tenant_id": "acme", "entity_id": "case-1",
            "agent_name": "leave_agent", "confidence": 0.9,
            "approval_class": "A2", "reversibility_class": "R1", "sensitivity_class": "S1",
            "evidence": [{
                "source": "hr.policy", "uri": "lake://hr/policy.md",
                "excerpt": "All permanent employees shall receive 15 days of paid annual leave.",
                "content_hash": Digest::of(POLICY).to_string(),
                "retrieved_at": "2026-01-03T10:00:00Z", "confidence": 0.9}],
            "created_at": "2026-01-03T12:00:00Z"});
        home.put("decision.json", decision.to_string().as_bytes());
        home.done(&["decision", "record", "decision.json"]);
        home.done(&["pack", "assemble", "--decision", "dec-1", "--pack-id", PACK]);
        home
    }

    fn put(&self, name: &str, bytes: &[u8]) {
        run::put(&self.folder.join(name), bytes);
    }

    fn dalil(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dalil"));
        let environment = [
            ("DALIL_STORE", "file:./data"),
            ("DALIL_TENANT", "acme"),
            ("XDG_DATA_HOME", "/nowhere"),
        ];
        command.args(args).envs(environment).current_dir(&self.folder).output().unwrap()
    }

    /// The output of a command that must succeed.
    #[track_caller]
    fn done(&self, args: &[&str]) -> Vec<u8> {
        let at: &[&str] = if args.first() == Some(&"verify") { &[] } else { AT };
        let made = self.dalil(&[args, at].concat());
        assert!(made.status.success(), "{args:?}: {}", String::from_utf8_lossy(&made.stderr));
        made.stdout
    }

    /// Exports the pack as the clerk.
    fn export(&self, out: &str, rest: &[&str]) -> Output {
        let pack = ["export", "pack", PACK, "--format", "archive", "--actor", "person:the_clerk"];
        self.dalil(&[&pack[..], AT, &["--reason", "for the auditor", "--out", out], rest].concat())
    }

    /// The key of the trail, as its owner hands it to a stranger.
    fn key(&self) -> String {
        let trust: Value = serde_json::from_slice(&self.done(&["keys", "trust"])).unwrap();
        trust["key_history"][0]["key"].as_str().unwrap().to_owned()
    }

    /// How many records there are.
    fn size(&self) -> String {
        let note = String::from_utf8(self.done(&["trail", "checkpoint"])).unwrap();
        note.lines().nth(1).unwrap().to_owned()
    }

    fn names(&self) -> Vec<String> {
        let files = fs::read_dir(&self.folder).unwrap();
        let mut names: Vec<String> =
            files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

/// The finding about an archive of a pack that waits for its review.
const UNRESOLVED: &str = "\"incomplete\" \"review\": \"nobody has resolved this version in these records; what was said later cannot be told from this file\"\n";
const AT: &[&str] = &["--at", "2026-01-03T13:00:00Z"];

/// The result for a stranger who has the file and a key: the exit code, and the checks that do not
/// pass.
#[track_caller]
fn verified(folder: &Path, key: &[&str], file: &[u8]) -> (i32, String) {
    run::put(&folder.join("archive.zip"), file);
    let args = ["verify", "archive.zip", "--at", "2026-02-01T00:00:00Z"];
    let made = run::dalil_in(folder, &[], &[&args[..], key].concat(), b"");
    let report: Value = serde_json::from_str(&made.stdout).unwrap();
    let findings = report["findings"].as_array().unwrap().iter();
    let wrong = findings.filter(|finding| finding["verdict"] != "pass");
    let told = wrong.map(|finding| {
        format!("{} {}: {}\n", finding["verdict"], finding["part"], finding["message"])
    });
    (made.exit, told.collect())
}

/// With a real authority, where `DALIL_TEST_TSA` names one (`suite/servers/tsa` starts it).
#[test]
fn an_archive_and_its_sealed_pack_carry_the_time_stamp_over_them() {
    let given = |name| std::env::var_os(name)?.into_string().ok();
    let (Some(url), Some(keys)) = (given("DALIL_TEST_TSA"), given("DALIL_TEST_TSA_FOLDER")) else {
        return;
    };
    let home = Home::new("archive/timestamp");
    let (url, file) = (format!("{url}/p256/sha256"), format!("{keys}/p256.pem"));
    let args = ["trail", "timestamp", "--url", &url, "--name", "tsa.example"];
    home.done(&[args.as_slice(), &["--certificate", &file]].concat());
    let made = home.export("pack.zip", &["--approver", "the_manager"]);
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let mut trust: Value = serde_json::from_slice(&home.done(&["keys", "trust"])).unwrap();
    let pem = fs::read_to_string(&file).unwrap();
    let body: String = pem.lines().filter(|line| !line.starts_with('-')).collect();
    trust["timestamp_authorities"] = json!([{"certificates": [body], "name": "tsa.example"}]);
    home.put("trust.json", trust.to_string().as_bytes());
    let args = ["verify", "pack.zip", "--trust", "trust.json", "--at", "2040-01-01T00:00:00Z"];
    let report: Value = serde_json::from_slice(&home.dalil(&args).stdout).unwrap();
    let findings = report["findings"].as_array().unwrap();
    let stamped: Vec<&Value> =
        findings.iter().filter(|finding| finding["part"] == "timestamps").collect();
    let message = stamped[0]["message"].as_str().unwrap();
    assert_eq!((stamped.len(), &stamped[0]["verdict"]), (1, &json!("pass")), "{message}");
    assert!(message.starts_with("stamped by `tsa.example` at 2"), "{message}");
}

#[test]
fn a_stranger_with_one_key_verifies_an_archive_and_sees_every_change() {
    let home = Home::new("archive/verify");
    let made = home.export("pack.zip", &["--approver", "the_manager"]);
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let archive = fs::read(home.folder.join("pack.zip")).unwrap();
    let said: Value = serde_json::from_slice(&made.stdout).unwrap();
    let digest = Digest::of(&archive).to_string();
    assert_eq!(
        (said["sha256"].as_str(), said["format"].as_str()),
        (Some(digest.as_str()), Some("archive"))
    );

    let key = home.key();
    let stranger = run::folder("archive/stranger");
    let pinned = ["--key", key.as_str()];
    let check = |file: &[u8]| verified(&stranger, &pinned, file);
    assert_eq!(check(&archive), (2, UNRESOLVED.to_owned()));
    let (exit, told) = verified(&stranger, &[], &archive);
    assert_eq!(exit, 2, "{told}");
    let other = Home::new("archive/other").key();
    let (exit, told) = verified(&stranger, &["--key", &other], &archive);
    assert_eq!(exit, 1, "{told}");

    // Any byte.
    for at in (0..archive.len()).step_by(archive.len() / 40) {
        let mut changed = archive.clone();
        changed[at] ^= 1;
        assert_eq!(check(&changed).0, 1, "byte {at}");
    }
    for cut in [archive.len() - 1, archive.len() / 2, 30, 1] {
        assert_eq!(check(&archive[..cut]).0, 1, "cut at {cut}");
    }
    assert_eq!(check(&[archive.as_slice(), b"\n"].concat()).0, 1);

    // Any file, in a ZIP that is sound.
    let files = zip::read(&archive).unwrap();
    for name in files.keys() {
        let mut fewer = files.clone();
        fewer.remove(name);
        let (exit, told) = check(&zip::write(&fewer).unwrap());
        assert_eq!(exit, 1, "without {name}: {told}");
    }
    let mut more = files.clone();
    more.insert("data/receipts/0000000000009999.txt".to_owned(), Cow::Borrowed(b"x"));
    assert_eq!(check(&zip::write(&more).unwrap()).0, 1);
    let receipts: Vec<&String> =
        files.keys().filter(|name| name.starts_with("data/receipts/")).collect();
    let mut swapped = files.clone();
    swapped.insert(receipts[0].clone(), files[receipts[1]].clone());
    swapped.insert(receipts[1].clone(), files[receipts[0]].clone());
    let (exit, told) = check(&zip::write(&swapped).unwrap());
    assert_eq!(exit, 1, "{told}");

    // The next export names the one in between.
    home.export("again.zip", &["--approver", "the_manager"]);
    let again = fs::read(home.folder.join("again.zip")).unwrap();
    assert!(zip::read(&again).unwrap().contains_key("data/previous.json"));
    assert_eq!(check(&again), (2, UNRESOLVED.to_owned()));
}

#[test]
fn an_export_goes_to_a_file_or_to_standard_output_and_not_to_a_folder() {
    let home = Home::new("archive/out");
    let (before, names) = (home.size(), home.names());
    fs::create_dir(home.folder.join("out")).unwrap();
    let mut told = String::new();
    for out in ["out", "out/", "new/", ".", "..", "none/pack.zip"] {
        let made = home.export(out, &["--approver", "the_manager"]);
        let said = String::from_utf8_lossy(&made.stderr).into_owned();
        told += &format!("{out}: {:?} {:?}\n{said}", made.status.code(), made.stdout.len());
    }
    expect![[r#"
        out: Some(2) 0
        error: expected a file to write to, found `out`: is a directory
        hint: name a file in a folder that is there, or `-` for standard output
        out/: Some(2) 0
        error: expected a file to write to, found `out/`: is a directory
        hint: name a file in a folder that is there, or `-` for standard output
        new/: Some(2) 0
        error: expected a file to write to, found `new/`: is a directory
        hint: name a file in a folder that is there, or `-` for standard output
        .: Some(2) 0
        error: expected a file to write to, found `.`: is a directory
        hint: name a file in a folder that is there, or `-` for standard output
        ..: Some(2) 0
        error: expected a file to write to, found `..`: is a directory
        hint: name a file in a folder that is there, or `-` for standard output
        none/pack.zip: Some(2) 0
        error: expected a file to write to, found `none/pack.zip`: No such file or directory (os error 2)
        hint: name a file in a folder that is there, or `-` for standard output
    "#]].assert_eq(&told);
    // Nothing was recorded, and nothing is left.
    fs::remove_dir(home.folder.join("out")).unwrap();
    assert_eq!((home.size(), home.names()), (before, names.clone()));

    let refused = home.export("pack.zip", &[]);
    assert_eq!((refused.status.code(), home.names()), (Some(1), names));

    let made = home.export("-", &["--approver", "the_manager"]);
    let digest = Digest::of(&made.stdout).to_string();
    let said = String::from_utf8_lossy(&made.stderr);
    assert!(made.status.success() && said.contains(&digest), "{said}");
    let key = home.key();
    let stranger = run::folder("archive/piped");
    let told = verified(&stranger, &["--key", &key], &made.stdout);
    assert_eq!(told, (2, UNRESOLVED.to_owned()));
}

/// Records a member's review of the pack.
fn reviewed(home: &Home, who: &str, outcome: &str) -> Value {
    let review = json!({"pack_id": PACK, "reviewer_id": who, "outcome": outcome,
        "new_pack_id": "pack_00000000000000b2", "reason": "As the contract says"});
    home.put("review.json", review.to_string().as_bytes());
    let actor = format!("person:{who}");
    serde_json::from_slice(&home.done(&["pack", "review", "review.json", "--actor", &actor]))
        .unwrap()
}

fn with_reviewers(name: &str) -> Home {
    let home = Home::new(name);
    for (who, title) in [("the_counsel", "legal"), ("the_head", "department_head")] {
        home.done(&["member", "add", who, "--role", "approver", "--title", title]);
    }
    home
}

#[test]
fn the_archive_of_a_rejected_pack_says_so() {
    let home = with_reviewers("archive/rejected");
    reviewed(&home, "the_counsel", "rejected");
    let made = home.export("-", &["--approver", "the_manager"]);
    let stranger = run::folder("archive/rejected-stranger");
    let (exit, told) = verified(&stranger, &["--key", &home.key()], &made.stdout);
    assert_eq!(exit, 1);
    expect![[r#"
        "fail" "review": "this version was rejected by `the_counsel` at 2026-01-03T13:00:00.000Z, record 9"
    "#]].assert_eq(&told);
}

/// The way of the documentation: reviewed with reasons, exported, checked with the trust file.
#[test]
fn what_was_reviewed_passes_as_an_archive_and_as_pages() {
    let home = with_reviewers("archive/approved");
    reviewed(&home, "the_counsel", "approved");
    reviewed(&home, "the_head", "approved");
    let trust = home.done(&["keys", "trust"]);
    let stranger = run::folder("archive/approved-stranger");
    run::put(&stranger.join("trust.json"), &trust);
    for format in ["archive", "pdf"] {
        let pack = ["export", "pack", "pack_00000000000000b2", "--format", format];
        let who = ["--actor", "person:the_clerk", "--approver", "the_manager"];
        let rest = ["--reason", "for the auditor", "--out", "-"];
        let made = home.dalil(&[&pack[..], AT, &who, &rest].concat());
        let told = verified(&stranger, &["--trust", "trust.json"], &made.stdout);
        assert_eq!(told, (0, String::new()), "{format}");
    }
}

/// Any holder of the sealed file and the press can make pages: omitted or invented reviews are
/// found.
#[test]
fn pages_that_leave_out_a_rejection_or_invent_a_review_do_not_pass() {
    let home = with_reviewers("archive/forged-pages");
    reviewed(&home, "the_counsel", "rejected");
    let pack = ["export", "pack", PACK, "--format", "sealed", "--actor", "person:the_clerk"];
    let rest = ["--approver", "the_manager", "--reason", "for the auditor", "--out", "-"];
    let sealed = home.dalil(&[&pack[..], AT, &rest].concat());
    let sealed: Value = serde_json::from_slice(&sealed.stdout).unwrap();
    let trust = home.done(&["keys", "trust"]);
    let stranger = run::folder("archive/forged-pages-stranger");
    run::put(&stranger.join("trust.json"), &trust);
    let told = |change: &dyn Fn(&mut Value)| {
        let mut history = json!({"approvals": [], "versions": [{
            "created_at": "2026-01-03T13:00:00.000Z", "pack_id": PACK, "status": "unresolved",
            "version": 1}]});
        change(&mut history);
        let (sealed, history) = (canon::bytes(&sealed).unwrap(), canon::bytes(&history).unwrap());
        let sheet = match PackPrintout::read(&sealed, &history) {
            Ok(sheet) => sheet,
            Err(refused) => return format!("refused: {refused}\n"),
        };
        let pages = pdf::pack(&sheet, Language::English).unwrap();
        let (exit, told) = verified(&stranger, &["--trust", "trust.json"], &pages);
        format!("{exit}\n{told}")
    };
    let mut all = told(&|_| ());
    all += &told(&|history| {
        history["approvals"] = json!([{"approver": "chief_executive", "outcome": "approved",
            "at": "2026-01-03T13:30:00.000Z", "role": "executive"}]);
    });
    all += &told(&|history| history["versions"][0]["status"] = json!("resolved"));
    all += &told(&|history| history["versions"][0]["reviewer_id"] = json!("chief_executive"));
    all += &told(&|history| {
        history["versions"][0]["created_at"] = json!("2020-01-01T00:00:00.000Z");
    });
    expect![[r#"
        2
        "incomplete" "history": "this version was sealed before anybody resolved it; whether somebody approved or rejected it since cannot be told from this file"
        2
        "incomplete" "history": "this version was sealed before anybody resolved it; whether somebody approved or rejected it since cannot be told from this file"
        "incomplete" "history": "1 reviews, reasons or versions are told by whoever made the pages, and are in no signature; the archive or the trail proves them"
        refused: `versions`: expected `pack_00000000000000b1` as the pack says itself, once, found another
        refused: `versions`: expected `pack_00000000000000b1` as the pack says itself, once, found another
        refused: `versions`: expected `pack_00000000000000b1` as the pack says itself, once, found another
    "#]].assert_eq(&all);
}

/// A quotation is looked for in the text that a reader of the document sees, in every format.
#[test]
fn a_quotation_that_no_reader_shows_is_refused() {
    let home = Home::new("archive/quotation");
    let page = b"<p>Employees receive 10 days.</p><!-- Employees receive 60 days. -->\
        <p>Others receive 1,500 riyals.</p>";
    home.put("policy.html", page);
    home.done(&["document", "add", "policy.html"]);
    let mut told = String::new();
    // The last one is cut out of a number, and is not in the text of the page.
    let quoted = |days: u32| match days {
        500 => "500 riyals.".to_owned(),
        _ => format!("Employees receive {days} days."),
    };
    for days in [10, 60, 99, 500] {
        let decision = json!({
            "decision_id": format!("dec-{days}"), "tenant_id": "acme", "entity_id": "case-1",
            "agent_name": "leave_agent", "confidence": 0.9,
            "approval_class": "A2", "reversibility_class": "R1", "sensitivity_class": "S1",
            "evidence": [{
                "source": "hr.policy", "uri": "lake://hr/policy.html",
                "excerpt": quoted(days),
                "content_hash": Digest::of(page).to_string(),
                "retrieved_at": "2026-01-03T10:00:00Z", "confidence": 0.9}],
            "created_at": "2026-01-03T12:00:00Z"});
        home.put("decision.json", decision.to_string().as_bytes());
        home.done(&["decision", "record", "decision.json"]);
        let (name, pack) = (format!("dec-{days}"), format!("pack_{days:016x}"));
        let order = ["pack", "assemble", "--decision", &name, "--pack-id", &pack];
        let made = home.dalil(&[&order[..], AT].concat());
        told += &format!("{:?} {}\n", made.status.code(), String::from_utf8_lossy(&made.stderr));
    }
    expect![[r#"
        Some(0) sealed pack_000000000000000a, the pack of decision dec-10

        Some(1) error: `decision.evidence[0].excerpt`: expected words that are in the text of the document, found words that are not

        Some(1) error: `decision.evidence[0].excerpt`: expected words that are in the text of the document, found words that are not

        Some(1) error: `decision.evidence[0].excerpt`: expected words that are in the text of the document, found words that are not

    "#]].assert_eq(&told);
}

#[test]
fn a_trail_is_exported_to_standard_output_as_well() {
    let home = Home::new("archive/trail");
    let rest = ["--approver", "the_manager", "--reason", "for the auditor"];
    let export =
        |out: &str| home.dalil(&[&["trail", "export", "--out", out], &rest[..], AT].concat());
    let before = home.size();
    let refused = export(".");
    expect![[r#"
        error: expected a file to write to, found `.`: is a directory
        hint: name a file in a folder that is there, or `-` for standard output
    "#]]
    .assert_eq(&String::from_utf8_lossy(&refused.stderr));
    assert_eq!((refused.status.code(), home.size()), (Some(2), before));
    let made = export("-");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let stranger = run::folder("archive/trail-stranger");
    run::put(&stranger.join("trail.jsonl"), &made.stdout);
    let key = home.key();
    let args = ["verify", "trail.jsonl", "--key", &key, "--at", "2026-02-01T00:00:00Z"];
    let report = run::dalil_in(&stranger, &[], &args, b"");
    assert_eq!(report.exit, 0, "{}", report.stdout);
}

#[test]
fn a_trust_file_is_a_file_of_its_own() {
    let home = Home::new("trust-out");
    let (before, names) = (home.size(), home.names());
    let approved = ["--approver", "the_manager"];
    for (out, trust) in [("pack.zip", "./pack.zip"), ("pack.zip", "-"), ("-", "-")] {
        let made = home.export(out, &[&approved[..], &["--trust-out", trust]].concat());
        let said = String::from_utf8_lossy(&made.stderr).into_owned();
        let expected = format!(
            "error: expected a file of its own for the trust file, found `{trust}`\n\
             hint: name another file, and hand it over by another way than the export\n"
        );
        assert_eq!((made.status.code(), said), (Some(2), expected), "{out} {trust}");
    }
    assert_eq!((home.size(), home.names()), (before, names), "nothing was recorded or written");
    let made = home.export("pack.zip", &[&approved[..], &["--trust-out", "trust.json"]].concat());
    assert_eq!(made.status.code(), Some(0), "{}", String::from_utf8_lossy(&made.stderr));
    let trust = fs::read(home.folder.join("trust.json")).unwrap();
    assert_eq!(
        String::from_utf8_lossy(&trust) + "\n",
        String::from_utf8_lossy(&home.done(&["keys", "trust"]))
    );
}
