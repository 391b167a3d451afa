use super::{ModalForce, forces};
use crate::rule::text::AnalyzedText;

fn check(text: &str, expected: &[ModalForce]) {
    let found: Vec<ModalForce> =
        forces(&AnalyzedText::of(text)).into_iter().map(|(_, _, force)| force).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn forces_are_read_in_both_languages() {
    check("The buyer may inspect", &[ModalForce::May]);
    check("The buyer must not inspect", &[ModalForce::Forbidden]);
    check("No buyer may inspect", &[ModalForce::Forbidden]);
    check("The buyer is not required to inspect", &[ModalForce::Exempt]);
    check("The term shall not exceed 5 years", &[ModalForce::Shall]);
    check("The buyer may not inspect unless invited", &[ModalForce::Guarded]);
    check("يجوز للمشتري الفحص", &[ModalForce::May]);
    check("لا يجوز للمشتري الفحص", &[ModalForce::Forbidden]);
    check("على المشتري الفحص", &[ModalForce::Must]);
    check("للمشتري أن يفحص", &[ModalForce::May]);
    check("لا يجوز الاستدعاء إلا لطارئ", &[ModalForce::Guarded]);
}

#[test]
fn words_that_only_look_like_forces_have_none() {
    check("It was signed on 14 May 2024", &[]);
    check("as required by law", &[]);
    check("It may or may not rain", &[]);
    check("", &[]);
}
