use dalil_phrasebook::Language;
use expect_test::{Expect, expect};

use crate::ledger::cell::width;
use crate::tests::{Case, ENGLISH, JUDGED};

fn check(case: &Case, language: Language, expected: &Expect) {
    expected.assert_eq(&super::ledger_footer(&case.ledger(), language, usize::MAX));
}

#[test]
fn counts_risks_and_questions_stand_under_each_other() {
    check(
        &ENGLISH,
        Language::English,
        &expect![[r#"
            1 supported · 1 weak · 1 contradicted · 1 not found · coverage 50% · unsupported 0%

            Risk flags
              ! Contradiction (High): 1 claim(s) contradict the source documents
              ! Low Confidence (Medium): Overall confidence is low (60%)

            Follow-up questions
              1. Is there a document that directly states: "It carries over"? hr.pdf, Page 15 supports it only in part.
        "#]],
    );
}

#[test]
fn the_judge_and_its_documents_are_named() {
    check(
        &JUDGED,
        Language::English,
        &expect![[r#"
        0 supported · 0 weak · 0 contradicted · 1 not found · coverage 0% · unsupported 100%

        Risk flags
          ! Missing Evidence (High): 1 critical claim(s) have no supporting evidence
          ! Low Confidence (Medium): Overall confidence is low (0%)

        Follow-up questions
          1. Which document gives this figure: "Leave is 15 days"?

        Judge: dalil-engine 0.1.0, dalil-judge/2\u{1b}[31m sha256:abababababab… · 2 documents · 41 chunks · 1 with problems
    "#]],
    );
}

#[test]
fn everything_is_said_in_arabic_too() {
    check(
        &JUDGED,
        Language::Arabic,
        &expect![[r#"
        0 مؤيَّد · 0 ضعيف · 0 مناقَض · 1 غير موجود · التغطية 0% · بلا دليل 100%

        مؤشرات الخطر
          ! دليل مفقود (مرتفعة): الادعاءات المعنية: c1
          ! ثقة منخفضة (متوسطة): الادعاءات المعنية: c1

        أسئلة المتابعة
          1. Which document gives this figure: "Leave is 15 days"?

        الحَكَم: dalil-engine 0.1.0, dalil-judge/2\u{1b}[31m sha256:abababababab… · 2 وثيقة · 41 مقطعًا · 1 فيها مشكلات
    "#]],
    );
}

#[test]
fn a_footer_is_broken_between_words_and_goes_on_below_them() {
    let narrow = |language, expected: &Expect| {
        let view = super::ledger_footer(&JUDGED.ledger(), language, 40);
        assert!(view.lines().all(|line| width(line) <= 40), "{view}");
        expected.assert_eq(&view);
    };
    narrow(
        Language::English,
        &expect![[r#"
            0 supported · 0 weak · 0 contradicted ·
              1 not found · coverage 0% ·
              unsupported 100%

            Risk flags
              ! Missing Evidence (High): 1 critical
                claim(s) have no supporting evidence
              ! Low Confidence (Medium): Overall
                confidence is low (0%)

            Follow-up questions
              1. Which document gives this figure:
                 "Leave is 15 days"?

            Judge: dalil-engine 0.1.0,
            dalil-judge/2\u{1b}[31m
            sha256:abababababab… · 2 documents · 41
            chunks · 1 with problems
        "#]],
    );
    narrow(
        Language::Arabic,
        &expect![[r#"
            0 مؤيَّد · 0 ضعيف · 0 مناقَض · 1 غير موجود
              · التغطية 0% · بلا دليل 100%

            مؤشرات الخطر
              ! دليل مفقود (مرتفعة): الادعاءات
                المعنية: c1
              ! ثقة منخفضة (متوسطة): الادعاءات
                المعنية: c1

            أسئلة المتابعة
              1. Which document gives this figure:
                 "Leave is 15 days"?

            الحَكَم: dalil-engine 0.1.0,
            dalil-judge/2\u{1b}[31m
            sha256:abababababab… · 2 وثيقة · 41
            مقطعًا · 1 فيها مشكلات
        "#]],
    );
}
