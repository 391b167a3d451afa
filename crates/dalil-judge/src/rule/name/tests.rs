use super::names;
use crate::rule::text::AnalyzedText;

fn check(text: &str, expected: &[&str]) {
    let text = AnalyzedText::of(text);
    let found: Vec<String> = names(&text).into_iter().map(|name| name.form).collect();
    assert_eq!(found, expected);
}

#[test]
fn names_codes_and_places_are_found_and_the_first_word_is_no_name() {
    check(
        "Employees of Barzamar Port use HR-B-04 in Abu Dhabi",
        &["barzamar port", "hr-b-04", "abu dhabi"],
    );
    check("وقّع السيد خالد الوثيقة HR-B-04 في دبي", &["خالد", "hr-b-04", "دبي"]);
    check("", &[]);
}
