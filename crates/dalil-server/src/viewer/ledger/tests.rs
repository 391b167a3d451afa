use askama::Template as _;
use dalil_evidence::ledger::question_reply::QuestionThread;
use dalil_evidence::ledger::request::LedgerRequest;
use dalil_evidence::ledger::review::ClaimReview;
use dalil_evidence::ledger::verdict::Verdict;
use dalil_evidence::ledger::{Ledger, LedgerEntry, check};
use dalil_render::answer_segment::AnswerSegment;
use serde_json::json;

use super::super::tests::page;
use super::query::{ClaimPart, LedgerQuery};
use super::question::QuestionDraft;
use super::review::ReviewDraft;
use super::view::LedgerPageView;
use super::{SessionPage, beside_list, opened};

/// The answer of a thousand claims would be larger than the rest of its page.
#[test]
fn a_long_answer_is_shown_beside_the_claims_of_the_list() {
    let piece = |n: usize| AnswerSegment {
        text: format!("Claim {n}."),
        claim: Some((format!("claim_{n}"), Verdict::Supported)),
    };
    let shown = |claims: usize, listed: &[&str]| {
        let part = beside_list((1..=claims).map(piece).collect(), listed);
        let text =
            |one: Option<&AnswerSegment>| one.map(|one| one.text.clone()).unwrap_or_default();
        (part.len(), text(part.first()), text(part.last()))
    };
    let told = |count, first: &str, last: &str| (count, first.to_owned(), last.to_owned());
    assert_eq!(shown(100, &[]), told(100, "Claim 1.", "Claim 100."));
    assert_eq!(shown(1_000, &["claim_1", "claim_2"]), told(101, "Claim 1.", " …"));
    assert_eq!(shown(1_000, &["claim_501"]), told(102, "… ", " …"));
    assert_eq!(shown(1_000, &["claim_999"]), told(3, "… ", "Claim 1000."));
}

/// A ledger with this many claims, every third of them not found.
fn ledger(claims: usize) -> Ledger {
    let claim = |n: usize| {
        let found = json!([{"chunk_id": "b8b859ac", "document": {"id": "doc-1",
            "filename": "services-agreement.en.md", "page_number": 12}, "similarity": 0.92,
            "support": "full", "contradicts": false,
            "snippet": "The Contractor shall service each quay crane once every calendar quarter."}]);
        let matches = if n.is_multiple_of(3) { json!([]) } else { found };
        json!({"claim_id": format!("claim_{n}"), "claim_type": "policy", "importance": "critical",
            "claim_text": format!("Crane {n} of the terminal is serviced once every calendar quarter"),
            "matches": matches})
    };
    let claims: Vec<_> = (1..=claims).map(claim).collect();
    let request = json!({"session": {"id": "ses-1"}, "created_at": "2026-03-14T15:00:00Z",
        "claims": claims});
    let request = LedgerRequest::read(request.to_string().as_bytes()).expect("a request");
    check(&request).expect("a ledger")
}

fn rendered(claims: usize, query: LedgerQuery) -> String {
    rendered_after(&ledger(claims), query, &[])
}

/// The page of a ledger after reviews.
fn rendered_after(ledger: &Ledger, query: LedgerQuery, reviews: &[ClaimReview]) -> String {
    let view = LedgerPageView::new(ledger, reviews);
    let listed: Vec<usize> = view.filtered(&query).iter().map(|one| one.number - 1).collect();
    let open = opened(&view, &query, &listed);
    let at = listed.iter().position(|place| Some(*place) == open).unwrap_or(0);
    let part = ClaimPart::of(query.part, at, listed.len());
    let piece = |one: &LedgerEntry| AnswerSegment {
        text: one.finding.claim_text.clone(),
        claim: Some((one.finding.claim_id.clone(), one.finding.verdict)),
    };
    let answer: Vec<AnswerSegment> = ledger.content.entries.iter().map(piece).collect();
    let places = listed[part.from..part.to].iter();
    let shown: Vec<&str> =
        places.map(|place| ledger.content.entries[*place].finding.claim_id.as_str()).collect();
    let id = ledger.id.to_string();
    let questions = QuestionThread::all(&ledger.content.follow_up_questions, &id, &[]);
    let asked = questions.len();
    let whole = SessionPage {
        page: page(),
        session_id: "ses-1".to_owned(),
        answer: beside_list(answer, &shown),
        ledger: Some(view),
        listed,
        part,
        open,
        excerpt: None,
        reviewers: Vec::new(),
        draft: ReviewDraft::default(),
        questions,
        question_part: query.question_part(asked),
        question_draft: QuestionDraft::default(),
        coverage: None,
        record: 50,
        earlier: Vec::new(),
        query,
        progress: None,
    };
    whole.render().expect("a page")
}

fn count(html: &str, part: &str) -> usize {
    html.matches(part).count()
}

#[test]
fn a_ledger_of_a_thousand_claims_is_a_page_of_less_than_300_kb() {
    let html = rendered(1000, LedgerQuery::default());
    assert!(html.len() < 300_000, "{} bytes", html.len());
    assert_eq!(count(&html, "<li><a class="), 100, "a part of the list");
    assert_eq!(
        count(&html, "<a class=\"supported\" data-claim href")
            + count(&html, "<a class=\"not_found\" data-claim href"),
        100,
        "and of the answer"
    );
    assert_eq!(count(&html, "<path class="), 1000, "a cell for each claim");
    assert!(html.contains("333 claims need a person"));
    assert!(html.contains("0 of 333 answered") && html.contains("href=\"?questions=1#questions\""));
    assert_eq!(count(&html, "<li><p><span dir=\"auto\">"), 100, "a part of the questions");
    assert!(html.contains("href=\"?part=1\""));
    let last = rendered(1000, LedgerQuery { part: Some(9), ..LedgerQuery::default() });
    assert!(last.contains("href=\"?part=8\"") && !last.contains("part=10"));
}

#[test]
fn the_address_says_which_claims_are_listed_and_which_is_open() {
    let html = rendered(6, LedgerQuery::default());
    assert!(html.contains("id=\"evidence-title\">Claim <bdi class=\"num\">3</bdi>"), "{html}");
    assert_eq!(count(&html, "aria-current=\"true\""), 3, "the cell, the filter and the claim");
    let query = LedgerQuery { show: "supported".to_owned(), ..LedgerQuery::default() };
    let html = rendered(6, query);
    assert!(html.contains("id=\"evidence-title\">Claim <bdi class=\"num\">1</bdi>"));
    assert!(html.contains("href=\"?show=supported&#38;claim=claim_2#evidence\""), "{html}");
    let query = LedgerQuery { text: "crane 4".to_owned(), ..LedgerQuery::default() };
    let html = rendered(6, query);
    assert_eq!(count(&html, "id=\"claim-claim_"), 1);
    let none = LedgerQuery { text: "ship".to_owned(), ..LedgerQuery::default() };
    assert!(rendered(6, none).contains("No claim matches the filter."));
}

#[test]
fn a_claim_has_the_reviews_of_its_own_ledger_alone() {
    let ledger = ledger(3);
    let review = |ledger_id: &str, claim_id: &str, reason: &str| {
        let review = json!({"ledger_id": ledger_id, "claim_id": claim_id, "action": "commented",
            "reason": reason, "reviewer": "amal", "at": "2026-03-15T09:30:00Z"});
        ClaimReview::parse(review.to_string().as_bytes()).expect("a review")
    };
    let id = ledger.id.to_string();
    // Another check of the same answer gave the name to another claim.
    let earlier = review("5e5a9024-c3ce-831c-94e1-96e8382c277c", "claim_3", "Of the check before");
    let reviews =
        [earlier, review(&id, "claim_2", "Of another claim"), review(&id, "claim_3", "Its own")];
    let html = rendered_after(&ledger, LedgerQuery::default(), &reviews);
    let thread =
        html.split("<ul class=\"thread\">").nth(1).and_then(|rest| rest.split("</ul>").next());
    let words = thread.expect("a thread").split("<p class=\"lines\" dir=\"auto\">").skip(1);
    let words: Vec<&str> = words.filter_map(|rest| rest.split("</p>").next()).collect();
    assert_eq!(words, ["Its own"], "{html}");
}
