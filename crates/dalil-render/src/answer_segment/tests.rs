use dalil_evidence::claim::{ClaimImportance, ClaimKind};
use dalil_evidence::ledger::ClaimFinding;
use dalil_evidence::ledger::confidence::ConfidenceBand;
use dalil_evidence::ledger::verdict::Verdict;
use dalil_proof::score::Score;

use super::{AnswerSegment, pieces};

#[test]
fn an_answer_is_cut_at_its_claims_and_nothing_of_it_is_lost() {
    let claims =
        [claim("b", 12, 16), claim("a", 0, 4), claim("over", 2, 6), claim("after", 90, 95)];
    let claims: Vec<&ClaimFinding> = claims.iter().collect();
    let cut = pieces("إجاز، ثم كذا دعوى.", &claims);
    let piece = |text: &str, claim: Option<&str>| AnswerSegment {
        text: text.to_owned(),
        claim: claim.map(|id| (id.to_owned(), Verdict::Weak)),
    };
    assert_eq!(
        cut,
        [
            piece("إجاز", Some("a")),
            piece("، ثم كذا", None),
            piece(" دعو", Some("b")),
            piece("ى.", None)
        ]
    );
    assert_eq!(pieces("", &claims), []);
}

fn claim(id: &str, start: u64, end: u64) -> ClaimFinding {
    ClaimFinding {
        claim_id: id.to_owned(),
        claim_text: "x".to_owned(),
        claim_type: ClaimKind::Fact,
        claim_importance: ClaimImportance::Minor,
        start_offset: Some(start),
        end_offset: Some(end),
        requires_citation: None,
        verdict: Verdict::Weak,
        confidence_score: Score::new(0.5).expect("a score"),
        confidence_band: ConfidenceBand::Moderate,
        calculated_confidence: None,
        evidence_chunk_ids: Vec::new(),
        evidence_snippet: String::new(),
        evidence_offsets: None,
        source_document: None,
        notes: String::new(),
        evidence_passages: Vec::new(),
        issues: Vec::new(),
        judge: None,
    }
}
