use dalil_phrasebook::Language;

use super::*;

#[test]
fn every_reason_has_a_word_and_a_text() {
    for (word, error) in ProviderSignInError::WORDS {
        assert_eq!(ProviderSignInError::of_word(word), Some(error));
        assert_eq!(error.address("/packs"), format!("/signin?failed={word}&back=%2Fpacks"));
        let [english, arabic] = [Language::English, Language::Arabic]
            .map(|language| error.text(ViewerTexts::in_language(language)));
        assert!(english != arabic && !english.is_empty());
    }
    assert_eq!(ProviderSignInError::of_word("other"), None);
}
