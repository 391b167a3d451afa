//! Bundles: requests, artifacts of the lake, paths into it, and chunks.

use dalil_evidence::bundle::chunk::{self, ChunkSizes};
use dalil_evidence::bundle::{BundleRequest, FetchedArtifacts, LakeUri, build, prompt};
use dalil_proof::canon;

use crate::bound::fuzz;
use crate::corpus::{examples, inputs};
use crate::requests::{WORDS, lawful};

#[test]
fn bundles() {
    let corpus = [examples("examples/requests", "bundle"), inputs("bundle", &["bundle"])];
    fuzz(&corpus.concat(), &WORDS, |bytes| {
        lawful(&BundleRequest::parse(bytes).map(|request| {
            let offered =
                canon::bytes(&build(request, &FetchedArtifacts::new(), None).unwrap().bundle);
            offered.unwrap()
        }));
    });
}

#[test]
fn artifacts() {
    let corpus = [
        examples("examples/corpus/lake/http", ""),
        examples("examples/corpus/lake/sql", ""),
        vec!["# Policy\n\nFifteen days. خمسة عشر يوما.\n".into(), b"a,b\n1,2\n".to_vec()],
    ];
    fuzz(&corpus.concat(), &WORDS, |bytes| {
        let uri: LakeUri = "a".parse().unwrap();
        let artifacts = FetchedArtifacts::from([(uri, Ok(bytes.to_vec()))]);
        let request = BundleRequest::parse(REFERS.as_bytes()).unwrap();
        let bundle = build(request, &artifacts, None).unwrap().bundle;
        let given = bundle.items.len() + bundle.cuts.len() + bundle.problems.len();
        assert!(given >= 5, "a reference was lost");
        drop(prompt::render(&bundle));
        canon::bytes(&bundle).unwrap();
    });
}

#[test]
fn paths() {
    let corpus = ["docs/policy.md", "a", "../a", "/etc/a", "C:/a", "a//b", "a/./b"];
    fuzz(&corpus.map(|path| path.as_bytes().to_vec()), &["/", "..", "\\", ".", "\0"], |bytes| {
        let Ok(uri) = String::from_utf8_lossy(bytes).parse::<LakeUri>() else { return };
        let leads_out = uri.as_str().split('/').any(|part| matches!(part, "" | "." | ".."));
        assert!(!leads_out, "{uri} leads out of the lake");
    });
}

#[test]
fn chunks() {
    let text = "# One\n\nFirst. Second.\n\n## Two\n\nبند أول. بند ثان؟\n- a\n- b\n".repeat(9);
    fuzz(&[text.into_bytes()], &["\n\n", "# ", ". ", "\u{200d}", " "], |bytes| {
        let text = String::from_utf8_lossy(bytes);
        let spans = chunk::split(&text, &ChunkSizes::new(100, 20).unwrap());
        let mut covered = 0;
        for span in spans {
            assert!(span.start <= covered && text.get(span.start..span.end).is_some());
            assert!(span.end - span.start <= 100, "a chunk is too long");
            covered = span.end;
        }
        assert_eq!(covered, text.len(), "the chunks do not cover the text");
    });
}

/// Refers to one artifact as everything that it could be.
const REFERS: &str = r#"{
    "evidence_refs": {
        "lake_text": ["a", {"lake_uri": "a", "chunk": true}],
        "lake_http": ["a"],
        "sql_results": [{"lake_uri": "a", "query_key": "q"}, {"lake_uri": "a", "split": true}]
    },
    "policy": {"enable_redaction": true},
    "created_utc": "2026-01-03T14:30:00Z"
}"#;
