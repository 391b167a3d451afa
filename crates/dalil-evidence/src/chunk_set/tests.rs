//! Chunk sets: refused ones, kept content, and which bytes are a set.

use dalil_proof::json::Json;
use expect_test::{Expect, expect};

use super::{ChunkSet, MAX_CHUNKS, MAX_METADATA_BYTES, MAX_TEXT_CHARS};

/// The canonical form of a set, or its faults.
#[track_caller]
fn check(chunks: &str, expected: &Expect) {
    expected.assert_eq(&said(&format!(r#"{{"chunks":[{chunks}]}}"#)));
}

fn said(set: &str) -> String {
    match ChunkSet::parse(set.as_bytes()) {
        Ok(set) => String::from_utf8(set.canonical_bytes().unwrap()).unwrap(),
        Err(refused) => {
            let faults = refused.refused.iter();
            faults
                .map(|one| format!("{} {}: {}\n", one.rule, one.path, one.message.english()))
                .collect()
        }
    }
}

#[test]
fn a_set_keeps_what_the_application_says() {
    check(
        r#"{"text":"Leave is 15 days.","id":"kb-1","uri":"kb://leave","title":"Leave","page":3,
           "metadata":{"score":0.5,"acl":["hr"]}},{"id":"kb-2","text":"It is paid.","metadata":{}}"#,
        &expect![[
            r#"{"chunks":[{"id":"kb-1","metadata":{"acl":["hr"],"score":0.5},"page":3,"text":"Leave is 15 days.","title":"Leave","uri":"kb://leave"},{"id":"kb-2","text":"It is paid."}]}"#
        ]],
    );
}

#[test]
fn every_fault_is_told_with_its_path() {
    check(
        r#"{"id":"","text":" ","page":0},{"text":7,"page_content":"x","metadata":[]},
           {"id":"a","text":"b"},{"id":"a","text":"c"}"#,
        &expect![[r#"
            empty chunks[0].id: expected some text, found ``
            empty chunks[0].text: expected some text, found ` `
            range chunks[0].page: expected a whole number from 1 to 4294967295, found `0`
            missing_field chunks[1].id: expected a value, found nothing
            type chunks[1].text: expected a string, found `7`
            type chunks[1].metadata: expected an object, found an array
            unknown_field chunks[1].page_content: expected only id, text, title, uri, page, metadata, found a field it does not know
            duplicate chunks[3].id: expected each id once, found `a` again
        "#]],
    );
    check("", &expect![["range chunks: expected 1 to 1000 chunks, found 0\n"]]);
}

#[test]
fn what_is_longer_than_a_chunk_may_be_is_refused() {
    let chunk = |text: usize, metadata: usize| {
        let (text, metadata) = ("x".repeat(text), "y".repeat(metadata));
        format!(r#"{{"chunks":[{{"id":"a","text":"{text}","metadata":{{"m":"{metadata}"}}}}]}}"#)
    };
    // Eight bytes around the value: `{"m":"` and `"}`.
    let most = chunk(MAX_TEXT_CHARS, MAX_METADATA_BYTES - 8);
    assert!(ChunkSet::parse(most.as_bytes()).is_ok());
    expect![[r#"
        length chunks[0].text: expected at most 100000 characters, found 100001
        length chunks[0].metadata: expected at most 4096 bytes as canonical JSON, found 4097
    "#]]
    .assert_eq(&said(&chunk(MAX_TEXT_CHARS + 1, MAX_METADATA_BYTES - 7)));
    let many = |count: usize| {
        let chunks = (0..count).map(|n| format!(r#"{{"id":"{n}","text":"x"}}"#));
        format!(r#"{{"chunks":[{}]}}"#, chunks.collect::<Vec<_>>().join(","))
    };
    assert!(ChunkSet::parse(many(MAX_CHUNKS).as_bytes()).is_ok());
    expect![["range chunks: expected 1 to 1000 chunks, found 1001\n"]]
        .assert_eq(&said(&many(MAX_CHUNKS + 1)));
}

#[test]
fn only_canonical_bytes_are_a_set() {
    let canonical = br#"{"chunks":[{"id":"a","text":"b"}]}"#;
    assert!(ChunkSet::of_canonical(canonical).is_some());
    let others: [&[u8]; 6] = [
        b"",
        b"{\"chunks\":[]}",
        b"{\"chunks\":[{\"id\":\"a\",\"text\":\"b\"}]}\n",
        b"{\"chunks\":[{\"id\":\"a\", \"text\":\"b\"}]}",
        b"{\"chunks\":[{\"text\":\"b\",\"id\":\"a\"}]}",
        b"{\"chunks\":[{\"id\":\"a\",\"text\":\"b\"}],\"more\":1}",
    ];
    for other in others {
        assert_eq!(ChunkSet::of_canonical(other), None, "{}", String::from_utf8_lossy(other));
    }
}

#[test]
fn the_items_of_a_bundle_are_a_set() {
    let item = |id: &str, content: &str, source: &str| {
        let digest = dalil_proof::digest::Digest::of(content.as_bytes()).hex();
        format!(
            r#"{{"anchor":"00000000","byte_count":1,"content":"{content}","content_sha256":"{digest}",
                "evidence_id":"{id}","evidence_type":"doc_chunk","source_ref":{source},
                "metadata":{{"page_number":4,"heading_path":["1 Leave"],"bounding":{{}}}}}}"#
        )
    };
    let items = [
        item("doc:1:0", "Leave is 15 days.", r#"{"document_id":"leave.pdf","chunk_index":0}"#),
        item("doc:1:1", " ", r#"{"document_id":"leave.pdf","chunk_index":1}"#),
        item("inline:0", "It is paid.", r#"{"source_uri":"intranet","index":0}"#),
    ];
    let text = format!(r#"{{"bundle_id":"b1","items":[{}],"cuts":[]}}"#, items.join(","));
    let set = ChunkSet::of_bundle(&Json::parse(text.as_bytes()).unwrap()).unwrap();
    expect![[
        r#"{"chunks":[{"id":"doc:1:0","metadata":{"bundle_id":"b1","evidence_type":"doc_chunk","heading_path":["1 Leave"]},"page":4,"text":"Leave is 15 days.","title":"leave.pdf"},{"id":"inline:0","metadata":{"bundle_id":"b1","evidence_type":"doc_chunk","heading_path":["1 Leave"]},"page":4,"text":"It is paid.","uri":"intranet"}]}"#
    ]]
    .assert_eq(&String::from_utf8(set.canonical_bytes().unwrap()).unwrap());

    let saved = format!(r#"{{"bundle":{text},"saved":{{"bundle_id":"b1"}}}}"#);
    assert_eq!(ChunkSet::of_bundle(&Json::parse(saved.as_bytes()).unwrap()).unwrap(), set);

    let refused = |text: &str| {
        let faults = ChunkSet::of_bundle(&Json::parse(text.as_bytes()).unwrap()).unwrap_err();
        let faults = faults.refused.iter();
        faults
            .map(|one| format!("{} {}: {}\n", one.rule, one.path, one.message.english()))
            .collect::<String>()
    };
    let changed = text.replace("Leave is 15 days.", "Leave is 20 days.");
    expect![["digest items[0].content: expected the content of `content_sha256`, found other\n"]]
        .assert_eq(&refused(&changed));
    expect![["empty items: expected items with text, found none\n"]]
        .assert_eq(&refused(r#"{"bundle_id":"b1","items":[]}"#));
    expect![[r#"
        missing_field bundle_id: expected a value, found nothing
        missing_field items: expected a value, found nothing
    "#]]
    .assert_eq(&refused(r#"{"chunks":[]}"#));
}
