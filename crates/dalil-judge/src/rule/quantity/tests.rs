use expect_test::{Expect, expect};

use super::{QuantityValue, quantities};
use crate::rule::word::words;

/// Every quantity of a text: its words, its value, its measure and its bound.
fn check(text: &str, expected: &Expect) {
    let words = words(text);
    let shown = |quantity: &super::Quantity| {
        let start = words[quantity.words.start].span.start;
        let end = words[quantity.words.end - 1].span.end;
        let value = match &quantity.value {
            QuantityValue::Numbers(low, high) if low == high => format!("{}", low / 1_000_000),
            QuantityValue::Numbers(low, high) => {
                format!("{}..{}", low / 1_000_000, high / 1_000_000)
            }
            QuantityValue::Dates(dates) => format!("{} dates", dates.len()),
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
        &expect![[r#"
            At least 14 calendar days: 1209600 Time AtLeast
            within five working days: 5 WorkingDays AtMost
            two weeks: 1209600 Time Exact
            no more than three: 3 Count("period") AtMost
            SAR 500: 500 Money(Sar) Exact, for a period
            $1.2 million: 1200000 Money(Usd) Exact
            15%: 15 Percent Exact
            50 basis points: 0 Percent Exact
            half of: 50 Percent Exact
            24 hours: 86400 Time Exact
            12 km: 12000 Length Exact
        "#]],
    );
    check(
        "Within those three days, in the last three days, خلال هذه الأيام الخمسة.",
        &expect![[r#"
            Within those three days: 259200 Time AtMost
            three days: 259200 Time Exact
            خلال هذه الأيام الخمسة: 432000 Time AtMost
        "#]],
    );
    // The bound is of an amount that was named before.
    check(
        "The rate above that is 20%, وما يزيد على هذا هو ٢٥٪. The rate above is 20%.",
        &expect![[r#"
            20%: 20 Percent Exact
            ٢٥٪: 25 Percent Exact
            above is 20%: 20 Percent Above
        "#]],
    );
    check(
        "The maximum is 5 days; between 5 and 10 days; SAR 8,000–12,000; the first day; 10:30; 4 pm; noon; about 400 homes.",
        &expect![[r#"
            maximum is 5 days: 432000 Time AtMost
            5 and 10 days: 432000..864000 Time Exact
            SAR 8,000–12,000: 8000..12000 Money(Sar) Exact
            first: 1 Ordinal("dai") Exact
            10:30: 630 Clock Exact
            4 pm: 960 Clock Exact
            noon: 720 Clock Exact
            about 400: 400 Count("hom") About
        "#]],
    );
}

#[test]
fn arabic_quantities() {
    check(
        "بما لا يقل عن ١٤ يوماً تقويمياً، خلال خمسة أيام عمل، أسبوعين، خلال شهر، ٥٠٠ ريال سعودي شهرياً، ١٥٪، \
         خمسة عشر في المئة، نصف كل فريق، الساعة ٨ صباحاً، اليوم الأول، من ٥ إلى ١٠ أيام.",
        &expect![[r#"
            بما لا يقل عن ١٤ يوماً تقويمياً: 1209600 Time AtLeast
            خلال خمسة أيام عمل: 5 WorkingDays AtMost
            أسبوعين: 1209600 Time Exact
            خلال شهر: 1 Months AtMost
            ٥٠٠ ريال سعودي: 500 Money(Sar) Exact, for a period
            ١٥٪: 15 Percent Exact
            خمسة عشر في المئة: 15 Percent Exact
            نصف: 50 Percent Exact
            ٨ صباحاً: 480 Clock Exact
            الأول: 1 Ordinal("يم") Exact
            ٥ إلى ١٠ أيام: 432000..864000 Time Exact
        "#]],
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

#[test]
fn an_arabic_number_may_have_the_article_or_follow_its_unit() {
    check(
        "خلال الستين يوماً التالية، ومدة العقد سنة واحدة، وفق المادة الستين.",
        &expect![[r#"
            خلال الستين يوماً: 5184000 Time AtMost
            سنة واحدة: 12 Months Exact
        "#]],
    );
}

#[test]
fn the_mark_of_a_list_is_no_range() {
    check(
        "1- 15 days; 1-15 days; 1 - 15 days",
        &expect![[r#"
            15 days: 1296000 Time Exact
            1-15 days: 86400..1296000 Time Exact
            1 - 15 days: 86400..1296000 Time Exact
        "#]],
    );
    check(
        "١- ١٥ يوماً؛ ١-١٥ يوماً؛ ١ - ١٥ يوماً؛ ٧-٣ لا تحسب الإجازة؛ ١٢- ١٥٠٠ ريال",
        &expect![[r#"
            ١٥ يوماً: 1296000 Time Exact
            ١-١٥ يوماً: 86400..1296000 Time Exact
            ١ - ١٥ يوماً: 86400..1296000 Time Exact
            ١٥٠٠ ريال: 1500 Money(Riyal) Exact
        "#]],
    );
}
