use crate::mask::{apply, find};

#[test]
fn what_is_written_wide_or_with_something_unseen_is_found_by_how_it_looks() {
    let masked = |text: &str| apply(text, &[], None).text.into_owned();
    for text in [
        "to ali＠example.com now",
        "to ali﹫example.com now",
        "to ali\u{200b}@example.com now",
        "to ali@\u{2060}example.com now",
        "to ali@exam\u{ad}ple.com now",
        "to ａｌｉ@ｅｘａｍｐｌｅ．ｃｏｍ now",
    ] {
        assert_eq!(masked(text), "to [EMAIL_REDACTED] now", "{text:?}");
    }
    let found = find("é ali＠example.com", &[]);
    assert_eq!(found.iter().map(|one| (one.start, one.end)).collect::<Vec<_>>(), [(3, 20)]);
    assert_eq!(masked("می\u{200c}روم ＋ ａ"), "می\u{200c}روم ＋ ａ");
}
