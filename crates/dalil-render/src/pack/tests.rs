use dalil_evidence::access::MemberTitle;
use dalil_evidence::pack::{self, FlagAcknowledgement, PackDraft, PackReview, assemble};
use expect_test::expect;

use super::*;

/// A pack with a ledger, a call that was not reported, one that contradicts, and text
/// that would like to be markup.
fn draft() -> PackDraft {
    let request = r#"{
      "decision": {"decision_id": "dec_1", "tenant_id": "acme", "entity_id": "case|1", "agent_name": "leave_agent",
        "approval_class": "A2", "reversibility_class": "R1", "sensitivity_class": "S1", "confidence": 0.9,
        "evidence": [{"source": "hr.policy", "uri": "lake://hr/leave.pdf", "excerpt": "15 days <b>of</b> leave.\n\n# Not a heading",
          "retrieved_at": "2026-01-01T10:00:00Z", "confidence": 0.9}],
        "created_at": "2026-01-03T12:00:00Z"},
      "tool_calls": [
        {"tool_name": "hr.read", "intended_action": {"read": "leave"}, "actual_action": {"read": "pay"}, "outcome": "blocked", "side_effects": ["created note 7"]},
        {"tool_name": "hr.write", "intended_action": "write", "actual_action": "nothing was reported"}],
      "ledger": {"entries": [{"claim_text": "Leave is 15 days", "verdict": "supported"}, {"claim_text": "It | carries", "verdict": "not_found"}], "summary": {}},
      "pack_id": "pack_00000000000000b1", "created_at": "2026-01-03T12:30:00Z"}"#;
    assemble(request.as_bytes()).unwrap()
}

#[test]
fn a_pack_reads_in_english() {
    expect![[r##"
        # Decision dec_1: an action that needs approval

        | | |
        |---|---|
        | Pack | pack_00000000000000b1 (1) |
        | Supersedes | - |
        | Status | unresolved |
        | Decision | dec_1 |
        | Digest of the decision | sha256:b4ac83905317d04eca4c0e906c23e1a7bcef8e41cee282411c86dbe997dc4fd6 |
        | Decided at | 2026-01-03T12:00:00.000Z |
        | Entity | case\|1 |
        | Tenant | acme |
        | Agent | leave_agent |
        | Model | - |
        | Confidence | 90% |
        | Classes | A2 R1 S1 |
        | Evidence pack | mandatory |
        | Made at | 2026-01-03T12:30:00.000Z |

        ## Executive summary

        This decision concerns an action that needs approval and is submitted for approval. It rests on 1 source \[cite:98202c16\]. It is classed A2 R1 S1: an evidence pack is mandatory. The agent states a confidence of 90%. 2 tool calls are on record: 1 did something other than announced, 1 blocked, 1 never reported back. The evidence ledger counts 2 claims: 1 supported, 0 weak, 0 contradicted, 1 not found. Review is due within 48 hours, by a department head, and legal or finance.

        ## Memo

        Decision. Decision dec_1 concerns an action that needs approval. It is classed A2 R1 S1. The agent states a confidence of 90%.

        Basis. Source 1 \[cite:98202c16\] has a confidence of 90%. 1 source was older than 24 h when the decision was made.

        Actions taken. 2 tool calls are on record: 1 did something other than announced, 1 blocked, 1 never reported back.

        Claims checked. The evidence ledger counts 2 claims: 1 supported, 0 weak, 0 contradicted, 1 not found.

        For the approver. Review is due within 48 hours, by a department head, and legal or finance. This memo was drafted from the records of the decision and quotes none of them; the exact words are in the sources that it cites.

        ## Why a pack

        - approval class A2 makes a pack mandatory

        ## Sources

        ### 1. hr.policy

        > 15 days \<b\>of\</b\> leave. \# Not a heading

        - **Where:** lake://hr/leave.pdf
        - **Retrieved at:** 2026-01-01T10:00:00.000Z
        - **Confidence:** 90%
        - **Digest of the whole:** -
        - **Stale: older than the freshness window.**

        ## Tool calls

        ### 1. hr.read

        - **Intended:** {"read":"leave"}
        - **Actual:** {"read":"pay"}
        - **Outcome:** blocked
        - **⚠ Contradiction at:** read
        - **Side effect:** created note 7

        ### 2. hr.write

        - **Intended:** write
        - **Actual:** nothing was reported
        - **Outcome:** not reported
        - **⚠ Contradiction at:** the whole action

        ## Claims

        | Claim | Verdict |
        |---|---|
        | Leave is 15 days | ✓ Supported |
        | It \| carries | ○ Not Found |

        ## Findings

        - sources\[0\] (open): the source was retrieved more than 24 hours before the decision
        - sources\[0\].content_hash (note): the whole that the excerpt is from has no digest
        - tool_calls\[1\].outcome (note): how the call ended is not said
        - tool_calls\[1\].side_effects (note): what the call changed is not said

        ## Review

        Nobody has reviewed this version.
    "##]].assert_eq(&markdown(&draft(), Language::English));
}

#[test]
fn a_pack_reads_in_arabic() {
    expect![[r##"
        # مذكرة بشأن القرار dec_1: إجراء يتطلب الاعتماد

        | | |
        |---|---|
        | حزمة الأدلة | pack_00000000000000b1 (1) |
        | يحل محل | - |
        | الحالة | بانتظار المراجعة |
        | القرار | dec_1 |
        | بصمة القرار | sha256:b4ac83905317d04eca4c0e906c23e1a7bcef8e41cee282411c86dbe997dc4fd6 |
        | تاريخ القرار | 2026-01-03T12:00:00.000Z |
        | الجهة | case\|1 |
        | المستأجر | acme |
        | الوكيل | leave_agent |
        | النموذج | - |
        | درجة الثقة | 90% |
        | التصنيف | A2 R1 S1 |
        | حزمة الأدلة | إلزامي |
        | تاريخ الإعداد | 2026-01-03T12:30:00.000Z |

        ## الملخص التنفيذي

        نرفع لاعتمادكم القرار الآتي، وموضوعه: إجراء يتطلب الاعتماد. ويستند إلى مصدر واحد \[cite:98202c16\]. وقد صُنّف القرار A2 وR1 وS1، وتلزم له حزمة أدلة. وتبلغ درجة الثقة المعلنة ٩٠٪. وفي السجل من استخدام الأدوات استدعاءان؛ ما خالف المعلن: استدعاء واحد، وما مُنع تنفيذه: استدعاء واحد، وما لم ترد نتيجته: استدعاء واحد. ويضم سجل الأدلة ادعاءين: المؤيَّد منها ١، والضعيف ٠، والمناقَض ٠، وما لا دليل عليه ١. ويلزم اعتماده خلال ٤٨ ساعة من رئيس الإدارة المعنية، ومن الشؤون القانونية أو المالية.

        ## المذكرة

        أولًا: القرار. موضوع القرار dec_1: إجراء يتطلب الاعتماد، وتصنيفه A2 وR1 وS1. وتبلغ درجة الثقة المعلنة ٩٠٪.

        ثانيًا: الأسانيد. المصدر رقم ١ \[cite:98202c16\] ودرجة الثقة به ٩٠٪. وما تجاوز منها مدة الصلاحية عند اتخاذ القرار: مصدر واحد.

        ثالثًا: الإجراءات المنفذة. في السجل من استخدام الأدوات استدعاءان؛ ما خالف المعلن: استدعاء واحد، وما مُنع تنفيذه: استدعاء واحد، وما لم ترد نتيجته: استدعاء واحد.

        رابعًا: الادعاءات المدققة. يضم سجل الأدلة ادعاءين: المؤيَّد منها ١، والضعيف ٠، والمناقَض ٠، وما لا دليل عليه ١.

        خامسًا: المطلوب من جهة الاعتماد. يلزم اعتماده خلال ٤٨ ساعة من رئيس الإدارة المعنية، ومن الشؤون القانونية أو المالية. وقد أُعدت هذه المذكرة آليًا من سجلات القرار دون اقتباس منها، والنصوص الحرفية محفوظة في المصادر المشار إليها.

        ## سبب إعداد الملف

        - فئة الاعتماد A2 توجب حزمة الأدلة

        ## المصادر

        ### 1. hr.policy

        > 15 days \<b\>of\</b\> leave. \# Not a heading

        - **الموضع:** lake://hr/leave.pdf
        - **تاريخ الاسترجاع:** 2026-01-01T10:00:00.000Z
        - **درجة الثقة:** 90%
        - **بصمة الأصل:** -
        - **متقادم: تجاوز مدة الصلاحية.**

        ## استدعاءات الأدوات

        ### 1. hr.read

        - **المعلن:** {"read":"leave"}
        - **الفعلي:** {"read":"pay"}
        - **النتيجة:** مُنع
        - **⚠ تناقض في:** read
        - **أثر:** created note 7

        ### 2. hr.write

        - **المعلن:** write
        - **الفعلي:** لم يرد عنه شيء
        - **النتيجة:** لم ترد نتيجته
        - **⚠ تناقض في:** الإجراء كله

        ## الادعاءات

        | الادعاء | الحكم |
        |---|---|
        | Leave is 15 days | ✓ مؤيَّد |
        | It \| carries | ○ غير موجود |

        ## الملاحظات

        - sources\[0\] (مفتوحة): استُرجع المصدر قبل القرار بمدة تتجاوز نافذة الحداثة المقررة
        - sources\[0\].content_hash (للعلم): لا توجد بصمة رقمية للوثيقة الكاملة التي أُخذ منها المقتطف
        - tool_calls\[1\].outcome (للعلم): لم تُذكر نتيجة الاستدعاء
        - tool_calls\[1\].side_effects (للعلم): لم يُذكر ما غيّره الاستدعاء

        ## المراجعة

        لم يُراجع هذا الإصدار بعد.
    "##]].assert_eq(&markdown(&draft(), Language::Arabic));
}

#[test]
fn the_same_pack_gives_the_same_text() {
    let read = PackDraft::parse(&dalil_proof::canon::bytes(&draft()).unwrap()).unwrap();
    assert_eq!(markdown(&read, Language::Arabic), markdown(&draft(), Language::Arabic));
}

#[test]
fn approvals_read_in_arabic() {
    let vote = |approver: &str, title, at: &str| ApprovalVote {
        approver: approver.to_owned(),
        outcome: VoteOutcome::Approved,
        titles: [title].into(),
        at: at.parse().unwrap(),
        reason: None,
    };
    let old = draft();
    let seen =
        FlagAcknowledgement { rule: "stale_source".to_owned(), path: "sources[0]".to_owned() };
    let by_two = PackReview {
        pack_id: "pack_00000000000000b2".parse().unwrap(),
        reviewer_id: "نورة".to_owned(),
        reviewed_at: "2026-01-04T08:00:00Z".parse().unwrap(),
        acknowledged: vec![seen],
        approvals: vec![
            vote("ali", MemberTitle::Legal, "2026-01-04T07:00:00Z"),
            vote("نورة", MemberTitle::DepartmentHead, "2026-01-04T08:00:00Z"),
        ],
    };
    let text = markdown(&pack::review(&old, &by_two).unwrap(), Language::Arabic);
    let (_, review) = text.split_once("## المراجعة\n\n").unwrap();
    expect![[r#"
        - ali (الشؤون القانونية): اعتمد، 2026-01-04T07:00:00.000Z
        - نورة (رئيس إدارة): اعتمد، 2026-01-04T08:00:00.000Z
    "#]]
    .assert_eq(review);
}

#[test]
fn a_text_begins_no_list() {
    let shown = |text: &str| paragraphs(text);
    assert_eq!(
        shown("- one\n\n+ two\n\n1. three\n\n12) four"),
        "\\- one\n\n\\+ two\n\n1\\. three\n\n12\\) four"
    );
    assert_eq!(
        shown("---\n\n-5 degrees\n\n1.5 m\n\n2024 was dry"),
        "\\---\n\n-5 degrees\n\n1.5 m\n\n2024 was dry"
    );
}

#[test]
fn what_was_decided_stands_before_the_memo() {
    let words: DecisionWords = {
        let request = r#"{"decision": {"decision_id": "d", "tenant_id": "acme", "entity_id": "e", "agent_name": "a", "approval_class": "A1",
            "reversibility_class": "R0", "sensitivity_class": "S0", "created_at": "2026-01-03T12:00:00Z", "objective": "Win *it*",
            "recommendation": {"award": "Najd"}, "rationale": "It scored most.", "options_considered": ["Wait"]},
            "pack_id": "pack_00000000000000b1", "created_at": "2026-01-03T12:30:00Z"}"#;
        assemble(request.as_bytes()).unwrap().words.clone()
    };
    expect![[r#"
        - **Objective:** Win \*it\*
        - **Recommendation:** {"award":"Najd"}
        - **Rationale:** It scored most.
        - **Option considered:** Wait"#]]
    .assert_eq(&decided(&words, Language::English));
    assert_eq!(place("$").text(Language::Arabic), "الإجراء كله");
}
