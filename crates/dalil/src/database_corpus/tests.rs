//! Corpora in a database: on a real server, where `DALIL_TEST_PGVECTOR` names one.

use std::path::Path;
use std::str::FromStr as _;

use dalil_evidence::ledger::request::LedgerOptions;
use dalil_judge::index::analysis_digest;
use dalil_proof::canon;
use dalil_proof::time::Time;
use expect_test::{Expect, expect};
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions as _};

use super::*;
use crate::check::{CheckContext, check};
use crate::judges::{JudgeMode, JudgeModels, Judges};
use crate::sandbox::SandboxLimits;
use crate::scratch::TestCorpusFolder;

mod agreement;
mod holding;

/// A database of its own on the server that the tests were given.
struct TestDatabase {
    url: String,
}

impl TestDatabase {
    /// A new database, with the extension unless it is made from `template0`.
    fn new(name: &str, template: &str) -> Option<Self> {
        let server = std::env::var_os("DALIL_TEST_PGVECTOR")?.into_string().ok()?;
        let database = format!("dalil_corpora_{name}");
        run(&server, &format!("DROP DATABASE IF EXISTS {database} WITH (FORCE)"));
        run(&server, &format!("CREATE DATABASE {database} TEMPLATE {template}"));
        let at = server.rsplit_once('/')?.0.to_owned();
        Some(Self { url: format!("{at}/{database}") })
    }

    fn address(&self, names: &str) -> CorpusAddress {
        CorpusAddress::parse(&format!("{}#{names}", self.url)).unwrap()
    }

    fn run(&self, sql: &str) {
        run(&self.url, sql);
    }

    /// The only value of a query.
    fn value(&self, sql: &str) -> String {
        runtime().unwrap().block_on(async {
            let mut connection = connect(&self.url).await;
            sqlx::query_scalar(AssertSqlSafe(sql.to_owned()))
                .fetch_one(&mut connection)
                .await
                .unwrap()
        })
    }

    /// Waits until a corpus has no reader: the server ends a session a moment after its client has
    /// hung up, and keeps its locks until then.
    #[track_caller]
    fn wait_for_readers(&self) {
        let held = "SELECT count(*)::text FROM pg_locks WHERE locktype = 'advisory' \
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
        for _ in 0..100 {
            if self.value(held) == "0" {
                return;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        panic!("somebody still reads after ten seconds");
    }
}

async fn connect(url: &str) -> PgConnection {
    PgConnectOptions::from_str(url).unwrap().connect().await.unwrap()
}

fn run(url: &str, sql: &str) {
    runtime().unwrap().block_on(async {
        let mut connection = connect(url).await;
        sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&mut connection).await.unwrap();
    });
}

fn written(
    paths: &[PathBuf],
    address: &CorpusAddress,
) -> Result<IndexedTotals, DatabaseCorpusFailure> {
    let reader =
        SandboxReader::new(Path::new("/no/such/program").to_owned(), SandboxLimits::usual());
    index(paths, address, (&reader, &CorpusCache::none()), &|_| {})
}

/// The canonical bytes of the ledger of an answer.
fn ledger(answer: &str, question: Option<&str>, corpus: &Corpus) -> String {
    let judges = Judges { models: JudgeModels::open(None).unwrap(), mode: JudgeMode::Fast };
    let setup = CheckContext {
        session: None,
        question: question.map(str::to_owned),
        at: Time::from_str("2026-03-15T09:30:00Z").unwrap(),
        previous: None,
        options: LedgerOptions::usual(),
    };
    let panel = judges.panel(2).unwrap();
    let checked = check(answer, corpus, &panel, &setup, &|_, _| ()).unwrap();
    String::from_utf8(canon::bytes(&checked.ledger).unwrap()).unwrap()
}

/// Whether an answer has the same ledger from both, byte for byte.
#[track_caller]
fn agree(answer: &str, question: Option<&str>, files: &Corpus, database: &mut DatabaseCorpus) {
    let selected = database.select(answer, question).unwrap();
    assert_eq!(ledger(answer, question, &selected), ledger(answer, question, files), "{answer}");
}

fn examples(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

#[test]
fn a_database_gives_the_ledger_of_the_folder() {
    let Some(database) = TestDatabase::new("same", "template1") else { return };
    let paths = [examples("corpus")];
    let files = crate::scratch::open(&paths, &CorpusCache::none()).unwrap();
    let address = database.address("acme/policies");
    let totals = written(&paths, &address).unwrap();
    let chunks: u64 = files.listed().iter().map(|one| one.chunks).sum();
    assert_eq!((totals.documents, totals.chunks), (files.held().len() as u64, chunks));
    let mut opened = DatabaseCorpus::open(&address, &[]).unwrap();
    let mut answers: Vec<PathBuf> =
        examples("answers").read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    answers.sort();
    assert!(!answers.is_empty());
    for path in answers {
        agree(&std::fs::read_to_string(path).unwrap(), None, &files, &mut opened);
    }
    // An answer that cites a chunk by its anchor, and one by words that are not in the documents.
    let words = files.held().first().map(|held| held.words(&held.chunks[1]).to_owned()).unwrap();
    let anchor = dalil_evidence::anchor::text_digest(&words).hex();
    let cited = format!("{words} [cite:{}] [cite:00000000]", anchor.get(..12).unwrap());
    agree(&cited, Some("What is said?"), &files, &mut opened);
    agree("", None, &files, &mut opened);
}

/// Files with hostile names and words.
fn hostile() -> TestCorpusFolder {
    TestCorpusFolder::with(
        "hostile",
        &[
            ("'; DROP SCHEMA dalil_corpora CASCADE; --.md", b"# Notice\n\nNotice is 30 days."),
            ("\u{202e}md.x.md", "# إجازة\n\nالإجازة 15 يوماً.".as_bytes()),
            ("a.png", b"\x89PNG\r\n\x1a\n"),
            ("empty.md", b""),
        ],
    )
}

#[test]
fn hostile_names_and_words_are_only_names_and_words() {
    let Some(database) = TestDatabase::new("hostile", "template1") else { return };
    let (folder, plain) =
        (hostile(), TestCorpusFolder::with("plain", &[("a.md", b"Other words.")]));
    let files = folder.corpus("");
    let names = "o'neil%22%3B%20DROP/%D8%B3%D9%8A%D8%A7%D8%B3%D8%A9%2F..%2F%23%24%241";
    let address = database.address(names);
    written(&[plain.path("")], &database.address("o'neil/x")).unwrap();
    let totals = written(&[folder.path("")], &address).unwrap();
    let unread = totals.unread.iter().map(|one| one.name.as_str()).collect::<Vec<_>>();
    assert_eq!((totals.documents, unread), (3, vec!["a.png"]));
    let mut opened = DatabaseCorpus::open(&address, &[]).unwrap();
    assert_eq!(opened.select("Notice is 30 days.", None).unwrap().listed(), files.listed());
    for answer in ["Notice is 30 days.", "الإجازة 16 يوماً.", "'; SELECT 1; -- is 3 days."]
    {
        agree(answer, None, &files, &mut opened);
    }
}

#[test]
fn corpora_and_tenants_do_not_see_one_another() {
    let Some(database) = TestDatabase::new("apart", "template1") else { return };
    let folder = TestCorpusFolder::with(
        "apart",
        &[
            ("one/a.md", b"The notice is 30 days."),
            ("two/a.md", b"The notice is 60 days."),
            ("three/b.md", b"The notice is 90 days."),
        ],
    );
    let places = [("acme/hr", "one"), ("acme/law", "two"), ("other/hr", "three")];
    for (names, name) in places {
        written(&[folder.path(name)], &database.address(names)).unwrap();
    }
    let check = |names: &str, name: &str| {
        let mut opened = DatabaseCorpus::open(&database.address(names), &[]).unwrap();
        agree("The notice is 60 days.", None, &folder.corpus(name), &mut opened);
    };
    for (names, name) in places {
        check(names, name);
    }
    database.wait_for_readers();
    assert_eq!(remove(&database.address("acme/hr")).unwrap(), []);
    let gone = DatabaseCorpus::open(&database.address("acme/hr"), &[]).unwrap_err().to_string();
    expect!["expected a corpus `hr` of the tenant `acme` in the database, found none"]
        .assert_eq(&gone);
    check("acme/law", "two");
    check("other/hr", "three");
    let tables = "SELECT count(*)::text FROM pg_tables WHERE schemaname = 'dalil_corpora' \
        AND tablename LIKE '%\\_1'";
    assert_eq!(database.value(tables), "0");
}

#[test]
fn a_corpus_that_is_replaced_stays_for_whoever_reads_it() {
    let Some(database) = TestDatabase::new("replaced", "template1") else { return };
    let folder = TestCorpusFolder::with(
        "replaced",
        &[("old/a.md", b"The notice is 30 days."), ("new/b.md", b"The notice is 60 days.")],
    );
    let address = database.address("acme/hr");
    let answer = "The notice is 60 days.";
    written(&[folder.path("old")], &address).unwrap();
    let mut reader = DatabaseCorpus::open(&address, &[]).unwrap();
    written(&[folder.path("new")], &address).unwrap();
    agree(answer, None, &folder.corpus("old"), &mut reader);
    let mut later = DatabaseCorpus::open(&address, &[]).unwrap();
    agree(answer, None, &folder.corpus("new"), &mut later);
    let retired = "SELECT count(*)::text FROM dalil_corpora.retired";
    assert_eq!(database.value(retired), "1");
    drop((reader, later));
    database.wait_for_readers();
    // Tables without a reader go with the next writer. A failed one changes nothing.
    let failed = written(&[folder.path("nowhere")], &address).unwrap_err();
    assert!(matches!(failed, DatabaseCorpusFailure::Corpus(_)), "{failed}");
    written(&[folder.path("new")], &address).unwrap();
    assert_eq!(database.value(retired), "0");
    let tables = "SELECT count(*)::text FROM pg_tables WHERE schemaname = 'dalil_corpora'";
    assert_eq!(database.value(tables), "8");
}

#[test]
fn writers_of_one_corpus_follow_one_another() {
    let Some(database) = TestDatabase::new("writers", "template1") else { return };
    let folder = TestCorpusFolder::with("writers", &[("a/a.md", b"One."), ("b/b.md", b"Two.")]);
    let address = database.address("acme/hr");
    std::thread::scope(|scope| {
        for name in ["a", "b", "a", "b"] {
            let (folder, address) = (&folder, &address);
            scope.spawn(move || written(&[folder.path(name)], address).unwrap());
        }
    });
    let rows = "SELECT count(*)::text FROM dalil_corpora.corpus";
    assert_eq!(database.value(rows), "1");
    let listed =
        DatabaseCorpus::open(&address, &[]).unwrap().select("", None).unwrap().listed().len();
    assert_eq!(listed, 1);
}

/// Checks the errors when a corpus is opened and asked, after `spoil`.
#[track_caller]
fn refuses(database: &TestDatabase, spoil: &str, expected: &Expect) {
    let folder = TestCorpusFolder::with("refuses", &[("a.md", b"The notice is 30 days.")]);
    let address = database.address("acme/hr");
    drop(written(&[folder.path("")], &address));
    let number = database.value("SELECT max(corpus)::text FROM dalil_corpora.corpus");
    database.run(&spoil.replace('$', &number));
    let opened = DatabaseCorpus::open(&address, &[]);
    let selected = opened.and_then(|mut opened| opened.select("The notice is 30 days.", None));
    expected.assert_eq(&selected.map(|_| "no fault".to_owned()).unwrap_or_else(|error| {
        format!("{error}\n{}", error.hint().unwrap_or_default())
            .replace(READERS_VERSION, "VERSION")
            .replace(&format!("_{number}"), "_$")
    }));
}

#[test]
fn a_corpus_that_other_readers_read_is_of_another_analysis() {
    let of = |readers: &str| {
        Digest::of_parts([readers.as_bytes(), b"/", analysis_digest().as_bytes().as_slice()])
    };
    assert_eq!(session::analysis(), of(READERS_VERSION));
    // The readers' output changes between two versions of the program as well.
    assert_ne!(session::analysis(), of(env!("CARGO_PKG_VERSION")));
}

#[test]
fn what_somebody_changed_is_refused() {
    let Some(database) = TestDatabase::new("changed", "template1") else { return };
    let check = |spoil: &str, expected: Expect| refuses(&database, spoil, &expected);
    check(
        "UPDATE dalil_corpora.corpus SET analysis = '\\x00', program = '0.0.1'",
        expect![[r#"
        expected a corpus that dalil VERSION indexed with its ranking model, found one by `0.0.1`
        index it again: `dalil index PATH --into ADDRESS`"#]],
    );
    check(
        "ALTER TABLE dalil_corpora.chunk_$ RENAME COLUMN vector TO v",
        expect![[r#"
        expected the tables of corpora in version 2, found `column "vector" does not exist`
        drop the schema `dalil_corpora`, and index its corpora again"#]],
    );
    check(
        "DROP TABLE dalil_corpora.posting_$",
        expect![[r#"
        expected the tables of corpora in version 2, found `relation "dalil_corpora.posting_$" does not exist`
        drop the schema `dalil_corpora`, and index its corpora again"#]],
    );
    check(
        "ALTER TABLE dalil_corpora.document_$ ALTER COLUMN chunks TYPE text",
        expect![[r#"
        expected the tables of corpora in version 2, found `error occurred while decoding column 6: mismatched types; Ru…`
        drop the schema `dalil_corpora`, and index its corpora again"#]],
    );
    check(
        "UPDATE dalil_corpora.layout SET version = 1",
        expect![[r#"
        expected the tables of corpora in version 2, found version 1
        drop the schema `dalil_corpora`, and index its corpora again"#]],
    );
}

#[test]
fn what_is_damaged_is_refused() {
    let Some(database) = TestDatabase::new("damaged", "template1") else { return };
    let check = |spoil: &str, expected: &Expect| refuses(&database, spoil, expected);
    let document = expect![[r#"
        expected what was indexed, found `a.md` that is damaged
        index it again: `dalil index PATH --into ADDRESS`"#]];
    for change in [
        "content = substr(content, 1, 50)",
        "content_sha256 = '\\x00'",
        // The content is whole; its row is wrong.
        "content_sha256 = decode(repeat('00', 32), 'hex')",
        "sha256 = '\\x00'",
        "chunks = 9",
        "title = 'Another title'",
        "title = '\\xff'",
        "outline = '\\xff'",
        // Totals of nothing, and no words: an outline, but not that of the document.
        "outline = decode(repeat('00', 32), 'hex')",
        "document = 7",
    ] {
        check(&format!("UPDATE dalil_corpora.document_$ SET {change}"), &document);
    }
    let postings = expect![[r#"
        expected what was indexed, found `a list of postings` that is damaged
        index it again: `dalil index PATH --into ADDRESS`"#]];
    for change in [
        "postings = '\\xff'",
        "postings = postings || postings",
        "postings = decode(repeat('00', 100000), 'hex')",
        "chunks = chunks + 1",
    ] {
        check(&format!("UPDATE dalil_corpora.posting_$ SET {change}"), &postings);
    }
    check(
        "UPDATE dalil_corpora.posting_$ SET chunks = -1",
        &expect![[r#"
        expected what was indexed, found `a count` that is damaged
        index it again: `dalil index PATH --into ADDRESS`"#]],
    );
    // Chunks of a document that is not there are not looked at, and nothing else follows from them.
    check("UPDATE dalil_corpora.chunk_$ SET document = 2000000000", &expect!["no fault"]);
    check(
        "UPDATE dalil_corpora.chunk_$ SET document = -1",
        &expect![[r#"
        expected what was indexed, found `a place` that is damaged
        index it again: `dalil index PATH --into ADDRESS`"#]],
    );
}

#[test]
fn a_database_without_vectors_or_without_an_answer_is_refused() {
    let Some(database) = TestDatabase::new("plain", "template0") else { return };
    let folder = TestCorpusFolder::with("plain-database", &[("a.md", b"Words.")]);
    let said =
        |error: DatabaseCorpusFailure| format!("{error}\n{}", error.hint().unwrap_or_default());
    let address = database.address("acme/hr");
    expect![[r#"
        expected the extension `vector` from version 0.7 on in the database, found none
        install pgvector and run `CREATE EXTENSION vector` in the database"#]]
    .assert_eq(&said(written(&[folder.path("")], &address).unwrap_err()));
    expect![[r#"
        expected the extension `vector` from version 0.7 on in the database, found none
        install pgvector and run `CREATE EXTENSION vector` in the database"#]]
    .assert_eq(&said(DatabaseCorpus::open(&address, &[]).unwrap_err()));
    database.run("CREATE SCHEMA \"odd; name\"; CREATE EXTENSION vector SCHEMA \"odd; name\"");
    expect![[r#"
        expected a corpus `hr` of the tenant `acme` in the database, found none
        `dalil index PATH --into ADDRESS` makes one"#]]
    .assert_eq(&said(DatabaseCorpus::open(&address, &[]).unwrap_err()));
    expect![[r#"
        expected a corpus `hr` of the tenant `acme` in the database, found none
        `dalil index PATH --into ADDRESS` makes one"#]]
    .assert_eq(&said(remove(&address).unwrap_err()));
    written(&[folder.path("")], &address).unwrap();
    DatabaseCorpus::open(&address, &[]).unwrap();
    // A reader needs no right to write.
    database.run(
        "DROP ROLE IF EXISTS dalil_reader; CREATE ROLE dalil_reader LOGIN; \
         GRANT USAGE ON SCHEMA dalil_corpora TO dalil_reader; \
         GRANT USAGE ON SCHEMA \"odd; name\" TO dalil_reader; \
         GRANT SELECT ON ALL TABLES IN SCHEMA dalil_corpora TO dalil_reader",
    );
    let reader = TestDatabase { url: database.url.replace("//dalil@", "//dalil_reader@") };
    let mut opened = DatabaseCorpus::open(&reader.address("acme/hr"), &[]).unwrap();
    agree("Words are three.", None, &folder.corpus(""), &mut opened);
    let refused = written(&[folder.path("")], &reader.address("acme/hr")).unwrap_err();
    expect![[r#"
        expected the database to do it, found `permission denied for sequence corpus_corpus_seq`
        look at the server and the rights of the account"#]]
    .assert_eq(&said(refused));
    let lost = CorpusAddress::parse("postgres://u:s3cret@127.0.0.1:9/d#acme/hr").unwrap();
    let lost = said(DatabaseCorpus::open(&lost, &[]).unwrap_err());
    assert!(lost.starts_with("expected to enter the database, found"), "{lost}");
    assert!(!lost.contains("s3cret"), "{lost}");
}

#[test]
fn chunk_sets_and_empty_folders_are_no_corpus() {
    let Some(database) = TestDatabase::new("sets", "template1") else { return };
    let set = br#"{"chunks":[{"id":"1","text":"The notice is 30 days."}]}"#;
    let set = dalil_evidence::chunk_set::ChunkSet::parse(set).unwrap().canonical_bytes().unwrap();
    let files: [(&str, &[u8]); 2] = [("sets/a.json", &set), ("blank/a.md", b"\n")];
    let folder = TestCorpusFolder::with("sets", &files);
    let said = |name: &str| {
        let failed = written(&[folder.path(name)], &database.address("acme/hr")).unwrap_err();
        folder.hidden(&format!("{failed}\n{}", failed.hint().unwrap_or_default()))
    };
    expect![[r#"
        expected documents, found the chunk set `a.json`
        index the documents that its chunks are from"#]]
    .assert_eq(&said("sets"));
    expect![[r#"
        expected a document with text that can be read, found none under `$/blank`
        `dalil read FILE` says why a document cannot be read"#]]
    .assert_eq(&said("blank"));
    expect![[r#"
        expected a file or folder, found `$/nowhere`: No such file or directory (os error 2)
        give files or folders with documents"#]]
    .assert_eq(&said("nowhere"));
}

#[test]
fn an_address_names_a_database_a_tenant_and_a_corpus() {
    let names = |text: &str| {
        CorpusAddress::parse(text).map(|address| (address.tenant.clone(), address.name))
    };
    let pair = |tenant: &str, name: &str| Ok((tenant.to_owned(), name.to_owned()));
    assert_eq!(names("postgres://u:p@h/d#acme/hr"), pair("acme", "hr"));
    assert_eq!(names("postgresql://h/d?sslmode=require#a%2Fb/%D8%B3"), pair("a/b", "س"));
    for text in [
        "",
        "docs",
        "postgres://u:s3cret@h/d",
        "postgres://u:s3cret@h/d#",
        "postgres://u:s3cret@h/d#hr",
        "postgres://u:s3cret@h/d#/hr",
        "postgres://u:s3cret@h/d#acme/",
        "postgres://u:s3cret@h/d#acme/hr/more",
        "postgres://u:s3cret@h/d#acme/%00",
        "postgres://u:s3cret@h/d#acme/%ff",
        "postgres://u:s3cret@h/d#acme/ hr",
        "mysql://u:s3cret@h/d#acme/hr",
        "sqlite:a#acme/hr",
    ] {
        assert_eq!(names(text), Err(NoCorpusAddress), "{text}");
    }
    let address = CorpusAddress::parse("postgres://u:s3cret@h/d#acme/hr").unwrap();
    assert_eq!(format!("{address:?}"), r#"CorpusAddress { tenant: "acme", name: "hr", .. }"#);
}
