use std::collections::BTreeSet;

use dalil_evidence::access::MemberTitle;
use dalil_evidence::approval::{ApprovalVote, VoteOutcome};
use dalil_evidence::pack::diff::diff;
use dalil_evidence::pack::{FlagAcknowledgement, PackDraft, PackReview, assemble, review};
use dalil_phrasebook::Language;
use dalil_phrasebook::viewer::ViewerTexts;
use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::super::layout::PageLayout;
use super::super::tests::page;
use super::{ToldChange, cut, told};

/// A request for a pack with one source, which is too old, and one call.
fn request() -> Value {
    json!({
        "decision": {
            "decision_id": "dec-1", "tenant_id": "acme", "entity_id": "case-1",
            "agent_name": "leave_agent", "approval_class": "A1", "reversibility_class": "R1",
            "sensitivity_class": "S1", "confidence": 0.9,
            "evidence": [{
                "source": "hr.policy", "uri": "lake://hr/leave.pdf",
                "excerpt": "All permanent employees shall receive 15 days of paid annual leave.",
                "content_hash":
                    "sha256:b518d8e9cf0d038553d2d45baddf5af3f7d1323c9aeeb1f1e5f342b7860d25ca",
                "retrieved_at": "2026-03-10T10:00:00.000Z", "confidence": 0.9}],
            "created_at": "2026-03-14T12:00:00Z"},
        "tool_calls": [{
            "tool_call_id": "tool_0000000000000001", "tool_name": "hr.post", "intended_action": "keep the note as a draft",
            "actual_action": "keep the note as a draft", "side_effects": [],
            "outcome": "succeeded"}],
        "prompts": [],
        "memo": {
            "title_ar": "إجازة", "title_en": "Leave",
            "body_ar": "خمسة عشر يومًا [cite:b8b859ac].", "body_en": "Fifteen days [cite:b8b859ac].",
            "executive_summary_ar": "موافقة [cite:b8b859ac]",
            "executive_summary_en": "Approve [cite:b8b859ac]"},
        "pack_id": "pack_00000000000000b1",
        "created_at": "2026-03-14T12:30:00Z"
    })
}

fn draft(request: &Value) -> PackDraft {
    assemble(request.to_string().as_bytes()).unwrap()
}

fn check(page: &PageLayout, old: &PackDraft, new: &PackDraft, expect: &Expect) {
    let told = told(page, &diff(old, new).unwrap(), (old, new));
    let lines = told.iter().map(|one| {
        let text = |html: &Option<String>| html.clone().map(|html| format!("\n  {html}"));
        let texts = [text(&one.before), text(&one.after)].into_iter().flatten();
        format!("{}{}\n", one.sentence, texts.collect::<String>())
    });
    expect.assert_eq(&lines.collect::<String>());
}

#[test]
fn an_edit_is_told_in_sentences_with_the_words_marked_that_differ() {
    let mut edited = request();
    edited["pack_id"] = json!("pack_00000000000000b2");
    edited["version"] = json!(2);
    edited["supersedes"] = json!("pack_00000000000000b1");
    edited["tool_calls"][0]["actual_action"] = json!("posted the note");
    edited["tool_calls"][0]["outcome"] = json!("failed");
    edited["tool_calls"].as_array_mut().unwrap().push(json!({
        "tool_name": "hr.mail", "intended_action": "tell the team", "actual_action": "told it",
        "side_effects": [], "outcome": "succeeded"}));
    edited["memo"]["title_en"] = json!("Leave & <more>");
    edited["decision"]["rationale"] = json!("Nothing else fits.");
    check(
        &page(),
        &draft(&request()),
        &draft(&edited),
        &expect![[r#"
            Rationale: <q><bdi>Nothing else fits.</bdi></q> was added.
            Memo, English title: was <q><bdi>Leave</bdi></q>, is now <q><bdi>Leave <mark class="differs">&amp; &lt;more&gt;</mark></bdi></q>.
            Tool call 1, actual action (<bdi>hr.post</bdi>): was <q><bdi><mark class="differs">keep</mark> the note <mark class="differs">as a draft</mark></bdi></q>, is now <q><bdi><mark class="differs">posted</mark> the note</bdi></q>.
            Tool call 1, contradiction (<bdi>hr.post</bdi>): was <q><bdi><mark class="differs">no</mark></bdi></q>, is now <q><bdi><mark class="differs">yes</mark></bdi></q>.
            Tool call 1, where it differs (<bdi>hr.post</bdi>): <q><bdi>the whole action</bdi></q> was added.
            Tool call 1, outcome (<bdi>hr.post</bdi>): was <q><bdi><mark class="differs">Succeeded</mark></bdi></q>, is now <q><bdi><mark class="differs">Failed</mark></bdi></q>.
            Tool call 2 (<bdi>hr.mail</bdi>) was added.
              Intended: tell the team
            Actual: told it
            Digest of the decision: was <q><bdi><mark class="differs">c7a3a76d36f1…</mark></bdi></q>, is now <q><bdi><mark class="differs">514f6f5d43cd…</mark></bdi></q>.
        "#]],
    );
}

#[test]
fn what_people_said_comes_first_in_their_own_words() {
    let old = draft(&request());
    let vote = ApprovalVote {
        approver: "amal".to_owned(),
        outcome: VoteOutcome::Approved,
        titles: BTreeSet::from([MemberTitle::Manager]),
        at: "2026-03-14T13:00:00Z".parse().unwrap(),
        reason: Some("Read it & agreed.".to_owned()),
    };
    let seen =
        FlagAcknowledgement { rule: "stale_source".to_owned(), path: "sources[0]".to_owned() };
    let new = PackReview {
        pack_id: "pack_00000000000000b2".parse().unwrap(),
        reviewer_id: "amal".to_owned(),
        reviewed_at: vote.at,
        acknowledged: vec![seen],
        approvals: vec![vote],
    };
    let new = review(&old, &new).unwrap();
    check(
        &page(),
        &old,
        &new,
        &expect![[r#"
        <bdi>amal</bdi> (manager) <strong>approved</strong>.
          Read it &amp; agreed.
        A reviewer acknowledged the finding: <bdi>the source was retrieved more than 24 hours before the decision</bdi>
        Status: was <q><bdi><mark class="differs">Waiting for review</mark></bdi></q>, is now <q><bdi><mark class="differs">Reviewed</mark></bdi></q>.
        Reviewer: <q><bdi>amal</bdi></q> was added.
        Made at: was <q><bdi>2026-03-14 <mark class="differs">12:30</mark></bdi></q>, is now <q><bdi>2026-03-14 <mark class="differs">13:00</mark></bdi></q>.
        Reviewed at: <q><bdi>2026-03-14 13:00</bdi></q> was added.
    "#]],
    );
    let arabic = PageLayout { w: ViewerTexts::in_language(Language::Arabic), ..page() };
    check(
        &arabic,
        &old,
        &new,
        &expect![[r#"
        <bdi>amal</bdi> (مدير): <strong>اعتمد</strong>.
          Read it &amp; agreed.
        أقرّ مراجِع بالاطلاع على الملاحظة: <bdi>استُرجع المصدر قبل القرار بمدة تتجاوز نافذة الحداثة المقررة</bdi>
        الحالة: كان <q><bdi><mark class="differs">بانتظار</mark> المراجعة</bdi></q>، وأصبح <q><bdi><mark class="differs">تمت</mark> المراجعة</bdi></q>.
        المراجع: أُضيف <q><bdi>amal</bdi></q>.
        تاريخ الإعداد: كان <q><bdi>2026-03-14 <mark class="differs">12:30</mark></bdi></q>، وأصبح <q><bdi>2026-03-14 <mark class="differs">13:00</mark></bdi></q>.
        تاريخ المراجعة: أُضيف <q><bdi>2026-03-14 13:00</bdi></q>.
    "#]],
    );
}

#[test]
fn verdicts_that_changed_are_told_claim_by_claim() {
    let ledger = |claims: &[(&str, &str)]| {
        let entry =
            |(text, verdict): &(&str, &str)| json!({"claim_text": text, "verdict": verdict});
        let entries = claims.iter().map(entry).collect::<Vec<_>>();
        json!({ "entries": entries }).to_string()
    };
    let old = ledger(&[("a", "weak"), ("b", "supported"), ("gone", "weak")]);
    let new = ledger(&[("a", "contradicted"), ("b", "supported"), ("new", "not_found")]);
    let parsed = [&old, &new].map(|text| dalil_proof::json::Json::parse(text.as_bytes()).unwrap());
    let told = super::ledgers(&page(), Some(&parsed[0]), Some(&parsed[1]));
    let sentences: Vec<&str> = told.iter().map(|one| one.sentence.as_str()).collect();
    expect![[r#"
        The verdict on a claim was <span class="badge weak"><svg class="icon" aria-hidden="true"><use href="/assets/icons.svg#weak"/></svg>Weak</span> and is now <span class="badge contradicted"><svg class="icon" aria-hidden="true"><use href="/assets/icons.svg#contradicted"/></svg>Contradicted</span>: <bdi>a</bdi>
        A claim was added to the ledger, <span class="badge not_found"><svg class="icon" aria-hidden="true"><use href="/assets/icons.svg#not_found"/></svg>Not found</span>: <bdi>new</bdi>
        A claim is no longer in the ledger, it was <span class="badge weak"><svg class="icon" aria-hidden="true"><use href="/assets/icons.svg#weak"/></svg>Weak</span>: <bdi>gone</bdi>"#]].assert_eq(&sentences.join("\n"));
    let same = super::ledgers(&page(), Some(&parsed[0]), Some(&parsed[0]));
    assert_eq!(same[0].sentence, "The ledger is another one, with the same claims and verdicts.");
    // Two claims with the same words: only the one that changed is listed.
    let old = ledger(&[("a", "weak"), ("a", "supported")]);
    let new = ledger(&[("a", "supported"), ("a", "supported"), ("a", "weak")]);
    let parsed = [&old, &new].map(|text| dalil_proof::json::Json::parse(text.as_bytes()).unwrap());
    let told = super::ledgers(&page(), Some(&parsed[0]), Some(&parsed[1]));
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].sentence.starts_with("A claim was added to the ledger"), "{told:?}");
}

#[test]
fn a_page_has_an_end_and_says_how_much_is_left_out() {
    let changes = |count: usize| -> Vec<ToldChange> {
        (0..count).map(|number| ToldChange::said(format!("Change {number}"))).collect()
    };
    assert_eq!(cut(&page(), changes(500)), changes(500));
    let mut expected = changes(500);
    expected.push(ToldChange::said("Changes that are not shown here: 2".to_owned()));
    assert_eq!(cut(&page(), changes(502)), expected);
}
