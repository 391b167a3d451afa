use super::{CalendarSystem, DateRelation, PartialDate, date};
use crate::rule::word::words;

/// The readings of the date at the start of a text, as `day-month-year`, and how many words it takes.
fn check(text: &str, expected: &str) {
    let part = |part: Option<i64>| part.map_or("?".to_owned(), |part| part.to_string());
    let shown = |date: &PartialDate| {
        let era = match date.calendar {
            CalendarSystem::Gregorian => "",
            CalendarSystem::Hijri => " AH",
        };
        format!("{}-{}-{}{era}", part(date.day), part(date.month), part(date.year))
    };
    let found = date(&words(text), 0).map_or("none".to_owned(), |(dates, length)| {
        let dates: Vec<String> = dates.iter().map(shown).collect();
        format!("{} ({length})", dates.join(" or "))
    });
    assert_eq!(found, expected, "{text}");
}

#[test]
fn dates_are_read_in_both_languages_and_calendars() {
    check("1 January 2026", "1-1-2026 (3)");
    check("Jan 1st, 2026", "1-1-2026 (5)");
    check("1st of January", "1-1-? (4)");
    check("2026-01-31", "31-1-2026 (5)");
    check("01/02/2026", "1-2-2026 or 2-1-2026 (5)");
    check("31/01/2026", "31-1-2026 (5)");
    check("31.10.2025", "31-10-2025 (1)");
    check("May 2024", "?-5-2024 (2)");
    check("1998", "?-?-1998 (1)");
    check("١ يناير ٢٠٢٦", "1-1-2026 (3)");
    check("1 كانون الثاني 2026", "1-1-2026 (4)");
    check("١ رمضان ١٤٤٧ هـ", "1-9-1447 AH (4)");
    check("15 Muharram 1446 AH", "15-1-1446 AH (4)");
    check("١٠ ربيع الآخر ١٤٤٥", "10-4-1445 AH (4)");
    check("1447 هـ", "?-?-1447 AH (2)");
}

#[test]
fn what_is_no_date_is_left_alone() {
    check("may be", "none");
    check("باب التقديم", "none");
    check("2400 employees", "none");
    check("99/99/2026", "none");
    check("2000 metres", "none");
    check("صفر", "none");
}

fn gregorian(year: i64, month: i64, day: i64) -> PartialDate {
    PartialDate {
        calendar: CalendarSystem::Gregorian,
        year: Some(year),
        month: Some(month),
        day: Some(day),
    }
}

fn hijri(year: i64, month: i64, day: i64) -> PartialDate {
    PartialDate {
        calendar: CalendarSystem::Hijri,
        year: Some(year),
        month: Some(month),
        day: Some(day),
    }
}

#[test]
fn a_hijri_date_is_the_gregorian_date_of_the_almanac_within_a_day() {
    for (hijri, gregorian) in [
        (hijri(1400, 1, 1), gregorian(1979, 11, 20)),
        (hijri(1421, 1, 1), gregorian(2000, 4, 6)),
        (hijri(1445, 1, 1), gregorian(2023, 7, 19)),
        (hijri(1446, 1, 1), gregorian(2024, 7, 7)),
        (hijri(1446, 9, 1), gregorian(2025, 3, 1)),
        (hijri(1447, 1, 1), gregorian(2025, 6, 26)),
    ] {
        assert_eq!(hijri.relation(&gregorian), DateRelation::Same, "{hijri:?} {gregorian:?}");
    }
    assert_eq!(hijri(1446, 1, 1).relation(&gregorian(2024, 7, 12)), DateRelation::Different);
}

#[test]
fn a_part_of_a_date_follows_from_the_whole_and_not_the_other_way() {
    let month = PartialDate { day: None, ..gregorian(2024, 5, 14) };
    assert_eq!(month.relation(&gregorian(2024, 5, 14)), DateRelation::Same);
    assert_eq!(gregorian(2024, 5, 14).relation(&month), DateRelation::Finer);
    assert_eq!(month.relation(&gregorian(2024, 6, 14)), DateRelation::Different);
    let year = PartialDate { day: None, month: None, ..hijri(1446, 1, 1) };
    assert_eq!(year.relation(&gregorian(2024, 12, 1)), DateRelation::Same);
}
