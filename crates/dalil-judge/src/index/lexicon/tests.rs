//! The lexicon: which words lead to which.

use super::*;

fn one(word: &str) -> TermHash {
    term::terms(word)[0]
}

#[test]
fn words_lead_to_the_other_language_and_back() {
    for (english, arabic) in
        [("vacation", "الإجازات"), ("employees", "للموظفين"), ("Egyptian", "المصري")]
    {
        assert!(LEXICON.across(one(english)).contains(&one(arabic)), "{english} {arabic}");
        assert!(LEXICON.across(one(arabic)).contains(&one(english)), "{arabic} {english}");
    }
    assert!(LEXICON.same(one("vacation")).contains(&one("leave")));
    assert!(!LEXICON.same(one("vacation")).contains(&one("vacation")));
    assert_eq!(LEXICON.same(one("zebra")), []);
}

#[test]
fn every_line_has_both_languages() {
    for line in LEXICON_TEXT.lines().filter(|line| !line.starts_with('#')) {
        let (english, arabic) = line.split_once('|').unwrap();
        assert!(!term::terms(english).is_empty() && !term::terms(arabic).is_empty(), "{line}");
    }
}
