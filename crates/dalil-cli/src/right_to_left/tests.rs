use super::laid_out;

/// Marks as letters in angle brackets, so that a reader of the test sees them.
fn spelled(view: &str, columns: usize) -> String {
    let mut text = laid_out(view, columns);
    for (mark, name) in [
        ('\u{2066}', "<ltr>"),
        ('\u{2067}', "<rtl>"),
        ('\u{2069}', "<end>"),
        ('\u{200e}', "<lrm>"),
        ('\u{200f}', "<rlm>"),
    ] {
        text = text.replace(mark, name);
    }
    text
}

#[test]
fn a_line_runs_from_the_right_edge() {
    for (line, expected) in [
        ("مؤيَّد", "      <rtl>مؤيَّد<end>"),
        ("", ""),
        ("2 مؤيَّد", "    <rtl>2 مؤيَّد<end>"),
        ("ص 12\nص 13\n", "      <rtl>ص 12<end>\n      <rtl>ص 13<end>\n"),
    ] {
        assert_eq!(spelled(line, 10), expected);
    }
}

#[test]
fn latin_words_keep_together_and_numbers_beside_them_apart() {
    for (line, expected) in [
        (
            "الحَكَم: engine 0.1.0, judge/2 · 9 وثيقة",
            "الحَكَم: <ltr>engine 0.1.0, judge/2<end> · 9 وثيقة",
        ),
        ("المزيد: --expand N", "المزيد: <ltr>--expand N<end>"),
        ("(a.ar.md، ص 12)", "(<ltr>a.ar.md<end>، ص 12)"),
        ("sha256:68051… · 9 وثائق", "<ltr>sha256:68051…<end> · 9 وثائق"),
        ("التغطية 63% · بلا دليل 25%", "التغطية 63% · بلا دليل 25%"),
    ] {
        let own = spelled(line, 60);
        let own = own.trim_start().trim_start_matches("<rtl>").strip_suffix("<end>").unwrap();
        assert_eq!(own, expected);
    }
}

#[test]
fn a_table_is_mirrored_and_no_run_reaches_over_its_borders() {
    assert_eq!(
        spelled("┌───┬───┐\n│ a │ ١ │\n├───┼───┤\n│ ↳ ١   │\n└───┴───┘\n", 12),
        "   <rtl>┐───┬───┌<end>\n   <rtl><rlm>│<rlm> <ltr>a<end> <rlm>│<rlm> ١ <rlm>│<rlm><end>\n   \
         <rtl>┤───┼───├<end>\n   <rtl><rlm>│<rlm> ↲ ١   <rlm>│<rlm><end>\n   <rtl>┘───┴───└<end>\n"
    );
}

/// The mark that turns a line would be lost in the first column.
#[test]
fn a_line_without_room_for_the_mark_is_not_turned() {
    assert_eq!(spelled("│ ١ │ ٢ │", 9), "<lrm>│<lrm> ١ <lrm>│<lrm> ٢ <lrm>│<lrm>");
    assert!(spelled("│ ١ │ ٢ │", 10).starts_with(" <rtl>"));
}
