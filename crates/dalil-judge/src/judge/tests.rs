use std::fs;
use std::path::Path;

use dalil_documents::formats;
use dalil_documents::split;
use dalil_evidence::ledger::request::{ClaimMatch, ConflictReason, EvidenceDocument};
use dalil_evidence::ledger::verdict::{self, Verdict};
use dalil_proof::score::Score;
use expect_test::expect;
use serde::Deserialize;

use super::{ChunkOpinion, ClaimQuery, IndexedCorpus, IndexedDocument, PassageJudge};
use crate::index::{CorpusIndex, IndexSegment};
use crate::model::FastModel;

/// The opinions about a claim in one text.
fn opinions(judge: &PassageJudge<'_>, evidence: &str, claim: &str) -> Vec<ChunkOpinion> {
    let question = ClaimQuery { statement: claim.to_owned(), ..ClaimQuery::default() };
    answered(judge, evidence, question)
}

fn answered(judge: &PassageJudge<'_>, evidence: &str, question: ClaimQuery) -> Vec<ChunkOpinion> {
    let document = formats::read(evidence.as_bytes(), "evidence.txt").unwrap();
    let chunks = split::chunks(&document);
    let words: Vec<&str> =
        chunks.iter().map(|chunk| document.text.get(chunk.start..chunk.end).unwrap()).collect();
    let index = CorpusIndex::of(vec![IndexSegment::of(document.digest, &words)]);
    let sources = [IndexedDocument { name: "evidence.txt", document: &document, chunks: &chunks }];
    let corpus = IndexedCorpus { sources: &sources, index: &index };
    judge.judge(&corpus, &[question], &|_| ()).remove(0)
}

/// The verdict that a ledger gives to opinions.
fn verdict(opinions: &[ChunkOpinion]) -> Verdict {
    let matches: Vec<ClaimMatch> = opinions
        .iter()
        .filter(|one| one.tells())
        .map(|one| ClaimMatch {
            chunk_id: one.place.chunk.to_string(),
            document: EvidenceDocument {
                id: one.place.source.to_string(),
                filename: "evidence.txt".to_owned(),
                page_number: None,
                heading_path: None,
                date: None,
                truncated: None,
                uri: None,
                metadata: std::collections::BTreeMap::new(),
            },
            similarity: one.similarity(),
            support: one.judgement.level,
            contradicts: one.judgement.contradicts,
            snippet: String::new(),
            snippet_offsets: None,
            components: None,
            hidden: None,
            // A ledger asks for words; here only the stance of an opinion counts.
            reason: one.judgement.contradicts.then(|| ConflictReason {
                claim_words: "claim".to_owned(),
                evidence_words: "evidence".to_owned(),
            }),
            missing: None,
            judge: None,
            named: false,
            amends: Vec::new(),
        })
        .collect();
    verdict::assign(&matches, Score::ZERO).verdict
}

#[derive(Deserialize)]
struct Case {
    name: String,
    evidence: String,
    claim: String,
    verdict: String,
}

fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite/rules");
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let texts =
        files.iter().filter(|path| path.extension().is_some_and(|ending| ending == "jsonl"));
    let texts: Vec<String> = texts.map(|path| fs::read_to_string(path).unwrap()).collect();
    texts
        .iter()
        .flat_map(|text| text.lines())
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn the_rule_suite_is_judged_right_but_for_the_cases_named_here() {
    let model = FastModel::shipped().unwrap();
    let judge = PassageJudge::fast(&model, 2).unwrap();
    let cases = cases();
    let mut wrong = String::new();
    for case in &cases {
        let found = verdict(&opinions(&judge, &case.evidence, &case.claim));
        let word = serde_json::to_string(&found).unwrap();
        if word.trim_matches('"') != case.verdict {
            wrong.push_str(&format!(
                "{}: {} found {}\n",
                case.name,
                case.verdict,
                word.trim_matches('"')
            ));
        }
    }
    let right = cases.len() - wrong.lines().count();
    assert!(right * 100 >= cases.len() * 95, "{right} of {}:\n{wrong}", cases.len());
    expect![[r#"
        at-least-one-other-period: supported found weak
        لا-يقل-عن-ثلاثة: supported found weak
        deadline-is-a-day: supported found weak
        لو-شرط: supported found weak
        overtime-unless-approved: supported found weak
        توزيع-أرباح-بشرطه: supported found weak
        provided-is-no-condition: weak found supported
        ما-لم-ليست-نفيا: supported found contradicted
        ولو-بموافقة: contradicted found weak
        maternity-and-paternity-are-not-swapped: contradicted found supported
        number-of-hours-is: supported found weak
        وكل-سنتين: supported found weak
        may-carry-over-is-not-must: contradicted found not_found
        ordinary-rule-is-a-duty: supported found weak
        can-only: supported found weak
        who-must-tell-whom: not_found found contradicted
        غرامة-التأخير-ليست-التأمين: contradicted found weak
        وقع-العقد-السيد-خالد: contradicted found not_found
        not-unpaid-is-paid: supported found contradicted
        not-invalid-is-valid: supported found weak
        whether-or-not-is-no-denial: supported found weak
        ليس-فقط-ليست-نفيا: supported found weak
        article-with-parts: supported found contradicted
    "#]]
    .assert_eq(&wrong);
}

#[test]
fn sentences_before_a_claim_do_not_take_it_from_its_very_words() {
    let model = FastModel::shipped().unwrap();
    let judge = PassageJudge::fast(&model, 2).unwrap();
    for before in ["The office opens at nine", "Employees are entitled to annual leave"] {
        let question = ClaimQuery {
            statement: "Visitors park on level 2".to_owned(),
            context: Some(before.to_owned()),
            ..ClaimQuery::default()
        };
        let found = answered(&judge, "Visitors park on level 2.", question);
        assert_eq!(verdict(&found), Verdict::Supported, "{before}: {found:#?}");
    }
}

#[test]
fn a_paraphrase_that_bears_out_its_line_is_not_accused_by_the_model_alone() {
    let model = FastModel::shipped().unwrap();
    let judge = PassageJudge::fast(&model, 2).unwrap();
    let has_reason = |evidence: &str, claim: &str| {
        let found = opinions(&judge, evidence, claim);
        let first = found.first().unwrap();
        assert!(first.judgement.contradicts && !first.judgement.is_ruled, "{claim}: {found:#?}");
        first.reason.is_some()
    };
    assert!(!has_reason(
        "Our Users are responsible for publishing a privacy policy on their Sites that explains to \
            their visitors how data is collected via the Sites and how that information is used \
            and disclosed.",
        "It is up to each site owner to publish a privacy policy that tells visitors how their data \
            is collected and used",
    ));
    // A contradiction is denied in both directions.
    assert!(has_reason(
        "The landlord keeps the deposit until the flat has been inspected.",
        "The deposit is returned before the flat is inspected",
    ));
}

#[test]
fn two_sentences_that_say_a_claim_together_are_quoted_together() {
    let model = FastModel::shipped().unwrap();
    let judge = PassageJudge::fast(&model, 2).unwrap();
    let (first, second) = (
        "Laptops of the company are managed with Kandji.",
        "The security team can wipe a lost laptop remotely.",
    );
    let text = format!("{first} {second} Lunch is served at noon.");
    let quoted = |claim: &str| {
        let found = opinions(&judge, &text, claim);
        text.get(found[0].start..found[0].end).unwrap().to_owned()
    };
    assert_eq!(
        quoted("Laptops are managed with Kandji, and the security team can wipe a lost one."),
        format!("{first} {second}")
    );
    assert_eq!(quoted("Laptops of the company are managed with Kandji."), first);
}

#[test]
fn opinions_do_not_depend_on_threads_or_on_what_else_is_judged() {
    let model = FastModel::shipped().unwrap();
    let evidence = "All permanent employees shall receive 15 days of paid annual leave per calendar \
        year. Unused annual leave may be carried over at the discretion of the department head. \
        يستحق جميع الموظفين الدائمين إجازة سنوية مدتها ١٥ يوماً.";
    let claims = [
        "Employees are entitled to 15 days of annual leave",
        "Leave must be carried over",
        "Lunch is free",
        "",
    ];
    let alone: Vec<Vec<ChunkOpinion>> = claims
        .iter()
        .map(|claim| opinions(&PassageJudge::fast(&model, 1).unwrap(), evidence, claim))
        .collect();
    let document = formats::read(evidence.as_bytes(), "evidence.txt").unwrap();
    let chunks = split::chunks(&document);
    let words: Vec<&str> =
        chunks.iter().map(|chunk| document.text.get(chunk.start..chunk.end).unwrap()).collect();
    let index = CorpusIndex::of(vec![IndexSegment::of(document.digest, &words)]);
    let sources = [IndexedDocument { name: "evidence.txt", document: &document, chunks: &chunks }];
    let questions =
        claims.map(|claim| ClaimQuery { statement: claim.to_owned(), ..ClaimQuery::default() });
    for threads in [1, 2, 7] {
        let judge = PassageJudge::fast(&model, threads).unwrap();
        let corpus = IndexedCorpus { sources: &sources, index: &index };
        assert_eq!(judge.judge(&corpus, &questions, &|_| ()), alone, "{threads} threads");
    }
}

#[test]
fn nothing_supports_an_empty_claim_and_nothing_is_found_in_an_empty_text() {
    let model = FastModel::shipped().unwrap();
    let judge = PassageJudge::fast(&model, 1).unwrap();
    for (evidence, claim) in [
        ("Leave is 15 days.", ""),
        ("Leave is 15 days.", "…!?"),
        ("", "Leave is 15 days."),
        ("— * —", "Leave is 15 days."),
    ] {
        let found = verdict(&opinions(&judge, evidence, claim));
        assert_eq!(found, Verdict::NotFound, "{evidence:?} {claim:?}");
    }
}

#[test]
fn what_comes_before_a_claim_supports_no_part_of_it() {
    let model = FastModel::shipped().unwrap();
    let judge = PassageJudge::fast(&model, 1).unwrap();
    let question = ClaimQuery {
        statement: "They may work from the moon".to_owned(),
        context: Some("Employees receive 15 days of leave.".to_owned()),
        ..ClaimQuery::default()
    };
    let evidence = "All employees receive 15 days of leave.";
    assert_eq!(verdict(&answered(&judge, evidence, question)), Verdict::NotFound);
}

#[test]
fn a_claim_of_several_sentences_holds_as_far_as_its_weakest() {
    let model = FastModel::shipped().unwrap();
    let judge = PassageJudge::fast(&model, 1).unwrap();
    let evidence = "The supplier shall deliver the pumps to the northern terminal within 30 days of the order. \
        The buyer shall pay the price of 40,000 riyals within 15 days of the delivery of the pumps.";
    let right = "The supplier shall deliver the pumps to the northern terminal within 30 days of the order, as both parties agreed. \
        The buyer shall pay the price of 40,000 riyals within 15 days of the delivery of the pumps, and not later.";
    let wrong = right.replace("40,000", "60,000");
    assert_ne!(verdict(&opinions(&judge, evidence, right)), Verdict::Contradicted);
    assert_eq!(verdict(&opinions(&judge, evidence, &wrong)), Verdict::Contradicted);
}
