//! Records as a line of days, with the days on which nothing happened and the witnessed heads.

use dalil_proof::time::Time;
use dalil_service::trail::{RecordSummary, WitnessedHead};

#[cfg(test)]
mod tests;

/// The records of one day, the newest first.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TrailDay {
    pub(super) date: String,
    pub(super) entries: Vec<TrailEntry>,
    /// How many days before the next later one have no records.
    pub(super) gap_after: Option<i64>,
    /// The same, before this day: only of the last one on a page.
    pub(super) gap_before: Option<i64>,
}

/// An entry on the line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum TrailEntry {
    Record(RecordSummary),
    /// A head that a witness cosigned, above the last record that it is over.
    Head(WitnessedHead),
}

/// The times around the records of a page, where all records are shown.
pub(super) struct TimelineEdges {
    pub(super) today: String,
    /// The time of the record before the oldest one.
    pub(super) before: Option<String>,
    /// Whether the newest record of the page is that of the trail.
    pub(super) is_newest: bool,
}

impl TrailDay {
    /// How many records it has here.
    pub(super) fn records(&self) -> usize {
        self.entries.iter().filter(|one| matches!(one, TrailEntry::Record(_))).count()
    }
}

/// Records, the newest first, by the day that they are of.
pub(super) fn timeline(
    records: Vec<RecordSummary>,
    heads: &[WitnessedHead],
    edges: Option<&TimelineEdges>,
) -> Vec<TrailDay> {
    let mut days: Vec<TrailDay> = Vec::new();
    for one in records {
        let date = day_of(&one.at).to_owned();
        let size = one.index + 1;
        let over = heads.iter().filter(|head| head.size == size).cloned();
        let entries = over.map(TrailEntry::Head).chain([TrailEntry::Record(one)]);
        match days.last_mut().filter(|day| day.date == date) {
            Some(day) => day.entries.extend(entries),
            None => {
                let later = days.last().map(|day| day.date.clone());
                let gap_after = edges.and(later).and_then(|later| days_between(&date, &later));
                let entries = entries.collect();
                days.push(TrailDay { date, entries, gap_after, gap_before: None });
            }
        }
    }
    if let Some(edges) = edges {
        if let Some(newest) = days.first_mut().filter(|_| edges.is_newest) {
            newest.gap_after = days_between(&newest.date, day_of(&edges.today));
        }
        if let Some((oldest, before)) = days.last_mut().zip(edges.before.as_deref()) {
            oldest.gap_before = days_between(day_of(before), &oldest.date);
        }
    }
    days
}

/// How many days lie between two others; nothing for none.
fn days_between(earlier: &str, later: &str) -> Option<i64> {
    let day = |date: &str| {
        let midnight = format!("{date}T00:00:00.000Z").parse::<Time>().ok()?;
        Some(midnight.millis() / DAY_MILLIS)
    };
    let between = day(later)? - day(earlier)? - 1;
    (between > 0).then_some(between)
}

fn day_of(time: &str) -> &str {
    time.get(..10).unwrap_or(time)
}

/// The noun of a record's subject: that of its kind, or of its id where records of other kinds are
/// about it.
pub(super) fn subject_kind(kind: &str, subject: &str) -> String {
    let noun = kind.split_once('.').map_or(kind, |(noun, _)| noun);
    let known = SUBJECT_PREFIXES.iter().find(|(prefix, _)| subject.starts_with(prefix));
    match known.filter(|_| FOREIGN_NOUNS.contains(&noun)) {
        Some((_, noun)) => (*noun).to_owned(),
        None => noun.to_owned(),
    }
}

const DAY_MILLIS: i64 = 24 * 60 * 60 * 1000;
/// Kinds whose records are about a subject of another kind.
const FOREIGN_NOUNS: [&str; 4] = ["access", "approval", "export", "job"];
const SUBJECT_PREFIXES: [(&str, &str); 3] =
    [("pack_", "pack"), ("doc_", "document"), ("ses_", "session")];
