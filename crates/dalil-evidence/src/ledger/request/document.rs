//! Where evidence is from: a document, a page, headings and a date.

use std::collections::BTreeMap;

use dalil_phrasebook::{Phrase, expected};
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::json::{Json, MAX_INTEGER};
use dalil_proof::time::Time;
use serde::{Serialize, Serializer};

/// Where a chunk is from.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EvidenceDocument {
    /// What names it.
    pub id: String,
    /// Its file name.
    pub filename: String,
    /// The page, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page_number: Option<u64>,
    /// The headings above the chunk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heading_path: Option<Vec<String>>,
    /// When it is from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<DocumentDate>,
    /// Whether it was cut before the claims were looked for in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truncated: Option<bool>,
    /// Its address, from the application that retrieved it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
    /// Other metadata of the chunk, from the application.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub metadata: BTreeMap<String, Json<'static>>,
}

/// A day or a moment, kept as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentDate {
    text: String,
    time: Time,
}

impl DocumentDate {
    /// Whether it is more than `days` before `now`: a moment exactly, a day by the calendar in UTC.
    pub fn is_older_than(&self, days: i64, now: Time) -> bool {
        // A date of this length was parsed as a day: every RFC 3339 time is longer.
        if self.text.len() == DAY_EXAMPLE.len() {
            return now.days_since(self.time) > days;
        }
        now.millis().saturating_sub(self.time.millis()) > days.saturating_mul(DAY_MILLIS)
    }

    /// Whether it is before another one; a day begins at midnight in UTC.
    pub fn is_before(&self, other: &Self) -> bool {
        self.time < other.time
    }
}

impl std::str::FromStr for DocumentDate {
    type Err = dalil_proof::time::NotATime;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let day = text.len() == DAY_EXAMPLE.len();
        let time = if day { format!("{text}T00:00:00Z").parse() } else { text.parse() }?;
        Ok(Self { text: text.to_owned(), time })
    }
}

impl std::fmt::Display for DocumentDate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl Serialize for DocumentDate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

/// Reads one.
pub(super) fn document(reader: JsonReader<'_, '_>) -> Option<EvidenceDocument> {
    let mut fields = reader.object()?;
    let id = fields.required("id", decode::filled);
    let filename = fields.required("filename", decode::filled);
    let page_number = fields.optional("page_number", |page| page.whole(1..=MAX_INTEGER));
    let heading_path = fields.optional("heading_path", |path| path.list(decode::owned));
    let date = fields.optional("date", |date| date.parsed("time", EXPECTED_DATE));
    let truncated = fields.optional("truncated", decode::flag);
    let uri = fields.optional("uri", decode::filled);
    let metadata = fields.or("metadata", BTreeMap::new(), |given| given.map(decode::any));
    fields.done()?;
    Some(EvidenceDocument {
        id: id?,
        filename: filename?,
        page_number: page_number?,
        heading_path: heading_path?,
        date: date?,
        truncated: truncated?,
        uri: uri?,
        metadata: metadata?,
    })
}

/// The shape of a day.
const DAY_EXAMPLE: &str = "2024-01-31";
const DAY_MILLIS: i64 = 24 * 60 * 60 * 1000;
const EXPECTED_DATE: Phrase = expected::date_or_time();
