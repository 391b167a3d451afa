//! Notes of claims, and the statements of a ledger about the corpus.

use dalil_documents::document::HiddenText;
use dalil_evidence::ledger::request::{
    ClaimMatch, ConflictReason, EvidenceDocument, LedgerOptions,
};
use dalil_evidence::ledger::verdict::SupportLevel;
use dalil_judge::judge::{ChunkJudgement, ChunkOpinion, ChunkRef, ModelKind};
use dalil_judge::rule::compare;
use dalil_phrasebook::Language;
use dalil_proof::score::Score;
use expect_test::{Expect, expect};

use super::note::note;
use super::{CheckContext, DocumentCharOffsets, MatchBuilder};
use crate::scratch::TestCorpusFolder;

const ENGLISH: &str = "Leave is 15 days.";
const ARABIC: &str = "الإجازة 15 يوماً.";

fn matched(snippet: &str, support: SupportLevel, contradicts: bool) -> ClaimMatch {
    ClaimMatch {
        chunk_id: "00000000".to_owned(),
        document: EvidenceDocument {
            id: "doc".to_owned(),
            filename: "a.md".to_owned(),
            page_number: None,
            heading_path: None,
            date: None,
            truncated: None,
            uri: None,
            metadata: std::collections::BTreeMap::new(),
        },
        similarity: Score::ONE,
        support,
        contradicts,
        snippet: snippet.to_owned(),
        snippet_offsets: None,
        components: None,
        hidden: None,
        reason: contradicts.then(|| ConflictReason {
            claim_words: "20 days".to_owned(),
            evidence_words: "15 days".to_owned(),
        }),
        missing: None,
        judge: None,
        named: false,
        amends: Vec::new(),
    }
}

/// The opinion of the first chunk of a document on a claim.
fn opinion(source: usize, claim: &str, evidence: &str) -> ChunkOpinion {
    ChunkOpinion {
        place: ChunkRef { source, chunk: 0 },
        start: 0,
        end: evidence.len(),
        judgement: ChunkJudgement {
            support: Score::ONE,
            contradiction: Score::ZERO,
            level: SupportLevel::None,
            contradicts: false,
            is_ruled: false,
        },
        is_direct: true,
        is_foreign: false,
        hidden: None,
        reason: None,
        model: ModelKind::External,
        overlap: Score::ZERO,
        findings: compare(claim, evidence),
    }
}

/// The notes in English and in Arabic of a claim with these matches.
#[track_caller]
fn check(name: &str, claim: [&str; 2], found: Option<(SupportLevel, bool)>, expected: &Expect) {
    let files: [(&str, &[u8]); 2] = [("a.txt", ENGLISH.as_bytes()), ("b.txt", ARABIC.as_bytes())];
    let scratch = TestCorpusFolder::with(&format!("note-{name}"), &files);
    let corpus = scratch.corpus("");
    let said = [(Language::English, ENGLISH), (Language::Arabic, ARABIC)]
        .into_iter()
        .enumerate()
        .map(|(source, (language, evidence))| {
            let matches: Vec<ClaimMatch> = found
                .map(|(support, contradicts)| matched(evidence, support, contradicts))
                .into_iter()
                .collect();
            let opinions = [opinion(source, claim[source], evidence)];
            note(&matches, &opinions, &corpus, language)
        });
    expected.assert_eq(&said.collect::<Vec<_>>().join("\n"));
}

#[test]
fn a_note_quotes_what_decides_and_says_what_the_rules_found() {
    let same = [ENGLISH, ARABIC];
    let other = ["Leave is 20 days.", "الإجازة 20 يوماً."];
    check(
        "for",
        same,
        Some((SupportLevel::Full, false)),
        &expect![[r#"
        Directly supported by: "Leave is 15 days." The claim says 15 days, and so does the evidence: 15 days.
        مؤيَّد مباشرةً بما يلي: «الإجازة 15 يوماً.» الادعاء يقول 15 يوماً، والدليل كذلك: 15 يوماً."#]],
    );
    check(
        "weak",
        other,
        Some((SupportLevel::Partial, false)),
        &expect![[r#"
        Partially supported: "Leave is 15 days." The claim says 20 days, the evidence 15 days.
        مؤيَّد جزئيًّا بما يلي: «الإجازة 15 يوماً.» الادعاء يقول 20 يوماً، والدليل 15 يوماً."#]],
    );
    check(
        "against",
        other,
        Some((SupportLevel::None, true)),
        &expect![[r#"
        Evidence contradicts claim: "Leave is 15 days." The claim says 20 days, the evidence 15 days.
        الدليل يناقض الادعاء: «الإجازة 15 يوماً.» الادعاء يقول 20 يوماً، والدليل 15 يوماً."#]],
    );
}

#[test]
fn a_note_without_evidence_names_what_came_nearest() {
    check(
        "missing",
        ["Parking is free.", "المواقف مجانية."],
        None,
        &expect![[r#"
        No matching evidence found in provided documents. Nearest: "Leave is 15 days." (a.txt)
        لا يوجد دليل مطابق في الوثائق المقدَّمة. الأقرب: «الإجازة 15 يوماً.» (b.txt)"#]],
    );
    let scratch =
        TestCorpusFolder::with("note-none", &[("a.md", b"<!-- page 7 -->\n\nLeave is paid.\n")]);
    let corpus = scratch.corpus("");
    let nearest = ChunkOpinion { start: 17, end: 31, ..opinion(0, "", "") };
    let none = expect![[r#"
        No matching evidence found in provided documents.
        لا يوجد دليل مطابق في الوثائق المقدَّمة.
        No matching evidence found in provided documents. Nearest: "Leave is paid." (a.md, p.7)
        لا يوجد دليل مطابق في الوثائق المقدَّمة. الأقرب: «Leave is paid.» (a.md، ص 7)
        No matching evidence found in provided documents."#]];
    let said = [
        note(&[], &[], &corpus, Language::English),
        note(&[], &[], &corpus, Language::Arabic),
        note(&[], std::slice::from_ref(&nearest), &corpus, Language::English),
        note(&[], std::slice::from_ref(&nearest), &corpus, Language::Arabic),
        note(&[], &[opinion(9, "", "")], &corpus, Language::English),
    ];
    none.assert_eq(&said.join("\n"));
}

#[test]
fn a_quotation_is_direct_and_a_document_that_is_old_or_was_read_in_part_is_worse() {
    let hidden: &[u8] = b"Leave is 15 days.\n\n<p hidden>Dues are waived.</p>\n";
    let dated =
        |day: &str, text: &[u8]| [format!("---\ndate: {day}\n---\n").as_bytes(), text].concat();
    let (year, more) =
        (dated("2025-01-03", ENGLISH.as_bytes()), dated("2025-01-02", ENGLISH.as_bytes()));
    let both = dated("2013-05-01", hidden);
    let files: [(&str, &[u8]); 5] = [
        ("a.txt", ENGLISH.as_bytes()),
        ("b.md", hidden),
        ("c.md", &year),
        ("d.md", &more),
        ("e.md", &both),
    ];
    let scratch = TestCorpusFolder::with("components", &files);
    let corpus = scratch.corpus("");
    let counted = DocumentCharOffsets::of(&corpus);
    let setup = CheckContext {
        session: None,
        question: None,
        at: "2026-01-03T14:30:00Z".parse().unwrap(),
        previous: None,
        options: LedgerOptions::usual(),
    };
    let amended = Vec::new();
    let builder = MatchBuilder { corpus: &corpus, judges: &[], counted, amended, setup: &setup };
    let components = |source: usize, is_direct: bool| {
        let found = ChunkOpinion { is_direct, ..opinion(source, ENGLISH, ENGLISH) };
        let parts = builder.one(&found, 2, &[]).and_then(|one| one.components).unwrap();
        let scores = [parts.semantic_similarity, parts.directness, parts.source_quality];
        (parts.evidence_count, scores.map(Score::units))
    };
    assert_eq!(components(0, true), (2, [10_000, 10_000, 10_000]));
    assert_eq!(components(0, false), (2, [10_000, 5_000, 10_000]));
    assert_eq!(components(1, true), (2, [10_000, 10_000, 5_000]));
    // A source is outdated after a year, by the options that the risk flag goes by too.
    assert_eq!(components(2, true), (2, [10_000, 10_000, 10_000]));
    assert_eq!(components(3, true), (2, [10_000, 10_000, 5_000]));
    assert_eq!(components(4, true), (2, [10_000, 10_000, 2_500]));
}

#[test]
fn offsets_are_counted_in_characters() {
    let text = "مدة 15 يوماً";
    let at = text.find("15").unwrap();
    let scratch = TestCorpusFolder::with("offsets", &[("a.txt", b"a"), ("b.txt", text.as_bytes())]);
    let corpus = scratch.corpus("");
    let counted = DocumentCharOffsets::of(&corpus);
    let found = |source| counted.offsets(source, at, text.len()).map(|one| (one.start, one.end));
    assert_eq!((found(1), found(2)), (Some((4, 12)), None));
}

#[test]
fn a_document_amends_the_one_that_its_title_names() {
    let files: [(&str, &[u8]); 7] = [
        ("a.md", b"# Services Agreement 31\n\nDelivery within 30 days.\n"),
        ("b.md", b"# Amendment 1 to Services Agreement 31\n\nDelivery within 45 days.\n"),
        ("c.md", b"# Amendment 2 to Services Agreement 31\n\nThis Amendment is proposed.\n"),
        ("d.md", b"# Services Agreement 31 and the amendment of rules\n\nWords.\n"),
        ("e.md", b"# Amendment 1 to Lease 7\n\nWords.\n"),
        ("f.md", "# اتفاقية الصيانة\n\nنص.\n".as_bytes()),
        ("g.md", "# ملحق 1 لاتفاقية الصيانة\n\nنص.\n".as_bytes()),
    ];
    let scratch = TestCorpusFolder::with("amended", &files);
    let corpus = scratch.corpus("");
    let name = |id: &String| {
        let held = corpus.held().iter().find(|held| held.id() == *id);
        held.map(|held| held.name.clone()).unwrap_or_default()
    };
    let told: Vec<String> = super::amendment::amended(&corpus)
        .iter()
        .zip(corpus.held())
        .filter(|(ids, _)| !ids.is_empty())
        .map(|(ids, held)| format!("{} {:?}", held.name, ids.iter().map(name).collect::<Vec<_>>()))
        .collect();
    assert_eq!(told, [r#"b.md ["a.md"]"#, r#"g.md ["f.md"]"#]);
}

#[test]
fn a_quotation_marks_words_that_a_reader_does_not_see() {
    let text = "Leave is 15 <b hidden>or 30 </b>days.\n\n<p hidden>Dues are <b>waived</b>.</p>\n";
    let scratch = TestCorpusFolder::with("unseen", &[("a.md", text.as_bytes())]);
    let corpus = scratch.corpus("");
    let counted = DocumentCharOffsets::of(&corpus);
    let setup = CheckContext {
        session: None,
        question: None,
        at: "2026-01-03T14:30:00Z".parse().unwrap(),
        previous: None,
        options: LedgerOptions::usual(),
    };
    let amended = Vec::new();
    let builder = MatchBuilder { corpus: &corpus, judges: &[], counted, amended, setup: &setup };
    let quoted = |words: &str, hidden: Option<HiddenText>| {
        let start = text.find(words).unwrap();
        let end = start + words.len();
        let found = ChunkOpinion { start, end, hidden, ..opinion(0, ENGLISH, ENGLISH) };
        let one = builder.one(&found, 1, &[]).unwrap();
        (one.snippet, one.snippet_offsets.map(|offsets| (offsets.start, offsets.end)))
    };
    assert_eq!(
        quoted("Leave is 15 <b hidden>or 30 </b>days.", None),
        ("Leave is 15 <b hidden>[…]</b>days.".to_owned(), Some((0, 37)))
    );
    let hidden = "Dues are <b>waived</b>.";
    assert_eq!(quoted(hidden, Some(HiddenText::MarkedHidden)), (hidden.to_owned(), Some((49, 72))));
}
