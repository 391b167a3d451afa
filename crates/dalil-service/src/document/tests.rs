use dalil_store::EvidenceTable;
use dalil_store::trail::StoredFieldState;
use expect_test::{Expect, expect};

use super::{HIDDEN_FIELD, add, list, read_hidden, text};
use crate::fixture::{context_at, one, said, size, table, two, why};
use crate::scratch::TestCorpusFolder;

const POLICY: &[u8] = b"# Leave\n\nAll permanent employees receive 15 days of leave.\n\n## Carry-over\n\nFive days may be carried over.\n";

fn check(actual: &str, expect: &Expect) {
    expect.assert_eq(&format!("{actual}\n"));
}

#[tokio::test]
async fn a_document_is_kept_whole_with_its_text_and_its_chunks() {
    let (_home, acme) = one("document").await;
    let files: [(&str, &[u8]); 2] = [("docs/policy.md", POLICY), ("docs/note.txt", b"A note.")];
    let scratch = TestCorpusFolder::with("keep-document", &files);
    let corpus = scratch.corpus("docs");
    let added = add(&acme, &corpus, &context_at(1)).await.unwrap();
    check(
        &said(&added),
        &expect![[r#"
        [{"chunks":1,"document_id":"doc_cc929e32b3916727","filename":"note.txt","index":2,"is_new":true,"sha256":"sha256:cc929e32b3916727cda14281139dca4464c3b6fc995badedad89ab0e678be59a"},{"chunks":4,"document_id":"doc_9ef87bf555aefc5c","filename":"policy.md","index":3,"is_new":true,"sha256":"sha256:9ef87bf555aefc5c7368f2ee7154417ab15056fc3864ef31cb0985c8da8b6477"}]
    "#]],
    );
    check(
        &said(&list(&acme).await.unwrap()),
        &expect![[r#"
        [{"document_id":"doc_cc929e32b3916727","filename":"note.txt","index":2,"media_type":"text/plain","retrieved_at":"2026-03-14T14:53:21.000Z","sha256":"sha256:cc929e32b3916727cda14281139dca4464c3b6fc995badedad89ab0e678be59a","size":7},{"document_id":"doc_9ef87bf555aefc5c","filename":"policy.md","index":3,"media_type":"text/markdown","retrieved_at":"2026-03-14T14:53:21.000Z","sha256":"sha256:9ef87bf555aefc5c7368f2ee7154417ab15056fc3864ef31cb0985c8da8b6477","size":106}]
    "#]],
    );
    check(
        &table(&acme, EvidenceTable::Chunks).await,
        &expect![[r#"
        [2,1,"4bc7537f","doc_cc929e32b3916727",0,null,null,0,7,"4bc7537fc08aa3bb64866a14958c38389119e3f74a33f4a1d880fdc33fce2dba"]
        [3,1,"c239c7d2","doc_9ef87bf555aefc5c",0,null,null,0,7,"c239c7d298a7d9f6dd47974842727fcc3821458d039bd15a01ef1b3f7a5acb9f"]
        [3,2,"5eb87562","doc_9ef87bf555aefc5c",1,null,null,9,58,"5eb875627704399c582ad96821960da1e33a06a37809b6eed7930a6cd7fb265b"]
        [3,3,"d5f580ad","doc_9ef87bf555aefc5c",2,null,null,60,73,"d5f580adf0b2cbf99cc792da56a4ad56e4d0e208107fcc157cca65af5bb7740c"]
        [3,4,"18f5ffe1","doc_9ef87bf555aefc5c",3,null,"[\"Carry-over\"]",75,105,"18f5ffe1166759555468d2088793df3f984866727103f8751eb41c2fa6278640"]

    "#]],
    );
    check(
        &table(&acme, EvidenceTable::Artifacts).await,
        &expect![[r#"
        [2,2,"sha256:cc929e32b3916727cda14281139dca4464c3b6fc995badedad89ab0e678be59a",7,"text/plain","document"]
        [2,3,"sha256:cc929e32b3916727cda14281139dca4464c3b6fc995badedad89ab0e678be59a",7,"text/plain; charset=utf-8","text"]
        [3,5,"sha256:9ef87bf555aefc5c7368f2ee7154417ab15056fc3864ef31cb0985c8da8b6477",106,"text/markdown","document"]
        [3,6,"sha256:9ef87bf555aefc5c7368f2ee7154417ab15056fc3864ef31cb0985c8da8b6477",106,"text/plain; charset=utf-8","text"]

    "#]],
    );
    assert_eq!(text(&acme, &added[1].document_id, None).await.unwrap().as_bytes(), POLICY);
    let again = add(&acme, &corpus, &context_at(2)).await.unwrap();
    assert_eq!((again.iter().any(|one| one.is_new), size(&acme).await), (false, 4));
}

#[tokio::test]
async fn the_same_bytes_under_another_name_are_recorded_and_kept_once() {
    let (_home, acme) = one("names").await;
    let scratch = TestCorpusFolder::with("keep-names", &[("a.md", POLICY), ("b.md", POLICY)]);
    add(&acme, &scratch.corpus("a.md"), &context_at(1)).await.unwrap();
    let added = add(&acme, &scratch.corpus("b.md"), &context_at(2)).await.unwrap();
    check(
        &said(&added),
        &expect![[r#"
        [{"chunks":4,"document_id":"doc_9ef87bf555aefc5c","filename":"b.md","index":3,"is_new":true,"sha256":"sha256:9ef87bf555aefc5c7368f2ee7154417ab15056fc3864ef31cb0985c8da8b6477"}]
    "#]],
    );
}

#[tokio::test]
async fn a_file_that_changed_since_it_was_read_is_refused() {
    let (_home, acme) = one("changed").await;
    let scratch = TestCorpusFolder::with("keep-changed", &[("a.md", POLICY)]);
    let corpus = scratch.corpus("a.md");
    scratch.put("a.md", b"something else");
    check(
        &why(add(&acme, &corpus, &context_at(1)).await),
        &expect![[r#"
        `a.md`: expected the file that was read, found another
        hint: the file changed in the meantime: try again
    "#]],
    );
    assert_eq!(size(&acme).await, 2);
}

#[tokio::test]
async fn documents_of_another_tenant_are_not_there() {
    let (_home, acme, zenith) = two("documents").await;
    let scratch = TestCorpusFolder::with("keep-documents", &[("a.md", POLICY)]);
    let corpus = scratch.corpus("a.md");
    let added = add(&acme, &corpus, &context_at(1)).await.unwrap();
    let id = &added[0].document_id;
    assert_eq!(said(&list(&zenith).await.unwrap()), "[]");
    check(
        &why(text(&zenith, id, None).await),
        &expect![[r#"
        `document_id`: expected a document of this tenant, found `doc_9ef87bf555aefc5c`
    "#]],
    );
    check(
        &why(text(&acme, id, Some(7)).await),
        &expect![[r#"
        `page`: expected a page with text, found `7`
    "#]],
    );
    let digest = dalil_proof::digest::Digest::of(POLICY);
    let (own, other) = (acme.lake().unwrap(), zenith.lake().unwrap());
    assert_eq!((own.has(&digest).await, other.has(&digest).await), (Ok(true), Ok(false)));
    assert!(add(&zenith, &corpus, &context_at(1)).await.unwrap()[0].is_new);
}

#[tokio::test]
async fn a_record_that_lost_its_hidden_parts_is_damaged() {
    let (_home, acme) = one("hidden").await;
    let contract = "The Vendor delivers in 30 days.\n\n\u{202E}The Vendor delivers in 999 days.\n";
    let files: [(&str, &[u8]); 2] = [("docs/a.txt", contract.as_bytes()), ("docs/b.md", POLICY)];
    let scratch = TestCorpusFolder::with("keep-hidden", &files);
    let added = add(&acme, &scratch.corpus("docs"), &context_at(1)).await.unwrap();
    let stored = async |filename: &str| {
        let index = added.iter().find(|one| one.filename == filename).unwrap().index;
        acme.record(index).await.unwrap().unwrap()
    };
    let mut hiding = stored("a.txt").await;
    let parts = read_hidden(&hiding).unwrap();
    let words = |[start, end]: &[usize; 2]| contract.get(*start..*end).unwrap();
    let words = parts.iter().map(words).map(|part| part.trim_matches('\u{202E}').trim());
    assert_eq!(words.collect::<Vec<_>>(), ["The Vendor delivers in 999 days."]);
    assert!(read_hidden(&stored("b.md").await).unwrap().is_empty());
    let field = hiding.fields.iter_mut().find(|field| field.name == HIDDEN_FIELD).unwrap();
    field.state = StoredFieldState::Missing;
    let index = hiding.index.to_string();
    check(
        &why(read_hidden(&hiding)).replace(&format!("record {index}"), "record N"),
        &expect![[r#"
            cannot read a document: record N: expected the hidden parts that it commits to, found none, or others
            hint: `dalil fsck` says what else is not as it was
        "#]],
    );
}
