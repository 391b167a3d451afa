use super::*;
use crate::{expected, fault, found, part, proof_check};

fn both(phrase: &Phrase) -> [&str; 2] {
    [phrase.text(Language::English), phrase.text(Language::Arabic)]
}

#[test]
fn a_phrase_has_its_arguments_in_every_language() {
    assert_eq!(both(&expected::at_most_bytes(12)), ["at most 12 bytes", "ما لا يزيد على 12 بايت"]);
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
