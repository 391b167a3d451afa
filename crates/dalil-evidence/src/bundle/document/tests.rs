//! Chunks of documents in a bundle: their places, their masks, their losses.

use dalil_proof::digest::Digest;
use expect_test::{Expect, expect};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{
    BundleChunk, BundleDocument, BundleDocumentSet, ChunkSpan, DocumentLoss, LossExtent,
    MaskedDocument,
};
use crate::bundle::draft::MaskingMode;
use crate::bundle::{BuiltBundle, BundleRequest, FetchedArtifacts, build};

const ON: MaskingMode<'static> = MaskingMode::On { rules: &[], key: None };

fn document(id: &str, text: &str) -> BundleDocument {
    BundleDocument { id: id.to_owned(), sha256: Digest::of(text.as_bytes()), text: text.to_owned() }
}

fn chunk(document: usize, index: u64, start: usize, end: usize) -> BundleChunk {
    BundleChunk { document, index, start, end, page: None, headings: Vec::new() }
}

fn built(policy: &Value, documents: BundleDocumentSet) -> BuiltBundle {
    let part = json!({"document_id": "a.md", "chunk_index": 0, "text": "of the request"});
    let request = json!({
        "evidence_refs": {"doc_chunks": [part], "transcript_chunks": [part]},
        "policy": policy,
        "created_utc": "2026-01-03T14:30:00Z",
    });
    let request = BundleRequest::parse(request.to_string().as_bytes()).unwrap();
    build(request.with(documents), &FetchedArtifacts::new(), None).unwrap()
}

#[track_caller]
fn check(policy: &Value, documents: BundleDocumentSet, expected: &Expect) {
    let BuiltBundle { bundle, keep } = built(policy, documents);
    let items = bundle.items.iter().map(|item| {
        let mut metadata = serde_json::to_value(&item.head.metadata).unwrap();
        metadata.as_object_mut().unwrap().remove("bounding");
        let offsets = item.head.offsets.map(|one| format!("{}-{}", one.start, one.end));
        format!(
            "{} {} `{}` {metadata}",
            item.head.evidence_id,
            offsets.unwrap_or_default(),
            item.content
        )
    });
    let cuts = bundle.cuts.iter().map(|cut| format!("cut {}", cut.evidence_id));
    let problems = bundle.problems.iter().map(|one| serde_json::to_string(one).unwrap());
    let kept = keep.iter().map(|keep| format!("keep {} `{}`", keep.path, keep.text));
    let lines: Vec<String> = items.chain(cuts).chain(problems).chain(kept).collect();
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn chunks_stand_after_those_of_the_request_in_their_own_order() {
    let texts = vec![document("a.md", "First. Second."), document("ب.md", "الإجازة 15 يوماً.")];
    let on_page = BundleChunk {
        page: Some(3),
        headings: vec!["Leave".to_owned(), "الإجازة".to_owned()],
        ..chunk(1, 0, 0, texts[1].text.len())
    };
    let chunks = vec![on_page, chunk(0, 1, 7, 14), chunk(0, 0, 0, 6), chunk(9, 0, 0, 1)];
    check(
        &json!({}),
        BundleDocumentSet { texts, chunks, losses: Vec::new() },
        &expect![[r#"
            doc:fecccc975324:0  `of the request` {}
            doc:178aa3f39082:0 0-29 `الإجازة 15 يوماً.` {"document_sha256":"sha256:fdb91108e660e82caf4998d3c2acc361766f0b9a148e26ea88e24f1aff863560","heading_path":["Leave","الإجازة"],"page_number":3}
            doc:fecccc975324:1 7-14 `Second.` {"document_sha256":"sha256:1b83d569d8aa63b1fb72e5919273c04e024881d1a3f9300fb90ba94cb1096c51"}
            doc:fecccc975324:2 0-6 `First.` {"document_sha256":"sha256:1b83d569d8aa63b1fb72e5919273c04e024881d1a3f9300fb90ba94cb1096c51"}
            doc:fecccc975324:3  `of the request` {}"#]],
    );
}

#[test]
fn a_document_is_masked_whole_and_a_mask_at_an_edge_stands_on_both_sides() {
    let text = "Ask hr@example.com or عمر@example.com now.";
    let chunks =
        vec![chunk(0, 0, 0, 4), chunk(0, 1, 4, 9), chunk(0, 2, 9, 21), chunk(0, 3, 21, text.len())];
    let heading =
        BundleChunk { headings: vec!["To it@example.com".to_owned()], ..chunk(0, 4, 0, 3) };
    let chunks = [chunks, vec![heading]].concat();
    check(
        &json!({"enable_redaction": true}),
        BundleDocumentSet { texts: vec![document("d", text)], chunks, losses: Vec::new() },
        &expect![[r#"
            doc:fecccc975324:0  `of the request` {"redactions":{"enabled":true,"redaction_count":0,"redactions":[]}}
            doc:18ac3e7343f0:0 0-4 `Ask ` {"document_sha256":"sha256:d05563bb8e89cf399f22aeb0bf7647fc47606b8c9d849d6c0e2345dafd731942","redactions":{"enabled":true,"redaction_count":0,"redactions":[]}}
            doc:18ac3e7343f0:1 4-20 `[EMAIL_REDACTED]` {"document_sha256":"sha256:d05563bb8e89cf399f22aeb0bf7647fc47606b8c9d849d6c0e2345dafd731942","redactions":{"enabled":true,"redaction_count":1,"redactions":[{"end":18,"replacement":"[EMAIL_REDACTED]","rule":"email","start":4}]}}
            doc:18ac3e7343f0:2 4-23 `[EMAIL_REDACTED] or` {"document_sha256":"sha256:d05563bb8e89cf399f22aeb0bf7647fc47606b8c9d849d6c0e2345dafd731942","redactions":{"enabled":true,"redaction_count":1,"redactions":[{"end":18,"replacement":"[EMAIL_REDACTED]","rule":"email","start":4}]}}
            doc:18ac3e7343f0:3 23-45 ` [EMAIL_REDACTED] now.` {"document_sha256":"sha256:d05563bb8e89cf399f22aeb0bf7647fc47606b8c9d849d6c0e2345dafd731942","redactions":{"enabled":true,"redaction_count":1,"redactions":[{"end":40,"replacement":"[EMAIL_REDACTED]","rule":"email","start":22}]}}
            doc:18ac3e7343f0:4 0-3 `Ask` {"document_sha256":"sha256:d05563bb8e89cf399f22aeb0bf7647fc47606b8c9d849d6c0e2345dafd731942","heading_path":["To [EMAIL_REDACTED]"],"redactions":{"enabled":true,"redaction_count":1,"redactions":[{"end":17,"field":"metadata.heading_path[0]","replacement":"[EMAIL_REDACTED]","rule":"email","start":3}]}}
            doc:fecccc975324:1  `of the request` {"redactions":{"enabled":true,"redaction_count":0,"redactions":[]}}"#]],
    );
}

#[test]
fn chunks_of_documents_keep_to_the_sizes_of_the_policy() {
    let text = "The notice is thirty days. ".repeat(8);
    let chunks = vec![chunk(0, 0, 0, text.len() - 1), chunk(0, 1, 0, 26)];
    let documents =
        BundleDocumentSet { texts: vec![document("d", &text)], chunks, losses: Vec::new() };
    let built = built(&json!({"chunk_size": 100, "chunk_overlap": 30}), documents);
    let items: Vec<String> = built
        .bundle
        .items
        .iter()
        .filter_map(|item| {
            let offsets = item.head.offsets?;
            let text =
                text.get(usize::try_from(offsets.start).ok()?..usize::try_from(offsets.end).ok()?);
            assert_eq!(text, Some(&*item.content));
            Some(format!("{} {}-{}", item.head.evidence_id, offsets.start, offsets.end))
        })
        .collect();
    expect![[r#"
        doc:18ac3e7343f0:0 0-81
        doc:18ac3e7343f0:1 54-135
        doc:18ac3e7343f0:2 108-189
        doc:18ac3e7343f0:3 162-215
        doc:18ac3e7343f0:4 0-26"#]]
    .assert_eq(&items.join("\n"));
}

#[test]
fn bounds_and_losses_are_recorded() {
    let texts = vec![document("long.txt", &"ن".repeat(80)), document("b", "second")];
    let loss = |document, id: &str, extent, message: &str| DocumentLoss {
        document,
        id: id.to_owned(),
        extent,
        message: message.to_owned(),
    };
    let losses = vec![
        loss(2, "scan.png", LossExtent::Whole, "expected a document, found a picture"),
        loss(
            0,
            "long.txt",
            LossExtent::Part,
            "sheet `hr@example.com`: a hidden sheet was not read",
        ),
    ];
    let chunks = vec![chunk(0, 0, 0, 160), chunk(1, 0, 0, 6)];
    let policy = json!({"max_item_bytes": 101, "max_items": 2, "enable_redaction": true});
    check(
        &policy,
        BundleDocumentSet { texts, chunks, losses },
        &expect![[r#"
        doc:fecccc975324:0  `of the request` {"redactions":{"enabled":true,"redaction_count":0,"redactions":[]}}
        doc:78213e19f08d:0 0-160 `نننننننننننننننننننننننننننننننننننننننننننننننننن` {"document_sha256":"sha256:d1071083a8da2322032a3d438036b69296a4a824334bf7da3bcf8b45e4dc8d62","redactions":{"enabled":true,"redaction_count":0,"redactions":[]}}
        cut doc:3e23e8160039:0
        cut doc:fecccc975324:1
        {"path":"documents[2]","document_id":"scan.png","reason":"unreadable","message":"expected a document, found a picture"}
        {"path":"documents[0]","document_id":"long.txt","reason":"incomplete","message":"sheet `[EMAIL_REDACTED]`: a hidden sheet was not read"}
        keep documents[0].chunks[0] `نننننننننننننننننننننننننننننننننننننننننننننننننننننننننننننننننننننننننننننننن`"#]],
    );
}

#[test]
fn a_part_of_a_masked_text_names_the_masks_that_stand_in_it() {
    // `a b@c.de f g@h.ij` becomes `a [EMAIL_REDACTED] f [EMAIL_REDACTED]`.
    let shown = MaskedDocument::of("a b@c.de f g@h.ij", &ON);
    let check = |start: usize, end: usize, expected: &[usize]| {
        let found = shown.redactions(&ChunkSpan { start, end });
        let found: Vec<usize> = found.iter().map(|one| one.mask.start).collect();
        assert_eq!(found, expected, "{start}..{end}");
    };
    check(0, 37, &[2, 11]);
    check(0, 2, &[]);
    check(0, 3, &[2]);
    check(17, 19, &[2]);
    check(18, 21, &[]);
    check(18, 22, &[11]);
}

proptest! {
    #[test]
    fn parts_that_cover_a_text_cover_what_is_shown_and_hide_what_is_masked(
        words in prop::collection::vec("(a|ن|hr@example\\.com|password: [a-z]{6}|\\.)", 0..12),
        cut in 0_usize..200,
    ) {
        let text = words.join(" ");
        let cut = text.floor_char_boundary(cut.min(text.len()));
        let shown = MaskedDocument::of(&text, &ON);
        let (left, right) = (shown.span(0, cut), shown.span(cut, text.len()));
        prop_assert_eq!((left.start, right.end), (0, shown.text.len()));
        prop_assert!(right.start <= left.end);
        prop_assert!(!shown.words(&left).contains('@') && !shown.words(&right).contains('@'));
        prop_assert!(right.start == left.end || shown.redactions(&left).len() + shown.redactions(&right).len() > 1);
    }

    /// Digests are in metadata, where every text is masked.
    #[test]
    fn a_digest_is_never_masked(bytes: [u8; 32]) {
        let digest = Digest::of(&bytes).to_string();
        prop_assert_eq!(&*MaskedDocument::of(&digest, &ON).text, digest.as_str());
    }
}
