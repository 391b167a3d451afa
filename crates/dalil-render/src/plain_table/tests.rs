use expect_test::expect;

use super::lines;

#[test]
fn columns_are_as_wide_as_their_cells_and_a_cell_is_one_line() {
    let rows = [
        ["ses_1", "How much leave?"],
        ["ses_leave", "كم مدة الإجازة؟"],
        ["ses_2", "Is it so?\nses_3    2026-03-14 15:00\u{1b}[2J"],
        ["ses_4", ""],
    ];
    let rows = rows.map(|row| row.map(str::to_owned)).into_iter();
    expect![[r#"
        session    question
        ses_1      How much leave?
        ses_leave  كم مدة الإجازة؟
        ses_2      Is it so? ses_3 2026-03-14 15:00\u{1b}[2J
        ses_4"#]]
    .assert_eq(&lines(["session", "question"], rows).join("\n"));
}
