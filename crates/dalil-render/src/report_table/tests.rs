use dalil_phrasebook::{Language, file_check};
use dalil_proof::report::VerificationReport;
use expect_test::expect;

use super::{REPORT_WIDTH, fitted};
use crate::ledger::cell::width;

fn report() -> VerificationReport {
    let mut report = VerificationReport::default();
    report.pass("attachments", file_check::several_attachments(2, "ledger.json"));
    report.incomplete("pages", file_check::built_without_press());
    report
}

#[test]
fn a_report_is_a_table_where_there_is_room_and_a_list_where_there_is_not() {
    let shown = |language, columns| fitted(&report(), language, columns);
    expect![[r#"
        ? INCOMPLETE: nothing is wrong, but not everything could be checked: pages
        ┌──────────────────────┬──────────────┬────────────────────────────────────────────────────────────┐
        │ Part                 │ Verdict      │ Why                                                        │
        ├──────────────────────┼──────────────┼────────────────────────────────────────────────────────────┤
        │ attachments          │ ✓ PASS       │ 2, `ledger.json` among them                                │
        ├──────────────────────┼──────────────┼────────────────────────────────────────────────────────────┤
        │ pages                │ ? INCOMPLETE │ this program was built without a press, so the pages were  │
        │                      │              │ not compared with the pack                                 │
        └──────────────────────┴──────────────┴────────────────────────────────────────────────────────────┘
    "#]].assert_eq(&shown(Language::English, REPORT_WIDTH));
    expect![[r#"
        ? INCOMPLETE: nothing is wrong, but not everything could be checked: pages

        ✓ attachments · PASS
          2, `ledger.json` among them

        ? pages · INCOMPLETE
          this program was built without a press, so the pages were not compared with the pack
    "#]]
    .assert_eq(&shown(Language::English, REPORT_WIDTH - 1));
    expect![[r#"
        ? غير مكتمل: لم يظهر خلل، وتعذّر التحقق
        من: الصفحات

        ✓ المرفقات · صحيح
          عددها 2، وبينها `ledger.json`

        ? الصفحات · غير مكتمل
          بُني هذا البرنامج بلا مطبعة، فلم تُقارن
          الصفحات بالحزمة
    "#]]
    .assert_eq(&shown(Language::Arabic, 40));
    for columns in [30, 40, 80, REPORT_WIDTH] {
        for language in [Language::English, Language::Arabic] {
            let view = shown(language, columns);
            // The sentence above the table has any length.
            let lines = view.lines().skip(usize::from(columns == REPORT_WIDTH));
            assert!(lines.clone().all(|line| width(line) <= columns), "{columns}: {view}");
        }
    }
}
