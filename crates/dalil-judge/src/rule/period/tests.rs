use super::frequency;
use crate::rule::number::MILLIONTHS_PER_ONE;
use crate::rule::word::words;

/// How many times a year, and how many words say so.
fn check(text: &str, expected: Option<(i128, usize)>) {
    let found =
        frequency(&words(text), 0).map(|(times, length)| (times / MILLIONTHS_PER_ONE, length));
    assert_eq!(found, expected, "{text}");
}

#[test]
fn how_often_is_counted_by_the_year() {
    check("once a month", Some((12, 3)));
    check("once every calendar quarter", Some((4, 4)));
    check("twice a year", Some((2, 3)));
    check("three times per week", Some((156, 4)));
    check("monthly", Some((12, 1)));
    check("annually", Some((1, 1)));
    check("every six months", Some((2, 3)));
    check("every other month", Some((6, 3)));
    check("مرة واحدة في السنة", Some((1, 4)));
    check("مرتين في الشهر", Some((24, 3)));
    check("كل ثلاثة أشهر", Some((4, 3)));
    check("شهرياً", Some((12, 1)));
}

#[test]
fn what_says_no_frequency_is_none() {
    check("once the fee is paid", None);
    check("every member", None);
    check("three times the rent", None);
    check("كل موظف", None);
}
