//! A part of a corpus gives the ledger of the whole.

use super::*;

/// Ninety policies in both languages, of which a few are about each thing, and some documents that
/// are about nothing of the kind.
fn policies(name: &str, more: &[(&str, &str)]) -> TestCorpusFolder {
    let things = ["leave", "travel", "training", "housing", "overtime"];
    let arabic = ["الإجازة", "السفر", "التدريب", "السكن", "العمل الإضافي"];
    let folder = TestCorpusFolder::with(name, &[]);
    for n in 0..60 {
        let (thing, days, riyals) = (things[n % 5], 3 + n, 1_000 + 10 * n);
        let text = format!(
            "# Policy {n} of {thing}\n\nThe {thing} of grade {n} is {days} days a year.\n\n\
             Requests are sent to the manager in writing.\n\nThe allowance is {riyals} riyals."
        );
        folder.put(&format!("policy-{n}.md"), text.as_bytes());
    }
    for n in 0..30 {
        let (thing, days) = (arabic[n % 5], 3 + n);
        let text = format!("# سياسة {thing} رقم {n}\n\nمدة {thing} للدرجة {n} هي {days} يوما.\n");
        folder.put(&format!("سياسة-{n}.md"), text.as_bytes());
    }
    for (name, text) in more {
        folder.put(name, text.as_bytes());
    }
    folder
}

/// The folder, and the database that it was written to.
struct FolderAndDatabase {
    database: TestDatabase,
    files: Corpus,
    opened: DatabaseCorpus,
}

impl FolderAndDatabase {
    fn new(name: &str, more: &[(&str, &str)]) -> Option<Self> {
        let database = TestDatabase::new(name, "template1")?;
        let folder = policies(name, more);
        let address = database.address("acme/hr");
        written(&[folder.path("")], &address).unwrap();
        let opened = DatabaseCorpus::open(&address, &[]).unwrap();
        Some(Self { database, files: folder.corpus(""), opened })
    }

    /// An answer has the same ledger from both, and only a part of the documents is fetched; gives
    /// their names.
    #[track_caller]
    fn agree(&mut self, answer: &str) -> Vec<String> {
        agree(answer, None, &self.files, &mut self.opened);
        let selected = self.opened.select(answer, None).unwrap();
        let names: Vec<String> = selected.held().iter().map(|held| held.name.clone()).collect();
        assert!(!names.is_empty() && 3 * names.len() < 2 * self.files.held().len(), "{names:?}");
        names
    }
}

#[test]
fn a_part_gives_the_ledger_of_the_whole() {
    let Some(mut both) = FolderAndDatabase::new("part", &[]) else { return };
    for answer in [
        "The travel of grade 41 is 44 days a year.",
        "The travel of grade 41 is 45 days a year.",
        "According to Policy 7 of training, the training of grade 7 is 10 days a year.",
        "مدة السكن للدرجة 13 هي 16 يوما.",
    ] {
        both.agree(answer);
    }
}

#[test]
fn an_amendment_names_a_document_that_is_not_fetched() {
    let (agreement, amendment) = ("agreement.md", "amendment.md");
    let more = [
        (agreement, "# Services Agreement 31\n\nThe provider cleans the lobby windows.\n"),
        (amendment, "# Amendment 1 to Services Agreement 31\n\nThe fee is 700 riyals a month.\n"),
    ];
    let Some(mut both) = FolderAndDatabase::new("amendment", &more) else { return };
    let answer = "The fee is 700 riyals a month.";
    let fetched = both.agree(answer);
    assert!(fetched.contains(&amendment.to_owned()), "{fetched:?}");
    assert!(!fetched.contains(&agreement.to_owned()), "{fetched:?}");
    let amended = both.files.held().iter().find(|held| held.name == agreement).unwrap().id();
    let amends = format!(r#""amends":["{amended}"]"#);
    let told = ledger(answer, None, &both.opened.select(answer, None).unwrap());
    assert!(told.contains(&amends), "{told}");
}

#[test]
fn a_document_is_found_by_its_vector_alone() {
    let garden = ("garden.md", "# Garden\n\nThe gardener waters the orchids.\n");
    let Some(mut both) = FolderAndDatabase::new("vectors", &[garden]) else { return };
    // No chunk holds a word of the claim, so nothing is lost with the postings.
    both.database.run("DELETE FROM dalil_corpora.posting_1");
    let fetched = both.agree("Flowers were irrigated at dawn.");
    assert!(fetched.contains(&garden.0.to_owned()), "{fetched:?}");
}

#[test]
fn a_document_is_found_by_its_words_alone() {
    let protocol = ("protocol.md", "# Zephyrine\n\nThe zephyrine protocol needs 17 signatures.\n");
    let Some(mut both) = FolderAndDatabase::new("words", &[protocol]) else { return };
    // With one vector for all, none is nearer than another.
    let alike = "UPDATE dalil_corpora.chunk_1 SET vector = array_fill(1, ARRAY[256])::halfvec";
    both.database.run(alike);
    let fetched = both.agree("The zephyrine protocol needs 17 signatures.");
    assert!(fetched.contains(&protocol.0.to_owned()), "{fetched:?}");
}

#[test]
fn an_answer_among_the_documents_is_left_out() {
    let Some(database) = TestDatabase::new("answer", "template1") else { return };
    let answer = "# Policy 7 of training\n\nThe training of grade 7 is 99 days a year.\n";
    let folder = policies("answer", &[("answer.md", answer)]);
    let address = database.address("acme/hr");
    written(&[folder.path("")], &address).unwrap();
    let apart = [Digest::of(answer.as_bytes())];
    let mut opened = DatabaseCorpus::open(&address, &apart).unwrap();
    assert_eq!(opened.left_out(), ["answer.md"]);
    std::fs::remove_file(folder.path("answer.md")).unwrap();
    let files = folder.corpus("");
    // Also where its own words are cited by their anchor.
    let anchor = dalil_evidence::anchor::text_digest("The training of grade 7 is 99 days a year.");
    let cited = format!("{answer} [cite:{}]", anchor.hex().get(..12).unwrap());
    for answer in [answer, &cited] {
        let selected = opened.select(answer, None).unwrap();
        assert_eq!(selected.listed(), files.listed());
        assert_eq!(selected.left_out(), ["answer.md"]);
        assert!(selected.held().iter().all(|held| held.name != "answer.md"));
    }
    folder.put("only/answer.md", answer.as_bytes());
    written(&[folder.path("only")], &address).unwrap();
    let failed = DatabaseCorpus::open(&address, &apart).unwrap_err();
    expect![[r#"
        expected documents, found only the answer itself under `hr`
        index the documents that the answer is to be checked against"#]]
    .assert_eq(&format!("{failed}\n{}", failed.hint().unwrap_or_default()));
}
