use std::borrow::Cow;

use tiberius::ColumnData;
use tiberius::numeric::Numeric;
use tiberius::time::{Date, DateTime, DateTime2, DateTimeOffset, SmallDateTime, Time};

use super::{SqlCell, cell};

#[track_caller]
fn check(data: &ColumnData<'_>, expected: &str) {
    assert_eq!(cell(data), SqlCell::text(expected));
}

#[test]
fn decimals_keep_every_digit() {
    let numeric = |value, scale| ColumnData::Numeric(Some(Numeric::new_with_scale(value, scale)));
    check(&numeric(1250, 2), "12.50");
    check(&numeric(-5, 3), "-0.005");
    check(&numeric(7, 0), "7");
    check(&numeric(i128::from(i64::MAX) * 10, 1), "9223372036854775807.0");
}

#[test]
fn times_are_written_as_in_rfc_3339() {
    check(&ColumnData::Date(Some(Date::new(0))), "0001-01-01");
    check(&ColumnData::Date(Some(Date::new(739_618))), "2026-01-03");
    check(&ColumnData::Date(Some(Date::new(738_944))), "2024-02-29");
    check(
        &ColumnData::DateTime(Some(DateTime::new(46_023, 15_660_001))),
        "2026-01-03T14:30:00.003",
    );
    check(&ColumnData::DateTime(Some(DateTime::new(-53_690, 0))), "1753-01-01T00:00:00.000");
    check(&ColumnData::SmallDateTime(Some(SmallDateTime::new(46_023, 870))), "2026-01-03T14:30:00");
    let stamp = DateTime2::new(Date::new(739_618), Time::new(521_234_567, 4));
    check(&ColumnData::DateTime2(Some(stamp)), "2026-01-03T14:28:43.4567");
    let late = DateTime2::new(Date::new(739_618), Time::new(82_800, 0));
    let offset = DateTimeOffset::new(late, 180);
    check(&ColumnData::DateTimeOffset(Some(offset)), "2026-01-04T02:00:00+03:00");
    let early = DateTime2::new(Date::new(739_618), Time::new(36_000, 1));
    let offset = DateTimeOffset::new(early, -330);
    check(&ColumnData::DateTimeOffset(Some(offset)), "2026-01-02T19:30:00.0-05:30");
}

#[test]
fn everything_else_is_what_it_is() {
    assert_eq!(cell(&ColumnData::I64(Some(i64::MIN))), SqlCell::Integer(i64::MIN));
    assert_eq!(cell(&ColumnData::F32(Some(0.1))), SqlCell::Number(0.1));
    assert_eq!(cell(&ColumnData::Bit(Some(true))), SqlCell::Bool(true));
    assert_eq!(cell(&ColumnData::String(None)), SqlCell::Null);
    assert_eq!(cell(&ColumnData::Binary(Some(Cow::Borrowed(&[1, 2])))), SqlCell::Bytes(vec![1, 2]));
}
