//! Values as SQL Server sends them: exact decimals, and times from days and ticks.

use tiberius::ColumnData;
use tiberius::time::{Date, DateTime, DateTime2, DateTimeOffset, SmallDateTime, Time};

use super::SqlCell;

#[cfg(test)]
mod tests;

pub(super) fn cell(data: &ColumnData<'_>) -> SqlCell {
    let cell = match data {
        ColumnData::U8(value) => value.map(|value| SqlCell::Integer(value.into())),
        ColumnData::I16(value) => value.map(|value| SqlCell::Integer(value.into())),
        ColumnData::I32(value) => value.map(|value| SqlCell::Integer(value.into())),
        ColumnData::I64(value) => value.map(SqlCell::Integer),
        // The shortest digits of a single, not those of the double that it would be.
        ColumnData::F32(value) => value.map(|value| SqlCell::double(&value.to_string())),
        ColumnData::F64(value) => value.map(SqlCell::number),
        ColumnData::Bit(value) => value.map(SqlCell::Bool),
        ColumnData::String(value) => value.as_ref().map(|value| SqlCell::text(value.as_ref())),
        ColumnData::Guid(value) => value.map(|value| SqlCell::Text(value.to_string())),
        ColumnData::Binary(value) => value.as_ref().map(|value| SqlCell::Bytes(value.to_vec())),
        ColumnData::Numeric(value) => {
            value.map(|value| SqlCell::Text(decimal(value.value(), value.scale().into())))
        }
        ColumnData::Xml(value) => value.as_ref().map(|value| SqlCell::Text(value.to_string())),
        ColumnData::DateTime(value) => value.map(|value| SqlCell::Text(datetime(value))),
        ColumnData::SmallDateTime(value) => value.map(|value| SqlCell::Text(minutes(value))),
        ColumnData::Time(value) => value.map(|value| SqlCell::Text(clock(value).1)),
        ColumnData::Date(value) => value.map(|value| SqlCell::Text(date(value))),
        ColumnData::DateTime2(value) => value.map(|value| SqlCell::Text(datetime2(value))),
        ColumnData::DateTimeOffset(value) => value.map(|value| SqlCell::Text(offset(value))),
    };
    cell.unwrap_or(SqlCell::Null)
}

/// A scaled integer, digit by digit.
fn decimal(value: i128, scale: usize) -> String {
    // One digit more than the scale, so that 0.05 has a zero before its point.
    let digits = format!("{:0>width$}", value.unsigned_abs(), width = scale + 1);
    let sign = if value < 0 { "-" } else { "" };
    match digits.split_at_checked(digits.len() - scale) {
        Some((whole, part)) if !part.is_empty() => format!("{sign}{whole}.{part}"),
        _ => format!("{sign}{digits}"),
    }
}

/// Days since the first of January 1900, and three-hundredths of a second.
fn datetime(value: DateTime) -> String {
    let ticks = i64::from(value.seconds_fragments());
    // SQL Server shows the nearest millisecond: .000, .003, .007.
    let millis = (ticks * 10 + 1) / 3;
    // A valid time never carries. A hostile server can send more ticks than a day has.
    let (carried, millis) = (millis / 86_400_000, millis % 86_400_000);
    let (_, clock) = clock(Time::new(millis.unsigned_abs(), 3));
    format!("{}T{clock}", day(DAYS_TO_1900 + i64::from(value.days()) + carried))
}

/// Days since the first of January 1900, and minutes.
fn minutes(value: SmallDateTime) -> String {
    let (_, clock) = clock(Time::new(u64::from(value.seconds_fragments()) * 60, 0));
    format!("{}T{clock}", day(DAYS_TO_1900 + i64::from(value.days())))
}

fn date(value: Date) -> String {
    day(i64::from(value.days()))
}

fn datetime2(value: DateTime2) -> String {
    format!("{}T{}", date(value.date()), clock(value.time()).1)
}

/// Sent in UTC, shown at its own offset.
fn offset(value: DateTimeOffset) -> String {
    let (minutes, scale) = (i64::from(value.offset()), value.datetime2().time().scale());
    let (seconds, shown) = clock(value.datetime2().time());
    let part = shown.split_once('.').map_or_else(String::new, |(_, part)| format!(".{part}"));
    let local = i64::try_from(seconds).unwrap_or_default() + minutes * 60;
    // The offset may move the time to the day before or after, hence Euclidean division.
    let days = i64::from(value.datetime2().date().days()) + local.div_euclid(86_400);
    let time = Time::new(local.rem_euclid(86_400).unsigned_abs(), 0);
    let sign = if minutes < 0 { '-' } else { '+' };
    let (hours, minutes) = (minutes.abs() / 60, minutes.abs() % 60);
    let part = if scale == 0 { String::new() } else { part };
    format!("{}T{}{part}{sign}{hours:02}:{minutes:02}", day(days), clock(time).1)
}

/// The whole seconds of a time of day, and the time as it is written.
fn clock(time: Time) -> (u64, String) {
    let scale = usize::from(time.scale().min(9));
    let unit = 10_u64.pow(u32::from(time.scale().min(9)));
    let (seconds, part) = (time.increments() / unit, time.increments() % unit);
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    let mut written = format!("{hours:02}:{minutes:02}:{:02}", seconds % 60);
    if scale > 0 {
        written.push_str(&format!(".{part:0>scale$}"));
    }
    (seconds, written)
}

/// The date `days` days after the first of January of the year 1.
fn day(days: i64) -> String {
    // Years that begin in March have the day that some years lack at their end.
    let days = days + 306;
    // The Gregorian calendar repeats every 400 years, which have 146,097 days.
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    // From March on, months repeat 31, 30, 31, 30, 31 days: 153 for each five.
    let from_march = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{of_month:02}")
}

/// From the first of January of the year 1 to that of 1900.
const DAYS_TO_1900: i64 = 693_595;
