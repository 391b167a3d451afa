use expect_test::expect;

use super::around;

#[test]
fn a_snippet_is_cut_on_whole_words_around_the_value_that_differs() {
    let long = "The Contractor shall service each quay crane, each gantry crane and each mobile crane of the port "
        .to_owned();
    let shown = [
        around("All employees receive 15 days.", Some("15 days")),
        around("All employees receive 15 days.", Some("20 days")),
        around(
            &format!("{long}once every calendar quarter, as {long}"),
            Some("once every calendar quarter"),
        ),
        around(&long, None),
        // As many letters in Arabic as in English.
        around(&"يستحق جميع الموظفين الدائمين إجازة سنوية مدفوعة الأجر ".repeat(3), None),
    ];
    expect![[r#"
        All employees receive 15 days.
        All employees receive 15 days.
        …shall service each quay crane, each gantry crane and each mobile crane of the port once every calendar quarter, as The Contractor shall service each quay crane, each gantry crane and each mobile…
        The Contractor shall service each quay crane, each gantry crane and each mobile crane of…
        يستحق جميع الموظفين الدائمين إجازة سنوية مدفوعة الأجر يستحق جميع الموظفين الدائمين إجازة…"#]].assert_eq(&shown.join("\n"));
}

#[test]
fn the_value_itself_is_never_cut_away() {
    // Without a space within reach, as in an address or in Chinese.
    let wall = "x".repeat(200);
    let shown = around(&format!("{wall}30 calendar days{wall}"), Some("30 calendar days"));
    let kept = "x".repeat(90);
    assert_eq!(shown, format!("…{kept}30 calendar days{kept}…"));
}
