use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;
use crate::decision_class::{
    ACTION_CLASSES, NEVER_AUTOMATIC_ACTIONS, ReversibilityClass, SensitivityClass,
};
use crate::pack::tests::{REQUEST, edited};
use crate::pack::{PackDraft, assemble};

/// The pack of a request without its memo, with these changes.
fn drafted(edits: &[(&str, &str)]) -> PackDraft {
    let request = edited(REQUEST, edits);
    let mut json: serde_json::Value = serde_json::from_str(&request).unwrap();
    json.as_object_mut().unwrap().remove("memo");
    assemble(json.to_string().as_bytes()).unwrap()
}

#[track_caller]
fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&format!("{text}\n"));
}

#[test]
fn a_memo_that_is_not_given_is_drafted_in_both_languages() {
    let memo = &drafted(&[]).memo;
    check(
        &memo.title_en,
        &expect![[r#"
        Decision dec_abc123: an action that needs approval
    "#]],
    );
    check(
        &memo.executive_summary_en,
        &expect![[r#"
        This decision concerns an action that needs approval and is submitted for approval. It rests on 3 sources [cite:fe915eaf] [cite:7a325b01] [cite:2fdf6c31]. It is classed A2 R2 S2: an evidence pack is mandatory. The agent states a confidence of 84%. 3 tool calls are on record: 2 did something other than announced, 1 failed. Review is due within 48 hours, by a department head, and legal or finance.
    "#]],
    );
    check(
        &memo.body_en,
        &expect![[r#"
        Decision. Decision dec_abc123 concerns an action that needs approval. It is classed A2 R2 S2. The agent states a confidence of 84%.

        Basis. Source 1 [cite:fe915eaf] has a confidence of 95%. Source 2 [cite:7a325b01] has a confidence of 90%. Source 3 [cite:2fdf6c31] has a confidence of 80%.

        Actions taken. 3 tool calls are on record: 2 did something other than announced, 1 failed.

        Claims checked. The decision names no ledger.

        For the approver. Review is due within 48 hours, by a department head, and legal or finance. This memo was drafted from the records of the decision and quotes none of them; the exact words are in the sources that it cites.
    "#]],
    );
    check(
        &memo.title_ar,
        &expect![[r#"
        مذكرة بشأن القرار dec_abc123: إجراء يتطلب الاعتماد
    "#]],
    );
    check(
        &memo.executive_summary_ar,
        &expect![[r#"
            نرفع لاعتمادكم القرار الآتي، وموضوعه: إجراء يتطلب الاعتماد. ويستند إلى ٣ مصادر [cite:fe915eaf] [cite:7a325b01] [cite:2fdf6c31]. وقد صُنّف القرار A2 وR2 وS2، وتلزم له حزمة أدلة. وتبلغ درجة الثقة المعلنة ٨٤٪. وفي السجل من استخدام الأدوات ٣ استدعاءات؛ ما خالف المعلن: استدعاءان، وما تعذر تنفيذه: استدعاء واحد. ويلزم اعتماده خلال ٤٨ ساعة من رئيس الإدارة المعنية، ومن الشؤون القانونية أو المالية.
        "#]],
    );
    check(
        &memo.body_ar,
        &expect![[r#"
            أولًا: القرار. موضوع القرار dec_abc123: إجراء يتطلب الاعتماد، وتصنيفه A2 وR2 وS2. وتبلغ درجة الثقة المعلنة ٨٤٪.

            ثانيًا: الأسانيد. المصدر رقم ١ [cite:fe915eaf] ودرجة الثقة به ٩٥٪. المصدر رقم ٢ [cite:7a325b01] ودرجة الثقة به ٩٠٪. المصدر رقم ٣ [cite:2fdf6c31] ودرجة الثقة به ٨٠٪.

            ثالثًا: الإجراءات المنفذة. في السجل من استخدام الأدوات ٣ استدعاءات؛ ما خالف المعلن: استدعاءان، وما تعذر تنفيذه: استدعاء واحد.

            رابعًا: الادعاءات المدققة. لم يُربط القرار بسجل أدلة.

            خامسًا: المطلوب من جهة الاعتماد. يلزم اعتماده خلال ٤٨ ساعة من رئيس الإدارة المعنية، ومن الشؤون القانونية أو المالية. وقد أُعدت هذه المذكرة آليًا من سجلات القرار دون اقتباس منها، والنصوص الحرفية محفوظة في المصادر المشار إليها.
        "#]],
    );
    assert_eq!(memo.translated_from, None);
}

#[test]
fn a_draft_never_quotes_what_the_agent_wrote() {
    let draft = drafted(&[("lead_xyz789", "Noura 0501234567"), ("dec_abc123", "dec_0501234567")]);
    let memo = serde_json::to_string(&draft.memo).unwrap();
    for quoted in ["0501234567", "Noura", "hubspot", "employees", "icp_matcher"] {
        assert!(!memo.contains(quoted), "{quoted}: {memo}");
    }
    assert_eq!(draft.memo.title_en, "Decision: an action that needs approval");
}

#[test]
fn every_known_action_has_a_label_in_both_languages() {
    for name in ACTION_CLASSES.iter().map(|(name, _)| *name).chain(NEVER_AUTOMATIC_ACTIONS) {
        assert_ne!(action(Some(name)), action(None), "{name}");
    }
    let sending = action(Some("proposal_send"));
    let texts = [Language::English, Language::Arabic].map(|language| sending.text(language));
    assert_eq!(texts, ["sending a proposal", "إرسال عرض"]);
    assert_eq!(action(Some("0501234567")), action(None));
}

/// A source with words of its own.
fn source(n: usize, retrieved_at: Time) -> PackSource {
    PackSource {
        source: format!("crm.{n}"),
        uri: Some("crm://x".to_owned()),
        reference: None,
        excerpt: format!("excerpt {n}"),
        content_hash: None,
        retrieved_at,
        confidence: Score::from_units(u16::try_from(9000 - n).unwrap()).unwrap(),
        stale: false,
    }
}

fn any_classes() -> impl Strategy<Value = DecisionClasses> {
    let one = (0_usize..4, 0_usize..4, 0_usize..4);
    one.prop_map(|(a, r, s)| {
        DecisionClasses::new(
            ApprovalClass::ALL[a],
            ReversibilityClass::ALL[r],
            SensitivityClass::ALL[s],
        )
    })
}

proptest! {
    /// Whatever the numbers: the words are few enough, the top three are cited, and
    /// nothing in it looks like personal data.
    #[test]
    fn every_draft_keeps_the_rules_of_memos(
        id in "[a-z0-9_:/.-]{1,70}|[0-9]{6,16}|dec_[0-9]{9,12}|\\PC{1,30}",
        action in proptest::sample::select(ACTION_CLASSES.to_vec()),
        classes in any_classes(),
        counts in (0_usize..130, 0_usize..130, 0_usize..130, 0_usize..2000),
        confidence in proptest::option::of(0_u16..=10000),
    ) {
        let (sources, stale, calls, claims) = counts;
        let decided_at: Time = "2026-01-03T12:00:00Z".parse().unwrap();
        let old: Time = "2025-01-03T12:00:00Z".parse().unwrap();
        let sources: Vec<PackSource> =
            (0..sources).map(|n| source(n, if n < stale { old } else { decided_at })).collect();
        let template = drafted(&[]);
        let calls: Vec<ToolCall> = template.tool_calls.iter().cycle().take(calls).cloned().collect();
        let entries = r#"{"verdict":"weak"},"#.repeat(claims) + r#"{"verdict":"supported"}"#;
        let ledger = format!(r#"{{"entries":[{entries}]}}"#);
        let ledger = Json::parse(ledger.as_bytes()).unwrap().into_owned();
        let facts = MemoFacts {
            decision_id: &id,
            action_type: Some(action.0),
            classes,
            confidence: confidence.and_then(Score::from_units),
            decided_at,
            fresh_hours: 24,
            sources: &sources,
            calls: &calls,
            ledger: Some(&ledger),
        };
        let drafted = memo_of(&facts);
        let text = serde_json::to_string(&drafted).unwrap();
        let read = dalil_proof::decode::request(text.as_bytes(), Memo::read);
        prop_assert!(read.is_ok(), "{read:?}\n{text}");
        let known = AnchorIndex::new(sources.iter().map(|one| anchor::text_digest(&one.excerpt)));
        for one in sources.iter().take(3) {
            let cite = format!("[cite:{}]", known.shortest(&anchor::text_digest(&one.excerpt)));
            for text in [&drafted.body_ar, &drafted.body_en, &drafted.executive_summary_ar, &drafted.executive_summary_en] {
                prop_assert!(text.contains(&cite), "{text}");
            }
        }
    }
}
