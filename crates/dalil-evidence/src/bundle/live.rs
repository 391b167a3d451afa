//! Queries that the caller has to run: their databases, statements and results.

use dalil_phrasebook::{expected, found};
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::fault::Fault;
use dalil_proof::json::Json;

use crate::bundle::lake::LakeUri;
use crate::bundle::request::{CallerMetadata, given};

/// A query for a database that runs.
///
/// Core only knows the question. The caller runs it, keeps the whole result in the lake and states
/// where; or states why there is none.
#[derive(Clone, Debug)]
pub struct LiveQuery {
    /// The name of the result in the bundle.
    pub query_key: String,
    /// The name of a connection that the caller has; never an address.
    pub connection: String,
    /// The text of the query.
    pub query: String,
    /// Values for its placeholders: null, flags, numbers and strings.
    pub params: Vec<Json<'static>>,
    /// How many rows the artifact may hold.
    pub max_rows: usize,
    pub(super) split: bool,
    pub(super) metadata: CallerMetadata,
    pub(super) outcome: Option<Result<LakeUri, UnansweredQuery>>,
}

impl LiveQuery {
    /// The path of a query of the request, for messages.
    pub fn path(place: usize) -> String {
        format!("evidence_refs.sql_live[{place}]")
    }

    /// Where its result is, once there is one.
    pub(super) fn lake_uri(&self) -> Option<&LakeUri> {
        self.outcome.as_ref()?.as_ref().ok()
    }

    pub(super) fn read(reader: JsonReader<'_, '_>) -> Option<Self> {
        let mut fields = reader.object()?;
        let query_key = fields.required("query_key", decode::owned);
        let connection = fields.required("connection", connection);
        let query = fields.required("query", decode::filled);
        let params = fields.or("params", Vec::new(), |list| list.list(param));
        let max_rows = fields.or("max_rows", DEFAULT_MAX_ROWS, |rows| {
            rows.whole(1..=MAX_ROWS).and_then(|rows| usize::try_from(rows).ok())
        });
        let description = fields.optional("description", decode::owned);
        let split = fields.or("split", false, decode::flag);
        let metadata = fields.or("metadata", CallerMetadata::new(), given);
        fields.done()?;
        let mut metadata = metadata?;
        if let Some(description) = description? {
            metadata.insert("description".to_owned(), Json::Text(description.into()));
        }
        Some(Self {
            query_key: query_key?,
            connection: connection?,
            query: query?,
            params: params?,
            max_rows: max_rows?,
            split: split?,
            metadata,
            outcome: None,
        })
    }
}

/// Why a query has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnansweredQuery {
    /// The kind of problem: a short, stable name.
    pub reason: &'static str,
    /// The sentence a person reads.
    pub message: String,
}

impl UnansweredQuery {
    /// The reason for a query that was not run.
    pub(super) fn not_run() -> Self {
        let message = "expected the result of a query, found that it was not run".to_owned();
        Self { reason: "not_run", message }
    }
}

/// Whether a text can name a connection: a letter, then letters, digits and `_`.
pub fn names_connection(text: &str) -> bool {
    let plain = |ch: char| ch.is_ascii_alphanumeric() || ch == '_';
    // In capitals, the name is a part of an environment variable (docs/queries.md).
    text.len() <= 64
        && text.starts_with(|ch: char| ch.is_ascii_alphabetic())
        && text.chars().all(plain)
}

fn connection(reader: JsonReader<'_, '_>) -> Option<String> {
    let name = decode::text(reader)?;
    if names_connection(name) {
        return Some(name.to_owned());
    }
    // It may be an address with a password in it, so it is not shown.
    let expected = expected::connection_name();
    reader.push(Fault::new("connection", reader.path(), expected, found::something_else()))
}

fn param(reader: JsonReader<'_, '_>) -> Option<Json<'static>> {
    match reader.json {
        Json::List(_) | Json::Object(_) => {
            reader.refuse("type", expected::null_true_false_a_number_or_a_string())
        }
        _ => decode::any(reader),
    }
}

const DEFAULT_MAX_ROWS: usize = 10_000;
const MAX_ROWS: u64 = 1_000_000;
