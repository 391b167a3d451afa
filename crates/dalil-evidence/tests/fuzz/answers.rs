//! The Markdown of answers: citations are at their stated places, whatever is around them.

use dalil_evidence::anchor::{self, Anchor};

use crate::bound::fuzz;

#[test]
fn citations() {
    fuzz(&corpus(), &WORDS, |bytes| {
        let answer = String::from_utf8_lossy(bytes);
        let found = anchor::citations(&answer);
        for citation in &found {
            let text = answer.get(citation.start..citation.end).unwrap();
            let written = format!("[cite:{}]", citation.anchor);
            assert_eq!(text.to_lowercase(), written, "a citation is not where it says");
        }
        let apart = found.windows(2).all(|pair| pair[0].end <= pair[1].start);
        assert!(apart, "citations overlap");
    });
}

#[test]
fn anchors() {
    fuzz(&corpus(), &WORDS, |bytes| {
        let text = String::from_utf8_lossy(bytes);
        if let Ok(anchor) = text.parse::<Anchor>() {
            assert_eq!(anchor.to_string(), text.to_lowercase());
        }
        let digest = anchor::text_digest(&text);
        assert!(Anchor::shortest(&digest, [&digest]).names(&digest));
    });
}

fn corpus() -> Vec<Vec<u8>> {
    let texts = [
        "Employees receive 15 days of leave [cite:b8b859ac], see §4 [cite:B8B859AC0].",
        "| claim | source |\n|---|---|\n| **15 days** | [cite:b8b859ac] |\n\n- one [cite:00000000]\n",
        "# الإجازات\n\nيحصل الموظف على ١٥ يوما [cite:b8b859ac].\n\n```\n[cite:ffffffff]\n```\n",
        "b8b859ac",
        "[cite:][cite:xyz][cite:b8b859ac",
    ];
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

const WORDS: [&str; 10] = [
    "[cite:",
    "[cite:b8b859ac]",
    "]",
    "[cite:[cite:b8b859ac]]",
    "\u{130}",
    "\u{feff}",
    "\u{85}",
    "```",
    "|",
    "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
];
