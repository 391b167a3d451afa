use crate::mask::fold::FoldedText;
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

#[test]
fn a_text_is_folded_exactly_when_it_looks_otherwise() {
    for ch in (0..=0x10_ffff).filter_map(char::from_u32) {
        // A code makes every text worth folding, so this shows what becomes of the character.
        let folded = FoldedText::of(&format!("&#49;{ch}")).unwrap();
        let alone = FoldedText::of(&ch.to_string());
        assert_eq!(alone.is_some(), folded.text != format!("1{ch}"), "{ch:?}");
    }
    for start in ["&#49;", "%20", "%7e", "\\u0041"] {
        assert!(FoldedText::of(start).is_some(), "{start}");
    }
    for text in ["100 % & \\ plain", "AT&T 5% \\n", "كلمة 5%"] {
        assert!(FoldedText::of(text).is_none(), "{text}");
    }
}
