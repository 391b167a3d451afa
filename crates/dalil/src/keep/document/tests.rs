use dalil_store::Table;
use expect_test::{Expect, expect};

use super::{add, list, text};
use crate::keep::fixture::{deed, one, said, size, table, two, why};
use crate::scratch::Scratch;

const POLICY: &[u8] = b"# Leave\n\nAll permanent employees receive 15 days of leave.\n\n## Carry-over\n\nFive days may be carried over.\n";

fn check(actual: &str, expect: &Expect) {
    expect.assert_eq(&format!("{actual}\n"));
}

#[tokio::test]
async fn a_document_is_kept_whole_with_its_text_and_its_chunks() {
    let (_home, acme) = one("document").await;
    let files: [(&str, &[u8]); 2] = [("docs/policy.md", POLICY), ("docs/note.txt", b"A note.")];
    let scratch = Scratch::with("keep-document", &files);
    let corpus = scratch.corpus("docs");
    let added = add(&acme, &corpus, &deed(1)).await.unwrap();
    check(&said(&added), &expect![[r#""#]]);
    check(&said(&list(&acme).await.unwrap()), &expect![[r#""#]]);
    check(&table(&acme, Table::Chunks).await, &expect![[r#""#]]);
    check(&table(&acme, Table::Artifacts).await, &expect![[r#""#]]);
    assert_eq!(text(&acme, &added[1].document_id, None).await.unwrap().as_bytes(), POLICY);
    let again = add(&acme, &corpus, &deed(2)).await.unwrap();
    assert_eq!((again.iter().any(|one| one.is_new), size(&acme).await), (false, 4));
}

#[tokio::test]
async fn the_same_bytes_under_another_name_are_recorded_and_kept_once() {
    let (_home, acme) = one("names").await;
    let scratch = Scratch::with("keep-names", &[("a.md", POLICY), ("b.md", POLICY)]);
    add(&acme, &scratch.corpus("a.md"), &deed(1)).await.unwrap();
    let added = add(&acme, &scratch.corpus("b.md"), &deed(2)).await.unwrap();
    check(&said(&added), &expect![[r#""#]]);
}

#[tokio::test]
async fn a_file_that_changed_since_it_was_read_is_refused() {
    let (_home, acme) = one("changed").await;
    let scratch = Scratch::with("keep-changed", &[("a.md", POLICY)]);
    let corpus = scratch.corpus("a.md");
    scratch.put("a.md", b"something else");
    check(&why(add(&acme, &corpus, &deed(1)).await), &expect![[r#""#]]);
    assert_eq!(size(&acme).await, 2);
}

#[tokio::test]
async fn documents_of_another_tenant_are_not_there() {
    let (_home, acme, zenith) = two("documents").await;
    let scratch = Scratch::with("keep-documents", &[("a.md", POLICY)]);
    let corpus = scratch.corpus("a.md");
    let added = add(&acme, &corpus, &deed(1)).await.unwrap();
    let id = &added[0].document_id;
    assert_eq!(said(&list(&zenith).await.unwrap()), "[]");
    check(&why(text(&zenith, id, None).await), &expect![[r#""#]]);
    check(&why(text(&acme, id, Some(7)).await), &expect![[r#""#]]);
    let digest = dalil_core::digest::Digest::of(POLICY);
    let (own, other) = (acme.lake().unwrap(), zenith.lake().unwrap());
    assert_eq!((own.has(&digest).await, other.has(&digest).await), (Ok(true), Ok(false)));
    assert!(add(&zenith, &corpus, &deed(1)).await.unwrap()[0].is_new);
}
