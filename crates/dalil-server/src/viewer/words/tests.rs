use std::collections::BTreeSet;

use dalil_phrasebook::Language;
use dalil_proof::record::RecordKind;

use super::{ViewerTexts, catalogue, term};

#[test]
fn every_text_is_in_both_languages() {
    let arabic = |text: &str| text.chars().any(|ch| ('\u{600}'..='\u{6ff}').contains(&ch));
    let named = ["lang", "dir", "other_language", "other_lang"];
    for (name, en, ar) in catalogue::PAIRS.iter().filter(|(name, ..)| !named.contains(name)) {
        assert!(!arabic(en), "{name}: {en}");
        assert!(arabic(ar), "{name}: {ar}");
    }
    for (word, en, ar) in term::TERMS {
        assert!(!arabic(en) && arabic(ar), "{word}: {en}, {ar}");
    }
}

#[test]
fn every_kind_of_record_has_a_name() {
    let known: BTreeSet<&str> = term::TERMS.iter().map(|(word, ..)| *word).collect();
    let without: Vec<&str> = RecordKind::WORDS
        .iter()
        .map(|(word, _)| *word)
        .filter(|word| !known.contains(word))
        .collect();
    assert_eq!(without, [""; 0]);
}

#[test]
fn a_word_that_is_not_known_stands_for_itself() {
    let w = ViewerTexts::of_language(Language::Arabic);
    assert_eq!((w.of("supported"), w.of("<b>")), ("مؤيَّد", "<b>"));
}
