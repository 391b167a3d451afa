use super::{AnswerSegment, pieces};
use crate::viewer::ledger::LedgerEntryView;

#[test]
fn an_answer_is_cut_at_its_claims_and_nothing_of_it_is_lost() {
    let claims =
        [claim("b", 12, 16), claim("a", 0, 4), claim("over", 2, 6), claim("after", 90, 95)];
    let cut = pieces("إجاز، ثم كذا دعوى.", &claims);
    let piece = |text: &str, claim: Option<&str>| AnswerSegment {
        text: text.to_owned(),
        claim: claim.map(|id| (id.to_owned(), "weak".to_owned())),
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

fn claim(id: &str, start: usize, end: usize) -> LedgerEntryView {
    let json = format!(
        r#"{{"claim_id":"{id}","claim_text":"x","claim_type":"fact","claim_importance":"minor",
        "verdict":"weak","confidence_score":0.5,"start_offset":{start},"end_offset":{end}}}"#
    );
    serde_json::from_str(&json).expect("a claim")
}
