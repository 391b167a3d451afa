//! Corpora: which files are in them, and that a cache changes nothing.

use std::cell::RefCell;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use dalil_documents::split;
use dalil_judge::index::IndexSegment;
use dalil_proof::digest::Digest;
use expect_test::{Expect, expect};

use super::{
    Corpus, CorpusCache, CorpusDocument, CorpusFailure, CorpusProgress, FileIdentity, shown_path,
};
use crate::sandbox::{SandboxLimits, SandboxReader};
use crate::scratch::{TestCorpusFolder, open};

/// Every document with its chunks, then every file that could not be read.
fn told(corpus: &Result<Corpus, CorpusFailure>) -> String {
    let corpus = match corpus {
        Ok(corpus) => corpus,
        Err(failure) => return format!("failed: {failure}"),
    };
    let held = corpus.held().iter().map(|held| {
        let chunks: Vec<&str> = held.chunks.iter().map(|chunk| held.words(chunk)).collect();
        format!("{} {} {chunks:?}", held.name, held.id())
    });
    let unread = corpus.unread().iter();
    let unread = unread.map(|one| format!("unread {} {}: {}", one.name, one.id(), one.message));
    held.chain(unread).collect::<Vec<_>>().join("\n")
}

#[track_caller]
fn check(scratch: &TestCorpusFolder, names: &[&str], expected: &Expect) {
    let paths: Vec<PathBuf> = names.iter().map(|name| scratch.path(name)).collect();
    expected.assert_eq(&scratch.hidden(&told(&open(&paths, &CorpusCache::none()))));
}

#[test]
fn a_folder_is_walked_in_the_order_of_names_without_what_is_hidden_or_linked() {
    let scratch = TestCorpusFolder::with("walk", &[]);
    for name in ["b.md", "a/z.txt", "a/b/c.md", "B.md", "ب.md", ".hidden.md", ".git/x.md"] {
        scratch.put(name, name.as_bytes());
    }
    symlink(scratch.path("b.md"), scratch.path("link.md")).unwrap();
    symlink(scratch.path("a"), scratch.path("linked")).unwrap();
    symlink(scratch.path("."), scratch.path("a/loop")).unwrap();
    check(
        &scratch,
        &[""],
        &expect![[r#"
        B.md doc_b5038c9fd9be6c6f ["B.md"]
        a/b/c.md doc_5397406b27f15793 ["a/b/c.md"]
        a/z.txt doc_a166ead910467339 ["a/z.txt"]
        b.md doc_11dd481a3da4aeae ["b.md"]
        ب.md doc_178aa3f390826244 ["ب.md"]"#]],
    );
    // Every named file is taken, and a file that was found before is not taken again.
    check(
        &scratch,
        &["link.md", ".hidden.md", "b.md", "linked"],
        &expect![[r#"
        link.md doc_11dd481a3da4aeae ["b.md"]
        .hidden.md doc_1f38d3ab30211104 [".hidden.md"]
        b/c.md doc_5397406b27f15793 ["a/b/c.md"]
        z.txt doc_a166ead910467339 ["a/z.txt"]"#]],
    );
    check(
        &scratch,
        &["b.md", "b.md", "a/../b.md"],
        &expect![[r#"b.md doc_11dd481a3da4aeae ["b.md"]"#]],
    );
}

#[test]
fn two_files_of_one_name_are_called_by_their_paths_and_equal_files_both_stay() {
    let scratch = TestCorpusFolder::with("names", &[]);
    for name in ["old/policy.md", "new/policy.md", "new/only.md"] {
        scratch.put(name, b"The same words.");
    }
    check(
        &scratch,
        &["old", "new"],
        &expect![[r#"
        $/old/policy.md doc_4dda3e17aca09e90 ["The same words."]
        only.md doc_4dda3e17aca09e90 ["The same words."]
        $/new/policy.md doc_4dda3e17aca09e90 ["The same words."]"#]],
    );
}

#[test]
fn paths_without_a_file_are_no_corpus() {
    let scratch = TestCorpusFolder::with("none", &[]);
    fs::create_dir(scratch.path("empty")).unwrap();
    check(
        &scratch,
        &["empty", "."],
        &expect!["failed: expected documents, found none under `$/empty`, `$/.`"],
    );
    check(
        &scratch,
        &["empty", "no-such-folder"],
        &expect![
            "failed: expected a file or folder, found `$/no-such-folder`: No such file or directory (os error 2)"
        ],
    );
}

#[test]
fn of_what_may_be_an_address_only_the_scheme_is_shown() {
    for (path, shown) in [
        ("docs/a.md", "`docs/a.md`"),
        ("postgres://u:s3cret@h/d#acme/hr", "`postgres://…`"),
        ("postgresql://h/d?password=s3cret", "`postgresql://…`"),
    ] {
        assert_eq!(shown_path(Path::new(path)), shown);
    }
    let said = told(&open(&[PathBuf::from("postgres://u:s3cret@h/d")], &CorpusCache::none()));
    expect![
        "failed: expected a file or folder, found `postgres://…`: No such file or directory (os error 2)"
    ]
    .assert_eq(&said);
}

#[test]
fn corpora_of_which_other_documents_are_here_are_not_equal() {
    let scratch = TestCorpusFolder::with("here", &[("a.md", b"One."), ("b.md", b"Two.")]);
    let fingerprint = |left: usize| {
        let mut corpus = scratch.corpus("");
        corpus.held.remove(left);
        corpus.fingerprint()
    };
    let whole = scratch.corpus("").fingerprint();
    assert_eq!(scratch.corpus("").fingerprint(), whole);
    let parts = [fingerprint(0), fingerprint(1)];
    assert!(parts[0] != parts[1] && !parts.contains(&whole));
}

#[test]
fn a_file_that_cannot_be_read_is_in_the_corpus_with_the_reason() {
    let files: [(&str, &[u8]); 4] = [
        ("a.png", b"\x89PNG\r\n\x1a\n"),
        ("b.md", "الإجازة 15 يوماً.".as_bytes()),
        ("c.html", b"<p>No process reads this."),
        ("d.txt", b""),
    ];
    let scratch = TestCorpusFolder::with("unread", &files);
    check(
        &scratch,
        &[""],
        &expect![[r#"
        b.md doc_fdb91108e660e82c ["الإجازة 15 يوما\u{64b}."]
        d.txt doc_e3b0c44298fc1c14 []
        unread a.png doc_4c4b6a3be1314ab8: expected a document, found a picture
        unread c.html doc_84ab2110afa8ea83: expected to start a process that reads it, found No such file or directory (os error 2)"#]],
    );
}

#[test]
fn a_file_that_is_set_apart_is_left_out_by_whatever_name() {
    let scratch = TestCorpusFolder::with("apart", &[("docs/a.md", b"a"), ("docs/b.md", b"b")]);
    fs::hard_link(scratch.path("docs/b.md"), scratch.path("docs/c.md")).unwrap();
    symlink(scratch.path("docs/b.md"), scratch.path("link.md")).unwrap();
    let apart = [FileIdentity::of(&fs::metadata(scratch.path("link.md")).unwrap())];
    let reader = SandboxReader::new(Path::new("/none").to_owned(), SandboxLimits::usual());
    let open = |names: &[&str]| {
        let paths: Vec<PathBuf> = names.iter().map(|name| scratch.path(name)).collect();
        let opened = Corpus::open(&paths, &apart, &reader, &CorpusCache::none(), &|_| {});
        let left_out = opened.as_ref().map(|corpus| corpus.left_out().to_vec());
        scratch.hidden(&format!("{} {:?}", told(&opened), left_out.unwrap_or_default()))
    };
    expect![[r#"a.md doc_ca978112ca1bbdca ["a"] ["b.md", "c.md"]"#]].assert_eq(&open(&["docs"]));
    expect![[r#"failed: expected documents, found only the answer itself under `$/link.md` []"#]]
        .assert_eq(&open(&["link.md"]));
}

#[test]
fn what_may_never_end_is_no_document() {
    let scratch = TestCorpusFolder::with("device", &[("a.md", b"a")]);
    check(
        &scratch,
        &["a.md", "/dev/zero"],
        &expect![
            "failed: expected a file or folder, found `/dev/zero`: a pipe, a device or a socket"
        ],
    );
}

#[test]
fn a_corpus_without_text_says_so() {
    let files: [(&str, &[u8]); 2] = [("a/a.png", b"\x89PNG\r\n\x1a\n"), ("a/b.txt", b" \n")];
    let scratch = TestCorpusFolder::with("blank", &files);
    let paths = [scratch.path("a")];
    let opened = open(&paths, &CorpusCache::none()).and_then(|corpus| corpus.with_text(&paths));
    expect!["failed: expected a document with text that can be read, found none under `$/a`"]
        .assert_eq(&scratch.hidden(&told(&opened)));
    scratch.put("a/c.txt", b"c");
    let opened = open(&paths, &CorpusCache::none()).and_then(|corpus| corpus.with_text(&paths));
    assert!(opened.is_ok());
}

#[test]
fn progress_ends_with_all_files() {
    let scratch = TestCorpusFolder::with("progress", &[("a.md", b"a"), ("b.md", b"b")]);
    let reader = SandboxReader::new(Path::new("/none").to_owned(), SandboxLimits::usual());
    let steps = RefCell::new(Vec::new());
    let step = |step: CorpusProgress| steps.borrow_mut().push((step.done, step.all));
    Corpus::open(&[scratch.path("")], &[], &reader, &CorpusCache::none(), &step).unwrap();
    assert_eq!(steps.into_inner(), [(2, 2)]);
}

/// A corpus, its cache, and the corpus as it is without a cache.
struct Kept {
    scratch: TestCorpusFolder,
    cache: CorpusCache,
}

impl Kept {
    fn new(name: &str) -> Self {
        let files: [(&str, &[u8]); 2] = [
            ("docs/a.md", b"# Leave\n\nLeave is 15 days.\n\n## Pay\n\nIt is paid.\n"),
            ("docs/b.csv", "البند,القيمة\nالإجازة,15\n".as_bytes()),
        ];
        let scratch = TestCorpusFolder::with(name, &files);
        let cache = CorpusCache::at(scratch.path("cache"));
        Self { scratch, cache }
    }

    fn open(&self) -> Corpus {
        open(&[self.scratch.path("docs")], &self.cache).unwrap()
    }

    /// Checks that the cache does not change the corpus.
    #[track_caller]
    fn changes_nothing(&self, why: &str) {
        let (kept, plain) = (self.open(), self.scratch.corpus("docs"));
        assert_eq!(kept.held().len(), plain.held().len(), "{why}");
        for (kept, plain) in kept.held().iter().zip(plain.held()) {
            assert_eq!(kept.document, plain.document, "{why}");
            assert_eq!(kept.chunks, plain.chunks, "{why}");
        }
        for query in ["annual leave", "الإجازة"] {
            assert_eq!(kept.index.rank(query, 10), plain.index.rank(query, 10), "{why}: {query}");
        }
    }

    /// The files of the cache.
    fn files(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.scratch.path("cache")).unwrap();
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files
    }
}

#[test]
fn a_cache_changes_nothing_whatever_became_of_it() {
    let kept = Kept::new("cache");
    kept.changes_nothing("cold");
    kept.changes_nothing("warm");
    let files = kept.files();
    assert_eq!(files.len(), 2);
    let whole: Vec<Vec<u8>> = files.iter().map(|file| fs::read(file).unwrap()).collect();
    let put = |file: &Path, bytes: &[u8]| {
        std::io::Write::write_all(&mut fs::File::create(file).unwrap(), bytes).unwrap();
    };
    for at in (0..whole[0].len()).step_by(61) {
        let mut damaged = whole[0].clone();
        damaged[at] ^= 0x41;
        put(&files[0], &damaged);
        kept.changes_nothing(&format!("byte {at}"));
        put(&files[0], &whole[0][..at]);
        kept.changes_nothing(&format!("cut at {at}"));
    }
    put(&files[0], &whole[1]);
    kept.changes_nothing("the file of another document");
    put(&files[0], &[u8::MAX; 64]);
    kept.changes_nothing("a length beyond its end");
    fs::remove_file(&files[1]).unwrap();
    kept.changes_nothing("one gone");
    let healed: Vec<Vec<u8>> = kept.files().iter().map(|file| fs::read(file).unwrap()).collect();
    assert_eq!(healed, whole);
}

#[test]
fn a_cache_that_cannot_be_written_changes_nothing() {
    let mut kept = Kept::new("unwritable");
    kept.scratch.put("file", b"");
    kept.cache = CorpusCache::at(kept.scratch.path("file/cache"));
    assert!(kept.cache.unkept().is_none());
    kept.changes_nothing("below a file");
    let why = kept.cache.unkept().map(ToString::to_string);
    assert_eq!(why.as_deref(), Some("Not a directory (os error 20)"));
    kept.cache = CorpusCache::at(kept.scratch.path("file"));
    kept.changes_nothing("a file");
    assert!(kept.cache.unkept().is_some());
}

#[test]
fn what_is_kept_is_used_until_the_file_changes() {
    let kept = Kept::new("used");
    let plain = kept.open();
    // Other words under the digest of the file show who was asked.
    let first = &plain.held()[0];
    let mut document = first.document.clone();
    document.text = document.text.replace("15 days", "99 days");
    let held = CorpusDocument {
        name: "a.md".to_owned(),
        chunks: split::chunks(&document),
        document,
        retrieved: None,
    };
    let words: Vec<&str> = held.chunks.iter().map(|chunk| held.words(chunk)).collect();
    kept.cache.session().put(&held, &IndexSegment::of(held.document.digest, &words));
    assert!(kept.open().held()[0].document.text.contains("99 days"));
    // Under an ending that is read in another way it is not used.
    fs::rename(kept.scratch.path("docs/a.md"), kept.scratch.path("docs/a.txt")).unwrap();
    assert!(kept.open().held()[0].document.text.contains("15 days"));
    kept.scratch.put("docs/a.md", b"Leave is 16 days.\n");
    let corpus = kept.open();
    assert_eq!(corpus.held()[0].document.text, "Leave is 16 days.\n");
    assert_eq!(corpus.held()[0].document.digest, Digest::of(b"Leave is 16 days.\n"));
}
