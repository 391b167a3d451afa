use super::{Force, forces};
use crate::rule::text::Text;

fn check(text: &str, expected: &[Force]) {
    let found: Vec<Force> =
        forces(&Text::of(text)).into_iter().map(|(_, _, force)| force).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn forces_are_read_in_both_languages() {
    check("The buyer may inspect", &[Force::May]);
    check("The buyer must not inspect", &[Force::Forbidden]);
    check("No buyer may inspect", &[Force::Forbidden]);
    check("The buyer is not required to inspect", &[Force::Exempt]);
    check("The term shall not exceed 5 years", &[Force::Shall]);
    check("The buyer may not inspect unless invited", &[Force::Guarded]);
    check("يجوز للمشتري الفحص", &[Force::May]);
    check("لا يجوز للمشتري الفحص", &[Force::Forbidden]);
    check("على المشتري الفحص", &[Force::Must]);
    check("للمشتري أن يفحص", &[Force::May]);
    check("لا يجوز الاستدعاء إلا لطارئ", &[Force::Guarded]);
}

#[test]
fn words_that_only_look_like_forces_have_none() {
    check("It was signed on 14 May 2024", &[]);
    check("as required by law", &[]);
    check("It may or may not rain", &[]);
    check("", &[]);
}
