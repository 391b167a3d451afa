//! Times: one spelling out, RFC 3339 in.

use super::{NotATime, Time};

#[track_caller]
fn check(input: &str, expected: &str) {
    assert_eq!(input.parse::<Time>().unwrap().to_string(), expected);
}

#[test]
fn written_in_utc_with_milliseconds() {
    check("2024-01-15T10:30:00Z", "2024-01-15T10:30:00.000Z");
    check("2024-01-15T13:30:00+03:00", "2024-01-15T10:30:00.000Z");
    check("2026-01-03T14:30:00.123987Z", "2026-01-03T14:30:00.123Z");
    check("1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.999Z");
    check("0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z");
}

#[test]
fn everything_else_is_refused() {
    for wrong in [
        "",
        "2024-01-15",
        "2024-01-15T10:30Z",
        "2024-01-15 10:30:00Z",
        "2024-01-15T10:30:00",
        "2024-02-30T10:30:00Z",
        "2024-01-15T25:00:00Z",
        "-000001-01-01T00:00:00Z",
        "2024-01-15T10:30:00+03:00[Asia/Riyadh]",
        "٢٠٢٤-01-15T10:30:00Z",
        "10000-01-01T00:00:00Z",
    ] {
        assert_eq!(wrong.parse::<Time>(), Err(NotATime), "{wrong}");
    }
}

#[test]
fn differences_round_down() {
    let time = |text: &str| text.parse::<Time>().unwrap();
    let (early, late) = (time("2024-01-01T00:00:00Z"), time("2024-01-02T23:59:59.999Z"));
    assert_eq!(late.days_since(early), 1);
    assert_eq!(early.days_since(late), -2);
    assert_eq!(Time::from_millis(late.millis()), Some(late));
    assert_eq!(Time::from_millis(i64::MAX), None);
}

#[test]
fn years_later_is_the_same_day_or_the_first_of_march() {
    let later = |text: &str, years| {
        let time = text.parse::<Time>().unwrap().years_later(years);
        time.map_or_else(|| "never".to_owned(), |time| time.to_string())
    };
    assert_eq!(later("2019-01-03T14:30:00.123Z", 7), "2026-01-03T14:30:00.123Z");
    assert_eq!(later("2024-02-29T23:59:59.999Z", 7), "2031-03-01T23:59:59.999Z");
    assert_eq!(later("2024-02-29T00:00:00Z", 4), "2028-02-29T00:00:00.000Z");
    assert_eq!(later("2021-02-28T00:00:00Z", 7), "2028-02-28T00:00:00.000Z");
    assert_eq!(later("1969-02-28T12:00:00Z", 1), "1970-02-28T12:00:00.000Z");
    assert_eq!(later("9999-01-01T00:00:00Z", 7), "never");
}

#[test]
fn the_spelling_that_is_written_is_read_and_no_other() {
    let texts = [
        "2024-01-15T10:30:00.000Z",
        "2024-02-29T23:59:59.999Z",
        "2023-02-29T00:00:00.000Z",
        "0000-01-01T00:00:00.000Z",
        "9999-12-30T22:00:00.000Z",
        "9999-12-30T22:00:01.000Z",
        "2024-01-15T10:30:00Z",
        "2024-01-15T10:30:00.0000Z",
        "2024-01-15T24:00:00.000Z",
        "2024-01-15T10:30:60.000Z",
        "2024-13-15T10:30:00.000Z",
        "2024-01-15T10:30:00.000+",
        "2024-01-15 10:30:00.000Z",
        "2024-01-1/T10:30:00.000Z",
        "",
    ];
    for text in texts {
        let written = text.parse::<Time>().ok().filter(|time| time.to_string() == text);
        assert_eq!(Time::from_spelling(text.as_bytes()), written, "{text}");
    }
}
