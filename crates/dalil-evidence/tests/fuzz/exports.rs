//! Trail exports: an accepted one is written in its one spelling, and no other file passes.

use dalil_proof::report::CheckStatus;
use dalil_proof::trail::{
    self, PreviousExport, RecordPayload, TrailHeader, TrailLine, TrailWriter,
};
use dalil_proof::tree::Frontier;

use crate::bound::fuzz;
use crate::corpus;
use crate::signer::{key, now, record, signed, tree, trust};

#[test]
fn exports() {
    fuzz(&files(), &WORDS, |bytes| {
        let passed = trail::verify(bytes, &trust(), now()).report.verdict() == CheckStatus::Pass;
        assert!(!passed || files().iter().any(|file| file == bytes), "another file passed");
    });
}

#[test]
fn lines() {
    let lines: Vec<Vec<u8>> = files()
        .iter()
        .flat_map(|file| file.split_inclusive(|byte| *byte == b'\n'))
        .map(<[u8]>::to_vec)
        .collect();
    fuzz(&lines, &WORDS, |bytes| {
        if let Ok(line) = TrailLine::parse(bytes) {
            let mut again = Vec::new();
            line.write(&mut again);
            assert_eq!(again, bytes, "a line has two spellings");
        }
        if let Ok(header) = TrailHeader::parse(bytes) {
            assert_eq!(header.line(), bytes, "a header has two spellings");
        }
    });
}

/// The trail of five records without payloads, whole.
fn export() -> Vec<u8> {
    let note = signed().sign(&[&key()]).unwrap();
    let (tree, mut out) = (tree(), Vec::new());
    let previous =
        PreviousExport { head: tree.head_at(3).unwrap(), proof: tree.consistency(3, 5).unwrap() };
    let header = TrailHeader::new(&note, &Frontier::default(), Some(&previous), &[]).unwrap();
    let mut writer = TrailWriter::begin(&header, &mut out);
    for n in 0..5 {
        writer.record(&record(n), &RecordPayload::new(), &mut out).unwrap();
    }
    writer.end(&mut out).unwrap();
    out
}

/// That export, and those of the vectors, which have every state of a payload.
fn files() -> Vec<Vec<u8>> {
    let mut files = vec![export()];
    files.extend(corpus::texts("trail"));
    files
}

const WORDS: [&str; 14] = [
    "\n",
    "{\"trail\":{",
    "{\"end\":{\"records\":5,\"sha256\":\"sha256:",
    "{\"envelope\":",
    ",\"index\":",
    ",\"payload\":{",
    "\"a\":{\"state\":\"withheld\"}",
    "{\"by\":7,\"state\":\"erased\"}",
    "\"state\":\"present\"",
    "\"salt\":\"",
    "9007199254740992",
    "\\u0000",
    "\"first\":",
    "sha256:",
];
