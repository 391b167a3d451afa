use std::fs;
use std::path::Path;

use super::*;
use crate::page::PageTexts;
use crate::verify_page::VerifyPageTexts;
use crate::viewer::ViewerTexts;
use crate::{
    bound, expected, fault, found, memo, pack_field, page, part, proof_check, viewer_term,
};

fn both(phrase: &Phrase) -> [&str; 2] {
    [phrase.text(Language::English), phrase.text(Language::Arabic)]
}

#[test]
fn a_phrase_has_its_arguments_in_every_language() {
    assert_eq!(both(&bound::at_most_bytes(12)), ["at most 12 bytes", "ما لا يزيد على 12 بايت"]);
}

#[test]
fn a_phrase_inside_another_is_in_its_language() {
    let message = fault::expected_found(expected::a_person(), found::none());
    assert_eq!(both(&message), ["expected a person, found none", "المتوقع شخص، والموجود لا شيء"]);
}

#[test]
fn what_belongs_to_no_language_is_the_same_in_each() {
    assert_eq!(both(&Phrase::verbatim("`pk-1`")), ["`pk-1`", "`pk-1`"]);
    assert_eq!(both(&Phrase::from(7_usize)), ["7", "7"]);
}

#[test]
fn phrases_are_put_together_language_by_language() {
    let all = [expected::a_person(), expected::a_class(), expected::a_pack()];
    let listed = Phrase::fold(all, proof_check::list);
    assert_eq!(both(&listed), ["a person, a class, a pack", "شخص، فئة، حزمة"]);
    assert_eq!(both(&Phrase::fold([], proof_check::list)), ["", ""]);
}

#[test]
fn a_term_has_a_phrase_and_another_word_has_none() {
    let part = part::part("archive").unwrap();
    assert_eq!(both(&part), ["archive", "الأرشيف"]);
    assert_eq!(part::part("no such part"), None);
}

#[test]
fn every_text_of_a_table_is_in_its_language() {
    let arabic = |text: &str| text.chars().any(|ch| ('\u{600}'..='\u{6ff}').contains(&ch));
    let same = ["comma", "dir", "lang", "other_dir", "other_lang", "other_language"];
    let catalogues = [ViewerTexts::PAIRS, PageTexts::PAIRS, VerifyPageTexts::PAIRS].concat();
    let texts = catalogues.into_iter().filter(|(name, ..)| !same.contains(name));
    let terms = [
        part::part::PAIRS,
        pack_field::field::PAIRS,
        pack_field::inner_field::PAIRS,
        pack_field::value::PAIRS,
        memo::action::PAIRS,
        page::month::PAIRS,
        viewer_term::term::PAIRS,
    ];
    for (name, en, ar) in texts.chain(terms.concat()) {
        assert!(!arabic(en) && arabic(ar), "{name}: {en}, {ar}");
    }
}

#[test]
fn a_word_that_is_not_known_stands_for_itself() {
    let w = ViewerTexts::in_language(Language::Arabic);
    assert_eq!([w.of("supported"), w.of("<b>")], ["مؤيَّد", "<b>"]);
}

/// One noun has one word in each language, or readers look for the difference.
#[test]
fn arabic_has_one_word_for_a_judge_an_answer_and_a_document() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    for file in fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()) {
        let Ok(text) = fs::read_to_string(&file) else { continue };
        // The pages of a PDF call the PDF itself so.
        let text = text.replace("هذا المستند", "");
        for (other, word) in [("قاضي", "حَكَم"), ("جواب", "إجابة"), ("مستند", "وثيقة")]
        {
            if text.contains(other) {
                found.push(format!("{}: `{other}`, elsewhere `{word}`", file.display()));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
