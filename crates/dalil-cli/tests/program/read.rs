//! `dalil read`, and the processes that read for others.

use std::fs;
use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use dalil::sandbox::{InputFile, SandboxLimits, SandboxReader};
use expect_test::{Expect, expect};
use flate2::Compression;
use flate2::write::ZlibEncoder;

use crate::run::{dalil, root};

const FILES: &str = "crates/dalil-documents/tests/files";

fn reader(limits: SandboxLimits) -> SandboxReader {
    SandboxReader::new(PathBuf::from(env!("CARGO_BIN_EXE_dalil")), limits)
}

/// The result of reading in a line.
fn told(reader: &SandboxReader, name: &str, bytes: &[u8]) -> String {
    match reader.read(InputFile { name, bytes }) {
        Ok(document) => format!("{} blocks", document.blocks.len()),
        Err(unread) => format!("{unread}\nhint: {}", unread.hint().unwrap_or_default()),
    }
}

/// A page of `paragraphs` paragraphs, each of which costs far more memory than its four bytes.
fn bomb(paragraphs: usize) -> Vec<u8> {
    "<p>a".repeat(paragraphs).into_bytes()
}

#[test]
fn a_page_is_shown_as_it_is_read() {
    let output = dalil(&["read", &format!("{FILES}/page.html")], b"");
    assert_eq!(output.exit, 0);
    expect![[r#"
        == crates/dalil-documents/tests/files/page.html · HTML · Leave policy · 2026-01-01

        Home

        # Leave policy

        All permanent employees receive 15 days of paid annual leave.
        Fractions are rounded up.

        ## 3.2 Applications & approval

        Apply in writing
        by form
        Wait

        Silence is not approval.

        Grade | Days
        A | 15

        leave = 15

        ## الإجازة السنوية

        مدتها 15 يوماً.
    "#]]
    .assert_eq(&output.stdout);
    expect![[r#"
        problem: `crates/dalil-documents/tests/files/page.html`: letters that the page hides left out: 8
    "#]].assert_eq(&output.stderr);
}

#[test]
fn a_document_is_a_line_of_json() {
    let output =
        dalil(&["read", "-", "--json"], "# العنوان\n\nOne.\n\n| a | b |\n|---|---|\n".as_bytes());
    assert_eq!((output.exit, output.stderr.as_str()), (0, ""));
    expect![[r##"
        {"blocks":[{"end":9,"headings":[],"kind":"paragraph","place":{"bytes":{"end":16,"start":0}},"start":0},{"end":15,"headings":[],"kind":"paragraph","place":{"bytes":{"end":22,"start":18}},"start":11},{"end":36,"headings":[],"kind":"paragraph","place":{"bytes":{"end":43,"start":24}},"start":17}],"date":null,"format":"text","name":"-","problems":[],"sha256":"sha256:92caf689d344210f659fc4103dc7a19664036e2d114823598eca2f0460e9cd19","text":"# العنوان\n\nOne.\n\n| a | b |\n|---|---|\n","title":null}
    "##]].assert_eq(&output.stdout);
}

#[test]
fn a_document_cannot_steer_a_terminal_behind_a_pipe() {
    let given = "The notice period is one month\u{1b}[2J.\r\nSalaries are paid on the last working day\u{7}\u{9b}31m\u{202e}\tof the month.\r\n";
    let output = dalil(&["read", "-"], given.as_bytes());
    let unseen = "problem: `-`: parts that a reader does not see: 1, because invisible characters stand between its letters\n";
    assert_eq!((output.exit, output.stderr.as_str()), (0, unseen));
    expect![[r#"
        == - · text

        -- not seen by a reader: invisible characters stand between its letters
        The notice period is one month\u{1b}[2J.
        Salaries are paid on the last working day\u{7}\u{9b}31m\u{202e}	of the month.
    "#]]
    .assert_eq(&output.stdout);
}

#[test]
fn a_file_that_cannot_be_read_is_named_and_the_others_are_shown() {
    let output = dalil(&["read", "Cargo.lock", &format!("{FILES}/rates.xlsx"), "-"], b"\x89PNG");
    assert_eq!(output.exit, 2);
    assert!(output.stdout.contains("== Cargo.lock · text"), "{}", output.stdout);
    assert!(output.stdout.contains("Item: Crane hour | Rate: 1,250.50 SAR"), "{}", output.stdout);
    expect![[r#"
        problem: `crates/dalil-documents/tests/files/rates.xlsx`: sheet `Secret`: a hidden sheet was not read
        error: `-`: expected a document, found a picture
        hint: recognise its text first, and give that
    "#]].assert_eq(&output.stderr);
}

#[test]
fn memory_is_limited() {
    let reader = reader(SandboxLimits { memory: 400 << 20, ..SandboxLimits::usual() });
    let check =
        |bytes: &[u8], expected: &Expect| expected.assert_eq(&told(&reader, "bomb.html", bytes));
    check(b"<p>a<p>b", &expect!["2 blocks"]);
    check(
        &bomb(6_000_000),
        &expect![[r#"
        `bomb.html`: expected its reader to finish, found that it ran out of its 400 MiB of memory
        hint: the file may be damaged or hostile: save it anew, or leave it out"#]],
    );
    check(b"<p>a<p>b", &expect!["2 blocks"]);
}

#[test]
fn a_reader_takes_no_limit_above_that_of_the_process_that_starts_it() {
    // In KiB: 8 GiB, and a reader that may hold 16 GiB. Neither is ever allocated.
    let script = "ulimit -v 8388608; exec \"$0\" read --wire 17179869184";
    let mut child = Command::new("/bin/sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_dalil")])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let path = format!("/proc/{}/limits", child.id());
    // Open files are limited last; then it waits for a file.
    let found = (0..1000).find_map(|_| {
        thread::sleep(Duration::from_millis(10));
        let limits = fs::read_to_string(&path).ok()?;
        let limit = |name: &str| {
            let limit = limits.lines().find_map(|line| line.strip_prefix(name))?;
            Some(limit.split_whitespace().collect::<Vec<_>>().join(" "))
        };
        (limit("Max open files")? == "3 3 files").then(|| limit("Max address space"))?
    });
    drop(child.stdin.take());
    let exit = child.wait().unwrap().code();
    assert_eq!((found.as_deref(), exit), (Some("8589934592 8589934592 bytes"), Some(0)));
}

/// A page that unpacks to a gigabyte, and a stream of objects that does.
#[test]
fn a_file_of_a_megabyte_that_unpacks_to_a_gigabyte_costs_itself_alone() {
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
    let blanks = vec![b' '; 1 << 20];
    for _ in 0..1 << 10 {
        packed.write_all(&blanks).unwrap();
    }
    let packed = packed.finish().unwrap();
    let pdf = |kind: &str| {
        let head = format!(
            "%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n\
             2 0 obj\n<< /Type /Pages /Kids [3 0 R 5 0 R] /Count 2 /MediaBox [0 0 99 99] >>\nendobj\n\
             3 0 obj\n<< /Type /Page /Contents 4 0 R >>\nendobj\n\
             5 0 obj\n<< /Type /Page /Contents 6 0 R >>\nendobj\n\
             6 0 obj\n<< /Length 32 >>\nstream\nBT /F 9 Tf 9 9 Td (kept) Tj ET   \nendstream\nendobj\n\
             4 0 obj\n<< {kind} /Filter /FlateDecode /Length {} >>\nstream\n",
            packed.len()
        );
        let tail = b"\nendstream\nendobj\ntrailer\n<< /Root 1 0 R >>\n";
        [head.as_bytes(), &packed, tail].concat()
    };
    let reader = reader(SandboxLimits { memory: 400 << 20, ..SandboxLimits::usual() });
    let bytes = pdf("");
    let read = reader.read(InputFile { name: "bomb.pdf", bytes: &bytes }).unwrap();
    let problems: Vec<_> = read.problems.iter().map(ToString::to_string).collect();
    assert_eq!(read.text, "kept");
    assert_eq!(problems, ["page 1: it draws more than is read; the rest of it is missing"]);
    expect![[r#"
        `bomb.pdf`: expected its reader to finish, found that it ran out of its 400 MiB of memory
        hint: the file may be damaged or hostile: save it anew, or leave it out"#]]
    .assert_eq(&told(&reader, "bomb.pdf", &pdf("/Type /ObjStm /N 9 /First 9")));
}

#[test]
fn time_is_limited() {
    let time = Duration::from_millis(1);
    let reader =
        reader(SandboxLimits { time, time_per_megabyte: Duration::ZERO, ..SandboxLimits::usual() });
    expect![[r#"
        `slow.html`: expected to read it within 1ms, found no end
        hint: the file may be damaged or hostile: save it anew, or leave it out"#]]
    .assert_eq(&told(&reader, "slow.html", &bomb(1_000_000)));
}

#[test]
fn a_reader_that_is_killed_is_replaced() {
    const MEMORY: u64 = (1 << 30) + 4096;
    let reader = reader(SandboxLimits { memory: MEMORY, ..SandboxLimits::usual() });
    assert_eq!(told(&reader, "a.html", b"<p>a"), "1 blocks");
    kill(MEMORY);
    assert_eq!(told(&reader, "a.html", b"<p>a<p>b"), "2 blocks");
}

#[test]
fn a_reader_that_is_killed_at_work_is_an_error() {
    const MEMORY: u64 = (1 << 30) + 8192;
    let reader = reader(SandboxLimits { memory: MEMORY, ..SandboxLimits::usual() });
    let killer = thread::spawn(|| {
        while !kill(MEMORY) {
            thread::sleep(Duration::from_millis(5));
        }
    });
    let said = told(&reader, "a.html", &bomb(2_000_000));
    killer.join().unwrap();
    expect![[r#"
        `a.html`: expected its reader to finish, found that it was stopped by signal 9
        hint: the file may be damaged or hostile: save it anew, or leave it out"#]]
    .assert_eq(&said);
}

/// Kills the children that were given so much memory; whether there were any.
fn kill(memory: u64) -> bool {
    let mut killed = false;
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        if String::from_utf8_lossy(&line).ends_with(&format!("read\0--wire\0{memory}\0")) {
            let pid = entry.file_name();
            killed |= Command::new("kill").arg("-9").arg(pid).status().unwrap().success();
        }
    }
    killed
}

#[test]
fn a_program_that_is_not_dalil_is_an_error() {
    let check = |program: &str, expected: &Expect| {
        let reader = SandboxReader::new(PathBuf::from(program), SandboxLimits::usual());
        expected.assert_eq(&told(&reader, "a.html", b"<p>a"));
    };
    check(
        "/bin/echo",
        &expect![[r#"
        `a.html`: expected its reader to finish, found that it left without an answer
        hint: the file may be damaged or hostile: save it anew, or leave it out"#]],
    );
    check(
        "/bin/false",
        &expect![[r#"
        `a.html`: expected its reader to finish, found that it failed; it may have run out of its 1024 MiB of memory
        hint: the file may be damaged or hostile: save it anew, or leave it out"#]],
    );
    check(
        "/no/such/program",
        &expect![[r#"
        `a.html`: expected to start a process that reads it, found No such file or directory (os error 2)
        hint: "#]],
    );
}

#[test]
fn many_files_keep_their_order_and_one_bomb_takes_no_other_with_it() {
    let pages: Vec<(String, Vec<u8>)> = (0..40)
        .map(|n| match n {
            17 => ("17.html".to_owned(), bomb(6_000_000)),
            _ if n % 5 == 0 => (format!("{n}.md"), "a\n\n".repeat(n + 1).into_bytes()),
            _ => (format!("{n}.html"), bomb(n + 1)),
        })
        .collect();
    let sources: Vec<_> = pages.iter().map(|(name, bytes)| InputFile { name, bytes }).collect();
    let two = NonZeroUsize::new(2).unwrap();
    let reader =
        reader(SandboxLimits { memory: 400 << 20, processes: two, ..SandboxLimits::usual() });
    let read = reader.read_all(&sources);
    let counts: Vec<usize> =
        read.iter().map(|one| one.as_ref().map_or(0, |document| document.blocks.len())).collect();
    let expected: Vec<usize> = (0..40).map(|n| if n == 17 { 0 } else { n + 1 }).collect();
    assert_eq!(counts, expected);
}

#[test]
fn every_sample_is_read_but_the_one_that_wants_a_password() {
    let reader = reader(SandboxLimits::usual());
    let mut unread = Vec::new();
    for folder in [FILES.to_owned(), format!("{FILES}/pdf")] {
        let entries = fs::read_dir(root().join(folder)).unwrap().flatten();
        for entry in entries.filter(|entry| entry.path().is_file()) {
            let name = entry.file_name().into_string().unwrap();
            let bytes = fs::read(entry.path()).unwrap();
            match reader.read(InputFile { name: &name, bytes: &bytes }) {
                Ok(document) => {
                    assert_eq!(document.digest, dalil_proof::digest::Digest::of(&bytes), "{name}");
                }
                Err(_) => unread.push(name),
            }
        }
    }
    assert_eq!(unread, ["reportlab_en_secret.pdf"]);
}
