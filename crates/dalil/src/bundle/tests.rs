//! Which chunks of a corpus a bundle is offered.

use dalil_evidence::bundle::BundleDocumentSet;
use expect_test::{Expect, expect};

use super::{ChunkSelection, documents};
use crate::scratch::TestCorpusFolder;

#[track_caller]
fn check(name: &str, wanted: &ChunkSelection, expected: &Expect) {
    let files: [(&str, &[u8]); 4] = [
        ("a.md", b"# Leave\n\n<!-- page 3 -->\n\nLeave is 15 days.\n\n## Pay\n\nIt is paid.\n"),
        ("b.md", "الإجازة السنوية 15 يوماً.\n".as_bytes()),
        ("c.png", b"\x89PNG\r\n\x1a\n"),
        ("d.txt", b"caf\xe9 noir\n"),
    ];
    let scratch = TestCorpusFolder::with(name, &files);
    let BundleDocumentSet { texts, chunks, losses } = documents(&scratch.corpus(""), wanted);
    let chunks = chunks.iter().map(|chunk| {
        let document = &texts[chunk.document];
        let words = document.text.get(chunk.start..chunk.end).unwrap();
        format!("{} {} {words:?} {:?} {:?}", document.id, chunk.index, chunk.page, chunk.headings)
    });
    let losses = losses.iter().map(|loss| format!("{loss:?}"));
    expected.assert_eq(&chunks.chain(losses).collect::<Vec<_>>().join("\n"));
}

#[test]
fn all_chunks_come_document_by_document() {
    check(
        "bundle-all",
        &ChunkSelection::All,
        &expect![[r###"
            a.md 0 "# Leave" None []
            a.md 1 "Leave is 15 days." Some(3) []
            a.md 2 "## Pay" Some(3) []
            a.md 3 "It is paid." Some(3) ["Pay"]
            b.md 0 "الإجازة السنوية 15 يوما\u{64b}." None []
            d.txt 0 "café noir" None []
            DocumentLoss { document: 2, id: "d.txt", extent: Part, message: "expected UTF-8, found other bytes; read as windows-1252" }
            DocumentLoss { document: 3, id: "c.png", extent: Whole, message: "expected a document, found a picture" }"###]],
    );
}

#[test]
fn the_chunks_that_rank_first_come_in_their_order_and_losses_stay() {
    let ranked = |query: &str, top| ChunkSelection::Ranked { query: query.to_owned(), top };
    check(
        "bundle-two",
        &ranked("days of leave", 2),
        &expect![[r##"
            a.md 1 "Leave is 15 days." Some(3) []
            a.md 0 "# Leave" None []
            DocumentLoss { document: 2, id: "d.txt", extent: Part, message: "expected UTF-8, found other bytes; read as windows-1252" }
            DocumentLoss { document: 3, id: "c.png", extent: Whole, message: "expected a document, found a picture" }"##]],
    );
    check(
        "bundle-one",
        &ranked("السنوية الإجازة", 1),
        &expect![[r#"
            b.md 0 "الإجازة السنوية 15 يوما\u{64b}." None []
            DocumentLoss { document: 2, id: "d.txt", extent: Part, message: "expected UTF-8, found other bytes; read as windows-1252" }
            DocumentLoss { document: 3, id: "c.png", extent: Whole, message: "expected a document, found a picture" }"#]],
    );
    check(
        "bundle-none",
        &ranked("", 3),
        &expect![[r#"
            DocumentLoss { document: 2, id: "d.txt", extent: Part, message: "expected UTF-8, found other bytes; read as windows-1252" }
            DocumentLoss { document: 3, id: "c.png", extent: Whole, message: "expected a document, found a picture" }"#]],
    );
}
