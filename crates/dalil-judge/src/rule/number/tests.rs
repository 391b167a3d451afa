use super::{MILLIONTHS_PER_ONE, number};
use crate::rule::word::words;

/// The number at the start of a text, in thousandths, and how many words it takes.
fn check(text: &str, expected: Option<(i128, usize)>) {
    let found = number(&words(text), 0)
        .map(|number| (number.value * 1000 / MILLIONTHS_PER_ONE, number.length));
    assert_eq!(found, expected, "{text}");
}

#[test]
fn digits_are_read_with_any_separators() {
    check("1,000.5", Some((1_000_500, 1)));
    check("1.000,5", Some((1_000_500, 1)));
    check("1.250.000", Some((1_250_000_000, 1)));
    check("١٬٠٠٠٫٥", Some((1_000_500, 1)));
    check("۸۷٬۴۳۰", Some((87_430_000, 1)));
    check("3,5", Some((3_500, 1)));
    check("1.2 million", Some((1_200_000_000, 2)));
    check("٣ ملايين", Some((3_000_000_000, 2)));
    check("5bn", Some((5_000_000_000_000, 2)));
}

#[test]
fn what_is_no_number_is_refused() {
    check("3.2.1", None);
    check("1234567890123456789", None);
    check("V204", None);
    check("leave", None);
    check("", None);
}

#[test]
fn a_row_of_brackets_takes_linear_time() {
    check(&"[".repeat(200_000), None);
    check("[three] times", Some((3_000, 3)));
    check("[[three] times", None);
}

#[test]
fn english_words_are_numbers() {
    check("fifteen", Some((15_000, 1)));
    check("twenty-five", Some((25_000, 3)));
    check("one hundred and twenty", Some((120_000, 4)));
    check("two thousand four hundred", Some((2_400_000, 4)));
    check("two thousand million", Some((2_000_000_000_000, 3)));
    check("five and twenty", Some((5_000, 1)));
    check("one hundred and two hundred", Some((100_000, 2)));
    check("thirty (30) days", Some((30_000, 4)));
    check("thirty (40) days", Some((30_000, 1)));
}

#[test]
fn arabic_words_are_numbers_in_every_gender_and_case() {
    check("خمسة عشر", Some((15_000, 2)));
    check("خمس عشرة", Some((15_000, 2)));
    check("أحد عشر", Some((11_000, 2)));
    check("خمسة وعشرون", Some((25_000, 2)));
    check("مئة وعشرين", Some((120_000, 2)));
    check("ثلاثمائة وخمسون", Some((350_000, 2)));
    check("ألفين وأربعمئة", Some((2_400_000, 2)));
    check("ألفا درهم", Some((2_000_000, 1)));
    check("خمسة عشر ألفا", Some((15_000_000, 3)));
    check("مئة وعشرون ألف", Some((120_000_000, 3)));
    check("ثلاثة ملايين", Some((3_000_000_000, 2)));
    check("مئة وعشرة", Some((110_000, 2)));
}
