use dalil_judge::judge::{ClaimQuery, PassageJudge};

use super::is_settled;
use crate::judges::JudgeModels;
use crate::scratch::TestCorpusFolder;

const POLICY: &[u8] = b"# Leave\n\nFull-time employees receive 15 days of paid annual leave each \
    year.\n\nRequests for leave are sent to the line manager at least ten days ahead.\n";

/// Whether the fast judge needs no second opinion about a claim.
fn settles(statement: &str) -> bool {
    let scratch = TestCorpusFolder::with("panel-settled", &[("leave.md", POLICY)]);
    let models = JudgeModels::when_needed(None);
    let judge = PassageJudge::fast(models.fast().unwrap(), 1).unwrap();
    let question = ClaimQuery { statement: statement.to_owned(), ..ClaimQuery::default() };
    let corpus = scratch.corpus("leave.md");
    let opinions = corpus.with(|corpus| judge.judge(corpus, &[question], &|_| ())).remove(0);
    is_settled(&opinions)
}

#[test]
fn only_a_claim_in_the_words_of_the_document_is_settled_by_the_fast_judge() {
    assert!(settles("Full-time employees receive 15 days of paid annual leave each year."));
    // A paraphrase, another value, and something that the document does not say.
    assert!(!settles("Staff on full hours get three weeks off with pay annually."));
    assert!(!settles("Full-time employees receive 20 days of paid annual leave each year."));
    assert!(!settles("The company pays for parking."));
}
