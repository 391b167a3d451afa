use expect_test::{Expect, expect};

use super::{Value, quantities};
use crate::rule::word::words;

/// Every quantity of a text: its words, its value, its measure and its bound.
fn check(text: &str, expected: &Expect) {
    let words = words(text);
    let shown = |quantity: &super::Quantity| {
        let start = words[quantity.words.start].span.start;
        let end = words[quantity.words.end - 1].span.end;
        let value = match &quantity.value {
            Value::Numbers(low, high) if low == high => format!("{}", low / 1_000_000),
            Value::Numbers(low, high) => format!("{}..{}", low / 1_000_000, high / 1_000_000),
            Value::Dates(dates) => format!("{} dates", dates.len()),
        };
        let per = if quantity.per.is_some() { ", for a period" } else { "" };
        let (measure, bound) = (&quantity.measure, quantity.bound);
        format!("{}: {value} {measure:?} {bound:?}{per}\n", text.get(start..end).unwrap())
    };
    let found: String = quantities(&words).iter().map(shown).collect();
    expected.assert_eq(&found);
}

#[test]
fn english_quantities() {
    check(
        "At least 14 calendar days, within five working days, two weeks, no more than three periods, \
         SAR 500 per month, $1.2 million, 15%, 50 basis points, half of the team, 24 hours, 12 km.",
        &expect![[""]],
    );
    check(
        "The maximum is 5 days; between 5 and 10 days; SAR 8,000–12,000; the first day; 10:30; 4 pm; noon; about 400 homes.",
        &expect![[""]],
    );
}

#[test]
fn arabic_quantities() {
    check(
        "بما لا يقل عن ١٤ يوماً تقويمياً، خلال خمسة أيام عمل، أسبوعين، خلال شهر، ٥٠٠ ريال سعودي شهرياً، ١٥٪، \
         خمسة عشر في المئة، نصف كل فريق، الساعة ٨ صباحاً، اليوم الأول، من ٥ إلى ١٠ أيام.",
        &expect![[""]],
    );
}

#[test]
fn references_and_bare_words_are_not_quantities() {
    check("Section 3.2, pages 9 to 17, article 5, a third party, one of them", &expect![[""]]);
    check("المادة ١٤ والبند رقم ٣ والصفحات من ٩ إلى ١٧", &expect![[""]]);
    check("", &expect![[""]]);
}

#[test]
fn no_more_quantities_are_read_than_the_limit() {
    let words = words(&"15 days, ".repeat(super::MAX_QUANTITIES + 9));
    assert_eq!(quantities(&words).len(), super::MAX_QUANTITIES);
}
