use dalil_evidence::ledger::dataset::{DatasetOutcome, DatasetRow};
use dalil_phrasebook::Language;
use expect_test::expect_file;

use super::{DatasetReport, MAX_SHOWN_ANSWERS, MAX_SHOWN_LINES};
use crate::tests::{ARABIC, Case, ENGLISH, JUDGED, checked};

fn row(case: &Case) -> DatasetRow {
    let ledgers = [case.ledger()];
    let one = checked(&[case], &ledgers)[0];
    DatasetRow {
        name: one.name.to_owned(),
        question: Some("How many <days>?".to_owned()),
        answer: Some(one.text.to_owned()),
        outcome: DatasetOutcome::Checked(Box::new(one.ledger.clone())),
    }
}

fn unchecked(number: usize) -> DatasetRow {
    DatasetRow {
        name: format!("none-{number}"),
        question: None,
        answer: None,
        outcome: DatasetOutcome::Unchecked(
            "`contexts`: expected contexts, found <none>".to_owned(),
        ),
    }
}

fn report(rows: impl IntoIterator<Item = DatasetRow>) -> String {
    let mut report = DatasetReport::new(None, Language::English);
    rows.into_iter().for_each(|row| report.add(row));
    report.html().unwrap()
}

#[test]
fn wrong_claims_come_first_and_every_text_of_others_is_escaped() {
    let rows = || [row(&JUDGED), row(&ARABIC), unchecked(1), row(&ENGLISH)];
    let page = report(rows());
    expect_file!["../../../../suite/press/dataset-report.html"].assert_eq(&page);
    assert_eq!(page, report(rows()));
}

#[test]
fn the_first_language_and_the_title_are_those_asked_for() {
    let mut report = DatasetReport::new(Some("March & April".to_owned()), Language::Arabic);
    report.add(row(&ARABIC));
    assert!(report.is_complete());
    let page = report.html().unwrap();
    let language = r#"id="in-ar" class="hidden" checked"#;
    let title = "<title>March &#38; April</title>";
    for part in [r#"<html lang="ar">"#, language, title, "<h1><bdi>March &#38; April</bdi></h1>"] {
        assert!(page.contains(part), "{part}\n{page}");
    }
}

#[test]
fn a_report_of_nothing_says_so() {
    expect_file!["../../../../suite/press/dataset-report-empty.html"].assert_eq(&report([]));
}

#[test]
fn the_worst_answers_are_shown_and_all_are_counted() {
    let good = |number: usize| DatasetRow { name: format!("a-{number}"), ..row(&JUDGED) };
    let many = (0..2 * MAX_SHOWN_ANSWERS).map(good);
    let failed = (0..MAX_SHOWN_LINES + 2).map(unchecked);
    let page = report(many.chain([row(&ENGLISH)]).chain(failed));
    assert_eq!(page.matches("<details ").count(), MAX_SHOWN_ANSWERS);
    // The only contradicted claim is in the last of the checked answers.
    let first = page.split("<tbody>").nth(1).unwrap();
    assert!(first.trim_start().starts_with(r#"<tr><td><span class="badge contradicted">"#));
    for part in [
        "<bdi>2103</bdi>",
        "Not shown: 1001 more answers, with 1001 wrong claims; the figures above count them",
        "and 2 more",
    ] {
        assert!(page.contains(part), "{part}");
    }
}
